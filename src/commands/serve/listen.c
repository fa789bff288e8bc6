/* SPDX-License-Identifier: MIT
 * Sockets that listen. */
#include "commands/serve/listen.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 64, FIRST_PASSED = 3 };

struct address {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_un path;
    } is;
    socklen_t length;
};

static const char unix_prefix[] = "unix:";

static bool fail_with_address(const char *where, struct error *err)
{
    error_set(err, ERROR_USAGE, "'%.100s' is not a listen address", where);
    return error_fix(err, "ADDR:PORT, [ADDR]:PORT for IPv6, :PORT for every address, or unix:PATH");
}

static bool read_path(const char *path, struct address *address, struct error *err)
{
    if (!*path || strlen(path) >= sizeof address->is.path.sun_path) {
        error_set(err, ERROR_USAGE, "'%.100s' is not a socket path", path);
        return error_why(err, "the kernel takes 1 to %zu characters", sizeof address->is.path.sun_path - 1);
    }
    address->is.path.sun_family = AF_UNIX;
    strcpy(address->is.path.sun_path, path);
    address->length = sizeof address->is.path;
    return true;
}

/* Numbers alone: a name may be asked for in the network. */
static bool read_address(const char *where, struct address *address, struct error *err)
{
    const char *colon = strrchr(where, ':');
    char host[64];
    uint64_t port;

    *address = (struct address){ .length = 0 };
    if (strncmp(where, unix_prefix, sizeof unix_prefix - 1) == 0)
        return read_path(where + sizeof unix_prefix - 1, address, err);
    if (!colon || !text_to_u64(colon + 1, &port) || port > 65535 || (size_t)(colon - where) >= sizeof host)
        return fail_with_address(where, err);
    snprintf(host, sizeof host, "%.*s", (int)(colon - where), where);
    if (host[0] == '[' && host[strlen(host) - 1] == ']') {
        host[strlen(host) - 1] = '\0';
        address->is.v6 = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port) };
        address->length = sizeof address->is.v6;
        return inet_pton(AF_INET6, host + 1, &address->is.v6.sin6_addr) == 1 || fail_with_address(where, err);
    }
    if (!host[0]) {
        address->is.v6 = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port) };
        address->length = sizeof address->is.v6;
        return true;
    }
    address->is.v4 = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    address->length = sizeof address->is.v4;
    return inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, &address->is.v4.sin_addr) == 1 ||
           fail_with_address(where, err);
}

bool listen_check(const char *where, struct error *err)
{
    struct address address;

    return read_address(where, &address, err);
}

static void describe(struct listener *listener, const struct address *address)
{
    char text[INET6_ADDRSTRLEN] = "?";

    switch (address->is.any.sa_family) {
    case AF_UNIX:
        listener->loopback = true;
        snprintf(listener->name, sizeof listener->name, "%s%s", unix_prefix,
                 address->length > sizeof(sa_family_t) ? address->is.path.sun_path : "");
        break;
    case AF_INET6:
        listener->loopback = IN6_IS_ADDR_LOOPBACK(&address->is.v6.sin6_addr);
        inet_ntop(AF_INET6, &address->is.v6.sin6_addr, text, sizeof text);
        snprintf(listener->name, sizeof listener->name, "[%s]:%u", text, ntohs(address->is.v6.sin6_port));
        break;
    case AF_INET:
        listener->loopback = ntohl(address->is.v4.sin_addr.s_addr) >> 24 == 127;
        inet_ntop(AF_INET, &address->is.v4.sin_addr, text, sizeof text);
        snprintf(listener->name, sizeof listener->name, "%s:%u", text, ntohs(address->is.v4.sin_port));
        break;
    default: snprintf(listener->name, sizeof listener->name, "a socket");
    }
}

/* The socket of a killed carbon: no process listens on it. */
static void remove_stale(const struct address *address)
{
    struct stat status;
    int fd;

    if (lstat(address->is.path.sun_path, &status) != 0 || !S_ISSOCK(status.st_mode))
        return;
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, &address->is.any, address->length) != 0 && errno == ECONNREFUSED)
        unlink(address->is.path.sun_path);
    if (fd >= 0)
        close(fd);
}

static bool fail(const char *where, struct error *err)
{
    const int number = errno;

    error_errno(err, "cannot listen at '%.100s'", where);
    if (number == EADDRINUSE)
        error_fix(err, "another program, or another carbon, listens there: --listen ADDR:PORT takes another");
    return false;
}

bool listen_open(struct listener *listener, const char *where, struct error *err)
{
    struct address address;
    const int yes = 1, no = 0;

    *listener = (struct listener){ .fd = -1 };
    if (!read_address(where, &address, err))
        return false;
    listener->fd = socket(address.is.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener->fd < 0 && where[0] == ':') { /* no IPv6 here */
        address.is.v4 = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = address.is.v6.sin6_port };
        address.length = sizeof address.is.v4;
        listener->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    }
    if (listener->fd < 0)
        return fail(where, err);
    if (address.is.any.sa_family == AF_UNIX)
        remove_stale(&address);
    else
        setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (address.is.any.sa_family == AF_INET6)
        setsockopt(listener->fd, IPPROTO_IPV6, IPV6_V6ONLY, where[0] == ':' ? &no : &yes, sizeof yes);
    if (bind(listener->fd, &address.is.any, address.length) != 0) {
        fail(where, err);
        listen_close(listener);
        return false;
    }
    if (address.is.any.sa_family == AF_UNIX)
        strcpy(listener->path, address.is.path.sun_path);
    if (listen(listener->fd, BACKLOG) != 0) {
        fail(where, err);
        listen_close(listener);
        return false;
    }
    address.length = sizeof address.is;
    getsockname(listener->fd, &address.is.any, &address.length);
    describe(listener, &address);
    return true;
}

bool listen_passed(struct listener *listener, bool *passed, struct error *err)
{
    const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    struct address address = { .length = sizeof address.is };
    uint64_t number = 0, fds = 0;
    int listening = 0;
    socklen_t size = sizeof listening;

    *listener = (struct listener){ .fd = -1 };
    *passed = pid && count && text_to_u64(pid, &number) && number == (uint64_t)getpid() && text_to_u64(count, &fds) &&
              fds > 0;
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    if (!*passed)
        return true;
    if (fds != 1) {
        error_set(err, ERROR_USAGE, "%d sockets were passed on, and carbon takes one", (int)fds);
        return error_fix(err, "have one ListenStream= in the socket's unit");
    }
    if (getsockopt(FIRST_PASSED, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0 || !listening ||
        getsockname(FIRST_PASSED, &address.is.any, &address.length) != 0) {
        error_set(err, ERROR_USAGE, "the passed descriptor is not a listening socket");
        return error_fix(err, "the socket's unit wants ListenStream= and Accept=no");
    }
    listener->fd = FIRST_PASSED;
    fcntl(listener->fd, F_SETFD, FD_CLOEXEC);
    fcntl(listener->fd, F_SETFL, fcntl(listener->fd, F_GETFL) | O_NONBLOCK);
    describe(listener, &address);
    return true;
}

void listen_close(struct listener *listener)
{
    if (listener->fd >= 0)
        close(listener->fd);
    if (listener->path[0])
        unlink(listener->path);
    *listener = (struct listener){ .fd = -1 };
}
