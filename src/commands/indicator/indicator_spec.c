/* SPDX-License-Identifier: MIT
 * Amun's specification of an inspection: read, and its script made ready. */
#include "commands/indicator/indicator_spec.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/text.h"
#include "commands/indicator/scan_read.h"
#include "commands/indicator/spans.h"
#include "io/json_read.h"
#include "run/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PYTHON "python3" /* what Amun runs a script by that is no program */

static bool fail_with_spec(const struct indicator_spec *spec, struct error *err, const char *what)
{
    return error_set(err, ERROR_USAGE, "'%.150s' %s", spec->path, what);
}

static bool is_script_text(const char *text)
{
    return strchr(text, '\n') || strncmp(text, "#!", 2) == 0;
}

static bool is_url(const char *text)
{
    return strncmp(text, "https://", 8) == 0 || strncmp(text, "http://", 7) == 0;
}

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool has_interpreter(const char *path)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    char begin[2];

    return fd >= 0 && read(fd, begin, sizeof begin) == sizeof begin && memcmp(begin, "#!", sizeof begin) == 0;
}

static void set_argv(struct indicator_spec *spec, bool by_itself)
{
    size_t count = 0;

    if (!by_itself)
        spec->argv[count++] = (char *)PYTHON;
    spec->argv[count++] = spec->script;
    spec->argv[count] = NULL;
}

/* As it is named, else beside the specification. */
static bool find_file(struct indicator_spec *spec, const char *name, struct error *err)
{
    const char *slash = strrchr(spec->path, '/');

    if (snprintf(spec->script, sizeof spec->script, "%s%s", strchr(name, '/') ? "" : "./", name) <
            (int)sizeof spec->script &&
        is_file(spec->script))
        return true;
    if (slash && *name != '/' &&
        snprintf(spec->script, sizeof spec->script, "%.*s/%s", (int)(slash - spec->path), spec->path, name) <
            (int)sizeof spec->script &&
        is_file(spec->script))
        return true;
    error_set(err, ERROR_USAGE, "'%.100s': its script '%.120s' is not here", spec->path, name);
    error_why(err, "it names no file, and has no line end, as the text of a script has");
    return error_fix(err, "carbon indicator --spec %.150s -- ./script", spec->path);
}

static bool take_script(struct indicator_spec *spec, struct error *err)
{
    const char *text = json_text_of(spec->document, "script");

    if (!*text) {
        fail_with_spec(spec, err, "has no script");
        return error_fix(err, "carbon indicator --spec %.150s -- ./script", spec->path);
    }
    if (is_url(text)) {
        const char *name = strrchr(text, '/') + 1;

        error_set(err, ERROR_USAGE, "'%.100s': its script is on the network", spec->path);
        error_why(err, "carbon fetches no programs: %.130s", text);
        return error_fix(err, "get it, look at it, then carbon indicator --spec %.100s -- ./%.60s", spec->path,
                         *name ? name : "script");
    }
    spec->is_inline = is_script_text(text);
    if (spec->is_inline)
        return true;
    if (!find_file(spec, text, err))
        return false;
    set_argv(spec, access(spec->script, X_OK) == 0 && has_interpreter(spec->script));
    return true;
}

/* A number, or its digits as a text. */
static bool take_batch(struct indicator_spec *spec, struct error *err)
{
    const struct cJSON *batch = json_member(spec->document, "batch_size");
    double value = json_number(batch);

    if (json_is_null(batch))
        return true;
    if (json_kind(batch) == JSON_TEXT && !text_to_number(json_text(batch), &value))
        value = NAN;
    if (!(value >= 1) || value != floor(value) || value > 1e9) {
        fail_with_spec(spec, err, "has a batch_size that is not a number of runs");
        return error_fix(err, "write a whole number from 1 on");
    }
    c_snprintf(spec->batch, sizeof spec->batch, "%.0f", value);
    return true;
}

static bool is_name(const char *text)
{
    return *text && !strchr(text, '=');
}

static bool check_environment(const struct indicator_spec *spec, struct error *err)
{
    const struct cJSON *list = json_member(spec->document, "environment");

    if (json_is_null(list))
        return true;
    for (const struct cJSON *item = json_first(list); item; item = json_next(item))
        if (!is_name(json_text_of(item, "name")) || json_kind(json_member(item, "value")) != JSON_TEXT)
            list = NULL;
    if (list && json_is_array(list))
        return true;
    fail_with_spec(spec, err, "has an environment that is not a list of names and values");
    return error_fix(err, "write [{\"name\": \"REPS\", \"value\": \"7\"}]");
}

bool indicator_spec_open(struct indicator_spec *spec, const char *path, bool has_command, struct error *err)
{
    *spec = (struct indicator_spec){ .path = path };
    spec->text = json_read_text(path, err);
    spec->document = spec->text ? json_parse(spec->text, path, err) : NULL;
    if (!spec->document)
        return false;
    if (json_kind(spec->document) != JSON_OBJECT) {
        fail_with_spec(spec, err, "is not a specification of an inspection");
        return error_why(err, "it is not an object");
    }
    spec->identifier = json_text_or_null(spec->document, "identifier");
    return take_batch(spec, err) && check_environment(spec, err) && (has_command || take_script(spec, err));
}

bool indicator_spec_place(struct indicator_spec *spec, struct error *err)
{
    const char *text = json_text_of(spec->document, "script");
    const size_t length = strlen(text);
    AUTO_CLOSE int fd = -1;

    if (!spec->is_inline)
        return true;
    if (!work_folders_open(&spec->folders, NULL, err))
        return false;
    if (snprintf(spec->script, sizeof spec->script, "%s/script", spec->folders.work) >= (int)sizeof spec->script)
        return error_set(err, ERROR_USAGE, "the path of the folder for temporary files is too long");
    fd = open(spec->script, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0700);
    if (fd < 0 || write(fd, text, length) != (ssize_t)length)
        return error_errno(err, "cannot write the script of '%.100s' to '%.150s'", spec->path, spec->script);
    set_argv(spec, strncmp(text, "#!", 2) == 0);
    return true;
}

bool indicator_spec_environment(struct indicator_spec *spec, char *const *variables, struct error *err)
{
    const struct cJSON *list = json_member(spec->document, "environment");

    for (const struct cJSON *item = json_first(list); item; item = json_next(item)) {
        char *variable =
            arena_print(&spec->store, "%s=%s", json_text_of(item, "name"), json_text(json_member(item, "value")));
        char **with = variable ? environment_with(spec->environment ? spec->environment : variables, variable) : NULL;

        free(spec->environment);
        spec->environment = with;
        if (!with)
            return error_errno(err, "no memory for the variables of '%.150s'", spec->path);
    }
    return true;
}

/* "base, packages and python" */
static void list_keys(const struct indicator_spec *spec, const char *const *keys, struct text *text)
{
    const char *last = NULL;

    for (; *keys; keys++) {
        if (json_is_null(json_member(spec->document, *keys)))
            continue;
        if (last)
            text_add(text, "%s%s", text->length ? ", " : "", last);
        last = *keys;
    }
    if (last)
        text_add(text, "%s%s", text->length ? " and " : "", last);
}

void indicator_spec_note(const struct indicator_spec *spec, struct notices *notices)
{
    static const char *const built[] = { "base",   "packages", "python_packages", "package_manager",
                                         "python", "files",    "build",           NULL };
    const struct cJSON *requests = json_member(json_member(spec->document, "run"), "requests");
    struct text keys;

    text_open(&keys, 1024);
    list_keys(spec, built, &keys);
    if (keys.length)
        notice_add(notices, NOTICE_ASSUMED, "carbon builds no image: the script finds what this machine has",
                   "name an interpreter that has what it needs: -- venv/bin/python ./script",
                   "%.150s of '%.100s' were not set up", keys.data, spec->path);
    text_close(&keys);
    if (!json_is_null(requests))
        notice_add(notices, NOTICE_ASSUMED, "carbon sets no limits for it", "--cpus 0-1 holds it to CPUs",
                   "run.requests of '%.100s' were not applied: cpu %.20s, memory %.20s", spec->path,
                   *json_text_of(requests, "cpu") ? json_text_of(requests, "cpu") : "-",
                   *json_text_of(requests, "memory") ? json_text_of(requests, "memory") : "-");
}

bool indicator_spec_write(const struct indicator_spec *spec, const char *created, FILE *out, struct error *err)
{
    static const struct span_form form = { .keeps_nan = false };
    const bool has = json_member(spec->document, "@created") != NULL;
    char member[80];
    const struct insertion insertion = { 0, member };
    struct scan scan = { .text = NULL };
    struct fault fault;
    bool good;

    snprintf(member, sizeof member, "\"@created\": \"%.50s\"", created);
    good = scan_read(spec->text, strlen(spec->text), &scan, &fault);
    if (good)
        spans_write(&scan, 0, &form, &insertion, !has, out);
    else
        *err = fault.error;
    scan_close(&scan);
    fputc('\n', out);
    return good && (!ferror(out) || error_errno(err, "cannot write the specification"));
}

void indicator_spec_close(struct indicator_spec *spec, struct notices *notices)
{
    work_folders_close(&spec->folders, notices);
    json_close(spec->document);
    free(spec->text);
    free(spec->environment);
    arena_close(&spec->store);
    *spec = (struct indicator_spec){ .path = NULL };
}
