/* SPDX-License-Identifier: MIT
 * Options that several commands share. */
#include "app/options/options.h"

#include "emissions/factor.h"
#include "energy/energy.h"

static const char *const scopes[] = { "compute", "platform", "machine", NULL };
static const char *const bases[] = { "lifecycle", "direct", NULL };
static const char *const colours[] = { "auto", "always", "never", NULL };

static bool check_duty(const char *text, struct error *err)
{
    double hours;

    return duty_hours_per_year(text, &hours, err);
}

const struct option_spec option_source = {
    .name = "source",
    .kind = OPTION_CHOICE,
    .argument = "<name>",
    .group = "Measuring",
    .standard = "auto",
    .choices = energy_choices,
    .help = "where joules come from",
};
const struct option_spec option_scope = {
    .name = "scope",
    .kind = OPTION_CHOICE,
    .argument = "<scope>",
    .group = "Measuring",
    .standard = "compute",
    .choices = scopes,
    .help = "what adds up to the total",
};
const struct option_spec option_require_measured = {
    .name = "require-measured",
    .kind = OPTION_FLAG,
    .group = "Measuring",
    .help = "refuse to model where no meter can be read",
};
const struct option_spec option_gpus = {
    .name = "gpus",
    .kind = OPTION_TEXT,
    .argument = "<list>",
    .group = "Measuring",
    .help = "which NVIDIA GPUs are the job's: 0,2-3, UUIDs, all or none; what its environment says when not given",
};
const struct option_spec option_root = {
    .name = "root",
    .kind = OPTION_FILE,
    .argument = "<dir>",
    .group = "Measuring",
    .standard = "/",
    .hidden = true,
    .line_only = true,
    .help = "read the machine recorded in this directory instead of this one",
};
const struct option_spec option_zone = {
    .name = "zone",
    .alias = "country",
    .kind = OPTION_TEXT,
    .argument = "<code>",
    .group = "Carbon",
    .help = "whose electricity: FR, US-CA, aws:eu-west-3 ...; the world's average when not given",
};
const struct option_spec option_pue = {
    .name = "pue",
    .kind = OPTION_NUMBER,
    .argument = "<ratio>",
    .group = "Carbon",
    .standard = "1",
    .least = 1,
    .most = 10,
    .help = "energy of the whole facility for each unit its computers use",
};
const struct option_spec option_pue_of = {
    .name = "pue-of",
    .kind = OPTION_TEXT,
    .argument = "<provider>",
    .group = "Carbon",
    .help = "the PUE that a provider, site or cloud region publishes: aws, nrel_esif, gcp:europe-west9",
};
const struct option_spec option_wue = {
    .name = "wue",
    .kind = OPTION_NUMBER,
    .argument = "<L/kWh>",
    .group = "Carbon",
    .least = 0,
    .most = 100,
    .help = "water in litres for each kWh that the computers use; shown apart",
};
const struct option_spec option_wue_of = {
    .name = "wue-of",
    .kind = OPTION_TEXT,
    .argument = "<region>",
    .group = "Carbon",
    .help = "the water that a cloud region publishes: aws:eu-west-3",
};
const struct option_spec option_market_factor = {
    .name = "market-factor",
    .kind = OPTION_NUMBER,
    .argument = "<g/kWh>",
    .group = "Carbon",
    .least = 0,
    .most = 10000,
    .help = "market-based factor of your own, shown beside the location-based figure",
};
const struct option_spec option_contract = {
    .name = "contract",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Carbon",
    .help = "electricity bought by contract, for the market-based figure",
};
const struct option_spec option_year = {
    .name = "year",
    .kind = OPTION_COUNT,
    .argument = "<year>",
    .group = "Carbon",
    .least = 1990,
    .most = 2100,
    .help = "year of the emission factor; that of the run when not given",
};
const struct option_spec option_basis = {
    .name = "basis",
    .kind = OPTION_CHOICE,
    .argument = "<basis>",
    .group = "Carbon",
    .standard = "lifecycle",
    .choices = bases,
    .help = "what the factor covers",
};
const struct option_spec option_intensity = {
    .name = "intensity",
    .kind = OPTION_NUMBER,
    .argument = "<g/kWh>",
    .group = "Carbon",
    .least = 0,
    .most = 10000,
    .help = "a factor of your own in gCO2eq per kWh, in place of the zone's",
};
const struct option_spec option_factors = {
    .name = "factors",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Carbon",
    .repeated = true,
    .help = "a table of factors of your own, or a folder of them, searched first; may be repeated",
};
const struct option_spec option_share_alike = {
    .name = "share-alike",
    .kind = OPTION_FLAG,
    .group = "Carbon",
    .help = "also use the tables under a share-alike licence",
};
const struct option_spec option_duty = {
    .name = "duty",
    .kind = OPTION_TEXT,
    .argument = "<time>",
    .group = "Carbon",
    .check = check_duty,
    .help = "how long the work goes on in a year: 8h/d, '8h/d x 250', 2000h, 50%; all year when not given",
};
const struct option_spec option_json = {
    .name = "json",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Output",
    .help = "write the record as JSON; '-' is standard output",
};
const struct option_spec option_csv = {
    .name = "csv",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Output",
    .help = "write the result as CSV; '-' is standard output",
};
const struct option_spec option_html = {
    .name = "html",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Output",
    .help = "write a page with charts that needs no other file; '-' is standard output",
};
const struct option_spec option_append = {
    .name = "append",
    .kind = OPTION_FLAG,
    .group = "Output",
    .help = "add a row to the CSV file instead of replacing it",
};
const struct option_spec option_interval = {
    .name = "interval",
    .letter = 'i',
    .kind = OPTION_NUMBER,
    .argument = "<s>",
    .group = "Output",
    .help = "seconds between two samples",
    .standard = "1",
    .least = 0.0005,
    .most = 86400,
};
const struct option_spec option_color = {
    .name = "color",
    .kind = OPTION_CHOICE,
    .argument = "<when>",
    .group = "Output",
    .standard = "auto",
    .choices = colours,
    .help = "colour the text",
};
const struct option_spec option_quiet = {
    .name = "quiet",
    .letter = 'q',
    .kind = OPTION_FLAG,
    .group = "Output",
    .help = "print one line only",
};
const struct option_spec option_help = {
    .name = "help",
    .letter = 'h',
    .kind = OPTION_FLAG,
    .line_only = true,
    .help = "display this help",
};
const struct option_spec option_version = {
    .name = "version",
    .letter = 'V',
    .kind = OPTION_FLAG,
    .line_only = true,
    .help = "display version and what was built in",
};
