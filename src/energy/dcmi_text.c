/* SPDX-License-Identifier: MIT
 * The lines of a power reading; all others are passed over. */
#include "energy/dcmi_text.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "energy/power_bounds.h"

#include <errno.h>
#include <string.h>

/* Behind "LABEL:" or "LABEL   : ". Some versions of ipmitool print two labels in one line. */
static const char *value_of(const char *text, const char *label)
{
    const char *at = strstr(text, label);

    if (!at)
        return NULL;
    at += strlen(label);
    at += strspn(at, " \t");
    if (*at != ':')
        return NULL;
    return at + 1 + strspn(at + 1, " \t");
}

/* "00000312 Watts" */
static bool number_of(const char *value, uint64_t *number, const char **unit)
{
    const size_t length = strspn(value, "0123456789");

    if (!length || length > 18 || (value[length] != ' ' && value[length] != '\t'))
        return false;
    *number = 0;
    for (size_t i = 0; i < length; i++)
        *number = *number * 10 + (uint64_t)(value[i] - '0');
    *unit = value + length + strspn(value + length, " \t");
    return true;
}

/* Of the statistics, not of the present power; freeipmi's may be as long as the BMC runs. */
static uint64_t period_ns_of(const char *text)
{
    const char *value = value_of(text, "Sampling period"), *unit;
    uint64_t number, unit_ns;

    if (!value)
        value = value_of(text, "Statistics reporting time period");
    if (!value || !number_of(value, &number, &unit))
        return 0;
    unit_ns = c_strncasecmp(unit, "milliseconds", 12) == 0 ? NS_PER_MS
              : c_strncasecmp(unit, "seconds", 7) == 0     ? 1000 * NS_PER_MS
                                                           : 0;
    return unit_ns && number <= UINT64_MAX / unit_ns ? number * unit_ns : 0;
}

static bool is_inactive(const char *text)
{
    const char *state = value_of(text, "Power reading state is");

    if (state)
        return c_strncasecmp(state, "deactivated", 11) == 0;
    state = value_of(text, "Power Measurement");
    return state && c_strncasecmp(state, "not available", 13) == 0;
}

int dcmi_text_power(const char *text, struct dcmi_power *power)
{
    const char *value = value_of(text, "Instantaneous power reading"), *unit;

    *power = (struct dcmi_power){ .power_w = 0 };
    if (!value)
        value = value_of(text, "Current Power");
    if (!value)
        return ENODATA;
    power->inactive = is_inactive(text);
    power->period_ns = period_ns_of(text);
    if (!number_of(value, &power->power_w, &unit) || c_strncasecmp(unit, "watts", 5) != 0) {
        power->power_w = 0;
        return EBADMSG;
    }
    return power->power_w > 0 && bounds_can_be_power((double)power->power_w) ? 0 : ERANGE;
}
