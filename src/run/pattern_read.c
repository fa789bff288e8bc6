/* SPDX-License-Identifier: MIT
 * The text of an expression, read into the program that it becomes. */
#include "run/pattern_program.h"

#include <string.h>

static void add(struct byte_set *set, unsigned char byte)
{
    set->bits[byte / 8] |= (uint8_t)(1 << byte % 8);
}

static void turn(struct byte_set *set)
{
    for (size_t i = 0; i < sizeof set->bits; i++)
        set->bits[i] = (uint8_t)~set->bits[i];
}

/* Reading. What is read goes into the program at once; a repeat copies what it repeats. */
struct pattern_read_reading {
    struct pattern *pattern;
    const char *at, *begin;
    int groups, depth;
    struct error *err;
};

static bool wrong(const struct pattern_read_reading *reading, const char *why)
{
    error_set(reading->err, ERROR_USAGE, "not an extended regular expression: %s, at byte %zu", why,
              (size_t)(reading->at - reading->begin) + 1);
    return error_fix(reading->err, "regex(7) has the rules, but for back-references");
}

static bool too_much(const struct pattern_read_reading *reading)
{
    error_set(reading->err, ERROR_USAGE, "it comes to more than %d steps", PATTERN_STEPS_MAX);
    return error_fix(reading->err, "repeat less of it");
}

static bool emit(struct pattern_read_reading *reading, struct instruction instruction)
{
    struct pattern *pattern = reading->pattern;

    if (pattern->count == PATTERN_STEPS_MAX)
        return too_much(reading);
    pattern->program[pattern->count++] = instruction;
    return true;
}

/* Makes room for one at `at`, which those behind move for; jumps into what moved go with it. */
static bool insert(struct pattern_read_reading *reading, int at, struct instruction instruction)
{
    struct pattern *pattern = reading->pattern;

    if (!emit(reading, instruction))
        return false;
    memmove(&pattern->program[at + 1], &pattern->program[at],
            (size_t)(pattern->count - 1 - at) * sizeof pattern->program[0]);
    pattern->program[at] = instruction;
    for (int i = at + 1; i < pattern->count; i++)
        if (pattern->program[i].operation == GO || pattern->program[i].operation == SPLIT) {
            pattern->program[i].to++;
            pattern->program[i].other++;
        }
    return true;
}

/* Once more what lies from `from` to `end`, at the end. */
static bool copy(struct pattern_read_reading *reading, int from, int end)
{
    const int distance = reading->pattern->count - from;

    for (int i = from; i < end; i++) {
        struct instruction instruction = reading->pattern->program[i];
        if (instruction.operation == GO || instruction.operation == SPLIT) {
            instruction.to += distance;
            instruction.other += distance;
        }
        if (!emit(reading, instruction))
            return false;
    }
    return true;
}

static bool class_of(const char *name, size_t length, struct byte_set *set)
{
    static const char *const names[] = { "alpha", "digit", "alnum", "upper", "lower", "space",
                                         "blank", "punct", "print", "graph", "cntrl", "xdigit" };
    size_t which = 0;

    while (which < sizeof names / sizeof names[0] &&
           !(strlen(names[which]) == length && strncmp(names[which], name, length) == 0))
        which++;
    for (unsigned byte = 1; byte < 0x80 && which < sizeof names / sizeof names[0]; byte++) {
        const bool upper = byte >= 'A' && byte <= 'Z', lower = byte >= 'a' && byte <= 'z';
        const bool digit = byte >= '0' && byte <= '9', graph = byte > ' ' && byte < 0x7f;
        const bool hexadecimal = digit || (byte >= 'A' && byte <= 'F') || (byte >= 'a' && byte <= 'f');
        const bool is[] = { upper || lower,
                            digit,
                            upper || lower || digit,
                            upper,
                            lower,
                            byte == ' ' || (byte >= '\t' && byte <= '\r'),
                            byte == ' ' || byte == '\t',
                            graph && !upper && !lower && !digit,
                            graph || byte == ' ',
                            graph,
                            byte < ' ' || byte == 0x7f,
                            hexadecimal };
        if (is[which])
            add(set, (unsigned char)byte);
    }
    return which < sizeof names / sizeof names[0];
}

/* Behind the bracket. */
static bool read_set(struct pattern_read_reading *reading, struct byte_set *set)
{
    const bool turned = *reading->at == '^';
    const char *first = reading->at += turned;

    for (; *reading->at != ']' || reading->at == first;) {
        const unsigned char low = (unsigned char)*reading->at;
        const char *end;
        unsigned char high = low;

        if (!low)
            return wrong(reading, "a bracket is open");
        if (low == '[' && reading->at[1] && strchr(":.=", reading->at[1])) {
            end = reading->at[1] == ':' ? strstr(reading->at + 2, ":]") : NULL;
            if (!end || !class_of(reading->at + 2, (size_t)(end - reading->at - 2), set))
                return wrong(reading, "no such character class");
            reading->at = end + 2;
            continue;
        }
        if (reading->at[1] == '-' && reading->at[2] && reading->at[2] != ']') {
            high = (unsigned char)reading->at[2];
            reading->at += 2;
        }
        if (high < low)
            return wrong(reading, "a range runs backwards");
        for (unsigned byte = low; byte <= high; byte++)
            add(set, (unsigned char)byte);
        reading->at++;
    }
    reading->at++;
    if (turned)
        turn(set);
    return true;
}

static bool emit_byte(struct pattern_read_reading *reading, unsigned char byte)
{
    struct instruction take = { .operation = TAKE };

    add(&take.set, byte);
    return emit(reading, take);
}

/* Behind the backslash. */
static bool read_escape(struct pattern_read_reading *reading)
{
    const char sign = *reading->at;
    struct instruction take = { .operation = TAKE };

    if (!sign)
        return wrong(reading, "a backslash is at its end");
    if (sign >= '1' && sign <= '9')
        return wrong(reading, "a back-reference");
    reading->at++;
    switch (sign) {
    case 'b': return emit(reading, (struct instruction){ .operation = WORD });
    case 'B': return emit(reading, (struct instruction){ .operation = NO_WORD });
    case '<': return emit(reading, (struct instruction){ .operation = WORD_BEGIN });
    case '>': return emit(reading, (struct instruction){ .operation = WORD_END });
    case 'w':
    case 'W':
    case 's':
    case 'S':
        for (unsigned byte = 1; byte < 0x80; byte++)
            if (c_tolower(sign) == 'w' ? is_word_byte((unsigned char)byte)
                                       : byte == ' ' || (byte >= '\t' && byte <= '\r'))
                add(&take.set, (unsigned char)byte);
        if (sign == 'W' || sign == 'S')
            turn(&take.set);
        return emit(reading, take);
    default: return emit_byte(reading, (unsigned char)sign);
    }
}

static bool read_choice(struct pattern_read_reading *reading);

static bool read_group(struct pattern_read_reading *reading)
{
    const bool first = reading->groups++ == 0;
    bool good;

    if (++reading->depth > 100)
        return wrong(reading, "groups are too deep");
    good = (!first || emit(reading, (struct instruction){ .operation = KEEP, .to = 2 })) && read_choice(reading);
    if (good && *reading->at != ')')
        return wrong(reading, "a group is open");
    reading->depth--;
    reading->at += good;
    return good && (!first || emit(reading, (struct instruction){ .operation = KEEP, .to = 3 }));
}

static bool read_one(struct pattern_read_reading *reading)
{
    struct instruction take = { .operation = TAKE };
    const char sign = *reading->at++;

    switch (sign) {
    case '(': return read_group(reading);
    case '[': return read_set(reading, &take.set) && emit(reading, take);
    case '.': turn(&take.set); return emit(reading, take);
    case '^': return emit(reading, (struct instruction){ .operation = LINE_BEGIN });
    case '$': return emit(reading, (struct instruction){ .operation = LINE_END });
    case '\\': return read_escape(reading);
    case '*':
    case '+':
    case '?': reading->at--; return wrong(reading, "nothing is repeated");
    default: return emit_byte(reading, (unsigned char)sign);
    }
}

static int read_number(struct pattern_read_reading *reading)
{
    int number = -1;

    for (; *reading->at >= '0' && *reading->at <= '9'; reading->at++)
        number = number > 1000 ? number : (number < 0 ? 0 : number) * 10 + (*reading->at - '0');
    return number;
}

/* Behind the brace: {2}, {2,}, {,3}, {2,3}. most -1: any. */
static bool read_bounds(struct pattern_read_reading *reading, int *min, int *max)
{
    *min = read_number(reading);
    if (*reading->at == ',') {
        reading->at++;
        *max = read_number(reading);
        *min = *min < 0 ? 0 : *min;
    } else {
        *max = *min;
    }
    if (*min < 0 || *reading->at != '}')
        return wrong(reading, "a brace does not hold one or two numbers");
    if (*max >= 0 && *max < *min)
        return wrong(reading, "a range runs backwards");
    reading->at++;
    return true;
}

/* What lies from `from` on, so many times. Of "most" each copy may be left out. */
static bool repeat(struct pattern_read_reading *reading, int from, int min, int max)
{
    struct pattern *pattern = reading->pattern;
    const int size = pattern->count - from, end = pattern->count;
    int last = from;

    if (max == 0) {
        pattern->count = from;
        return true;
    }
    for (int i = 1; i < min; i++) {
        last = pattern->count;
        if (!copy(reading, from, end))
            return false;
    }
    if (max < 0 && min > 0) /* once more, and so on */
        return emit(reading, (struct instruction){ .operation = SPLIT, .to = last, .other = pattern->count + 1 });
    if (max < 0)
        return insert(reading, from, (struct instruction){ .operation = SPLIT, .to = from + 1, .other = end + 2 }) &&
               emit(reading, (struct instruction){ .operation = GO, .to = from });
    if (min == 0) {
        if (!insert(reading, from, (struct instruction){ .operation = SPLIT, .to = from + 1, .other = end + 1 }))
            return false;
        from++;
    }
    for (int i = min > 0 ? min : 1; i < max; i++)
        if (!emit(reading, (struct instruction){ .operation = SPLIT,
                                                 .to = pattern->count + 1,
                                                 .other = pattern->count + 1 + size }) ||
            !copy(reading, from, from + size))
            return false;
    return true;
}

static bool read_repeated(struct pattern_read_reading *reading)
{
    const int from = reading->pattern->count;
    bool good = read_one(reading);

    while (good && *reading->at && strchr("*+?{", *reading->at)) {
        const char sign = *reading->at++;
        int min = sign == '+', max = sign == '?' ? 1 : -1;

        good = (sign != '{' || read_bounds(reading, &min, &max)) && repeat(reading, from, min, max);
    }
    return good;
}

static bool read_row(struct pattern_read_reading *reading)
{
    while (*reading->at && *reading->at != '|' && !(*reading->at == ')' && reading->depth))
        if (!read_repeated(reading))
            return false;
    return true;
}

static bool read_choice(struct pattern_read_reading *reading)
{
    struct pattern *pattern = reading->pattern;
    const int from = pattern->count;
    int gap;

    if (!read_row(reading))
        return false;
    if (*reading->at != '|')
        return true;
    reading->at++;
    gap = pattern->count + 2;
    if (!insert(reading, from, (struct instruction){ .operation = SPLIT, .to = from + 1, .other = gap }) ||
        !emit(reading, (struct instruction){ .operation = GO }) || !read_choice(reading))
        return false;
    pattern->program[gap - 1].to = pattern->count;
    return true;
}

bool pattern_read(struct pattern *pattern, const char *text, struct error *err)
{
    struct pattern_read_reading reading = { .pattern = pattern, .at = text, .begin = text, .err = err };

    if (strlen(text) > PATTERN_MAX)
        return error_set(err, ERROR_USAGE, "it has more than %d bytes", PATTERN_MAX);
    return emit(&reading, (struct instruction){ .operation = KEEP, .to = 0 }) && read_choice(&reading) &&
           emit(&reading, (struct instruction){ .operation = KEEP, .to = 1 }) &&
           emit(&reading, (struct instruction){ .operation = FOUND });
}
