/* SPDX-License-Identifier: MIT
 * One step up a stack that the kernel has copied: from a function to its caller, by the rules that its file states for
 * exceptions and debuggers. Used by sampler.c and unwind_rules.h. Begin with unwind_step().
 *
 * Pure. A rule may be any and the stack hold anything: a step that leads nowhere is none. */
#ifndef PROFILE_UNWIND_H
#define PROFILE_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers by DWARF's numbers. The kernel copies those of UNWIND_SAMPLED (sample_regs_user), the lowest bit first;
 * their DWARF numbers in that order are in unwind.c. */
#if defined(__x86_64__)
enum { UNWIND_REGISTERS = 17, UNWIND_SP = 7, UNWIND_FP = 6, UNWIND_PC = 16 };
#define UNWIND_SAMPLED UINT64_C(0xff01ff)
#elif defined(__aarch64__)
enum { UNWIND_REGISTERS = 33, UNWIND_SP = 31, UNWIND_FP = 29, UNWIND_PC = 32 };
#define UNWIND_SAMPLED UINT64_C(0x1ffffffff)
#else /* stacks are found by frame pointers alone */
enum { UNWIND_REGISTERS = 1, UNWIND_SP = 0, UNWIND_FP = 0, UNWIND_PC = 0 };
#define UNWIND_SAMPLED UINT64_C(0)
#endif

enum unwind_how {
    UNWIND_LOST, /* unknown; for the return address: the function has no caller */
    UNWIND_SAME,
    UNWIND_IS,     /* base + offset */
    UNWIND_AT,     /* the word at base + offset */
    UNWIND_LINKED, /* base + offset, and 8 more where the procedure linkage table has pushed by then */
};

/* The base is the canonical frame address (CFA), not a register. */
enum { UNWIND_FROM_CFA = 255 };

struct unwind_value {
    uint8_t how, base;
    uint8_t pushed; /* for UNWIND_LINKED: from which byte of 16 on */
    int32_t offset;
};

struct unwind_rule {
    bool known;     /* false: the file has no rule there */
    bool in_signal; /* the caller was interrupted, and called nothing */
    uint8_t back;   /* the register that has the return address */
    struct unwind_value cfa, registers[UNWIND_REGISTERS];
};

struct unwind_state {
    uint64_t values[UNWIND_REGISTERS];
    uint64_t known; /* a bit for each register */
    uint64_t pc;
    bool called; /* pc is where a call goes on */
    const char *stack;
    size_t stack_size;
    uint64_t stack_at; /* address of the first byte that is copied */
    bool beyond;       /* a step needed a word above the copy */
};

/* registers: as the kernel copied them, UNWIND_SAMPLED. */
struct unwind_state unwind_begin(const uint64_t *registers, const char *stack, size_t stack_size);

/* False: this function has no caller, or it is unknown. */
bool unwind_step(struct unwind_state *state, const struct unwind_rule *rule);

/* The same by the frame pointer: for code without rules, as a JIT writes it. */
bool unwind_by_frame_pointer(struct unwind_state *state);

#endif
