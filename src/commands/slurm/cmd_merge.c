/* SPDX-License-Identifier: MIT
 * carbon merge: the records of a job's nodes and tasks as one result. */
#include "app/options/command.h"

#include "app/result_forms.h"
#include "app/terminal.h"
#include "commands/slurm/merge.h"
#include "form/notices_text.h"
#include "run/environment.h"
#include "run/privileges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct option_spec option_nodes =
    OPTION(COUNT, "Job", "nodes", .argument = "<n>", .cli_only = true, .min = 1, .max = 1e6,
           .help = "how many nodes it had, where the records do not say so");

static bool print_merge(const struct merge *merge, const struct settings *settings, struct error *err)
{
    struct result_forms forms = { .settings = settings };

    RESULT_FORMS_WRITE(forms, merge_json, merge_csv, merge, err);
    if (forms.failed)
        return false;
    if (!forms.on_stdout)
        merge_text(merge, stdout);
    notices_text(stderr, &merge->notices, "", terminal_colour(settings, stderr));
    return true;
}

static bool merge_records(struct merge *merge, const struct command_line *line, struct error *err)
{
    const double nodes = settings_number(&line->settings, &option_nodes);

    for (int i = 0; i < line->operand_count; i++)
        if (!merge_read(merge, line->operands[i], err))
            return false;
    return merge_finish(merge, isnan(nodes) ? 0 : (int64_t)nodes, err) && print_merge(merge, &line->settings, err);
}

static int run_merge(const struct command_line *line)
{
    struct environment environment = { .variables = NULL };
    struct merge *merge = calloc(1, sizeof *merge);
    int status = EXIT_SUCCESS;
    struct error err;

    if (!merge)
        error_errno(&err, "cannot merge");
    if (!merge || !privileges_drop(&environment, &err) || !merge_records(merge, line, &err))
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
    if (merge)
        merge_close(merge);
    free(merge);
    environment_close(&environment);
    return terminal_finish_stdout(status);
}

COMMAND(cmd_merge) = {
    .name = "merge",
    .purpose = "one result of the records of a job's nodes",
    .synopsis = "[options] record ...",
    .options = OPTIONS(&option_nodes, RESULT_OPTIONS, COLOR_OPTIONS),
    .examples = EXAMPLES("carbon merge run-*.json", "carbon merge --nodes 2 --json job.json run-n1.json run-n2.json"),
    .schemas = SCHEMAS(&merge_schema),
    .run = run_merge,
    .prints_page = true,
    .example = "carbon measure --json result.json -- sleep 1 && carbon merge result.json",
    OPERANDS(1, -1, OPERAND_FILE),
    .about = "Add up the records of 'carbon measure' on the nodes of one job, each node's energy once, and report "
             "missing ones.",
};
