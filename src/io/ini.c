/* SPDX-License-Identifier: MIT
 * Files of sections and "name = value" (INI, by libinih). */
#include "io/ini.h"

#include "base/auto.h"
#include "base/debug.h"
#include "base/sysroot.h"
#include "base/text.h"

#include <fcntl.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SHOWN = 150 };

bool ini_fail(struct error *err, const char *path, int line, const char *what, const char *value)
{
    return error_set(err, ERROR_USAGE, "'%.*s' line %d: %s '%.60s'", PATH_SHOWN, path, line, what, value);
}

static char *cannot_read(const char *path, struct error *err)
{
    error_errno(err, "cannot read '%s'", path);
    return NULL;
}

static bool is_text(const char *path, const char *bytes, size_t length, struct error *err)
{
    int line = 1;

    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        line += byte == '\n';
        if ((byte >= ' ' && byte != 0x7f) || byte == '\n' || byte == '\t' || byte == '\r')
            continue;
        error_set(err, ERROR_USAGE, "'%.*s' line %d: not text", PATH_SHOWN, path, line);
        return error_why(err, "it holds the byte 0x%02x", byte);
    }
    return true;
}

char *ini_load(const char *path, size_t max_bytes, struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    char *content;
    size_t length;
    bool good;

    debug_file(path, fd >= 0);
    if (fd < 0)
        return cannot_read(path, err);
    content = malloc(max_bytes + 2);
    /* one more, so that a larger file is reported */
    if (!content || !fd_read_up_to(fd, content, max_bytes + 1, &length)) {
        cannot_read(path, err);
        free(content);
        return NULL;
    }
    content[length] = '\0';
    good = length <= max_bytes ? is_text(path, content, length, err)
                               : error_set(err, ERROR_USAGE, "'%s' is larger than %zu bytes", path, max_bytes);
    if (good)
        return content;
    free(content);
    return NULL;
}

/* A file while it is read. */
struct parser {
    const char *path, *rest;
    const struct ini_form *form;
    ini_function *on_entry;
    void *context;
    int line, failed_line; /* 0: none */
    bool indented, remarked;
    char section[INI_NAME_SIZE];

    /* the value above, which may go on */
    bool has_value;
    char name[INI_NAME_SIZE];
    struct text value;
    int value_line;
    bool value_remarked;

    struct error *err;
};

static bool give(struct parser *parser, const char *name, const char *value, int line, bool remarked)
{
    const struct ini_entry entry = {
        .section = parser->section,
        .name = name,
        .value = value,
        .line = line,
        .remarked = remarked,
    };

    if (!parser->on_entry(&entry, parser->context, parser->err))
        parser->failed_line = line;
    return !parser->failed_line;
}

/* The value above goes on no further. */
static bool end_value(struct parser *parser)
{
    bool given = true;

    if (!parser->has_value || parser->failed_line)
        return !parser->failed_line;
    parser->has_value = false;
    if (text_ok(&parser->value)) {
        given = give(parser, parser->name, parser->value.data, parser->value_line, parser->value_remarked);
    } else {
        error_set(parser->err, ERROR_SYSTEM, "no memory for '%.*s'", PATH_SHOWN, parser->path);
        parser->failed_line = parser->line;
    }
    text_close(&parser->value);
    return given && !parser->failed_line;
}

/* One "name = value", or what goes on with the one above. Called by libinih; 0 means failed. */
static int take_pair(void *context, const char *section, const char *name, const char *value)
{
    struct parser *parser = context;

    (void)section; /* the name is in parser->section */
    if (parser->failed_line)
        return 0;
    if (parser->indented && parser->has_value) {
        text_add(&parser->value, "\n%s", value);
        parser->value_remarked |= parser->remarked;
        return 1;
    }
    if (!end_value(parser))
        return 0;
    parser->has_value = true;
    text_copy(parser->name, sizeof parser->name, name);
    text_open(&parser->value, SIZE_MAX);
    text_add(&parser->value, "%s", value);
    parser->value_line = parser->line;
    parser->value_remarked = parser->remarked;
    return 1;
}

/* value: from here to the line's end. A fault of the value above comes first. */
static bool fail_here(struct parser *parser, const char *what, const char *value)
{
    char shown[64];

    if (!end_value(parser))
        return false;
    snprintf(shown, sizeof shown, "%.*s", (int)strcspn(value, "\n"), value);
    parser->failed_line = parser->line;
    return ini_fail(parser->err, parser->path, parser->line, what, shown);
}

/* libinih does not tell that a section begins, nor that it cut its name. */
static bool begin_section(struct parser *parser, const char *name, size_t length)
{
    if (!end_value(parser))
        return false;
    if (length >= sizeof parser->section) {
        fail_here(parser, "the name of this section is too long:", name);
        return error_fix(parser->err, "it has %d bytes at most", INI_NAME_SIZE - 1);
    }
    memcpy(parser->section, name, length);
    parser->section[length] = '\0';
    return give(parser, NULL, NULL, parser->line, false);
}

static bool has_remark(const char *start, const char *end)
{
    for (const char *at = start + 1; at < end; at++)
        if (*at == ';' && (at[-1] == ' ' || at[-1] == '\t'))
            return true;
    return false;
}

/* What the line means beside what libinih makes of it. False: it failed. */
static bool look_at(struct parser *parser, const char *start, const char *end)
{
    const char *bracket = memchr(start, ']', (size_t)(end - start));

    if (start == end || *start == ';' || *start == '#')
        return true;
    if (parser->indented && !parser->has_value)
        return fail_here(parser, "no value above to continue:", start);
    parser->remarked = has_remark(start, end);
    return *start != '[' || parser->indented || !bracket ||
           begin_section(parser, start + 1, (size_t)(bracket - start) - 1);
}

/* As fgets, over the text; counts lines as libinih does, which does not tell them. */
static char *next_line(char *out, int size, void *context)
{
    struct parser *parser = context;
    const char *start = parser->rest, *end = strchrnul(start, '\n'), *indent;

    if (!*start || parser->failed_line)
        return NULL;
    parser->line++;
    parser->rest = *end ? end + 1 : end;
    if (parser->line == 1 && strncmp(start, "\xef\xbb\xbf", 3) == 0)
        start += 3;
    indent = start;
    start += strspn(start, " \t\r");
    start = start < end ? start : end;
    parser->indented = parser->form->goes_on && start > indent;
    if ((size_t)(end - start) + 3 > (size_t)size) {
        fail_here(parser, "is too long for this format:", start);
        if (parser->form->goes_on && parser->failed_line == parser->line)
            error_fix(parser->err, "a line has %d bytes at most; let it go on in the next one, indented", size - 3);
        return NULL;
    }
    if (!look_at(parser, start, end))
        return NULL;
    /* where values do not go on, an indented line would hide an option */
    snprintf(out, (size_t)size, "%s%.*s\n", parser->indented ? " " : "", (int)(end - start), start);
    return out;
}

bool ini_read(const char *path, const char *content, const struct ini_form *form, ini_function *on_entry, void *context,
              struct error *err)
{
    struct parser parser = {
        .path = path,
        .rest = content,
        .form = form,
        .on_entry = on_entry,
        .context = context,
        .err = err,
    };
    const int bad_line = ini_parse_stream(next_line, &parser, take_pair, &parser);
    const bool ended = end_value(&parser);

    if (parser.has_value)
        text_close(&parser.value);
    /* what libinih could not take comes first, unless a fault of ours stood above it */
    if (bad_line <= 0 || (parser.failed_line && parser.failed_line <= bad_line))
        return ended;
    error_set(err, ERROR_USAGE, "'%.*s' line %d: this is neither 'name = value'", PATH_SHOWN, path, bad_line);
    return error_fix(err, "%s", form->fix);
}
