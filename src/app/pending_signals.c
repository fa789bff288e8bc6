/* SPDX-License-Identifier: MIT
 * Signals that are only noted. */
#include "app/pending_signals.h"

#include <stddef.h>

static const int numbers[PENDING_SIGNALS] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

static volatile sig_atomic_t first;

static void note(int number)
{
    if (!first && number != SIGUSR1 && number != SIGUSR2)
        first = number;
}

void pending_signals_open(struct pending_signals *pending)
{
    const struct sigaction noted = { .sa_handler = note, .sa_flags = SA_RESTART };

    first = 0;
    for (size_t i = 0; i < PENDING_SIGNALS; i++) {
        sigaction(numbers[i], NULL, &pending->before[i]);
        if (pending->before[i].sa_handler != SIG_IGN)
            sigaction(numbers[i], &noted, NULL);
    }
}

void pending_signals_close(const struct pending_signals *pending)
{
    for (size_t i = 0; i < PENDING_SIGNALS; i++)
        sigaction(numbers[i], &pending->before[i], NULL);
}

int first_pending_signal(void)
{
    return first;
}
