/* SPDX-License-Identifier: MIT
 * Outputs of performance indicators: scanned, checked, written again with something put in; and SHA-256. */
#include "unit.h"

#include "base/text.h"
#include "commands/indicator/indicator_contract.h"
#include "commands/indicator/scan_read.h"
#include "commands/indicator/spans.h"
#include "io/sha256.h"

#include <math.h>
#include <string.h>

#define GOOD "\"component\":\"x\",\"name\":\"PiX\",\"@parameters\":{\"reps\":1},\"@result\":{\"rate\":2.50}"

static enum fault_kind scanned(const char *text, size_t length, struct fault *fault)
{
    struct scan scan;

    *fault = (struct fault){ .kind = FAULT_NONE };
    ck_assert_int_eq(scan_read(text, length, &scan, fault), fault->kind == FAULT_NONE);
    scan_close(&scan);
    return fault->kind;
}

static void refused(const char *text, const char *name, size_t line, size_t column)
{
    struct fault fault;

    scanned(text, strlen(text), &fault);
    ck_assert_msg(strcmp(fault_name(fault.kind), name) == 0 && fault.line == line && fault.column == column,
                  "%s: %s at %zu:%zu, not %s at %zu:%zu", text, fault_name(fault.kind), fault.line, fault.column, name,
                  line, column);
    ck_assert_msg(name[0] == 'n' || fault.error.what[0], "%s: no message", text);
}

START_TEST(what_is_json)
{
    static const char *const good[] = {
        "{}",
        " [1, -0, 0.5, 1e9, -1.25E-7, 123456789012345678901234567890] \n",
        "\"\\u00e9\\n\\/\"",
        "null",
        "true",
        "{\"a\": {\"a\": [[], {}]}, \"b\": false}",
        "NaN",
        "[-Infinity,Infinity]",
        "\"\\ud83d\"",
    };

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        refused(good[i], "none", 0, 0);
}
END_TEST

START_TEST(what_is_none)
{
    refused("", "empty", 0, 0);
    refused(" \n\t", "empty", 0, 0);
    refused("DTYPE set\n", "not-json", 1, 1);
    refused("{\"a\":1,}", "not-json", 1, 8);
    refused("{\"a\" 1}", "not-json", 1, 6);
    refused("{a:1}", "not-json", 1, 2);
    refused("{\n \"\xc3\xa9\": 01}", "not-json", 2, 8);
    refused("[1 2]", "not-json", 1, 4);
    refused("[+1]", "not-json", 1, 2);
    refused("[.5]", "not-json", 1, 2);
    refused("[1.]", "not-json", 1, 4);
    refused("[1e]", "not-json", 1, 4);
    refused("[nul]", "not-json", 1, 2);
    refused("[NaNs]", "not-json", 1, 2);
    refused("[\"a\tb\"]", "not-json", 1, 4);
    refused("[\"\\x\"]", "not-json", 1, 3);
    refused("[\"\\u12g4\"]", "not-json", 1, 7);
    refused("\xef\xbb\xbf{}", "not-json", 1, 1);
    refused("12 apples", "not-json", 1, 4);
    refused("{\"a\":", "cut-short", 1, 6);
    refused("{\"a\":\"b", "cut-short", 1, 8);
    refused("[tru", "cut-short", 1, 5);
    refused("[-", "cut-short", 1, 3);
    refused("[1.", "cut-short", 1, 4);
    refused("[\"\\u00", "cut-short", 1, 7);
    refused("{} x", "trailing-text", 1, 4);
    refused("{}\nextra", "trailing-text", 2, 1);
    refused("{}}", "trailing-text", 1, 3);
    refused("{} {}", "two-objects", 1, 4);
    refused("{\"a\":1}\n{\"b\":2}", "two-objects", 2, 1);
    refused("[\"\xff\"]", "not-utf8", 1, 3);
    refused("{\"\xc3\xa9\xc3\": 1}", "not-utf8", 1, 4);
    refused("{\"a\":1,\"b\":{\"c\":1,\n\"c\":2}}", "duplicate-key", 2, 1);
    refused("{\"a\":1,\"\\u0061\":2}", "duplicate-key", 1, 8);
    refused("{\"b\":1,\"a\":1,\"a\":1,\"b\":1,\"a\":1}", "duplicate-key", 1, 14);
}
END_TEST

START_TEST(bytes_that_end_no_text)
{
    struct fault fault;

    ck_assert_int_eq(scanned("{\"a\0\":1}", 8, &fault), FAULT_NOT_JSON);
    ck_assert_uint_eq(fault.column, 4);
    ck_assert_int_eq(scanned("{}\0", 3, &fault), FAULT_TRAILING_TEXT);
    ck_assert_int_eq(scanned("{}garbage", 2, &fault), FAULT_NONE); /* reads no further than it was told */
    ck_assert_int_eq(scanned("[\"\xe2\x82", 4, &fault), FAULT_NOT_UTF8);
}
END_TEST

START_TEST(neither_deeper_nor_more)
{
    char *text = malloc(SCAN_VALUES * 2 + 8);
    struct fault fault;

    memset(text, '[', SCAN_DEPTH + 1);
    ck_assert_int_eq(scanned(text, SCAN_DEPTH, &fault), FAULT_CUT_SHORT);
    ck_assert_int_eq(scanned(text, SCAN_DEPTH + 1, &fault), FAULT_TOO_DEEP);
    text[0] = '[';
    for (size_t i = 0; i < SCAN_VALUES; i++)
        memcpy(text + 1 + 2 * i, "1,", 2);
    ck_assert_int_eq(scanned(text, 2 * SCAN_VALUES, &fault), FAULT_TOO_MANY);
    free(text);
}
END_TEST

START_TEST(keys_and_texts)
{
    static const char text[] = "{\"a\\u0062\": 1, \"t\": \"\\u00e9\\ud83d\\ude80 \\ud83d \\\"\\\\\\n\\u0000.\"}";
    struct scan scan;
    struct fault fault;
    char *said;

    ck_assert(scan_read(text, strlen(text), &scan, &fault));
    ck_assert_double_eq(scan_number(&scan, scan_member(&scan, 0, "ab")), 1);
    ck_assert_uint_eq(scan_member(&scan, 0, "a"), 0);
    ck_assert_uint_eq(scan_member(&scan, scan_member(&scan, 0, "t"), "a"), 0);
    ck_assert(isnan(scan_number(&scan, scan_member(&scan, 0, "t"))));
    said = scan_text(&scan, scan_member(&scan, 0, "t"));
    ck_assert_str_eq(said, "\xc3\xa9\xf0\x9f\x9a\x80 \xef\xbf\xbd \"\\\n\xef\xbf\xbd.");
    free(said);
    scan_close(&scan);
}
END_TEST

static enum fault_kind checked(const char *text, const struct contract_options *options, struct notices *notices,
                               struct fault *fault)
{
    struct indicator indicator;
    struct scan scan;
    bool good;

    *fault = (struct fault){ .kind = FAULT_NONE };
    notices_clear(notices);
    good = scan_read(text, strlen(text), &scan, fault) && contract_check(&scan, options, &indicator, notices, fault);
    ck_assert_int_eq(good, fault->kind == FAULT_NONE);
    scan_close(&scan);
    return fault->kind;
}

static void breaks(const char *text, const char *name, size_t column, const char *what)
{
    static const struct contract_options options = { .strict = false };
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct fault fault;

    checked(text, &options, &notices, &fault);
    ck_assert_str_eq(fault_name(fault.kind), name);
    ck_assert_uint_eq(fault.column, column);
    ck_assert_msg(strstr(fault.error.what, what), "%s: %s", fault.error.what, what);
}

START_TEST(the_contract)
{
    breaks("{" GOOD "}", "none", 0, "");
    breaks("{\"framework\":\"x\",\"name\":\"\",\"@parameters\":{},\"@result\":{},\"overall_score\":null}", "none", 0,
           "");
    breaks("[1,2,3]", "no-object", 1, "no object");
    breaks("\"text\"", "no-object", 1, "no object");
    breaks("{\"name\":\"x\",\"@parameters\":{},\"@result\":{}}", "missing-key", 1, "'component'");
    breaks("{\"component\":\"x\",\"@parameters\":{},\"@result\":{}}", "missing-key", 1, "'name'");
    breaks("{\"component\":\"x\",\"name\":\"x\",\"@result\":{}}", "missing-key", 1, "'@parameters'");
    breaks("{\"component\":\"x\",\"name\":\"x\",\"@parameters\":{}}", "missing-key", 1, "'@result'");
    breaks("{\"component\":1,\"name\":\"x\",\"@parameters\":{},\"@result\":{}}", "wrong-type", 14, "'component'");
    breaks("{\"framework\":[],\"name\":\"x\",\"@parameters\":{},\"@result\":{}}", "wrong-type", 14, "'framework'");
    breaks("{\"component\":\"x\",\"name\":7,\"@parameters\":{},\"@result\":{}}", "wrong-type", 25, "'name'");
    breaks("{\"component\":\"x\",\"name\":\"x\",\"@parameters\":[],\"@result\":{}}", "wrong-type", 43, "'@parameters'");
    breaks("{\"component\":\"x\",\"name\":\"x\",\"@parameters\":{},\"@result\":1}", "wrong-type", 56, "'@result'");
    breaks("{\"overall_score\":\"9\"," GOOD "}", "wrong-type", 18, "'overall_score'");
    breaks("{\"component\":\"x\",\"name\":\"x\",\"@parameters\":{\"r\\u0065ps\":1},\"@result\":{\"a\":0,\"reps\":2}}",
           "collision", 76, "'reps'");
    breaks("{" GOOD ",\"usage\":{}}", "reserved-key", 80, "'usage'");
    breaks("{\"@energy\":1," GOOD "}", "reserved-key", 2, "'@energy'");
}
END_TEST

START_TEST(no_numbers)
{
    static const char text[] = "{" GOOD ",\n\"more\":[NaN,-Infinity]}";
    struct contract_options options = { .strict = false };
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct fault fault;

    ck_assert_int_eq(checked(text, &options, &notices, &fault), FAULT_NONE);
    ck_assert_uint_eq(notices.count, 1);
    ck_assert_ptr_nonnull(strstr(notices.item[0].what, "2 of NaN or Infinity"));
    ck_assert_ptr_nonnull(strstr(notices.item[0].what, "line 2, column 9"));
    options.keeps_nan = true;
    ck_assert_int_eq(checked(text, &options, &notices, &fault), FAULT_NONE);
    ck_assert_uint_eq(notices.count, 0);
    options = (struct contract_options){ .strict = true };
    ck_assert_int_eq(checked(text, &options, &notices, &fault), FAULT_NAN);
    ck_assert_uint_eq(fault.line, 2);
    ck_assert_uint_eq(fault.column, 9);
}
END_TEST

static char *written(const char *text, uint32_t object, const char *members, const struct span_form *form, bool sorted)
{
    const struct insertion insertion = { object, members };
    struct scan scan;
    struct fault fault;
    char *out;
    size_t length;
    FILE *memory = open_memstream(&out, &length);

    ck_assert(scan_read(text, strlen(text), &scan, &fault));
    if (sorted)
        spans_write_sorted(&scan, 0, form, memory);
    else
        spans_write(&scan, 0, form, &insertion, members ? 1 : 0, memory);
    fclose(memory);
    scan_close(&scan);
    return out;
}

static void writes(const char *text, uint32_t object, const char *members, struct span_form form, const char *expected)
{
    char *out = written(text, object, members, &form, false);

    ck_assert_str_eq(out, expected);
    free(out);
}

START_TEST(its_own_bytes)
{
    const struct span_form as_is = { .keeps_nan = false }, line = { .one_line = true }, stored = { .keeps_nan = true };

    writes(" {\"a\" : 1.50e+0 ,\"b\":[ 1, 2 ]}\n", 0, NULL, as_is, "{\"a\" : 1.50e+0 ,\"b\":[ 1, 2 ]}");
    writes("{\"a\" : \" , : \" ,\n\"b\":[ 1, 2 ]}", 0, NULL, line, "{\"a\":\" , : \",\"b\":[1,2]}");
    writes("{\"a\": NaN, \"b\": [-Infinity]}", 0, NULL, as_is, "{\"a\": null, \"b\": [null]}");
    writes("{\"a\": NaN, \"b\": [-Infinity]}", 0, NULL, stored, "{\"a\": NaN, \"b\": [-Infinity]}");
    writes("{\"a\": 1}", 0, "\"z\":2", as_is, "{\"a\": 1,\"z\":2}");
    writes("{\n  \"a\": 1\n}\n", 0, "\"z\":2", as_is, "{\n  \"a\": 1,\n  \"z\":2\n}");
    writes("{\n  \"a\": {\"b\": 1}\n}\n", 1, "\"z\":2", as_is, "{\n  \"a\": {\"b\": 1,\"z\":2}\n}");
    writes("{ }", 0, "\"z\":2", as_is, "{\"z\":2 }");
    writes("{\n  \"a\": {}\n}\n", 0, "\"z\":2", line, "{\"a\":{},\"z\":2}");
}
END_TEST

START_TEST(sorted_as_python_does)
{
    const struct span_form form = { .keeps_nan = false };
    char *out = written("{\"b\":[1.50,{}],\"a\":{\"d\":[],\"c\":\"\\u00e9\"}}", 0, NULL, &form, true);

    ck_assert_str_eq(
        out, "{\n  \"a\": {\n    \"c\": \"\\u00e9\",\n    \"d\": []\n  },\n  \"b\": [\n    1.50,\n    {}\n  ]\n}");
    free(out);
}
END_TEST

START_TEST(reports_of_amun)
{
    static const char *const texts[] = {
        "{\"exit_code\":0,\"stdout\":{}}",
        "{\"exit_code\":0,\"stdout\":{},\"usage\":{\"ru_utime\":1}}",
        "{\"exit_code\":\"0\",\"stdout\":{},\"usage\":{}}",
    };
    static const enum fault_kind kinds[] = { FAULT_MISSING_KEY, FAULT_MISSING_KEY, FAULT_WRONG_TYPE };
    struct scan scan;
    struct fault fault;
    uint32_t object;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert(scan_read(texts[i], strlen(texts[i]), &scan, &fault));
        ck_assert(contract_is_amun(&scan));
        ck_assert(!contract_check_amun(&scan, &object, &fault));
        ck_assert_int_eq(fault.kind, kinds[i]);
        scan_close(&scan);
    }
}
END_TEST

START_TEST(a_report_of_nothing)
{
    static const char *const outputs[] = { "{}", "\"text\"", "{\"name\":1}" };
    static const enum fault_kind kinds[] = { FAULT_EMPTY, FAULT_NOT_JSON, FAULT_NONE };
    struct scan scan;
    struct fault fault;
    struct text text;
    uint32_t object;

    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        text_open(&text, 4096);
        text_add(&text, "{\"exit_code\":0,\"stdout\":%s,\"usage\":{", outputs[i]);
        for (size_t k = 0; contract_usage[k]; k++)
            text_add(&text, "%s\"%s\":0", k ? "," : "", contract_usage[k]);
        text_add(&text, "}}");
        fault = (struct fault){ .kind = FAULT_NONE };
        ck_assert(scan_read(text.data, text.length, &scan, &fault));
        ck_assert_int_eq(contract_check_amun(&scan, &object, &fault), kinds[i] == FAULT_NONE);
        ck_assert_int_eq(fault.kind, kinds[i]);
        scan_close(&scan);
        text_close(&text);
    }
}
END_TEST

/* FIPS 180-4's examples, and lengths at the edges of a block. */
START_TEST(sha_256)
{
    static const struct {
        const char *text, *sum;
    } cases[] = {
        { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    };
    char sum[SHA256_TEXT_SIZE];
    char *many = malloc(1000000);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sha256_of_bytes(cases[i].text, strlen(cases[i].text), sum);
        ck_assert_str_eq(sum, cases[i].sum);
    }
    ck_assert_ptr_nonnull(many);
    memset(many, 'a', 1000000);
    sha256_of_bytes(many, 1000000, sum);
    free(many);
    ck_assert_str_eq(sum, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
END_TEST

UNIT_SUITE("indicator", what_is_json, what_is_none, bytes_that_end_no_text, neither_deeper_nor_more, keys_and_texts,
           the_contract, no_numbers, its_own_bytes, sorted_as_python_does, reports_of_amun, a_report_of_nothing,
           sha_256)
