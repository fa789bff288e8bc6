/* SPDX-License-Identifier: MIT
 * Whom the forms are about, and what it emits. */
#include "commands/prometheus/pods.h"

#include "emissions/plant_fuel.h"

#include <math.h>
#include <string.h>

bool pods_wants(const struct pods *pods, const struct kind_row *row)
{
    return (!pods->namespace || strcmp(row->namespace, pods->namespace) == 0) &&
           (!pods->pod || strcmp(row->pod, pods->pod) == 0);
}

size_t pods_count(const struct pods *pods)
{
    size_t count = 0;

    for (size_t i = 0; i < pods->rows->count; i++)
        count += pods_wants(pods, &pods->rows->items[i]);
    return count;
}

void pods_name(const struct kind_row *row, char *name, size_t size)
{
    const char *slash = *row->namespace && *row->pod ? "/" : "";

    switch (row->level) {
    case KIND_OF_NODE: snprintf(name, size, "%s", *row->node ? row->node : "this node"); break;
    case KIND_OF_NAMESPACE: snprintf(name, size, "%s", row->namespace); break;
    case KIND_OF_POD: snprintf(name, size, "%s%s%s", row->namespace, slash, row->pod); break;
    case KIND_OF_CONTAINER:
        snprintf(name, size, "%s%s%s%s%s", row->namespace, slash, row->pod, *row->pod ? "/" : "",
                 *row->container ? row->container : row->id);
        break;
    default:
        if (*row->id && strcmp(row->id, row->name) != 0)
            snprintf(name, size, "%s (%s)", row->name, row->id);
        else
            snprintf(name, size, "%s", row->name);
    }
}

struct footprint pods_footprint(const struct pods *pods, const struct kind_row *row)
{
    return footprint_of(kind_sum(row)->joules, pods->pue, pods->factor.kgco2eq_per_kwh);
}

double pods_pounds(const struct pods *pods, const struct kind_row *row)
{
    return pods->fuel ? pods_footprint(pods, row).kgco2eq / KG_PER_POUND : NAN;
}
