/* SPDX-License-Identifier: MIT
 * The result of `carbon probe` as a table with a row for each load; what is not known is empty. */
#include "commands/probe/probe.h"

#include "base/csv.h"
#include "base/text.h"

#include <math.h>

static void write_number(FILE *out, double value)
{
    char number[TEXT_NUMBER_SIZE];

    fprintf(out, ",%s", isfinite(value) ? text_number(value, number) : "");
}

static void write_bool(FILE *out, double known, bool value)
{
    fprintf(out, ",%s", isnan(known) ? "" : value ? "true" : "false");
}

static void write_header(FILE *out)
{
    static const char *const domains[SPLIT_DOMAINS] = { "package", "memory", "machine", "gpu" };

    fputs("schema,id,load,kind,threads,runs,failed,busy_cpus,bytes_per_s,j_per_gib,total_gross_w", out);
    for (size_t i = 0; i < SPLIT_DOMAINS; i++)
        fprintf(out, ",%s_gross_w,%s_net_w,%s_quality", domains[i], domains[i], domains[i]);
    for (enum split_part part = 0; part < SPLIT_PARTS; part++) {
        const char *name = split_part_name(part);
        fprintf(out, ",%s_w,%s_error_w,%s_percent,%s_told,%s_assumed", name, name, name, name, name);
    }
    fputs(",baseline_busy_cpus,baseline_busy_mask_cpus", out);
    for (size_t i = 0; i < SPLIT_DOMAINS; i++)
        fprintf(out, ",%s_own_w", domains[i]);
    fputs(",own_method", out);
    fputc('\n', out);
}

static void write_row(const struct probe_result *result, const struct probe_entry *entry, FILE *out)
{
    const struct split_row *row = &entry->row;

    fprintf(out, PROBE_SCHEMA ",%s,", result->id);
    csv_write_field(out, entry->name);
    fprintf(out, ",%s,", load_kind_name(entry->kind));
    if (entry->threads)
        fprintf(out, "%u", entry->threads);
    fprintf(out, ",%zu,%s", entry->run_count, entry->failed ? "true" : "false");
    write_number(out, row->busy_cpus);
    write_number(out, row->bytes_per_s);
    write_number(out, row->j_per_gib);
    write_number(out, row->total_gross_w);
    for (size_t i = 0; i < SPLIT_DOMAINS; i++) {
        write_number(out, entry->gross_w[i].mean);
        write_number(out, entry->net_w[i].mean);
        fprintf(out, ",%s", quality_name(result->meter.quality[i]));
    }
    for (enum split_part part = 0; part < SPLIT_PARTS; part++) {
        const struct split_figure *figure = &row->parts[part];
        write_number(out, figure->w);
        write_number(out, figure->error_w);
        write_number(out, figure->percent);
        write_bool(out, figure->w, figure->told);
        write_bool(out, figure->w, figure->assumed);
    }
    write_number(out, result->baseline_busy_cpus);
    write_number(out, result->baseline_busy_mask_cpus);
    for (size_t i = 0; i < SPLIT_DOMAINS; i++)
        write_number(out, entry->own_w[i].mean);
    fprintf(out, ",%s", own_method_name(result->own_method));
    fputc('\n', out);
}

bool probe_write_csv(const struct probe_result *result, FILE *out, struct error *err)
{
    write_header(out);
    for (size_t i = 0; i < result->entry_count; i++)
        write_row(result, &result->entries[i], out);
    return !ferror(out) || error_errno(err, "cannot write the CSV table");
}
