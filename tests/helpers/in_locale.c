/* SPDX-License-Identifier: MIT
 * Preloaded, it puts any program into the locale of its environment before main, as a library that it loads may do. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void enter(void)
{
    if (!setlocale(LC_ALL, "")) {
        fputs("in_locale: no such locale\n", stderr);
        _Exit(99);
    }
}
