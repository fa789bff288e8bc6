/* SPDX-License-Identifier: MIT
 * Containers by a word of the user's, and one by its id. */
#include "container/container.h"

#include "base/c_locale.h"
#include "base/utf8.h"
#include "container/ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_ID_DIGITS = 12, SHORT_ID = 12 };

/* How a word may mean a container: the first of these that any container answers to decides. */
enum manner { BY_ID, BY_NAME, BY_LABEL, BY_PART, MANNERS };

/* Lists "name (docker, 514161fc81dd)", as many as there is room for. */
struct container_listing {
    struct text text;
    size_t count;
};

static const char *name_of(const struct cJSON *item)
{
    const char *name = json_text(json_first(json_member(item, "Names")));

    return *name == '/' ? name + 1 : name;
}

static bool is_named(const struct cJSON *item, const char *wanted)
{
    for (const struct cJSON *name = json_first(json_member(item, "Names")); name; name = json_next(name)) {
        const char *text = json_text(name);
        if (strcmp(*text == '/' ? text + 1 : text, *wanted == '/' ? wanted + 1 : wanted) == 0)
            return true;
    }
    return false;
}

static bool has_id(const struct cJSON *item, const char *wanted)
{
    const size_t length = strlen(wanted);

    return length >= MIN_ID_DIGITS && strspn(wanted, "0123456789abcdef") == length &&
           strncmp(json_text_of(item, "Id"), wanted, length) == 0;
}

static bool has_label(const struct cJSON *item, const char *wanted)
{
    const char *equals = strchr(wanted, '=');

    for (const struct cJSON *label = json_items(json_member(item, "Labels")); label; label = json_next(label)) {
        const char *key = json_key(label), *value = json_text(label);
        if (strcmp(value, wanted) == 0)
            return true;
        if (equals && strlen(key) == (size_t)(equals - wanted) && strncmp(key, wanted, strlen(key)) == 0 &&
            strcmp(value, equals + 1) == 0)
            return true;
    }
    return false;
}

static bool is_meant(const struct cJSON *item, const char *wanted, enum manner manner)
{
    switch (manner) {
    case BY_ID: return has_id(item, wanted);
    case BY_NAME: return is_named(item, wanted);
    case BY_LABEL: return has_label(item, wanted);
    default: return c_strcasestr(name_of(item), wanted) || c_strcasestr(json_text_of(item, "Image"), wanted);
    }
}

static bool runs(const struct cJSON *item)
{
    const char *state = json_text_of(item, "State");

    return c_strcasecmp(state, "running") == 0 || c_strcasecmp(state, "paused") == 0;
}

static void list(struct container_listing *listing, const struct engine *engine, const struct cJSON *item)
{
    char shown[ENGINE_SHOWN_SIZE];

    text_add(&listing->text, "%s%s (%s, %.*s)", listing->count++ ? ", " : "", name_of(item),
             engine_shown(engine, shown), SHORT_ID, json_text_of(item, "Id"));
}

/* Every container of every engine, running or not. */
struct container_found {
    const struct engine *engines;
    struct engine_answer answers[ENGINE_KINDS];
    size_t count;
};

/* Those that run, and are meant in this manner by this word (NULL: all). The last of them goes to *engine and *id. */
static struct container_listing those_that_run(const struct container_found *all, const char *wanted,
                                               enum manner manner, const struct engine **engine, const char **id)
{
    struct container_listing listing = { .count = 0 };

    text_open(&listing.text, sizeof((struct error *)0)->why);
    for (size_t i = 0; i < all->count; i++)
        for (const struct cJSON *item = json_first(all->answers[i].json); item; item = json_next(item))
            if (runs(item) && (!wanted || is_meant(item, wanted, manner))) {
                *engine = &all->engines[i];
                *id = json_text_of(item, "Id");
                list(&listing, *engine, item);
            }
    return listing;
}

/* What a text has room for, with dots where that is not all. */
static const char *shown(const struct container_listing *listing, char *field, size_t size)
{
    utf8_printable(field, size, listing->text.data ? listing->text.data : "");
    if (listing->text.failed && strlen(field) > 4)
        strcpy(field + strlen(field) - 3, "...");
    return field;
}

static bool fail_several(const char *wanted, const struct container_listing *listing, struct error *err)
{
    char names[200];

    error_set(err, ERROR_USAGE, "'%.100s' is more than one container", wanted);
    error_why(err, "%zu run that may be meant: %s", listing->count, shown(listing, names, sizeof names));
    return error_fix(err, "--container with the id or the whole name of one");
}

/* One that has stopped, by its id or its whole name. */
static const struct cJSON *stopped_one(const struct container_found *all, const char *wanted, enum engine_kind *kind)
{
    for (size_t i = 0; i < all->count; i++)
        for (const struct cJSON *item = json_first(all->answers[i].json); item; item = json_next(item))
            if (!runs(item) && (has_id(item, wanted) || is_named(item, wanted))) {
                *kind = all->engines[i].kind;
                return item;
            }
    return NULL;
}

static bool fail_none(const struct container_found *all, const char *wanted, struct error *err)
{
    const struct engine *engine;
    enum engine_kind kind = ENGINE_DOCKER;
    const struct cJSON *stopped = stopped_one(all, wanted, &kind);
    const char *id;
    struct container_listing running = those_that_run(all, NULL, BY_ID, &engine, &id);
    char names[160], state[32] = "";

    if (stopped) {
        utf8_printable(state, sizeof state, json_text_of(stopped, "State"));
        error_set(err, ERROR_ABSENT, "the container '%.100s' does not run", wanted);
    } else {
        error_set(err, ERROR_ABSENT, "no running container '%.100s'", wanted);
    }
    if (running.count)
        error_why(err, "%s%s%sthese run: %s", *state ? "it is " : "", state, *state ? "; " : "",
                  shown(&running, names, sizeof names));
    else
        error_why(err, "%s%s%s", *state ? "it is " : "", *state ? state : "no container runs",
                  *state ? "; no other container runs" : "");
    text_close(&running.text);
    return stopped ? error_fix(err, "%s start %.100s", engine_name(kind), wanted)
                   : error_fix(err, "'%s ps' lists those that run", engine_name(kind));
}

static bool find_in(const struct container_found *all, const char *wanted, const struct engine **engine,
                    struct container *found, struct error *err)
{
    const char *id = NULL;
    bool good = false;

    for (int manner = BY_ID; wanted[strspn(wanted, "./ ")] && manner < MANNERS; manner++) {
        struct container_listing listing = those_that_run(all, wanted, (enum manner)manner, engine, &id);
        const size_t count = listing.count;
        if (count > 1)
            fail_several(wanted, &listing, err);
        else if (count == 1)
            good = container_inspect(*engine, id, found, err);
        text_close(&listing.text);
        if (count > 0)
            return good;
    }
    return fail_none(all, wanted, err);
}

bool container_find(const struct engine *engines, size_t count, const char *wanted, const struct engine **engine,
                    struct container *found, struct error *err)
{
    struct container_found all = { .engines = engines };
    bool good = true;

    for (; good && all.count < count && all.count < ENGINE_KINDS; all.count++)
        good = engine_ask_for(&engines[all.count], "/containers/json?all=1", &all.answers[all.count], err);
    good = good && find_in(&all, wanted, engine, found, err);
    for (size_t i = 0; i < all.count; i++)
        answer_close(&all.answers[i]);
    return good;
}

static int natural_of(const struct cJSON *object, const char *key, int otherwise)
{
    const double number = json_number_of(object, key);

    return number >= 0 && number <= INT32_MAX ? (int)number : otherwise;
}

/* Else it has not run yet, or is about to end and its status not known yet (podman's "stopping", and "stopped", which
 * may still say 0). */
static bool has_ended(const char *status)
{
    return c_strcasecmp(status, "exited") == 0 || c_strcasecmp(status, "dead") == 0;
}

/* Of the engine's own network, else of the first that it is in. */
static void read_address(const struct cJSON *settings, struct container *now)
{
    const struct cJSON *network = json_items(json_member(settings, "Networks"));
    const char *address = json_text_of(settings, "IPAddress");

    for (; !*address && network; network = json_next(network))
        address = json_text_of(network, "IPAddress");
    utf8_printable(now->address, sizeof now->address, address);
}

/* An engine that says nothing of it is taken to have started it. */
static bool has_begun(const struct cJSON *state)
{
    static const char *const before[] = { "created", "configured", "initialized" };
    const char *status = json_text_of(state, "Status");

    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        if (strcmp(status, before[i]) == 0)
            return false;
    return strncmp(json_text_of(state, "StartedAt"), "0001-", 5) != 0;
}

static void read_container(const struct cJSON *json, struct container *now)
{
    const struct cJSON *state = json_member(json, "State");
    const char *name = json_text_of(json, "Name");

    utf8_printable(now->id, sizeof now->id, json_text_of(json, "Id"));
    utf8_printable(now->name, sizeof now->name, *name == '/' ? name + 1 : name);
    utf8_printable(now->image, sizeof now->image, json_text_of(json_member(json, "Config"), "Image"));
    now->running = json_is_true(state, "Running");
    now->began = has_begun(state);
    now->pid = now->running ? natural_of(state, "Pid", 0) : 0;
    now->exit_status = has_ended(json_text_of(state, "Status")) ? natural_of(state, "ExitCode", -1) : -1;
    now->out_of_memory = json_is_true(state, "OOMKilled");
    read_address(json_member(json, "NetworkSettings"), now);
}

bool container_inspect(const struct engine *engine, const char *id, struct container *now, struct error *err)
{
    struct engine_answer answer = { .status = 404 };
    struct text path;
    bool good;

    *now = (struct container){ .exit_status = -1 };
    good = !path_of_container(&path, id, "/json") || engine_ask(engine, "GET", &path, NULL, &answer, err);
    text_close(&path);
    if (good && answer.status == 404) {
        error_set(err, ERROR_ABSENT, "no container '%.100s'", id);
        good = error_why(err, "%s has none of that id or name", engine_name(engine->kind));
    } else if (good && (!answer_is_good(&answer) || !answer.json)) {
        good = answer_refused(engine, &answer, err, ERROR_SYSTEM, "cannot look at the container '%.100s'", id);
    } else if (good) {
        read_container(answer.json, now);
    }
    answer_close(&answer);
    return good;
}
