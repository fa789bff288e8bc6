/* SPDX-License-Identifier: MIT
 * The key of a service: from the environment, else from a file that nobody else may read. It stands in no error. */
#include "emissions/live_service.h"

#include "base/auto.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { KEY_MOST = 2048, PATH_SIZE = 4096 };

void live_forget(char *secret)
{
    if (secret)
        explicit_bzero(secret, strlen(secret));
    free(secret);
}

static bool key_path(const struct live_service *service, char path[PATH_SIZE])
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length = 0;

    /* the XDG base directory specification has a relative path ignored */
    if (config && *config == '/')
        length = snprintf(path, PATH_SIZE, "%s/carbon/keys/%s", config, service->name);
    else if (home && *home)
        length = snprintf(path, PATH_SIZE, "%s/.config/carbon/keys/%s", home, service->name);
    return length > 0 && length < PATH_SIZE;
}

/* A copy without the space around it. It goes into a header, where a line end would begin another. */
static char *take_key(const char *text, const struct live_service *service, const char *where, struct error *err)
{
    const char *start = text + strspn(text, " \t\r\n");
    size_t length = strlen(start);
    bool good;

    while (length > 0 && strchr(" \t\r\n", start[length - 1]))
        length--;
    good = length > 0 && length < KEY_MOST;
    for (size_t i = 0; i < length; i++)
        good &= start[i] > 0x20 && start[i] < 0x7f;
    if (good && service->secret == LIVE_LOGIN)
        good = memchr(start, ':', length) && start[0] != ':';
    if (good)
        return strndup(start, length);
    error_set(err, ERROR_USAGE, "%.200s holds no key", where);
    error_why(err, "%s",
              service->secret == LIVE_LOGIN ? "it is user:password, on one line" : "it is one word, on one line");
    return NULL;
}

static char *read_key(const struct live_service *service, int fd, const char *path, struct error *err)
{
    char text[KEY_MOST + 2] = "", where[PATH_SIZE + 2];
    struct stat status;
    ssize_t length;
    char *key;

    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        error_set(err, ERROR_USAGE, "'%.180s' is no file with a key", path);
        return NULL;
    }
    if ((status.st_mode & 077) || (status.st_uid != geteuid() && status.st_uid != 0)) {
        error_set(err, ERROR_DENIED, "the key in '%.180s' is not used", path);
        error_why(err, "others may read or change that file");
        error_fix(err, "chmod 600 '%.250s'; and have a new key made if others may have seen it", path);
        return NULL;
    }
    length = read(fd, text, sizeof text - 1);
    if (length < 0) {
        error_errno(err, "cannot read '%.180s'", path);
        return NULL;
    }
    text[length] = '\0';
    snprintf(where, sizeof where, "'%s'", path);
    key = take_key(text, service, where, err);
    explicit_bzero(text, sizeof text);
    return key;
}

char *live_key(const struct live_service *service, struct error *err)
{
    const char *given = getenv(service->key_variable);
    char path[PATH_SIZE] = "";
    AUTO_CLOSE int fd = -1;

    if (given && *given)
        return take_key(given, service, service->key_variable, err);
    if (key_path(service, path))
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0)
        return read_key(service, fd, path, err);
    if (*path && errno != ENOENT && errno != ENOTDIR) {
        error_errno(err, "cannot read '%.180s'", path);
        return NULL;
    }
    error_set(err, ERROR_DENIED, "%s wants a key", service->title);
    error_why(err, "%s is not set, and '%.150s' is not there", service->key_variable, path);
    error_fix(err, "put %s into that file, with mode 600, or into the variable; %s gives one",
              service->secret == LIVE_LOGIN ? "user:password" : "it", service->url);
    return NULL;
}
