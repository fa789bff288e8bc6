/* SPDX-License-Identifier: MIT
 * The names of loads, and the work of one as a line. */
#include "commands/probe/load_done.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const names[LOAD_KINDS] = {
    [LOAD_IDLE] = "idle",           [LOAD_CPU] = "cpu",     [LOAD_MEMORY] = "memory", [LOAD_DISK_WRITE] = "disk-write",
    [LOAD_DISK_READ] = "disk-read", [LOAD_MIXED] = "mixed",
};

const char *load_kind_name(enum load_kind kind)
{
    return kind < LOAD_KINDS ? names[kind] : "unknown";
}

enum load_kind load_kind_of(const char *name)
{
    enum load_kind kind = 0;

    while (kind < LOAD_KINDS && strcmp(names[kind], name) != 0)
        kind++;
    return kind;
}

void load_done_text(enum load_kind kind, const struct load_done *done, char line[LOAD_LINE_SIZE])
{
    char seconds[TEXT_NUMBER_SIZE];

    snprintf(line, LOAD_LINE_SIZE,
             "load=%s seconds=%s threads=%u iterations=%" PRIu64 " memory_bytes=%" PRIu64 " streamed_bytes=%" PRIu64
             " written_bytes=%" PRIu64 " read_bytes=%" PRIu64 " disk_reached=%d note=%s",
             load_kind_name(kind), text_number(done->seconds, seconds), done->threads, done->iterations,
             done->memory_bytes, done->streamed_bytes, done->written_bytes, done->read_bytes, done->disk_reached,
             done->note);
}

bool load_done_of_text(const char *line, enum load_kind *kind, struct load_done *done)
{
    char name[16], seconds[TEXT_NUMBER_SIZE];
    int reached, note_at = -1;

    *done = (struct load_done){ .threads = 0 };
    if (sscanf(line,
               "load=%15s seconds=%31s threads=%u iterations=%" SCNu64 " memory_bytes=%" SCNu64
               " streamed_bytes=%" SCNu64 " written_bytes=%" SCNu64 " read_bytes=%" SCNu64 " disk_reached=%d note=%n",
               name, seconds, &done->threads, &done->iterations, &done->memory_bytes, &done->streamed_bytes,
               &done->written_bytes, &done->read_bytes, &reached, &note_at) != 9 ||
        note_at < 0 || !text_to_number(seconds, &done->seconds))
        return false;
    *kind = load_kind_of(name);
    done->disk_reached = reached != 0;
    text_copy(done->note, sizeof done->note, line + note_at);
    done->note[strcspn(done->note, "\n")] = '\0';
    return *kind != LOAD_KINDS;
}

/* Nothing in a text may look like the end of it. */
void load_failed_text(enum load_kind kind, const struct error *error, char line[LOAD_LINE_SIZE])
{
    const char *const texts[] = { error->what, error->why, error->fix };
    size_t length = (size_t)snprintf(line, LOAD_LINE_SIZE, "failed=%s", load_kind_name(kind));

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        line[length++] = '\t';
        for (const char *c = texts[i]; *c && length < LOAD_LINE_SIZE - 4; c++)
            line[length++] = (unsigned char)*c < ' ' ? '?' : *c;
    }
    line[length] = '\0';
}

bool load_failed_of_text(const char *line, enum load_kind *kind, struct error *error)
{
    char *const fields[] = { error->what, error->why, error->fix };
    const size_t sizes[] = { sizeof error->what, sizeof error->why, sizeof error->fix };
    char name[16];
    int at = -1;

    *error = (struct error){ .kind = ERROR_SYSTEM };
    if (sscanf(line, "failed=%15[^\t]%n", name, &at) != 1 || at < 0)
        return false;
    line += at;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (*line++ != '\t')
            return false;
        snprintf(fields[i], sizes[i], "%.*s", (int)strcspn(line, "\t\n"), line);
        line += strcspn(line, "\t\n");
    }
    *kind = load_kind_of(name);
    return *kind != LOAD_KINDS;
}
