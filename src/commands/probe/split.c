/* SPDX-License-Identifier: MIT
 * The rules of docs/METHOD.md, "What draws how much". */
#include "commands/probe/split.h"

#include "base/units.h"
#include "commands/probe/probe_plan.h"

#include <math.h>

const char *split_part_name(enum split_part part)
{
    static const char *const names[SPLIT_PARTS] = { "idle", "cpu", "memory", "io", "rest" };

    return part < SPLIT_PARTS ? names[part] : "unknown";
}

/* One number of each run. */
typedef double run_value(const struct split_run *run);

static double or_nothing(double w)
{
    return isnan(w) ? 0 : w;
}

static double total_of(const double w[SPLIT_DOMAINS])
{
    if (!isnan(w[SPLIT_MACHINE]))
        return w[SPLIT_MACHINE];
    return w[SPLIT_PACKAGE] + or_nothing(w[SPLIT_MEMORY]) + or_nothing(w[SPLIT_GPU]);
}

static double run_gross(const struct split_run *run)
{
    return total_of(run->gross_w);
}

static double run_own(const struct split_run *run)
{
    return total_of(run->own_w);
}

static double run_idle(const struct split_run *run)
{
    return run_gross(run) - run_own(run);
}

static double run_package(const struct split_run *run)
{
    return run->own_w[SPLIT_PACKAGE];
}

static double run_memory(const struct split_run *run)
{
    return run->own_w[SPLIT_MEMORY];
}

/* Beside packages and memory, where both are measured. */
static double run_beside(const struct split_run *run)
{
    return run_own(run) - run->own_w[SPLIT_PACKAGE] - run->own_w[SPLIT_MEMORY];
}

static double run_but_memory(const struct split_run *run)
{
    return run_own(run) - run->own_w[SPLIT_MEMORY];
}

static double run_cpus(const struct split_run *run)
{
    return run->busy_cpus;
}

static double run_bytes(const struct split_run *run)
{
    return run->bytes_per_s;
}

/* Unknown where any run does not know it. */
static struct spread spread_over(const struct split_load *load, run_value *value)
{
    double values[PROBE_MAX_RUNS];
    const size_t count = load->count < PROBE_MAX_RUNS ? load->count : PROBE_MAX_RUNS;

    for (size_t i = 0; i < count; i++) {
        values[i] = value(&load->runs[i]);
        if (isnan(values[i]))
            return spread_of(NULL, 0);
    }
    return spread_of(values, count);
}

/* A sum of means, each times a factor. */
enum { MAX_TERMS = 4 };
struct sum {
    struct spread of[MAX_TERMS];
    double times[MAX_TERMS];
    size_t count;
};

static void add(struct sum *sum, const struct spread *spread, double times)
{
    if (times == 0 || sum->count == MAX_TERMS)
        return;
    sum->of[sum->count] = *spread;
    sum->times[sum->count++] = times;
}

/* The standard error of a sum of independent means, and its degrees of freedom (Satterthwaite 1946). */
static struct split_figure figure_of(const struct sum *sum, split_quantile *quantile)
{
    struct split_figure figure = { .w = 0, .error_w = NAN, .freedom = NAN, .detectable_w = NAN, .percent = NAN };
    double variance = 0, weighted = 0, certain;

    for (size_t i = 0; i < sum->count; i++) {
        const struct spread *of = &sum->of[i];
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
        figure.told = figure.w != 0;
        return figure;
    }
    figure.freedom = variance * variance / weighted;
    certain = quantile(0.5 + STATISTICS_CONFIDENCE / 2, figure.freedom) * figure.error_w;
    figure.told = fabs(figure.w) > certain;
    figure.detectable_w = certain + quantile(STATISTICS_POWER, figure.freedom) * figure.error_w;
    return figure;
}

/* What is known of all loads. */
struct split {
    const struct split_load *loads;
    size_t count;
    const enum quality *quality;
    bool memory, machine, gpu; /* known in every run */
};

static bool all_know(const struct split_load *loads, size_t count, enum split_domain domain)
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
    const struct split_load *load;
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
static bool add_curve(const struct split *split, run_value *value, double busy_cpus, double times, struct sum *sum)
{
    struct spread spread;
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

static struct split_figure part_of_value(const struct split_load *load, run_value *value, split_quantile *quantile)
{
    const struct spread spread = spread_over(load, value);
    struct sum sum = { .count = 0 };

    add(&sum, &spread, 1);
    return figure_of(&sum, quantile);
}

/* The processors by the curve of a value over the cpu loads, and what is left of that value beside them. */
static bool split_by_curve(const struct split *split, const struct split_load *load, run_value *value,
                           split_quantile *quantile, struct split_figure *cpu, struct split_figure *left)
{
    const struct spread spread = spread_over(load, value);
    const double busy_cpus = spread_over(load, run_cpus).mean;
    struct sum curve = { .count = 0 }, difference = { .count = 0 };

    add(&difference, &spread, 1);
    if (!add_curve(split, value, busy_cpus, 1, &curve) || !add_curve(split, value, busy_cpus, -1, &difference))
        return false;
    /* no CPU was busy at all: exactly nothing */
    *cpu = figure_of(&curve, quantile);
    if (curve.count == 0)
        *cpu = (struct split_figure){ .error_w = 0, .freedom = NAN };
    *left = figure_of(&difference, quantile);
    return true;
}

static bool is_disk(enum load_kind kind)
{
    return kind == LOAD_DISK_WRITE || kind == LOAD_DISK_READ;
}

/* With a meter of the memory. */
static void split_measured(const struct split *split, const struct split_load *load, split_quantile *quantile,
                           struct split_figure *parts)
{
    parts[PART_MEMORY] = part_of_value(load, run_memory, quantile);
    if (!is_disk(load->kind)) {
        parts[PART_CPU] = part_of_value(load, run_package, quantile);
        if (split->machine || split->gpu)
            parts[PART_REST] = part_of_value(load, run_beside, quantile);
    } else if (!split_by_curve(split, load, run_but_memory, quantile, &parts[PART_CPU], &parts[PART_IO])) {
        parts[PART_REST] = part_of_value(load, run_but_memory, quantile);
    }
}

/* Without one: by comparison with the cpu loads. */
static void split_compared(const struct split *split, const struct split_load *load, split_quantile *quantile,
                           struct split_figure *parts)
{
    const enum split_part left = load->kind == LOAD_MEMORY ? PART_MEMORY : is_disk(load->kind) ? PART_IO : PART_REST;

    if (load->kind == LOAD_CPU)
        parts[PART_CPU] = part_of_value(load, run_own, quantile);
    else if (load->kind == LOAD_IDLE || !split_by_curve(split, load, run_own, quantile, &parts[PART_CPU], &parts[left]))
        parts[PART_REST] = part_of_value(load, run_own, quantile);
}

/* A modelled domain is in the figure. */
static bool is_assumed(const struct split *split, enum split_part part)
{
    const enum quality *quality = split->quality;

    if (split->machine && (!split->memory || part == PART_IDLE))
        return quality[SPLIT_MACHINE] == QUALITY_MODELLED;
    if (split->memory && part == PART_MEMORY)
        return false;
    return quality[SPLIT_PACKAGE] == QUALITY_MODELLED || (split->machine && quality[SPLIT_MACHINE] == QUALITY_MODELLED);
}

static void fill_row(const struct split *split, const struct split_load *load, split_quantile *quantile,
                     struct split_row *row)
{
    const struct split_figure unknown = { NAN, NAN, NAN, NAN, NAN, false, false };
    const enum split_part moved = load->kind == LOAD_MEMORY ? PART_MEMORY : PART_IO;

    *row = (struct split_row){
        .kind = load->kind,
        .threads = load->threads,
        .total_gross_w = spread_over(load, run_gross).mean,
        .busy_cpus = spread_over(load, run_cpus).mean,
        .bytes_per_s = spread_over(load, run_bytes).mean,
        .j_per_gib = NAN,
    };
    for (size_t i = 0; i < SPLIT_PARTS; i++)
        row->parts[i] = unknown;
    row->parts[PART_IDLE] = part_of_value(load, run_idle, quantile);
    if (split->memory)
        split_measured(split, load, quantile, row->parts);
    else
        split_compared(split, load, quantile, row->parts);
    for (size_t i = 0; i < SPLIT_PARTS; i++) {
        row->parts[i].percent = row->parts[i].w / row->total_gross_w * 100;
        row->parts[i].assumed = !isnan(row->parts[i].w) && is_assumed(split, i);
    }
    if ((load->kind == LOAD_MEMORY || is_disk(load->kind)) && row->parts[moved].told && row->bytes_per_s > 0)
        row->j_per_gib = row->parts[moved].w / (row->bytes_per_s / GIB_BYTES);
}

void split_rows(const struct split_load *loads, size_t count, const enum quality quality[SPLIT_DOMAINS],
                split_quantile *quantile, struct split_row *rows)
{
    /* a modelled memory draws the same whatever is done: it tells no more than none */
    const struct split split = {
        .loads = loads,
        .count = count,
        .quality = quality,
        .memory = all_know(loads, count, SPLIT_MEMORY) && all_know(loads, count, SPLIT_PACKAGE) &&
                  quality[SPLIT_MEMORY] != QUALITY_MODELLED,
        .machine = all_know(loads, count, SPLIT_MACHINE),
        .gpu = all_know(loads, count, SPLIT_GPU),
    };

    for (size_t i = 0; i < count; i++)
        fill_row(&split, &loads[i], quantile, &rows[i]);
}

struct spread split_spread(const struct split_load *load, enum split_domain domain, enum split_power power)
{
    double values[PROBE_MAX_RUNS];
    const size_t count = load->count < PROBE_MAX_RUNS ? load->count : PROBE_MAX_RUNS;

    for (size_t i = 0; i < count; i++) {
        const struct split_run *run = &load->runs[i];
        values[i] = power == SPLIT_GROSS ? run->gross_w[domain]
                    : power == SPLIT_NET ? run->net_w[domain]
                                         : run->own_w[domain];
        if (isnan(values[i]))
            return spread_of(NULL, 0);
    }
    return spread_of(values, count);
}

enum split_part split_largest(const struct split_row *row)
{
    enum split_part largest = SPLIT_PARTS;

    for (enum split_part part = 0; part < SPLIT_PARTS; part++)
        if (!isnan(row->parts[part].w) && (largest == SPLIT_PARTS || row->parts[part].w > row->parts[largest].w))
            largest = part;
    return largest;
}
