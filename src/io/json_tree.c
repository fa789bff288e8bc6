/* SPDX-License-Identifier: MIT
 * JSON documents (cJSON). Its own numbers are doubles and end at 2^53: ours go in as text. */
#include "io/json_tree.h"

#include "base/auto.h"
#include "base/text.h"
#include "base/utf8.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void tree_open(struct tree *tree)
{
    tree->json = cJSON_CreateObject();
    tree->failed = !tree->json;
}

struct tree_node tree_root(struct tree *tree)
{
    return (struct tree_node){ tree->json, &tree->failed };
}

static struct tree_node add(struct tree_node parent, const char *key, cJSON *item)
{
    if (item && (key ? cJSON_AddItemToObjectCS(parent.json, key, item) : cJSON_AddItemToArray(parent.json, item)))
        return (struct tree_node){ item, parent.failed };
    cJSON_Delete(item);
    *parent.failed = true;
    return (struct tree_node){ NULL, parent.failed };
}

struct tree_node tree_object(struct tree_node parent, const char *key)
{
    return add(parent, key, cJSON_CreateObject());
}

struct tree_node tree_array(struct tree_node parent, const char *key)
{
    return add(parent, key, cJSON_CreateArray());
}

void tree_null(struct tree_node parent, const char *key)
{
    add(parent, key, cJSON_CreateNull());
}

void tree_bool(struct tree_node parent, const char *key, bool value)
{
    add(parent, key, cJSON_CreateBool(value));
}

void tree_number(struct tree_node parent, const char *key, double value)
{
    char number[TEXT_NUMBER_SIZE];

    add(parent, key, cJSON_CreateRaw(text_number(value, number)));
}

void tree_integer(struct tree_node parent, const char *key, uint64_t value)
{
    char number[TEXT_NUMBER_SIZE];

    snprintf(number, sizeof number, "%" PRIu64, value);
    add(parent, key, cJSON_CreateRaw(number));
}

/* How many bytes of it are characters of UTF-8, from its beginning. */
static size_t valid_length(const char *text)
{
    size_t valid = 0;

    for (size_t length; text[valid] && (length = utf8_length(text + valid)) > 0;)
        valid += length;
    return valid;
}

/* Each byte that is no character becomes U+FFFD. */
static cJSON *mended_text(const char *value)
{
    static const char replacement[] = "\xef\xbf\xbd";
    struct text text;
    cJSON *item;

    text_open(&text, SIZE_MAX);
    while (*value) {
        const size_t valid = valid_length(value);
        text_add_bytes(&text, value, valid);
        value += valid;
        if (!*value)
            break;
        text_add_bytes(&text, replacement, sizeof replacement - 1);
        value++;
    }
    item = text_ok(&text) ? cJSON_CreateString(text.data) : NULL;
    text_close(&text);
    return item;
}

void tree_text(struct tree_node parent, const char *key, const char *value)
{
    add(parent, key, value[valid_length(value)] ? mended_text(value) : cJSON_CreateString(value));
}

void tree_text_or_null(struct tree_node parent, const char *key, const char *value)
{
    if (value && *value)
        tree_text(parent, key, value);
    else
        tree_null(parent, key);
}

void tree_int_or_null(struct tree_node parent, const char *key, int value)
{
    if (value < 0)
        tree_null(parent, key);
    else
        tree_integer(parent, key, (uint64_t)value);
}

void tree_nonzero_or_null(struct tree_node parent, const char *key, uint64_t value)
{
    if (value)
        tree_integer(parent, key, value);
    else
        tree_null(parent, key);
}

void tree_json(struct tree_node parent, const char *key, const char *json)
{
    add(parent, key, cJSON_CreateRaw(json));
}

void tree_close(struct tree *tree)
{
    cJSON_Delete(tree->json);
    tree->json = NULL;
}

/* Closes the tree, and ends the line. printed: by cJSON, or NULL. */
static char *take_text(struct tree *tree, char *printed, const char *what, struct error *err)
{
    const size_t length = printed ? strlen(printed) : 0;
    char *text = printed ? realloc(printed, length + 2) : NULL;

    tree_close(tree);
    if (text)
        memcpy(text + length, "\n", 2);
    else {
        free(printed);
        error_set(err, ERROR_SYSTEM, "no memory for %s", what);
    }
    return text;
}

char *tree_string(struct tree *tree, const char *what, struct error *err)
{
    return take_text(tree, tree->failed ? NULL : cJSON_Print(tree->json), what, err);
}

char *tree_string_line(struct tree *tree, const char *what, struct error *err)
{
    return take_text(tree, tree->failed ? NULL : cJSON_PrintUnformatted(tree->json), what, err);
}

static bool write_text(char *text, FILE *out, const char *what, struct error *err)
{
    AUTO_FREE char *owned = text;

    if (!owned)
        return false;
    fputs(owned, out);
    return !ferror(out) || error_errno(err, "cannot write %s", what);
}

bool tree_write(struct tree *tree, FILE *out, const char *what, struct error *err)
{
    return write_text(tree_string(tree, what, err), out, what, err);
}

bool tree_write_line(struct tree *tree, FILE *out, const char *what, struct error *err)
{
    return write_text(tree_string_line(tree, what, err), out, what, err);
}
