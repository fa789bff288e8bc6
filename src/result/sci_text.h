/* SPDX-License-Identifier: MIT
 * The Software Carbon Intensity and the equivalents for people. Used by commands/estimate/estimate_text.c,
 * answer_text.c and record_text.c. Begin with sci_text(). */
#ifndef RESULT_SCI_TEXT_H
#define RESULT_SCI_TEXT_H

#include "emissions/equivalents.h"
#include "emissions/sci.h"

#include <stdio.h>

/* Nothing unless requested. at_least: the emissions are a lower bound. */
void sci_text(const struct sci *sci, bool at_least, FILE *out);

/* A few of them; of: "gross 2.52 mgCO2eq". */
void equivalents_text(const struct equivalents *equivalents, const char *of, FILE *out);

#endif
