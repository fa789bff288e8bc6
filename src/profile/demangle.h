/* SPDX-License-Identifier: MIT
 * Names of C++ as they are in the source, where the C++ library is there. Used by elf_symbols.c. Begin with demangle().
 */
#ifndef PROFILE_DEMANGLE_H
#define PROFILE_DEMANGLE_H

/* Freed by the caller; NULL: not such a name, or unknown. */
char *demangle(const char *name);

#endif
