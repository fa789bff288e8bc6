/* SPDX-License-Identifier: MIT
 * Answers of the stats API: every recorded one by its expected figures, and constructed ones that are not as they
 * should be. */
#include "container/container_stats.h"

#include "base/csv.h"
#include "base/root.h"

#include "unit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 20 };

static char *read_whole(const char *folder, const char *name)
{
    char path[512], *text = malloc(MOST);
    size_t length;
    int fd;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    ck_assert_msg(fd >= 0, "%s", path);
    ck_assert(text && fd_read_up_to(fd, text, MOST - 1, &length));
    text[length] = '\0';
    close(fd);
    return text;
}

/* The answer with this number, from 1, of a text of several. */
static struct container_stats nth_of(const char *text, int which, const char *name)
{
    struct container_stats stats;
    struct error err;

    for (int i = 0; i < which; i++)
        ck_assert_msg(container_stats_parse(&text, &stats, &err), "%s: %s: %s", name, err.what, err.why);
    ck_assert_msg(!*text, "%s: more follows", name);
    return stats;
}

static void check_figure(const char *name, const char *what, const char *expected, struct stats_figure figure)
{
    char shown[32] = "";

    if (figure.known)
        snprintf(shown, sizeof shown, "%" PRIu64, figure.value);
    ck_assert_msg(strcmp(shown, expected) == 0, "%s: %s is '%s', not '%s'", name, what, shown, expected);
}

static void check_percent(const char *name, const char *expected, double percent)
{
    char *end;

    if (!*expected)
        ck_assert_msg(isnan(percent), "%s: %g %%", name, percent);
    else
        ck_assert_msg(fabs(percent - strtod(expected, &end)) < 0.00006, "%s: %g %%, not %s", name, percent, expected);
}

/* file,cpus,cpu_percent_of_host,cpu_percent_of_core,memory_usage_bytes,..._minus_inactive_file,memory_max_usage_bytes
 */
static void check_row(const char *folder, char *line)
{
    char *cells[7] = { line }, *which;
    struct container_stats stats;
    double percent;
    char *text;

    for (int i = 1; i < 7; i++) {
        cells[i] = strchr(cells[i - 1], ',');
        ck_assert(cells[i]);
        *cells[i]++ = '\0';
    }
    which = strchr(cells[0], '#');
    if (which)
        *which++ = '\0';
    text = read_whole(folder, cells[0]);
    stats = nth_of(text, which ? atoi(which) : 1, cells[0]);
    percent = stats_cpu_percent(stats.before_cpu_ns, stats.cpu_ns, stats.before_system_cpu_ns, stats.system_cpu_ns);
    check_percent(cells[0], cells[2], percent);
    check_percent(cells[0], cells[3], percent * stats.cpus);
    /* one that has stopped does not say how many there are */
    ck_assert_msg((int)stats.cpus == atoi(cells[1]) || (stats.cpus == 0 && !stats.cpu_ns.known), "%s: %u CPUs",
                  cells[0], stats.cpus);
    check_figure(cells[0], "memory", cells[4], stats.memory_bytes);
    check_figure(cells[0], "working set", cells[5], stats.working_set_bytes);
    check_figure(cells[0], "peak", cells[6], stats.memory_peak_bytes);
    free(text);
}

START_TEST(recorded_answers)
{
    const char *shared = unit_shared();
    char folder[400], *text, *rest, *line;
    int rows = 0;

    if (!shared) {
        puts("not tested with recorded answers, which are not there (CARBON_SHARED)");
        return;
    }
    snprintf(folder, sizeof folder, "%s/cases/ersilia", shared);
    text = rest = read_whole(folder, "expected.csv");
    strsep(&rest, "\n");
    while ((line = strsep(&rest, "\n")) && *line) {
        check_row(folder, line);
        rows++;
    }
    ck_assert_int_ge(rows, 10);
    free(text);
}
END_TEST

START_TEST(two_samples_of_ours)
{
    const char *shared = unit_shared();
    char folder[400], *one, *two;
    struct container_stats before, now;

    if (!shared)
        return;
    snprintf(folder, sizeof folder, "%s/cases/ersilia/docker-20.10", shared);
    one = read_whole(folder, "stats-burn-1.json");
    two = read_whole(folder, "stats-burn-2.json");
    before = nth_of(one, 1, "burn-1");
    now = nth_of(two, 1, "burn-2");
    /* the later one's own earlier sample is of another time, and the share the same within its noise */
    ck_assert_double_eq_tol(
        stats_cpu_percent(before.cpu_ns, now.cpu_ns, before.system_cpu_ns, now.system_cpu_ns),
        stats_cpu_percent(now.before_cpu_ns, now.cpu_ns, now.before_system_cpu_ns, now.system_cpu_ns), 5);
    free(one);
    free(two);
}
END_TEST

static struct container_stats parse(const char *text)
{
    return nth_of(text, 1, text);
}

static bool is(struct stats_figure figure, uint64_t value)
{
    return figure.known && figure.value == value;
}

START_TEST(numbers_of_any_form)
{
    struct container_stats stats =
        parse("{\"cpu_stats\":{\"cpu_usage\":{\"total_usage\":3.0881377e+14},"
              "\"system_cpu_usage\":1e15,\"online_cpus\":2.0},\"memory_stats\":{\"usage\":4.096E3}}");

    ck_assert(is(stats.cpu_ns, UINT64_C(308813770000000)));
    ck_assert(is(stats.system_cpu_ns, UINT64_C(1000000000000000)));
    ck_assert(is(stats.memory_bytes, 4096) && is(stats.working_set_bytes, 4096));
    ck_assert_uint_eq(stats.cpus, 2);
    stats = parse(
        "{\"cpu_stats\":{\"cpu_usage\":{\"total_usage\":-1}},\"memory_stats\":{\"usage\":1e400,\"limit\":\"5\"}}");
    ck_assert(!stats.cpu_ns.known && !stats.memory_bytes.known && !stats.memory_limit_bytes.known);
    stats = parse("{\"cpu_stats\":{\"cpu_usage\":{\"total_usage\":18446744073709551615}},\"memory_stats\":{}}");
    ck_assert(!stats.cpu_ns.known); /* 2^64 as a double */
}
END_TEST

START_TEST(no_limit_is_unknown)
{
    static const char *const none[] = { "18446744073709551615", "1.844674407371e+19", "9223372036854771712", "0",
                                        "null" };
    char text[200];

    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        snprintf(text, sizeof text, "{\"memory_stats\":{\"usage\":5,\"limit\":%s}}", none[i]);
        ck_assert_msg(!parse(text).memory_limit_bytes.known, "%s", none[i]);
    }
    ck_assert(is(parse("{\"memory_stats\":{\"usage\":5,\"limit\":268435456}}").memory_limit_bytes, 268435456));
}
END_TEST

START_TEST(working_set)
{
    /* version 1 tells the group alone, and with those below it; version 2 the latter under the former's name */
    ck_assert(is(parse("{\"memory_stats\":{\"usage\":100,\"stats\":{\"inactive_file\":10,\"total_inactive_file\":30}}}")
                     .working_set_bytes,
                 70));
    ck_assert(is(parse("{\"memory_stats\":{\"usage\":100,\"stats\":{\"inactive_file\":10}}}").working_set_bytes, 90));
    ck_assert(is(parse("{\"memory_stats\":{\"usage\":100,\"stats\":{\"inactive_file\":101}}}").working_set_bytes, 0));
    ck_assert(is(parse("{\"memory_stats\":{\"usage\":100,\"stats\":null}}").working_set_bytes, 100));
    ck_assert(!parse("{\"memory_stats\":{\"stats\":{\"inactive_file\":10}}}").working_set_bytes.known);
}
END_TEST

START_TEST(what_is_not_there_is_unknown)
{
    static const char *const empty[] = {
        "{\"cpu_stats\":{},\"memory_stats\":{}}",
        "{\"cpu_stats\":{\"cpu_usage\":null,\"system_cpu_usage\":null},\"memory_stats\":{},\"networks\":null,"
        "\"blkio_stats\":{\"io_service_bytes_recursive\":null}}",
        "{\"cpu_stats\":{\"cpu_usage\":[1,2],\"system_cpu_usage\":\"9\"},\"memory_stats\":{\"usage\":true},"
        "\"networks\":[],\"blkio_stats\":[1]}",
        /* stopped: zeros that nobody counted */
        "{\"cpu_stats\":{\"cpu_usage\":{\"total_usage\":0,\"usage_in_kernelmode\":0,\"usage_in_usermode\":0}},"
        "\"precpu_stats\":{\"cpu_usage\":{\"total_usage\":0}},\"memory_stats\":{}}",
        /* podman without root, without a group: the machine's own figures beside a zero */
        "{\"cpu_stats\":{\"cpu_usage\":{\"total_usage\":0,\"usage_in_kernelmode\":0,\"usage_in_usermode\":0},"
        "\"system_cpu_usage\":123456789,\"online_cpus\":2},\"memory_stats\":{\"usage\":621838336,\"max_usage\":0,"
        "\"limit\":8000000000},\"networks\":{\"eth0\":{\"rx_bytes\":0,\"tx_bytes\":0}}}",
    };

    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++) {
        const struct container_stats stats = parse(empty[i]);
        ck_assert_msg(!stats.cpu_ns.known && !stats.system_cpu_ns.known && !stats.user_ns.known &&
                          !stats.system_ns.known && !stats.memory_bytes.known && !stats.working_set_bytes.known &&
                          !stats.memory_peak_bytes.known && !stats.memory_limit_bytes.known &&
                          !stats.received_bytes.known && !stats.sent_bytes.known && !stats.read_bytes.known &&
                          !stats.written_bytes.known && !stats.before_cpu_ns.known && stats.cpus == 0,
                      "%s", empty[i]);
    }
}
END_TEST

START_TEST(networks_and_devices)
{
    const struct container_stats stats = parse(
        "{\"cpu_stats\":{},\"networks\":{\"eth0\":{\"rx_bytes\":1,\"tx_bytes\":20},\"eth1\":{\"rx_bytes\":300,\"tx_"
        "bytes\":4000}},"
        "\"blkio_stats\":{\"io_service_bytes_recursive\":[{\"op\":\"Read\",\"value\":1},{\"op\":\"read\",\"value\":2},"
        "{\"op\":\"Write\",\"value\":5},{\"op\":\"Total\",\"value\":99},{\"op\":\"rios\",\"value\":77},{\"op\":"
        "\"Write\"},7]}}");

    ck_assert(is(stats.received_bytes, 301) && is(stats.sent_bytes, 4020));
    ck_assert(is(stats.read_bytes, 3) && is(stats.written_bytes, 5));
    ck_assert(is(parse("{\"cpu_stats\":{},\"network\":{\"rx_bytes\":567224,\"tx_bytes\":0}}").sent_bytes, 0));
}
END_TEST

START_TEST(percent)
{
    const struct stats_figure unknown = { false, 0 }, a = { true, 100 }, b = { true, 150 }, c = { true, 1100 };

    ck_assert_double_eq_tol(stats_cpu_percent(a, b, a, c), 5, 1e-12);
    ck_assert_double_eq_tol(stats_cpu_percent(a, a, a, c), 0, 1e-12);
    ck_assert(isnan(stats_cpu_percent(unknown, b, a, c)) && isnan(stats_cpu_percent(a, unknown, a, c)));
    ck_assert(isnan(stats_cpu_percent(a, b, unknown, c)) && isnan(stats_cpu_percent(a, b, a, unknown)));
    ck_assert(isnan(stats_cpu_percent(a, b, c, c)) && isnan(stats_cpu_percent(a, b, c, a)));
    ck_assert(isnan(stats_cpu_percent(b, a, a, c))); /* it has been started anew */
}
END_TEST

START_TEST(several_in_one_text)
{
    const char *text =
        "{\"memory_stats\":{\"usage\":1}}{\"memory_stats\":{\"usage\":2}} \r\n\t{\"memory_stats\":{\"usage\":3}}\n";
    struct container_stats stats;
    struct error err;

    for (uint64_t i = 1; i <= 3; i++) {
        ck_assert(*text && container_stats_parse(&text, &stats, &err));
        ck_assert(is(stats.memory_bytes, i));
    }
    ck_assert_str_eq(text, "");
    ck_assert(!container_stats_parse(&text, &stats, &err));
    ck_assert_str_eq(err.why, "it is empty");
}
END_TEST

static void refused(const char *text, const char *why)
{
    const char *rest = text;
    struct container_stats stats;
    struct error err = { .kind = ERROR_NONE };

    ck_assert_msg(!container_stats_parse(&rest, &stats, &err), "%s", text);
    ck_assert_msg(err.kind == ERROR_BAD_DATA && strstr(err.why, why), "%s: %s", text, err.why);
}

START_TEST(no_answers)
{
    static const char *const without_figures[] = { "{}", "[]", "7", "null", "{\"cpu_stats\":5}" };

    for (size_t i = 0; i < sizeof without_figures / sizeof without_figures[0]; i++)
        refused(without_figures[i], "it has neither CPU nor memory");
    refused("{\"message\":\"No such container: nosuch\"}", "it says: No such container: nosuch");
    refused("{\"cpu_stats\":{\"cpu_usage\":{\"total_us", "the file is truncated");
    refused("page not found", "malformed");
    refused("", "it is empty");
}
END_TEST

UNIT_SUITE("container_stats", recorded_answers, two_samples_of_ours, numbers_of_any_form, no_limit_is_unknown,
           working_set, what_is_not_there_is_unknown, networks_and_devices, percent, several_in_one_text, no_answers)
