/* SPDX-License-Identifier: MIT
 * A command line put right. */
#include "app/options/typed_line.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* One change of a line. */
struct change {
    const char *place, *better; /* in a word, quoted with the rest of it */
    const char *word, *text;    /* a whole word, and the text as typed; "" nothing */
    bool with_next;
    const char *more;
};

/* As a shell reads it back. "$$" is a shell's own number, and stays. */
static void add_quoted(struct text *line, const char *word, size_t length)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

    if ((length && strspn(word, safe) >= length) || (length == 2 && strncmp(word, "$$", 2) == 0)) {
        text_add_bytes(line, word, length);
        return;
    }
    text_add(line, "'");
    for (size_t i = 0; i < length; i++)
        text_add(line, word[i] == '\'' ? "'\\''" : "%c", word[i]);
    text_add(line, "'");
}

static void add_word(struct text *line, const char *word, const struct change *change)
{
    const size_t length = strlen(word);
    struct text changed;

    text_add(line, " ");
    if (!change->place || change->place < word || change->place > word + length) {
        add_quoted(line, word, length);
        return;
    }
    text_open(&changed, sizeof((struct error *)NULL)->fix);
    text_add_bytes(&changed, word, (size_t)(change->place - word));
    text_add(&changed, "%s", change->better);
    if (text_ok(&changed) && changed.data)
        add_quoted(line, changed.data, changed.length);
    text_close(&changed);
}

static void add_more(struct text *line, const struct change *change, bool *added)
{
    if (change->more && !*added)
        text_add(line, " %s", change->more);
    *added = true;
}

static void add_words(struct text *line, const struct typed_line *typed, const struct change *change)
{
    bool added = false;

    for (int i = 0; i < typed->count; i++) {
        const char *word = typed->words[i];

        if (i && (word == typed->first_operand || strcmp(word, "--") == 0))
            add_more(line, change, &added);
        if (word != change->word) {
            add_word(line, word, change);
            continue;
        }
        if (*change->text)
            text_add(line, " %s", change->text);
        i += change->with_next;
    }
    add_more(line, change, &added);
}

static bool set_fix(const struct typed_line *typed, const struct change *change, struct error *err)
{
    struct text line;

    if (!err || !typed->count)
        return false;
    text_open(&line, sizeof err->fix);
    text_add(&line, "carbon");
    add_words(&line, typed, change);
    if (text_ok(&line) && line.length < sizeof err->fix)
        error_fix(err, "%s", line.data);
    text_close(&line);
    return false;
}

bool typed_line_replaced(const struct typed_line *typed, const char *place, const char *better, struct error *err)
{
    return set_fix(typed, &(struct change){ .place = place, .better = better }, err);
}

bool typed_line_rewritten(const struct typed_line *typed, const char *word, bool with_next, const char *text,
                          struct error *err)
{
    return set_fix(typed, &(struct change){ .word = word, .with_next = with_next, .text = text }, err);
}

bool typed_line_added(const struct typed_line *typed, const char *more, struct error *err)
{
    return set_fix(typed, &(struct change){ .more = more }, err);
}

const char *typed_line_quoted(const struct typed_line *typed, const struct error *err)
{
    char quoted[sizeof err->what];

    for (int i = 1; i < typed->count; i++) {
        const char *word = typed->words[i], *equals = word[0] == '-' ? strchr(word, '=') : NULL;

        if (snprintf(quoted, sizeof quoted, "'%s'", equals ? equals + 1 : word) < (int)sizeof quoted &&
            strstr(err->what, quoted))
            return equals ? equals + 1 : word;
    }
    return NULL;
}

/* "-z" and "-zFR", of the option "--zone" of the line's command. */
static bool is_short_of(const struct typed_line *typed, const char *word, const char *option, size_t length)
{
    if (word[0] != '-' || word[1] == '-' || !word[1])
        return false;
    for (size_t i = 0; typed->options && typed->options[i]; i++)
        if (typed->options[i]->short_name == word[1] && strlen(typed->options[i]->name) + 2 == length &&
            strncmp(typed->options[i]->name, option + 2, length - 2) == 0)
            return true;
    return false;
}

/* "omit --option[ VALUE]" */
static void omit_option(const struct typed_line *typed, const char *fix, struct error *err)
{
    const char *option = fix + strlen("omit "), *value = strchr(option, ' ');
    const size_t length = value ? (size_t)(value - option) : strlen(option);

    for (int i = 1; i < typed->count && strcmp(typed->words[i], "--") != 0; i++) {
        const char *word = typed->words[i];

        if (is_short_of(typed, word, option, length)) {
            typed_line_rewritten(typed, word, value && !word[2], "", err);
            return;
        }
        if (strncmp(word, option, length) == 0 && (word[length] == '\0' || word[length] == '=')) {
            typed_line_rewritten(typed, word, value && word[length] == '\0', "", err);
            return;
        }
    }
}

void typed_line_complete(const struct typed_line *typed, struct error *err)
{
    const char *quoted;
    const enum error_fix_use use = err->fix_use;
    char fix[sizeof err->fix];

    text_copy(fix, sizeof fix, err->fix);
    if (use == FIX_ADDED)
        typed_line_added(typed, fix, err);
    else if (use == FIX_PROGRAM && typed->first_operand)
        typed_line_rewritten(typed, typed->first_operand, false, fix, err);
    else if (use == FIX_OMITTED)
        omit_option(typed, fix, err);
    else if (use == FIX_INSTEAD && (quoted = typed_line_quoted(typed, err)) && strrchr(fix, ' '))
        typed_line_replaced(typed, quoted, strrchr(fix, ' ') + 1, err);
}
