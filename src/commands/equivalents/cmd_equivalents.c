/* SPDX-License-Identifier: MIT
 * carbon equivalents: compares a known mass of CO2eq with everyday emissions. */
#include "app/options/command.h"

#include "app/result_forms.h"
#include "app/terminal.h"
#include "base/parse_quantity.h"
#include "base/units.h"
#include "form/columns.h"
#include "result/carbon_fields.h"
#include "result/sci_text.h"
#include "run/privileges.h"

#include <stdlib.h>

#define EQUIVALENTS_SCHEMA "carbon.equivalents/1"

struct mass {
    double kgco2eq;
    struct equivalents equivalents;
};

#define OF struct mass
static const struct fields mass_fields = FIELDS({
    FIELD_CONSTANT("schema", EQUIVALENTS_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_NUMBER(kgco2eq, "the mass that was given, in kgCO2eq", .flags = FIELD_KNOWN | FIELD_ABOVE_0),
    FIELD_ARRAY_AS("equivalents", struct equivalent, equivalents.items, equivalents.count, &equivalent_fields,
                   "equivalents of the same emissions, each by its own rough figure"),
});
#undef OF

static const struct fields *const row_of[] = { &equivalent_fields };
static const struct column columns[] = {
    COLUMNS(0, name, amount, unit, kgco2eq_per_unit, region, year, source_id, source),
};
static const struct table equivalents_columns = TABLE_OF(columns, row_of);

static const struct schema equivalents_schema = { "equivalents", EQUIVALENTS_SCHEMA,
                                                  "Output of carbon equivalents: equivalents of a mass of CO2eq.",
                                                  &mass_fields, &equivalents_columns };

static bool write_csv(const struct mass *mass, FILE *out)
{
    table_head(&equivalents_columns, out);
    for (size_t i = 0; i < mass->equivalents.count; i++)
        table_row(&equivalents_columns, (const void *const[]){ &mass->equivalents.items[i] }, out);
    return true;
}

static bool print_mass(const struct mass *mass, const struct settings *settings, struct error *err)
{
    struct result_forms forms = { .settings = settings };
    char text[UNITS_SIZE];

    while (result_forms_next(&forms, err))
        result_forms_end(&forms,
                         forms.is_json ? document_json(&equivalents_schema, mass, forms.out, "the equivalents", err)
                                       : write_csv(mass, forms.out),
                         err);
    if (!forms.failed && !forms.on_stdout)
        equivalents_text(&mass->equivalents, units_mass(mass->kgco2eq, text), stdout);
    return !forms.failed;
}

static bool read_mass(const char *text, double *kgco2eq, struct error *err)
{
    if (quantity_of(QUANTITY_MASS, text, kgco2eq) && *kgco2eq > 0)
        return true;
    error_set(err, ERROR_USAGE, "'%.80s' is not a mass of CO2eq above 0", text);
    error_why(err, "a mass is a number and its unit");
    return error_fix_instead(err, "give it with its unit: 2t, 300g or 12.5kg");
}

static int run_equivalents(const struct command_line *line)
{
    struct environment environment = { .variables = NULL };
    struct mass mass = { .equivalents = { .count = 0 } };
    struct error err;
    bool done = privileges_drop(&environment, &err) && read_mass(line->operands[0], &mass.kgco2eq, &err) &&
                equivalents_read(&mass.equivalents, &err);

    if (done) {
        equivalents_work_out(&mass.equivalents, mass.kgco2eq);
        done = print_mass(&mass, &line->settings, &err);
    }
    environment_close(&environment);
    return done ? terminal_finish_stdout(EXIT_SUCCESS) : terminal_fail(&err, STATUS_CARBON_FAILED);
}

COMMAND(cmd_equivalents) = {
    .name = "equivalents",
    .purpose = "equivalents of a mass of CO2eq: kilometres, flights, trees",
    .synopsis = "[options] mass",
    .options = OPTIONS(RESULT_OPTIONS, COLOR_OPTIONS),
    .examples = EXAMPLES("carbon equivalents 12.5kg", "carbon equivalents 2t --json -"),
    .run = run_equivalents,
    .prints_page = true,
    .example = "carbon equivalents 12.5kg",
    OPERANDS(1, 1, OPERAND_TEXT),
    .schemas = SCHEMAS(&equivalents_schema),
    .about = "Show what else emits as much as a mass of CO2eq that is known already, with the source of each figure.",
};
