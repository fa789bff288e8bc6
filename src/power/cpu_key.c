/* SPDX-License-Identifier: MIT
 * The name of a processor as a key: the same for every way in which kernels, vendors and lists
 * write it. The steps are those of data/emission_factors/README.md. */
#include "base/c_locale.h"
#include "power/cpu_power.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORDS = 32 };

static bool is_one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(word, *list) != 0)
        list++;
    return *list != NULL;
}

static void replace_all(char *text, const char *from, const char *to)
{
    const size_t from_length = strlen(from), to_length = strlen(to);

    for (char *at; (at = strstr(text, from));) {
        memmove(at + to_length, at + from_length, strlen(at + from_length) + 1);
        memcpy(at, to, to_length);
    }
}

/* Lower case, without trademarks and blanks of other scripts, up to the words that do not belong to the name. */
static void take_name(const char *name, char text[CPU_KEY_SIZE])
{
    static const char *const marks[][2] = {
        { "®", "" },      { "™", "" },          { "(r)", "" },    { "(tm)", "" },   { "(c)", "" },
        { "(ipu)", "" },  { "(oem only)", "" }, { "\u200b", "" }, { "\u200c", "" }, { "\u200d", "" },
        { "\ufeff", "" }, { "\u00a0", " " },    { "\t", " " },    { " -", "-" },    { "- ", "-" },
    };
    static const char *const ends[] = {
        " @ ", " with ", " w/", ",", "radeon", "supporting", "compute cores",
    };

    text_copy(text, CPU_KEY_SIZE, name);
    for (char *at = text; *at; at++)
        *at = c_tolower(*at);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        replace_all(text, marks[i][0], marks[i][1]);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char *end = strstr(text, ends[i]);
        if (end)
            *end = '\0';
    }
}

static bool is_number_word(const char *word)
{
    static const char *const numbers[] = { "dual", "triple", "quad", "six", "eight", "twelve", "sixteen", NULL };

    return is_one_of(word, numbers);
}

/* "64-core", "six-cores" */
static bool is_core_count(const char *word)
{
    const char *hyphen = strchr(word, '-');
    char count[16];

    if (!hyphen || (strcmp(hyphen, "-core") != 0 && strcmp(hyphen, "-cores") != 0) ||
        (size_t)(hyphen - word) >= sizeof count)
        return false;
    snprintf(count, sizeof count, "%.*s", (int)(hyphen - word), word);
    return is_number_word(count) || (*count && strspn(count, "0123456789") == strlen(count));
}

/* "11th", before "gen" */
static bool is_ordinal(const char *word)
{
    static const char *const ends[] = { "st", "nd", "rd", "th", NULL };
    const size_t digits = strspn(word, "0123456789");

    return digits > 0 && is_one_of(word + digits, ends);
}

/* Splits, and omits words that do not belong to the name. */
static size_t take_words(char *text, const char *words[MAX_WORDS])
{
    static const char *const fillers[] = {
        "cpu", "processor", "processors", "apu", "genuine", "soc", "x-series", "extreme", "edition", NULL,
    };
    const char *all[MAX_WORDS + 1];
    size_t all_count = 0, count = 0;

    for (char *word, *rest = text; (word = strsep(&rest, " ")) && all_count < MAX_WORDS;)
        if (*word)
            all[all_count++] = word;
    all[all_count] = "";
    for (size_t i = 0; i < all_count; i++) {
        const char *next = all[i + 1];
        const bool two = (is_ordinal(all[i]) && strcmp(next, "gen") == 0) ||
                         (is_number_word(all[i]) && (strcmp(next, "core") == 0 || strcmp(next, "cores") == 0));
        const bool twice = count == 1 && strcmp(all[i], words[0]) == 0; /* "AMD 7th Gen AMD Athlon" */
        if (two)
            i++;
        else if (!twice && !is_core_count(all[i]) && !is_one_of(all[i], fillers))
            words[count++] = all[i];
    }
    return count;
}

/* "920", "920xm": the part after "i7" and a blank in old names */
static bool is_core_i_number(const char *word)
{
    const size_t digits = strspn(word, "0123456789");

    return digits >= 3 && digits <= 4;
}

static bool is_core_i(const char *word)
{
    return word[0] == 'i' && word[1] && strchr("3579", word[1]) && !word[2];
}

/* "e5-2670" */
static bool is_xeon_e(const char *word)
{
    return word[0] == 'e' && word[1] && strchr("357", word[1]) && word[2] == '-' && c_isdigit(word[3]);
}

/* Where the version of "e5-2660v2" starts, or NULL. */
static const char *xeon_version(const char *word)
{
    const char *v = is_xeon_e(word) ? strrchr(word, 'v') : NULL;

    return v && v[1] && strspn(v + 1, "0123456789") == strlen(v + 1) ? v : NULL;
}

const char *cpu_match_key(const char *name, char key[CPU_KEY_SIZE])
{
    char text[CPU_KEY_SIZE];
    const char *words[MAX_WORDS];
    size_t length = 0;

    take_name(name, text);
    const size_t count = take_words(text, words);
    key[0] = '\0';
    for (size_t i = 0; i < count && length < CPU_KEY_SIZE; i++) {
        const char *word = words[i], *before = i > 0 ? words[i - 1] : "", *next = i + 1 < count ? words[i + 1] : "";
        const char *version = xeon_version(word);
        const bool core2 = strcmp(before, "core") == 0 && strcmp(word, "2") == 0;
        const char *joint = i == 0 || core2 || strcmp(word, "ghz") == 0 ? "" : " ";
        char *at = key + length;
        const size_t size = CPU_KEY_SIZE - length;

        if (is_core_i(before) && is_core_i_number(word))
            length += (size_t)snprintf(at, size, "-%s", word);
        else if (is_core_i(before) && c_isalpha(word[0]) && !word[1] && is_core_i_number(next))
            length += (size_t)snprintf(at, size, "-%s%s", words[++i], word);
        else if (version)
            length += (size_t)snprintf(at, size, "%s%.*s %s", joint, (int)(version - word), word, version);
        else if (!(is_xeon_e(before) && strcmp(word, "0") == 0))
            length += (size_t)snprintf(at, size, "%s%s", joint, word);
    }
    return key;
}
