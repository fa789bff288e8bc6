/* SPDX-License-Identifier: MIT
 * The parsers of /proc and of a cgroup's files. The input: a letter that says which, then its texts, NUL between. */
#include "folder.h"

#include "base/cores.h"
#include "base/cpu_cache.h"
#include "base/cpu_ticks.h"
#include "base/machine.h"
#include "base/process.h"
#include "commands/indicator/indicator_hwinfo.h"
#include "commands/sources/capture_tree.h"
#include "io/machine_identity.h"
#include "usage/cgroup_figures.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"
#include "usage/container_net.h"
#include "usage/usage.h"

#include <limits.h>

extern const struct usage_driver cgroup_driver;

static void put_next(struct input *input, const char *path)
{
    char *content = input_text(input);

    folder_put(path, content);
    free(content);
}

static void try_ticks(struct input *input)
{
    char *text = input_text(input);
    const char *next = text;
    struct ticks ticks;
    int cpu;

    for (const char *line = next; (next = ticks_of_line(line, &cpu, &ticks)); line = next)
        FUZZ_MUST(next > line && next[-1] == '\n' && cpu >= -1);
    FUZZ_MUST(tick_ns() > 0);
    free(text);
}

static void note_cpu(int cpu, void *context)
{
    FUZZ_MUST(cpu >= 0 && cpu < MACHINE_MAX_CPUS);
    ++*(size_t *)context;
}

static void try_list(struct input *input)
{
    char *list = input_text(input);
    size_t count = 0;

    FUZZ_MUST(machine_cpu_list(list, note_cpu, &count) == (count > 0));
    free(list);
}

static void try_process(struct input *input)
{
    struct process process;

    while (input->at < input->end) {
        char *line = input_text(input), names[96] = "sleep";
        if (process_of_line(line, &process)) {
            FUZZ_MUST(strlen(process.name) < sizeof process.name);
            for (const char *at = process.name; *at; at++)
                FUZZ_MUST(*at >= ' ' && *at <= '~');
            process_name_add(process.name, names, sizeof names);
            process_name_add(process.name, names, sizeof names);
            FUZZ_MUST(strlen(names) < sizeof names);
        }
        free(line);
    }
}

static void try_group(struct input *input)
{
    char *cgroup = input_text(input), *mountinfo = input_text(input), folder_path[PATH_MAX];
    FILE *first = fmemopen(cgroup, strlen(cgroup) + 1, "r"), *second = fmemopen(mountinfo, strlen(mountinfo) + 1, "r");

    FUZZ_MUST(first && second);
    if (cgroup_folder_of(first, second, NULL, folder_path, sizeof folder_path))
        FUZZ_MUST(strlen(folder_path) < sizeof folder_path);
    rewind(first);
    rewind(second);
    if (cgroup_folder_of(first, second, "memory", folder_path, sizeof folder_path))
        FUZZ_MUST(strlen(folder_path) < sizeof folder_path);
    fclose(first);
    fclose(second);
    free(cgroup);
    free(mountinfo);
}

static void try_usage(struct input *input)
{
    struct usage_source source = { .driver = &cgroup_driver };
    struct usage usage = { .cpu_ns = { .known = false } };

    put_next(input, "cpu.stat");
    put_next(input, "memory.peak");
    put_next(input, "io.stat");
    source.cgroup_fd = folder.fd;
    cgroup_driver.read(&source, NULL, &usage);
    FUZZ_MUST(!usage.memory_peak_bytes.known || usage.cpu_ns.known);
    FUZZ_MUST(usage.cpu_ns.known || !(usage.user_ns.known || usage.system_ns.known));
    FUZZ_MUST(usage.read_bytes.known == usage.written_bytes.known);
    put_next(input, "cpu.pressure");
    put_next(input, "cpuacct.usage");
    put_next(input, "cpuacct.usage_user");
    put_next(input, "cpuacct.usage_sys");
    put_next(input, "blkio.throttle.io_service_bytes");
    usage = (struct usage){ .cpu_ns = { .known = false } };
    cgroup1_figures(folder.fd, &usage);
    cgroup1_split_cpu(&usage);
    FUZZ_MUST(!usage.user_ns.known || !usage.system_ns.known || !usage.cpu_ns.known ||
              usage.user_ns.value + usage.system_ns.value == usage.cpu_ns.value);
    cgroup2_figures(folder.fd, &usage);
}

static void try_alive(struct input *input)
{
    char names[64] = "";

    put_next(input, "job/cgroup.procs");
    put_next(input, "job/a/cgroup.procs");
    put_next(input, "job/a/b/cgroup.procs");
    (void)cgroup_processes(folder.fd, "job", names, sizeof names);
    FUZZ_MUST(strlen(names) < sizeof names);
}

static void try_scrub(struct input *input)
{
    static record_filter *const filters[] = {
        scrub_cpuinfo, scrub_stat, scrub_meminfo, scrub_osrelease, scrub_cgroup, scrub_mountinfo, scrub_all,
    };
    FILE *out = fopen("/dev/null", "w");

    FUZZ_MUST(out);
    for (char *text; input->at < input->end; free(text)) {
        text = input_text(input);
        for (char *line, *rest = text; (line = strsep(&rest, "\n"));)
            for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
                char *copy = strdup(line);
                FUZZ_MUST(copy);
                filters[i](copy, out);
                free(copy);
            }
    }
    fclose(out);
}

/* As an indicator's report has the machine. */
static void tell_hardware(void)
{
    struct utsname host;
    struct arena keys = { .blocks = NULL };
    struct tree tree;
    struct error err;
    char *text, root[sizeof folder.path + 1];

    snprintf(root, sizeof root, "%s/", folder.path);
    FUZZ_MUST(uname(&host) == 0);
    tree_open(&tree);
    hwinfo_add(tree_object(tree_root(&tree), "hwinfo"), root, &host);
    hwinfo_add_system(tree_root(&tree), root, &keys);
    text = tree_string_line(&tree, "a machine", &err);
    FUZZ_MUST(text);
    free(text);
    arena_close(&keys);
}

static void try_machine(struct input *input)
{
    static const char *const paths[] = {
        "proc/cpuinfo",
        "proc/stat",
        "proc/self/mountinfo",
        "proc/self/cgroup",
        "proc/meminfo",
        "proc/version",
        "sys/devices/system/cpu/online",
        "sys/class/dmi/id/sys_vendor",
        "sys/class/dmi/id/product_name",
        "sys/devices/system/cpu/cpu0/topology/physical_package_id",
        "sys/devices/system/cpu/cpu0/topology/package_cpus_list",
        "sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
        "sys/devices/system/cpu/cpu0/cache/index0/level",
        "sys/devices/system/cpu/cpu0/cache/index0/type",
        "sys/devices/system/cpu/cpu0/cache/index0/size",
        "sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list",
        "etc/os-release",
        "etc/machine-id",
    };
    static struct machine machine;
    struct root root;
    struct error err;
    struct machine_time time;
    cpu_set_t set;
    int fd = -1;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        put_next(input, paths[i]);
    memset(&set, 0xff, sizeof set);
    FUZZ_MUST(root_open(&root, folder.path, &err));
    machine_read(&machine, &root);
    FUZZ_MUST(machine.cpus_online >= 1 && machine.packages >= 1);
    FUZZ_MUST(machine.cpu_limit >= 0 && machine.cpu_limit <= MACHINE_MAX_CPUS);
    FUZZ_MUST(!*machine.hypervisor || machine.guest);
    (void)!machine_time_read(&fd, &root, NULL, &time);
    (void)!machine_time_read(&fd, &root, &(struct cpu_mask){ &set, sizeof set }, &time);
    if (fd >= 0)
        close(fd);
    FUZZ_MUST(cores_online(&root) >= 0);
    (void)cache_read(&root);
    machine_identity(&machine, &root);
    root_close(&root);
    tell_hardware();
}

static void try_network(struct input *input)
{
    char *text = input_text(input);
    FILE *dev = fmemopen(text, strlen(text) + 1, "r");
    struct net_bytes bytes;

    FUZZ_MUST(dev);
    (void)container_net_of(dev, &bytes);
    fclose(dev);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };

    folder_open();
    const int next_fd = fuzz_next_fd();
    switch (input_number(&input, 1)) {
    case 't': try_ticks(&input); break;
    case 'l': try_list(&input); break;
    case 'p': try_process(&input); break;
    case 'g': try_group(&input); break;
    case 'u': try_usage(&input); break;
    case 'a': try_alive(&input); break;
    case 's': try_scrub(&input); break;
    case 'm': try_machine(&input); break;
    case 'n': try_network(&input); break;
    default: break;
    }
    FUZZ_MUST(fuzz_next_fd() == next_fd);
    folder_clear();
    return 0;
}
