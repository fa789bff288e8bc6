/* SPDX-License-Identifier: MIT
 * The options of carbon measure that name something which runs already. Used in app, commands/measure, commands/model
 * and commands/profile. Begin with attach_options_open(). */
#ifndef APP_ATTACH_OPTIONS_H
#define APP_ATTACH_OPTIONS_H

#include "app/options/command.h"
#include "base/notice.h"
#include "container/engine.h"
#include "result/report.h"
#include "target/target.h"

extern const struct option_spec option_pid, option_cgroup, option_container, option_engine, option_pod, option_for;
extern const struct option_spec option_run; /* --run, for run_options.h */

/* For the lists of commands: options that name a running target. */
#define TARGET_OPTIONS &option_pid, &option_cgroup, &option_container, &option_engine, &option_pod

struct attach_options {
    bool attached; /* target is opened */
    struct target target;
    uint64_t for_ns;
    char about[300]; /* "process 1234 (nginx)", "container web (docker, 514161fc81dd)" */
    bool not_there;  /* why it could not be opened: no such container or pod runs, or several may be meant */
};

/* What cannot go together is refused: before anything is opened. */
bool attach_options_check(const struct command_line *line, struct error *err) MUST_CHECK;

bool attach_options_open(struct attach_options *attach, const struct settings *settings, struct error *err) MUST_CHECK;

void attach_options_close(struct attach_options *attach); /* harmless on a zeroed one */

/* What the report, whose command is set, says of where the work was. */
void attach_options_name(const struct attach_options *attach, struct report *report);

/* What runs already, with no end of its own to wait for, is measured until a signal says that it is enough. */
bool attach_options_await_signal(const struct attach_options *attach, const struct report *report);

/* The engines that answer, of which --engine names one; 0: none does. And the running container that a word means, by
 * container_find. */
size_t attach_options_engines(struct engine engines[ENGINE_KINDS], const struct settings *settings,
                              struct error *err) MUST_CHECK;
bool attach_options_container(struct attach_options *attach, const struct engine *engines, size_t count,
                              const char *wanted, struct error *err) MUST_CHECK;

/* What its figures may lack, once it has been measured. */
void attach_options_note(const struct attach_options *attach, struct notices *notices);

/* --marks and --phase of a command; the caller closes the pattern. */
bool attach_options_marks(struct marks_options *marks, const struct settings *settings, struct error *err) MUST_CHECK;

#endif
