/* SPDX-License-Identifier: MIT
 * Shell quoting. */
#include "form/shell.h"

#include "base/redact.h"
#include "form/utf8.h"

#include <stdlib.h>
#include <string.h>

static bool needs_escapes(const char *word)
{
    for (size_t length; *word; word += length) {
        length = utf8_length(word);
        if (!utf8_is_shown(word, length))
            return true;
    }
    return false;
}

static void add_escaped(const char *word, struct text *text)
{
    text_add(text, "$'");
    for (size_t length; *word; word += length) {
        length = utf8_length(word);
        if (!utf8_is_shown(word, length)) {
            length = 1;
            if (*word == '\n' || *word == '\t')
                text_add(text, *word == '\n' ? "\\n" : "\\t");
            else
                text_add(text, "\\x%02x", (unsigned char)*word);
        } else if (*word == '\'' || *word == '\\') {
            text_add(text, "\\%c", *word);
        } else {
            text_add(text, "%.*s", (int)length, word);
        }
    }
    text_add(text, "'");
}

static void add_quoted(const char *word, struct text *text)
{
    text_add(text, "'");
    for (; *word; word++)
        text_add(text, *word == '\'' ? "'\\''" : "%c", *word);
    text_add(text, "'");
}

void shell_command(char *const *argv, struct text *text)
{
    /* "a=b" is a word, but in the command's place it would be an assignment */
    static const char plain[] = "=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-";

    for (size_t i = 0; argv[i]; i++) {
        char *copy;
        const char *word = redacted(argv[i], &copy);
        text_add(text, "%s", i ? " " : "");
        if (needs_escapes(word))
            add_escaped(word, text);
        else if (*word && !word[strspn(word, i ? plain : plain + 1)])
            text_add(text, "%s", word);
        else
            add_quoted(word, text);
        free(copy);
    }
}
