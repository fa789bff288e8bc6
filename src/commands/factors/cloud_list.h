/* SPDX-License-Identifier: MIT
 * All cloud regions, with the figures that their providers publish: cloud_regions.csv as a list. Used by factors.h.
 * Begin with cloud_list_read(). */
#ifndef COMMANDS_FACTORS_CLOUD_LIST_H
#define COMMANDS_FACTORS_CLOUD_LIST_H

#include "emissions/zones.h"

enum { CLOUD_NAME_SIZE = 80 };

struct cloud_figure {
    double value; /* NAN: not published */
    int year;     /* 0: unknown */
    char source_id[48];
};

struct cloud_entry {
    char name[CLOUD_NAME_SIZE]; /* "aws:eu-west-3" */
    struct cloud_region region;
    struct cloud_figure pue, wue; /* wue: litres per kWh of IT energy */
};

struct cloud_list {
    struct cloud_entry *items; /* order of the table */
    size_t count;
};

/* Each region once, with each figure of this year, else of the nearest earlier year, else of the earliest. Call
 * cloud_list_close in any case. */
bool cloud_list_read(struct cloud_list *list, int year, struct error *err) MUST_CHECK;
void cloud_list_close(struct cloud_list *list);

#endif
