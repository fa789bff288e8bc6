/* SPDX-License-Identifier: MIT
 * A folder with files of pipelines, and how reading one ends. */
#ifndef TESTS_PIPELINE_FIXTURE_H
#define TESTS_PIPELINE_FIXTURE_H

#include "unit.h"

#include "commands/pipeline/pipeline.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static char pipeline_folder[] = "/tmp/carbon-pipeline.XXXXXX";
static char pipeline_path[600];

/* Before and after all tests. */
static inline bool folder_make(void)
{
    return mkdtemp(pipeline_folder) != NULL;
}

static inline bool folder_drop(void)
{
    char command[80];

    snprintf(command, sizeof command, "rm -rf '%s'", pipeline_folder);
    return system(command) == 0;
}

static inline const char *folder_file(const char *name)
{
    snprintf(pipeline_path, sizeof pipeline_path, "%s/%s", pipeline_folder, name);
    return pipeline_path;
}

static inline const char *put_file(const char *name, const char *content)
{
    FILE *file = fopen(folder_file(name), "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(content, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    return pipeline_path;
}

/* Settings are "NAME=VALUE", NULL behind the last. */
static inline bool read_with(struct pipeline *pipeline, const char *path, struct error *err, va_list settings)
{
    const char *given[64];
    size_t count = 0;

    while ((given[count] = va_arg(settings, const char *)))
        count++;
    *err = (struct error){ .kind = ERROR_NONE };
    return pipeline_read(pipeline, path, given, count, err);
}

static inline void read_path(struct pipeline *pipeline, const char *path, ...)
{
    struct error err;
    va_list settings;

    va_start(settings, path);
    ck_assert_msg(read_with(pipeline, path, &err, settings), "%s: %s: %s", err.what, err.why, err.fix);
    va_end(settings);
}

static inline void read_text(struct pipeline *pipeline, const char *content)
{
    read_path(pipeline, put_file("p.yaml", content), NULL);
}

static inline void check_message(const struct error *err, const char *expected)
{
    char all[900], *folder;

    snprintf(all, sizeof all, "%s; %s; %s", err->what, err->why, err->fix);
    while ((folder = strstr(all, pipeline_folder)))
        memmove(folder, folder + strlen(pipeline_folder) + 1, strlen(folder + strlen(pipeline_folder)));
    ck_assert_msg(strstr(all, expected), "'%s', not '%s'", all, expected);
}

/* expected: a part of "WHAT; WHY; FIX", files without their folder. */
static inline void refuse_path(const char *path, const char *expected, ...)
{
    struct pipeline pipeline;
    struct error err;
    va_list settings;

    va_start(settings, expected);
    ck_assert_msg(!read_with(&pipeline, path, &err, settings), "was read, not '%s'", expected);
    va_end(settings);
    check_message(&err, expected);
    ck_assert_int_ne(err.kind, ERROR_NONE);
    pipeline_close(&pipeline);
}

static inline void refuse_text(const char *content, const char *expected)
{
    refuse_path(put_file("p.yaml", content), expected, NULL);
}

/* The order, as "a b c". */
static inline void check_order(const struct pipeline *pipeline, const char *expected)
{
    char order[2048] = "";

    for (size_t i = 0; i < pipeline->count; i++) {
        strcat(order, i ? " " : "");
        strcat(order, pipeline->steps[pipeline->order[i]].name);
    }
    ck_assert_str_eq(order, expected);
}

/* "a|b|c". */
static inline void check_texts(char *const *texts, const char *expected)
{
    char all[2048] = "";

    for (size_t i = 0; texts && texts[i]; i++) {
        strcat(all, i ? "|" : "");
        strcat(all, texts[i]);
    }
    ck_assert_str_eq(all, expected);
}

#endif
