/* SPDX-License-Identifier: MIT
 * Machine facts. Runs at every start, so it reads the fewest files that tell them: one processor's
 * block of cpuinfo, and one package or die once for all its CPUs. */
#include "base/machine.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD_SIZE = 8192, LIST_SIZE = 4096 };

/* Walks one range of a list ("4", "0-3"); NULL: it is none. */
static const char *cpu_range(const char *text, long *low, long *high)
{
    char *end;

    if (!c_isdigit(*text))
        return NULL;
    *low = *high = strtol(text, &end, 10);
    if (*end == '-') {
        text = end + 1;
        if (!c_isdigit(*text))
            return NULL;
        *high = strtol(text, &end, 10);
    }
    return *low <= *high && *high < MACHINE_MAX_CPUS ? end : NULL;
}

bool machine_cpu_list(const char *list, void (*on_cpu)(int cpu, void *context), void *context)
{
    long low, high;

    for (const char *at = list;; at++) {
        at = cpu_range(at, &low, &high);
        if (!at || (*at != ',' && *at != '\0'))
            return false;
        if (*at == '\0')
            break;
    }
    for (const char *at = list;; at++) {
        at = cpu_range(at, &low, &high);
        for (long cpu = low; cpu <= high; cpu++)
            on_cpu((int)cpu, context);
        if (*at == '\0')
            return true;
    }
}

/* The beginning of a file, up to `until` where that comes early: a whole /proc/cpuinfo or mountinfo
 * is long on a large machine, and the kernel makes up each line when it is read. */
static bool read_head(const struct root *root, const char *path, const char *until, char text[HEAD_SIZE])
{
    AUTO_CLOSE int fd = root_open_file(root, path, NULL);
    size_t length = 0;

    text[0] = '\0';
    while (fd >= 0 && length < HEAD_SIZE - 1 && !(until && strstr(text, until))) {
        const ssize_t got = read(fd, text + length, HEAD_SIZE - 1 - length);
        if (got <= 0)
            break;
        length += (size_t)got;
        text[length] = '\0';
    }
    return length > 0;
}

static int number_of(const char *text)
{
    char *end;
    const long number = strtol(text, &end, 0);

    return end == text || number < 0 || number > INT32_MAX ? -1 : (int)number;
}

/* One "key : value" line. x86 names its processor in words, ARM and RISC-V by numbers, s390 in a
 * line of its own kind; the numbers get the form that cpuid_uarch.csv has ("ARM:0x41", part). */
static void take_line(struct machine *machine, const char *key, const char *value, bool *flags_seen)
{
    const char *type;

    if (strcmp(key, "vendor_id") == 0)
        text_copy(machine->cpu_vendor, sizeof machine->cpu_vendor, value);
    else if (strcmp(key, "CPU implementer") == 0)
        snprintf(machine->cpu_vendor, sizeof machine->cpu_vendor, "ARM:%.20s", value);
    else if (strcmp(key, "mvendorid") == 0)
        snprintf(machine->cpu_vendor, sizeof machine->cpu_vendor, "RISC-V:%.20s", value);
    else if (c_strcasecmp(key, "model name") == 0 || strcmp(key, "cpu") == 0 || strcmp(key, "uarch") == 0)
        text_copy(machine->cpu_model, sizeof machine->cpu_model, value);
    else if (strcmp(key, "cpu family") == 0 || strcmp(key, "CPU architecture") == 0)
        machine->cpu_family = number_of(value);
    else if (strcmp(key, "model") == 0 || strcmp(key, "CPU part") == 0)
        machine->cpu_number = number_of(value);
    else if (strcmp(key, "stepping") == 0 || strcmp(key, "CPU revision") == 0)
        machine->cpu_stepping = number_of(value);
    else if (strcmp(key, "# processors") == 0)
        machine->cpus_online = number_of(value);
    else if (strncmp(key, "processor ", 10) == 0 && (type = strstr(value, "machine = ")))
        machine->cpu_number = number_of(type + 10);
    else if (strcmp(key, "flags") == 0) {
        *flags_seen = true;
        machine->guest = strstr(value, "hypervisor") != NULL;
    }
}

static void read_processor(struct machine *machine, const struct root *root, bool *flags_seen)
{
    char text[HEAD_SIZE];
    char *rest = text;

    if (!read_head(root, "proc/cpuinfo", "\n\n", text))
        return;
    for (char *line; *rest != '\n' && (line = strsep(&rest, "\n")) && rest;) {
        char *value = strchr(line, ':');
        char *end = value;

        if (!value)
            continue;
        while (end > line && c_isspace(end[-1]))
            end--;
        *end = '\0';
        value += 1 + strspn(value + 1, " \t");
        take_line(machine, line, value, flags_seen);
    }
}

/* How firmware names the machine of each hypervisor. A product of NULL is any: vendors that also
 * build real machines need theirs. */
static const struct {
    const char *vendor, *product, *name;
} dmi_names[] = {
    { "QEMU", NULL, "KVM" },
    { "Red Hat", "KVM", "KVM" },
    { "Amazon EC2", NULL, "Amazon EC2" },
    { "Google", "Google Compute Engine", "Google Compute Engine" },
    { "Microsoft Corporation", "Virtual Machine", "Microsoft Hyper-V" },
    { "VMware, Inc.", NULL, "VMware" },
    { "Xen", NULL, "Xen" },
    { "innotek GmbH", "VirtualBox", "VirtualBox" },
    { "Parallels International GmbH.", NULL, "Parallels" },
    { "OpenStack Foundation", NULL, "OpenStack" },
    { "DigitalOcean", NULL, "DigitalOcean" },
    { "Hetzner", "vServer", "Hetzner" },
    { "Alibaba Cloud", NULL, "Alibaba Cloud" },
    { "Tencent Cloud", NULL, "Tencent Cloud" },
};

static void read_dmi(const struct root *root, const char *name, char text[64])
{
    char path[64];

    snprintf(path, sizeof path, "sys/class/dmi/id/%s", name);
    if (!root_read_text(root, path, text, 64, NULL))
        text[0] = '\0';
}

/* The processor's flags decide where it has them (an EC2 bare-metal machine has the vendor of a
 * guest); firmware then only gives the name. Elsewhere (ARM) firmware decides as well. */
static void read_hypervisor(struct machine *machine, const struct root *root, bool flags_seen)
{
    const char *product = machine->dmi_product;
    char type[32] = "";

    if (flags_seen && !machine->guest)
        return;
    read_dmi(root, "sys_vendor", machine->dmi_vendor);
    read_dmi(root, "product_name", machine->dmi_product);
    read_dmi(root, "chassis_asset_tag", machine->dmi_asset);
    for (size_t i = 0; i < sizeof dmi_names / sizeof dmi_names[0] && !machine->hypervisor[0]; i++)
        if (strcmp(machine->dmi_vendor, dmi_names[i].vendor) == 0 &&
            (!dmi_names[i].product || strcmp(product, dmi_names[i].product) == 0))
            text_copy(machine->hypervisor, sizeof machine->hypervisor, dmi_names[i].name);
    if (!flags_seen && strstr(product, "metal"))
        machine->hypervisor[0] = '\0';
    else if (!machine->hypervisor[0] && root_read_text(root, "sys/hypervisor/type", type, sizeof type, NULL) &&
             strcmp(type, "xen") == 0)
        text_copy(machine->hypervisor, sizeof machine->hypervisor, "Xen");
    machine->guest = machine->guest || machine->hypervisor[0];
}

static bool names_a_container(const char *text)
{
    static const char *const signs[] = {
        "/docker/", "docker-", "/containers/", "containerd-", "io.containerd",
        "kubepods", "/lxc",    "libpod",       "/buildkit",   "machine.slice/machine-",
    };

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strstr(text, signs[i]))
            return true;
    return false;
}

/* A mount that only a container has: its root in an engine's store, /sys for reading only, or
 * files of /proc replaced by lxcfs. On a host all these lie at other places. */
static bool mounts_of_container(char *text)
{
    char *line, *rest = text;

    while ((line = strsep(&rest, "\n")) && rest) {
        char point[256], options[32];

        if (sscanf(line, "%*s %*s %*s %*s %255s %31s", point, options) != 2)
            continue;
        if ((strcmp(point, "/") == 0 && strstr(line, " - overlay ") && names_a_container(line)) ||
            (strcmp(point, "/sys") == 0 && (strncmp(options, "ro,", 3) == 0 || strcmp(options, "ro") == 0)) ||
            strcmp(point, "/proc/cpuinfo") == 0)
            return true;
    }
    return false;
}

static bool in_container(const struct root *root)
{
    char text[HEAD_SIZE];

    return root_exists(root, ".dockerenv") || root_exists(root, "run/.containerenv") ||
           root_exists(root, "run/systemd/container") ||
           (read_head(root, "proc/self/cgroup", NULL, text) && names_a_container(text)) ||
           (read_head(root, "proc/self/mountinfo", NULL, text) && mounts_of_container(text));
}

static void count_online(int cpu, void *context)
{
    struct machine *machine = context;

    if (cpu < machine->cpu_limit) /* the kernel's lists go up; each CPU is one */
        return;
    machine->cpus_online++;
    machine->cpu_limit = cpu + 1;
}

static int count_processors(const struct root *root)
{
    const int fd = root_open_file(root, "proc/stat", NULL);
    AUTO_FCLOSE FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    char line[256];
    int count = 0;

    while (file && fgets(line, sizeof line, file) && strncmp(line, "cpu", 3) == 0)
        count += c_isdigit(line[3]) != 0;
    return count;
}

struct group {
    int16_t *of;
    int16_t id;
    int limit;
};

static void put_in_group(int cpu, void *context)
{
    const struct group *group = context;

    if (cpu < group->limit)
        group->of[cpu] = group->id;
}

/* Gives a CPU its package or die, and with the group's own list every CPU in it. False: unknown. */
static bool read_group(const struct root *root, int cpu, const char *id_file, const char *list_file, int limit,
                       int16_t *of)
{
    char path[96], list[LIST_SIZE];
    struct group group = { .of = of, .limit = limit };
    uint64_t id;

    snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/%s", cpu, id_file);
    if (!root_read_u64(root, path, &id, NULL) || id > INT16_MAX)
        return false;
    group.id = (int16_t)id;
    snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/%s", cpu, list_file);
    if (root_read_text(root, path, list, sizeof list, NULL))
        (void)!machine_cpu_list(list, put_in_group, &group);
    of[cpu] = group.id;
    return true;
}

static bool is_first_of_package(const struct machine *machine, int cpu)
{
    int other = 0;

    while (other < cpu && machine->package_of[other] != machine->package_of[cpu])
        other++;
    return other == cpu;
}

struct topology {
    struct machine *machine;
    const struct root *root;
    int next;     /* CPUs before it have been looked at */
    bool no_dies; /* a kernel before 5.3 */
};

/* Package and die of one online CPU, unless a neighbour's list has told them. */
static void read_topology(int cpu, void *context)
{
    struct topology *topology = context;
    struct machine *machine = topology->machine;
    const struct root *root = topology->root;
    const int limit = machine->cpu_limit;
    int16_t *package_of = machine->package_of;

    if (cpu < topology->next)
        return;
    topology->next = cpu + 1;
    if (package_of[cpu] < 0) {
        if (!read_group(root, cpu, "physical_package_id", "package_cpus_list", limit, package_of))
            return;
        machine->packages += is_first_of_package(machine, cpu);
    }
    if (machine->die_of[cpu] < 0 && !topology->no_dies)
        topology->no_dies = !read_group(root, cpu, "die_id", "die_cpus_list", limit, machine->die_of);
}

static void read_kernel(struct machine *machine, const struct root *root)
{
    char version[256];

    if (root_read_text(root, "proc/sys/kernel/osrelease", machine->kernel, sizeof machine->kernel, NULL))
        return;
    machine->kernel[0] = '\0';
    if (root_read_text(root, "proc/version", version, sizeof version, NULL) &&
        sscanf(version, "Linux version %63s", machine->kernel) != 1)
        machine->kernel[0] = '\0';
}

static void read_topologies(struct machine *machine, const struct root *root)
{
    struct topology topology = { .machine = machine, .root = root };
    const int told = machine->cpus_online; /* by cpuinfo, on s390 */
    char online[LIST_SIZE];

    machine->cpus_online = 0;
    if (root_read_text(root, "sys/devices/system/cpu/online", online, sizeof online, NULL) &&
        machine_cpu_list(online, count_online, machine) && machine_cpu_list(online, read_topology, &topology))
        return;
    machine->cpus_online = told > 0 ? told : count_processors(root);
}

static void count_one(int cpu, void *context)
{
    (void)cpu;
    ++*(int *)context;
}

static int count_list(const struct root *root, const char *path)
{
    char list[LIST_SIZE];
    int count = 0;

    return root_read_text(root, path, list, sizeof list, NULL) && machine_cpu_list(list, count_one, &count) ? count : 0;
}

/* A CPU's package lists all its CPUs that are online, whoever may see them. */
static int count_in_packages(const struct machine *machine, const struct root *root)
{
    char path[96];
    int sum = 0;

    for (int cpu = 0; cpu < machine->cpu_limit; cpu++) {
        int count;
        if (machine->package_of[cpu] < 0 || !is_first_of_package(machine, cpu))
            continue;
        snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/package_cpus_list", cpu);
        count = count_list(root, path);
        if (!count) { /* its name before Linux 5.3 */
            snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/core_siblings_list", cpu);
            count = count_list(root, path);
        }
        sum += count;
    }
    return sum;
}

static bool is_mounted_over(const struct root *root, const char *path)
{
    const int fd = root_open_file(root, "proc/self/mountinfo", NULL);
    AUTO_FCLOSE FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    char line[1024], point[256];

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%*s %*s %*s %*s %255s", point) == 1 && strcmp(point, path) == 0)
            return true;
    return false;
}

static int greater(int a, int b)
{
    return a > b ? a : b;
}

/* lxcfs and sandboxes give a container files of its own, which tell of its CPUs and their time alone: fewer CPUs than
 * the packages have, or a file that something is mounted over. */
static void find_own_cpus(struct machine *machine, const struct root *root)
{
    const bool own_file = is_mounted_over(root, "/proc/stat");
    const int told = count_processors(root);
    int all = greater(machine->cpus_online, count_in_packages(machine, root));

    if (own_file && all == told)
        all = greater(all, count_list(root, "sys/devices/system/cpu/present"));
    if (!told || (!own_file && told >= all))
        return;
    machine->cpus_ours = told;
    machine->cpus_online = greater(all, told);
}

/* A container sees its own group's limit at the top of the tree; one that is no limit is a word, or larger than all. */
static void find_own_memory(struct machine *machine, const struct root *root)
{
    uint64_t limit;

    if ((root_read_u64(root, "sys/fs/cgroup/memory.max", &limit, NULL) ||
         root_read_u64(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", &limit, NULL)) &&
        limit > 0 && limit < machine->memory_bytes)
        machine->memory_ours_bytes = limit;
}

void machine_read(struct machine *machine, const struct root *root)
{
    char text[LIST_SIZE];
    unsigned long long memory_kib;
    bool flags_seen = false;

    *machine = (struct machine){ .cpu_family = -1, .cpu_number = -1, .cpu_stepping = -1 };
    memset(machine->package_of, -1, sizeof machine->package_of);
    memset(machine->die_of, -1, sizeof machine->die_of);
    read_processor(machine, root, &flags_seen);
    read_hypervisor(machine, root, flags_seen);
    machine->container = in_container(root);
    if (root_read_text(root, "proc/meminfo", text, sizeof text, NULL) &&
        sscanf(text, "MemTotal: %llu kB", &memory_kib) == 1)
        machine->memory_bytes = (uint64_t)memory_kib * 1024;
    if (!root_read_text(root, "sys/firmware/devicetree/base/model", machine->board, sizeof machine->board, NULL))
        machine->board[0] = '\0';
    read_kernel(machine, root);
    read_topologies(machine, root);
    if (machine->container) {
        find_own_cpus(machine, root);
        find_own_memory(machine, root);
    }
    if (machine->cpus_online < 1)
        machine->cpus_online = 1;
    if (machine->packages < 1)
        machine->packages = 1;
}
