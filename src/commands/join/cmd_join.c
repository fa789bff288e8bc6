/* SPDX-License-Identifier: MIT
 * carbon join: a record's energy on the rows of the benchmark tool that it measured. */
#include "app/options/command.h"

#include "app/ci_options.h"
#include "app/result_forms.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/utf8.h"
#include "commands/join/join.h"
#include "result/stored/record_load.h"
#include "run/privileges.h"

#include <math.h>
#include <stdlib.h>

/* What one call works with. */
struct joining {
    struct environment environment;
    struct loaded_record record;
    struct benchmarks benchmarks;
    struct join join;
    struct ci_files ci; /* given to ci_close */
};

static bool write_forms(const struct join *join, const struct settings *settings, struct error *err)
{
    const struct table_style style = style_of(settings, stdout);
    struct result_forms forms = { .settings = settings };

    while (result_forms_next(&forms, err)) {
        bool written = true;

        if (forms.is_json)
            written = document_json(&join_schema, join, forms.out, "the joined rows", err);
        else
            join_csv(join, forms.out);
        result_forms_end(&forms, written, err);
    }
    if (!forms.failed && !forms.on_stdout)
        join_text(join, &style, stdout);
    return !forms.failed;
}

static void set_ci_row(const struct join *join, const struct join_row *row, struct ci_row *ci)
{
    *ci = (struct ci_row){ .figure = figure_name(join->figure),
                           .quality = join->quality,
                           .runs = join->report->summary.runs,
                           .energy_j = row->j_per_operation,
                           .deviation_j = NAN,
                           .kgco2eq = row->kgco2eq_per_operation,
                           .duration_s = row->s_per_operation,
                           .units = 1,
                           .unit = "operation",
                           .see_kwh = row->see_kwh_per_operation,
                           .sci_kgco2eq = row->sci_kgco2eq_per_operation };
    utf8_printable(ci->name, sizeof ci->name, row->name);
}

static int write_ci(struct joining *work, int status)
{
    const struct join *join = &work->join;
    struct ci_row *rows;
    struct error err;

    if (!ci_is_wanted(&work->ci))
        return status;
    rows = calloc(join->count, sizeof *rows);
    if (!rows)
        return terminal_fail((error_errno(&err, "no memory for %zu rows", join->count), &err), STATUS_CARBON_FAILED);
    for (size_t i = 0; i < join->count; i++)
        set_ci_row(join, &join->rows[i], &rows[i]);
    status = ci_options_write(&work->ci, "carbon join", rows, join->count, status);
    free(rows);
    return status;
}

static int join_and_show(struct joining *work, const struct command_line *line)
{
    struct error err;

    if (!privileges_drop(&work->environment, &err) || !record_load(line->operands[0], &work->record, &err) ||
        !benchmarks_read(line->operands[1], &work->benchmarks, &err) ||
        !ci_options_open(&work->ci, &line->settings, &err) ||
        !join_work_out(&work->join, &work->record.report, &work->benchmarks, &err) ||
        !write_forms(&work->join, &line->settings, &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    return terminal_finish_stdout(write_ci(work, EXIT_SUCCESS));
}

static int run_join(const struct command_line *line)
{
    struct joining *work = calloc(1, sizeof *work);
    struct error err;
    int status;

    if (!work)
        return terminal_fail((error_errno(&err, "cannot join"), &err), STATUS_CARBON_FAILED);
    status = join_and_show(work, line);
    ci_close(&work->ci);
    join_close(&work->join);
    benchmarks_close(&work->benchmarks);
    loaded_record_close(&work->record);
    environment_close(&work->environment);
    free(work);
    return status;
}

COMMAND(cmd_join) = {
    .name = "join",
    .purpose = "energy per operation of each row of a benchmark tool",
    .synopsis = "[options] record.json results",
    .options = OPTIONS(RESULT_OPTIONS, &option_ci, COLOR_OPTIONS),
    .examples = EXAMPLES("carbon join run.json bench.json", "carbon join run.json target/criterion --csv rows.csv",
                         "carbon join run.json jmh-result.json --ci dashboard=rows.json"),
    .run = run_join,
    .prints_page = true,
    OPERANDS(2, 2, OPERAND_FILE),
    .schemas = SCHEMAS(&join_schema),
    .about = "Join the energy of a record to the rows that the measured benchmark tool wrote: hyperfine, "
             "pytest-benchmark, Criterion, cargo-criterion or JMH.",
};
