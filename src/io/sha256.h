/* SPDX-License-Identifier: MIT
 * SHA-256 (FIPS 180-4) by libmd, in lower-case hexadecimal digits: to say which file it was. */
#ifndef IO_SHA256_H
#define IO_SHA256_H

#include "base/error.h"

#include <stddef.h>

enum { SHA256_TEXT_SIZE = 65 };

void sha256_of_bytes(const void *bytes, size_t length, char out[SHA256_TEXT_SIZE]);

/* SHA-256 of a whole regular file. */
bool sha256_of_file(const char *path, char out[SHA256_TEXT_SIZE], struct error *err) MUST_CHECK;

#endif
