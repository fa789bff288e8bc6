/* SPDX-License-Identifier: MIT
 * Registers of the caller from those of the called. */
#include "profile/unwind.h"

#include <string.h>

#if defined(__x86_64__)
/* ax bx cx dx si di bp sp ip r8 to r15 */
static const uint8_t order[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 8, 9, 10, 11, 12, 13, 14, 15 };
#define PC_BITS UINT64_MAX
#elif defined(__aarch64__)
static const uint8_t order[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };
#define PC_BITS UINT64_C(0xffffffffffff) /* the others may be a signature */
#else
static const uint8_t order[] = { 0 };
#define PC_BITS UINT64_MAX
#endif

struct unwind_state unwind_begin(const uint64_t *registers, const char *stack, size_t stack_size)
{
    struct unwind_state state = { .stack = stack, .stack_size = stack_size };

    for (size_t i = 0; i < UNWIND_REGISTERS; i++)
        state.values[order[i]] = registers[i];
    state.known = (UINT64_C(1) << UNWIND_REGISTERS) - 1;
    state.pc = state.values[UNWIND_PC];
    state.stack_at = state.values[UNWIND_SP];
    return state;
}

static bool read_stack(struct unwind_state *state, uint64_t address, uint64_t *value)
{
    const uint64_t offset = address - state->stack_at;

    if (offset > state->stack_size || state->stack_size - offset < sizeof *value) {
        state->beyond |= address >= state->stack_at;
        return false;
    }
    memcpy(value, state->stack + offset, sizeof *value);
    return true;
}

static bool find_base(const struct unwind_state *state, unsigned number, uint64_t cfa, uint64_t *base)
{
    if (number == UNWIND_FROM_CFA) {
        *base = cfa;
        return true;
    }
    if (number >= UNWIND_REGISTERS || !(state->known >> number & 1))
        return false;
    *base = state->values[number];
    return true;
}

static bool find_value(struct unwind_state *state, const struct unwind_value *of, unsigned number, uint64_t cfa,
                       uint64_t *value)
{
    const bool same = of->how == UNWIND_SAME;
    uint64_t base;

    if (of->how == UNWIND_LOST || !find_base(state, same ? number : of->base, cfa, &base))
        return false;
    *value = base + (uint64_t)(int64_t)(same ? 0 : of->offset);
    if (of->how == UNWIND_LINKED && (state->pc & 15) >= of->pushed)
        *value += 8;
    return of->how != UNWIND_AT || read_stack(state, *value, value);
}

/* A stack grows down: a caller's frame has a higher address, unless the callee was interrupted before it had one. Data
 * on another stack (that of a signal) is not copied. */
static bool go_up(struct unwind_state *state, const struct unwind_state *above, uint64_t sp, uint64_t pc)
{
    if (sp < state->values[UNWIND_SP] || (sp == state->values[UNWIND_SP] && state->called) || (pc & PC_BITS) == 0)
        return false;
    *state = *above;
    state->values[UNWIND_SP] = sp;
    state->known |= UINT64_C(1) << UNWIND_SP;
    state->known &= ~(UINT64_C(1) << UNWIND_PC);
    state->pc = pc & PC_BITS;
    return true;
}

bool unwind_step(struct unwind_state *state, const struct unwind_rule *rule)
{
    struct unwind_state above = *state;
    uint64_t cfa, pc, sp;

    if (!rule->known || rule->cfa.base == UNWIND_FROM_CFA || rule->back >= UNWIND_REGISTERS ||
        !find_value(state, &rule->cfa, UNWIND_SP, 0, &cfa) ||
        !find_value(state, &rule->registers[rule->back], rule->back, cfa, &pc))
        return false;
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++) {
        above.known &= ~(UINT64_C(1) << i);
        if (find_value(state, &rule->registers[i], i, cfa, &above.values[i]))
            above.known |= UINT64_C(1) << i;
    }
    above.called = !rule->in_signal;
    sp = above.known >> UNWIND_SP & 1 && rule->registers[UNWIND_SP].how != UNWIND_SAME ? above.values[UNWIND_SP] : cfa;
    return go_up(state, &above, sp, pc);
}

bool unwind_by_frame_pointer(struct unwind_state *state)
{
    struct unwind_state above = *state;
    const uint64_t frame = state->values[UNWIND_FP];
    uint64_t pc;

    if (!(state->known >> UNWIND_FP & 1) || frame < state->values[UNWIND_SP] ||
        !read_stack(state, frame, &above.values[UNWIND_FP]) || !read_stack(state, frame + 8, &pc))
        return false;
    above.known = UINT64_C(1) << UNWIND_FP;
    above.called = true;
    return go_up(state, &above, frame + 16, pc);
}
