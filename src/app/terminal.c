/* SPDX-License-Identifier: MIT
 * Messages, colour, width and the line of progress. */
#include "app/terminal.h"

#include "app/options/missing_file.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/debug.h"
#include "base/text.h"
#include "base/units.h"
#include "form/fit.h"
#include "form/paragraph.h"
#include "form/text_columns.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RED "\033[31m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

enum { PROGRESS_SIZE = 512, DEBUG_SIZE = 1200, NARROWEST = 20, STANDARD_WIDTH = 80 };

/* Whose help is pointed to, and how this run may look. */
static struct {
    const char *command;
    const struct typed_line *typed;
    bool colour_errors;
    bool progress_shown;
    bool stdout_failed;
    uint64_t debug_since_ns;
    struct {
        int fd; /* the terminal, while standard output is a file; 0: it is not */
        int width;
    } held;
} terminal;

void terminal_begin(const char *command, const struct settings *settings)
{
    terminal.command = command;
    terminal.colour_errors = terminal_colour(settings, stderr);
    paragraph_page(PARAGRAPH_MESSAGES, stderr, terminal_page_width(stderr));
}

/* Standard output before it was held. */
static int fd_of(FILE *out)
{
    return out == stdout && terminal.held.fd ? terminal.held.fd : fileno(out);
}

bool terminal_is(FILE *out)
{
    return isatty(fd_of(out));
}

void terminal_typed(const struct typed_line *typed)
{
    terminal.typed = typed;
}

bool terminal_colour(const struct settings *settings, FILE *out)
{
    const char *when = settings ? settings_text(settings, &option_color) : NULL;
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");

    if (when && strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    if ((no_colour && *no_colour) || !term || !*term || strcmp(term, "dumb") == 0)
        return false;
    return terminal_is(out);
}

bool terminal_redraws(FILE *out)
{
    const char *term = getenv("TERM");

    return terminal_is(out) && term && strcmp(term, "dumb") != 0;
}

bool terminal_utf8(void)
{
    const locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    const bool utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;

    if (locale)
        freelocale(locale);
    return utf8;
}

int terminal_page_width(FILE *out)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;

    if (ioctl(fd_of(out), TIOCGWINSZ, &size) == 0 && size.ws_col >= NARROWEST)
        return size.ws_col;
    if (columns && strlen(columns) <= 4 && columns[strspn(columns, "0123456789")] == '\0' && atoi(columns) >= NARROWEST)
        return atoi(columns);
    return terminal_is(out) ? STANDARD_WIDTH : 0;
}

int terminal_width(FILE *out)
{
    const int width = terminal_page_width(out);

    return width ? width : STANDARD_WIDTH;
}

void terminal_hold(void)
{
    const int width = terminal_page_width(stdout), file = width ? memfd_create("page", MFD_CLOEXEC) : -1;

    if (file < 0)
        return;
    fflush(stdout);
    terminal.held.fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    terminal.held.width = width;
    if (terminal.held.fd > 0 && dup2(file, STDOUT_FILENO) >= 0)
        paragraph_page(PARAGRAPH_ANSWER, stdout, width);
    else
        terminal.held.fd = 0;
    close(file);
}

void terminal_let_go(void)
{
    struct stat whole;
    char *text = MAP_FAILED;

    if (!terminal.held.fd)
        return;
    fflush(stdout);
    if (fstat(STDOUT_FILENO, &whole) == 0 && whole.st_size)
        text = mmap(NULL, (size_t)whole.st_size, PROT_READ, MAP_SHARED, STDOUT_FILENO, 0);
    dup2(terminal.held.fd, STDOUT_FILENO);
    close(terminal.held.fd);
    if (text != MAP_FAILED) {
        fit_write(stdout, text, (size_t)whole.st_size, terminal.held.width);
        munmap(text, (size_t)whole.st_size);
    }
    terminal.held.fd = 0;
    paragraph_page(PARAGRAPH_ANSWER, NULL, 0);
}

/* Earlier output comes before this one. */
static void let_out(void)
{
    if (!terminal.held.fd)
        return;
    terminal_let_go();
    terminal_hold();
}

void terminal_wrap(FILE *out, const char *text, int column, int width)
{
    int at = column;

    while (*text) {
        const size_t length = strcspn(text, " ");
        const int columns = (int)utf8_columns_of(text, length);

        if (at > column && width && at + 1 + columns >= width) {
            fprintf(out, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', out);
            at++;
        }
        fwrite(text, 1, length, out);
        at += columns;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* "   why: ..." Long texts are wrapped for eyes only, so that a log has one line of each. */
static void print_part(FILE *out, const char *label, const char *text)
{
    if (!*text)
        return;
    fprintf(out, "   %s: ", label);
    terminal_wrap(out, text, 8, terminal_page_width(out));
}

/* A pipe reports it at any time, not only to the failed write. */
static bool reader_has_gone(void)
{
    struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };

    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/* Whoever reads on no more ("| head") has what he wants: nothing is said of that, though the status has it. */
static bool is_of_reader(const struct error *error)
{
    return terminal.stdout_failed && c_strcasecmp(error->why, c_strerror(EPIPE)) == 0 && reader_has_gone();
}

int terminal_fail(const struct error *error, int status)
{
    struct error whole = *error;

    terminal_progress_done();
    terminal_let_go();
    if (ferror(stdout))
        terminal.stdout_failed = terminal.stdout_failed || reader_has_gone();
    if (is_of_reader(error))
        return status;
    if (terminal.typed)
        typed_line_complete(terminal.typed, &whole);
    if (terminal.typed && error->kind == ERROR_ABSENT && !*error->fix)
        missing_file_fix(terminal.typed, &whole);
    fprintf(stderr, "%scarbon:%s ", terminal.colour_errors ? RED : "", terminal.colour_errors ? PLAIN : "");
    terminal_wrap(stderr, error->what, 8, terminal_page_width(stderr));
    print_part(stderr, "why", error->why);
    print_part(stderr, "fix", whole.fix);
    if (error->kind == ERROR_USAGE && !*error->fix)
        fprintf(stderr, "   try: carbon %s%s--help\n", terminal.command ? terminal.command : "",
                terminal.command ? " " : "");
    return status;
}

/* In one piece, for processes that carbon has forked say something, too. */
static void write_debug(enum debug_area area, const char *line)
{
    const double since_ms = (double)(clock_monotonic_ns() - terminal.debug_since_ns) / (double)NS_PER_MS;
    char safe[DEBUG_SIZE], shown[DEBUG_SIZE + 64];
    size_t length;

    terminal_progress_done();
    text_copy_redacted(safe, sizeof safe, line);
    c_snprintf(shown, sizeof shown - 1, TERMINAL_DEBUG "%.3f ms %s: %s", since_ms, debug_area_names[area], safe);
    utf8_printable(shown, sizeof shown - 1, shown);
    length = strlen(shown);
    shown[length] = '\n';
    IGNORED(write(STDERR_FILENO, shown, length + 1), "the reader has gone");
}

bool terminal_debug(const char *areas, struct error *err)
{
    unsigned wanted;

    if (!areas || !*areas)
        return true;
    if (!terminal.debug_since_ns)
        terminal.debug_since_ns = clock_monotonic_ns();
    if (!debug_areas_of(areas, &wanted, err))
        return false;
    debug_begin(wanted, write_debug);
    return true;
}

void terminal_notice(FILE *out, const struct notice *notice, bool colour)
{
    terminal_notice_in(out, notice, colour, terminal_page_width(out));
}

void terminal_notice_in(FILE *out, const struct notice *notice, bool colour, int width)
{
    struct text text;

    text_open(&text, SIZE_MAX);
    text_add(&text, "%s%s%s", notice->what, *notice->why ? ": " : "", notice->why);
    fprintf(out, "%s  note:%s ", colour ? YELLOW : "", colour ? PLAIN : "");
    terminal_wrap(out, text_ok(&text) ? text.data : notice->what, 8, width);
    text_close(&text);
    if (!*notice->fix)
        return;
    fputs("  hint: ", out);
    terminal_wrap(out, notice->fix, 8, width);
}

void terminal_tell(const struct settings *settings, const struct notice *notice)
{
    let_out();
    terminal_notice(stderr, notice, terminal_colour(settings, stderr));
}

void terminal_tell_all(const struct settings *settings, const struct notices *notices)
{
    for (size_t i = 0; i < notices->count; i++)
        terminal_tell(settings, &notices->item[i]);
}

void terminal_tell_plain(const struct notice *notice)
{
    let_out();
    terminal_notice(stderr, notice, false);
}

void terminal_say(const char *format, ...)
{
    struct terminal_piece piece;
    va_list arguments;

    let_out();
    if (!terminal_piece_open(&piece, NULL))
        return;
    va_start(arguments, format);
    c_vfprintf(piece.out, format, arguments);
    va_end(arguments);
    terminal_piece_print(&piece, true, 0);
}

int terminal_finish_stdout(int status)
{
    struct error err;

    terminal_let_go();
    errno = 0;
    if (!terminal.stdout_failed && fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (!terminal.stdout_failed) {
        terminal.stdout_failed = true;
        /* output longer than the buffer failed before the last flush, which does not have the reason */
        if (!errno && reader_has_gone())
            errno = EPIPE;
        if (errno)
            error_errno(&err, "cannot write to standard output");
        else
            error_set(&err, ERROR_SYSTEM, "cannot write to standard output");
        terminal_fail(&err, 0);
    }
    return STATUS_CARBON_FAILED;
}

bool terminal_piece_open(struct terminal_piece *piece, const struct settings *settings)
{
    piece->colour = terminal_colour(settings, stderr);
    piece->width = terminal_page_width(stderr);
    piece->text = NULL;
    piece->out = open_memstream(&piece->text, &piece->length);
    paragraph_page(PARAGRAPH_ANSWER, piece->out, piece->width);
    return piece->out;
}

int terminal_piece_print(struct terminal_piece *piece, bool written, int status)
{
    written = fclose(piece->out) == 0 && written;
    paragraph_page(PARAGRAPH_ANSWER, NULL, 0);
    if (written && piece->width)
        fit_write(stderr, piece->text, piece->length, piece->width);
    else if (written)
        IGNORED(fwrite(piece->text, 1, piece->length, stderr), "the reader has gone");
    free(piece->text);
    return written ? status : STATUS_CARBON_FAILED;
}

void terminal_progress(const char *format, ...)
{
    char text[PROGRESS_SIZE];
    const int width = terminal_width(stderr);
    va_list arguments;
    size_t length = 0;

    if (!terminal_redraws(stderr))
        return;
    va_start(arguments, format);
    c_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* the last column stays free: writing there would start a new line on some terminals */
    for (int columns = 0; text[length]; length++) {
        columns += ((unsigned char)text[length] & 0xc0) != 0x80;
        if (columns >= width)
            break;
    }
    fprintf(stderr, "\r%.*s\033[K", (int)length, text);
    fflush(stderr);
    terminal.progress_shown = true;
}

void terminal_progress_done(void)
{
    if (!terminal.progress_shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    terminal.progress_shown = false;
}
