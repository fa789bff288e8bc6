/* SPDX-License-Identifier: MIT
 * Two drafts: the one whose state is being written, and the one that waits for it. */
#include "commands/serve/teller.h"

#include "base/clock.h"
#include "commands/serve/metrics.h"
#include "commands/serve/state.h"
#include "commands/serve/state_file.h"

#include <stdlib.h>

/* So often without a failure, and it is believed. */
enum { STORED_AGAIN = 10 };

static void draft_close(struct draft *draft)
{
    for (size_t i = 0; i < METRIC_FORMATS; i++)
        metric_text_close(&draft->texts[i]);
    metric_text_close(&draft->otlp);
    free(draft->state);
    *draft = (struct draft){ .full = false };
}

static bool write_texts(const struct collector *collector, struct metric_text texts[METRIC_FORMATS], struct error *err)
{
    bool good = true;

    for (size_t i = 0; i < METRIC_FORMATS; i++)
        good = metrics_write(collector, (enum metric_format)i, &texts[i], good ? err : NULL) && good;
    return good;
}

/* One that is put off by a slow disk is not made up for. */
static bool push_is_due(struct teller *teller)
{
    const uint64_t now_ns = clock_monotonic_ns();

    if (!teller->push || now_ns < teller->next_push_ns)
        return false;
    teller->next_push_ns = now_ns + teller->push_interval_ns;
    return true;
}

/* What was collected last, in place of what the draft was. */
static bool draft_write(struct teller *teller, struct draft *draft, struct error *err)
{
    const bool pushed = draft->pushed || push_is_due(teller);

    draft_close(draft);
    draft->full = true;
    draft->pushed = pushed;
    if (!write_texts(teller->collector, draft->texts, err) ||
        (pushed && !metrics_write(teller->collector, METRIC_OTLP, &draft->otlp, err)))
        return false;
    draft->state = teller->state_path ? state_text(teller->collector, err) : NULL;
    return !teller->state_path || draft->state;
}

static bool draft_publish(const struct teller *teller, struct draft *draft, struct error *err)
{
    const bool good = teller->publish(teller->context, draft->texts, err);

    if (draft->pushed)
        teller->push(teller->context, draft->otlp.points.text.data);
    draft_close(draft);
    return good;
}

static void give(struct teller *teller)
{
    teller->under_way = teller->next;
    teller->next = (struct draft){ .full = false };
    state_writer_give(teller->writer, teller->under_way.state);
    teller->under_way.state = NULL;
}

bool teller_open(struct teller *teller, struct error *err)
{
    struct draft first = { .full = false };
    bool good = draft_write(teller, &first, err);

    if (good && teller->state_path) {
        good = state_file_write(teller->state_path, first.state, err);
        teller->writer = good ? state_writer_open(teller->state_path, err) : NULL;
        good = teller->writer != NULL;
    }
    good = good && draft_publish(teller, &first, err);
    draft_close(&first);
    return good;
}

bool teller_collected(struct teller *teller, struct error *err)
{
    if (!draft_write(teller, &teller->next, err))
        return false;
    if (!teller->state_path)
        return draft_publish(teller, &teller->next, err);
    if (!teller->under_way.full)
        give(teller);
    return true;
}

int teller_fd(const struct teller *teller)
{
    return teller->writer ? state_writer_fd(teller->writer) : -1;
}

/* Told once, and in the metrics as long as it lasts: on a full disk one may be kept in the room that another gave up.
 */
static void take_outcome(struct teller *teller, const struct state_result *result)
{
    const bool again = teller->collector->unkept && teller->problem.outcome == result->outcome;
    struct error news;

    if (result->outcome != STATE_STORED) {
        teller->problem = *result;
        error_notice(&teller->problem.problem, NOTICE_FAILED);
        teller->collector->unkept = &teller->problem.problem;
        teller->unchanged_in_a_row = 0;
        if (!again)
            teller->tell(teller->context, &result->problem);
    } else if (teller->collector->unkept && ++teller->unchanged_in_a_row == STORED_AGAIN) {
        teller->collector->unkept = NULL;
        error_set(&news, ERROR_NONE, "the state is kept again");
        teller->tell(teller->context, &news);
    }
}

/* All that is no total, as it is now. */
static bool withhold(struct teller *teller, struct error *err)
{
    struct draft rest = { .full = true };
    bool good;

    teller->collector->withheld = true;
    good = write_texts(teller->collector, rest.texts, err) && teller->publish(teller->context, rest.texts, err);
    teller->collector->withheld = false;
    draft_close(&rest);
    return good;
}

bool teller_run(struct teller *teller, struct error *err)
{
    struct state_result result;
    bool good;

    if (!teller->writer || !state_writer_take(teller->writer, &result))
        return true;
    take_outcome(teller, &result);
    good = result.outcome == STATE_STUCK ? withhold(teller, err) : draft_publish(teller, &teller->under_way, err);
    draft_close(&teller->under_way);
    if (good && teller->next.full)
        give(teller);
    return good;
}

static bool push_last(const struct teller *teller, struct error *err)
{
    struct metric_text last;
    bool good;

    if (!teller->push)
        return true;
    good = metrics_write(teller->collector, METRIC_OTLP, &last, err);
    if (good)
        teller->push(teller->context, last.points.text.data);
    metric_text_close(&last);
    return good;
}

bool teller_end(struct teller *teller, struct error *err)
{
    char *state;
    bool good;

    if (!teller->state_path)
        return push_last(teller, err);
    state_writer_close(teller->writer);
    teller->writer = NULL;
    state = state_text(teller->collector, err);
    good = state && state_file_finish(teller->state_path, state, err);
    free(state);
    return good && push_last(teller, err);
}

void teller_close(struct teller *teller)
{
    state_writer_close(teller->writer);
    teller->writer = NULL;
    draft_close(&teller->under_way);
    draft_close(&teller->next);
}
