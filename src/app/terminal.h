/* SPDX-License-Identifier: MIT
 * What carbon says to people, and how. Only this, main.c, the cmd_*.c and the watch print or end the program: whoever
 * else has something to say does it through here, or is given the stream. Used in app, main.c and 22 commands. Begin
 * with terminal_begin(). */
#ifndef APP_TERMINAL_H
#define APP_TERMINAL_H

#include "app/options/options.h"
#include "app/options/typed_line.h"
#include "base/notice.h"

#include <stdio.h>

enum {
    STATUS_IN_PART = 3,         /* a part of the request failed; the rest was done */
    STATUS_WORSE = 3,           /* of a gate or a budget: more energy than is allowed */
    STATUS_NO_TARGET = 4,       /* the container or pod is not there, or several may be meant */
    STATUS_UNDECIDED = 5,       /* of a gate or a budget: undecided */
    STATUS_CARBON_FAILED = 125, /* carbon itself failed, before or besides a job */
    STATUS_CANNOT_RUN = 126,    /* the command was found, but cannot be run */
    STATUS_NOT_FOUND = 127,
};

/* The command whose help terminal_fail points to, and its colours; NULL: none, and as the terminal is. */
void terminal_begin(const char *command, const struct settings *settings);

/* The line that fixes of errors are made of; it must live on. */
void terminal_typed(const struct typed_line *typed);

/* Prints the error in its three parts on standard error and returns status:
 *
 * carbon: cannot read '/sys/...'
 *    why: permission denied
 *    fix: run carbon as root
 *
 * A usage error without a fix ends with "try: carbon COMMAND --help". */
int terminal_fail(const struct error *error, int status);

/* What --debug, or CARBON_DEBUG, asks for goes to standard error from now on, a line each:
 *
 * carbon-debug: 12.345 ms sources: powercap: 2 domains
 *
 * The time is since the first call. */
#define TERMINAL_DEBUG "carbon-debug: "
bool terminal_debug(const char *areas, struct error *err) MUST_CHECK;

/* A notice: "note: what: why" and, if there is one, "hint: fix". */
void terminal_notice(FILE *out, const struct notice *notice, bool colour);
void terminal_notice_in(FILE *out, const struct notice *notice, bool colour, int width); /* width: see terminal_wrap */

/* Doubts on standard error, in colour where the settings and that allow it; plain: never. */
void terminal_tell(const struct settings *settings, const struct notice *notice);
void terminal_tell_all(const struct settings *settings, const struct notices *notices);
void terminal_tell_plain(const struct notice *notice);

/* On standard error, in lines that fit the terminal. */
void terminal_say(const char *format, ...) PRINTF_LIKE(1, 2);

/* --color, NO_COLOR, TERM=dumb and whether the stream is a terminal. */
bool terminal_colour(const struct settings *settings, FILE *out);

/* A terminal on which a line can be redrawn. */
bool terminal_redraws(FILE *out);

/* The characters of the user's locale are UTF-8. */
bool terminal_utf8(void);

/* Whether the stream comes out on a terminal. */
bool terminal_is(FILE *out);

/* Columns of the terminal; without one COLUMNS; else 80, and of a page 0: its lines may have any length. */
int terminal_width(FILE *out);
int terminal_page_width(FILE *out);

/* Holds standard output from now on, until it is let go, or the command ends or speaks on standard error: then its text
 * comes out in lines that fit the terminal (form/fit.h). Without a width nothing is held. Whoever prints for programs,
 * or a line at a time, lets go first. */
void terminal_hold(void);
void terminal_let_go(void);

/* Words of a text that starts in this column (from 0); lines go on at the same column and end
 * before width. width 0: one line, however long. Ends the line. */
void terminal_wrap(FILE *out, const char *text, int column, int width);

/* Flushes standard output; a failure (EPIPE, ENOSPC) becomes the error and the status 125. Reported once. */
int terminal_finish_stdout(int status);

/* What is to stand on standard error in one piece: that is unbuffered, and a report between others' lines is hard to
 * read. False: no memory for it. */
struct terminal_piece {
    FILE *out;
    bool colour; /* whether it may have any */
    int width;   /* of the terminal; 0: it is none */
    char *text;
    size_t length;
};
bool terminal_piece_open(struct terminal_piece *piece, const struct settings *settings) MUST_CHECK;

/* Prints what was written to it, and frees it. Returns status, or 125 where that failed; standard error may be full or
 * closed, which cannot be reported and does not concern a job. */
int terminal_piece_print(struct terminal_piece *piece, bool written, int status);

/* One line on a terminal's standard error, rewritten; nothing if that is not a terminal. */
void terminal_progress(const char *format, ...) PRINTF_LIKE(1, 2);
void terminal_progress_done(void);

#endif
