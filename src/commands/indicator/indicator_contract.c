/* SPDX-License-Identifier: MIT
 * Whether an output keeps to the contract of performance indicators. */
#include "commands/indicator/indicator_contract.h"

#include "base/auto.h"
#include "base/utf8.h"

#include <string.h>

const char *const contract_added[] = {
    "usage", "exit_code", "script_sha256", "start_datetime", "end_datetime", "@energy", "@carbon", NULL,
};

const char *const contract_usage[] = {
    "ru_utime",  "ru_stime",    "ru_maxrss", "ru_ixrss",   "ru_idrss",   "ru_isrss",
    "ru_minflt", "ru_majflt",   "ru_nswap",  "ru_inblock", "ru_oublock", "ru_msgsnd",
    "ru_msgrcv", "ru_nsignals", "ru_nvcsw",  "ru_nivcsw",  NULL,
};

static bool has_kind(const struct scan *scan, uint32_t node, enum scan_kind kind, const char *key, const char *wanted,
                     struct fault *fault)
{
    const struct json_span *member = scan_span(scan, node);

    if (member->kind == kind)
        return true;
    return fault_at(fault, FAULT_WRONG_TYPE, scan->text, member->start, "", "'%s' of the output is not %s", key,
                    wanted);
}

static bool missing(const struct scan *scan, uint32_t object, const char *what, struct fault *fault)
{
    return fault_at(fault, FAULT_MISSING_KEY, scan->text, scan_span(scan, object)->start,
                    "the object that begins there lacks it", "the output has no %s", what);
}

static bool check_names(const struct scan *scan, uint32_t object, const struct indicator *indicator,
                        struct fault *fault)
{
    if (!indicator->name)
        return missing(scan, object, "'name'", fault);
    if (!has_kind(scan, indicator->name, SCAN_TEXT, "name", "a text", fault))
        return false;
    if (!indicator->component && !indicator->framework)
        return missing(scan, object, "'component', and no 'framework', as that was called before", fault);
    return (!indicator->component || has_kind(scan, indicator->component, SCAN_TEXT, "component", "a text", fault)) &&
           (!indicator->framework || has_kind(scan, indicator->framework, SCAN_TEXT, "framework", "a text", fault));
}

/* Nothing is as good as null. */
static bool check_score(const struct scan *scan, struct indicator *indicator, struct fault *fault)
{
    const enum scan_kind kind = indicator->score ? scan_span(scan, indicator->score)->kind : SCAN_NULL;

    return kind == SCAN_NULL || kind == SCAN_NAN ||
           has_kind(scan, indicator->score, SCAN_NUMBER, "overall_score", "a number", fault);
}

static bool check_collisions(const struct scan *scan, const struct indicator *indicator, struct fault *fault)
{
    char shown[80];

    for (uint32_t node = scan_span(scan, indicator->result)->first; node; node = scan_span(scan, node)->next) {
        AUTO_FREE char *key = scan_key(scan, node);

        if (!key || !scan_member(scan, indicator->parameters, key))
            continue;
        utf8_printable(shown, sizeof shown, key);
        return fault_at(fault, FAULT_COLLISION, scan->text, scan_span(scan, node)->key_start,
                        "a row of a table has a column for each", "'%s' is a key of @parameters and of @result", shown);
    }
    return true;
}

static bool check_added(const struct scan *scan, uint32_t object, struct fault *fault)
{
    for (size_t i = 0; contract_added[i]; i++) {
        const uint32_t node = scan_member(scan, object, contract_added[i]);

        if (node)
            return fault_at(fault, FAULT_RESERVED_KEY, scan->text, scan_span(scan, node)->key_start,
                            "it would be there twice", "the output has '%s', which carbon adds", contract_added[i]);
    }
    return true;
}

static bool check_nan(const struct scan *scan, const struct contract_options *options, struct notices *notices,
                      struct fault *fault)
{
    const struct json_span *node;
    size_t line, column;

    if (!scan->nan_count || options->keeps_nan)
        return true;
    node = scan_span(scan, scan->first_nan);
    if (options->strict)
        return fault_at(fault, FAULT_NAN, scan->text, node->start, "JSON has no such numbers", "the output holds %.*s",
                        (int)(node->end - node->start), scan->text + node->start);
    fault_place(scan->text, node->start, &line, &column);
    notice_add(notices, NOTICE_NOT_UNDERSTOOD, "JSON has no such numbers",
               "--allow-nan keeps them, --strict refuses them",
               "%u of NaN or Infinity in the output became null, the first in line %zu, column %zu", scan->nan_count,
               line, column);
    return true;
}

bool contract_check(const struct scan *scan, const struct contract_options *options, struct indicator *indicator,
                    struct notices *notices, struct fault *fault)
{
    const uint32_t object = options->object;

    *indicator = (struct indicator){ .name = 0 };
    if (scan_span(scan, object)->kind != SCAN_OBJECT)
        return fault_at(fault, FAULT_NO_OBJECT, scan->text, scan_span(scan, object)->start, "",
                        "the output is JSON, but no object");
    *indicator = (struct indicator){
        .name = scan_member(scan, object, "name"),
        .component = scan_member(scan, object, "component"),
        .framework = scan_member(scan, object, "framework"),
        .parameters = scan_member(scan, object, "@parameters"),
        .result = scan_member(scan, object, "@result"),
        .score = scan_member(scan, object, "overall_score"),
    };
    if (!check_names(scan, object, indicator, fault))
        return false;
    if (!indicator->parameters)
        return missing(scan, object, "'@parameters'", fault);
    if (!indicator->result)
        return missing(scan, object, "'@result'", fault);
    return has_kind(scan, indicator->parameters, SCAN_OBJECT, "@parameters", "an object", fault) &&
           has_kind(scan, indicator->result, SCAN_OBJECT, "@result", "an object", fault) &&
           check_score(scan, indicator, fault) && check_collisions(scan, indicator, fault) &&
           (options->added || check_added(scan, object, fault)) && check_nan(scan, options, notices, fault);
}

bool contract_is_amun(const struct scan *scan)
{
    return scan_member(scan, 0, "stdout") && scan_member(scan, 0, "exit_code");
}

/* What Amun puts there where the script has printed nothing, and where it has printed no JSON. */
static bool check_stdout(const struct scan *scan, uint32_t object, struct fault *fault)
{
    const struct json_span *node = scan_span(scan, object);

    if (node->kind == SCAN_OBJECT && !node->count)
        return fault_at(fault, FAULT_EMPTY, scan->text, node->start, "", "the script of this report printed nothing");
    if (node->kind == SCAN_TEXT)
        return fault_at(fault, FAULT_NOT_JSON, scan->text, node->start, "",
                        "the script of this report printed no JSON");
    return true;
}

bool contract_check_amun(const struct scan *scan, uint32_t *object, struct fault *fault)
{
    const uint32_t usage = scan_member(scan, 0, "usage"), status = scan_member(scan, 0, "exit_code"),
                   sum = scan_member(scan, 0, "script_sha256");

    *object = scan_member(scan, 0, "stdout");
    if (!usage)
        return missing(scan, 0, "'usage', as reports of Amun have it", fault);
    if (!has_kind(scan, status, SCAN_NUMBER, "exit_code", "a number", fault) ||
        (sum && !has_kind(scan, sum, SCAN_TEXT, "script_sha256", "a text", fault)))
        return false;
    for (size_t i = 0; contract_usage[i]; i++) {
        const uint32_t node = scan_member(scan, usage, contract_usage[i]);

        if (!node)
            return missing(scan, usage, contract_usage[i], fault);
        if (!has_kind(scan, node, SCAN_NUMBER, contract_usage[i], "a number", fault))
            return false;
    }
    return check_stdout(scan, *object, fault);
}
