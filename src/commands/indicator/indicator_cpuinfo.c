/* SPDX-License-Identifier: MIT
 * Files of a machine, this one or a recorded one, and lines of its /proc/cpuinfo. */
#include "commands/indicator/indicator_hwinfo.h"

#include "base/auto.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 16384 };

FILE *hwinfo_open(const char *root, const char *path)
{
    struct text full;
    FILE *file;

    text_open(&full, 4096);
    text_add(&full, "%s/%s", strcmp(root, "/") == 0 ? "" : root, path);
    file = text_ok(&full) ? fopen(full.data, "re") : NULL;
    text_close(&full);
    return file;
}

void hwinfo_value(const char *root, const char *key, char *value, size_t size)
{
    AUTO_FCLOSE FILE *file = hwinfo_open(root, "proc/cpuinfo");
    AUTO_FREE char *line = malloc(LINE_SIZE);
    const size_t length = strlen(key);

    *value = '\0';
    while (file && line && fgets(line, LINE_SIZE, file)) {
        const char *rest = line + length;

        if (strncmp(line, key, length) != 0 || rest[strspn(rest, " \t")] != ':')
            continue;
        rest += strspn(rest, " \t:");
        text_copy(value, size, rest);
        value[strcspn(value, "\n")] = '\0';
        return;
    }
}
