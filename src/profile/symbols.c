/* SPDX-License-Identifier: MIT
 * Object by object, each place once. */
#include "profile/symbols.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/text.h"
#include "profile/elf_symbols.h"
#include "profile/kernel_symbols.h"
#include "profile/object_lines.h"
#include "profile/perf_map.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTION_BUCKETS = 4096 };

#define NO_NAME "[unknown]"
#define BY_START "[0x"

/* What is worked with while names are found. */
struct naming {
    struct symbols *symbols;
    const struct sampler *sampler;
    const struct symbols_options *options;
    struct notices *notices;
    uint32_t *order; /* nodes of frames, by object and address */
    size_t count;
};

/* Texts are kept until the end, for functions and lines borrow them. NULL: no memory. */
static const char *store_name(struct symbols *symbols, const char *text)
{
    symbols->texts = array_room(symbols->texts, &symbols->text_size, symbols->text_count + 1, sizeof *symbols->texts);
    if (symbols->text_count == symbols->text_size)
        return NULL;
    symbols->texts[symbols->text_count] = strdup(text);
    return symbols->texts[symbols->text_count] ? symbols->texts[symbols->text_count++] : NULL;
}

/* UINT32_MAX: no memory. */
static uint32_t function_of(struct symbols *symbols, const char *name, const char *library)
{
    const uint64_t hash = text_hash(name, strlen(name)) ^ text_hash(library, strlen(library));
    uint32_t *bucket = &symbols->buckets[hash % FUNCTION_BUCKETS];

    for (uint32_t i = *bucket; i; i = symbols->functions[i - 1].next)
        if (strcmp(symbols->functions[i - 1].name, name) == 0 &&
            strcmp(symbols->functions[i - 1].library, library) == 0)
            return i - 1;
    symbols->functions = array_room(symbols->functions, &symbols->size, symbols->count + 1, sizeof *symbols->functions);
    if (symbols->count == symbols->size)
        return UINT32_MAX;
    name = store_name(symbols, name);
    if (!name)
        return UINT32_MAX;
    symbols->functions[symbols->count] = (struct function){ name, library, *bucket };
    *bucket = (uint32_t)++symbols->count;
    return (uint32_t)symbols->count - 1;
}

/* name NULL: nothing names it. */
static bool name_node(struct naming *naming, uint32_t node, const char *name, const struct source_line *line)
{
    struct symbols *symbols = naming->symbols;
    const struct call_node *of = &naming->sampler->tree.nodes[node];
    const char *library = object_name(&naming->sampler->processes.objects.items[of->object]);

    symbols->of_node[node] = function_of(symbols, name && name[0] ? name : NO_NAME, library);
    if (!name || !name[0] || strcmp(name, NO_NAME) == 0 || strncmp(name, BY_START, strlen(BY_START)) == 0)
        symbols->unnamed += of->samples;
    if (line)
        symbols->lines[node] = *line;
    return symbols->of_node[node] != UINT32_MAX;
}

static const struct call_node *node_at(const struct naming *naming, size_t i)
{
    return &naming->sampler->tree.nodes[naming->order[i]];
}

static bool name_without(struct naming *naming, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (!name_node(naming, naming->order[i], NULL, NULL))
            return false;
    return true;
}

static bool name_kernel(struct naming *naming, size_t from, size_t to)
{
    struct kernel_symbols kernel;
    bool named = true;

    if (!kernel_symbols_read(&kernel, naming->options->kallsyms ? naming->options->kallsyms : "/proc/kallsyms")) {
        notice_add(naming->notices, NOTICE_UNKNOWN, "the kernel hides its addresses from this user",
                   "sudo sysctl kernel.kptr_restrict=0", "functions of the kernel have no names");
        return name_without(naming, from, to);
    }
    for (size_t i = from; named && i < to; i++)
        named = name_node(naming, naming->order[i], kernel_symbols_name(&kernel, node_at(naming, i)->address), NULL);
    kernel_symbols_close(&kernel);
    return named;
}

static bool name_jit(struct naming *naming, const struct object *object, size_t from, size_t to)
{
    struct perf_map map;
    bool named = true;

    if (object->fd < 0 || !perf_map_read(&map, object->fd)) {
        notice_add(naming->notices, NOTICE_UNKNOWN, "a JIT that writes /tmp/perf-PID.map names them",
                   "python3 -X perf, node --perf-basic-prof, java -XX:+DumpPerfMapAtExit",
                   "code outside of files has no names in process %d", (int)object->pid);
        return name_without(naming, from, to);
    }
    if (map.cut)
        notice_add(naming->notices, NOTICE_TOO_MANY, "it is longer than the part that is read", "",
                   "the perf map of process %d was read in part", (int)object->pid);
    for (size_t i = from; named && i < to; i++)
        named = name_node(naming, naming->order[i], perf_map_name(&map, node_at(naming, i)->address), NULL);
    perf_map_close(&map);
    return named;
}

/* A line of object_lines, which is changed; *rest goes on behind it. */
static bool name_by_line(struct naming *naming, uint32_t node, char **rest, const char **last_file)
{
    char *line = strsep(rest, "\n"), *name, *file;
    struct source_line source = { NULL, 0 };

    if (!line)
        return name_node(naming, node, NULL, NULL);
    name = strsep(&line, "\t");
    file = strsep(&line, "\t");
    if (file && file[0] && line) {
        if (!*last_file || strcmp(*last_file, file) != 0)
            *last_file = store_name(naming->symbols, file);
        source = (struct source_line){ *last_file, (unsigned)strtoul(line, NULL, 10) };
    }
    return name_node(naming, node, name, &source);
}

/* Stacks have many places in common. */
static bool is_repeated(const struct naming *naming, size_t from, size_t i)
{
    return i > from && node_at(naming, i)->address == node_at(naming, i - 1)->address;
}

static bool name_as_before(struct naming *naming, size_t i)
{
    struct symbols *symbols = naming->symbols;
    const uint32_t function = symbols->of_node[naming->order[i - 1]];

    return name_node(naming, naming->order[i], symbols->functions[function].name,
                     &symbols->lines[naming->order[i - 1]]);
}

static bool name_places(struct naming *naming, int fd, const char *path, size_t from, size_t to, bool *read)
{
    AUTO_FREE uint64_t *offsets = calloc(to - from, sizeof *offsets);
    AUTO_FREE char *lines = NULL;
    const char *last_file = NULL;
    size_t count = 0;
    char *rest;
    bool named = true;

    for (size_t i = from; offsets && i < to; i++)
        if (!is_repeated(naming, from, i))
            offsets[count++] = node_at(naming, i)->address;
    lines = offsets ? object_lines(fd, path, offsets, count, naming->options->debuginfod) : NULL;
    *read = lines != NULL;
    rest = lines;
    for (size_t i = from; named && lines && i < to; i++)
        named = is_repeated(naming, from, i) ? name_as_before(naming, i)
                                             : name_by_line(naming, naming->order[i], &rest, &last_file);
    return lines ? named : name_without(naming, from, to);
}

static bool name_file(struct naming *naming, const struct object *object, size_t from, size_t to)
{
    const int fd = object->fd >= 0 || object->kind != OBJECT_FILE || object->deleted
                       ? object->fd
                       : open(object->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool read = false, named;

    if (fd < 0 || object->changed) {
        notice_add(naming->notices, NOTICE_UNKNOWN,
                   object->changed ? "another file has its name by now" : "it was gone before it could be read", "",
                   "functions of '%.200s' have no names", object->path);
        named = name_without(naming, from, to);
    } else {
        named = name_places(naming, fd, object->path, from, to, &read);
        if (!read)
            notice_add(naming->notices, NOTICE_FAILED, "reading its symbols failed or took too long", "",
                       "functions of '%.200s' have no names", object->path);
    }
    if (fd >= 0 && fd != object->fd)
        close(fd);
    return named;
}

static bool name_object(struct naming *naming, size_t from, size_t to, bool library)
{
    const struct object *object = &naming->sampler->processes.objects.items[node_at(naming, from)->object];

    switch (object->kind) {
    case OBJECT_KERNEL: return name_kernel(naming, from, to);
    case OBJECT_JIT: return name_jit(naming, object, from, to);
    case OBJECT_VDSO:
    case OBJECT_FILE: return library ? name_file(naming, object, from, to) : name_without(naming, from, to);
    default: return name_without(naming, from, to);
    }
}

/* qsort_r hands it the nodes. */
static int by_place(const void *a, const void *b, void *nodes)
{
    const struct call_node *one = (const struct call_node *)nodes + *(const uint32_t *)a;
    const struct call_node *other = (const struct call_node *)nodes + *(const uint32_t *)b;

    return one->object != other->object ? ARRAY_ORDER(one->object, other->object)
                                        : ARRAY_ORDER(one->address, other->address);
}

static bool allocate(struct naming *naming)
{
    struct symbols *symbols = naming->symbols;
    const struct call_tree *tree = &naming->sampler->tree;

    symbols->buckets = calloc(FUNCTION_BUCKETS, sizeof *symbols->buckets);
    symbols->of_node = calloc(tree->count + 1, sizeof *symbols->of_node);
    symbols->lines = calloc(tree->count + 1, sizeof *symbols->lines);
    naming->order = calloc(tree->count + 1, sizeof *naming->order);
    if (!symbols->buckets || !symbols->of_node || !symbols->lines || !naming->order)
        return false;
    for (uint32_t i = 0; i < tree->count; i++) {
        symbols->of_node[i] = UINT32_MAX;
        if (tree->nodes[i].parent != CALL_TREE_ROOT)
            naming->order[naming->count++] = i;
    }
    return true;
}

static bool name_all(struct naming *naming)
{
    const bool library = elf_symbols_library() == LIBRARY_READY;
    size_t to;

    if (!library)
        notice_add(naming->notices, NOTICE_UNKNOWN, "elfutils' libdw is not there, or carbon was built without it",
                   "sudo apt-get install libdw-dev, and build carbon again",
                   "functions have no names, only their libraries");
    for (size_t from = 0; from < naming->count; from = to) {
        for (to = from; to < naming->count && node_at(naming, to)->object == node_at(naming, from)->object;)
            to++;
        if (!name_object(naming, from, to, library))
            return false;
    }
    return true;
}

bool symbols_open(struct symbols *symbols, const struct sampler *sampler, const struct symbols_options *options,
                  struct notices *notices, struct error *err)
{
    struct naming naming = { .symbols = symbols, .sampler = sampler, .options = options, .notices = notices };
    bool done;

    *symbols = (struct symbols){ .count = 0 };
    done = allocate(&naming);
    if (done) {
        qsort_r(naming.order, naming.count, sizeof *naming.order, by_place, sampler->tree.nodes);
        done = name_all(&naming);
    }
    free(naming.order);
    return done || error_errno(err, "no memory for the names of functions");
}

void symbols_close(struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->text_count; i++)
        free(symbols->texts[i]);
    free(symbols->texts);
    free(symbols->functions);
    free(symbols->buckets);
    free(symbols->of_node);
    free(symbols->lines);
    *symbols = (struct symbols){ .count = 0 };
}
