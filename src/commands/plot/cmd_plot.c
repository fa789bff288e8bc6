/* SPDX-License-Identifier: MIT
 * `carbon plot`: results as a chart, in a file or in the terminal. */
#include "app/options/command.h"

#include "app/terminal.h"
#include "commands/plot/plot.h"
#include "form/output.h"
#include "run/privileges.h"

#include <math.h>
#include <stdlib.h>

static bool check_output(const char *text, struct error *err)
{
    enum chart_form form;

    return chart_form_of(text, &form, err);
}

static const struct option_spec option_plot_output = OPTION(
    FILE, "Output", "output", .file = FILE_WRITTEN, .short_name = 'o', .argument = "<file>", .check = check_output,
    .sample = "plot.svg", .cli_only = true, .help = "draw it with gnuplot; the name ends in .svg, .png or .pdf");
static const struct option_spec option_title =
    OPTION(TEXT, "Output", "title", .argument = "<text>", .cli_only = true, .help = "title of the picture");
static const struct option_spec option_width =
    OPTION(COUNT, "Output", "width", .argument = "<n>", .min = 40, .max = 1000, .hidden = true, .cli_only = true,
           .help = "columns of a chart in the terminal");

static bool draw(const struct plot *plot, const struct plot_style *style, const char *path, struct error *err)
{
    enum chart_form form;
    struct output out;

    return chart_form_of(path, &form, err) && output_open(&out, path, err) &&
           output_end(&out, plot_draw(plot, style, form, out.file, err), err);
}

static bool print_plot(const struct plot *plot, const struct settings *settings, struct error *err)
{
    const char *path = settings_text(settings, &option_plot_output);
    const double width = settings_number(settings, &option_width);
    const struct plot_style style = {
        .title = settings_text(settings, &option_title),
        .width = isnan(width) ? terminal_width(stdout) : (int)width,
        .utf8 = terminal_utf8(),
        .colour = terminal_colour(settings, stdout),
    };

    terminal_tell_all(settings, &plot->notices);
    if (path)
        return draw(plot, &style, path, err);
    plot_write(plot, &style, stdout);
    return true;
}

static int run_plot(const struct command_line *line)
{
    struct plot *plot = calloc(1, sizeof *plot);
    struct environment environment = { .variables = NULL };
    struct error err;
    bool done;

    if (!plot) {
        error_errno(&err, "cannot draw");
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    done = privileges_drop(&environment, &err) && plot_open(plot, line->operands, (size_t)line->operand_count, &err) &&
           print_plot(plot, &line->settings, &err);
    plot_close(plot);
    free(plot);
    environment_close(&environment);
    return done ? terminal_finish_stdout(EXIT_SUCCESS) : terminal_fail(&err, STATUS_CARBON_FAILED);
}

const struct command cmd_plot = {
    .name = "plot",
    .purpose = "draw results as a chart",
    .synopsis = "[options] result ...",
    .options = OPTIONS(&option_plot_output, &option_title, &option_width, COLOR_OPTIONS),
    .examples = EXAMPLES("carbon plot old.json new.json", "carbon plot samples.csv run.json -o power.svg"),
    .run = run_plot,
    .example = "carbon measure --json result.json -- sleep 1 && carbon plot result.json",
    OPERANDS(1, -1, OPERAND_FILE),
    .about = "Draw the energy of records (JSON) as bars with their intervals, or the power over time of a time series "
             "(CSV) with the baseline and the runs of its record.",
};
