/* SPDX-License-Identifier: MIT
 * The content of a fault report: the output of carbon with every area of --debug, as the user would see it, and the
 * tree of `carbon record`. carbon is run once for each part (bug_run.c); names and secrets are removed from its output
 * (bug_scrub.c); all parts become one file (bug_archive.c). Used throughout commands/bug. Begin with bug_write(). */
#ifndef COMMANDS_BUG_BUG_H
#define COMMANDS_BUG_BUG_H

#include "app/work_folders.h"
#include "run/side_command.h"

#include <stdio.h>

#define BUG_FOLDER "carbon-bug"

/* Replacements of the names of this machine and its user. */
struct scrub {
    char home[256], host[256], user[64]; /* "": nothing to replace */
};
void scrub_open(struct scrub *scrub);

/* A line without its end. */
void scrub_line(const struct scrub *scrub, const char *line, FILE *out);

struct bug {
    struct work_folders folders;
    struct inherited_signals signals;
    struct scrub scrub;
    char self[256];   /* this program */
    const char *root; /* "/", or a recorded machine */
    FILE *shown;      /* a second stream for the output of the user's command */
    int interrupted;  /* the first signal that carbon received, or 0 */
};

/* A file of the report. */
struct bug_part {
    const char *name, *holds;
    const char *words[8]; /* carbon's arguments; one that begins with '@' is a file of the report */
    bool reads_root;      /* add --root DIR */
};
extern const struct bug_part bug_parts[];

/* Runs all parts and stores their output in the folder. A part that fails is also part of the report. */
bool bug_collect(struct bug *bug, struct error *err) MUST_CHECK;

/* Runs the user's failing command with every area, and stores the output of carbon (not of its job) in command.txt.
 * status gets its exit status. */
bool bug_collect_command(struct bug *bug, char *const *words, int *status, struct error *err) MUST_CHECK;

/* A text of the report. */
bool bug_write(const struct bug *bug, const char *name, const char *text, struct error *err) MUST_CHECK;

/* The folder as a tar archive, packed by gzip unless `plain`. */
bool bug_archive(const struct bug *bug, bool plain, FILE *out, struct error *err) MUST_CHECK;

#endif
