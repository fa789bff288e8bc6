/* SPDX-License-Identifier: MIT
 * Reading the tables of clouds. */
#include "power/cloud_guest.h"

#include "base/c_locale.h"
#include "base/shipped.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { PROVIDER, TYPE, VCPUS, MEMORY, KEY, THREADS, SOCKETS, INSTANCE_COLUMNS };
static const char *const instance_columns[] = {
    "provider", "instance_type", "vcpus", "memory_gib", "match_key", "host_threads", "host_sockets",
};

struct instance_reading {
    int column[INSTANCE_COLUMNS];
    const char *type;
    struct cloud_instance *found;
};

static double number_of(const struct csv_row *line, const struct instance_reading *reading, int column)
{
    double number;

    return text_to_number(line->fields[reading->column[column]], &number) ? number : 0;
}

static bool on_instance_line(const struct csv_row *line, void *context, struct error *err)
{
    struct instance_reading *reading = context;
    struct cloud_instance *found = reading->found;

    if (line->line == 1)
        return csv_columns(line, instance_columns, INSTANCE_COLUMNS, reading->column, err);
    const char *type = line->fields[reading->column[TYPE]];
    if (strcmp(type, reading->type) != 0)
        return true;
    const double threads = number_of(line, reading, THREADS), sockets = number_of(line, reading, SOCKETS);
    text_copy(found->provider, sizeof found->provider, line->fields[reading->column[PROVIDER]]);
    text_copy(found->type, sizeof found->type, type);
    text_copy(found->key, sizeof found->key, line->fields[reading->column[KEY]]);
    found->vcpus = number_of(line, reading, VCPUS);
    found->memory_gib = number_of(line, reading, MEMORY);
    found->threads = sockets > 0 ? (int)(threads / sockets) : 0;
    return true;
}

bool cloud_instance_find(const char *type, struct cloud_instance *instance, struct error *err)
{
    struct instance_reading reading = { .type = type, .found = instance };

    *instance = (struct cloud_instance){ .vcpus = 0 };
    if (!shipped_read("cloud_instances.csv", type, on_instance_line, &reading, err))
        return false;
    if (instance->type[0])
        return true;
    error_set(err, ERROR_USAGE, "unknown instance type '%s'", type);
    error_why(err, "cloud_instances.csv has those of AWS, Google and Azure");
    return error_fix(err, "--cpu MODEL, with its processor");
}

enum { DMI_PROVIDER, DMI_FIELD, DMI_MATCH, DMI_VALUE, DMI_TYPE_FROM, DMI_COLUMNS };
static const char *const dmi_columns[] = { "provider", "field", "match", "value", "instance_type_from" };

struct dmi_reading {
    int column[DMI_COLUMNS];
    const struct machine *machine;
    struct cloud_guest *guest;
};

/* What firmware has in this field; "" of one that ordinary users may not read. */
static const char *field_of(const struct machine *machine, const char *field)
{
    return strcmp(field, "sys_vendor") == 0          ? machine->dmi_vendor
           : strcmp(field, "product_name") == 0      ? machine->dmi_product
           : strcmp(field, "chassis_asset_tag") == 0 ? machine->dmi_asset
                                                     : "";
}

static bool on_dmi_line(const struct csv_row *line, void *context, struct error *err)
{
    struct dmi_reading *reading = context;

    if (line->line == 1)
        return csv_columns(line, dmi_columns, DMI_COLUMNS, reading->column, err);
    const char *told = field_of(reading->machine, line->fields[reading->column[DMI_FIELD]]);
    const char *value = line->fields[reading->column[DMI_VALUE]];
    const bool prefix = strcmp(line->fields[reading->column[DMI_MATCH]], "prefix") == 0;

    if (!*told || reading->guest->provider[0] ||
        (prefix ? strncmp(told, value, strlen(value)) != 0 : strcmp(told, value) != 0))
        return true;
    text_copy(reading->guest->provider, sizeof reading->guest->provider, line->fields[reading->column[DMI_PROVIDER]]);
    if (strcmp(line->fields[reading->column[DMI_TYPE_FROM]], "product_name") == 0)
        text_copy(reading->guest->type, sizeof reading->guest->type, reading->machine->dmi_product);
    return true;
}

bool cloud_guest_find(const struct machine *machine, struct cloud_guest *guest, struct error *err)
{
    struct dmi_reading reading = { .machine = machine, .guest = guest };

    *guest = (struct cloud_guest){ .provider = "" };
    return !machine->guest || (shipped_read("cloud_dmi.csv", NULL, on_dmi_line, &reading, err));
}
