/* SPDX-License-Identifier: MIT
 * JSON Schemas of what the commands write. */
#include "commands/help/help.h"

#include "base/text.h"
#include "form/field_schema.h"

#include <stdint.h>
#include <string.h>

static bool fail_unknown(const char *name, struct error *err)
{
    struct text names;

    text_open(&names, SIZE_MAX);
    for (size_t i = 0; commands[i]; i++)
        for (const struct schema *const *schema = commands[i]->schemas; schema && *schema; schema++)
            text_add(&names, "%s%s", names.length ? ", " : "", (*schema)->name);
    error_set(err, ERROR_USAGE, "no schema is called '%s'", name);
    if (text_ok(&names))
        error_fix(err, "one of: %s", names.data);
    text_close(&names);
    return false;
}

bool help_schema(const char *name, FILE *out, struct error *err)
{
    for (size_t i = 0; commands[i]; i++)
        for (const struct schema *const *schema = commands[i]->schemas; schema && *schema; schema++)
            if (strcmp((*schema)->name, name) == 0)
                return schema_write(*schema, out, err);
    return fail_unknown(name, err);
}
