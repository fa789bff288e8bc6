/* SPDX-License-Identifier: MIT
 * The power of a chassis, as a board's controller tells it through Redfish (DMTF DSP0266, DSP0268): the reading of its
 * EnvironmentMetrics, or of the older Power that most controllers have. */
#include "base/text.h"
#include "io/json_read.h"
#include "outside/outside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CHASSIS = 32, ADDRESS_SIZE = 2 * OUTSIDE_TEXT_SIZE };

/* What is carried around while the power is looked for. */
struct redfish_search {
    const struct outside_meter *meter;
    struct http_answer *answer; /* the last document */
    struct error *err;
    bool any_chassis;
};

/* Where a link of a document leads: a path on the same server, or "". */
static void path_of(const struct cJSON *link, char path[OUTSIDE_TEXT_SIZE])
{
    const char *text = json_text_of(link, "@odata.id");

    path[0] = '\0';
    if (text[0] == '/' && strlen(text) < OUTSIDE_TEXT_SIZE)
        text_copy(path, OUTSIDE_TEXT_SIZE, text);
}

static bool get(const struct redfish_search *search, const char *path)
{
    const char *base = search->meter->redfish;
    size_t length = strlen(base);
    char address[ADDRESS_SIZE];

    while (length && base[length - 1] == '/')
        length--;
    snprintf(address, sizeof address, "%.*s%s", (int)length, base, path);
    http_close(search->answer);
    return outside_get(search->meter, address, search->answer, search->err);
}

static struct cJSON *get_document(const struct redfish_search *search, const char *path)
{
    return get(search, path) ? json_parse(search->answer->body ? search->answer->body : "", path, search->err) : NULL;
}

static bool tells_power(const struct redfish_search *search)
{
    struct poller_answer answer = { .error = 0 };

    return search->answer->body && outside_understand(search->meter, 0, search->answer->body, &answer) != EBADMSG;
}

/* The newer resource first; true: the answer tells a power, and the next question goes there at once. */
static bool find_in(const struct redfish_search *search, const struct cJSON *chassis)
{
    static const char *const resources[] = { "EnvironmentMetrics", "Power" };
    char path[OUTSIDE_TEXT_SIZE];

    for (size_t i = 0; i < sizeof resources / sizeof resources[0]; i++) {
        path_of(json_member(chassis, resources[i]), path);
        if (path[0] && get(search, path) && tells_power(search)) {
            text_copy(search->meter->place, OUTSIDE_TEXT_SIZE, path);
            return true;
        }
    }
    return false;
}

static bool is_wanted(const struct redfish_search *search, const char *path)
{
    const char *name = strrchr(path, '/');

    return name && (!search->meter->chassis[0] || strcmp(name + 1, search->meter->chassis) == 0);
}

static bool look_at(struct redfish_search *search, const struct cJSON *link)
{
    char path[OUTSIDE_TEXT_SIZE];
    struct cJSON *chassis;
    bool found;

    path_of(link, path);
    if (!is_wanted(search, path))
        return false;
    search->any_chassis = true;
    chassis = get_document(search, path);
    found = chassis && find_in(search, chassis);
    json_close(chassis);
    return found;
}

static bool fail_search(const struct redfish_search *search)
{
    if (!search->any_chassis && search->meter->chassis[0])
        return error_set(search->err, ERROR_ABSENT, "the controller has no chassis '%.100s'", search->meter->chassis);
    error_set(search->err, ERROR_ABSENT, "no chassis of the controller reports its power");
    return error_why(search->err, "neither EnvironmentMetrics nor Power of Redfish has a reading");
}

static bool discover(struct redfish_search *search)
{
    struct cJSON *list = get_document(search, "/redfish/v1/Chassis");
    const struct cJSON *link = json_first(json_member(list, "Members"));
    bool found = false;

    /* one that gives nothing is passed over; where none does, it is reported */
    for (int looked = 0; link && !found && looked < MAX_CHASSIS; looked++, link = json_next(link))
        found = look_at(search, link);
    if (list && !found && search->err->kind == ERROR_NONE)
        fail_search(search);
    json_close(list);
    return found;
}

bool redfish_get(const struct outside_meter *meter, struct http_answer *answer, struct error *err)
{
    struct redfish_search search = { .meter = meter, .answer = answer, .err = err };

    *answer = (struct http_answer){ .status = 0 };
    if (!meter->place[0])
        return discover(&search);
    if (get(&search, meter->place))
        return true;
    meter->place[0] = '\0'; /* to be searched again */
    return false;
}
