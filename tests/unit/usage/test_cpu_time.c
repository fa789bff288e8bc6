/* SPDX-License-Identifier: MIT
 * CPU time of the machine and of some of its CPUs, of /proc/stat as it may be written, and of this machine. */
#include "usage/usage.h"

#include "base/process.h"
#include "base/units.h"

#include "act.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* Of two CPUs in a second. */
/* A folder with an empty /proc. */
static void make_root(struct root *root, char *folder)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert(root_open(root, folder, NULL));
    ck_assert_int_eq(mkdirat(root->fd, "proc", 0755), 0);
}

static void drop_root(struct root *root, const char *folder)
{
    unlinkat(root->fd, "proc/stat", 0);
    unlinkat(root->fd, "proc", AT_REMOVEDIR);
    root_close(root);
    rmdir(folder);
}

START_TEST(lost_is_what_is_neither_idle_nor_busy)
{
    const uint64_t second_ns = NS_PER_S_INT;
    const struct machine_time from = { .busy_ns = 7, .all_ns = 70, .after_ns = 10, .before_ns = 20 };
    const struct {
        uint64_t reported_ns, after_ns;
        unsigned cpus;
        uint64_t right_ns;
    } cases[] = {
        { 2 * second_ns, 20 + second_ns, 2, 0 },
        { 2 * second_ns * 96 / 100, 20 + second_ns, 2, 0 }, /* less than 5 % */
        { second_ns, 20 + second_ns, 2, second_ns },
        { 3 * second_ns, 20 + second_ns, 2, 0 },
        { second_ns / 100, 20 + second_ns / 50, 2, 0 }, /* ticks of each CPU */
        { second_ns, 20 + second_ns, 0, 0 },            /* of how many CPUs is not known */
        { second_ns, 0, 2, 0 },                         /* a recorded machine */
        { 0, 20 + second_ns, 2, 0 },                    /* made up: no time passes in it */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct machine_time to = {
            .all_ns = from.all_ns + cases[i].reported_ns,
            .after_ns = cases[i].after_ns,
            .before_ns = cases[i].after_ns,
        };
        ck_assert_uint_eq(machine_time_lost_ns(&from, &to, cases[i].cpus), cases[i].right_ns);
    }
}
END_TEST

START_TEST(machine_time_of_a_recorded_machine)
{
    static const char stat[] = "cpu  10 20 30 400 50 6 7 8 3 1\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
    const uint64_t tick_ns = NS_PER_S_INT / (uint64_t)sysconf(_SC_CLK_TCK);
    char folder[] = "/tmp/carbon-usage.XXXXXX";
    struct machine_time time;
    struct root root;
    int fd = -1, file;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert(root_open(&root, folder, NULL));
    ck_assert(!machine_time_read(&fd, &root, NULL, &time));
    ck_assert_int_eq(mkdirat(root.fd, "proc", 0755), 0);
    file = openat(root.fd, "proc/stat", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    ck_assert_int_eq(write(file, stat, strlen(stat)), (ssize_t)strlen(stat));
    ck_assert(machine_time_read(&fd, &root, NULL, &time));
    ck_assert_uint_eq(time.all_ns, 531 * tick_ns);
    ck_assert_uint_eq(time.busy_ns, 73 * tick_ns);
    /* the kernel before 2.6 had four fields; a text without them is no answer */
    ck_assert_int_eq(ftruncate(file, 0), 0);
    ck_assert_int_eq(pwrite(file, "cpu  1 2 3 4\n", 13, 0), 13);
    ck_assert(machine_time_read(&fd, &root, NULL, &time));
    ck_assert_uint_eq(time.busy_ns, 6 * tick_ns);
    ck_assert_int_eq(pwrite(file, "cpu  1 2 x y\n", 13, 0), 13);
    ck_assert(!machine_time_read(&fd, &root, NULL, &time));
    ck_assert_int_eq(pwrite(file, "intr 1 2 3 4\n", 13, 0), 13);
    ck_assert(!machine_time_read(&fd, &root, NULL, &time));
    close(file);
    close(fd);
    drop_root(&root, folder);
}
END_TEST

/* As many lines as take several reads: CPU i has been busy for i + 1 ticks. */
START_TEST(machine_time_of_some_cpus)
{
    enum { CPUS = 600 };
    const uint64_t tick_ns = NS_PER_S_INT / (uint64_t)sysconf(_SC_CLK_TCK);
    char folder[] = "/tmp/carbon-usage.XXXXXX";
    uint64_t all = 0, some = 0;
    struct machine_time time;
    struct root root;
    cpu_set_t set;
    const struct cpu_mask mask = { &set, sizeof set };
    FILE *file;
    int fd = -1;

    CPU_ZERO(&set);
    for (int i = 0; i < CPUS; i++) {
        all += (uint64_t)i + 1;
        if (i % 7 == 3) {
            CPU_SET(i, &set);
            some += (uint64_t)i + 1;
        }
    }
    make_root(&root, folder);
    file = fdopen(openat(root.fd, "proc/stat", O_WRONLY | O_CREAT | O_CLOEXEC, 0644), "w");
    fprintf(file, "cpu  %" PRIu64 " 0 0 1000 0 0 0 0 0 0\n", all);
    for (int i = 0; i < CPUS; i++)
        fprintf(file, "cpu%d 1 0 0 1000 0 %d 0 0 0 0\n", i, i);
    fputs("intr 1 2 3\n", file);
    fclose(file);
    ck_assert(machine_time_read(&fd, &root, &mask, &time));
    ck_assert_uint_eq(time.busy_ns, all * tick_ns);
    ck_assert_uint_eq(time.mask_busy_ns, some * tick_ns);
    ck_assert_uint_eq(time.mask_cpus, (unsigned)CPU_COUNT(&set));
    ck_assert(machine_time_read(&fd, &root, NULL, &time));
    ck_assert_uint_eq(time.mask_busy_ns, all * tick_ns);
    close(fd);
    drop_root(&root, folder);
}
END_TEST

START_TEST(machine_time_of_this_machine)
{
    struct machine_time before, after;
    struct root root;
    char text[64];
    int fd = -1;

    ck_assert(root_open(&root, "/", NULL));
    ck_assert(machine_time_read(&fd, &root, NULL, &before));
    act_run(ACT("spin", "0.5"), text, sizeof text);
    ck_assert(machine_time_read(&fd, &root, NULL, &after));
    ck_assert_uint_ge(after.busy_ns - before.busy_ns, NS_PER_S_INT * 4 / 10);
    ck_assert_uint_ge(after.all_ns - before.all_ns, after.busy_ns - before.busy_ns);
    close(fd);
    root_close(&root);
}
END_TEST
UNIT_SUITE("cpu_time", lost_is_what_is_neither_idle_nor_busy, machine_time_of_a_recorded_machine,
           machine_time_of_some_cpus, machine_time_of_this_machine)
