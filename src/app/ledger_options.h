/* SPDX-License-Identifier: MIT
 * Which ledger a command line means, and putting results into it. Used in app and 12 commands. Begin with
 * ledger_options_open(). */
#ifndef APP_LEDGER_OPTIONS_H
#define APP_LEDGER_OPTIONS_H

#include "app/options/options.h"
#include "ledger/ledger.h"
#include "result/report.h"
#include "run/environment.h"

extern const struct option_spec option_ledger, option_no_ledger;
/* For the lists of commands: of those that make records, and of those that state a result. */
#define KEEPING_OPTIONS &option_project, &option_meta, &option_ledger, &option_no_ledger
#define LEDGER_OPTIONS &option_label, &option_project, &option_ledger

/* Before anything is run, and without opening it: whether one that the command line names could be written to. */
bool ledger_options_check(const struct settings *settings, struct error *err) MUST_CHECK;

/* Puts finished results into the ledger, each as the record that --json would write. environment is the user's whose
 * ledger it is. A failure is reported, and costs nothing else: returns status, or 125 if the command line
 * named the ledger. */
int ledger_options_keep(const struct settings *settings, const struct environment *environment,
                        const struct report *const *reports, size_t count, int status);

/* A record that was asked to be kept; the ledger is made where there is none. */
bool ledger_options_add(const struct settings *settings, const struct environment *environment, const char *record,
                        struct error *err) MUST_CHECK;

/* For commands that change it. Extra privileges have been dropped. NULL: see err. */
struct ledger *ledger_options_open(const struct settings *settings, const struct environment *environment,
                                   enum ledger_access access, struct error *err) MUST_CHECK;

/* Its place. False: none, see err. */
bool ledger_options_place(const struct settings *settings, const struct environment *environment, char *place,
                          size_t size, struct error *err) MUST_CHECK;

#endif
