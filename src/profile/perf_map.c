/* SPDX-License-Identifier: MIT
 * Reading what any program may have written. */
#include "profile/perf_map.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *read_text(int fd, bool *cut)
{
    size_t size = 65536, length = 0;
    char *text = malloc(size);
    ssize_t got = 1;

    while (text && got != 0 && length < PERF_MAP_BYTES_MAX) {
        if (length + 1 == size) {
            char *larger = realloc(text, size *= 2);
            if (!larger)
                break;
            text = larger;
        }
        got = pread(fd, text + length, size - 1 - length, (off_t)length);
        if (got < 0 && errno != EINTR)
            break;
        length += got > 0 ? (size_t)got : 0;
    }
    if (text)
        text[length] = '\0';
    *cut = got != 0;
    return text;
}

/* A number in hexadecimal, and the blank behind it. */
static bool take_number(char **at, uint64_t *number)
{
    char *end;

    if (**at == '-' || **at == '+' || **at == ' ')
        return false;
    errno = 0;
    *number = strtoull(*at, &end, 16);
    if (errno || end == *at || *end != ' ')
        return false;
    *at = end + 1;
    return true;
}

static bool entry_of(char *line, struct perf_map_entry *entry)
{
    uint64_t size;

    if (!take_number(&line, &entry->start) || !take_number(&line, &size) || !size || !*line ||
        size > UINT64_MAX - entry->start)
        return false;
    entry->end = entry->start + size;
    entry->name = line;
    for (; *line; line++)
        if ((unsigned char)*line < ' ' || *line == 127)
            *line = '?';
    return true;
}

/* A stable order: later entries stay later in the text. */
static int by_start(const void *a, const void *b)
{
    const struct perf_map_entry *one = a, *other = b;

    return one->start != other->start ? ARRAY_ORDER(one->start, other->start) : ARRAY_ORDER(one->name, other->name);
}

static bool take_lines(struct perf_map *map)
{
    size_t size = 0;
    char *rest = map->text, *line;

    while ((line = strsep(&rest, "\n"))) {
        struct perf_map_entry entry;
        if (!entry_of(line, &entry))
            continue;
        map->entries = array_room(map->entries, &size, map->count + 1, sizeof *map->entries);
        if (map->count == size)
            return false;
        map->entries[map->count++] = entry;
    }
    if (map->count)
        qsort(map->entries, map->count, sizeof *map->entries, by_start);
    return true;
}

bool perf_map_read(struct perf_map *map, int fd)
{
    *map = (struct perf_map){ .count = 0 };
    map->text = read_text(fd, &map->cut);
    if (map->text && take_lines(map))
        return true;
    perf_map_close(map);
    return false;
}

void perf_map_close(struct perf_map *map)
{
    free(map->entries);
    free(map->text);
    *map = (struct perf_map){ .count = 0 };
}

const char *perf_map_name(const struct perf_map *map, uint64_t address)
{
    /* the last that begins at or before it, or one of a few before, where that ended already */
    enum { LOOK_BACK = 16 };
    const size_t count = map->count ? array_up_to(&map->entries->start, map->count, sizeof *map->entries, address) : 0;

    for (size_t i = count; i > 0 && count - i < LOOK_BACK; i--)
        if (address < map->entries[i - 1].end)
            return map->entries[i - 1].name;
    return NULL;
}
