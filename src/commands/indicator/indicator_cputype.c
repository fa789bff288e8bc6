/* SPDX-License-Identifier: MIT
 * "cpu_type" of a report of Amun: what numpy.distutils.cpuinfo tells of a processor, each by a line of /proc/cpuinfo
 * and what is in it. */
#include "commands/indicator/indicator_hwinfo.h"

#include "run/pattern.h"

#include <string.h>

#define INTEL "GenuineIntel"
#define AMD "AuthenticAMD"
#define END "\\b"
#define FLAG(name) "flags", "(^| )" name "( |$)"
#define NAMED(pattern) "model name", pattern

struct type_row {
    const char *key;
    const char *vendor;        /* of others it is false; NULL: of any */
    const char *line, *wanted; /* wanted: an extended regular expression; line NULL: nobody tells it */
};

static const struct type_row rows[] = {
    { "has_3dnow", NULL, FLAG("3dnow") },
    { "has_3dnowext", NULL, FLAG("3dnowext") },
    { "has_Altivec", NULL, "cpu", "altivec supported" },
    { "has_f00f_bug", NULL, "f00f_bug", "^yes$" },
    { "has_fdiv_bug", NULL, "fdiv_bug", "^yes$" },
    { "has_mmx", NULL, FLAG("mmx") },
    { "has_sse", NULL, FLAG("sse") },
    { "has_sse2", NULL, FLAG("sse2") },
    { "has_sse3", NULL, FLAG("pni") },
    { "has_ssse3", NULL, FLAG("ssse3") },
    { "is_AMD", NULL, "vendor_id", "^" AMD "$" },
    { "is_AMD64", AMD, "cpu family", "^15$" },
    { "is_Alpha", NULL, "cpu", "^Alpha$" },
    { "is_Athlon64", NULL, NAMED("Athlon\\(tm\\) 64" END) },
    { "is_AthlonHX", NULL, NAMED("Athlon HX" END) },
    { "is_AthlonK6", NULL, NAMED("AMD-K6") },
    { "is_AthlonK6_2", AMD, "model", "^2$" },
    { "is_AthlonK6_3", AMD, "model", "^3$" },
    { "is_AthlonK7", NULL, NAMED("AMD-K7") },
    { "is_AthlonMP", NULL, NAMED("Athlon\\(tm\\) MP" END) },
    { "is_Celeron", NULL, NAMED("Celeron") },
    { "is_Core2", INTEL, NAMED("Core\\(TM\\)2" END) },
    { "is_EV4", NULL, "cpu model", "^EV4$" },
    { "is_EV5", NULL, "cpu model", "^EV5$" },
    { "is_EV56", NULL, "cpu model", "^EV56$" },
    { "is_Hammer", NULL, NAMED("Hammer" END) },
    { "is_Intel", NULL, "vendor_id", "^" INTEL "$" },
    { "is_Itanium", NULL, "family", "Itanium" END },
    { "is_Opteron", NULL, NAMED("Opteron" END) },
    { "is_PCA56", NULL, "cpu model", "^PCA56$" },
    { "is_Pentium", NULL, NAMED("Pentium") },
    { "is_PentiumII", NULL, NAMED("Pentium.*II" END) },
    { "is_PentiumIII", NULL, NAMED("Pentium.*III" END) },
    { "is_PentiumIV", NULL, NAMED("Pentium.*(IV|4)" END) },
    { "is_PentiumM", NULL, NAMED("Pentium.*M" END) },
    { "is_PentiumMMX", NULL, NAMED("Pentium.*MMX" END) },
    { "is_PentiumPro", NULL, NAMED("PentiumPro" END) },
    { "is_Power", NULL, "cpu", "POWER" },
    { "is_Power7", NULL, "cpu", "POWER7" },
    { "is_Power8", NULL, "cpu", "POWER8" },
    { "is_Power9", NULL, "cpu", "POWER9" },
    { "is_XEON", NULL, NAMED("[Xx][Ee][Oo][Nn]" END) },
    { "is_Xeon", NULL, NAMED("[Xx][Ee][Oo][Nn]" END) },
    { "is_i386", NULL, NULL, NULL },
    { "is_i486", NULL, "cpu", "^i486$" },
    { "is_i586", INTEL, "cpu family", "^5$" },
    { "is_i686", INTEL, "cpu family", "^6$" },
    { "not_impl", NULL, NULL, NULL },
    { "try_call", NULL, NULL, NULL },
};

enum { NO = 0, YES = 1, UNTOLD = -1, VALUE_SIZE = 16384 };

static int matches(const char *text, const char *wanted)
{
    struct pattern *pattern = pattern_open(wanted, NULL);
    size_t begin, end;
    int answer;

    if (!pattern)
        return UNTOLD;
    answer = pattern_find(pattern, text, &begin, &end);
    pattern_close(pattern);
    return answer;
}

static int says(const char *root, const char *vendor, const char *line, const char *wanted)
{
    char value[VALUE_SIZE];

    if (!line)
        return UNTOLD;
    if (vendor) {
        hwinfo_value(root, "vendor_id", value, sizeof value);
        if (!*value)
            return UNTOLD;
        if (strcmp(value, vendor) != 0)
            return NO;
    }
    hwinfo_value(root, line, value, sizeof value);
    return *value ? matches(value, wanted) : UNTOLD;
}

static void add(struct tree_node node, const char *key, int answer)
{
    if (answer == UNTOLD)
        tree_null(node, key);
    else
        tree_bool(node, key, answer == YES);
}

/* All of them; one that is not told makes that untold, too, where none says no. */
static int both(int a, int b)
{
    if (a == NO || b == NO)
        return NO;
    return a == YES && b == YES ? YES : UNTOLD;
}

static int not(int answer)
{
    return answer == UNTOLD ? UNTOLD : !answer;
}

void hwinfo_add_type(struct tree_node node, const char *root, int cpus)
{
    const int sse3 = says(root, NULL, FLAG("pni")), ssse3 = says(root, NULL, FLAG("ssse3"));
    const bool wide = sizeof(void *) == 8;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        add(node, rows[i].key, says(root, rows[i].vendor, rows[i].line, rows[i].wanted));
    add(node, "is_Prescott", both(says(root, NULL, NAMED("Pentium.*(IV|4)" END)), sse3));
    add(node, "is_Nocona",
        both(both(says(root, INTEL, "cpu family", "^(6|15)$"), both(sse3, not(ssse3))), says(root, NULL, FLAG("lm"))));
    tree_bool(node, "is_32bit", !wide);
    tree_bool(node, "is_64bit", wide);
    tree_text(node, "nbits", wide ? "64" : "32");
    tree_int_or_null(node, "ncpus", cpus);
    if (cpus > 0)
        tree_bool(node, "is_singleCPU", cpus == 1);
    else
        tree_null(node, "is_singleCPU");
}
