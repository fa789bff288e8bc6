/* SPDX-License-Identifier: MIT
 * A PMU as sysfs describes it, and the counts of one of its events. The input: a byte for the event and one for the
 * machine, the texts of the files, NUL between, then counts of 8 bytes. */
#include "folder.h"

#include "energy/perf_count.h"
#include "energy/perf_pmu.h"

#define PMU "sys/bus/event_source/devices/power/"

static const char *const events[] = {
    "energy-pkg", "energy-cores", "energy-core", "energy-ram", "energy-gpu", "energy-psys", "energy-other",
};

enum { EVENTS = sizeof events / sizeof events[0] };

static void put_pmu(struct input *input, const char *event)
{
    static const char *const fixed[] = { PMU "type", PMU "cpumask", PMU "format/event", PMU "format/umask" };
    static const char *const endings[] = { "", ".unit", ".scale" };
    char path[96], *content;

    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++, free(content))
        folder_put(fixed[i], content = input_text(input));
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++, free(content)) {
        snprintf(path, sizeof path, PMU "events/%s%s", event, endings[i]);
        folder_put(path, content = input_text(input));
    }
}

/* Some packages of some dies each, of either vendor. */
static void make_machine(struct machine *machine, unsigned kind)
{
    const int dies = 1 + (kind >> 1 & 3), cpus_of_die = 1 + (kind >> 3 & 3);

    memset(machine, 0, sizeof *machine);
    strcpy(machine->cpu_vendor, kind & 1 ? "AuthenticAMD" : "GenuineIntel");
    machine->cpu_limit = kind & 0x80 ? 4096 : 64;
    for (int cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++) {
        const bool known = cpu < machine->cpu_limit && !(kind & 0x40);
        machine->die_of[cpu] = (int16_t)(known && !(kind & 0x20) ? cpu / cpus_of_die % dies : -1);
        machine->package_of[cpu] = (int16_t)(known ? cpu / cpus_of_die / dies : -1);
    }
}

static void check_places(const struct pmu_places *found)
{
    FUZZ_MUST(found->count <= PMU_MAX_PLACES && (!found->left_out || found->count == PMU_MAX_PLACES));
    for (size_t i = 0; i < found->count; i++) {
        const struct pmu_place *place = &found->places[i];
        FUZZ_MUST(place->cpu >= 0 && place->package >= -1 && place->die >= -1);
        for (size_t j = 0; j < i; j++)
            FUZZ_MUST(place->package != found->places[j].package || place->die != found->places[j].die);
    }
}

static void check_counts(struct input *input, double j_per_count)
{
    struct perf_count count = { .uj_per_count = (long double)j_per_count * 1e6L };

    while (input_left(input) >= 8) {
        const uint64_t before_uj = count.energy_uj;
        const int error = perf_count_add(&count, input_number(input, 8));
        FUZZ_MUST(count.energy_uj >= before_uj);
        FUZZ_MUST(!error || count.energy_uj == before_uj);
        FUZZ_MUST(count.rest_uj >= 0 && count.rest_uj < 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct machine machine;
    struct input input = { data, data + size };
    const char *name = events[input_number(&input, 1) % EVENTS];
    struct root root;
    struct error err = { .kind = ERROR_NONE };
    struct pmu pmu;
    struct pmu_event event;
    struct pmu_places places;

    folder_open();
    const int next_fd = fuzz_next_fd();
    make_machine(&machine, (unsigned)input_number(&input, 1));
    put_pmu(&input, name);
    FUZZ_MUST(root_open(&root, folder.path, &err));
    if (pmu_read(&pmu, &root, "power", &err)) {
        if (pmu_read_places(&pmu, &root, &machine, &places, &err))
            check_places(&places);
        else
            FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
        if (pmu_read_event(&pmu, &root, name, &event, &err)) {
            FUZZ_MUST(event.j_per_count > 0 && event.j_per_count <= 1e3 && event.pfm_name);
            check_counts(&input, event.j_per_count);
        } else {
            FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
        }
    }
    root_close(&root);
    FUZZ_MUST(fuzz_next_fd() == next_fd);
    folder_clear();
    return 0;
}
