/* SPDX-License-Identifier: MIT
 * Why a command could not be run, and what may have been meant. */
#include "run/exec_error.h"

#include "base/auto.h"
#include "base/near.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

/* The best name so far, among programs that can be run. */
struct near_program {
    const char *wanted;
    unsigned rank; /* only names with less than this are taken */
    char name[NAME_MAX + 1];
};

/* The first letter is seldom mistyped: of two names as near as each other the one that shares it. */
static unsigned rank_of(const char *wanted, const char *name)
{
    return 2 * text_distance(wanted, name) + (wanted[0] != name[0]);
}

static bool is_program(int dir_fd, const char *name)
{
    struct stat file;

    return fstatat(dir_fd, name, &file, 0) == 0 && S_ISREG(file.st_mode) && faccessat(dir_fd, name, X_OK, 0) == 0;
}

/* Whatever order the folder is in: of two names of one rank the first by the alphabet. */
static void near_in_folder(struct near_program *near, const char *folder)
{
    AUTO_CLOSEDIR DIR *dir = opendir(folder);
    const struct dirent *entry;
    bool here = false;

    while (dir && (entry = readdir(dir))) {
        const unsigned rank = rank_of(near->wanted, entry->d_name);
        if (rank > near->rank || (rank == near->rank && (!here || strcmp(entry->d_name, near->name) > 0)))
            continue;
        if (!is_program(dirfd(dir), entry->d_name))
            continue;
        near->rank = rank;
        text_copy(near->name, sizeof near->name, entry->d_name);
        here = true;
    }
}

/* The next folder of PATH that has a name, or NULL; rest is where to go on. */
static const char *path_folder(const char **rest, char *folder, size_t size)
{
    while (*rest) {
        const char *start = *rest, *end = strchrnul(start, ':');
        const size_t length = (size_t)(end - start);
        *rest = *end ? end + 1 : NULL;
        if (length > 0 && length < size) {
            text_copy(folder, length + 1, start);
            return folder;
        }
    }
    return NULL;
}

/* The file that the command names, program or not. */
static bool find_file(const char *command, const char *search, char *path, size_t size)
{
    char folder[PATH_MAX];

    text_copy(path, size, command);
    if (strchr(command, '/'))
        return access(path, F_OK) == 0;
    while (command[0] && path_folder(&search, folder, sizeof folder))
        if (snprintf(path, size, "%s/%s", folder, command) < (int)size && access(path, F_OK) == 0)
            return true;
    return false;
}

bool exec_is_there(const char *command, const char *search)
{
    char path[PATH_MAX];

    return find_file(command, search, path, sizeof path);
}

/* A line for a shell was given as one word: sh -c 'sleep 1 && echo hi'. */
static void fix_shell_words(const char *command, struct error *err)
{
    struct text quoted;

    text_open(&quoted, sizeof err->fix);
    for (; *command; command++)
        text_add(&quoted, *command == '\'' ? "'\\''" : "%c", *command);
    if (text_ok(&quoted)) {
        error_why(err, "no program has this name: it is a command line for a shell");
        error_fix_program(err, "sh -c '%s'", quoted.data);
    }
    text_close(&quoted);
}

static int not_found(const char *command, const char *search, struct error *err)
{
    const char *slash = strrchr(command, '/');
    struct near_program near = { .wanted = slash ? slash + 1 : command };
    char folder[PATH_MAX] = "";

    near.rank = 2 + 2 * near_slips(near.wanted);
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - command) + 1, command);
        near_in_folder(&near, folder);
    } else {
        error_why(err, "no such command on PATH");
        if (is_program(AT_FDCWD, command)) {
            error_fix_program(err, "./%s", command);
            return STATUS_NOT_FOUND;
        }
        while (path_folder(&search, folder, sizeof folder))
            near_in_folder(&near, folder);
    }
    if (strpbrk(command, " \t\n;|&<>$"))
        fix_shell_words(command, err);
    else if (near.name[0])
        error_fix_program(err, "%s%s", slash ? folder : "", near.name);
    else if (!slash)
        error_fix(err, "echo \"$PATH\"");
    return STATUS_NOT_FOUND;
}

/* A file is there, and yet execve says that there is none: what is to read or load it is missing. */
static void no_interpreter(const char *path, struct error *err)
{
    AUTO_FCLOSE FILE *file = fopen(path, "re");
    char line[256] = "";

    if (file && fgets(line, sizeof line, file) && strncmp(line, "#!", 2) == 0) {
        const char *name = line + 2 + strspn(line + 2, " \t");
        error_why(err, "its interpreter '%.*s' is not there", (int)strcspn(name, " \t\r\n"), name);
    } else {
        error_why(err, "the file is there, but the loader that it needs is not");
    }
}

/* A script or a binary by its first bytes. */
static bool looks_like_a_program(const char *path)
{
    AUTO_FCLOSE FILE *file = fopen(path, "re");
    char start[5] = "";

    return file && fgets(start, sizeof start, file) && (strncmp(start, "#!", 2) == 0 || strcmp(start, "\177ELF") == 0);
}

int exec_error(const char *command, const char *search, int number, struct error *err)
{
    char path[PATH_MAX];
    struct stat file;
    const bool exists = find_file(command, search, path, sizeof path) && stat(path, &file) == 0;

    /* execvp(3) says EACCES where one folder of PATH cannot be searched and no other has the command */
    errno = number == EACCES && !exists && !strchr(command, '/') ? ENOENT : number;
    error_errno(err, "cannot run '%s'", command);
    if (errno == ENOENT && !exists)
        return not_found(command, search, err);
    if (number == ENOENT) {
        no_interpreter(path, err);
    } else if (number == EACCES && exists && S_ISDIR(file.st_mode)) {
        error_why(err, "it is a directory");
    } else if (number == EACCES && exists && !(file.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH))) {
        error_why(err, "permission denied; the file is not marked as a program");
        error_fix(err, looks_like_a_program(path) ? "chmod +x %.200s" : "ls -l %.200s", path);
    }
    return STATUS_CANNOT_RUN;
}
