/* SPDX-License-Identifier: MIT
 * A file that is written completely or not at all: opened before the work, renamed after it. Used in app, form, result
 * and 14 commands. Begin with output_open().
 *
 * Opened before the command runs as FILE.partial, renamed to FILE when complete (output.h; app/result_file.h does this
 * for all commands that measure). The partial JSON document is updated at the end of each window (for at most a
 * twentieth of the time, since it grows with every run) and every 10 s; the samples are written line by line. Results
 * from before a kill or a full disk are therefore readable under the partial name. The document of carbon batch, which
 * can be resumed, is replaced in one write. */
#ifndef FORM_OUTPUT_H
#define FORM_OUTPUT_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

/* During the work the file is named PATH.partial (PATH.partial.1 ... if that exists: an unfinished result is never
 * overwritten). "-" is standard output; a path other than a regular file (a pipe, /dev/null, a terminal) is written in
 * place; a symbolic link is followed. */
struct output {
    char path[4096];    /* path given by the user, for messages */
    char target[4096];  /* the final file */
    char partial[4096]; /* the file during the work; "" if written in place */
    FILE *file;
    bool in_place;
    bool in_folder; /* target and partial are names in it */
    int folder_fd;

    /* between output_begin_rewrite and output_rewrite */
    char *text;
    size_t length;
    FILE *anew;

    /* of a table for spreadsheets (output_open_sheet): file is this one in memory until the end */
    FILE *behind;
    char *table;
    size_t table_length;

    bool lines_are_safe; /* lines are written immediately; their writer makes them safe for spreadsheets */
};

/* ERROR_DENIED, _ABSENT or _SYSTEM, with fix "use another path; nothing has been run yet". */
bool output_open(struct output *output, const char *path, struct error *err) MUST_CHECK;

/* A table that may be opened in a spreadsheet: a field that looks like a formula becomes text (form/sheet.h) as it is
 * written. */
bool output_open_sheet(struct output *output, const char *path, struct error *err) MUST_CHECK;

/* A file in a folder with many files: name is a single name, no link is followed, and the file is created in that
 * folder even if its path changes meanwhile. */
bool output_open_in(struct output *output, const char *folder, const char *name, struct error *err) MUST_CHECK;

/* Empties the file. Does nothing to a file that is written in place. */
bool output_restart(struct output *output, struct error *err) MUST_CHECK;

/* A stream for the new content of the whole partial file; NULL: no memory. output_rewrite replaces the file in one
 * write, so that a killed process leaves either the old text or the new one. If the file is written in place, it is the
 * file itself. For `output_rewrite(&o, output_begin_rewrite(&o) && write(o.anew, err), err)`. */
FILE *output_begin_rewrite(struct output *output);
bool output_rewrite(struct output *output, bool written, struct error *err) MUST_CHECK;

/* The partial file replaces an earlier one, whose content it includes. */
bool output_replace(struct output *output, const char *earlier, struct error *err) MUST_CHECK;

/* Flushes, checks and renames. On failure the partial file is kept and named in err. */
bool output_finish(struct output *output, struct error *err) MUST_CHECK;

/* After a failed write to the file: err gets its name and the kept parts, and keeps the reason. Returns false. */
bool output_failed(const struct output *output, struct error *err);

/* Closes without renaming: a non-empty partial file is kept, an empty one is removed. kept, unless NULL, gets its name
 * or "". Harmless twice. */
void output_keep_partial(struct output *output, char *stored, size_t size);

/* output_finish if it was written; otherwise keeps the written part as partial. Returns whether the file is complete.
 * For `output_open(&o, path, err) && output_end(&o, write(o.file, err), err)`. */
bool output_end(struct output *output, bool written, struct error *err) MUST_CHECK;

/* Both below: PATH is or becomes a regular file; header and lines have their line ends.
 * Appends one block of lines to PATH under a lock (flock), in one write. A missing or empty file gets the header first;
 * a file with a different first line is refused (ERROR_USAGE) and does not change. Nor does it change if the block
 * cannot be written in full. */
bool output_append(const char *path, const char *header_line, const char *lines, struct error *err) MUST_CHECK;

/* Checks before the work that output_append can write. Leaves no file. */
bool output_append_check(const char *path, const char *header_line, struct error *err) MUST_CHECK;

#endif
