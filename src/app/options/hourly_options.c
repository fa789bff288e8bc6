/* SPDX-License-Identifier: MIT
 * From options to intensities, and these into a report. */
#include "app/options/hourly_options.h"

#include "app/options/emission_options.h"
#include "app/options/live_options.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "result/by_hour.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define HOUR_S UINT64_C(3600)

const struct option_spec option_intensities =
    OPTION(FILE, "Live grid data", "intensities", .argument = "<file>", .cli_only = true,
           .help = "hourly carbon intensity from a CSV file instead of a service");
const struct option_spec option_live_zone =
    OPTION(TEXT, "Live grid data", "live-zone", .argument = "<zone>",
           .help = "the zone as the service calls it, where that is not --zone: DK1, GB:13, US-CAL-CISO");
const struct option_spec option_slice =
    OPTION(COUNT, "Measuring", "slice", .argument = "<s>", .quantity = QUANTITY_SECONDS, .default_text = "300",
           .min = 1, .max = S_PER_DAY, .help = "length of the time slices for hourly accounting");

static void name_source(struct hourly_source *source, const struct live_about *about, const char *zone)
{
    text_copy(source->service, sizeof source->service, about->name);
    text_copy(source->title, sizeof source->title, about->title);
    text_copy(source->zone, sizeof source->zone, zone);
    text_copy(source->basis, sizeof source->basis, about->basis);
    text_copy(source->scope, sizeof source->scope, about->scope);
    text_copy(source->gases, sizeof source->gases, about->gases);
    text_copy(source->td_losses, sizeof source->td_losses, about->td_losses);
    text_copy(source->method, sizeof source->method, about->method);
    text_copy(source->source_id, sizeof source->source_id, about->source_id);
    text_copy(source->licence, sizeof source->licence, about->licence);
    text_copy(source->url, sizeof source->url, about->url);
}

/* Of a factor of one's own that has none, the one that the options have. */
static enum factor_basis basis_wanted(const struct settings *settings, const struct report *report)
{
    enum factor_basis basis = report->factor.basis;

    if (basis == FACTOR_NO_BASIS && !factor_basis_of(settings_text(settings, &option_basis), &basis))
        basis = FACTOR_LIFECYCLE;
    return basis;
}

/* As typed for the hours, else for the factor; NULL: not given. */
static const char *zone_typed(const struct settings *settings, const struct report *report)
{
    const char *typed = settings_text(settings, &option_live_zone);

    if (typed)
        return typed;
    if (report->factor_query.zone[0])
        return report->factor_query.zone;
    return report->factor.zone[0] && report->factor.quality != QUALITY_DEFAULT ? report->factor.zone : NULL;
}

static bool want_file(const char *path, const struct settings *settings, const struct report *report,
                      struct hourly_wanted *wanted, struct error *err)
{
    struct intensity_file file;

    if (!intensity_file_read(path, basis_wanted(settings, report), &file, &wanted->known, err) ||
        !live_zone_is(path, file.zone, zone_typed(settings, report), "--zone or --live-zone", err))
        return false;
    name_source(&wanted->source,
                &(struct live_about){ .name = "file",
                                      .title = file.name,
                                      .basis = file.basis,
                                      .scope = file.scope,
                                      .gases = file.gases,
                                      .td_losses = "",
                                      .method = file.method,
                                      .source_id = file.source_id,
                                      .licence = file.licence,
                                      .url = "" },
                file.zone);
    return true;
}

/* The zone of the factor: as it was typed, where the service knows that (a bidding zone), else as the table has it. */
static const char *zone_of_factor(const struct live_service *service, const struct report *report, char code[ZONE_SIZE])
{
    AUTO_NOTICES struct notices ignored = { 0 };
    const char *typed = report->factor_query.zone;
    char zone[LIVE_ZONE_SIZE];

    typed = typed[0] ? live_zone_typed(typed, code, &ignored) : NULL;
    return typed && live_zone_known(service, typed, zone, NULL) ? typed : report->factor.zone;
}

static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* The first zone in a service's own list of zones, as a separate word: "countries of Europe: DE, FR, AT" */
static const char *first_zone(const char *zones)
{
    while (*zones && strspn(zones, capitals) < 2)
        zones++;
    return zones;
}

/* The zone as it is typed for the service, else the factor's, else the one that the service has alone. */
static bool find_zone(const struct live_service *service, const struct settings *settings, const struct report *report,
                      struct hourly_wanted *wanted, struct error *err)
{
    const char *typed = settings_text(settings, &option_live_zone);
    const struct hourly_source *before = &report->by_hour.source;
    const struct live_about about = live_about(service, &wanted->known);
    char code[ZONE_SIZE];

    /* the hours before are those of the zone before */
    if (!typed && report->by_hour.enabled && strcmp(before->service, about.name) == 0 &&
        settings_origin(settings, &option_zone) != ORIGIN_LINE)
        typed = before->zone;
    if (!typed && report->factor.zone[0] && report->factor.quality != QUALITY_DEFAULT)
        typed = zone_of_factor(service, report, code);
    if (!typed && report->factor.quality == QUALITY_DEFAULT) {
        error_set(err, ERROR_USAGE, "%s needs a zone", about.title);
        error_why(err, "hours without an intensity use its yearly factor; the service has %s", about.zones);
        return error_fix_adds(err, "--zone %.*s", (int)strcspn(first_zone(about.zones), " ,;:"),
                              first_zone(about.zones));
    }
    if (live_zone_known(service, typed, wanted->zone, err))
        return true;
    return error_fix(err, "--live-zone ZONE, as the service calls it");
}

static bool want_service(const struct live_service *service, const struct settings *settings,
                         const struct report *report, struct hourly_wanted *wanted, struct error *err)
{
    const struct live_about about = live_about(service, &wanted->known);
    const bool typed = settings_origin(settings, &option_basis) != ORIGIN_STANDARD;

    if (live_is_advice(service)) {
        error_set(err, ERROR_USAGE, "%s is for advice only, not for a footprint", about.title);
        error_why(err, "%s", about.advice);
        return error_fix(err, "another service; 'carbon when' takes this one");
    }
    if (typed && !live_has_basis(service, report->factor.basis)) {
        error_set(err, ERROR_USAGE, "%s has no %s intensities", about.title, factor_basis_name(report->factor.basis));
        return error_fix(err, "leave --basis out");
    }
    if (!find_zone(service, settings, report, wanted, err))
        return false;
    wanted->service = service;
    wanted->query = live_query_of(settings);
    wanted->query.zone = wanted->zone;
    wanted->query.basis = basis_wanted(settings, report);
    return true;
}

bool hourly_want(const char *service_or_file, const struct settings *settings, const struct report *report,
                 struct hourly_wanted *wanted, struct error *err)
{
    const struct live_service *service = live_named(service_or_file);

    wanted->wanted = service ? want_service(service, settings, report, wanted, err)
                             : want_file(service_or_file, settings, report, wanted, err);
    return wanted->wanted;
}

bool hourly_options_read(const struct settings *settings, const struct report *report, struct hourly_wanted *wanted,
                         struct error *err)
{
    const char *live = settings_text(settings, &option_live), *file = settings_text(settings, &option_intensities);

    if (live && file)
        return options_clash(&option_live, &option_intensities, err);
    if (live)
        return hourly_want(live, settings, report, wanted, err) &&
               (wanted->query.offline || live_has_key(wanted->service, err));
    if (!file)
        return true;
    wanted->wanted = want_file(file, settings, report, wanted, err);
    return wanted->wanted;
}

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* One of the blocked signals has arrived. */
static bool is_to_end(void)
{
    sigset_t pending;

    sigpending(&pending);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        if (sigismember(&pending, ending[i]) == 1)
            return true;
    return false;
}

bool hourly_fetch(struct hourly_wanted *wanted, struct report *report, struct error *err)
{
    struct live_query query = wanted->query;
    struct intensities found;
    sigset_t held, before;
    uint64_t from_ns, to_ns;
    bool good;

    if (!wanted->service)
        return true;
    if (!by_hour_span(report, &from_ns, &to_ns))
        return error_set(err, ERROR_ABSENT, "no run is counted, so no time can be queried");
    /* whole hours: some services return an interval only if the request begins at its start */
    query.from_realtime_s = from_ns / NS_PER_S_INT / HOUR_S * HOUR_S;
    query.to_realtime_s = (to_ns / NS_PER_S_INT / HOUR_S + 1) * HOUR_S;
    query.stop = is_to_end;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        sigaddset(&held, ending[i]);
    sigprocmask(SIG_BLOCK, &held, &before);
    good = live_fetch_span(wanted->service, &query, &found, &report->own_notices, err);
    while (sigtimedwait(&held, NULL, &(struct timespec){ 0 }) > 0)
        continue; /* it has ended the asking, and that is all */
    sigprocmask(SIG_SETMASK, &before, NULL);
    wanted->known = found;
    return good;
}

void hourly_apply(struct hourly_wanted *wanted, struct report *report, const struct error *failed)
{
    struct by_hour *by_hour = &report->by_hour;
    uint64_t from_ns, to_ns;

    by_hour->enabled = true;
    by_hour->known = &wanted->known;
    by_hour->source = wanted->source;
    if (wanted->service) {
        const struct live_about about = live_about(wanted->service, &wanted->known);
        name_source(&by_hour->source, &about, wanted->zone);
        if (wanted->known.count == 0) /* no figure is of it */
            by_hour->source.basis[0] = '\0';
    }
    if (by_hour_span(report, &from_ns, &to_ns))
        intensities_trim(&wanted->known, from_ns, to_ns);
    if (failed) {
        notice_add_error(&report->own_notices, NOTICE_FAILED, failed);
        notice_add(&report->own_notices, NOTICE_STAND_IN, "nothing of the grid's own hours could be had",
                   "carbon restate RECORD --with SERVICE, later", "all of the energy is at the yearly factor");
    }
    report_work_out(report);
    by_hour_notices(report);
}

void hourly_close(struct hourly_wanted *wanted)
{
    intensities_close(&wanted->known);
}
