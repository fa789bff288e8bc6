/* SPDX-License-Identifier: MIT
 * The attributes of a chip of the hwmon class. */
#include "energy/hwmon_chip.h"

#include "base/auto.h"
#include "base/c_locale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct attribute {
    const char *prefix, *suffix;
} attributes[] = {
    [KIND_ENERGY] = { "energy", "_input" },
    [KIND_POWER] = { "power", "_input" },
    [KIND_AVERAGE] = { "power", "_average" },
    [KIND_VOLTAGE] = { "in", "_input" }, /* only of chips known to measure a current with it */
};

void chip_path(const struct chip *chip, const struct found *found, const char *suffix, char path[192])
{
    snprintf(path, 192, "%s/%s%u%s", chip->dir, attributes[found->kind].prefix, found->number,
             suffix ? suffix : attributes[found->kind].suffix);
}

static bool is_attribute(const char *name, const struct chip *chip, struct found *found)
{
    for (int kind = KIND_ENERGY; kind <= KIND_VOLTAGE; kind++) {
        const struct attribute *attribute = &attributes[kind];
        const size_t length = strlen(attribute->prefix);
        char *end;
        unsigned long number;
        if (strncmp(name, attribute->prefix, length) != 0 || !c_isdigit(name[length]))
            continue;
        number = strtoul(name + length, &end, 10);
        /* the channels of an INA3221; 4 to 6 are voltages across its shunts, 7 their sum */
        if (kind == KIND_VOLTAGE && (strcmp(chip->name, "ina3221") != 0 || number < 1 || number > 3))
            continue;
        if (number > 9999 || strcmp(end, attribute->suffix) != 0)
            continue;
        *found = (struct found){ .kind = (enum chip_kind)kind, .number = (unsigned)number };
        return true;
    }
    return false;
}

static int compare_found(const void *left, const void *right)
{
    const struct found *a = left, *b = right;

    if (a->kind != b->kind)
        return (int)a->kind - (int)b->kind;
    return (int)a->number - (int)b->number;
}

static void read_label(const struct root *root, const struct chip *chip, struct found *found)
{
    char path[192];

    chip_path(chip, found, "_label", path);
    if (root_read_text(root, path, found->label, sizeof found->label, NULL))
        return;
    chip_path(chip, found, "_oem_info", path);
    if (!root_read_text(root, path, found->label, sizeof found->label, NULL))
        found->label[0] = '\0';
}

static bool has_label(const char *label, const void *context)
{
    const struct chip *chip = context;

    for (size_t i = 0; i < chip->count; i++)
        if (strcmp(chip->found[i].label, label) == 0)
            return true;
    return false;
}

/* The attributes of a chip lie in its own directory or, of old drivers, in its device's. */
void chip_list(struct chip *chip, const struct root *root)
{
    AUTO_CLOSEDIR DIR *dir = root_open_dir(root, chip->dir, NULL);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)) && chip->count < MAX_FOUND)
        chip->count += is_attribute(entry->d_name, chip, &chip->found[chip->count]);
    qsort(chip->found, chip->count, sizeof chip->found[0], compare_found);
    for (size_t i = 0; i < chip->count; i++)
        read_label(root, chip, &chip->found[i]);
    for (size_t i = 0; i < chip->count; i++)
        chip->found[i].rule =
            sensor_rule_of(chip->name, chip->found[i].label, has_label, chip, &chip->found[i].package);
}

bool chip_has_kind(const struct chip *chip, enum chip_kind kind, unsigned number)
{
    for (size_t i = 0; i < chip->count; i++)
        if (chip->found[i].kind == kind && chip->found[i].number == number)
            return true;
    return false;
}

const struct found *chip_power_of_energy(const struct chip *chip, const struct found *energy)
{
    for (size_t i = 0; i < chip->count; i++) {
        const struct found *found = &chip->found[i];
        const bool same = energy->label[0] && found->label[0] ? strcmp(energy->label, found->label) == 0
                                                              : energy->number == found->number;
        if (same && (found->kind == KIND_POWER || found->kind == KIND_AVERAGE))
            return found;
    }
    return NULL;
}
