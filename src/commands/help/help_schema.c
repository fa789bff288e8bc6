/* SPDX-License-Identifier: MIT
 * JSON Schemas of the commands' output, and descriptions of its fields. */
#include "commands/help/help.h"

#include "base/text.h"
#include "form/field_schema.h"
#include "form/field_text.h"

#include <stdint.h>
#include <string.h>

static bool fail_unknown(const char *name, struct error *err)
{
    struct text names;

    text_open(&names, SIZE_MAX);
    for (size_t i = 0; commands[i]; i++)
        for (const struct schema *const *schema = commands[i]->schemas; schema && *schema; schema++)
            text_add(&names, "%s%s", names.length ? ", " : "", (*schema)->name);
    error_set(err, ERROR_USAGE, "no document is called '%s'", name);
    if (text_ok(&names))
        error_fix(err, "one of: %s", names.data);
    text_close(&names);
    return false;
}

static const struct schema *schema_named(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        for (const struct schema *const *schema = commands[i]->schemas; schema && *schema; schema++)
            if (strcmp((*schema)->name, name) == 0)
                return *schema;
    return NULL;
}

bool help_schema(const char *name, FILE *out, struct error *err)
{
    const struct schema *schema = schema_named(name);

    return schema ? schema_write(schema, out, err) : fail_unknown(name, err);
}

static bool write_all(struct field_parts *parts, FILE *out, struct error *err)
{
    for (size_t i = 0; commands[i]; i++)
        for (const struct schema *const *schema = commands[i]->schemas; schema && *schema; schema++) {
            schema_text(*schema, parts, out);
            fputc('\n', out);
        }
    fputs("Parts of these\n", out);
    return field_parts_text(parts, out, err);
}

bool help_fields(const char *name, FILE *out, struct error *err)
{
    const struct schema *schema = schema_named(name);
    struct field_parts parts = { .count = 0 };

    if (strcmp(name, "all") == 0)
        return write_all(&parts, out, err);
    if (!schema)
        return fail_unknown(name, err);
    schema_text(schema, &parts, out);
    return field_parts_text(&parts, out, err);
}
