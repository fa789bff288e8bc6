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
                        "--score would overwrite it", "the output has an 'overall_score' of its own");
    if (strcmp(options->score, SCORE_JOULES) == 0)
        return true;
    node = scan_member(scan, run->indicator.result, options->score);
    return (node && isfinite(scan_number(scan, node))) ||
           fault_at(fault, FAULT_NO_SCORE, scan->text, scan_span(scan, run->indicator.result)->start,
                    "--score makes overall_score of it", "'%.60s' is not a number in @result", options->score);
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
    notices_clear(&run->notices);
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

static double s_of(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec / US_PER_S;
}

static struct indicator_usage usage_of(const struct run *run)
{
    const struct rusage *used = &run->end.rusage;

    if (!run->ended)
        return (struct indicator_usage){ NAN, NAN, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
    return (struct indicator_usage){
        .ru_utime = s_of(&used->ru_utime),
        .ru_stime = s_of(&used->ru_stime),
        .ru_maxrss = used->ru_maxrss,
        .ru_ixrss = used->ru_ixrss,
        .ru_idrss = used->ru_idrss,
        .ru_isrss = used->ru_isrss,
        .ru_minflt = used->ru_minflt,
        .ru_majflt = used->ru_majflt,
        .ru_nswap = used->ru_nswap,
        .ru_inblock = used->ru_inblock,
        .ru_oublock = used->ru_oublock,
        .ru_msgsnd = used->ru_msgsnd,
        .ru_msgrcv = used->ru_msgrcv,
        .ru_nsignals = used->ru_nsignals,
        .ru_nvcsw = used->ru_nvcsw,
        .ru_nivcsw = used->ru_nivcsw,
    };
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

static struct indicator_energy energy_of(const struct indicator_report *report, const struct run *run,
                                         const struct energies *energies, const struct own *own)
{
    return (struct indicator_energy){
        .energy_quality = report_of(report)->summary.quality,
        .energy_scope = report_of(report)->scope,
        .energy_duration_s = s_from_ns(run->window.duration_ns),
        .energy_gross_j = energies->gross_j,
        .energy_idle_j = energies->idle_j,
        .energy_net_j = energies->net_j,
        .energy_gross_kwh = energies->gross_j / J_PER_KWH,
        .energy_idle_kwh = energies->idle_j / J_PER_KWH,
        .energy_net_kwh = energies->net_j / J_PER_KWH,
        .energy_own_j = own->own_j,
        .energy_own_kwh = own->own_j / J_PER_KWH,
        .energy_own_method = own->method,
    };
}

static double kg_of(const struct report *report, double energy_j)
{
    return footprint_of(energy_j, report->pue, report->factor.kgco2eq_per_kwh).kgco2eq;
}

static struct indicator_carbon carbon_of(const struct report *report, const struct energies *energies,
                                         const struct own *own)
{
    const struct factor *factor = &report->factor;

    return (struct indicator_carbon){
        .carbon_pue = report->pue,
        .carbon_pue_quality = report->pue_quality,
        .carbon_kgco2eq_per_kwh = factor->kgco2eq_per_kwh,
        .carbon_factor_quality = factor->quality,
        .carbon_zone = factor->zone,
        .carbon_year = factor->year,
        .carbon_basis = isfinite(factor->kgco2eq_per_kwh) ? factor_basis_name(factor->basis) : "",
        .carbon_source = factor->source,
        .carbon_gross_kgco2eq = kg_of(report, energies->gross_j),
        .carbon_idle_kgco2eq = kg_of(report, energies->idle_j),
        .carbon_net_kgco2eq = kg_of(report, energies->net_j),
        .carbon_own_kgco2eq = kg_of(report, own->own_j),
    };
}

struct indicator_figures indicator_figures(const struct indicator_report *report, size_t i)
{
    const struct run *run = run_at(report, i);
    const struct energies energies = energies_of(report, i);
    const struct own own = own_of(report, i);

    return (struct indicator_figures){ usage_of(run), energy_of(report, run, &energies, &own),
                                       carbon_of(report_of(report), &energies, &own) };
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
