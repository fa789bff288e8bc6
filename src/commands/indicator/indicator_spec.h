/* SPDX-License-Identifier: MIT
 * A specification of an inspection as Amun takes it (`--spec FILE`): the script, its variables and how often it is run.
 * What Amun builds a container of (base, packages, python, files) is told and left to the user. Used by indicator.h.
 * Begin with indicator_spec_open(). */
#ifndef COMMANDS_INDICATOR_INDICATOR_SPEC_H
#define COMMANDS_INDICATOR_INDICATOR_SPEC_H

#include "app/work_folders.h"
#include "base/notice.h"
#include "io/arena.h"

#include <stdio.h>

struct indicator_spec {
    const char *path;       /* path as the user gave it */
    char *text;             /* the file's bytes */
    struct cJSON *document; /* owner of the texts */
    char batch[24];         /* batch_size; "": it does not say */
    const char *identifier; /* NULL: it has none */
    bool is_inline;         /* the script itself is in it */
    char script[WORK_PATH_SIZE];
    char *argv[3]; /* argv of the script; NULL-ended */
    struct work_folders folders;
    struct arena store;
    char **environment; /* NULL: as it was given */
};

/* has_command: a command line says what is run, so that the script of the file does not matter. Given to
 * indicator_spec_close in any case. */
bool indicator_spec_open(struct indicator_spec *spec, const char *path, bool has_command, struct error *err) MUST_CHECK;
void indicator_spec_close(struct indicator_spec *spec, struct notices *notices);

/* Once rights are given up: the file of a script that is in it. */
bool indicator_spec_place(struct indicator_spec *spec, struct error *err) MUST_CHECK;

/* spec->environment: these variables with those of the file in their place. */
bool indicator_spec_environment(struct indicator_spec *spec, char *const *variables, struct error *err) MUST_CHECK;

/* What of it is not done. */
void indicator_spec_note(const struct indicator_spec *spec, struct notices *notices);

/* The file again, with "@created" where it has none. */
bool indicator_spec_write(const struct indicator_spec *spec, const char *created, FILE *out,
                          struct error *err) MUST_CHECK;

#endif
