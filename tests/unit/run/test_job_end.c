/* SPDX-License-Identifier: MIT
 * The ends of jobs: their own status, a signal's, and that of what cannot be run. Real processes only. */
#include "act.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char folder[64];

static void begin(void)
{
    enter_folder(folder);
}

static void end(void)
{
    remove_folder(folder);
}

static void make_file(const char *name, mode_t mode, const char *content)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

    ck_assert_int_eq(write(fd, content, strlen(content)), (ssize_t)strlen(content));
    ck_assert_int_eq(fchmod(fd, mode), 0);
    close(fd);
}

/* The status of a command that must not run, and why. */
static int refused(char *command, struct error *err)
{
    const struct job_options options = { .argv = (char *[]){ command, NULL }, .cgroup_fd = -1 };
    struct job_signals signals;
    struct job job;
    uint64_t exec_ns;
    int exit_status = 0;

    ck_assert(job_signals_open(&signals, NULL));
    ck_assert(job_start(&job, &signals, &options, NULL));
    ck_assert(!job_release(&job, &exec_ns, &exit_status, err));
    ck_assert_int_eq(job.pid, 0);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
    job_signals_close(&signals);
    return exit_status;
}

START_TEST(exit_status_is_the_jobs_own)
{
    char text[64];

    ck_assert_int_eq(act_run(ACT("exit", "0"), text, sizeof text).exit_status, 0);
    ck_assert_int_eq(act_run(ACT("exit", "7"), text, sizeof text).exit_status, 7);
    ck_assert_int_eq(act_run(ACT("exit", "255"), text, sizeof text).exit_status, 255);
    ck_assert_int_eq(act_run(ACT("print", "its own words"), text, sizeof text).exit_status, 0);
    ck_assert_str_eq(text, "its own words\n");
}
END_TEST

START_TEST(signal_gives_128_and_its_number)
{
    char text[64];
    struct job_end end = act_run(ACT("signal", "9"), text, sizeof text);

    ck_assert_int_eq(end.exit_status, 137);
    ck_assert_int_eq(end.signal, SIGKILL);
    ck_assert(!end.core_dumped);
    end = act_run(ACT("signal", "TERM"), text, sizeof text);
    ck_assert_int_eq(end.exit_status, 143);
    ck_assert_int_eq(end.signal, SIGTERM);
}
END_TEST

START_TEST(core_dump_is_told)
{
    char *const aborting[] = { (char *)"sh", (char *)"-c", (char *)"kill -s ABRT $$", NULL };
    struct rlimit core;
    char text[64];
    struct job_end end;

    ck_assert_int_eq(getrlimit(RLIMIT_CORE, &core), 0);
    core.rlim_cur = 0;
    ck_assert_int_eq(setrlimit(RLIMIT_CORE, &core), 0);
    end = act_run(aborting, text, sizeof text);
    ck_assert_int_eq(end.exit_status, 134);
    ck_assert(!end.core_dumped);
    core.rlim_cur = core.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_CORE, &core), 0);
    end = act_run(aborting, text, sizeof text);
    ck_assert_int_eq(end.exit_status, 134);
    if (core.rlim_max == 0)
        puts("SKIPPED: no core dump is allowed here");
    else
        ck_assert(end.core_dumped);
}
END_TEST

static void refused_with_fix(const char *command, int status, const char *fix, struct error *err)
{
    ck_assert_int_eq(refused((char *)command, err), status);
    ck_assert_str_eq(err->fix, fix);
}

START_TEST(missing_command_is_127_with_a_near_name)
{
    struct error err;

    make_file("job", 0755, "");
    make_file("jobs.txt", 0644, "");
    ck_assert_int_eq(refused((char *)"./jb", &err), 127);
    ck_assert_str_eq(err.what, "cannot run './jb'");
    ck_assert_str_eq(err.why, "no such file or directory");
    ck_assert_str_eq(err.fix, "./job");
    refused_with_fix("./jobs.tx", 127, "", &err);
    ck_assert_int_eq(refused((char *)"job", &err), 127);
    ck_assert_str_eq(err.why, "no such command on PATH");
    ck_assert_str_eq(err.fix, "./job");
    ck_assert_int_eq(setenv("PATH", folder, 1), 0);
    refused_with_fix("Jbx", 127, "echo \"$PATH\"", &err);
    refused_with_fix("jog", 127, "job", &err);
    make_file("bab", 0755, "");
    make_file("jib", 0755, "");
    refused_with_fix("jab", 127, "jib", &err);
    refused_with_fix("quite-another-name", 127, "echo \"$PATH\"", &err);
    refused_with_fix("sleep 1 && echo 'hi'", 127, "sh -c 'sleep 1 && echo '\\''hi'\\'''", &err);
    ck_assert_int_eq(err.fix_use, FIX_PROGRAM);
    ck_assert_int_eq(refused((char *)"", &err), 127);
    ck_assert_int_eq(refused((char *)"nowhere/job", &err), 127);
    ck_assert_int_eq(mkdir("locked", 0), 0);
    ck_assert_int_eq(setenv("PATH", "./locked:/nowhere", 1), 0);
    ck_assert_int_eq(refused((char *)"jog", &err), 127);
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_int_eq(unsetenv("PATH"), 0);
    ck_assert_int_eq(refused((char *)"jog", &err), 127);
}
END_TEST

START_TEST(file_that_cannot_run_is_126)
{
    struct error err;

    make_file("text", 0644, "words\n");
    make_file("script", 0755, "#! /nowhere/python -u\n");
    make_file("locked", 0644, "#!/bin/sh\n");
    ck_assert_int_eq(mkdir("folder", 0755), 0);
    ck_assert_int_eq(refused((char *)"./text", &err), 126);
    ck_assert_int_eq(err.kind, ERROR_DENIED);
    ck_assert_str_eq(err.why, "permission denied; the file is not marked as a program");
    ck_assert_str_eq(err.fix, "ls -l ./text");
    refused_with_fix("./locked", 126, "chmod +x ./locked", &err);
    ck_assert_int_eq(refused((char *)"./folder", &err), 126);
    ck_assert_str_eq(err.why, "it is a directory");
    ck_assert_int_eq(refused((char *)"./script", &err), 126);
    ck_assert_str_eq(err.why, "its interpreter '/nowhere/python' is not there");
    ck_assert_int_eq(setenv("PATH", folder, 1), 0);
    ck_assert_int_eq(refused((char *)"script", &err), 126);
    ck_assert_str_eq(err.why, "its interpreter '/nowhere/python' is not there");
    ck_assert_int_eq(refused((char *)"./text/more", &err), 126);
}
END_TEST

START_TEST(script_without_interpreter_line_runs)
{
    char text[64];
    struct job_end end;

    make_file("script", 0755, "echo by the shell\nexit 3\n");
    end = act_run((char *[]){ (char *)"./script", NULL }, text, sizeof text);
    ck_assert_int_eq(end.exit_status, 3);
    ck_assert_str_eq(text, "by the shell\n");
}
END_TEST

UNIT_SUITE_IN("job_end", begin, end, exit_status_is_the_jobs_own, signal_gives_128_and_its_number, core_dump_is_told,
              missing_command_is_127_with_a_near_name, file_that_cannot_run_is_126,
              script_without_interpreter_line_runs)
