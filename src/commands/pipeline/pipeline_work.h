/* SPDX-License-Identifier: MIT
 * The state of `carbon pipeline`: the file's steps, the campaign that measures them, and the outcome of each. Used
 * throughout commands/pipeline. Begin with pipeline_parts_open().
 *
 * cmd_pipeline.c has the file read (pipeline_read, above) and the session opened. pipeline_parts_make.c makes a part of
 * each step: its runner, words, variables, mounts (app/work_folders.h names the work folders) and CPUs; it refuses
 * unsupported keys of a step and pulls images, so that none of this can fail half way. The parts are the items of a
 * campaign.c with one baseline and the hooks of pipeline_steps.c: before_run empties the step's folder, opens its CSV
 * file and its log and creates its container; on_sample passes the current usage of the step (target_now) to
 * step_samples.c, which makes rows and maxima of it; after_run ends both, removes the container and asks
 * failure_policy.c whether to continue. In pipeline_result.c windows, rows and counters become a struct
 * pipeline_report, again and again while it grows; usage/sizing.c is the sizing rule, and table, JSON and CSV
 * (pipeline_*.c) are forms of the report. pipeline_files.c writes them, and the pipeline's file with its requests.
 * pipeline_dry.c prints the plan. Servers that steps need (models, services) are companions: pipeline_companions_make.c
 * decides which and with which commands, pipeline_companions.c when, companion.c starts, watches and stops one. Their
 * usage in a step's window is separate: own energy of the step excludes it, and they have own energy of the same window
 * by their own CPU time and processes. */
#ifndef COMMANDS_PIPELINE_PIPELINE_WORK_H
#define COMMANDS_PIPELINE_PIPELINE_WORK_H

#include "app/campaign.h"
#include "app/container_job.h"
#include "app/work_folders.h"
#include "commands/pipeline/companions.h"
#include "commands/pipeline/pipeline.h"
#include "commands/pipeline/pipeline_report.h"
#include "form/output.h"
#include "meter/cross_check.h"

/* Observations of one run of a step, in addition to the measurement. */
struct pipeline_seen {
    struct step_figures cpu_percent_of_core, memory_mb;
    double min_cpu_percent, wanted_cpu_percent, cpu_stall_s; /* see struct step_samples */
    bool is_short, lacked_memory;
    bool with_servers;                             /* a server ran at the same time, */
    double concurrent_cpu_s, concurrent_memory_mb; /* and used this; NAN unknown */
};

/* One step, by its index in the order. */
struct pipeline_part {
    const struct pipeline_step *step;
    const struct engine *engine; /* NULL: a process */
    char label[300];             /* "demo/reader" */
    const char **words;          /* of its record: "docker", "run", image and command; NULL: the command itself */
    char **environment;          /* of a process: all variables; NULL: carbon's own */
    const char **variables;      /* of a container, with room for those of its servers */
    struct container_job job;
    struct container_mount *mounts;
    char (*paths)[WORK_PATH_SIZE]; /* their sources */
    struct cpus cpus;
    bool pinned;
    struct pipeline_seen *seen; /* the observations of each round */
};

/* The comparison of domains while the steps run: the energy of a step in between is the value that a record would have
 * at that time. */
struct pipeline_judged {
    bool begun;
    struct cross_steps steps;
    struct counting counting;
};

/* State while a step runs. */
struct pipeline_now {
    struct step_samples rows;
    struct step_sample last; /* not yet among the rows */
    bool looked;
    size_t looks;
    double energy_j;                      /* of the counted domains since the first look, as read */
    uint64_t read_uj[ENERGY_MAX_DOMAINS]; /* last reading of each domain that it includes */
    bool read[ENERGY_MAX_DOMAINS];
    struct output csv;
    int log; /* -1: none */
    char log_path[WORK_PATH_SIZE];
    char running[160]; /* for the progress line */
};

struct pipeline_work {
    const struct settings *settings;
    bool dry; /* print the plan only */
    struct pipeline pipeline;
    struct campaign campaign;
    struct engine engines[ENGINE_KINDS];
    size_t engine_count;
    struct pipeline_part *parts;
    struct pipeline_companions companions;
    struct pipeline_report report;
    struct pipeline_now now;
    struct pipeline_judged judged;
    struct work_folders folders;
    char payload[WORK_PATH_SIZE]; /* an absolute path; "": none */
    const char *metrics;          /* the folder for CSV files and logs; NULL: none */
    struct output json, csv, requests;
    uint64_t next_progress_ns;
    int log;         /* for the output of steps that is stored nowhere else; -1: not yet */
    int status;      /* 125: a file of a step could not be written */
    int interrupted; /* a signal received while a server started, or 0 */
};

/* cmd_pipeline.c */
extern const struct option_spec option_metrics, option_runner, option_timeout, option_step_output, option_repeat,
    option_headroom, option_write_requests, option_models, option_triton_image, option_server_timeout, option_network;

/* pipeline_parts.c: the runner of each step and its settings; pulls missing images. Before the first run. */
bool pipeline_parts_open(struct pipeline_work *work, struct error *err) MUST_CHECK;
void pipeline_parts_close(struct pipeline_work *work);
/* The engine for --runner; NULL: none, err says why. */
const struct engine *pipeline_engine(struct pipeline_work *work, struct error *err);
/* The environment of a step, with the addresses of its servers; address in place of each, or NULL. */
bool pipeline_part_environment(struct pipeline_work *work, struct pipeline_part *part, const char *address,
                               struct error *err) MUST_CHECK;
/* pipeline_dry.c: the order, and each step as a shell command. False: it cannot be written. */
bool pipeline_dry_run(struct pipeline_work *work, FILE *out, struct error *err) MUST_CHECK;

/* pipeline_steps.c: the campaign's hooks. */
/* FOLDER/STEP_final_result.csv as CPOST names it; of later rounds FOLDER/STEP_final_result.2.csv. False: too long. */
bool pipeline_rows_path(const char *folder, const char *step, size_t round, char path[WORK_PATH_SIZE]) MUST_CHECK;

bool pipeline_before_step(struct campaign *campaign, const struct workload_place *place, struct error *err);
bool pipeline_after_step(struct campaign *campaign, const struct workload_place *place, const struct run *run);
void pipeline_on_sample(struct campaign *campaign, const struct workload_place *place, const struct sample *sample,
                        const struct target_now *used);

/* pipeline_result.c: copies all measurements so far into the report; complete: the last call. */
bool pipeline_result_open(struct pipeline_work *work, struct error *err) MUST_CHECK;
bool pipeline_result_collect(struct pipeline_work *work, bool complete, struct error *err) MUST_CHECK;
void pipeline_result_close(struct pipeline_work *work);

/* pipeline_files.c: --json, --csv and --write-requests. */
bool pipeline_files_open(struct pipeline_work *work, struct error *err) MUST_CHECK;
void pipeline_files_progress(struct pipeline_work *work);
int pipeline_files_write(struct pipeline_work *work, int status);
void pipeline_files_keep(struct pipeline_work *work, bool empty);

#endif
