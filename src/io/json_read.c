/* SPDX-License-Identifier: MIT
 * Reading JSON documents (cJSON). */
#include "io/json_read.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/debug.h"
#include "base/sysroot.h"
#include "base/utf8.h"
#include "io/identity.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static char *fail_with_file(struct error *err, const char *path, const char *why)
{
    error_set(err, ERROR_BAD_DATA, "cannot read '%s'", path);
    error_why(err, "%s", why);
    return NULL;
}

/* The whole file with a NUL behind it. */
static char *read_bytes(const char *path, size_t *length, struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    char *bytes;

    debug_file(path, fd >= 0);
    if (fd < 0 || fstat(fd, &status) != 0) {
        error_errno(err, "cannot read '%s'", path);
        return NULL;
    }
    if (!S_ISREG(status.st_mode))
        return fail_with_file(err, path, S_ISDIR(status.st_mode) ? "it is a folder" : "not a regular file");
    if (status.st_size > JSON_READ_MAX)
        return fail_with_file(err, path, "it is larger than 64 MiB; no result of carbon is");
    bytes = malloc((size_t)status.st_size + 1);
    if (bytes)
        IGNORED(fd_read_up_to(fd, bytes, (size_t)status.st_size, length), "a short file fails when it is parsed");
    if (!bytes || (*length == 0 && status.st_size > 0)) {
        error_errno(err, "cannot read '%s'", path);
        free(bytes);
        return NULL;
    }
    bytes[*length] = '\0';
    return bytes;
}

/* Nothing follows but the beginning of a text or a word. Of a text cJSON points behind its quote. */
static bool ends_here(const char *text, const char *at)
{
    static const char *const words[] = { "true", "false", "null" };
    const char *c = at > text && at[-1] == '"' ? at - 1 : at + strspn(at, " \t\r\n");

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(words[i], c, strlen(c)) == 0)
            return true;
    if (*c != '"')
        return false;
    for (c++; *c && *c != '"'; c++)
        c += *c == '\\' && c[1];
    return !*c;
}

static bool fix_json(struct error *err)
{
    return error_fix(err, "use a file written by 'carbon measure --json result.json -- sleep 1'");
}

/* Where in the text it ceases to be JSON. */
static bool no_json(struct error *err, const char *path, const char *text, const char *at)
{
    size_t line = 1, column = 1;

    error_set(err, ERROR_BAD_DATA, "'%s' is not valid JSON", path);
    if (!text[strspn(text, " \t\r\n")]) {
        error_why(err, "it is empty");
        return fix_json(err);
    }
    if (ends_here(text, at)) {
        error_why(err, "the file is truncated");
        return fix_json(err);
    }
    for (const char *c = text; c < at; c++, column++)
        if (*c == '\n') {
            line++;
            column = 0;
        }
    error_why(err, "line %zu, column %zu is malformed", line, column);
    return fix_json(err);
}

char *json_read_text(const char *path, struct error *err)
{
    size_t length;
    char *text = read_bytes(path, &length, err);

    if (!text || strlen(text) == length)
        return text;
    free(text);
    return fail_with_file(err, path, "it has a NUL byte: not text");
}

struct cJSON *json_parse(const char *text, const char *path, struct error *err)
{
    AUTO_C_LOCALE;
    const char *at = NULL;
    cJSON *document = cJSON_ParseWithOpts(text, &at, 1);

    if (!document)
        no_json(err, path, text, at ? at : text);
    return document;
}

struct cJSON *json_parse_next(const char **text, const char *path, struct error *err)
{
    AUTO_C_LOCALE;
    const char *at = NULL;
    cJSON *document = cJSON_ParseWithOpts(*text, &at, 0);

    if (document)
        *text = at + strspn(at, " \t\r\n");
    else
        no_json(err, path, *text, at ? at : *text);
    return document;
}

struct cJSON *json_read(const char *path, struct error *err)
{
    AUTO_FREE char *text = json_read_text(path, err);

    return text ? json_parse(text, path, err) : NULL;
}

void json_close(struct cJSON *document)
{
    cJSON_Delete(document);
}

const struct cJSON *json_member(const struct cJSON *object, const char *key)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const struct cJSON *json_first(const struct cJSON *array)
{
    return cJSON_IsArray(array) ? array->child : NULL;
}

const struct cJSON *json_next(const struct cJSON *item)
{
    return item->next;
}

const struct cJSON *json_items(const struct cJSON *node)
{
    return cJSON_IsArray(node) || cJSON_IsObject(node) ? node->child : NULL;
}

const char *json_key(const struct cJSON *item)
{
    return item->string ? item->string : "";
}

enum json_kind json_kind(const struct cJSON *item)
{
    return cJSON_IsBool(item)     ? JSON_BOOL
           : cJSON_IsNumber(item) ? JSON_NUMBER
           : cJSON_IsString(item) ? JSON_TEXT
           : cJSON_IsArray(item)  ? JSON_ARRAY
           : cJSON_IsObject(item) ? JSON_OBJECT
                                  : JSON_NULL;
}

bool json_truth(const struct cJSON *item)
{
    return cJSON_IsTrue(item);
}

size_t json_count(const struct cJSON *array)
{
    size_t count = 0;

    for (const struct cJSON *item = json_first(array); item; item = item->next)
        count++;
    return count;
}

double json_number(const struct cJSON *item)
{
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble : NAN;
}

const char *json_text(const struct cJSON *item)
{
    return cJSON_IsString(item) && item->valuestring ? item->valuestring : "";
}

const char *json_given_text(const struct cJSON *item)
{
    const char *text = json_text(item);

    return *text ? text : NULL;
}

int64_t json_time_ns(const struct cJSON *item)
{
    uint64_t realtime_ns;

    return clock_of_text(json_text(item), &realtime_ns) && realtime_ns <= INT64_MAX ? (int64_t)realtime_ns : -1;
}

bool json_is_null(const struct cJSON *item)
{
    return !item || cJSON_IsNull(item);
}

bool json_is_false(const struct cJSON *item)
{
    return cJSON_IsFalse(item);
}

bool json_is_array(const struct cJSON *item)
{
    return cJSON_IsArray(item);
}

double json_number_of(const struct cJSON *object, const char *key)
{
    return json_number(json_member(object, key));
}

const char *json_text_of(const struct cJSON *object, const char *key)
{
    return json_text(json_member(object, key));
}

const char *json_text_or_null(const struct cJSON *object, const char *key)
{
    const char *text = json_text_of(object, key);

    return *text ? text : NULL;
}

bool json_is_true(const struct cJSON *object, const char *key)
{
    return cJSON_IsTrue(json_member(object, key));
}

const char *json_schema(const struct cJSON *document)
{
    return json_text_of(document, "schema");
}

const char *json_writer(const struct cJSON *document)
{
    return json_text_of(document, "carbon_version");
}

static bool check_id(const struct cJSON *document, const char *name, const char *path, struct error *err)
{
    const char *id = json_text_or_null(document, "id");
    char shown[80];

    if (!id || identity_is(id))
        return true;
    utf8_printable(shown, sizeof shown, id);
    error_set(err, ERROR_BAD_DATA, "'%s' is malformed", path);
    error_why(err, "its %s is '%s'", name, shown);
    return error_fix(err, "an id has 1 to %d letters, digits, '-', '_' and '.', as carbon writes it",
                     IDENTITY_SIZE - 1);
}

bool json_check_identity(const struct cJSON *document, const char *path, struct error *err)
{
    return check_id(document, "id", path, err) && check_id(json_member(document, "parent"), "parent's id", path, err);
}

bool json_is_form(const struct cJSON *document, const char *path, const char *form, struct error *err)
{
    const char *schema = json_schema(document), *version = strchr(form, '/');
    const size_t family = version ? (size_t)(version - form) + 1 : strlen(form);
    char shown[64], writer[32];

    if (strcmp(schema, form) == 0)
        return json_check_identity(document, path, err);
    utf8_printable(shown, sizeof shown, schema);
    utf8_printable(writer, sizeof writer, json_writer(document));
    if (strncmp(schema, form, family) == 0) {
        error_set(err, ERROR_BAD_DATA, "'%s' was written by another version of carbon", path);
        error_why(err, "it is '%s', and this carbon reads '%s'", shown, form);
        return *writer ? error_fix(err, "use carbon %s, or a newer one", writer) : error_fix(err, "use a newer carbon");
    }
    error_set(err, ERROR_BAD_DATA, "'%s' is the wrong kind of file", path);
    if (*schema)
        error_why(err, "it is '%s', not '%s'", shown, form);
    else
        error_why(err, "it is JSON, but does not say that it is '%s'", form);
    return fix_json(err);
}
