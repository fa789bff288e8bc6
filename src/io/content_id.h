/* SPDX-License-Identifier: MIT
 * An id made from content: the same content has the same id everywhere. Used in commands/history and commands/slurm.
 * Begin with content_id(). */
#ifndef IO_CONTENT_ID_H
#define IO_CONTENT_ID_H

#include <stddef.h>

enum { CONTENT_ID_SIZE = 40 };

/* A UUID of the texts (RFC 9562, version 8, by FNV-1a of 128 bits); NULL is another text than "". */
void content_id(const char *const *texts, size_t count, char id[CONTENT_ID_SIZE]);

#endif
