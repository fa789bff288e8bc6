/* SPDX-License-Identifier: MIT
 * Objects by device, inode and path; and how they are opened. */
#include "profile/objects.h"

#include "base/array.h"
#include "base/text.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Descriptors are limited: further objects are opened by their path at the end. */
enum { OPENED_MAX = 256 };

static bool add(struct objects *objects, const struct object *object, uint32_t *place)
{
    if (objects->count < OBJECTS_MAX)
        objects->items = array_room(objects->items, &objects->size, objects->count + 1, sizeof *objects->items);
    if (objects->count == objects->size)
        return false;
    *place = (uint32_t)objects->count;
    objects->items[objects->count] = *object;
    objects->items[objects->count].path = strdup(object->path);
    if (!objects->items[objects->count].path)
        return false;
    objects->count++;
    return true;
}

bool objects_open(struct objects *objects, struct error *err)
{
    const struct object unknown = { .kind = OBJECT_UNKNOWN, .path = (char *)"[unknown]", .fd = -1 };
    const struct object kernel = { .kind = OBJECT_KERNEL, .path = (char *)"[kernel]", .fd = -1 };
    uint32_t place;

    *objects = (struct objects){ .count = 0 };
    return (add(objects, &unknown, &place) && add(objects, &kernel, &place)) ||
           error_errno(err, "no memory for the job's files");
}

void objects_close(struct objects *objects)
{
    for (size_t i = 0; i < objects->count; i++) {
        if (objects->items[i].fd >= 0)
            close(objects->items[i].fd);
        free(objects->items[i].path);
    }
    free(objects->items);
    *objects = (struct objects){ .count = 0 };
}

static enum object_kind kind_of(const struct perf_mapping *mapping)
{
    if (strcmp(mapping->path, "[vdso]") == 0)
        return OBJECT_VDSO;
    if (strcmp(mapping->path, "[vsyscall]") == 0)
        return OBJECT_UNKNOWN;
    /* "//anon", "[heap]", "[stack]", "/memfd:doublemapper (deleted)", "/dev/zero", "/anon_hugepage" */
    if (mapping->path[0] != '/' || strncmp(mapping->path, "//", 2) == 0 || strncmp(mapping->path, "/memfd:", 7) == 0 ||
        strncmp(mapping->path, "/dev/zero", 9) == 0 || strncmp(mapping->path, "/anon_hugepage", 14) == 0)
        return OBJECT_JIT;
    return OBJECT_FILE;
}

static bool is_it(const struct object *object, const struct object *wanted)
{
    if (object->kind != wanted->kind)
        return false;
    if (object->kind == OBJECT_JIT)
        return object->pid == wanted->pid;
    return object->device == wanted->device && object->inode == wanted->inode &&
           strcmp(object->path, wanted->path) == 0;
}

/* A program or library that was replaced by a newer one goes on under its own name. */
static void describe_file(struct object *wanted, const struct perf_mapping *mapping, char *path, size_t size)
{
    static const char deleted[] = " (deleted)";
    const size_t length = strlen(mapping->path);

    wanted->device = mapping->device;
    wanted->inode = mapping->inode;
    wanted->start = mapping->start;
    wanted->end = mapping->start + mapping->length;
    wanted->deleted = length >= sizeof deleted && strcmp(mapping->path + length - (sizeof deleted - 1), deleted) == 0 &&
                      length < size;
    if (!wanted->deleted)
        return;
    snprintf(path, size, "%.*s", (int)(length - (sizeof deleted - 1)), mapping->path);
    wanted->path = path;
}

uint32_t objects_of_mapping(struct objects *objects, pid_t pid, const struct perf_mapping *mapping)
{
    struct object wanted = { .kind = kind_of(mapping), .path = (char *)mapping->path, .pid = pid, .fd = -1 };
    char path[PATH_MAX];
    uint32_t *bucket, place;
    uint64_t hash;

    if (wanted.kind == OBJECT_FILE) {
        describe_file(&wanted, mapping, path, sizeof path);
    } else if (wanted.kind == OBJECT_JIT) {
        wanted.path = (char *)"[jit]";
    }
    hash = wanted.kind == OBJECT_JIT ? (uint64_t)pid : text_hash(wanted.path, strlen(wanted.path)) ^ wanted.inode;
    bucket = &objects->buckets[hash % OBJECTS_BUCKETS];
    for (uint32_t i = *bucket; i; i = objects->items[i].next)
        if (is_it(&objects->items[i], &wanted))
            return i;
    if (!add(objects, &wanted, &place))
        return OBJECT_OF_NOTHING;
    objects->items[place].next = *bucket;
    *bucket = place;
    return place;
}

/* O_NONBLOCK: the file may be a pipe. */
static int open_regular(const char *path, struct stat *status)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd >= 0 && fstat(fd, status) == 0 && S_ISREG(status->st_mode))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Below a layered file system the inode is another one than stat's; its device is, too. */
static bool is_replaced(const struct object *object, const struct stat *status)
{
    const uint64_t device = (uint64_t)major(status->st_dev) << 32 | minor(status->st_dev);

    return object->device == device && object->inode != status->st_ino;
}

/* Without a name: a process's program and mappings, which only root may follow. */
static bool is_mapped_file(const struct object *object, const struct stat *status)
{
    return object->inode == status->st_ino && !is_replaced(object, status);
}

/* By the root of its process; by carbon's own, for mappings from before a chroot, or of an ended process; and by the
 * process's own mapping. */
static void open_file(struct object *object, pid_t pid)
{
    enum { NAMED = 2, ALL = 4 };
    char inside[PATH_MAX + 32], runs[32], maps[80];
    const char *const paths[ALL] = { inside, object->path, runs, maps };

    snprintf(inside, sizeof inside, "/proc/%d/root%s", (int)pid, object->path);
    snprintf(runs, sizeof runs, "/proc/%d/exe", (int)pid);
    snprintf(maps, sizeof maps, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid, object->start, object->end);
    for (size_t i = object->deleted ? NAMED : 0; i < ALL; i++) {
        struct stat status;
        const int fd = open_regular(paths[i], &status);
        if (fd >= 0 && i >= NAMED && !is_mapped_file(object, &status)) {
            close(fd);
            continue;
        }
        if (fd < 0)
            continue;
        if (object->fd >= 0)
            close(object->fd);
        object->fd = fd;
        object->changed = is_replaced(object, &status);
        if (!object->changed)
            break;
    }
}

/* As the process itself calls its number: in a container it is another. */
static int number_inside(pid_t pid)
{
    char path[64], line[256];
    FILE *file;
    int inside = (int)pid;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "NSpid:", 6) == 0) {
            const char *last = strrchr(line, '\t');
            inside = last ? atoi(last) : inside;
        }
    if (file)
        fclose(file);
    return inside > 0 ? inside : (int)pid;
}

/* Of the process's user or root: anybody may write to /tmp. */
static bool is_theirs(pid_t pid, const struct stat *status)
{
    char path[64];
    struct stat process;

    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    return status->st_uid == 0 || status->st_uid == geteuid() ||
           (stat(path, &process) == 0 && status->st_uid == process.st_uid);
}

static void open_perf_map(struct object *object, pid_t pid)
{
    char path[128];
    struct stat status;

    snprintf(path, sizeof path, "/proc/%d/root/tmp/perf-%d.map", (int)pid, number_inside(pid));
    object->fd = open_regular(path, &status);
    if (object->fd < 0) {
        snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)pid);
        object->fd = open_regular(path, &status);
    }
    if (object->fd >= 0 && !is_theirs(pid, &status)) {
        close(object->fd);
        object->fd = -1;
    }
}

/* A copy by carbon: a file up to its section table, which is at its end. */
static void open_vdso(struct object *object)
{
    const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)getauxval(AT_SYSINFO_EHDR);
    const size_t size = header ? header->e_shoff + (size_t)header->e_shnum * header->e_shentsize : 0;

    object->fd = size ? memfd_create("vdso", MFD_CLOEXEC) : -1;
    if (object->fd >= 0 && write(object->fd, header, size) != (ssize_t)size) {
        close(object->fd);
        object->fd = -1;
    }
}

void objects_sampled(struct objects *objects, uint32_t place, pid_t pid)
{
    struct object *object = &objects->items[place];

    if (object->fd >= 0 || objects->open == OPENED_MAX)
        return;
    if (object->kind == OBJECT_FILE && !object->tried)
        open_file(object, pid);
    else if (object->kind == OBJECT_VDSO && !object->tried)
        open_vdso(object);
    else if (object->kind == OBJECT_JIT)
        open_perf_map(object, pid); /* which may be written later only */
    object->tried = true;
    objects->open += object->fd >= 0;
}

const char *object_name(const struct object *object)
{
    const char *last = object->kind == OBJECT_FILE ? strrchr(object->path, '/') : NULL;

    return last && last[1] ? last + 1 : object->path;
}
