/* SPDX-License-Identifier: MIT
 * How domains are named and ordered and their problems reported, alike in every driver. Used in energy and meter. Begin
 * with package_has_one_counter(). */
#ifndef ENERGY_DOMAINS_H
#define ENERGY_DOMAINS_H

#include "energy/energy.h"

/* AMD and Hygon have one energy counter per package; the kernel may show it once per die (P16).
 * Intel's dies have counters of their own. */
bool package_has_one_counter(const struct machine *machine);

/* How often RAPL's counters are refreshed: by the processor, or by QEMU for its guest. */
uint64_t rapl_update_ns(const struct machine *machine);

/* Names a domain for its component, package, die and access: "package-0", "dram-1",
 * "package-0-die-1", "package-0-mmio", "psys". */
void domain_name(struct domain *domain);

/* "machine-wall": for a domain with its own name. */
void domain_name_own(struct domain *domain, const char *own);

/* "ina3221-vdd_soc": a domain without a known place is named after its chip and label. */
void domain_name_after(struct domain *domain, const char *chip, const char *label);

/* Its problem, after a reading of its file failed with this errno: ERANGE where the number cannot be true,
 * EBADMSG where it is none. */
void domain_cannot_read(struct domain *domain, const struct root *root, int number);

/* False, with a notice, where there are more of them ("sensors") than a source may have. */
bool domains_have_room(size_t count, struct notices *notices, const char *what);

/* Gives a source its domains: items begin with a struct domain each and are sorted by package,
 * component, die and access; equal names are numbered ("psys#2"). Counters with steps
 * of 1 J or more become a notice. */
bool domains_publish(struct energy_source *source, void *items, size_t count, size_t item_size,
                     struct error *err) MUST_CHECK;

/* The same notice, of a source that publishes its domains itself. */
void domains_tell_coarse(struct energy_source *source);

/* Frees the domains and the driver's state; harmless twice. */
void domains_release(struct energy_source *source);

/* The answer of a driver that has no readable domain: the first that is denied, else the first
 * problem. False: one is readable, or there is none at all. */
bool domains_refuse(const struct energy_source *source, struct error *err) MUST_CHECK;

/* Publishes them and returns as a driver's open does: `none` is the error where there are none, the worst problem where
 * none is readable. */
bool domains_offer(struct energy_source *source, void *items, size_t count, size_t item_size, const char *none,
                   struct error *err) MUST_CHECK;

#endif
