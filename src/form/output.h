/* SPDX-License-Identifier: MIT
 * A file that is written complete or not at all: opened before the work, renamed after it. Used in app, form, result
 * and 14 commands. Begin with output_open().
 *
 * Opened before the command runs as FILE.partial, renamed to FILE when complete (output.h; app/result_file.h is
 * what all commands that measure do with it). The partial JSON document is brought up to date at the end of each
 * window (for a twentieth of the time at most, since it grows with every run) and every 10 s; the samples are
 * written line by line. What was measured before a kill or a full disk is therefore readable under the partial
 * name. That of carbon batch, which can be resumed, is replaced in one write. */
#ifndef FORM_OUTPUT_H
#define FORM_OUTPUT_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

/* While the work goes on the file is called PATH.partial (PATH.partial.1 ... where that is taken:
 * an unfinished result is never overwritten). "-" is standard output; a path other than a
 * regular file (a pipe, /dev/null, a terminal) is written in place; a symbolic link is followed. */
struct output {
    char path[4096];    /* path given by the user, for messages */
    char target[4096];  /* the file to become */
    char partial[4096]; /* the file now; "" when written in place */
    FILE *file;
    bool in_place;
    bool in_folder; /* target and partial are names in it */
    int folder_fd;

    /* between output_begin_rewrite and output_rewrite */
    char *text;
    size_t length;
    FILE *anew;

    /* of one that is for spreadsheets (output_open_sheet): file is this in memory until the end */
    FILE *behind;
    char *table;
    size_t table_length;

    bool lines_are_safe; /* of one whose lines are to be written at once: whoever writes them makes them so */
};

/* ERROR_DENIED, _ABSENT or _SYSTEM, with fix "use another path; nothing has been run yet". */
bool output_open(struct output *output, const char *path, struct error *err) MUST_CHECK;

/* A table that may be opened in a spreadsheet: a field like a formula becomes text (form/sheet.h) as it is written.
 */
bool output_open_sheet(struct output *output, const char *path, struct error *err) MUST_CHECK;

/* A file in a folder that holds many: name is one name, no link is followed, and whatever becomes of the folder's path
 * meanwhile, the file comes into that folder. */
bool output_open_in(struct output *output, const char *folder, const char *name, struct error *err) MUST_CHECK;

/* Empties the file. Does nothing to a file that is written in place. */
bool output_restart(struct output *output, struct error *err) MUST_CHECK;

/* A stream for the new content of the whole partial file; NULL: no memory. Once it was written it does so
 * in one stroke, so that who is killed meanwhile leaves the text before or the one after. Of a file that is written in
 * place it is the file. For
 * `output_rewrite(&o, output_begin_rewrite(&o) && write(o.anew, err), err)`. */
FILE *output_begin_rewrite(struct output *output);
bool output_rewrite(struct output *output, bool written, struct error *err) MUST_CHECK;

/* The partial file takes the place of an earlier one, whose content it holds. */
bool output_replace(struct output *output, const char *earlier, struct error *err) MUST_CHECK;

/* Flushes, checks and renames. On failure the partial file is kept and named in err. */
bool output_finish(struct output *output, struct error *err) MUST_CHECK;

/* After a failed write to the file: err has its name and the kept parts, and the reason as it
 * did before. Returns false. */
bool output_failed(const struct output *output, struct error *err);

/* Closes without renaming: a partial file that holds something stays, an empty one is removed.
 * kept, where not NULL, gets its name or "". Harmless twice. */
void output_keep_partial(struct output *output, char *stored, size_t size);

/* output_finish where it was written; else what could be written is kept as partial. Returns whether
 * the file is complete. For `output_open(&o, path, err) && output_end(&o, write(o.file, err), err)`. */
bool output_end(struct output *output, bool written, struct error *err) MUST_CHECK;

/* Both below: PATH is or becomes a regular file; header and lines have their line ends.
 *
 * Appends one block of lines to PATH under a lock (flock), in one write. A missing or empty file
 * gets the header first; a file whose first line is not exactly this header is refused
 * (ERROR_USAGE) and left as it is. So is one that could not be written in full. */
bool output_append(const char *path, const char *header_line, const char *lines, struct error *err) MUST_CHECK;

/* Checks before the work that output_append would be able to write. Leaves no file. */
bool output_append_check(const char *path, const char *header_line, struct error *err) MUST_CHECK;

#endif
