/* SPDX-License-Identifier: MIT
 * What a ledger of many records costs: the first page of `carbon history` and others of its answers, one more record,
 * and the memory. The rows are made by the database itself, with records of a few bytes: history reads none.
 *
 *     ledger CARBON RECORDS */
#include "ledger/sql.h"

#include "base/clock.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ROUNDS = 11, WORDS_MAX = 12 };

static double ms_since(uint64_t begun_ns)
{
    return (double)(clock_monotonic_ns() - begun_ns) / 1e6;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool fill(const char *path, long records, struct error *err)
{
    static const char runs[] =
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %ld) "
        "INSERT INTO carbon_run SELECT i, printf('%%08x-0000-4000-8000-%%012x', i * 2654435761 %% 4294967296, i), "
        "'carbon.record/1', 1700000000000000000 + i * 31000000000, 1700000010000000000 + i * 31000000000, "
        "'label ' || (i %% 1000), 'project ' || (i %% 100), './job --size ' || i, 'FR', 'measured', 0, 1, 1, 10.5, "
        "942.5, "
        "562.25, 1.4e-5, 8.2e-6, NULL, NULL, NULL FROM n";
    static const char texts[] = "INSERT INTO carbon_record SELECT number, '{\"schema\":\"carbon.record/1\",\"id\":\"' "
                                "|| id || '\"}' FROM carbon_run";
    static const char basis[] = "INSERT INTO carbon_basis VALUES (1, 1, '{\"scope\":\"compute\"}')";
    static const char accounts[] =
        "INSERT INTO carbon_account SELECT number, 1, started_ns, ended_ns, project, label, parent_id, quality, 1, 0, "
        "0, 1, duration_s, gross_j, NULL, NULL, NULL, net_j, gross_j / 3.6e6, gross_kgco2eq, net_kgco2eq, NULL, NULL, "
        "NULL, NULL, 0, NULL FROM carbon_run";
    struct notices notices = { .count = 0 };
    struct ledger *ledger = ledger_open(path, LEDGER_WRITE, &notices, err);
    char sql[sizeof runs + 32];
    bool good;

    snprintf(sql, sizeof sql, runs, records);
    good = ledger && sql_run(ledger, "BEGIN", err) && sql_run(ledger, sql, err) && sql_run(ledger, texts, err) &&
           sql_run(ledger, basis, err) && sql_run(ledger, accounts, err) && sql_run(ledger, "COMMIT", err);
    ledger_close(ledger);
    return good;
}

/* The whole program, as it is called: the median of several calls, and the most memory that one held. */
static bool answer(const char *what, const char *target, char *const *argv)
{
    double ms[ROUNDS];
    long max_kib = 0;

    for (int i = 0; i < ROUNDS; i++) {
        const uint64_t begun_ns = clock_monotonic_ns();
        posix_spawn_file_actions_t actions;
        struct rusage usage;
        int status = -1;
        pid_t pid;

        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ) != 0 || wait4(pid, &status, 0, &usage) != pid ||
            status != 0)
            return fprintf(stderr, "ledger: '%s' failed\n", what), false;
        posix_spawn_file_actions_destroy(&actions);
        ms[i] = ms_since(begun_ns);
        max_kib = usage.ru_maxrss > max_kib ? usage.ru_maxrss : max_kib;
    }
    qsort(ms, ROUNDS, sizeof *ms, compare);
    printf("%-38s%8.2f ms, %6.1f MB   %s\n", what, ms[ROUNDS / 2], (double)max_kib * 1024 / 1e6, target);
    return true;
}

static bool ask(const char *carbon, char *path)
{
    char id[] = "9e3779b1";
    char *const first[] = { (char *)carbon, (char *)"history", (char *)"--ledger", path, NULL };
    char *const project[] = {
        (char *)carbon, (char *)"history", (char *)"--ledger", path, (char *)"--project", (char *)"project 7", NULL
    };
    char *const both[] = { (char *)carbon,      (char *)"history", (char *)"--ledger",  path, (char *)"--project",
                           (char *)"project 7", (char *)"--label", (char *)"label 107", NULL };
    char *const since[] = {
        (char *)carbon, (char *)"history", (char *)"--ledger", path, (char *)"--until", (char *)"2024-01-01", NULL
    };
    char *const part[] = {
        (char *)carbon, (char *)"history", (char *)"--ledger", path, (char *)"--command", (char *)"--size 77 ", NULL
    };
    char *const year[] = { (char *)carbon,
                           (char *)"report",
                           (char *)"--from",
                           (char *)"2023-11-01",
                           (char *)"--to",
                           (char *)"2024-12-31",
                           (char *)"--ledger",
                           path,
                           NULL };
    char *const show[] = { (char *)carbon,      (char *)"history",  (char *)"show", id,  (char *)"--json",
                           (char *)"/dev/null", (char *)"--ledger", path,           NULL };

    return answer("carbon history, the first page", "(target < 50 ms, < 50 MB)", first) &&
           answer("  of one project", "(target < 50 ms)", project) &&
           answer("  of one project and label", "(target < 50 ms)", both) &&
           answer("  before a day", "(target < 50 ms)", since) &&
           answer("  by a part of the command, in none", "(reads all rows)", part) &&
           answer("carbon history show ID", "(target < 50 ms)", show) &&
           answer("carbon report, a year of all of them", "(target < 2000 ms, < 50 MB)", year);
}

/* One more record, with the ledger opened anew for it, as each carbon does. */
static bool add_more(const char *path, struct error *err)
{
    double ms[ROUNDS];

    for (int i = 0; i < ROUNDS; i++) {
        struct notices notices = { .count = 0 };
        const uint64_t begun_ns = clock_monotonic_ns();
        struct ledger *ledger = ledger_open(path, LEDGER_WRITE, &notices, err);
        char record[256];
        bool good;

        snprintf(record, sizeof record,
                 "{\"schema\":\"carbon.record/1\",\"id\":\"ffffffff-0000-4000-8000-%012x\","
                 "\"started_at\":\"2026-11-28T01:05:04.123Z\",\"command\":[\"true\"]}",
                 (unsigned)i);
        good = ledger && ledger_add(ledger, record, err);
        ledger_close(ledger);
        if (!good)
            return false;
        ms[i] = ms_since(begun_ns);
    }
    qsort(ms, ROUNDS, sizeof *ms, compare);
    printf("%-38s%8.2f ms\n", "one more record, on the disk", ms[ROUNDS / 2]);
    return true;
}

int main(int argc, char **argv)
{
    const long records = argc > 2 ? atol(argv[2]) : 0;
    char folder[] = "carbon-ledger.XXXXXX", path[64];
    const uint64_t begun_ns = clock_monotonic_ns();
    struct stat status;
    struct error err;
    bool good;

    if (records < 1)
        return fprintf(stderr, "usage: ledger CARBON RECORDS\n"), 2;
    if (!mkdtemp(folder))
        return perror("ledger"), 1;
    snprintf(path, sizeof path, "%s/ledger.db", folder);
    good = fill(path, records, &err);
    if (good && stat(path, &status) == 0)
        printf("%ld records made in %.1f s; %.0f bytes each\n", records, ms_since(begun_ns) / 1e3,
               (double)status.st_size / (double)records);
    good = good && add_more(path, &err);
    if (!good)
        fprintf(stderr, "ledger: %s: %s\n", err.what, err.why);
    good = good && ask(argv[1], path);
    unlink(path);
    rmdir(folder);
    return good ? 0 : 1;
}
