/* SPDX-License-Identifier: MIT
 * The text of a record in few bytes: zlib's format (RFC 1950) with a preset dictionary, a record as most are. libz is
 * opened when the first one is packed or read. Used in commands/bug, commands/serve and ledger. Begin with
 * packed_read(). */
#ifndef LEDGER_PACKED_H
#define LEDGER_PACKED_H

#include "base/error.h"

#include <stddef.h>

/* Memory to be freed. NULL: it cannot be made here (no libz, no memory), and the text is to be kept as it is. */
void *packed_make(const char *text, size_t *length) MUST_CHECK;

/* The text, to be freed. NULL: see err; ERROR_BAD_DATA if the bytes are not from packed_make, ERROR_ABSENT
 * without libz. */
char *packed_read(const void *bytes, size_t length, struct error *err) MUST_CHECK;

/* Any bytes as a file that gzip reads (RFC 1952), to be freed. NULL: see err; ERROR_ABSENT without libz. */
char *packed_gzip(const char *bytes, size_t length, size_t *packed_length, struct error *err) MUST_CHECK;

#endif
