/* SPDX-License-Identifier: MIT
 * Work folders of a pipeline's steps: made, emptied, removed. */
#include "app/work_folders.h"

#include "base/auto.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Folders that are open at once while a tree is removed. */
enum { OPEN_FOLDERS = 16 };
#define NAME "carbon-steps."
#define NEW_NAME ".carbon-steps-new."

bool folder_is_empty(const char *path)
{
    AUTO_CLOSEDIR DIR *dir = opendir(path);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return false;
    return dir != NULL;
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

/* Whether this is a folder of carbon that no process holds; taken is then its lock. */
static bool is_left_behind(int above, const char *name, int *taken)
{
    const int fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;

    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        *taken = fd;
        return true;
    }
    if (fd >= 0)
        close(fd);
    return false;
}

/* Removes the folders of a killed carbon. */
static void remove_left_behind(const char *above)
{
    AUTO_CLOSEDIR DIR *dir = opendir(above);
    const struct dirent *entry;
    char path[WORK_PATH_SIZE];
    int lock;

    while (dir && (entry = readdir(dir))) {
        if (strncmp(entry->d_name, NAME, strlen(NAME)) != 0 || !is_left_behind(dirfd(dir), entry->d_name, &lock))
            continue;
        if (snprintf(path, sizeof path, "%s/%s", above, entry->d_name) < (int)sizeof path)
            IGNORED(remove_tree(path), "the next start tries again");
        close(lock);
    }
}

/* If a folder cannot be locked (NFS), no process can mistake it for an abandoned one. */
static void hold(struct work_folders *folders)
{
    folders->lock = open(folders->work, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    folders->held = folders->lock >= 0;
    if (folders->held)
        IGNORED(flock(folders->lock, LOCK_EX), "without a lock no process clears it");
}

/* It has the name by which others find it only when it is held. */
static bool name_held(struct work_folders *folders, const char *above, const char *made)
{
    char named[WORK_PATH_SIZE];

    text_copy(folders->work, sizeof folders->work, made);
    hold(folders);
    snprintf(named, sizeof named, "%.4000s/" NAME "%s", above, made + strlen(above) + 1 + strlen(NEW_NAME));
    return rename(made, named) == 0 && realpath(named, folders->work);
}

bool work_folders_open(struct work_folders *folders, const char *path, struct error *err)
{
    const char *given = getenv("TMPDIR"), *above = given && given[0] == '/' ? given : "/tmp";
    char made[WORK_PATH_SIZE];

    if (path) {
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return error_errno(err, "cannot make the work folder '%s'", path);
        if (!folder_is_empty(path)) { /* what the steps find of their own is removed */
            error_set(err, ERROR_USAGE, "'%.200s' cannot be the work folder", path);
            error_why(err, "it is not empty, or not a readable folder");
            return error_fix(err, "--work-dir with a new folder, or an empty one");
        }
        if (!realpath(path, folders->work))
            return error_errno(err, "cannot use the work folder '%s'", path);
        folders->stored = true;
        return true;
    }
    remove_left_behind(above);
    if (snprintf(made, sizeof made, "%s/" NEW_NAME "XXXXXX", above) >= (int)sizeof made)
        return error_set(err, ERROR_USAGE, "the path in TMPDIR is too long");
    if (!mkdtemp(made) || !name_held(folders, above, made))
        return error_errno(err, "cannot make a work folder '%s'", made);
    return true;
}

bool work_folders_share(struct work_folders *folders, struct error *err)
{
    folders->shared = true;
    if (chmod(folders->work, 0700) == 0)
        return true;
    error_errno(err, "cannot keep others out of the work folder '%.200s'", folders->work);
    return error_fix(err, "--work-dir with a new folder, or an empty one of your own");
}

/* Whatever the umask is. */
static bool make_folder(const struct work_folders *folders, const char *path, struct error *err)
{
    const mode_t mode = folders->shared ? 0777 : 0700;

    if (mkdir(path, mode) != 0 && errno != EEXIST)
        return error_errno(err, "cannot make '%s'", path);
    return chmod(path, mode) == 0 || error_errno(err, "cannot open '%s'", path);
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
    return make_folder(folders, path, err);
}

bool work_folders_renew(const struct work_folders *folders, const char *step, struct error *err)
{
    char path[WORK_PATH_SIZE];

    if (!work_folders_path(folders, step, NULL, false, path, err))
        return false;
    if (!remove_tree(path))
        return error_errno(err, "cannot empty '%s'", path);
    return make_folder(folders, path, err);
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
    if (folders->work[0] && !folders->stored && !remove_tree(folders->work))
        notice_add(notices, NOTICE_FAILED, "files in it are another user's, as a container may make them",
                   "remove it as that user or as root", "the work folder '%.200s' could not be removed", folders->work);
    if (folders->held)
        close(folders->lock);
    folders->held = false;
    folders->work[0] = '\0';
}
