/* SPDX-License-Identifier: MIT
 * Quantities for people: three significant digits and a unit. */
#include "base/units.h"

#include "base/c_locale.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct units_scale {
    double factor; /* of one such unit in the base unit */
    const char *unit;
};

const char *units_digits(double value, int digits, char out[UNITS_SIZE])
{
    const double size = fabs(value);
    int before = 1, decimals;

    if (!isfinite(value)) {
        snprintf(out, UNITS_SIZE, "unknown");
        return out;
    }
    if (size != 0 && (size < 1e-4 || size >= 1e15)) {
        c_snprintf(out, UNITS_SIZE, "%.*e", digits - 1, value);
        return out;
    }
    if (size != 0)
        before = (int)floor(log10(size)) + 1;
    decimals = digits - before;
    /* 9.996 with three digits is 10.0, not 10.00 */
    if (size != 0 && decimals >= 0 && log10(size) < before && round(size * pow(10, decimals)) >= pow(10, digits))
        decimals--;
    c_snprintf(out, UNITS_SIZE, "%.*f", decimals > 0 ? decimals : 0, value);
    return out;
}

/* The largest unit of which there is at least one, after rounding; scales go from large to small. */
static const char *scaled(double value, const struct units_scale *scales, size_t count, char out[UNITS_SIZE])
{
    char digits[UNITS_SIZE];
    size_t i = 0;

    if (!isfinite(value)) {
        snprintf(out, UNITS_SIZE, "unknown");
        return out;
    }
    if (value == 0) {
        for (i = 0; i < count && scales[i].factor != 1; i++)
            ;
        snprintf(out, UNITS_SIZE, "0 %s", scales[i < count ? i : count - 1].unit);
        return out;
    }
    while (i + 1 < count && fabs(value) < scales[i].factor * 0.9995)
        i++;
    snprintf(out, UNITS_SIZE, "%s %s", units_digits(value / scales[i].factor, 3, digits), scales[i].unit);
    return out;
}

#define SCALED(value, scales, out) scaled(value, scales, sizeof(scales) / sizeof(scales)[0], out)

const char *units_energy(double energy_j, char out[UNITS_SIZE])
{
    static const struct units_scale scales[] = {
        { 1e12, "TJ" }, { 1e9, "GJ" }, { 1e6, "MJ" }, { 1e4, "kJ" }, { 1, "J" }, { 1e-3, "mJ" }, { 1e-6, "µJ" },
    };
    /* up to 9999 J stay joules: the tables line up better, and a run is seldom more */
    if (fabs(energy_j) >= 1e4 * 0.9995 && fabs(energy_j) < 1e6 * 0.9995) {
        static const struct units_scale kilo[] = { { 1e3, "kJ" } };
        return SCALED(energy_j, kilo, out);
    }
    return SCALED(energy_j, scales, out);
}

const char *units_power(double power_w, char out[UNITS_SIZE])
{
    static const struct units_scale scales[] = {
        { 1e6, "MW" }, { 1e3, "kW" }, { 1, "W" }, { 1e-3, "mW" }, { 1e-6, "µW" },
    };
    return SCALED(power_w, scales, out);
}

const char *units_mass(double mass_kgco2eq, char out[UNITS_SIZE])
{
    static const struct units_scale scales[] = {
        { 1e3, "tCO2eq" }, { 1, "kgCO2eq" }, { 1e-3, "gCO2eq" }, { 1e-6, "mgCO2eq" }, { 1e-9, "µgCO2eq" },
    };
    if (mass_kgco2eq == 0)
        return strcpy(out, "0 gCO2eq");
    return SCALED(mass_kgco2eq, scales, out);
}

const char *units_intensity(double kgco2eq_per_kwh, char out[UNITS_SIZE])
{
    char number[TEXT_NUMBER_SIZE];

    if (isfinite(kgco2eq_per_kwh))
        c_snprintf(out, UNITS_SIZE, "%.24s gCO2eq/kWh", text_rounded(kgco2eq_per_kwh * G_PER_KG, number));
    else
        c_snprintf(out, UNITS_SIZE, "unknown");
    return out;
}

const char *units_bytes(double bytes, char out[UNITS_SIZE])
{
    static const struct units_scale scales[] = {
        { 1099511627776.0, "TiB" }, { GIB_BYTES, "GiB" }, { 1048576.0, "MiB" }, { KIB_BYTES, "KiB" }, { 1, "B" },
    };
    return SCALED(bytes, scales, out);
}

const char *units_duration(double duration_s, char out[UNITS_SIZE])
{
    static const struct units_scale scales[] = { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "µs" } };
    const double size = fabs(duration_s);

    if (!isfinite(duration_s) || size < 600)
        return SCALED(duration_s, scales, out);
    const char *sign = duration_s < 0 ? "-" : "";
    if (size < 36000) {
        const unsigned long seconds = (unsigned long)llround(size);
        if (seconds < 3600)
            snprintf(out, UNITS_SIZE, "%s%lu min %02lu s", sign, seconds / 60, seconds % 60);
        else
            snprintf(out, UNITS_SIZE, "%s%lu h %02lu min", sign, seconds / 3600, seconds % 3600 / 60);
        return out;
    }
    const unsigned long minutes = (unsigned long)llround(size / 60);
    snprintf(out, UNITS_SIZE, "%s%lu h %02lu min", sign, minutes / 60, minutes % 60);
    return out;
}
