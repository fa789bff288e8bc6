/* SPDX-License-Identifier: MIT
 * The result of `carbon sources`, and its form for machines. Used throughout commands/sources. Begin with
 * sources_write_json(). */
#ifndef COMMANDS_SOURCES_SOURCES_LIST_H
#define COMMANDS_SOURCES_SOURCES_LIST_H

#include "form/field.h"
#include "meter/scope.h"
#include "power/machine_profile.h"

#include <stdio.h>

#define SOURCES_SCHEMA "carbon.sources/1"

/* One driver. */
struct source_view {
    const struct energy_driver *driver;
    const struct energy_source *source; /* borrowed from the meter; NULL: the meter did not open it */
    struct energy_source spare;         /* opened for inspection only, and closed again */
    bool in_use;
    struct error error; /* ERROR_NONE: ready */
};

struct sources {
    struct machine machine;
    struct machine_profile profile; /* of the machine, if one was found */
    struct meter meter;
    enum scope scope;
    struct counting counting;
    struct notices notices;
    struct source_view views[METER_MAX_SOURCES];
    size_t view_count;
    bool measurable;      /* a measurement could start now */
    struct error refusal; /* why it could not start */
    /* Without the model: "ok"; "incomplete": a domain that should count cannot be read; "permission": nothing can be
     * read, but another user could; "untrusted": the readable counters are probably the host's; "none". */
    const char *status;
};

extern const struct schema sources_schema;

bool sources_write_json(const struct sources *sources, FILE *out, bool one_line, struct error *err) MUST_CHECK;

#endif
