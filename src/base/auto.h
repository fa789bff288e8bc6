/* SPDX-License-Identifier: MIT
 * Locals that release themselves when they go out of scope. Used in most rooms of the program. Begin with auto_free().
 */
#ifndef BASE_AUTO_H
#define BASE_AUTO_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void auto_free(void *pointer)
{
    free(*(void **)pointer);
}

static inline void auto_close(const int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

static inline void auto_closedir(DIR **dir)
{
    if (*dir)
        closedir(*dir);
}

static inline void auto_fclose(FILE **file)
{
    if (*file)
        fclose(*file);
}

#define AUTO_FREE __attribute__((cleanup(auto_free)))
#define AUTO_CLOSE __attribute__((cleanup(auto_close)))
#define AUTO_CLOSEDIR __attribute__((cleanup(auto_closedir)))
#define AUTO_FCLOSE __attribute__((cleanup(auto_fclose)))

#endif
