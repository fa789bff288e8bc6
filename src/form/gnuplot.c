/* SPDX-License-Identifier: MIT
 * Running gnuplot: no shell, no start-up files of the user, the script on its standard input. */
#include "form/gnuplot.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "form/text_columns.h"
#include "run/exec_error.h"
#include "run/side_command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATIENCE_S = 60, STATUS_NOT_FOUND = 127, SIGNALLED = 128 };

struct form {
    const char *suffix;
    const char *terminal; /* sets it, or says what is missing */
};

/* A graph of 16:9 with letters that can be read when it is as wide as a page. */
static const struct form forms[] = {
    [CHART_SVG] = { ".svg",
                    "set terminal svg noenhanced size 960,540 fixed font 'sans-serif,15' background 'white'\n" },
    [CHART_PNG] = { ".png", "if (strstrt(GPVAL_TERMINALS, ' pngcairo ')) {\n"
                            "set terminal pngcairo noenhanced size 1280,720 font 'sans,14'\n"
                            "} else {\n"
                            "set terminal png noenhanced size 1280,720 font ',14'\n"
                            "}\n" },
    [CHART_PDF] = { ".pdf", "if (!strstrt(GPVAL_TERMINALS, ' pdfcairo ')) {\n"
                            "exit error 'it was built without pdfcairo'\n"
                            "}\n"
                            "set terminal pdfcairo noenhanced size 8in,4.5in font 'sans,13'\n" },
};

bool chart_form_of(const char *path, enum chart_form *form, struct error *err)
{
    const size_t length = strlen(path);

    for (*form = CHART_SVG; *form <= CHART_PDF; ++*form)
        if (length > 4 && c_strcasecmp(path + length - 4, forms[*form].suffix) == 0)
            return true;
    error_set(err, ERROR_USAGE, "'%s' ends in none of .svg, .png and .pdf", path);
    return error_fix(err, "chart.svg is such a name");
}

/* In single quotes only the quote itself means anything. */
void gnuplot_text(FILE *script, const char *text)
{
    char shown[1024];

    utf8_printable(shown, sizeof shown, text);
    fputc('\'', script);
    for (const char *c = shown; *c; c++)
        fputs(*c == '\'' ? "''" : (char[]){ *c, '\0' }, script);
    fputc('\'', script);
}

static int file_in_memory(const char *name, struct error *err)
{
    const int fd = memfd_create(name, MFD_CLOEXEC);

    if (fd < 0)
        error_errno(err, "cannot draw");
    return fd;
}

static bool write_script(int fd, const char *script, enum chart_form form, struct error *err)
{
    AUTO_FCLOSE FILE *file = fdopen(fcntl(fd, F_DUPFD_CLOEXEC, 0), "w");

    if (file && fprintf(file, "set encoding utf8\n%s%s", forms[form].terminal, script) > 0 && fflush(file) == 0 &&
        lseek(fd, 0, SEEK_SET) == 0)
        return true;
    return error_errno(err, "cannot draw");
}

static bool set_missing(struct error *err)
{
    error_set(err, ERROR_ABSENT, "cannot run gnuplot");
    error_why(err, "it is not installed (Debian: gnuplot-nox)");
    return error_fix(err, "install it, or leave --output out for a chart in the terminal");
}

static bool cannot_start(const struct side_command_end *end, struct error *err)
{
    return end->exit_status == STATUS_NOT_FOUND ? set_missing(err) : false;
}

bool gnuplot_is_there(struct error *err)
{
    return exec_is_there("gnuplot", getenv("PATH")) || set_missing(err);
}

/* Nothing of it can wait for anything of carbon: all three streams are files. */
static bool run(int script, int drawing, int words, struct side_command_end *end, struct error *err)
{
    char *const argv[] = { (char *)"gnuplot", (char *)"--default-settings", (char *)"-", NULL };
    struct inherited_signals signals;
    const struct side_command_options options = { .signals = &signals,
                                                  .argv = argv,
                                                  .limit_s = PATIENCE_S,
                                                  .input_fd = script,
                                                  .output_fd = drawing,
                                                  .error_fd = words,
                                                  .alone = true };

    inherited_signals_read(&signals);
    signals.pipe = (struct sigaction){ .sa_handler = SIG_DFL };
    if (!side_command_run(&options, end, err))
        return cannot_start(end, err);
    if (!end->late)
        return true;
    error_set(err, ERROR_SYSTEM, "gnuplot could not draw the chart");
    error_why(err, "it took longer than %d s and was ended", PATIENCE_S);
    return error_fix(err, "leave --output out for a chart in the terminal");
}

/* What it said: the line that names the fault ("line 0: ..."), else the first one. */
static void read_words(int words, char *said, size_t size)
{
    char text[4096];
    const ssize_t got = pread(words, text, sizeof text - 1, 0);
    char *rest = NULL;

    said[0] = text[got > 0 ? got : 0] = '\0';
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        line += strspn(line, " \t");
        if (*line && !said[0])
            utf8_printable(said, size, line);
        if (strncmp(line, "line ", 5) == 0 && strchr(line, ':')) {
            line = strchr(line, ':') + 1;
            utf8_printable(said, size, line + strspn(line, " "));
            return;
        }
    }
}

static bool drew(int drawing, int words, int status, struct error *err)
{
    char said[200];

    if (status == 0 && lseek(drawing, 0, SEEK_END) > 0)
        return true;
    read_words(words, said, sizeof said);
    error_set(err, ERROR_SYSTEM, "gnuplot could not draw the chart");
    if (status > SIGNALLED)
        error_why(err, "signal %d ended it", status - SIGNALLED);
    else
        error_why(err, "exit status %d%s%s", status, *said ? ": " : "", said);
    return error_fix(err, "leave --output out for a chart in the terminal");
}

static bool copy(int drawing, FILE *out, struct error *err)
{
    char block[1 << 14];
    off_t at = 0;

    for (ssize_t got; (got = pread(drawing, block, sizeof block, at)) != 0; at += got)
        if (got < 0 || fwrite(block, 1, (size_t)got, out) != (size_t)got)
            return error_errno(err, "cannot write the chart");
    return true;
}

bool gnuplot_draw(const char *script, enum chart_form form, FILE *out, struct error *err)
{
    AUTO_CLOSE int commands = file_in_memory("script", err);
    AUTO_CLOSE int drawing = commands < 0 ? -1 : file_in_memory("chart", err);
    AUTO_CLOSE int words = drawing < 0 ? -1 : file_in_memory("words", err);
    struct side_command_end end;

    return words >= 0 && write_script(commands, script, form, err) && run(commands, drawing, words, &end, err) &&
           drew(drawing, words, end.exit_status, err) && copy(drawing, out, err);
}
