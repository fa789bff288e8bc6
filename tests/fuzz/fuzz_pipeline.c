/* SPDX-License-Identifier: MIT
 * Descriptions of pipelines. The input: settings ("NAME=VALUE") and "", each ended by NUL, then the file; "f.yaml" is
 * the file once more, so that it can import itself as another. */
#include "folder.h"

#include "commands/pipeline/pipeline_requests.h"

#include <strings.h>

enum { MAX_SETTINGS = 16 };

static size_t count_nodes(const struct yaml *yaml, const struct yaml_node *node)
{
    size_t count = 1, children = 0;

    FUZZ_MUST((node->text != NULL) == (node->kind == YAML_TEXT));
    FUZZ_MUST(node->begin <= node->end && node->end <= yaml->length);
    FUZZ_MUST(node->line > 0 && node->column > 0);
    for (const struct yaml_node *child = node->first; child; child = child->next, children++) {
        FUZZ_MUST((child->key != NULL) == (node->kind == YAML_MAP));
        FUZZ_MUST(child->begin >= node->begin && child->begin <= node->end);
        count += count_nodes(yaml, child);
    }
    FUZZ_MUST(children == node->count);
    return count;
}

/* A plain or a flow value is where it says it is: read alone it is the same. */
static void check_values(const struct yaml *yaml, const struct yaml_node *node)
{
    const char *first = yaml->text + node->begin;

    if (node->flow)
        FUZZ_MUST(*first == (node->kind == YAML_LIST ? '[' : '{') || node->kind == YAML_MAP);
    if (node->kind == YAML_TEXT && !node->quoted && !node->null && !strpbrk(node->text, " \n"))
        FUZZ_MUST(strlen(node->text) == node->end - node->begin && strncmp(first, node->text, strlen(node->text)) == 0);
    for (const struct yaml_node *child = node->first; child; child = child->next)
        check_values(yaml, child);
}

static void try_yaml(const char *path)
{
    struct error err = { .kind = ERROR_NONE };
    struct yaml yaml;

    if (yaml_read(&yaml, path, &err)) {
        FUZZ_MUST(count_nodes(&yaml, yaml.root) <= YAML_MAX_NODES);
        check_values(&yaml, yaml.root);
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    }
    yaml_close(&yaml);
}

/* Each step is there once, and after those that it reads from. */
static void check_order(const struct pipeline *pipeline)
{
    size_t place[PIPELINE_MAX_STEPS];

    FUZZ_MUST(pipeline->count > 0 && pipeline->count <= PIPELINE_MAX_STEPS);
    memset(place, 0xff, sizeof place);
    for (size_t i = 0; i < pipeline->count; i++) {
        FUZZ_MUST(pipeline->order[i] < pipeline->count && place[pipeline->order[i]] == (size_t)-1);
        place[pipeline->order[i]] = i;
    }
    for (size_t i = 0; i < pipeline->count; i++)
        for (size_t j = 0; j < pipeline->steps[i].input_count; j++) {
            const int from = pipeline->steps[i].inputs[j].from;
            FUZZ_MUST(from < (int)pipeline->count && (from < 0 || place[from] < place[i]));
        }
}

/* What a caller makes folders and command lines of. */
static void check_step(const struct pipeline_step *step)
{
    const size_t length = strlen(step->name);

    FUZZ_MUST(length > 0 && length <= PIPELINE_NAME_MAX && !strpbrk(step->name, "./ \"'\n\\"));
    FUZZ_MUST(step->image || (step->command && *step->command[0]));
    FUZZ_MUST(!step->image || *step->image != '-');
    FUZZ_MUST(!(step->timeout_s <= 0));
    for (char **variable = step->environment; *variable; variable++)
        FUZZ_MUST(strchr(*variable, '=') > *variable);
    for (size_t i = 0; i < step->output_count; i++)
        FUZZ_MUST(!step->outputs[i].path || (*step->outputs[i].path == '/' && !strchr(step->outputs[i].path, ':')));
}

/* What was written is the pipeline with these requests. */
static void check_written(const struct pipeline *pipeline, const char *path, char *const *settings, size_t count)
{
    struct pipeline *again = malloc(sizeof *again);
    struct error err = { .kind = ERROR_NONE };

    FUZZ_MUST(again);
    FUZZ_MUST(pipeline_read(again, path, (const char *const *)settings, count, &err));
    FUZZ_MUST(again->count == pipeline->count);
    for (size_t i = 0; i < again->count; i++) {
        FUZZ_MUST(strcmp(again->steps[i].name, pipeline->steps[i].name) == 0);
        FUZZ_MUST(again->order[i] == pipeline->order[i]);
        if (!again->steps[i].imported)
            FUZZ_MUST(again->steps[i].requests.cpu == (int64_t)i + 1 && again->steps[i].requests.memory_mb == 256);
    }
    pipeline_close(again);
    free(again);
}

static void try_requests(const struct pipeline *pipeline, const char *path, char *const *settings, size_t count)
{
    struct pipeline_requests *requests = calloc(pipeline->count, sizeof *requests);
    struct pipeline_rewritten rewritten;
    struct error err = { .kind = ERROR_NONE };

    FUZZ_MUST(requests);
    for (size_t i = 0; i < pipeline->count; i++)
        requests[i] = (struct pipeline_requests){ .cpu = (int64_t)i + 1, .memory_mb = 256 };
    if (pipeline_requests_write(pipeline, requests, &rewritten, &err)) {
        FUZZ_MUST(strlen(rewritten.text) == rewritten.length);
        folder_write("p.yaml", rewritten.text, rewritten.length, false);
        check_written(pipeline, path, settings, count);
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what && !rewritten.text);
    }
    pipeline_rewritten_close(&rewritten);
    free(requests);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    struct error err = { .kind = ERROR_NONE };
    struct pipeline *pipeline = malloc(sizeof *pipeline);
    char *settings[MAX_SETTINGS], path[300];
    size_t count = 0;

    FUZZ_MUST(pipeline);
    folder_open();
    const int next_fd = fuzz_next_fd();
    do
        settings[count] = input_text(&input);
    while (*settings[count] && ++count < MAX_SETTINGS);
    if (count < MAX_SETTINGS)
        free(settings[count]);
    folder_write("p.yaml", input.at, input_left(&input), true);
    folder_write("f.yaml", input.at, input_left(&input), true);
    snprintf(path, sizeof path, "%s/p.yaml", folder.path);
    try_yaml(path);
    if (pipeline_read(pipeline, path, (const char *const *)settings, count, &err)) {
        check_order(pipeline);
        for (size_t i = 0; i < pipeline->count; i++)
            check_step(&pipeline->steps[i]);
        try_requests(pipeline, path, settings, count);
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    }
    pipeline_close(pipeline);
    free(pipeline);
    while (count)
        free(settings[--count]);
    FUZZ_MUST(fuzz_next_fd() == next_fd);
    folder_clear();
    return 0;
}
