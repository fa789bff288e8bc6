/* SPDX-License-Identifier: MIT
 * Several modules measured in loops, each run with its own baseline: RAW (gross), BAS (idle) and DIF (net) of each.
 * Runs are plain figures, so that those of an interrupted batch can be combined with those that complete it. Used
 * throughout commands/batch. Begin with batch_finish(). */
#ifndef COMMANDS_BATCH_BATCH_H
#define COMMANDS_BATCH_BATCH_H

#include "base/clock.h"
#include "form/field.h"
#include "measurement/schedule.h"
#include "result/report.h"

#define BATCH_SCHEMA "carbon.batch/1"

enum { BATCH_SOURCES = 16 };

/* One loop of one module. Unknown is NAN. */
struct batch_run {
    size_t loop; /* from 1 */
    char started_at[CLOCK_TEXT_SIZE];
    struct run_figures figures; /* without items, which belong to the module */
    enum own_method own_method; /* method of figures.own_j */
    double gpu_own_j;           /* own energy of its processes on the counted graphics cards; NAN unknown */
    int exit_status;
    bool ended;     /* false: it is still running */
    bool cut_short; /* ended by a signal to carbon, not by a fault of the module */
    bool whole;     /* its baseline is complete, too (or none is needed) */
    bool left_out;  /* excluded: a part of it is unknown, and another run of the module is complete; set by batch_finish
                     */
};

static inline bool batch_run_is_counted(const struct batch_run *run)
{
    return run->ended && run->whole && !run->cut_short && !run->left_out && run->exit_status == 0;
}

static inline bool batch_run_has_failed(const struct batch_run *run)
{
    return run->ended && !run->cut_short && run->exit_status != 0;
}

struct batch_module {
    const char *name, *command;
    double items; /* inputs of one run; NAN: not given */
    char cpus[256];
    size_t pinned_cpus; /* 0: not pinned */

    struct batch_run *runs; /* the runs, in order of execution */
    size_t run_count;
    struct error problem; /* why it could not be run; ERROR_NONE: it could */
    bool constant;        /* the meter reports constant power while the load changes */
    bool no_idle;         /* the machine was fully loaded in the baselines */
    bool rates;           /* the runs are long enough for a power */
    enum quality quality;
    struct notices notices; /* warnings about this module only */

    /* batch_finish sets these, over the counted runs */
    size_t counted, failed;
    struct sample_stats duration_s, gross_j, idle_j, net_j, own_j;
    struct interval own_interval_j;
    struct interval range_j; /* of DIF, if modelled: the model's range; NAN: unknown */
    enum own_method own_method;
    enum figure dif; /* the figure shown as DIF: own if it is known and differs from net */
    struct sample_stats items_per_s;
    struct net_verdict verdict;
    double gross_w, idle_w, net_w, own_w; /* mean energy / mean duration */
    struct emission gross, idle, net, own;
};

/* An interruption after which the batch was resumed. */
struct batch_break {
    char interrupted_at[CLOCK_TEXT_SIZE], resumed_at[CLOCK_TEXT_SIZE];
    size_t runs_before;
};

/* A reference rate for throughputs. */
struct batch_reference {
    char name[64];
    double items_per_s;
};

struct batch {
    const struct report *session; /* common to all modules: machine, scope, PUE, factor, hours */
    const char *sources[BATCH_SOURCES];
    size_t source_count;
    char started_at[CLOCK_TEXT_SIZE], ended_at[CLOCK_TEXT_SIZE];
    bool complete;    /* every loop of every module was done or has failed for good */
    bool interrupted; /* a signal ended it early */
    size_t loops, warmups;
    double baseline_s; /* NAN: as long as the run */
    enum order order;
    uint64_t seed;
    struct batch_break *breaks;
    size_t break_count;
    struct batch_module *modules;
    size_t module_count;
    struct batch_reference *references;
    size_t reference_count;
    struct notices notices;
};

/* Calculates the statistics of the runs; may be called again as they grow. False: no memory. */
bool batch_finish(struct batch *batch, struct error *err) MUST_CHECK;

/* Some module failed, or could not be run. */
bool batch_has_failed(const struct batch *batch);

/* DIF as its figure says: own or net. */
const struct sample_stats *batch_dif_j(const struct batch_module *module);

/* No meter can measure it, and no other method gives it. */
bool batch_dif_unknown(const struct batch_module *module);

/* Emissions per year of one figure at the declared duty: energy_j in this many seconds. */
double batch_kgco2eq_per_year(const struct report *session, double energy_j, double duration_s);
double batch_facility_kwh_per_year(const struct report *session, double energy_j, double duration_s);

/* The deviation with n, not n - 1, in the denominator: numpy's standard deviation. 0 for one, NAN for none. */
double batch_population_deviation(const struct sample_stats *spread);

/* batch_fields.c: all fields, and those that are read back. */
extern const struct schema batch_schema;
extern const struct fields batch_fields, batch_module_fields, batch_run_fields, batch_break_fields;
bool batch_counts(const void *run); /* a run */

/* The value in a batch, and in a module of it, of a member. */
#define BATCH_ITEM(node, member) FIELD_ITEM(node, batch_fields, struct batch, member)
#define MODULE_ITEM(node, member) FIELD_ITEM(node, batch_module_fields, struct batch_module, member)

/* The forms. False: the stream failed. */
bool batch_json(const struct batch *batch, FILE *out, struct error *err) MUST_CHECK;
bool batch_csv(const struct batch *batch, FILE *out, struct error *err) MUST_CHECK;

/* Style of the table. */
struct batch_style {
    bool colour, utf8;
    int width; /* columns of the bars */
};
bool batch_table(const struct batch *batch, const struct batch_style *style, FILE *out, struct error *err) MUST_CHECK;

/* batch_answer.c: one row per module and the conclusion; and one line for scripts, with one loop of all modules. */
bool batch_answer(const struct batch *batch, const struct table_style *style, FILE *out, struct error *err) MUST_CHECK;
void batch_brief(const struct batch *batch, FILE *out);
/* Which module uses most; nothing if the modules have no common figure. */
void batch_add_sentence(const struct batch *batch, struct text *text);
/* batch_html.c */
bool batch_html(const struct batch *batch, FILE *out, struct error *err) MUST_CHECK;

/* Parts of both texts: "10 modules, 2 loops, shuffled (seed 7); 19 of 20 runs count, interrupted", on request with the
 * baselines; and the reason for a missing net. */
void batch_add_head(const struct batch *batch, bool baselines, struct text *text);
void batch_add_verdict(const struct batch_module *module, struct text *text);
void batch_add_lack(const struct batch_module *module, struct text *text);

/* For each loop of each module "RAW: %.2f", "BAS: %.2f" and "DIF: %.2f" in kgCO2eq a year, as fink-science-perf logs
 * them, under a line that names it. */
void batch_fink(const struct batch *batch, FILE *out);

/* Bars of all modules: items per second on a logarithmic scale, DIF in kgCO2eq a year. */
enum batch_chart { BATCH_THROUGHPUT, BATCH_DIF };
enum { BATCH_CHARTS = 2 };

const char *batch_chart_name(enum batch_chart chart); /* "throughput", "dif" */

/* The chart has data: a throughput needs items. */
bool batch_has_chart(const struct batch *batch, enum batch_chart chart);

/* As SVG, by gnuplot; and in the terminal. */
bool batch_draw(const struct batch *batch, enum batch_chart chart, FILE *out, struct error *err) MUST_CHECK;
void batch_show(const struct batch *batch, enum batch_chart chart, const struct batch_style *style, FILE *out);

#endif
