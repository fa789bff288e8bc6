/* SPDX-License-Identifier: MIT
 * Contracts for electricity, as an INI file says them. */
#include "app/options/contract_file.h"

#include "app/options/options.h"
#include "base/auto.h"
#include "base/near.h"
#include "base/parse_quantity.h"
#include "base/text.h"
#include "emissions/factor_table.h"
#include "io/ini.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FILE_MAX_BYTES = 65536, DAY_TEXT = 10 };

static const char *const keys[] = { "share", "g_per_kwh", "from", "until", NULL };

struct contract_reading {
    struct contracts *contracts;
    const char *path;
    int lines[CONTRACTS_MAX]; /* where each begins */
};

/* "2026-02-28" as 20260228; years have no other order than their digits'. */
static bool day_of_text(const char *text, int *day)
{
    static const int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int year, month, date, end = 0;
    bool leap;

    if (strlen(text) != DAY_TEXT || strspn(text, "0123456789-") != DAY_TEXT ||
        sscanf(text, "%4d-%2d-%2d%n", &year, &month, &date, &end) != 3 || end != DAY_TEXT)
        return false;
    leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (year < 1990 || month < 1 || month > 12 || date < 1 || date > lengths[month - 1] + (month == 2 && leap))
        return false;
    *day = (year * 100 + month) * 100 + date;
    return true;
}

static bool begin(struct contract_reading *reading, const struct ini_entry *entry, struct error *err)
{
    struct contracts *contracts = reading->contracts;
    struct contract *contract = &contracts->items[contracts->count];

    if (!*entry->section)
        return ini_fail(err, reading->path, entry->line, "a section has the id of a certificate:", entry->section);
    for (size_t i = 0; i < contracts->count; i++)
        if (strcmp(contracts->items[i].certificate, entry->section) == 0)
            return ini_fail(err, reading->path, entry->line, "a certificate counts once:", entry->section);
    if (contracts->count == CONTRACTS_MAX)
        return ini_fail(err, reading->path, entry->line, "there are too many contracts at", entry->section);
    *contract = (struct contract){ .share = NAN, .kgco2eq_per_kwh = NAN };
    text_copy(contract->certificate, sizeof contract->certificate, entry->section);
    reading->lines[contracts->count++] = entry->line;
    return true;
}

static bool take_value(struct contract *contract, const char *name, const char *value)
{
    if (strcmp(name, "from") == 0)
        return day_of_text(value, &contract->from);
    if (strcmp(name, "until") == 0)
        return day_of_text(value, &contract->until);
    if (strcmp(name, "share") == 0)
        return quantity_of(QUANTITY_SHARE, value, &contract->share) && contract->share > 0 && contract->share <= 1;
    return quantity_scaled(QUANTITY_INTENSITY, value, -3, &contract->kgco2eq_per_kwh) &&
           contract->kgco2eq_per_kwh >= 0 && contract->kgco2eq_per_kwh <= MAX_KGCO2EQ_PER_KWH;
}

static bool take_entry(const struct ini_entry *entry, void *context, struct error *err)
{
    struct contract_reading *reading = context;
    const char *near;
    size_t key = 0;

    if (!entry->name)
        return begin(reading, entry, err);
    while (keys[key] && strcmp(keys[key], entry->name) != 0)
        key++;
    if (!*entry->section) {
        ini_fail(err, reading->path, entry->line, "not in any section:", entry->name);
        return error_fix(err, "write [CERTIFICATE], its id, above what a contract has");
    }
    if (!keys[key]) {
        near = near_of(entry->name, keys);
        ini_fail(err, reading->path, entry->line, "a contract has no", entry->name);
        return error_fix(err, near ? "did you mean '%s'?" : "a contract has share, g_per_kwh, from and until%s",
                         near ? near : "");
    }
    if (take_value(&reading->contracts->items[reading->contracts->count - 1], entry->name, entry->value))
        return true;
    ini_fail(err, reading->path, entry->line, "this cannot be:", entry->value);
    return error_why(err, "%s is %s", entry->name,
                     key == 0   ? "a part of the energy used, above 0 and up to 1"
                     : key == 1 ? "in gCO2eq per kWh, from 0 to 10000"
                                : "a day, as 2026-12-31");
}

static bool missing(const struct contract_reading *reading, size_t i, const char *key, struct error *err)
{
    ini_fail(err, reading->path, reading->lines[i], "no value of", key);
    return error_fix(err, "write '%s = ...' below '[%s]'", key, reading->contracts->items[i].certificate);
}

/* The shares of all that hold on the first day of each; the sum can only grow on such a day. */
static bool shares_fit(const struct contract_reading *reading, struct error *err)
{
    const struct contracts *contracts = reading->contracts;

    for (size_t i = 0; i < contracts->count; i++) {
        const int day = contracts->items[i].from;
        double sum = 0;
        for (size_t j = 0; j < contracts->count; j++)
            if (contracts->items[j].from <= day && contracts->items[j].until >= day)
                sum += contracts->items[j].share;
        if (sum > 1 + 1e-9) {
            ini_fail(err, reading->path, reading->lines[i], "more than all is covered from the first day of",
                     contracts->items[i].certificate);
            return error_why(err, "the shares of that day add up to %.6g", sum);
        }
    }
    return true;
}

static bool are_complete(const struct contract_reading *reading, struct error *err)
{
    const struct contracts *contracts = reading->contracts;

    for (size_t i = 0; i < contracts->count; i++) {
        const struct contract *contract = &contracts->items[i];
        if (isnan(contract->share) || isnan(contract->kgco2eq_per_kwh))
            return missing(reading, i, keys[isnan(contract->share) ? 0 : 1], err);
        if (!contract->from || !contract->until)
            return missing(reading, i, keys[contract->from ? 3 : 2], err);
        if (contract->until < contract->from)
            return ini_fail(err, reading->path, reading->lines[i], "it ends before it begins:", contract->certificate);
    }
    if (contracts->count)
        return shares_fit(reading, err);
    error_set(err, ERROR_USAGE, "'%s' names no contract", reading->path);
    return error_fix(err,
                     "write '[CERTIFICATE]' and below it share, g_per_kwh, from and until; see carbon-measure(1)");
}

bool contracts_read(const char *path, struct contracts *contracts, struct error *err)
{
    static const struct ini_form form = { .fix = "write 'share = 0.6' below '[CERTIFICATE]'" };
    AUTO_FREE char *content = ini_load(path, FILE_MAX_BYTES, err);
    struct contract_reading reading = { .contracts = contracts, .path = path };
    const char *slash = strrchr(path, '/');

    contracts->count = 0;
    text_copy(contracts->file, sizeof contracts->file, slash ? slash + 1 : path);
    return content && ini_read(path, content, &form, take_entry, &reading, err) && are_complete(&reading, err);
}
