/* SPDX-License-Identifier: MIT
 * A cgroup (version 2) of the job's own: what it and all it starts used, however short they lived.
 * The group is made below carbon's own, which is where this user may make one if anywhere. No
 * controller is switched on for it: cpu.stat is there without any, memory.peak and io.stat where
 * the system gives them. Always of the running system, for so is the job. */
#include "base/auto.h"
#include "usage/cgroup_tree.h"
#include "usage/fill.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

static const char from[] = "cgroup";

enum { MAX_NAMES = 100 };

struct cgroup_state {
    int above_fd; /* carbon's own group */
    char name[48];
};

/* Groups of a carbon that was killed stay until the next one comes. One that is in use cannot be
 * removed, whoever's it is. */
static void remove_stale(int above_fd)
{
    AUTO_CLOSEDIR DIR *dir = NULL;
    const struct dirent *entry;
    const int fd = cgroup_folder(above_fd, ".");
    int pid;

    dir = fd < 0 ? NULL : fdopendir(fd);
    while (dir && (entry = readdir(dir)))
        if (sscanf(entry->d_name, "carbon-%d-", &pid) == 1 && kill(pid, 0) < 0 && errno == ESRCH)
            unlinkat(above_fd, entry->d_name, AT_REMOVEDIR);
}

/* A name that nobody has. */
static bool group_make(struct cgroup_state *state)
{
    for (int i = 0; i < MAX_NAMES; i++) {
        snprintf(state->name, sizeof state->name, "carbon-%d-%d", getpid(), i);
        if (mkdirat(state->above_fd, state->name, 0755) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    state->name[0] = '\0';
    return false;
}

static void cgroup_close(struct usage_source *source)
{
    struct cgroup_state *state = source->state;

    if (!state)
        return;
    if (source->cgroup_fd >= 0)
        close(source->cgroup_fd);
    if (state->name[0])
        cgroup_remove(state->above_fd, state->name);
    if (state->above_fd >= 0)
        close(state->above_fd);
    free(state);
    source->state = NULL;
    source->cgroup_fd = -1;
}

static bool cgroup_open(struct usage_source *source, const struct root *root, struct error *err)
{
    struct cgroup_state *state;
    char folder[PATH_MAX];

    (void)root;
    if (!cgroup_own_folder(folder, sizeof folder)) {
        error_set(err, ERROR_ABSENT, "no cgroup for the job");
        return error_why(err, "no cgroup2 file system shows carbon's own group");
    }
    state = calloc(1, sizeof *state);
    if (!state)
        return error_errno(err, "no memory for the usage of a cgroup");
    source->state = state;
    state->above_fd = cgroup_folder(AT_FDCWD, folder);
    if (state->above_fd >= 0)
        remove_stale(state->above_fd);
    if (state->above_fd >= 0 && group_make(state))
        source->cgroup_fd = cgroup_folder(state->above_fd, state->name);
    if (source->cgroup_fd >= 0)
        return true;
    error_errno(err, "cannot make a cgroup below '%.200s'", folder);
    if (errno == EROFS && err)
        err->kind = ERROR_DENIED;
    cgroup_close(source);
    return false;
}

static FILE *group_file(int group_fd, const char *name)
{
    const int fd = openat(group_fd, name, O_RDONLY | O_CLOEXEC);

    return fd < 0 ? NULL : fdopen(fd, "r");
}

/* False: nothing has ever run in the group, for the job could not be put there; whatever else
 * the group says is then not of the job. */
static bool read_cpu(int group_fd, struct usage *usage)
{
    AUTO_FCLOSE FILE *file = group_file(group_fd, "cpu.stat");
    char key[64];
    uint64_t value_us;
    bool used = false;

    while (file && fscanf(file, "%63s %" SCNu64, key, &value_us) == 2) {
        if (strcmp(key, "usage_usec") == 0 && value_us > 0) {
            usage_fill(&usage->cpu_ns, value_us * 1000, from);
            used = true;
        } else if (used && strcmp(key, "user_usec") == 0) {
            usage_fill(&usage->user_ns, value_us * 1000, from);
        } else if (used && strcmp(key, "system_usec") == 0) {
            usage_fill(&usage->system_ns, value_us * 1000, from);
        }
    }
    return used;
}

static void read_memory(int group_fd, struct usage *usage)
{
    AUTO_FCLOSE FILE *file = group_file(group_fd, "memory.peak"); /* since Linux 5.19 */
    uint64_t peak_bytes;

    if (file && fscanf(file, "%" SCNu64, &peak_bytes) == 1)
        usage_fill(&usage->memory_peak_bytes, peak_bytes, from);
}

/* A device made of others (device mapper, md): what goes through it is counted again below. */
static bool is_stacked(const char *device)
{
    char path[64];
    AUTO_CLOSEDIR DIR *dir = NULL;
    const struct dirent *entry;

    snprintf(path, sizeof path, "/sys/dev/block/%.20s/slaves", device);
    dir = opendir(path);
    while (dir && (entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            return true;
    return false;
}

/* "254:0 rbytes=0 wbytes=8396800 rios=0 ..." for each device. What the page cache still holds at
 * the end is not in it. */
static void read_io(int group_fd, struct usage *usage)
{
    AUTO_FCLOSE FILE *file = group_file(group_fd, "io.stat");
    AUTO_FREE char *line = NULL;
    size_t room = 0;
    uint64_t read_bytes = 0, written_bytes = 0, device_read, device_written;
    char device[32];

    if (!file)
        return;
    while (getline(&line, &room, file) > 0)
        if (sscanf(line, "%31s rbytes=%" SCNu64 " wbytes=%" SCNu64, device, &device_read, &device_written) == 3 &&
            !is_stacked(device)) {
            read_bytes += device_read;
            written_bytes += device_written;
        }
    usage_fill(&usage->read_bytes, read_bytes, from);
    usage_fill(&usage->written_bytes, written_bytes, from);
}

static void cgroup_read(struct usage_source *source, const struct rusage *rusage, struct usage *usage)
{
    (void)rusage;
    if (!read_cpu(source->cgroup_fd, usage))
        return;
    read_memory(source->cgroup_fd, usage);
    read_io(source->cgroup_fd, usage);
}

static size_t cgroup_alive(struct usage_source *source, char *names, size_t size)
{
    const struct cgroup_state *state = source->state;

    return cgroup_processes(state->above_fd, state->name, names, size);
}

const struct usage_driver cgroup_driver = {
    .name = from,
    .about = "a control group of the job's own",
    .open = cgroup_open,
    .read = cgroup_read,
    .alive = cgroup_alive,
    .close = cgroup_close,
};
