/* SPDX-License-Identifier: MIT
 * One step up a stack that the kernel has copied: from a function to where its call goes on, by the rules that its file
 * states for exceptions and debuggers. Used by sampler.c and unwind_rules.h. Begin with unwind_step().
 *
 * Pure. A rule may be any and the stack hold anything: a step that leads nowhere is none. */
#ifndef PROFILE_UNWIND_H
#define PROFILE_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers by DWARF's numbers. What the kernel copies of them (sample_regs_user), lowest bit first, is what `order`
 * in unwind.c says. */
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
    UNWIND_LOST, /* nobody knows any more; of the return address: nothing has called it */
    UNWIND_SAME,
    UNWIND_IS,     /* base + offset */
    UNWIND_AT,     /* what lies there */
    UNWIND_LINKED, /* base + offset, and 8 more where the procedure linkage table has pushed by then */
};

/* A base that is no register: the canonical frame address (CFA). */
enum { UNWIND_FROM_CFA = 255 };

struct unwind_value {
    uint8_t how, base;
    uint8_t pushed; /* of UNWIND_LINKED: from which byte of 16 on */
    int32_t offset;
};

struct unwind_rule {
    bool known;     /* false: nothing states how */
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
    uint64_t stack_at; /* address of what is copied first */
    bool beyond;       /* a step wanted more than what is copied */
};

/* registers: what the kernel copied, UNWIND_SAMPLED. */
struct unwind_state unwind_begin(const uint64_t *registers, const char *stack, size_t stack_size);

/* False: this function was called by none, or nobody can tell. */
bool unwind_step(struct unwind_state *state, const struct unwind_rule *rule);

/* Likewise where nothing states a rule, as in code of a JIT: by the frame pointer. */
bool unwind_by_frame_pointer(struct unwind_state *state);

#endif
