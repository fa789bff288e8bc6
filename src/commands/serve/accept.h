/* SPDX-License-Identifier: MIT
 * What a client would rather have, by the headers that say so. NULL: it has sent none. Used by http_server.c. Begin
 * with metric_format_of(). */
#ifndef COMMANDS_SERVE_ACCEPT_H
#define COMMANDS_SERVE_ACCEPT_H

#include "commands/serve/metric_text.h"

/* Chooses by the Accept header. */
enum metric_format metric_format_of(const char *accept);

/* By Accept-Encoding: whether it takes gzip, and as gladly as the text itself. */
bool accepts_gzip(const char *accept_encoding);

#endif
