/* SPDX-License-Identifier: MIT
 * Images that an engine has, or gets. */
#include "container/container_image.h"

#include "base/auto.h"
#include "container/ask.h"
#include "container/http_call.h"
#include "io/http_url.h"

#include <string.h>

enum { PULL_LINE_MAX = 1 << 20 };

/* What may stand in a reference to an image; so it needs no escape in a path but that of ':' and '@'. */
static bool is_image(const char *image)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:@+";

    return *image && image[strspn(image, allowed)] == '\0' && *image != '/' && !strstr(image, "..") &&
           !strstr(image, "//") && image[strlen(image) - 1] != '/';
}

static bool fail_image(const char *image, struct error *err)
{
    error_set(err, ERROR_USAGE, "'%.150s' names no image", image);
    return error_why(err, "an image is NAME:TAG, or REGISTRY/NAME:TAG, of letters, digits and ._-/:@");
}

static bool open_path(struct text *path, const char *image, struct error *err)
{
    if (!is_image(image))
        return fail_image(image, err);
    text_open(path, 1 << 16);
    return true;
}

bool image_find(const struct engine *engine, const char *image, struct error *err)
{
    struct engine_answer answer;
    struct text path;
    bool good;

    if (!open_path(&path, image, err))
        return false;
    text_add(&path, "/images/%s/json", image);
    good = engine_ask(engine, "GET", &path, NULL, &answer, err);
    if (good && !answer_is_good(&answer))
        good = answer_refused(engine, &answer, err, answer.status == 404 ? ERROR_ABSENT : ERROR_SYSTEM,
                              "the image '%.150s' is not here", image);
    answer_close(&answer);
    return good;
}

/* The progress of a pull: JSON, line by line; what counts is the last error in it. */
struct pull {
    bool (*stop)(void);
    struct text line;
    char message[256];
};

static void read_line(struct pull *pull)
{
    struct cJSON *json = pull->line.data ? json_parse(pull->line.data, "", NULL) : NULL;
    const char *message = json_text_of(json, "error");

    if (!*message)
        message = json_text_of(json_member(json, "errorDetail"), "message");
    if (*message)
        text_copy(pull->message, sizeof pull->message, message);
    json_close(json);
    text_close(&pull->line);
    text_open(&pull->line, PULL_LINE_MAX);
}

static bool take_progress(void *context, const char *bytes, size_t length)
{
    struct pull *pull = context;

    while (length > 0) {
        const char *end = memchr(bytes, '\n', length);
        const size_t part = end ? (size_t)(end - bytes) : length;
        text_add(&pull->line, "%.*s", (int)part, bytes);
        if (end)
            read_line(pull);
        bytes += part + (end != NULL);
        length -= part + (end != NULL);
    }
    return true;
}

static bool is_stopped(void *context)
{
    const struct pull *pull = context;

    return pull->stop && pull->stop();
}

/* Without a tag all there are would be got. */
static void add_pull_path(struct text *path, const char *image)
{
    const char *at = strchr(image, '@'), *slash = strrchr(image, '/'), *colon = strrchr(image, ':');
    AUTO_FREE char *name = strdup(image);
    const char *tag = "latest";

    if (!at && colon && (!slash || colon > slash))
        at = colon;
    if (at) {
        tag = at + 1;
        if (name)
            name[at - image] = '\0';
    }
    text_add(path, "/images/create?fromImage=");
    http_add_escaped(path, name ? name : image);
    text_add(path, "&tag=");
    http_add_escaped(path, tag);
}

static bool fail_pull(const struct engine *engine, const char *image, const char *message, struct error *err)
{
    error_set(err, ERROR_ABSENT, "the image '%.150s' is not here and cannot be got", image);
    error_why(err, "%s says: %.200s", engine_name(engine->kind), *message ? message : "nothing");
    return error_fix(err, "check its name; '%s images' lists the images of this machine", engine_name(engine->kind));
}

bool image_pull(const struct engine *engine, const char *image, bool (*stop)(void), struct error *err)
{
    struct pull pull = { .stop = stop };
    struct http_call call = { .socket = engine->socket,
                              .method = "POST",
                              .max_bytes = ASK_MAX_BYTES,
                              .wake = -1,
                              .context = &pull,
                              .take = take_progress,
                              .stop = is_stopped };
    struct http_answer http;
    struct engine_answer answer;
    struct text path;
    bool good;

    if (!open_path(&path, image, err))
        return false;
    text_open(&pull.line, PULL_LINE_MAX);
    add_pull_path(&path, image);
    call.path = path.data ? path.data : "/";
    good = http_call(&call, &http, err);
    if (good) {
        answer_read(&answer, &http);
        read_line(&pull);
        if (!answer_is_good(&answer) || *pull.message)
            good = fail_pull(engine, image, *pull.message ? pull.message : answer.message, err);
        answer_close(&answer);
    }
    http_close(&http);
    text_close(&pull.line);
    text_close(&path);
    return good && image_find(engine, image, err);
}

/* "registry/path/NAME:tag" */
static bool is_called(const char *reference, const char *name)
{
    const char *slash = strrchr(reference, '/'), *last = slash ? slash + 1 : reference;

    return strncmp(last, name, strlen(name)) == 0 && last[strlen(name)] == ':';
}

static bool fail_named(const struct engine *engine, const char *name, const char *found, size_t count,
                       struct error *err)
{
    error_set(err, count ? ERROR_USAGE : ERROR_ABSENT, "%s has %s image called '%.60s'", engine_name(engine->kind),
              count ? "more than one" : "no", name);
    return error_why(err, "%.150s", count ? found : "carbon knows no place to get it from");
}

bool image_named(const struct engine *engine, const char *name, char *image, size_t size, struct error *err)
{
    struct engine_answer answer;
    struct text found;
    size_t count = 0;
    bool good = engine_ask_for(engine, "/images/json", &answer, err);

    text_open(&found, 1 << 16);
    for (const struct cJSON *item = json_first(answer.json); good && item; item = json_next(item))
        for (const struct cJSON *tag = json_first(json_member(item, "RepoTags")); tag; tag = json_next(tag))
            if (is_called(json_text(tag), name)) {
                text_add(&found, "%s%s", count++ ? ", " : "", json_text(tag));
                text_copy(image, size, json_text(tag));
            }
    if (good && count != 1)
        good = fail_named(engine, name, found.data ? found.data : "", count, err);
    text_close(&found);
    answer_close(&answer);
    return good;
}
