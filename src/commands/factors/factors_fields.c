/* SPDX-License-Identifier: MIT
 * `carbon factors` for machines, JSON and CSV: every field of it, and what it means. */
#include "commands/factors/factors.h"

#include "commands/factors/mix.h"
#include "form/columns.h"

#include <math.h>
#include <string.h>

/* One figure, with what stands elsewhere. */
struct factor_object {
    const struct factor_row *row;
    const char *zone_name, *zone_type, *alpha3;
    const struct source *source;
    const char *table;
    bool compared;
    const char *against_source_id; /* NULL: it is the first of its basis, or there is none of its year */
    double difference_kgco2eq_per_kwh;
};

/* The document, while it is made: a list of sources that cannot be read ends it. */
struct factors_object {
    const struct factor_list *list;
    struct energy_mix mix;
    bool has_mix;
    struct error *err;
    bool *failed;
};

static const char *basis_word(int basis)
{
    return factor_basis_name((enum factor_basis)basis);
}

static bool is_compared(const void *factor)
{
    return ((const struct factor_object *)factor)->compared;
}

static bool is_single(const void *factors)
{
    return ((const struct factors_object *)factors)->list->single;
}

#define OF struct factor_row
static const struct field zone_list[] = { FIELD_TEXT(zone, "whose electricity: FR, US-CA, WORLD") };
static const struct fields zone_fields = FIELDS_OF(NULL, NULL, struct factor_row, zone_list);

static const struct fields figure_fields = FIELDS({
    FIELD_INT(year, "its year"),
    FIELD_NUMBER(kgco2eq_per_kwh, "emission factor, in kgCO2eq per kWh", .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_WORD(enum factor_basis, basis, basis_word, FACTOR_LIFECYCLE, FACTOR_DIRECT + 1,
               "lifecycle: plants, fuel supply and combustion; direct: combustion alone"),
    FIELD_NAME(scope, "production or consumption", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(td_losses, "transmission and distribution losses: excluded or included", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(method, "location: the grid's mix; market: contracts and residual mix", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(gases, "co2eq or co2", .flags = FIELD_NULL_EMPTY),
    FIELD_INT(rank, "1: the one that carbon uses; others are alternatives"),
    FIELD_TEXT(source_id, "key of the source in sources.csv", .flags = FIELD_NULL_EMPTY),
});

static const struct fields retrieved_fields = FIELDS({
    FIELD_TEXT_AS("retrieved_at", retrieved, "the day it was taken from its source; null: the table does not say",
                  .flags = FIELD_NULL_EMPTY),
});

static const struct field notes_list[] = { FIELD_TEXT(notes, "notes of its table", .flags = FIELD_NULL_EMPTY) };
static const struct fields notes_fields = FIELDS_OF(NULL, NULL, struct factor_row, notes_list);
#undef OF

#define OF struct source
static const struct fields source_fields = FIELDS({
    FIELD_TEXT_AS("source_title", title, "of the publication", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(publisher, "who publishes it", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(licence, "of the figure", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(url, "where it is", .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct factor_object
static const struct fields zone_about_fields = FIELDS({
    FIELD_NAME(zone_name, "its name", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(zone_type, "country, subdivision or aggregate; null: a zone of the user's own",
               .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(alpha3, "code of its country in three letters; null: of none", .flags = FIELD_NULL_EMPTY),
});

static const struct fields difference_fields = FIELDS({
    FIELD_NAME(against_source_id,
               "with --compare: the source whose figure of the year this one is held against; null: it is the first of "
               "its basis, or there is none",
               .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER(difference_kgco2eq_per_kwh, "this one less that"),
});

static const struct field factor_list[] = {
    FIELD_PART(const struct factor_row *, row, &zone_fields, FIELD_BEHIND),
    FIELD_SAME(&zone_about_fields),
    FIELD_PART(const struct factor_row *, row, &figure_fields, FIELD_BEHIND),
    FIELD_PART(const struct source *, source, &source_fields, FIELD_BEHIND),
    FIELD_PART(const struct factor_row *, row, &retrieved_fields, FIELD_BEHIND),
    FIELD_NAME(table, "file name of the table"),
    FIELD_PART(const struct factor_row *, row, &notes_fields, FIELD_BEHIND),
    FIELD_SAME_WHERE(is_compared, &difference_fields),
};
#undef OF
static const struct fields factor_fields =
    FIELDS_OF("figure", "emission factor of one zone, year and source", struct factor_object, factor_list);

#define OF struct energy_mix
/* In the order of fuel_names. */
static const struct field mix_list[] = {
    FIELD_INT(year, "of which year"),
    FIELD_NUMBER_AS("coal", share[0], "part of the generation, 0 to 1; null: the table does not say"),
    FIELD_NUMBER_AS("gas", share[1], "likewise"),
    FIELD_NUMBER_AS("oil", share[2], "likewise, with other fossil fuels"),
    FIELD_NUMBER_AS("nuclear", share[3], "likewise"),
    FIELD_NUMBER_AS("hydro", share[4], "likewise"),
    FIELD_NUMBER_AS("wind", share[5], "likewise"),
    FIELD_NUMBER_AS("solar", share[6], "likewise"),
    FIELD_NUMBER_AS("bioenergy", share[7], "likewise"),
    FIELD_NUMBER_AS("other_renewables", share[8], "likewise"),
};
_Static_assert(sizeof mix_list / sizeof mix_list[0] == FUEL_COUNT + 1, "a field for each fuel");
#undef OF
static const struct fields mix_fields = FIELDS_OF(NULL, NULL, struct energy_mix, mix_list);

static void add_chain(struct tree_node array, const void *of)
{
    const struct factor_list *list = ((const struct factors_object *)of)->list;
    const struct zone *zone = zones_find(&list->zones, list->single);

    for (zone = zone ? zones_find(&list->zones, zone->fallback) : NULL; zone;
         zone = zones_find(&list->zones, zone->fallback))
        tree_text(array, NULL, zone->code);
}

static struct factor_object object_of(const struct factor_list *list, const struct factor_entry *entry,
                                      const struct source *source)
{
    const struct factor_row *row = entry->row, *other = NULL;
    const size_t kind = list->comparison ? factors_kind(list, row) : 0;

    if (list->comparison && list->comparison->kinds[kind].reference != kind)
        other = factors_compared(list, list->comparison->kinds[kind].reference, row->year);
    return (struct factor_object){
        .row = row,
        .zone_name = factor_entry_name(entry),
        .zone_type = entry->zone ? entry->zone->type : NULL,
        .alpha3 = entry->zone ? entry->zone->alpha3 : NULL,
        .source = source,
        .table = rows_table_name(&list->rows, row),
        .compared = list->comparison,
        .against_source_id = other ? other->source_id : NULL,
        .difference_kgco2eq_per_kwh = other ? row->kgco2eq_per_kwh - other->kgco2eq_per_kwh : NAN,
    };
}

static void add_factors(struct tree_node array, const void *of)
{
    const struct factors_object *factors = of;
    const struct factor_list *list = factors->list;
    struct source source = { 0 };
    const char *source_id = "";
    bool found;

    for (size_t i = 0; i < list->count && !*factors->failed; i++) {
        const struct factor_row *row = list->entries[i].row;
        struct factor_object object;
        if (!row)
            continue;
        /* most rows have the source of the row before */
        if (strcmp(source_id, row->source_id) != 0)
            *factors->failed = !source_find(row->source_id, &source, &found, factors->err);
        source_id = row->source_id;
        object = object_of(list, &list->entries[i], &source);
        fields_json(tree_object(array, NULL), &factor_fields, &object);
    }
}

#define OF struct factors_object
static const struct fields single_fields = FIELDS({
    FIELD_VALUES("stands_in", add_chain, FIELD_IS_NAME, "of a single zone: its fallback zones, the next one first"),
    FIELD_OBJECT(struct energy_mix, mix, &mix_fields, "of a single zone: its electricity mix; null: not in the table",
                 FIELD_WHERE(has_mix)),
});

static const struct fields factors_fields = FIELDS({
    FIELD_CONSTANT("schema", FACTORS_SCHEMA, "name and version of this form"),
    FIELD_SAME_WHERE(is_single, &single_fields),
    FIELD_EACH("factors", add_factors, &factor_fields, "those that were asked for"),
});
#undef OF

enum { ROW, REST };
static const struct fields *const row_of[] = { &figure_fields, &factor_fields };

static const struct column columns[] = {
    COLUMNS(REST, zone, zone_name, zone_type, alpha3),
    COLUMNS(ROW, year, kgco2eq_per_kwh, basis, scope, td_losses, method, gases, rank),
    COLUMN(source_id, ROW),
    COLUMNS(REST, notes, against_source_id, difference_kgco2eq_per_kwh),
};
enum { OF_COMPARISON = 2 }; /* the last columns */
static const struct table factors_columns = TABLE_OF(columns, row_of);

const struct schema factors_schema = { "factors", FACTORS_SCHEMA,
                                       "What carbon factors writes: emission factors by zone, year and source.",
                                       &factors_fields, &factors_columns };

bool factors_csv(const struct factor_list *list, FILE *out, struct error *err)
{
    struct table table = factors_columns;

    (void)err;
    if (!list->comparison)
        table.count -= OF_COMPARISON;
    table_head(&table, out);
    for (size_t i = 0; i < list->count; i++) {
        const struct source none = { 0 };
        struct factor_object object;
        if (!list->entries[i].row)
            continue;
        object = object_of(list, &list->entries[i], &none);
        table_row(&table, (const void *const[]){ object.row, &object }, out);
    }
    return true;
}

bool factors_json(const struct factor_list *list, FILE *out, struct error *err)
{
    bool failed = false;
    struct factors_object factors = { .list = list, .err = err, .failed = &failed };
    struct tree tree;

    if (list->single && !energy_mix_find(list->single, list->year, &factors.mix, &factors.has_mix, err))
        return false;
    tree_open(&tree);
    fields_json(tree_root(&tree), &factors_fields, &factors);
    if (!failed)
        return tree_write(&tree, out, "the factors as JSON", err);
    tree_close(&tree);
    return false;
}
