/* SPDX-License-Identifier: MIT
 * Requests as changes to a text: values replaced, members and blocks added. */
#include "commands/pipeline/pipeline_requests.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDITS_PER_STEP = 3, EDIT_SIZE = 160 };

struct edit {
    size_t at, removed; /* bytes of the old text */
    size_t turn;        /* of two at one place, which comes first */
    char *added;
};

struct pipeline_requests_writing {
    const struct yaml *yaml;
    struct arena store;
    struct edit *edits;
    size_t count;
    struct error *err;
};

static bool no_memory(struct pipeline_requests_writing *writing)
{
    return error_set(writing->err, ERROR_SYSTEM, "no memory for the pipeline '%.100s'", writing->yaml->path);
}

static bool edit(struct pipeline_requests_writing *writing, size_t at, size_t removed, char *added)
{
    if (!added)
        return no_memory(writing);
    writing->edits[writing->count] = (struct edit){ at, removed, writing->count, added };
    writing->count++;
    return true;
}

/* A value that is not there: behind its ':', or with one. */
static bool put_in(struct pipeline_requests_writing *writing, const struct yaml_node *value, const char *text)
{
    size_t at = value->begin;

    while (at > 0 && strchr(" \t\r\n", writing->yaml->text[at - 1]))
        at--;
    if (at > 0 && writing->yaml->text[at - 1] == ':')
        return edit(writing, at, 0, arena_print(&writing->store, " %s", text));
    return edit(writing, value->begin, 0, arena_print(&writing->store, ": %s", text));
}

/* A value of one line is replaced. */
static bool replace(struct pipeline_requests_writing *writing, const struct yaml_node *value, const char *text)
{
    const char first = writing->yaml->text[value->begin];

    if (!text)
        return no_memory(writing);
    if (value->begin == value->end)
        return put_in(writing, value, text);
    if (value->kind != YAML_TEXT ? value->flow : first != '|' && first != '>')
        return edit(writing, value->begin, value->end - value->begin, arena_print(&writing->store, "%s", text));
    yaml_refuse(writing->yaml, value, writing->err, "'%.20s' cannot be replaced, for it has lines of its own",
                value->key);
    return error_fix(writing->err, "write '%.20s: 1'", value->key);
}

static bool replace_number(struct pipeline_requests_writing *writing, const struct yaml_node *value, int64_t number)
{
    return !value || number < 0 || replace(writing, value, arena_print(&writing->store, "%" PRId64, number));
}

/* "cpu: 1", `joint`, "memory: 256", of those that are to be; keys in quotes where the map has its keys so. */
static char *members(struct pipeline_requests_writing *writing, int64_t cpu, int64_t memory, bool quoted,
                     const char *joint)
{
    const char *quote = quoted ? "\"" : "";

    if (cpu < 0)
        return arena_print(&writing->store, "%smemory%s: %" PRId64, quote, quote, memory);
    if (memory < 0)
        return arena_print(&writing->store, "%scpu%s: %" PRId64, quote, quote, cpu);
    return arena_print(&writing->store, "%scpu%s: %" PRId64 "%s%smemory%s: %" PRId64, quote, quote, cpu, joint, quote,
                       quote, memory);
}

/* What ends the line that holds `at`, or another line of the file. */
static const char *line_end(const struct yaml *yaml, size_t at)
{
    const char *end = yaml->text + at + strcspn(yaml->text + at, "\r\n");

    end = *end ? end : yaml->text + strcspn(yaml->text, "\r\n");
    return *end == '\r' ? end[1] == '\n' ? "\r\n" : "\r" : "\n";
}

static const struct yaml_node *last_of(const struct yaml_node *map)
{
    const struct yaml_node *last = map->first;

    while (last && last->next)
        last = last->next;
    return last;
}

static bool is_quoted_key(const struct yaml *yaml, const struct yaml_node *member)
{
    return member && yaml->text[member->key_begin] == '"';
}

/* What a map of requests lacks: behind its last member, or in lines before its first. */
static bool add_members(struct pipeline_requests_writing *writing, const struct yaml_node *map, int64_t cpu,
                        int64_t memory)
{
    const struct yaml_node *last = last_of(map);
    const bool quoted = is_quoted_key(writing->yaml, map->first ? map->first : map);
    char joint[EDIT_SIZE];

    if (cpu < 0 && memory < 0)
        return true;
    if (map->flow) {
        const char *added = members(writing, cpu, memory, quoted, ", ");
        return edit(writing, last ? last->end : map->begin + 1, 0,
                    added ? arena_print(&writing->store, "%s%s", last ? ", " : "", added) : NULL);
    }
    if (map->first->key_column >= EDIT_SIZE / 2)
        return yaml_refuse(writing->yaml, map, writing->err, "these requests are indented too far");
    snprintf(joint, sizeof joint, "%s%*s", line_end(writing->yaml, map->first->key_begin),
             (int)map->first->key_column - 1, "");
    const char *added = members(writing, cpu, memory, quoted, joint);
    return edit(writing, map->first->key_begin, 0, added ? arena_print(&writing->store, "%s%s", added, joint) : NULL);
}

static bool write_map(struct pipeline_requests_writing *writing, const struct yaml_node *map, int64_t cpu,
                      int64_t memory)
{
    const struct yaml_node *old_cpu = yaml_member(map, "cpu"), *old_memory = yaml_member(map, "memory");

    return replace_number(writing, old_cpu, cpu) && replace_number(writing, old_memory, memory) &&
           add_members(writing, map, old_cpu ? -1 : cpu, old_memory ? -1 : memory);
}

/* "{cpu: 1, memory: 256}" */
static char *braced(struct pipeline_requests_writing *writing, int64_t cpu, int64_t memory, bool quoted)
{
    const char *inner = members(writing, cpu, memory, quoted, ", ");

    return inner ? arena_print(&writing->store, "{%s}", inner) : NULL;
}

/* Lines of their own behind that of the name. */
static bool add_block(struct pipeline_requests_writing *writing, const struct yaml_node *name, int64_t cpu,
                      int64_t memory)
{
    const struct yaml *yaml = writing->yaml;
    const size_t at = name->end + strcspn(yaml->text + name->end, "\r\n");
    const char *end = line_end(yaml, name->end);
    const size_t indent = name->key_column - 1, after = yaml->text[at] ? strlen(end) : 0;
    char joint[EDIT_SIZE];

    if (indent >= EDIT_SIZE / 2)
        return yaml_refuse_key(yaml, name, writing->err, "this step is indented too far");
    snprintf(joint, sizeof joint, "%s%*s", end, (int)indent + 2, "");
    const char *added = members(writing, cpu, memory, false, joint);
    if (!added)
        return no_memory(writing);
    /* a last line without an end gets one before, not behind */
    return edit(writing, at + after, 0,
                arena_print(&writing->store, "%s%*srequests:%s%s%s", after ? "" : end, (int)indent, "", joint, added,
                            after ? end : ""));
}

static bool write_step(struct pipeline_requests_writing *writing, const struct pipeline_step *step, int64_t cpu,
                       int64_t memory)
{
    const struct yaml_node *requests = yaml_member(step->node, "requests"), *name = yaml_member(step->node, "name");
    const bool quoted = is_quoted_key(writing->yaml, name);
    char *all;

    if (requests && requests->kind == YAML_MAP)
        return write_map(writing, requests, cpu, memory);
    if (!requests && !step->node->flow)
        return add_block(writing, name, cpu, memory);
    all = braced(writing, cpu, memory, quoted && step->node->flow);
    if (!all)
        return no_memory(writing);
    if (requests)
        return replace(writing, requests, all);
    return edit(writing, name->end, 0,
                arena_print(&writing->store, quoted ? ", \"requests\": %s" : ", requests: %s", all));
}

static int compare_edits(const void *a, const void *b)
{
    const struct edit *first = a, *second = b;

    if (first->at != second->at)
        return first->at < second->at ? -1 : 1;
    return (first->turn > second->turn) - (first->turn < second->turn);
}

static bool apply(struct pipeline_requests_writing *writing, struct pipeline_rewritten *rewritten)
{
    const struct yaml *yaml = writing->yaml;
    size_t length = yaml->length, from = 0;
    char *to;

    for (size_t i = 0; i < writing->count; i++)
        length += strlen(writing->edits[i].added) - writing->edits[i].removed;
    rewritten->text = to = malloc(length + 1);
    if (!to)
        return no_memory(writing);
    qsort(writing->edits, writing->count, sizeof *writing->edits, compare_edits);
    for (size_t i = 0; i < writing->count; i++) {
        const struct edit *next = &writing->edits[i];
        to = mempcpy(to, yaml->text + from, next->at - from);
        to = stpcpy(to, next->added);
        from = next->at + next->removed;
    }
    memcpy(to, yaml->text + from, yaml->length - from + 1);
    rewritten->length = length;
    return true;
}

static bool write_all(struct pipeline_requests_writing *writing, const struct pipeline *pipeline,
                      const struct pipeline_requests *requests, struct pipeline_rewritten *rewritten)
{
    for (size_t i = 0; i < pipeline->count; i++) {
        if (requests[i].cpu < 0 && requests[i].memory_mb < 0)
            continue;
        if (pipeline->steps[i].imported)
            rewritten->imported[rewritten->imported_count++] = pipeline->steps[i].name;
        else if (!write_step(writing, &pipeline->steps[i], requests[i].cpu, requests[i].memory_mb))
            return false;
    }
    return apply(writing, rewritten);
}

bool pipeline_requests_write(const struct pipeline *pipeline, const struct pipeline_requests *requests,
                             struct pipeline_rewritten *rewritten, struct error *err)
{
    struct pipeline_requests_writing writing = { .yaml = &pipeline->yaml, .err = err };
    bool good;

    *rewritten = (struct pipeline_rewritten){ .imported = calloc(pipeline->count, sizeof *rewritten->imported) };
    writing.edits = arena_get(&writing.store, pipeline->count * EDITS_PER_STEP * sizeof *writing.edits);
    good =
        rewritten->imported && writing.edits ? write_all(&writing, pipeline, requests, rewritten) : no_memory(&writing);
    arena_close(&writing.store);
    if (good && !pipeline_requests_check(pipeline, requests, rewritten->text, rewritten->length, err))
        good = false;
    if (!good) {
        free(rewritten->text);
        rewritten->text = NULL;
        rewritten->length = 0;
    }
    return good;
}

void pipeline_rewritten_close(struct pipeline_rewritten *rewritten)
{
    free(rewritten->text);
    free(rewritten->imported);
    *rewritten = (struct pipeline_rewritten){ .text = NULL };
}
