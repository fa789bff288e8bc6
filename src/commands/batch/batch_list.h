/* SPDX-License-Identifier: MIT
 * The modules that `carbon batch` measures: from its file and from --module. Used by batch_work.h. Begin with
 * batch_list_read(). */
#ifndef COMMANDS_BATCH_BATCH_LIST_H
#define COMMANDS_BATCH_BATCH_LIST_H

#include "app/options/command.h"
#include "io/ini.h"
#include "run/cpus.h"

struct batch_entry {
    char name[INI_NAME_SIZE];
    char *argv[4]; /* /bin/sh -c COMMAND */
    double items;  /* NAN: not said */
    struct cpus cpus;
    bool pinned;
    int line; /* where it begins in the file; 0: it is from the command line */
};

struct batch_list {
    struct batch_entry *entries;
    size_t count;
    char **texts; /* texts owned by the settings */
    size_t text_count;
};

/* The command that the entry is for sh. */
static inline const char *batch_entry_command(const struct batch_entry *entry)
{
    return entry->argv[2];
}

/* Adds the modules of a file, and takes its section [batch] into the settings of the command, under those of the
 * command line and above all others. Faults are named with file and line. */
bool batch_list_read(struct batch_list *list, const char *path, const struct command *command,
                     struct settings *settings, struct error *err) MUST_CHECK;

/* Adds one as it stands on the command line: NAME=COMMAND. */
bool batch_list_add(struct batch_list *list, const char *text, struct error *err) MUST_CHECK;

/* Whether such a text is one, for the option's check. */
bool batch_list_is_entry(const char *text, struct error *err) MUST_CHECK;

void batch_list_close(struct batch_list *list);

#endif
