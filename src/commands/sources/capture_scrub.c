/* SPDX-License-Identifier: MIT
 * What is left of the files that tell more than carbon reads: no serial numbers, no names of hosts,
 * users or containers. Lists of what stays, never of what goes. */
#include "base/c_locale.h"
#include "commands/sources/capture_tree.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

void scrub_all(char *line, FILE *out)
{
    (void)line;
    (void)out;
}

/* The keys that base/machine.c reads, for x86, ARM, RISC-V, POWER and s390. */
static const char *const cpuinfo_keys[] = {
    "processor",       "vendor_id",        "cpu family", "model",        "model name", "stepping", "flags",
    "CPU implementer", "CPU architecture", "CPU part",   "CPU revision", "mvendorid",  "uarch",    "cpu",
    "# processors",
};

static bool is_cpuinfo_key(const char *key, size_t length)
{
    for (size_t i = 0; i < sizeof cpuinfo_keys / sizeof cpuinfo_keys[0]; i++)
        if (strlen(cpuinfo_keys[i]) == length && c_strncasecmp(key, cpuinfo_keys[i], length) == 0)
            /* "Model" of a board may be a name of its owner's; "Model Name" is RISC-V's */
            return length != 5 || c_islower(key[0]);
    return false;
}

void scrub_cpuinfo(char *line, FILE *out)
{
    const char *colon = strchr(line, ':'), *machine = strstr(line, "machine = ");
    size_t length = colon ? (size_t)(colon - line) : 0;

    while (length && c_isspace(line[length - 1]))
        length--;
    if (!*line)
        fputc('\n', out);
    else if (colon && machine && strncmp(line, "processor ", 10) == 0)
        /* s390 has the machine's serial number before it */
        fprintf(out, "%.*s %s\n", (int)(colon - line) + 1, line, machine);
    else if (length == 5 && strncmp(line, "flags", 5) == 0)
        fprintf(out, "flags\t\t:%s\n", strstr(line, " hypervisor") ? " hypervisor" : "");
    else if (is_cpuinfo_key(line, length))
        fprintf(out, "%s\n", line);
}

void scrub_stat(char *line, FILE *out)
{
    if (strncmp(line, "cpu", 3) == 0)
        fprintf(out, "%s\n", line);
}

void scrub_meminfo(char *line, FILE *out)
{
    if (strncmp(line, "MemTotal:", 9) == 0)
        fprintf(out, "%s\n", line);
}

static bool names_somebody(const char *text, const char *name)
{
    return name && strlen(name) > 2 && c_strcasestr(text, name);
}

/* A kernel of one's own often has one's name in its release ("6.1.0-alice"). */
void scrub_osrelease(char *line, FILE *out)
{
    const struct passwd *user = getpwuid(getuid());
    struct utsname host;

    if (uname(&host) != 0)
        host.nodename[0] = '\0';
    host.nodename[strcspn(host.nodename, ".")] = '\0';
    if (names_somebody(line, host.nodename) || names_somebody(line, user ? user->pw_name : NULL) ||
        names_somebody(line, getenv("SUDO_USER")) || names_somebody(line, getenv("USER")))
        line[strspn(line, "0123456789.")] = '\0';
    fprintf(out, "%s\n", line);
}

/* Words in a cgroup's path or a file system's that say which engine runs here. */
static const char *const engine_words[] = {
    "docker", "containers", "containerd",   "cri-containerd", "io.containerd", "kubepods",      "lxc",
    "libpod", "buildkit",   "system.slice", "user.slice",     "init.scope",    "machine.slice", "machine",
};

static void scrub_component(const char *component, size_t length, FILE *out)
{
    for (size_t i = 0; i < sizeof engine_words / sizeof engine_words[0]; i++) {
        const size_t word = strlen(engine_words[i]);

        if (word > length || strncmp(component, engine_words[i], word) != 0)
            continue;
        if (word == length)
            fputs(engine_words[i], out);
        else if (strchr("-._", component[word]))
            fprintf(out, "%s%cx", engine_words[i], component[word]);
        else
            continue;
        return;
    }
    if (length)
        fputc('x', out);
}

static void scrub_path(const char *path, size_t length, FILE *out)
{
    const char *const end = path + length;

    while (path < end) {
        const char *slash = memchr(path, '/', (size_t)(end - path));
        const size_t component = slash ? (size_t)(slash - path) : (size_t)(end - path);

        scrub_component(path, component, out);
        if (slash)
            fputc('/', out);
        path += component + (slash ? 1 : 0);
    }
}

/* "4:memory:/docker/3f2a..." */
void scrub_cgroup(char *line, FILE *out)
{
    const char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;

    if (!path)
        return;
    fprintf(out, "%.*s", (int)(path - line) + 1, line);
    scrub_path(path + 1, strlen(path + 1), out);
    fputc('\n', out);
}

/* Only the mounts by which a container and its hidden counters are known (base/machine.c); of their
 * sources only what names an engine. */
void scrub_mountinfo(char *line, FILE *out)
{
    static const char *const points[] = {
        "/", "/sys", "/proc/cpuinfo", "/proc/stat", "/sys/devices/virtual/powercap", "/sys/class/powercap",
    };
    char id[16], parent[16], device[24], point[256], options[128], type[32];
    const char *second = strstr(line, " - "), *lower = strstr(line, "lowerdir=");
    bool wanted = false;

    if (!second || sscanf(line, "%15s %15s %23s %*s %255s %127s", id, parent, device, point, options) != 5 ||
        sscanf(second, " - %31s", type) != 1)
        return;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        wanted = wanted || strcmp(point, points[i]) == 0;
    if (!wanted)
        return;
    fprintf(out, "%s %s %s / %s %s - %s %s %.2s", id, parent, device, point, options, type, type, options);
    if (lower) {
        fputs(",lowerdir=", out);
        lower += strlen("lowerdir=");
        scrub_path(lower, strcspn(lower, ":, "), out);
    }
    fputc('\n', out);
}
