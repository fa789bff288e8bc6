/* SPDX-License-Identifier: MIT
 * What goes into a report of a fault: what carbon itself says with every area of --debug, as it would say it to the
 * user, and the tree of `carbon record`. carbon is run anew for each (bug_run.c); what it said is freed of what names
 * somebody or is a secret (bug_scrub.c); all of it becomes one file (bug_archive.c). Used throughout commands/bug.
 * Begin with bug_write(). */
#ifndef COMMANDS_BUG_BUG_H
#define COMMANDS_BUG_BUG_H

#include "app/work_folders.h"
#include "run/side_command.h"

#include <stdio.h>

#define BUG_FOLDER "carbon-bug"

/* What stands for what names this machine and its user. */
struct scrub {
    char home[256], host[256], user[64]; /* "": nothing to look for */
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
    FILE *shown;      /* where what the user's command says goes, too */
    int interrupted;  /* the first signal that carbon got meanwhile, or 0 */
};

/* A file of the report. */
struct bug_part {
    const char *name, *holds;
    const char *words[8]; /* carbon's arguments; what begins with '@' is a file of the report */
    bool reads_root;      /* --root DIR goes with it */
};
extern const struct bug_part bug_parts[];

/* Runs all of them, and leaves what they said in the folder. That one of them fails is part of the report. */
bool bug_collect(struct bug *bug, struct error *err) MUST_CHECK;

/* Runs what the user says goes wrong, with every area, and keeps what carbon (not its job) said in command.txt. status
 * gets its exit status. */
bool bug_collect_command(struct bug *bug, char *const *words, int *status, struct error *err) MUST_CHECK;

/* A text of the report. */
bool bug_write(const struct bug *bug, const char *name, const char *text, struct error *err) MUST_CHECK;

/* The folder as a tar archive, packed by gzip unless `plain`. */
bool bug_archive(const struct bug *bug, bool plain, FILE *out, struct error *err) MUST_CHECK;

#endif
