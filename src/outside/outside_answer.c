/* SPDX-License-Identifier: MIT
 * The number in what a meter answers. */
#include "outside/outside.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "io/json_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_SIZE = 64 };

/* The member of an object, or the element of an array whose number the key is. */
static const struct cJSON *step_into(const struct cJSON *node, const char *key)
{
    uint64_t index;

    if (!json_is_array(node))
        return json_member(node, key);
    if (!text_to_u64(key, &index))
        return NULL;
    node = json_first(node);
    while (node && index--)
        node = json_next(node);
    return node;
}

static const struct cJSON *find_member(const struct cJSON *node, const char *field)
{
    char key[OUTSIDE_TEXT_SIZE];

    while (node && *field) {
        const size_t length = strcspn(field, ".");

        snprintf(key, sizeof key, "%.*s", (int)length, field);
        node = step_into(node, key);
        field += length + (field[length] == '.');
    }
    return node;
}

/* Where Redfish has a power: of a chassis' EnvironmentMetrics, and of its older Power. */
static const struct cJSON *find_redfish(const struct cJSON *document)
{
    const struct cJSON *item = find_member(document, "PowerWatts.Reading");

    return item ? item : find_member(document, "PowerControl.0.PowerConsumedWatts");
}

/* The number's text at a place in a JSON document; many services tell numbers as texts. */
static bool text_at(const struct outside_meter *meter, const char *text, char value[NUMBER_SIZE],
                    struct poller_answer *answer)
{
    struct error err;
    struct cJSON *document = json_parse(text, "its answer", &err);
    const struct cJSON *item = meter->redfish[0] ? find_redfish(document) : find_member(document, meter->field);
    char number[TEXT_NUMBER_SIZE];

    value[0] = '\0';
    if (!document)
        snprintf(answer->words, sizeof answer->words, "its answer is no JSON: %.150s", err.why);
    else if (json_kind(item) == JSON_NUMBER)
        text_copy(value, NUMBER_SIZE, text_number(json_number(item), number));
    else if (json_kind(item) == JSON_TEXT)
        text_copy(value, NUMBER_SIZE, json_text(item));
    else
        snprintf(answer->words, sizeof answer->words, "'%.100s' in its answer is not a number",
                 meter->redfish[0] ? "PowerWatts.Reading" : meter->field);
    if (document && json_kind(item) == JSON_TEXT)
        snprintf(answer->words, sizeof answer->words, "it says '%.60s'", value);
    json_close(document);
    return value[0] != '\0';
}

/* One in the last digit that is reported: 0.01 of "55.20", 0 where it is reported in another form. */
static double step_of(const char *number)
{
    const char *point = strchr(number, '.');

    if (strpbrk(number, "eE"))
        return 0;
    return point ? pow(10, -(double)strlen(point + 1)) : 1;
}

/* "55.2", "55.2 W", "55.2W and what else is said" */
static bool number_of(const struct outside_meter *meter, const char *text, struct poller_answer *answer)
{
    const char *unit = meter->named.unit, *rest;
    char number[NUMBER_SIZE];
    size_t length;

    text += strspn(text, " \t\r\n");
    length = strspn(text, "+-.0123456789eE");
    if (length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    rest = text + length + strspn(text + length, " \t\r\n");
    if (strncmp(rest, unit, strlen(unit)) == 0 && !c_isalnum((unsigned char)rest[strlen(unit)]))
        rest = "";
    if (*rest || !text_to_number(number, &answer->value))
        return false;
    answer->step = step_of(number);
    return true;
}

/* The process that asked ended with this: of a file an errno, of a command its status; else its words say what. */
static int failure(const struct outside_meter *meter, int status, struct poller_answer *answer)
{
    char words[sizeof answer->words];

    if (meter->file[0]) {
        answer->words[0] = '\0';
        return status;
    }
    if (meter->command[0]) {
        text_copy(words, sizeof words, answer->words);
        snprintf(answer->words, sizeof answer->words, "its exit status is %d%s%.150s", status, words[0] ? ": " : "",
                 words);
    }
    return EREMOTEIO;
}

int outside_understand(const void *context, int status, const char *text, struct poller_answer *answer)
{
    const struct outside_meter *meter = context;
    const bool json = meter->field[0] || meter->redfish[0];
    char value[NUMBER_SIZE], words[sizeof answer->words];

    if (status)
        return failure(meter, status, answer);
    if (json && !text_at(meter, text, value, answer))
        return EBADMSG;
    if (number_of(meter, json ? value : text, answer))
        return named_meter_doubts(&meter->named, answer->value);
    if (!json && answer->words[0]) {
        text_copy(words, sizeof words, answer->words);
        snprintf(answer->words, sizeof answer->words, "it says '%.150s'", words);
    }
    return EBADMSG;
}
