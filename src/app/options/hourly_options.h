/* SPDX-License-Identifier: MIT
 * Accounting by the hour as requested: with a service, or with a table of intensities. Used by
 * commands/measure/cmd_measure.c, commands/restate/cmd_restate.c and commands/when/when.h. Begin with
 * hourly_options_read().
 *
 * measurement/slices.h cuts a run while it goes on: the watcher's loop wakes at each full five minutes of UTC
 * (slicer_is_due), and the record holds the energies in between. After the job has ended hourly_options.c asks the
 * service for the time of the runs, or has read a table (grid/intensity_file.h) before it; grid/hourly.h says what
 * a kilowatt-hour emitted between two times, by the rule for gaps, and result/by_hour.c lays the slices on it. The
 * partial record is whole by then, so that nothing is lost to a service that hangs. carbon restate --with does the
 * same from the record (result/stored/record_load_hourly.c), and --samples makes its slices from a time series
 * (commands/restate/sample_slices.h, one pass, constant memory). */
#ifndef APP_OPTIONS_HOURLY_OPTIONS_H
#define APP_OPTIONS_HOURLY_OPTIONS_H

#include "app/options/options.h"
#include "grid/intensity_file.h"
#include "grid/live.h"
#include "result/report.h"

extern const struct option_spec option_intensities, option_live_zone, option_slice;

struct hourly_wanted {
    const struct live_service *service; /* NULL: a table, or nothing */
    struct live_query query;
    char zone[LIVE_ZONE_SIZE];
    bool wanted;
    struct hourly_source source;
    struct intensities known; /* of a table from the beginning, else once they were fetched */
};

/* --live and --intensities, with --live-zone, --offline and --live-timeout. Everything that can be wrong is, before
 * anything is run: the table is read, the service covers the zone of the report's factor. */
bool hourly_options_read(const struct settings *settings, const struct report *report, struct hourly_wanted *wanted,
                         struct error *err) MUST_CHECK;

/* By name of a service or a file. */
bool hourly_want(const char *service_or_file, const struct settings *settings, const struct report *report,
                 struct hourly_wanted *wanted, struct error *err) MUST_CHECK;

/* Queries the service, if there is one, about the time of the report's runs; its messages go to the report's notices. A
 * signal that would end carbon ends the asking. */
bool hourly_fetch(struct hourly_wanted *wanted, struct report *report, struct error *err) MUST_CHECK;

/* The report by the hour, from here on; wanted lives as long as it. `failed` reports a failure; or NULL.
 */
void hourly_apply(struct hourly_wanted *wanted, struct report *report, const struct error *failed);

void hourly_close(struct hourly_wanted *wanted);

#endif
