/* SPDX-License-Identifier: MIT
 * Contracts, and what they make of a market-based factor. The input: the first and the last day of the use and a factor
 * of its zone, 4, 4 and 8 bytes, and the file. */
#include "folder.h"

#include "app/options/contract_file.h"
#include "emissions/factor_table.h"

#include <math.h>

static bool is_day(int day)
{
    const int month = day / 100 % 100, date = day % 100;

    return day >= 19900101 && day <= 99991231 && month >= 1 && month <= 12 && date >= 1 && date <= 31;
}

/* What was read may be relied on: right figures, each certificate once, and on no day more than all. */
static void check_contracts(const struct contracts *contracts)
{
    FUZZ_MUST(contracts->count >= 1 && contracts->count <= CONTRACTS_MAX);
    FUZZ_MUST(strcmp(contracts->file, "contracts.ini") == 0);
    for (size_t i = 0; i < contracts->count; i++) {
        const struct contract *contract = &contracts->items[i];
        double sum = 0;
        FUZZ_MUST(*contract->certificate);
        FUZZ_MUST(contract->share > 0 && contract->share <= 1);
        FUZZ_MUST(contract->kgco2eq_per_kwh >= 0 && contract->kgco2eq_per_kwh <= MAX_KGCO2EQ_PER_KWH);
        FUZZ_MUST(is_day(contract->from) && is_day(contract->until) && contract->from <= contract->until);
        for (size_t j = 0; j < contracts->count; j++) {
            const struct contract *other = &contracts->items[j];
            FUZZ_MUST(i == j || strcmp(contract->certificate, other->certificate) != 0);
            if (other->from <= contract->until && other->until >= contract->until)
                sum += other->share;
        }
        FUZZ_MUST(sum <= 1 + 1e-6);
    }
}

/* A mix lies between the smallest and the largest of what is mixed. */
static void try_market(const struct contracts *contracts, int first_day, int last_day, double location)
{
    const struct factor zone = { .kgco2eq_per_kwh = location, .quality = QUALITY_GIVEN };
    const struct market_query query = {
        .location = &zone,
        .first_day = first_day,
        .last_day = last_day,
        .given = NAN,
        .contracts = contracts,
    };
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error err = { .kind = ERROR_NONE };
    struct factor market;
    double min = location, max = location, shares = 0;

    FUZZ_MUST(market_factor(&query, &market, &notices, &err));
    for (size_t i = 0; i < contracts->count; i++) {
        const struct contract *contract = &contracts->items[i];
        if (contract->from > first_day || contract->until < last_day)
            continue;
        shares += contract->share;
        min = fmin(min, contract->kgco2eq_per_kwh);
        max = fmax(max, contract->kgco2eq_per_kwh);
    }
    if (shares == 0) { /* and a zone without a code has no residual mix */
        FUZZ_MUST(isnan(market.kgco2eq_per_kwh) && market.quality == QUALITY_UNKNOWN);
        return;
    }
    FUZZ_MUST(market.quality == QUALITY_GIVEN && *market.source && strcmp(market.table, contracts->file) == 0);
    FUZZ_MUST(market.kgco2eq_per_kwh >= min - 1e-6 && market.kgco2eq_per_kwh <= max + 1e-6);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    const int first_day = (int)(input_number(&input, 4) % 100000000), more = (int)(input_number(&input, 4) % 100000);
    const double location = fabs(input_double(&input));
    struct error err = { .kind = ERROR_NONE };
    struct contracts contracts;
    char path[300];

    folder_open();
    const int next_fd = fuzz_next_fd();
    snprintf(path, sizeof path, "%s/contracts.ini", folder.path);
    folder_write("contracts.ini", input.at, input_left(&input), true);
    if (contracts_read(path, &contracts, &err)) {
        check_contracts(&contracts);
        try_market(&contracts, first_day, first_day + more, location <= MAX_KGCO2EQ_PER_KWH ? location : 0.5);
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    }
    FUZZ_MUST(fuzz_next_fd() == next_fd);
    folder_clear();
    return 0;
}
