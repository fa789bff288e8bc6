/* SPDX-License-Identifier: MIT
 * Pages: nothing in a text is markup, every page is well-formed, a figure has the digits of the record, and what a
 * chart draws is as long as it is much. */
#include "unit.h"

#include "report_suite.h"

#include "base/auto.h"
#include "base/units.h"
#include "form/html.h"
#include "result/by_hour.h"
#include "result/page/html_record.h"

#include <cjson/cJSON.h>
#include <ctype.h>

/* What a part of a page writes; freed by the caller. */
struct piece {
    char *data;
    size_t size;
    FILE *out;
};

static FILE *piece_open(struct piece *piece)
{
    *piece = (struct piece){ .data = NULL };
    piece->out = open_memstream(&piece->data, &piece->size);
    ck_assert_ptr_nonnull(piece->out);
    return piece->out;
}

static const char *piece_text(struct piece *piece)
{
    ck_assert_int_eq(fclose(piece->out), 0);
    return piece->data;
}

START_TEST(texts_are_texts)
{
    static const char *const pairs[][2] = {
        { "a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;" },
        { "</title><script>", "&lt;/title&gt;&lt;script&gt;" },
        { "&amp;", "&amp;amp;" },
        { "a\nb\tc", "a b c" },
        { "\x01\x1b[31m\x7f", "??[31m?" },
        { "\xc2\x85 \xc2\xa0", "?? \xc2\xa0" }, /* C1, a blank that does not break */
        { "\xff\xc3(\xed\xa0\x80", "??"
                                   "(???" },               /* no UTF-8, a surrogate */
        { "\xef\xbf\xbe\xef\xbf\xbd", "???\xef\xbf\xbd" }, /* no character of XML; the replacement is one */
        { "µ ± 日本 \xf0\x9f\x8c\x8d", "µ ± 日本 \xf0\x9f\x8c\x8d" },
    };

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct piece piece;
        html_text(piece_open(&piece), pairs[i][0]);
        ck_assert_str_eq(piece_text(&piece), pairs[i][1]);
        free(piece.data);
    }
}
END_TEST

/* Tags are closed in their order, attributes are quoted, and no letter of markup stands alone. */
static void check_form(const char *page)
{
    char open[64][32];
    size_t depth = 0;

    ck_assert_int_eq(strncmp(page, "<!DOCTYPE html>\n<html ", 22), 0);
    for (const char *c = page + 16; *c; c++) {
        if (*c == '&') {
            const size_t length = strspn(c + 1, "abcdefghijklmnopqrstuvwxyz#0123456789");
            ck_assert_msg(length > 1 && c[1 + length] == ';', "%.40s", c);
        }
        ck_assert_msg(*c != '>', "%.40s", c);
        if (*c != '<')
            continue;
        const bool end = c[1] == '/';
        const char *name = c + 1 + end;
        const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz123456789");
        ck_assert_msg(length > 0 && length < sizeof open[0], "%.40s", c);
        ck_assert(strncmp(name, "script", 6) != 0);
        for (c = name + length; *c != '>' && strncmp(c, "/>", 2) != 0; c++) {
            ck_assert_msg(*c && *c != '<', "%.40s", name);
            if (*c == '=') {
                ck_assert_msg(c[1] == '"', "%.40s", c);
                c += 2 + strcspn(c + 2, "\"<");
                ck_assert_int_eq(*c, '"');
            }
        }
        if (*c == '/') {
            c++;
        } else if (end) {
            ck_assert_uint_gt(depth, 0);
            depth--;
            ck_assert_msg(strlen(open[depth]) == length && strncmp(open[depth], name, length) == 0, "%s, %.20s",
                          open[depth], name);
        } else {
            ck_assert_uint_lt(depth, 64);
            snprintf(open[depth++], sizeof open[0], "%.*s", (int)length, name);
        }
    }
    ck_assert_uint_eq(depth, 0);
}

/* "domains.0.gross_j.mean" */
static const cJSON *json_at(const cJSON *json, const char *place)
{
    char key[64];

    for (const char *c = place; json && *c; c += *c == '.') {
        const size_t length = strcspn(c, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, c);
        json = isdigit((unsigned char)key[0]) ? cJSON_GetArrayItem(json, atoi(key))
                                              : cJSON_GetObjectItemCaseSensitive(json, key);
        c += length;
    }
    ck_assert_msg(json != NULL, "%s", place);
    return json;
}

/* Returns how many figures there are. */
static size_t check_figures(const char *page, const cJSON *record)
{
    static const char begin[] = "<data value=\"";
    size_t count = 0;

    for (const char *c = page; (c = strstr(c, begin)); count++) {
        char value[64], place[160], exact[TEXT_NUMBER_SIZE];
        c += sizeof begin - 1;
        ck_assert_int_eq(sscanf(c, "%63[^\"]\" data-place=\"%159[^\"]\"", value, place), 2);
        if (strncmp(place, "hours.", 6) == 0) /* they are no part of the record */
            continue;
        ck_assert_msg(cJSON_IsNumber(json_at(record, place)), "%s", place);
        ck_assert_msg(strcmp(value, text_number(json_at(record, place)->valuedouble, exact)) == 0, "%s: %s, not %s",
                      place, value, exact);
    }
    return count;
}

/* A page and its record; returns the page. */
static char *check_page(size_t min)
{
    char *page = fixture_write(fixture, &html_format), *json = fixture_write(fixture, &json_format);
    cJSON *record = cJSON_Parse(json);
    size_t figures;

    ck_assert_ptr_nonnull(record);
    check_form(page);
    figures = check_figures(page, record);
    ck_assert_msg(figures >= min, "%zu figures", figures);
    cJSON_Delete(record);
    free(json);
    return page;
}

START_TEST(a_record_is_a_page)
{
    char *page;

    notice_add(&fixture->report.own_notices, NOTICE_LEFT_OUT, "a reason", "--mend", "a doubt");
    report_finish(&fixture->report);
    page = check_page(90);
    /* 562 J of net at PUE 1.2 and 0.044 kg/kWh: 562 / 3.6e6 x 1.2 x 0.044 = 8.2427e-6 kg */
    HAS(page, "data-place=\"emissions.net.kgco2eq\">8.24 mgCO2eq</data>",
        "data-place=\"emissions.gross.kgco2eq\">13.8 mgCO2eq</data>",
        "<p class=\"what\">a doubt</p>\n<p>a reason</p>\n<p>hint: --mend</p>", "<h1><bdi>./job --size 4</bdi></h1>",
        "2 runs");
    free(page);
}
END_TEST

START_TEST(what_is_unknown_is_said)
{
    char *page;

    fixture->measurement.baseline_count = 0;
    fixture->measurement.run_count = 1;
    fixture->report.command = (char *const[]){ NULL };
    fixture->report.complete = false;
    report_finish(&fixture->report);
    page = check_page(24);
    HAS(page, "gross: all that was used", "unknown: no baseline was taken", "none from one run",
        "<bdi>a measurement</bdi>", ", partial");
    LACKS(page, "emissions.net.kgco2eq\">");
    free(page);

    fixture->measurement.run_count = 0;
    report_finish(&fixture->report);
    page = check_page(3);
    HAS(page, "<p class=\"answer\">unknown");
    free(page);
}
END_TEST

START_TEST(hostile_texts_do_nothing)
{
    static const char hostile[] =
        "\"><script>alert(1)</script><img src=x onerror=alert(1)> ' & ]]> <!-- \x01\xff\xe2\x80\xae";
    char *const command[] = { (char *)"sh", (char *)"-c", (char *)hostile, (char *)"\n\x1b[2J", NULL };
    struct report *report = &fixture->report;
    char *page;

    report->command = command;
    report->label = report->project = report->target = hostile;
    report->meta_count = 1;
    snprintf(report->meta[0].key, sizeof report->meta[0].key, "k");
    report->meta[0].value = hostile;
    notice_add(&report->own_notices, NOTICE_LEFT_OUT, hostile, hostile, "%s", hostile);
    snprintf(fixture->machine.cpu_model, sizeof fixture->machine.cpu_model, "%s", hostile);
    snprintf(fixture->domains[0].name, sizeof fixture->domains[0].name, "%.30s", hostile);
    snprintf(report->supplementary.pue.source, sizeof report->supplementary.pue.source, "%s", hostile);
    snprintf(report->factor.zone_name, sizeof report->factor.zone_name, "%.70s", hostile);
    report_finish(report);
    page = check_page(90);
    LACKS(page, "<img", "<!--");
    for (const char *c = page; *c; c++)
        ck_assert((unsigned char)*c >= 0x20 || *c == '\n');
    free(page);
}
END_TEST

START_TEST(a_disk_that_is_full_is_told)
{
    AUTO_FCLOSE FILE *full = fopen("/dev/full", "w");
    struct error err;

    ck_assert_ptr_nonnull(full);
    report_finish(&fixture->report);
    ck_assert(!html_format.write(&fixture->report, full, &err));
    ck_assert_str_eq(err.what, "cannot write the page");
}
END_TEST

START_TEST(bars_are_as_long_as_they_are_much)
{
    const struct html_bar items[] = {
        { "four", "4 J", 4, NAN, NAN, NAN },
        { "three", "3 J", 3, 1, 2, 4 },
        { "minus one", "-1 J", -1, NAN, NAN, NAN },
        { "unknown", "unknown", NAN, NAN, NAN, NAN },
    };
    const struct html_bars bars = { "title", "J", "part", "doubt", items, 4, units_energy };
    struct piece piece;

    html_bars(piece_open(&piece), &bars);
    /* from -1 to 4: 0 is at 20 % */
    HAS(piece_text(&piece), "class=\"value\" x=\"20.000%\" y=\"1\" width=\"80.000%\"",
        "class=\"value\" x=\"20.000%\" y=\"1\" width=\"60.000%\"",
        "class=\"part\" x=\"20.000%\" y=\"1\" width=\"20.000%\"", "class=\"doubt\" x1=\"60.000%\" x2=\"100.000%\"",
        "class=\"value\" x=\"0.000%\" y=\"1\" width=\"20.000%\"", "<span class=\"label\"><bdi>unknown</bdi></span>",
        "<div class=\"axis\"><span>-1.00 J</span><span>1.50 J</span><span>4.00 J</span></div>");
    free(piece.data);
}
END_TEST

START_TEST(a_timeline_has_steps_and_gaps)
{
    const struct html_step steps[] = { { 0, 5, 10 }, { 5, 10, 5 }, { 10, 15, NAN }, { 15, 20, 0 } };
    const struct html_step bands[] = { { 5, 10, NAN } };
    const struct html_line lines[] = { { "power", HTML_LINE, steps, 4 }, { "baseline", HTML_BAND, bands, 1 } };
    const struct html_timeline timeline = { "title", "about <it>", lines, 2, 0, 20, units_duration, units_power };
    struct piece piece;

    html_timeline(piece_open(&piece), &timeline);
    /* to 11 W: 10 W is at 1 - 10/11 of 1000 */
    HAS(piece_text(&piece), "d=\"M0 1000M0 90.909H250V545.45H500M750 1000H1000\"",
        "class=\"band\" x=\"25.000%\" y=\"0\" width=\"25.000%\"", "aria-label=\"about &lt;it&gt;\"",
        "<span>0 s</span><span>10.0 s</span><span>20.0 s</span>");
    free(piece.data);
}
END_TEST

/* The runs of the fixture, 10 s each, at 01:00:05 and 01:00:20; here the second at 02:00:00 less 4 s. */
START_TEST(hours_add_up_to_the_record)
{
    const uint64_t hour_ns = 3600 * FIXTURE_S, one_ns = UINT64_C(1795827600) * FIXTURE_S;
    struct report *report = &fixture->report;
    struct intensity items[] = {
        { .start_realtime_s = one_ns / FIXTURE_S, .end_realtime_s = one_ns / FIXTURE_S + 3600, .kgco2eq_per_kwh = 0.1 },
        { one_ns / FIXTURE_S + 3600, one_ns / FIXTURE_S + 7200, 0.4, INTENSITY_ACTUAL, 0 },
    };
    const struct intensities known = { .items = items, .count = 2 };
    struct by_hour_rows rows;
    char *page;

    fixture->runs[1].window.realtime_ns = one_ns + hour_ns - 4 * FIXTURE_S;
    report->by_hour.enabled = true;
    report->by_hour.known = &known;
    snprintf(report->by_hour.source.title, sizeof report->by_hour.source.title, "a table");
    report_finish(report);
    ck_assert(by_hour_rows_of(report, hour_ns, &rows));
    ck_assert_uint_eq(rows.count, 2);
    /* 930 J, and four tenths of 954 J; six tenths in the next hour */
    ck_assert_double_eq_tol(rows.items[0].gross_j, 930 + 0.4 * 954, 1e-9);
    ck_assert_double_eq_tol(rows.items[1].gross_j, 0.6 * 954, 1e-9);
    ck_assert_double_eq_tol(rows.items[0].kgco2eq, (930 + 0.4 * 954) / 3.6e6 * 1.2 * 0.1, 1e-15);
    ck_assert_double_eq_tol(rows.items[1].kgco2eq, 0.6 * 954 / 3.6e6 * 1.2 * 0.4, 1e-15);
    ck_assert_double_eq_tol(rows.items[0].kgco2eq + rows.items[1].kgco2eq, 2 * report->gross.footprint.kgco2eq, 1e-15);
    ck_assert_uint_eq(rows.items[0].from_ns, one_ns + 5 * FIXTURE_S);
    ck_assert_uint_eq(rows.items[0].to_ns, one_ns + hour_ns);
    ck_assert_uint_eq(rows.items[1].to_ns, one_ns + hour_ns + 6 * FIXTURE_S);
    free(rows.items);
    page = check_page(90);
    HAS(page, "<section id=\"hours\"", "<bdi>2026-11-28 02:00Z</bdi>");
    free(page);
}
END_TEST

/* Whatever is put together for a page is text. */
START_TEST(what_is_put_together_is_escaped)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    html_words(out, " (%s)", "\"><meta http-equiv='refresh'>\033[2J\xc2\x9b\xe2\x80\xae&");
    fclose(out);
    ck_assert_str_eq(text, " (&quot;&gt;&lt;meta http-equiv=&#39;refresh&#39;&gt;?[2J" /* C1, U+202E */ "??"
                           "???"
                           "&amp;)");
    free(text);
}
END_TEST

UNIT_SUITE_IN("html", begin, end, texts_are_texts, a_record_is_a_page, what_is_unknown_is_said,
              hostile_texts_do_nothing, a_disk_that_is_full_is_told, bars_are_as_long_as_they_are_much,
              a_timeline_has_steps_and_gaps, hours_add_up_to_the_record, what_is_put_together_is_escaped)
