/* SPDX-License-Identifier: MIT
 * From options to a functional unit and the machine's own emissions. */
#include "app/options/sci_options.h"

#include <math.h>

static bool check_sci(const char *text, struct error *err)
{
    struct sci sci;

    return sci_units_of(text, &sci, err);
}

const struct option_spec option_sci =
    OPTION(TEXT, "Carbon", "sci", .argument = "<n[:name]>", .cli_only = true, .check = check_sci,
           .sample = "1000:requests", .help = "functional units per run, for the SCI: 1000:requests");
const struct option_spec option_embodied =
    OPTION(NUMBER, "Carbon", "embodied", .argument = "<kg>", .quantity = QUANTITY_MASS, .min = 0, .max = 1e7,
           .help = "embodied emissions of the machine, for --sci");
const struct option_spec option_embodied_of =
    OPTION(TEXT, "Carbon", "embodied-of", .argument = "<machine>",
           .help = "the same from embodied.csv: a 'laptop pro', a 'server', a 'Dell R740' and so on");
const struct option_spec option_lifetime =
    OPTION(NUMBER, "Carbon", "lifetime", .argument = "<years>", .quantity = QUANTITY_YEARS, .min = 0.01, .max = 100,
           .help = "lifetime of the machine, for --sci (default 4)");
const struct option_spec option_reserved_share =
    OPTION(NUMBER, "Carbon", "reserved-share", .argument = "<0..1>", .quantity = QUANTITY_SHARE, .min = 0, .max = 1,
           .help = "reserved share of the machine, for --sci (default: its CPUs / all CPUs)");
const struct option_spec option_equivalents =
    OPTION(FLAG, "Carbon", "equivalents", .cli_only = true, .help = "print everyday equivalents of gross emissions");

/* NULL and NAN: not given, or by an origin that does not count here. */
static const char *text_of(const struct settings *settings, const struct option_spec *option, enum option_origin min)
{
    return settings_origin(settings, option) >= min ? settings_text(settings, option) : NULL;
}

static double number_of(const struct settings *settings, const struct option_spec *option, enum option_origin min)
{
    return text_of(settings, option, min) ? settings_number(settings, option) : NAN;
}

double sci_share_of(const struct report *report)
{
    if (report->recorded_tree || !report->command[0] || report->job_cpus < 1)
        return NAN;
    return fmin(1, (double)report->job_cpus / report->machine->cpus_online);
}

static bool read_machine(const struct settings *settings, enum option_origin min, struct sci *sci, struct error *err)
{
    const char *machine = text_of(settings, &option_embodied_of, min);
    const double kgco2eq = number_of(settings, &option_embodied, min);

    if (!isnan(kgco2eq)) {
        sci->machine_kgco2eq = (struct sci_figure){ kgco2eq, QUALITY_GIVEN };
        sci->machine[0] = sci->source_id[0] = sci->version[0] = '\0';
        return true;
    }
    if (machine) {
        const struct sci_figure before = sci->lifetime_years;
        if (!sci_machine_find(machine, sci, err))
            return false;
        if (isnan(sci->lifetime_years.value))
            sci->lifetime_years = before;
        return true;
    }
    if (sci->machine_kgco2eq.quality == QUALITY_UNKNOWN)
        sci->machine_kgco2eq.value = NAN;
    return true;
}

bool sci_options_read(const struct settings *settings, enum option_origin min, double share, struct sci *sci,
                      struct error *err)
{
    const char *units = text_of(settings, &option_sci, min);
    const double years = number_of(settings, &option_lifetime, min);
    const double reserved = number_of(settings, &option_reserved_share, min);

    if (text_of(settings, &option_embodied_of, min) && !isnan(number_of(settings, &option_embodied, min)))
        return options_clash(&option_embodied, &option_embodied_of, err);
    if (units && !sci_units_of(units, sci, err))
        return false;
    if (!sci->enabled)
        return true;
    if (!read_machine(settings, min, sci, err))
        return false;
    if (!isnan(years))
        sci->lifetime_years = (struct sci_figure){ years, QUALITY_GIVEN };
    else if (!(sci->lifetime_years.value > 0))
        sci->lifetime_years = (struct sci_figure){ SCI_LIFETIME_YEARS, QUALITY_DEFAULT };
    if (!isnan(reserved))
        sci->reserved_share = (struct sci_figure){ reserved, QUALITY_GIVEN };
    else if (sci->reserved_share.quality == QUALITY_UNKNOWN)
        sci->reserved_share =
            isnan(share) ? (struct sci_figure){ 1, QUALITY_DEFAULT } : (struct sci_figure){ share, QUALITY_ATTRIBUTED };
    return true;
}

bool equivalents_option_read(const struct settings *settings, struct equivalents *equivalents, struct error *err)
{
    return !settings_flag(settings, &option_equivalents) || equivalents_read(equivalents, err);
}
