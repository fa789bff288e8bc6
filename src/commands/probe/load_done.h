/* SPDX-License-Identifier: MIT
 * The kinds of loads, and the result of a load: also as a line from the process that ran it to its parent. Used by
 * load.h and load_worker.h. Begin with load_kind_of(). */
#ifndef COMMANDS_PROBE_LOAD_DONE_H
#define COMMANDS_PROBE_LOAD_DONE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { LOAD_LINE_SIZE = 1024 };

enum load_kind {
    LOAD_IDLE,       /* sleeps */
    LOAD_CPU,        /* integers and floating point, in registers */
    LOAD_MEMORY,     /* streams over buffers that are larger than the caches */
    LOAD_DISK_WRITE, /* writes a file in the folder repeatedly, bypassing the page cache */
    LOAD_DISK_READ,  /* writes a file once, and reads it in the same way */
    LOAD_MIXED,      /* half of the threads as LOAD_CPU, half as LOAD_MEMORY, and one more as LOAD_DISK_WRITE */
    LOAD_KINDS,      /* none */
};

/* "idle", "cpu", "memory", "disk-write", "disk-read", "mixed". */
const char *load_kind_name(enum load_kind kind);
enum load_kind load_kind_of(const char *name);

struct load_done {
    double seconds;      /* seconds of work */
    unsigned threads;    /* threads that worked */
    uint64_t iterations; /* rounds of the cpu load: 8 multiplications, 8 additions and 4 integer steps each */
    uint64_t memory_bytes, streamed_bytes; /* total size of the buffers; bytes read from and written to them */
    uint64_t written_bytes, read_bytes;    /* of the file; disk-read writes it once to have one */
    bool disk_reached;                     /* the data was written to the device and read from it */
    char note[160];                        /* a remark: why the disk was not reached; or "" */
};

/* The result as one line without its end, "load=cpu seconds=5.001 ...", and back. False: not such a line. */
void load_done_text(enum load_kind kind, const struct load_done *done, char line[LOAD_LINE_SIZE]);
bool load_done_of_text(const char *line, enum load_kind *kind, struct load_done *done) MUST_CHECK;

/* The same for the reason of a failure, "failed=cpu<tab>what<tab>why<tab>fix". */
void load_failed_text(enum load_kind kind, const struct error *error, char line[LOAD_LINE_SIZE]);
bool load_failed_of_text(const char *line, enum load_kind *kind, struct error *error) MUST_CHECK;

#endif
