/* SPDX-License-Identifier: MIT
 * The files that `carbon batch` writes: opened before the first run, the JSON valid at any time. Used by batch_work.h.
 * Begin with batch_files_open(). */
#ifndef COMMANDS_BATCH_BATCH_FILES_H
#define COMMANDS_BATCH_BATCH_FILES_H

#include "app/options/options.h"
#include "commands/batch/batch.h"
#include "form/output.h"

/* As given; NULL: not requested. */
struct batch_paths {
    const char *json;
    const char *charts;              /* a folder, created if missing */
    const struct settings *settings; /* settings of the batch */
    bool resumed;
    const char *earlier; /* the partial file from which the batch is resumed; NULL: none */
};

struct batch_files {
    struct output json, csv, html, charts[BATCH_CHARTS];
    uint64_t next_progress_ns;
};

/* Before the first run. If a batch is resumed, the partial JSON holds the earlier runs at once and replaces the earlier
 * file. */
bool batch_files_open(struct batch_files *files, const struct batch_paths *paths, const struct batch *batch,
                      struct error *err) MUST_CHECK;

/* Updates the partial JSON; begun_ns: start of the update. */
bool batch_files_want_progress(const struct batch_files *files);
void batch_files_progress(struct batch_files *files, const struct batch *batch, uint64_t begun_ns);

/* Writes each file, even if another fails, and reports failures. Returns status, or 125. */
int batch_files_write(struct batch_files *files, const struct batch *batch, int status);

/* After an interruption: keeps the files under their partial names and prints these. empty: nothing was run. */
void batch_files_keep(struct batch_files *files, bool empty);

#endif
