/* SPDX-License-Identifier: MIT
 * Results in the formats of CI services. Names and sentences are printable UTF-8 only (ci_row_of); special characters
 * of each form are escaped here. */
#include "gate/ci_forms.h"

#include "base/c_locale.h"
#include "base/units.h"
#include "io/json_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each character of `special` as its escape. */
static void write_escaped(FILE *out, const char *text, const char *special, const char *const *escapes)
{
    for (; *text; text++) {
        const char *found = strchr(special, *text);

        if (found)
            fputs(escapes[found - special], out);
        else
            fputc(*text, out);
    }
}

static void write_markdown(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, strchr("\\`*_{}[]<>()#+!|", *text) ? "\\%c" : "%c", *text);
}

static const char *verdict_mark(const struct ci_row *row)
{
    static const char *const marks[] = { "✅", "❌", "⚠️" };

    return row->is_judged ? marks[row->verdict] : "";
}

static void write_functional(const struct ci_row *row, FILE *out)
{
    char energy[UNITS_SIZE], mass[UNITS_SIZE];

    write_markdown(out, row->name);
    fprintf(out, ": %s own energy", units_energy(row->energy_j / row->units, energy));
    c_fprintf(out, ", SEE %.4g kWh", row->see_kwh);
    fprintf(out, ", SCI %s for each %s\n", units_mass(row->sci_kgco2eq, mass), row->unit[0] ? row->unit : "unit");
}

void ci_summary_write(const char *title, const struct ci_row *rows, size_t count, FILE *out)
{
    char energy[UNITS_SIZE], deviation[UNITS_SIZE], mass[UNITS_SIZE], duration[UNITS_SIZE];

    fprintf(out, "### %s\n\n| result | runs | energy per run | deviation | emission | duration | |\n", title);
    fputs("|---|---:|---:|---:|---:|---:|---|\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct ci_row *row = &rows[i];

        fputs("| ", out);
        write_markdown(out, row->name);
        fprintf(out, " | %zu | %s %s, %s | %s | %s | %s | %s |\n", row->runs, units_energy(row->energy_j, energy),
                row->figure, quality_name(row->quality),
                isfinite(row->deviation_j) ? units_energy(row->deviation_j, deviation) : "",
                units_mass(row->kgco2eq, mass), units_duration(row->duration_s, duration), verdict_mark(row));
    }
    fputc('\n', out);
    for (size_t i = 0; i < count; i++)
        if (rows[i].is_judged) {
            fprintf(out, "- %s ", verdict_mark(&rows[i]));
            write_markdown(out, rows[i].said);
            fputc('\n', out);
        }
    for (size_t i = 0; i < count; i++)
        if (rows[i].units > 0) {
            fputs("- ", out);
            write_functional(&rows[i], out);
        }
    fputc('\n', out);
}

void ci_annotations_write(const char *title, const struct ci_row *rows, size_t count, FILE *out)
{
    static const char *const commands[] = { "notice", "error", "warning" };
    static const char *const escapes[] = { "%25", "%0D", "%0A", "%3A", "%2C" };

    for (size_t i = 0; i < count; i++) {
        if (!rows[i].is_judged)
            continue;
        fprintf(out, "::%s title=", commands[rows[i].verdict]);
        write_escaped(out, title, "%\r\n:,", escapes);
        fputs("::", out);
        write_escaped(out, rows[i].said, "%\r\n", escapes);
        fputc('\n', out);
    }
}

static void write_metric(const char *name, const struct ci_row *row, double value, FILE *out)
{
    static const char *const escapes[] = { "\\\\", "\\\"", "\\n" };

    if (!isfinite(value))
        return;
    fprintf(out, "%s{name=\"", name);
    write_escaped(out, row->name, "\\\"\n", escapes);
    fprintf(out, "\",figure=\"%s\",quality=\"%s\"} ", row->figure, quality_name(row->quality));
    c_fprintf(out, "%.9g\n", value);
}

void ci_metrics_write(const char *title, const struct ci_row *rows, size_t count, FILE *out)
{
    (void)title;
    for (size_t i = 0; i < count; i++) {
        const struct ci_row *row = &rows[i];

        write_metric("carbon_energy_joules", row, row->energy_j, out);
        write_metric("carbon_emission_kgco2eq", row, row->kgco2eq, out);
        write_metric("carbon_duration_seconds", row, row->duration_s, out);
        write_metric("carbon_energy_joules_per_unit", row, row->units > 0 ? row->energy_j / row->units : NAN, out);
        write_metric("carbon_see_kwh_per_unit", row, row->see_kwh, out);
        write_metric("carbon_sci_kgco2eq_per_unit", row, row->sci_kgco2eq, out);
        write_metric("carbon_gate_failed", row, row->is_judged ? row->verdict == GATE_FAILED : NAN, out);
    }
    fputs("# EOF\n", out);
}

static void write_xml(FILE *out, const char *text)
{
    static const char *const escapes[] = { "&amp;", "&lt;", "&gt;", "&quot;" };

    write_escaped(out, text, "&<>\"", escapes);
}

static void write_property(const char *name, double value, FILE *out)
{
    if (isfinite(value))
        c_fprintf(out, "        <property name=\"%s\" value=\"%.9g\"/>\n", name, value);
}

static void write_properties(const struct ci_row *row, FILE *out)
{
    fputs("      <properties>\n", out);
    write_property("energy_j", row->energy_j, out);
    write_property("kgco2eq", row->kgco2eq, out);
    write_property("energy_j_per_unit", row->units > 0 ? row->energy_j / row->units : NAN, out);
    write_property("see_kwh_per_unit", row->see_kwh, out);
    write_property("sci_kgco2eq_per_unit", row->sci_kgco2eq, out);
    fputs("      </properties>\n", out);
}

void ci_junit_write(const char *title, const struct ci_row *rows, size_t count, FILE *out)
{
    size_t failures = 0, skipped = 0;

    for (size_t i = 0; i < count; i++) {
        failures += rows[i].is_judged && rows[i].verdict == GATE_FAILED;
        skipped += rows[i].is_judged && rows[i].verdict == GATE_UNDECIDED;
    }
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n",
            title, count, failures, skipped);
    for (size_t i = 0; i < count; i++) {
        const struct ci_row *row = &rows[i];

        fprintf(out, "    <testcase classname=\"%s\" name=\"", title);
        write_xml(out, row->name);
        c_fprintf(out, "\" time=\"%.6f\">\n", isfinite(row->duration_s) ? row->duration_s : 0);
        write_properties(row, out);
        if (row->is_judged && row->verdict != GATE_PASSED) {
            fprintf(out, "      <%s message=\"", row->verdict == GATE_FAILED ? "failure" : "skipped");
            write_xml(out, row->said);
            fputs("\"/>\n", out);
        }
        fputs("    </testcase>\n", out);
    }
    fputs("  </testsuite>\n</testsuites>\n", out);
}

static void add_value(struct tree_node array, const struct ci_row *row, const char *what, const char *unit,
                      double value, double range)
{
    char name[sizeof row->name + 40], text[UNITS_SIZE];
    struct tree_node item;

    if (!isfinite(value))
        return;
    snprintf(name, sizeof name, "%s: %s", row->name, what);
    item = tree_object(array, NULL);
    tree_text(item, "name", name);
    tree_text(item, "unit", unit);
    tree_number(item, "value", value);
    if (isfinite(range)) {
        c_snprintf(text, sizeof text, "± %.4g", range);
        tree_text(item, "range", text);
    }
    tree_text(item, "extra", row->is_judged ? row->said : quality_name(row->quality));
}

/* An array is the whole document there: it is written item by item. */
void ci_dashboard_write(const char *title, const struct ci_row *rows, size_t count, FILE *out)
{
    struct tree tree;
    struct tree_node array;
    struct error ignored;
    char *text, *list;

    (void)title;
    tree_open(&tree);
    array = tree_array(tree_root(&tree), "rows");
    for (size_t i = 0; i < count; i++) {
        const struct ci_row *row = &rows[i];
        const bool units = row->units > 0;

        add_value(array, row, "energy", "J", row->energy_j, row->deviation_j);
        add_value(array, row, "emission", "gCO2eq", row->kgco2eq * G_PER_KG, NAN);
        add_value(array, row, "duration", "s", row->duration_s, NAN);
        add_value(array, row, "energy per unit", "J", units ? row->energy_j / row->units : NAN, NAN);
        add_value(array, row, "SEE", "kWh per unit", row->see_kwh, NAN);
        add_value(array, row, "SCI", "gCO2eq per unit", row->sci_kgco2eq * G_PER_KG, NAN);
    }
    text = tree_string_line(&tree, "the rows", &ignored);
    list = text ? strchr(text, '[') : NULL;
    if (list && strrchr(list, ']'))
        fprintf(out, "%.*s\n", (int)(strrchr(list, ']') - list + 1), list);
    else
        fputs("[]\n", out);
    free(text);
}
