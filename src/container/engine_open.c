/* SPDX-License-Identifier: MIT
 * Where an engine's socket is, and who answers there. */
#include "container/engine_open.h"

#include "base/auto.h"
#include "base/utf8.h"
#include "container/ask.h"

#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const struct {
    const char *title, *variable;
    const char *user, *system;   /* the sockets: below XDG_RUNTIME_DIR, and the whole path */
    const char *program, *start; /* its client, and what starts it */
} kinds[ENGINE_KINDS] = {
    [ENGINE_DOCKER] = { "Docker", "DOCKER_HOST", "docker.sock", "/var/run/docker.sock", "/usr/bin/docker",
                        "sudo systemctl start docker" },
    [ENGINE_PODMAN] = { "podman", "CONTAINER_HOST", "podman/podman.sock", "/run/podman/podman.sock", "/usr/bin/podman",
                        "systemctl --user start podman.socket" },
};

static bool set_socket(struct engine *engine, const char *path, struct error *err)
{
    if (strlen(path) < sizeof engine->socket) {
        text_copy(engine->socket, sizeof engine->socket, path);
        return true;
    }
    error_set(err, ERROR_USAGE, "the path of %s's socket is too long", kinds[engine->kind].title);
    error_why(err, "the kernel takes %zu characters at most", sizeof engine->socket - 1);
    return error_fix(err, "check %s in the environment", kinds[engine->kind].variable);
}

/* "unix:///run/docker.sock", or a path alone. */
static bool set_from_environment(struct engine *engine, const char *value, struct error *err)
{
    static const char scheme[] = "unix://";
    const char *variable = kinds[engine->kind].variable;

    if (strncmp(value, scheme, sizeof scheme - 1) == 0)
        value += sizeof scheme - 1;
    if (*value == '/')
        return set_socket(engine, value, err);
    error_set(err, ERROR_USAGE, "%s names no engine of this machine", variable);
    error_why(err, "it is '%.150s'; another machine cannot be measured from here", value);
    return error_fix(err, "unset %s, or set it to a socket: %s%s", variable, scheme, kinds[engine->kind].system);
}

static bool fail_denied(const struct engine *engine, struct error *err)
{
    struct stat status;
    const struct group *group;

    error_set(err, ERROR_DENIED, "no permission for the %s socket", kinds[engine->kind].title);
    error_why(err, "permission denied: '%s'", engine->socket);
    group = stat(engine->socket, &status) == 0 && status.st_gid != 0 && status.st_mode & S_IWGRP
                ? getgrgid(status.st_gid)
                : NULL;
    if (group)
        return error_fix(
            err,
            "become a member of the group '%s' that may ('sudo usermod -aG %s NAME', then log in again), or "
            "run carbon as root: 'sudo env -u SUDO_UID carbon ...'",
            group->gr_name, group->gr_name);
    if (engine->kind == ENGINE_PODMAN)
        return error_fix(err,
                         "have podman answer to you yourself: 'systemctl --user start podman.socket'; or run carbon "
                         "as root: 'sudo env -u SUDO_UID carbon ...'");
    return error_fix(err, "run carbon as root: 'sudo env -u SUDO_UID carbon ...'");
}

/* Who listens there; where many wait already, whose the socket is. */
static uid_t user_behind(int fd, const char *socket)
{
    struct ucred listening;
    socklen_t size = sizeof listening;
    struct stat status;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &listening, &size) == 0 && listening.uid != (uid_t)-1)
        return listening.uid;
    return stat(socket, &status) == 0 ? status.st_uid : (uid_t)-1;
}

/* Whether somebody listens: the kernel tells more exactly than a library what is in the way. */
static bool knock(struct engine *engine, struct error *err)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    AUTO_CLOSE int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    memcpy(address.sun_path, engine->socket, strlen(engine->socket));
    if (fd < 0)
        return error_errno(err, "no socket can be made");
    /* EAGAIN: many wait there already */
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0 || errno == EAGAIN) {
        engine->user = user_behind(fd, engine->socket);
        return true;
    }
    if (errno == EACCES || errno == EPERM)
        return fail_denied(engine, err);
    if (errno == ENOENT || errno == ENOTDIR) {
        error_set(err, ERROR_ABSENT, "%s does not run here", kinds[engine->kind].title);
        error_why(err, "no socket '%s'", engine->socket);
    } else if (errno == ECONNREFUSED) {
        error_set(err, ERROR_ABSENT, "%s does not run here", kinds[engine->kind].title);
        error_why(err, "no answer at '%s'", engine->socket);
    } else {
        error_errno(err, "cannot reach %s at '%s'", kinds[engine->kind].title, engine->socket);
    }
    return error_fix(err, "%s", kinds[engine->kind].start);
}

/* Who answers there. Podman names what it builds images with; it takes half a second to answer "/version". */
static bool ask_who(struct engine *engine, struct error *err)
{
    struct engine_answer answer;
    bool good = engine_ask_for(engine, "/info", &answer, err);

    if (good && !*json_text_of(answer.json, "ServerVersion")) {
        error_set(err, ERROR_BAD_DATA, "'%s' is not a Docker or podman socket", engine->socket);
        good = error_why(err, "it does not say its version");
    }
    if (good) {
        engine->kind = *json_text_of(answer.json, "BuildahVersion") ? ENGINE_PODMAN : ENGINE_DOCKER;
        utf8_printable(engine->version, sizeof engine->version, json_text_of(answer.json, "ServerVersion"));
        utf8_printable(engine->group_driver, sizeof engine->group_driver, json_text_of(answer.json, "CgroupDriver"));
    }
    answer_close(&answer);
    return good;
}

static bool open_socket(struct engine *engine, struct error *err)
{
    return knock(engine, err) && ask_who(engine, err);
}

bool engine_open(struct engine *engine, enum engine_kind kind, struct error *err)
{
    const char *named = getenv(kinds[kind].variable), *runtime = getenv("XDG_RUNTIME_DIR");
    struct error first = { .kind = ERROR_NONE };
    char path[256];

    *engine = (struct engine){ .kind = kind };
    if (named && *named)
        return set_from_environment(engine, named, err) && open_socket(engine, err);
    if (runtime && *runtime == '/' &&
        snprintf(path, sizeof path, "%s/%s", runtime, kinds[kind].user) < (int)sizeof engine->socket) {
        if (set_socket(engine, path, err) && open_socket(engine, &first))
            return true;
        *engine = (struct engine){ .kind = kind };
    }
    if (set_socket(engine, kinds[kind].system, err) && open_socket(engine, err))
        return true;
    /* the user's own, which is there and does not work, is nearer than a system's which is not there */
    if (err && err->kind == ERROR_ABSENT && first.kind != ERROR_NONE && first.kind != ERROR_ABSENT)
        *err = first;
    return false;
}

size_t engines_open(struct engine engines[ENGINE_KINDS], struct error *err)
{
    struct error refusals[ENGINE_KINDS] = { { .kind = ERROR_NONE } };
    size_t count = 0;

    for (size_t i = 0; i < ENGINE_KINDS; i++)
        if (engine_open(&engines[count], (enum engine_kind)i, &refusals[i]))
            count += count == 0 || strcmp(engines[0].socket, engines[1].socket) != 0;
    if (count > 0 || !err)
        return count;
    for (size_t i = 0; i < ENGINE_KINDS; i++)
        if (refusals[i].kind != ERROR_ABSENT) {
            *err = refusals[i];
            return 0;
        }
    error_set(err, ERROR_ABSENT, "neither Docker nor podman is running");
    error_why(err, "%.120s; %.120s", refusals[ENGINE_DOCKER].why, refusals[ENGINE_PODMAN].why);
    for (size_t i = 0; i < ENGINE_KINDS; i++)
        if (access(kinds[i].program, X_OK) == 0) {
            error_fix(err, "%s", kinds[i].start);
            return 0;
        }
    error_fix(err, "sudo apt-get install -y podman && %s", kinds[ENGINE_PODMAN].start);
    return 0;
}
