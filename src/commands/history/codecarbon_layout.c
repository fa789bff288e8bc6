/* SPDX-License-Identifier: MIT
 * The columns of CodeCarbon's releases. */
#include "commands/history/codecarbon_layout.h"

#include "base/c_locale.h"

/* What the releases wrote, each with one width: a release that appended to the table of an earlier one left that one's
 * header above its own rows. The first generation ended in the cloud, the second moved that and had powers. */
static const enum codecarbon_column first_order[] = {
    CODECARBON_TIMESTAMP, CODECARBON_EXPERIMENT_ID,   CODECARBON_PROJECT_NAME,   CODECARBON_DURATION,
    CODECARBON_EMISSIONS, CODECARBON_ENERGY_CONSUMED, CODECARBON_COUNTRY_NAME,   CODECARBON_COUNTRY_ISO_CODE,
    CODECARBON_REGION,    CODECARBON_ON_CLOUD,        CODECARBON_CLOUD_PROVIDER, CODECARBON_CLOUD_REGION,
};

struct release {
    bool first;                         /* of the first order, else of the third generation's */
    enum codecarbon_column without[12]; /* which of its columns were not there yet; ended by COLUMNS */
};
static const struct release releases[] = {
    { .first = true, .without = { CODECARBON_COLUMNS } },
    { .first = true, .without = { CODECARBON_EXPERIMENT_ID, CODECARBON_COLUMNS } },
    { .without = { CODECARBON_EXPERIMENT_ID, CODECARBON_WATER_CONSUMED, CODECARBON_VERSION, CODECARBON_CPU_UTILIZATION,
                   CODECARBON_GPU_UTILIZATION, CODECARBON_RAM_UTILIZATION, CODECARBON_RAM_USED, CODECARBON_PUE,
                   CODECARBON_WUE, CODECARBON_COLUMNS } },
    { .without = { CODECARBON_EXPERIMENT_ID, CODECARBON_WATER_CONSUMED, CODECARBON_CPU_UTILIZATION,
                   CODECARBON_GPU_UTILIZATION, CODECARBON_RAM_UTILIZATION, CODECARBON_RAM_USED, CODECARBON_PUE,
                   CODECARBON_WUE, CODECARBON_COLUMNS } },
    { .without = { CODECARBON_EXPERIMENT_ID, CODECARBON_WATER_CONSUMED, CODECARBON_CPU_UTILIZATION,
                   CODECARBON_GPU_UTILIZATION, CODECARBON_RAM_UTILIZATION, CODECARBON_RAM_USED, CODECARBON_WUE,
                   CODECARBON_COLUMNS } },
    { .without = { CODECARBON_WATER_CONSUMED, CODECARBON_CPU_UTILIZATION, CODECARBON_GPU_UTILIZATION,
                   CODECARBON_RAM_UTILIZATION, CODECARBON_RAM_USED, CODECARBON_WUE, CODECARBON_COLUMNS } },
    { .without = { CODECARBON_COLUMNS } },
};

static bool lacks(const struct release *release, enum codecarbon_column column)
{
    for (size_t i = 0; release->without[i] != CODECARBON_COLUMNS; i++)
        if (release->without[i] == column)
            return true;
    return false;
}

enum codecarbon_column codecarbon_column_of(const char *name)
{
    enum codecarbon_column column = 0;

    while (column < CODECARBON_COLUMNS && c_strcasecmp(codecarbon_columns[column], name) != 0)
        column++;
    return column;
}

bool codecarbon_release(size_t index, struct layout *layout)
{
    const bool known = index < sizeof releases / sizeof releases[0];
    const struct release *release = known ? &releases[index] : NULL;
    const size_t all = known && release->first ? sizeof first_order / sizeof first_order[0] : CODECARBON_COLUMNS;

    layout->count = 0;
    for (size_t i = 0; known && i < all; i++) {
        const enum codecarbon_column column = release->first ? first_order[i] : (enum codecarbon_column)i;
        if (!lacks(release, column))
            layout->columns[layout->count++] = column;
    }
    return known;
}
