/* SPDX-License-Identifier: MIT
 * Whether the machine is idle. */
#include "app/quiet.h"

#include "app/terminal.h"
#include "base/clock.h"
#include "base/units.h"
#include "measurement/busy.h"
#include "measurement/idle.h"
#include "measurement/noise.h"

#include <math.h>
#include <time.h>

/* Without --settle. What a package manager or a compiler does is over by then, or goes on. */
#define PATIENCE_S 30.0

static void sleep_s(double seconds)
{
    struct timespec rest = { .tv_sec = (time_t)seconds, .tv_nsec = (long)(fmod(seconds, 1) * NS_PER_S) };

    while (nanosleep(&rest, &rest) != 0)
        continue;
}

/* Measures one second, as a baseline does. */
static void look(const struct session *session, struct busy *busy, struct window *window)
{
    const uint64_t begun_ns = clock_monotonic_ns();

    *window = (struct window){ .start_ns = begun_ns };
    busy_open(busy, &session->meter);
    sleep_s(1);
    window->duration_ns = clock_monotonic_ns() - begun_ns;
    busy_read(busy, &session->meter, window);
}

static bool is_idle(const struct measurement *seen)
{
    const enum idleness idleness = baseline_idleness(seen);

    return idleness == IDLENESS_IDLE || idleness == IDLENESS_UNKNOWN;
}

static bool fail_unquiet(const char *stored, double patience_s, struct error *err)
{
    error_set(err, ERROR_SYSTEM, "the machine is not idle: other processes keep %s", stored);
    error_why(err, "the power of a load cannot be separated from theirs; carbon waited %.0f s", patience_s);
    return error_fix(err, "stop other load ('top' shows it), wait longer with --settle 300, or run it with --anyway");
}

bool session_wait_for_idle(const struct session *session, struct error *err)
{
    const double settle_s = settings_number(session->settings, &option_settle);
    const double patience_s = isnan(settle_s) ? PATIENCE_S : settle_s;
    const uint64_t until_ns = clock_monotonic_ns() + (uint64_t)(patience_s * NS_PER_S);
    struct busy busy = { .stat_fd = -1 };
    struct window window;
    const struct measurement seen = { .meter = &session->meter, .baselines = &window, .baseline_count = 1 };
    char stored[BUSY_TEXT_SIZE];
    bool reported = false;

    busy_choose(&busy, &session->machine, (struct cpu_mask){ &session->job_cpus.set, CPUS_SIZE });
    for (look(session, &busy, &window); !is_idle(&seen); look(session, &busy, &window)) {
        baseline_busy_text(&seen, stored);
        if (clock_monotonic_ns() >= until_ns) {
            busy_close(&busy);
            return fail_unquiet(stored, patience_s, err);
        }
        if (!reported)
            terminal_say("waiting %.0f s at most for the machine to be idle: other processes keep %s\n", patience_s,
                         stored);
        reported = true;
    }
    busy_close(&busy);
    return true;
}
