/* SPDX-License-Identifier: MIT
 * Lists of ranges with their weights (RFC 9110, 12.4.2). */
#include "commands/serve/accept.h"

#include "base/c_locale.h"

#include <math.h>
#include <string.h>

/* The "q=" of one range of such a header, between its end and its beginning; 1 where there is none. */
static double weight_of(const char *range, size_t length)
{
    const char *at = memchr(range, ';', length);

    while (at && at < range + length) {
        at += 1 + strspn(at + 1, " \t");
        if (at + 2 < range + length && c_tolower(at[0]) == 'q' && at[1] == '=')
            return c_strtod(at + 2, NULL);
        at = memchr(at, ';', (size_t)(range + length - at));
    }
    return 1;
}

static bool is_named(const char *range, size_t length, const char *name)
{
    const size_t size = strlen(name);

    return length >= size && c_strncasecmp(range, name, size) == 0 &&
           (length == size || strchr("; \t", range[size]) != NULL);
}

/* OpenMetrics only where it is named, in a version that is written here: a wildcard is a browser or curl. */
enum metric_format metric_format_of(const char *accept)
{
    double open = 0, plain = 0;

    for (size_t length; accept && *accept; accept += length) {
        double weight;
        accept += strspn(accept, ", \t");
        length = strcspn(accept, ",");
        weight = weight_of(accept, length);
        if (is_named(accept, length, "application/openmetrics-text")) {
            const char *version = memmem(accept, length, "version=", 8);
            if ((!version || strncmp(version + 8, "1.0.0", 5) == 0 || strncmp(version + 8, "0.0.1", 5) == 0) &&
                weight > open)
                open = weight;
        } else if ((is_named(accept, length, "text/plain") || is_named(accept, length, "*/*") ||
                    is_named(accept, length, "text/*")) &&
                   weight > plain) {
            plain = weight;
        }
    }
    return open > 0 && open >= plain ? METRIC_OPEN : METRIC_PLAIN;
}

/* What is not named counts as "*" says; the text itself as gladly as can be where nothing says otherwise, and gzip not
 * at all. */
bool accepts_gzip(const char *accept_encoding)
{
    double gzip = NAN, identity = NAN, rest = NAN;

    for (size_t length; accept_encoding && *accept_encoding; accept_encoding += length) {
        double weight;
        accept_encoding += strspn(accept_encoding, ", \t");
        length = strcspn(accept_encoding, ",");
        weight = weight_of(accept_encoding, length);
        if (is_named(accept_encoding, length, "gzip") || is_named(accept_encoding, length, "x-gzip"))
            gzip = fmax(gzip, weight);
        else if (is_named(accept_encoding, length, "identity"))
            identity = weight;
        else if (is_named(accept_encoding, length, "*"))
            rest = weight;
    }
    if (isnan(gzip))
        gzip = isnan(rest) ? 0 : rest;
    return gzip > 0 && !(gzip < identity);
}
