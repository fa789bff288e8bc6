/* SPDX-License-Identifier: MIT
 * PMUs as sysfs describes them. The names in libpfm4's tables are older than the hardware (P36). */
#include "energy/perf_pmu.h"

#include "base/text.h"
#include "energy/domains.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool not_understood(struct error *err, const struct root *root, const char *path, const char *why,
                           const char *text)
{
    char typed[512];

    root_typed_path(root, path, typed, sizeof typed);
    error_set(err, ERROR_BAD_DATA, "'%.200s' makes no sense", typed);
    return error_why(err, "%s, not '%.64s'", why, text);
}

bool pmu_read(struct pmu *pmu, const struct root *root, const char *name, struct error *err)
{
    char path[128];
    uint64_t type;

    text_copy(pmu->name, sizeof pmu->name, name);
    snprintf(pmu->path, sizeof pmu->path, "sys/bus/event_source/devices/%s", pmu->name);
    snprintf(path, sizeof path, "%s/type", pmu->path);
    if (!root_read_u64(root, path, &type, err))
        return false;
    if (type > UINT32_MAX)
        return not_understood(err, root, path, "it must be a number of 32 bits", "a larger one");
    pmu->type = (uint32_t)type;
    return true;
}

/* One term ("event=0x02") goes where its format says: "config:0-7", "config:5". */
static bool place_term(const struct pmu *pmu, const struct root *root, const char *term, uint64_t *config,
                       struct error *err)
{
    char path[192], format[64];
    const int length = (int)strcspn(term, "=");
    unsigned low, high;
    uint64_t value, max;
    char *end;
    int fields;

    snprintf(path, sizeof path, "%s/format/%.*s", pmu->path, length < 32 ? length : 32, term);
    if (!root_read_text(root, path, format, sizeof format, err))
        return false;
    fields = sscanf(format, "config:%u-%u", &low, &high);
    if (fields == 1)
        high = low;
    if (fields < 1 || low > high || high > 63)
        return not_understood(err, root, path, "it must be 'config:' and one range of bits", format);
    value = term[length] ? strtoull(term + length + 1, &end, 0) : 1;
    max = UINT64_MAX >> (63 - (high - low));
    if (value > max || (term[length] && (end == term + length + 1 || *end)))
        return not_understood(err, root, path, "its term must be a number that fits", term);
    *config = (*config & ~(max << low)) | value << low;
    return true;
}

static bool read_config(const struct pmu *pmu, const struct root *root, const char *path, uint64_t *config,
                        struct error *err)
{
    char text[128];
    char *rest = text;

    *config = 0;
    if (!root_read_text(root, path, text, sizeof text, err))
        return false;
    for (char *term; (term = strsep(&rest, ","));)
        if (!place_term(pmu, root, term, config, err))
            return false;
    return true;
}

static bool read_scale(const struct root *root, const char *event_path, double *j_per_count, struct error *err)
{
    char path[192], text[64];

    snprintf(path, sizeof path, "%s.unit", event_path);
    if (!root_read_text(root, path, text, sizeof text, err))
        return false;
    if (strcmp(text, "Joules") != 0)
        return not_understood(err, root, path, "the unit must be Joules", text); /* P08 */
    snprintf(path, sizeof path, "%s.scale", event_path);
    if (!root_read_text(root, path, text, sizeof text, err))
        return false;
    if (!text_to_number(text, j_per_count) || *j_per_count <= 0 || *j_per_count > 1e3)
        return not_understood(err, root, path, "the scale must be joules per count", text);
    return true;
}

bool pmu_read_event(const struct pmu *pmu, const struct root *root, const char *name, struct pmu_event *event,
                    struct error *err)
{
    /* The kernel's names; energy-core is one core's (power_core, Linux 6.15). */
    static const struct {
        const char *name;
        enum component component;
        const char *pfm_name;
    } known[] = {
        { "energy-pkg", COMPONENT_PACKAGE, "RAPL_ENERGY_PKG" },
        { "energy-cores", COMPONENT_CORES, "RAPL_ENERGY_CORES" },
        { "energy-core", COMPONENT_CORES, "" },
        { "energy-ram", COMPONENT_MEMORY, "RAPL_ENERGY_DRAM" },
        { "energy-gpu", COMPONENT_UNCORE, "RAPL_ENERGY_GPU" },
        { "energy-psys", COMPONENT_PLATFORM, "RAPL_ENERGY_PSYS" },
    };

    text_copy(event->name, sizeof event->name, name);
    snprintf(event->path, sizeof event->path, "%s/events/%s", pmu->path, event->name);
    event->pfm_name = NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i].name) == 0) {
            event->component = known[i].component;
            event->pfm_name = known[i].pfm_name;
        }
    if (!event->pfm_name)
        return not_understood(err, root, event->path, "the event must be of a part that is known", name);
    return read_config(pmu, root, event->path, &event->config, err) &&
           read_scale(root, event->path, &event->j_per_count, err);
}

struct place_search {
    const struct machine *machine;
    struct pmu_places *places;
    bool by_die;
    bool shared; /* two CPUs of the mask are in the same place */
};

static void add_place(int cpu, void *context)
{
    struct place_search *search = context;
    struct pmu_places *found = search->places;
    const int known = search->machine->package_of[cpu];
    const int package = known < 0 && search->machine->packages == 1 ? 0 : known;
    const int die = search->by_die ? search->machine->die_of[cpu] : -1;

    for (size_t i = 0; i < found->count; i++)
        if (found->places[i].package == package && found->places[i].die == die) {
            search->shared = true;
            return;
        }
    if (found->count == PMU_MAX_PLACES)
        found->left_out++;
    else
        found->places[found->count++] = (struct pmu_place){ cpu, package, die };
}

static bool only_die(const struct pmu_places *places, size_t index)
{
    for (size_t i = 0; i < places->count; i++)
        if (i != index && places->places[i].package == places->places[index].package)
            return false;
    return true;
}

/* The mask has one CPU of each package or die, or (newest kernels) every CPU of each package (P31). A
 * mask that has several CPUs of one die is of the second kind: the event is the whole package's. */
bool pmu_read_places(const struct pmu *pmu, const struct root *root, const struct machine *machine,
                     struct pmu_places *places, struct error *err)
{
    struct place_search search = { machine, places, !package_has_one_counter(machine), false };
    char path[128], mask[1024];

    *places = (struct pmu_places){ .count = 0 };
    snprintf(path, sizeof path, "%s/cpumask", pmu->path);
    if (!root_read_text(root, path, mask, sizeof mask, err))
        return false;
    if (!machine_cpu_list(mask, add_place, &search))
        return not_understood(err, root, path, "it must be a list of CPUs", mask);
    if (search.by_die && search.shared) {
        search.by_die = false;
        *places = (struct pmu_places){ .count = 0 };
        IGNORED(machine_cpu_list(mask, add_place, &search), "the same list was read before");
    }
    for (size_t i = 0; i < places->count; i++)
        if (only_die(places, i))
            places->places[i].die = -1;
    return true;
}
