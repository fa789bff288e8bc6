/* SPDX-License-Identifier: MIT
 * SHA-256 (FIPS 180-4), to say which file it was. Used by commands/indicator/indicator.h and machine_identity.c. Begin
 * with sha256_open(). */
#ifndef IO_SHA256_H
#define IO_SHA256_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { SHA256_TEXT_SIZE = 65 };

struct sha256 {
    uint32_t state[8];
    uint64_t length;   /* bytes so far */
    uint8_t block[64]; /* length % 64 bytes wait here */
};

void sha256_open(struct sha256 *sum);
void sha256_add(struct sha256 *sum, const void *bytes, size_t length);
/* In lower-case hexadecimal digits. */
void sha256_text(struct sha256 *sum, char out[SHA256_TEXT_SIZE]);

/* SHA-256 of a whole regular file. */
bool sha256_of_file(const char *path, char out[SHA256_TEXT_SIZE], struct error *err) MUST_CHECK;

#endif
