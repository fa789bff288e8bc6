/* SPDX-License-Identifier: MIT
 * Containers of carbon's own: made, removed. */
#include "container/container_run.h"

#include "base/auto.h"
#include "container/ask.h"
#include "io/http_url.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define RUN_LABEL "carbon.run"

static void add_texts(struct tree_node parent, const char *key, const char *const *texts)
{
    struct tree_node array;

    if (!texts || !*texts)
        return;
    for (array = tree_array(parent, key); *texts; texts++)
        tree_text(array, NULL, *texts);
}

/* The first podman that heeds devices which are asked for through its socket. */
#define PODMAN_MAJOR 5
#define PODMAN_MINOR 4

static bool check_cards(const struct engine *engine, const struct container_plan *plan, struct error *err)
{
    unsigned major = 0, minor = 0;

    if (!container_cards_any(&plan->cards) || engine->kind != ENGINE_PODMAN)
        return true;
    IGNORED(sscanf(engine->version, "%u.%u", &major, &minor), "an unknown version is 0");
    if (major > PODMAN_MAJOR || (major == PODMAN_MAJOR && minor >= PODMAN_MINOR))
        return true;
    error_set(err, ERROR_USAGE, "podman %.30s gives a container no graphics card", engine->version);
    error_why(err, "through its socket version %d.%d is the first that does", PODMAN_MAJOR, PODMAN_MINOR);
    return error_fix(err, "--runner docker, or --gpus none");
}

/* Docker has NVIDIA's own way, podman that of CDI, where a card is "nvidia.com/gpu=0". */
static void add_cards(struct tree_node host, const struct engine *engine, const struct container_cards *cards)
{
    const bool cdi = engine->kind == ENGINE_PODMAN;
    const char *const prefix = cdi ? "nvidia.com/gpu=" : "";
    const struct tree_node request = tree_object(tree_array(host, "DeviceRequests"), NULL);
    struct tree_node list;
    char id[160];

    tree_text(request, "Driver", cdi ? "cdi" : "");
    if (!cdi)
        tree_text(tree_array(tree_array(request, "Capabilities"), NULL), NULL, "gpu");
    if (!cdi && !cards->ids) {
        tree_number(request, "Count", cards->all ? -1 : (double)cards->count);
        return;
    }
    list = tree_array(request, "DeviceIDs");
    for (const char *const *card = cards->ids; card && *card; card++) {
        snprintf(id, sizeof id, "%s%.120s", prefix, *card);
        tree_text(list, NULL, id);
    }
    for (unsigned i = 0; !cards->ids && !cards->all && i < cards->count; i++) {
        snprintf(id, sizeof id, "%s%u", prefix, i);
        tree_text(list, NULL, id);
    }
    if (cards->all && !cards->ids) {
        snprintf(id, sizeof id, "%sall", prefix);
        tree_text(list, NULL, id);
    }
}

static void add_host(struct tree_node root, const struct engine *engine, const struct container_plan *plan)
{
    const struct tree_node host = tree_object(root, "HostConfig"), mounts = tree_array(host, "Mounts");

    for (size_t i = 0; i < plan->mount_count; i++) {
        const struct tree_node mount = tree_object(mounts, NULL);
        tree_text(mount, "Type", "bind");
        tree_text(mount, "Source", plan->mounts[i].source);
        tree_text(mount, "Target", plan->mounts[i].target);
        tree_bool(mount, "ReadOnly", plan->mounts[i].read_only);
    }
    if (plan->cpus)
        tree_text(host, "CpusetCpus", plan->cpus);
    if (plan->group_parent)
        tree_text(host, "CgroupParent", plan->group_parent);
    if (plan->network)
        tree_text(host, "NetworkMode", plan->network);
    if (container_cards_any(&plan->cards))
        add_cards(host, engine, &plan->cards);
}

static char *plan_text(const struct engine *engine, const struct container_plan *plan, struct error *err)
{
    struct tree tree;
    struct tree_node root;

    tree_open(&tree);
    root = tree_root(&tree);
    tree_text(root, "Image", plan->image);
    add_texts(root, "Cmd", (const char *const *)plan->command);
    add_texts(root, "Env", plan->environment);
    if (plan->working_folder)
        tree_text(root, "WorkingDir", plan->working_folder);
    if (plan->run_id)
        tree_text(tree_object(root, "Labels"), RUN_LABEL, plan->run_id);
    tree_bool(root, "AttachStdout", true);
    tree_bool(root, "AttachStderr", true);
    tree_bool(root, "Tty", false);
    add_host(root, engine, plan);
    return tree_string_line(&tree, "a container", err);
}

/* Docker refuses what is not there; podman makes a folder of that name. */
static bool check_mounts(const struct container_plan *plan, struct error *err)
{
    for (size_t i = 0; i < plan->mount_count; i++)
        if (access(plan->mounts[i].source, F_OK) != 0 && errno == ENOENT) {
            error_set(err, ERROR_USAGE, "no container can be made of the image '%.100s'", plan->image);
            return error_why(err, "'%.150s', which it is to have, is not there", plan->mounts[i].source);
        }
    return true;
}

bool container_create(const struct engine *engine, const struct container_plan *plan, char id[80], struct error *err)
{
    AUTO_FREE char *body =
        check_mounts(plan, err) && check_cards(engine, plan, err) ? plan_text(engine, plan, err) : NULL;
    struct engine_answer answer;
    struct text path;
    bool good;

    if (!body)
        return false;
    text_open(&path, 1 << 16);
    text_add(&path, "/containers/create");
    if (plan->name) {
        text_add(&path, "?name=");
        http_add_escaped(&path, plan->name);
    }
    good = engine_ask(engine, "POST", &path, body, &answer, err);
    if (good && answer.status == 404)
        good = answer_refused(engine, &answer, err, ERROR_ABSENT, "the image '%.150s' is not here", plan->image);
    else if (good && (!answer_is_good(&answer) || !*json_text_of(answer.json, "Id")))
        good =
            answer_refused(engine, &answer, err,
                           answer.status < 500 || strstr(answer.message, "already in use") ? ERROR_USAGE : ERROR_SYSTEM,
                           "no container can be made of the image '%.150s'", plan->image);
    else if (good)
        text_copy(id, 80, json_text_of(answer.json, "Id"));
    answer_close(&answer);
    return good;
}

bool container_remove(const struct engine *engine, const char *id, struct error *err)
{
    struct engine_answer answer;
    struct text path;
    bool good;

    if (!path_of_container(&path, id, "?force=1&v=1")) {
        text_close(&path);
        return true; /* there can be none of that name */
    }
    good = engine_ask(engine, "DELETE", &path, NULL, &answer, err);
    if (good && !answer_is_good(&answer) && answer.status != 404 && !strstr(answer.message, "already in progress"))
        good = answer_refused(engine, &answer, err, ERROR_SYSTEM, "the container '%.100s' cannot be removed", id);
    answer_close(&answer);
    return good;
}

static void add_filter(struct text *path, const char *run_id)
{
    struct tree tree;
    struct text label;
    AUTO_FREE char *json = NULL;

    text_open(&label, 1 << 16);
    text_add(&label, RUN_LABEL "%s%s", run_id ? "=" : "", run_id ? run_id : "");
    tree_open(&tree);
    tree_text(tree_array(tree_root(&tree), "label"), NULL, label.data ? label.data : RUN_LABEL);
    json = tree_string_line(&tree, "a filter", NULL);
    text_add(path, "/containers/json?all=1&filters=");
    http_add_escaped(path, json ? json : "{}");
    text_close(&label);
}

/* Of what the engine lists, whatever it makes of the filter, those that have the label are ours. */
static bool is_ours(const struct cJSON *item, const char *run_id)
{
    const struct cJSON *label = json_member(json_member(item, "Labels"), RUN_LABEL);
    const char *state = json_text_of(item, "State");

    if (!label)
        return false;
    return run_id ? strcmp(json_text(label), run_id) == 0
                  : strcmp(state, "running") != 0 && strcmp(state, "paused") != 0;
}

bool containers_clean(const struct engine *engine, const char *run_id, size_t *removed, struct error *err)
{
    struct engine_answer answer;
    struct text path;
    bool good;

    *removed = 0;
    text_open(&path, 1 << 18);
    add_filter(&path, run_id);
    good = engine_ask(engine, "GET", &path, NULL, &answer, err);
    if (good && !answer_is_good(&answer))
        good = answer_refused(engine, &answer, err, ERROR_SYSTEM, "the containers of carbon cannot be listed");
    for (const struct cJSON *item = json_first(answer.json); good && item; item = json_next(item)) {
        if (!is_ours(item, run_id))
            continue;
        good = container_remove(engine, json_text_of(item, "Id"), err);
        *removed += good;
    }
    answer_close(&answer);
    return good;
}
