/* SPDX-License-Identifier: MIT
 * A recorded machine of any content through every energy driver, the meter, the scopes and the form for machines.
 *
 * The input: path NUL content NUL ..., see folder_put. An empty path is a moment: what follows changes the files. */
#include "folder.h"

#include "commands/sources/sources_list.h"
#include "form/text_columns.h"

#include <cjson/cJSON.h>

enum { MAX_MOMENTS = 8 };

/* Lays out the files of one moment. False: the input is at its end. */
static bool next_moment(struct input *input)
{
    bool more = true;

    while (more && input->at < input->end) {
        char *path = input_text(input), *content = input_text(input);
        more = *path != '\0';
        if (more)
            folder_put(path, content);
        free(path);
        free(content);
    }
    return !more;
}

static void check_error(const struct error *err)
{
    FUZZ_MUST(err->kind != ERROR_NONE && *err->what);
}

static void check_domain(const struct energy_source *source, size_t index)
{
    const struct domain *domain = &source->domains[index];

    FUZZ_MUST(*domain->name && *domain->path);
    for (size_t i = 0; i < index; i++)
        FUZZ_MUST(strcmp(domain->name, source->domains[i].name) != 0);
    FUZZ_MUST(domain->package >= -1 && domain->die >= -1);
    FUZZ_MUST(domain->quality != QUALITY_UNKNOWN && domain->resolution_uj >= 1);
    FUZZ_MUST(!domain->wrap_unknown || !domain->wraps_at_uj);
    FUZZ_MUST(domain->low_ratio <= 1 && domain->high_ratio >= 1);
    FUZZ_MUST(domain->problem.kind == ERROR_NONE || *domain->problem.what);
}

static void check_driver(const struct energy_driver *driver, const struct root *root, const struct machine *machine)
{
    struct energy_source source = { .driver = driver };
    struct reading readings[ENERGY_MAX_DOMAINS];
    struct error err = { .kind = ERROR_NONE };
    size_t readable = 0;

    const bool opened = driver->open(&source, root, machine, &err);
    FUZZ_MUST(source.domain_count <= ENERGY_MAX_DOMAINS);
    for (size_t i = 0; i < source.domain_count; i++) {
        check_domain(&source, i);
        readable += source.domains[i].problem.kind == ERROR_NONE;
    }
    if (!opened)
        check_error(&err);
    FUZZ_MUST(opened == (readable > 0));
    for (int turn = 0; opened && turn < 2; turn++) {
        driver->read(&source, readings);
        for (size_t i = 0; i < source.domain_count; i++)
            FUZZ_MUST(readings[i].error || source.domains[i].problem.kind == ERROR_NONE);
    }
    driver->close(&source);
    driver->close(&source);
    notices_clear(&source.notices);
}

static void check_json(struct sources *sources)
{
    struct error err;
    char *text = NULL;
    size_t size = 0, length;
    FILE *out = open_memstream(&text, &size);
    cJSON *json;

    FUZZ_MUST(out && sources_write_json(sources, out, false, &err) && fclose(out) == 0);
    for (const char *at = text; *at; at += length)
        FUZZ_MUST((length = utf8_length(at)) > 0);
    json = cJSON_Parse(text);
    FUZZ_MUST(json);
    cJSON_Delete(json);
    free(text);
}

static void check_scope(struct sources *sources, enum scope scope)
{
    const struct meter *meter = &sources->meter;
    const struct counting *counting = &sources->counting;
    struct error err = { .kind = ERROR_NONE };
    size_t counted = 0;

    sources->scope = scope;
    notices_clear(&sources->notices);
    sources->measurable = scope_count(meter, scope, &sources->counting, &sources->notices, &err);
    sources->status = "none";
    if (!sources->measurable)
        check_error(&err);
    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        FUZZ_MUST(*counting->reason[i]);
        FUZZ_MUST(!counting->is_counted[i] || counting->eligible[i]);
        FUZZ_MUST(!counting->is_counted[i] || domain->problem.kind == ERROR_NONE);
        FUZZ_MUST(!counting->eligible[i] || !*domain->not_counted);
        counted += counting->is_counted[i];
    }
    FUZZ_MUST(counted == counting->counted && sources->measurable == (counted > 0));
    check_json(sources);
}

static void check_samples(struct meter *meter, struct input *input)
{
    struct sample sample, before = { .time_ns = 0 };

    for (int i = 0; i < MAX_MOMENTS; i++) {
        const bool more = next_moment(input);
        meter_poll(meter);
        meter_sample(meter, &sample);
        FUZZ_MUST(sample.time_ns >= before.time_ns);
        for (size_t j = 0; j < meter->domain_count; j++) {
            FUZZ_MUST(sample.energy_uj[j] >= before.energy_uj[j]);
            FUZZ_MUST(!sample.read[j] || meter->domains[j].domain->problem.kind == ERROR_NONE);
        }
        before = sample;
        if (!more)
            break;
    }
}

static void check_meter(struct sources *sources, const struct root *root, struct input *input)
{
    struct meter *meter = &sources->meter;
    struct error err = { .kind = ERROR_NONE };
    const struct meter_options options = { .whole_machine = true };
    const bool opened = meter_open(meter, root, &sources->machine, &options, &err);

    if (!opened)
        check_error(&err);
    sources->view_count = 0;
    for (size_t i = 0; i < meter->source_count; i++)
        sources->views[sources->view_count++] = (struct source_view){ .driver = meter->sources[i].driver,
                                                                      .source = &meter->sources[i],
                                                                      .in_use = meter->opened[i] };
    for (enum scope scope = SCOPE_COMPUTE; scope <= SCOPE_MACHINE; scope++)
        check_scope(sources, scope);
    if (opened)
        check_samples(meter, input);
    meter_close(meter);
    meter_close(meter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sources sources;
    struct input input = { data, data + size };
    struct root root;
    struct error err;

    folder_open();
    const int next_fd = fuzz_next_fd();
    next_moment(&input);
    FUZZ_MUST(root_open(&root, folder.path, &err));
    machine_read(&sources.machine, &root);
    FUZZ_MUST(sources.machine.cpus_online >= 1 && sources.machine.packages >= 1);
    FUZZ_MUST(sources.machine.cpu_limit >= 0 && sources.machine.cpu_limit <= MACHINE_MAX_CPUS);
    for (size_t i = 0; energy_drivers[i]; i++)
        check_driver(energy_drivers[i], &root, &sources.machine);
    check_meter(&sources, &root, &input);
    root_close(&root);
    FUZZ_MUST(fuzz_next_fd() == next_fd);
    folder_clear();
    return 0;
}
