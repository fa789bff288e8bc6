/* SPDX-License-Identifier: MIT
 * What every fuzz target stands on: its one entry, the input in pieces, and a check that ends the program. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One target per file. libFuzzer calls it, or replay.c over files. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* To the descriptor, for a target may have put something else in the place of stderr and of stdio's functions. */
static inline void fuzz_fail(const char *file, int line, const char *condition)
{
    char text[512];
    const int length = snprintf(text, sizeof text, "%s:%d: must hold: %s\n", file, line, condition);

    (void)!write(STDERR_FILENO, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
    abort();
}

#define FUZZ_MUST(condition)                                                                                           \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fuzz_fail(__FILE__, __LINE__, #condition);                                                                 \
    } while (0)

/* What is left of an input. */
struct input {
    const uint8_t *at, *end;
};

static inline size_t input_left(const struct input *input)
{
    return (size_t)(input->end - input->at);
}

/* A number of up to 8 bytes, the lowest first; what the input lacks is 0. */
static inline uint64_t input_number(struct input *input, unsigned bytes)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < bytes && input->at < input->end; i++)
        number |= (uint64_t)*input->at++ << 8 * i;
    return number;
}

static inline double input_double(struct input *input)
{
    const uint64_t bits = input_number(input, 8);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The bytes up to the next NUL, in memory of just that length, so that reading on is noticed. */
static inline char *input_text(struct input *input)
{
    const uint8_t *nul = input->at < input->end ? memchr(input->at, '\0', input_left(input)) : NULL;
    const size_t length = (size_t)((nul ? nul : input->end) - input->at);
    char *text = malloc(length + 1);

    FUZZ_MUST(text);
    if (length)
        memcpy(text, input->at, length);
    text[length] = '\0';
    input->at = nul ? nul + 1 : input->end;
    return text;
}

/* The descriptor that the next open would give: the same before and after, unless one has been left open. */
static inline int fuzz_next_fd(void)
{
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

    close(fd);
    return fd;
}

#endif
