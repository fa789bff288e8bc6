/* SPDX-License-Identifier: MIT
 * How long after a mark was written carbon has read it: the job's marks are the moments of their writing. Carbon sleeps
 * before each.
 *
 *     latency MARKS          runs itself as the job: latency job MARKS */
#include "base/clock.h"
#include "base/units.h"
#include "run/marks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_MARKS = 100000, REST_US = 500 };

struct latencies {
    double us[MAX_MARKS];
    int count;
};

static int be_job(int marks)
{
    const struct timespec rest = { .tv_nsec = REST_US * 1000 };
    const int fd = atoi(getenv(MARKS_VARIABLE));

    for (int i = 0; i < marks; i++) {
        nanosleep(&rest, NULL);
        dprintf(fd, "%" PRIu64 "\n", clock_monotonic_ns());
    }
    return 0;
}

static void on_mark(void *context, enum mark_origin origin, const char *name)
{
    struct latencies *latencies = context;

    (void)origin;
    if (latencies->count < MAX_MARKS)
        latencies->us[latencies->count++] = (double)(clock_monotonic_ns() - strtoull(name, NULL, 10)) / 1e3;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool run(char *const argv[], struct latencies *latencies, struct error *err)
{
    static struct marks marks;
    const struct marks_options options = { .written = true };
    const struct mark_listener listener = { .context = latencies, .on_mark = on_mark };
    struct job_signals signals;
    struct job_options job_options = { .argv = argv, .cgroup_fd = -1 };
    struct job job;
    struct job_end end;
    enum job_event event;
    uint64_t exec_ns;
    int exit_status;

    if (!job_signals_open(&signals, err) || !marks_open(&marks, &options, NULL, err))
        return false;
    job_options.environment = marks.environment;
    job_options.given = marks.given;
    job_options.given_count = marks.given_count;
    job_options.watched = marks.watched;
    job_options.watched_count = MARKS_WATCHED;
    if (!job_start(&job, &signals, &job_options, err))
        return false;
    marks_started(&marks);
    if (!job_release(&job, &exec_ns, &exit_status, err))
        return false;
    while ((event = job_wait(&job, UINT64_MAX)) != JOB_ENDED)
        if (event == JOB_READY)
            marks_take(&marks, &listener);
    marks_close(&marks);
    return job_reap(&job, &end, err);
}

int main(int argc, char **argv)
{
    static struct latencies latencies;
    char *job[] = { argv[0], (char *)"job", argc > 1 ? argv[1] : NULL, NULL };
    struct error err;

    if (argc == 3 && strcmp(argv[1], "job") == 0)
        return be_job(atoi(argv[2]));
    if (argc != 2)
        return fprintf(stderr, "usage: latency MARKS\n"), 2;
    if (!run(job, &latencies, &err))
        return fprintf(stderr, "latency: %s: %s\n", err.what, err.why), 1;
    if (!latencies.count)
        return 1;
    qsort(latencies.us, (size_t)latencies.count, sizeof *latencies.us, compare);
    printf("from a mark to its reading            %7.2f us in the median of %d; 95 %% within %.2f, all within %.2f\n",
           latencies.us[latencies.count / 2], latencies.count, latencies.us[latencies.count * 95 / 100],
           latencies.us[latencies.count - 1]);
    return 0;
}
