/* SPDX-License-Identifier: MIT
 * Machine facts. Runs at every start, so it reads as few files as possible: one processor's block of cpuinfo, and one
 * package or die once for all its CPUs. */
#include "base/machine.h"

#include "base/c_locale.h"
#include "base/machine_parts.h"
#include "base/text.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    char text[MACHINE_HEAD_SIZE];
    char *rest = text;

    if (!root_read_head(root, "proc/cpuinfo", "\n\n", text, sizeof text))
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

/* A container sees its own group's limit at the top of the tree; no limit is a word, or a very large number. */
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
    char text[4096];
    unsigned long long memory_kib;
    bool flags_seen = false;

    *machine = (struct machine){ .cpu_family = -1, .cpu_number = -1, .cpu_stepping = -1 };
    memset(machine->package_of, -1, sizeof machine->package_of);
    memset(machine->die_of, -1, sizeof machine->die_of);
    read_processor(machine, root, &flags_seen);
    machine_read_hypervisor(machine, root, flags_seen);
    machine->container = machine_in_container(root);
    if (root_read_text(root, "proc/meminfo", text, sizeof text, NULL) &&
        sscanf(text, "MemTotal: %llu kB", &memory_kib) == 1)
        machine->memory_bytes = (uint64_t)memory_kib * KIB_BYTES;
    if (!root_read_text(root, "sys/firmware/devicetree/base/model", machine->board, sizeof machine->board, NULL))
        machine->board[0] = '\0';
    read_kernel(machine, root);
    machine_read_topology(machine, root);
    if (machine->container) {
        machine_find_own_cpus(machine, root);
        find_own_memory(machine, root);
    }
    if (machine->cpus_online < 1)
        machine->cpus_online = 1;
    if (machine->packages < 1)
        machine->packages = 1;
}
