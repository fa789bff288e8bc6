/* SPDX-License-Identifier: MIT
 * What of a file of code can be executed, and where it lies in memory; and where its functions begin, which a program
 * says for its exceptions even when it is stripped. Used by elf_frames.c and elf_symbols.c. Begin with
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
    struct elf_segment items[ELF_SEGMENTS_MAX]; /* that can be executed */
    size_t count;
    struct elf_segment starts; /* the sorted list of functions (.eh_frame_hdr); size 0: none */
};

/* False: it is no file of this machine's byte order that can be executed. */
bool elf_segments_read(struct elf_segments *segments, int fd);

/* Of an offset in the file. False: nothing that can be executed is there. */
bool elf_segments_address(const struct elf_segments *segments, uint64_t offset, uint64_t *address);

/* The last function that begins up to an address. False: no list says so. */
bool elf_segments_function(const struct elf_segments *segments, int fd, uint64_t address, uint64_t *start);

#endif
