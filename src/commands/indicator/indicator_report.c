/* SPDX-License-Identifier: MIT
 * What the runs of a performance indicator come to, one by one. */
#include "commands/indicator/indicator_report.h"

#include "base/auto.h"
#include "base/units.h"
#include "commands/indicator/scan_read.h"
#include "measurement/own_runs.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define SCORE_JOULES "joules"

/* What --score stands on is there. */
static bool check_score(const struct indicator_run *run, const struct indicator_options *options, struct fault *fault)
{
    const struct scan *scan = &run->scan;
    uint32_t node;

    if (!options->score)
        return true;
    if (run->indicator.score)
        return fault_at(fault, FAULT_RESERVED_KEY, scan->text, scan_span(scan, run->indicator.score)->key_start,
                        "--score would make it anew", "the output has an 'overall_score' of its own");
    if (strcmp(options->score, SCORE_JOULES) == 0)
        return true;
    node = scan_member(scan, run->indicator.result, options->score);
    return (node && isfinite(scan_number(scan, node))) ||
           fault_at(fault, FAULT_NO_SCORE, scan->text, scan_span(scan, run->indicator.result)->start,
                    "--score makes overall_score of it", "'%.60s' is no number in @result", options->score);
}

/* Names that carbon puts into @result. */
static bool check_merge(const struct indicator_run *run, const struct indicator_options *options, struct fault *fault)
{
    static const char *const prefixes[] = { "energy_", "carbon_" };
    const struct scan *scan = &run->scan;
    const uint32_t objects[] = { run->indicator.parameters, run->indicator.result };

    for (size_t i = 0; options->merges && i < sizeof objects / sizeof objects[0]; i++)
        for (uint32_t node = scan_span(scan, objects[i])->first; node; node = scan_span(scan, node)->next) {
            AUTO_FREE char *key = scan_key(scan, node);
            for (size_t j = 0; key && j < sizeof prefixes / sizeof prefixes[0]; j++)
                if (strncmp(key, prefixes[j], strlen(prefixes[j])) == 0)
                    return fault_at(fault, FAULT_COLLISION, scan->text, scan_span(scan, node)->key_start,
                                    "--merge-into-result adds keys that begin so",
                                    "the output has a key that begins with '%s'", prefixes[j]);
        }
    return true;
}

void indicator_read(struct indicator_run *run, const struct indicator_options *options)
{
    const struct contract_options contract = { .strict = options->strict, .keeps_nan = options->keeps_nan };

    run->fault = (struct fault){ .kind = FAULT_NONE };
    if (run->over) {
        fault_of(&run->fault, FAULT_TOO_LARGE, "it was ended then", "the script printed more than %zu bytes",
                 options->max_bytes);
        error_fix(&run->fault.error, "print one object on standard output and messages on standard error, or raise "
                                     "--most-output");
        return;
    }
    if (scan_read(run->text ? run->text : "", run->length, &run->scan, &run->fault) &&
        contract_check(&run->scan, &contract, &run->indicator, &run->notices, &run->fault) &&
        check_score(run, options, &run->fault) && check_merge(run, options, &run->fault) && options->merges)
        notice_add(&run->notices, NOTICE_ASSUMED,
                   "a model of the result that takes no other keys (pydantic: extra='forbid') "
                   "refuses them",
                   "leave out --merge-into-result: @energy and @carbon have the same",
                   "@result has keys that were added");
}

void indicator_run_close(struct indicator_run *run)
{
    scan_close(&run->scan);
    free(run->text);
    free(run->said);
}

/* Of an output that was read from a file nothing is known but what it says. */
static const struct report *report_of(const struct indicator_report *indicator)
{
    static const struct report none = { .pue = NAN, .factor = { .kgco2eq_per_kwh = NAN } };

    return indicator->report ? indicator->report : &none;
}

static const struct run *run_at(const struct indicator_report *report, size_t i)
{
    static const struct run none;

    return report->report ? &report->report->measurement->runs[report->runs[i].index] : &none;
}

static void add(struct indicator_figures *figures, const char *name, enum figure_kind kind, double number,
                const char *text)
{
    figures->items[figures->count++] = (struct indicator_figure){ name, kind, number, text };
}

static double s_of(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

void indicator_usage(const struct indicator_report *report, size_t i, struct indicator_figures *figures)
{
    const struct run *run = run_at(report, i);
    const struct rusage *used = &run->end.rusage;
    const long counts[] = { used->ru_maxrss, used->ru_ixrss,    used->ru_idrss,   used->ru_isrss,   used->ru_minflt,
                            used->ru_majflt, used->ru_nswap,    used->ru_inblock, used->ru_oublock, used->ru_msgsnd,
                            used->ru_msgrcv, used->ru_nsignals, used->ru_nvcsw,   used->ru_nivcsw };

    figures->count = 0;
    add(figures, contract_usage[0], FIGURE_REAL, run->ended ? s_of(&used->ru_utime) : NAN, NULL);
    add(figures, contract_usage[1], FIGURE_REAL, run->ended ? s_of(&used->ru_stime) : NAN, NULL);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
        add(figures, contract_usage[2 + k], FIGURE_INTEGER, run->ended ? (double)counts[k] : NAN, NULL);
}

static struct energies energies_of(const struct indicator_report *report, size_t i)
{
    const struct window *window = &run_at(report, i)->window;
    struct neighbours neighbours;

    if (!report->report)
        return (struct energies){ NAN, NAN, NAN };
    neighbours = neighbours_of(report->report->measurement, window);
    return total_energies(report->report->measurement, &neighbours, window);
}

static struct own own_of(const struct indicator_report *report, size_t i)
{
    const struct report *record = report->report;

    return record ? own_of_run(record->measurement, &record->summary.own_basis, run_at(report, i))
                  : (struct own){ NAN, NAN, NAN, NAN, OWN_UNKNOWN };
}

void indicator_energy(const struct indicator_report *report, size_t i, struct indicator_figures *figures)
{
    const struct energies energies = energies_of(report, i);
    const struct own own = own_of(report, i);

    figures->count = 0;
    add(figures, "energy_quality", FIGURE_TEXT, NAN, quality_name(report_of(report)->summary.quality));
    add(figures, "energy_scope", FIGURE_TEXT, NAN, scope_name(report_of(report)->scope));
    add(figures, "energy_duration_s", FIGURE_REAL, s_from_ns(run_at(report, i)->window.duration_ns), NULL);
    add(figures, "energy_gross_j", FIGURE_REAL, energies.gross_j, NULL);
    add(figures, "energy_idle_j", FIGURE_REAL, energies.idle_j, NULL);
    add(figures, "energy_net_j", FIGURE_REAL, energies.net_j, NULL);
    add(figures, "energy_gross_kwh", FIGURE_REAL, energies.gross_j / J_PER_KWH, NULL);
    add(figures, "energy_idle_kwh", FIGURE_REAL, energies.idle_j / J_PER_KWH, NULL);
    add(figures, "energy_net_kwh", FIGURE_REAL, energies.net_j / J_PER_KWH, NULL);
    add(figures, "energy_own_j", FIGURE_REAL, own.own_j, NULL);
    add(figures, "energy_own_kwh", FIGURE_REAL, own.own_j / J_PER_KWH, NULL);
    add(figures, "energy_own_method", FIGURE_TEXT, NAN, own_method_name(own.method));
}

static double kg_of(const struct report *report, double energy_j)
{
    return footprint_of(energy_j, report->pue, report->factor.kgco2eq_per_kwh).kgco2eq;
}

void indicator_carbon(const struct indicator_report *indicator, size_t i, struct indicator_figures *figures)
{
    const struct report *report = report_of(indicator);
    const struct factor *factor = &report->factor;
    const struct energies energies = energies_of(indicator, i);
    const bool known = isfinite(factor->kgco2eq_per_kwh);

    figures->count = 0;
    add(figures, "carbon_pue", FIGURE_REAL, report->pue, NULL);
    add(figures, "carbon_pue_quality", FIGURE_TEXT, NAN, quality_name(report->pue_quality));
    add(figures, "carbon_kgco2eq_per_kwh", FIGURE_REAL, factor->kgco2eq_per_kwh, NULL);
    add(figures, "carbon_factor_quality", FIGURE_TEXT, NAN, quality_name(factor->quality));
    add(figures, "carbon_zone", FIGURE_TEXT, NAN, factor->zone);
    add(figures, "carbon_year", FIGURE_INTEGER, factor->year > 0 ? factor->year : NAN, NULL);
    add(figures, "carbon_basis", FIGURE_TEXT, NAN, known ? factor_basis_name(factor->basis) : "");
    add(figures, "carbon_source", FIGURE_TEXT, NAN, factor->source);
    add(figures, "carbon_gross_kgco2eq", FIGURE_REAL, kg_of(report, energies.gross_j), NULL);
    add(figures, "carbon_idle_kgco2eq", FIGURE_REAL, kg_of(report, energies.idle_j), NULL);
    add(figures, "carbon_net_kgco2eq", FIGURE_REAL, kg_of(report, energies.net_j), NULL);
    add(figures, "carbon_own_kgco2eq", FIGURE_REAL, kg_of(report, own_of(indicator, i).own_j), NULL);
}

/* By own; of a run that uses no more than idle there is no such ratio. */
double indicator_score(const struct indicator_report *report, size_t i)
{
    const struct indicator_run *run = &report->runs[i];
    const double own_j = own_of(report, i).own_j;
    const bool joules = strcmp(report->options.score, SCORE_JOULES) == 0;

    if (!(own_j > 0))
        return NAN;
    return (joules ? 1
                   : scan_number(&run->scan, scan_member(&run->scan, run->indicator.result, report->options.score))) /
           own_j;
}

static void time_text(uint64_t realtime_ns, char out[INDICATOR_TIME_SIZE])
{
    const time_t seconds = (time_t)(realtime_ns / NS_PER_S_INT);
    struct tm utc;
    size_t length;

    gmtime_r(&seconds, &utc);
    length = strftime(out, INDICATOR_TIME_SIZE, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(out + length, INDICATOR_TIME_SIZE - length, ".%06u", (unsigned)(realtime_ns % NS_PER_S_INT / 1000));
}

void indicator_times(const struct indicator_report *report, size_t i, char start[INDICATOR_TIME_SIZE],
                     char end[INDICATOR_TIME_SIZE])
{
    const struct window *window = &run_at(report, i)->window;

    time_text(window->realtime_ns, start);
    time_text(window->realtime_ns + window->duration_ns, end);
}
