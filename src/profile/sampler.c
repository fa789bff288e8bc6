/* SPDX-License-Identifier: MIT
 * Samples of an interval, and their energy at its end. */
#include "profile/sampler.h"

#include "base/array.h"

#include <stdlib.h>

/* The kernel's own limit of a stack (kernel.perf_event_max_stack) may be set higher. */
enum { FRAMES_MAX = 1024 };

bool sampler_open(struct sampler *sampler, size_t terms, struct error *err)
{
    *sampler = (struct sampler){ .opened = true, .phase_count = 1 };
    sampler->total = calloc(terms, sizeof *sampler->total);
    sampler->unseen = calloc(terms, sizeof *sampler->unseen);
    if (!sampler->total || !sampler->unseen)
        return error_errno(err, "no memory for a profile");
    if (!processes_open(&sampler->processes, err) || !call_tree_open(&sampler->tree, terms, CALL_TREE_BYTES_MAX, err))
        return false;
    call_tree_child(&sampler->tree, CALL_TREE_ROOT, 0, 0); /* of threads for which there is no room */
    return true;
}

void sampler_close(struct sampler *sampler)
{
    if (!sampler->opened)
        return;
    unwind_rules_close(&sampler->rules);
    rings_close(&sampler->rings);
    processes_close(&sampler->processes);
    call_tree_close(&sampler->tree);
    free(sampler->pending);
    free(sampler->total);
    free(sampler->unseen);
    *sampler = (struct sampler){ .opened = false };
}

bool sampler_unwind(struct sampler *sampler, struct error *err)
{
    return unwind_rules_open(&sampler->rules, err);
}

bool sampler_follow(struct sampler *sampler, const struct rings_options *options, struct error *err)
{
    return rings_open(&sampler->rings, options, err);
}

/* Later mappings are reported; earlier ones are looked up. */
void sampler_begin(struct sampler *sampler, const pid_t *pids, size_t count)
{
    rings_begin(&sampler->rings);
    for (size_t i = 0; i < count; i++)
        processes_find(&sampler->processes, pids[i]);
}

struct frame {
    struct place place;
    bool in_kernel;
};

/* A frame is where its call goes on: the call itself lies before that, perhaps in another function. */
static struct frame frame_of(struct sampler *sampler, pid_t pid, uint64_t address, bool in_kernel, bool called)
{
    struct frame frame = { { OBJECT_OF_KERNEL, address - called }, in_kernel };

    if (in_kernel)
        return frame;
    frame.place = processes_place(&sampler->processes, pid, address - called);
    objects_sampled(&sampler->processes.objects, frame.place.object, pid);
    return frame;
}

static const struct unwind_rule *rule_at(struct sampler *sampler, const struct place *place)
{
    static const struct unwind_rule none = { .known = false };
    const struct object *object = &sampler->processes.objects.items[place->object];

    if (object->fd < 0 || (object->kind != OBJECT_FILE && object->kind != OBJECT_VDSO))
        return &none;
    return unwind_rules_find(&sampler->rules, place->object, object->fd, place->at);
}

/* The user's frames of a stack that was copied. */
static size_t unwind(struct sampler *sampler, const struct perf_record *record, struct frame *frames, size_t max)
{
    struct unwind_state state = unwind_begin(record->registers, record->stack, record->stack_size);
    size_t count = 0;

    while (count < max) {
        const struct frame frame = frame_of(sampler, record->pid, state.pc, false, state.called);
        const struct unwind_rule *rule = rule_at(sampler, &frame.place);
        frames[count++] = frame;
        if (rule->known ? !unwind_step(&state, rule) : !unwind_by_frame_pointer(&state))
            break;
    }
    sampler->short_stacks += state.beyond;
    return count;
}

/* Innermost first. */
static size_t frames_of(struct sampler *sampler, const struct perf_record *record, struct frame *frames)
{
    bool in_kernel = record->in_kernel, first_of_user = true;
    size_t count = 0;

    for (size_t i = 0; i < record->from_count && count < FRAMES_MAX; i++) {
        const uint64_t address = record->from[i];
        if (perf_frame_is_mark(address)) {
            in_kernel = address == PERF_FRAME_KERNEL;
            first_of_user = true; /* where it was interrupted, no call */
            continue;
        }
        frames[count++] = frame_of(sampler, record->pid, address, in_kernel, !first_of_user);
        first_of_user = false;
    }
    if (record->registers && sampler->rules.cached)
        count += unwind(sampler, record, frames + count, FRAMES_MAX - count);
    if (count == 0)
        frames[count++] = frame_of(sampler, record->pid, record->ip, record->in_kernel, false);
    return count;
}

static bool note(struct sampler *sampler, uint32_t node)
{
    sampler->pending =
        array_room(sampler->pending, &sampler->pending_size, sampler->pending_count + 1, sizeof *sampler->pending);
    if (sampler->pending_count == sampler->pending_size)
        return false;
    sampler->pending[sampler->pending_count++] = node;
    return true;
}

static void take_sample(struct sampler *sampler, const struct perf_record *record)
{
    struct frame frames[FRAMES_MAX];
    const size_t count = frames_of(sampler, record, frames);
    const uint32_t thread = processes_thread(&sampler->processes, record->pid, record->tid, record->time_ns);
    uint32_t root = call_tree_child(&sampler->tree, CALL_TREE_ROOT, sampler->phase, thread), node;

    if (root == UINT32_MAX)
        root = 0;
    node = root;
    for (size_t i = count; i > 0 && node != UINT32_MAX; i--)
        node = call_tree_child(&sampler->tree, node, frames[i - 1].place.object, frames[i - 1].place.at);
    if (node == UINT32_MAX) {
        sampler->tree.cut++;
        node = root;
    }
    if (!note(sampler, node)) {
        sampler->lost_records++;
        return;
    }
    sampler->samples++;
    sampler->kernel_samples += record->in_kernel;
}

void sampler_take(void *context, const struct perf_record *record)
{
    struct sampler *sampler = context;

    if (record->kind == PERF_SAMPLED)
        take_sample(sampler, record);
    else if (record->kind == PERF_LOST_SOME)
        sampler->lost_records += record->lost;
    else
        processes_take(&sampler->processes, record);
}

void sampler_interval(struct sampler *sampler, uint64_t until_ns, const double *terms)
{
    struct call_tree *tree = &sampler->tree;

    rings_take(&sampler->rings, until_ns, sampler_take, sampler);
    sampler->intervals++;
    for (size_t k = 0; k < tree->terms; k++)
        sampler->total[k] += terms[k];
    if (sampler->pending_count == 0) {
        sampler->unseen_intervals++;
        for (size_t k = 0; k < tree->terms; k++)
            sampler->unseen[k] += terms[k];
    }
    for (size_t i = 0; i < sampler->pending_count; i++) {
        double *given = call_tree_given(tree, sampler->pending[i]);
        tree->nodes[sampler->pending[i]].samples++;
        for (size_t k = 0; k < tree->terms; k++)
            given[k] += terms[k] / (double)sampler->pending_count;
    }
    sampler->pending_count = 0;
}

void sampler_phase(struct sampler *sampler, uint32_t phase)
{
    sampler->phase = phase;
    if (phase >= sampler->phase_count)
        sampler->phase_count = phase + 1;
}

void sampler_end(struct sampler *sampler)
{
    const uint64_t lost = rings_lost(&sampler->rings);

    if (lost > sampler->lost_records)
        sampler->lost_records = lost;
}
