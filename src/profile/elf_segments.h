/* SPDX-License-Identifier: MIT
 * The executable segments of a file, and the addresses at which its functions begin: a program lists these for its
 * exceptions even when it is stripped. Used by elf_frames.c and elf_symbols.c. Begin with
 * elf_segments_read(). */
#ifndef PROFILE_ELF_SEGMENTS_H
#define PROFILE_ELF_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ELF_SEGMENTS_MAX = 16 };

struct elf_segment {
    uint64_t offset, size, address; /* place in the file, bytes of it, and their address */
};

struct elf_segments {
    struct elf_segment items[ELF_SEGMENTS_MAX]; /* segments that can be executed */
    size_t count;
    struct elf_segment starts; /* the sorted list of functions (.eh_frame_hdr); size 0: none */
};

/* False: the file cannot be executed, or has another byte order than this machine. */
bool elf_segments_read(struct elf_segments *segments, int fd);

/* The address of an offset in the file. False: no executable segment has it. */
bool elf_segments_address(const struct elf_segments *segments, uint64_t offset, uint64_t *address);

/* The last function that begins up to an address. False: the file has no list of them, or none begins before. */
bool elf_segments_function(const struct elf_segments *segments, int fd, uint64_t address, uint64_t *start);

#endif
