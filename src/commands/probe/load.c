/* SPDX-License-Identifier: MIT
 * Starts the threads of a load, waits, and has them stop. */
#include "commands/probe/load.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/probe/load_worker.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

/* How many threads do what. */
struct plan {
    unsigned cpu, memory, disk;
};

static struct plan plan_of(const struct load_options *options)
{
    const unsigned threads = options->threads;

    switch (options->kind) {
    case LOAD_CPU: return (struct plan){ .cpu = threads };
    case LOAD_MEMORY: return (struct plan){ .memory = threads };
    case LOAD_DISK_WRITE:
    case LOAD_DISK_READ: return (struct plan){ .disk = 1 };
    case LOAD_MIXED: return (struct plan){ .cpu = threads - threads / 2, .memory = threads / 2, .disk = 1 };
    case LOAD_IDLE:
    case LOAD_KINDS: break;
    }
    return (struct plan){ .cpu = 0 };
}

static void *run_worker(void *with)
{
    struct load_worker *worker = with;
    const uint64_t one = 1;

    worker->failed = !worker->work(worker);
    if (worker->failed)
        IGNORED(write(worker->failed_fd, &one, sizeof one), "the failure is read when it ends");
    return NULL;
}

/* Until the time has come, or a worker has failed. */
static void wait_until(uint64_t end_ns, int failed_fd)
{
    struct pollfd failed = { .fd = failed_fd, .events = POLLIN };
    uint64_t now_ns;

    while ((now_ns = clock_monotonic_ns()) < end_ns) {
        const uint64_t left_ns = end_ns - now_ns;
        const struct timespec left = { .tv_sec = (time_t)(left_ns / NS_PER_S_INT),
                                       .tv_nsec = (long)(left_ns % NS_PER_S_INT) };

        if (ppoll(&failed, 1, &left, NULL) > 0)
            return;
    }
}

static void add(struct load_done *sum, const struct load_done *part)
{
    sum->iterations += part->iterations;
    sum->memory_bytes += part->memory_bytes;
    sum->streamed_bytes += part->streamed_bytes;
    sum->written_bytes += part->written_bytes;
    sum->read_bytes += part->read_bytes;
    if (!sum->note[0])
        text_copy(sum->note, sizeof sum->note, part->note);
}

/* Joins all that were started. False: one of them failed. */
static bool join(struct load_worker *workers, unsigned count, struct load_done *done, struct error *err)
{
    bool all_done = true;

    for (unsigned i = 0; i < count; i++) {
        pthread_join(workers[i].thread, NULL);
        add(done, &workers[i].done);
        if (workers[i].failed && all_done && err)
            *err = workers[i].err;
        all_done = all_done && !workers[i].failed;
    }
    return all_done;
}

static bool run_workers(struct load_worker *workers, unsigned count, atomic_bool *stop, double seconds,
                        struct load_done *done, struct error *err)
{
    const uint64_t start_ns = clock_monotonic_ns();
    AUTO_CLOSE int failed_fd = eventfd(0, EFD_CLOEXEC);
    unsigned started = 0;
    int number = 0;
    bool all_done;

    if (failed_fd < 0)
        return error_errno(err, "cannot start the load");
    for (; started < count && number == 0; started += number == 0) {
        workers[started].stop = stop;
        workers[started].failed_fd = failed_fd;
        number = pthread_create(&workers[started].thread, NULL, run_worker, &workers[started]);
    }
    if (number == 0)
        wait_until(start_ns + (uint64_t)(seconds * NS_PER_S), failed_fd);
    atomic_store(stop, true);
    all_done = join(workers, started, done, err);
    done->seconds = s_from_ns(clock_monotonic_ns() - start_ns);
    done->threads = started;
    errno = number;
    return number == 0 ? all_done : error_errno(err, "cannot start thread %u of the load", started + 1);
}

bool load_run(const struct load_options *options, struct load_done *done, struct error *err)
{
    const struct plan plan = plan_of(options);
    const unsigned count = plan.cpu + plan.memory + plan.disk;
    AUTO_FREE struct load_worker *workers = calloc(count + 1, sizeof *workers);
    struct load_file file = { .fd = -1 };
    uint64_t memory_bytes = 0;
    atomic_bool stop = false;
    bool all_done;

    *done = (struct load_done){ .seconds = NAN };
    if (!workers)
        return error_errno(err, "cannot start the load");
    if (plan.memory && !load_memory_size(&memory_bytes, err))
        return false;
    if (plan.disk && !load_file_open(&file, options->kind, options->folder, done->note, sizeof done->note, err))
        return false;
    for (unsigned i = 0; i < count; i++) {
        workers[i].file = &file;
        if (i < plan.cpu) {
            workers[i].work = load_cpu;
        } else if (i < plan.cpu + plan.memory) {
            workers[i].work = load_memory;
            workers[i].memory_bytes = memory_bytes / plan.memory;
        } else {
            workers[i].work = options->kind == LOAD_DISK_READ ? load_disk_read : load_disk_write;
        }
    }
    all_done = run_workers(workers, count, &stop, options->seconds, done, err);
    done->disk_reached = file.reached;
    if (file.fd >= 0)
        close(file.fd);
    return all_done;
}
