/* SPDX-License-Identifier: MIT
 * energy/dcmi_text: a power reading as ipmitool and freeipmi print it, in each of their forms, and what is none. */
#include "energy/dcmi_text.h"

#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ipmitool up to 1.8.18 */
static const char ipmitool[] = "\n"
                               "    Instantaneous power reading:                   312 Watts\n"
                               "    Minimum during sampling period:                  2 Watts\n"
                               "    Maximum during sampling period:                468 Watts\n"
                               "    Average power reading over sample period:      296 Watts\n"
                               "    IPMI timestamp:                           Thu Sep 26 09:36:07 2024\n"
                               "    Sampling period:                          00000005 Seconds.\n"
                               "    Power reading state is:                   activated\n"
                               "\n\n";

/* 1.8.19 leaves out a line break; a BMC without a clock that says that it does not measure */
static const char openbmc[] =
    "\n"
    "    Instantaneous power reading:                   235 Watts\n"
    "    Minimum during sampling period:                235 Watts\n"
    "    Maximum during sampling period:                235 Watts\n"
    "    Average power reading over sample period:      235 Watts\n"
    "    IPMI timestamp:                           01/01/70 00:00:00 UTC    Sampling period:                          "
    "00000000 Seconds.\n"
    "    Power reading state is:                   deactivated\n\n";

/* freeipmi; the period is that since the statistics were reset */
static const char freeipmi[] = "Current Power                        : 164 Watts\n"
                               "Minimum Power over sampling duration : 48 watts\n"
                               "Maximum Power over sampling duration : 361 watts\n"
                               "Average Power over sampling duration : 157 watts\n"
                               "Time Stamp                           : 12/29/2023 - 08:58:00\n"
                               "Statistics reporting time period     : 1473439000 milliseconds\n"
                               "Power Measurement                    : Active\n";

START_TEST(both_programs_are_understood)
{
    struct dcmi_power power;

    ck_assert_int_eq(dcmi_text_power(ipmitool, &power), 0);
    ck_assert_uint_eq(power.power_w, 312);
    ck_assert(!power.inactive);
    ck_assert_uint_eq(power.period_ns, 5000000000);

    ck_assert_int_eq(dcmi_text_power(openbmc, &power), 0);
    ck_assert_uint_eq(power.power_w, 235);
    ck_assert(power.inactive);
    ck_assert_uint_eq(power.period_ns, 0);

    ck_assert_int_eq(dcmi_text_power(freeipmi, &power), 0);
    ck_assert_uint_eq(power.power_w, 164);
    ck_assert(!power.inactive);
    ck_assert_uint_eq(power.period_ns, UINT64_C(1473439000000000));
}
END_TEST

START_TEST(other_forms_of_the_same)
{
    struct dcmi_power power;

    ck_assert_int_eq(dcmi_text_power("Current Power : 332 watts\nPower Measurement : Not Available\n", &power), 0);
    ck_assert_uint_eq(power.power_w, 332);
    ck_assert(power.inactive);
    ck_assert_int_eq(dcmi_text_power("Instantaneous power reading: 00000312 Watts", &power), 0);
    ck_assert_uint_eq(power.power_w, 312);
    ck_assert_int_eq(
        dcmi_text_power("Instantaneous power reading: 60000 Watts\r\nSampling period: 1000 Milliseconds", &power), 0);
    ck_assert_uint_eq(power.period_ns, 1000000000);
}
END_TEST

START_TEST(no_power_is_no_zero)
{
    static const struct {
        const char *text;
        int error;
    } cases[] = {
        { "", ENODATA },
        { "\n    DCMI request failed because: Invalid command (c1)", ENODATA },
        { "Could not open device at /dev/ipmi0 or /dev/ipmi/0 or /dev/ipmidev/0: No such file or directory\n",
          ENODATA },
        { "Instantaneous power reading", ENODATA },
        { "Instantaneous power reading 312 Watts", ENODATA },
        { "Instantaneous power reading:", EBADMSG },
        { "Instantaneous power reading: \n 312 Watts", EBADMSG },
        { "Instantaneous power reading: N/A", EBADMSG },
        { "Instantaneous power reading: -5 Watts", EBADMSG },
        { "Instantaneous power reading: 312", EBADMSG },
        { "Instantaneous power reading: 312 Amps", EBADMSG },
        { "Instantaneous power reading: 3.5 Watts", EBADMSG },
        { "Instantaneous power reading: 1e2 Watts", EBADMSG },
        { "Instantaneous power reading: 99999999999999999999 Watts", EBADMSG },
        { "Instantaneous power reading: 0 Watts", ERANGE },
        { "Instantaneous power reading: 60001 Watts", ERANGE }, /* more than any machine draws */
        { "Instantaneous power reading: 65535 Watts", ERANGE }, /* the end of 16 bits */
        { "Instantaneous power reading: 32767 Watts", ERANGE }, /* with a sign */
        { "Instantaneous power reading: 32766 Watts", 0 },
    };
    struct dcmi_power power;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_msg(dcmi_text_power(cases[i].text, &power) == cases[i].error, "case %zu: %s", i, cases[i].text);
}
END_TEST

/* A text may end anywhere. */
START_TEST(every_beginning_of_a_text)
{
    const char *const texts[] = { ipmitool, openbmc, freeipmi };
    struct dcmi_power power;

    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
        for (size_t length = 0; length <= strlen(texts[t]); length++) {
            char *copy = strndup(texts[t], length); /* of its own length, so that a look beyond it is seen */
            const int error = dcmi_text_power(copy, &power);
            ck_assert(error == 0 || error == ENODATA || error == EBADMSG);
            ck_assert(error != 0 || power.power_w > 100);
            free(copy);
        }
}
END_TEST

UNIT_SUITE("dcmi_text", both_programs_are_understood, other_forms_of_the_same, no_power_is_no_zero,
           every_beginning_of_a_text)
