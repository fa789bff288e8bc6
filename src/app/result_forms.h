/* SPDX-License-Identifier: MIT
 * The forms of a result that --json and --csv ask for, one after the other:
 *
 *     struct result_forms forms = { .settings = settings };
 *
 *     RESULT_FORMS_WRITE(forms, x_json, x_csv, x, err);
 *
 * Standard output holds one form: the text, unless another was requested there.
 *
 * Used in 4 commands. Begin with result_forms_next(). */
#ifndef APP_RESULT_FORMS_H
#define APP_RESULT_FORMS_H

#include "app/options/options.h"
#include "form/output.h"

struct result_forms {
    const struct settings *settings;
    bool is_json; /* else CSV */
    FILE *out;    /* where it goes */
    bool failed;
    bool any;       /* any was requested */
    bool on_stdout; /* one of them is there: the text is not */
    size_t tried;
    struct output output;
};

/* Opens the next; false: there is none, or forms->failed. */
bool result_forms_next(struct result_forms *forms, struct error *err) MUST_CHECK;
void result_forms_end(struct result_forms *forms, bool written, struct error *err);

/* Each of them, of one object, by functions that take (object, out, err). */
#define RESULT_FORMS_WRITE(forms, json, csv, of, err)                                                                  \
    while (result_forms_next(&(forms), err))                                                                           \
    result_forms_end(&(forms), (forms).is_json ? json(of, (forms).out, err) : csv(of, (forms).out, err), err)

#endif
