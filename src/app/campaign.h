/* SPDX-License-Identifier: MIT
 * Several commands measured in one series, round by round; no two runs that count share a baseline. Used in 7 commands.
 * Begin with campaign_run(). */
#ifndef APP_CAMPAIGN_H
#define APP_CAMPAIGN_H

#include "app/session.h"

/* One of the commands. The caller fills the first part; campaign_results the second. */
struct campaign_item {
    const char *name;  /* for people: "A", "new parser" */
    char *const *argv; /* NULL-ended */
    struct cpus cpus;  /* with pinned: the command's own, in place of the session's */
    bool pinned;

    struct command_end end;
    struct measurement measurement; /* its own runs and their baselines */
    struct report report;           /* finished; of that measurement */
};

struct campaign {
    struct session session; /* opened by the caller */
    struct campaign_item *items;
    size_t item_count;
    struct schedule schedule; /* made by the caller */
    enum workload_failure failure;
    struct measurement measurement; /* all runs of the series */
    /* Called when more has been measured, at each window's end and every 10 s; campaign_results may be called in it.
     * May be NULL. */
    void (*on_progress)(struct campaign *campaign, const struct workload_place *place);
    bool made_later; /* the same of each command: before_run makes what is run */
    /* As those of struct workload_watch; may be NULL. before_run may change campaign->commands[place->command]. */
    bool (*before_run)(struct campaign *campaign, const struct workload_place *place, struct error *err);
    bool (*after_run)(struct campaign *campaign, const struct workload_place *place, const struct run *run);
    bool (*is_enough)(struct campaign *campaign, size_t behind); /* see struct workload_watch; may be NULL */
    void (*on_sample)(struct campaign *campaign, const struct workload_place *place, const struct sample *sample,
                      const struct target_now *used);
    uint64_t interval_ns; /* of on_sample, which also gets the command's usage */
    bool baseline_once;   /* before the first run alone */
    bool by_own;          /* baselines are as short as the runs and the meter allow unless they are asked for */
    struct workload_command *commands; /* of the items, while campaign_run goes on */
    const struct command_end *ends;    /* one per command, during campaign_run */
    void *context;
    bool silent;         /* commands do not use the terminal, so progress is shown during runs */
    bool hide_output;    /* keeps the commands' output from a terminal; of one that fails the last messages are shown */
    int messages_fd;     /* messages of the last run, where hide_output keeps them; else 0 */
    const char *running; /* with silent: text about the running command; NULL: none */
    bool ran;            /* any command ran */
};

/* Measures. False: carbon failed, or a command could not be run (unless FAILURE_DROPS); the measurement until then
 * is there all the same. */
bool campaign_run(struct campaign *campaign, struct error *err) MUST_CHECK;

/* Fills each item's measurement and report from the measurement so far; complete: nothing more will come. May be
 * called again. False: no memory. */
bool campaign_results(struct campaign *campaign, bool complete, struct error *err) MUST_CHECK;

/* The notices of an item's report: those of every item with runs, and its own. Called for all items
 * with runs in their order, with the same `shared`. */
void campaign_doubts(const struct campaign *campaign, size_t i, struct notices *shared, struct notices *own);

/* Puts what campaign_results has made last into the ledger, a record for each command that ran. Returns status, or
 * 125. */
int campaign_keep(const struct campaign *campaign, int status);

/* Frees what campaign_run and campaign_results made, the schedule and the session; not the items. */
void campaign_close(struct campaign *campaign);

#endif
