/* SPDX-License-Identifier: MIT
 * What a wrong word of the command line may have been meant as: the fix of an error works as it is printed. Used in
 * app/options. Begin with meant_value(). */
#ifndef APP_OPTIONS_MEANT_VALUE_H
#define APP_OPTIONS_MEANT_VALUE_H

#include "app/options/options.h"

enum { MEANT_SIZE = 96 };

/* A value of the option near to the text, which is none; without a text, an example. False: none is known. */
bool meant_value(const struct option_spec *option, const char *text, char value[MEANT_SIZE]);

/* What other programs call an option of the list, as words of a line: "--energy 3kWh" for "kwh" and "3". `value`
 * NULL: none was given. False: not known. */
bool meant_option(const struct option_spec *const *options, const char *name, const char *value,
                  char words[MEANT_SIZE]);

#endif
