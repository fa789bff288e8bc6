/* SPDX-License-Identifier: MIT
 * The state of `carbon batch`: its modules, the campaign that measures them, and earlier results. Used by
 * batch_result.c, batch_resume.c and cmd_batch.c. Begin with batch_result_open(). */
#ifndef COMMANDS_BATCH_BATCH_WORK_H
#define COMMANDS_BATCH_BATCH_WORK_H

#include "app/campaign.h"
#include "commands/batch/batch_files.h"
#include "commands/batch/batch_list.h"

/* The runs that an interrupted batch has of a module, the first of the module's runs. */
struct batch_stored {
    size_t runs; /* number of kept runs */
    bool given_up;
    bool constant, no_idle, rates;
    enum quality quality;
};

struct batch_work {
    struct settings settings; /* of the command line, with the file's section [batch] */
    struct batch_list list;
    struct campaign campaign;
    struct batch batch;
    struct batch_stored *pasts;
    struct batch_files files;
    bool complete; /* nothing remains to be resumed */
};

/* Options of batch only. */
extern const struct option_spec option_loops, option_items;

/* batch_result.c: creates the modules of the batch, with room for their runs. False: no memory. */
bool batch_result_open(struct batch_work *work, struct error *err) MUST_CHECK;
/* Copies all measurements so far into the batch; complete: the last call. */
bool batch_result_collect(struct batch_work *work, bool complete, struct error *err) MUST_CHECK;
void batch_result_close(struct batch_work *work);

/* The file from which a batch is resumed; "": none. */
struct batch_earlier {
    char path[4096];
    bool partial; /* the file is partial; it is removed when the new partial file holds its content */
};

/* batch_resume.c: takes the runs of an interrupted batch from PATH.partial or an incomplete PATH, and its seed unless
 * one was given; sets work->complete for a complete one. Refuses results of other modules or of other settings. */
bool batch_resume(struct batch_work *work, const char *path, struct batch_earlier *earlier,
                  struct error *err) MUST_CHECK;
/* Removes completed runs from the schedule. */
void batch_resume_schedule(const struct batch_work *work, struct schedule *schedule);

#endif
