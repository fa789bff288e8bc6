/* SPDX-License-Identifier: MIT
 * Which drivers are opened, and when each is read, over drivers that are made here. */
#include "meter/meter.h"
#include "unit.h"

#include "base/clock.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>

/* What a driver of this test finds, and how often it was asked. */
struct fake {
    struct domain domains[ENERGY_MAX_DOMAINS];
    size_t domain_count;
    bool refuses;
    enum error_kind kind; /* where it refuses */
    unsigned opened, read, closed;
    uint64_t energy_uj; /* that each domain tells */
    uint64_t takes_ns;
    int error;
};

static struct fake counter_fake, sensor_fake, plug_fake, model_fake;
static struct meter meter;
static struct error err;
static struct machine machine;
static struct root root = { .live = true };

static bool open_fake(struct energy_source *source, struct fake *fake, struct error *error)
{
    fake->opened++;
    source->domains = fake->domains;
    source->domain_count = fake->domain_count;
    source->state = fake;
    if (!fake->refuses)
        return true;
    error_set(error, fake->kind, "no %s here", source->driver->name);
    error_why(error, "the test says so");
    return error_fix(error, "ask the test");
}

static void read_fake(struct energy_source *source, struct reading *readings)
{
    struct fake *fake = source->state;
    const uint64_t begun_ns = clock_monotonic_ns();

    fake->read++;
    while (clock_monotonic_ns() < begun_ns + fake->takes_ns)
        ;
    for (size_t i = 0; i < source->domain_count; i++) {
        readings[i].energy_uj = fake->energy_uj;
        if (fake->error) /* they come zeroed */
            readings[i].error = fake->error;
    }
}

static void close_fake(struct energy_source *source)
{
    struct fake *fake = source->state;

    fake->closed++;
}

#define FAKE(name_, ...)                                                                                               \
    static bool open_##name_(struct energy_source *source, const struct root *of, const struct machine *on,            \
                             struct error *error)                                                                      \
    {                                                                                                                  \
        (void)of;                                                                                                      \
        (void)on;                                                                                                      \
        return open_fake(source, &name_##_fake, error);                                                                \
    }                                                                                                                  \
    static const struct energy_driver name_ = {                                                                        \
        .name = #name_, .open = open_##name_, .read = read_fake, .close = close_fake, __VA_ARGS__                      \
    }

FAKE(counter, .quality = QUALITY_MEASURED);
FAKE(sensor, .quality = QUALITY_MEASURED, .one_process = true);
FAKE(plug, .quality = QUALITY_MEASURED, .whole_machine_only = true);
FAKE(model, .quality = QUALITY_MODELLED);

/* In place of the program's own list. */
const struct energy_driver *const energy_drivers[] = { &counter, &sensor, &plug, &model, NULL };

static struct domain *find(struct fake *fake, enum component component)
{
    struct domain *domain = &fake->domains[fake->domain_count++];

    *domain = (struct domain){ .component = component, .package = -1, .die = -1 };
    snprintf(domain->name, sizeof domain->name, "domain-%zu", fake->domain_count);
    return domain;
}

static void begin(void)
{
    counter_fake = sensor_fake = plug_fake = model_fake = (struct fake){ .opened = 0 };
    machine = (struct machine){ .packages = 1 };
    err = (struct error){ .kind = ERROR_NONE };
    find(&model_fake, COMPONENT_PACKAGE);
}

/* A counter of the package, and a sensor of this. */
static void begin_with_sensor(enum component component)
{
    begin();
    find(&counter_fake, COMPONENT_PACKAGE);
    find(&sensor_fake, component);
}

static bool open_with(struct meter_options options)
{
    return meter_open(&meter, &root, &machine, &options, &err);
}

static bool open_all(void)
{
    return open_with((struct meter_options){ .only = NULL });
}

/* Where a counter measures the packages there is no model; where one is there and cannot be read, there is. */
START_TEST(a_model_is_opened_where_nothing_covers_the_processors)
{
    begin();
    find(&counter_fake, COMPONENT_PACKAGE);
    ck_assert(open_all());
    ck_assert_uint_eq(model_fake.opened, 0);
    ck_assert_uint_eq(meter.source_count, 2);
    ck_assert_uint_eq(meter.domain_count, 1);
    counter_fake.domains[0].problem.kind = ERROR_DENIED;
    ck_assert(open_all());
    ck_assert_uint_eq(model_fake.opened, 1);
    ck_assert_uint_eq(meter.source_count, 3);
    ck_assert_uint_eq(meter.domain_count, 2);
    ck_assert_ptr_eq(meter.domains[1].source, &meter.sources[2]);
    ck_assert(open_with((struct meter_options){ .whole_machine = true }));
    ck_assert_uint_eq(model_fake.opened, 2);
    ck_assert_uint_eq(plug_fake.opened, 1);
}
END_TEST

/* A meter of the machine covers processors that have no counter; not those whose counter is denied. */
START_TEST(a_meter_of_the_machine_is_as_good_where_there_is_no_counter)
{
    struct domain *package, *whole;

    begin();
    whole = find(&sensor_fake, COMPONENT_MACHINE);
    ck_assert(open_all());
    ck_assert_uint_eq(model_fake.opened, 0);
    whole->problem.kind = ERROR_DENIED; /* and then nothing is left */
    ck_assert(open_all());
    ck_assert_uint_eq(model_fake.opened, 1);
    whole->problem.kind = ERROR_NONE;
    package = find(&counter_fake, COMPONENT_PACKAGE);
    snprintf(package->not_counted, sizeof package->not_counted, "it does not move"); /* it is as if it were not there */
    ck_assert(open_all());
    ck_assert_uint_eq(model_fake.opened, 1);
    package->not_counted[0] = '\0';
    package->problem.kind = ERROR_DENIED;
    ck_assert(open_all());
    ck_assert_uint_eq(model_fake.opened, 2);
    whole->component = COMPONENT_GPU; /* a card covers no processor */
    counter_fake.domain_count = 0;
    ck_assert(open_all());
    ck_assert_uint_eq(model_fake.opened, 3);
}
END_TEST

START_TEST(no_model_where_none_is_wanted)
{
    begin();
    find(&sensor_fake, COMPONENT_GPU);
    ck_assert(open_with((struct meter_options){ .measured_only = true }));
    ck_assert_uint_eq(model_fake.opened, 0);
    ck_assert(open_with((struct meter_options){ .only = "sensor" }));
    ck_assert_uint_eq(model_fake.opened, 0);
    ck_assert_uint_eq(meter.source_count, 1);
    ck_assert_ptr_eq(meter.sources[0].driver, &sensor);
    ck_assert(open_with((struct meter_options){ .only = "model" }));
    ck_assert_uint_eq(model_fake.opened, 1);
    ck_assert(!open_with((struct meter_options){ .only = "model", .measured_only = true }));
    ck_assert_uint_eq(model_fake.opened, 1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
}
END_TEST

/* Cores, graphics and rails are parts of something larger; none of them makes a total. */
START_TEST(parts_alone_are_nothing_to_count)
{
    static const enum component parts[] = { COMPONENT_CORES, COMPONENT_UNCORE, COMPONENT_RAIL };

    for (size_t i = 0; i < 3; i++) {
        begin();
        find(&counter_fake, parts[i]);
        ck_assert(!open_with((struct meter_options){ .measured_only = true }));
        ck_assert_int_eq(err.kind, ERROR_ABSENT);
    }
    begin();
    find(&counter_fake, COMPONENT_CORES);
    find(&counter_fake, COMPONENT_MEMORY);
    ck_assert(open_with((struct meter_options){ .measured_only = true }));
    counter_fake.domains[1].problem.kind = ERROR_DENIED;
    ck_assert(!open_with((struct meter_options){ .measured_only = true }));
    counter_fake.domains[1].problem.kind = ERROR_NONE;
    snprintf(counter_fake.domains[1].not_counted, sizeof counter_fake.domains[1].not_counted, "a mirror");
    ck_assert(!open_with((struct meter_options){ .measured_only = true }));
    ck_assert_str_eq(err.why, "domain-2: a mirror");
}
END_TEST

static void refuse(struct fake *fake, enum error_kind kind)
{
    fake->refuses = true;
    fake->kind = kind;
    fake->domain_count = 0;
}

/* A driver that is denied goes before those that are absent, and its fix with it. */
START_TEST(what_cannot_be_read_is_told)
{
    begin();
    refuse(&counter_fake, ERROR_ABSENT);
    refuse(&sensor_fake, ERROR_DENIED);
    refuse(&model_fake, ERROR_SYSTEM);
    ck_assert(!open_all());
    ck_assert_uint_eq(meter.refusal_count, 3);
    ck_assert_ptr_eq(meter.refusals[1].driver, &sensor);
    ck_assert_int_eq(err.kind, ERROR_DENIED);
    ck_assert_str_eq(err.what, "no sensor here");
    ck_assert_str_eq(err.fix, "ask the test");
    ck_assert(!open_with((struct meter_options){ .measured_only = true }));
    ck_assert_str_eq(err.fix, "ask the test; or omit --require-measured to use the model");
    sensor_fake.kind = ERROR_ABSENT;
    ck_assert(!open_all());
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_str_eq(err.what, "no energy source on this machine, and no model of it");
    ck_assert_str_eq(err.why, "no model here");
    /* nor does a model that fails hide what is there and broken */
    error_set(&find(&counter_fake, COMPONENT_PACKAGE)->problem, ERROR_BAD_DATA, "the counter tells no number");
    ck_assert(!open_all());
    ck_assert_str_eq(err.why, "the counter tells no number; no model here");
    counter_fake.domain_count = 0;
    machine.guest = true;
    ck_assert(!open_with((struct meter_options){ .measured_only = true }));
    ck_assert_str_eq(err.what, "no energy source on this machine, which is a virtual machine");
    ck_assert_str_eq(err.why, "counter: no counter here; sensor: no sensor here");
    ck_assert(!open_with((struct meter_options){ .only = "sensor" }));
    ck_assert_str_eq(err.what, "no sensor here");
}
END_TEST

/* The first reading is taken when it is opened: totals begin there. */
START_TEST(totals_begin_at_the_opening)
{
    struct sample sample;

    begin_with_sensor(COMPONENT_MEMORY);
    counter_fake.energy_uj = 5000000;
    sensor_fake.energy_uj = 100;
    ck_assert(open_all());
    ck_assert_uint_eq(counter_fake.read, 1);
    counter_fake.energy_uj += 7;
    sensor_fake.energy_uj += 11;
    meter_sample(&meter, &sample);
    ck_assert_uint_eq(sample.energy_uj[0], 7);
    ck_assert_uint_eq(sample.energy_uj[1], 11);
    ck_assert(sample.read[0] && sample.read[1]);
    ck_assert_uint_eq(meter.domains[0].unwatched_ns + meter.domains[0].lost_ns, 0);
    counter_fake.energy_uj += 3;
    counter_fake.error = 5;
    meter_sample(&meter, &sample);
    ck_assert_uint_eq(sample.energy_uj[0], 7);
    ck_assert(!sample.read[0] && sample.read[1]);
    meter_close(&meter);
    ck_assert(counter_fake.closed == 1 && sensor_fake.closed == 1);
    ck_assert(meter.source_count == 0 && meter.domain_count == 0);
}
END_TEST

/* Its moment is half way through the reading. */
START_TEST(the_moment_of_a_sample)
{
    struct sample sample;
    uint64_t before_ns;

    begin();
    find(&counter_fake, COMPONENT_PACKAGE);
    ck_assert(open_all());
    counter_fake.takes_ns = 50000000;
    before_ns = clock_monotonic_ns();
    meter_sample(&meter, &sample);
    ck_assert_uint_ge(sample.span_ns, 50000000);
    ck_assert_uint_ge(sample.time_ns - sample.span_ns / 2, before_ns);
    ck_assert_uint_le(sample.time_ns + sample.span_ns / 2, clock_monotonic_ns());
    ck_assert_uint_eq(meter.domains[0].last_time_ns, sample.time_ns);
}
END_TEST

/* Of a source that refused nothing is read, and what comes after it keeps its place. */
START_TEST(a_source_that_refused_has_no_reading)
{
    struct sample sample;

    begin();
    find(&counter_fake, COMPONENT_MEMORY);
    counter_fake.refuses = true;
    counter_fake.kind = ERROR_SYSTEM;
    find(&sensor_fake, COMPONENT_PACKAGE);
    sensor_fake.energy_uj = 40;
    ck_assert(open_all());
    sensor_fake.energy_uj = 42;
    meter_sample(&meter, &sample);
    ck_assert_uint_eq(counter_fake.read, 0);
    ck_assert(!sample.read[0] && sample.read[1]);
    ck_assert_uint_eq(sample.energy_uj[0], 0);
    ck_assert_uint_eq(sample.energy_uj[1], 2);
}
END_TEST

/* There is room for so many domains; a source that has more of them than are left is not read. */
START_TEST(as_many_domains_as_there_is_room_for)
{
    struct sample sample;

    begin();
    find(&counter_fake, COMPONENT_PACKAGE);
    while (sensor_fake.domain_count < ENERGY_MAX_DOMAINS - 1)
        find(&sensor_fake, COMPONENT_RAIL);
    ck_assert(open_all());
    ck_assert_uint_eq(meter.domain_count, ENERGY_MAX_DOMAINS);
    sensor_fake.energy_uj = 5;
    meter_sample(&meter, &sample);
    ck_assert(sample.read[0] && sample.read[1] && sample.read[ENERGY_MAX_DOMAINS - 1]);
    ck_assert_uint_eq(sample.energy_uj[ENERGY_MAX_DOMAINS - 1], 5);
    find(&sensor_fake, COMPONENT_RAIL);
    ck_assert(open_all());
    ck_assert_uint_eq(meter.domain_count, ENERGY_MAX_DOMAINS);
    meter_sample(&meter, &sample);
    ck_assert(sample.read[0] && !sample.read[1] && !sample.read[ENERGY_MAX_DOMAINS - 1]);
}
END_TEST

/* In its turn, or up to an eighth of its time before it. A poll reads what is a sensor of power, and nothing else. */
START_TEST(each_source_is_polled_in_its_turn)
{
    const uint64_t hour_ns = 3600 * NS_PER_S_INT;

    begin();
    find(&counter_fake, COMPONENT_PACKAGE);
    find(&sensor_fake, COMPONENT_GPU)->poll_ns = hour_ns;
    find(&sensor_fake, COMPONENT_RAIL)->poll_ns = 2 * hour_ns;
    ck_assert(open_all());
    sensor_fake.energy_uj = 9;
    meter_poll(&meter);
    ck_assert_uint_eq(counter_fake.read, 1);
    ck_assert_uint_eq(sensor_fake.read, 2);
    ck_assert_uint_eq(meter.domains[0].total_uj, 0);
    ck_assert_uint_eq(meter.domains[1].total_uj, 9);
    ck_assert_uint_eq(meter.domains[2].total_uj, 9);
    ck_assert_uint_le(meter.next_poll_ns[1], clock_monotonic_ns() + hour_ns);
    ck_assert_uint_ge(meter.next_poll_ns[1], clock_monotonic_ns() + hour_ns - hour_ns / 60);
    meter_poll(&meter);
    ck_assert_uint_eq(sensor_fake.read, 2);
    meter.next_poll_ns[1] = clock_monotonic_ns() + hour_ns / 7;
    meter_poll(&meter);
    ck_assert_uint_eq(sensor_fake.read, 2);
    meter.next_poll_ns[1] = clock_monotonic_ns() + hour_ns * 2 / 17;
    meter_poll(&meter);
    ck_assert_uint_eq(sensor_fake.read, 3);
}
END_TEST

/* What holds a process's own counters is not read in a child. */
START_TEST(a_child_reads_what_is_not_its_parents_alone)
{
    struct sample sample;

    begin_with_sensor(COMPONENT_GPU);
    ck_assert(open_all());
    meter_forked(&meter, false);
    ck_assert(meter.opened[0] && !meter.opened[1]);
    ck_assert(meter.domains[0].started);
    ck_assert_uint_eq(meter.domains[0].lost, 0);
    counter_fake.energy_uj = 50;
    meter_forked(&meter, true);
    meter_sample(&meter, &sample);
    ck_assert_uint_eq(meter.domains[0].lost, 1);
    ck_assert_uint_eq(sample.energy_uj[0], 0);
    ck_assert_uint_gt(sample.unknown_ns[0], 0);
    ck_assert_uint_eq(sample.hole[0], HOLE_VANISHED);
    ck_assert_uint_eq(sensor_fake.read, 1);
    counter_fake.energy_uj = 57;
    meter_sample(&meter, &sample);
    ck_assert_uint_eq(sample.energy_uj[0], 7);
}
END_TEST

UNIT_SUITE("meter_open", a_model_is_opened_where_nothing_covers_the_processors,
           a_meter_of_the_machine_is_as_good_where_there_is_no_counter, no_model_where_none_is_wanted,
           parts_alone_are_nothing_to_count, what_cannot_be_read_is_told, totals_begin_at_the_opening,
           the_moment_of_a_sample, a_source_that_refused_has_no_reading, as_many_domains_as_there_is_room_for,
           each_source_is_polled_in_its_turn, a_child_reads_what_is_not_its_parents_alone)
