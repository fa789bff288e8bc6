/* SPDX-License-Identifier: MIT
 * What people call a group: names of pods and containers by the kubelet's folders of logs, others by whoever is asked
 * through a socket, without ever waiting for an answer. Used by app/container_names.h and collector.h. Begin with
 * group_titles_find(). */
#ifndef GROUPS_GROUP_TITLES_H
#define GROUPS_GROUP_TITLES_H

#include "base/sysroot.h"
#include "groups/groups.h"

enum { TITLE_MESSAGE_SIZE = 512 };

/* Looks for the names of groups that have none yet. ask_fd: a SOCK_SEQPACKET on which a container's id is a question,
 * and "id TAB engine TAB name" the answer ("" as a name: unknown); -1: no engine responds. After a
 * while without an answer a group goes without a name, for good. */
void group_titles_find(struct groups *groups, const struct root *root, int ask_fd);

/* Takes the answers that have come. False: who was asked has gone. */
bool group_titles_take(struct groups *groups, int ask_fd) MUST_CHECK;

/* For whoever answers: the parts of an answer. */
struct title_answer {
    char id[80], engine[16], title[256];
};
bool title_answer_read(const char *message, size_t length, struct title_answer *answer) MUST_CHECK;
int title_answer_write(const struct title_answer *answer, char message[TITLE_MESSAGE_SIZE]);

#endif
