/* SPDX-License-Identifier: MIT
 * What is told of a job that is profiled. The input begins with what it is: 'r' records of the kernel's rings, one
 * behind the other; 'm' a perf map; 'e' a file of code (ELF, DWARF), which may make its reader fail and no more; 'u' a
 * rule and a stack that it is to lead up. */
#include "fuzz.h"

#include "profile/elf_segments.h"
#include "profile/object_lines.h"
#include "profile/perf_map.h"
#include "profile/sampler.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void take_records(const uint8_t *data, size_t size)
{
    static const double terms[] = { 1 };
    _Alignas(8) char record[65536];
    struct sampler sampler;
    struct error err;

    FUZZ_MUST(sampler_open(&sampler, 1, &err));
    while (size >= sizeof(struct perf_event_header)) {
        struct perf_event_header header;
        struct perf_record reported;
        memcpy(&header, data, sizeof header);
        if (header.size < sizeof header || header.size > size)
            break;
        memcpy(record, data, header.size);
        reported = perf_record_of(record, header.size);
        /* no file or process of this machine is to be opened */
        if (reported.kind == PERF_MAPPED)
            reported.mapping.path = "[vdso]";
        sampler_take(&sampler, &reported);
        data += header.size;
        size -= header.size;
    }
    sampler_interval(&sampler, UINT64_MAX, terms);
    FUZZ_MUST(sampler.tree.cut <= sampler.samples);
    sampler_close(&sampler);
}

static void take_map(const uint8_t *data, size_t size)
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    struct perf_map map;

    FUZZ_MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    FUZZ_MUST(perf_map_read(&map, fd));
    for (size_t i = 0; i < map.count; i++) {
        FUZZ_MUST(map.entries[i].start < map.entries[i].end && map.entries[i].name[0]);
        FUZZ_MUST(i == 0 || map.entries[i - 1].start <= map.entries[i].start);
        (void)perf_map_name(&map, map.entries[i].start);
    }
    perf_map_close(&map);
    close(fd);
}

/* The same file as where callers are looked up: there is an answer for each place. */
static void take_rules(int fd, const uint64_t *places, size_t count)
{
    static struct unwind_rules rules;
    static uint32_t object;
    struct error err;

    if (!rules.cached && !unwind_rules_open(&rules, &err))
        return;
    object = (object + 1) % OBJECTS_MAX;
    if (rules.asked < 0 || object == 0) { /* it failed too often, or knows each of them */
        unwind_rules_close(&rules);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct unwind_rule *rule = unwind_rules_find(&rules, object, fd, places[i]);
        FUZZ_MUST(!rule->known || (rule->back < UNWIND_REGISTERS && rule->cfa.base < UNWIND_REGISTERS));
    }
}

/* In this process, unlike what a library reads of it. */
static void take_segments(int fd, const uint64_t *places, size_t count)
{
    struct elf_segments segments;
    uint64_t address, start;

    if (!elf_segments_read(&segments, fd))
        return;
    FUZZ_MUST(segments.count <= ELF_SEGMENTS_MAX);
    for (size_t i = 0; i < count; i++)
        if (elf_segments_address(&segments, places[i], &address) &&
            elf_segments_function(&segments, fd, address, &start))
            FUZZ_MUST(start <= address);
}

/* A line for each place, of three parts, with nothing in them that ends a line. */
static void take_code(const uint8_t *data, size_t size)
{
    static const uint64_t places[] = { 0, 0x40, 0x1000, 0x1010, UINT64_MAX };
    const size_t count = sizeof places / sizeof places[0];
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    size_t lines = 0, tabs = 0;
    char *text;

    FUZZ_MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    text = object_lines(fd, "object", places, count, false);
    for (const char *c = text; c && *c; c++) {
        lines += *c == '\n';
        tabs += *c == '\t';
        FUZZ_MUST((unsigned char)*c >= ' ' || *c == '\n' || *c == '\t');
    }
    FUZZ_MUST(!text || (lines == count && tabs == 2 * count));
    free(text);
    take_segments(fd, places, count);
    take_rules(fd, places, count);
    close(fd);
}

/* Steps end, and each leads up. */
static void take_stack(const uint8_t *data, size_t size)
{
    uint64_t registers[UNWIND_REGISTERS], before;
    struct unwind_state state;
    struct unwind_rule rule;

    if (size < sizeof registers + sizeof rule)
        return;
    memcpy(registers, data, sizeof registers);
    memcpy(&rule, data + sizeof registers, sizeof rule);
    rule.known = data[0] & 1; /* a bool of any other value is none */
    rule.in_signal = data[0] & 2;
    state = unwind_begin(registers, (const char *)data + sizeof registers + sizeof rule,
                         size - sizeof registers - sizeof rule);
    for (int i = 0; i < 1024; i++) {
        before = state.values[UNWIND_SP];
        if (!(i % 2 ? unwind_by_frame_pointer(&state) : unwind_step(&state, &rule)))
            break;
        FUZZ_MUST(state.values[UNWIND_SP] >= before && state.pc != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] == 'r')
        take_records(data + 1, size - 1);
    else if (size && data[0] == 'm')
        take_map(data + 1, size - 1);
    else if (size && data[0] == 'e')
        take_code(data + 1, size - 1);
    else if (size && data[0] == 'u')
        take_stack(data + 1, size - 1);
    return 0;
}
