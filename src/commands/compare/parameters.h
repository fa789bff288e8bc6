/* SPDX-License-Identifier: MIT
 * Parameters of a command and the values they take in turn: {name} in its words. */
#ifndef COMMANDS_COMPARE_PARAMETERS_H
#define COMMANDS_COMPARE_PARAMETERS_H

#include "app/options/options.h"

enum { PARAMETERS_MOST = 8 };

extern const struct option_spec option_parameter;

struct parameter {
    char *name;
    char **values; /* NULL-ended, within one text of their own */
    size_t count;
    char *store;
};

struct parameters {
    struct parameter items[PARAMETERS_MOST];
    size_t count;
};

/* Texts, NULL-ended: "name=v1,v2" or, of two words, "name" and "v1,v2". Given to parameters_close, after a failure
 * too. */
bool parameters_read(struct parameters *parameters, const char *const *texts, struct error *err) MUST_CHECK;
void parameters_close(struct parameters *parameters);

/* Each of them stands somewhere in the words. */
bool parameters_check(const struct parameters *parameters, char *const *words, struct error *err) MUST_CHECK;

/* How many combinations there are, or some number above `most`; the last parameter changes fastest. */
size_t parameters_product(const struct parameters *parameters, size_t most);

/* Of combination i: "size=1, mode=fast", and the words with its values; other braces are left as they are. Both are
 * freed by the caller; NULL: no memory. */
char *parameters_name(const struct parameters *parameters, size_t i);
char **parameters_fill(const struct parameters *parameters, size_t i, char *const *words);

#endif
