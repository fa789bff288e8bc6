/* SPDX-License-Identifier: MIT
 * Exporters that are killed at every step of keeping and telling, machines that lose their power there, and disks that
 * fail: what is told never goes back, never tells more than was used, and misses no more than it must. */
#include "unit.h"

#include "base/units.h"
#include "chance.h"
#include "commands/serve/metrics.h"
#include "commands/serve/state.h"
#include "commands/serve/teller.h"
#include "output_folder.h"
#include "tree.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { LIVES = 1500, COLLECTIONS_MOST = 8, KEPT_MOST = 1 << 16 };
enum counter { PACKAGE, MODEL, KILOGRAMS, LIGHT, LIGHT_KILOGRAMS, LIGHT_CPU, GAPS, COUNTERS };

#define FACTOR 0.36
#define LIGHT_SHARE 0.25
#define KWH(joules) ((joules) / 3.6e6)

static const char *const samples[COUNTERS] = {
    [PACKAGE] = "carbon_energy_joules_total{domain=\"package-0\"",
    [MODEL] = "carbon_energy_joules_total{domain=\"dram\"",
    [KILOGRAMS] = "carbon_emissions_kilograms_total{",
    [LIGHT] = "carbon_cgroup_energy_joules_total{cgroup=\"/light\",quality=\"attributed\",component=\"package\"}",
    [LIGHT_KILOGRAMS] = "carbon_cgroup_emissions_kilograms_total{cgroup=\"/light\"",
    [LIGHT_CPU] = "carbon_cgroup_cpu_seconds_total{cgroup=\"/light\"}",
    [GAPS] = "carbon_energy_gaps_total{domain=\"package-0\"",
};

enum disk { DISK_GOOD, DISK_FULL, DISK_READ_ONLY };

/* What outlives a process: the machine, its disk, and who reads what is told. */
struct world {
    struct chance chance;
    char state[64];                              /* where it is kept */
    uint64_t used_uj[2], boot_uj;                /* of package and memory; the package's counter began with the boot */
    double used[COUNTERS];                       /* the truth of each counter */
    double then[COLLECTIONS_MOST + 2][COUNTERS]; /* at each collection of this process */
    double told[COUNTERS], increase[COUNTERS];   /* as Prometheus' increase() has it */
    double when_told[COUNTERS];                  /* the truth at the collection that was told last */
    double may_miss[COUNTERS];
    unsigned tellings, withheld, goings_back;
    bool may_begin[COUNTERS]; /* nothing was kept since it was told last: the next telling may begin at 0 */
    int steps_left;           /* then this process is killed */
    enum disk disk;
    bool file_synced;
    char on_disk[KEPT_MOST]; /* what a loss of power leaves of the state; "": nothing */
};

static struct world *world;
static struct tree machine_tree;

/* In an exporter's own process, where nobody hears check. */
static void must(bool holds, const char *what)
{
    if (holds)
        return;
    printf("%s\n", what);
    fflush(stdout);
    abort();
}

static void step(void)
{
    if (--world->steps_left == 0)
        kill(getpid(), SIGKILL);
}

/* These stand before the C library's own: each is a step, and may fail as a disk's would. */
int fsync(int fd)
{
    struct stat status;
    const bool folder = fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);

    step();
    if (world->disk == DISK_READ_ONLY || (world->disk == DISK_FULL && !folder)) {
        errno = world->disk == DISK_FULL ? ENOSPC : EROFS;
        return -1;
    }
    if (folder) {
        const char *now = content(world->state);
        strcpy(world->on_disk, now ? now : "");
    } else {
        world->file_synced = true;
    }
    step();
    return 0;
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    int status;

    must(world->file_synced, "a file is put into its place before it is on the disk");
    step();
    status = (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    world->file_synced = status != 0;
    step();
    return status;
}

int rename(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path)
{
    int status;

    if (!world || strcmp(path, world->state) != 0)
        return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    step();
    if (world->disk == DISK_READ_ONLY) {
        errno = EROFS;
        return -1;
    }
    status = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    step();
    return status;
}

/* In its place: what is cut off and written anew is forced to the disk. */
static void put_cpu(const char *group, double used_s)
{
    char name[128];
    FILE *file;

    snprintf(name, sizeof name, "%s/sys/fs/cgroup/%s/cpu.stat", machine_tree.path, group);
    file = fopen(name, "r+");
    must(file && fprintf(file, "usage_usec %020.0f\n", used_s * 1e6) > 0 && fclose(file) == 0, name);
}

/* Some energy is used, and more CPU time than there was, a quarter of it by the light group: so it is laid out. */
static void use(void)
{
    uint64_t uj[2];
    double used_j[2];

    for (size_t i = 0; i < 2; i++) {
        uj[i] = (uint64_t)(chance_uniform(&world->chance) * 5e6);
        used_j[i] = j_from_uj(uj[i]);
        world->used_uj[i] += uj[i];
    }
    world->used[PACKAGE] += used_j[0];
    world->used[MODEL] += used_j[1];
    world->used[KILOGRAMS] += KWH(used_j[0] + used_j[1]) * FACTOR;
    world->used[LIGHT] += used_j[0] * LIGHT_SHARE;
    world->used[LIGHT_KILOGRAMS] += KWH(used_j[0] + used_j[1]) * FACTOR * LIGHT_SHARE;
    world->used[LIGHT_CPU] += 1000;
    put_cpu("light", world->used[LIGHT_CPU]);
    put_cpu("heavy", world->used[LIGHT_CPU] * 3);
}

static void read_fake(struct energy_source *source, struct reading *readings)
{
    const uint64_t *opened_uj = source->state;

    readings[0].energy_uj = world->used_uj[0] - world->boot_uj;
    readings[1].energy_uj = world->used_uj[1] - *opened_uj;
}

static const struct energy_driver driver = { .name = "fake", .read = read_fake };
static struct domain domains[] = {
    { .name = "package-0",
      .path = "a",
      .component = COMPONENT_PACKAGE,
      .access = ACCESS_MSR,
      .quality = QUALITY_MEASURED,
      .wraps_at_uj = UINT64_C(1) << 60,
      .resolution_uj = 1 },
    { .name = "dram",
      .path = "b",
      .component = COMPONENT_MEMORY,
      .access = ACCESS_MODEL,
      .quality = QUALITY_MODELLED,
      .resolution_uj = 1 },
};

struct life {
    struct machine machine;
    struct meter meter;
    struct counting counting;
    struct notices notices;
    struct collector collector;
    struct teller teller;
    uint64_t opened_uj;
};

static double value_of(const char *text, const char *sample)
{
    const char *line = strstr(text, sample);

    return line ? strtod(strchr(line, '}') + 2, NULL) : NAN;
}

static unsigned collection_of(const char *text)
{
    return (unsigned)strtoul(strstr(text, "\ncarbon_collections_total ") + 26, NULL, 10);
}

/* As Prometheus reads a counter: one that went back began at 0. */
static void read_counter(enum counter counter, double value, const double *truth)
{
    const double before = world->told[counter];

    if (value < before) {
        world->goings_back += counter == PACKAGE;
        must(world->may_begin[counter], samples[counter]);
    }
    world->increase[counter] += value < before ? value : value - before;
    world->told[counter] = value;
    world->may_begin[counter] = false;
    world->when_told[counter] = truth[counter];
}

static bool read_telling(void *context, struct metric_text texts[METRIC_FORMATS], struct error *err)
{
    const char *text = texts[METRIC_PLAIN].text.data;
    const double *truth = world->then[collection_of(text)];

    (void)context, (void)err;
    step();
    if (isnan(value_of(text, samples[PACKAGE]))) {
        for (size_t i = 0; i < COUNTERS; i++)
            must(!strstr(text, samples[i]), samples[i]);
        must(strstr(text, "carbon_notice_info{what=\"cannot write the state file"), "a notice says why");
        must(strstr(text, "carbon_power_watts{"), "powers are told");
        world->withheld++;
        return true;
    }
    for (size_t i = 0; i < COUNTERS; i++) {
        const double value = value_of(text, samples[i]);
        if (!isnan(value))
            read_counter((enum counter)i, value, truth);
        must(i == GAPS || world->increase[i] <= truth[i] * (1 + 1e-12), "no more than was used");
    }
    world->tellings++;
    step();
    return true;
}

static void hear(void *context, const struct error *what)
{
    (void)context, (void)what;
}

static void note_truth(const struct life *life)
{
    memcpy(world->then[life->collector.collections], world->used, sizeof world->used);
}

static void open_life(struct life *life)
{
    struct collector *collector = &life->collector;
    struct sample first;
    struct error err;

    life->opened_uj = world->used_uj[1];
    life->machine.cpus_online = 4;
    life->meter = (struct meter){ .root = &machine_tree.root, .machine = &life->machine, .source_count = 1 };
    life->meter.sources[0] =
        (struct energy_source){ .driver = &driver, .domains = domains, .domain_count = 2, .state = &life->opened_uj };
    life->meter.opened[0] = true;
    for (size_t i = 0; i < 2; i++) {
        life->meter.domains[i] = (struct meter_domain){ .domain = &domains[i], .source = &life->meter.sources[0] };
        life->counting.counts[i] = true;
    }
    life->meter.domain_count = 2;
    meter_sample(&life->meter, &first);
    *collector = (struct collector){
        .root = &machine_tree.root,
        .meter = &life->meter,
        .counting = &life->counting,
        .scope = SCOPE_COMPUTE,
        .factor = { .kgco2eq_per_kwh = FACTOR, .basis = FACTOR_LIFECYCLE },
        .pue = 1,
        .pue_source = "",
        .notices = &life->notices,
        .ask_fd = -1,
        .has_groups = true,
        .groups = { .wanted = { [GROUP_CGROUP] = true }, .most = 10, .linger_ns = 3600 * NS_PER_S_INT }
    };
    must(group_scan_open(&collector->scan, &machine_tree.root, &err), "groups are there");
    must(state_read(world->state, collector, &life->notices, &err), "the state can be read");
    life->teller = (struct teller){
        .collector = collector, .state_path = world->state, .publish = read_telling, .tell = hear, .context = life
    };
}

static void run_teller(struct life *life)
{
    struct error err;

    must(teller_run(&life->teller, &err), err.what);
}

static void await_teller(struct life *life)
{
    struct pollfd wait = { .fd = teller_fd(&life->teller), .events = POLLIN };

    must(poll(&wait, 1, -1) == 1, "it is done once");
    run_teller(life);
}

/* Collects some times; the disk is quick, or so slow that collections come in between. */
static void live(bool slow, unsigned collections, enum disk fails)
{
    static struct life life;
    struct error err;

    open_life(&life);
    collector_begin(&life.collector);
    note_truth(&life);
    step();
    must(teller_open(&life.teller, &err), err.what);
    for (unsigned i = 0; i < collections; i++) {
        use();
        step();
        world->disk = i % 3 ? fails : DISK_GOOD;
        collector_collect(&life.collector);
        note_truth(&life);
        step();
        must(teller_collected(&life.teller, &err), err.what);
        step();
        if (slow)
            run_teller(&life);
        else
            await_teller(&life);
    }
    world->disk = DISK_GOOD;
    use();
    collector_collect(&life.collector);
    note_truth(&life);
    must(teller_end(&life.teller, &err), err.what);
    teller_close(&life.teller);
    collector_close(&life.collector);
    _exit(0);
}

static void lose_power(void)
{
    char boot[40];

    /* the disk has what was forced to it, or more */
    if (chance_uniform(&world->chance) < 0.7) {
        if (world->on_disk[0])
            put(world->state, world->on_disk);
        else
            syscall(SYS_unlinkat, AT_FDCWD, world->state, 0);
    }
    world->boot_uj = world->used_uj[0];
    snprintf(boot, sizeof boot, "%016llx", (unsigned long long)chance_word(&world->chance));
    tree_put(&machine_tree, "proc/sys/kernel/random/boot_id", boot);
}

/* Whether a step comes in which it is killed. */
static bool run_life(enum disk fails)
{
    /* in a slow writing a disk may become good before the state is removed */
    const bool slow = chance_uniform(&world->chance) < 0.25 && fails != DISK_READ_ONLY;
    const unsigned collections = (unsigned)(chance_uniform(&world->chance) * COLLECTIONS_MOST);
    int status;
    pid_t child;

    world->steps_left = 1 + (int)(chance_uniform(&world->chance) * (4 + 14 * collections));
    world->disk = DISK_GOOD;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        live(slow, collections, fails);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    world->steps_left = 0;
    world->disk = DISK_GOOD;
    if (WIFSIGNALED(status))
        ck_assert_int_eq(WTERMSIG(status), SIGKILL);
    else
        ck_assert_int_eq(WEXITSTATUS(status), 0);
    return WIFSIGNALED(status);
}

/* What may be missing after an end: all since the collection that was told last. The package's counter goes on by
 * itself unless the machine has lost its power. */
static void allow_for_end(bool lost_power)
{
    for (size_t i = 0; i < COUNTERS; i++)
        if (i != PACKAGE || lost_power) {
            world->may_miss[i] += world->used[i] - world->when_told[i];
            world->when_told[i] = world->used[i];
        }
    world->may_miss[KILOGRAMS] = KWH(world->may_miss[PACKAGE] + world->may_miss[MODEL]) * FACTOR;
}

static void make_world(uint64_t seed)
{
    world = mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(world, MAP_FAILED);
    world->chance = chance_of(seed);
    enter_folder();
    /* in memory where there is such a place: it is not the disk that is tried */
    snprintf(world->state, sizeof world->state, "%s-%d.json",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm/carbon-unit" : "state", (int)getpid());
    tree_open(&machine_tree);
    tree_put(&machine_tree, "proc/sys/kernel/random/boot_id", "first");
    tree_put(&machine_tree, "sys/fs/cgroup/cgroup.controllers", "cpu");
    tree_put(&machine_tree, "sys/fs/cgroup/light/cpu.stat", "usage_usec 0");
    tree_put(&machine_tree, "sys/fs/cgroup/heavy/cpu.stat", "usage_usec 0");
}

static void end_world(void)
{
    syscall(SYS_unlinkat, AT_FDCWD, world->state, 0);
    strcat(world->state, ".new");
    syscall(SYS_unlinkat, AT_FDCWD, world->state, 0);
    tree_close(&machine_tree);
    leave_folder();
}

START_TEST(lives_that_end_anywhere)
{
    unsigned killed = 0;

    make_world(1);
    for (unsigned i = 0; i < LIVES; i++) {
        const bool by_kill = run_life(DISK_GOOD);
        const bool lost_power = by_kill && chance_uniform(&world->chance) < 0.3;
        killed += by_kill;
        if (!by_kill) /* it keeps a last collection for the next one to tell */
            memcpy(world->when_told, world->used, sizeof world->used);
        if (chance_uniform(&world->chance) < 0.7)
            use();
        allow_for_end(lost_power);
        if (lost_power)
            lose_power();
    }
    /* one more, which tells all that is known */
    while (run_life(DISK_GOOD))
        allow_for_end(false);
    printf("%u killed, %u tellings\n", killed, world->tellings);
    ck_assert_uint_gt(killed, LIVES / 2);
    ck_assert_uint_gt(world->tellings, LIVES / 2);
    ck_assert_uint_eq(world->goings_back, 0);
    for (size_t i = 0; i < GAPS; i++) {
        const double truth = world->when_told[i];
        printf("%s: %.9g of %.9g, %.9g may be missing\n", samples[i], world->increase[i], truth, world->may_miss[i]);
        ck_assert_double_le(world->increase[i], truth * (1 + 1e-12));
        ck_assert_double_ge(world->increase[i], (truth - world->may_miss[i]) * (1 - 1e-12));
    }
    end_world();
}
END_TEST

/* A disk that fails for two collections of three. What is told stays below the truth; where the state had to go, a
 * start begins at 0, and where it could not go nothing is taken back. */
static void lives_on(enum disk fails, bool may_go_back)
{
    make_world(fails);
    for (unsigned i = 0; i < LIVES / 3; i++) {
        const bool by_kill = run_life(fails);
        use();
        if (by_kill && chance_uniform(&world->chance) < 0.3)
            lose_power();
        for (size_t j = 0; j < COUNTERS && access(world->state, F_OK) != 0; j++)
            world->may_begin[j] = true;
    }
    printf("%u tellings, %u without totals, %u goings back\n", world->tellings, world->withheld, world->goings_back);
    ck_assert_uint_gt(world->tellings, LIVES / 4);
    if (may_go_back)
        ck_assert_uint_gt(world->goings_back, 0);
    else
        ck_assert_uint_eq(world->goings_back, 0);
    ck_assert(fails == DISK_READ_ONLY ? world->withheld > 0 : world->withheld == 0);
    end_world();
}

START_TEST(a_disk_that_is_full)
{
    lives_on(DISK_FULL, true);
}
END_TEST

START_TEST(a_disk_that_is_read_only)
{
    lives_on(DISK_READ_ONLY, false);
}
END_TEST

UNIT_SUITE("serve_teller", lives_that_end_anywhere, a_disk_that_is_full, a_disk_that_is_read_only)
