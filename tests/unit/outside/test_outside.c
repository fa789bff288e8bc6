/* SPDX-License-Identifier: MIT
 * Meters of the configuration file: how they are written, what their answers say, and that nothing waits for them. */
#include "outside/outside.h"
#include "tree.h"
#include "unit.h"

#include "base/clock.h"
#include "base/units.h"
#include "meter/meter.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>

static const char path[] = "config";
static struct named_meters *meters;
static struct error err;

static bool take(const struct ini_entry *entry, void *context, struct error *error)
{
    (void)context;
    return outside_take(&meters, entry, path, error);
}

static bool read_config(const char *content)
{
    static const struct ini_form form = { .fix = "write 'name = value'" };

    meters = NULL;
    err = (struct error){ .kind = ERROR_NONE };
    return ini_read(path, content, &form, take, NULL, &err) && outside_finish(meters, path, &err);
}

START_TEST(sections_that_name_meters)
{
    ck_assert(outside_is_meter("meter wall"));
    ck_assert(outside_is_meter("meter"));
    ck_assert(!outside_is_meter("measure"));
    ck_assert(!outside_is_meter("meters"));
}
END_TEST

START_TEST(all_that_a_meter_has)
{
    const struct outside_meter *meter;

    ck_assert_msg(
        read_config("[meter wall]\nurl = http://10.0.0.7/status?x=1\nunit = W ; at the plug\nfield = a.b ; as it says\n"
                    "[meter host]\nfile = /run/energy\nunit = uJ\nevery = 0.25s\ncovers = package\npart = yes\n"),
        "%s: %s", err.what, err.fix);
    ck_assert_uint_eq(meters->count, 2);
    meter = (const struct outside_meter *)meters->items[0];
    ck_assert_str_eq(meter->named.name, "wall");
    ck_assert_str_eq(meter->named.how, "http://10.0.0.7");
    ck_assert_int_eq(meter->named.covers, COMPONENT_MACHINE);
    ck_assert(!meter->named.counts && !meter->named.part);
    ck_assert_double_eq(meter->named.micro, 1e6);
    ck_assert_uint_eq(meter->named.question.every_ns, NS_PER_S_INT);
    meter = (const struct outside_meter *)meters->items[1];
    ck_assert_str_eq(meter->named.how, "file /run/energy");
    ck_assert_int_eq(meter->named.covers, COMPONENT_PACKAGE);
    ck_assert(meter->named.counts && meter->named.part);
    ck_assert_double_eq(meter->named.micro, 1);
    ck_assert_uint_eq(meter->named.question.every_ns, NS_PER_S_INT / 4);
    outside_close(meters);
}
END_TEST

#define ASKED "[meter a]\ncommand = x\n"

START_TEST(mistakes_are_told_with_their_line)
{
    static const struct {
        const char *content;
        const char *what, *fix; /* of the error */
    } cases[] = {
        { "[meter]\n", "'config' line 1: this names no meter: 'meter'", "[meter NAME]" },
        { "[meter a b]\n", "line 1: this names no meter: 'meter a b'", "[meter NAME]" },
        { ASKED "unit = W\n[meter a]\n", "line 4: there is another meter 'a'", "a name of its own" },
        { ASKED "unit = Watt\n", "line 3: not a unit of a meter: 'Watt'", "one of W, mW" },
        { ASKED "unit = w\n", "line 3: not a unit of a meter: 'w'", "one of W, mW" },
        { ASKED, "line 1: meter 'a' has no unit", "unit = W" },
        { "[meter a]\nunit = W\n", "line 1: meter 'a' cannot be asked: nothing says how", "one of file" },
        { ASKED "unit = W\nfile = /x\n", "line 1: meter 'a' is asked in more than one way", "one of file" },
        { "[meter a]\nfile = x\nunit = W\n", "line 1: meter 'a' has a file whose path does not begin", "file = /" },
        { ASKED "unit = W\nevery = 0.05s\n", "line 4: no meter is asked every '0.05s'", "from 0.1 s to 1 h" },
        { ASKED "unit = W\nevery = soon\n", "line 4: no meter is asked every 'soon'", "from 0.1 s to 1 h" },
        { ASKED "unit = W\nevery = 2h\n", "line 4: no meter is asked every '2h'", "from 0.1 s to 1 h" },
        { ASKED "covers = cpu\n", "line 3: no meter covers a 'cpu'", "one of machine" },
        { ASKED "part = 1\n", "line 3: this is neither yes nor no: '1'", "part = yes" },
        { ASKED "colour = red\n", "line 3: a meter has no 'colour'", "it has file" },
        { "[meter a]\ncommand = x ; y\n", "line 2: text after ' ;' is a comment, not part of 'x'", "script" },
        { "[meter a]\ncommand =\n", "line 2: not a value: ''", "command =" },
        { ASKED "unit = W\ntoken-file = /t\n", "line 1: meter 'a' has a key or certificate, and no address", "url" },
        { "[meter a]\nredfish = https://bmc\nunit = W\n", "line 1: meter 'a' has a unit or a field", "take that" },
        { ASKED "unit = W\nchassis = 1\n", "line 1: meter 'a' has a chassis, and is not asked", "take that" },
        { "[meter a]\nredfish = https://u:secret@bmc\n", "line 1: meter 'a' has a password in its", "login-file" },
        { "[meter a]\nredfish = http://10.0.0.7\nlogin-file = /l\n", "line 1: meter 'a' would get its key without TLS",
          "https://" },
        { "[meter a]\nunit = W\nurl = ftp://h/\n", "line 1: meter 'a' has an address that cannot be asked", "http" },
        { "[meter a]\nunit = W\nurl = http://u:secret@h/\n", "line 1: meter 'a' has a password in its address",
          "login-file" },
        { "[meter a]\nunit = W\nurl = http://10.0.0.7/\ntoken-file = /t\n",
          "line 1: meter 'a' would get its key without TLS", "insecure-http = yes" },
        { "[meter a]\nunit = W\nurl = http://10.0.0.7/\ntoken-header = X\n",
          "line 1: meter 'a' has a token-header and no token", "token-file" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(!read_config(cases[i].content), "%s", cases[i].content);
        ck_assert_int_eq(err.kind, ERROR_USAGE);
        ck_assert_msg(strstr(err.what, cases[i].what) != NULL, "%s\nnot\n%s", err.what, cases[i].what);
        ck_assert_msg(strstr(err.fix, cases[i].fix) != NULL, "%s: %s", cases[i].content, err.fix);
        ck_assert_ptr_null(strstr(err.what, "secret"));
        outside_close(meters);
    }
    ck_assert(read_config("[meter a]\nunit = W\nurl = http://10.0.0.7/\ntoken-file = /t\ninsecure-http = yes\n"));
    outside_close(meters);
    ck_assert(read_config("[meter a]\nunit = W\nurl = http://localhost:8123/\ntoken-file = /t\n"));
    outside_close(meters);
}
END_TEST

START_TEST(what_an_answer_says)
{
    static const struct {
        const char *unit, *field, *text;
        int error;
        double value, step;
    } cases[] = {
        { "W", "", "55\n", 0, 55, 1 },
        { "W", "", " 55.20 W\n", 0, 55.2, 0.01 },
        { "W", "", "55.2W", 0, 55.2, 0.1 },
        { "J", "", "123456789 J 1717671234567890 us\n", 0, 123456789, 1 },
        { "uJ", "", "17000000000000000000", 0, 1.7e19, 1 },
        { "uJ", "", "18000000000000000000", ERANGE, 0, 0 },
        { "kW", "", "0.0552", 0, 0.0552, 0.0001 },
        { "W", "", "5.5e1", 0, 55, 0 },
        { "W", "", "0", ERANGE, 0, 0 }, /* a whole machine, which runs */
        { "J", "", "0", 0, 0, 1 },
        { "W", "", "-3", ERANGE, 0, 0 },
        { "W", "", "2000000", ERANGE, 0, 0 },
        { "W", "apower", "{\"id\":0,\"apower\":55.2,\"aenergy\":{\"total\":6.5}}", 0, 55.2, 0.1 },
        { "Wh", "aenergy.total", "{\"id\":0,\"aenergy\":{\"total\":6.5}}", 0, 6.5, 0.1 },
        { "W", "meters.1.power", "{\"meters\":[{\"power\":1},{\"power\":55}]}", 0, 55, 1 },
        { "W", "switch:0.apower", "{\"switch:0\":{\"apower\":55}}", 0, 55, 1 },
        { "W", "state", "{\"state\":\"55.2\"}", 0, 55.2, 0.1 },
        { "W", "state", "{\"state\":\"unavailable\"}", EBADMSG, 0, 0 },
        { "W", "state", "{\"state\":null}", EBADMSG, 0, 0 },
        { "W", "a.b", "{\"a\":[1]}", EBADMSG, 0, 0 },
        { "W", "a.1", "{\"a\":[1]}", EBADMSG, 0, 0 },
        { "W", "a", "{\"a\":", EBADMSG, 0, 0 },
        { "W", "a", "", EBADMSG, 0, 0 },
    };
    char content[256];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct poller_answer answer = { .error = 0 };

        snprintf(content, sizeof content, ASKED "unit = %s\n%s%s\n", cases[i].unit, cases[i].field[0] ? "field = " : "",
                 cases[i].field);
        ck_assert_msg(read_config(content), "%s", err.what);
        ck_assert_msg(outside_understand(meters->items[0], 0, cases[i].text, &answer) == cases[i].error, "%s",
                      cases[i].text);
        if (!cases[i].error) {
            ck_assert_double_eq_tol(answer.value, cases[i].value, 1e-12 * cases[i].value + 1e-300);
            ck_assert_double_eq_tol(answer.step, cases[i].step, 1e-9);
        }
        outside_close(meters);
    }
}
END_TEST

START_TEST(what_says_no_power)
{
    static const char *const texts[] = {
        "", "nan", "55,2", "55 mW", "55 Wh", "55 66", "power 55 W", "<html>500</html>"
    };
    struct poller_answer answer = { .error = 0 };

    ck_assert_msg(read_config(ASKED "unit = W\n"), "%s", err.what);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ck_assert_msg(outside_understand(meters->items[0], 0, texts[i], &answer) == EBADMSG, "%s", texts[i]);
    outside_close(meters);
}
END_TEST

START_TEST(what_a_controller_says)
{
    static const struct {
        const char *text;
        int error;
        double power_w;
    } cases[] = {
        { "{\"PowerWatts\":{\"Reading\":374.5},\"EnergykWh\":{\"Reading\":3}}", 0, 374.5 },
        { "{\"PowerControl\":[{\"PowerConsumedWatts\":344},{\"PowerConsumedWatts\":1}]}", 0, 344 },
        { "{\"PowerControl\":[{\"PowerConsumedWatts\":0}]}", ERANGE, 0 },
        { "{\"PowerControl\":[{\"PowerConsumedWatts\":null}]}", EBADMSG, 0 },
        { "{\"PowerControl\":[]}", EBADMSG, 0 },
        { "{\"error\":{}}", EBADMSG, 0 },
    };

    ck_assert(read_config("[meter bmc]\nredfish = https://bmc\n"));
    ck_assert_str_eq(meters->items[0]->how, "Redfish at https://bmc");
    ck_assert_uint_eq(meters->items[0]->question.every_ns, 5 * NS_PER_S_INT);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct poller_answer answer = { .error = 0 };

        ck_assert_int_eq(outside_understand(meters->items[0], 0, cases[i].text, &answer), cases[i].error);
        if (!cases[i].error)
            ck_assert_double_eq(answer.value, cases[i].power_w);
    }
    outside_close(meters);
}
END_TEST

START_TEST(what_a_failure_says)
{
    struct poller_answer answer = { .words = "no route" };

    ck_assert(read_config(ASKED "unit = W\n"));
    ck_assert_int_eq(outside_understand(meters->items[0], 3, "no route\n", &answer), EREMOTEIO);
    ck_assert_str_eq(answer.words, "its exit status is 3: no route");
    outside_close(meters);
    ck_assert(read_config("[meter a]\nfile = /x\nunit = W\n"));
    ck_assert_int_eq(outside_understand(meters->items[0], EACCES, "", &answer), EACCES);
    outside_close(meters);
}
END_TEST

/* A machine with a RAPL counter, and meters of the configuration beside it. */
static struct tree tree;
static struct meter meter;
static struct machine machine = { .packages = 1, .cpus_online = 1, .cpu_limit = 1 };

static void put_counter(unsigned energy_j)
{
    char text[32];

    snprintf(text, sizeof text, "%u", energy_j * 1000000);
    tree_put(&tree, "sys/class/powercap/intel-rapl:0/energy_uj", text);
}

static void open_all(const char *config)
{
    struct meter_options options = { .only = NULL };

    tree_put(&tree, "sys/class/powercap/intel-rapl:0/name", "package-0");
    tree_put(&tree, "sys/class/powercap/intel-rapl:0/max_energy_range_uj", "262143328850");
    put_counter(1);
    tree.root.live = true; /* what the configuration names is asked on a running machine alone */
    ck_assert_msg(read_config(config), "%s", err.what);
    options.named = meters;
    ck_assert_msg(meter_open(&meter, &tree.root, &machine, &options, &err), "%s", err.what);
}

static void close_everything(void)
{
    meter_close(&meter);
    meter_close(&meter);
    outside_close(meters);
    tree_close(&tree);
}

static size_t at(const char *name)
{
    for (size_t i = 0; i < meter.domain_count; i++)
        if (strcmp(meter.domains[i].domain->name, name) == 0)
            return i;
    ck_abort_msg("no domain '%s'", name);
    return 0;
}

static long number_in(const char *name)
{
    char text[32] = "";

    return root_read_text(&tree.root, name, text, sizeof text, NULL) ? atol(text) : 0;
}

/* Answers once; then each question hangs, its process's number in the file "hangs". */
#define ONCE_THEN_HANGS                                                                                                \
    "if [ -e %1$s/once ]\n"                                                                                            \
    "then echo $$ > %1$s/hangs.new && mv %1$s/hangs.new %1$s/hangs && exec cat %1$s/fifo\n"                            \
    "fi\n"                                                                                                             \
    ": > %1$s/once\necho 10\n"

START_TEST(a_meter_that_hangs_delays_nothing)
{
    char script[1024], config[512], file[128];
    struct sample first, second;
    size_t hanging, steady, package;
    bool seen = false;

    tree_open(&tree);
    snprintf(script, sizeof script, ONCE_THEN_HANGS, tree.path);
    tree_put(&tree, "script", script);
    snprintf(file, sizeof file, "%s/fifo", tree.path);
    ck_assert_int_eq(mkfifo(file, 0600), 0);
    snprintf(config, sizeof config,
             "[meter steady]\ncommand = echo 55\nunit = W\nevery = 60s\n"
             "[meter hanging]\ncommand = . %s/script\nunit = W\nevery = 0.1s\ncovers = gpu\n",
             tree.path);
    open_all(config);
    hanging = at("gpu-hanging"), steady = at("machine-steady"), package = at("package-0");
    ck_assert_int_eq(meter.domains[hanging].domain->problem.kind, ERROR_NONE);

    /* two samples while one question hangs: neither has waited for it */
    for (unsigned energy_j = 2; !seen; energy_j += 2) {
        const long asked = number_in("hangs");

        put_counter(energy_j);
        meter_sample(&meter, &first);
        put_counter(energy_j + 1);
        meter_sample(&meter, &second);
        ck_assert_uint_eq(second.energy_uj[package] - first.energy_uj[package], 1000000);
        seen = asked && asked == number_in("hangs");
    }
    /* what has told 55 W told it for just that time */
    ck_assert_double_eq_tol((double)(second.energy_uj[steady] - first.energy_uj[steady]),
                            55e6 * s_from_ns(second.time_ns - first.time_ns),
                            55e6 * s_from_ns(first.span_ns + second.span_ns) + 2);
    /* and the last answer of the one that hangs does not hold for ever */
    do {
        sched_yield();
        meter_sample(&meter, &second);
    } while (second.read[hanging]);
    ck_assert_int_eq(meter.domains[hanging].last_error, ETIMEDOUT);
    close_everything();
}
END_TEST

START_TEST(an_energy_is_the_difference_of_two_answers)
{
    char config[256];
    struct sample sample;
    size_t index;

    tree_open(&tree);
    tree_put(&tree, "energy", "1000.5");
    snprintf(config, sizeof config, "[meter host]\nfile = %s/energy\nunit = J\nevery = 0.1s\ncovers = memory\n",
             tree.path);
    open_all(config);
    index = at("dram-host");
    ck_assert_uint_eq(meter.domains[index].domain->poll_ns, 0);
    ck_assert_uint_eq(meter.domains[index].domain->resolution_uj, 100000);
    tree_put(&tree, "energy", "1042.75");
    do
        meter_sample(&meter, &sample);
    while (sample.energy_uj[index] == 0);
    ck_assert_uint_eq(sample.energy_uj[index], 42250000);
    /* a counter that begins anew: what lies between is not known */
    tree_put(&tree, "energy", "3");
    do
        meter_sample(&meter, &sample);
    while (meter.domains[index].resets == 0);
    ck_assert_uint_eq(sample.energy_uj[index], 42250000);
    tree_put(&tree, "energy", "4");
    do
        meter_sample(&meter, &sample);
    while (sample.energy_uj[index] == 42250000);
    ck_assert_uint_eq(sample.energy_uj[index], 43250000);
    /* no number: no reading, and nothing is lost when it tells one again */
    tree_put(&tree, "energy", "?");
    do
        meter_sample(&meter, &sample);
    while (sample.read[index]);
    ck_assert_int_eq(meter.domains[index].last_error, EBADMSG);
    tree_put(&tree, "energy", "6");
    do
        meter_sample(&meter, &sample);
    while (!sample.read[index]);
    ck_assert_uint_eq(sample.energy_uj[index], 45250000);
    close_everything();
}
END_TEST

START_TEST(what_cannot_be_read_is_told)
{
    static const struct {
        const char *key;
        enum error_kind kind;
        const char *what, *why;
    } cases[] = {
        { "command = echo oops >&2 && exit 3", ERROR_SYSTEM, "meter 'm' cannot be read", "its exit status is 3: oops" },
        { "command = echo ready", ERROR_BAD_DATA, "meter 'm' does not say a number of W", "it says 'ready'" },
        { "command = :", ERROR_BAD_DATA, "meter 'm' does not say a number of W", "its answer is empty" },
        { "command = echo 0", ERROR_BAD_DATA, "meter 'm' says 0", "a running machine cannot use nothing" },
        { "command = echo -5", ERROR_BAD_DATA, "meter 'm' says -5", "no energy or power of a machine" },
        { "command = kill -9 $$", ERROR_SYSTEM, "meter 'm' cannot be read", "its exit status is 137" },
        { "command = yes", ERROR_BAD_DATA, "does not say a number of W", "y" },
        { "file = /nonexistent/energy", ERROR_ABSENT, "meter 'm' cannot be read (file /nonexistent/energy)",
          "no such file" },
        { "file = /proc", ERROR_SYSTEM, "meter 'm' cannot be read (file /proc)", "is a directory" },
        { "url = http://127.0.0.1:1/", ERROR_SYSTEM, "meter 'm' cannot be read", "127.0.0.1:1" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct error *problem;
        char config[256];

        tree_open(&tree);
        snprintf(config, sizeof config, "[meter m]\nunit = W\n%s\n", cases[i].key);
        open_all(config);
        problem = &meter.domains[at("machine-m")].domain->problem;
        ck_assert_msg(problem->kind == cases[i].kind, "%s: %d %s", cases[i].key, problem->kind, problem->what);
        ck_assert_msg(strstr(problem->what, cases[i].what) != NULL, "%s: %s", cases[i].key, problem->what);
        ck_assert_msg(strstr(problem->why, cases[i].why) != NULL, "%s: %s", cases[i].key, problem->why);
        ck_assert_msg(strstr(problem->fix, "[meter m]") != NULL, "%s: %s", cases[i].key, problem->fix);
        close_everything();
    }
}
END_TEST

START_TEST(a_recorded_machine_has_none)
{
    extern const struct energy_driver meter_driver;
    struct energy_source source = { .driver = &meter_driver };

    tree_open(&tree);
    ck_assert(!meter_driver.open(&source, &tree.root, &machine, &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    meter_driver.close(&source);
    ck_assert(read_config(ASKED "unit = W\n"));
    source.named = meters;
    ck_assert(!meter_driver.open(&source, &tree.root, &machine, &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_ptr_nonnull(strstr(err.what, "recorded"));
    meter_driver.close(&source);
    outside_close(meters);
    tree_close(&tree);
}
END_TEST

UNIT_SUITE("outside", sections_that_name_meters, all_that_a_meter_has, mistakes_are_told_with_their_line,
           what_an_answer_says, what_says_no_power, what_a_controller_says, what_a_failure_says,
           a_meter_that_hangs_delays_nothing, an_energy_is_the_difference_of_two_answers, what_cannot_be_read_is_told,
           a_recorded_machine_has_none)
