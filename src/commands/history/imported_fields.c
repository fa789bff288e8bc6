/* SPDX-License-Identifier: MIT
 * The record of what another tool measured: every field of it, and what it means. Where it has a figure that a record
 * of carbon has, that has the same key, so that whoever lists or sums records need not tell them apart; all are
 * `given`. */
#include "commands/history/imported.h"

#include "base/units.h"
#include "form/part_fields.h"
#include "ledger/contribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const forms[] = { "CodeCarbon table", "CodeCarbon log", NULL };

static double stated_kgco2eq_per_kwh(const void *of)
{
    const struct codecarbon_figures *reported = of;

    return reported->kwh > 0 ? reported->kgco2eq / reported->kwh : NAN;
}

static double stated_kgco2eq_per_s(const void *of)
{
    const struct codecarbon_figures *reported = of;

    return reported->duration_s > 0 ? reported->kgco2eq / reported->duration_s : NAN;
}

#define OF struct codecarbon_figures
static const struct fields workloads_fields = FIELDS({
    FIELD_NUMBER(duration_s, "duration, in seconds"),
    FIELD_NUMBER(cpu_kwh, "cpu_energy"),
    FIELD_NUMBER(gpu_kwh, "gpu_energy"),
    FIELD_NUMBER(ram_kwh, "ram_energy"),
    FIELD_NUMBER_AS("facility_kwh", kwh, "energy_consumed"),
    FIELD_NUMBER(kgco2eq, "emissions"),
    FIELD_FIGURE("kgco2eq_per_kwh", stated_kgco2eq_per_kwh, "emissions by energy_consumed"),
    FIELD_FIGURE("kgco2eq_per_s", stated_kgco2eq_per_s,
                 "emissions by duration; its own rate was in g/s until 2.1.4, and in kg/s from 2.2.0"),
});
#undef OF

static bool is_complete(const void *imported)
{
    (void)imported;
    return true;
}

static const char *no_label(const void *imported)
{
    (void)imported;
    return NULL;
}

void imported_row(struct tree_node node, const void *of)
{
    const struct codecarbon_run *run = ((const struct imported_object *)of)->imported->run;

    for (size_t i = 0; i < CODECARBON_COLUMNS; i++)
        if (run->texts[i])
            tree_text(node, codecarbon_columns[i], run->texts[i]);
}

#define OF struct imported_object
static const struct fields from_fields = FIELDS({
    FIELD_ONE_OF(form, forms, "kind of file"),
    FIELD_NAME(generation, "of the table, by the columns of its row", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(version, "of CodeCarbon, as it reported", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(file, "name of the file, without its folder"),
    FIELD_COUNT(line, "of the file"),
    FIELD_COUNT(goes_on_from_line, "the row of the same run to which this one adds; null: none", .flags = FIELD_NULL_0),
});

static const struct field duration_list[] = { FIELD_NUMBER_AS("mean", duration_s, "the one") };
static const struct fields duration_fields = FIELDS_OF(NULL, NULL, struct imported_object, duration_list);

static const struct field gross_list[] = { FIELD_NUMBER_AS("mean", gross_j, "the one") };
static const struct fields gross_fields = FIELDS_OF(NULL, NULL, struct imported_object, gross_list);

static const struct fields component_fields = FIELDS({
    FIELD_NUMBER(cpu_j, "CPU, in joules"),
    FIELD_NUMBER(gpu_j, "graphics cards, in joules"),
    FIELD_NUMBER(ram_j, "memory, in joules"),
});

static const struct fields pue_fields = FIELDS({
    FIELD_NUMBER_AS("value", pue, "null: unknown, the energy is taken as IT energy"),
    FIELD_QUALITY_AS("quality", pue_quality, "given, or unknown"),
});

static const struct fields zone_fields = FIELDS({
    FIELD_NAME(zone, "carbon's zone of its country", .flags = FIELD_NULL_EMPTY),
});

static const struct fields emission_fields = FIELDS({
    FIELD_NUMBER(it_kwh, "gross_j, in kWh"),
    FIELD_NUMBER(facility_kwh, "with the PUE, in kWh"),
    FIELD_NUMBER(kgco2eq, "its emissions, in kgCO2eq"),
    FIELD_NUMBER(kgco2eq_per_kwh, "emissions by energy"),
});

static const struct fields emissions_fields = FIELDS({
    FIELD_GROUP("gross", &emission_fields, "location-based, by CodeCarbon's factor"),
});

const struct fields imported_fields = FIELDS({
    FIELD_CONSTANT("schema", IMPORTED_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_NAME(id, "UUID of the content of the row: the same at each import"),
    FIELD_GROUP("imported_from", &from_fields, "where it comes from"),
    FIELD_TIME_AS("started_at", started_ns, "when what it adds began, UTC"),
    FIELD_TIME_AS("ended_at", ended_ns, "the row's time, read as local time of the machine that imported it, UTC"),
    FIELD_FACT("complete", is_complete, "always true"),
    FIELD_SAID("label", no_label, NULL, "always null", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(project, "its project_name", .flags = FIELD_NULL_EMPTY),
    FIELD_FIXED("runs", 1, "always 1"),
    FIELD_GROUP("duration_s", &duration_fields, "duration that the row adds, in seconds"),
    FIELD_CONSTANT("quality", "given", "another tool's figure"),
    FIELD_GROUP("gross_j", &gross_fields,
                "energy that the row adds, in joules, without the PUE; null where it is doubted, unless --doubted was "
                "given"),
    FIELD_NAME(doubt, "reason why the reported energy is impossible; null: it is possible", .flags = FIELD_NULL_EMPTY),
    FIELD_GROUP("components", &component_fields, "parts of gross_j"),
    FIELD_GROUP("pue", &pue_fields, "that the energies of the row have in them"),
    FIELD_GROUP("factor", &zone_fields, "whose electricity"),
    FIELD_GROUP("emissions", &emissions_fields, "of the addition of the row, as reported"),
    FIELD_OBJECT_AS("told", struct codecarbon_figures, reported, &workloads_fields,
                    "the row's own figures, since its run began"),
    FIELD_MAP("row", imported_row, "^[a-z_]+$", "every column of it, by CodeCarbon's names; of a log, its values"),
    FIELD_NOTICES,
});
#undef OF
const struct schema imported_schema = { "imported", IMPORTED_SCHEMA,
                                        "What carbon import keeps in the ledger of a run that another tool recorded.",
                                        &imported_fields, NULL };

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static uint64_t started_ns(const struct codecarbon_run *run)
{
    const double duration_ns = run->added.duration_s * NS_PER_S;
    const bool known = run->ended_realtime_ns && duration_ns >= 0 && duration_ns < (double)run->ended_realtime_ns;

    return known ? run->ended_realtime_ns - (uint64_t)duration_ns : 0;
}

static void fill_object(struct imported_object *object, const struct imported *imported)
{
    const struct codecarbon_run *run = imported->run;
    const struct codecarbon_figures added = imported_counted(imported);

    *object = (struct imported_object){
        .imported = imported,
        .id = run->id,
        .form = imported->form,
        .generation = run->generation,
        .version = run->texts[CODECARBON_VERSION],
        .file = name_of(imported->file->path),
        .project = run->texts[CODECARBON_PROJECT_NAME],
        .doubt = run->doubt,
        .zone = imported->zone,
        .line = run->line,
        .goes_on_from_line = run->goes_on_from,
        .started_ns = started_ns(run),
        .ended_ns = run->ended_realtime_ns,
        .duration_s = run->added.duration_s,
        .gross_j = imported_it_j(run, added.kwh),
        .cpu_j = imported_it_j(run, added.cpu_kwh),
        .gpu_j = imported_it_j(run, added.gpu_kwh),
        .ram_j = imported_it_j(run, added.ram_kwh),
        .pue = run->pue,
        .pue_quality = isnan(run->pue) ? QUALITY_UNKNOWN : QUALITY_GIVEN,
        .it_kwh = imported_it_j(run, added.kwh) / J_PER_KWH,
        .facility_kwh = added.kwh,
        .kgco2eq = added.kgco2eq,
        .kgco2eq_per_kwh = added.kwh > 0 ? added.kgco2eq / added.kwh : NAN,
        .reported = run->reported,
    };
    imported_doubts(imported, &object->notices);
}

char *imported_record(const struct imported *imported, struct error *err)
{
    struct imported_object object;
    struct tree tree;
    char *record;

    fill_object(&object, imported);
    tree_open(&tree);
    fields_json(tree_root(&tree), &imported_fields, &object);
    record = tree_string(&tree, "the record", err);
    notices_clear(&object.notices);
    return record;
}
