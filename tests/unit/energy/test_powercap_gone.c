/* SPDX-License-Identifier: MIT
 * Zones of powercap that vanish and come back while they are read. Files of a tree cannot fail as those of sysfs do, so
 * that pread is this test's own. */
#include "source_fixture.h"
#include "unit.h"

#include "base/clock.h"
#include "base/units.h"

#include <errno.h>

extern const struct energy_driver powercap_driver;

static const struct machine intel = { .cpu_vendor = "GenuineIntel", .packages = 2, .cpus_online = 2 };

/* So many reads of the file of this name fail with this number. */
static const char *failing = "nothing";
static unsigned faults;
static int fault;

ssize_t pread(int fd, void *buffer, size_t size, off_t at)
{
    char link[64], path[512];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    if (faults && strstr(path, failing)) {
        faults--;
        errno = fault;
        return -1;
    }
    return lseek(fd, at, SEEK_SET) < 0 ? -1 : read(fd, buffer, size);
}

static void break_reads(const char *name, int number, unsigned times)
{
    failing = name;
    fault = number;
    faults = times;
}

static void zone(const char *id, const char *name, const char *energy_uj)
{
    char path[256];

    snprintf(path, sizeof path, "sys/class/powercap/%s/name", id);
    tree_put(&tree, path, name);
    snprintf(path, sizeof path, "sys/class/powercap/%s/energy_uj", id);
    tree_put(&tree, path, energy_uj);
}

static void read_again(void)
{
    memset(readings, 0, sizeof readings);
    source.driver->read(&source, readings);
}

/* Two packages, and the memory of each. */
static void begin(void)
{
    faults = 0;
    tree_open(&tree);
    zone("intel-rapl:0", "package-0", "10");
    zone("intel-rapl:0:0", "dram", "11");
    zone("intel-rapl:1", "package-1", "20");
    zone("intel-rapl:1:0", "dram", "21");
    ck_assert(source_open(&powercap_driver, &intel));
    ck_assert_uint_eq(source.domain_count, 4);
    read_again();
}

static const struct reading *reading_of(const char *name)
{
    return &readings[index_of(name)];
}

static void expect(const char *name, uint64_t energy_uj, bool restarted)
{
    const struct reading *reading = reading_of(name);

    ck_assert_msg(reading->error == 0, "%s: %s", name, strerror(reading->error));
    ck_assert_uint_eq(reading->energy_uj, energy_uj);
    ck_assert(reading->restarted == restarted);
}

/* A driver's passing fault is EINVAL, and the second try tells. */
START_TEST(a_passing_fault_is_none)
{
    break_reads("intel-rapl:1/energy_uj", EINVAL, 1);
    read_again();
    expect("package-1", 20, false);
    expect("package-0", 10, false);
    /* also where it takes another opening of the same file */
    break_reads("intel-rapl:1/energy_uj", EINVAL, 2);
    read_again();
    expect("package-1", 20, false);
}
END_TEST

/* What was there under this id before may be another counter now. */
START_TEST(a_driver_that_was_loaded_anew)
{
    break_reads("intel-rapl:1/energy_uj", ENODEV, 1);
    read_again();
    expect("package-1", 20, true);
    expect("dram-1", 21, false);
    read_again();
    expect("package-1", 20, false);
}
END_TEST

/* Found by its name, not by its number; neither what is read another way nor another package's is it. */
START_TEST(a_zone_comes_back_under_another_id)
{
    static const int gone[] = { ENODEV, ENOENT, EINVAL };

    for (size_t i = 0; i < 3; i++) {
        close_all();
        begin();
        zone("intel-rapl-mmio:1", "package-1", "98");
        zone("intel-rapl:2", "package-2", "99");
        zone("intel-rapl:5", "package-1-die-1", "97");
        zone("intel-rapl:7", "package-1", "25");
        break_reads("intel-rapl:1/energy_uj", gone[i], 100);
        read_again();
        expect("package-1", 25, true);
        expect("package-0", 10, false);
        ck_assert_str_eq(domain_of("package-0")->path, "sys/class/powercap/intel-rapl:0");
        zone("intel-rapl:7", "package-1", "26");
        read_again();
        expect("package-1", 26, false);
    }
}
END_TEST

START_TEST(a_memory_is_that_of_its_package)
{
    zone("intel-rapl:7", "package-1", "25");
    zone("intel-rapl:7:3", "dram", "31");
    break_reads("intel-rapl:1:0/energy_uj", ENODEV, 100);
    read_again();
    expect("dram-1", 31, true);
    expect("dram-0", 11, false);
    expect("package-1", 20, false);
}
END_TEST

/* Looked for once a second, and found then. */
START_TEST(what_is_gone_is_looked_for_now_and_then)
{
    uint64_t begun_ns;

    break_reads("intel-rapl:1/energy_uj", ENODEV, 1000000000);
    begun_ns = clock_monotonic_ns();
    read_again();
    ck_assert_int_eq(reading_of("package-1")->error, ENODEV);
    expect("package-0", 10, false);
    zone("intel-rapl:7", "package-1", "25");
    do
        read_again();
    while (reading_of("package-1")->error == ENODEV);
    expect("package-1", 25, true);
    ck_assert_uint_ge(clock_monotonic_ns() - begun_ns, NS_PER_S_INT);
}
END_TEST

/* Of any other failure it is only told. */
START_TEST(what_fails_otherwise_is_not_gone)
{
    zone("intel-rapl:7", "package-1", "25");
    break_reads("intel-rapl:1/energy_uj", EIO, 100);
    read_again();
    ck_assert_int_eq(reading_of("package-1")->error, EIO);
    faults = 0;
    read_again();
    expect("package-1", 20, false);
}
END_TEST

UNIT_SUITE_IN("powercap_gone", begin, close_all, a_passing_fault_is_none, a_driver_that_was_loaded_anew,
              a_zone_comes_back_under_another_id, a_memory_is_that_of_its_package,
              what_is_gone_is_looked_for_now_and_then, what_fails_otherwise_is_not_gone)
