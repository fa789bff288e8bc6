/* SPDX-License-Identifier: MIT
 * A file whose tests all begin with a small finished measurement, and look at what its forms write:
 * UNIT_SUITE_IN("name", begin, end, ...). */
#ifndef TESTS_REPORT_SUITE_H
#define TESTS_REPORT_SUITE_H

#include "report_fixture.h"
#include "words.h"

static struct fixture *fixture;

static inline void begin(void)
{
    fixture = fixture_new();
}

static inline void end(void)
{
    fixture_free(fixture);
}

/* One run, and one baseline whose two parts had 37 and 39 W. */
static inline void keep_one_run(void)
{
    fixture->measurement.run_count = fixture->measurement.baseline_count = 1;
    fixture->baselines[0].part_count = 2;
    fixture->baselines[0].parts_w[0] = 37;
    fixture->baselines[0].parts_w[1] = 39;
}

/* A warm-up, and a run that was interrupted. */
static inline void cut_short(void)
{
    fixture->report.complete = false;
    fixture->measurement.interrupted = true;
    fixture->runs[0].warmup = true;
    fixture->runs[1].end.exit_status = 130;
    fixture->runs[1].end.signal = 2;
}

/* What this form writes now has each of these words. */
#define FORM_HAS(format, ...) form_check(format, true, WORDS_OF(__VA_ARGS__))
#define FORM_LACKS(format, ...) form_check(format, false, WORDS_OF(__VA_ARGS__))

static inline void form_check(const struct report_format *format, bool expected, const char *const *words)
{
    char *text = fixture_write(fixture, format);

    words_check(text, expected, words);
    free(text);
}

#endif
