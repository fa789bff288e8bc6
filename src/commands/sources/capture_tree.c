/* SPDX-License-Identifier: MIT
 * What of a machine is recorded, and the copying of it. */
#include "commands/sources/capture_tree.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/c_locale.h"
#include "base/text.h"
#include "energy/energy.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD_PATH_SIZE = 512 };

/* A file that is wanted. A '*' stands for any part of one name. */
struct capture_tree_wanted {
    const char *group;
    const char *pattern;
    record_filter *filter; /* NULL: as it is */
};

/* What carbon reads of every machine; what a source of energy reads, its driver says. */
static const struct capture_tree_wanted common_files[] = {
    { "processors", "proc/cpuinfo", scrub_cpuinfo },
    { "processors", "sys/devices/system/cpu/online", NULL },
    { "processors", "sys/devices/system/cpu/present", NULL },
    { "processors", "sys/devices/system/cpu/cpu[0-9]*/topology/physical_package_id", NULL },
    { "processors", "sys/devices/system/cpu/cpu[0-9]*/topology/package_cpus_list", NULL },
    { "processors", "sys/devices/system/cpu/cpu[0-9]*/topology/core_siblings_list", NULL },
    { "processors", "sys/devices/system/cpu/cpu[0-9]*/topology/die_id", NULL },
    { "processors", "sys/devices/system/cpu/cpu[0-9]*/topology/die_cpus_list", NULL },
    { "memory and CPU time", "proc/meminfo", scrub_meminfo },
    { "memory and CPU time", "proc/stat", scrub_stat },
    { "kernel", "proc/sys/kernel/osrelease", scrub_osrelease },
    { "kernel", "proc/sys/kernel/perf_event_paranoid", NULL },
    { "firmware and hypervisor", "sys/class/dmi/id/sys_vendor", NULL },
    { "firmware and hypervisor", "sys/class/dmi/id/product_name", NULL },
    { "firmware and hypervisor", "sys/firmware/devicetree/base/model", NULL },
    { "firmware and hypervisor", "sys/hypervisor/type", NULL },
    { "container or not", "proc/self/cgroup", scrub_cgroup },
    { "container or not", "proc/self/mountinfo", scrub_mountinfo },
    { "container or not", "sys/fs/cgroup/memory.max", NULL },
    { "container or not", "sys/fs/cgroup/memory/memory.limit_in_bytes", NULL },
    { "container or not", ".dockerenv", scrub_all },
    { "container or not", "run/.containerenv", scrub_all },
    { "container or not", "run/systemd/container", NULL },
};

static bool no_memory(struct error *err)
{
    return error_set(err, ERROR_SYSTEM, "no memory for the record");
}

/* NULL: no memory. */
static struct record_group *group_of(struct record *record, const char *name, struct error *err)
{
    struct record_group *groups;
    size_t i = 0;

    while (i < record->group_count && strcmp(record->groups[i].name, name) != 0)
        i++;
    if (i < record->group_count)
        return &record->groups[i];
    groups = array_next(record->groups, i, sizeof *groups);
    if (!groups) {
        no_memory(err);
        return NULL;
    }
    record->groups = groups;
    record->groups[record->group_count++] = (struct record_group){ .name = name };
    return &record->groups[i];
}

void record_close(struct record *record)
{
    free(record->groups);
    free(record->problems);
    record->groups = NULL;
    record->problems = NULL;
    record->group_count = record->problem_count = 0;
}

static bool cannot_write(const char *path, struct error *err)
{
    error_errno(err, "cannot write '%s' of the record", path);
    return error_fix(err, "carbon record with another directory; the content of this one is unusable");
}

/* The folders on the way to a file. */
static bool make_folders(const struct record *record, const char *path, struct error *err)
{
    char folder[RECORD_PATH_SIZE];

    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (mkdirat(record->fd, folder, 0777) < 0 && errno != EEXIST)
            return cannot_write(folder, err);
    }
    return true;
}

static bool create_file(const struct record *record, const char *path, const char *content, size_t length, mode_t mode,
                        struct error *err)
{
    AUTO_CLOSE int fd = -1;

    if (!make_folders(record, path, err))
        return false;
    fd = openat(record->fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (fd < 0)
        return cannot_write(path, err);
    for (ssize_t put; length; content += put, length -= (size_t)put) {
        put = write(fd, content, length);
        if (put < 0)
            return cannot_write(path, err);
    }
    return true;
}

bool record_write(const struct record *record, const char *path, const char *content, size_t length, struct error *err)
{
    return create_file(record, path, content, length, 0666, err);
}

static bool add_problem(struct record *record, const char *path, const struct stat *status, int number,
                        struct error *err)
{
    struct record_problem *problems = array_next(record->problems, record->problem_count, sizeof *problems);
    struct record_problem *problem;

    if (!problems)
        return no_memory(err);
    record->problems = problems;
    problem = &problems[record->problem_count++];
    record->unreadable += number ? 1 : 0;
    text_copy(problem->path, sizeof problem->path, path);
    problem->mode = status->st_mode & 07777;
    problem->root_user = status->st_uid == 0;
    problem->root_group = status->st_gid == 0;
    problem->error = number;
    return true;
}

/* The lines that may stay, in *content. Returns 0 or the errno of the reading. Closes fd. */
static int read_lines(int fd, record_filter *filter, char **content, size_t *length)
{
    FILE *in = fdopen(fd, "r"), *out = open_memstream(content, length);
    AUTO_FREE char *line = NULL;
    size_t size = 0;
    ssize_t got;
    int number = in && out ? 0 : ENOMEM;

    errno = 0;
    while (!number && (got = getline(&line, &size, in)) >= 0) {
        if (filter) {
            line[strcspn(line, "\n")] = '\0';
            filter(line, out);
        } else {
            fwrite(line, 1, (size_t)got, out);
        }
    }
    if (!number && ferror(in))
        number = errno ? errno : EIO;
    if (out && fclose(out) != 0)
        number = ENOMEM;
    if (in)
        fclose(in);
    else
        close(fd);
    return number;
}

/* A file that may not be read stands there empty and closed to all, so that the tree gives the same
 * answer as the machine. */
static bool keep_place(struct record *record, const char *path, int number, struct error *err)
{
    struct stat status;

    if (number == ENOENT || number == ENOTDIR || fstatat(record->root->fd, path, &status, 0) < 0)
        return true;
    if (!add_problem(record, path, &status, number, err))
        return false;
    return (number != EACCES && number != EPERM) || create_file(record, path, "", 0, 0, err);
}

static bool copy_file(struct record *record, const struct capture_tree_wanted *wanted, const char *path,
                      struct error *err)
{
    const int fd = openat(record->root->fd, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    AUTO_FREE char *content = NULL;
    size_t length = 0;
    struct stat status;
    int number;

    if (fd < 0)
        return keep_place(record, path, errno, err);
    if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)) {
        close(fd);
        return true;
    }
    number = read_lines(fd, wanted->filter, &content, &length);
    if (number)
        return keep_place(record, path, number, err);
    struct record_group *group = group_of(record, wanted->group, err);
    if (!group || (!(status.st_mode & S_IROTH) && !add_problem(record, path, &status, 0, err)))
        return false;
    group->files++;
    return record_write(record, path, content, length, err);
}

/* A link that leads nowhere is how a container engine's mask shows. */
static bool copy_dead_link(const struct record *record, const char *path, struct error *err)
{
    char target[RECORD_PATH_SIZE];
    const ssize_t length = readlinkat(record->root->fd, path, target, sizeof target - 1);

    if (length <= 0 || target[0] == '/' || faccessat(record->root->fd, path, F_OK, 0) == 0)
        return true;
    target[length] = '\0';
    if (!make_folders(record, path, err))
        return false;
    if (symlinkat(target, record->fd, path) == 0 || errno == EEXIST)
        return true;
    return cannot_write(path, err);
}

static bool copy_matching(struct record *record, const struct capture_tree_wanted *wanted, const char *done,
                          const char *rest, struct error *err);

static bool list_failed(struct record *record, const char *path, struct error *err)
{
    const int number = errno;
    struct stat status;

    if (number != ENOENT && number != ENOTDIR && fstatat(record->root->fd, path, &status, 0) == 0)
        return add_problem(record, path, &status, number, err);
    return true;
}

/* An empty folder tells something too, but git and some archives would drop it. */
static bool keep_empty_folder(const struct record *record, const char *folder, struct error *err)
{
    char path[RECORD_PATH_SIZE];

    if (faccessat(record->fd, folder, F_OK, 0) == 0)
        return true;
    snprintf(path, sizeof path, "%s/.keep-empty-dir", folder);
    return record_write(record, path, "", 0, err);
}

/* The battery of a mouse or a headset, which may be named after its address; no energy source looks at it. */
static bool is_of_a_device(const struct record *record, const char *path)
{
    char scope[RECORD_PATH_SIZE + 8], text[16];

    snprintf(scope, sizeof scope, "%s/scope", path);
    return root_read_text(record->root, scope, text, sizeof text, NULL) && strcmp(text, "Device") == 0;
}

/* rest begins with the name that is a pattern; done is the folder to be listed. */
static bool copy_listed(struct record *record, const struct capture_tree_wanted *wanted, const char *done,
                        const char *rest, struct error *err)
{
    AUTO_C_LOCALE;
    AUTO_CLOSEDIR DIR *dir = root_open_dir(record->root, done, NULL);
    char pattern[64], path[RECORD_PATH_SIZE];
    const char *after = strchrnul(rest, '/');
    const struct dirent *entry;
    bool matched = false;

    if (!dir)
        return list_failed(record, done, err);
    snprintf(pattern, sizeof pattern, "%.*s", (int)(after - rest), rest);
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] == '.' || fnmatch(pattern, entry->d_name, 0) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", done, entry->d_name);
        if (is_of_a_device(record, path))
            continue;
        if (!copy_dead_link(record, path, err) || !copy_matching(record, wanted, path, after, err))
            return false;
        matched = true;
    }
    return matched || keep_empty_folder(record, done, err);
}

/* done is a path that exists or not; rest is "" or goes on with "/...". */
static bool copy_matching(struct record *record, const struct capture_tree_wanted *wanted, const char *done,
                          const char *rest, struct error *err)
{
    char path[RECORD_PATH_SIZE];
    const char *after;

    if (!*rest)
        return copy_file(record, wanted, done, err);
    rest++;
    after = strchrnul(rest, '/');
    if (memchr(rest, '*', (size_t)(after - rest)))
        return copy_listed(record, wanted, done, rest, err);
    snprintf(path, sizeof path, "%s/%.*s", done, (int)(after - rest), rest);
    return copy_matching(record, wanted, path, after, err);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct record_problem *)a)->path, ((const struct record_problem *)b)->path);
}

static bool copy_wanted(struct record *record, const struct capture_tree_wanted *wanted, struct error *err)
{
    const char *slash = strchrnul(wanted->pattern, '/');
    char first[64];

    snprintf(first, sizeof first, "%.*s", (int)(slash - wanted->pattern), wanted->pattern);
    return group_of(record, wanted->group, err) && copy_matching(record, wanted, first, slash, err);
}

static bool copy_of_driver(struct record *record, const struct energy_driver *driver, struct error *err)
{
    for (size_t i = 0; driver->paths && driver->paths[i]; i++) {
        const struct capture_tree_wanted wanted = { driver->paths_title, driver->paths[i], NULL };

        if (!copy_wanted(record, &wanted, err))
            return false;
    }
    return true;
}

bool record_copy(struct record *record, struct error *err)
{
    for (size_t i = 0; energy_drivers[i]; i++)
        if (!copy_of_driver(record, energy_drivers[i], err))
            return false;
    for (size_t i = 0; i < sizeof common_files / sizeof common_files[0]; i++)
        if (!copy_wanted(record, &common_files[i], err))
            return false;
    if (record->problem_count)
        qsort(record->problems, record->problem_count, sizeof record->problems[0], by_path);
    return true;
}
