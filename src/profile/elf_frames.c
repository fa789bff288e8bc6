/* SPDX-License-Identifier: MIT
 * libdw by dlopen, for frames; elf_symbols.c has it for names. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "profile/elf_frames.h"

#if defined(HAVE_ELFUTILS_LIBDWFL_H) && (defined(__x86_64__) || defined(__aarch64__))
#include "profile/elf_segments.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#define LIBDW_FRAME_FUNCTIONS(FUNCTION)                                                                                \
    FUNCTION(version, elf_version)                                                                                     \
    FUNCTION(begin, elf_begin)                                                                                         \
    FUNCTION(begin_debug, dwarf_begin_elf)                                                                             \
    FUNCTION(for_exceptions, dwarf_getcfi_elf)                                                                         \
    FUNCTION(for_debuggers, dwarf_getcfi)                                                                              \
    FUNCTION(frame_at, dwarf_cfi_addrframe)                                                                            \
    FUNCTION(frame_info, dwarf_frame_info)                                                                             \
    FUNCTION(frame_cfa, dwarf_frame_cfa)                                                                               \
    FUNCTION(frame_register, dwarf_frame_register)

struct libdw_frames {
    LIBDW_FRAME_FUNCTIONS(LIBRARY_MEMBER)
};

struct elf_frames {
    struct libdw_frames dw;
    struct elf_segments segments;
    Dwarf_CFI *exceptions, *debuggers; /* NULL: none */
};

static enum library_state libdw_frames_open(struct libdw_frames *library)
{
    static const char *const files[] = { "libdw.so.1", NULL };
    const struct library_function functions[] = { LIBDW_FRAME_FUNCTIONS(LIBRARY_WANTED) };

    return library_open(files, functions, sizeof functions / sizeof functions[0]);
}

enum library_state elf_frames_library(void)
{
    struct libdw_frames dw;

    return libdw_frames_open(&dw);
}

struct elf_frames *elf_frames_open(int fd)
{
    struct elf_frames *frames = calloc(1, sizeof *frames);
    Dwarf *debug;
    Elf *elf;

    if (!frames || libdw_frames_open(&frames->dw) != LIBRARY_READY) {
        free(frames);
        return NULL;
    }
    frames->dw.version(EV_CURRENT);
    elf = elf_segments_read(&frames->segments, fd) ? frames->dw.begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    if (!elf)
        return frames;
    frames->exceptions = frames->dw.for_exceptions(elf);
    debug = frames->dw.begin_debug(elf, DWARF_C_READ, NULL);
    frames->debuggers = debug ? frames->dw.for_debuggers(debug) : NULL;
    return frames;
}

static bool fits(int64_t offset)
{
    return offset >= INT32_MIN && offset <= INT32_MAX;
}

/* The register and the offset in the operations of "register + offset"; their length, 0: others. */
static size_t take_base(const Dwarf_Op *ops, size_t count, struct unwind_value *value)
{
    uint64_t number;
    int64_t offset;
    size_t used = 1;

    if (count == 0)
        return 0;
    if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
        number = ops[0].atom - DW_OP_breg0;
        offset = (int64_t)ops[0].number;
    } else if (ops[0].atom == DW_OP_bregx) {
        number = ops[0].number;
        offset = (int64_t)ops[0].number2;
    } else if (ops[0].atom == DW_OP_call_frame_cfa) {
        number = UNWIND_FROM_CFA;
        offset = 0;
    } else {
        return 0;
    }
    if (used < count && ops[used].atom == DW_OP_plus_uconst && fits(offset) && fits((int64_t)ops[used].number))
        offset += (int64_t)ops[used++].number; /* libdw says less than 0 so, too */
    if ((number >= UNWIND_REGISTERS && number != UNWIND_FROM_CFA) || !fits(offset))
        return 0;
    value->base = (uint8_t)number;
    value->offset = (int32_t)offset;
    return used;
}

/* What linkers state for a procedure linkage table: sp + 8 + (((pc & 15) >= n) << 3). */
static bool is_linked(const Dwarf_Op *ops, size_t count, struct unwind_value *value)
{
    static const int wanted[] = { -1, DW_OP_lit15, DW_OP_and, -1, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus };
    const size_t length = sizeof wanted / sizeof wanted[0];

    if (count != length || ops[0].atom != DW_OP_breg0 + UNWIND_PC % 32 || ops[0].number != 0 ||
        ops[3].atom < DW_OP_lit0 || ops[3].atom > DW_OP_lit31)
        return false;
    for (size_t i = 0; i < length; i++)
        if (wanted[i] >= 0 && ops[i].atom != wanted[i])
            return false;
    value->how = UNWIND_LINKED;
    value->pushed = (uint8_t)(ops[3].atom - DW_OP_lit0);
    return true;
}

static bool take_cfa(const Dwarf_Op *ops, size_t count, struct unwind_value *value)
{
    const size_t used = take_base(ops, count, value);

    if (used == 0 || value->base == UNWIND_FROM_CFA)
        return false;
    value->how = used < count && ops[used].atom == DW_OP_deref ? UNWIND_AT : UNWIND_IS;
    if (used + (value->how == UNWIND_AT) == count)
        return true;
    return is_linked(ops + used, count - used, value);
}

static struct unwind_value take_register(const struct libdw_frames *dw, Dwarf_Frame *frame, unsigned number)
{
    struct unwind_value value = { .how = UNWIND_LOST };
    Dwarf_Op memory[3], *ops = NULL;
    size_t count = 0, used;

    if (dw->frame_register(frame, (int)number, memory, &ops, &count) != 0)
        return value;
    if (count == 0) {
        value.how = ops == memory ? UNWIND_LOST : UNWIND_SAME;
        return value;
    }
    if (count == 1 && ops[0].atom == DW_OP_regx && ops[0].number < UNWIND_REGISTERS)
        return (struct unwind_value){ .how = UNWIND_IS, .base = (uint8_t)ops[0].number };
    /* of an expression libdw puts the CFA before it, though it is not wanted */
    if (count > 1 && ops[0].atom == DW_OP_call_frame_cfa && ops[1].atom != DW_OP_plus_uconst) {
        ops++;
        count--;
    }
    used = take_base(ops, count, &value);
    if (used > 0 && used == count)
        value.how = UNWIND_AT;
    else if (used > 0 && used + 1 == count && ops[used].atom == DW_OP_stack_value)
        value.how = UNWIND_IS;
    return value;
}

static bool take_frame(const struct libdw_frames *dw, Dwarf_Frame *frame, struct unwind_rule *rule)
{
    const int back = dw->frame_info(frame, NULL, NULL, &rule->in_signal);
    Dwarf_Op *ops = NULL;
    size_t count = 0;

    if (back < 0 || back >= UNWIND_REGISTERS || dw->frame_cfa(frame, &ops, &count) != 0 || !ops ||
        !take_cfa(ops, count, &rule->cfa))
        return false;
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
        rule->registers[i] = take_register(dw, frame, i);
    rule->back = (uint8_t)back;
    return true;
}

struct unwind_rule elf_frames_rule(struct elf_frames *frames, uint64_t offset)
{
    Dwarf_CFI *const tables[] = { frames->exceptions, frames->debuggers };
    struct unwind_rule rule = { .known = false };
    Dwarf_Frame *frame = NULL;
    uint64_t address;

    if (!elf_segments_address(&frames->segments, offset, &address))
        return rule;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && !rule.known; i++) {
        if (!tables[i] || frames->dw.frame_at(tables[i], address, &frame) != 0)
            continue;
        rule.known = take_frame(&frames->dw, frame, &rule);
        free(frame);
    }
    return rule;
}
#else
#include <stddef.h>

enum library_state elf_frames_library(void)
{
    return LIBRARY_ABSENT;
}

struct elf_frames *elf_frames_open(int fd)
{
    (void)fd;
    return NULL;
}

struct unwind_rule elf_frames_rule(struct elf_frames *frames, uint64_t offset)
{
    (void)frames;
    (void)offset;
    return (struct unwind_rule){ .known = false };
}
#endif
