/* SPDX-License-Identifier: MIT
 * "/var/log/pods/<namespace>_<name>_<UID>", "/var/log/containers/<pod>_<namespace>_<name>-<id>.log"; and questions. */
#include "groups/group_titles.h"

#include "base/auto.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* An engine may be slow; after so long a group goes without a name. */
#define PATIENCE_NS (15 * NS_PER_S_INT)

/* What another user has made may have any name: nobody says whether it is true. */
static bool may_be_asked(const struct groups *groups, const struct group *group)
{
    return !group->name.user[0] || strcmp(group->name.user, groups->asks_as) == 0;
}

static bool lacks_name(const struct groups *groups, const struct group *group, enum group_kind kind)
{
    return group->name.kind == kind && !group->named && !group->title[0] && may_be_asked(groups, group);
}

static bool any_lacks(const struct groups *groups, enum group_kind kind)
{
    for (size_t i = 0; i < groups->count; i++)
        if (lacks_name(groups, &groups->items[i], kind))
            return true;
    return false;
}

static void name_it(struct groups *groups, enum group_kind kind, const char *id, const char *title, const char *space)
{
    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = &groups->items[i];
        if (!lacks_name(groups, group, kind) || strcmp(group->name.id, id) != 0)
            continue;
        utf8_printable(group->title, sizeof group->title, title);
        utf8_printable(group->space, sizeof group->space, space);
        group->named = true;
    }
}

static void find_pods(struct groups *groups, const struct root *root)
{
    AUTO_CLOSEDIR DIR *dir = root_open_dir(root, "var/log/pods", NULL);
    char space[64], name[256], uid[48];

    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (sscanf(entry->d_name, "%63[^_]_%255[^_]_%47[^_]", space, name, uid) == 3)
            name_it(groups, GROUP_POD, uid, name, space);
}

static void find_containers(struct groups *groups, const struct root *root)
{
    AUTO_CLOSEDIR DIR *dir = root_open_dir(root, "var/log/containers", NULL);
    char rest[256];

    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char *dash = strrchr(entry->d_name, '-'), *dot = dash ? strchr(dash, '.') : NULL;
        if (!dot || sscanf(entry->d_name, "%*[^_]_%*[^_]_%255s", rest) != 1 || strlen(rest) < strlen(dash))
            continue;
        rest[strlen(rest) - strlen(dash)] = '\0';
        *dot = '\0';
        name_it(groups, GROUP_CONTAINER, dash + 1, rest, "");
    }
}

static void request_titles(struct groups *groups, int ask_fd)
{
    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = &groups->items[i];
        if (!lacks_name(groups, group, GROUP_CONTAINER) || group->asked)
            continue;
        if (send(ask_fd, group->name.id, strlen(group->name.id), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
            return; /* busy: asked again later */
        group->asked = true;
    }
}

void group_titles_find(struct groups *groups, const struct root *root, int ask_fd)
{
    if (any_lacks(groups, GROUP_POD))
        find_pods(groups, root);
    if (any_lacks(groups, GROUP_CONTAINER))
        find_containers(groups, root);
    if (ask_fd >= 0)
        request_titles(groups, ask_fd);
    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = &groups->items[i];
        const bool asks = (group->name.kind == GROUP_CONTAINER && ask_fd >= 0) || group->name.kind == GROUP_POD;
        if (!asks || !may_be_asked(groups, group) || groups->walked_ns - group->begun_ns > PATIENCE_NS)
            group->named = true;
    }
}

bool title_answer_read(const char *message, size_t length, struct title_answer *answer)
{
    char text[TITLE_MESSAGE_SIZE];

    *answer = (struct title_answer){ .id = "" };
    if (length >= sizeof text)
        return false;
    memcpy(text, message, length);
    text[length] = '\0';
    return sscanf(text, "%79[0-9a-f]\t%15[^\t]\t%255[^\t\n]", answer->id, answer->engine, answer->title) >= 2;
}

int title_answer_write(const struct title_answer *answer, char message[TITLE_MESSAGE_SIZE])
{
    return snprintf(message, TITLE_MESSAGE_SIZE, "%s\t%s\t%s", answer->id, answer->engine, answer->title);
}

bool group_titles_take(struct groups *groups, int ask_fd)
{
    char message[TITLE_MESSAGE_SIZE];
    struct title_answer answer;
    ssize_t length;

    while ((length = recv(ask_fd, message, sizeof message, MSG_DONTWAIT)) > 0) {
        if (!title_answer_read(message, (size_t)length, &answer))
            continue;
        for (size_t i = 0; i < groups->count; i++) {
            struct group *group = &groups->items[i];
            if (!lacks_name(groups, group, GROUP_CONTAINER) || strcmp(group->name.id, answer.id) != 0)
                continue;
            utf8_printable(group->title, sizeof group->title, answer.title);
            if (answer.title[0] && !group->name.engine[0])
                text_copy(group->name.engine, sizeof group->name.engine, answer.engine);
            group->named = true;
        }
    }
    return length < 0 && (errno == EAGAIN || errno == EINTR);
}
