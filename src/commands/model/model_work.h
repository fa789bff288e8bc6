/* SPDX-License-Identifier: MIT
 * What `carbon model` works with: a recipe, its steps, and the campaign that measures one of them. Used throughout
 * commands/model. Begin with model_steps_check().
 *
 * recipe.c reads the commands of a recipe and fills in what differs. model_steps.c does those around the run, each
 * by run/side_command.c: a plain child, which may be run while workload.c has the signals (in the hook before a run),
 * too. In between nobody reads signals, so that app/pending_signals.c notes them: whatever came, the recipe's close is
 * done, in a process group of its own, out of reach of the terminal. The run itself is the client command of a
 * campaign.c of one item, or of one a size, with the container as its target. One size is a record like any other below
 * Ersilia's six lines; several are model_report.h. */
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
    char **words[RECIPE_STEPS];       /* filled in; NULL: there is no such step */
    bool failed, timed_out, prepared; /* prepared: its example is there */
};

enum { MODEL_MAX_SIZES = 64 };

struct model_work {
    const struct settings *settings;
    const char *model;
    struct recipe recipe;
    const char *container; /* that is watched; NULL: the run itself is measured */
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
    bool begun;      /* a step was started, so that close is due */
    int status;      /* of a step that failed: 3, 4 or 127; 0: none did */
    int interrupted; /* the first signal that came, or 0 */
    struct record_files files;
    struct output json, csv; /* with --sizes */
    uint64_t next_progress_ns;
    struct model_report report; /* with --sizes */
};

/* cmd_model.c */
extern const struct option_spec option_model_samples, option_model_sizes, option_model_timeout, option_model_verbose,
    option_no_container;

/* model_steps.c. Programs that are not there are told before anything is started: 127 in *status. */
bool model_steps_check(const struct model_work *work, int *status, struct error *err) MUST_CHECK;
/* fetch, serve, the container, and the example of the first size. False: not all of it could be done, as has been
 * told; work->status or work->interrupted says what is left to say. */
bool model_steps_begin(struct model_work *work) MUST_CHECK;
/* close; tells what fails. */
void model_steps_end(struct model_work *work);
/* The campaign's hooks. */
bool model_before_run(struct campaign *campaign, const struct workload_place *place, struct error *err);
bool model_after_run(struct campaign *campaign, const struct workload_place *place, const struct run *run);

/* model_result.c: the items of the campaign, and its results into the report; complete: nothing more will come. */
bool model_result_open(struct model_work *work, struct error *err) MUST_CHECK;
bool model_result_collect(struct model_work *work, bool complete, struct error *err) MUST_CHECK;
void model_result_close(struct model_work *work);

/* model_files.c */
bool model_files_open(struct model_work *work, struct error *err) MUST_CHECK;
void model_files_progress(struct campaign *campaign, const struct workload_place *place);
int model_files_write(struct model_work *work, int status);
void model_files_keep(struct model_work *work, bool empty);

#endif
