/* SPDX-License-Identifier: MIT
 * `carbon factors` for machines: CSV and JSON. */
#include "commands/factors/factors.h"

#include "base/csv.h"
#include "base/text.h"
#include "commands/factors/mix.h"
#include "io/json_tree.h"

#include <math.h>
#include <string.h>

static void write_texts(const char *const *texts, FILE *out)
{
    for (size_t i = 0; texts[i]; i++) {
        fputs(i ? "," : "", out);
        csv_write_field(out, texts[i]);
    }
}

/* The figure that a row is held against; NULL: it is the first of its basis, or there is none of its year. */
static const struct factor_row *against(const struct factor_list *list, const struct factor_row *row)
{
    const size_t kind = factors_kind(list, row), reference = list->comparison->kinds[kind].reference;

    return reference == kind ? NULL : factors_compared(list, reference, row->year);
}

static void write_difference(const struct factor_list *list, const struct factor_row *row, FILE *out)
{
    const struct factor_row *other = against(list, row);
    char value[TEXT_NUMBER_SIZE];

    fputc(',', out);
    csv_write_field(out, other ? other->source_id : "");
    fprintf(out, ",%s", other ? text_number(row->kgco2eq_per_kwh - other->kgco2eq_per_kwh, value) : "");
}

static void add_difference(struct tree_node object, const struct factor_list *list, const struct factor_row *row)
{
    const struct factor_row *other = against(list, row);

    tree_text_or_null(object, "against_source_id", other ? other->source_id : NULL);
    tree_number(object, "difference_kgco2eq_per_kwh", other ? row->kgco2eq_per_kwh - other->kgco2eq_per_kwh : NAN);
}

bool factors_csv(const struct factor_list *list, FILE *out, struct error *err)
{
    (void)err;
    fputs("zone,zone_name,zone_type,alpha3,year,kgco2eq_per_kwh,basis,scope,td_losses,method,gases,rank,source_id,"
          "notes",
          out);
    fputs(list->comparison ? ",against_source_id,difference_kgco2eq_per_kwh\n" : "\n", out);
    for (size_t i = 0; i < list->count; i++) {
        const struct factor_entry *entry = &list->entries[i];
        const struct factor_row *row = entry->row;
        char value[TEXT_NUMBER_SIZE];
        if (!row)
            continue;
        write_texts((const char *const[]){ row->zone, factor_entry_name(entry), entry->zone ? entry->zone->type : "",
                                           entry->zone ? entry->zone->alpha3 : "", NULL },
                    out);
        fprintf(out, ",%d,%s,", row->year, text_number(row->kgco2eq_per_kwh, value));
        write_texts((const char *const[]){ factor_basis_name(row->basis), row->scope, row->td_losses, row->method,
                                           row->gases, NULL },
                    out);
        fprintf(out, ",%d,", row->rank);
        write_texts((const char *const[]){ row->source_id, row->notes, NULL }, out);
        if (list->comparison)
            write_difference(list, row, out);
        fputs("\n", out);
    }
    return true;
}

static void add_factor(struct tree_node array, const struct factor_list *list, const struct factor_entry *entry,
                       const struct source *source)
{
    const struct factor_row *row = entry->row;
    const struct tree_node object = tree_object(array, NULL);

    tree_text(object, "zone", row->zone);
    tree_text_or_null(object, "zone_name", factor_entry_name(entry));
    tree_text_or_null(object, "zone_type", entry->zone ? entry->zone->type : "");
    tree_text_or_null(object, "alpha3", entry->zone ? entry->zone->alpha3 : "");
    tree_integer(object, "year", (uint64_t)row->year);
    tree_number(object, "kgco2eq_per_kwh", row->kgco2eq_per_kwh);
    tree_text(object, "basis", factor_basis_name(row->basis));
    tree_text_or_null(object, "scope", row->scope);
    tree_text_or_null(object, "td_losses", row->td_losses);
    tree_text_or_null(object, "method", row->method);
    tree_text_or_null(object, "gases", row->gases);
    tree_integer(object, "rank", (uint64_t)row->rank);
    tree_text_or_null(object, "source_id", row->source_id);
    tree_text_or_null(object, "source_title", source->title);
    tree_text_or_null(object, "publisher", source->publisher);
    tree_text_or_null(object, "licence", source->licence);
    tree_text_or_null(object, "url", source->url);
    tree_text_or_null(object, "retrieved_at", row->retrieved);
    tree_text(object, "table", rows_table_name(&list->rows, row));
    tree_text_or_null(object, "notes", row->notes);
    if (list->comparison)
        add_difference(object, list, row);
}

static bool add_factors(struct tree_node array, const struct factor_list *list, struct error *err)
{
    struct source source = { 0 };
    const char *source_id = "";

    for (size_t i = 0; i < list->count; i++) {
        const struct factor_row *row = list->entries[i].row;
        bool found;
        if (!row)
            continue;
        /* most rows have the source of the row before */
        if (strcmp(source_id, row->source_id) != 0 && !source_find(row->source_id, &source, &found, err))
            return false;
        source_id = row->source_id;
        add_factor(array, list, &list->entries[i], &source);
    }
    return true;
}

/* What a single zone's electricity was made from, and which zones stand in for it. */
static bool add_zone(struct tree_node root, const struct factor_list *list, struct error *err)
{
    const struct zone *zone = zones_find(&list->zones, list->single);
    const struct tree_node chain = tree_array(root, "stands_in");
    struct energy_mix mix;
    struct tree_node node;
    bool found;

    for (zone = zone ? zones_find(&list->zones, zone->fallback) : NULL; zone;
         zone = zones_find(&list->zones, zone->fallback))
        tree_text(chain, NULL, zone->code);
    if (!energy_mix_find(list->single, list->year, &mix, &found, err))
        return false;
    if (!found) {
        tree_null(root, "mix");
        return true;
    }
    node = tree_object(root, "mix");
    tree_integer(node, "year", (uint64_t)mix.year);
    for (size_t i = 0; i < FUEL_COUNT; i++)
        tree_number(node, fuel_names[i], mix.share[i]);
    return true;
}

bool factors_json(const struct factor_list *list, FILE *out, struct error *err)
{
    struct tree tree;

    tree_open(&tree);
    tree_text(tree_root(&tree), "schema", "carbon.factors/1");
    if ((!list->single || add_zone(tree_root(&tree), list, err)) &&
        add_factors(tree_array(tree_root(&tree), "factors"), list, err))
        return tree_write(&tree, out, "the factors as JSON", err);
    tree_close(&tree);
    return false;
}
