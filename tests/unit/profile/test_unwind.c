/* SPDX-License-Identifier: MIT
 * Callers by the rules of files: each kind of rule by hand, and this program's own stack beside what its compiler's
 * library finds. */
#include "../unit.h"

#include "profile/elf_segments.h"
#include "profile/sampler.h"

#include <execinfo.h>
#include <fcntl.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#if UNWIND_SAMPLED
static const uint64_t at = 0x7ffe0000;

/* sp at `at`, the words of the stack as given, and every register its own number. */
static struct unwind_state state_of(const uint64_t *words, size_t count)
{
    uint64_t registers[UNWIND_REGISTERS] = { 0 };
    struct unwind_state state;

    state = unwind_begin(registers, (const char *)words, count * sizeof *words);
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
        state.values[i] = 0x100 + i;
    state.values[UNWIND_SP] = state.stack_at = at;
    state.pc = 0x4005;
    return state;
}

/* CFA = sp + 16, the return address at CFA - 8, nothing else changed. */
static struct unwind_rule simple_rule(void)
{
    struct unwind_rule rule = { .known = true, .back = UNWIND_PC };

    rule.cfa = (struct unwind_value){ UNWIND_IS, UNWIND_SP, 0, 16 };
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
        rule.registers[i].how = UNWIND_SAME;
    rule.registers[UNWIND_PC] = (struct unwind_value){ UNWIND_AT, UNWIND_FROM_CFA, 0, -8 };
    return rule;
}

START_TEST(a_caller_by_an_offset)
{
    static const uint64_t words[] = { 7, 0x5000, 9 };
    struct unwind_state state = state_of(words, 3);
    struct unwind_rule rule = simple_rule();

    rule.registers[3] = (struct unwind_value){ UNWIND_AT, UNWIND_FROM_CFA, 0, -16 };
    rule.registers[4] = (struct unwind_value){ UNWIND_IS, UNWIND_FROM_CFA, 0, 8 };
    rule.registers[5].how = UNWIND_LOST;
    ck_assert(unwind_step(&state, &rule));
    ck_assert_uint_eq(state.pc, 0x5000);
    ck_assert(state.called);
    ck_assert_uint_eq(state.values[UNWIND_SP], at + 16);
    ck_assert_uint_eq(state.values[3], 7);
    ck_assert_uint_eq(state.values[4], at + 24);
    ck_assert_uint_eq(state.values[0], 0x100);
    ck_assert(!(state.known >> 5 & 1) && state.known >> 3 & 1);
    rule.cfa.base = 5; /* nobody knows what it was */
    ck_assert(!unwind_step(&state, &rule));
}
END_TEST

START_TEST(a_caller_by_what_lies_there)
{
    static const uint64_t words[] = { 0x7ffe0018, 0x5000, 9 };
    struct unwind_state state = state_of(words, 3);
    struct unwind_rule rule = simple_rule();

    rule.in_signal = true;
    rule.cfa = (struct unwind_value){ UNWIND_AT, UNWIND_SP, 0, 0 };
    rule.registers[UNWIND_PC].offset = -16;
    ck_assert(unwind_step(&state, &rule));
    ck_assert_uint_eq(state.pc, 0x5000);
    ck_assert_uint_eq(state.values[UNWIND_SP], at + 24);
    ck_assert(!state.called);
}
END_TEST

/* In a procedure linkage table of 16 bytes an entry has pushed something from its 11th byte on. */
START_TEST(a_caller_of_a_linkage_table)
{
    static const uint64_t words[] = { 1, 0x5000, 0x6000 };
    struct unwind_rule rule = simple_rule();

    rule.cfa = (struct unwind_value){ UNWIND_LINKED, UNWIND_SP, 11, 16 };
    for (uint64_t byte = 0; byte < 16; byte++) {
        struct unwind_state state = state_of(words, 3);
        state.pc = 0x4000 + byte;
        ck_assert(unwind_step(&state, &rule));
        ck_assert_uint_eq(state.pc, byte < 11 ? 0x5000 : 0x6000);
    }
}
END_TEST

START_TEST(a_stack_ends)
{
    static const uint64_t words[] = { 7, 0x5000, 9 }, none[] = { 7, 0, 9 };
    struct unwind_state state = state_of(words, 3);
    struct unwind_rule rule = simple_rule();

    rule.registers[UNWIND_PC].how = UNWIND_LOST; /* that of the first function */
    ck_assert(!unwind_step(&state, &rule));
    ck_assert(!state.beyond);
    rule = simple_rule();
    rule.cfa.offset = 0; /* a caller as low as what it called */
    state.called = true;
    ck_assert(!unwind_step(&state, &rule));
    rule.cfa.offset = 800;
    ck_assert(!unwind_step(&state, &rule));
    ck_assert(state.beyond); /* it goes on where nothing was copied */
    rule.cfa.offset = -800;
    state.beyond = false;
    ck_assert(!unwind_step(&state, &rule));
    ck_assert(!state.beyond);
    state = state_of(none, 3);
    rule = simple_rule();
    ck_assert(!unwind_step(&state, &rule));
    rule.known = false;
    ck_assert(!unwind_step(&state, &rule));
}
END_TEST

START_TEST(a_caller_by_the_frame_pointer)
{
    static const uint64_t words[] = { 1, 0x7ffe0020, 0x5000, 3, 0, 0x6000 };
    struct unwind_state state = state_of(words, 6);

    state.values[UNWIND_FP] = at + 8;
    ck_assert(unwind_by_frame_pointer(&state));
    ck_assert_uint_eq(state.pc, 0x5000);
    ck_assert_uint_eq(state.values[UNWIND_SP], at + 24);
    ck_assert(unwind_by_frame_pointer(&state));
    ck_assert_uint_eq(state.pc, 0x6000);
    ck_assert(!unwind_by_frame_pointer(&state));
}
END_TEST

#if defined(__x86_64__)
/* In the order of perf's registers. */
static void registers_of(const ucontext_t *context, uint64_t *registers)
{
    static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP,
                                 REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        registers[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
}

/* A sanitizer lets nobody copy a whole stack, and its own functions are in it. */
#if defined(__SANITIZE_ADDRESS__)
static const bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
static const bool sanitized = true;
#else
static const bool sanitized;
#endif
#else
static const bool sanitized;
#endif

struct own_stack {
    void *found[64];
    int count;
    uint64_t registers[UNWIND_REGISTERS];
    char copy[8192];
};

static int by_nothing(const void *a, const void *b)
{
    struct own_stack *own = *(struct own_stack *const *)a;
    ucontext_t context;

    (void)b;
    if (own->count == 0 && getcontext(&context) == 0) {
        own->count = backtrace(own->found, 64);
        registers_of(&context, own->registers);
        memcpy(own->copy, (const void *)own->registers[7], sizeof own->copy);
    }
    return 0;
}

/* The sampler's stack of a record, and what libgcc finds: from the second frame on they are to be the same. */
START_TEST(this_programs_own_stack)
{
    static struct own_stack own, other;
    struct own_stack *items[] = { &own, &own, &other };
    const struct perf_record record = { .kind = PERF_SAMPLED,
                                        .pid = getpid(),
                                        .tid = getpid(),
                                        .registers = own.registers,
                                        .stack = own.copy,
                                        .stack_size = sizeof own.copy };
    static struct sampler sampler; /* not on the stack, of which little is copied */
    struct error err;
    uint32_t node;

    if (sanitized) {
        unit_skip("a sanitizer holds the stack");
        return;
    }
    ck_assert(sampler_open(&sampler, 1, &err));
    if (!sampler_unwind(&sampler, &err)) {
        unit_skip("%s: %s", err.what, err.why);
        sampler_close(&sampler);
        return;
    }
    qsort(items, 2, sizeof *items, by_nothing);
    ck_assert_int_gt(own.count, 4);
    processes_find(&sampler.processes, getpid());
    sampler_take(&sampler, &record);
    ck_assert_uint_eq(sampler.pending_count, 1);
    node = sampler.tree.nodes[sampler.pending[0]].parent;
    for (int i = 1; i < own.count; i++) {
        const struct call_node *got = &sampler.tree.nodes[node];
        const struct place wanted =
            processes_place(&sampler.processes, getpid(), (uint64_t)(uintptr_t)own.found[i] - 1);
        ck_assert_uint_ne(got->parent, CALL_TREE_ROOT);
        ck_assert_uint_eq(got->object, wanted.object);
        ck_assert_uint_eq(got->address, wanted.at);
        node = got->parent;
    }
    ck_assert_uint_eq(sampler.tree.nodes[node].parent, CALL_TREE_ROOT);
    ck_assert_uint_eq(sampler.short_stacks, 0);
    sampler_close(&sampler);
}
END_TEST
#endif
#endif

static int file_of(const void *bytes, size_t size)
{
    const int fd = memfd_create("test", MFD_CLOEXEC);

    ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
    return fd;
}

/* Two functions of this program: each begins where it does. */
START_TEST(where_a_function_begins)
{
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct processes processes;
    struct elf_segments segments;
    struct error err;
    uint64_t address, start;
    struct place place;

    ck_assert(processes_open(&processes, &err));
    processes_find(&processes, getpid());
    place = processes_place(&processes, getpid(), (uint64_t)(uintptr_t)file_of);
    ck_assert(elf_segments_read(&segments, fd));
    ck_assert(elf_segments_address(&segments, place.at, &address));
    ck_assert(elf_segments_function(&segments, fd, address, &start));
    ck_assert_uint_eq(start, address);
    ck_assert(elf_segments_function(&segments, fd, address + 3, &start));
    ck_assert_uint_eq(start, address);
    ck_assert(!elf_segments_address(&segments, UINT64_MAX, &address));
    ck_assert(!elf_segments_function(&segments, fd, 0, &start));
    processes_close(&processes);
    close(fd);
}
END_TEST

START_TEST(a_file_that_is_no_code)
{
    static const char text[200] = "\177ELF\2\1 and nothing more";
    const int fd = file_of(text, sizeof text);
    struct elf_segments segments;
    uint64_t address = 0;

    ck_assert(!elf_segments_read(&segments, fd));
    ck_assert(!elf_segments_address(&segments, 0, &address));
    ck_assert(!elf_segments_function(&segments, fd, 0x1000, &address));
    close(fd);
}
END_TEST

#if defined(__x86_64__)
UNIT_SUITE("unwind", a_caller_by_an_offset, a_caller_by_what_lies_there, a_caller_of_a_linkage_table, a_stack_ends,
           a_caller_by_the_frame_pointer, this_programs_own_stack, where_a_function_begins, a_file_that_is_no_code)
#elif UNWIND_SAMPLED
UNIT_SUITE("unwind", a_caller_by_an_offset, a_caller_by_what_lies_there, a_caller_of_a_linkage_table, a_stack_ends,
           a_caller_by_the_frame_pointer, where_a_function_begins, a_file_that_is_no_code)
#else
UNIT_SUITE("unwind", where_a_function_begins, a_file_that_is_no_code)
#endif
