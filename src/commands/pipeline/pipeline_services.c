/* SPDX-License-Identifier: MIT
 * The servers that a step wants beside it: models of an inference server, services of Clara's language. */
#include "commands/pipeline/pipeline_parts.h"

#include <string.h>

/* Where Clara's platform puts the data of a service; its models are mounted at /models. */
#define DATA_PATH "$(NVIDIA_CLARA_SERVICE_DATA_PATH)"

enum { PORT_MAX = 65535 };

static const char *const service_keys[] = { "name",     "description", "container", "run",
                                            "requests", "connections", "command",   NULL };
static const char *const model_keys[] = { "name", "description", NULL };
static const char *const connections_keys[] = { "http", "file", NULL };
static const char *const connection_keys[] = { "name", "port", NULL };

static bool is_given(const struct yaml_node *node)
{
    return node && !(node->kind == YAML_TEXT && node->null);
}

/* A folder among those of the models: letters, digits, '-', '_', '.', and none that is hidden. */
static bool is_model(const char *name)
{
    const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.");

    return length >= 1 && length <= PIPELINE_NAME_MAX && !name[length] && *name != '.' && *name != '-';
}

static bool read_models(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *list;
    size_t count = 0;

    if (!pipeline_list_of_maps(reading, step->yaml, step->node, "models", &list))
        return false;
    if (!list || list->count == 0)
        return true;
    step->models = arena_get(&reading->pipeline->store, (list->count + 1) * sizeof *step->models);
    if (!step->models)
        return pipeline_no_memory(reading);
    for (const struct yaml_node *node = list->first; node; node = node->next) {
        const struct yaml_node *name = yaml_member(node, "name");
        const char *text;

        pipeline_check_keys(reading, step->yaml, node, model_keys);
        if (!name)
            return yaml_refuse(step->yaml, node, reading->err, "this model has no name");
        if (!pipeline_text(reading, step->yaml, name, "the name of a model", &text))
            return false;
        if (!is_model(text)) {
            yaml_refuse(step->yaml, name, reading->err, "no model can be called '%.60s'", text);
            return error_fix(reading->err, "write the name of its folder below --models-dir");
        }
        step->models[count] = arena_copy(&reading->pipeline->store, text, strlen(text));
        if (!step->models[count++])
            return pipeline_no_memory(reading);
    }
    return true;
}

/* Without what stands for the folder of its data, which is '/' in the container that carbon makes. */
static bool clean_command(struct pipeline_reading *reading, char **command)
{
    for (; command && *command; command++) {
        char *at;

        while ((at = strstr(*command, DATA_PATH))) {
            *command = arena_print(&reading->pipeline->store, "%.*s%s", (int)(at - *command), *command,
                                   at + strlen(DATA_PATH));
            if (!*command)
                return pipeline_no_memory(reading);
        }
    }
    return true;
}

static bool read_connection(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                            struct pipeline_connection *connection)
{
    const struct yaml_node *name = yaml_member(node, "name"), *port = yaml_member(node, "port");
    const int64_t number = pipeline_integer(port);

    pipeline_check_keys(reading, yaml, node, connection_keys);
    if (!is_given(name) || number < 1 || number > PORT_MAX) {
        yaml_refuse(yaml, is_given(name) && is_given(port) ? port : node, reading->err,
                    "a connection has a name and a port from 1 to %d", PORT_MAX);
        return error_fix(reading->err, "write '- {name: VARIABLE, port: 8000}'");
    }
    connection->port = (unsigned)number;
    return pipeline_name(reading, yaml, name, "the name of a connection", &connection->name);
}

static bool read_connections(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *service,
                             struct pipeline_service *out)
{
    const struct yaml_node *connections = yaml_member(service, "connections"), *node;
    void *room;

    if (!is_given(connections))
        return true;
    if (connections->kind != YAML_MAP)
        return yaml_refuse(yaml, connections, reading->err, "'connections' is not a map");
    pipeline_check_keys(reading, yaml, connections, connections_keys);
    if (is_given(yaml_member(connections, "file"))) {
        yaml_refuse_key(yaml, yaml_member(connections, "file"), reading->err,
                        "a service cannot be reached through a volume here");
        return error_fix(reading->err, "list its connections below 'http:'");
    }
    if (!pipeline_room_for_maps(reading, yaml, connections, "http", sizeof *out->connections, &room, &node))
        return false;
    out->connections = room;
    for (; node; node = node->next)
        if (!read_connection(reading, yaml, node, &out->connections[out->connection_count++]))
            return false;
    return true;
}

static bool read_service(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                         struct pipeline_service *service)
{
    const struct yaml_node *name = yaml_member(node, "name"), *requests = yaml_member(node, "requests");
    const struct yaml_node *run = yaml_member(node, is_given(yaml_member(node, "run")) ? "run" : "command");

    *service = (struct pipeline_service){ .line = node->line };
    pipeline_check_keys(reading, yaml, node, service_keys);
    if (!name)
        return yaml_refuse(yaml, node, reading->err, "this service has no name");
    if (!pipeline_name(reading, yaml, name, "the name of a service", &service->name) ||
        !pipeline_container_read(reading, yaml, node, &service->image, &service->command))
        return false;
    if (!service->image && is_given(run) &&
        !pipeline_argv(reading, yaml, run, "the command of a service", &service->command))
        return false;
    if (service->image ? is_given(run) : !service->command) {
        yaml_refuse(yaml, node, reading->err, "the service '%.60s' has %s", service->name,
                    service->image ? "two commands" : "nothing to run");
        return error_fix(reading->err, service->image ? "write 'command' into 'container'"
                                                      : "give it 'container: {image: NAME}' or 'run: [PROGRAM]'");
    }
    service->gpus = requests && requests->kind == YAML_MAP ? pipeline_integer(yaml_member(requests, "gpu")) : -1;
    return clean_command(reading, service->command) && read_connections(reading, yaml, node, service);
}

bool pipeline_services_read(struct pipeline_reading *reading, struct pipeline_step *step)
{
    const struct yaml_node *node;
    void *room;

    if (!read_models(reading, step) ||
        !pipeline_room_for_maps(reading, step->yaml, step->node, "services", sizeof *step->services, &room, &node))
        return false;
    step->services = room;
    for (; node; node = node->next)
        if (!read_service(reading, step->yaml, node, &step->services[step->service_count++]))
            return false;
    return true;
}
