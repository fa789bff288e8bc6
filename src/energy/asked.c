/* SPDX-License-Identifier: MIT
 * From answers to readings. */
#include "energy/asked.h"

#include "base/clock.h"
#include "base/units.h"

#include <errno.h>

static void read_answer(struct asked *asked, const struct poller_answer *answer, struct reading *reading)
{
    const uint64_t holds_ns = ASKED_CADENCES * poller_cadence_ns(&asked->question, answer->took_ns);

    asked->error = answer->error;
    if (answer->error) {
        asked->gauge.running = false;
        return;
    }
    asked->answered_ns = answer->time_ns;
    asked->holds_ns = holds_ns > asked->patience_ns ? holds_ns : asked->patience_ns;
    if (asked->counts) {
        asked->reported_uj = (uint64_t)(answer->value * asked->micro);
        return;
    }
    if (!asked->gauge.running)
        asked->gauge.energy_uj = (double)asked->reported_uj; /* what was reported provisionally stays reported */
    gauge_add(&asked->gauge, answer->time_ns, answer->value * asked->micro, reading);
}

bool asked_start(struct asked *asked, struct error *err)
{
    asked->gauge = GAUGE_NONE;
    return poller_start(&asked->poller, &asked->question, err);
}

struct poller_answer asked_first(struct asked *asked, uint64_t until_ns)
{
    struct reading ignored = { .error = 0 };
    struct poller_answer answer;
    const int got = poller_take(&asked->poller, until_ns, &answer);

    if (got)
        answer = (struct poller_answer){ .error = got == EAGAIN ? ETIMEDOUT : got };
    read_answer(asked, &answer, &ignored);
    return answer;
}

/* The power of the last answer, up to now. */
static void read_power(struct asked *asked, uint64_t now_ns, struct reading *reading)
{
    const struct gauge *gauge = &asked->gauge;
    const double energy_uj = gauge->energy_uj + gauge->last_uw * s_from_ns(now_ns - gauge->last_ns);

    if (energy_uj > (double)asked->reported_uj)
        asked->reported_uj = (uint64_t)energy_uj;
    reading->constant_power = !gauge->moved;
    reading->has_power = true;
    reading->power_uw = gauge->last_uw;
}

void asked_read(struct asked *asked, struct reading *reading)
{
    struct poller_answer answer;
    uint64_t now_ns;
    int got;

    while ((got = poller_take(&asked->poller, 0, &answer)) == 0)
        read_answer(asked, &answer, reading);
    if (got != EAGAIN)
        asked->error = got;
    now_ns = clock_monotonic_ns();
    if (!asked->error && now_ns - asked->answered_ns > asked->holds_ns) {
        asked->error = ETIMEDOUT;
        asked->gauge.running = false;
    }
    reading->error = asked->error;
    if (asked->error)
        return;
    if (!asked->counts)
        read_power(asked, now_ns, reading);
    reading->energy_uj = asked->reported_uj;
}

void asked_stop(struct asked *asked)
{
    poller_stop(&asked->poller);
}
