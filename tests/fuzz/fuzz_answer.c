/* SPDX-License-Identifier: MIT
 * Whole conversations by HTTP with a server that may answer anything: what is asked next depends on what was answered.
 * The input begins with whom is asked: 'e' an engine of containers, 'c' a container that is attended to its end, 'r' a
 * board's controller (Redfish), 'l' a service of live grid data, 'p' a Prometheus. Then a byte that says what for, and
 * the answers, each a byte for the status and its body up to NUL; once they are used up nobody answers.
 *
 * Linked with --wrap, so that nothing goes to the network. */
#include "fuzz.h"

#include "base/utf8.h"
#include "container/ask.h"
#include "container/container_image.h"
#include "container/container_output.h"
#include "container/container_run.h"
#include "container/container_stats.h"
#include "container/engine_open.h"
#include "container/http_call.h"
#include "grid/live.h"
#include "io/http.h"
#include "outside/outside.h"
#include "series/api.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <time.h>

static const int statuses[] = {
    200, 200, 200, 201, 204, 101, 301, 400, 401, 403, 404, 405, 409, 422, 429, 500, 503, 0
};

/* The answers that are still to come. */
static struct input answers;

/* False: nobody answers. */
static bool next_answer(struct http_answer *answer)
{
    *answer = (struct http_answer){ .status = 0 };
    if (answers.at == answers.end)
        return false;
    answer->status = statuses[input_number(&answers, 1) % (sizeof statuses / sizeof statuses[0])];
    answer->body = input_text(&answers);
    answer->length = strlen(answer->body);
    answer->date_s = answer->length % 5 ? 0 : answer->length;
    return answer->status != 0;
}

bool __wrap_http_get(const struct http_request *request, struct http_answer *answer, struct error *err);
bool __wrap_http_call(const struct http_call *call, struct http_answer *answer, struct error *err);
bool __real_container_output_take(struct container_output *output, const char *bytes, size_t length);
bool __wrap_container_output_take(struct container_output *output, const char *bytes, size_t length);
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left);
int __wrap_dprintf(int fd, const char *format, ...) PRINTF_LIKE(2, 3);
int __wrap___dprintf_chk(int fd, int flag, const char *format, ...) PRINTF_LIKE(3, 4);

bool __wrap_http_get(const struct http_request *request, struct http_answer *answer, struct error *err)
{
    FUZZ_MUST(request->url && *request->url);
    if (!next_answer(answer))
        return error_set(err, answer->length ? ERROR_BAD_DATA : ERROR_ABSENT, "nobody answers");
    if (answer->length > request->max_bytes || answer->status < 200 || answer->status >= 300)
        return error_set(err, ERROR_SYSTEM, "it answered %d", answer->status);
    return true;
}

bool __wrap_http_call(const struct http_call *call, struct http_answer *answer, struct error *err)
{
    const bool answered = next_answer(answer);
    const bool good = answer->status >= 200 && answer->status < 300;

    FUZZ_MUST(*call->path == '/' && !strpbrk(call->path, " \r\n") && !strstr(call->path, "/../"));
    if (!answered)
        return error_set(err, ERROR_SYSTEM, "nobody answers");
    if (call->begin && !call->begin(call->context, answer->status))
        return error_set(err, ERROR_SYSTEM, "it was ended");
    if (!call->take || !good)
        return true;
    for (size_t at = 0, piece = 1 + answer->length % 7; at < answer->length; at += piece)
        if (!call->take(call->context, answer->body + at, answer->length - at < piece ? answer->length - at : piece))
            return error_set(err, ERROR_SYSTEM, "it was ended");
    free(answer->body);
    answer->body = NULL;
    answer->length = 0;
    return true;
}

/* What a container prints, and what is told of it, goes nowhere; nothing is waited for. */
bool __wrap_container_output_take(struct container_output *output, const char *bytes, size_t length)
{
    output->fds[1] = output->fds[2] = -1;
    return __real_container_output_take(output, bytes, length);
}

int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left)
{
    (void)wanted;
    (void)left;
    return 0;
}

static int __attribute__((format(printf, 1, 0))) told(const char *format, va_list arguments)
{
    char text[1024];

    return vsnprintf(text, sizeof text, format, arguments);
}

int __wrap_dprintf(int fd, const char *format, ...)
{
    va_list arguments;
    int length;

    (void)fd;
    va_start(arguments, format);
    length = told(format, arguments);
    va_end(arguments);
    return length;
}

int __wrap___dprintf_chk(int fd, int flag, const char *format, ...)
{
    va_list arguments;
    int length;

    (void)fd;
    (void)flag;
    va_start(arguments, format);
    length = told(format, arguments);
    va_end(arguments);
    return length;
}

static void check(bool good, const struct error *err)
{
    FUZZ_MUST(good || (err->kind != ERROR_NONE && *err->what));
}

/* What an engine says of itself and its containers may be shown: text, without what commands a terminal. */
static void check_shown(const char *text)
{
    char again[512];

    utf8_printable(again, sizeof again, text);
    FUZZ_MUST(strcmp(text, again) == 0);
}

static void check_container(const struct container *found)
{
    check_shown(found->id);
    check_shown(found->name);
    check_shown(found->image);
    check_shown(found->address);
    FUZZ_MUST(found->pid >= 0 && found->exit_status >= -1);
}

static void ask_engine(unsigned what)
{
    static const struct container_plan plan = { .image = "a:1" };
    const struct engine engines[] = { { .kind = ENGINE_DOCKER, .socket = "/s", .version = "20.10.24" },
                                      { .kind = ENGINE_PODMAN, .socket = "/t", .version = "4.3" } };
    const struct engine *engine = &engines[what & 1];
    struct container found = { .exit_status = -1 };
    struct container_stats stats;
    struct error err = { .kind = ERROR_NONE };
    char *wanted = input_text(&answers), image[256], id[80];
    size_t removed;
    bool good;

    switch (what / 2 % 8) {
    case 0: good = container_find(engines, 2, wanted, &engine, &found, &err); break;
    case 1: good = container_inspect(engine, wanted, &found, &err); break;
    case 2: good = image_find(engine, wanted, &err); break;
    case 3: good = image_pull(engine, wanted, NULL, &err); break;
    case 4: good = image_named(engine, wanted, image, sizeof image, &err); break;
    case 5: good = container_create(engine, &plan, id, &err); break;
    case 6: good = containers_clean(engine, *wanted ? wanted : NULL, &removed, &err); break;
    default: good = container_stats(engine, wanted, &stats, &err); break;
    }
    check(good, &err);
    if (good)
        check_container(&found);
    free(wanted);
}

/* As the process that attends it does; its status is one that a process can end with. */
static void attend_container(void)
{
    static const struct engine engine = { .kind = ENGINE_DOCKER, .socket = "/s" };
    sigset_t before;
    int status;

    FUZZ_MUST(sigprocmask(SIG_SETMASK, NULL, &before) == 0);
    status = container_attend(&engine, "0123456789abcdef");
    FUZZ_MUST(status >= 0 && status <= 255);
    FUZZ_MUST(sigprocmask(SIG_SETMASK, &before, NULL) == 0 && prctl(PR_SET_PDEATHSIG, 0) == 0);
}

static void ask_controller(unsigned what)
{
    char place[OUTSIDE_TEXT_SIZE] = "";
    struct outside_meter meter = { .named = { .micro = 1e6, .unit = "W" }, .redfish = "https://bmc/", .place = place };
    struct poller_answer reading = { .error = 0 };

    if (what & 1)
        strcpy(meter.chassis, "1");
    for (int question = 0; question < 3; question++) {
        struct http_answer answer;
        struct error err = { .kind = ERROR_NONE };
        const bool good = redfish_get(&meter, &answer, &err);
        check(good, &err);
        FUZZ_MUST(!*place || (*place == '/' && strlen(place) < sizeof place));
        if (good)
            FUZZ_MUST(outside_understand(&meter, 0, answer.body ? answer.body : "", &reading) != 0 ||
                      reading.value >= 0);
        http_close(&answer);
    }
}

static void ask_service(unsigned what)
{
    static const char *const zones[] = { "GB", "DE",     "FR", "DK1", "DE",     "CAISO_NORTH", "CA-ON",
                                         "BR", "eastus", "DE", "US",  "AU-NSW", "DE-LU" };
    const size_t which = what % (sizeof zones / sizeof zones[0]);
    struct live_query query = { .zone = zones[which],
                                .from_realtime_s = 1768867200,
                                .to_realtime_s = 1768953600,
                                .limit_s = 60,
                                .base_url = "https://127.0.0.1" };
    struct intensities found;
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error err = { .kind = ERROR_NONE };

    check(live_fetch(live_named(live_names[which]), &query, &found, &notices, &err), &err);
    intensities_close(&found);
}

static void ask_prometheus(unsigned what)
{
    static const struct prometheus_server server = { .url = "http://127.0.0.1:9090/" };
    struct series_set set = { .count = 0 };
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error err = { .kind = ERROR_NONE };
    bool good;

    switch (what % 3) {
    case 0: good = prometheus_query(&server, "up", 1768867200, &set, &notices, &err); break;
    case 1: good = prometheus_query_range(&server, "up", 1768867200, 1768953600, 5, &set, &notices, &err); break;
    default: good = prometheus_samples(&server, "up", 1768867200, 1768953600, &set, &notices, &err); break;
    }
    check(good, &err);
    for (size_t i = 0; i < set.count; i++)
        for (size_t j = 1; j < set.items[i].point_count; j++)
            FUZZ_MUST(set.items[i].points[j - 1].time_s < set.items[i].points[j].time_s);
    series_set_close(&set);
}

/* No answer is kept, and no key is one of somebody's. */
static void forget_user(void)
{
    static const char *const theirs[] = { "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME" };
    static const char *const keys[] = { "ELECTRICITY_MAPS", "EIA", "ENTSOE", "OPENELECTRICITY", "WATTTIME" };
    char variable[64];

    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++)
        unsetenv(theirs[i]);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        snprintf(variable, sizeof variable, "CARBON_%s_KEY", keys[i]);
        setenv(variable, "user:word", 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    const char whom = (char)input_number(&input, 1);
    const unsigned what = (unsigned)input_number(&input, 1);

    forget_user();
    answers = input;
    if (whom == 'e')
        ask_engine(what);
    else if (whom == 'c')
        attend_container();
    else if (whom == 'r')
        ask_controller(what);
    else if (whom == 'l')
        ask_service(what);
    else if (whom == 'p')
        ask_prometheus(what);
    return 0;
}
