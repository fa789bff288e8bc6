/* SPDX-License-Identifier: MIT
 * The answer of /metrics in one format, until the next collection: the text, and the same in gzip. Used by
 * http_server.c. Begin with published_set(). */
#ifndef COMMANDS_SERVE_PUBLISHED_H
#define COMMANDS_SERVE_PUBLISHED_H

#include "commands/serve/metric_text.h"
#include "commands/serve/microhttpd_library.h"

struct published_metrics {
    struct MHD_Response *plain, *packed; /* NULL: nothing was published yet; no gzip was requested yet */
    const char *text;                    /* borrowed from the plain response */
    size_t length;
};

/* Takes the text over. A client that is being served gets the whole old one. */
bool published_set(struct published_metrics *published, const struct microhttpd *library, struct metric_text *metrics,
                   struct error *err) MUST_CHECK;

/* NULL: nothing was published yet. It stays the published one's. */
struct MHD_Response *published_answer(struct published_metrics *published, const struct microhttpd *library,
                                      enum metric_format format, bool gzip);

void published_close(struct published_metrics *published, const struct microhttpd *library); /* harmless twice */

#endif
