/* SPDX-License-Identifier: MIT
 * Expressions that take bounded time, held against libc's own where that answers. */
#include "run/pattern.h"

#include "unit.h"

#include "base/clock.h"
#include "base/units.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "begin-end" of what is found, "no", or "bad". */
static const char *ours(const char *text, const char *line)
{
    static char found[64];
    struct error err;
    struct pattern *pattern = pattern_open(text, &err);
    size_t begin, end;

    if (!pattern)
        return "bad";
    strcpy(found, "no");
    if (pattern_find(pattern, line, &begin, &end))
        snprintf(found, sizeof found, "%zu-%zu", begin, end);
    pattern_close(pattern);
    return found;
}

START_TEST(expressions_find_what_they_say)
{
    static const struct {
        const char *text, *line;
        const char *found; /* from and to, or not at all */
    } rows[] = {
        { "b", "abc", "1-2" },
        { "^b", "abc", "no" },
        { "c$", "abc", "2-3" },
        { "a|ab|abc", "xabcx", "1-4" },
        { "(a|ab)(c|bcd)", "abcd", "0-1" },
        { "x*", "aaa", "0-0" },
        { "", "aaa", "0-0" },
        { "a+b?", "caab", "1-4" },
        { "[[:digit:]]+", "ab 123", "3-6" },
        { "[^a-c]+", "abcxyz", "3-6" },
        { "[]x]+", "a]x]", "1-4" },
        { "a{2}", "aaaa", "0-2" },
        { "a{2,}", "aaaa", "0-4" },
        { "a{,2}b", "aaab", "1-4" },
        { "(ab){1,2}c", "abababc", "4-6" },
        { "a{0}b", "ab", "1-2" },
        { "\\.", "a.b", "1-2" },
        { "\\bis\\b", "this is", "5-7" },
        { "\\<t", "at t", "3-4" },
        { "\\w+", "- ab_1 -", "2-6" },
        { "(x)|y", "y", "0-1" },
        { "a)", "a)", "0-2" },
        { "(", "a", "bad" },
        { "[a", "a", "bad" },
        { "*a", "a", "bad" },
        { "a{2,1}", "a", "bad" },
        { "a{x}", "a", "bad" },
        { "[b-a]", "a", "bad" },
        { "[[:what:]]", "a", "bad" },
        { "(a)\\1", "aa", "bad" },
        { "a\\", "a", "bad" },
        { "((a{1,50}){1,50}){1,50}", "a", "bad" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(strcmp(ours(rows[i].text, rows[i].line), rows[i].found) == 0, "'%s' in '%s': %s", rows[i].text,
                      rows[i].line, ours(rows[i].text, rows[i].line));
}
END_TEST

/* A line of 4 KiB, and what takes libc seconds, minutes, or all memory. */
START_TEST(no_expression_takes_long)
{
    static const char *const texts[] = {
        "(a*)*b",
        "(a|aa)*b",
        "((a*)*)*b",
        "(a{1,30}){1,30}b",
        "(.*)(.*)(.*)(.*)(.*)b",
        "((b{2,5}(^|ab)|((x*b*.{0,8})*(a*^)|(a|..)?)+){1,8}$x){0,6}$",
        "((a(b{1,3}.{0,4}))+|$($(x?)+|$){0,6})*$$",
        "(^((xb?|($)^)*((b*)|(^a[ab]{0,5}|.+)?a)|[ab]*x){1,5}(x*|^){2,3})*(a?a*){0,4}a+",
        "($^|([ab]*|x(a+[ab].*)+.*)*(([ab]?b*)|(a+)*.?)*){2,8}",
    };
    char line[4096];

    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const uint64_t begun_ns = clock_cpu_ns();

        ck_assert_str_ne(ours(texts[i], line), "bad");
        /* on any machine, and with sanitizers: some 4,000 steps for each of 4,096 bytes at most */
        ck_assert_msg(clock_cpu_ns() - begun_ns < 20 * NS_PER_S_INT, "%s", texts[i]);
    }
}
END_TEST

static void make(char *out, int left)
{
    static const char *const atoms[] = { "a", "b", ".", "[ab]", "x", "^", "$" };
    const int count = 1 + rand() % 3;

    for (int i = 0; i < count; i++) {
        const int quantity = rand() % 8;

        if (left == 0 || rand() % 2) {
            strcat(out, atoms[rand() % 5]);
        } else {
            strcat(out, "(");
            make(out, left - 1);
            if (rand() % 2) {
                strcat(out, "|");
                make(out, left - 1);
            }
            strcat(out, ")");
        }
        if (quantity < 4)
            strcat(out, ((const char *const[]){ "*", "+", "?", "{1,3}" })[quantity]);
    }
}

/* Of random expressions, whether and where the whole is found is as libc says, in time that libc can be given. */
START_TEST(libc_finds_the_same)
{
    int compared = 0;

    srand(23);
    for (int i = 0; i < 3000; i++) {
        char text[2048] = "(", line[16] = "", theirs[64];
        const int length = rand() % 10;
        regmatch_t match[1];
        regex_t libc;

        make(text, 2);
        strcat(text, ")");
        for (int j = 0; j < length; j++)
            line[j] = "aabbx"[rand() % 5];
        if (strlen(text) > 60 || regcomp(&libc, text, REG_EXTENDED) != 0)
            continue;
        /* without groups libc takes no time either */
        if (regexec(&libc, line, 1, match, 0) == 0)
            snprintf(theirs, sizeof theirs, "%d-%d", (int)match[0].rm_so, (int)match[0].rm_eo);
        else
            strcpy(theirs, "no");
        regfree(&libc);
        ck_assert_msg(strcmp(ours(text, line), theirs) == 0, "'%s' in '%s': %s, libc %s", text, line, ours(text, line),
                      theirs);
        compared++;
    }
    ck_assert_int_gt(compared, 1000);
}
END_TEST

UNIT_SUITE("pattern", expressions_find_what_they_say, no_expression_takes_long, libc_finds_the_same)
