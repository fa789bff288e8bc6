/* SPDX-License-Identifier: MIT
 * Takes a container's id from a socket, asks Docker and podman for it, and sends its name back. */
#include "app/container_names.h"

#include "base/text.h"
#include "container/container.h"
#include "container/engine_open.h"
#include "groups/group_titles.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWERS_FD = STDERR_FILENO + 1 };

static void find_title(const char *id, struct title_answer *answer)
{
    struct engine engines[ENGINE_KINDS];
    const size_t count = engines_open(engines, NULL);
    struct container container;

    text_copy(answer->id, sizeof answer->id, id);
    text_copy(answer->engine, sizeof answer->engine, "-");
    for (size_t i = 0; i < count; i++)
        if (container_inspect(&engines[i], id, &container, NULL)) {
            text_copy(answer->engine, sizeof answer->engine, engine_name(engines[i].kind));
            text_copy(answer->title, sizeof answer->title, container.name);
            return;
        }
}

/* Until whoever asks is gone. */
static void answer_all(int fd)
{
    char id[80], message[TITLE_MESSAGE_SIZE];
    ssize_t length;

    while ((length = recv(fd, id, sizeof id - 1, 0)) > 0 || (length < 0 && errno == EINTR)) {
        struct title_answer answer = { .id = "" };
        if (length <= 0)
            continue;
        id[length] = '\0';
        find_title(id, &answer);
        length = title_answer_write(&answer, message);
        if (send(fd, message, (size_t)length, MSG_NOSIGNAL) < 0 && errno == EPIPE)
            return;
    }
}

bool container_names_open(struct container_names *names, void (*confine)(void), struct error *err)
{
    const pid_t parent = getpid();
    int ends[2];

    *names = (struct container_names){ .fd = -1 };
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return error_errno(err, "container names are unavailable");
    names->pid = fork();
    if (names->pid < 0) {
        close(ends[0]);
        close(ends[1]);
        return error_errno(err, "container names are unavailable");
    }
    if (names->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGINT, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        /* the counters are for whoever asks alone */
        if (dup2(ends[1], ANSWERS_FD) == ANSWERS_FD && getppid() == parent) {
            IGNORED(syscall(SYS_close_range, ANSWERS_FD + 1, ~0U, 0), "older kernels have no such call");
            if (confine)
                confine();
            answer_all(ANSWERS_FD);
        }
        _exit(0);
    }
    close(ends[1]);
    names->fd = ends[0];
    return true;
}

void container_names_close(struct container_names *names)
{
    if (names->fd < 0)
        return;
    close(names->fd);
    kill(names->pid, SIGKILL);
    waitpid(names->pid, NULL, 0);
    names->fd = -1;
}
