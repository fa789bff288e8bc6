/* SPDX-License-Identifier: MIT
 * The folders in which the steps of a pipeline leave what the next ones take: a work folder with one for each step.
 * Used in 5 commands. Begin with work_folders_open(). */
#ifndef APP_WORK_FOLDERS_H
#define APP_WORK_FOLDERS_H

#include "base/notice.h"

#include <stddef.h>

enum { WORK_PATH_SIZE = 4096 };

/* It is empty; false for anything but a readable folder. */
bool folder_is_empty(const char *path);

struct work_folders {
    char work[WORK_PATH_SIZE]; /* a whole path; "": not made yet */
    bool stored;               /* the user named it */
    bool shared;               /* work_folders_share */
    bool held;                 /* by lock, a descriptor: it is in use */
    int lock;
};

/* path NULL: a new folder below $TMPDIR, which work_folders_close removes with all in it. Folders there that carbon has
 * left when it was killed are removed, too. All is for its user alone. */
bool work_folders_open(struct work_folders *folders, const char *path, struct error *err) MUST_CHECK;

/* Containers use its content, as the user that their images name: the steps' folders are open to all, below one
 * that is its user's alone, so that those get there whom they are mounted for. Before the first step. */
bool work_folders_share(struct work_folders *folders, struct error *err) MUST_CHECK;

/* Creates the step's folder, or empties the one an earlier run left. */
bool work_folders_renew(const struct work_folders *folders, const char *step, struct error *err) MUST_CHECK;

/* WORK/STEP or WORK/STEP/NAME; the latter is made where `make` is set. False: too long, or it cannot be made. */
bool work_folders_path(const struct work_folders *folders, const char *step, const char *name, bool make,
                       char path[WORK_PATH_SIZE], struct error *err) MUST_CHECK;

/* A file without a name there, for data that is read again before the folder goes; -1: errno says why. */
int work_folders_unnamed(const struct work_folders *folders);

/* What could not be removed (files that a container made as another user) is a notice. */
void work_folders_close(struct work_folders *folders, struct notices *notices);

#endif
