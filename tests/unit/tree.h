/* SPDX-License-Identifier: MIT
 * A recorded machine made on the spot, in a folder of its own. */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include "base/sysroot.h"

#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
    char path[64];
    struct root root;
};

static inline void tree_open(struct tree *tree)
{
    struct error err;

    strcpy(tree->path, "/tmp/carbon-unit.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(tree->path));
    ck_assert_int_eq(chmod(tree->path, 0755), 0);
    ck_assert_msg(root_open(&tree->root, tree->path, &err), "%s", err.what);
}

/* Writes a file, and the folders on the way to it. */
static inline void tree_put(const struct tree *tree, const char *name, const char *text)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", tree->path, name);
    for (char *slash = path + strlen(tree->path) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    file = fopen(path, "w");
    ck_assert_msg(file != NULL, "%s", path);
    fprintf(file, "%s\n", text);
    ck_assert_int_eq(fclose(file), 0);
}

struct tree_file {
    const char *name, *text;
};

/* Some files of one folder. */
static inline void tree_put_all(const struct tree *tree, const char *folder, const struct tree_file *files,
                                size_t count)
{
    char name[256];

    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, files[i].name);
        tree_put(tree, name, files[i].text);
    }
}

/* TREE_PUT(&tree, "sys/class/x", { "name", "y" }, { "energy_uj", "7" }). */
#define TREE_PUT(tree, folder, ...)                                                                                    \
    tree_put_all(tree, folder, (const struct tree_file[]){ __VA_ARGS__ },                                              \
                 sizeof(const struct tree_file[]){ __VA_ARGS__ } / sizeof(struct tree_file))

static inline void tree_link(const struct tree *tree, const char *name, const char *target)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", tree->path, name);
    ck_assert_int_eq(symlink(target, path), 0);
}

static inline void tree_mode(const struct tree *tree, const char *name, mode_t mode)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", tree->path, name);
    ck_assert_int_eq(chmod(path, mode), 0);
}

static inline int tree_remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static inline void tree_close(struct tree *tree)
{
    root_close(&tree->root);
    nftw(tree->path, tree_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static inline int tree_give_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return lchown(path, 65534, 65534);
}

/* Modes do not stop root. The test runs in a process of its own; the tree goes with it, so that it can
 * be removed. */
static inline void tree_become_ordinary(const struct tree *tree)
{
    if (geteuid() != 0)
        return;
    ck_assert_int_eq(nftw(tree->path, tree_give_one, 8, FTW_PHYS), 0);
    ck_assert_int_eq(setgid(65534), 0);
    ck_assert_int_eq(setuid(65534), 0);
}

#endif
