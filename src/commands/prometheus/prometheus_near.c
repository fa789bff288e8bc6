/* SPDX-License-Identifier: MIT
 * Similar names: those with the same stem, or with what was typed in them, or the nearest. */
#include "commands/prometheus/prometheus_near.h"

#include "app/options/options.h"
#include "base/near.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_LISTED = 5 };

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The values of a label, each once, NULL-ended; of those series whose other label is this, where it is not NULL. NULL:
 * no memory. Freed by the caller. */
static const char **values_of(const struct series_set *set, const char *label, const char *other, const char *wanted)
{
    const char **values = calloc(set->count + 1, sizeof *values);
    size_t count = 0, stored = 0;

    for (size_t i = 0; values && i < set->count; i++) {
        const char *value = series_label_of(&set->items[i], label);
        const char *whose = wanted ? series_label_of(&set->items[i], other) : NULL;
        if (value && (!wanted || (whose && strcmp(whose, wanted) == 0)))
            values[count++] = value;
    }
    if (!count)
        return values;
    qsort(values, count, sizeof *values, by_text);
    for (size_t i = 0; i < count; i++)
        if (stored == 0 || strcmp(values[stored - 1], values[i]) != 0)
            values[stored++] = values[i];
    values[stored] = NULL;
    return values;
}

/* Pods of one deployment differ in what stands behind the last dashes. */
static bool is_like(const char *value, const char *typed)
{
    const char *dash = strrchr(typed, '-');
    const size_t stem = dash ? (size_t)(dash - typed) : strlen(typed);

    return strstr(value, typed) || (stem >= 3 && strncmp(value, typed, stem) == 0);
}

static void add_name(struct error *err, size_t *reported, const char *name)
{
    const size_t length = strlen(err->fix);
    char shown[80];

    utf8_printable(shown, sizeof shown, name);
    snprintf(err->fix + length, sizeof err->fix - length, "%s'%s'", *reported ? ", " : "", shown);
    ++*reported;
}

/* Those that are alike; where there are none, the nearest; else the first. */
static void add_names(struct error *err, const char *const *names, const char *typed)
{
    const char *nearest = typed ? near_of(typed, names) : NULL;
    size_t reported = 0;

    for (size_t i = 0; typed && names[i] && reported < NAMES_LISTED; i++)
        if (is_like(names[i], typed))
            add_name(err, &reported, names[i]);
    if (!reported && nearest)
        add_name(err, &reported, nearest);
    const bool none = reported == 0;
    for (size_t i = 0; none && names[i] && reported < NAMES_LISTED; i++)
        add_name(err, &reported, names[i]);
}

void prometheus_near(const struct series_set *pods, const char *namespace_label, const char *pod_label,
                     const char *namespace, const char *pod, struct error *err)
{
    const char **namespaces = values_of(pods, namespace_label, NULL, NULL);
    const char **names = values_of(pods, pod_label, namespace_label, namespace);
    const bool other = namespace && names && !names[0];

    if (!namespaces || !names) {
        error_fix(err, "no memory for the list");
    } else if (!namespaces[0] && !names[0]) {
        error_fix(err, "no pod has such metrics in this period: check the exporter and the period");
    } else {
        error_fix(err, "%s with them: ", other ? "namespaces" : "pods");
        add_names(err, other ? namespaces : names, other ? namespace : pod);
    }
    free(namespaces);
    free(names);
}
