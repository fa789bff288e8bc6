/* SPDX-License-Identifier: MIT
 * Whether a pipeline's new text is the old one but for its requests. */
#include "base/c_locale.h"
#include "commands/pipeline/pipeline_requests.h"

#include "base/text.h"

#include <string.h>

static bool is_same(const struct yaml_node *old, const struct yaml_node *new);

static bool is_same_member(const struct yaml_node *old, const struct yaml_node *new)
{
    if (!old->key != !new->key || (old->key && strcmp(old->key, new->key) != 0))
        return false;
    return is_same(old, new);
}

/* At most YAML_MAX_DEPTH in one another. */
static bool is_same(const struct yaml_node *old, const struct yaml_node *new)
{
    if (old->kind != new->kind || old->null != new->null || old->quoted != new->quoted || old->flow != new->flow ||
        old->count != new->count)
        return false;
    if (old->kind == YAML_TEXT)
        return strcmp(old->text, new->text) == 0;
    for (old = old->first, new = new->first; old &&new; old = old->next, new = new->next)
        if (!is_same_member(old, new))
            return false;
    return !old && !new;
}

/* The next of a list of members that is not what is written. */
static const struct yaml_node *stored(const struct yaml_node *member, const char *first, const char *second)
{
    while (member &&
           ((first && c_strcasecmp(member->key, first) == 0) || (second && c_strcasecmp(member->key, second) == 0)))
        member = member->next;
    return member;
}

/* All members but these two are the same, in the same order. */
static bool are_others_same(const struct yaml_node *old, const struct yaml_node *new, const char *first,
                            const char *second)
{
    old = stored(old, first, second);
    new = stored(new, first, second);
    while (old && new &&is_same_member(old, new)) {
        old = stored(old->next, first, second);
        new = stored(new->next, first, second);
    }
    return !old && !new;
}

static bool has_number(const struct yaml_node *map, const char *key, int64_t number)
{
    const struct yaml_node *member = yaml_member(map, key);
    uint64_t value;

    return number < 0 || (member && member->kind == YAML_TEXT && !member->quoted && text_to_u64(member->text, &value) &&
                          value == (uint64_t)number);
}

static bool is_same_step(const struct yaml_node *old, const struct yaml_node *new,
                         const struct pipeline_requests *requests)
{
    const struct yaml_node *before = yaml_member(old, "requests"), *after = yaml_member(new, "requests");

    if (old->kind != YAML_MAP || new->kind != YAML_MAP || old->flow != new->flow || !after || after->kind != YAML_MAP ||
        (before && before->kind == YAML_MAP && before->flow != after->flow))
        return false;
    return are_others_same(old->first, new->first, "requests", NULL) &&
           are_others_same(before ? before->first : NULL, after->first, requests->cpu < 0 ? NULL : "cpu",
                           requests->memory_mb < 0 ? NULL : "memory") &&
           has_number(after, "cpu", requests->cpu) && has_number(after, "memory", requests->memory_mb);
}

static bool are_steps_same(const struct pipeline *pipeline, const struct pipeline_requests *requests,
                           const struct yaml_node *old, const struct yaml_node *new, const struct yaml_node **at)
{
    if (old->kind != new->kind || old->count != new->count || old->count != pipeline->count || old->flow != new->flow)
        return false;
    old = old->first;
    new = new->first;
    for (size_t i = 0; i < pipeline->count; i++, old = old->next, new = new->next) {
        const bool written = !pipeline->steps[i].imported && (requests[i].cpu >= 0 || requests[i].memory_mb >= 0);
        *at = old;
        if (written ? !is_same_step(old, new, &requests[i]) : !is_same(old, new))
            return false;
    }
    return true;
}

/* `at` is the differing part, as exactly as it is known. */
static bool are_same(const struct pipeline *pipeline, const struct pipeline_requests *requests,
                     const struct yaml_node *old, const struct yaml_node *new, const struct yaml_node **at)
{
    if (old->kind != YAML_MAP || new->kind != YAML_MAP || old->count != new->count)
        return false;
    for (old = old->first, new = new->first; old; old = old->next, new = new->next) {
        const bool steps = c_strcasecmp(old->key, "operators") == 0 || c_strcasecmp(old->key, "steps") == 0;
        *at = old;
        if (strcmp(old->key, new->key) != 0 ||
            (steps ? !are_steps_same(pipeline, requests, old, new, at) : !is_same(old, new)))
            return false;
    }
    return true;
}

bool pipeline_requests_check(const struct pipeline *pipeline, const struct pipeline_requests *requests,
                             const char *text, size_t length, struct error *err)
{
    struct error why = { .kind = ERROR_NONE };
    struct yaml old, new;
    const struct yaml_node *at;
    bool good;

    /* the tree of the pipeline has values in the place of its placeholders */
    if (!yaml_parse(&old, pipeline->yaml.path, pipeline->yaml.text, pipeline->yaml.length, err)) {
        yaml_close(&old);
        return false;
    }
    at = old.root;
    good = yaml_parse(&new, pipeline->yaml.path, text, length, &why) &&
           are_same(pipeline, requests, old.root, new.root, &at);
    if (!good) {
        yaml_refuse(&old, at, err, "no requests can be written here");
        error_why(err, "%s", *why.what ? why.what : "it would not be the same pipeline");
        error_fix(err, "write 'requests: {cpu: 1, memory: 256}' into the step by hand; then they can be replaced");
    }
    yaml_close(&new);
    yaml_close(&old);
    return good;
}
