/* SPDX-License-Identifier: MIT
 * Words of names. */
#include "power/words.h"

#include "base/c_locale.h"

#include <string.h>

#define ENDS " \t(),/;"

struct word {
    const char *at;
    size_t length;
};

/* The next word from here on; its length is 0 behind the last one. */
static struct word next_word(const char *from)
{
    from += strspn(from, ENDS);
    return (struct word){ from, strcspn(from, ENDS) };
}

/* "SXM" is "SXM5", too: a word that ends with a letter may be numbered. */
static bool is_word(struct word word, struct word wanted)
{
    const char *rest = word.at + wanted.length;

    if (word.length < wanted.length || c_strncasecmp(word.at, wanted.at, wanted.length) != 0)
        return false;
    return word.length == wanted.length ||
           (c_isalpha(wanted.at[wanted.length - 1]) && strspn(rest, "0123456789") == word.length - wanted.length);
}

static bool has_word(const char *name, struct word wanted)
{
    for (struct word word = next_word(name); word.length > 0; word = next_word(word.at + word.length))
        if (is_word(word, wanted))
            return true;
    return false;
}

static bool is_grade(struct word word)
{
    static const char *const grades[] = { "pro", "max", "ultra", "max+" };

    for (size_t i = 0; i < sizeof grades / sizeof grades[0]; i++)
        if (word.length == strlen(grades[i]) && c_strncasecmp(word.at, grades[i], word.length) == 0)
            return true;
    return false;
}

size_t words_count(const char *name)
{
    size_t count = 0;

    for (struct word word = next_word(name); word.length > 0; word = next_word(word.at + word.length))
        count++;
    return count;
}

bool words_within(const char *words, const char *name)
{
    size_t count = 0;

    for (struct word word = next_word(words); word.length > 0; word = next_word(word.at + word.length), count++)
        if (!has_word(name, word))
            return false;
    for (struct word word = next_word(name); word.length > 0; word = next_word(word.at + word.length))
        if (is_grade(word) && !has_word(words, word))
            return false;
    return count > 0;
}
