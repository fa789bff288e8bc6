/* SPDX-License-Identifier: MIT
 * carbon verify: recalculates the figures of a record from its contents and compares them. */
#include "app/options/command.h"

#include "app/terminal.h"
#include "base/text.h"
#include "commands/restate/verify.h"
#include "form/output.h"
#include "form/shown.h"
#include "run/privileges.h"

#include <stdlib.h>
#include <string.h>

enum { STATUS_DIFFERS = 1, DIFFERENCES_SHOWN = 20 };

static void print_factor(const struct factor *factor, const struct shipped_factor *state)
{
    char held[UNITS_SIZE], now[UNITS_SIZE];

    units_intensity(factor->kgco2eq_per_kwh, held);
    units_intensity(state->kgco2eq_per_kwh, now);
    switch (state->kind) {
    case FACTOR_NOT_SHIPPED:
        shown_print(stdout, "  factor %s: of no table that carbon ships, taken as it stands\n", held);
        break;
    case FACTOR_AS_SHIPPED: shown_print(stdout, "  factor %s: as %s has it\n", held, factor->table); break;
    case FACTOR_OTHER_VALUE:
        shown_print(stdout, "  factor %s: %s has another value now: %s\n", held, factor->table, now);
        break;
    case FACTOR_GONE:
        shown_print(stdout, "  factor %s: %s has no such row any more (%s, %d, %s, %s)\n", held, factor->table,
                    factor->zone, factor->year, factor_basis_name(factor->basis), factor->source_id);
        break;
    }
}

static void print_verification(const char *path, const struct verification *verification, const struct factor *factor)
{
    char name[512];

    text_copy(name, sizeof name, path);
    if (!verification->count && !verification->near)
        shown_print(stdout, "%s: %zu figures recalculated, all identical\n", name, verification->figures);
    else if (!verification->count)
        shown_print(stdout, "%s: %zu figures recalculated, %zu of them within %d units in the last place\n", name,
                    verification->figures, verification->near, VERIFY_NEAR_ULP);
    else
        shown_print(stdout, "%s: %zu figures differ; these, or their inputs, were changed\n", name,
                    verification->count + verification->left_out);
    for (size_t i = 0; i < verification->count && i < DIFFERENCES_SHOWN; i++)
        shown_print(stdout, "  %s holds %s, comes to %s\n", verification->items[i].path, verification->items[i].held,
                    verification->items[i].again);
    if (verification->count > DIFFERENCES_SHOWN)
        shown_print(stdout, "  and %zu more; --json has them\n",
                    verification->count + verification->left_out - DIFFERENCES_SHOWN);
    print_factor(factor, &verification->state);
    if (verification->unknown)
        shown_print(stdout, "  %zu keys are unknown to this carbon and were not looked at\n", verification->unknown);
}

/* What one call works with. */
struct verify {
    struct loaded_record loaded;
    struct verification verification;
    struct notices newer; /* notices about this record */
    bool text;            /* standard output is for people */
};

/* Returns the status of this record. */
static int verify_one(struct verify *work, const char *path, const struct settings *settings, struct tree_node results)
{
    struct error err;
    int status = STATUS_CARBON_FAILED;

    if (record_load(path, &work->loaded, &err) && verify_record(&work->loaded, &work->verification, &err)) {
        status = verification_is_good(&work->verification) ? EXIT_SUCCESS : STATUS_DIFFERS;
        verify_json_add(results, path, &work->loaded, &work->verification);
        loaded_record_note_newer(&work->loaded, &work->newer);
        terminal_tell_all(settings, &work->newer);
        notices_clear(&work->newer);
        if (work->text)
            print_verification(path, &work->verification, &work->loaded.report.factor);
    } else {
        terminal_fail(&err, status);
    }
    loaded_record_close(&work->loaded);
    return status;
}

static int verify_all(struct verify *work, const struct command_line *line)
{
    const char *json = settings_text(&line->settings, &option_json);
    int status = EXIT_SUCCESS;
    struct tree tree;
    struct tree_node results;
    struct output out;
    struct error err;

    work->text = !json || strcmp(json, "-") != 0;
    if (json && !output_open(&out, json, &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    results = verify_json_open(&tree);
    for (int i = 0; i < line->operand_count; i++) {
        const int one = verify_one(work, line->operands[i], &line->settings, results);
        status = one > status ? one : status;
    }
    if (!json)
        tree_close(&tree);
    else if (!output_end(&out, tree_write(&tree, out.file, "the verification as JSON", &err), &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    return terminal_finish_stdout(status);
}

static int run_verify(const struct command_line *line)
{
    struct verify *work = calloc(1, sizeof *work);
    struct environment environment = { .variables = NULL };
    struct error err;
    int status;

    if (!work)
        error_errno(&err, "cannot verify");
    if (!work || !privileges_drop(&environment, &err))
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
    else
        status = verify_all(work, line);
    environment_close(&environment);
    free(work);
    return status;
}

const struct command cmd_verify = {
    .name = "verify",
    .purpose = "recalculate a record and report differences",
    .synopsis = "[options] record ...",
    .options = OPTIONS(&option_output, &option_json, COLOR_OPTIONS),
    .examples = EXAMPLES("carbon verify run.json", "carbon verify --json - a.json b.json"),
    .run = run_verify,
    .prints_page = true,
    .example = "carbon measure --json result.json -- sleep 1 && carbon verify result.json",
    OPERANDS(1, -1, OPERAND_FILE),
    .schemas = SCHEMAS(&verification_schema),
    .about = "Recalculate every figure of a record (JSON) from its energies and times, to the last digit, and look its "
             "factor up in the table.",
};
