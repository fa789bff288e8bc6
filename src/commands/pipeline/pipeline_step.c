/* SPDX-License-Identifier: MIT
 * One step: its container, what it reads and writes, its variables and requests. */
#include "base/c_locale.h"
#include "commands/pipeline/pipeline_parts.h"

#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

static const char *const step_keys[] = { "name",    "description", "container", "variables", "env",           "input",
                                         "output",  "models",      "services",  "requests",  "import",        "run",
                                         "command", "dir",         "timeout",   "cpus",      "allow-failure", NULL };
/* A file that is imported is a step with these beside. */
static const char *const file_keys[] = { "name",   "description",   "container",  "variables",   "env",
                                         "input",  "output",        "models",     "services",    "requests",
                                         "import", "run",           "command",    "dir",         "timeout",
                                         "cpus",   "allow-failure", "parameters", "api-version", NULL };
static const char *const port_keys[] = { "from", "name", "path", "type", "format", "shape", "element-type", NULL };
static const char *const request_keys[] = { "cpu", "gpu", "memory", NULL };

/* "/input", "/a/b/": from the root on, and not up from there. ':' divides what an engine is told. */
static bool is_rooted(const char *path)
{
    size_t length;

    if (*path != '/' || !path[strspn(path, "/")])
        return false;
    for (const char *c = path; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f || *c == ':')
            return false;
    for (const char *part = path; *part; part += length + (part[length] == '/')) {
        length = strcspn(part, "/");
        if (length == 2 && memcmp(part, "..", 2) == 0)
            return false;
    }
    return true;
}

static bool read_port(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                      const char **name, const char **path)
{
    const struct yaml_node *named = yaml_member(node, "name"), *placed = yaml_member(node, "path");
    char shown[80];

    pipeline_check_keys(reading, yaml, node, port_keys);
    if (named && !(named->kind == YAML_TEXT && named->null) &&
        !pipeline_name(reading, yaml, named, "the name of an input or output", name))
        return false;
    if (!placed || (placed->kind == YAML_TEXT && placed->null))
        return true;
    if (!pipeline_text(reading, yaml, placed, "the path of an input or output", path))
        return false;
    if (is_rooted(*path))
        return true;
    utf8_printable(shown, sizeof shown, *path);
    yaml_refuse(yaml, placed, reading->err, "the path of an input or output cannot be '%s'", shown);
    return error_fix(reading->err, "write one that begins with '/', without '..' and ':'");
}

static bool read_inputs(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *node;
    void *room;

    if (!pipeline_room_for_maps(reading, step->yaml, step->node, "input", sizeof *step->inputs, &room, &node))
        return false;
    step->inputs = room;
    for (; node; node = node->next) {
        struct pipeline_input *input = &step->inputs[step->input_count++];
        input->from = PIPELINE_PAYLOAD;
        input->node = node;
        if (!read_port(reading, step->yaml, node, &input->name, &input->path))
            return false;
    }
    return true;
}

static bool is_new_output(struct pipeline_reading *reading, const struct pipeline_step *step,
                          const struct yaml_node *node)
{
    const char *name = step->outputs[step->output_count - 1].name;

    for (size_t i = 0; name && i + 1 < step->output_count; i++)
        if (step->outputs[i].name && c_strcasecmp(step->outputs[i].name, name) == 0)
            return yaml_refuse(step->yaml, yaml_member(node, "name"), reading->err, "there are two outputs '%.60s'",
                               name);
    return true;
}

static bool read_outputs(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *list;

    if (!pipeline_list_of_maps(reading, step->yaml, step->node, "output", &list))
        return false;
    if (!list)
        return true;
    if (list->count > PIPELINE_MAX_STEPS)
        return yaml_refuse(step->yaml, list, reading->err, "there are more than %d outputs", PIPELINE_MAX_STEPS);
    step->outputs = arena_get(&reading->pipeline->store, (list->count + 1) * sizeof *step->outputs);
    if (!step->outputs)
        return pipeline_no_memory(reading);
    for (const struct yaml_node *node = list->first; node; node = node->next) {
        struct pipeline_output *output = &step->outputs[step->output_count++];
        if (!read_port(reading, step->yaml, node, &output->name, &output->path) || !is_new_output(reading, step, node))
            return false;
    }
    return true;
}

static bool read_requests(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *requests = yaml_member(step->node, "requests");

    step->requests = (struct pipeline_requests){ .cpu = -1, .gpu = -1, .memory_mb = -1 };
    if (!requests || (requests->kind == YAML_TEXT && requests->null))
        return true;
    if (requests->kind != YAML_MAP) {
        yaml_refuse(step->yaml, requests, reading->err, "'requests' is not a map");
        return error_fix(reading->err, "write 'requests: {cpu: 1, memory: 256}'");
    }
    pipeline_check_keys(reading, step->yaml, requests, request_keys);
    step->requests.cpu = pipeline_integer(yaml_member(requests, "cpu"));
    step->requests.gpu = pipeline_integer(yaml_member(requests, "gpu"));
    step->requests.memory_mb = pipeline_integer(yaml_member(requests, "memory"));
    return true;
}

bool pipeline_step_read(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                        struct pipeline_step *step)
{
    pipeline_check_keys(reading, yaml, node, node == yaml->root ? file_keys : step_keys);
    return pipeline_container_read(reading, yaml, node, &step->image, &step->command) && read_inputs(reading, step) &&
           read_outputs(reading, step) && pipeline_services_read(reading, step) && read_requests(reading, step) &&
           pipeline_process_read(reading, step);
}

bool pipeline_refuse(const struct pipeline_step *step, struct error *err, const char *what)
{
    return error_set(err, ERROR_USAGE, "'%.120s' line %zu: step '%.80s' %s", step->yaml->path, step->line, step->name,
                     what);
}
