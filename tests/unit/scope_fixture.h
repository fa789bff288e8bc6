/* SPDX-License-Identifier: MIT
 * Meters put together here, and what of them is counted. */
#ifndef TESTS_SCOPE_FIXTURE_H
#define TESTS_SCOPE_FIXTURE_H

#include "meter/scope.h"

#include "noticed.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static const struct energy_driver powercap = { .name = "powercap" }, perf = { .name = "perf" },
                                  hwmon = { .name = "hwmon" }, nvml = { .name = "nvml" },
                                  model = { .name = "model", .quality = QUALITY_MODELLED };

/* A meter of up to three sources; large, so one for all tests (each runs in a process of its own). */
static struct meter meter;
static struct machine machine;
static struct root root = { .live = true };
static struct domain domains[ENERGY_MAX_DOMAINS];
static struct counting counting;
static struct notices notices;
static struct error err;

static inline void begin(const char *vendor, int packages)
{
    machine = (struct machine){ .packages = packages, .cpu_limit = packages };
    snprintf(machine.cpu_vendor, sizeof machine.cpu_vendor, "%s", vendor);
    for (int cpu = 0; cpu < packages; cpu++)
        machine.package_of[cpu] = (int16_t)cpu;
    meter = (struct meter){ .root = &root, .machine = &machine };
    notices_clear(&notices);
    err = (struct error){ .kind = ERROR_NONE };
}

/* The next domain, of a source after or the same as that of the last. */
static inline struct domain *add(const struct energy_driver *driver, const char *name, enum component component,
                                 enum access access, int package, int die)
{
    struct domain *domain = &domains[meter.domain_count];

    if (!meter.source_count || meter.sources[meter.source_count - 1].driver != driver)
        meter.sources[meter.source_count++].driver = driver;
    *domain = (struct domain){ .component = component,
                               .access = access,
                               .package = package,
                               .die = die,
                               .quality = driver == &model ? QUALITY_MODELLED : QUALITY_MEASURED };
    snprintf(domain->name, sizeof domain->name, "%s", name);
    meter.domains[meter.domain_count++] =
        (struct meter_domain){ .domain = domain, .source = &meter.sources[meter.source_count - 1] };
    return domain;
}

static inline struct domain *add_package(const struct energy_driver *driver, int package, int die)
{
    return add(driver, driver == &perf ? "package (perf)" : "package", COMPONENT_PACKAGE,
               driver == &perf ? ACCESS_PERF : ACCESS_MSR, package, die);
}

struct place {
    int package, die;
};

/* PACKAGES(&powercap, { 0, -1 }, { 1, -1 }): package and die of each. */
#define PACKAGES(driver, ...)                                                                                          \
    for (const struct place *place = (const struct place[]){ __VA_ARGS__, { -2, -2 } }; place->package > -2; place++)  \
    add_package(driver, place->package, place->die)

static inline struct domain *add_sensor(const struct energy_driver *driver, enum component component, int package)
{
    return add(driver, component_name(component), component, ACCESS_SENSOR, package, -1);
}

static inline struct domain *add_model(enum component component)
{
    return add(&model, component_name(component), component, ACCESS_MODEL, -1, -1);
}

static inline struct domain *deny(struct domain *domain)
{
    error_set(&domain->problem, ERROR_DENIED, "cannot read '%s'", domain->name);
    error_why(&domain->problem, "permission denied");
    error_fix(&domain->problem, "run carbon as root");
    return domain;
}

static inline bool count(enum scope scope)
{
    return scope_count(&meter, scope, &counting, &notices, &err);
}

/* "10w": counted, not counted, would count. */
static inline void expect(const char *marks)
{
    ck_assert_uint_eq(strlen(marks), meter.domain_count);
    for (size_t i = 0; i < meter.domain_count; i++) {
        const char mark = counting.is_counted[i] ? '1' : counting.eligible[i] ? 'w' : '0';
        ck_assert_msg(mark == marks[i], "domain %zu (%s): %c, not %c: %s", i, domains[i].name, mark, marks[i],
                      counting.reason[i]);
        ck_assert_str_ne(counting.reason[i], "");
    }
}

static inline void expect_reason(size_t index, const char *part)
{
    ck_assert_msg(strstr(counting.reason[index], part) != NULL, "'%s' is not in '%s'", part, counting.reason[index]);
}

static inline bool has_notice(const char *words)
{
    return notices_have(&notices, words);
}

#endif
