/* SPDX-License-Identifier: MIT
 * Keys and passwords of services. */
#include "io/secret.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/debug.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SECRET_MAX = 8192 };

void secret_forget(char *secret)
{
    if (secret)
        explicit_bzero(secret, strlen(secret));
    free(secret);
}

/* It goes into a header, where a line end would begin another. */
char *secret_of_text(const char *text, enum secret_form form, const char *where, struct error *err)
{
    static const char *const forms[] = { "it is one word, on one line", "it is user:password, on one line",
                                         "it is one line", "each line is NAME: VALUE" };
    const char *start = text + strspn(text, " \t\r\n");
    size_t length = strlen(start);
    bool good;

    while (length > 0 && strchr(" \t\r\n", start[length - 1]))
        length--;
    good = length > 0 && length < SECRET_MAX;
    for (size_t i = 0; i < length; i++)
        good &= form >= SECRET_PASSWORD ? ((unsigned char)start[i] >= 0x20 && start[i] != 0x7f) ||
                                              (form == SECRET_HEADERS && start[i] == '\n')
                                        : start[i] > 0x20 && start[i] < 0x7f;
    if (good && form == SECRET_LOGIN)
        good = memchr(start, ':', length) && start[0] != ':';
    if (good)
        return strndup(start, length);
    error_set(err, ERROR_USAGE, "%.200s holds no %s", where, form == SECRET_PASSWORD ? "password" : "key");
    error_why(err, "%s", forms[form]);
    return NULL;
}

static bool is_for_all_of_a_container(const char *path)
{
    return strncmp(path, "/run/secrets/", 13) == 0 || strncmp(path, "/var/run/secrets/", 17) == 0;
}

static bool is_private(const struct stat *status, const char *path)
{
    const mode_t others = is_for_all_of_a_container(path) ? 022 : 077;

    return !(status->st_mode & others) && (status->st_uid == geteuid() || status->st_uid == 0);
}

char *secret_of_file(const char *path, enum secret_form form, struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char text[SECRET_MAX + 2] = "", where[256];
    struct stat status;
    ssize_t length;
    char *secret;

    debug_file(path, fd >= 0);
    if (fd < 0) {
        error_errno(err, "cannot read '%.180s'", path);
        return NULL;
    }
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        error_set(err, ERROR_USAGE, "'%.180s' is not a file with a key", path);
        return NULL;
    }
    if (!is_private(&status, path)) {
        error_set(err, ERROR_DENIED, "the key in '%.180s' is not used", path);
        error_why(err, "others may read or change that file");
        error_fix(err, "chmod 600 '%.200s'; and have a new key made if others may have seen it", path);
        return NULL;
    }
    length = read(fd, text, sizeof text - 1);
    if (length < 0) {
        error_errno(err, "cannot read '%.180s'", path);
        return NULL;
    }
    text[length] = '\0';
    snprintf(where, sizeof where, "'%.200s'", path);
    secret = secret_of_text(text, form, where, err);
    explicit_bzero(text, sizeof text);
    return secret;
}
