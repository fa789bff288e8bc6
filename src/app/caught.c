/* SPDX-License-Identifier: MIT
 * Signals that are only noted. */
#include "app/caught.h"

#include <stddef.h>

static const int numbers[CAUGHT_SIGNALS] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

static volatile sig_atomic_t first;

static void note(int number)
{
    if (!first && number != SIGUSR1 && number != SIGUSR2)
        first = number;
}

void caught_open(struct caught *caught)
{
    const struct sigaction noted = { .sa_handler = note, .sa_flags = SA_RESTART };

    first = 0;
    for (size_t i = 0; i < CAUGHT_SIGNALS; i++) {
        sigaction(numbers[i], NULL, &caught->before[i]);
        if (caught->before[i].sa_handler != SIG_IGN)
            sigaction(numbers[i], &noted, NULL);
    }
}

void caught_close(const struct caught *caught)
{
    for (size_t i = 0; i < CAUGHT_SIGNALS; i++)
        sigaction(numbers[i], &caught->before[i], NULL);
}

int caught_first(void)
{
    return first;
}
