/* SPDX-License-Identifier: MIT
 * Every conversion, and every form of a quantity for people. Machine forms never scale a unit. Used in most rooms of
 * the program. Begin with units_energy(). */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#define UJ_PER_J 1e6
#define NS_PER_S 1e9
#define NS_PER_S_INT UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define US_PER_S 1000000
#define S_PER_H 3600.0
#define S_PER_DAY 86400
#define J_PER_KWH 3.6e6
#define G_PER_KG 1000.0
#define KIB_BYTES 1024
#define GIB_BYTES 1073741824.0
#define HOURS_PER_YEAR 8760.0 /* 365 days */

enum { UNITS_SIZE = 40 };

static inline double j_from_uj(uint64_t uj)
{
    return (double)uj / UJ_PER_J;
}

static inline double s_from_ns(uint64_t ns)
{
    return (double)ns / NS_PER_S;
}

/* Three significant digits with the unit: "660 J", "1.13 kJ", "38.2 W", "9.68 mgCO2eq",
 * "12.4 s", "1 h 02 min", "56.1 MiB". Negative values keep their sign. Not finite: "unknown". */
const char *units_energy(double energy_j, char out[UNITS_SIZE]);
const char *units_power(double power_w, char out[UNITS_SIZE]);
const char *units_mass(double mass_kgco2eq, char out[UNITS_SIZE]);
const char *units_duration(double duration_s, char out[UNITS_SIZE]);
/* "41.44 gCO2eq/kWh", without needless digits. */
const char *units_intensity(double kgco2eq_per_kwh, char out[UNITS_SIZE]);
const char *units_bytes(double bytes, char out[UNITS_SIZE]);

/* value with this many significant digits, never in exponent form between 1e-4 and 1e15. */
const char *units_digits(double value, int digits, char out[UNITS_SIZE]);

#endif
