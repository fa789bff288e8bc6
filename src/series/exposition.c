/* SPDX-License-Identifier: MIT
 * Reads the text of an exporter line by line, in a copy of its own in which texts are ended and unescaped in place. */
#include "series/exposition.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS_PER_S 1e3

/* The line that is read. */
struct exposition_reading {
    struct exposition *exposition;
    struct series_builder *builder;
    const char *line; /* its beginning */
    size_t number;
    struct series_label labels[SERIES_LABELS_MAX];
    size_t label_count;
};

static bool bad(const struct exposition_reading *reading, const char *at, struct error *err, const char *why)
{
    error_set(err, ERROR_BAD_DATA, "'%.160s' line %zu, column %zu cannot be read", reading->exposition->name,
              reading->number, at ? (size_t)(at - reading->line) + 1 : 1);
    return error_why(err, "%s", why);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static char *skip_blanks(char *at)
{
    while (is_blank(*at))
        at++;
    return at;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}

/* Behind a name, or at where it should have been. */
static char *skip_name(char *at)
{
    if (is_letter(*at))
        while (is_letter(*at) || (*at >= '0' && *at <= '9'))
            at++;
    return at;
}

/* After the quote that ends a text; *value is the text. Other escapes than the three remain unchanged, as in
 * Prometheus. */
static char *read_quoted(const struct exposition_reading *reading, char *at, char **value, struct error *err)
{
    char *from = at + 1, *to = from;

    *value = to;
    for (; *from && *from != '"'; from++) {
        if (*from == '\\' && (from[1] == '\\' || from[1] == '"' || from[1] == 'n'))
            *to++ = *++from == 'n' ? '\n' : *from;
        else
            *to++ = *from;
    }
    if (!*from) {
        bad(reading, at, err, "a quote is not closed");
        return NULL;
    }
    *to = '\0';
    return from + 1;
}

/* One label of the list, or a metric's name in quotes, which Prometheus puts there where it has unusual characters. */
static char *read_label(struct exposition_reading *reading, char *at, char **metric, struct error *err)
{
    const bool quoted = *at == '"';
    char *name = at, *value, *end = quoted ? read_quoted(reading, at, &name, err) : skip_name(at);

    if (!end)
        return NULL;
    at = skip_blanks(end);
    if (quoted && *at != '=' && !*metric) {
        *metric = name;
        return at;
    }
    if (end == name || *at != '=' || *(at = skip_blanks(at + 1)) != '"') {
        bad(reading, at, err, "a label is expected here, as name=\"value\"");
        return NULL;
    }
    if (!quoted)
        *end = '\0';
    at = read_quoted(reading, at, &value, err);
    if (at && reading->label_count == SERIES_LABELS_MAX) {
        bad(reading, at, err, "there are more labels than any metric has");
        return NULL;
    }
    if (at)
        reading->labels[reading->label_count++] = (struct series_label){ name, value };
    return at;
}

/* From behind the brace that begins the list to behind the one that ends it. */
static char *read_labels(struct exposition_reading *reading, char *at, char **metric, struct error *err)
{
    at = skip_blanks(at);
    while (at && *at != '}') {
        at = read_label(reading, at, metric, err);
        if (!at)
            return NULL;
        at = skip_blanks(at);
        if (*at == ',')
            at = skip_blanks(at + 1);
        else if (*at != '}') {
            bad(reading, at, err, *at ? "',' or '}' is expected here" : "the list of labels is not closed");
            return NULL;
        }
    }
    return at ? at + 1 : NULL;
}

/* Behind a number, which ends at a blank or with the line. */
static char *read_number(const struct exposition_reading *reading, char *at, double *number, struct error *err)
{
    static const struct {
        const char *word;
        double value;
    } words[] = { { "nan", NAN }, { "inf", INFINITY }, { "infinity", INFINITY } };
    char *end = at + strcspn(at, " \t");
    const char stored = *end;
    const char *digits = *at == '+' ? at + 1 : at;
    const bool minus = *at == '-';
    bool understood;

    *end = '\0';
    understood = text_to_number(digits, number);
    for (size_t i = 0; i < sizeof words / sizeof words[0] && !understood; i++)
        if (c_strcasecmp(digits + minus, words[i].word) == 0) {
            *number = minus ? -words[i].value : words[i].value;
            understood = true;
        }
    *end = stored;
    if (understood)
        return end;
    bad(reading, at, err, *at ? "a number is expected here" : "the value is missing");
    return NULL;
}

/* An exemplar, or (in Prometheus' own text) anything else behind " # ": read only so far as to know it for one. */
static bool read_exemplar(struct exposition_reading *reading, char *at, struct error *err)
{
    const size_t stored = reading->label_count;
    char *metric = NULL;
    double number;

    at = skip_blanks(at + 1);
    if (*at != '{')
        return bad(reading, at, err, "an exemplar begins with '{'");
    at = read_labels(reading, at + 1, &metric, err);
    reading->label_count = stored;
    at = at ? read_number(reading, skip_blanks(at), &number, err) : NULL;
    if (at && *(at = skip_blanks(at)))
        at = read_number(reading, at, &number, err);
    return at && (!*skip_blanks(at) || bad(reading, at, err, "nothing is expected behind an exemplar"));
}

/* After the labels: the value, a time, an exemplar. */
static bool read_rest(struct exposition_reading *reading, char *at, double *value, double *time_s, struct error *err)
{
    struct exposition *exposition = reading->exposition;
    double number;

    *time_s = exposition->time_s;
    at = read_number(reading, skip_blanks(at), value, err);
    if (!at)
        return false;
    at = skip_blanks(at);
    if (*at && *at != '#') {
        char *time = at;
        at = read_number(reading, at, &number, err);
        if (!at)
            return false;
        number = exposition->open_metrics ? number : number / MS_PER_S;
        if (!series_time_is(number))
            return bad(reading, time, err, "not a time");
        exposition->timestamped++;
        if (exposition->timestamps)
            *time_s = number;
        at = skip_blanks(at);
    }
    if (*at == '#')
        return read_exemplar(reading, at, err);
    return !*at || bad(reading, at, err, "nothing is expected behind the time");
}

/* Behind the metric's name and its labels. */
static char *read_who(struct exposition_reading *reading, char *at, char **metric, struct error *err)
{
    char *end = skip_name(at), *behind = skip_blanks(end), *name = at;
    const bool named = end > at;

    *metric = named ? name : NULL;
    reading->label_count = 0;
    if (*behind != '{' && (!named || behind == end)) {
        bad(reading, end, err, named ? "'{' or a blank is expected here" : "the name of a metric is expected here");
        return NULL;
    }
    at = *behind == '{' ? read_labels(reading, behind + 1, metric, err) : behind;
    if (named)
        *end = '\0';
    if (at && !*metric)
        bad(reading, behind, err, "no metric is named");
    return *metric ? at : NULL;
}

static bool read_sample(struct exposition_reading *reading, char *line, struct error *err)
{
    struct error why;
    double value, time_s;
    char *metric, *at = read_who(reading, line, &metric, err);
    size_t index;

    if (!at || !read_rest(reading, at, &value, &time_s, err))
        return false;
    reading->exposition->samples++;
    if (series_builder_get(reading->builder, metric, reading->labels, reading->label_count, &index, &why) &&
        series_builder_add(reading->builder, index, time_s, value, &why))
        return true;
    if (why.kind == ERROR_BAD_DATA)
        return bad(reading, line, err, why.what);
    *err = why;
    return false;
}

/* HELP, TYPE and UNIT name a metric; any other line with a # is a remark. */
static bool read_comment(const struct exposition_reading *reading, char *at, struct error *err)
{
    static const char *const types[] = {
        "counter", "gauge", "histogram", "gaugehistogram", "summary", "untyped", "unknown", "info", "stateset", NULL,
    };
    const bool type = strncmp(at, "TYPE", 4) == 0;
    char *name, *end;
    size_t i = 0;

    if ((!type && strncmp(at, "HELP", 4) != 0 && strncmp(at, "UNIT", 4) != 0) || !is_blank(at[4]))
        return true;
    at = skip_blanks(at + 4);
    end = *at == '"' ? read_quoted(reading, at, &name, err) : skip_name(at);
    if (!end)
        return false;
    if (end == at || (*end && !is_blank(*end)))
        return bad(reading, at, err, "the name of a metric is expected here");
    if (!type)
        return true;
    at = skip_blanks(end);
    at[strcspn(at, " \t")] = '\0';
    while (types[i] && strcmp(types[i], at) != 0)
        i++;
    return types[i] || bad(reading, at, err, "not a metric type");
}

/* end: where its line feed stood. */
static bool read_line(struct exposition_reading *reading, char *line, char *end, bool cut, struct error *err)
{
    char *at;

    *end = '\0';
    reading->line = line;
    reading->number++;
    if (strlen(line) < (size_t)(end - line))
        return bad(reading, line + strlen(line), err, "it has a NUL byte: not text");
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    at = skip_blanks(line);
    if (*at == '#')
        return read_comment(reading, skip_blanks(at + 1), err);
    if (*at && cut)
        return bad(reading, end, err, "the last line has no end: the text was cut off");
    return !*at || read_sample(reading, at, err);
}

/* Whether its last line is "# EOF", and where that begins. */
static char *eof_of(char *text, size_t length)
{
    static const char eof[] = "# EOF";

    while (length > 0 && strchr("\r\n", text[length - 1]))
        length--;
    if (length < sizeof eof - 1 || memcmp(text + length - (sizeof eof - 1), eof, sizeof eof - 1) != 0)
        return NULL;
    text += length - (sizeof eof - 1);
    return text;
}

bool exposition_read(const char *text, size_t length, struct exposition *exposition, struct series_builder *builder,
                     struct error *err)
{
    struct exposition_reading reading = { .exposition = exposition, .builder = builder };
    AUTO_FREE char *copy = length <= EXPOSITION_MAX ? malloc(length + 1) : NULL;
    char *eof;

    if (length > EXPOSITION_MAX)
        return error_set(err, ERROR_BAD_DATA, "'%.160s' is longer than %d MiB", exposition->name, EXPOSITION_MAX >> 20);
    if (!copy)
        return error_set(err, ERROR_SYSTEM, "no memory for '%.160s'", exposition->name);
    memcpy(copy, text, length);
    copy[length] = '\0';
    eof = eof_of(copy, length);
    exposition->samples = exposition->timestamped = 0;
    exposition->open_metrics = eof && (eof == copy || eof[-1] == '\n');
    for (char *line = copy, *end; line < copy + length; line = end + 1) {
        char *feed = memchr(line, '\n', length - (size_t)(line - copy));
        end = feed ? feed : copy + length;
        if (!read_line(&reading, line, end, !feed, err))
            return false;
    }
    return true;
}
