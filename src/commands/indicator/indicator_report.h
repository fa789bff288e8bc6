/* SPDX-License-Identifier: MIT
 * Runs of a performance indicator: what each has printed, and its energy, carbon and usage, in the forms that consumers
 * of such scripts take. Used by indicator.h, indicator_flat.c and indicator_parts.h. Begin with indicator_read(). */
#ifndef COMMANDS_INDICATOR_INDICATOR_REPORT_H
#define COMMANDS_INDICATOR_INDICATOR_REPORT_H

#include "commands/indicator/gate.h"
#include "commands/indicator/indicator_contract.h"
#include "commands/indicator/spans.h"
#include "result/report.h"

#define INDICATOR_SCHEMA "carbon.indicator/1"

/* One run that counts. The caller fills the first part. */
struct indicator_run {
    size_t index;         /* index in the measurement */
    char *text, *said;    /* standard output, and error where it was taken; NULL: nothing */
    size_t length;        /* bytes of text */
    bool over, said_over; /* there was more */

    /* indicator_read */
    struct scan scan;
    struct indicator indicator;
    struct notices notices;
    struct fault fault; /* of kind FAULT_NONE: it keeps to the contract */
};

struct indicator_options {
    bool strict, keeps_nan;
    bool merges;       /* energy and carbon into @result, too */
    const char *score; /* "joules", or a key of @result: what overall_score is made of; NULL: nothing */
    size_t max_bytes;  /* maximum output of a run */
};

struct indicator_report {
    const struct report *report; /* finished */
    struct indicator_options options;
    const char *script; /* the file that is meant by the command, as it was named; "" unknown */
    const char *sha256; /* of it, before the first run; "" unknown */
    struct indicator_run *runs;
    size_t run_count;
    const struct gate *gate; /* NULL: none was asked for */
};

/* Checks what the run has printed. */
void indicator_read(struct indicator_run *run, const struct indicator_options *options);
void indicator_run_close(struct indicator_run *run);

/* One figure of a run, under its name. */
enum figure_kind { FIGURE_REAL, FIGURE_INTEGER, FIGURE_TEXT };
struct indicator_figure {
    const char *name;
    enum figure_kind kind;
    double number;    /* NAN unknown */
    const char *text; /* of a text; "" or NULL: unknown */
};

enum { INDICATOR_FIGURES = 16 };
struct indicator_figures {
    struct indicator_figure items[INDICATOR_FIGURES];
    size_t count;
};

/* ru_utime ...; energy_gross_j ...; carbon_gross_kgco2eq ... */
void indicator_usage(const struct indicator_report *report, size_t i, struct indicator_figures *figures);
void indicator_energy(const struct indicator_report *report, size_t i, struct indicator_figures *figures);
void indicator_carbon(const struct indicator_report *report, size_t i, struct indicator_figures *figures);

/* The overall_score that --score makes; NAN: the energy is not known. */
double indicator_score(const struct indicator_report *report, size_t i);

/* "2026-11-28T21:05:04.123456", as Amun has times. */
enum { INDICATOR_TIME_SIZE = 40 };
void indicator_times(const struct indicator_report *report, size_t i, char start[INDICATOR_TIME_SIZE],
                     char end[INDICATOR_TIME_SIZE]);

/* indicator_object.c: the script's object with what carbon adds, and a line end. One that keeps to the contract. */
bool indicator_write(const struct indicator_report *report, size_t i, bool one_line, FILE *out,
                     struct error *err) MUST_CHECK;

/* indicator_json.c: all of it, as docs/indicator-schema.json has it. */
bool indicator_json(const struct indicator_report *report, FILE *out, struct error *err) MUST_CHECK;

/* indicator_flat.c: a row a run, and the table that such rows go into. Fails where two columns would have one name, or
 * there are too many. */
bool indicator_csv(const struct indicator_report *report, FILE *out, struct error *err) MUST_CHECK;
bool indicator_table(const struct indicator_report *report, FILE *out, struct error *err) MUST_CHECK;

/* indicator_amun.c: a folder of that name in DIR, both made where they are not there; and
 * DIR/results/<i>/{result,hwinfo,log} of run i (from 0). */
bool indicator_amun_folder(const char *folder, const char *name, char *path, size_t size, struct error *err) MUST_CHECK;
bool indicator_amun(const struct indicator_report *report, size_t i, const char *folder, struct error *err) MUST_CHECK;

#endif
