/* SPDX-License-Identifier: MIT
 * --run of carbon measure: the command in a container that is made for each run and removed after it. Used by
 * commands/measure/cmd_measure.c. Begin with run_options_open(). */
#ifndef APP_RUN_OPTIONS_H
#define APP_RUN_OPTIONS_H

#include "app/container_job.h"
#include "app/options/command.h"

struct run_options {
    const char *image; /* NULL: not asked for */
    struct engine engine;
    struct container_job job;
    const char **words; /* of the record: "docker", "run", the image and the command */
};

/* What cannot go together is refused: before anything is opened. */
bool run_options_check(const struct command_line *line, struct error *err) MUST_CHECK;

/* Finds the engine and the image, which is fetched where it is not there. Followed by run_options_close. */
bool run_options_open(struct run_options *run, const struct command_line *line, const char *run_id, bool progress,
                      struct error *err) MUST_CHECK;
void run_options_close(struct run_options *run);

/* After a run: removes the container, and adds notices about it. */
void run_options_end(struct run_options *run, const struct run *done, struct notices *notices);

#endif
