/* SPDX-License-Identifier: MIT
 * One window while it is open. */
#include "measurement/watcher.h"

#include "base/clock.h"
#include "base/units.h"

#include <stdio.h>

/* A kill loses no more of the partial record. */

/* A stride is so many times as long as it takes to look at it. */
#define STRIDE_PER_COST 50

/* No busy machine wakes anybody so late. */
#define STOPPED_NS NS_PER_S_INT

static uint64_t after(uint64_t from_ns, uint64_t every_ns)
{
    return every_ns ? from_ns + every_ns : UINT64_MAX;
}

/* Settling and resting are no windows of the result. */
static bool is_shown(const struct watcher *watcher)
{
    return watcher->place.phase != PHASE_SETTLE && watcher->place.phase != PHASE_COOLDOWN;
}

/* False: nothing runs that could be looked at. */
static bool look(const struct watcher *watcher, struct target_now *used)
{
    if (!watcher->target && !watcher->usage)
        return false;
    *used = (struct target_now){ .time_ns = clock_monotonic_ns() };
    if (watcher->target)
        target_now(watcher->target, used);
    if (watcher->usage) {
        (void)usage_cpu_so_far(watcher->usage, &used->cpu_ns);
        (void)usage_cpu_stall_so_far(watcher->usage, &used->cpu_stall_ns);
    }
    return true;
}

/* What a sample is for, added up. */
enum purpose { WITHIN = 0, AT_EDGE = 1, SHOWN = 2 };

static void take_sample(struct watcher *watcher, struct sample *sample, int purpose)
{
    const struct workload_watch *watch = watcher->watch;
    struct target_now used;
    bool looked;

    if (purpose & AT_EDGE)
        meter_sample_at_edge(watcher->meter, sample);
    else
        meter_sample(watcher->meter, sample);
    if (!(purpose & SHOWN) || !is_shown(watcher) || !watch->on_sample)
        return;
    looked = watch->looks && look(watcher, &used);
    watch->on_sample(watch->context, &watcher->place, sample, looked ? &used : NULL);
}

void watcher_tell_progress(const struct watcher *watcher)
{
    if (watcher->watch->on_progress)
        watcher->watch->on_progress(watcher->watch->context, &watcher->place, watcher->so_far);
}

static void write_line(const struct watcher *watcher, const char *word)
{
    struct pollfd to = { .fd = watcher->ready_fd, .events = POLLOUT };

    if (watcher->ready_fd && poll(&to, 1, 0) == 1 && to.revents & POLLOUT)
        dprintf(watcher->ready_fd, "%s\n", word);
}

void watcher_tell_begun(struct watcher *watcher)
{
    if (!watcher->begun_written)
        write_line(watcher, workload_phase_name(watcher->place.phase));
    watcher->begun_written = true;
}

void watcher_tell_end(const struct watcher *watcher)
{
    write_line(watcher, "end");
}

/* CPU time of the run's job so far: of what is watched beside a command, that; of the command, its group's or its
 * processes', which are followed from when it is asked for first. */
static struct target_now used_so_far(struct watcher *watcher)
{
    struct target_now now = { .time_ns = clock_monotonic_ns() };

    if (!watcher->owner.target && watcher->usage && usage_cpu_so_far(watcher->usage, &now.cpu_ns))
        return now;
    if (watcher->unfollowed && target_open_pid_since_start(watcher->unfollowed, watcher->unfollowed_pid, NULL))
        watcher->target = watcher->unfollowed;
    watcher->unfollowed = NULL;
    if (watcher->target)
        target_now(watcher->target, &now);
    now.cpu_ns.known &= now.cpu_ns.value >= watcher->used_before_ns;
    now.cpu_ns.value = now.cpu_ns.known ? now.cpu_ns.value - watcher->used_before_ns : 0;
    return now;
}

/* Marks that are read together have come together, as far as anybody can tell: they share one sample. */
struct reading_of_marks {
    struct watcher *watcher;
    bool sampled;
};

static void on_mark(void *context, enum mark_origin origin, const char *name)
{
    struct reading_of_marks *reading = context;
    struct watcher *watcher = reading->watcher;

    if (!reading->sampled) {
        struct target_now used;
        take_sample(watcher, &watcher->last, AT_EDGE);
        used = used_so_far(watcher);
        phase_book_used(watcher->book, &used.cpu_ns);
    }
    reading->sampled = true;
    phase_book_mark(watcher->book, origin, name, &watcher->last);
}

static void take_marks(struct watcher *watcher)
{
    struct reading_of_marks reading = { .watcher = watcher };

    marks_take(watcher->marks, &(struct mark_listener){ .context = &reading, .on_mark = on_mark });
    if (reading.sampled && watcher->watch->on_mark)
        watcher->watch->on_mark(watcher->watch->context, watcher->book->current, &watcher->last);
}

static void finish_marks(struct watcher *watcher)
{
    struct reading_of_marks reading = { .watcher = watcher, .sampled = true };

    marks_finish(watcher->marks, watcher->signals, &(struct mark_listener){ .context = &reading, .on_mark = on_mark });
    phase_book_close(watcher->book, &watcher->last);
}

/* Of everybody; NULL: not known. */
static const struct stride_counts *counts_so_far(const struct watcher *watcher, struct stride_counts *counts)
{
    uint64_t values[HARDWARE_EVENTS];

    if (!machine_counter_read(&watcher->counter, values))
        return NULL;
    *counts = (struct stride_counts){ values[HARDWARE_CYCLES], values[HARDWARE_INSTRUCTIONS], values[HARDWARE_MISSES] };
    return counts;
}

void watcher_open(struct watcher *watcher, struct window *window)
{
    struct stride_counts counts;
    uint64_t start_ns;

    *window = (struct window){ .start_ns = 0 };
    watcher->window = window;
    watcher->unseen_ns = 0;
    busy_open(&watcher->busy, watcher->meter);
    watcher->realtime_ns = clock_realtime_ns();
    watcher->poll_ns = meter_poll_ns(watcher->meter);
    watcher->keep_alive_ns = meter_look_ns(watcher->meter);
    take_sample(watcher, &watcher->start, AT_EDGE | SHOWN);
    watcher->last = watcher->part = watcher->start;
    if (watcher->marks)
        phase_book_open(watcher->book, &watcher->start);
    if (watcher->slices)
        slicer_open(&watcher->slicer, watcher->meter, watcher->slice_ns, &watcher->start, watcher->realtime_ns,
                    watcher->slices);
    strider_open(&watcher->strider, watcher->start.time_ns, is_shown(watcher), counts_so_far(watcher, &counts));
    watcher->gpus.next_ns = UINT64_MAX;
    if (watcher->run)
        gpu_watch_open(&watcher->gpus, watcher->meter, watcher->so_far->counting, &watcher->owner, &watcher->start);
    start_ns = watcher->start.time_ns;
    watcher->next_keep_alive_ns = start_ns + watcher->keep_alive_ns;
    watcher->next_progress_ns = start_ns + watcher->progress_ns;
    watcher->next_sample_ns = is_shown(watcher) ? after(start_ns, watcher->interval_ns) : UINT64_MAX;
    watcher->next_poll_ns = after(start_ns, watcher->poll_ns);
    if (!watcher->next_tick_ns) /* goes on from window to window */
        watcher->next_tick_ns = after(start_ns, watcher->watch->tick_ns);
}

/* The window up to the last sample taken; may be called again as it grows. */
static void update_window(struct watcher *watcher)
{
    struct window *window = watcher->window;
    const struct window so_far = window_between(&watcher->start, &watcher->last);

    for (size_t i = 0; i < ENERGY_MAX_DOMAINS; i++) {
        window->energy_uj[i] = so_far.energy_uj[i];
        window->known[i] = so_far.known[i];
        window->unknown_ns[i] = so_far.unknown_ns[i];
        window->hole[i] = so_far.hole[i];
    }
    if (watcher->slices)
        slicer_update(&watcher->slicer, &watcher->last);
    window->start_ns = so_far.start_ns;
    window->duration_ns = so_far.duration_ns;
    window->suspended_ns = so_far.suspended_ns;
    window->span_ns = so_far.span_ns;
    window->realtime_ns = watcher->realtime_ns;
    busy_read(&watcher->busy, watcher->meter, window);
}

struct watcher_asked {
    struct target_now job;
    struct stride_counts counts;
};

/* Up to the last sample. Beside a baseline there is no job. What an engine said before that is too old. */
static struct stride_usage usage_so_far(struct watcher *watcher, struct watcher_asked *asked)
{
    asked->job = (struct target_now){ .time_ns = watcher->last.time_ns, .cpu_ns.known = true };
    if (watcher->place.phase != PHASE_BASELINE)
        asked->job = used_so_far(watcher);
    return (struct stride_usage){
        .job_ns =
            asked->job.cpu_ns.known && asked->job.time_ns >= watcher->last.time_ns ? &asked->job.cpu_ns.value : NULL,
        .job_cpu_roundings = asked->job.cpu_roundings,
        .counts = counts_so_far(watcher, &asked->counts),
    };
}

/* Where that takes long, as of a thousand processes, it is done more seldom. */
static void take_stride(struct watcher *watcher)
{
    struct strider *strider = &watcher->strider;
    const uint64_t begun_ns = clock_monotonic_ns();
    struct watcher_asked asked;
    uint64_t rested_ns;

    take_sample(watcher, &watcher->last, WITHIN);
    update_window(watcher);
    strider_take(strider, watcher->window, usage_so_far(watcher, &asked));
    rested_ns = begun_ns + (clock_monotonic_ns() - begun_ns) * STRIDE_PER_COST;
    if (strider->next_ns < rested_ns)
        strider->next_ns = rested_ns;
    if (!strider->concurrent || watcher->counter_tried || !watcher->meter->root->live)
        return;
    watcher->counter_tried = true;
    (void)machine_counter_open(&watcher->counter, hardware_events);
}

void watcher_close(struct watcher *watcher)
{
    struct watcher_asked asked;

    take_sample(watcher, &watcher->last, AT_EDGE | SHOWN);
    update_window(watcher);
    if (watcher->strider.open)
        strider_close(&watcher->strider, watcher->window, usage_so_far(watcher, &asked));
    if (watcher->run)
        gpu_watch_close(&watcher->gpus, &watcher->last, watcher->run);
    watcher->run = NULL;
    if (watcher->marks)
        finish_marks(watcher);
}

/* The sample is a little older than the clock is now. */
static void cut_slice(struct watcher *watcher)
{
    take_sample(watcher, &watcher->last, WITHIN);
    slicer_cut(&watcher->slicer, &watcher->last, clock_realtime_ns() - (clock_monotonic_ns() - watcher->last.time_ns));
}

/* A counter may have given way to a sensor meanwhile. */
static void poll_from_now(struct watcher *watcher)
{
    if (watcher->poll_ns)
        return;
    watcher->poll_ns = meter_poll_ns(watcher->meter);
    watcher->next_poll_ns = after(watcher->last.time_ns, watcher->poll_ns);
}

static void run_due_tasks(struct watcher *watcher)
{
    const uint64_t now_ns = clock_monotonic_ns();
    const uint64_t interval_ns = watcher->interval_ns;

    if (now_ns >= watcher->next_sample_ns) {
        take_sample(watcher, &watcher->last, SHOWN);
        watcher->next_keep_alive_ns = watcher->last.time_ns + watcher->keep_alive_ns;
        /* a late wake-up drops samples; it does not bunch them */
        watcher->next_sample_ns += interval_ns * ((now_ns - watcher->next_sample_ns) / interval_ns + 1);
    }
    if (watcher->slices && slicer_is_due(&watcher->slicer, now_ns, clock_realtime_ns()))
        cut_slice(watcher);
    if (now_ns >= watcher->next_keep_alive_ns) {
        take_sample(watcher, &watcher->last, WITHIN);
        watcher->next_keep_alive_ns = watcher->last.time_ns + watcher->keep_alive_ns;
        poll_from_now(watcher);
    }
    if (now_ns >= watcher->strider.next_ns)
        take_stride(watcher);
    if (now_ns >= watcher->gpus.next_ns) {
        take_sample(watcher, &watcher->last, WITHIN);
        gpu_watch_take(&watcher->gpus, &watcher->last);
    }
    if (now_ns >= watcher->next_progress_ns) {
        update_window(watcher);
        if (watcher->run && watcher->usage)
            watcher->run->usage.cpu_ns = used_so_far(watcher).cpu_ns;
        watcher_tell_progress(watcher);
        watcher->next_progress_ns = now_ns + watcher->progress_ns;
    }
    if (now_ns >= watcher->next_poll_ns) {
        meter_poll(watcher->meter);
        watcher->next_poll_ns = clock_monotonic_ns() + watcher->poll_ns;
    }
    if (now_ns >= watcher->next_tick_ns) {
        if (watcher->watch->on_tick)
            watcher->watch->on_tick(watcher->watch->context, &watcher->place);
        watcher->next_tick_ns = now_ns + watcher->watch->tick_ns;
    }
    if (watcher->usage)
        usage_poll(watcher->usage, now_ns);
    if (watcher->target)
        target_poll(watcher->target, now_ns);
}

static uint64_t next_due_ns(const struct watcher *watcher)
{
    uint64_t due_ns = clock_earlier_ns(clock_earlier_ns(watcher->next_sample_ns, watcher->next_tick_ns),
                                       clock_earlier_ns(watcher->next_poll_ns, watcher->next_keep_alive_ns));

    due_ns = clock_earlier_ns(due_ns, clock_earlier_ns(watcher->next_progress_ns, watcher->gpus.next_ns));
    due_ns = clock_earlier_ns(due_ns, watcher->strider.next_ns);
    if (watcher->slices)
        due_ns = clock_earlier_ns(due_ns, watcher->slicer.next_ns);
    if (watcher->usage)
        due_ns = clock_earlier_ns(due_ns, usage_next_ns(watcher->usage));
    return watcher->target ? clock_earlier_ns(due_ns, target_next_ns(watcher->target)) : due_ns;
}

/* carbon was to run again at due_ns, and does so now only: what has happened since it waited may have done so then. */
static uint64_t unseen_ns(uint64_t waited_ns, uint64_t due_ns)
{
    const uint64_t now_ns = clock_monotonic_ns();

    return now_ns > due_ns && now_ns - due_ns > STOPPED_NS ? now_ns - waited_ns : 0;
}

enum job_event watcher_wait(struct watcher *watcher, struct job *job, uint64_t until_ns)
{
    for (;;) {
        const uint64_t waited_ns = clock_monotonic_ns(), due_ns = clock_earlier_ns(until_ns, next_due_ns(watcher));
        const enum job_event event = job_wait(job, due_ns);

        if (event == JOB_ENDED) {
            watcher->unseen_ns = unseen_ns(waited_ns, due_ns);
            return event;
        }
        if (event == JOB_READY && watcher->marks)
            take_marks(watcher);
        run_due_tasks(watcher);
        if (event == JOB_READY && !watcher->marks)
            return event;
        if (event == JOB_INTERRUPTED || clock_monotonic_ns() >= until_ns || (watcher->stop && *watcher->stop))
            return event;
    }
}

/* Notes the power since the last part, so that the window's own spread is known. */
static void note_part(struct watcher *watcher)
{
    const struct window part = window_between(&watcher->part, &watcher->last);
    struct window *window = watcher->window;

    window->parts_w[window->part_count++] = window_counted_w(watcher->so_far, &part);
    watcher->part = watcher->last;
}

bool watcher_idle(struct watcher *watcher, struct window *window, uint64_t duration_ns)
{
    struct job nobody = { .pid = 0, .gate = -1, .failed = -1, .signals = watcher->signals };

    watcher_open(watcher, window);
    watcher_tell_begun(watcher);
    for (uint64_t part = 1; part <= BASELINE_PARTS; part++) {
        const uint64_t until_ns = watcher->start.time_ns + duration_ns * part / BASELINE_PARTS;

        while (!watcher->signals->interrupted && clock_monotonic_ns() < until_ns)
            watcher_wait(watcher, &nobody, until_ns);
        if (watcher->signals->interrupted || part == BASELINE_PARTS)
            break;
        take_sample(watcher, &watcher->last, WITHIN);
        note_part(watcher);
    }
    watcher_close(watcher);
    if (window->part_count == BASELINE_PARTS - 1)
        note_part(watcher);
    return !watcher->signals->interrupted;
}
