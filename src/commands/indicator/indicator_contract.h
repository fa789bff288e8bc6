/* SPDX-License-Identifier: MIT
 * The contract of a performance indicator: one object with a name, a component (once called framework), @parameters and
 * @result, and no key in both of these. Used by indicator_report.h. Begin with contract_check(). */
#ifndef COMMANDS_INDICATOR_INDICATOR_CONTRACT_H
#define COMMANDS_INDICATOR_INDICATOR_CONTRACT_H

#include "base/notice.h"
#include "commands/indicator/fault.h"
#include "commands/indicator/scan.h"

/* Members of the scan; 0: missing. */
struct indicator {
    uint32_t name, component, framework, parameters, result, score;
};

struct contract_options {
    bool strict;     /* NaN and Infinity are faults */
    bool keeps_nan;  /* NaN and Infinity are kept as they are */
    bool added;      /* the keys that carbon adds may exist: the text has passed through carbon before */
    uint32_t object; /* the object of the indicator: 0, or the member `stdout` of a report of Amun */
};

/* The names that carbon adds to the object, except component and framework; NULL-ended. */
extern const char *const contract_added[];

/* Fills indicator, up to the first fault. */
bool contract_check(const struct scan *scan, const struct contract_options *options, struct indicator *indicator,
                    struct notices *notices, struct fault *fault) MUST_CHECK;

/* A report of Amun: it has the figures next to the output, each of the right type. Its output is `stdout`, checked like
 * any other; *object is its place. */
bool contract_is_amun(const struct scan *scan);
bool contract_check_amun(const struct scan *scan, uint32_t *object, struct fault *fault) MUST_CHECK;

/* The 16 figures of getrusage(2) as Amun names them; NULL-ended. */
extern const char *const contract_usage[];

#endif
