/* SPDX-License-Identifier: MIT
 * Whether a server answers: Triton by its health, of both versions of its protocol, others by accepting a connection.
 * Each question is a second at most, of an address of this machine: no proxy, no redirect, no body. */
#include "commands/pipeline/companion.h"

#include "base/auto.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE_MS = 1000, HTTP_OK = 200, TRITON_PORT = 8000 };

static bool wait_for(int fd, short events)
{
    struct pollfd poller = { .fd = fd, .events = events };

    return poll(&poller, 1, PATIENCE_MS) == 1;
}

/* -1: no process listens on the port. */
static int connect_to(const char *address, unsigned port)
{
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
    struct addrinfo *found;
    char service[16];
    int fd, failed = -1;
    socklen_t size = sizeof failed;

    snprintf(service, sizeof service, "%u", port);
    if (getaddrinfo(address, service, &hints, &found) != 0)
        return -1;
    fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && (connect(fd, found->ai_addr, found->ai_addrlen) == 0 || errno == EINPROGRESS) &&
        wait_for(fd, POLLOUT))
        (void)getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &size);
    freeaddrinfo(found);
    if (failed == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Of the first line of an answer; 0: there was none. */
static int status_of(const char *address, unsigned port, const char *path)
{
    AUTO_CLOSE int fd = connect_to(address, port);
    char text[512];
    size_t length = 0;
    int status = 0;

    if (fd < 0)
        return 0;
    snprintf(text, sizeof text, "GET %.300s HTTP/1.0\r\nHost: %.60s:%u\r\n\r\n", path, address, port);
    if (send(fd, text, strlen(text), MSG_NOSIGNAL) != (ssize_t)strlen(text))
        return 0;
    while (length < sizeof text - 1 && wait_for(fd, POLLIN)) {
        const ssize_t got = recv(fd, text + length, sizeof text - 1 - length, 0);
        if (got <= 0)
            break;
        length += (size_t)got;
        text[length] = '\0';
        if (strchr(text, '\n'))
            break;
    }
    text[length] = '\0';
    return sscanf(text, "HTTP/%*[0-9.] %3d", &status) == 1 ? status : 0;
}

/* Version 2 of the protocol; of servers before that, version 1. */
static bool triton_is_ready(const struct companion *companion, char *missing, size_t size)
{
    const unsigned port = companion->connection_count ? companion->connections[0].port : TRITON_PORT;
    int status = status_of(companion->address, port, "/v2/health/ready");
    const bool first = status == 400 || status == 404;
    char path[320];

    if (first)
        status = status_of(companion->address, port, "/api/health/ready");
    if (status != HTTP_OK) {
        if (status)
            snprintf(missing, size, "it answers that it is not ready (%d)", status);
        else
            snprintf(missing, size, "nothing answers at %.40s:%u", companion->address, port);
        return false;
    }
    for (const char *const *model = companion->models; model && *model; model++) {
        snprintf(path, sizeof path, "%s%.255s%s", first ? "/api/status/" : "/v2/models/", *model,
                 first ? "" : "/ready");
        if (status_of(companion->address, port, path) != HTTP_OK) {
            snprintf(missing, size, "its model '%.100s' is not ready", *model);
            return false;
        }
    }
    return true;
}

bool companion_is_ready(const struct companion *companion, char *missing, size_t size)
{
    if (companion->triton)
        return triton_is_ready(companion, missing, size);
    for (size_t i = 0; i < companion->connection_count; i++) {
        const int fd = connect_to(companion->address, companion->connections[i].port);

        if (fd < 0) {
            snprintf(missing, size, "nothing listens at %.40s:%u", companion->address, companion->connections[i].port);
            return false;
        }
        close(fd);
    }
    return true;
}
