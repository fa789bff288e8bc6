/* SPDX-License-Identifier: MIT
 * Documents that carbon wrote once, or that programs answer it, damaged or made to harm. The input begins with what it
 * is: 's' the exporter's state; 'd' two profiles, a form feed between, for profile diff; 'p' what carbon plot draws;
 * 'm' records to be merged; 'z' a packed record of the ledger; 'k' an answer of a service that was kept; 'o' what a
 * meter outside answers; 'y' the kernel's symbols; 't' the title of a container; 'n' a mangled name; 'i' a
 * specification of an indicator. */
#include "folder.h"

#include "app/options/command.h"
#include "base/text.h"
#include "commands/indicator/indicator_spec.h"
#include "commands/plot/plot.h"
#include "commands/profile/profile.h"
#include "commands/serve/state.h"
#include "commands/slurm/merge.h"
#include "energy/energy.h"
#include "grid/live_cache.h"
#include "groups/group_titles.h"
#include "ledger/packed.h"
#include "outside/outside.h"
#include "profile/demangle.h"
#include "profile/kernel_symbols.h"

#include <inttypes.h>
#include <math.h>

static const char *put(const char *name, const char *text, size_t length)
{
    static char path[2][300];
    char *into = path[name[0] == 'b'];

    folder_write(name, text, length, true);
    snprintf(into, sizeof path[0], "%s/%s", folder.path, name);
    return into;
}

static bool is_amount(double value)
{
    return isfinite(value) && value >= 0;
}

/* Whatever it says, no total is less than nothing, and none is told that is not known. */
static void take_state(const char *path)
{
    static const struct energy_driver driver = { .name = "powercap" };
    static const struct domain domain = { .name = "package-0",
                                          .path = "intel-rapl:0",
                                          .access = ACCESS_MSR,
                                          .wraps_at_uj = UINT64_C(262143328911),
                                          .max_w = 2000 };
    static struct energy_source source = { .driver = &driver };
    static struct meter meter;
    static struct counting counting = { .is_counted = { true } };
    static struct collector collector;
    static struct notices notices;
    struct root root;
    struct error err = { .kind = ERROR_NONE };

    memset(&meter, 0, sizeof meter);
    meter.domain_count = 1;
    meter.domains[0] =
        (struct meter_domain){ .domain = &domain, .source = &source, .started = true, .last_raw_uj = 51000000 };
    collector = (struct collector){ .meter = &meter, .counting = &counting, .pue = 1 };
    collector.factor.kgco2eq_per_kwh = 0.1;
    collector.groups = (struct groups){ .max = 100 };
    for (size_t kind = 0; kind < GROUP_KINDS; kind++)
        collector.groups.wanted[kind] = true;
    FUZZ_MUST(root_open(&root, folder.path, &err));
    collector.root = &root;
    notices_clear(&notices);
    FUZZ_MUST(state_read(path, &collector, &notices, &err) || *err.what);
    FUZZ_MUST(is_amount(collector.emitted.kgco2eq));
    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        FUZZ_MUST(is_amount(collector.idle.components[i].w));
    FUZZ_MUST(is_amount(collector.cards[0].idle.w));
    for (size_t i = 0; i < collector.groups.count; i++) {
        const struct group *group = &collector.groups.items[i];
        FUZZ_MUST(is_amount(group->kgco2eq) && is_amount(group->own_kgco2eq));
        for (size_t j = 0; j < COMPONENT_COUNT; j++)
            FUZZ_MUST(is_amount(group->energy_j[j]) && is_amount(group->own_j[j]));
    }
    FUZZ_MUST(collector.groups.count <= collector.groups.max);
    groups_close(&collector.groups);
    root_close(&root);
}

static void take_profiles(const char *before, const char *after)
{
    static const struct option_spec *const none[] = { NULL };
    char *words[] = { (char *)"diff", (char *)before, (char *)after, NULL };
    struct command_line line = { .operand_count = 3, .operands = words };

    const int shown = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

    FUZZ_MUST(shown >= 0 && nowhere >= 0 && fflush(stdout) == 0 && dup2(nowhere, STDOUT_FILENO) == STDOUT_FILENO);
    settings_open(&line.settings, none);
    (void)profile_diff(&line);
    settings_close(&line.settings);
    FUZZ_MUST(fflush(stdout) == 0 && dup2(shown, STDOUT_FILENO) == STDOUT_FILENO);
    close(nowhere);
    close(shown);
}

static void take_plot(const char *path)
{
    char *paths[] = { (char *)path };
    struct error err = { .kind = ERROR_NONE };
    struct plot plot;

    FUZZ_MUST(plot_open(&plot, paths, 1, &err) || *err.what);
    plot_close(&plot);
}

static void take_records(const char *path)
{
    struct error err = { .kind = ERROR_NONE };
    struct merge merge = { .part_count = 0 };

    FUZZ_MUST((merge_read(&merge, path, &err) && merge_finish(&merge, 0, &err)) || *err.what);
    merge_close(&merge);
}

static void take_packed(const char *data, size_t size)
{
    struct error err = { .kind = ERROR_NONE };
    char *text = packed_read(data, size, &err);

    FUZZ_MUST(text || *err.what);
    free(text);
}

/* The file of an answer, which lies under the name that its URL gives it. */
static void read_cached(const char *data, size_t size)
{
    static const char url[] = "https://x/";
    struct cached_answer stored;
    char path[100];

    snprintf(path, sizeof path, "carbon/live/neso/%016" PRIx64, text_hash(url, strlen(url)));
    setenv("XDG_CACHE_HOME", folder.path, 1);
    FUZZ_MUST(folder_way(path));
    folder_write(path, data, size, true);
    if (cached_read("neso", url, &stored))
        FUZZ_MUST(strcmp(stored.url, url) == 0 && stored.body && stored.length <= size && !stored.body[stored.length]);
    cached_close(&stored);
}

static void take_outside(struct input *input)
{
    struct outside_meter meter = { .field = "" };
    struct poller_answer answer = { .error = 0 };
    const int status = (int)input_number(input, 1);
    char *field = input_text(input), *text = input_text(input);

    text_copy(meter.field, sizeof meter.field, field);
    if (outside_understand(&meter, status, text, &answer) == 0)
        FUZZ_MUST(isfinite(answer.value));
    free(field);
    free(text);
}

static void take_symbols(const char *path)
{
    struct kernel_symbols symbols;

    if (kernel_symbols_read(&symbols, path))
        for (uint64_t address = 1; address; address <<= 1) {
            const char *name = kernel_symbols_name(&symbols, address);
            FUZZ_MUST(!name || *name);
        }
    kernel_symbols_close(&symbols);
}

static void take_title(const char *text, size_t size)
{
    struct title_answer answer;
    char message[TITLE_MESSAGE_SIZE];

    if (title_answer_read(text, size, &answer)) {
        FUZZ_MUST(strspn(answer.id, "0123456789abcdef") == strlen(answer.id) && *answer.engine);
        FUZZ_MUST(title_answer_write(&answer, message) < TITLE_MESSAGE_SIZE);
    }
}

static void take_specification(const char *path)
{
    struct indicator_spec spec = { .path = NULL };
    struct error err = { .kind = ERROR_NONE };
    AUTO_NOTICES struct notices notices = { .count = 0 };

    FUZZ_MUST(indicator_spec_open(&spec, path, false, &err) || *err.what);
    indicator_spec_close(&spec, &notices);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data + 1, data + size };
    const char kind = size ? (char)*data : 0;
    const uint8_t *second;
    char *text;

    if (!kind)
        return 0;
    folder_open();
    text = input_text(&input);
    second = memchr(data, '\f', size);
    if (kind == 'd') {
        const size_t first = second ? (size_t)(second - data - 1) : size - 1;
        const char *before = put("a.json", (const char *)data + 1, first);
        take_profiles(before, put("b.json", second ? (const char *)second + 1 : "", second ? size - first - 2 : 0));
    } else if (kind == 'z')
        take_packed((const char *)data + 1, size - 1);
    else if (kind == 'k')
        read_cached((const char *)data + 1, size - 1);
    else if (kind == 't')
        take_title((const char *)data + 1, size - 1);
    else if (kind == 'n')
        free(demangle(text));
    else if (kind == 'o')
        take_outside(&(struct input){ data + 1, data + size });
    else if (strchr("spmyi", kind)) {
        const char *path = put("a.json", (const char *)data + 1, size - 1);
        if (kind == 's')
            take_state(path);
        else if (kind == 'p')
            take_plot(path);
        else if (kind == 'm')
            take_records(path);
        else if (kind == 'y')
            take_symbols(path);
        else
            take_specification(path);
    }
    folder_clear();
    free(text);
    return 0;
}
