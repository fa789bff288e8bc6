/* SPDX-License-Identifier: MIT
 * A folder, rights and a small disk for tests that write files. */
#ifndef TESTS_OUTPUT_FOLDER_H
#define TESTS_OUTPUT_FOLDER_H

#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each test is a process of its own and works in an empty folder, which everybody may use. */
static inline void enter_folder(void)
{
    char folder[] = "/tmp/carbon-output.XXXXXX";

    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chmod(folder, 0777), 0);
    ck_assert_int_eq(chdir(folder), 0);
    umask(022);
}

static inline void leave_folder(void)
{
    char folder[64], command[128];

    ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));
    ck_assert_int_eq(strncmp(folder, "/tmp/carbon-output.", 19), 0);
    snprintf(command, sizeof command, "chmod -R u+rwx . && rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static inline const char *content(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    size_t length;

    if (!file)
        return NULL;
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static inline void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static inline size_t files_here(void)
{
    DIR *dir = opendir(".");
    size_t count = 0;

    for (const struct dirent *entry; (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static inline mode_t mode_of(const char *path)
{
    struct stat status;

    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_mode & 07777;
}

/* Ordinary rights for a while, also where the tests run as root. */
static inline void become_nobody(void)
{
    if (getuid() == 0)
        ck_assert_int_eq(seteuid(65534), 0);
}

static inline void be_oneself(void)
{
    ck_assert_int_eq(seteuid(getuid()), 0);
}

/* A disk of this test's own, where the system lets it have one: as root, or as root of a namespace. */
static inline bool mount_small_disk(void)
{
    char users[32], groups[32];

    snprintf(users, sizeof users, "0 %d 1", (int)getuid());
    snprintf(groups, sizeof groups, "0 %d 1", (int)getgid());
    if (getuid() != 0) {
        if (unshare(CLONE_NEWUSER) != 0)
            return false;
        put("/proc/self/uid_map", users);
        put("/proc/self/setgroups", "deny");
        put("/proc/self/gid_map", groups);
    }
    return unshare(CLONE_NEWNS) == 0 && mkdir("disk", 0777) == 0 &&
           mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", "disk", "tmpfs", 0, "size=16k") == 0;
}

#endif
