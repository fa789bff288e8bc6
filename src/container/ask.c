/* SPDX-License-Identifier: MIT
 * Questions to an engine. */
#include "container/ask.h"

#include "base/c_locale.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/utf8.h"
#include "container/http_call.h"
#include "io/http_url.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool path_of_container(struct text *path, const char *id, const char *rest)
{
    text_open(path, 1 << 16);
    if (!id[strspn(id, ".")] || strchr(id, '/'))
        return false;
    text_add(path, "/containers/");
    http_add_escaped(path, id);
    text_add(path, "%s", rest);
    return true;
}

/* Docker says {"message"}, podman {"message", "cause"}; what is no JSON is reported as it stands. */
static void read_message(struct engine_answer *answer, const struct http_answer *http)
{
    const char *message = json_text_of(answer->json, "message");
    char line[sizeof answer->message];

    if (!*message)
        message = answer->json || !http->body ? "" : http->body;
    text_copy(line, sizeof line, message);
    for (char *c = line; *c; c++)
        *c = *c == '\n' || *c == '\t' || *c == '\r' ? ' ' : *c;
    for (size_t length = strlen(line); length > 0 && strchr(" .", line[length - 1]); length--)
        line[length - 1] = '\0';
    utf8_printable(answer->message, sizeof answer->message, line);
}

void answer_read(struct engine_answer *answer, const struct http_answer *http)
{
    const char *body = http->body;

    *answer = (struct engine_answer){ .status = http->status };
    if (body && body[strspn(body, " \t\r\n")])
        answer->json = json_parse(body, "", NULL);
    if (!answer_is_good(answer))
        read_message(answer, http);
}

void answer_close(struct engine_answer *answer)
{
    json_close(answer->json);
    answer->json = NULL;
}

/* While carbon has work running, signals wait to be read by who looks after it: an engine that does not answer is
 * waited for no longer then. */
static bool is_signalled(void *context)
{
    static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    const uint64_t *begun_ns = context;
    sigset_t pending;

    if (clock_monotonic_ns() - *begun_ns < NS_PER_S_INT || sigpending(&pending) != 0)
        return false;
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        if (sigismember(&pending, ending[i]) == 1)
            return true;
    return false;
}

static bool ask_within(const struct engine *engine, const char *method, struct text *path, const char *body,
                       unsigned patience_s, bool may_stop, struct engine_answer *answer, struct error *err)
{
    uint64_t begun_ns = clock_monotonic_ns();
    const struct http_call call = { .socket = engine->socket,
                                    .method = method,
                                    .path = path->data ? path->data : "/",
                                    .body = body,
                                    .deadline_ns = begun_ns + patience_s * NS_PER_S_INT,
                                    .max_bytes = ASK_MAX_BYTES,
                                    .wake = -1,
                                    .context = &begun_ns,
                                    .stop = may_stop ? is_signalled : NULL };
    struct http_answer http = { .status = 0 };
    bool answered = text_ok(path);

    *answer = (struct engine_answer){ .status = 0 };
    if (answered)
        answered = http_call(&call, &http, err);
    else
        error_set(err, ERROR_SYSTEM, "no memory to ask %s", engine_name(engine->kind));
    if (answered)
        answer_read(answer, &http);
    http_close(&http);
    text_close(path);
    return answered;
}

bool engine_ask(const struct engine *engine, const char *method, struct text *path, const char *body,
                struct engine_answer *answer, struct error *err)
{
    const unsigned patience_s = strcmp(method, "GET") == 0 ? ASK_PATIENCE_S : WORK_PATIENCE_S;

    return ask_within(engine, method, path, body, patience_s, strcmp(method, "DELETE") != 0, answer, err);
}

void engine_tell(const struct engine *engine, const char *method, struct text *path, unsigned patience_s)
{
    struct engine_answer answer;

    IGNORED(ask_within(engine, method, path, NULL, patience_s, false, &answer, NULL), "the engine may have gone");
    answer_close(&answer);
}

bool answer_refused(const struct engine *engine, const struct engine_answer *answer, struct error *err,
                    enum error_kind kind, const char *what, ...)
{
    char reported[sizeof((struct error *)0)->what];
    va_list arguments;

    va_start(arguments, what);
    c_vsnprintf(reported, sizeof reported, what, arguments);
    va_end(arguments);
    error_set(err, kind, "%s", reported);
    if (*answer->message)
        return error_why(err, "%s says: %s", engine_name(engine->kind), answer->message);
    return error_why(err, "%s answered %d", engine_name(engine->kind), answer->status);
}

bool engine_ask_for(const struct engine *engine, const char *path, struct engine_answer *answer, struct error *err)
{
    struct text text;

    text_open(&text, 1 << 16);
    text_add(&text, "%s", path);
    if (!engine_ask(engine, "GET", &text, NULL, answer, err))
        return false;
    if (!answer_is_good(answer))
        return answer_refused(engine, answer, err, ERROR_SYSTEM, "%s cannot be asked at '%s'",
                              engine_name(engine->kind), engine->socket);
    if (answer->json)
        return true;
    error_set(err, ERROR_BAD_DATA, "'%s' is not a Docker or podman socket", engine->socket);
    return error_why(err, "its answer is no JSON");
}
