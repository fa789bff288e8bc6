/* SPDX-License-Identifier: MIT
 * The key of a service: from the environment, or from a file that only this user may read. It is in no error message.
 */
#include "grid/live_service.h"

#include "grid/live.h"
#include "io/secret.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

void live_forget(char *secret)
{
    secret_forget(secret);
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

char *live_key(const struct live_service *service, struct error *err)
{
    const enum secret_form form = service->secret == LIVE_LOGIN ? SECRET_LOGIN : SECRET_KEY;
    const char *given = getenv(service->key_variable);
    char path[PATH_SIZE] = "";

    if (given && *given)
        return secret_of_text(given, form, service->key_variable, err);
    if (key_path(service, path) && (euidaccess(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)))
        return secret_of_file(path, form, err);
    error_set(err, ERROR_DENIED, "%s wants a key", service->title);
    error_why(err, "%s is not set, and '%.150s' is not there", service->key_variable, path);
    error_fix(err, "put %s into that file, with mode 600, or into the variable; %s gives one",
              service->secret == LIVE_LOGIN ? "user:password" : "it", service->url);
    return NULL;
}

bool live_has_key(const struct live_service *service, struct error *err)
{
    char *key;

    if (service->secret == LIVE_OPEN)
        return true;
    key = live_key(service, err);
    if (!key)
        return false;
    live_forget(key);
    return true;
}
