/* SPDX-License-Identifier: MIT
 * Commands beside the measurement: a limit of time, and none. */
#include "run/aside.h"

#include "unit.h"

#include <fcntl.h>
#include <unistd.h>

static bool run(char *const *argv, unsigned limit_s, struct aside_end *end)
{
    struct aside_home home;
    struct error err;
    const int nowhere = open("/dev/null", O_WRONLY);
    bool ran;

    aside_home_open(&home);
    ran = aside_run(&(struct aside_options){ .home = &home, .argv = argv, .limit_s = limit_s, .output_fd = nowhere },
                    end, &err);
    close(nowhere);
    return ran;
}

START_TEST(what_takes_too_long_is_ended)
{
    char *const hangs[] = { (char *)"sleep", (char *)"600", NULL };
    struct aside_end end;

    ck_assert(run(hangs, 1, &end));
    ck_assert(end.late);
    ck_assert_int_eq(end.exit_status, 128 + SIGKILL);
}
END_TEST

START_TEST(what_ends_in_time_is_let_be)
{
    char *const ends[] = { (char *)"sh", (char *)"-c", (char *)"exit 7", NULL };
    struct aside_end end;

    for (unsigned limit_s = 0; limit_s <= 600; limit_s += 600) {
        ck_assert(run(ends, limit_s, &end));
        ck_assert(!end.late);
        ck_assert_int_eq(end.exit_status, 7);
    }
}
END_TEST

UNIT_SUITE("aside", what_takes_too_long_is_ended, what_ends_in_time_is_let_be)
