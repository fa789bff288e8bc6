/* SPDX-License-Identifier: MIT
 * Lines for whoever looks inside. */
#include "base/debug.h"

#include "base/c_locale.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { LINE_SIZE = 1024 };

/* The same for every part of the program, which hands it through no function. */
unsigned debug_wanted;
static debug_taker *take;

const char *const debug_area_names[DEBUG_AREAS + 1] = {
    "settings", "files", "libraries", "sources", "factors", "http", "ledger", "target", "run", NULL,
};

static bool add_area(const char *name, size_t length, unsigned *areas)
{
    if (length == 3 && strncmp(name, "all", 3) == 0) {
        *areas = (1U << DEBUG_AREAS) - 1;
        return true;
    }
    for (size_t i = 0; i < DEBUG_AREAS; i++)
        if (strlen(debug_area_names[i]) == length && strncmp(debug_area_names[i], name, length) == 0) {
            *areas |= 1U << i;
            return true;
        }
    return false;
}

bool debug_areas_of(const char *text, unsigned *areas, struct error *err)
{
    for (*areas = 0;; text++) {
        const size_t length = strcspn(text, ",");
        struct text list;

        if (!add_area(text, length, areas)) {
            text_open(&list, sizeof err->fix);
            for (size_t i = 0; i < DEBUG_AREAS; i++)
                text_add(&list, "%s, ", debug_area_names[i]);
            error_set(err, ERROR_USAGE, "no area is called '%.*s'", (int)(length < 60 ? length : 60), text);
            error_fix(err, "areas are %sall; several are joined by commas", list.data ? list.data : "");
            text_close(&list);
            return false;
        }
        text += length;
        if (!*text)
            return true;
    }
}

void debug_begin(unsigned areas, debug_taker *taker)
{
    take = taker;
    debug_wanted = taker ? areas : 0;
}

void debug_tell(enum debug_area area, const char *format, ...)
{
    const int number = errno;
    char line[LINE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    if (c_vsnprintf(line, sizeof line, format, arguments) >= LINE_SIZE)
        memcpy(line + LINE_SIZE - 4, "...", 4);
    va_end(arguments);
    take(area, line);
    errno = number;
}

void debug_file(const char *path, bool opened)
{
    if (opened)
        DEBUG(DEBUG_FILES, "read '%s'", path);
    else
        DEBUG(DEBUG_FILES, "cannot read '%s': %s", path, c_strerror(errno));
}
