/* SPDX-License-Identifier: MIT
 * Records as perf_event_open(2) describes them. */
#include "profile/perf_record.h"

#include "profile/unwind.h"

#include <linux/perf_event.h>
#include <string.h>

/* sample_id of PERF_RECORD_FIELDS: process and thread, time, CPU. */
enum { ID_SIZE = 24 };

struct perf_record_reading {
    const char *at, *end;
};

static bool read_bytes(struct perf_record_reading *reading, void *out, size_t size)
{
    if ((size_t)(reading->end - reading->at) < size)
        return false;
    memcpy(out, reading->at, size);
    reading->at += size;
    return true;
}

static bool skip_bytes(struct perf_record_reading *reading, uint64_t size)
{
    if ((uint64_t)(reading->end - reading->at) < size)
        return false;
    reading->at += size;
    return true;
}

/* A text that ends before the record does. */
static bool take_text(struct perf_record_reading *reading, const char **text)
{
    *text = reading->at;
    return memchr(reading->at, '\0', (size_t)(reading->end - reading->at)) != NULL;
}

static bool take_id(struct perf_record_reading *reading, struct perf_record *record)
{
    uint32_t ids[2], cpu[2];

    if (!read_bytes(reading, ids, sizeof ids) || !read_bytes(reading, &record->time_ns, sizeof record->time_ns) ||
        !read_bytes(reading, cpu, sizeof cpu))
        return false;
    record->pid = (pid_t)ids[0];
    record->tid = (pid_t)ids[1];
    return true;
}

/* Registers and stack of a sample, if present: the copied bytes, and the size of the stack's part. */
static bool take_stack(struct perf_record_reading *reading, struct perf_record *record)
{
    uint64_t kind, size, used;
    const void *registers;
    const char *stack;

    if (!read_bytes(reading, &kind, sizeof kind))
        return false;
    registers = reading->at;
    if (kind != PERF_SAMPLE_REGS_ABI_NONE && !skip_bytes(reading, UNWIND_REGISTERS * sizeof(uint64_t)))
        return false;
    if (!read_bytes(reading, &size, sizeof size) || size == 0)
        return true;
    stack = reading->at;
    if (!skip_bytes(reading, size) || !read_bytes(reading, &used, sizeof used) || used > size)
        return false;
    if (kind != PERF_SAMPLE_REGS_ABI_64 || UNWIND_REGISTERS == 1)
        return true;
    record->registers = registers;
    record->stack = stack;
    record->stack_size = (size_t)used;
    return true;
}

static bool take_sample(struct perf_record_reading *reading, struct perf_record *record)
{
    uint64_t count;

    if (!read_bytes(reading, &record->ip, sizeof record->ip) || !take_id(reading, record) ||
        !read_bytes(reading, &count, sizeof count) || count > (size_t)(reading->end - reading->at) / sizeof count)
        return false;
    record->from = (const void *)reading->at;
    record->from_count = (size_t)count;
    reading->at += count * sizeof count;
    return reading->at == reading->end || take_stack(reading, record);
}

static bool take_mapping(struct perf_record_reading *reading, struct perf_record *record)
{
    struct perf_mapping *mapping = &record->mapping;
    uint32_t ids[2], device[2], protection[2];
    uint64_t generation;

    if (!read_bytes(reading, ids, sizeof ids) || !read_bytes(reading, &mapping->start, sizeof mapping->start) ||
        !read_bytes(reading, &mapping->length, sizeof mapping->length) ||
        !read_bytes(reading, &mapping->offset, sizeof mapping->offset) || !read_bytes(reading, device, sizeof device) ||
        !read_bytes(reading, &mapping->inode, sizeof mapping->inode) ||
        !read_bytes(reading, &generation, sizeof generation) || !read_bytes(reading, protection, sizeof protection) ||
        !take_text(reading, &mapping->path))
        return false;
    record->pid = (pid_t)ids[0];
    record->tid = (pid_t)ids[1];
    mapping->device = (uint64_t)device[0] << 32 | device[1];
    return mapping->length > 0 && mapping->start + mapping->length > mapping->start;
}

static bool take_name(struct perf_record_reading *reading, struct perf_record *record)
{
    uint32_t ids[2];

    if (!read_bytes(reading, ids, sizeof ids) || !take_text(reading, &record->name))
        return false;
    record->pid = (pid_t)ids[0];
    record->tid = (pid_t)ids[1];
    return true;
}

/* Reads a fork or an exit. */
static bool take_task(struct perf_record_reading *reading, struct perf_record *record)
{
    uint32_t ids[4];

    if (!read_bytes(reading, ids, sizeof ids))
        return false;
    record->pid = (pid_t)ids[0];
    record->parent_pid = (pid_t)ids[1];
    record->tid = (pid_t)ids[2];
    return true;
}

static bool take_lost(struct perf_record_reading *reading, struct perf_record *record)
{
    uint64_t id;

    return read_bytes(reading, &id, sizeof id) && read_bytes(reading, &record->lost, sizeof record->lost);
}

struct perf_record perf_record_of(const void *bytes, size_t size)
{
    const struct perf_record other = { .kind = PERF_OTHER };
    struct perf_record record = other, id = other;
    struct perf_event_header header;
    struct perf_record_reading body = { (const char *)bytes + sizeof header, (const char *)bytes + size };
    struct perf_record_reading ending;
    bool good = false;

    if (size < sizeof header)
        return other;
    memcpy(&header, bytes, sizeof header);
    if (header.type == PERF_RECORD_SAMPLE) {
        record.kind = take_sample(&body, &record) ? PERF_SAMPLED : PERF_OTHER;
        record.in_kernel = (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
        return record.kind == PERF_SAMPLED ? record : other;
    }
    if (size < sizeof header + ID_SIZE)
        return other;
    body.end -= ID_SIZE;
    ending = (struct perf_record_reading){ body.end, body.end + ID_SIZE };
    if (!take_id(&ending, &id))
        return other;
    switch (header.type) {
    case PERF_RECORD_MMAP2:
        record.kind = PERF_MAPPED;
        good = take_mapping(&body, &record);
        break;
    case PERF_RECORD_COMM:
        record.kind = header.misc & PERF_RECORD_MISC_COMM_EXEC ? PERF_EXECUTED : PERF_NAMED;
        good = take_name(&body, &record);
        break;
    case PERF_RECORD_FORK:
        record.kind = PERF_FORKED;
        good = take_task(&body, &record);
        break;
    case PERF_RECORD_EXIT:
        record.kind = PERF_ENDED;
        good = take_task(&body, &record);
        break;
    case PERF_RECORD_LOST:
        record.kind = PERF_LOST_SOME;
        good = take_lost(&body, &record);
        break;
    default: break;
    }
    if (!good)
        record = other;
    record.time_ns = id.time_ns;
    return record;
}
