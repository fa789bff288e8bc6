/* SPDX-License-Identifier: MIT
 * Who sends: the resource of OTLP, with service, host, container, pod and process. Used in app, commands/measure and
 * commands/serve. Begin with otlp_resource_find(). */
#ifndef OTLP_OTLP_RESOURCE_H
#define OTLP_OTLP_RESOURCE_H

#include "base/sysroot.h"
#include "base/text.h"

enum { OTLP_KEY_SIZE = 128 };

struct otlp_attribute {
    char key[OTLP_KEY_SIZE];
    char *value; /* owned */
};

struct otlp_resource {
    struct otlp_attribute *items;
    size_t count, room;
    bool failed; /* no memory */
};

/* Adds one, or gives it another value; NULL and "" are unknown, and left out. */
void otlp_resource_set(struct otlp_resource *resource, const char *key, const char *value);

/* What this process knows of itself: service.*, host.*, os.type, container.id and k8s.*, by its groups, the
 * files of its container and the variables POD_NAME, POD_UID, POD_NAMESPACE and NODE_NAME. root: of this machine, or
 * a recorded one, which has no container. service.instance.id is the caller's to set. */
void otlp_resource_find(struct otlp_resource *resource, const struct root *root);

/* process.*, where the metrics are of this process itself. */
void otlp_resource_self(struct otlp_resource *resource);

/* The list of OTEL_RESOURCE_ATTRIBUTES: "key=value,key2=value2", with %2C and the like. False: it is none, and nothing
 * is taken of it, as OpenTelemetry asks. */
bool otlp_resource_list(struct otlp_resource *resource, const char *list, struct error *err) MUST_CHECK;

/* %2C and the like, in place. False: a '%' that no two digits follow, or a NUL. */
bool otlp_unescape(char *text) MUST_CHECK;

/* That list, and OTEL_SERVICE_NAME: they replace other values. False: as above. */
bool otlp_resource_environment(struct otlp_resource *resource, struct error *err) MUST_CHECK;

/* The container's id in a text of /proc/self/cgroup or /proc/self/mountinfo: 64 hexadecimal digits behind a '/' or
 * '-' that no further digit follows. False: none. */
enum { OTLP_CONTAINER_ID_SIZE = 65 };
bool otlp_container_of(const char *text, char id[OTLP_CONTAINER_ID_SIZE]);

/* {"attributes":[…]} */
void otlp_resource_add(const struct otlp_resource *resource, struct text *text);

void otlp_resource_close(struct otlp_resource *resource); /* harmless twice, and on a zeroed one */

#endif
