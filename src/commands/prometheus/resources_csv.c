/* SPDX-License-Identifier: MIT
 * Peaks of pods for spreadsheets: a row each, the container's name empty for the whole pod; unknown is empty. */
#include "commands/prometheus/resources.h"

#include "base/csv.h"

#include <math.h>

bool resources_csv(const struct resources *resources, FILE *out, struct error *err)
{
    const struct peaks *peaks = &resources->peaks;

    (void)err;
    fputs("schema,from_s,to_s,namespace,pod,container,cpu_cores,memory_bytes,memory_gib,cpu_cores_rounded_up,"
          "memory_gib_rounded_up,request_cpu,request_memory_mb\n",
          out);
    for (size_t i = 0; i < peaks->count; i++) {
        const struct peak *peak = &peaks->items[i];
        const struct request request = resources_request(peaks, peak);
        const double gib = resources_gib(peak->memory_bytes);

        fputs(RESOURCES_SCHEMA, out);
        csv_add_number(out, resources->query.from_s);
        csv_add_number(out, resources->query.to_s);
        csv_add_field(out, peak->namespace);
        csv_add_field(out, peak->pod);
        csv_add_field(out, peak->container);
        csv_add_number(out, peak->cpu_cores);
        csv_add_number(out, peak->memory_bytes);
        csv_add_number(out, gib);
        csv_add_number(out, resources_rounded_up(peak->cpu_cores));
        csv_add_number(out, resources_rounded_up(gib));
        csv_add_number(out, request.cpu ? request.cpu : NAN);
        csv_add_number(out, request.memory_mb ? (double)request.memory_mb : NAN);
        fputc('\n', out);
    }
    return true;
}
