/* SPDX-License-Identifier: MIT
 * How much of a year something runs: "8h/d", "8h/d x 250", "2000h", "50%". The sign of multiplication is x or ×. */
#include "emissions/factor.h"

#include "base/parse_quantity.h"
#include "base/text.h"
#include "base/units.h"

#include <string.h>

#define HOURS_PER_DAY 24.0
#define DAYS_PER_YEAR 365.0

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t");
}

/* A number above 0, at most `most`. */
static bool take_number(const char **at, double max, double *number)
{
    char digits[TEXT_NUMBER_SIZE];
    const size_t length = strspn(*at, "0123456789.");

    if (length >= sizeof digits)
        return false;
    memcpy(digits, *at, length);
    digits[length] = '\0';
    *at += length;
    skip_blanks(at);
    return text_to_number(digits, number) && *number > 0 && *number <= max;
}

static bool take_word(const char **at, const char *word)
{
    if (strncmp(*at, word, strlen(word)) != 0)
        return false;
    *at += strlen(word);
    skip_blanks(at);
    return true;
}

static bool read_duty(const char *text, double days_of_year, double *hours)
{
    const double all = HOURS_PER_DAY * days_of_year;
    const char *at = text;
    double number, days = days_of_year;

    skip_blanks(&at);
    if (quantity_is_bare(at))
        return false;
    if (quantity_of(QUANTITY_SHARE, at, &number)) {
        *hours = all * number;
        return number > 0 && number <= 1;
    }
    if (quantity_of(QUANTITY_HOURS, at, hours))
        return *hours > 0 && *hours <= all;
    if (!take_number(&at, all, &number))
        return false;
    if (take_word(&at, "h/d")) {
        if ((take_word(&at, "x") || take_word(&at, "×")) && !take_number(&at, days_of_year, &days))
            return false;
        *hours = number * days;
        return !*at && number <= HOURS_PER_DAY;
    }
    return false;
}

bool duty_hours_of(const char *text, double days_of_year, double *hours, struct error *err)
{
    double read;

    if (read_duty(text, days_of_year, &read)) {
        *hours = read;
        return true;
    }
    error_set(err, ERROR_USAGE, "'%s' does not say how much of a year", text);
    error_why(err, "a year has %.0f days of 24 hours, %.0f h; the duty is above 0 and at most all of it", days_of_year,
              HOURS_PER_DAY * days_of_year);
    return error_fix(err, "write it as 8h/d, '8h/d x 250', 2000h or 50%%");
}

bool duty_hours_per_year(const char *text, double *hours, struct error *err)
{
    return duty_hours_of(text, DAYS_PER_YEAR, hours, err);
}
