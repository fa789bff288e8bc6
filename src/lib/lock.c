/* SPDX-License-Identifier: MIT
 * One meter for many threads, and for the children of their process.
 *
 * Within a process a mutex orders the threads. A fork copies it as it is: where another thread held it, nobody in the
 * child will ever give it back, and the reading that this thread was taking is cut in two. So a child has to find out
 * that it is one before it touches the mutex, at every reading; asking getpid would be a system call for each.
 *
 * How it finds out: `owner` says which process the mutex is good for. It stands alone on a page that the kernel fills
 * with zeroes in every child (MADV_WIPEONFORK), so that it is OPENED_HERE in the process that has the mutex, and 0 in a
 * child that has not made it its own yet. A kernel before Linux 4.14 has no such pages: there `owner` is a process id,
 * a child finds its parent's, and each reading does ask getpid. `self` is the right value of the two.
 *
 * Who makes it the child's own: a child begins with one thread, and may have several by its first reading. The one that
 * exchanges the old owner for -self, which only one can, does it, and then writes self; the others see -self and wait
 * for that. It is a few microseconds, once in a child's life, so that they may as well yield. The value is -self and
 * no fixed number, since a fork may fall into just that time: then the child finds what its parent wrote, -id of
 * another process (or a wiped 0), which is not its own -self, and begins anew instead of waiting for a thread that it
 * does not have.
 *
 * `busy` is set while a reading is taken, and by who adopts: a child that finds it set has a torn one, and its domains
 * start anew. */
#include "lib/meter_parts.h"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096, OPENED_HERE = 1 };

bool meter_lock_open(carbon_meter *meter, struct error *err)
{
    void *page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    pthread_mutex_init(&meter->mutex, NULL);
    if (page == MAP_FAILED)
        return error_errno(err, "cannot open a meter");
    meter->owner = page;
    meter->wiped = madvise(page, PAGE_BYTES, MADV_WIPEONFORK) == 0;
    atomic_store(meter->owner, meter->wiped ? OPENED_HERE : getpid());
    return true;
}

/* In a child that was forked. */
static void adopt(carbon_meter *meter, pid_t self)
{
    pid_t owner = atomic_load(meter->owner);

    while (owner != self) {
        if (owner == -self) {
            sched_yield();
            owner = atomic_load(meter->owner);
        } else if (atomic_compare_exchange_weak(meter->owner, &owner, -self)) {
            const bool torn = atomic_exchange(&meter->busy, true); /* so is this, for a child of this child */
            pthread_mutex_init(&meter->mutex, NULL);
            meter_forked(&meter->meter, torn);
            taken_forked(meter, torn);
            meter->keeper_runs = false;
            meter->forked = true;
            meter->process = (uint32_t)getpid();
            atomic_store(&meter->busy, false);
            atomic_store(meter->owner, self);
            return;
        }
    }
}

void meter_lock(carbon_meter *meter)
{
    const pid_t self = meter->wiped ? OPENED_HERE : getpid();

    if (atomic_load(meter->owner) != self)
        adopt(meter, self);
    pthread_mutex_lock(&meter->mutex);
}

void meter_unlock(carbon_meter *meter)
{
    pthread_mutex_unlock(&meter->mutex);
}

void meter_lock_close(carbon_meter *meter)
{
    pthread_mutex_destroy(&meter->mutex);
    munmap(meter->owner, PAGE_BYTES);
}

/* Of domains that are not known at one time the time counts once. */
static void note_holes(carbon_meter *meter, const struct sample *sample)
{
    uint64_t max_ns = 0;

    for (size_t i = 0; i < meter->counted_count; i++) {
        const struct stretch stretch = stretch_between(&meter->last, sample, meter->counted[i].domain);
        if (stretch.unknown_ns <= max_ns)
            continue;
        max_ns = stretch.unknown_ns;
        meter->unknown.hole = stretch.hole;
    }
    meter->unknown.ns += max_ns;
    meter->last = *sample;
}

void take_sample(carbon_meter *meter, struct sample *sample)
{
    atomic_store(&meter->busy, true);
    meter_sample(&meter->meter, sample);
    note_holes(meter, sample);
    verdict_take(meter, sample);
    load_take(meter, sample);
    taken_add(meter, sample);
    atomic_store(&meter->busy, false);
}
