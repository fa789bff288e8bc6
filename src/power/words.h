/* SPDX-License-Identifier: MIT
 * Names as people write them, by their words: "Xeon Gold 6248" is "intel xeon gold 6248". Used by board_power.c,
 * cpu_named.c and gpu_power.c. Begin with words_count(). */
#ifndef POWER_WORDS_H
#define POWER_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* How many words a name has. */
size_t words_count(const char *name);

/* Every word of one name is a word of the other, without regard to case, and the other is not another grade of it
 * ("M2 Max" is not "M2"). Words end at blanks, brackets, commas and '/'. */
bool words_within(const char *words, const char *name);

#endif
