/* SPDX-License-Identifier: MIT
 * `carbon top`: who on this machine draws the power now. Used throughout commands/top. Begin with top_view_make().
 *
 * cmd_top.c opens the meter and the collector that `carbon serve` has, too (groups/collector.h): there is one
 * attribution. top_loop.c collects every interval; top_view.c makes rows, sorted and filtered, and the lines that
 * complete them to the power of the machine. The view is then written: as JSON (top_fields.c), CSV (top_table.c), lines
 * for people (top_text.c), or on a terminal with keys (top_keys.c, top_terminal.c). */
#ifndef COMMANDS_TOP_TOP_H
#define COMMANDS_TOP_TOP_H

#include "base/notice.h"
#include "form/field.h"
#include "groups/collector.h"

#include <stdio.h>

#define TOP_SCHEMA "carbon.top/1"
extern const struct schema top_schema;

/* By what rows are sorted: the largest first, names by the alphabet. */
enum top_sort { TOP_BY_POWER, TOP_BY_ENERGY, TOP_BY_CPU, TOP_BY_CARBON, TOP_BY_NAME, TOP_SORTS };

/* "power", "energy", "cpu", "carbon", "name". */
const char *top_sort_name(enum top_sort sort);

/* What the user wants to see. */
struct top_choice {
    enum group_kind by;
    enum top_sort sort;
    bool reversed;
    size_t max_rows; /* 0: all */
    char filter[64]; /* in the name, the id or the user of a row, whatever its case; "": all rows */
};

/* Figures that each line has; NAN: unknown. */
struct top_figures {
    double power_w, energy_j; /* now, and since the start */
    double own_w, own_j;      /* the part above the idle power */
    double cpu_share, cpu_s;  /* of all CPUs, now; since the start */
    double kgco2eq_per_h, kgco2eq;
};

struct top_row {
    const struct group *group;
    char name[256]; /* safe to show */
    char user[64];  /* of a process, a user: the name, else the number; "": unknown */
    pid_t pid;      /* number of a process, else 0 */
    struct top_figures figures;
};

/* The rest of the power of the machine. */
struct top_idle {
    struct top_figures figures;
    double idle_w, idle_j; /* the idle power, which own energies leave out */
};
struct top_others {
    struct top_figures figures;
    size_t count;
};

struct top_view {
    const struct collector *collector;
    struct top_choice choice;
    uint64_t time; /* nanoseconds since 1970 */
    double elapsed_s, interval_s;
    struct top_row *rows; /* shown rows, in their order */
    size_t row_count, row_room;
    struct top_others others; /* rows that are not shown: filtered, or beyond max_rows */
    struct top_others ended;
    struct top_figures not_attributed;
    struct top_idle idle;
    struct top_figures machine;
    size_t processes; /* seen in the last walk */
    enum quality quality, row_quality;
    struct notices notices;
};

/* As of the last collection; user_name: of a user's number, "" where he has none. False: no memory. */
typedef void top_user_name(void *context, uid_t user, char *name, size_t size);
bool top_view_make(struct top_view *view, const struct collector *collector, const struct top_choice *choice,
                   top_user_name *user_name, void *context) MUST_CHECK;
void top_view_close(struct top_view *view);

/* The figures of some rows, or of all lines: unknown only where all are. */
void top_figures_add(struct top_figures *sum, const struct top_figures *more);

/* What is hidden from this user, which a screen has room for; then the warnings of the machine and of the update. */
void top_notices(struct top_view *view, const struct notices *of_machine);

/* One line of JSON. */
bool top_write_json(const struct top_view *view, FILE *out, struct error *err) MUST_CHECK;

/* The head, and a row for each line of a view. */
void top_table_head(FILE *out);
void top_table_rows(const struct top_view *view, FILE *out);

/* Watts of the machine and of its domains so far, for lines that show how they went. */
enum { TOP_HISTORY = 60 };
struct top_history {
    size_t count; /* of updates; the last TOP_HISTORY are here */
    float machine_w[TOP_HISTORY];
    float domain_w[ENERGY_MAX_DOMAINS][TOP_HISTORY];
};
void top_history_take(struct top_history *history, const struct top_view *view);

struct top_style {
    bool colour, utf8;
    int width, height; /* columns and lines of a terminal; 0: as many as it takes */
    size_t max_rows;   /* without a height; 0: all */
    size_t first;      /* the row at the top */
    const char *below; /* the line at the bottom; NULL: none */
};

/* For people: the machine, its domains, the rows, the lines that complete them, the warnings. */
void top_write_text(const struct top_view *view, const struct top_history *history, const struct top_style *style,
                    FILE *out);

/* What keys have changed so far. */
struct top_keys {
    struct top_choice *choice;
    size_t first; /* the row at the top */
    size_t page;  /* rows that a page has */
    bool typing;  /* a filter */
    char typed[sizeof((struct top_choice *)0)->filter];
    bool quit;
};

/* Takes bytes of a terminal: keys, and the sequences of arrows. */
void top_keys_take(struct top_keys *keys, const char *bytes, size_t length, size_t row_count);

/* The line at the bottom. */
const char *top_keys_line(const struct top_keys *keys, char *out, size_t size);

#endif
