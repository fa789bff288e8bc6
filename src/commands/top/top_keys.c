/* SPDX-License-Identifier: MIT
 * Keys of `carbon top`: a small letter chooses who, a large one the order. Pure. */
#include "commands/top/top.h"

#include "base/text.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

static const char kinds[GROUP_KINDS + 1] = "codjup";
static const char sorts[TOP_SORTS + 1] = "WJCGN";

enum { ESCAPE = 0x1b, BACKSPACE = 0x08, DELETE = 0x7f };

static void move_to(struct top_keys *keys, size_t row_count, ptrdiff_t by)
{
    const ptrdiff_t last = row_count > keys->page ? (ptrdiff_t)(row_count - keys->page) : 0;
    ptrdiff_t first = (ptrdiff_t)keys->first + by;

    first = first > last ? last : first;
    keys->first = first < 0 ? 0 : (size_t)first;
}

/* A sequence behind ESC, of which the length is returned; 0: the key Esc alone. */
static size_t take_sequence(struct top_keys *keys, const char *bytes, size_t length, size_t row_count)
{
    const ptrdiff_t page = (ptrdiff_t)keys->page, all = (ptrdiff_t)row_count;
    size_t end = 1;

    if (length < 2 || (bytes[0] != '[' && bytes[0] != 'O'))
        return 0;
    while (end < length && (bytes[end] < '@' || bytes[end] > '~'))
        end++;
    if (end == length)
        return length;
    switch (bytes[end]) {
    case 'A': move_to(keys, row_count, -1); break;
    case 'B': move_to(keys, row_count, 1); break;
    case 'H': move_to(keys, row_count, -all); break;
    case 'F': move_to(keys, row_count, all); break;
    case '~': /* by number, two of them for Home and End: some terminals, and tmux */
        switch (bytes[1]) {
        case '1':
        case '7': move_to(keys, row_count, -all); break;
        case '4':
        case '8': move_to(keys, row_count, all); break;
        case '5': move_to(keys, row_count, -page); break;
        case '6': move_to(keys, row_count, page); break;
        default: break;
        }
        break;
    default: break;
    }
    return end + 1;
}

static void set_filter(struct top_keys *keys, const char *text)
{
    text_copy(keys->choice->filter, sizeof keys->choice->filter, text);
    keys->first = 0;
}

/* A character at a time, so that one of several bytes goes as a whole. */
static void take_back(char *typed)
{
    size_t length = strlen(typed);

    while (length && ((unsigned char)typed[--length] & 0xc0) == 0x80)
        continue;
    typed[length] = '\0';
}

/* What is typed filters at once. */
static void take_typed(struct top_keys *keys, char c)
{
    const size_t length = strlen(keys->typed);

    if (c == '\r' || c == '\n') {
        keys->typing = false;
        return;
    }
    if (c == BACKSPACE || c == DELETE)
        take_back(keys->typed);
    else if ((unsigned char)c >= ' ' && length + 1 < sizeof keys->typed) {
        keys->typed[length] = c;
        keys->typed[length + 1] = '\0';
    }
    set_filter(keys, keys->typed);
}

static void take_key(struct top_keys *keys, char c)
{
    const char *kind = c ? strchr(kinds, c) : NULL, *sort = c ? strchr(sorts, c) : NULL;

    if (kind) {
        keys->choice->by = (enum group_kind)(kind - kinds);
        keys->first = 0;
    } else if (sort) {
        keys->choice->sort = (enum top_sort)(sort - sorts);
        keys->first = 0;
    } else if (c == 'r') {
        keys->choice->reversed = !keys->choice->reversed;
    } else if (c == '/') {
        keys->typing = true;
        text_copy(keys->typed, sizeof keys->typed, keys->choice->filter);
    } else if (c == 'q') {
        keys->quit = true;
    }
}

void top_keys_take(struct top_keys *keys, const char *bytes, size_t length, size_t row_count)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == ESCAPE) {
            const size_t taken = take_sequence(keys, bytes + i + 1, length - i - 1, row_count);
            i += taken;
            if (!taken) {
                keys->typing = false;
                set_filter(keys, "");
            }
        } else if (keys->typing) {
            take_typed(keys, bytes[i]);
        } else {
            take_key(keys, bytes[i]);
        }
    }
}

const char *top_keys_line(const struct top_keys *keys, char *out, size_t size)
{
    char shown[2 * sizeof keys->typed];

    utf8_printable(shown, sizeof shown, keys->typed);
    if (keys->typing)
        snprintf(out, size, "filter: %s_   (Enter: done, Esc: all)", shown);
    else
        snprintf(out, size, "%s",
                 "q quit  / filter  p process  u user  c cgroup  o container  d pod  j job  W power  J energy  C CPU  "
                 "G carbon  N name  r reverse");
    return out;
}
