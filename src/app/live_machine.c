/* SPDX-License-Identifier: MIT
 * A meter that is watched. */
#include "app/live_machine.h"

#include "app/options/machine_options.h"
#include "base/clock.h"
#include "base/units.h"
#include "run/privileges.h"

#include <string.h>

bool live_machine_open_root(struct live_machine *live, const struct settings *settings, struct error *err)
{
    live->root.fd = -1;
    return root_open(&live->root, settings_text(settings, &option_root), err);
}

static bool nothing_counts(struct live_machine *live, const struct settings *settings, const struct error *refusal,
                           struct error *err)
{
    const bool expected = refusal->kind == ERROR_ABSENT || refusal->kind == ERROR_DENIED;

    if (!expected || settings_flag(settings, &option_require_measured)) {
        *err = *refusal;
        return false;
    }
    notice_add_refusal(&live->notices, refusal);
    memset(&live->counting, 0, sizeof live->counting);
    live->counting.whole_machine = -1;
    return true;
}

static bool open_meter(struct live_machine *live, const struct settings *settings, struct error *err)
{
    const char *source = settings_text(settings, &option_source);
    struct meter_options options = {
        .only = strcmp(source, "auto") == 0 ? NULL : source,
        .measured_only = settings_flag(settings, &option_require_measured),
        .named = settings->meters,
    };
    struct error refusal = { .kind = ERROR_NONE };
    enum scope scope;

    if (!scope_of(settings_text(settings, &option_scope), &scope))
        return error_set(err, ERROR_USAGE, "unknown scope");
    options.whole_machine = scope == SCOPE_MACHINE;
    if (live->root.live && !privileges_raise(err))
        return false;
    if (!(meter_open(&live->meter, &live->root, &live->machine, &options, &refusal) &&
          scope_count(&live->meter, scope, &live->counting, &live->notices, &refusal)) &&
        !nothing_counts(live, settings, &refusal, err))
        return false;
    for (size_t i = 0; i < live->meter.source_count; i++)
        notices_copy(&live->notices, &live->meter.sources[i].notices);
    return true;
}

bool live_machine_open(struct live_machine *live, const struct settings *settings, struct error *err)
{
    machine_read(&live->machine, &live->root);
    return machine_options_read(settings, &live->root, &live->machine, &live->profile, err) &&
           open_meter(live, settings, err);
}

bool live_machine_begin(struct live_machine *live, const struct settings *settings, struct collector *collector,
                        struct error *err)
{
    const uint64_t now_ns = clock_realtime_ns();
    struct emission_options *options = &live->emissions;

    if (!emission_options_read(settings, now_ns, options, &live->notices, err) ||
        !scope_of(settings_text(settings, &option_scope), &collector->scope))
        return false;
    collector->root = &live->root;
    collector->meter = &live->meter;
    collector->counting = &live->counting;
    collector->notices = &live->notices;
    collector->started_s = collector->begun_s = now_ns / NS_PER_S_INT;
    collector->started_ns = clock_monotonic_ns();
    collector->factor = options->factor;
    collector->pue = options->pue;
    collector->pue_quality = options->pue_quality;
    collector->pue_source = options->supplementary.pue.source;
    return true;
}

void live_machine_close(struct live_machine *live)
{
    meter_close(&live->meter);
    notices_clear(&live->notices);
    if (live->root.fd >= 0)
        root_close(&live->root);
}
