/* SPDX-License-Identifier: MIT
 * Documents of settings read into nodes with their places, and what is refused, where. */
#include "unit.h"

#include "base/auto.h"
#include "base/text.h"
#include "io/yaml_read.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void show(struct text *out, const struct yaml_node *node)
{
    if (node->key)
        text_add(out, "%s:", node->key);
    if (node->kind == YAML_TEXT)
        text_add(out, node->null ? "~" : node->quoted ? "'%s'" : "%s", node->text);
    else
        text_add(out, node->kind == YAML_LIST ? "[" : "{");
    for (const struct yaml_node *child = node->first; child; child = child->next) {
        show(out, child);
        if (child->next)
            text_add(out, ",");
    }
    if (node->kind != YAML_TEXT)
        text_add(out, node->kind == YAML_LIST ? "]" : "}");
}

static void check_read(const char *document, const char *expected)
{
    struct error err = { .kind = ERROR_NONE };
    struct yaml yaml;
    struct text out;

    ck_assert_msg(yaml_parse(&yaml, "f.yaml", document, strlen(document), &err), "%s: %s", err.what, err.why);
    text_open(&out, 1 << 20);
    show(&out, yaml.root);
    ck_assert_str_eq(out.data, expected);
    text_close(&out);
    yaml_close(&yaml);
}

/* expected: "line L, column C: WHAT", or what stands in the whole message. */
static void check_bytes(const char *document, size_t length, const char *expected)
{
    struct error err = { .kind = ERROR_NONE };
    struct yaml yaml;
    char all[900];

    ck_assert_msg(!yaml_parse(&yaml, "f.yaml", document, length, &err), "read: %s", document);
    snprintf(all, sizeof all, "%s; %s", err.what, err.why);
    ck_assert_msg(strstr(all, expected), "of <%s>: '%s', not '%s'", document, all, expected);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    yaml_close(&yaml);
}

static void check_refused(const char *document, const char *expected)
{
    check_bytes(document, strlen(document), expected);
}

START_TEST(documents_become_nodes)
{
    check_read("a: 1\nb: [x, 'y', \"z\"]\nc: {d: ~, e: }\n", "{a:1,b:[x,'y','z'],c:{d:~,e:~}}");
    check_read("- a\n- - b\n  - c\n-\n", "[a,[b,c],~]");
    check_read("t: |\n  one\n  two\nf: >-\n  one\n  two\n", "{t:'one\ntwo\n',f:'one two'}");
    check_read("p: one\n  two\nq: null\nr: 'null'\ns: ''\n", "{p:one two,q:~,r:'null',s:''}");
    check_read("#!/bin/bash\nv: 0.4.0 # here\n\n", "{v:0.4.0}");
    check_read("\xef\xbb\xbf"
               "a: \xc3\xa9\r\nb: 2\r\n",
               "{a:\xc3\xa9,b:2}");
    check_read("---\na: \"\\\"x\\\"\"\n...\n", "{a:'\"x\"'}");
    check_read("just text", "just text");
}
END_TEST

START_TEST(placeholders_are_part_of_texts)
{
    check_read("image: ${{A}}\ntag: v${{ B }}-${{C}}${{D}}.x\n", "{image:${{A}},tag:v${{ B }}-${{C}}${{D}}.x}");
    check_read("c: [/bin/sh, ${{X}}, -${{ Y }}]\nd: {a: ${{X}}, b: {c: ${{Z}}}}\n",
               "{c:[/bin/sh,${{X}},-${{ Y }}],d:{a:${{X}},b:{c:${{Z}}}}}");
    check_read("c: [${{A}}, \"${{B}}\", '${{C}}']\n", "{c:[${{A}},'${{B}}','${{C}}']}");
    /* what is no name is YAML's */
    check_read("a: \"${{ x y }}\"\nb: 'awk ${{print}'\n", "{a:'${{ x y }}',b:'awk ${{print}'}");
    check_refused("a: [${{ x, y }}]\n", "line 1");
}
END_TEST

START_TEST(characters_for_private_use_stay)
{
    check_read("\xee\x80\x80: \xee\x80\x81${{A}}\n", "{\xee\x80\x80:\xee\x80\x81${{A}}}");
    check_read("a: \"\\uE000\\uE001 ${{A}}\"\n", "{a:'\xee\x80\x80\xee\x80\x81 ${{A}}'}");
    check_read("a: \"\\U0000E001\"\nb: \xef\xa3\xbf${{A}}\n", "{a:'\xee\x80\x81',b:\xef\xa3\xbf${{A}}}");

    /* with one left there is none for both braces */
    struct text all;
    text_open(&all, 1 << 20);
    text_add(&all, "a: '");
    for (unsigned c = 0xe000; c < 0xf8ff; c++)
        text_add(&all, "%c%c%c", (int)(0xe0 | c >> 12), (int)(0x80 | (c >> 6 & 63)), (int)(0x80 | (c & 63)));
    text_add(&all, "'\n");
    check_refused(all.data, "every character for private use");
    text_close(&all);
}
END_TEST

static void check_place(const struct yaml *yaml, const struct yaml_node *node, size_t line, size_t column,
                        const char *bytes)
{
    ck_assert_uint_eq(node->line, line);
    ck_assert_uint_eq(node->column, column);
    ck_assert_uint_le(node->end, yaml->length);
    ck_assert_msg(strncmp(yaml->text + node->begin, bytes, strlen(bytes)) == 0, "'%.20s'", yaml->text + node->begin);
    if (node->kind == YAML_TEXT || node->flow)
        ck_assert_uint_eq(node->end - node->begin, strlen(bytes));
}

START_TEST(places_are_those_of_the_file)
{
    static const char document[] = "\xef\xbb\xbf"
                                   "\xc3\xa9\xe2\x82\xac: \xf0\x9f\x98\x80x # c\r\n"
                                   "b: {k: ${{A}}, \xc3\xa9: [1, 2]} \r\n"
                                   "c:\r\n  - 'q'\r\n  - d: e\r\n";
    struct error err = { .kind = ERROR_NONE };
    struct yaml yaml;
    const struct yaml_node *node;

    ck_assert_msg(yaml_parse(&yaml, "f.yaml", document, strlen(document), &err), "%s", err.what);
    ck_assert_str_eq(yaml.text, document);
    node = yaml.root->first;
    ck_assert_uint_eq(node->key_begin, 3);
    check_place(&yaml, node, 1, 5, "\xf0\x9f\x98\x80x");
    node = yaml_member(yaml.root, "B");
    ck_assert_uint_eq(node->key_line, 2);
    ck_assert_uint_eq(node->key_column, 1);
    ck_assert(node->flow);
    check_place(&yaml, node, 2, 4, "{k: ${{A}}, \xc3\xa9: [1, 2]}");
    check_place(&yaml, node->first, 2, 8, "${{A}}");
    check_place(&yaml, node->first->next, 2, 19, "[1, 2]");
    node = yaml_member(yaml.root, "c");
    ck_assert(!node->flow);
    ck_assert_uint_eq(node->count, 2);
    check_place(&yaml, node->first, 4, 5, "'q'");
    check_place(&yaml, node->first->next, 5, 5, "d: e");
    check_place(&yaml, node->first->next->first, 5, 8, "e");
    ck_assert_ptr_null(yaml_member(node, "d"));
    ck_assert_ptr_null(yaml_member(NULL, "d"));
    yaml_refuse_key(&yaml, node, &err, "it is %s", "bad");
    ck_assert_str_eq(err.what, "'f.yaml' line 3, column 1: it is bad");
    yaml_close(&yaml);
    yaml_close(&yaml);
}
END_TEST

START_TEST(what_is_beyond_settings_is_refused)
{
    check_refused("a: &x 1\n", "line 1, column 4: anchors (&) are not read here");
    check_refused("a: 1\nb: *x\n", "line 2, column 4: aliases (*) are not read here");
    check_refused("a: *.txt\n", "line 1");
    check_refused("b: [!!str 1]\n", "line 1, column 5: tags (!) are not read here");
    check_refused("b: !x {a: 1}\n", "column 4: tags");
    check_refused("a: 1\n---\nb: 2\n", "line 2, column 1: a second document begins here");
    check_refused("a:\n  <<: {b: 1}\n", "line 2, column 3: merge keys");
    check_refused("[a]: 1\n", "line 1, column 1: a key is a list or a map");
    check_refused("? {a: 1}\n: 1\n", "a key is a list or a map");
    check_refused("{: 1}", "line 1, column 2: a value is missing here");
    check_refused("{'': 1}", "line 1, column 2: a key is empty");
    check_refused("a: \"x\\0y\"\n", "line 1, column 4: this text holds a NUL");
    check_refused("", "it is empty");
    check_refused("# nothing\n\n", "nothing in it but comments");
    check_refused("---\n...\n", "nothing in it");
}
END_TEST

START_TEST(keys_are_there_once)
{
    check_refused("a: 1\nb: 2\na: 3\n", "line 3, column 1: the key 'a' is there twice; it is in line 1 too");
    check_refused("a:\n  name: 1\n  Name: 2\n", "line 3, column 3: the key 'Name' is there twice");
    check_refused("{b: 1, c: 2, C: 3, B: 4}", "column 14: the key 'C' is there twice");
    check_read("variables: {PATH: 1, path: 2}\nEnv: {a: 1, A: 2}\n", "{variables:{PATH:1,path:2},Env:{a:1,A:2}}");
    check_refused("variables: {PATH: 1, b: 1, PATH: 2}\n", "the key 'PATH' is there twice");
}
END_TEST

START_TEST(faults_of_syntax_have_words_and_a_place)
{
    check_refused("a:\n\tb: 1\n", "line 2, column 1: a tab stands where YAML wants blanks");
    check_refused("a:\n  - b\n \t- c\n", "line 3");
    check_refused("a: 1\n  b: 2\n", "line 2, column 4: ':' is not allowed here");
    check_refused("a: b: c\n", "line 1, column 5: ':' is not allowed here");
    check_refused("a: 1\nb\nc: 2\n", "line 3, column 1: this is no 'key: value'");
    check_refused("a: [1, 2\nb: 3\n", "the list that begins with '[' in line 1 is not ended");
    check_refused("a: {b: 1\nc: 3]\n", "the map that begins with '{' in line 1 is not ended");
    check_refused("a: 'x\n", "the quotes that begin in line 1 are not ended");
    check_refused("a: \"\\q\"\n", "line 1, column 5: '\\' begins an unknown escape");
    check_refused("a: @b\n", "line 1, column 4: no value can begin with '@'");
    check_refused("- a\nb: 1\n", "line 2, column 1: this does not belong to the list that begins in line 1");
    check_refused("a: 1\n- b\n", "line 2, column 1");
    check_refused("a: 'x' y\n", "line 1, column 8: this does not belong to the map");
    check_refused("a: - b\n", "line 1, column 4: '-' is not allowed here");
    check_refused("a: 1\n}\n", "line 2, column 1");
}
END_TEST

START_TEST(what_is_no_text_is_refused)
{
    check_bytes("a: 1\nb: x\0y", 12, "line 2, column 5: not text; it holds a NUL byte");
    check_refused("a: \xc3\xa9\xff", "line 1, column 5: not text; the byte 0xff is no UTF-8");
    check_refused("a: \xc0\xaf", "the byte 0xc0 is no UTF-8");
    check_refused("a: \xed\xa0\x80", "no UTF-8");
    check_refused("a: x\x1b[1m", "line 1, column 5: not text; it holds a control character");
    check_bytes("\xff\xfe"
                "a\0",
                4, "line 1, column 1");
}
END_TEST

/* "[[[...", "{a: {a: ...", "- - - ..." */
static char *nested(const char *piece, size_t times, size_t *length)
{
    const size_t one = strlen(piece);
    char *all = malloc(one * times + 1);

    ck_assert_ptr_nonnull(all);
    for (size_t i = 0; i < times; i++)
        memcpy(all + i * one, piece, one);
    *length = one * times;
    all[*length] = '\0';
    return all;
}

static void check_nested(const char *piece, size_t times, const char *expected)
{
    size_t length;
    AUTO_FREE char *all = nested(piece, times, &length);

    check_bytes(all, length, expected);
}

START_TEST(depth_and_size_have_a_limit)
{
    size_t length;
    AUTO_FREE char *max = nested("[", YAML_MAX_DEPTH, &length);
    AUTO_FREE char *ends = nested("]", YAML_MAX_DEPTH, &length);
    AUTO_FREE char *both = malloc(2 * length + 1);
    struct timespec start, end;

    sprintf(both, "%s%s", max, ends);
    check_read(both, both);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    check_nested("[", 65, "line 1, column 65: lists and maps are nested too deep; 64 in one another are the most");
    check_nested("[", YAML_MAX_BYTES, "line 1, column 65: lists and maps are nested too deep");
    check_nested("{a: ", YAML_MAX_BYTES / 4, "nested too deep");
    check_nested("- ", YAML_MAX_BYTES / 2, "nested too deep");
    check_nested("[", 10 << 20, "it is larger than 4 MiB");
    check_nested("- a\n", YAML_MAX_NODES, "line 100000, column 3: there are more than 100000 values");
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    ck_assert_int_lt(end.tv_sec - start.tv_sec, 20); /* some tenths, and with sanitizers some seconds */
}
END_TEST

static void put(const char *path, const char *bytes, size_t length)
{
    AUTO_FCLOSE FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
}

static void check_file(const char *path, enum error_kind kind, const char *expected)
{
    struct error err = { .kind = ERROR_NONE };
    struct yaml yaml;
    char all[900];

    ck_assert(!yaml_read(&yaml, path, &err));
    snprintf(all, sizeof all, "%s; %s", err.what, err.why);
    ck_assert_msg(strstr(all, expected), "'%s'", all);
    ck_assert_int_eq(err.kind, kind);
    yaml_close(&yaml);
}

START_TEST(files_are_looked_at_before_they_are_read)
{
    char folder[] = "/tmp/carbon-yaml.XXXXXX", path[64];
    struct error err = { .kind = ERROR_NONE };
    struct rusage usage;
    struct yaml yaml;
    long before_kb;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/f.yaml", folder);
    check_file(path, ERROR_ABSENT, "no such file");
    check_file(folder, ERROR_USAGE, "it is a folder");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    check_file(path, ERROR_USAGE, "not a regular file");
    unlink(path);
    put(path, "", 0);
    check_file(path, ERROR_USAGE, "it is empty");
    getrusage(RUSAGE_SELF, &usage);
    before_kb = usage.ru_maxrss;
    ck_assert_int_eq(truncate(path, (off_t)1 << 34), 0);
    check_file(path, ERROR_USAGE, "it is larger than 4 MiB");
    getrusage(RUSAGE_SELF, &usage);
    ck_assert_int_lt(usage.ru_maxrss - before_kb, 2048);
    put(path, "a: [b]\n", 7);
    ck_assert(yaml_read(&yaml, path, &err));
    ck_assert_str_eq(yaml.path, path);
    ck_assert_str_eq(yaml.root->first->first->text, "b");
    yaml_close(&yaml);
    unlink(path);
    rmdir(folder);
}
END_TEST

UNIT_SUITE("yaml", documents_become_nodes, placeholders_are_part_of_texts, characters_for_private_use_stay,
           places_are_those_of_the_file, what_is_beyond_settings_is_refused, keys_are_there_once,
           faults_of_syntax_have_words_and_a_place, what_is_no_text_is_refused, depth_and_size_have_a_limit,
           files_are_looked_at_before_they_are_read)
