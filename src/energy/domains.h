/* SPDX-License-Identifier: MIT
 * How the domains of processor counters are named and ordered, alike in every driver. */
#ifndef ENERGY_DOMAINS_H
#define ENERGY_DOMAINS_H

#include "energy/energy.h"

/* AMD and Hygon have one energy counter per package; the kernel may show it once per die (P16).
 * Intel's dies have counters of their own. */
bool package_has_one_counter(const struct machine *machine);

/* Names a domain for its component, package, die and access: "package-0", "dram-1",
 * "package-0-die-1", "package-0-mmio", "psys". */
void domain_name(struct domain *domain);

/* Gives a source its domains: items begin with a struct domain each and are sorted by package,
 * component, die and access; equal names are told apart ("psys#2"). */
bool domains_publish(struct energy_source *source, void *items, size_t count, size_t item_size,
                     struct error *err) MUST_CHECK;

/* Frees the domains and the driver's state; harmless twice. */
void domains_release(struct energy_source *source);

/* The answer of a driver that has no readable domain: the first that is denied, else the first
 * problem. False: one is readable, or there is none at all. */
bool domains_refuse(const struct energy_source *source, struct error *err) MUST_CHECK;

#endif
