/* SPDX-License-Identifier: MIT
 * Running tests/helpers/act as a job from a unit test. */
#ifndef TESTS_ACT_H
#define TESTS_ACT_H

#include "run/job.h"

#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The argument vector of `act ...`. */
#define ACT(...) ((char **)(const char *[]){ act_path(), __VA_ARGS__, NULL })

/* In the folder $CARBON_HELPERS, else in tests/helpers of the build folder. */
static inline char *act_path(void)
{
    static char path[PATH_MAX];
    const char *folder = getenv("CARBON_HELPERS");
    char name[PATH_MAX];

    if (!path[0]) {
        snprintf(name, sizeof name, "%s/act", folder ? folder : "tests/helpers");
        ck_assert_msg(realpath(name, path) && access(path, X_OK) == 0, "'%s' cannot be run", name);
    }
    return path;
}

/* Starts a job whose standard output goes to the file that is returned; the test's own stays. */
static inline int act_start(struct job *job, struct job_signals *signals, const struct job_options *options)
{
    struct error err = { .kind = ERROR_NONE };
    const int output = memfd_create("output", MFD_CLOEXEC);
    const int before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    bool started;

    ck_assert_int_ge(output, 0);
    fflush(stdout);
    dup2(output, STDOUT_FILENO);
    started = job_start(job, signals, options, &err);
    dup2(before, STDOUT_FILENO);
    close(before);
    ck_assert_msg(started, "%s: %s", err.what, err.why);
    return output;
}

/* Lets it run to its end. */
static inline void act_finish(struct job *job, struct job_end *end)
{
    struct error err = { .kind = ERROR_NONE };
    uint64_t exec_ns;
    int exit_status;

    ck_assert_msg(job_release(job, &exec_ns, &exit_status, &err), "%s: %s", err.what, err.why);
    while (job_wait(job, UINT64_MAX) != JOB_ENDED)
        continue;
    ck_assert_msg(job_reap(job, end, &err), "%s: %s", err.what, err.why);
    ck_assert_uint_ge(end->end_ns, exec_ns);
}

/* What has been written so far; closes the file. */
static inline void act_output(int output, char *text, size_t size)
{
    const ssize_t got = pread(output, text, size - 1, 0);

    ck_assert_int_ge(got, 0);
    text[got] = '\0';
    close(output);
}

/* All of it: signals, start, end, output. */
static inline struct job_end act_run(char *const argv[], char *text, size_t size)
{
    const struct job_options options = { .argv = argv, .cgroup_fd = -1 };
    struct job_signals signals;
    struct job_end end;
    struct job job;
    int output;

    ck_assert(job_signals_open(&signals, NULL));
    output = act_start(&job, &signals, &options);
    act_finish(&job, &end);
    job_signals_close(&signals);
    act_output(output, text, size);
    return end;
}

/* An empty folder to work in; act's own path is found before. */
static inline char *enter_folder(char path[64])
{
    act_path();
    snprintf(path, 64, "/tmp/carbon-job.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(path));
    ck_assert_int_eq(chdir(path), 0);
    return path;
}

static inline void remove_folder(const char *path)
{
    DIR *dir = opendir(path);

    for (const struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlinkat(dirfd(dir), entry->d_name, 0) < 0)
            unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
    closedir(dir);
    ck_assert_int_eq(rmdir(path), 0);
}

#endif
