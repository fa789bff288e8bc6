/* SPDX-License-Identifier: MIT
 * A row of CodeCarbon's table: all counted runs together, for its rows are sums. It has no baseline, so that every
 * figure is gross. What carbon does not know is empty, and no column is left out. */
#include "config.h"

#include "result/codecarbon_row.h"

#include "base/auto.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/units.h"
#include "io/local_time.h"
#include "result/report.h"

#include <math.h>
#include <string.h>

enum { FIELD_SIZE = 512 };

const char *const codecarbon_columns[CODECARBON_COLUMNS] = {
    [CODECARBON_TIMESTAMP] = "timestamp",
    [CODECARBON_PROJECT_NAME] = "project_name",
    [CODECARBON_RUN_ID] = "run_id",
    [CODECARBON_EXPERIMENT_ID] = "experiment_id",
    [CODECARBON_DURATION] = "duration",
    [CODECARBON_EMISSIONS] = "emissions",
    [CODECARBON_EMISSIONS_RATE] = "emissions_rate",
    [CODECARBON_CPU_POWER] = "cpu_power",
    [CODECARBON_GPU_POWER] = "gpu_power",
    [CODECARBON_RAM_POWER] = "ram_power",
    [CODECARBON_CPU_ENERGY] = "cpu_energy",
    [CODECARBON_GPU_ENERGY] = "gpu_energy",
    [CODECARBON_RAM_ENERGY] = "ram_energy",
    [CODECARBON_ENERGY_CONSUMED] = "energy_consumed",
    [CODECARBON_WATER_CONSUMED] = "water_consumed",
    [CODECARBON_COUNTRY_NAME] = "country_name",
    [CODECARBON_COUNTRY_ISO_CODE] = "country_iso_code",
    [CODECARBON_REGION] = "region",
    [CODECARBON_CLOUD_PROVIDER] = "cloud_provider",
    [CODECARBON_CLOUD_REGION] = "cloud_region",
    [CODECARBON_OS] = "os",
    [CODECARBON_PYTHON_VERSION] = "python_version",
    [CODECARBON_VERSION] = "codecarbon_version",
    [CODECARBON_CPU_COUNT] = "cpu_count",
    [CODECARBON_CPU_MODEL] = "cpu_model",
    [CODECARBON_GPU_COUNT] = "gpu_count",
    [CODECARBON_GPU_MODEL] = "gpu_model",
    [CODECARBON_LONGITUDE] = "longitude",
    [CODECARBON_LATITUDE] = "latitude",
    [CODECARBON_RAM_TOTAL_SIZE] = "ram_total_size",
    [CODECARBON_TRACKING_MODE] = "tracking_mode",
    [CODECARBON_CPU_UTILIZATION] = "cpu_utilization_percent",
    [CODECARBON_GPU_UTILIZATION] = "gpu_utilization_percent",
    [CODECARBON_RAM_UTILIZATION] = "ram_utilization_percent",
    [CODECARBON_RAM_USED] = "ram_used_gb",
    [CODECARBON_ON_CLOUD] = "on_cloud",
    [CODECARBON_PUE] = "pue",
    [CODECARBON_WUE] = "wue",
};

/* The row while it is made. */
struct codecarbon_row {
    char fields[CODECARBON_COLUMNS][FIELD_SIZE];
};

static void put(struct codecarbon_row *row, enum codecarbon_column column, const char *text)
{
    text_copy(row->fields[column], FIELD_SIZE, text);
}

static void put_number(struct codecarbon_row *row, enum codecarbon_column column, double value)
{
    char number[TEXT_NUMBER_SIZE];

    if (isfinite(value))
        put(row, column, text_number(value, number));
}

static bool is_counted(const struct report *report, enum component component)
{
    const struct measurement *measurement = report->measurement;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->is_counted[i] && measurement->meter->domains[i].domain->component == component)
            return true;
    return false;
}

static void put_component(struct codecarbon_row *row, const struct report *report, enum component component,
                          enum codecarbon_column power, enum codecarbon_column energy)
{
    const double gross_j = is_counted(report, component) ? report->components[component].gross_j : NAN;
    const double runs = (double)report->summary.runs;

    put_number(row, power, gross_j / report->summary.duration_s.mean);
    put_number(row, energy, footprint_of(gross_j, report->pue, NAN).facility_kwh * runs);
}

/* What the maker calls a card: energy/nvml.c has it behind the UUID, "GPU-1f02... (NVIDIA A100-SXM4-80GB)". */
static bool card_name(const char *path, char name[FIELD_SIZE])
{
    const char *begin = strstr(path, " (");
    const size_t length = begin ? strlen(begin + 2) : 0;

    snprintf(name, FIELD_SIZE, "%.*s", (int)(length ? length - 1 : 0), begin ? begin + 2 : "");
    return length > 1;
}

static bool is_counted_card(const struct measurement *measurement, size_t i)
{
    return measurement->counting->is_counted[i] && measurement->meter->domains[i].domain->component == COMPONENT_GPU;
}

/* Its cards, those whose energy is in the sum, as CodeCarbon has them: "2 x NVIDIA A100, 1 x NVIDIA L4". */
static void put_cards(struct codecarbon_row *row, const struct report *report)
{
    const struct measurement *measurement = report->measurement;
    char *models = row->fields[CODECARBON_GPU_MODEL], name[FIELD_SIZE], other[FIELD_SIZE];
    size_t count = 0;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const bool counts = is_counted_card(measurement, i);
        const size_t length = strlen(models);
        size_t alike = 0, before = 0;
        count += counts;
        if (!counts || !card_name(measurement->meter->domains[i].domain->path, name))
            continue;
        for (size_t j = 0; j < measurement->meter->domain_count; j++)
            if (is_counted_card(measurement, j) && card_name(measurement->meter->domains[j].domain->path, other) &&
                strcmp(name, other) == 0) {
                alike++;
                before += j < i;
            }
        if (!before)
            snprintf(models + length, FIELD_SIZE - length, "%s%zu x %s", length ? ", " : "", alike, name);
    }
    if (count)
        put_number(row, CODECARBON_GPU_COUNT, (double)count);
}

static void put_place(struct codecarbon_row *row, const struct report *report, const struct codecarbon_place *place)
{
    const char *asked = report->factor_query.zone, *colon = strchr(asked, ':');

    put(row, CODECARBON_COUNTRY_NAME, place->country_name);
    put(row, CODECARBON_COUNTRY_ISO_CODE, place->country_iso_code);
    put(row, CODECARBON_REGION, place->region);
    put(row, CODECARBON_ON_CLOUD, "N"); /* its board takes a row without an answer for one of a cloud */
    if (!colon)
        return;
    snprintf(row->fields[CODECARBON_CLOUD_PROVIDER], FIELD_SIZE, "%.*s", (int)(colon - asked), asked);
    put(row, CODECARBON_CLOUD_REGION, colon + 1);
    put(row, CODECARBON_ON_CLOUD, "Y");
}

static void put_machine(struct codecarbon_row *row, const struct machine *machine)
{
    snprintf(row->fields[CODECARBON_OS], FIELD_SIZE, "Linux%s%s", *machine->kernel ? "-" : "", machine->kernel);
    put_number(row, CODECARBON_CPU_COUNT, machine->cpus_online);
    put(row, CODECARBON_CPU_MODEL, machine->cpu_model);
    if (machine->memory_bytes)
        put_number(row, CODECARBON_RAM_TOTAL_SIZE, (double)machine->memory_bytes / GIB_BYTES);
}

static void put_figures(struct codecarbon_row *row, const struct report *report)
{
    const double runs = (double)report->summary.runs, kgco2eq = report->gross.footprint.kgco2eq * runs;
    const double duration_s = report->summary.duration_s.mean * runs;

    put_number(row, CODECARBON_DURATION, duration_s);
    put_number(row, CODECARBON_EMISSIONS, kgco2eq);
    put_number(row, CODECARBON_EMISSIONS_RATE, kgco2eq / duration_s);
    put_component(row, report, COMPONENT_PACKAGE, CODECARBON_CPU_POWER, CODECARBON_CPU_ENERGY);
    put_component(row, report, COMPONENT_GPU, CODECARBON_GPU_POWER, CODECARBON_GPU_ENERGY);
    put_component(row, report, COMPONENT_MEMORY, CODECARBON_RAM_POWER, CODECARBON_RAM_ENERGY);
    put_number(row, CODECARBON_ENERGY_CONSUMED, report->gross.footprint.facility_kwh * runs);
    put_number(row, CODECARBON_WATER_CONSUMED, report->gross_water_l * runs);
    put_number(row, CODECARBON_CPU_UTILIZATION, report->usage.cpu_percent_of_machine.value);
    put_number(row, CODECARBON_PUE, report->pue);
    put_number(row, CODECARBON_WUE, report->supplementary.wue.value);
}

static void fill_row(struct codecarbon_row *row, const struct report *report, const struct codecarbon_place *place)
{
    char time[CLOCK_TEXT_SIZE];

    put(row, CODECARBON_TIMESTAMP, local_time_begin(report->ended_realtime_ns / NS_PER_S_INT, time));
    put(row, CODECARBON_PROJECT_NAME, report->project && *report->project ? report->project : "codecarbon");
    put(row, CODECARBON_RUN_ID, report->id);
    put(row, CODECARBON_EXPERIMENT_ID, report->label ? report->label : "");
    put(row, CODECARBON_VERSION, "carbon " PACKAGE_VERSION);
    put(row, CODECARBON_TRACKING_MODE, "machine");
    put_figures(row, report);
    put_cards(row, report);
    put_place(row, report, place);
    put_machine(row, report->machine);
}

const char *codecarbon_header(void)
{
    return "timestamp,project_name,run_id,experiment_id,duration,emissions,emissions_rate,cpu_power,gpu_power,ram_"
           "power,"
           "cpu_energy,gpu_energy,ram_energy,energy_consumed,water_consumed,country_name,country_iso_code,region,"
           "cloud_provider,cloud_region,os,python_version,codecarbon_version,cpu_count,cpu_model,gpu_count,gpu_model,"
           "longitude,latitude,ram_total_size,tracking_mode,cpu_utilization_percent,gpu_utilization_percent,"
           "ram_utilization_percent,ram_used_gb,on_cloud,pue,wue\n";
}

void codecarbon_line(const struct report *report, const struct codecarbon_place *place, struct text *text)
{
    struct codecarbon_row *row = calloc(1, sizeof *row);
    AUTO_FREE char *data = NULL;
    size_t size = 0;
    FILE *out = row ? open_memstream(&data, &size) : NULL;

    if (out) {
        fill_row(row, report, place);
        for (size_t i = 0; i < CODECARBON_COLUMNS; i++) {
            fputs(i ? "," : "", out);
            csv_write_field(out, row->fields[i]);
        }
        fputc('\n', out);
    }
    free(row);
    if (out && fclose(out) == 0)
        text_add(text, "%s", data);
    else
        text->failed = true;
}
