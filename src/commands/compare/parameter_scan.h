/* SPDX-License-Identifier: MIT
 * Parameters of a command and the values they take in turn: {name} in its words. Used by cmd_compare.c and
 * candidates.c. Begin with parameter_scan_read(). */
#ifndef COMMANDS_COMPARE_PARAMETER_SCAN_H
#define COMMANDS_COMPARE_PARAMETER_SCAN_H

#include "app/options/options.h"

enum { PARAMETER_SCAN_MAX = 8 };

extern const struct option_spec option_parameter;

struct parameter {
    char *name;
    char **values; /* NULL-ended, within one text of their own */
    size_t count;
    char *store;
};

struct parameter_scan {
    struct parameter items[PARAMETER_SCAN_MAX];
    size_t count;
};

/* Texts, NULL-ended: "name=v1,v2" or, of two words, "name" and "v1,v2". Given to parameter_scan_close, after a failure
 * too. */
bool parameter_scan_read(struct parameter_scan *parameters, const char *const *texts, struct error *err) MUST_CHECK;
void parameter_scan_close(struct parameter_scan *parameters);

/* Each of them stands somewhere in the words. */
bool parameter_scan_check(const struct parameter_scan *parameters, char *const *words, struct error *err) MUST_CHECK;

/* How many combinations there are, or some number above `most`; the last parameter changes fastest. */
size_t parameter_scan_product(const struct parameter_scan *parameters, size_t max);

/* Of combination i: "size=1, mode=fast", and the words with its values; other braces are left as they are. Both are
 * freed by the caller; NULL: no memory. */
char *parameter_scan_name(const struct parameter_scan *parameters, size_t i);
char **parameter_scan_fill(const struct parameter_scan *parameters, size_t i, char *const *words);

#endif
