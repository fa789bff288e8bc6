/* SPDX-License-Identifier: MIT
 * Machine facts: every kind of cpuinfo, thinned topologies, guests and containers. */
#include "base/machine.h"

#include "tree.h"
#include "unit.h"

struct list {
    int cpus[16];
    int count;
};

static void take_cpu(int cpu, void *context)
{
    struct list *list = context;

    if (list->count < 16)
        list->cpus[list->count] = cpu;
    list->count++;
}

START_TEST(a_cpu_list_is_read_in_order)
{
    static const int expected[] = { 0, 1, 2, 3, 8, 10, 11 };
    struct list list = { .count = 0 };

    ck_assert(machine_cpu_list("0-3,8,10-11", take_cpu, &list));
    ck_assert_int_eq(list.count, 7);
    for (int i = 0; i < 7; i++)
        ck_assert_int_eq(list.cpus[i], expected[i]);
}
END_TEST

START_TEST(what_is_no_cpu_list_calls_nobody)
{
    static const char *const bad[] = { "",
                                       "a",
                                       "0-",
                                       "-3",
                                       "3-1",
                                       "0,",
                                       ",0",
                                       "0,,1",
                                       "0-3x",
                                       "0 1",
                                       "4096",
                                       "0-4096",
                                       "1-2-3",
                                       "+1",
                                       "0-3:1/2",
                                       " 0",
                                       "99999999999999999999" };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct list list = { .count = 0 };
        ck_assert_msg(!machine_cpu_list(bad[i], take_cpu, &list), "'%s'", bad[i]);
        ck_assert_int_eq(list.count, 0);
    }
}
END_TEST

static struct tree tree;
static struct machine machine;

static void begin(void)
{
    tree_open(&tree);
}

static void end(void)
{
    tree_close(&tree);
}

static void read_tree(void)
{
    memset(&machine, 0xa5, sizeof machine); /* nothing of what was there may stay */
    machine_read(&machine, &tree.root);
}

START_TEST(nothing_to_read_is_one_unknown_cpu)
{
    read_tree();
    ck_assert_str_eq(machine.cpu_vendor, "");
    ck_assert_str_eq(machine.cpu_model, "");
    ck_assert_int_eq(machine.cpu_family, -1);
    ck_assert_int_eq(machine.cpus_online, 1);
    ck_assert_int_eq(machine.packages, 1);
    ck_assert(!machine.guest && !machine.container);
    ck_assert_uint_eq(machine.memory_bytes, 0);
    ck_assert_int_eq(machine.package_of[0], -1);
    ck_assert_int_eq(machine.die_of[MACHINE_MAX_CPUS - 1], -1);
}
END_TEST

/* TOPOLOGY("cpu0", { "die_id", "0" }) */
#define TOPOLOGY(cpu, ...) TREE_PUT(&tree, "sys/devices/system/cpu/" cpu "/topology", __VA_ARGS__)

/* Two packages of two dies, as a kernel since 5.3 shows them; the lists of one CPU tell of its whole die. */
START_TEST(one_cpu_tells_of_its_whole_package_and_die)
{
    tree_put(&tree, "sys/devices/system/cpu/online", "0-7");
    TOPOLOGY("cpu0", { "physical_package_id", "0" }, { "package_cpus_list", "0-3" }, { "die_id", "0" },
             { "die_cpus_list", "0-1" });
    TOPOLOGY("cpu2", { "die_id", "1" }, { "die_cpus_list", "2-3" });
    TOPOLOGY("cpu4", { "physical_package_id", "36" }, { "package_cpus_list", "4-7" }, { "die_id", "0" },
             { "die_cpus_list", "4-7" });
    read_tree();
    ck_assert_int_eq(machine.cpus_online, 8);
    ck_assert_int_eq(machine.cpu_limit, 8);
    ck_assert_int_eq(machine.packages, 2);
    ck_assert_int_eq(machine.package_of[3], 0);
    ck_assert_int_eq(machine.package_of[7], 36);
    ck_assert_int_eq(machine.die_of[1], 0);
    ck_assert_int_eq(machine.die_of[3], 1);
    ck_assert_int_eq(machine.die_of[6], 0);
}
END_TEST

/* Before 5.3 there are no such lists and no dies; CPU 1 is offline, CPU 3 is not described. */
START_TEST(an_old_kernel_is_asked_cpu_by_cpu)
{
    tree_put(&tree, "sys/devices/system/cpu/online", "0,2-3");
    TOPOLOGY("cpu0", { "physical_package_id", "1" });
    TOPOLOGY("cpu1", { "physical_package_id", "9" });
    TOPOLOGY("cpu2", { "physical_package_id", "0" });
    read_tree();
    ck_assert_int_eq(machine.cpus_online, 3);
    ck_assert_int_eq(machine.cpu_limit, 4);
    ck_assert_int_eq(machine.packages, 2);
    ck_assert_int_eq(machine.package_of[0], 1);
    ck_assert_int_eq(machine.package_of[1], -1);
    ck_assert_int_eq(machine.package_of[2], 0);
    ck_assert_int_eq(machine.package_of[3], -1);
    ck_assert_int_eq(machine.die_of[0], -1);
}
END_TEST

#define X86(flags)                                                                                                     \
    "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"                                      \
    "model name\t: Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz\nstepping\t: 7\nflags\t\t: " flags "\n"              \
    "\nprocessor\t: 1\nmodel name\t: another\n"

/* cpuinfo, sys_vendor, product_name: guest, hypervisor */
START_TEST(a_guest_is_told_by_its_flags_and_named_by_its_firmware)
{
    static const struct {
        const char *cpuinfo, *vendor, *product, *hypervisor;
        bool guest;
    } cases[] = {
        { X86("fpu msr"), NULL, NULL, "", false },
        { X86("fpu hypervisor msr"), NULL, NULL, "", true },
        { X86("fpu hypervisor"), "Amazon EC2", "m5.large", "Amazon EC2", true },
        { X86("fpu"), "Amazon EC2", "m5.metal", "", false },
        { X86("fpu hypervisor"), "Google", "Google Compute Engine", "Google Compute Engine", true },
        { X86("fpu hypervisor"), "Microsoft Corporation", "Virtual Machine", "Microsoft Hyper-V", true },
        { X86("fpu"), "Microsoft Corporation", "Surface Pro 7", "", false },
        { X86("fpu hypervisor"), "VMware, Inc.", "VMware7,1", "VMware", true },
        { X86("fpu hypervisor"), "Xen", "HVM domU", "Xen", true },
        { X86("fpu hypervisor"), "QEMU", "Standard PC (Q35 + ICH9, 2009)", "KVM", true },
        { X86("fpu hypervisor"), "Dell Inc.", "PowerEdge", "", true }, /* a nested one without a name */
        { "processor\t: 0\nCPU implementer\t: 0x41\n", "Amazon EC2", "c7g.large", "Amazon EC2", true },
        { "processor\t: 0\nCPU implementer\t: 0x41\n", "Amazon EC2", "c7g.metal", "", false },
        { "processor\t: 0\nCPU implementer\t: 0x41\n", "Ampere(R)", "Mt. Jade", "", false },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        end();
        begin();
        tree_put(&tree, "proc/cpuinfo", cases[i].cpuinfo);
        if (cases[i].vendor)
            tree_put(&tree, "sys/class/dmi/id/sys_vendor", cases[i].vendor);
        if (cases[i].product)
            tree_put(&tree, "sys/class/dmi/id/product_name", cases[i].product);
        read_tree();
        ck_assert_msg(machine.guest == cases[i].guest, "case %zu", i);
        ck_assert_str_eq(machine.hypervisor, cases[i].hypervisor);
    }
}
END_TEST

START_TEST(xen_is_named_by_the_kernel_where_there_is_no_firmware)
{
    tree_put(&tree, "proc/cpuinfo", X86("fpu hypervisor"));
    tree_put(&tree, "sys/hypervisor/type", "xen");
    read_tree();
    ck_assert(machine.guest);
    ck_assert_str_eq(machine.hypervisor, "Xen");
    ck_assert_str_eq(machine.cpu_model, "Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz");
}
END_TEST

#define HOST_MOUNTS                                                                                                    \
    "21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n22 21 0:20 / /sys rw,nosuid - sysfs sysfs rw\n"            \
    "90 21 0:50 / /var/lib/docker/overlay2/ab/merged rw - overlay overlay rw,lowerdir=/var/lib/docker/x\n"

START_TEST(a_container_is_told_by_what_only_it_has)
{
    static const struct {
        const char *file, *text;
        bool container;
    } cases[] = {
        { ".dockerenv", "", true },
        { "run/.containerenv", "engine=\"podman\"", true },
        { "run/systemd/container", "lxc", true },
        { "proc/self/cgroup", "0::/", false },
        { "proc/self/cgroup", "0::/user.slice/user-1000.slice/session-2.scope", false },
        { "proc/self/cgroup", "0::/system.slice/docker.service", false },
        { "proc/self/cgroup", "5:cpu,cpuacct:/docker/0123456789abcdef", true },
        { "proc/self/cgroup", "0::/system.slice/docker-0123.scope", true },
        { "proc/self/cgroup", "0::/kubepods.slice/kubepods-burstable.slice/cri-containerd-01.scope", true },
        { "proc/self/cgroup", "0::/lxc.payload.web/init.scope", true },
        { "proc/self/mountinfo", HOST_MOUNTS, false },
        { "proc/self/mountinfo", "30 20 0:9 / / ro - overlay composefs ro,lowerdir=/run/ostree", false },
        { "proc/self/mountinfo", "30 20 0:9 / / rw - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A", true },
        { "proc/self/mountinfo", "30 20 0:9 / / rw - overlay overlay rw,lowerdir=/var/lib/containers/storage", true },
        { "proc/self/mountinfo", "36 35 0:30 / /sys ro,nosuid,nodev - sysfs sysfs ro", true },
        { "proc/self/mountinfo", "36 35 0:30 /proc/cpuinfo /proc/cpuinfo rw - fuse.lxcfs lxcfs rw", true },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        end();
        begin();
        tree_put(&tree, cases[i].file, cases[i].text);
        read_tree();
        ck_assert_msg(machine.container == cases[i].container, "case %zu: %s", i, cases[i].text);
    }
}
END_TEST

/* A container with files of its own sees fewer CPUs than there are, by whichever file still tells. */
START_TEST(a_container_may_see_its_own_cpus_alone)
{
    static const char lxcfs[] = "36 35 0:30 /proc/stat /proc/stat rw - fuse.lxcfs lxcfs rw";
    static const struct {
        const char *mounts, *online, *package_file, *package, *present;
        bool container;
        int cpus_online, cpus_ours;
    } cases[] = {
        { NULL, "0-11", NULL, NULL, "0-11", true, 12, 2 },
        { lxcfs, "0-11", "package_cpus_list", "0-11", "0-11", true, 12, 2 },
        { lxcfs, "0-1", "package_cpus_list", "0-5", "0-11", true, 6, 2 }, /* the packages that it sees */
        { NULL, "0-1", "package_cpus_list", "0-11", "0-11", true, 12, 2 },
        { NULL, "0-1", "core_siblings_list", "0-11", "0-11", true, 12, 2 },
        { lxcfs, "0-1", NULL, NULL, "0-11", true, 12, 2 },
        { lxcfs, "0-1", "package_cpus_list", "0-1", "0-1", true, 2,
          2 }, /* it has them all, and yet a file of its own */
        { NULL, "0-1", "package_cpus_list", "0-1", "0-11", true, 2, 0 }, /* the others are offline */
        { lxcfs, "0-11", "package_cpus_list", "0-11", "0-11", false, 12, 0 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[96];
        end();
        begin();
        tree_put(&tree, "proc/stat",
                 "cpu  2 0 0 2 0 0 0 0 0 0\ncpu0 1 0 0 1 0 0 0 0 0 0\ncpu1 1 0 0 1 0 0 0 0 0 0\nintr 1");
        tree_put(&tree, "sys/devices/system/cpu/online", cases[i].online);
        tree_put(&tree, "sys/devices/system/cpu/present", cases[i].present);
        tree_put(&tree, "sys/devices/system/cpu/cpu0/topology/physical_package_id", "0");
        if (cases[i].package) {
            snprintf(path, sizeof path, "sys/devices/system/cpu/cpu0/topology/%s", cases[i].package_file);
            tree_put(&tree, path, cases[i].package);
        }
        if (cases[i].mounts)
            tree_put(&tree, "proc/self/mountinfo", cases[i].mounts);
        if (cases[i].container)
            tree_put(&tree, "run/.containerenv", "");
        read_tree();
        ck_assert_msg(machine.cpus_online == cases[i].cpus_online, "case %zu: %d CPUs", i, machine.cpus_online);
        ck_assert_msg(machine.cpus_ours == cases[i].cpus_ours, "case %zu: %d of its own", i, machine.cpus_ours);
        ck_assert_int_eq(machine.packages, 1);
    }
}
END_TEST

/* Where nothing tells its CPU time, nothing says that it is its own. */
START_TEST(a_container_without_cpu_time_has_the_machines_cpus)
{
    tree_put(&tree, "run/.containerenv", "");
    tree_put(&tree, "sys/devices/system/cpu/online", "0-11");
    read_tree();
    ck_assert_int_eq(machine.cpus_online, 12);
    ck_assert_int_eq(machine.cpus_ours, 0);
}
END_TEST

START_TEST(memory_and_kernel_come_from_proc)
{
    tree_put(&tree, "proc/meminfo", "MemTotal:       24683620 kB\nMemFree:        20000000 kB");
    tree_put(&tree, "proc/version", "Linux version 6.1.0-56-amd64 (builder@host) #1 SMP");
    read_tree();
    ck_assert_uint_eq(machine.memory_bytes, UINT64_C(24683620) * 1024);
    ck_assert_str_eq(machine.kernel, "6.1.0-56-amd64");
    tree_put(&tree, "proc/sys/kernel/osrelease", "6.12.9");
    read_tree();
    ck_assert_str_eq(machine.kernel, "6.12.9");
}
END_TEST

START_TEST(cpus_are_counted_in_proc_where_there_is_no_sysfs)
{
    tree_put(&tree, "proc/stat",
             "cpu  6 0 6 60 0 0 0 0 0 0\ncpu0 2 0 2 20 0 0 0 0 0 0\ncpu4 4 0 4 40 0 0 0 0 0 0\nctxt 9");
    read_tree();
    ck_assert_int_eq(machine.cpus_online, 2);
}
END_TEST

struct recorded {
    const char *name, *vendor, *model;
    int family, number, stepping, cpus, packages;
    bool guest, container;
};

/* What the recorded files say, read by eye. */
static const struct recorded recorded[] = {
    { "intel-haswell-i7-4770s", "GenuineIntel", "Intel(R) Core(TM) i7-4770S CPU @ 3.10GHz", 6, 60, 3, 8, 1, 0, 0 },
    { "intel-skylake-t460s-2bat", "GenuineIntel", "Intel(R) Core(TM) i5-6300U CPU @ 2.40GHz", 6, 78, 3, 4, 1, 0, 0 },
    { "intel-hswep-2s-e5-2620v3", "GenuineIntel", "Intel(R) Xeon(R) CPU E5-2620 v3 @ 2.40GHz", 6, 63, 2, 24, 2, 0, 0 },
    { "intel-snbep-2s-index-swapped", "GenuineIntel", "Intel(R) Xeon(R) CPU E5-2690 0 @ 2.90GHz", 6, 45, 7, 32, 2, 0,
      0 },
    { "intel-4s-dram", "GenuineIntel", "Intel(R) Xeon(R) Gold 6140 CPU @ 2.30GHz", 6, 85, 4, 72, 4, 0, 0 },
    { "intel-skx-2s-silver4114-perf-only", "GenuineIntel", "Intel(R) Xeon(R) Silver 4114 CPU @ 2.20GHz", 6, 85, 4, 40,
      2, 0, 0 },
    { "amd-zen1-tr1950x-2die-mirrored", "AuthenticAMD", "AMD Ryzen Threadripper 1950X 16-Core Processor", 23, 1, 1, 32,
      1, 0, 0 },
    { "amd-zen1-epyc7301-2s-8zones", "AuthenticAMD", "AMD EPYC 7301 16-Core Processor", 23, 1, 2, 64, 2, 0, 0 },
    { "amd-zen4-epyc8024p", "AuthenticAMD", "AMD EPYC 8024P 8-Core Processor", 25, 160, 2, 16, 1, 0, 0 },
    { "vm-gce-perf-zero", "GenuineIntel", "Intel(R) Xeon(R) CPU @ 2.30GHz", 6, 63, 0, 2, 1, 1, 0 },
    { "vm-ec2-empty-powercap", "GenuineIntel", "Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz", 6, 85, 7, 2, 1, 1, 0 },
    { "vm-kvm-epyc-none", "AuthenticAMD", "AMD EPYC", 25, 1, 1, 2, 1, 1, 0 },
    { "container-powercap-masked", "GenuineIntel", "Intel(R) Xeon(R) Silver 4210 CPU @ 2.20GHz", 6, 85, 7, 2, 1, 0, 1 },
    { "arm-rpi4-none", "ARM:0x41", "", 8, 0xd08, 1, 4, 1, 0, 0 },
    { "arm-grace-2s-acpi-meters", "ARM:0x41", "", 8, 0xd4f, 1, 144, 2, 0, 0 },
    { "arm-apple-asahi-macsmc", "ARM:0x61", "", 8, 0x022, 1, 8, 1, 0, 0 },
    { "arm-dgx-gb10-none", "ARM:0x41", "", 8, 0xd87, 1, 20, 1, 0, 0 },
    { "riscv-milkv-pioneer", "RISC-V:0x5b7", "", -1, -1, -1, 64, 1, 0, 0 },
    { "s390-lpar-none", "IBM/S390", "", -1, 2817, -1, 17, 1, 0, 0 },
    { "intel-xeon-2s-procstat", "", "", -1, -1, -1, 24, 1, 0, 0 },
};

START_TEST(recorded_machines_are_told)
{
    if (!unit_shared()) {
        puts("SKIPPED: recorded machines are not beside the source tree");
        return;
    }
    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
        const struct recorded *expected = &recorded[i];
        struct root root;
        struct error err;
        char path[512];

        snprintf(path, sizeof path, "%s/machines/%s", unit_shared(), expected->name);
        ck_assert_msg(root_open(&root, path, &err), "%s", err.what);
        machine_read(&machine, &root);
        root_close(&root);
        ck_assert_msg(strcmp(machine.cpu_vendor, expected->vendor) == 0, "%s: '%s'", expected->name,
                      machine.cpu_vendor);
        ck_assert_msg(strcmp(machine.cpu_model, expected->model) == 0, "%s: '%s'", expected->name, machine.cpu_model);
        ck_assert_msg(machine.cpu_family == expected->family && machine.cpu_number == expected->number &&
                          machine.cpu_stepping == expected->stepping,
                      "%s: %d/%d/%d", expected->name, machine.cpu_family, machine.cpu_number, machine.cpu_stepping);
        ck_assert_msg(machine.cpus_online == expected->cpus, "%s: %d CPUs", expected->name, machine.cpus_online);
        ck_assert_msg(machine.packages == expected->packages, "%s: %d packages", expected->name, machine.packages);
        ck_assert_msg(machine.guest == expected->guest, "%s: guest %d", expected->name, machine.guest);
        ck_assert_msg(machine.container == expected->container, "%s: container %d", expected->name, machine.container);
    }
}
END_TEST

START_TEST(this_machine_agrees_with_the_c_library)
{
    struct root root;

    ck_assert(root_open(&root, "/", NULL));
    machine_read(&machine, &root);
    root_close(&root);
    if (!machine.cpus_ours)
        ck_assert_int_eq(machine.cpus_online, sysconf(_SC_NPROCESSORS_ONLN));
    ck_assert_int_ge(machine.packages, 1);
    ck_assert_uint_ge(machine.memory_bytes, (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
    ck_assert_str_ne(machine.kernel, "");
}
END_TEST

UNIT_SUITE_IN("machine", begin, end, a_cpu_list_is_read_in_order, what_is_no_cpu_list_calls_nobody,
              nothing_to_read_is_one_unknown_cpu, one_cpu_tells_of_its_whole_package_and_die,
              an_old_kernel_is_asked_cpu_by_cpu, a_guest_is_told_by_its_flags_and_named_by_its_firmware,
              xen_is_named_by_the_kernel_where_there_is_no_firmware, a_container_is_told_by_what_only_it_has,
              a_container_may_see_its_own_cpus_alone, a_container_without_cpu_time_has_the_machines_cpus,
              memory_and_kernel_come_from_proc, cpus_are_counted_in_proc_where_there_is_no_sysfs,
              recorded_machines_are_told, this_machine_agrees_with_the_c_library)
