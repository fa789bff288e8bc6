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
static const char *const container_keys[] = { "image", "tag", "command", NULL };
static const char *const port_keys[] = { "from", "name", "path", "type", "format", "shape", "element-type", NULL };
static const char *const request_keys[] = { "cpu", "gpu", "memory", NULL };

/* What stands in a command line of a container engine: no option, no blanks. */
static bool is_reference(const char *text)
{
    const size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/:@+");

    return length >= 1 && length <= PIPELINE_NAME_MOST && !text[length] && *text != '-';
}

static bool reference(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                      const char *what, const char **text)
{
    char shown[80];

    if (!pipeline_text(reading, yaml, node, what, text))
        return false;
    if (is_reference(*text))
        return true;
    utf8_printable(shown, sizeof shown, *text);
    return yaml_refuse(yaml, node, reading->err, "%s cannot be '%s'", what, shown);
}

static bool read_container(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *container = yaml_member(step->node, "container");
    const struct yaml_node *image = yaml_member(container, "image"), *tag = yaml_member(container, "tag");
    const struct yaml_node *command = yaml_member(container, "command");
    const char *name, *version;

    if (!container)
        return true;
    if (container->kind != YAML_MAP || !image) {
        yaml_refuse_key(step->yaml, container, reading->err, "this container has no image");
        return error_fix(reading->err, "write 'container: {image: NAME, tag: VERSION}'");
    }
    pipeline_check_keys(reading, step->yaml, container, container_keys);
    if (!reference(reading, step->yaml, image, "the image of a container", &name))
        return false;
    step->image = name;
    if (tag && !(tag->kind == YAML_TEXT && tag->null)) {
        if (!reference(reading, step->yaml, tag, "the tag of an image", &version))
            return false;
        step->image = arena_print(&reading->pipeline->store, "%s:%s", name, version);
        if (!step->image)
            return pipeline_no_memory(reading);
    }
    return !command || (command->kind == YAML_TEXT && command->null) ||
           pipeline_argv(reading, step->yaml, command, "the command of a container", &step->command);
}

/* A member that is a list of maps; none, or nothing in it: NULL. */
static bool list_of_maps(struct pipeline_reading *reading, const struct pipeline_step *step, const char *key,
                         const struct yaml_node **list)
{
    *list = yaml_member(step->node, key);
    if (!*list || ((*list)->kind == YAML_TEXT && (*list)->null)) {
        *list = NULL;
        return true;
    }
    if ((*list)->kind != YAML_LIST)
        return yaml_refuse(step->yaml, *list, reading->err, "'%s' is no list", key);
    for (const struct yaml_node *item = (*list)->first; item; item = item->next)
        if (item->kind != YAML_MAP) {
            yaml_refuse(step->yaml, item, reading->err, "what is in '%s' is a map of its own", key);
            return error_fix(reading->err, "write '- KEY: VALUE'");
        }
    return true;
}

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
    const struct yaml_node *list;

    if (!list_of_maps(reading, step, "input", &list))
        return false;
    if (!list)
        return true;
    step->inputs = arena_get(&reading->pipeline->store, (list->count + 1) * sizeof *step->inputs);
    if (!step->inputs)
        return pipeline_no_memory(reading);
    for (const struct yaml_node *node = list->first; node; node = node->next) {
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

    if (!list_of_maps(reading, step, "output", &list))
        return false;
    if (!list)
        return true;
    if (list->count > PIPELINE_MOST_STEPS)
        return yaml_refuse(step->yaml, list, reading->err, "there are more than %d outputs", PIPELINE_MOST_STEPS);
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

/* The names of what a step wants to have running; of one without a name, "?". */
static bool read_names(struct pipeline_reading *reading, const struct pipeline_step *step, const char *key,
                       char ***names)
{
    const struct yaml_node *list;
    size_t count = 0;

    if (!list_of_maps(reading, step, key, &list))
        return false;
    if (!list || list->count == 0)
        return true;
    *names = arena_get(&reading->pipeline->store, (list->count + 1) * sizeof **names);
    if (!*names)
        return pipeline_no_memory(reading);
    for (const struct yaml_node *node = list->first; node; node = node->next) {
        const struct yaml_node *name = yaml_member(node, "name");
        const char *text = name && name->kind == YAML_TEXT && *name->text ? name->text : "?";
        (*names)[count] = arena_copy(&reading->pipeline->store, text, strlen(text));
        if (!(*names)[count++])
            return pipeline_no_memory(reading);
    }
    return true;
}

/* -1: it is none. */
static int64_t integer_of(const struct yaml_node *node)
{
    uint64_t value;

    return node && node->kind == YAML_TEXT && text_to_u64(node->text, &value) && value <= INT32_MAX ? (int64_t)value
                                                                                                    : -1;
}

static bool read_requests(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *requests = yaml_member(step->node, "requests");

    step->requests = (struct pipeline_requests){ .cpu = -1, .gpu = -1, .memory_mb = -1 };
    if (!requests || (requests->kind == YAML_TEXT && requests->null))
        return true;
    if (requests->kind != YAML_MAP) {
        yaml_refuse(step->yaml, requests, reading->err, "'requests' is no map");
        return error_fix(reading->err, "write 'requests: {cpu: 1, memory: 256}'");
    }
    pipeline_check_keys(reading, step->yaml, requests, request_keys);
    step->requests.cpu = integer_of(yaml_member(requests, "cpu"));
    step->requests.gpu = integer_of(yaml_member(requests, "gpu"));
    step->requests.memory_mb = integer_of(yaml_member(requests, "memory"));
    return true;
}

bool pipeline_step_read(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                        struct pipeline_step *step)
{
    pipeline_check_keys(reading, yaml, node, node == yaml->root ? file_keys : step_keys);
    return read_container(reading, step) && read_inputs(reading, step) && read_outputs(reading, step) &&
           read_names(reading, step, "models", &step->models) &&
           read_names(reading, step, "services", &step->services) && read_requests(reading, step) &&
           pipeline_process_read(reading, step);
}
