/* SPDX-License-Identifier: MIT
 * A program with a locale of its own that opens libcarbon, for tests/cli/library/locale.sh: what a piece of a recorded
 * machine used, in the program's own decimal point, while another thread watches that this point stays.
 *
 *     host TREE */
#include <carbon.h>

#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 200 };

struct watch {
    pthread_t thread;
    atomic_bool stop;
    atomic_int changed, looks;
};

static void half(char text[8])
{
    snprintf(text, 8, "%.1f", 0.5);
}

static void *look(void *context)
{
    struct watch *watch = context;
    char first[8], text[8];

    half(first);
    while (!atomic_load(&watch->stop)) {
        half(text);
        atomic_fetch_add(&watch->changed, strcmp(text, first) != 0);
        atomic_fetch_add(&watch->looks, 1);
    }
    return NULL;
}

static int refused(const char *what, const carbon_error *error)
{
    printf("%s: %s (%s)\n", what, error->what, error->why);
    return 1;
}

static bool counter_is(const char *tree, unsigned long uj)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/sys/class/powercap/intel-rapl:0/energy_uj", tree);
    file = fopen(path, "w");
    return file && fprintf(file, "%012lu\n", uj) > 0 && fclose(file) == 0;
}

static int use(const char *name, const char *tree, const carbon_options *options)
{
    carbon_error error = { .kind = CARBON_ERROR_NONE };
    carbon_meter *meter;

    if (!counter_is(tree, 1000000))
        return 2;
    meter = carbon_open(options, &error);
    if (!meter)
        return refused(name, &error);
    const carbon_mark start = carbon_now(meter);
    if (!counter_is(tree, 3500000))
        return 2;
    const carbon_energy used = carbon_since(meter, start);
    const carbon_facts *facts = carbon_about(meter);
    if (facts->quality == CARBON_MEASURED) /* what a model says follows the clock */
        printf("%.3f J, ", used.joules);
    printf("%s: %.6g kgCO2eq/kWh, PUE %.2f, %s, %s\n", name, facts->kgco2eq_per_kwh, facts->pue, facts->zone, facts->sources);
    carbon_close(meter);
    return 0;
}

static int act(const char *tree)
{
    const carbon_options options[] = {
        { .zone = "fi", .year = 2024, .root = tree, .source = "powercap" },
        { .zone = "aws:eu-west-3", .year = 2024, .root = tree },
        { .kgco2eq_per_kwh = 0.05, .pue = 1.25, .root = tree },
        { .zone = "IT", .year = 2024, .source = "model", .root = tree },
    };
    int failed = 0;

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        failed |= use(options[i].source ? options[i].source : "all", tree, &options[i]);
    return failed;
}

/* Opening, over and over, is what reads and writes the most numbers. */
static int open_often(const char *tree)
{
    const carbon_options options = { .zone = "FR", .year = 2024, .root = tree };

    for (int i = 0; i < ROUNDS; i++) {
        carbon_error error = { .kind = CARBON_ERROR_NONE };
        carbon_meter *meter = carbon_open(&options, &error);
        if (!meter)
            return refused("again", &error);
        carbon_close(meter);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct watch watch = { .stop = false };
    char before[8], after[8];
    int failed;

    if (argc != 2 || !setlocale(LC_ALL, ""))
        return fprintf(stderr, argc == 2 ? "no such locale\n" : "usage: host TREE\n"), 2;
    half(before);
    if (pthread_create(&watch.thread, NULL, look, &watch))
        return fprintf(stderr, "no thread\n"), 2;
    failed = act(argv[1]) || open_often(argv[1]);
    atomic_store(&watch.stop, true);
    pthread_join(watch.thread, NULL);
    half(after);
    printf("the host's half: %s, then %s; %d of the other thread's changed\n", before, after, atomic_load(&watch.changed));
    return failed || atomic_load(&watch.changed) || atomic_load(&watch.looks) == 0;
}
