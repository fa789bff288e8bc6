/* SPDX-License-Identifier: MIT
 * The table of a file's segments, of 32 and 64 bits, read as bytes: nothing in it is believed. */
#include "profile/elf_segments.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

enum { HEADERS_MAX = 1024 };

static bool read_at(int fd, void *out, size_t size, uint64_t offset)
{
    return offset <= INT64_MAX && pread(fd, out, size, (off_t)offset) == (ssize_t)size;
}

static Elf64_Phdr wide_header(const Elf32_Phdr *header)
{
    return (Elf64_Phdr){
        .p_type = header->p_type,
        .p_flags = header->p_flags,
        .p_offset = header->p_offset,
        .p_vaddr = header->p_vaddr,
        .p_filesz = header->p_filesz,
    };
}

static bool read_header(int fd, bool wide, uint64_t table, size_t i, Elf64_Phdr *header)
{
    Elf32_Phdr narrow;

    if (wide)
        return read_at(fd, header, sizeof *header, table + i * sizeof *header);
    if (!read_at(fd, &narrow, sizeof narrow, table + i * sizeof narrow))
        return false;
    *header = wide_header(&narrow);
    return true;
}

/* Where the table is, and how long. */
static bool read_table(int fd, bool *wide, uint64_t *table, size_t *count)
{
    union {
        unsigned char ident[EI_NIDENT];
        Elf32_Ehdr narrow;
        Elf64_Ehdr wide;
    } header;
    const unsigned order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

    memset(&header, 0, sizeof header);
    if (pread(fd, &header, sizeof header, 0) < (ssize_t)sizeof header.narrow ||
        memcmp(header.ident, ELFMAG, SELFMAG) != 0 || header.ident[EI_DATA] != order)
        return false;
    *wide = header.ident[EI_CLASS] == ELFCLASS64;
    *table = *wide ? header.wide.e_phoff : header.narrow.e_phoff;
    *count = *wide ? header.wide.e_phnum : header.narrow.e_phnum;
    return *table <= INT64_MAX;
}

bool elf_segments_read(struct elf_segments *segments, int fd)
{
    uint64_t table;
    size_t count;
    bool wide;

    *segments = (struct elf_segments){ .count = 0 };
    if (!read_table(fd, &wide, &table, &count))
        return false;
    for (size_t i = 0; i < count && i < HEADERS_MAX; i++) {
        Elf64_Phdr header;
        struct elf_segment segment;
        if (!read_header(fd, wide, table, i, &header))
            break;
        segment = (struct elf_segment){ header.p_offset, header.p_filesz, header.p_vaddr };
        if (header.p_type == PT_GNU_EH_FRAME)
            segments->starts = segment;
        else if (header.p_type == PT_LOAD && header.p_flags & PF_X && segments->count < ELF_SEGMENTS_MAX)
            segments->items[segments->count++] = segment;
    }
    return segments->count > 0;
}

bool elf_segments_address(const struct elf_segments *segments, uint64_t offset, uint64_t *address)
{
    for (size_t i = 0; i < segments->count; i++) {
        const struct elf_segment *segment = &segments->items[i];
        if (offset >= segment->offset && offset - segment->offset < segment->size) {
            *address = segment->address + (offset - segment->offset);
            return true;
        }
    }
    return false;
}

/* The list as the Linux Standard Base describes it (.eh_frame_hdr), in the one form that linkers write: counts of 4
 * bytes, and pairs of 4 bytes from the list itself. */
struct starts_head {
    uint8_t version, frame_encoding, count_encoding, table_encoding;
    int32_t frame;
    uint32_t count;
};
enum { PAIR_SIZE = 8, ENCODED_IN_4 = 0x03, FROM_LIST_IN_4 = 0x3b };

static bool read_start(const struct elf_segments *segments, int fd, size_t i, uint64_t *start)
{
    int32_t from_list;

    if (!read_at(fd, &from_list, sizeof from_list,
                 segments->starts.offset + sizeof(struct starts_head) + i * PAIR_SIZE))
        return false;
    *start = segments->starts.address + (uint64_t)(int64_t)from_list;
    return true;
}

bool elf_segments_function(const struct elf_segments *segments, int fd, uint64_t address, uint64_t *start)
{
    struct starts_head head;
    size_t low = 0, high;
    uint64_t at;

    if (segments->starts.size < sizeof head || !read_at(fd, &head, sizeof head, segments->starts.offset) ||
        head.version != 1 || head.count_encoding != ENCODED_IN_4 || head.table_encoding != FROM_LIST_IN_4 ||
        head.count > (segments->starts.size - sizeof head) / PAIR_SIZE)
        return false;
    for (high = head.count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (!read_start(segments, fd, middle, &at))
            return false;
        if (at <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && read_start(segments, fd, low - 1, start) && *start <= address;
}
