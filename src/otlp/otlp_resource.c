/* SPDX-License-Identifier: MIT
 * Attributes of the resource: semantic conventions of OpenTelemetry, docs/resource. */
#include "config.h"

#include "otlp/otlp_resource.h"

#include "base/array.h"
#include "io/machine_identity.h"
#include "otlp/otlp_points.h"
#include "usage/group_name.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { ID_DIGITS = OTLP_CONTAINER_ID_SIZE - 1, MOUNTS_SIZE = 32 << 10 };

static const char hex[] = "0123456789abcdef", process_pid[] = "process.pid";

static struct otlp_attribute *place_of(struct otlp_resource *resource, const char *key)
{
    for (size_t i = 0; i < resource->count; i++)
        if (strcmp(resource->items[i].key, key) == 0)
            return &resource->items[i];
    resource->items = array_room(resource->items, &resource->room, resource->count + 1, sizeof *resource->items);
    if (resource->room <= resource->count)
        return NULL;
    resource->items[resource->count] = (struct otlp_attribute){ .value = NULL };
    text_copy(resource->items[resource->count].key, OTLP_KEY_SIZE, key);
    return &resource->items[resource->count++];
}

void otlp_resource_set(struct otlp_resource *resource, const char *key, const char *value)
{
    struct otlp_attribute *place = value && *value ? place_of(resource, key) : NULL;
    char *copy = place ? strdup(value) : NULL;

    if (copy) {
        free(place->value);
        place->value = copy;
    } else {
        resource->failed |= value && *value;
    }
}

/* The first of these variables that is set. */
static const char *variable(const char *first, const char *second)
{
    const char *value = getenv(first);

    return value && *value ? value : getenv(second);
}

/* What the conventions call a processor (host.arch). */
static const char *processor(void)
{
    static const char *const names[][2] = {
        { "x86_64", "amd64" },  { "aarch64", "arm64" }, { "i686", "x86" },        { "armv7l", "arm32" },
        { "ppc64le", "ppc64" }, { "s390x", "s390x" },   { "riscv64", "riscv64" },
    };
    struct utsname system;

    if (uname(&system) == 0)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (strcmp(names[i][0], system.machine) == 0)
                return names[i][1];
    return NULL;
}

bool otlp_container_of(const char *text, char id[OTLP_CONTAINER_ID_SIZE])
{
    for (const char *at = text + strcspn(text, hex); *at; at += strcspn(at, hex)) {
        const size_t length = strspn(at, hex);
        if (length == ID_DIGITS && at > text && strchr("/-", at[-1])) {
            memcpy(id, at, ID_DIGITS);
            id[ID_DIGITS] = '\0';
            return true;
        }
        at += length;
    }
    return false;
}

/* In a namespace of control groups of its own a container sees no name; of what engines lay into it, it does. */
static bool find_container(struct otlp_resource *resource, const struct root *root)
{
    char *text = malloc(MOUNTS_SIZE), id[OTLP_CONTAINER_ID_SIZE];
    const char *file;

    const bool found =
        text && ((root_read_text(root, "proc/self/cgroup", text, MOUNTS_SIZE, NULL) && otlp_container_of(text, id)) ||
                 (root_read_text(root, "proc/self/mountinfo", text, MOUNTS_SIZE, NULL) &&
                  (file = strstr(text, "/containers/")) != NULL && otlp_container_of(file, id)));

    if (found)
        otlp_resource_set(resource, "container.id", id);
    free(text);
    return found;
}

/* "…/kubepods-pod1234.slice/cri-containerd-….scope": the folder that is a pod's. */
static void find_pod(struct otlp_resource *resource, const struct root *root)
{
    struct group_name name;
    char text[PATH_MAX], *path;

    if (!root_read_text(root, "proc/self/cgroup", text, sizeof text, NULL) || (path = strchr(text, '/')) == NULL)
        return;
    path[strcspn(path, "\n")] = '\0';
    while (*path) {
        if (group_name_of(path, &name) && name.kind == GROUP_POD) {
            otlp_resource_set(resource, "k8s.pod.uid", name.id);
            return;
        }
        *strrchr(path, '/') = '\0'; /* the path begins with one */
    }
}

/* As records have it: a hash, for /etc/machine-id itself is not given away. A container has the file of its image, if
 * any. */
static void find_identity(struct otlp_resource *resource, const struct root *root)
{
    struct machine machine = { .cpus_ours = true };

    machine_identity(&machine, root);
    otlp_resource_set(resource, "host.id", machine.id);
}

static void find_host(struct otlp_resource *resource)
{
    char name[HOST_NAME_MAX + 1] = "";

    if (gethostname(name, sizeof name - 1) == 0)
        otlp_resource_set(resource, "host.name", name);
    otlp_resource_set(resource, "host.arch", processor());
    otlp_resource_set(resource, "os.type", "linux");
}

void otlp_resource_find(struct otlp_resource *resource, const struct root *root)
{
    otlp_resource_set(resource, "service.name", "carbon");
    otlp_resource_set(resource, "service.version", PACKAGE_VERSION);
    find_host(resource);
    if (root->live) {
        if (!find_container(resource, root))
            find_identity(resource, root);
        find_pod(resource, root);
    }
    otlp_resource_set(resource, "k8s.pod.uid", variable("POD_UID", "K8S_POD_UID"));
    otlp_resource_set(resource, "k8s.pod.name", variable("POD_NAME", "K8S_POD_NAME"));
    otlp_resource_set(resource, "k8s.namespace.name", variable("POD_NAMESPACE", "K8S_NAMESPACE_NAME"));
    otlp_resource_set(resource, "k8s.node.name", variable("NODE_NAME", "K8S_NODE_NAME"));
}

void otlp_resource_self(struct otlp_resource *resource)
{
    char pid[24];

    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    otlp_resource_set(resource, process_pid, pid);
    otlp_resource_set(resource, "process.executable.name", program_invocation_short_name);
}

static int digit_of(char c)
{
    const char *at = c ? strchr("0123456789abcdef0123456789ABCDEF", c) : NULL;

    return at ? (int)((at - "0123456789abcdef0123456789ABCDEF") % 16) : -1;
}

bool otlp_unescape(char *text)
{
    char *to = text;

    for (; *text; to++) {
        if (*text != '%') {
            *to = *text++;
            continue;
        }
        const int high = digit_of(text[1]), low = high >= 0 ? digit_of(text[2]) : -1;
        if (low < 0 || (high == 0 && low == 0))
            return false;
        *to = (char)(high * 16 + low);
        text += 3;
    }
    *to = '\0';
    return true;
}

/* The part up to a comma, without white space around it; *list is left behind it. */
static char *next_part(char **list)
{
    char *part = *list + strspn(*list, " \t"), *end = part + strcspn(part, ",");

    *list = end + (*end == ',');
    while (end > part && strchr(" \t,", end[-1]))
        end--;
    *end = '\0';
    return part;
}

/* take: whether the parts are taken, or looked at alone. */
static bool go_through(struct otlp_resource *resource, const char *list, bool take)
{
    char *copy = strdup(list), *rest = copy;
    bool good = copy != NULL;

    while (good && *rest) {
        char *key = next_part(&rest), *value = strchr(key, '=');
        if (!*key)
            continue;
        good = value && value > key;
        if (!good)
            break;
        *value++ = '\0';
        good = otlp_unescape(key) && otlp_unescape(value) && *key && strlen(key) < OTLP_KEY_SIZE;
        if (good && take)
            otlp_resource_set(resource, key, value);
    }
    free(copy);
    return good;
}

bool otlp_resource_list(struct otlp_resource *resource, const char *list, struct error *err)
{
    if (go_through(resource, list, false))
        return go_through(resource, list, true);
    error_set(err, ERROR_USAGE, "OTEL_RESOURCE_ATTRIBUTES is not used");
    error_why(err, "it is not a list of the form KEY=VALUE,KEY=VALUE");
    return error_fix(err, "write commas and '%%' in a value as %%2C and %%25");
}

bool otlp_resource_environment(struct otlp_resource *resource, struct error *err)
{
    const char *list = getenv("OTEL_RESOURCE_ATTRIBUTES");
    const bool good = !list || otlp_resource_list(resource, list, err);

    otlp_resource_set(resource, "service.name", getenv("OTEL_SERVICE_NAME"));
    return good;
}

void otlp_resource_add(const struct otlp_resource *resource, struct text *text)
{
    text_add(text, "{\"attributes\":[");
    for (size_t i = 0; i < resource->count; i++) {
        const bool number = strcmp(resource->items[i].key, process_pid) == 0;
        text_add(text, "%s{\"key\":", i ? "," : "");
        otlp_add_text(text, resource->items[i].key);
        text_add(text, number ? ",\"value\":{\"intValue\":" : ",\"value\":{\"stringValue\":");
        otlp_add_text(text, resource->items[i].value);
        text_add(text, "}}");
    }
    text_add(text, "]}");
}

void otlp_resource_close(struct otlp_resource *resource)
{
    for (size_t i = 0; i < resource->count; i++)
        free(resource->items[i].value);
    free(resource->items);
    *resource = (struct otlp_resource){ .items = NULL };
}
