/* SPDX-License-Identifier: MIT
 * Which file is the script of a command line. */
#include "commands/indicator/indicator.h"

#include "base/auto.h"
#include "base/text.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_script(const char *path)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char begin[2];

    return fd >= 0 && read(fd, begin, sizeof begin) == sizeof begin && begin[0] == '#' && begin[1] == '!';
}

/* Searches PATH, like execvp. */
static bool find_program(const char *name, const char *path_variable, char *path, size_t size)
{
    if (strchr(name, '/')) {
        text_copy(path, size, name);
        return is_file(path);
    }
    for (const char *from = path_variable ? path_variable : "/bin:/usr/bin"; from; from = strchr(from, ':')) {
        from += *from == ':';
        snprintf(path, size, "%.*s/%s", (int)strcspn(from, ":"), from, name);
        if (is_file(path) && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Programs that run a file. Managers of versions (pyenv, rbenv, asdf) put scripts of these names first on the way. */
static bool is_interpreter(const char *name)
{
    static const char *const names[] = {
        "python", "pypy", "ruby", "perl", "node", "nodejs", "julia",  "Rscript", "php",
        "lua",    "bash", "dash", "sh",   "zsh",  "ksh",    "octave", "guile",   "java"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(name, names[i], length) == 0 && strspn(name + length, "0123456789.") == strlen(name + length))
            return true;
    }
    return false;
}

void indicator_script_of(char *const *argv, const char *path_variable, char *path, size_t size)
{
    const bool found = find_program(argv[0], path_variable, path, size);
    const char *slash = strrchr(argv[0], '/');

    if (found && is_script(path) && !is_interpreter(slash ? slash + 1 : argv[0]))
        return;
    for (size_t i = 1; argv[i]; i++)
        if (argv[i][0] != '-' && is_file(argv[i])) {
            text_copy(path, size, argv[i]);
            return;
        }
    if (!found)
        *path = '\0';
}
