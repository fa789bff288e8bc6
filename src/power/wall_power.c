/* SPDX-License-Identifier: MIT
 * A machine at its plug and its packages inside it, from published power of servers of this processor or of its kind.
 * docs/METHOD.md has the formulas, power_rules.csv the constants. */
#include "power/cpu_search.h"

#include "power/cpu_power.h"
#include "power/server_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The package has at least this part of a socket's power, however much memory there is. */
#define MIN_SHARE 0.2

/* What the tables know of machines with this processor, and how well. */
struct wall {
    const struct search *search;
    struct power_rules rules;
    struct server_row cpu, own, group, any; /* name "": none */
    enum server_class class;
    const char *tier;                /* the class of its intervals */
    const char *name;                /* name of the row used */
    double idle_w, full_w;           /* power of a socket, at the plug */
    double memory_gb, memory_max_gb; /* of a socket, in the machines that were measured */
    const double *way;
    double base_w[2]; /* of the machine, idle and at full load */
    double memory_w_per_gb, cap;
    double efficiency[2];                  /* idle, half to full */
    struct power_rule range[CURVE_POINTS]; /* range of the wall power */
    struct power_rule package_range[CURVE_POINTS];
    struct memory_power memory;
    bool found; /* all that */
};

static bool is_of_list(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ';') && (at[length] == ';' || !at[length]))
            return true;
    return false;
}

/* Processors for entry servers. */
static bool is_entry(const char *key)
{
    static const char *const names[] = { "xeon e-", "xeon e3", "xeon d-", "xeon 63", "xeon x34", "epyc 4" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(key, names[i]))
            return true;
    return false;
}

/* False: in machines of another kind, a laptop or a board. */
static bool find_class(struct wall *wall)
{
    const struct search *search = wall->search;

    if (wall->cpu.name[0])
        wall->class = wall->cpu.class;
    else
        wall->class = search->server && !is_entry(search->key) ? CLASS_SERVER : CLASS_CLIENT;
    return wall->cpu.name[0] || search->server || search->cpu.desktop;
}

static void take_cpu(const struct server_row *row, void *context)
{
    struct wall *wall = context;

    if (strcmp(row->name, wall->search->key) == 0)
        wall->cpu = *row;
}

static void take_generation(const struct server_row *row, void *context)
{
    struct wall *wall = context;
    const char *kind = wall->search->microarchitecture;

    if (row->class != wall->class)
        return;
    if (strcmp(row->name, "(any)") == 0)
        wall->any = *row;
    else if (*kind && strcmp(row->name, kind) == 0)
        wall->own = *row;
    else if (*kind && is_of_list(row->stands_for, kind))
        wall->group = *row;
}

static void use_generation(struct wall *wall, const struct server_row *row, const char *tier, double tdp_w)
{
    wall->tier = tier;
    wall->name = row->name;
    wall->idle_w = row->idle_w;
    wall->full_w = row->full_w_per_tdp * tdp_w;
    wall->memory_gb = row->memory_gb;
    wall->memory_max_gb = row->memory_max_gb;
    wall->way = row->way;
}

static void use_cpu(struct wall *wall)
{
    wall->tier = wall->cpu.results >= 4 ? "this CPU has 4 or more results" : "this CPU has results";
    wall->name = wall->cpu.name;
    wall->idle_w = wall->cpu.idle_w;
    wall->full_w = wall->cpu.full_w;
    wall->memory_gb = wall->cpu.memory_gb;
    wall->memory_max_gb = wall->cpu.memory_max_gb;
    if (!isnan(wall->cpu.way[CURVE_POINTS / 2]))
        wall->way = wall->cpu.way;
}

/* False: the tables have no suitable entry. */
static bool find_basis(struct wall *wall)
{
    const double tdp_w = wall->search->cpu.tdp_w;

    if (wall->own.name[0])
        use_generation(wall, &wall->own, "microarchitecture known", tdp_w);
    else if (wall->group.name[0])
        use_generation(wall, &wall->group, "only its neighbours known", tdp_w);
    else if (wall->any.name[0])
        use_generation(wall, &wall->any, "its TDP known", tdp_w);
    if (wall->cpu.name[0] && wall->way)
        use_cpu(wall);
    return wall->way && wall->full_w > 0;
}

static bool find_constants(struct wall *wall, struct error *err)
{
    const struct power_rules *rules = &wall->rules;
    const char *class = wall->class == CLASS_SERVER ? "server" : "client";
    const struct {
        const char *rule, *class;
        double *value;
    } wanted[] = {
        { "node base, idle (B0)", class, &wall->base_w[0] },
        { "node base, full (B1)", class, &wall->base_w[1] },
        { "cap, wall", "server", &wall->cap },
        { "memory above the reference", "server", &wall->memory_w_per_gb },
        { "supply and regulator efficiency", "server, idle", &wall->efficiency[0] },
        { "supply and regulator efficiency", "server, half to full", &wall->efficiency[1] },
    };

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const struct power_rule *rule = power_rule_of(rules, wanted[i].rule, wanted[i].class, err);
        if (!rule)
            return false;
        *wanted[i].value = rule->value;
    }
    return power_rule_over_load(rules, "95 % interval of wall power", wall->tier, wall->range, err) &&
           power_rule_over_load(rules, "range of package power", "all", wall->package_range, err);
}

static int sockets_of(const struct wall *wall)
{
    return wall->search->identity->packages > 0 ? wall->search->identity->packages : 1;
}

/* Memory of one socket. */
static double memory_gb_of(const struct wall *wall)
{
    const double memory_gb = wall->search->identity->memory_gb / sockets_of(wall);

    return memory_gb > 0 ? memory_gb : wall->memory_gb;
}

/* At a tenth of load: power of the node, and of one socket. */
static double base_w(const struct wall *wall, int tenth)
{
    return wall->base_w[0] + (wall->base_w[1] - wall->base_w[0]) * wall->way[tenth];
}

static double unlimited_w(const struct wall *wall, int tenth)
{
    const double tdp_w = wall->search->cpu.tdp_w;
    const double more_gb = fmax(0, memory_gb_of(wall) - wall->memory_max_gb);
    double full_w = wall->full_w;

    if (tdp_w > 0 && !wall->cpu.name[0])
        full_w = fmin(full_w, wall->cap * tdp_w);
    return wall->idle_w + (full_w - wall->idle_w) * wall->way[tenth] + wall->memory_w_per_gb * more_gb;
}

static double efficiency(const struct wall *wall, int tenth)
{
    const double half = CURVE_POINTS / 2;

    return wall->efficiency[0] + (wall->efficiency[1] - wall->efficiency[0]) * fmin(1, tenth / half);
}

/* Of it, package and memory get at most the package's long-term limit. */
static double socket_w(const struct wall *wall, int tenth)
{
    const double limit_w = wall->search->identity->limit_w, w = unlimited_w(wall, tenth);
    const double inside_w = limit_w + memory_gb_of(wall) * curve_w(&wall->memory.w_per_gib, tenth / 10.0);

    return limit_w > 0 ? fmin(w, fmax(inside_w / efficiency(wall, tenth), unlimited_w(wall, 0))) : w;
}

/* The package's part of a socket: without its memory, and never above its TDP. */
static double package_w(const struct wall *wall, int tenth)
{
    const double reaches_w = efficiency(wall, tenth) * socket_w(wall, tenth);
    const double left_w = reaches_w - memory_gb_of(wall) * curve_w(&wall->memory.w_per_gib, tenth / 10.0);
    const double tdp_w = wall->search->cpu.tdp_w;

    return fmin(tdp_w > 0 ? tdp_w : INFINITY, fmax(left_w, MIN_SHARE * reaches_w));
}

/* One socket with its share of the machine; its package and memory are inside it, whatever others drew. */
static double wall_w(const struct wall *wall, const struct cpu_power *measured, int tenth)
{
    const double load = tenth / 10.0, base = base_w(wall, tenth) / sockets_of(wall);
    const double package = cpu_power_of_package(measured, NAN) * curve_w(&measured->curve, load);
    const double inside = package + memory_gb_of(wall) * curve_w(&wall->memory.w_per_gib, load);

    return base + fmax(socket_w(wall, tenth), isnan(inside) ? 0 : inside / efficiency(wall, tenth));
}

static bool find_wall(struct wall *wall, bool *found, struct error *err)
{
    const char *key = wall->search->key;

    *found = false;
    if ((*key && !server_cpu_rows(key, take_cpu, wall, err)))
        return false;
    if (!find_class(wall))
        return true;
    if (!generation_rows(NULL, take_generation, wall, err))
        return false;
    *found = find_basis(wall);
    return !*found || (power_rules_read(&wall->rules, err) && find_constants(wall, err));
}

static void note_assumption(const struct wall *wall, struct cpu_power *power, const char *what)
{
    char id[64];

    snprintf(id, sizeof id, "servers:%.48s", wall->name);
    if (wall->cpu.name[0])
        power_how(power, id, "%s by %d published result%s of machines with it (%s)", what, wall->cpu.results,
                  wall->cpu.results == 1 ? "" : "s", wall->cpu.source_id);
    else
        power_how(power, id, "%s by TDP %g W (%s) and published results of %s %s (%s)", what, wall->search->cpu.tdp_w,
                  wall->search->cpu.source_id, wall->name, wall->class == CLASS_SERVER ? "servers" : "entry servers",
                  wall->any.source_id);
}

/* A server's package is held at its TDP, of which lists may differ; others may draw more for a while. */
static double max_w(const struct wall *wall)
{
    const double max_w = wall->search->cpu.high_tdp_w;

    return wall->class == CLASS_SERVER && max_w > 0 ? max_w : INFINITY;
}

static void fill_power(const struct wall *wall, enum boundary boundary, const struct cpu_power *measured,
                       struct cpu_power *power)
{
    const struct power_rule *range = boundary == BOUNDARY_SERVER ? wall->range : wall->package_range;

    power->basis = POWER_SERVERS;
    power->threads = wall->search->cpu.threads;
    power->curve.a = power->low.a = power->high.a = NAN;
    for (int i = 0; i < CURVE_POINTS; i++) {
        const double w = boundary == BOUNDARY_SERVER ? wall_w(wall, measured, i) : package_w(wall, i);
        power->curve.at_w[i] = w;
        power->low.at_w[i] = w * range[i].low;
        power->high.at_w[i] = fmin(w * range[i].high, boundary == BOUNDARY_SERVER ? INFINITY : max_w(wall));
        power->low_ratio = i == 0 ? range[i].low : fmin(power->low_ratio, range[i].low);
        power->high_ratio = i == 0 ? range[i].high : fmax(power->high_ratio, range[i].high);
    }
    note_assumption(wall, power,
                    boundary == BOUNDARY_SERVER ? "whole machines at the plug" : "a socket less its memory");
}

static bool read_wall(struct search *search, struct error *err)
{
    struct wall *wall = calloc(1, sizeof *wall);

    if (!wall)
        return error_set(err, ERROR_SYSTEM, "no memory to read the tables of servers");
    wall->search = search;
    search->wall = wall;
    return find_wall(wall, &wall->found, err) && (!wall->found || memory_power_find(&wall->memory, err));
}

bool wall_find(struct search *search, enum boundary boundary, const struct cpu_power *measured, struct cpu_power *power,
               bool *found, struct error *err)
{
    *found = false;
    if (search->identity->by_thread)
        return true;
    if (!search->wall && !read_wall(search, err))
        return false;
    *found = search->wall->found;
    if (*found)
        fill_power(search->wall, boundary, measured, power);
    return true;
}
