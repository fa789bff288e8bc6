/* SPDX-License-Identifier: MIT
 * Options that several commands share. */
#include "app/options/options.h"

#include "base/debug.h"
#include "base/units.h"
#include "emissions/factor.h"
#include "energy/energy.h"

static const char *const scopes[] = { "compute", "platform", "machine", NULL };
const char *const factor_bases[] = { "lifecycle", "direct", NULL };
static const char *const colours[] = { "auto", "always", "never", NULL };

bool option_omit(const struct option_spec *option, struct error *err)
{
    return error_fix_omits(err, option->name, option->kind != OPTION_FLAG);
}

bool options_clash(const struct option_spec *first, const struct option_spec *omitted, struct error *err)
{
    error_set(err, ERROR_USAGE, "--%s and --%s cannot be combined", first->name, omitted->name);
    error_why(err, "only one of the two can apply");
    return option_omit(omitted, err);
}

bool option_check_duty(const char *text, struct error *err)
{
    double hours;

    return duty_hours_per_year(text, &hours, err);
}

static bool check_debug(const char *text, struct error *err)
{
    unsigned areas;

    return debug_areas_of(text, &areas, err);
}

const struct option_spec option_source =
    OPTION(CHOICE, "Measuring", "source", .argument = "<name>", .default_text = "auto", .choices = energy_choices,
           .help = "energy source");
const struct option_spec option_scope =
    OPTION(CHOICE, "Measuring", "scope", .argument = "<scope>", .default_text = "compute", .choices = scopes,
           .help = "domains that make up the total");
const struct option_spec option_require_measured =
    OPTION(FLAG, "Measuring", "require-measured", .help = "fail instead of using the model");
const struct option_spec option_gpus =
    OPTION(TEXT, "Measuring", "gpus", .argument = "<list>",
           .help = "NVIDIA GPUs of the job: 0,2-3, UUIDs, all or none (default: from its environment)");
const struct option_spec option_root =
    OPTION(FILE, "Measuring", "root", .file = FILE_FOLDER, .argument = "<dir>", .default_text = "/", .hidden = true,
           .cli_only = true, .help = "read the machine recorded in this directory instead of this one");
const struct option_spec option_zone =
    OPTION(TEXT, "Carbon", "zone", .short_name = 'z', .alias = "country", .argument = "<code>", .sample = "FR",
           .help = "grid zone: FR, US-CA, aws:eu-west-3 (default: world)");
const struct option_spec option_pue = OPTION(NUMBER, "Carbon", "pue", .argument = "<ratio>", .default_text = "1",
                                             .min = 1, .max = 10, .help = "power usage effectiveness (PUE)");
const struct option_spec option_pue_of = OPTION(TEXT, "Carbon", "pue-of", .argument = "<provider>",
                                                .help = "published PUE, e.g. aws, nrel_esif, gcp:europe-west9");
const struct option_spec option_wue =
    OPTION(NUMBER, "Carbon", "wue", .argument = "<L/kWh>", .quantity = QUANTITY_WATER, .min = 0, .max = 100,
           .help = "water usage effectiveness (L/kWh), reported separately");
const struct option_spec option_wue_of =
    OPTION(TEXT, "Carbon", "wue-of", .argument = "<region>", .help = "published WUE of a cloud region: aws:eu-west-3");
const struct option_spec option_market_factor =
    OPTION(NUMBER, "Carbon", "market-factor", .argument = "<g/kWh>", .quantity = QUANTITY_INTENSITY, .min = 0,
           .max = 10000, .help = "supplier's emission factor, for market-based emissions");
const struct option_spec option_contract =
    OPTION(FILE, "Carbon", "contract", .argument = "<file>",
           .help = "electricity contracts and certificates, for market-based emissions");
const struct option_spec option_year = OPTION(COUNT, "Carbon", "year", .argument = "<year>", .min = 1990, .max = 2100,
                                              .help = "year of the emission factor (default: year of the run)");
const struct option_spec option_basis =
    OPTION(CHOICE, "Carbon", "basis", .argument = "<basis>", .default_text = "lifecycle", .choices = factor_bases,
           .help = "basis of the emission factor");
const struct option_spec option_factor_set =
    OPTION(CHOICE, "Carbon", "factor-set", .alias = "set", .argument = "<set>", .choices = factor_set_names,
           .help = "an official national set of factors alone: desnz, epa, ...; official takes the zone's");
const struct option_spec option_intensity =
    OPTION(NUMBER, "Carbon", "intensity", .argument = "<g/kWh>", .quantity = QUANTITY_INTENSITY, .min = 0, .max = 10000,
           .help = "emission factor in gCO2eq/kWh, overrides --zone");
const struct option_spec option_factors =
    OPTION(FILE, "Carbon", "factors", .argument = "<file>", .repeated = true,
           .help = "additional factor table (CSV) or folder, searched first; repeatable");
const struct option_spec option_share_alike =
    OPTION(FLAG, "Carbon", "share-alike", .help = "also use the tables under a share-alike licence");
const struct option_spec option_duty =
    OPTION(TEXT, "Carbon", "duty", .argument = "<time>", .check = option_check_duty, .sample = "8h/d",
           .help = "hours of use per year: 8h/d, '8h/d x 250', 2000h, 50% (default: 8760 h)");
const struct option_spec option_output =
    OPTION(TEXT, "Output", "output", .short_name = 'o', .argument = "<file>", .by_suffix = true, .cli_only = true,
           .repeated = true, .help = "write the result: the suffix names the form, x.json");
const struct option_spec option_json = OPTION(FILE, "Output", "json", .file = FILE_WRITTEN, .argument = "<file>",
                                              .help = "write the result as JSON; '-' is standard output");
const struct option_spec option_csv = OPTION(FILE, "Output", "csv", .file = FILE_WRITTEN, .argument = "<file>",
                                             .help = "write the result as CSV; '-' is standard output");
const struct option_spec option_csv_safe = OPTION(
    FLAG, "Output", "csv-safe", .help = "write what looks like a formula in CSV files as text, for spreadsheets");
const struct option_spec option_html = OPTION(FILE, "Output", "html", .file = FILE_WRITTEN, .argument = "<file>",
                                              .help = "write a self-contained HTML report; '-' is standard output");
const struct option_spec option_append =
    OPTION(FLAG, "Output", "append", .help = "add a row to the CSV file instead of replacing it");
const struct option_spec option_interval =
    OPTION(NUMBER, "Output", "interval", .short_name = 'i', .argument = "<s>", .quantity = QUANTITY_SECONDS,
           .help = "seconds between two samples", .default_text = "1", .min = 0.0005, .max = S_PER_DAY);
const struct option_spec option_color = OPTION(CHOICE, "Output", "color", .argument = "<when>", .default_text = "auto",
                                               .choices = colours, .help = "colour the text");
const struct option_spec option_quiet =
    OPTION(FLAG, "Output", "quiet", .short_name = 'q', .help = "print one line, for scripts");
const struct option_spec option_verbose =
    OPTION(FLAG, "Output", "verbose", .short_name = 'v', .help = "print all details");
const struct option_spec option_show_output =
    OPTION(FLAG, "Output", "show-output", .help = "leave what the commands print on the terminal");
const struct option_spec option_details = OPTION(FLAG, "Output", "details", .help = "print all details");
const struct option_spec option_debug =
    OPTION(TEXT, NULL, "debug", .argument = "<area,...>", .check = check_debug,
           .help = "say on standard error what is read, asked and chosen: files, sources, factors, http ... or all");
const struct option_spec option_help =
    OPTION(FLAG, NULL, "help", .short_name = 'h', .cli_only = true, .help = "display this help");
const struct option_spec option_version =
    OPTION(FLAG, NULL, "version", .short_name = 'V', .cli_only = true, .help = "display version and built-in features");
