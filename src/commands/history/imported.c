/* SPDX-License-Identifier: MIT
 * The record of what another tool measured. Where it has a figure that a record of carbon has, that has the same key,
 * so that whoever lists or sums records need not tell them apart; all are `given`. */
#include "commands/history/imported.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "form/json_parts.h"
#include "io/json_read.h"
#include "ledger/contribution.h"

#include <math.h>
#include <string.h>

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* What of it is in sums. */
static struct codecarbon_figures counted(const struct imported *imported)
{
    static const struct codecarbon_figures unknown = { NAN, NAN, NAN, NAN, NAN, NAN };
    struct codecarbon_figures figures = imported->run->added;

    if (*imported->run->doubt && !imported->doubted) {
        figures = unknown;
        figures.duration_s = imported->run->added.duration_s;
    }
    return figures;
}

static double gross_j(const struct codecarbon_run *run, double kwh)
{
    return kwh * J_PER_KWH / (isnan(run->pue) ? 1 : run->pue);
}

double imported_gross_j(const struct codecarbon_run *run)
{
    return gross_j(run, run->added.kwh);
}

static void find_doubts(const struct imported *imported, struct notices *notices)
{
    const struct codecarbon_run *run = imported->run;
    const double parts = run->reported.cpu_kwh + run->reported.gpu_kwh + run->reported.ram_kwh;

    notice_add(notices, NOTICE_ASSUMED,
               "its rows do not tell whether a counter, a load or a constant stood behind them", "",
               "CodeCarbon's figures were taken as they stand");
    if (*run->doubt)
        notice_add(notices, NOTICE_IMPLAUSIBLE, run->doubt, "",
                   imported->doubted ? "the energy is doubted, and taken as it stands"
                                     : "the energy is doubted, and in no sum");
    if (isnan(run->reported.kwh))
        notice_add(notices, NOTICE_UNKNOWN, "the field is empty: what it used is unknown, not nothing", "",
                   "the energy is not told");
    else if (!isnan(parts) && fabs(parts - run->reported.kwh) > 1e-6 * run->reported.kwh + 1e-12)
        notice_add(notices, NOTICE_INCONSISTENT, "both were taken as they stand", "",
                   "the energies of CPU, GPU and memory do not add up to the whole");
    if (isnan(run->pue))
        notice_add(notices, NOTICE_ASSUMED, "its release had none, or it is not told", "",
                   "the energy was taken as that of the IT alone");
    if (run->goes_on_from)
        notice_add(notices, NOTICE_ASSUMED, "CodeCarbon's rows hold all since the start of their run", "",
                   "this is what the row adds to that of line %zu", run->goes_on_from);
    if (!run->ended_realtime_ns)
        notice_add(notices, NOTICE_UNKNOWN, "a log tells the time of day alone",
                   "import it again with --date, the day on which it ends", "when it was is unknown");
}

/* As CodeCarbon meant it; the rate is worked out anew, for its unit changed from g/s to kg/s with 2.2.0. */
static void add_reported(struct tree_node root, const struct codecarbon_run *run)
{
    const struct tree_node node = tree_object(root, "told");
    const struct codecarbon_figures *reported = &run->reported;

    tree_number(node, "duration_s", reported->duration_s);
    tree_number(node, "cpu_kwh", reported->cpu_kwh);
    tree_number(node, "gpu_kwh", reported->gpu_kwh);
    tree_number(node, "ram_kwh", reported->ram_kwh);
    tree_number(node, "facility_kwh", reported->kwh);
    tree_number(node, "kgco2eq", reported->kgco2eq);
    tree_number(node, "kgco2eq_per_kwh", reported->kwh > 0 ? reported->kgco2eq / reported->kwh : NAN);
    tree_number(node, "kgco2eq_per_s", reported->duration_s > 0 ? reported->kgco2eq / reported->duration_s : NAN);
}

static void add_mean(struct tree_node root, const char *key, double mean)
{
    tree_number(tree_object(root, key), "mean", mean);
}

static void add_source(struct tree_node root, const struct imported *imported)
{
    const struct codecarbon_run *run = imported->run;
    const struct tree_node node = tree_object(root, "imported_from");

    tree_text(node, "form", imported->form);
    tree_text_or_null(node, "generation", run->generation);
    tree_text_or_null(node, "version", run->texts[CODECARBON_VERSION]);
    tree_text(node, "file", name_of(imported->file->path));
    tree_integer(node, "line", run->line);
    tree_nonzero_or_null(node, "goes_on_from_line", run->goes_on_from);
}

static void add_emissions(struct tree_node root, const struct codecarbon_run *run,
                          const struct codecarbon_figures *added)
{
    const struct tree_node node = tree_object(tree_object(root, "emissions"), "gross");

    tree_number(node, "it_kwh", gross_j(run, added->kwh) / J_PER_KWH);
    tree_number(node, "facility_kwh", added->kwh);
    tree_number(node, "kgco2eq", added->kgco2eq);
    tree_number(node, "kgco2eq_per_kwh", added->kwh > 0 ? added->kgco2eq / added->kwh : NAN);
}

static void add_row(struct tree_node root, const struct codecarbon_run *run)
{
    const struct tree_node node = tree_object(root, "row");

    for (size_t i = 0; i < CODECARBON_COLUMNS; i++)
        if (run->texts[i])
            tree_text(node, codecarbon_columns[i], run->texts[i]);
}

static void add_times(struct tree_node root, const struct codecarbon_run *run)
{
    const uint64_t ended_ns = run->ended_realtime_ns;
    const double duration_ns = run->added.duration_s * NS_PER_S;
    const bool known = ended_ns && duration_ns >= 0 && duration_ns < (double)ended_ns;

    json_time(root, "started_at", known ? ended_ns - (uint64_t)duration_ns : 0);
    json_time(root, "ended_at", ended_ns);
}

static void add_document(struct tree_node root, const struct imported *imported)
{
    const struct codecarbon_run *run = imported->run;
    const struct codecarbon_figures added = counted(imported);
    struct notices notices = { .count = 0 };
    struct tree_node node;

    json_head(root, IMPORTED_SCHEMA);
    tree_text(root, "id", run->id);
    add_source(root, imported);
    add_times(root, run);
    tree_bool(root, "complete", true);
    tree_null(root, "label");
    tree_text_or_null(root, "project", run->texts[CODECARBON_PROJECT_NAME]);
    tree_integer(root, "runs", 1);
    add_mean(root, "duration_s", run->added.duration_s);
    tree_text(root, "quality", quality_name(QUALITY_GIVEN));
    add_mean(root, "gross_j", gross_j(run, added.kwh));
    tree_text_or_null(root, "doubt", run->doubt);
    node = tree_object(root, "components");
    tree_number(node, "cpu_j", gross_j(run, added.cpu_kwh));
    tree_number(node, "gpu_j", gross_j(run, added.gpu_kwh));
    tree_number(node, "ram_j", gross_j(run, added.ram_kwh));
    json_value(root, "pue", run->pue, isnan(run->pue) ? QUALITY_UNKNOWN : QUALITY_GIVEN);
    tree_text_or_null(tree_object(root, "factor"), "zone", imported->zone);
    add_emissions(root, run, &added);
    add_reported(root, run);
    add_row(root, run);
    find_doubts(imported, &notices);
    json_notices(root, &notices);
}

char *imported_record(const struct imported *imported, struct error *err)
{
    struct tree tree;

    tree_open(&tree);
    add_document(tree_root(&tree), imported);
    return tree_string(&tree, "the record", err);
}

static void line(FILE *out, const char *key, const char *value)
{
    char printable[512];

    utf8_printable(printable, sizeof printable, value);
    if (*printable)
        fprintf(out, "%-12s %s\n", key, printable);
}

void imported_text(const struct cJSON *record, FILE *out)
{
    const struct cJSON *from = json_member(record, "imported_from"), *row = json_member(record, "row");
    const struct cJSON *gross = json_member(json_member(record, "emissions"), "gross");
    char figure[UNITS_SIZE], where[512];

    line(out, "record", json_text_of(record, "id"));
    c_snprintf(where, sizeof where, "%.200s, line %.0f; %.40s %.40s", json_text_of(from, "file"),
               json_number_of(from, "line"), json_text_of(from, "form"),
               *json_text_of(from, "version") ? json_text_of(from, "version") : json_text_of(from, "generation"));
    line(out, "imported from", where);
    line(out, "project", json_text_of(record, "project"));
    line(out, "started", json_text_of(record, "started_at"));
    line(out, "ended", json_text_of(record, "ended_at"));
    line(out, "duration", units_duration(json_number_of(json_member(record, "duration_s"), "mean"), figure));
    line(out, "quality", json_text_of(record, "quality"));
    line(out, "doubted", json_text_of(record, "doubt"));
    line(out, "gross", units_energy(json_number_of(json_member(record, "gross_j"), "mean"), figure));
    line(out, "of this CPU", units_energy(json_number_of(json_member(record, "components"), "cpu_j"), figure));
    line(out, "GPU", units_energy(json_number_of(json_member(record, "components"), "gpu_j"), figure));
    line(out, "memory", units_energy(json_number_of(json_member(record, "components"), "ram_j"), figure));
    line(out, "emissions", units_mass(json_number_of(gross, "kgco2eq"), figure));
    line(out, "country", json_text_of(row, "country_iso_code"));
    line(out, "CPU", json_text_of(row, "cpu_model"));
    for (const struct cJSON *notice = json_first(json_member(record, "notices")); notice; notice = json_next(notice))
        line(out, "note:", json_text_of(notice, "what"));
}
