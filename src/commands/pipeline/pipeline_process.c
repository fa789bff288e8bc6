/* SPDX-License-Identifier: MIT
 * How the process of a step runs: its command where it has no container, its variables, folder, time and CPUs. */
#include "base/c_locale.h"
#include "commands/pipeline/pipeline_parts.h"

#include "base/parse_quantity.h"
#include "base/text.h"
#include "run/cpus.h"

#include <math.h>
#include <string.h>

static bool is_given(const struct yaml_node *node)
{
    return node && !(node->kind == YAML_TEXT && node->null);
}

/* Of two keys for one thing the one that is there. */
static bool one_of(struct pipeline_reading *reading, const struct pipeline_step *step, const char *key,
                   const char *other, const struct yaml_node **node)
{
    const struct yaml_node *first = yaml_member(step->node, key), *second = yaml_member(step->node, other);

    *node = is_given(first) ? first : second;
    if (!is_given(first) || !is_given(second))
        return true;
    yaml_refuse_key(step->yaml, second, reading->err, "'%s' and '%s' are the same, and both are here", key, other);
    return error_fix(reading->err, "take one of them away");
}

static bool read_command(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *run;

    if (!one_of(reading, step, "run", "command", &run))
        return false;
    if (step->image) {
        if (!is_given(run))
            return true;
        yaml_refuse_key(step->yaml, run, reading->err, "a step with a container cannot have '%.20s'", run->key);
        return error_fix(reading->err, "write 'command' into 'container'");
    }
    if (!is_given(run)) {
        yaml_refuse(step->yaml, step->node, reading->err, "this step has nothing to run");
        return error_fix(reading->err, "give it 'container: {image: NAME}' or 'run: [PROGRAM, ARGUMENT]'");
    }
    if (!pipeline_argv(reading, step->yaml, run, "the command of a step", &step->command))
        return false;
    return step->command || yaml_refuse(step->yaml, run, reading->err, "the command of a step is an empty list");
}

static bool is_variable(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == '=' || *c == 0x7f)
            return false;
    return *name != '\0';
}

static bool add_variable(struct pipeline_reading *reading, const struct pipeline_step *step,
                         const struct yaml_node *node, char **variable)
{
    if (node->kind != YAML_TEXT)
        return yaml_refuse(step->yaml, node, reading->err, "the variable '%.60s' is not text", node->key);
    if (!is_variable(node->key))
        return yaml_refuse_key(step->yaml, node, reading->err, "no variable can be called '%.60s'", node->key);
    *variable = arena_print(&reading->pipeline->store, "%s=%s", node->key, node->text);
    return *variable || pipeline_no_memory(reading);
}

static bool read_environment(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *map;
    size_t count = 0;

    if (!one_of(reading, step, "variables", "env", &map))
        return false;
    if (is_given(map) && map->kind != YAML_MAP) {
        yaml_refuse(step->yaml, map, reading->err, "'%.20s' is not a map", map->key);
        return error_fix(reading->err, "write NAME: VALUE for each");
    }
    step->environment =
        arena_get(&reading->pipeline->store, ((is_given(map) ? map->count : 0) + 1) * sizeof *step->environment);
    if (!step->environment)
        return pipeline_no_memory(reading);
    for (const struct yaml_node *node = is_given(map) ? map->first : NULL; node; node = node->next)
        if (!add_variable(reading, step, node, &step->environment[count++]))
            return false;
    return true;
}

/* "90", "30s", "5m", "2h30m" */
static bool read_timeout(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *timeout = yaml_member(step->node, "timeout");
    const char *text;

    step->timeout_s = NAN;
    if (!is_given(timeout))
        return true;
    if (!pipeline_text(reading, step->yaml, timeout, "the time that a step may take", &text))
        return false;
    if (quantity_of(QUANTITY_SECONDS, text, &step->timeout_s) && step->timeout_s > 0)
        return true;
    yaml_refuse(step->yaml, timeout, reading->err, "'%.60s' is not a valid time limit of a step", text);
    return error_fix(reading->err, "write seconds, or 30s, 5m, 2h");
}

static bool read_cpus(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *node = yaml_member(step->node, "cpus");
    struct error why = { .kind = ERROR_NONE };
    struct cpus cpus;

    if (!is_given(node))
        return true;
    if (!pipeline_text(reading, step->yaml, node, "the list of CPUs", &step->cpus))
        return false;
    if (cpus_of_list(step->cpus, &cpus, &why))
        return true;
    yaml_refuse(step->yaml, node, reading->err, "%.120s", why.what);
    error_why(reading->err, "%s", why.why);
    return error_fix(reading->err, "%s", why.fix);
}

static bool read_allowance(struct pipeline_reading *reading, struct pipeline_step *step)
{
    static const char *const words[] = { "false", "true", "no", "yes", "off", "on" };
    const struct yaml_node *node = yaml_member(step->node, "allow-failure");
    const char *text;

    if (!is_given(node))
        return true;
    if (!pipeline_text(reading, step->yaml, node, "'allow-failure'", &text))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (c_strcasecmp(text, words[i]) == 0) {
            step->allow_failure = i % 2;
            return true;
        }
    yaml_refuse(step->yaml, node, reading->err, "'allow-failure' is neither true nor false");
    return error_fix(reading->err, "write true or false");
}

bool pipeline_process_read(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *dir = yaml_member(step->node, "dir");

    if (is_given(dir) && !pipeline_text(reading, step->yaml, dir, "the folder that a step runs in", &step->dir))
        return false;
    if (step->dir && !*step->dir)
        return yaml_refuse(step->yaml, dir, reading->err, "the folder that a step runs in is an empty text");
    return read_command(reading, step) && read_environment(reading, step) && read_timeout(reading, step) &&
           read_cpus(reading, step) && read_allowance(reading, step);
}
