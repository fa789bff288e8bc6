/* SPDX-License-Identifier: MIT
 * What the model says of many machines in one run: each line of standard input is a processor, its packages and the GB
 * of memory of the whole machine (0: what its kind has), with tabs between. Of each it writes a line: the watts of the
 * machine at its plug, at loads of 0, 10 .. 100 %; the low ends, and the high ends of its range. */
#include "power/cpu_power.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_curve(const struct power_curve *curve, int packages)
{
    for (int i = 0; i < CURVE_POINTS; i++)
        printf("%.9g\t", packages * curve_w(curve, (double)i / (CURVE_POINTS - 1)));
}

static void answer(const char *model, int packages, double memory_gb)
{
    const struct cpu_identity identity = {
        .model = model,
        .vendor = "",
        .family = -1,
        .number = -1,
        .stepping = -1,
        .packages = packages,
        .memory_gb = memory_gb,
    };
    struct cpu_power package, power;
    struct error err;

    const bool good = cpu_power_find(&identity, &package, &power, &err);
    if (!good || !power.how[0]) {
        fprintf(stderr, "watts: %s: %s\n", model, good ? "nothing is published" : err.what);
        exit(1);
    }
    print_curve(&power.curve, packages);
    print_curve(&power.low, packages);
    print_curve(&power.high, packages);
    putchar('\n');
}

int main(void)
{
    char line[512];

    while (fgets(line, sizeof line, stdin)) {
        const char *model = strtok(line, "\t");
        const char *packages = strtok(NULL, "\t");
        const char *memory_gb = strtok(NULL, "\t");

        if (!model || !packages || !memory_gb)
            return 1;
        answer(model, atoi(packages), atof(memory_gb));
    }
    return 0;
}
