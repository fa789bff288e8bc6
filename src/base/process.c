/* SPDX-License-Identifier: MIT
 * Processes, from /proc. */
#include "base/process.h"

#include "base/auto.h"
#include "base/text.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FAMILY_ROOM = 64 };
bool process_of_line(char *line, struct process *process)
{
    /* the name may hold spaces and parentheses itself */
    char *name = strchr(line, '('), *end = strrchr(line, ')');
    int parent;

    if (!name || !end || end < name || sscanf(end + 1, " %c %d", &process->state, &parent) != 2)
        return false;
    process->parent = parent;
    *end = '\0';
    for (char *c = ++name; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    text_copy(process->name, sizeof process->name, name);
    return true;
}

bool process_read(pid_t pid, struct process *process)
{
    char path[64], line[512];
    AUTO_FCLOSE FILE *file = NULL;

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    file = fopen(path, "re");
    if (!file)
        return false;
    line[fread(line, 1, sizeof line - 1, file)] = '\0';
    return process_of_line(line, process);
}

/* clock_getcpuclockid makes the same number, and asks the kernel whether it is valid, which reading it shows, too. */
static clockid_t cpu_clock_of(pid_t pid)
{
    enum { CLOCK_BITS = 3, CLOCK_SCHEDULER = 2 };

    return (clockid_t)(~(unsigned)pid << CLOCK_BITS | CLOCK_SCHEDULER);
}

bool process_cpu_ns(pid_t pid, uint64_t *cpu_ns)
{
    struct timespec cpu;

    if (clock_gettime(cpu_clock_of(pid), &cpu) != 0)
        return false;
    *cpu_ns = (uint64_t)cpu.tv_sec * NS_PER_S_INT + (uint64_t)cpu.tv_nsec;
    return true;
}

bool process_descends(pid_t pid, pid_t from)
{
    struct process process;

    while (pid != from && pid > 0 && process_read(pid, &process))
        pid = process.parent;
    return pid == from;
}

size_t process_children(pid_t *pids, size_t max)
{
    AUTO_FCLOSE FILE *file = fopen("/proc/thread-self/children", "re");
    size_t count = 0;
    int pid;

    while (file && fscanf(file, "%d", &pid) == 1) {
        if (pids && count < max)
            pids[count] = pid;
        count++;
    }
    return count;
}

pid_t *process_all_children(size_t *count)
{
    const size_t room = process_children(NULL, 0);
    pid_t *pids = room ? calloc(room, sizeof *pids) : NULL;
    const size_t found = pids ? process_children(pids, room) : 0;

    *count = found < room ? found : room; /* new processes meanwhile are not included */
    return pids;
}

void process_each_child(pid_t pid, void (*each)(void *context, pid_t child), void *context)
{
    char path[64];
    AUTO_CLOSEDIR DIR *threads = NULL;
    const struct dirent *thread;
    int child;

    snprintf(path, sizeof path, "/proc/%d/task", pid);
    threads = opendir(path);
    while (threads && (thread = readdir(threads))) {
        AUTO_FCLOSE FILE *file = NULL;
        if (thread->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", pid, thread->d_name);
        file = fopen(path, "re");
        while (file && fscanf(file, "%d", &child) == 1)
            each(context, child);
    }
}

struct family {
    pid_t *pids;
    size_t count, max;
};

static void add_child(void *context, pid_t child)
{
    struct family *family = context;

    if (family->count < family->max)
        family->pids[family->count++] = child;
}

size_t process_family(pid_t pid, pid_t *pids, size_t max)
{
    struct family family = { .pids = pids, .max = max };

    add_child(&family, pid);
    for (size_t i = 0; i < family.count; i++)
        process_each_child(pids[i], add_child, &family);
    return family.count;
}

pid_t *process_whole_family(pid_t pid, size_t *count)
{
    pid_t *pids = NULL, *larger;

    *count = 0;
    for (size_t room = FAMILY_ROOM; (larger = reallocarray(pids, room, sizeof *pids)); room *= 2) {
        pids = larger;
        *count = process_family(pid, pids, room);
        if (*count < room)
            break;
    }
    return pids;
}

void process_name_add(const char *name, char *names, size_t size)
{
    const size_t length = strlen(name), used = strlen(names);

    for (const char *at = names; length && (at = strstr(at, name)); at++)
        if ((at == names || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return;
    if (used + length + sizeof ", " <= size)
        snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
}
