/* SPDX-License-Identifier: MIT
 * The workload of the forms, and its emissions. */
#include "commands/prometheus/workload_energy.h"

#include "emissions/plant_fuel.h"

#include <math.h>
#include <string.h>

bool workloads_wants(const struct workload_report *workloads, const struct workload_row *row)
{
    return (!workloads->namespace || strcmp(row->namespace, workloads->namespace) == 0) &&
           (!workloads->pod || strcmp(row->pod, workloads->pod) == 0);
}

size_t workloads_count(const struct workload_report *workloads)
{
    size_t count = 0;

    for (size_t i = 0; i < workloads->rows->count; i++)
        count += workloads_wants(workloads, &workloads->rows->items[i]);
    return count;
}

void workloads_name(const struct workload_row *row, char *name, size_t size)
{
    const char *slash = *row->namespace && *row->pod ? "/" : "";

    switch (row->level) {
    case LEVEL_NODE: snprintf(name, size, "%s", *row->node ? row->node : "this node"); break;
    case LEVEL_NAMESPACE: snprintf(name, size, "%s", row->namespace); break;
    case LEVEL_POD: snprintf(name, size, "%s%s%s", row->namespace, slash, row->pod); break;
    case LEVEL_CONTAINER:
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

struct footprint workloads_footprint(const struct workload_report *workloads, const struct workload_row *row)
{
    return footprint_of(workload_row_sum(row)->joules, workloads->pue, workloads->factor.kgco2eq_per_kwh);
}

double workloads_pounds(const struct workload_report *workloads, const struct workload_row *row)
{
    return workloads->fuel ? workloads_footprint(workloads, row).kgco2eq / KG_PER_POUND : NAN;
}
