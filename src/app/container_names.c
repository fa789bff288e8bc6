/* SPDX-License-Identifier: MIT
 * Takes a container's id from a socket, asks Docker and podman for it, and sends its name back. */
#include "app/container_names.h"

#include "base/text.h"
#include "container/container.h"
#include "container/engine_open.h"
#include "groups/group_titles.h"

#include <errno.h>
#include <sys/socket.h>

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

static void answer(void *context, int fd)
{
    const struct container_names *names = context;

    if (names->confine)
        names->confine();
    answer_all(fd);
}

bool container_names_open(struct container_names *names, void (*confine)(void), struct error *err)
{
    names->confine = confine;
    return side_process_open(&names->process, answer, names) || error_errno(err, "container names are unavailable");
}

void container_names_close(struct container_names *names)
{
    side_process_close(&names->process);
}
