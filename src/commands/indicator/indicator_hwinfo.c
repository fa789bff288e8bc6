/* SPDX-License-Identifier: MIT
 * What machine a script ran on: /proc/cpuinfo, the caches of its first CPU, /etc/os-release. */
#include "commands/indicator/indicator_hwinfo.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/machine.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 16384, CACHES_MAX = 16, VALUE_SIZE = 256 };

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_flags(struct tree_node features, char *words)
{
    const struct tree_node array = tree_array(features, "flags");
    char *flags[512], *rest = words;
    size_t count = 0;

    for (char *word; count < sizeof flags / sizeof flags[0] && (word = strsep(&rest, " \t"));)
        if (*word)
            flags[count++] = word;
    qsort(flags, count, sizeof flags[0], by_name);
    for (size_t i = 0; i < count; i++)
        tree_text(array, NULL, flags[i]);
}

static bool read_word(const char *root, int index, const char *name, char *word, size_t size)
{
    char path[128];
    AUTO_FCLOSE FILE *file = NULL;

    snprintf(path, sizeof path, "sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    file = hwinfo_open(root, path);
    if (!file || !fgets(word, (int)size, file))
        return false;
    word[strcspn(word, "\n")] = '\0';
    return true;
}

/* A figure of the first CPU's cache, sizes in bytes; NAN unknown. type: its first letter. */
static double cache_figure(const char *root, int level, char type, const char *file)
{
    char words[3][32];

    for (int i = 0; i < CACHES_MAX && read_word(root, i, "level", words[0], sizeof words[0]); i++) {
        char *end;
        double size;

        if (!read_word(root, i, "type", words[1], sizeof words[1]) ||
            !read_word(root, i, file, words[2], sizeof words[2]) || strtol(words[0], NULL, 10) != level ||
            (words[1][0] != type && words[1][0] != 'U'))
            continue;
        size = c_strtod(words[2], &end);
        return size * (*end == 'K' ? 1024 : *end == 'M' ? 1024 * 1024 : 1);
    }
    return NAN;
}

static double actual_hz_of(const char *root)
{
    char mhz[64];

    hwinfo_value(root, "cpu MHz", mhz, sizeof mhz);
    return *mhz ? round(c_strtod(mhz, NULL) * 1e6) : NAN;
}

/* "Intel(R) Core(TM) i7-9700 CPU @ 3.00GHz"; NAN: its name does not say */
static double advertised_hz_of(const char *root)
{
    char name[VALUE_SIZE], *at, *end;
    double value;

    hwinfo_value(root, "model name", name, sizeof name);
    at = strrchr(name, '@');
    value = at ? c_strtod(at + 1, &end) : NAN;
    if (!at || !(value > 0))
        return NAN;
    return round(value * (strncmp(end, "GHz", 3) == 0 ? 1e9 : strncmp(end, "MHz", 3) == 0 ? 1e6 : NAN));
}

/* With the power of ten that py-cpuinfo also reports. */
static void add_hz(struct tree_node node, const char *key, double hz)
{
    struct tree_node pair;

    if (!isfinite(hz)) {
        tree_null(node, key);
        return;
    }
    pair = tree_array(node, key);
    tree_number(pair, NULL, hz);
    tree_integer(pair, NULL, 0);
}

static void add_friendly_hz(struct tree_node node, const char *key, double hz)
{
    char text[32];

    c_snprintf(text, sizeof text, "%.4f GHz", hz / 1e9);
    tree_text_or_null(node, key, isfinite(hz) ? text : NULL);
}

static void add_features(struct tree_node node, const char *root)
{
    const struct tree_node features = tree_object(node, "cpu_features");
    AUTO_FREE char *flags = malloc(LINE_SIZE);
    const double actual_hz = actual_hz_of(root), advertised_hz = advertised_hz_of(root);

    if (flags) {
        hwinfo_value(root, "flags", flags, LINE_SIZE);
        add_flags(features, flags);
    }
    add_hz(features, "hz_actual", actual_hz);
    tree_null(features, "hz_actual_raw"); /* it is the other one, of older releases of py-cpuinfo */
    add_hz(features, "hz_advertised", advertised_hz);
    tree_null(features, "hz_advertised_raw");
    tree_number(features, "l1_data_cache_size", cache_figure(root, 1, 'D', "size"));
    tree_number(features, "l1_instruction_cache_size", cache_figure(root, 1, 'I', "size"));
    tree_number(features, "l2_cache_size", cache_figure(root, 2, 'U', "size"));
    tree_number(features, "l3_cache_size", cache_figure(root, 3, 'U', "size"));
}

static const char *arch_of(const char *machine)
{
    static const char *const names[][2] = {
        { "x86_64", "X86_64" }, { "aarch64", "ARM_8" }, { "ppc64le", "PPC_64" },
        { "s390x", "S390X" },   { "i686", "X86_32" },   { "riscv64", "RISCV_64" },
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(machine, names[i][0]) == 0)
            return names[i][1];
    return NULL;
}

static void add_info(struct tree_node node, const char *root, const struct machine *machine, const struct utsname *host)
{
    const struct tree_node info = tree_object(node, "cpu_info");

    tree_text_or_null(info, "arch", arch_of(host->machine));
    tree_text(info, "arch_string_raw", host->machine);
    tree_integer(info, "bits", 8 * sizeof(void *));
    tree_text_or_null(info, "brand_raw", machine->cpu_model);
    tree_int_or_null(info, "count", machine->cpus_online);
    tree_int_or_null(info, "family", machine->cpu_family);
    tree_int_or_null(info, "model", machine->cpu_number);
    tree_int_or_null(info, "stepping", machine->cpu_stepping);
    tree_text_or_null(info, "vendor_id_raw", machine->cpu_vendor);
    tree_null(info, "cpuinfo_version"); /* of py-cpuinfo, which carbon does not use */
    tree_null(info, "cpuinfo_version_string");
    add_friendly_hz(info, "hz_actual_friendly", actual_hz_of(root));
    add_friendly_hz(info, "hz_advertised_friendly", advertised_hz_of(root));
    tree_number(info, "l2_cache_associativity", cache_figure(root, 2, 'U', "ways_of_associativity"));
    tree_number(info, "l2_cache_line_size", cache_figure(root, 2, 'U', "coherency_line_size"));
    hwinfo_add_type(tree_object(node, "cpu_type"), root, machine->cpus_online);
}

static void add_platform(struct tree_node node, const struct utsname *host)
{
    const struct tree_node platform = tree_object(node, "platform"), words = tree_array(platform, "architecture");
    struct text whole;

    text_open(&whole, 1024);
    text_add(&whole, "%s-%s-%s", host->sysname, host->release, host->machine);
    tree_text(words, NULL, sizeof(void *) == 8 ? "64bit" : "32bit");
    tree_text(words, NULL, "");
    tree_text(platform, "machine", host->machine);
    tree_text(platform, "node", host->nodename);
    tree_text(platform, "platform", text_ok(&whole) ? whole.data : "");
    tree_text(platform, "processor", host->machine);
    tree_text(platform, "release", host->release);
    tree_text(platform, "version", host->version);
    text_close(&whole);
}

static bool read_machine(const char *path, struct machine *machine)
{
    struct root root;

    *machine = (struct machine){ .cpu_family = -1, .cpu_number = -1, .cpu_stepping = -1, .cpus_online = -1 };
    if (!root_open(&root, path, NULL))
        return false;
    machine_read(machine, &root);
    root_close(&root);
    return true;
}

void hwinfo_add(struct tree_node node, const char *root, const struct utsname *host)
{
    AUTO_FREE struct machine *machine = malloc(sizeof *machine);

    if (!machine)
        return;
    IGNORED(read_machine(root, machine), "unknown then");
    add_features(node, root);
    add_info(node, root, machine, host);
    add_platform(node, host);
}

/* NAME="a \"b\"" as a shell reads it; false: the line is none. The value is changed in place. */
static bool take_line(char *line, char **key, char **value)
{
    char *equals = strchr(line, '='), *to, quote;

    line[strcspn(line, "\r\n")] = '\0';
    if (!equals || line[0] == '#' || equals == line)
        return false;
    *equals = '\0';
    *key = line;
    *value = to = equals + 1;
    quote = **value == '"' || **value == '\'' ? **value : '\0';
    for (const char *from = equals + 1 + (quote != '\0'); *from && *from != quote; from++) {
        if (quote != '\'' && *from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    *to = '\0';
    for (char *c = line; *c; c++)
        *c = c_tolower(*c);
    return true;
}

static void add_pairs(FILE *file, struct tree_node node, char id[VALUE_SIZE], char version[VALUE_SIZE],
                      struct arena *keys)
{
    char line[4096], *key, *value;

    while (fgets(line, sizeof line, file)) {
        const char *stored;

        if (!take_line(line, &key, &value) || !(stored = arena_copy(keys, key, strlen(key))))
            continue;
        tree_text(node, stored, value);
        if (strcmp(key, "id") == 0)
            text_copy(id, VALUE_SIZE, value);
        if (strcmp(key, "version_id") == 0)
            text_copy(version, VALUE_SIZE, value);
    }
}

void hwinfo_add_system(struct tree_node parent, const char *root, struct arena *keys)
{
    const struct tree_node release = tree_object(parent, "os_release");
    const struct tree_node about = tree_object(parent, "runtime_environment");
    const struct tree_node hardware = tree_object(about, "hardware"), system = tree_object(about, "operating_system");
    AUTO_FCLOSE FILE *file = hwinfo_open(root, "etc/os-release");
    AUTO_FREE struct machine *machine = malloc(sizeof *machine);
    char id[VALUE_SIZE] = "", version[VALUE_SIZE] = "";

    if (file)
        add_pairs(file, release, id, version, keys);
    tree_null(about, "cuda_version");
    tree_null(about, "python_version");
    if (machine)
        IGNORED(read_machine(root, machine), "unknown then");
    tree_int_or_null(hardware, "cpu_family", machine ? machine->cpu_family : -1);
    tree_int_or_null(hardware, "cpu_model", machine ? machine->cpu_number : -1);
    tree_text_or_null(system, "name", id);
    tree_text_or_null(system, "version", version);
}
