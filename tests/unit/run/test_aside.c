/* SPDX-License-Identifier: MIT
 * Commands beside the measurement: a limit of time, and none. */
#include "run/aside.h"

#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
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
    unit_tried(1, "A program that is asked");
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

/* A process that waits for a command is ended by this signal: the command, which holds the pipe, ends as well. */
static void ends_with_carbon(int number)
{
    char *const words[] = { (char *)"sh", (char *)"-c", (char *)"echo begun; exec sleep 600", NULL };
    char text[16] = "";
    struct aside_home home;
    struct aside_end end;
    int ends[2], status;
    pid_t pid;

    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    aside_home_open(&home);
    pid = fork();
    if (pid == 0) {
        signal(SIGTERM, SIG_DFL); /* check's own would end the test */
        signal(SIGINT, SIG_DFL);
        (void)!aside_run(
            &(struct aside_options){
                .home = &home, .argv = words, .limit_s = 600, .output_fd = ends[1], .alone = true },
            &end, NULL);
        _exit(0);
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], text, sizeof text), 6);
    unit_tried(1, "A program that is asked");
    ck_assert_int_eq(kill(pid, number), 0);
    ck_assert_int_eq(read(ends[0], text, sizeof text), 0);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == number);
    close(ends[0]);
}

START_TEST(it_ends_with_carbon)
{
    ends_with_carbon(SIGTERM);
    ends_with_carbon(SIGINT);
    ends_with_carbon(SIGKILL);
}
END_TEST

START_TEST(streams_of_its_own)
{
    char *const words[] = { (char *)"sh", (char *)"-c", (char *)"cat; echo said >&2", NULL };
    FILE *input = tmpfile(), *output = tmpfile(), *errors = tmpfile();
    struct aside_home home;
    struct aside_end end;
    char text[16] = "";

    fputs("given", input);
    ck_assert_int_eq(fflush(input), 0);
    rewind(input);
    aside_home_open(&home);
    ck_assert(aside_run(&(struct aside_options){ .home = &home,
                                                 .argv = words,
                                                 .input_fd = fileno(input),
                                                 .output_fd = fileno(output),
                                                 .error_fd = fileno(errors) },
                        &end, NULL));
    ck_assert_int_eq(end.exit_status, 0);
    ck_assert_int_eq(pread(fileno(output), text, sizeof text, 0), 5);
    ck_assert_str_eq(text, "given");
    ck_assert_int_eq(pread(fileno(errors), text, sizeof text, 0), 5);
    ck_assert_str_eq(text, "said\n");
    fclose(input);
    fclose(output);
    fclose(errors);
}
END_TEST

UNIT_SUITE("aside", it_ends_with_carbon, streams_of_its_own, what_takes_too_long_is_ended, what_ends_in_time_is_let_be)
