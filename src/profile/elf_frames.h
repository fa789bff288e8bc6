/* SPDX-License-Identifier: MIT
 * How a function's caller is found, as its file states it (.eh_frame, .debug_frame): read by elfutils' libdw, which is
 * opened when it is wanted. Used by unwind_rules.c. Begin with elf_frames_open(). */
#ifndef PROFILE_ELF_FRAMES_H
#define PROFILE_ELF_FRAMES_H

#include "base/library.h"
#include "profile/unwind.h"

struct elf_frames;

/* LIBRARY_ABSENT as well where carbon was built without its header, or for a processor that unwind.h does not know. */
enum library_state elf_frames_library(void);

/* For a process of its own, for the file may be anything. fd stays open, and is to; NULL: no memory or no library. */
struct elf_frames *elf_frames_open(int fd);

/* Of an offset in the file; not known where nothing states it, or in a way that unwind.h does not know. */
struct unwind_rule elf_frames_rule(struct elf_frames *frames, uint64_t offset);

#endif
