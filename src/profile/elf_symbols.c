/* SPDX-License-Identifier: MIT
 * libdw by dlopen; the only file that knows it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "profile/elf_symbols.h"

#ifdef HAVE_ELFUTILS_LIBDWFL_H
#include "profile/demangle.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBDW_FUNCTIONS(FUNCTION)                                                                                      \
    FUNCTION(begin, dwfl_begin)                                                                                        \
    FUNCTION(end, dwfl_end)                                                                                            \
    FUNCTION(report_begin, dwfl_report_begin)                                                                          \
    FUNCTION(report_offline, dwfl_report_offline)                                                                      \
    FUNCTION(report_end, dwfl_report_end)                                                                              \
    FUNCTION(getelf, dwfl_module_getelf)                                                                               \
    FUNCTION(addrinfo, dwfl_module_addrinfo)                                                                           \
    FUNCTION(getsrc, dwfl_module_getsrc)                                                                               \
    FUNCTION(lineinfo, dwfl_lineinfo)                                                                                  \
    FUNCTION(next_unit, dwfl_module_nextcu)                                                                            \
    FUNCTION(has_address, dwarf_haspc)                                                                                 \
    FUNCTION(line_of_unit, dwarf_getsrc_die)                                                                           \
    FUNCTION(line_file, dwarf_linesrc)                                                                                 \
    FUNCTION(line_number, dwarf_lineno)                                                                                \
    FUNCTION(find_elf, dwfl_build_id_find_elf)                                                                         \
    FUNCTION(find_debuginfo, dwfl_standard_find_debuginfo)                                                             \
    FUNCTION(section_address, dwfl_offline_section_address)                                                            \
    FUNCTION(getphdrnum, elf_getphdrnum)                                                                               \
    FUNCTION(getphdr, gelf_getphdr)

struct libdw {
    LIBDW_FUNCTIONS(LIBRARY_MEMBER)
};

static enum library_state libdw_open(struct libdw *library)
{
    static const char *const files[] = { "libdw.so.1", NULL };
    const struct library_function functions[] = { LIBDW_FUNCTIONS(LIBRARY_WANTED) };

    return library_open(files, functions, sizeof functions / sizeof functions[0]);
}

enum library_state elf_symbols_library(void)
{
    struct libdw dw;

    return libdw_open(&dw);
}

/* What can be executed of the file: where it is in it, and where in memory. */
struct segments {
    GElf_Phdr items[16];
    size_t count;
};

static void find_segments(const struct libdw *dw, Elf *elf, struct segments *segments)
{
    size_t count = 0;

    if (!elf || dw->getphdrnum(elf, &count) != 0)
        return;
    for (size_t i = 0; i < count && i < 1024 && segments->count < 16; i++) {
        GElf_Phdr *header = &segments->items[segments->count];
        if (dw->getphdr(elf, (int)i, header) && header->p_type == PT_LOAD && header->p_flags & PF_X)
            segments->count++;
    }
}

static bool address_of(const struct segments *segments, uint64_t offset, GElf_Addr *address)
{
    for (size_t i = 0; i < segments->count; i++) {
        const GElf_Phdr *header = &segments->items[i];
        if (offset >= header->p_offset && offset - header->p_offset < header->p_filesz) {
            *address = header->p_vaddr + (offset - header->p_offset);
            return true;
        }
    }
    return false;
}

/* until: what ends it, beside its end. */
static void write_plain(const char *text, const char *until, FILE *out)
{
    enum { TEXT_MAX = 1000 };
    const size_t length = text ? strcspn(text, until) : 0;

    for (size_t i = 0; i < length && i < TEXT_MAX; i++)
        fputc((unsigned char)text[i] < ' ' || text[i] == 127 ? '?' : text[i], out);
}

/* NULL: not known. clang writes no table of addresses, without which getsrc finds nothing: then the units say whether
 * they have it. */
static const char *find_line(const struct libdw *dw, Dwfl_Module *module, GElf_Addr address, int *number)
{
    Dwfl_Line *line = dw->getsrc(module, address);
    Dwarf_Addr bias = 0;

    if (line)
        return dw->lineinfo(line, NULL, number, NULL, NULL, NULL);
    for (Dwarf_Die *unit = NULL; (unit = dw->next_unit(module, unit, &bias));) {
        Dwarf_Line *of_unit = dw->has_address(unit, address - bias) > 0 ? dw->line_of_unit(unit, address - bias) : NULL;
        if (of_unit && dw->line_number(of_unit, number) == 0)
            return dw->line_file(of_unit, NULL, NULL);
    }
    return NULL;
}

static void write_line(const struct libdw *dw, Dwfl_Module *module, GElf_Addr address, FILE *out)
{
    GElf_Off offset = 0;
    GElf_Sym symbol = { .st_size = 0 };
    const char *name = dw->addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    char *plain = name ? demangle(name) : NULL;
    int number = 0;
    const char *file = find_line(dw, module, address, &number);

    write_plain(plain ? plain : name, "@", out); /* "clock_gettime@@GLIBC_2.17" */
    free(plain);
    fputc('\t', out);
    write_plain(file, "", out);
    if (file)
        fprintf(out, "\t%d\n", number);
    else
        fputs("\t\n", out);
}

void elf_symbols_write(int fd, const uint64_t *offsets, size_t count, bool debuginfod, FILE *out)
{
    struct libdw dw;
    struct segments segments = { .count = 0 };
    Dwfl_Callbacks callbacks = { .debuginfo_path = NULL };
    Dwfl_Module *module = NULL;
    GElf_Addr bias = 0, address;
    Dwfl *dwfl = NULL;
    const int own = dup(fd); /* libdw closes it */

    if (libdw_open(&dw) == LIBRARY_READY) {
        callbacks.find_elf = dw.find_elf;
        callbacks.find_debuginfo = dw.find_debuginfo;
        callbacks.section_address = dw.section_address;
        if (!debuginfod)
            unsetenv("DEBUGINFOD_URLS");
        dwfl = dw.begin(&callbacks);
    }
    if (dwfl && own >= 0) {
        dw.report_begin(dwfl);
        module = dw.report_offline(dwfl, "object", "object", own);
        dw.report_end(dwfl, NULL, NULL);
    }
    if (module)
        find_segments(&dw, dw.getelf(module, &bias), &segments);
    for (size_t i = 0; i < count; i++)
        if (address_of(&segments, offsets[i], &address))
            write_line(&dw, module, address + bias, out);
        else
            fputs("\t\t\n", out);
    if (dwfl)
        dw.end(dwfl);
}
#else
enum library_state elf_symbols_library(void)
{
    return LIBRARY_ABSENT;
}

void elf_symbols_write(int fd, const uint64_t *offsets, size_t count, bool debuginfod, FILE *out)
{
    (void)fd;
    (void)offsets;
    (void)debuginfod;
    for (size_t i = 0; i < count; i++)
        fputs("\t\t\n", out);
}
#endif
