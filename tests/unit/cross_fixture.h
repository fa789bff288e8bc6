/* SPDX-License-Identifier: MIT
 * Meters put together here, windows of known energies, and what comes of holding the domains against one another. */
#ifndef TESTS_CROSS_FIXTURE_H
#define TESTS_CROSS_FIXTURE_H

#include "base/units.h"
#include "measurement/measurement.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static const struct energy_driver powercap = { .name = "powercap" }, perf = { .name = "perf" },
                                  hwmon = { .name = "hwmon" }, model = { .name = "model", .quality = QUALITY_MODELLED };

enum { WINDOWS = 64 };

/* Large, so one for all tests (each runs in a process of its own). */
static struct machine machine;
static struct root root = { .live = true };
static struct domain domains[ENERGY_MAX_DOMAINS];
static struct meter meter;
static struct counting counting;
static struct window windows[WINDOWS];
static struct measurement measurement;

static inline void begin(const char *vendor, int number)
{
    machine = (struct machine){ .cpu_family = 6, .cpu_number = number, .cpus_online = 8 };
    snprintf(machine.cpu_vendor, sizeof machine.cpu_vendor, "%s", vendor);
    notices_clear(&meter.findings);
    meter = (struct meter){ .root = &root, .machine = &machine };
    measurement = (struct measurement){ .meter = &meter, .counting = &counting, .baselines = windows };
}

static inline void begin_intel(void)
{
    begin("GenuineIntel", 94);
}

/* The next domain. Of those of powercap each stands elsewhere when it is first read, unless `stands` says where. */
static inline struct domain *add(const struct energy_driver *driver, enum component component, int package)
{
    const size_t i = meter.domain_count++;
    struct domain *domain = &domains[i];

    if (!meter.source_count || meter.sources[meter.source_count - 1].driver != driver)
        meter.sources[meter.source_count++] = (struct energy_source){ .driver = driver, .domains = domains };
    *domain = (struct domain){ .component = component,
                               .package = package,
                               .die = -1,
                               .resolution_uj = 61,
                               .update_ns = 1000000,
                               .quality = QUALITY_MEASURED,
                               .low_ratio = 1,
                               .high_ratio = 1 };
    domain->access = driver == &perf ? ACCESS_PERF : driver == &hwmon ? ACCESS_SENSOR : ACCESS_MSR;
    if (driver == &model) {
        domain->access = ACCESS_MODEL;
        domain->quality = QUALITY_MODELLED;
    }
    snprintf(domain->name, sizeof domain->name, "%s-%d", component_name(component), package);
    meter.domains[i] =
        (struct meter_domain){ .domain = domain, .source = &meter.sources[meter.source_count - 1], .started = true };
    meter.domains[i].last_raw_uj = (uint64_t)(i + 1) * UINT64_C(900000000);
    return domain;
}

static inline void add_all(const struct energy_driver *driver, int package, const enum component *components,
                           size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(driver, components[i], package);
}

/* One after the other: ADD(&powercap, 0, COMPONENT_PACKAGE, COMPONENT_CORES). */
#define ADD(driver, package, ...)                                                                                      \
    add_all(driver, package, (const enum component[]){ __VA_ARGS__ },                                                  \
            sizeof(const enum component[]){ __VA_ARGS__ } / sizeof(enum component))

/* A package's counter of each of so many packages. */
static inline __attribute__((unused)) void add_packages(const struct energy_driver *driver, int count)
{
    for (int package = 0; package < count; package++)
        add(driver, COMPONENT_PACKAGE, package);
}

/* What it stood at when the meter was opened. */
static inline void stands(size_t i, double energy_j)
{
    meter.domains[i].last_raw_uj = meter.domains[i].total_uj + (uint64_t)(energy_j * UJ_PER_J);
}

/* A window of so many seconds, with the joules of each domain. */
static inline struct window *step(double duration_s, const double *energies_j)
{
    struct window *window = &windows[measurement.baseline_count++];

    *window = (struct window){ .duration_ns = (uint64_t)(duration_s * NS_PER_S) };
    for (size_t i = 0; i < meter.domain_count; i++) {
        struct meter_domain *state = &meter.domains[i];
        window->energy_uj[i] = (uint64_t)(energies_j[i] * UJ_PER_J + 0.5);
        window->known[i] = 1;
        state->total_uj += window->energy_uj[i];
        state->last_raw_uj += window->energy_uj[i];
        state->moved |= window->energy_uj[i] > 0;
    }
    return window;
}

#define STEP(seconds, ...) step(seconds, (const double[]){ __VA_ARGS__ })

/* How many findings there are. */
static inline size_t check_scope(enum scope scope)
{
    AUTO_NOTICES struct notices ignored = { .count = 0 };

    (void)!scope_count(&meter, scope, &counting, &ignored, NULL);
    measurement_cross_check(&meter, &measurement, scope, &counting, &ignored);
    return meter.findings.count;
}

static inline size_t check(void)
{
    return check_scope(SCOPE_COMPUTE);
}

/* A window of so many seconds with these joules, of which nothing is found. */
#define AGREE(seconds, ...)                                                                                            \
    do {                                                                                                               \
        STEP(seconds, __VA_ARGS__);                                                                                    \
        ck_assert_uint_eq(check(), 0);                                                                                 \
    } while (0)

/* "101": which count. */
static inline void expect_counted(const char *expected)
{
    char counts[ENERGY_MAX_DOMAINS + 1] = "";

    for (size_t i = 0; i < meter.domain_count; i++)
        counts[i] = counting.is_counted[i] ? '1' : '0';
    ck_assert_str_eq(counts, expected);
}

/* "010": which have no figure since they are contradicted. */
static inline void expect_doubted(const char *expected)
{
    char doubted[ENERGY_MAX_DOMAINS + 1] = "";

    for (size_t i = 0; i < meter.domain_count; i++)
        doubted[i] = meter.domains[i].doubted ? '1' : '0';
    ck_assert_str_eq(doubted, expected);
}

/* There is one finding, which says that. */
static inline void expect(const char *what, const char *why)
{
    const size_t count = check();
    const struct notice *finding = meter.findings.item;

    ck_assert_uint_eq(count, 1);
    ck_assert_msg(strstr(finding->what, what) != NULL, "%s", finding->what);
    ck_assert_msg(strstr(finding->why, why) != NULL, "'%s' has not the reason '%s'", finding->what, why);
}

/* It leaves these without a figure. */
static inline void expect_doubt(const char *what, const char *why, const char *doubted)
{
    expect(what, why);
    expect_doubted(doubted);
}

#endif
