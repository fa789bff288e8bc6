/* SPDX-License-Identifier: MIT
 * A processor's power over load: from the best that is published of it, with a range. */
#include "power/cpu_power.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/near.h"
#include "base/text.h"
#include "power/cpu_search.h"

#include <math.h>
#include <string.h>

static void take_generic(const struct profile_row *row, void *context)
{
    if (row->kind == KIND_GENERIC && strcmp(row->id, GENERIC_CURVE) == 0)
        ((struct search *)context)->generic = *row;
}

static void take_cpu(const struct cpu_row *row, void *context)
{
    struct search *search = context;

    if (strcmp(row->key, search->key) != 0)
        return;
    search->cpu = *row;
    search->known = true;
}

static bool is_server_name(const char *key)
{
    return strstr(key, "xeon") || strstr(key, "epyc") || strstr(key, "opteron");
}

static bool find_cpu(struct search *search, struct error *err)
{
    if (!search->key[0])
        return true;
    return cpu_rows(search->key, take_cpu, search, err) && (search->known || search_named(search, err));
}

static bool search_begin(struct search *search, const struct cpu_identity *identity, struct error *err)
{
    search->identity = identity;
    cpu_match_key(identity->model, search->key);
    if (!find_cpu(search, err))
        return false;
    /* a cloud that hides the name shows the type */
    if (!search->known && identity->key && *identity->key) {
        text_copy(search->key, sizeof search->key, identity->key);
        if (!find_cpu(search, err))
            return false;
    }
    if (identity->threads > 0)
        search->cpu.threads = identity->threads;
    search->server = identity->by_thread || search->cpu.server || is_server_name(search->key);
    if (!cpuid_microarchitecture(identity, search->microarchitecture, err))
        return false;
    if (!search->microarchitecture[0])
        text_copy(search->microarchitecture, sizeof search->microarchitecture, search->cpu.microarchitecture);
    if (!profile_rows(GENERIC_CURVE, take_generic, search, err))
        return false;
    if (search->generic.id[0])
        return true;
    error_set(err, ERROR_BAD_DATA, "cpu_profiles.csv has no curve '%s'", GENERIC_CURVE);
    return error_why(err, "every processor without a curve of its own is modelled with it");
}

/* The generic curve with the vendor's and other lists' TDP says the same in another way. */
static void widen_by_tdp(const struct search *search, struct cpu_power *power)
{
    const double tdps_w[] = { search->cpu.low_tdp_w, search->cpu.tdp_w, search->cpu.high_tdp_w };
    const int parts = power->per_thread ? power->threads : 1;

    for (size_t i = 0; i < sizeof tdps_w / sizeof tdps_w[0] && parts > 0; i++) {
        const struct power_curve other = curve_scaled(search->generic.curve, tdps_w[i] / parts);
        power_widen(power, &other);
    }
}

/* What the user says of it: a straight line. */
static bool find_given(const struct search *search, struct cpu_power *power)
{
    const struct cpu_identity *identity = search->identity;

    if (!(identity->full_w > 0))
        return false;
    power->basis = POWER_GIVEN;
    power->low_ratio = CURVE_LOW;
    power->high_ratio = CURVE_HIGH;
    power->threads = search->cpu.threads;
    power->curve = curve_straight(identity->idle_w, identity->full_w);
    power_how(power, "given", "as given, %g W idle to %g W busy", identity->idle_w, identity->full_w);
    return true;
}

/* A measured curve of this very model. */
static bool find_model_curve(const struct search *search, struct cpu_power *power)
{
    for (size_t i = 0; i < search->profile_count; i++) {
        const struct profile_row *row = &search->profiles[i];

        if (row->kind != KIND_MODEL || row->boundary != BOUNDARY_PACKAGE || strcmp(row->key, search->key) != 0)
            continue;
        power->low_ratio = CURVE_LOW;
        power->high_ratio = CURVE_HIGH;
        power->per_thread = row->per == PER_THREAD;
        power->threads = search_threads(search, power);
        if (search->identity->by_thread && !power->per_thread && power->threads == 0)
            continue;
        power->basis = POWER_MODEL;
        power->curve = row->curve;
        /* an idle reading that could not be used: the generic share, but no more than at the first step */
        if (isnan(row->curve.at_w[0]) && isnan(row->curve.a) && search->known)
            power->curve.at_w[0] = fmin(curve_w(&row->curve, 0), search->cpu.tdp_w * search->generic.curve.at_w[0]);
        widen_by_tdp(search, power);
        power_how(power, row->id, "published curve %s (%s)", row->id, row->source_id);
        return true;
    }
    return false;
}

static bool find_tdp(const struct search *search, struct cpu_power *power)
{
    const double tdp_w = search->cpu.tdp_w;

    if (!search->known || !(tdp_w > 0))
        return false;
    power->low_ratio = GENERIC_LOW * search->cpu.low_tdp_w / tdp_w;
    power->high_ratio = GENERIC_HIGH * search->cpu.high_tdp_w / tdp_w;
    power->threads = search_threads(search, power);
    if (search->identity->by_thread && power->threads == 0)
        return false;
    power->basis = POWER_TDP;
    power->curve = curve_scaled(search->generic.curve, tdp_w);
    power_how(power, GENERIC_CURVE, "TDP %g W × %s (%s, %s)", tdp_w, GENERIC_CURVE, search->cpu.source_id,
              search->generic.source_id);
    return true;
}

/* "intel xeon gold 6737p" is of the range "xeon gold". */
static bool is_of_range(const char *key, const char *range)
{
    const char *at = *range ? strstr(key, range) : NULL;

    return at && (at == key || at[-1] == ' ') && strchr(" -", at[strlen(range)]);
}

static bool find_model_range(const struct search *search, struct cpu_power *power)
{
    for (size_t i = 0; i < search->profile_count && !search->identity->by_thread; i++) {
        const struct profile_row *row = &search->profiles[i];
        char range[CPU_KEY_SIZE];

        if (row->kind != KIND_MODEL_RANGE || row->per != PER_PACKAGE ||
            !is_of_range(search->key, cpu_match_key(row->name, range)))
            continue;
        power->basis = POWER_MODEL_RANGE;
        power->low_ratio = GENERIC_LOW;
        power->high_ratio = GENERIC_HIGH;
        power->curve = row->curve;
        power_how(power, row->id, "published curve %s of the range %s (%s)", row->id, row->name, row->source_id);
        return true;
    }
    return false;
}

static bool find_package(struct search *search, struct cpu_power *power, struct error *err)
{
    bool found;

    if (find_given(search, power))
        return true;
    if (!search_profiles(search, search->key, err))
        return false;
    if (find_model_curve(search, power))
        return true;
    if (!board_find(search, BOUNDARY_PACKAGE, power, &found, err))
        return false;
    if (!found && !wall_find(search, BOUNDARY_PACKAGE, power, power, &found, err))
        return false;
    if (!found && !cloud_power_find(search, power, &found, err))
        return false;
    if (found || find_tdp(search, power))
        return true;
    if (!search_profiles(search, "model_range", err))
        return false;
    if (find_model_range(search, power))
        return true;
    if (!similar_cpus_find(search, power, &found, err))
        return false;
    if (!found)
        default_thread_power(search, power);
    return true;
}

static void set_range(struct cpu_power *power)
{
    power->low = curve_scaled(power->curve, power->low_ratio);
    power->high = curve_scaled(power->curve, power->high_ratio);
}

/* Its power at every tenth of load, as a curve of points. */
static struct power_curve held_at(const struct power_curve *curve, double max_w)
{
    struct power_curve held = { .a = NAN };

    for (int i = 0; i < CURVE_POINTS; i++)
        held.at_w[i] = fmin(curve_w(curve, (double)i / (CURVE_POINTS - 1)), max_w);
    return held;
}

/* No package draws more than its power limit for long. One below its idle power is not in force. */
static void hold_at_limit(const struct cpu_identity *identity, struct cpu_power *power)
{
    const int parts = power->per_thread ? power->threads : 1;
    const double limit_w = identity->limit_w / parts;
    const size_t length = strlen(power->how);

    if (power->basis == POWER_GIVEN || parts == 0 || !(limit_w > curve_w(&power->curve, 0)) ||
        !(curve_w(&power->high, 1) > limit_w))
        return;
    power->low = held_at(&power->low, limit_w);
    power->high = held_at(&power->high, identity->max_limit_w / parts);
    power->curve = held_at(&power->curve, limit_w);
    power->low_ratio = power->high_ratio = 1;
    power_widen(power, &power->low);
    power_widen(power, &power->high);
    c_snprintf(power->how + length, sizeof power->how - length, "; its power limit is %g W", identity->limit_w);
}

static bool package_find(struct search *search, struct cpu_power *power, struct error *err)
{
    if (!find_package(search, power, err))
        return false;
    if (power->basis != POWER_SERVERS && power->basis != POWER_BOARD && power->basis != POWER_CLOUD)
        set_range(power);
    hold_at_limit(search->identity, power);
    return true;
}

/* The whole machine, with this package in it; a guest has a part of a server. */
static bool machine_find(struct search *search, const struct cpu_power *package, struct cpu_power *power,
                         struct error *err)
{
    bool found;

    if (!board_find(search, BOUNDARY_SERVER, power, &found, err))
        return false;
    if (!found && !wall_find(search, BOUNDARY_SERVER, package, power, &found, err))
        return false;
    if (found)
        return true;
    if (!server_find(search, power, &found, err))
        return false;
    if (found)
        set_range(power);
    return true;
}

static struct cpu_power named(const struct search *search)
{
    struct cpu_power power = { .basis = POWER_DEFAULT, .cores = search->cpu.cores };

    text_copy(power.model, sizeof power.model, search->cpu.model);
    text_copy(power.microarchitecture, sizeof power.microarchitecture, search->microarchitecture);
    return power;
}

bool cpu_power_find(const struct cpu_identity *identity, struct cpu_power *package, struct cpu_power *machine,
                    struct error *err)
{
    struct search *search = calloc(1, sizeof *search);
    bool done;

    if (!search)
        return error_set(err, ERROR_SYSTEM, "no memory to look a processor up");
    done = search_begin(search, identity, err);
    if (done) {
        *package = named(search);
        done = package_find(search, package, err);
    }
    if (done && machine) {
        *machine = named(search);
        done = machine_find(search, package, machine, err);
    }
    search_close(search);
    return done;
}

double cpu_tdp_w(const char *model)
{
    AUTO_FREE struct search *search = calloc(1, sizeof *search);

    if (!search || !*cpu_match_key(model, search->key) || !cpu_rows(search->key, take_cpu, search, NULL))
        return 0;
    return search->known && search->cpu.high_tdp_w > 0 ? search->cpu.high_tdp_w : 0;
}

/* A name that holds all that was typed is nearer than one of about the same length. */
static unsigned name_distance(const char *typed, const char *key)
{
    const size_t more = strlen(key) - strlen(typed);

    return strstr(key, typed) ? (unsigned)more / 8 : text_distance(typed, key);
}

static void take_near(const struct cpu_row *row, void *context)
{
    struct near_names *near = context;

    near_add(near, row->model, name_distance(near->typed, row->key));
}

bool cpu_is_known(const struct cpu_power *power)
{
    return power->model[0] || power->basis == POWER_MODEL;
}

bool cpu_unknown(const char *name, const char *otherwise, struct error *err)
{
    char key[CPU_KEY_SIZE];
    struct near_names near = { .typed = cpu_match_key(name, key) };

    if (!cpu_rows(NULL, take_near, &near, err))
        return false;
    error_set(err, ERROR_USAGE, "unknown processor '%s'", name);
    error_why(err, "its model is in neither cpu_power.csv nor cpu_profiles.csv");
    /* the nearest has at least half of the typed words */
    if (near.count < NEAR_COUNT || near.items[0].distance > strlen(key) / 2)
        return error_fix(err, "give its %s", otherwise);
    return error_fix(err, "close ones are '%s', '%s' and '%s'; or give its %s", near.items[0].name, near.items[1].name,
                     near.items[2].name, otherwise);
}
