/* SPDX-License-Identifier: MIT
 * Counters that do anything: a step, a domain's total over many readings, and the energy of a load. */
#include "fuzz.h"

#include "base/units.h"
#include "energy/load_energy.h"
#include "energy/power_bounds.h"
#include "meter/meter.h"

#include <errno.h>
#include <math.h>

/* Two values in any relation, from few bytes. */
static uint64_t next_value(struct input *input, uint64_t before, uint64_t wraps_at)
{
    const unsigned how = (unsigned)input_number(input, 1);

    switch (how % 5) {
    case 0: return input_number(input, 8);
    case 1: return before + input_number(input, 4);
    case 2: return before - input_number(input, 4);
    case 3: return wraps_at ? (before + input_number(input, 5)) % wraps_at : before;
    default: return wraps_at - input_number(input, 2);
    }
}

static void check_step(const struct counter_step *step, const struct domain *counter, uint64_t before, uint64_t after,
                       uint64_t elapsed_ns)
{
    const uint64_t wraps_at = counter->wraps_at_uj, update_ns = counter->update_ns ? counter->update_ns : 1000000;

    FUZZ_MUST((step->kind == STEP_FORWARD) == (after >= before));
    FUZZ_MUST(!step->ambiguous || wraps_at);
    switch (step->kind) {
    case STEP_FORWARD: FUZZ_MUST(step->uj == after - before); break;
    case STEP_WRAP:
        FUZZ_MUST(before < wraps_at && step->uj == wraps_at - before + after);
        FUZZ_MUST((double)step->uj <= bounds_max_w(counter) * ((double)elapsed_ns + (double)update_ns) / 1e3);
        break;
    case STEP_JITTER:
    case STEP_RESET: FUZZ_MUST(step->uj == 0); break;
    }
}

static void try_domain(struct input *input)
{
    const struct domain domain = { .name = "package-0",
                                   .wraps_at_uj = input_number(input, 8),
                                   .update_ns = input_number(input, 1) << 20,
                                   .poll_ns = input_number(input, 4) };
    struct meter_domain state = { .domain = &domain };
    uint64_t now_ns = input_number(input, 4), value = 0;

    while (input_left(input) > 2) {
        const unsigned how = (unsigned)input_number(input, 1);
        const bool suspended = how & 1;
        const uint64_t before = state.last_raw_uj, total_uj = state.total_uj, elapsed_ns = input_number(input, 5);
        const uint64_t lost_ns = state.lost_ns;
        struct reading reading = { .error = how & 2 && how & 4 ? EIO : 0, .restarted = how & 8 && how & 16 };

        value = reading.energy_uj = next_value(input, value, domain.wraps_at_uj);
        if (state.started) {
            const uint64_t since_ns = now_ns + elapsed_ns - state.last_time_ns;
            const struct counter_step step = counter_step(&domain, before, value, since_ns);
            check_step(&step, &domain, before, value, since_ns);
        }
        now_ns += elapsed_ns;
        meter_domain_take(&state, &reading, now_ns, suspended);
        FUZZ_MUST(state.total_uj >= total_uj);
        FUZZ_MUST(!(reading.error || reading.restarted || suspended) || state.total_uj == total_uj);
        FUZZ_MUST(state.lost_ns >= lost_ns && state.lost_ns <= now_ns && state.unwatched_ns <= now_ns);
        FUZZ_MUST(state.moved == (state.total_uj > 0));
    }
}

/* A curve with a gap here and there, under ticks that may also go back. */
static void try_load(struct input *input)
{
    struct power_curve curve = { .a = NAN, .b = NAN, .c = NAN, .d = NAN };
    struct load_energy energy = { .curve = &curve, .factor = 1 + (double)input_number(input, 1) };
    struct ticks now = { 0, 0 };
    uint64_t now_ns = 0, before_uj = 0, energy_uj = 0;
    bool some = false;

    for (int i = 0; i < CURVE_POINTS; i++) {
        const double power_w = (double)input_number(input, 1);
        curve.at_w[i] = power_w > 250 ? NAN : power_w;
        some = some || power_w <= 250;
    }
    if (!some)
        return;
    for (int i = 0; i <= 10; i++)
        FUZZ_MUST(curve_w(&curve, i / 10.0) >= 0);
    while (input_left(input) > 2) {
        const unsigned how = (unsigned)input_number(input, 1);

        now_ns += input_number(input, 5);
        now.busy += how & 1 ? -input_number(input, 2) : input_number(input, 2);
        now.all += how & 2 ? -input_number(input, 2) : input_number(input, 3);
        const int error = load_energy_at(&energy, now_ns, now, &energy_uj);
        FUZZ_MUST(error == 0 || error == ENODATA);
        FUZZ_MUST(energy_uj >= before_uj);
        before_uj = energy_uj;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };

    if (input_number(&input, 1) & 1)
        try_load(&input);
    else
        try_domain(&input);
    return 0;
}
