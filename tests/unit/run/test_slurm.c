/* SPDX-License-Identifier: MIT
 * What Slurm says: its environment, the fields and rows of sacct, lists of nodes, and a job's energy among its steps'.
 */
#include "unit.h"

#include "commands/slurm/job_energy.h"
#include "commands/slurm/sacct_fields.h"
#include "run/node_list.h"
#include "run/slurm_job.h"

#include <math.h>
#include <string.h>

START_TEST(durations)
{
    static const char *const unknown[] = { "", "INVALID", "17", "1:-2", "x-01:02:03" };

    ck_assert_double_eq(sacct_duration("00:00:00"), 0);
    ck_assert_double_eq(sacct_duration("02:03.500"), 123.5);
    ck_assert_double_eq(sacct_duration("01:02:03"), 3723);
    ck_assert_double_eq(sacct_duration("2-01:02:03"), 176523);
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        ck_assert_msg(isnan(sacct_duration(unknown[i])), "'%s'", unknown[i]);
}
END_TEST

START_TEST(energies)
{
    static const char *const unknown[] = {
        "", "0", "-5", "1.2X", "4294967294", "4294967295", "18446744073709551614", "18446744073709551615"
    };

    ck_assert_double_eq(sacct_energy("193"), 193);
    ck_assert_double_eq(sacct_energy("4294967293"), 4294967293.0);
    ck_assert_double_eq_tol(sacct_energy("1.2K"), 1200, 1e-9);
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        ck_assert_msg(isnan(sacct_energy(unknown[i])), "'%s'", unknown[i]);
}
END_TEST

START_TEST(sizes_and_counts)
{
    const char *tres = "billing=4,cpu=4,mem=7500M,gres/gpu:a100=2,gres/gpu=3,node=1";

    ck_assert_double_eq(sacct_bytes("4096K"), 4194304);
    ck_assert_double_eq(sacct_bytes("1.5G"), 1610612736);
    ck_assert_double_eq(sacct_bytes("12"), 12);
    ck_assert(isnan(sacct_bytes("")));
    ck_assert(isnan(sacct_bytes("K")));
    ck_assert_double_eq(sacct_tres(tres, "cpu"), 4);
    ck_assert_double_eq(sacct_tres(tres, "gres/gpu"), 3);
    ck_assert_double_eq(sacct_tres(tres, "mem"), 7864320000.0);
    ck_assert_double_eq(sacct_tres(tres, "node"), 1);
    ck_assert(isnan(sacct_tres(tres, "energy")));
    ck_assert(isnan(sacct_tres("", "cpu")));
}
END_TEST

START_TEST(times)
{
    setenv("TZ", "CET-1", 1);
    ck_assert_int_eq(sacct_time("1767225600"), 1767225600);
    ck_assert_int_eq(sacct_time("2026-01-01T01:00:07"), 1767225607);
    ck_assert_int_eq(sacct_time("Unknown"), -1);
    ck_assert_int_eq(sacct_time("None"), -1);
    ck_assert_int_eq(sacct_time(""), -1);
}
END_TEST

START_TEST(lists_of_nodes)
{
    ck_assert(node_lists_meet("n1", "n1"));
    ck_assert(!node_lists_meet("n1", "n2"));
    ck_assert(node_lists_meet("n[1-3]", "n2"));
    ck_assert(!node_lists_meet("n[1-3]", "n4"));
    ck_assert(!node_lists_meet("n[001-003]", "n1"));
    ck_assert(node_lists_meet("a,n[001-003,007],b", "n[005-009]"));
    ck_assert(!node_lists_meet("a,n[001-003,007],b", "n[004-006],c"));
    ck_assert(node_lists_meet("rack1n[1-2]x", "rack1n2x"));
    /* what cannot be understood might be the same */
    ck_assert(node_lists_meet("n[1-2]m[1-2]", "x"));
    ck_assert(node_lists_meet("n[3-1]", "x"));
    ck_assert(node_lists_meet("n[1-2", "x"));
    ck_assert(node_lists_meet("x", "n[a]"));
    ck_assert(node_lists_meet("", "x"));
    ck_assert(node_lists_meet("n1,,n2", "x"));
    ck_assert(node_lists_meet("n[]", "x"));
    /* as many nodes as are understood, and one more */
    ck_assert(!node_lists_meet("n[0-99999]", "m[0-99999]"));
    ck_assert(node_lists_meet("n[0-99999]", "m[1-5],n99999"));
    ck_assert(node_lists_meet("n[0-99999],m1", "x"));
}
END_TEST

static struct sacct_list parsed(const char *text)
{
    struct sacct_list list;
    struct error err;

    ck_assert_msg(sacct_parse(strdup(text), "rows", &list, &err), "%s: %s", err.what, err.why);
    return list;
}

START_TEST(rows)
{
    struct sacct_list list =
        parsed("sacct: error: something\n"
               "JobID|State|Start|ElapsedRaw|NNodes|TotalCPU|ConsumedEnergyRaw|TRESUsageInTot|JobName\n"
               "5_2|CANCELLED by 0|Unknown|0|2|||energy=17|a|b\r\n"
               "\n"
               "5_2.batch|RUNNING|100|60|1|00:30|0|energy=17|batch\n");

    ck_assert_uint_eq(list.count, 2);
    ck_assert(sacct_is_job(&list.rows[0]));
    ck_assert(sacct_is(&list.rows[0], "CANCELLED"));
    ck_assert(!sacct_is(&list.rows[0], "CANCEL"));
    ck_assert_str_eq(list.rows[0].name, "a|b");
    ck_assert_str_eq(list.rows[0].raw, "5_2");
    ck_assert_str_eq(list.rows[0].exit_code, "");
    ck_assert_int_eq(list.rows[0].start_s, -1);
    ck_assert_double_eq(list.rows[0].energy_j, 17); /* where the column is empty */
    ck_assert(isnan(list.rows[0].cpus));
    ck_assert(!sacct_is_job(&list.rows[1]));
    ck_assert_str_eq(list.rows[1].step, "batch");
    ck_assert_double_eq(list.rows[1].cpu_s, 30);
    ck_assert(isnan(list.rows[1].energy_j)); /* 0 is not known */
    sacct_close(&list);
}
END_TEST

static void check_refused(const char *text, const char *what, const char *why)
{
    struct sacct_list list;
    struct error err;

    ck_assert(!sacct_parse(strdup(text), "rows", &list, &err));
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert_msg(strstr(err.what, what) && strstr(err.why, why), "%s: %s", err.what, err.why);
    sacct_close(&list);
}

START_TEST(no_rows)
{
    check_refused("", "is not sacct output", "column names");
    check_refused("nothing\n", "is not sacct output", "column names");
    check_refused("JobID|Start|ElapsedRaw\n", "no column with an energy", "ConsumedEnergyRaw");
    check_refused("JobID|State|Start|ConsumedEnergyRaw\n5|RUNNING|1\n", "line 2 cannot be read",
                  "it has 3 fields, and the header has 4");
}
END_TEST

#define HEADER "JobID|State|Start|End|ElapsedRaw|NNodes|NodeList|ConsumedEnergyRaw\n"

static void check_energy(const char *text, double energy_j, const char *from)
{
    struct sacct_list list = parsed(text);
    struct slurm_energy energy;

    slurm_job_energy(&list.rows[0], list.rows + 1, list.count - 1, &energy);
    ck_assert_str_eq(energy.from, from);
    if (isnan(energy_j))
        ck_assert(isnan(energy.energy_j));
    else
        ck_assert_double_eq(energy.energy_j, energy_j);
    sacct_close(&list);
}

START_TEST(energy_of_a_job)
{
    /* nothing, and what is nothing */
    check_energy(HEADER "1|C|0|100|100|1|n1|0\n1.batch|C|0|100|100|1|n1|\n", NAN, "");
    /* the job's own where there is no other */
    check_energy(HEADER "1|C|0|100|100|1|n1|500\n1.batch|C|0|100|100|1|n1|0\n", 500, "job");
    /* its script has what its steps have */
    check_energy(HEADER "1|C|0|100|100|1|n1|1500\n1.batch|C|0|100|100|1|n1|800\n1.0|C|10|90|80|1|n1|700\n", 800,
                 "batch");
    /* on several nodes it has that of one */
    check_energy(HEADER "1|C|0|100|100|2|n[1-2]|2200\n1.batch|C|0|100|100|1|n1|800\n1.0|C|10|90|80|2|n[1-2]|1400\n",
                 1400, "steps");
    check_energy(HEADER
                 "1|C|0|100|100|2|n[1-2]|3800\n1.extern|C|0|100|100|2|n[1-2]|1600\n1.0|C|10|90|80|2|n[1-2]|1400\n",
                 1600, "extern");
    /* one after the other, and side by side on other nodes, but not within one another */
    check_energy(HEADER "1|C|0|100|100|2|n[1-2]|0\n1.0|C|0|50|50|2|n[1-2]|700\n1.1|C|50|100|50|1|n1|300\n"
                        "1.2|C|50|100|50|1|n2|310\n1.3|C|60|70|10|2|n[1-2]|100\n",
                 1310, "steps");
    /* one that goes on lasts until now */
    check_energy(HEADER "1|R|0|Unknown|100|1|n1|0\n1.0|R|0|Unknown|100|1|n1|700\n1.1|C|50|60|10|1|n1|70\n", 700,
                 "steps");
    /* more than nodes can draw: 60 kW each, and a minute more for counters that are read seldom */
    check_energy(HEADER "1|C|0|100|100|1|n1|0\n1.0|C|0|100|100|1|n1|9600001\n", NAN, "");
    check_energy(HEADER "1|C|0|100|100|1|n1|0\n1.0|C|0|100|100|1|n1|9600000\n", 9600000, "steps");
    check_energy(HEADER "1|C|0|100|100|2|n[1-2]|0\n1.0|C|0|100|100|2|n[1-2]|19200000\n", 19200000, "steps");
}
END_TEST

START_TEST(tasks_of_nodes)
{
    ck_assert_int_eq(slurm_tasks_at("2(x3),1", 0), 2);
    ck_assert_int_eq(slurm_tasks_at("2(x3),1", 2), 2);
    ck_assert_int_eq(slurm_tasks_at("2(x3),1", 3), 1);
    ck_assert_int_eq(slurm_tasks_at("2(x3),1", 4), -1);
    ck_assert_int_eq(slurm_tasks_at("16", 0), 16);
    ck_assert_int_eq(slurm_tasks_at("", 0), -1);
    ck_assert_int_eq(slurm_tasks_at("x", 0), -1);
    ck_assert_int_eq(slurm_tasks_at("16", -1), -1);
}
END_TEST

static const char *listed(void *context, const char *name)
{
    const char *const *variable = context;

    for (; variable[0]; variable += 2)
        if (strcmp(variable[0], name) == 0)
            return variable[1];
    return NULL;
}

START_TEST(environment_of_a_task)
{
    const char *variables[] = {
        "SLURM_JOB_ID",
        "4711",
        "SLURM_STEP_ID",
        "2",
        "SLURMD_NODENAME",
        "n7",
        "SLURM_JOB_NUM_NODES",
        "4",
        "SLURM_NTASKS",
        "12",
        "SLURM_STEP_NUM_TASKS",
        "8",
        "SLURM_PROCID",
        "5",
        "SLURM_LOCALID",
        "1",
        "SLURM_NODEID",
        "1",
        "SLURM_STEP_TASKS_PER_NODE",
        "3,5",
        "SLURM_ARRAY_JOB_ID",
        "4700",
        "SLURM_ARRAY_TASK_ID",
        "11",
        "SLURM_JOB_PARTITION",
        "main",
        "SLURM_JOB_ACCOUNT",
        "lab",
        "SLURM_CLUSTER_NAME",
        "alpha",
        NULL,
    };
    struct slurm_job job;

    slurm_job_of(listed, variables, &job);
    ck_assert(job.known);
    ck_assert_int_eq(job.id, 4711);
    ck_assert_str_eq(job.step, "2");
    ck_assert_str_eq(job.node, "n7");
    const int64_t numbers[][2] = { { job.nodes, 4 },      { job.tasks, 8 },      { job.node_tasks, 5 },
                                   { job.rank, 5 },       { job.local_rank, 1 }, { job.array_job, 4700 },
                                   { job.array_task, 11 } };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        ck_assert_int_eq(numbers[i][0], numbers[i][1]);
    ck_assert_str_eq(job.partition, "main");
    ck_assert_str_eq(job.account, "lab");
    ck_assert_str_eq(job.cluster, "alpha");
    variables[3] = ""; /* no step: the job's script */
    slurm_job_of(listed, variables, &job);
    ck_assert_int_eq(job.node_tasks, 1);
    ck_assert_int_eq(job.tasks, 12);
    variables[1] = "x"; /* no job */
    slurm_job_of(listed, variables, &job);
    ck_assert(!job.known);
}
END_TEST

UNIT_SUITE("slurm", durations, energies, sizes_and_counts, times, lists_of_nodes, rows, no_rows, energy_of_a_job,
           tasks_of_nodes, environment_of_a_task)
