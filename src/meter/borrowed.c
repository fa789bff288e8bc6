/* SPDX-License-Identifier: MIT
 * Which meters of a guest are its host's. */
#include "meter/borrowed.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define NOT_ITS_OWN "seen in a virtual machine: nothing says that it is this machine's share of its host"

/* QEMU with KVM gives its guest a share of the host's package by CPU time of its threads, since version 9.1
 * (docs/specs/rapl-msr.rst: -accel kvm,rapl=true): packages only, no memory and no platform. */
#define TELLS_SHARE "KVM"

enum { NAMES_MAX = 2 };

/* A meter of the configuration has the user's description; a card was passed to the guest, and is complete; a rail is
 * only shown. */
static bool may_be_borrowed(const struct energy_source *source, const struct domain *domain)
{
    return strcmp(source->driver->name, "meter") != 0 && domain->access != ACCESS_MODEL && !domain->not_counted[0] &&
           domain->component != COMPONENT_GPU && domain->component != COMPONENT_RAIL;
}

static bool is_same(int a, int b)
{
    return a == b || a < 0 || b < 0;
}

/* One register may be read in several ways; domains inside the package never count. */
static bool is_of_package(const struct domain *domain, const struct domain *package)
{
    const bool inside = domain->component == COMPONENT_CORES || domain->component == COMPONENT_UNCORE;

    return (inside || (domain->component == COMPONENT_PACKAGE && is_same(domain->die, package->die))) &&
           is_same(domain->package, package->package);
}

struct borrowed_guest {
    struct energy_source *sources;
    size_t source_count;
    const char *hypervisor; /* "" unknown */
};

/* The processor's counters are those of one package, under a hypervisor that gives its guest's share. */
static bool has_own_counter(const struct borrowed_guest *guest)
{
    const struct domain *first = NULL;

    for (size_t s = 0; s < guest->source_count; s++)
        for (size_t i = 0; i < guest->sources[s].domain_count; i++) {
            const struct domain *domain = &guest->sources[s].domains[i];
            if (!may_be_borrowed(&guest->sources[s], domain) || domain->access == ACCESS_SENSOR)
                continue;
            first = first ? first : domain;
            if (!is_of_package(domain, first))
                return false;
        }
    return strcmp(guest->hypervisor, TELLS_SHARE) == 0;
}

struct borrowed_found {
    const struct energy_source *source; /* source of the first */
    size_t count;
    char names[128];
};

static void mark(const struct borrowed_guest *guest, bool named, struct borrowed_found *found)
{
    const bool own_counter = has_own_counter(guest);

    for (size_t s = 0; s < guest->source_count; s++)
        for (size_t i = 0; i < guest->sources[s].domain_count; i++) {
            struct domain *domain = &guest->sources[s].domains[i];
            const size_t length = strlen(found->names);
            if (!may_be_borrowed(&guest->sources[s], domain) || (own_counter && domain->access != ACCESS_SENSOR))
                continue;
            domain->borrowed = true;
            if (!found->count++)
                found->source = &guest->sources[s];
            if (found->count <= NAMES_MAX)
                snprintf(found->names + length, sizeof found->names - length, "%s%s", length ? ", " : "", domain->name);
            if (named)
                continue;
            domain->not_counted_kind = NOTICE_UNTRUSTED_GUEST;
            text_copy(domain->not_counted, sizeof domain->not_counted, NOT_ITS_OWN);
        }
}

/* Among those of the source that comes first: it is there whatever was opened. */
static void note_guest(const struct borrowed_guest *guest, bool named, const struct borrowed_found *found)
{
    char more[32] = "", why[256], fix[128];

    if (found->count > NAMES_MAX)
        snprintf(more, sizeof more, " and %zu more", found->count - NAMES_MAX);
    snprintf(why, sizeof why,
             "hypervisor: %s; only QEMU/KVM (since 9.1) reports a guest's own share, as one package; other counters "
             "may be the whole host's, or repeat one counter",
             guest->hypervisor[0] ? guest->hypervisor : "unknown");
    snprintf(fix, sizeof fix, "--source %s counts it all the same", found->source->driver->name);
    if (named)
        notice_add(&guest->sources[0].notices, NOTICE_UNTRUSTED_GUEST, why, "",
                   "the host's meter may be counted for this virtual machine: %s%s", found->names, more);
    else
        notice_add(&guest->sources[0].notices, NOTICE_UNTRUSTED_GUEST, why, fix,
                   "seen in this virtual machine and not counted: %s%s", found->names, more);
}

void borrowed_judge(struct energy_source *sources, size_t count, const struct machine *machine, bool named)
{
    const struct borrowed_guest guest = { sources, count, machine->hypervisor };
    struct borrowed_found found = { .count = 0 };

    if (machine->guest)
        mark(&guest, named, &found);
    if (found.count)
        note_guest(&guest, named, &found);
}
