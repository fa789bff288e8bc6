/* SPDX-License-Identifier: MIT
 * The parts of processes, added up by whether they are the job's. */
#include "measurement/gpu_watch.h"

#include "base/process.h"
#include "base/units.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static bool is_known(const struct gpu_watch *watch, pid_t pid)
{
    for (size_t i = 0; i < watch->known_count; i++)
        if (watch->known[i] == pid)
            return true;
    return false;
}

/* Orphans of what carbon started come to carbon. */
static enum target_member member_of(struct gpu_watch *watch, pid_t pid)
{
    enum target_member member;

    if (is_known(watch, pid))
        return TARGET_HAS;
    if (watch->owner.unseen)
        return TARGET_UNSEEN;
    if (watch->owner.target)
        member = target_has(watch->owner.target, pid);
    else
        member = process_descends(pid, getpid()) ? TARGET_HAS : TARGET_NOT;
    if (member == TARGET_HAS && watch->known_count < GPU_MAX_USERS)
        watch->known[watch->known_count++] = pid;
    return member;
}

static bool has_gone(pid_t pid)
{
    struct process process;

    return !process_read(pid, &process);
}

static bool is_concurrent(const struct gpu_watch *watch, pid_t pid)
{
    for (const struct target *const *concurrent = watch->owner.concurrent; concurrent && *concurrent; concurrent++)
        if (target_has(*concurrent, pid) == TARGET_HAS)
            return true;
    return false;
}

static void take_part(struct gpu_watch *watch, struct gpu_card *card, const struct gpu_part *part)
{
    card->used_j += part->energy_j;
    if (is_concurrent(watch, part->pid)) {
        card->concurrent_j += part->energy_j;
        return;
    }
    switch (member_of(watch, part->pid)) {
    case TARGET_HAS: card->own_j += part->energy_j; break;
    case TARGET_NOT: card->lost_j += has_gone(part->pid) ? part->energy_j : 0; break;
    case TARGET_UNSEEN: card->use.reported = GPU_UNSEEN; break;
    }
}

static void take_card(struct gpu_watch *watch, struct gpu_card *card, const struct sample *sample)
{
    const size_t domain = card->use.domain;
    const uint64_t energy_uj = sample->energy_uj[domain] - watch->last.energy_uj[domain];
    struct gpu_parts parts;
    const enum gpu_attribution reported = gpu_split_take(watch->meter, domain, j_from_uj(energy_uj),
                                                         sample->time_ns - watch->last.time_ns, &card->split, &parts);

    if (card->use.reported == GPU_ATTRIBUTED)
        card->use.reported = reported;
    card->of_j += parts.of_j;
    card->over_ns += parts.over_ns;
    for (size_t i = 0; i < parts.count; i++)
        take_part(watch, card, &parts.items[i]);
}

void gpu_watch_take(struct gpu_watch *watch, const struct sample *sample)
{
    for (size_t i = 0; i < watch->count; i++)
        if (watch->cards[i].use.reported == GPU_ATTRIBUTED)
            take_card(watch, &watch->cards[i], sample);
    watch->last = *sample;
    watch->next_ns = watch->count ? sample->time_ns + GPU_SAMPLE_NS : UINT64_MAX;
}

void gpu_watch_open(struct gpu_watch *watch, struct meter *meter, const struct counting *counting,
                    const struct gpu_owner *owner, const struct sample *start)
{
    *watch = (struct gpu_watch){ .meter = meter, .owner = *owner, .last = *start, .next_ns = UINT64_MAX };
    for (size_t i = 0; i < meter->domain_count && watch->count < GPU_USES_MAX; i++)
        if (counting->is_counted[i] && meter->domains[i].domain->component == COMPONENT_GPU)
            watch->cards[watch->count++].use = (struct gpu_use){ .domain = i, .reported = GPU_ATTRIBUTED };
    gpu_watch_take(watch, start);
}

static uint64_t uj_of(const struct gpu_card *card, double energy_j)
{
    const double rest = card->of_j > 0 ? card->split.waiting_j / card->of_j : 0;

    return (uint64_t)llround(energy_j * (1 + rest) * UJ_PER_J);
}

void gpu_watch_close(struct gpu_watch *watch, const struct sample *sample, struct run *run)
{
    gpu_watch_take(watch, sample);
    for (size_t i = 0; i < watch->count; i++) {
        struct gpu_card *card = &watch->cards[i];
        struct gpu_use *use = &run->gpus[run->gpu_count++];
        if (card->use.reported == GPU_ATTRIBUTED && !card->over_ns)
            card->use.reported = GPU_TOO_SHORT;
        if (card->use.reported != GPU_ATTRIBUTED && watch->owner.concurrent)
            card->use.reported = GPU_UNDIVIDED;
        *use = card->use;
        if (use->reported != GPU_ATTRIBUTED)
            continue;
        use->own_uj = uj_of(card, card->own_j);
        use->used_uj = uj_of(card, card->used_j);
        use->lost_uj = uj_of(card, card->lost_j);
        use->concurrent_uj = uj_of(card, card->concurrent_j);
    }
    watch->count = 0;
    watch->next_ns = UINT64_MAX;
}

const struct gpu_use *gpu_use_of(const struct run *run, size_t domain)
{
    for (size_t i = 0; i < run->gpu_count; i++)
        if (run->gpus[i].domain == domain)
            return &run->gpus[i];
    return NULL;
}
