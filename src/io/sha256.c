/* SPDX-License-Identifier: MIT
 * SHA-256 (FIPS 180-4). */
#include "io/sha256.h"

#include "base/auto.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

enum { BLOCK = 64, LENGTH_AT = 56 };

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turned(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static void spread_words(const uint8_t *block, uint32_t words[64])
{
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
                   block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + words[i - 7] +
                   (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
}

static void take_block(struct sha256 *sum, const uint8_t *block)
{
    uint32_t words[64], s[8];

    spread_words(block, words);
    memcpy(s, sum->state, sizeof s);
    for (int i = 0; i < 64; i++) {
        const uint32_t first = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                               ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + words[i];
        const uint32_t second =
            (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof s[0]);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        sum->state[i] += s[i];
}

void sha256_open(struct sha256 *sum)
{
    *sum = (struct sha256){
        .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 },
    };
}

void sha256_add(struct sha256 *sum, const void *bytes, size_t length)
{
    const uint8_t *from = bytes;

    for (size_t i = 0; i < length; i++) {
        sum->block[sum->length++ % BLOCK] = from[i];
        if (sum->length % BLOCK == 0)
            take_block(sum, sum->block);
    }
}

void sha256_text(struct sha256 *sum, char out[SHA256_TEXT_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    const uint64_t bits = 8 * sum->length;
    uint8_t end[8];

    for (int i = 0; i < 8; i++)
        end[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(sum, "\x80", 1);
    while (sum->length % BLOCK != LENGTH_AT)
        sha256_add(sum, "", 1);
    sha256_add(sum, end, sizeof end);
    for (int i = 0; i < SHA256_TEXT_SIZE - 1; i++)
        out[i] = digits[sum->state[i / 8] >> (28 - 4 * (i % 8)) & 0xf];
    out[SHA256_TEXT_SIZE - 1] = '\0';
}

bool sha256_of_file(const char *path, char out[SHA256_TEXT_SIZE], struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    struct sha256 sum;
    uint8_t bytes[16384];
    ssize_t got;

    if (fd < 0 || fstat(fd, &status) != 0)
        return error_errno(err, "cannot read '%s'", path);
    if (!S_ISREG(status.st_mode))
        return error_set(err, ERROR_USAGE, "'%s' is no regular file", path);
    sha256_open(&sum);
    while ((got = read(fd, bytes, sizeof bytes)) != 0)
        if (got > 0)
            sha256_add(&sum, bytes, (size_t)got);
        else if (errno != EINTR)
            return error_errno(err, "cannot read '%s'", path);
    sha256_text(&sum, out);
    return true;
}
