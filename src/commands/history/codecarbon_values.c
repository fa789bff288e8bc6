/* SPDX-License-Identifier: MIT
 * What can stand in the columns of CodeCarbon's table, whose writer is known to shift values, and what a machine can
 * have used. */
#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/history/codecarbon.h"
#include "emissions/factor_table.h"
#include "energy/power_bounds.h"
#include "io/local_time.h"

#include <math.h>
#include <string.h>

/* A tracker reads its meters a moment before and after the time that it tells. */
#define EDGES_S 2.0

/* A rate is in kg/s, or in g/s before 2.2.0, and of the last interval only in some releases. */
#define RATES_APART 30.0

/* The parts of a whole are rounded each. */
#define ROUNDING 1e-3

static bool is_number_column(enum codecarbon_column column)
{
    return (column >= CODECARBON_DURATION && column <= CODECARBON_WATER_CONSUMED) || column == CODECARBON_CPU_COUNT ||
           column == CODECARBON_GPU_COUNT || (column >= CODECARBON_LONGITUDE && column <= CODECARBON_RAM_TOTAL_SIZE) ||
           (column >= CODECARBON_CPU_UTILIZATION && column <= CODECARBON_RAM_USED) || column == CODECARBON_PUE ||
           column == CODECARBON_WUE;
}

/* An empty one is unknown, and so is what Python calls None. */
static bool is_unknown(const char *text)
{
    return !text || !*text || strcmp(text, "None") == 0 || strcmp(text, "nan") == 0 || strcmp(text, "NaN") == 0;
}

/* "1,234" is 1234 where commas stand between fields, or 1.234. */
static bool may_be_thousands(const char *text)
{
    const size_t before = strspn(text, "0123456789");

    return *text != '0' && before >= 1 && before <= 3 && text[before] == ',' && strlen(text + before) == 4;
}

static bool to_number(const char *text, char separator, double *value)
{
    char point[TEXT_NUMBER_SIZE * 2];
    char *at;

    if (text_to_number(text, value))
        return true;
    if (strlen(text) >= sizeof point || (separator == ',' && may_be_thousands(text)))
        return false;
    text_copy(point, sizeof point, text);
    at = strchr(point, ',');
    if (!at || strchr(point, '.'))
        return false;
    *at = '.';
    return text_to_number(point, value);
}

double codecarbon_number(const char *text, char separator)
{
    double value;

    return !is_unknown(text) && to_number(text, separator, &value) ? value : NAN;
}

/* Local time, as its writer has it, of the zone that TZ names. */
bool codecarbon_time(const char *text, uint64_t *realtime_s)
{
    char time[CLOCK_TEXT_SIZE];

    if (!text || strlen(text) < 16 || strlen(text) >= sizeof time || strspn(text, "0123456789") != 4 ||
        (text[10] != 'T' && text[10] != ' '))
        return false;
    text_copy(time, sizeof time, text);
    time[10] = 'T';
    return local_time_of(time, 0, realtime_s);
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0)
            return true;
    return false;
}

/* Its services of location give codes of two letters, too. */
static bool is_code(const char *text)
{
    const size_t length = strlen(text);

    return (length == 2 || length == 3) && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == length;
}

const char *codecarbon_fault(enum codecarbon_column column, const char *text, char separator)
{
    static const char *const modes[] = { "machine", "process", NULL };
    static const char *const answers[] = { "Y", "N", NULL };
    const bool place = column == CODECARBON_LONGITUDE || column == CODECARBON_LATITUDE;
    uint64_t realtime_s;
    double value;

    if (column == CODECARBON_TIMESTAMP)
        return codecarbon_time(text, &realtime_s) ? NULL : "not a date and time";
    if (is_unknown(text))
        return NULL;
    if (is_number_column(column) && !to_number(text, separator, &value))
        return "not a number";
    if (is_number_column(column) && value < 0 && !place)
        return "below 0";
    if (column == CODECARBON_PUE && value < 1)
        return "a PUE below 1";
    if (column == CODECARBON_COUNTRY_ISO_CODE && !is_code(text))
        return "not a country code";
    if (column == CODECARBON_TRACKING_MODE && !is_one_of(text, modes))
        return "neither machine nor process";
    if (column == CODECARBON_ON_CLOUD && !is_one_of(text, answers))
        return "neither Y nor N";
    return NULL;
}

const char *codecarbon_misfit(const char *const *texts, char separator)
{
    const double kgco2eq = codecarbon_number(texts[CODECARBON_EMISSIONS], separator);
    const double rate = codecarbon_number(texts[CODECARBON_EMISSIONS_RATE], separator);
    const double by_rate = rate * codecarbon_number(texts[CODECARBON_DURATION], separator);

    if (kgco2eq > MAX_KGCO2EQ_PER_KWH * codecarbon_number(texts[CODECARBON_ENERGY_CONSUMED], separator))
        return "more emissions than any kilowatt-hour has";
    if (kgco2eq > 0 && isnan(codecarbon_number(texts[CODECARBON_ENERGY_CONSUMED], separator)))
        return "the energy is missing, its emissions are not";
    if (isnan(kgco2eq) && rate > 0)
        return "emissions are missing, their rate is not";
    if (kgco2eq > 0 && by_rate > 0 && (by_rate < kgco2eq / RATES_APART || by_rate > 1000 * RATES_APART * kgco2eq))
        return "emissions, their rate and the duration do not fit each other";
    return NULL;
}

static double zero_unless_known(double value)
{
    return isnan(value) ? 0 : value;
}

/* Mean power; the facility's, which is the machine's times its PUE. */
static double max_kwh(const struct codecarbon_run *run)
{
    return BOUNDS_MACHINE_W * (isnan(run->pue) ? 1 : run->pue) * (run->reported.duration_s + EDGES_S) / J_PER_KWH;
}

void codecarbon_doubt(struct codecarbon_run *run)
{
    const struct codecarbon_figures *reported = &run->reported;
    const double parts_kwh = zero_unless_known(reported->cpu_kwh) + zero_unless_known(reported->gpu_kwh) +
                             zero_unless_known(reported->ram_kwh);
    char energy[UNITS_SIZE], other[UNITS_SIZE];

    units_energy(reported->kwh * J_PER_KWH, energy);
    if (reported->kwh > max_kwh(run))
        c_snprintf(run->doubt, sizeof run->doubt, "%s in %s is more than any machine draws (%.0f kW)", energy,
                   units_duration(reported->duration_s, other), BOUNDS_MACHINE_W / 1000);
    else if (parts_kwh > reported->kwh * (1 + ROUNDING) + 1e-9)
        c_snprintf(run->doubt, sizeof run->doubt, "CPU, GPU and memory used %s, more than the whole, %s",
                   units_energy(parts_kwh * J_PER_KWH, other), energy);
    else if (reported->kwh == 0 && reported->duration_s > EDGES_S)
        c_snprintf(run->doubt, sizeof run->doubt, "no machine runs for %s on no energy",
                   units_duration(reported->duration_s, other));
}
