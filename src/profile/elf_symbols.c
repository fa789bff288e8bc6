/* SPDX-License-Identifier: MIT
 * libdw by dlopen; the only file that knows it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "profile/elf_symbols.h"

#ifdef HAVE_ELFUTILS_LIBDWFL_H
#include "profile/demangle.h"
#include "profile/elf_segments.h"

#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBDW_FUNCTIONS(FUNCTION)                                                                                      \
    FUNCTION(begin, dwfl_begin)                                                                                        \
    FUNCTION(end, dwfl_end)                                                                                            \
    FUNCTION(report_begin, dwfl_report_begin)                                                                          \
    FUNCTION(report_offline, dwfl_report_offline)                                                                      \
    FUNCTION(report_end, dwfl_report_end)                                                                              \
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
    FUNCTION(getelf, dwfl_module_getelf)                                                                               \
    FUNCTION(section_address, dwfl_offline_section_address)

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

/* until: the symbol's end, apart from its size. */
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

struct named_file {
    struct libdw dw;
    int fd;
    struct elf_segments segments;
    Dwfl_Module *module;
    GElf_Addr bias; /* addresses of the module are more by this */
};

/* The symbol's name, freed by the caller; NULL: none has the address. One without a size may be far below: not if
 * another function begins in between. */
static char *find_name(const struct named_file *file, uint64_t address, const uint64_t *start)
{
    GElf_Off offset = 0;
    GElf_Sym symbol = { .st_size = 0 };
    const char *name = file->dw.addrinfo(file->module, address + file->bias, &offset, &symbol, NULL, NULL, NULL);
    char *plain;

    if (!name || (symbol.st_size == 0 && start && *start > address - offset))
        return NULL;
    plain = demangle(name);
    return plain ? plain : strdup(name);
}

static void write_line(const struct named_file *file, uint64_t address, FILE *out)
{
    uint64_t start = 0;
    const bool starts = elf_segments_function(&file->segments, file->fd, address, &start);
    char *name = find_name(file, address, starts ? &start : NULL);
    int number = 0;
    const char *source = find_line(&file->dw, file->module, address + file->bias, &number);

    if (name)
        write_plain(name, "@", out); /* "clock_gettime@@GLIBC_2.17" */
    else if (starts)
        fprintf(out, "[0x%" PRIx64 "]", start);
    free(name);
    fputc('\t', out);
    write_plain(source, "", out);
    if (source)
        fprintf(out, "\t%d\n", number);
    else
        fputs("\t\n", out);
}

/* Its path says where separate debug information is looked for. NULL: it cannot be read. */
static Dwfl *open_module(struct named_file *file, const Dwfl_Callbacks *callbacks, const char *path)
{
    Dwfl *dwfl = file->dw.begin(callbacks);
    const int own = dwfl ? dup(file->fd) : -1; /* libdw closes it */

    if (own < 0)
        return dwfl;
    file->dw.report_begin(dwfl);
    file->module = file->dw.report_offline(dwfl, "object", path, own);
    file->dw.report_end(dwfl, NULL, NULL);
    if (file->module)
        file->dw.getelf(file->module, &file->bias);
    return dwfl;
}

void elf_symbols_write(int fd, const char *path, const uint64_t *offsets, size_t count, bool debuginfod, FILE *out)
{
    struct named_file file = { .fd = fd };
    Dwfl_Callbacks callbacks = { .debuginfo_path = NULL };
    Dwfl *dwfl = NULL;
    uint64_t address;

    elf_segments_read(&file.segments, fd);
    if (libdw_open(&file.dw) == LIBRARY_READY) {
        callbacks.find_elf = file.dw.find_elf;
        callbacks.find_debuginfo = file.dw.find_debuginfo;
        callbacks.section_address = file.dw.section_address;
        if (!debuginfod)
            unsetenv("DEBUGINFOD_URLS");
        dwfl = open_module(&file, &callbacks, path);
    }
    for (size_t i = 0; i < count; i++)
        if (file.module && elf_segments_address(&file.segments, offsets[i], &address))
            write_line(&file, address, out);
        else
            fputs("\t\t\n", out);
    if (dwfl)
        file.dw.end(dwfl);
}
#else
enum library_state elf_symbols_library(void)
{
    return LIBRARY_ABSENT;
}

void elf_symbols_write(int fd, const char *path, const uint64_t *offsets, size_t count, bool debuginfod, FILE *out)
{
    (void)fd;
    (void)path;
    (void)offsets;
    (void)debuginfod;
    for (size_t i = 0; i < count; i++)
        fputs("\t\t\n", out);
}
#endif
