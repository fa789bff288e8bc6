/* SPDX-License-Identifier: MIT
 * Reading XML by libexpat, which is opened when it is first wanted; the only file that knows it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "io/xml_read.h"

#ifdef HAVE_EXPAT_H

#include "base/library.h"
#include "base/text.h"

#include <expat.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32, MAX_JSON = 64 << 20 };

#define EXPAT_FUNCTIONS(FUNCTION)                                                                                      \
    FUNCTION(create, XML_ParserCreate)                                                                                 \
    FUNCTION(free, XML_ParserFree)                                                                                     \
    FUNCTION(set_data, XML_SetUserData)                                                                                \
    FUNCTION(set_elements, XML_SetElementHandler)                                                                      \
    FUNCTION(set_text, XML_SetCharacterDataHandler)                                                                    \
    FUNCTION(set_doctype, XML_SetStartDoctypeDeclHandler)                                                              \
    FUNCTION(parse, XML_Parse)                                                                                         \
    FUNCTION(stop, XML_StopParser)                                                                                     \
    FUNCTION(error, XML_GetErrorCode)                                                                                  \
    FUNCTION(error_text, XML_ErrorString)                                                                              \
    FUNCTION(line, XML_GetCurrentLineNumber)

/* Newer headers call deprecated what older libraries have alone: the number of a line. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
struct xml_read_library {
    EXPAT_FUNCTIONS(LIBRARY_MEMBER)
};
#pragma GCC diagnostic pop

static bool library_of(struct xml_read_library *library, struct error *err)
{
    static const char *const files[] = { "libexpat.so.1", NULL };
    const struct library_function wanted[] = { EXPAT_FUNCTIONS(LIBRARY_WANTED) };

    return library_need(files, wanted, sizeof wanted / sizeof wanted[0], "no XML can be read",
                        "install libexpat1 (Debian)", err);
}

struct xml_read_parsing {
    const struct xml_read_library *library;
    XML_Parser parser;
    struct text json, text; /* text: of the innermost element that is open */
    unsigned depth;
    bool has_children[MAX_DEPTH + 1];
    const char *refused; /* why it is not read on; NULL: it is */
};

static void fail_with_place(struct xml_read_parsing *parsing, const char *why)
{
    parsing->refused = why;
    parsing->library->stop(parsing->parser, XML_FALSE);
}

static void add_string(struct text *json, const char *string)
{
    text_add(json, "\"");
    for (size_t plain; *string; string += plain) {
        plain = 0;
        while (string[plain] && string[plain] != '"' && string[plain] != '\\' && (unsigned char)string[plain] >= 0x20)
            plain++;
        if (plain)
            text_add(json, "%.*s", (int)plain, string);
        else
            text_add(json, "\\u%04x", (unsigned)*string), plain = 1;
    }
    text_add(json, "\"");
}

static void empty(struct text *text)
{
    text->length = 0;
    if (text->data)
        text->data[0] = '\0';
}

static const char *without_prefix(const char *name)
{
    const char *colon = strchr(name, ':');

    return colon ? colon + 1 : name;
}

static void on_start(void *context, const XML_Char *name, const XML_Char **attributes)
{
    struct xml_read_parsing *parsing = context;

    (void)attributes;
    if (parsing->depth == MAX_DEPTH) {
        fail_with_place(parsing, "its elements lie too deep in one another");
        return;
    }
    text_add(&parsing->json, parsing->has_children[parsing->depth] ? "," : "{");
    parsing->has_children[parsing->depth] = true;
    add_string(&parsing->json, without_prefix(name));
    text_add(&parsing->json, ":");
    parsing->has_children[++parsing->depth] = false;
    empty(&parsing->text);
}

static void on_end(void *context, const XML_Char *name)
{
    struct xml_read_parsing *parsing = context;

    (void)name;
    if (parsing->has_children[parsing->depth--])
        text_add(&parsing->json, "}");
    else
        add_string(&parsing->json, parsing->text.data ? parsing->text.data : "");
    empty(&parsing->text);
}

static void on_text(void *context, const XML_Char *data, int length)
{
    struct xml_read_parsing *parsing = context;

    text_add(&parsing->text, "%.*s", length, data);
}

static void on_doctype(void *context, const XML_Char *name, const XML_Char *system, const XML_Char *public,
                       int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    fail_with_place(context, "it has a document type of its own");
}

static bool parse(struct xml_read_parsing *parsing, const char *xml, struct error *err)
{
    const struct xml_read_library *library = parsing->library;
    const size_t length = strlen(xml);

    parsing->parser = library->create("UTF-8");
    if (!parsing->parser)
        return error_set(err, ERROR_SYSTEM, "no memory for an XML document");
    library->set_data(parsing->parser, parsing);
    library->set_elements(parsing->parser, on_start, on_end);
    library->set_text(parsing->parser, on_text);
    library->set_doctype(parsing->parser, on_doctype);
    if (length <= INT_MAX && library->parse(parsing->parser, xml, (int)length, XML_TRUE) == XML_STATUS_OK &&
        !parsing->refused)
        return true;
    error_set(err, ERROR_BAD_DATA, "it is no XML that can be read");
    if (parsing->refused)
        return error_why(err, "%s", parsing->refused);
    return error_why(err, "line %lu: %s", (unsigned long)library->line(parsing->parser),
                     library->error_text(library->error(parsing->parser)));
}

char *xml_to_json(const char *xml, struct error *err)
{
    struct xml_read_library library;
    struct xml_read_parsing parsing = { .library = &library };
    char *json = NULL;

    if (!library_of(&library, err))
        return NULL;
    text_open(&parsing.json, MAX_JSON);
    text_open(&parsing.text, MAX_JSON);
    if (parse(&parsing, xml, err)) {
        text_add(&parsing.json, "}");
        json = text_ok(&parsing.json) && text_ok(&parsing.text) ? strdup(parsing.json.data) : NULL;
        if (!json)
            error_set(err, ERROR_SYSTEM, "no memory for an XML document");
    }
    if (parsing.parser)
        library.free(parsing.parser);
    text_close(&parsing.json);
    text_close(&parsing.text);
    return json;
}

#else

#include <stddef.h>

char *xml_to_json(const char *xml, struct error *err)
{
    (void)xml;
    error_set(err, ERROR_ABSENT, "no XML can be read");
    error_why(err, "this carbon was built without libexpat");
    error_fix(err, "build it where expat.h is (Debian: libexpat1-dev)");
    return NULL;
}

#endif
