/* SPDX-License-Identifier: MIT
 * The rows of server_cpu.csv, cpu_generations.csv and power_rules.csv as structs. */
#ifndef POWER_SERVER_TABLES_H
#define POWER_SERVER_TABLES_H

#include "base/error.h"
#include "power/cpu.h"

#include <stddef.h>

/* Which machines a processor is put into. */
enum server_class {
    CLASS_SERVER,
    CLASS_CLIENT, /* entry servers and desktop boards of one socket */
};

/* A row of server_cpu.csv or cpu_generations.csv: one socket of a machine at its plug, the base of the node taken off.
 */
struct server_row {
    char name[CPU_KEY_SIZE]; /* a match_key, or a microarchitecture; "(Intel 2017-20)" is a group */
    char stands_for[256];    /* of a group: its microarchitectures, with ';' between */
    enum server_class class;
    int results;
    double idle_w, full_w;    /* full_w of one processor; NAN in a row of a microarchitecture */
    double full_w_per_tdp;    /* NAN in a row of a processor */
    double way[CURVE_POINTS]; /* shares from idle to full load; way[5] NAN: no curve is published of it */
    double memory_gb;         /* median memory of the machines */
    double memory_most_gb;    /* maximum memory behind their power */
    char source_id[48];
};

typedef void server_row_function(const struct server_row *row, void *context);

/* Only rows that have this field; NULL: all. */
bool server_cpu_rows(const char *field, server_row_function *on_row, void *context, struct error *err) MUST_CHECK;
bool generation_rows(const char *field, server_row_function *on_row, void *context, struct error *err) MUST_CHECK;

enum { POWER_MOST_RULES = 64 };

struct power_rule {
    char rule[80], class[64];
    double value, low, high; /* low and high NAN where there is none */
};

struct power_rules {
    struct power_rule item[POWER_MOST_RULES];
    size_t count;
};

bool power_rules_read(struct power_rules *rules, struct error *err) MUST_CHECK;

/* NULL, with the reason, where the table has none. */
const struct power_rule *power_rule_of(const struct power_rules *rules, const char *rule, const char *class,
                                       struct error *err) MUST_CHECK;

/* A rule that is given for loads of 0, 10, 50 and 100 ("... at load 50"), straight between them, at every tenth. */
bool power_rule_over_load(const struct power_rules *rules, const char *rule, const char *class,
                          struct power_rule at[CURVE_POINTS], struct error *err) MUST_CHECK;

#endif
