/* SPDX-License-Identifier: MIT
 * Maps of processes: begun, copied, replaced and forgotten as the records say. */
#include "profile/processes.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A process with more than that is not followed any further: 65530 is the kernel's own limit. */
enum { MAPPINGS_MAX = 1 << 17 };

struct mapping {
    uint64_t start, end, offset;
    uint32_t object;
};

struct named_thread {
    pid_t tid;
    char name[16];
    uint32_t number; /* in threads; 0: not sampled yet */
    struct named_thread *next;
};

struct process_map {
    pid_t pid;
    struct mapping *mappings; /* sorted, none over another */
    size_t count, size;
    size_t last; /* of the last lookup: the next one is usually the same */
    struct named_thread *threads;
    struct process_map *next;
};

bool processes_open(struct processes *processes, struct error *err)
{
    *processes = (struct processes){ .threads = calloc(THREADS_MAX, sizeof *processes->threads) };
    if (!processes->threads)
        return error_errno(err, "no memory for the job's threads");
    text_copy(processes->threads[0].name, sizeof processes->threads[0].name, "other threads");
    processes->thread_count = 1;
    return objects_open(&processes->objects, err);
}

static void forget_threads(struct process_map *process)
{
    while (process->threads) {
        struct named_thread *thread = process->threads;
        process->threads = thread->next;
        free(thread);
    }
}

static void forget(struct process_map *process)
{
    forget_threads(process);
    free(process->mappings);
    free(process);
}

void processes_close(struct processes *processes)
{
    for (size_t i = 0; i < PROCESS_BUCKETS; i++)
        while (processes->buckets[i]) {
            struct process_map *process = processes->buckets[i];
            processes->buckets[i] = process->next;
            forget(process);
        }
    free(processes->threads);
    objects_close(&processes->objects);
    *processes = (struct processes){ .thread_count = 0 };
}

static struct process_map **slot_of(const struct processes *processes, pid_t pid)
{
    struct process_map **slot = (struct process_map **)&processes->buckets[(uint32_t)pid % PROCESS_BUCKETS];

    while (*slot && (*slot)->pid != pid)
        slot = &(*slot)->next;
    return slot;
}

static void remove_process(struct processes *processes, struct process_map **slot)
{
    struct process_map *process = *slot;

    *slot = process->next;
    forget(process);
    processes->process_count--;
}

/* Processes whose end was lost. */
static void forget_ended(struct processes *processes)
{
    for (size_t i = 0; i < PROCESS_BUCKETS; i++)
        for (struct process_map **slot = &processes->buckets[i]; *slot;)
            if (kill((*slot)->pid, 0) != 0 && errno == ESRCH)
                remove_process(processes, slot);
            else
                slot = &(*slot)->next;
}

/* NULL: no room. */
static struct process_map *process_of(struct processes *processes, pid_t pid)
{
    struct process_map **slot = slot_of(processes, pid);

    if (*slot)
        return *slot;
    if (processes->process_count == PROCESSES_MAX) {
        forget_ended(processes);
        slot = slot_of(processes, pid);
    }
    if (processes->process_count < PROCESSES_MAX)
        *slot = calloc(1, sizeof **slot);
    if (*slot) {
        (*slot)->pid = pid;
        processes->process_count++;
    }
    return *slot;
}

static struct named_thread **thread_slot(struct process_map *process, pid_t tid)
{
    struct named_thread **slot = &process->threads;

    while (*slot && (*slot)->tid != tid)
        slot = &(*slot)->next;
    return slot;
}

static struct named_thread *thread_of(struct process_map *process, pid_t tid)
{
    struct named_thread **slot = thread_slot(process, tid), *found = *slot;

    if (!found) {
        found = calloc(1, sizeof *found);
        if (!found)
            return NULL;
        found->tid = tid;
        text_copy(found->name, sizeof found->name, process->threads ? process->threads->name : "");
    } else {
        *slot = found->next;
    }
    found->next = process->threads;
    process->threads = found;
    return found;
}

static void name_thread(struct processes *processes, const struct perf_record *record)
{
    struct process_map *process = process_of(processes, record->pid);
    struct named_thread *thread;

    if (!process)
        return;
    if (record->kind == PERF_EXECUTED) {
        process->count = process->last = 0;
        forget_threads(process);
    }
    thread = thread_of(process, record->tid);
    if (!thread)
        return;
    if (strcmp(thread->name, record->name) != 0)
        thread->number = 0;
    text_copy(thread->name, sizeof thread->name, record->name);
}

static bool make_room(struct process_map *process, size_t more)
{
    const size_t wanted = process->count + more;

    if (wanted <= MAPPINGS_MAX)
        process->mappings = array_room(process->mappings, &process->size, wanted, sizeof *process->mappings);
    return wanted <= process->size;
}

/* The first that ends above an address. */
static size_t first_above(const struct process_map *process, uint64_t address)
{
    return process->count ? array_up_to(&process->mappings->end, process->count, sizeof *process->mappings, address)
                          : 0;
}

/* Earlier mappings there are cut: unmapping is not reported. */
static void map(struct process_map *process, const struct mapping *new)
{
    size_t at;
    struct mapping *mappings;

    if (!make_room(process, 2))
        return;
    mappings = process->mappings;
    at = first_above(process, new->start);
    if (at < process->count && mappings[at].start < new->start) {
        if (mappings[at].end > new->end) { /* rest behind the new mapping */
            memmove(&mappings[at + 1], &mappings[at], (process->count - at) * sizeof *mappings);
            process->count++;
            mappings[at + 1].offset += new->end - mappings[at + 1].start;
            mappings[at + 1].start = new->end;
        }
        mappings[at].end = new->start;
        at++;
    }
    for (size_t covered = at;; covered++)
        if (covered == process->count || mappings[covered].end > new->end) {
            memmove(&mappings[at], &mappings[covered], (process->count - covered) * sizeof *mappings);
            process->count -= covered - at;
            break;
        }
    if (at < process->count && mappings[at].start < new->end) {
        mappings[at].offset += new->end - mappings[at].start;
        mappings[at].start = new->end;
    }
    memmove(&mappings[at + 1], &mappings[at], (process->count - at) * sizeof *mappings);
    mappings[at] = *new;
    process->count++;
}

static void take_mapping(struct processes *processes, pid_t pid, const struct perf_mapping *from)
{
    struct process_map *process = process_of(processes, pid);
    const struct mapping new = { from->start, from->start + from->length, from->offset,
                                 objects_of_mapping(&processes->objects, pid, from) };

    if (process)
        map(process, &new);
}

static void copy_maps(struct processes *processes, pid_t from, pid_t to)
{
    struct process_map *process = process_of(processes, to), *parent = *slot_of(processes, from);

    if (!process || !parent)
        return;
    process->count = process->last = 0;
    if (make_room(process, parent->count)) {
        if (parent->count)
            memcpy(process->mappings, parent->mappings, parent->count * sizeof *parent->mappings);
        process->count = parent->count;
    }
}

static void take_fork(struct processes *processes, const struct perf_record *record)
{
    const struct process_map *parent = *slot_of(processes, record->parent_pid);
    char name[16] = "";
    struct process_map *process;
    struct named_thread *thread;

    if (parent && parent->threads)
        text_copy(name, sizeof name, parent->threads->name);
    if (record->pid != record->parent_pid)
        copy_maps(processes, record->parent_pid, record->pid);
    process = process_of(processes, record->pid);
    thread = process ? thread_of(process, record->tid) : NULL;
    if (!thread)
        return;
    thread->number = 0; /* a number that was used before */
    text_copy(thread->name, sizeof thread->name, name);
}

static void take_end(struct processes *processes, const struct perf_record *record)
{
    struct process_map **slot = slot_of(processes, record->pid), *process = *slot;
    struct named_thread **thread, *ended;

    if (!process)
        return;
    thread = thread_slot(process, record->tid);
    ended = *thread;
    if (ended) {
        *thread = ended->next;
        free(ended);
    }
    if (!process->threads)
        remove_process(processes, slot);
}

void processes_take(struct processes *processes, const struct perf_record *record)
{
    switch (record->kind) {
    case PERF_MAPPED: take_mapping(processes, record->pid, &record->mapping); break;
    case PERF_NAMED:
    case PERF_EXECUTED: name_thread(processes, record); break;
    case PERF_FORKED: take_fork(processes, record); break;
    case PERF_ENDED: take_end(processes, record); break;
    default: break;
    }
}

/* What the kernel gives a process of 32 bits is not what carbon has. */
static bool has_file(enum object_kind kind, uint64_t address)
{
    return kind == OBJECT_FILE || (kind == OBJECT_VDSO && address > UINT32_MAX);
}

struct place processes_place(const struct processes *processes, pid_t pid, uint64_t address)
{
    struct process_map *process = *slot_of(processes, pid);
    const struct mapping *mapping;
    size_t at;

    if (!process || !process->count)
        return (struct place){ OBJECT_OF_NOTHING, address };
    at = process->last;
    if (at >= process->count || address < process->mappings[at].start || address >= process->mappings[at].end)
        at = first_above(process, address);
    if (at == process->count || address < process->mappings[at].start)
        return (struct place){ OBJECT_OF_NOTHING, address };
    process->last = at;
    mapping = &process->mappings[at];
    if (!has_file(processes->objects.items[mapping->object].kind, address))
        return (struct place){ mapping->object, address };
    return (struct place){ mapping->object, address - mapping->start + mapping->offset };
}

uint32_t processes_thread(struct processes *processes, pid_t pid, pid_t tid, uint64_t time_ns)
{
    struct process_map *process = process_of(processes, pid);
    struct named_thread *thread = process ? thread_of(process, tid) : NULL;
    struct thread *known;

    if (!thread)
        return 0;
    if (thread->number)
        return thread->number;
    if (processes->thread_count == THREADS_MAX)
        return 0;
    thread->number = (uint32_t)processes->thread_count++;
    known = &processes->threads[thread->number];
    *known = (struct thread){ .pid = pid, .tid = tid, .began_ns = time_ns };
    memcpy(known->name, thread->name, sizeof known->name);
    return thread->number;
}

static void find_mappings(struct processes *processes, pid_t pid)
{
    char path[64], line[4352], rights[8], file[4096];
    FILE *maps;

    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    while (maps && fgets(line, sizeof line, maps)) {
        struct perf_mapping mapping = { .path = file };
        uint64_t end;
        unsigned major, minor;

        file[0] = '\0';
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %4095[^\n]", &mapping.start, &end,
                   rights, &mapping.offset, &major, &minor, &mapping.inode, file) < 7 ||
            end <= mapping.start || !strchr(rights, 'x'))
            continue;
        mapping.length = end - mapping.start;
        mapping.device = (uint64_t)major << 32 | minor;
        if (!file[0])
            text_copy(file, sizeof file, "//anon");
        take_mapping(processes, pid, &mapping);
    }
    if (maps)
        fclose(maps);
}

static void find_name(struct processes *processes, pid_t pid, pid_t tid, enum perf_kind kind)
{
    char path[64], name[32] = "";
    const struct perf_record record = { .kind = kind, .pid = pid, .tid = tid, .name = name };
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/task/%d/comm", (int)pid, (int)tid);
    file = fopen(path, "re");
    if (file && fgets(name, sizeof name, file))
        name[strcspn(name, "\n")] = '\0';
    if (file)
        fclose(file);
    processes_take(processes, &record);
}

void processes_find(struct processes *processes, pid_t pid)
{
    char path[64];
    AUTO_CLOSEDIR DIR *tasks = NULL;
    const struct dirent *task;

    find_name(processes, pid, pid, PERF_EXECUTED);
    find_mappings(processes, pid);
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    tasks = opendir(path);
    while (tasks && (task = readdir(tasks)))
        if (atoi(task->d_name) > 0)
            find_name(processes, pid, atoi(task->d_name), PERF_NAMED);
}
