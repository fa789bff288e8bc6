/* SPDX-License-Identifier: MIT
 * Keys of their own for what is never mixed into the location-based figure. */
#include "result/beside_json.h"

#include "result/record_json.h"
#include "result/report.h"

#include <math.h>

void json_pue(struct tree_node parent, double pue, enum quality quality, const struct beside *beside)
{
    const struct tree_node node = tree_object(parent, "pue");

    tree_number(node, "value", pue);
    tree_text(node, "quality", quality_name(quality));
    tree_text_or_null(node, "source", beside->pue.source);
}

void json_beside(struct tree_node parent, const struct beside *beside)
{
    struct tree_node node;

    if (isnan(beside->market.kgco2eq_per_kwh))
        tree_null(parent, "market_factor");
    else
        json_factor(parent, "market_factor", &beside->market);
    if (isnan(beside_market(beside)->kgco2eq_per_kwh))
        tree_null(parent, "market_location_factor");
    else
        json_factor(parent, "market_location_factor", &beside->market_location);
    if (isnan(beside->wue.value)) {
        tree_null(parent, "wue");
        return;
    }
    node = tree_object(parent, "wue");
    tree_number(node, "l_per_kwh", beside->wue.value);
    tree_text(node, "quality", quality_name(beside->wue.quality));
    tree_text_or_null(node, "source", beside->wue.source);
}

void json_added(struct tree_node parent, const char *key, const struct added *added)
{
    struct tree_node node;

    if (isnan(added->kgco2eq_per_kwh)) {
        tree_null(parent, key);
        return;
    }
    node = tree_object(parent, key);
    tree_number(node, "kgco2eq_per_kwh", added->kgco2eq_per_kwh);
    tree_number(node, "gross_kgco2eq", added->gross_kgco2eq);
    tree_number(node, "net_kgco2eq", added->net_kgco2eq);
}
