/* SPDX-License-Identifier: MIT
 * Machine profiles: their file, whose they are, where they lie, and the curves and ranges that their steps make. */
#include "power/machine_profile.h"

#include "machine_fixture.h"
#include "tree.h"
#include "unit.h"

#include <math.h>

#define NEAR(got, expected) ck_assert_double_eq_tol(got, expected, 1e-9)
#define KEYS                                                                                                           \
    "made_at,2026-11-30T01:02:03.000Z\ncarbon_version,1.0\nhow,meter\nmeter,\"package-0 (powercap), "                  \
    "dram-0\"\nbusy,no\n"
#define HARDWARE                                                                                                       \
    "cpu_vendor,GenuineIntel\ncpu_model,Test CPU\nboard,\ncpu_family,6\ncpu_number,94\ncpu_stepping,3\nsockets,1\n"    \
    "cores,4\nthreads,8\nmemory_bytes,17179869184\nguest,no\n"
#define HEAD                                                                                                           \
    "load,busy_cpus,package_w,package_spread_w,memory_w,memory_spread_w,machine_w,machine_spread_w,gpu_w,gpu_spread_"  \
    "w\n"
#define STEPS                                                                                                          \
    "idle,0,20,0.2,2,0.1,,,,\ncpu,1,32,0.5,2,0.1,,,,\ncpu,4,62,0.5,2,0.1,,,,\ncpu,8,70,1,2,0.1,,,,\nmemory,8,60,1,8,"  \
    "0.2,,,,\n"
#define WHOLE "carbon machine profile,1\n" KEYS HARDWARE HEAD STEPS

struct bench {
    struct tree tree;
    struct machine machine;
    struct machine_profile profile;
    struct error err;
    char path[128];
};

static void bench_open(struct bench *bench)
{
    tree_open(&bench->tree);
    snprintf(bench->path, sizeof bench->path, "%s/etc/carbon/profile.csv", bench->tree.path);
    bench->machine = fixture_machine();
    strcpy(bench->machine.cpu_model, "Test CPU");
    bench->machine.cpu_number = 94;
    bench->machine.cpus_online = 8;
    bench->machine.memory_bytes = UINT64_C(17000000000);
}

static bool reads(struct bench *bench, const char *text)
{
    tree_put(&bench->tree, "etc/carbon/profile.csv", text);
    bench->err = (struct error){ .kind = ERROR_NONE };
    return machine_profile_read(bench->path, &bench->profile, &bench->err);
}

static void read_whole(struct bench *bench)
{
    ck_assert_msg(reads(bench, WHOLE), "%s: %s", bench->err.what, bench->err.why);
}

START_TEST(what_is_written_is_read)
{
    char *text = NULL;
    size_t length = 0;
    struct bench bench;
    char id[PROFILE_ID_SIZE];
    FILE *out;

    bench_open(&bench);
    read_whole(&bench);
    strcpy(id, bench.profile.id);
    ck_assert_uint_eq(strlen(id), 16);
    ck_assert_str_eq(bench.profile.meter, "package-0 (powercap), dram-0");
    ck_assert_int_eq(bench.profile.hardware.threads, 8);
    ck_assert_uint_eq(bench.profile.step_count, 5);
    ck_assert_int_eq(bench.profile.steps[4].work, PROFILE_STREAM);
    ck_assert_double_eq(bench.profile.steps[3].spread_w[PROFILE_PACKAGE], 1);
    ck_assert(isnan(bench.profile.steps[3].w[PROFILE_MACHINE]));
    out = open_memstream(&text, &length);
    ck_assert(machine_profile_write(&bench.profile, out));
    fclose(out);
    ck_assert_str_eq(text, WHOLE);
    ck_assert_str_eq(bench.profile.id, id);
    free(text);
    /* what a later carbon adds, is passed over; another figure is another profile */
    ck_assert(reads(&bench, "carbon machine profile,1\ncolour,blue\n" KEYS HARDWARE HEAD STEPS));
    ck_assert_str_eq(bench.profile.id, id);
    ck_assert(
        reads(&bench, "carbon machine profile,1\n" KEYS HARDWARE HEAD "idle,0,20,0.2,,,,,,\ncpu,8,70.1,1,,,,,,\n"));
    ck_assert_str_ne(bench.profile.id, id);
    tree_close(&bench.tree);
}
END_TEST

START_TEST(what_is_no_profile_is_refused_with_its_place)
{
    static const struct {
        const char *text, *what, *why;
    } cases[] = {
        { "a,b\n1,2", "line 1, column 1 (title)", "a machine profile begins with 'carbon machine profile'" },
        { "", "", "" },
        { "carbon machine profile,2", "line 1, column 2 (version)", "this carbon reads version 1, not '2'" },
        { "carbon machine profile,1\n" KEYS HARDWARE, "is not a whole machine profile", "with a power idle" },
        { "carbon machine profile,1\n" KEYS HEAD STEPS, "is not a whole machine profile", "no line 'cpu_vendor'" },
        { "carbon machine profile,1\n" HARDWARE HEAD STEPS, "is not a whole machine profile", "no line 'made_at'" },
        { "carbon machine profile,1\nhow,guess", "line 2, column 2 (how)", "'guess' is neither meter nor wall" },
        { "carbon machine profile,1\nthreads,many", "line 2, column 2 (threads)", "'many' is not a whole number" },
        { "carbon machine profile,1\nthreads,1.5", "line 2, column 2 (threads)", "'1.5' is not a whole number" },
        { "carbon machine profile,1\nmemory_bytes,-1", "(memory_bytes)", "'-1' is not a number of bytes" },
        { "carbon machine profile,1\nguest,maybe", "(guest)", "'maybe' is neither yes nor no" },
        { "carbon machine profile,1\nsockets,1\nsockets,1", "line 3, column 1 (key)", "'sockets' is there twice" },
        { "carbon machine profile,1\nsockets", "line 2, column 1 (key)", "a key and its value are needed" },
        { "carbon machine profile,1\nload,busy_cpus", "line 2", "10 columns are needed" },
        { "carbon machine profile,1\nload,busy_cpus,machine_w,b,c,d,e,f,g,h", "(machine_w)",
          "'package_w' is expected" },
        { "carbon machine profile,1\n" KEYS HARDWARE HEAD "cpu,1,30,,,,,,,", "(busy_cpus)", "idle comes first" },
        { "carbon machine profile,1\n" KEYS HARDWARE HEAD "idle,1,30,,,,,,,", "(busy_cpus)", "idle comes first" },
        { "carbon machine profile,1\n" KEYS HARDWARE HEAD "idle,0,30,,,,,,,\ncpu,2,40,,,,,,,\ncpu,1,35,,,,,,,",
          "(busy_cpus)", "from few busy CPUs to many" },
        { "carbon machine profile,1\n" KEYS HARDWARE HEAD "idle,0,30,,,,,,,\ndisk,2,40,,,,,,,", "(load)",
          "'disk' is none of" },
        { "carbon machine profile,1\n" KEYS HARDWARE HEAD "idle,0,-3,,,,,,,", "(watts)",
          "'-3' is not a power in watts" },
        { "carbon machine profile,1\n" KEYS HARDWARE HEAD "idle,0,nan,,,,,,,", "(watts)",
          "'nan' is not a power in watts" },
        { "carbon machine profile,1\n" KEYS HARDWARE HEAD "idle,0,1e7,,,,,,,", "(watts)",
          "'1e7' is not a power in watts" },
        { "carbon machine profile,1\n" KEYS HARDWARE HEAD "idle,0,30,,,,,,,", "is not a whole machine profile",
          "no part" },
        { "carbon machine profile,1\n" KEYS HARDWARE HEAD "idle,0,30,,,,,,,\ncpu,9,40,,,,,,,",
          "is not a whole machine profile", "more busy CPUs than the machine's 8" },
        { "carbon machine profile,1\n" KEYS HARDWARE HEAD "idle,0,30", "line 19, column 4 (watts)",
          "10 fields are needed" },
    };
    struct bench bench;

    bench_open(&bench);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(!reads(&bench, cases[i].text), "%s", cases[i].text);
        ck_assert_int_eq(bench.err.kind, ERROR_BAD_DATA);
        ck_assert_msg(strstr(bench.err.what, cases[i].what) && strstr(bench.err.why, cases[i].why), "%zu: %s: %s", i,
                      bench.err.what, bench.err.why);
        ck_assert_ptr_nonnull(strstr(bench.err.fix, "carbon calibrate"));
    }
    ck_assert(!machine_profile_read("/nowhere/profile.csv", &bench.profile, &bench.err));
    ck_assert_int_eq(bench.err.kind, ERROR_ABSENT);
    tree_close(&bench.tree);
}
END_TEST

/* Package: 20 W idle, 32, 62 and 70 W with 1, 4 and 8 CPUs busy; what streams draws 10 W less with all: half of that.
 */
START_TEST(steps_make_a_curve_between_the_works)
{
    struct profile_power power;
    struct bench bench;

    bench_open(&bench);
    read_whole(&bench);
    power = profile_power_of(&bench.profile, PROFILE_PACKAGE);
    NEAR(curve_w(&power.curve, 0), 20);
    NEAR(curve_w(&power.curve, 1.0 / 8), 32 - 5.0 / 8);
    NEAR(curve_w(&power.curve, 2.5 / 8), 47 - 5 * 2.5 / 8);
    NEAR(curve_w(&power.curve, 0.5), 62 - 5.0 / 2);
    NEAR(curve_w(&power.curve, 1), 65);
    /* the least and most at any step, with its spread */
    NEAR(power.low_ratio, 59 / 65.0);
    NEAR(power.high_ratio, 71 / 65.0);
    NEAR(power.slope_low_ratio, (40 - hypot(1, 0.2)) / 45);
    NEAR(power.slope_high_ratio, (50 + hypot(1, 0.2)) / 45);
    /* memory: what stays in the cores draws none of it */
    power = profile_power_of(&bench.profile, PROFILE_MEMORY);
    NEAR(curve_w(&power.curve, 1), 5);
    NEAR(power.slope_low_ratio, 0);
    NEAR(power.slope_high_ratio, (6 + hypot(0.2, 0.1)) / 3);
    ck_assert(profile_has(&bench.profile, PROFILE_MEMORY) && !profile_has(&bench.profile, PROFILE_MACHINE));
    tree_close(&bench.tree);
}
END_TEST

/* A load that did not get all CPUs: beyond it the line goes on. */
START_TEST(beyond_the_last_step_the_line_goes_on)
{
    struct profile_power power;
    struct bench bench;

    bench_open(&bench);
    ck_assert(reads(&bench, "carbon machine profile,1\n" KEYS HARDWARE HEAD "idle,0,20,0,,,,,,\ncpu,4,40,0,,,,,,"));
    power = profile_power_of(&bench.profile, PROFILE_PACKAGE);
    NEAR(curve_w(&power.curve, 0.25), 30);
    NEAR(curve_w(&power.curve, 0.75), 50);
    NEAR(curve_w(&power.curve, 1), 60);
    ck_assert_double_eq(power.low_ratio, 1);
    ck_assert_double_eq(power.slope_high_ratio, 1);
    tree_close(&bench.tree);
}
END_TEST

static void expect_refused(struct bench *bench, const char *why)
{
    ck_assert(!machine_profile_fits(&bench->profile, &bench->machine, &bench->err));
    ck_assert_int_eq(bench->err.kind, ERROR_USAGE);
    ck_assert_str_eq(bench->err.what, "the machine profile is of other hardware");
    ck_assert_str_eq(bench->err.why, why);
}

START_TEST(a_profile_is_of_one_machine)
{
    struct bench bench;

    bench_open(&bench);
    read_whole(&bench);
    ck_assert(machine_profile_fits(&bench.profile, &bench.machine, &bench.err));
    bench.machine.cpu_stepping = 4;
    expect_refused(&bench, "CPU stepping: 3 in the profile, 4 here");
    bench.machine.cpu_stepping = 3;
    strcpy(bench.machine.cpu_model, "Other CPU");
    expect_refused(&bench, "CPU: 'Test CPU' in the profile, 'Other CPU' here");
    strcpy(bench.machine.cpu_model, "Test CPU");
    bench.machine.cpus_online = 4;
    expect_refused(&bench, "CPUs online: 8 in the profile, 4 here");
    bench.machine.cpus_online = 8;
    bench.machine.packages = 2;
    expect_refused(&bench, "sockets: 1 in the profile, 2 here");
    bench.machine.packages = 1;
    bench.machine.guest = true;
    expect_refused(&bench, "kind: 'physical machine' in the profile, 'virtual machine' here");
    bench.machine.guest = false;
    bench.machine.memory_bytes *= 2;
    expect_refused(&bench, "memory: 16.0 GiB in the profile, 31.7 GiB here");
    bench.machine.container = true; /* what that is told of memory may be its own */
    ck_assert(machine_profile_fits(&bench.profile, &bench.machine, &bench.err));
    tree_close(&bench.tree);
}
END_TEST

START_TEST(a_guest_has_its_part_of_the_hosts)
{
    struct profile_power power;
    struct bench bench;
    char about[256];
    char *text = NULL;
    size_t length;
    FILE *out;

    bench_open(&bench);
    read_whole(&bench);
    bench.machine.guest = true;
    bench.machine.cpus_online = 2;
    strcpy(bench.machine.cpu_model, "Hypervisor CPU");
    ck_assert_msg(machine_profile_adopt(&bench.profile, &bench.machine, 1, &bench.err), "%s", bench.err.why);
    ck_assert(machine_profile_fits(&bench.profile, &bench.machine, &bench.err));
    ck_assert_double_eq(profile_share(&bench.profile), 0.25);
    ck_assert_int_eq(profile_cpus(&bench.profile), 8);
    power = profile_power_of(&bench.profile, PROFILE_PACKAGE);
    NEAR(curve_w(&power.curve, 1), 65);
    profile_describe(&bench.profile, about, sizeof about);
    ck_assert_str_eq(about, "its host's, 2 of 8 CPUs: package-0 (powercap), dram-0, 2026-11-30");
    /* and stays so in the file */
    out = open_memstream(&text, &length);
    ck_assert(machine_profile_write(&bench.profile, out));
    fclose(out);
    ck_assert(reads(&bench, text));
    free(text);
    ck_assert_double_eq(profile_share(&bench.profile), 0.25);
    ck_assert_str_eq(bench.profile.host.cpu_model, "Test CPU");
    ck_assert(machine_profile_fits(&bench.profile, &bench.machine, &bench.err));

    read_whole(&bench);
    strcpy(bench.machine.cpu_vendor, "AuthenticAMD");
    ck_assert(!machine_profile_adopt(&bench.profile, &bench.machine, 1, &bench.err));
    ck_assert_str_eq(bench.err.why, "CPU vendor: 'GenuineIntel' in the profile, 'AuthenticAMD' here");
    ck_assert_str_eq(bench.err.fix, "import the profile of this machine or of its host");
    strcpy(bench.machine.cpu_vendor, "GenuineIntel");
    bench.machine.cpus_online = 9;
    ck_assert(!machine_profile_adopt(&bench.profile, &bench.machine, 1, &bench.err));
    /* a physical machine takes its own alone */
    bench.machine.guest = false;
    ck_assert(!machine_profile_adopt(&bench.profile, &bench.machine, 1, &bench.err));
    tree_close(&bench.tree);
}
END_TEST

START_TEST(it_is_found_where_it_lies)
{
    struct bench bench;
    bool found;

    bench_open(&bench);
    ck_assert(machine_profile_find(&bench.tree.root, &bench.machine, NULL, &bench.profile, &found, &bench.err));
    ck_assert(!found);
    read_whole(&bench);
    ck_assert(machine_profile_find(&bench.tree.root, &bench.machine, NULL, &bench.profile, &found, &bench.err));
    ck_assert(found && bench.profile.refused.kind == ERROR_NONE);
    ck_assert_str_eq(bench.profile.path, bench.path);
    bench.machine.reported.profile = &bench.profile;
    ck_assert_ptr_eq(machine_profile_of(&bench.machine), &bench.profile);
    bench.machine.reported.cpu = "EPYC 7763"; /* the user says something else */
    ck_assert_ptr_null(machine_profile_of(&bench.machine));
    bench.machine.reported.cpu = NULL;
    ck_assert(machine_profile_find(&bench.tree.root, &bench.machine, "none", &bench.profile, &found, &bench.err));
    ck_assert(!found);
    /* of another machine, or broken: found, and not used; but for one that is named */
    bench.machine.cpu_family = 7;
    ck_assert(machine_profile_find(&bench.tree.root, &bench.machine, NULL, &bench.profile, &found, &bench.err));
    ck_assert(found && bench.profile.refused.kind == ERROR_USAGE);
    bench.machine.reported.profile = &bench.profile;
    ck_assert_ptr_null(machine_profile_of(&bench.machine));
    ck_assert(!reads(&bench, "nonsense"));
    ck_assert(machine_profile_find(&bench.tree.root, &bench.machine, NULL, &bench.profile, &found, &bench.err));
    ck_assert(found && bench.profile.refused.kind == ERROR_BAD_DATA);
    ck_assert_str_eq(bench.profile.path, bench.path);
    ck_assert(!machine_profile_find(&bench.tree.root, &bench.machine, bench.path, &bench.profile, &found, &bench.err));
    ck_assert_int_eq(bench.err.kind, ERROR_BAD_DATA);
    tree_close(&bench.tree);
}
END_TEST

/* The user's goes before the machine's. */
START_TEST(the_places_of_a_live_machine)
{
    char places[PROFILE_PLACES][PROFILE_PATH_SIZE];
    struct root root;
    struct error err;

    ck_assert(root_open(&root, "/", &err));
    setenv("XDG_CONFIG_HOME", "/somewhere", 1);
    ck_assert_uint_eq(machine_profile_places(&root, places), 2);
    ck_assert_str_eq(places[0], "/somewhere/carbon/profile.csv");
    ck_assert_str_eq(places[1], "/etc/carbon/profile.csv");
    setenv("XDG_CONFIG_HOME", "relative", 1);
    setenv("HOME", "/home/x", 1);
    ck_assert_uint_eq(machine_profile_places(&root, places), 2);
    ck_assert_str_eq(places[0], "/home/x/.config/carbon/profile.csv");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    ck_assert_uint_eq(machine_profile_places(&root, places), 1);
    ck_assert_str_eq(places[0], "/etc/carbon/profile.csv");
    root_close(&root);
}
END_TEST

UNIT_SUITE("machine_profile", what_is_written_is_read, what_is_no_profile_is_refused_with_its_place,
           steps_make_a_curve_between_the_works, beyond_the_last_step_the_line_goes_on, a_profile_is_of_one_machine,
           a_guest_has_its_part_of_the_hosts, it_is_found_where_it_lies, the_places_of_a_live_machine)
