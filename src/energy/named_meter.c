/* SPDX-License-Identifier: MIT
 * The source of the meters that the user has named, each asked by a process of its own. */
#include "energy/named_meter.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "energy/asked.h"
#include "energy/domains.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_UJ 1.8e19 /* what 64 bits hold: 5 GWh */

struct named_meter_named {
    struct asked asked[NAMED_METERS_MAX];
    size_t count;
};

int named_meter_doubts(const struct named_meter *meter, double value)
{
    const double micro = value * meter->micro;

    if (meter->counts)
        return value >= 0 && micro < MAX_UJ ? 0 : ERANGE;
    return bounds_can_be_power(micro / UJ_PER_J) && (value != 0 || meter->covers != COMPONENT_MACHINE) ? 0 : ERANGE;
}

static bool says_no_power(const struct named_meter *meter, const struct poller_answer *answer, struct error *err)
{
    error_set(err, ERROR_BAD_DATA, "meter '%s' says %.60s", meter->name, answer->words);
    error_notice(err, answer->value == 0 ? NOTICE_ZERO_POWER : NOTICE_ERROR_VALUE);
    return error_why(err, "%s",
                     answer->value == 0 ? "a running machine cannot use nothing"
                                        : "that can be no energy or power of a machine");
}

static bool says_no_number(const struct named_meter *meter, const struct poller_answer *answer, struct error *err)
{
    error_set(err, ERROR_BAD_DATA, "meter '%s' does not say a number of %s", meter->name, meter->unit);
    error_why(err, "%s", answer->words[0] ? answer->words : "its answer is empty");
    return error_fix(err, "check 'unit' and 'field' in [meter %s] of the configuration file", meter->name);
}

/* Why it cannot be read. */
static void explain(const struct named_meter *meter, const struct poller_answer *answer, struct error *err)
{
    switch (answer->error) {
    case ERANGE: says_no_power(meter, answer, err); break;
    case EBADMSG: says_no_number(meter, answer, err); return;
    case ETIMEDOUT:
        error_set(err, ERROR_SYSTEM, "meter '%s' gave no answer in %.0f s", meter->name,
                  s_from_ns(meter->question.patience_ns));
        error_why(err, "%s hangs, or is slow", meter->how);
        break;
    case EREMOTEIO:
        error_set(err, ERROR_SYSTEM, "meter '%s' cannot be read", meter->name);
        error_why(err, "%s", answer->words[0] ? answer->words : "it fails without a word");
        break;
    default:
        errno = answer->error;
        error_errno(err, "meter '%s' cannot be read (%s)", meter->name, meter->how);
        if (answer->words[0])
            error_why(err, "%s", answer->words);
    }
    error_fix(err, "check [meter %s] in the configuration file", meter->name);
}

static void describe(const struct named_meter *meter, const struct asked *asked, const struct poller_answer *answer,
                     struct domain *domain)
{
    const double every_s = s_from_ns(poller_cadence_ns(&asked->question, answer->took_ns));

    domain->component = meter->covers;
    domain->part = meter->part;
    domain_name_own(domain, meter->name);
    text_copy(domain->path, sizeof domain->path, meter->how);
    domain->update_ns = poller_cadence_ns(&asked->question, answer->took_ns);
    domain->poll_ns = meter->counts ? 0 : domain->update_ns;
    domain->resolution_uj = (uint64_t)fmax(1, answer->step * meter->micro * (meter->counts ? 1 : every_s));
}

static bool start_all(struct energy_source *source, struct error *err)
{
    struct named_meter_named *named = source->state;

    for (; named->count < source->named->count; named->count++) {
        const struct named_meter *meter = source->named->items[named->count];
        struct asked *asked = &named->asked[named->count];

        *asked = (struct asked){ .question = meter->question, .counts = meter->counts, .micro = meter->micro };
        if (!asked_start(asked, err))
            return false;
    }
    return true;
}

/* They answer at the same time, so that they are waited for together no longer than for the slowest. */
static void await_all(struct energy_source *source, const struct machine *machine)
{
    struct named_meter_named *named = source->state;
    const uint64_t began_ns = clock_monotonic_ns();

    for (size_t i = 0; i < named->count; i++) {
        const struct named_meter *meter = source->named->items[i];
        struct domain *domain = &source->domains[i];
        const struct poller_answer answer =
            asked_first(&named->asked[i], began_ns + meter->question.patience_ns + NS_PER_S_INT);

        *domain = sensor_domain(machine->guest ? QUALITY_VIRTUAL : QUALITY_MEASURED);
        describe(meter, &named->asked[i], &answer, domain);
        if (!answer.error)
            continue;
        explain(meter, &answer, &domain->problem);
        notice_add_refusal(&source->notices, &domain->problem); /* who has named it is to know */
        asked_stop(&named->asked[i]);
    }
}

static bool named_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                       struct error *err)
{
    if (!source->named || !source->named->count) {
        error_set(err, ERROR_ABSENT, "none is named in the configuration file");
        return error_fix(err, "a section [meter NAME] names one; carbon-config(5) describes meters");
    }
    if (!root->live)
        return error_set(err, ERROR_ABSENT,
                         "a recorded machine: meters of the configuration measure this machine only");
    source->state = calloc(1, sizeof(struct named_meter_named));
    source->domains = calloc(source->named->count, sizeof *source->domains);
    if (!source->state || !source->domains)
        return error_errno(err, "cannot keep %zu meters", source->named->count);
    if (!start_all(source, err))
        return false;
    source->domain_count = source->named->count;
    await_all(source, machine);
    domains_tell_coarse(source);
    return !domains_refuse(source, err);
}

static void named_read(struct energy_source *source, struct reading *readings)
{
    struct named_meter_named *named = source->state;

    for (size_t i = 0; i < named->count; i++) {
        if (source->domains[i].problem.kind == ERROR_NONE)
            asked_read(&named->asked[i], &readings[i]);
        else
            readings[i].error = ENODATA;
    }
}

static void named_close(struct energy_source *source)
{
    struct named_meter_named *named = source->state;

    for (size_t i = 0; named && i < named->count; i++)
        asked_stop(&named->asked[i]);
    domains_release(source);
}

const struct energy_driver meter_driver = {
    .name = "meter",
    .about = "meters that the configuration file names, by a file, a command or an address",
    .quality = QUALITY_MEASURED,
    .covers_all = true,
    .one_process = true,
    .open = named_open,
    .read = named_read,
    .close = named_close,
};
