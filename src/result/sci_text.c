/* SPDX-License-Identifier: MIT
 * The Software Carbon Intensity for people, as sums that can be checked by hand, and equivalents. */
#include "result/sci_text.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "form/paragraph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In the text, those of which it is nearest to one; the record has all of them. */
enum { EQUIVALENTS_SHOWN = 3 };

/* With this many digits, in a suitable unit; returns the printed value, in kilograms. */
static double print_mass(double kgco2eq, int digits, char out[UNITS_SIZE])
{
    char mass[UNITS_SIZE], number[UNITS_SIZE];
    double unit_kgco2eq;

    units_mass(kgco2eq, mass);
    snprintf(out, UNITS_SIZE, "%s", mass);
    if (!isfinite(kgco2eq) || kgco2eq == 0)
        return kgco2eq;
    /* units_mass has chosen a power of ten */
    unit_kgco2eq = pow(10, round(log10(kgco2eq / c_strtod(mass, NULL))));
    units_digits(kgco2eq / unit_kgco2eq, digits, number);
    snprintf(out, UNITS_SIZE, "%.24s%.12s", number, strchr(mass, ' '));
    return c_strtod(number, NULL) * unit_kgco2eq;
}

/* The terms have enough digits for the printed score to follow from them. */
static int print_terms(const struct sci *sci, char operation[UNITS_SIZE], char embodied[UNITS_SIZE])
{
    char score[UNITS_SIZE], again[UNITS_SIZE];
    int digits = 3;

    units_mass(sci->kgco2eq_per_unit, score);
    do {
        double run_kgco2eq;
        digits++;
        run_kgco2eq = print_mass(sci->operational_kgco2eq, digits, operation);
        run_kgco2eq += print_mass(sci->embodied_kgco2eq, digits, embodied);
        units_mass(run_kgco2eq / sci->units, again);
    } while (strcmp(score, again) != 0 && digits < 12);
    return digits;
}

static void add_figure(struct text *text, const char *before, const struct sci_figure *figure, int digits,
                       const char *after)
{
    text_add(text, "%s%.*g%s (%s)", before, digits, figure->value, after, quality_name(figure->quality));
}

/* "M 28.54 gCO2eq = 1000 kgCO2eq (given) × 1 h / 4 years of 8760 h (default) × share 1 (default)" */
static void add_embodied(const struct sci *sci, const char *embodied, int digits, struct text *text)
{
    text_add(text, "M %s = ", embodied);
    add_figure(text, "", &sci->machine_kgco2eq, digits, " kgCO2eq");
    if (sci->machine[0])
        text_add(text, " for %s (%s)", sci->machine, sci->source_id);
    text_add(text, " × %.*g h", digits, sci->hours);
    add_figure(text, " / ", &sci->lifetime_years, digits, " years of 8760 h");
    add_figure(text, " × share ", &sci->reserved_share, digits, "");
}

void sci_text(const struct sci *sci, bool at_least, FILE *out)
{
    const char *unit = sci->unit[0] ? sci->unit : "unit", *bound = at_least ? "at least " : "";
    char score[UNITS_SIZE], operation[UNITS_SIZE], embodied[UNITS_SIZE], units[TEXT_NUMBER_SIZE];
    struct text text;
    int digits;

    if (!sci->enabled)
        return;
    text_open(&text, 4096);
    text_number(sci->units, units);
    digits = print_terms(sci, operation, embodied) + 2;
    if (isnan(sci->machine_kgco2eq.value)) {
        text_add(&text, "unknown: M, embodied emissions, is not declared (--embodied, --embodied-of); ");
        text_add(&text, "operation alone is %s%s (gross) / %s = %s per %s", bound, operation, units,
                 units_mass(sci->operational_kgco2eq / sci->units, score), unit);
    } else if (isnan(sci->hours)) {
        text_add(&text, "unknown: for M, it takes the time that the machine was taken up");
    } else if (isnan(sci->kgco2eq_per_unit)) {
        text_add(&text, "unknown per %s: emissions of the run are unknown; ", unit);
        add_embodied(sci, embodied, digits, &text);
    } else {
        text_add(&text, "%s%s per %s = (%s gross + M %s) / %s; ", bound, units_mass(sci->kgco2eq_per_unit, score), unit,
                 operation, embodied, units);
        add_embodied(sci, embodied, digits, &text);
    }
    paragraph_write(out, "  SCI    ", text.data ? text.data : "");
    text_close(&text);
}

static void with_blanks(char *field, size_t size, const char *name)
{
    text_copy(field, size, name);
    for (char *c = field; *c; c++)
        if (*c == '_')
            *c = ' ';
}

static void print_equivalent(const struct equivalent *item, FILE *out)
{
    char name[sizeof item->name], unit[sizeof item->unit], amount[UNITS_SIZE];
    struct text text;

    text_open(&text, 1024);
    with_blanks(name, sizeof name, item->name);
    with_blanks(unit, sizeof unit, item->unit);
    text_add(&text, "%s %s, %s: %.6g kgCO2eq each (%s%s%d, %s)", units_digits(item->amount, 3, amount), unit, name,
             item->kgco2eq_per_unit, item->region, item->region[0] ? " " : "", item->year, item->source);
    paragraph_write(out, "         ", text.data ? text.data : "");
    text_close(&text);
}

void equivalents_text(const struct equivalents *equivalents, const char *of, FILE *out)
{
    const struct equivalent *nearest[EQUIVALENTS_SHOWN];
    size_t count;

    if (!equivalents->count)
        return;
    count = equivalents_nearest(equivalents, nearest, EQUIVALENTS_SHOWN);
    if (!count)
        return;
    fprintf(out, "  equals %s, roughly equivalent to:\n", of);
    for (size_t i = 0; i < count; i++)
        print_equivalent(nearest[i], out);
}
