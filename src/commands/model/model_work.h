/* SPDX-License-Identifier: MIT
 * The state of `carbon model`: a recipe, its steps, and the campaign that measures one of them. Used throughout
 * commands/model. Begin with model_steps_check().
 *
 * recipe.c reads the commands of a recipe and fills in the placeholders. model_steps.c runs the steps around the run,
 * each by run/side_command.c: a plain child, which may also run while workload.c handles the signals (in the hook
 * before a run). In between no code reads signals, so app/pending_signals.c notes them: the recipe's close always runs,
 * in its own process group, out of reach of the terminal. The run itself is the client command of a campaign.c of one
 * item, or of one per size, with the container as its target. The result of one size is a normal record after Ersilia's
 * six lines; for several sizes see model_report.h. */
#ifndef COMMANDS_MODEL_MODEL_WORK_H
#define COMMANDS_MODEL_MODEL_WORK_H

#include "app/attach_options.h"
#include "app/campaign.h"
#include "app/record_files.h"
#include "app/work_folders.h"
#include "commands/model/model_report.h"
#include "commands/model/recipe.h"
#include "container/engine.h"
#include "run/side_command.h"

/* A number of inputs. */
struct model_size {
    char label[300];                  /* label of the record */
    char **words[RECIPE_STEPS];       /* filled in; NULL: no such step */
    bool failed, timed_out, prepared; /* prepared: its example exists */
};

enum { MODEL_MAX_SIZES = 64 };

struct model_work {
    const struct settings *settings;
    const char *model;
    struct recipe recipe;
    const char *container; /* the measured container; NULL: the run itself is measured */
    struct engine engines[ENGINE_KINDS];
    size_t engine_count;
    struct attach_options attach; /* the container, once it is served */
    struct work_folders folders;
    struct inherited_signals signals;
    char input[WORK_PATH_SIZE + 32], output[WORK_PATH_SIZE + 32];
    struct model_size sizes[MODEL_MAX_SIZES];
    struct model_row rows[MODEL_MAX_SIZES];
    size_t size_count;
    bool scaling;      /* --sizes */
    uint64_t limit_ns; /* time limit of a run; 0: none */
    struct campaign campaign;
    bool begun;      /* a step was started, so close must run */
    int status;      /* of a step that failed: 3, 4 or 127; 0: none did */
    int interrupted; /* the first signal received, or 0 */
    struct record_files files;
    struct output json, csv; /* with --sizes */
    uint64_t next_progress_ns;
    struct model_report report; /* with --sizes */
};

/* cmd_model.c */
extern const struct option_spec option_model_samples, option_model_sizes, option_model_timeout, option_model_verbose,
    option_no_container;

/* model_steps.c. Missing programs are reported before the start: 127 in *status. */
bool model_steps_check(const struct model_work *work, int *status, struct error *err) MUST_CHECK;
/* fetch, serve, the container, and the example of the first size. False: a step failed, already reported; work->status
 * or work->interrupted has the reason. */
bool model_steps_begin(struct model_work *work) MUST_CHECK;
/* close; reports failures. */
void model_steps_end(struct model_work *work);
/* The campaign's hooks. */
bool model_before_run(struct campaign *campaign, const struct workload_place *place, struct error *err);
bool model_after_run(struct campaign *campaign, const struct workload_place *place, const struct run *run);

/* model_result.c: creates the items of the campaign, and copies its results into the report; complete: the last call.
 */
bool model_result_open(struct model_work *work, struct error *err) MUST_CHECK;
bool model_result_collect(struct model_work *work, bool complete, struct error *err) MUST_CHECK;
void model_result_close(struct model_work *work);

/* model_files.c */
bool model_files_open(struct model_work *work, struct error *err) MUST_CHECK;
void model_files_progress(struct campaign *campaign, const struct workload_place *place);
int model_files_write(struct model_work *work, int status);
void model_files_keep(struct model_work *work, bool empty);

#endif
