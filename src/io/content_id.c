/* SPDX-License-Identifier: MIT
 * Ids of contents. Nobody is kept out by them, so that a plain hash does. */
#include "io/content_id.h"

#include <stdint.h>
#include <stdio.h>

/* FNV-1a of 128 bits, in two halves: not every machine has an integer of that size. */
struct hash {
    uint64_t high, low;
};

static const struct hash fnv_offset = { UINT64_C(0x6c62272e07bb0142), UINT64_C(0x62b821756295c58d) };

/* Times the prime, which is 2^88 + 0x13b. */
static struct hash add_byte(struct hash sum, unsigned char byte)
{
    const uint64_t low = sum.low ^ byte, prime = 0x13b;
    const uint64_t first = (low & UINT32_MAX) * prime, second = (low >> 32) * prime + (first >> 32);

    return (struct hash){ .high = sum.high * prime + (second >> 32) + (low << 24),
                          .low = second << 32 | (first & UINT32_MAX) };
}

void content_id(const char *const *texts, size_t count, char id[CONTENT_ID_SIZE])
{
    struct hash sum = fnv_offset;
    uint64_t high, low;

    for (size_t i = 0; i < count; i++) {
        for (const char *c = texts[i]; c && *c; c++)
            sum = add_byte(sum, (unsigned char)*c);
        sum = add_byte(sum, texts[i] ? 0 : 1);
    }
    high = (sum.high & ~UINT64_C(0xf000)) | UINT64_C(0x8000);
    low = (sum.low & ~(UINT64_C(3) << 62)) | (UINT64_C(2) << 62);
    snprintf(id, CONTENT_ID_SIZE, "%08x-%04x-%04x-%04x-%012llx", (unsigned)(high >> 32),
             (unsigned)(high >> 16 & 0xffff), (unsigned)(high & 0xffff), (unsigned)(low >> 48),
             (unsigned long long)(low & UINT64_C(0xffffffffffff)));
}
