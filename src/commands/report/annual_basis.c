/* SPDX-License-Identifier: MIT
 * What the figures of a period stand on: factors, PUEs, hardware, scopes and machines, each with what stands on it. */
#include "commands/report/annual_sum.h"

#include "base/text.h"
#include "io/json_read.h"
#include "result/carbon_fields.h"
#include "result/record_fields.h"
#include "result/stored/record_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef bool same_function(const void *a, const void *b);

/* Adds to what is like one that is there already. */
static bool add_to(struct annual_list *list, const void *item, size_t size, same_function *same,
                   const struct contribution_totals *totals, struct error *err)
{
    size_t i = 0;

    while (i < list->count && !same((char *)list->items + i * size, item))
        i++;
    if (i == list->count) {
        struct contribution_totals *of_items = realloc(list->totals, (i + 1) * sizeof *of_items);
        void *items = of_items ? realloc(list->items, (i + 1) * size) : NULL;
        if (of_items)
            list->totals = of_items;
        if (!items)
            return error_set(err, ERROR_SYSTEM, "no memory for the sums of the report");
        list->items = items;
        memcpy((char *)items + i * size, item, size);
        list->totals[i] = (struct contribution_totals){ .records = 0 };
        list->count++;
    }
    contribution_totals_merge(&list->totals[i], totals);
    return true;
}

/* Unknown is like unknown. */
static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_factor(const void *a, const void *b)
{
    const struct annual_factor *x = a, *y = b;

    return same_number(x->factor.kgco2eq_per_kwh, y->factor.kgco2eq_per_kwh) && x->factor.year == y->factor.year &&
           x->factor.quality == y->factor.quality && x->factor.basis == y->factor.basis &&
           same_number(x->factor.td_losses_kgco2eq_per_kwh, y->factor.td_losses_kgco2eq_per_kwh) &&
           same_number(x->factor.upstream_kgco2eq_per_kwh, y->factor.upstream_kgco2eq_per_kwh) &&
           strcmp(x->factor.zone, y->factor.zone) == 0 && strcmp(x->factor.source_id, y->factor.source_id) == 0 &&
           strcmp(x->factor.source, y->factor.source) == 0 && strcmp(x->factor.scope, y->factor.scope) == 0 &&
           strcmp(x->factor.td_losses, y->factor.td_losses) == 0 && strcmp(x->factor.gases, y->factor.gases) == 0 &&
           strcmp(x->factor.version, y->factor.version) == 0 &&
           strcmp(x->factor.retrieved_at, y->factor.retrieved_at) == 0 && strcmp(x->service, y->service) == 0;
}

static bool same_pue(const void *a, const void *b)
{
    const struct annual_pue *x = a, *y = b;

    return same_number(x->value, y->value) && x->quality == y->quality && strcmp(x->source, y->source) == 0;
}

static bool same_embodied(const void *a, const void *b)
{
    const struct annual_embodied *x = a, *y = b;

    return same_number(x->machine_kgco2eq, y->machine_kgco2eq) && same_number(x->lifetime_years, y->lifetime_years) &&
           same_number(x->reserved_share, y->reserved_share) && x->machine_quality == y->machine_quality &&
           x->lifetime_quality == y->lifetime_quality && strcmp(x->machine, y->machine) == 0 &&
           strcmp(x->source_id, y->source_id) == 0;
}

static bool same_name(const void *a, const void *b)
{
    return strcmp(((const struct annual_name *)a)->name, ((const struct annual_name *)b)->name) == 0;
}

static bool add_factor(struct annual_sum *sum, const struct annual_price *price, const struct cJSON *basis,
                       const struct contribution_totals *totals, struct error *err)
{
    const struct cJSON *hourly = price->changed ? NULL : RECORD_OBJECT(basis, hourly_fields);
    struct annual_factor item = { .factor = price->factor };

    TAKE(item.service, HOURLY_ITEM(hourly, title));
    TAKE(item.hourly_source_id, HOURLY_ITEM(hourly, source_id));
    TAKE(item.service_licence, HOURLY_ITEM(hourly, licence));
    return add_to(&sum->lists[LIST_FACTORS], &item, sizeof item, same_factor, totals, err);
}

static bool add_other(struct annual_sum *sum, size_t list, const struct factor *factor,
                      const struct contribution_totals *totals, struct error *err)
{
    const struct annual_factor item = { .factor = *factor };

    return isnan(factor->kgco2eq_per_kwh) || add_to(&sum->lists[list], &item, sizeof item, same_factor, totals, err);
}

static bool add_pue(struct annual_sum *sum, const struct annual_price *price, const struct cJSON *basis,
                    const struct contribution_totals *totals, struct error *err)
{
    struct annual_pue item = { .value = price->pue, .quality = price->pue_quality };

    if (!(sum->annual->restating.pue > 0))
        TAKE(item.source, RECORD_ITEM(basis, supplementary.pue.source));
    return add_to(&sum->lists[LIST_PUES], &item, sizeof item, same_pue, totals, err);
}

static bool add_embodied(struct annual_sum *sum, const struct cJSON *basis, const struct contribution_totals *totals,
                         struct error *err)
{
    const struct cJSON *embodied = FIELD_MADE(basis, basis_fields, basis_embodied);
    struct annual_embodied item = {
        .machine_kgco2eq = json_number(SCI_MACHINE_ITEM(embodied, machine_kgco2eq.value)),
        .lifetime_years = json_number(EMBODIED_ITEM(embodied, lifetime_years)),
        .reserved_share = json_number(EMBODIED_ITEM(embodied, reserved_share)),
        .machine_quality = quality_of(json_text(SCI_MACHINE_ITEM(embodied, machine_kgco2eq.quality))),
        .lifetime_quality = quality_of(json_text(EMBODIED_ITEM(embodied, lifetime_quality))),
    };

    if (json_is_null(embodied))
        return true;
    TAKE(item.machine, SCI_MACHINE_ITEM(embodied, machine));
    TAKE(item.source_id, SCI_MACHINE_ITEM(embodied, source_id));
    TAKE(item.version, SCI_MACHINE_ITEM(embodied, version));
    return add_to(&sum->lists[LIST_EMBODIED], &item, sizeof item, same_embodied, totals, err);
}

/* An estimate has neither a scope nor a machine. */
static bool add_name(struct annual_list *list, const char *name, const struct contribution_totals *totals,
                     struct error *err)
{
    struct annual_name item = { .name = "" };

    if (!*name)
        return true;
    text_copy(item.name, sizeof item.name, name);
    return add_to(list, &item, sizeof item, same_name, totals, err);
}

bool annual_sum_basis(struct annual_sum *sum, int64_t number, const char *text, struct error *err)
{
    return annual_prices_add(sum->prices, number, text, err);
}

static bool list_price(const struct annual_price *price, int64_t place, const char *text, void *context,
                       struct error *err)
{
    struct annual_sum *sum = context;
    const struct contribution_totals *totals = basis_totals_of(&sum->bases, place);
    struct cJSON *basis;
    bool good;

    if (!totals)
        return true;
    basis = json_parse(text, "the ledger", err);
    if (!basis)
        return false;
    good = add_factor(sum, price, basis, totals, err) &&
           (price->location_based || add_other(sum, LIST_MARKET, &price->market, totals, err)) &&
           add_other(sum, LIST_DIRECT, &price->direct, totals, err) &&
           add_other(sum, LIST_LIFECYCLE, &price->lifecycle, totals, err) && add_pue(sum, price, basis, totals, err) &&
           add_embodied(sum, basis, totals, err) &&
           add_name(&sum->lists[LIST_SCOPES], json_text(BASIS_ITEM(basis, scope)), totals, err) &&
           add_name(&sum->lists[LIST_MACHINES], json_text(BASIS_ITEM(basis, cpu_model)), totals, err);
    json_close(basis);
    return good;
}

bool annual_sum_list(struct annual_sum *sum, struct error *err)
{
    return annual_prices_each(sum->prices, list_price, sum, err);
}

#define GIVE(list, type, to, number)                                                                                   \
    do {                                                                                                               \
        type *const items = (list)->items;                                                                             \
        for (size_t i = 0; i < (list)->count; i++)                                                                     \
            items[i].figures = contribution_totals_figures(&(list)->totals[i]);                                        \
        (to) = items;                                                                                                  \
        (number) = (list)->count;                                                                                      \
        (list)->items = NULL;                                                                                          \
    } while (0)

void annual_sum_give_lists(struct annual_sum *sum)
{
    struct annual *annual = sum->annual;
    struct annual_list *lists = sum->lists;

    GIVE(&lists[LIST_FACTORS], struct annual_factor, annual->factors, annual->factor_count);
    GIVE(&lists[LIST_MARKET], struct annual_factor, annual->market_factors, annual->market_factor_count);
    GIVE(&lists[LIST_DIRECT], struct annual_factor, annual->direct_factors, annual->direct_factor_count);
    GIVE(&lists[LIST_LIFECYCLE], struct annual_factor, annual->lifecycle_factors, annual->lifecycle_factor_count);
    GIVE(&lists[LIST_PUES], struct annual_pue, annual->pues, annual->pue_count);
    GIVE(&lists[LIST_EMBODIED], struct annual_embodied, annual->embodied, annual->embodied_count);
    GIVE(&lists[LIST_SCOPES], struct annual_name, annual->scopes, annual->scope_count);
    GIVE(&lists[LIST_MACHINES], struct annual_name, annual->machines, annual->machine_count);
}
