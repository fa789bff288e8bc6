/* SPDX-License-Identifier: MIT
 * Who has named a cgroup: root, or a user to whom a group above was given, and who may call what he makes there as he
 * likes. Pure. Used by groups/group_scan.c. Begin with group_maker_below(). */
#ifndef USAGE_GROUP_MAKER_H
#define USAGE_GROUP_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Of a folder of groups. Zeroed: root's, as above a hierarchy's root. */
struct group_maker {
    bool other;   /* a user has named it: the first on the way from the root to whom a group was given */
    bool gives;   /* a user names what is below */
    bool anyones; /* root's, but others may make groups below as well */
    uid_t user;   /* where other or gives */
};

/* Of a folder below that of above. root: the owner of the hierarchy's root, in addition to root: the user who recorded
 * a tree.
 */
struct group_maker group_maker_below(const struct group_maker *above, const struct stat *folder, uid_t root);

/* The same of "/a/b/c", by the owners of "a", "a/b" and "a/b/c" below a hierarchy's root; for missing folders by those
 * that are. */
struct group_maker group_maker_of_path(int root_fd, const char *path);

#endif
