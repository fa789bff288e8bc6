/* SPDX-License-Identifier: MIT
 * One thread of a load. Used throughout commands/probe. Begin with load_cpu(). */
#ifndef COMMANDS_PROBE_LOAD_WORKER_H
#define COMMANDS_PROBE_LOAD_WORKER_H

#include "commands/probe/load_done.h"

#include <pthread.h>
#include <stdatomic.h>

/* The file of a disk load, already unlinked. */
struct load_file {
    int fd; /* -1: none */
    bool direct, reached;
};

struct load_worker {
    pthread_t thread;
    bool (*work)(struct load_worker *worker); /* false: err is filled */
    const atomic_bool *stop;
    int failed_fd;         /* an eventfd that is written to on a failure */
    uint64_t memory_bytes; /* of the memory load: this worker's part */
    const struct load_file *file;
    struct load_done done; /* what this worker did */
    bool failed;
    struct error err;
};

/* Called about every millisecond. */
static inline bool load_goes_on(const struct load_worker *worker)
{
    return !atomic_load_explicit(worker->stop, memory_order_relaxed);
}

bool load_cpu(struct load_worker *worker);
bool load_memory(struct load_worker *worker);
bool load_disk_write(struct load_worker *worker);
bool load_disk_read(struct load_worker *worker);

/* Bytes for the buffers of all threads: four times the last-level caches, but at most a quarter of the available
 * memory. False: that is smaller than the caches. */
bool load_memory_size(uint64_t *bytes, struct error *err) MUST_CHECK;

/* Creates the file; note gets a remark about it. */
bool load_file_open(struct load_file *file, enum load_kind kind, const char *folder, char *note, size_t size,
                    struct error *err) MUST_CHECK;

#endif
