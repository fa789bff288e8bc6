/* SPDX-License-Identifier: MIT
 * A growing list of notices. */
#include "base/notice.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/c_locale.h"
#include "base/text.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A list that is longer has an index. */
enum { LONG_LIST = 32 };

/* Where the index says where it is, or would: 1 + its place, 0 for none. */
static uint32_t *index_slot(const struct notices *notices, const char *what)
{
    size_t slot = text_hash(what, strlen(what)) & (notices->index_size - 1);

    while (notices->index[slot] && strcmp(notices->item[notices->index[slot] - 1].what, what) != 0)
        slot = (slot + 1) & (notices->index_size - 1);
    return &notices->index[slot];
}

static bool is_there(const struct notices *notices, const char *what)
{
    if (notices->index)
        return *index_slot(notices, what);
    for (size_t i = 0; i < notices->count; i++)
        if (strcmp(notices->item[i].what, what) == 0)
            return true;
    return false;
}

/* At most half full. Without memory the list does without. */
static void index_last(struct notices *notices)
{
    if (notices->count <= LONG_LIST)
        return;
    if (notices->index && 2 * notices->count <= notices->index_size) {
        *index_slot(notices, notices->item[notices->count - 1].what) = (uint32_t)notices->count;
        return;
    }
    free(notices->index);
    for (notices->index_size = LONG_LIST; notices->index_size < 4 * notices->count;)
        notices->index_size *= 2;
    notices->index = calloc(notices->index_size, sizeof *notices->index);
    for (size_t i = 0; notices->index && i < notices->count; i++)
        *index_slot(notices, notices->item[i].what) = (uint32_t)(i + 1);
}

/* The three texts in one block, which begins with `what`. */
static bool own_texts(struct notice *notice)
{
    const size_t what = strlen(notice->what) + 1, why = strlen(notice->why) + 1, fix = strlen(notice->fix) + 1;
    char *texts = malloc(what + why + fix);

    if (!texts)
        return false;
    notice->what = memcpy(texts, notice->what, what);
    notice->why = memcpy(texts + what, notice->why, why);
    notice->fix = memcpy(texts + what + why, notice->fix, fix);
    return true;
}

void notice_copy(struct notices *notices, const struct notice *notice)
{
    struct notice own = *notice;
    struct notice *larger;

    if (is_there(notices, notice->what))
        return;
    larger = array_next(notices->item, notices->count, sizeof *larger);
    if (larger)
        notices->item = larger;
    if (!larger || !own_texts(&own)) {
        notices->left_out++;
        return;
    }
    own.alike = 0;
    notices->item[notices->count++] = own;
    index_last(notices);
}

void notices_copy(struct notices *notices, const struct notices *more)
{
    for (size_t i = 0; i < more->count; i++)
        notice_copy(notices, &more->item[i]);
}

void notices_set(struct notices *notices, const struct notices *from)
{
    if (notices == from)
        return;
    notices_clear(notices);
    notices_copy(notices, from);
    notices->left_out += from->left_out;
}

void notices_cut(struct notices *notices, size_t count)
{
    if (count < notices->count) {
        free(notices->index);
        notices->index = NULL;
    }
    while (notices->count > count)
        free((void *)(uintptr_t)notices->item[--notices->count].what);
}

void notices_clear(struct notices *notices)
{
    notices_cut(notices, 0);
    free(notices->item);
    *notices = (struct notices){ .count = 0 };
}

struct notice notice_of_error(const struct error *error)
{
    return (struct notice){ error->notice, error->what, error->why, error->fix, 0 };
}

/* NULL: none. */
static struct notice *alike_in(const struct notices *notices, const struct notice *notice)
{
    for (size_t i = 0; i < notices->count; i++)
        if (notices->item[i].kind == notice->kind && strcmp(notices->item[i].fix, notice->fix) == 0)
            return &notices->item[i];
    return NULL;
}

void notice_groups_add(struct notices *groups, const struct notices *of_one_thing)
{
    for (size_t i = 0; i < of_one_thing->count; i++) {
        struct notice *first = alike_in(groups, &of_one_thing->item[i]);
        if (first)
            first->alike++;
        else
            notice_copy(groups, &of_one_thing->item[i]);
    }
}

void notice_groups_tell(struct notices *groups, struct notices *notices)
{
    for (size_t i = 0; i < groups->count; i++) {
        const struct notice *first = &groups->item[i];

        if (first->alike)
            notice_add(notices, first->kind, first->why, first->fix, "%s; %zu more are like that", first->what,
                       first->alike);
        else
            notice_copy(notices, first);
    }
    notices_clear(groups);
}

void notice_add_error(struct notices *notices, enum notice_kind kind, const struct error *error)
{
    struct notice notice = notice_of_error(error);

    notice.kind = kind;
    notice_copy(notices, &notice);
}

enum notice_kind notice_kind_of_refusal(const struct error *refusal)
{
    if (refusal->notice != NOTICE_NONE)
        return refusal->notice;
    switch (refusal->kind) {
    case ERROR_NONE:
    case ERROR_ABSENT: return NOTICE_NONE;
    case ERROR_DENIED: return NOTICE_DENIED;
    case ERROR_BAD_DATA: return NOTICE_ERROR_VALUE;
    case ERROR_USAGE:
    case ERROR_SYSTEM: break;
    }
    return NOTICE_FAILED;
}

void notice_add_refusal(struct notices *notices, const struct error *refusal)
{
    notice_add_error(notices, notice_kind_of_refusal(refusal), refusal);
}

static void make_printable(const char *text)
{
    utf8_printable((char *)(uintptr_t)text, SIZE_MAX, text);
}

void notice_add(struct notices *notices, enum notice_kind kind, const char *why, const char *fix, const char *what, ...)
{
    struct notice notice = { .kind = kind, .why = why, .fix = fix };
    AUTO_FREE char *text = NULL;
    va_list arguments;

    va_start(arguments, what);
    text = c_vasprintf(what, arguments);
    va_end(arguments);
    notice.what = text;
    if (!text || !own_texts(&notice)) {
        notices->left_out++;
        return;
    }
    make_printable(notice.what);
    make_printable(notice.why);
    make_printable(notice.fix);
    notice_copy(notices, &notice);
    free((void *)(uintptr_t)notice.what);
}
