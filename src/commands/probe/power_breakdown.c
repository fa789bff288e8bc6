/* SPDX-License-Identifier: MIT
 * The rules of docs/METHOD.md, "What draws how much". */
#include "commands/probe/power_breakdown.h"

#include "base/units.h"
#include "commands/probe/probe_plan.h"

#include <math.h>

const char *power_part_name(enum power_part part)
{
    static const char *const names[POWER_PARTS] = { "idle", "cpu", "memory", "io", "rest" };

    return part < POWER_PARTS ? names[part] : "unknown";
}

/* One number of each run. */
typedef double run_value(const struct breakdown_run *run);

static double or_nothing(double w)
{
    return isnan(w) ? 0 : w;
}

static double total_of(const double w[BREAKDOWN_DOMAINS])
{
    if (!isnan(w[BREAKDOWN_MACHINE]))
        return w[BREAKDOWN_MACHINE];
    return w[BREAKDOWN_PACKAGE] + or_nothing(w[BREAKDOWN_MEMORY]) + or_nothing(w[BREAKDOWN_GPU]);
}

static double run_gross(const struct breakdown_run *run)
{
    return total_of(run->gross_w);
}

static double run_own(const struct breakdown_run *run)
{
    return total_of(run->own_w);
}

static double run_idle(const struct breakdown_run *run)
{
    return run_gross(run) - run_own(run);
}

static double run_package(const struct breakdown_run *run)
{
    return run->own_w[BREAKDOWN_PACKAGE];
}

static double run_memory(const struct breakdown_run *run)
{
    return run->own_w[BREAKDOWN_MEMORY];
}

/* Beside packages and memory, where both are measured. */
static double run_concurrent(const struct breakdown_run *run)
{
    return run_own(run) - run->own_w[BREAKDOWN_PACKAGE] - run->own_w[BREAKDOWN_MEMORY];
}

static double run_but_memory(const struct breakdown_run *run)
{
    return run_own(run) - run->own_w[BREAKDOWN_MEMORY];
}

static double run_cpus(const struct breakdown_run *run)
{
    return run->busy_cpus;
}

static double run_bytes(const struct breakdown_run *run)
{
    return run->bytes_per_s;
}

/* Unknown where any run does not know it. */
static struct sample_stats spread_over(const struct breakdown_load *load, run_value *value)
{
    double values[PROBE_MAX_RUNS];
    const size_t count = load->count < PROBE_MAX_RUNS ? load->count : PROBE_MAX_RUNS;

    for (size_t i = 0; i < count; i++) {
        values[i] = value(&load->runs[i]);
        if (isnan(values[i]))
            return sample_stats_of(NULL, 0);
    }
    return sample_stats_of(values, count);
}

/* A sum of means, each times a factor. */
enum { MAX_TERMS = 4 };
struct breakdown_sum {
    struct sample_stats of[MAX_TERMS];
    double times[MAX_TERMS];
    size_t count;
};

static void add(struct breakdown_sum *sum, const struct sample_stats *spread, double times)
{
    if (times == 0 || sum->count == MAX_TERMS)
        return;
    sum->of[sum->count] = *spread;
    sum->times[sum->count++] = times;
}

/* The standard error of a sum of independent means, and its degrees of freedom (Satterthwaite 1946). */
static struct breakdown_figure figure_of(const struct breakdown_sum *sum, breakdown_quantile *quantile)
{
    struct breakdown_figure figure = { .w = 0, .error_w = NAN, .freedom = NAN, .detectable_w = NAN, .percent = NAN };
    double variance = 0, weighted = 0, certain;

    for (size_t i = 0; i < sum->count; i++) {
        const struct sample_stats *of = &sum->of[i];
        const double square = sum->times[i] * sum->times[i] * of->deviation * of->deviation / (double)of->count;

        figure.w += sum->times[i] * of->mean;
        variance += of->count > 1 ? square : NAN;
        weighted += square * square / ((double)of->count - 1);
    }
    if (sum->count == 0)
        figure.w = NAN;
    if (isnan(figure.w) || isnan(variance))
        return figure;
    figure.error_w = sqrt(variance);
    if (variance == 0) {
        figure.detectable_w = 0;
        figure.reported = figure.w != 0;
        return figure;
    }
    figure.freedom = variance * variance / weighted;
    certain = quantile(0.5 + STATISTICS_CONFIDENCE / 2, figure.freedom) * figure.error_w;
    figure.reported = fabs(figure.w) > certain;
    figure.detectable_w = certain + quantile(STATISTICS_POWER, figure.freedom) * figure.error_w;
    return figure;
}

/* What is known of all loads. */
struct split {
    const struct breakdown_load *loads;
    size_t count;
    const enum quality *quality;
    bool memory, machine, gpu; /* known in every run */
};

static bool all_know(const struct breakdown_load *loads, size_t count, enum breakdown_domain domain)
{
    bool any = false;

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < loads[i].count; j++) {
            if (isnan(loads[i].runs[j].own_w[domain]))
                return false;
            any = true;
        }
    return any;
}

/* A point of the curve from busy CPUs to watts; load NULL: the origin, which is exact. */
struct point {
    const struct breakdown_load *load;
    double busy_cpus;
};

/* The cpu loads next to so many busy CPUs, below and above; where there is none above, the two before. */
static bool segment(const struct split *split, double busy_cpus, struct point *low, struct point *high)
{
    *low = *high = (struct point){ .load = NULL };
    while (!high->load || high->busy_cpus < busy_cpus) {
        struct point next = { .load = NULL, .busy_cpus = INFINITY };
        for (size_t i = 0; i < split->count; i++) {
            const double at = spread_over(&split->loads[i], run_cpus).mean;
            if (split->loads[i].kind == LOAD_CPU && at > high->busy_cpus && at < next.busy_cpus)
                next = (struct point){ .load = &split->loads[i], .busy_cpus = at };
        }
        if (!next.load)
            break;
        *low = *high;
        *high = next;
    }
    return high->load;
}

/* Adds what CPUs that are so busy draw by this value of the cpu loads, times a factor. False: no cpu load tells. */
static bool add_curve(const struct split *split, run_value *value, double busy_cpus, double times,
                      struct breakdown_sum *sum)
{
    struct sample_stats spread;
    struct point low, high;
    double at;

    if (isnan(busy_cpus) || !segment(split, busy_cpus, &low, &high))
        return false;
    at = (busy_cpus - low.busy_cpus) / (high.busy_cpus - low.busy_cpus);
    if (low.load) {
        spread = spread_over(low.load, value);
        add(sum, &spread, times * (1 - at));
    }
    spread = spread_over(high.load, value);
    add(sum, &spread, times * at);
    return true;
}

static struct breakdown_figure part_of_value(const struct breakdown_load *load, run_value *value,
                                             breakdown_quantile *quantile)
{
    const struct sample_stats spread = spread_over(load, value);
    struct breakdown_sum sum = { .count = 0 };

    add(&sum, &spread, 1);
    return figure_of(&sum, quantile);
}

/* The processors by the curve of a value over the cpu loads, and what is left of that value beside them. */
static bool breakdown_by_curve(const struct split *split, const struct breakdown_load *load, run_value *value,
                               breakdown_quantile *quantile, struct breakdown_figure *cpu,
                               struct breakdown_figure *left)
{
    const struct sample_stats spread = spread_over(load, value);
    const double busy_cpus = spread_over(load, run_cpus).mean;
    struct breakdown_sum curve = { .count = 0 }, difference = { .count = 0 };

    add(&difference, &spread, 1);
    if (!add_curve(split, value, busy_cpus, 1, &curve) || !add_curve(split, value, busy_cpus, -1, &difference))
        return false;
    /* no CPU was busy at all: exactly nothing */
    *cpu = figure_of(&curve, quantile);
    if (curve.count == 0)
        *cpu = (struct breakdown_figure){ .error_w = 0, .freedom = NAN };
    *left = figure_of(&difference, quantile);
    return true;
}

static bool is_disk(enum load_kind kind)
{
    return kind == LOAD_DISK_WRITE || kind == LOAD_DISK_READ;
}

/* With a meter of the memory. */
static void breakdown_measured(const struct split *split, const struct breakdown_load *load,
                               breakdown_quantile *quantile, struct breakdown_figure *parts)
{
    parts[PART_MEMORY] = part_of_value(load, run_memory, quantile);
    if (!is_disk(load->kind)) {
        parts[PART_CPU] = part_of_value(load, run_package, quantile);
        if (split->machine || split->gpu)
            parts[PART_REST] = part_of_value(load, run_concurrent, quantile);
    } else if (!breakdown_by_curve(split, load, run_but_memory, quantile, &parts[PART_CPU], &parts[PART_IO])) {
        parts[PART_REST] = part_of_value(load, run_but_memory, quantile);
    }
}

/* Without one: by comparison with the cpu loads. */
static void breakdown_compared(const struct split *split, const struct breakdown_load *load,
                               breakdown_quantile *quantile, struct breakdown_figure *parts)
{
    const enum power_part left = load->kind == LOAD_MEMORY ? PART_MEMORY : is_disk(load->kind) ? PART_IO : PART_REST;

    if (load->kind == LOAD_CPU)
        parts[PART_CPU] = part_of_value(load, run_own, quantile);
    else if (load->kind == LOAD_IDLE ||
             !breakdown_by_curve(split, load, run_own, quantile, &parts[PART_CPU], &parts[left]))
        parts[PART_REST] = part_of_value(load, run_own, quantile);
}

/* A modelled domain is in the figure. */
static bool is_assumed(const struct split *split, enum power_part part)
{
    const enum quality *quality = split->quality;

    if (split->machine && (!split->memory || part == PART_IDLE))
        return quality[BREAKDOWN_MACHINE] == QUALITY_MODELLED;
    if (split->memory && part == PART_MEMORY)
        return false;
    return quality[BREAKDOWN_PACKAGE] == QUALITY_MODELLED ||
           (split->machine && quality[BREAKDOWN_MACHINE] == QUALITY_MODELLED);
}

static void fill_row(const struct split *split, const struct breakdown_load *load, breakdown_quantile *quantile,
                     struct breakdown_row *row)
{
    const struct breakdown_figure unknown = { NAN, NAN, NAN, NAN, NAN, false, false };
    const enum power_part moved = load->kind == LOAD_MEMORY ? PART_MEMORY : PART_IO;

    *row = (struct breakdown_row){
        .kind = load->kind,
        .threads = load->threads,
        .total_gross_w = spread_over(load, run_gross).mean,
        .busy_cpus = spread_over(load, run_cpus).mean,
        .bytes_per_s = spread_over(load, run_bytes).mean,
        .j_per_gib = NAN,
    };
    for (size_t i = 0; i < POWER_PARTS; i++)
        row->parts[i] = unknown;
    row->parts[PART_IDLE] = part_of_value(load, run_idle, quantile);
    if (split->memory)
        breakdown_measured(split, load, quantile, row->parts);
    else
        breakdown_compared(split, load, quantile, row->parts);
    for (size_t i = 0; i < POWER_PARTS; i++) {
        row->parts[i].percent = row->parts[i].w / row->total_gross_w * 100;
        row->parts[i].assumed = !isnan(row->parts[i].w) && is_assumed(split, i);
    }
    if ((load->kind == LOAD_MEMORY || is_disk(load->kind)) && row->parts[moved].reported && row->bytes_per_s > 0)
        row->j_per_gib = row->parts[moved].w / (row->bytes_per_s / GIB_BYTES);
}

void breakdown_rows(const struct breakdown_load *loads, size_t count, const enum quality quality[BREAKDOWN_DOMAINS],
                    breakdown_quantile *quantile, struct breakdown_row *rows)
{
    /* a modelled memory draws the same whatever is done: it tells no more than none */
    const struct split split = {
        .loads = loads,
        .count = count,
        .quality = quality,
        .memory = all_know(loads, count, BREAKDOWN_MEMORY) && all_know(loads, count, BREAKDOWN_PACKAGE) &&
                  quality[BREAKDOWN_MEMORY] != QUALITY_MODELLED,
        .machine = all_know(loads, count, BREAKDOWN_MACHINE),
        .gpu = all_know(loads, count, BREAKDOWN_GPU),
    };

    for (size_t i = 0; i < count; i++)
        fill_row(&split, &loads[i], quantile, &rows[i]);
}

struct sample_stats breakdown_spread(const struct breakdown_load *load, enum breakdown_domain domain,
                                     enum breakdown_power power)
{
    double values[PROBE_MAX_RUNS];
    const size_t count = load->count < PROBE_MAX_RUNS ? load->count : PROBE_MAX_RUNS;

    for (size_t i = 0; i < count; i++) {
        const struct breakdown_run *run = &load->runs[i];
        values[i] = power == BREAKDOWN_GROSS ? run->gross_w[domain]
                    : power == BREAKDOWN_NET ? run->net_w[domain]
                                             : run->own_w[domain];
        if (isnan(values[i]))
            return sample_stats_of(NULL, 0);
    }
    return sample_stats_of(values, count);
}

enum power_part breakdown_largest(const struct breakdown_row *row)
{
    enum power_part largest = POWER_PARTS;

    for (enum power_part part = 0; part < POWER_PARTS; part++)
        if (!isnan(row->parts[part].w) && (largest == POWER_PARTS || row->parts[part].w > row->parts[largest].w))
            largest = part;
    return largest;
}
