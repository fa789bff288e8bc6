/* SPDX-License-Identifier: MIT
 * The file of a pipeline: its name, its steps, the values of its parameters. */
#include "base/c_locale.h"
#include "commands/pipeline/pipeline_parts.h"

#include <stdlib.h>
#include <string.h>

static const char *const pipeline_keys[] = { "api-version",  "name",         "description",
                                             "orchestrator", "pull-secrets", "parameters",
                                             "operators",    "steps",        NULL };

/* "NAME=VALUE". */
static bool argument_of(struct pipeline_reading *reading, const char *setting, struct pipeline_argument *argument)
{
    const char *equals = strchr(setting, '=');

    if (!equals || equals == setting) {
        error_set(reading->err, ERROR_USAGE, "'%.100s' gives no parameter a value", setting);
        return error_fix(reading->err, "write --set NAME=VALUE");
    }
    argument->name = arena_copy(&reading->pipeline->store, setting, (size_t)(equals - setting));
    argument->value = equals + 1;
    return argument->name || pipeline_no_memory(reading);
}

static bool expand(struct pipeline_reading *reading, const char *const *settings, size_t count)
{
    struct pipeline *pipeline = reading->pipeline;
    struct pipeline_argument *items = arena_get(&pipeline->store, (count + 1) * sizeof *items);
    const struct pipeline_arguments arguments = { .items = items, .count = count };

    if (!items)
        return pipeline_no_memory(reading);
    for (size_t i = 0; i < count; i++)
        if (!argument_of(reading, settings[i], &items[i]))
            return false;
    return pipeline_expand(reading, &pipeline->yaml, &arguments);
}

static bool read_name(struct pipeline_reading *reading)
{
    struct pipeline *pipeline = reading->pipeline;
    const struct yaml *yaml = &pipeline->yaml;
    const struct yaml_node *name = yaml_member(yaml->root, "name");
    const struct yaml_node *version = yaml_member(yaml->root, "api-version");
    const char *base = strrchr(yaml->path, '/'), *end;

    if (version && !version->null &&
        !pipeline_text(reading, yaml, version, "the version of the language", &pipeline->api_version))
        return false;
    if (name && !name->null)
        return pipeline_text(reading, yaml, name, "the pipeline's name", &pipeline->name);
    base = base ? base + 1 : yaml->path;
    end = strrchr(base, '.');
    pipeline->name = arena_copy(&pipeline->store, base, end && end > base ? (size_t)(end - base) : strlen(base));
    return pipeline->name || pipeline_no_memory(reading);
}

static bool list_of_steps(struct pipeline_reading *reading, const struct yaml_node **list)
{
    const struct yaml *yaml = &reading->pipeline->yaml;
    const struct yaml_node *operators = yaml_member(yaml->root, "operators"), *steps = yaml_member(yaml->root, "steps");
    struct error *err = reading->err;

    *list = operators ? operators : steps;
    if (!*list) {
        error_set(err, ERROR_USAGE, "'%.150s' describes no pipeline", yaml->path);
        error_why(err, "it has neither 'operators' nor 'steps'");
        return error_fix(err, "list its steps below 'steps:'");
    }
    if (operators && steps) {
        yaml_refuse_key(yaml, steps->key_begin > operators->key_begin ? steps : operators, err,
                        "'operators' and 'steps' are the same, and both are here");
        return error_fix(err, "put all steps into one list");
    }
    if ((*list)->null || ((*list)->kind == YAML_LIST && (*list)->count == 0))
        return yaml_refuse_key(yaml, *list, err, "'%.20s' has no steps", (*list)->key);
    if ((*list)->kind != YAML_LIST) {
        yaml_refuse(yaml, *list, err, "'%.20s' is not a list", (*list)->key);
        return error_fix(err, "begin each step with '- name: NAME'");
    }
    if ((*list)->count > PIPELINE_MAX_STEPS)
        return yaml_refuse_key(yaml, *list, err, "there are more than %d steps", PIPELINE_MAX_STEPS);
    return true;
}

static bool is_unique(struct pipeline_reading *reading, const struct pipeline_step *step)
{
    const struct pipeline *pipeline = reading->pipeline;

    for (const struct pipeline_step *before = pipeline->steps; before < step; before++)
        if (c_strcasecmp(before->name, step->name) == 0) {
            yaml_refuse(step->yaml, step->node, reading->err, "there are two steps '%.60s'", step->name);
            error_why(reading->err, "the other one is in line %zu%s%.100s; capitals and small letters are the same",
                      before->line, before->yaml == step->yaml ? "" : " of ",
                      before->yaml == step->yaml ? "" : before->yaml->path);
            return false;
        }
    return true;
}

static bool read_steps(struct pipeline_reading *reading)
{
    struct pipeline *pipeline = reading->pipeline;
    const struct yaml_node *list;
    char *real;
    bool good = true;

    if (!list_of_steps(reading, &list))
        return false;
    pipeline->steps = arena_get(&pipeline->store, list->count * sizeof *pipeline->steps);
    if (!pipeline->steps)
        return pipeline_no_memory(reading);
    real = realpath(pipeline->yaml.path, NULL);
    const struct pipeline_chain chain = { .shown = pipeline->yaml.path, .real = real ? real : pipeline->yaml.path };
    for (const struct yaml_node *node = list->first; good && node; node = node->next) {
        struct pipeline_step *step = &pipeline->steps[pipeline->count];
        good = pipeline_import_step(reading, &pipeline->yaml, node, &chain, step) && is_unique(reading, step);
        pipeline->count += good;
    }
    free(real);
    return good;
}

bool pipeline_read(struct pipeline *pipeline, const char *path, const char *const *settings, size_t count,
                   struct error *err)
{
    struct pipeline_reading reading = { .pipeline = pipeline, .err = err };

    *pipeline = (struct pipeline){ .count = 0 };
    if (!yaml_read(&pipeline->yaml, path, err))
        return false;
    if (pipeline->yaml.root->kind != YAML_MAP) {
        yaml_refuse(&pipeline->yaml, pipeline->yaml.root, err, "this describes no pipeline");
        error_why(err, "it is a %s, not 'key: value'", pipeline->yaml.root->kind == YAML_LIST ? "list" : "text");
        return error_fix(err, "list its steps below 'steps:'");
    }
    pipeline_check_keys(&reading, &pipeline->yaml, pipeline->yaml.root, pipeline_keys);
    return expand(&reading, settings, count) && read_name(&reading) && read_steps(&reading) &&
           pipeline_link(&reading) && pipeline_sort(&reading);
}

void pipeline_close(struct pipeline *pipeline)
{
    for (struct pipeline_import *import = pipeline->imports, *next; import; import = next) {
        next = import->next;
        yaml_close(&import->yaml);
        free(import);
    }
    yaml_close(&pipeline->yaml);
    arena_close(&pipeline->store);
    *pipeline = (struct pipeline){ .count = 0 };
}
