/* SPDX-License-Identifier: MIT
 * The caller's environment, out of sudo's process or this process's first memory. */
#include "run/environment.h"

#include "base/auto.h"
#include "base/process.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <string.h>

/* sudo is carbon's parent; where a script stands between them, that one's. */
enum { MAX_PARENTS = 2 };

enum { MAX_BYTES = 16 << 20 };

static bool is_named(const char *variable, const char *name)
{
    const size_t length = strlen(name);

    return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

static bool is_one_of(const char *variable, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        if (is_named(variable, names[i]))
            return true;
    return false;
}

const char *environment_value(char *const *variables, const char *name)
{
    for (size_t i = 0; variables[i]; i++)
        if (is_named(variables[i], name))
            return variables[i] + strlen(name) + 1;
    return NULL;
}

static bool has_name_of(char *const *variables, const char *variable)
{
    const size_t length = strcspn(variable, "=") + 1;

    for (size_t i = 0; variables[i]; i++)
        if (strncmp(variables[i], variable, length) == 0)
            return true;
    return false;
}

char **environment_with(char *const *variables, char *variable)
{
    const size_t length = strcspn(variable, "=") + 1;
    size_t count = 0;
    char **with;

    while (variables[count])
        count++;
    with = calloc(count + 2, sizeof *with);
    if (!with)
        return NULL;
    count = 0;
    for (size_t i = 0; variables[i]; i++)
        if (strncmp(variables[i], variable, length) != 0)
            with[count++] = variables[i];
    with[count] = variable;
    return with;
}

void environment_close(struct environment *environment)
{
    free(environment->variables);
    free(environment->store);
    *environment = (struct environment){ .variables = NULL };
}

/* The variables of a block "A=1\0B=2\0", and of carbon's own those that are neither sudo's nor among
 * `never`; these are stronger. own NULL: the block alone. */
static bool merge(struct environment *environment, char *block, size_t size, char **own, const char *const *never,
                  struct error *err)
{
    size_t max = 1, count = 0;

    for (size_t i = 0; i < size; i++)
        max += block[i] == '\0';
    for (size_t i = 0; own && own[i]; i++)
        max++;
    environment->variables = calloc(max, sizeof *environment->variables);
    if (!environment->variables)
        return error_errno(err, "no memory for the command's environment");
    for (size_t i = 0; own && own[i]; i++)
        if (strncmp(own[i], "SUDO_", 5) != 0 && !is_one_of(own[i], never))
            environment->variables[count++] = own[i];
    for (char *at = block; at < block + size; at += strlen(at) + 1)
        if (*at && (!own || !has_name_of(environment->variables, at)))
            environment->variables[count++] = at;
    return true;
}

/* The file stays that process's own, whoever has its number later. NULL: it is not sudo's, or closed. */
static FILE *open_environment_of(pid_t pid, pid_t child)
{
    struct process process;
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    file = process_read(pid, &process) && strcmp(process.name, "sudo") == 0 ? fopen(path, "re") : NULL;
    /* still its parent: the number was not given to somebody else in between */
    if (file && (!process_read(child, &process) || process.parent != pid)) {
        fclose(file);
        file = NULL;
    }
    return file;
}

static FILE *open_environment_of_sudo(void)
{
    struct process process;
    FILE *file = NULL;
    pid_t child = getpid();

    for (int i = 0; i < MAX_PARENTS && !file && process_read(child, &process) && process.parent > 1; i++) {
        file = open_environment_of(process.parent, child);
        child = process.parent;
    }
    return file;
}

/* False: there is none that can be read. */
static bool read_environment_of_sudo(char **block, size_t *size)
{
    AUTO_FCLOSE FILE *file = open_environment_of_sudo();
    char *bytes = file ? malloc(MAX_BYTES) : NULL;

    *size = bytes ? fread(bytes, 1, MAX_BYTES - 1, file) : 0;
    if (*size == 0 || ferror(file)) {
        free(bytes);
        return false;
    }
    bytes[(*size)++] = '\0';
    *block = bytes;
    return true;
}

/* "HOME=...\0SHELL=...\0"; a user without an entry has no home that anybody could name. */
static bool identity_of(uid_t uid, char **block, size_t *size)
{
    const struct passwd *entry = getpwuid(uid);
    FILE *out = open_memstream(block, size);

    if (!out)
        return false;
    if (entry)
        fprintf(out, "HOME=%s%cLOGNAME=%s%cSHELL=%s%cUSER=%s%c", entry->pw_dir, 0, entry->pw_name, 0, entry->pw_shell,
                0, entry->pw_name, 0);
    return fclose(out) == 0;
}

bool environment_before_sudo(struct environment *environment, uid_t uid, struct error *err)
{
    /* what sudo sets by itself (sudo(8), ENVIRONMENT) is never what the caller has set since */
    static const char *const of_sudo[] = {
        "HOME", "LOGNAME", "MAIL", "PATH", "SHELL", "TERM", "USER", "USERNAME", NULL
    };
    static const char *const of_root[] = { "HOME", "LOGNAME", "MAIL", "SHELL", "USER", "USERNAME", NULL };
    size_t size = 0;
    const bool known = read_environment_of_sudo(&environment->store, &size);

    if (!known && !identity_of(uid, &environment->store, &size))
        return error_errno(err, "no memory for the command's environment");
    return merge(environment, environment->store, size, environ, known ? of_sudo : of_root, err);
}

/* Where the kernel has put the environment: the 50th and 51st field of stat (proc(5)). */
static bool first_memory(char **start, size_t *size)
{
    AUTO_FCLOSE FILE *file = fopen("/proc/self/stat", "re");
    uintptr_t from = 0, to = 0;
    char line[2048], *at;

    if (!file)
        return false;
    line[fread(line, 1, sizeof line - 1, file)] = '\0';
    at = strrchr(line, ')'); /* ends the 2nd field */
    for (int field = 3; at && field <= 50; field++)
        at = strchr(at + 1, ' ');
    if (!at || sscanf(at, "%" SCNuPTR " %" SCNuPTR, &from, &to) != 2 || from == 0 || to <= from)
        return false;
    *start = (char *)from; /* NOLINT(performance-no-int-to-ptr): the kernel has no other way to say it */
    *size = to - from;
    return true;
}

bool environment_before_loader(struct environment *environment, struct error *err)
{
    char *block;
    size_t size;

    return !first_memory(&block, &size) || merge(environment, block, size, NULL, NULL, err);
}
