/* SPDX-License-Identifier: MIT
 * Names, order and problems of domains. */
#include "energy/domains.h"

#include "base/c_locale.h"
#include "base/units.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COARSE_UJ UINT64_C(1000000)

bool package_has_one_counter(const struct machine *machine)
{
    return strcmp(machine->cpu_vendor, "AuthenticAMD") == 0 || strcmp(machine->cpu_vendor, "HygonGenuine") == 0;
}

/* target/i386/kvm/kvm.c, kvm_msr_energy_thread: a turn takes a second */
uint64_t rapl_update_ns(const struct machine *machine)
{
    return machine->guest ? NS_PER_S_INT : NS_PER_S_INT / 1000;
}

static const char *word_of(enum component component)
{
    switch (component) {
    case COMPONENT_MACHINE: return "machine";
    case COMPONENT_PLATFORM: return "psys";
    case COMPONENT_PACKAGE: return "package";
    case COMPONENT_CORES: return "core";
    case COMPONENT_UNCORE: return "uncore";
    case COMPONENT_MEMORY: return "dram";
    case COMPONENT_GPU: return "gpu";
    case COMPONENT_RAIL: return "rail";
    case COMPONENT_COUNT: break;
    }
    return "domain";
}

void domain_name(struct domain *domain)
{
    char package[16] = "", die[16] = "";

    if (domain->package >= 0)
        snprintf(package, sizeof package, "-%d", domain->package);
    if (domain->die >= 0)
        snprintf(die, sizeof die, "-die-%d", domain->die);
    snprintf(domain->name, sizeof domain->name, "%s%s%s%s", word_of(domain->component), package, die,
             domain->access == ACCESS_MMIO ? "-mmio" : "");
}

void domain_name_own(struct domain *domain, const char *own)
{
    snprintf(domain->name, sizeof domain->name, "%s-%s", word_of(domain->component), own);
}

void domain_name_after(struct domain *domain, const char *chip, const char *label)
{
    char text[2 * sizeof domain->name];
    size_t length = 0;

    snprintf(text, sizeof text, "%s-%s", chip, label);
    for (const char *at = text; *at && length < sizeof domain->name - 1; at++)
        if (c_isalnum(*at) || *at == '_')
            domain->name[length++] = c_tolower(*at);
        else if (length && domain->name[length - 1] != '-')
            domain->name[length++] = '-';
    while (length && domain->name[length - 1] == '-')
        length--;
    domain->name[length] = '\0';
}

void domain_cannot_read(struct domain *domain, const struct root *root, int number)
{
    struct error *problem = &domain->problem;
    char typed[512];

    root_typed_path(root, domain->path, typed, sizeof typed);
    errno = number;
    error_errno(problem, "cannot read '%.200s'", typed);
    if (number == ERANGE) {
        error_set(problem, ERROR_BAD_DATA, "'%.200s' holds an error value", typed);
        error_why(problem, "the firmware answers with a number that no machine can draw");
    } else if (number == EBADMSG)
        error_why(problem, "it does not hold a number");
}

static int compare(int a, int b)
{
    return a < b ? -1 : a > b;
}

/* What covers more than a package comes last. */
static int order_of_package(const struct domain *domain)
{
    const bool wider = domain->component == COMPONENT_PLATFORM || domain->component == COMPONENT_MACHINE;

    return wider || domain->package < 0 ? INT_MAX : domain->package;
}

static int compare_domains(const void *left, const void *right)
{
    const struct domain *a = left, *b = right;
    int order = compare(order_of_package(a), order_of_package(b));

    if (!order)
        order = compare((int)a->component, (int)b->component);
    if (!order)
        order = compare(a->package, b->package);
    if (!order)
        order = compare(a->die, b->die);
    if (!order)
        order = compare((int)a->access, (int)b->access);
    return order ? order : strcmp(a->path, b->path);
}

static bool is_taken(const struct domain *domains, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(domains[i].name, name) == 0)
            return true;
    return false;
}

/* Old kernels call the psys zone of every package "psys"; labels of sensors may be the same. */
static void tell_apart(struct domain *domains, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        char name[sizeof domains[i].name];
        snprintf(name, sizeof name, "%s", domains[i].name);
        for (unsigned same = 2; is_taken(domains, i, name); same++)
            snprintf(name, sizeof name, "%.*s#%u", (int)sizeof name - 8, domains[i].name, same);
        snprintf(domains[i].name, sizeof domains[i].name, "%s", name);
    }
}

bool domains_have_room(size_t count, struct notices *notices, const char *what)
{
    char why[64];

    if (count < ENERGY_MAX_DOMAINS)
        return true;
    snprintf(why, sizeof why, "there are more %s than carbon has room for", what);
    notice_add(notices, NOTICE_LEFT_OUT, why, "", "the total may be incomplete");
    return false;
}

void domains_tell_coarse(struct energy_source *source)
{
    const struct domain *first = NULL;
    char step[UNITS_SIZE], more[32] = "";
    size_t count = 0;

    for (size_t i = 0; i < source->domain_count; i++) {
        const struct domain *domain = &source->domains[i];
        if (domain->poll_ns || domain->problem.kind != ERROR_NONE || domain->quality == QUALITY_MODELLED ||
            domain->resolution_uj < COARSE_UJ)
            continue;
        first = first ? first : domain;
        count++;
    }
    if (!first)
        return;
    if (count > 1)
        snprintf(more, sizeof more, " and %zu more", count - 1);
    notice_add(&source->notices, NOTICE_COARSE, "each end of a run is off by up to one of them",
               "measure for longer: --for 60s, or a longer job", "%s%s count%s in steps of %s", first->name, more,
               count > 1 ? "" : "s", units_energy(j_from_uj(first->resolution_uj), step));
}

bool domains_publish(struct energy_source *source, void *items, size_t count, size_t item_size, struct error *err)
{
    if (!count)
        return true;
    source->domains = calloc(count, sizeof *source->domains);
    if (!source->domains)
        return error_errno(err, "cannot keep %zu domains", count);
    source->domain_count = count;
    qsort(items, count, item_size, compare_domains);
    for (size_t i = 0; i < count; i++)
        memcpy(&source->domains[i], (const char *)items + i * item_size, sizeof source->domains[i]);
    tell_apart(source->domains, count);
    domains_tell_coarse(source);
    return true;
}

void domains_release(struct energy_source *source)
{
    free(source->state);
    free(source->domains);
    source->state = NULL;
    source->domains = NULL;
    source->domain_count = 0;
}

bool domains_refuse(const struct energy_source *source, struct error *err)
{
    const struct error *worst = NULL;

    for (size_t i = 0; i < source->domain_count; i++) {
        const struct error *problem = &source->domains[i].problem;
        if (problem->kind == ERROR_NONE)
            return false;
        if (!worst || (problem->kind == ERROR_DENIED && worst->kind != ERROR_DENIED))
            worst = problem;
    }
    if (worst && err)
        *err = *worst;
    return worst != NULL;
}

bool domains_offer(struct energy_source *source, void *items, size_t count, size_t item_size, const char *none,
                   struct error *err)
{
    if (!domains_publish(source, items, count, item_size, err))
        return false;
    if (!count)
        return error_set(err, ERROR_ABSENT, "%s", none);
    return !domains_refuse(source, err);
}
