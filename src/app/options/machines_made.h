/* SPDX-License-Identifier: MIT
 * What it took to make the machines of whoever reports: sections [machine] or [machine NAME] of the configuration file.
 * Used in app, commands/help and commands/report. Begin with machines_made_is(). */
#ifndef APP_OPTIONS_MACHINES_MADE_H
#define APP_OPTIONS_MACHINES_MADE_H

#include "io/ini.h"

struct machine_made {
    char name[INI_NAME_SIZE]; /* or "" */
    int line;                 /* where its section begins */
    double kgco2eq, lifetime_years;
};

struct machines_made {
    struct machine_made *items;
    size_t count;
};

/* Whether a section of this name is of a machine. */
bool machines_made_is(const char *section);

/* Takes one entry of such a section: kg, lifetime (years). *machines is made when the first is seen. */
bool machines_made_take(struct machines_made **machines, const struct ini_entry *entry, const char *path,
                        struct error *err) MUST_CHECK;

/* Whether each has all that it needs, once the file has been read. NULL: there are none. */
bool machines_made_finish(const struct machines_made *machines, const char *path, struct error *err) MUST_CHECK;

void machines_made_close(struct machines_made *machines); /* NULL: nothing */

#endif
