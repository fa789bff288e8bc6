/* SPDX-License-Identifier: MIT
 * Waiting for a time of day. Used by cmd_when.c. Begin with sleep_until(). */
#ifndef COMMANDS_WHEN_SLEEP_UNTIL_H
#define COMMANDS_WHEN_SLEEP_UNTIL_H

#include "base/error.h"

#include <stdint.h>

/* Sleeps until CLOCK_REALTIME is there, whether by waiting, by a suspend or because the clock was set. tick (or NULL)
 * is called at first and every ten seconds. SIGINT, SIGQUIT, SIGTERM or SIGHUP end it, unless it was ignored or
 * blocked: *signal is its number then, else 0. */
bool sleep_until(uint64_t realtime_ns, void (*tick)(uint64_t left_ns), int *signal, struct error *err) MUST_CHECK;

#endif
