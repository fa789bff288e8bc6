/* SPDX-License-Identifier: MIT
 * What `carbon batch` works with: its modules, the campaign that measures them, and what was measured before. Used by
 * batch_result.c, batch_resume.c and cmd_batch.c. Begin with batch_result_open(). */
#ifndef COMMANDS_BATCH_BATCH_WORK_H
#define COMMANDS_BATCH_BATCH_WORK_H

#include "app/campaign.h"
#include "commands/batch/batch_files.h"
#include "commands/batch/batch_list.h"

/* What an interrupted batch has of a module; its runs are the first of the module's. */
struct batch_stored {
    size_t runs; /* those that are kept */
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
    bool complete; /* there is nothing left to resume */
};

/* Of those that batch has of its own. */
extern const struct option_spec option_loops, option_items;

/* batch_result.c: makes the modules of the batch, with room for their runs. False: no memory. */
bool batch_result_open(struct batch_work *work, struct error *err) MUST_CHECK;
/* Everything that was measured so far into the batch; complete: nothing more will come. */
bool batch_result_collect(struct batch_work *work, bool complete, struct error *err) MUST_CHECK;
void batch_result_close(struct batch_work *work);

/* What a batch is resumed from; "" nothing. */
struct batch_earlier {
    char path[4096];
    bool partial; /* it is no complete file, and not kept when the new partial file holds all of it */
};

/* batch_resume.c: takes the runs of an interrupted batch from PATH.partial or an incomplete PATH, and the seed where
 * none was given; of a complete one work->complete. Refuses what was measured of other modules, or in another way. */
bool batch_resume(struct batch_work *work, const char *path, struct batch_earlier *earlier,
                  struct error *err) MUST_CHECK;
/* Takes what has been done out of the schedule. */
void batch_resume_schedule(const struct batch_work *work, struct schedule *schedule);

#endif
