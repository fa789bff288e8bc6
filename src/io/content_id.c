/* SPDX-License-Identifier: MIT
 * Ids of contents. Nobody is kept out by them, so that a plain hash does. */
#include "io/content_id.h"

#include <stdint.h>
#include <stdio.h>

__extension__ typedef unsigned __int128 hash;

#define FNV_OFFSET (((hash)UINT64_C(0x6c62272e07bb0142) << 64) | UINT64_C(0x62b821756295c58d))
#define FNV_PRIME (((hash)UINT64_C(0x0000000001000000) << 64) | UINT64_C(0x000000000000013b))

static hash add_byte(hash sum, unsigned char byte)
{
    return (sum ^ byte) * FNV_PRIME;
}

void content_id(const char *const *texts, size_t count, char id[CONTENT_ID_SIZE])
{
    hash sum = FNV_OFFSET;
    uint64_t high, low;

    for (size_t i = 0; i < count; i++) {
        for (const char *c = texts[i]; c && *c; c++)
            sum = add_byte(sum, (unsigned char)*c);
        sum = add_byte(sum, texts[i] ? 0 : 1);
    }
    high = ((uint64_t)(sum >> 64) & ~UINT64_C(0xf000)) | UINT64_C(0x8000);
    low = ((uint64_t)sum & ~(UINT64_C(3) << 62)) | (UINT64_C(2) << 62);
    snprintf(id, CONTENT_ID_SIZE, "%08x-%04x-%04x-%04x-%012llx", (unsigned)(high >> 32),
             (unsigned)(high >> 16 & 0xffff), (unsigned)(high & 0xffff), (unsigned)(low >> 48),
             (unsigned long long)(low & UINT64_C(0xffffffffffff)));
}
