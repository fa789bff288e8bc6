/* SPDX-License-Identifier: MIT
 * Reading a JSON document by its keys. A member that is missing, null or of another
 * type than requested is unknown: NAN, "" or false. Used in most rooms of the program. Begin with json_read().
 */
#ifndef IO_JSON_READ_H
#define IO_JSON_READ_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { JSON_READ_MAX = 64 << 20 }; /* bytes */

struct cJSON;

/* Fails with the file's name: absent, denied, no regular file, empty, too large, no JSON (and where it ceases to be).
 * Given to json_close in the end. */
struct cJSON *json_read(const char *path, struct error *err) MUST_CHECK;

/* The same in two steps, for who passes the text on: it is freed by the caller, path is for messages. */
char *json_read_text(const char *path, struct error *err) MUST_CHECK;
struct cJSON *json_parse(const char *text, const char *path, struct error *err) MUST_CHECK;
void json_close(struct cJSON *document);

/* The first document of a text that may hold several, one behind the other; *text is left behind it and the white space
 * that follows. */
struct cJSON *json_parse_next(const char **text, const char *path, struct error *err) MUST_CHECK;

/* A place in it; NULL where there is none, and NULL may be asked for a place again. */
const struct cJSON *json_member(const struct cJSON *object, const char *key);
const struct cJSON *json_first(const struct cJSON *array); /* then json_next */
const struct cJSON *json_next(const struct cJSON *item);
size_t json_count(const struct cJSON *array);

/* The item itself. Text lives as long as the document. */
const struct cJSON *json_items(const struct cJSON *node); /* the first of an array or an object; then json_next */
const char *json_key(const struct cJSON *item);           /* of a member; "" for an item of an array */

/* Its type. */
enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT };
enum json_kind json_kind(const struct cJSON *item); /* JSON_NULL for NULL, too */
bool json_truth(const struct cJSON *item);
double json_number(const struct cJSON *item);
const char *json_text(const struct cJSON *item);
const char *json_given_text(const struct cJSON *item); /* NULL: none, or "" */
int64_t json_time_ns(const struct cJSON *item);        /* in ns since 1970; -1: not a time */
bool json_is_null(const struct cJSON *item);           /* not there, or null */
bool json_is_false(const struct cJSON *item);
bool json_is_array(const struct cJSON *item);

/* The member of an object. */
double json_number_of(const struct cJSON *object, const char *key);
const char *json_text_of(const struct cJSON *object, const char *key);
const char *json_text_or_null(const struct cJSON *object, const char *key); /* NULL: none, or "" */
bool json_is_true(const struct cJSON *object, const char *key);

/* The form that a document says it has, "carbon.record/1"; "": none. */
const char *json_schema(const struct cJSON *document);

/* The version of carbon that wrote it; "": it does not say. */
const char *json_writer(const struct cJSON *document);

/* "id", and that of "parent": each can be one (identity.h), or is not there. path is for the message. */
bool json_check_identity(const struct cJSON *document, const char *path, struct error *err) MUST_CHECK;

/* Whether it is a document of carbon of this form ("carbon.record/1"). Fails where it is another document, was written
 * by another version of carbon, or its identity cannot be one. */
bool json_is_form(const struct cJSON *document, const char *path, const char *form, struct error *err) MUST_CHECK;

#endif
