/* SPDX-License-Identifier: MIT
 * A separate process that reads a meter repeatedly: one answer may take seconds, or never come, and nothing
 * else waits for it. Used by asked.h and named_meter.h. Begin with poller_start(). */
#ifndef ENERGY_POLLER_H
#define ENERGY_POLLER_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { POLLER_WORDS_SIZE = 200 };

struct poller_answer {
    int error;        /* 0, or an errno: ETIMEDOUT, EBADMSG (it does not stop printing), what `understand` says */
    uint64_t time_ns; /* CLOCK_MONOTONIC, half way between question and answer */
    uint64_t took_ns;
    double value;                  /* value in the unit of the caller */
    double step;                   /* one in its last digit; 0: not known */
    uint64_t period_ns;            /* over which the meter itself averages; 0: unknown */
    bool inactive;                 /* the meter says that it does not measure */
    char words[POLLER_WORDS_SIZE]; /* the first line of the answer */
};

/* What is asked, how and how often. */
struct poller_question {
    /* In the separate process, before the first reading; false: err goes into the words of the only answer.
     * NULL: there is nothing to prepare. */
    bool (*prepare)(void *context, struct error *err);
    /* Puts the question once, in a process of its own, that is ended where it hangs: standard output takes the
     * answer. It does not return. */
    void (*put)(void *context);
    /* What the answer says; status is that of the process, 128 + n where signal n ended it. Returns 0 or an errno. */
    int (*understand)(const void *context, int status, const char *text, struct poller_answer *answer);
    void *context;
    uint64_t every_ns;
    uint64_t patience_ns; /* for one answer; then the process is ended and started again */
    unsigned rests;       /* after an answer that took t the next question comes after rests × t at the earliest */
    size_t max_bytes;     /* maximum size of an answer */
};

struct poller {
    pid_t pid; /* 0: none */
    int fd;
};

/* Whatever it starts ends with it, and it ends with this process, however that ends. It has a session of its own, so
 * that no signal of a terminal reaches it. */
bool poller_start(struct poller *poller, const struct poller_question *question, struct error *err) MUST_CHECK;

/* The next answer, waiting for it no longer than until_ns (0: not at all). Returns 0, EAGAIN (none yet) or ENODEV (the
 * process has ended). */
int poller_take(struct poller *poller, uint64_t until_ns, struct poller_answer *answer) MUST_CHECK;

/* Harmless twice. */
void poller_stop(struct poller *poller);

/* Time until the next reading, after an answer that took this time. */
uint64_t poller_cadence_ns(const struct poller_question *question, uint64_t took_ns);

#endif
