/* SPDX-License-Identifier: MIT
 * The files that `carbon batch` writes: opened before anything is run, the JSON kept readable throughout. Used by
 * batch_work.h. Begin with batch_files_open(). */
#ifndef COMMANDS_BATCH_BATCH_FILES_H
#define COMMANDS_BATCH_BATCH_FILES_H

#include "app/options/options.h"
#include "commands/batch/batch.h"
#include "form/output.h"

/* As given; NULL: not asked for. */
struct batch_paths {
    const char *json;
    const char *charts;              /* a folder, made where it is not there */
    const struct settings *settings; /* whose files they are beside */
    bool resumed;
    const char *earlier; /* the partial file that it is resumed from; NULL: it was none */
};

struct batch_files {
    struct output json, csv, html, charts[BATCH_CHARTS];
    uint64_t next_progress_ns;
};

/* Before anything is run. Of a batch that is resumed the partial JSON holds at once what was read, and takes the place
 * of the earlier one. */
bool batch_files_open(struct batch_files *files, const struct batch_paths *paths, const struct batch *batch,
                      struct error *err) MUST_CHECK;

/* Brings the partial JSON up to date; begun_ns: when that was begun. */
bool batch_files_want_progress(const struct batch_files *files);
void batch_files_progress(struct batch_files *files, const struct batch *batch, uint64_t begun_ns);

/* Writes each, whatever became of the others, and tells what failed. Returns status, or 125. */
int batch_files_write(struct batch_files *files, const struct batch *batch, int status);

/* Nothing more comes: what there is stays, under a name that says so and is told. empty: nothing was run. */
void batch_files_keep(struct batch_files *files, bool empty);

#endif
