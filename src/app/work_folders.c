/* SPDX-License-Identifier: MIT
 * Work folders of a pipeline's steps: made, emptied, removed. */
#include "app/work_folders.h"

#include "base/auto.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Folders that are open at once while a tree is removed. */
enum { OPEN_FOLDERS = 16 };

bool folder_is_empty(const char *path)
{
    AUTO_CLOSEDIR DIR *dir = opendir(path);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return false;
    return dir != NULL;
}

bool work_folders_open(struct work_folders *folders, const char *path, struct error *err)
{
    const char *above = getenv("TMPDIR");
    char made[WORK_PATH_SIZE];

    if (path) {
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return error_errno(err, "cannot make the work folder '%s'", path);
        if (!folder_is_empty(path)) { /* what the steps find of their own is removed */
            error_set(err, ERROR_USAGE, "'%.200s' cannot be the work folder", path);
            error_why(err, "it holds something, or is no folder that can be looked into");
            return error_fix(err, "name a new folder, or an empty one");
        }
        if (!realpath(path, folders->work))
            return error_errno(err, "cannot use the work folder '%s'", path);
        folders->kept = true;
        return true;
    }
    if (snprintf(made, sizeof made, "%s/carbon-steps.XXXXXX", above && above[0] == '/' ? above : "/tmp") >=
        (int)sizeof made)
        return error_set(err, ERROR_USAGE, "the path in TMPDIR is too long");
    if (!mkdtemp(made) || !realpath(made, folders->work))
        return error_errno(err, "cannot make a work folder '%s'", made);
    /* a container may work as another user */
    if (chmod(folders->work, 0755) != 0)
        return error_errno(err, "cannot open the work folder '%s'", folders->work);
    return true;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)place;
    return kind == FTW_DP || kind == FTW_D ? rmdir(path) : unlink(path);
}

/* With all in it; no link is followed, and no other file system entered. */
static bool remove_tree(const char *path)
{
    return nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) == 0 || errno == ENOENT;
}

bool work_folders_path(const struct work_folders *folders, const char *step, const char *name, bool make,
                       char path[WORK_PATH_SIZE], struct error *err)
{
    const int length =
        snprintf(path, WORK_PATH_SIZE, "%s/%s%s%s", folders->work, step, name ? "/" : "", name ? name : "");

    if (length >= WORK_PATH_SIZE)
        return error_set(err, ERROR_USAGE, "the path of the work folder is too long");
    if (!make || !name)
        return true;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return error_errno(err, "cannot make '%s'", path);
    return chmod(path, 0777) == 0 || error_errno(err, "cannot open '%s'", path);
}

bool work_folders_renew(const struct work_folders *folders, const char *step, struct error *err)
{
    char path[WORK_PATH_SIZE];

    if (!work_folders_path(folders, step, NULL, false, path, err))
        return false;
    if (!remove_tree(path))
        return error_errno(err, "cannot empty '%s'", path);
    if (mkdir(path, 0777) != 0)
        return error_errno(err, "cannot make '%s'", path);
    return chmod(path, 0777) == 0 || error_errno(err, "cannot open '%s'", path);
}

int work_folders_unnamed(const struct work_folders *folders)
{
    const int fd = open(folders->work, O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
    char path[WORK_PATH_SIZE];
    int named;

    /* not every file system has them */
    if (fd >= 0 || snprintf(path, sizeof path, "%s/.log.XXXXXX", folders->work) >= (int)sizeof path)
        return fd;
    named = mkostemp(path, O_APPEND | O_CLOEXEC);
    if (named >= 0)
        unlink(path);
    return named;
}

void work_folders_close(struct work_folders *folders, struct notices *notices)
{
    if (folders->work[0] && !folders->kept && !remove_tree(folders->work))
        notice_add(notices, NOTICE_FAILED, "files in it are another user's, as a container may make them",
                   "remove it as that user or as root", "the work folder '%.200s' could not be removed", folders->work);
    folders->work[0] = '\0';
}
