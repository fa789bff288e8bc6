/* SPDX-License-Identifier: MIT
 * One question to an engine and its answer as JSON; whoever asks says what a refusal means. Used throughout container.
 * Begin with path_of_container(). */
#ifndef CONTAINER_ASK_H
#define CONTAINER_ASK_H

#include "base/text.h"
#include "container/engine.h"
#include "io/http_answer.h"
#include "io/json_read.h"
#include "io/json_tree.h"

enum { ASK_PATIENCE_S = 20, WORK_PATIENCE_S = 120, ASK_MAX_BYTES = 16 << 20 };

struct engine_answer {
    int status;         /* 200, 404, ... */
    struct cJSON *json; /* NULL: the answer has no body, or none that is JSON */
    char message[512];  /* of a refusal: the engine's own words, in one line; else "" */
};

/* The start of a path: "/containers/ID" with the id escaped. False: no id looks like that. */
bool path_of_container(struct text *path, const char *id, const char *rest) MUST_CHECK;

/* True where there was an answer in time, whatever it says: within ASK_PATIENCE_S, or WORK_PATIENCE_S where the engine
 * gets a command. body may be NULL; *path is closed. answer_close in any case. */
bool engine_ask(const struct engine *engine, const char *method, struct text *path, const char *body,
                struct engine_answer *answer, struct error *err) MUST_CHECK;

/* Has something done, and does not wait for longer than this until it is. *path is closed. */
void engine_tell(const struct engine *engine, const char *method, struct text *path, unsigned patience_s);

/* The same to a path that holds nothing to be escaped, and an answer that is 200 and JSON; anything else is an error.
 */
bool engine_ask_for(const struct engine *engine, const char *path, struct engine_answer *answer,
                    struct error *err) MUST_CHECK;

/* Fills in the content of an answer of http_call: its JSON and its message. */
void answer_read(struct engine_answer *answer, const struct http_answer *http);
void answer_close(struct engine_answer *answer);

static inline bool answer_is_good(const struct engine_answer *answer)
{
    return answer->status >= 200 && answer->status < 300;
}

/* An error with the engine's words for its reason. */
bool answer_refused(const struct engine *engine, const struct engine_answer *answer, struct error *err,
                    enum error_kind kind, const char *what, ...) PRINTF_LIKE(5, 6);

#endif
