/* SPDX-License-Identifier: MIT
 * A profile as a page: the answer, functions as bars and in a table, threads, libraries and phases, and notices. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "commands/profile/profile.h"

#include "base/c_locale.h"
#include "base/units.h"
#include "form/html.h"
#include "result/own_text.h"

#include <inttypes.h>
#include <math.h>

enum { BARS_SHOWN_MAX = 15, ROWS_SHOWN_MAX = 200, SENTENCE_SIZE = 1024 };

static const struct profile *profile_of(const void *subject)
{
    return subject;
}

static const char *function_name(const struct profile *profile, uint32_t item)
{
    return profile->symbols->functions[item].name;
}

/* Which function uses most; the rows are sorted by that. */
static void write_conclusion(FILE *out, const struct profile *profile)
{
    const struct tally_row *row = profile->tally.functions.items;
    char largest[UNITS_SIZE], own[UNITS_SIZE], sentence[SENTENCE_SIZE];
    struct profile_share share;

    if (!profile->tally.known || !profile->tally.functions.count || !row->share.own_samples)
        return;
    share = profile_share_of(profile, &row->share);
    c_snprintf(sentence, sizeof sentence, "'%.512s' uses most: %s of the %s of the job (%.0f %%)",
               function_name(profile, row->item), units_energy(share.own_j, largest),
               units_energy(j_from_nj(profile->tally.own_nj), own),
               profile_part(profile, row->share.own_nj, share.own_samples));
    html_conclusion(out, sentence);
}

static void write_answer(FILE *out, const void *subject)
{
    const struct profile *profile = profile_of(subject);
    const struct sampler *sampler = profile->sampler;
    struct text own;

    text_open(&own, 4096);
    write_conclusion(out, profile);
    own_text(profile->report, &own);
    html_terms(out);
    html_term_open(out, "own energy");
    if (profile->tally.known)
        html_figure(out, units_energy, j_from_nj(profile->tally.own_nj), "energy.own_j");
    else
        html_text(out, "unknown");
    html_term_end(out);
    html_term(out, "method", text_ok(&own) ? own.data : NULL);
    html_term_open(out, "duration");
    html_figure(out, units_duration, profile->duration_s, "energy.duration_s");
    html_term_end(out);
    html_term_open(out, "samples");
    html_words(out, "%" PRIu64 " at %.6g Hz (%s), %" PRIu64 " of them in the kernel, %" PRIu64 " lost; stacks by %s",
               sampler->samples, profile->frequency_hz, profile->event, sampler->kernel_samples, sampler->lost_records,
               profile->stack_bytes ? "DWARF" : "frame pointers");
    html_term_end(out);
    html_terms_end(out);
    text_close(&own);
}

static bool has_notices(const void *subject)
{
    return profile_of(subject)->notices->count > 0;
}

static void write_notices(FILE *out, const void *subject)
{
    html_notices(out, profile_of(subject)->notices);
}

static void write_energy_cell(FILE *out, double energy_j, const char *list, size_t row, const char *field)
{
    html_cell_figure(out, units_energy, energy_j, "%s.%zu.%s", list, row, field);
}

/* How the rows of a table are called: as in the document, and for people. */
struct html_profile_table {
    const char *list, *caption, *first_column;
    const struct tally_rows *rows;
    const char *(*name)(const struct profile *profile, uint32_t item);
    bool whole; /* with range, power, emissions and callees */
};

static void write_row(FILE *out, const struct profile *profile, const struct html_profile_table *table, size_t row)
{
    const struct tally_row *of = &table->rows->items[row];
    const struct profile_share share = profile_share_of(profile, &of->share);

    html_row(out, table->name(profile, of->item));
    write_energy_cell(out, share.own_j, table->list, row, "own_j");
    html_cell_open(out);
    html_words(out, "%.1f", profile_part(profile, of->share.own_nj, share.own_samples));
    html_cell_end(out);
    html_cell_figure(out, NULL, (double)share.own_samples, "%s.%zu.own_samples", table->list, row);
    if (table->whole) {
        write_energy_cell(out, share.range.low, table->list, row, "own_low_j");
        write_energy_cell(out, share.range.high, table->list, row, "own_high_j");
        html_cell_figure(out, units_power, share.own_w, "%s.%zu.own_w", table->list, row);
        html_cell_figure(out, units_mass, share.own_kgco2eq, "%s.%zu.own_kgco2eq", table->list, row);
        write_energy_cell(out, share.total_j, table->list, row, "total_j");
    }
    html_row_end(out);
}

static void write_table(FILE *out, const struct profile *profile, const struct html_profile_table *table)
{
    const char *const columns[] = {
        table->first_column, "own",          "%", "samples", table->whole ? "95 % from" : NULL, "to", "power",
        "emissions",         "with callees", NULL
    };
    const size_t count = table->rows->count;

    html_table(out, table->caption, columns, table->whole ? 8 : 3);
    for (size_t i = 0; i < count && i < ROWS_SHOWN_MAX; i++)
        write_row(out, profile, table, i);
    html_table_end(out);
    if (count > ROWS_SHOWN_MAX) {
        fputs("<p>", out);
        html_words(out, "and %zu more, in the JSON document", count - ROWS_SHOWN_MAX);
        fputs("</p>\n", out);
    }
}

static const char *library_name(const struct profile *profile, uint32_t item)
{
    return profile->symbols->functions[item].library;
}

static void write_bars(FILE *out, const struct profile *profile)
{
    const struct tally_rows *rows = &profile->tally.functions;
    struct html_bar items[BARS_SHOWN_MAX];
    char shown[BARS_SHOWN_MAX][UNITS_SIZE];
    size_t count = 0;

    for (; count < rows->count && count < BARS_SHOWN_MAX && rows->items[count].share.own_samples; count++) {
        const struct profile_share share = profile_share_of(profile, &rows->items[count].share);
        items[count] = (struct html_bar){
            .label = function_name(profile, rows->items[count].item),
            .shown = units_energy(share.own_j, shown[count]),
            .value = share.own_j,
            .part = NAN,
            .low = share.range.low,
            .high = share.range.high,
        };
    }
    if (count && profile->tally.known)
        html_bars(out, &(struct html_bars){ .title = "Own energy of the largest functions",
                                            .value = "own energy",
                                            .doubt = "95 % range, by the number of samples",
                                            .units = units_energy,
                                            .bars = items,
                                            .count = count });
}

/* Rows that with the functions add up to the job's own energy. */
static void write_rest(FILE *out, const char *name, int64_t nj, const char *place)
{
    html_term_open(out, name);
    html_figure(out, units_energy, j_from_nj(nj), "%s", place);
    html_term_end(out);
}

static void write_functions(FILE *out, const void *subject)
{
    const struct profile *profile = profile_of(subject);

    write_bars(out, profile);
    write_table(out, profile,
                &(struct html_profile_table){ "functions", "own energy of each function", "function",
                                              &profile->tally.functions, function_name, true });
    if (!profile->tally.known)
        return;
    html_terms(out);
    write_rest(out, "intervals without a sample", profile->tally.unseen_nj, "energy.unseen_j");
    if (profile->tally.concurrent_nj)
        write_rest(out, "graphics cards", profile->tally.concurrent_nj, "energy.gpu_j");
    html_terms_end(out);
}

static void write_threads(FILE *out, const void *subject)
{
    const struct profile *profile = profile_of(subject);

    write_table(out, profile,
                &(struct html_profile_table){ "threads", "own energy of each thread", "thread", &profile->tally.threads,
                                              profile_thread_name, true });
}

static void write_libraries(FILE *out, const void *subject)
{
    const struct profile *profile = profile_of(subject);

    write_table(out, profile,
                &(struct html_profile_table){ "libraries", "own energy in each library", "library",
                                              &profile->tally.libraries, library_name, false });
}

static bool has_phases(const void *subject)
{
    return profile_of(subject)->report->measurement->marks != NULL;
}

static void write_phases(FILE *out, const void *subject)
{
    const struct profile *profile = profile_of(subject);

    write_table(out, profile,
                &(struct html_profile_table){ "phases", "own energy in each phase", "phase", &profile->tally.phases,
                                              profile_phase_name, false });
}

bool profile_html(const struct profile *profile, FILE *out, struct error *err)
{
    static const struct html_section sections[] = {
        { "answer", "Result", NULL, write_answer },       { "functions", "Functions", NULL, write_functions },
        { "threads", "Threads", NULL, write_threads },    { "libraries", "Libraries", NULL, write_libraries },
        { "phases", "Phases", has_phases, write_phases }, { "notices", "Notices", has_notices, write_notices },
    };
    const struct html_head head = {
        .title = profile_title(profile),
        .kind = "carbon profile",
        .about = profile->report->label ? profile->report->label : "",
        .made = "written by carbon " PACKAGE_VERSION,
    };

    html_page(out, &head, sections, sizeof sections / sizeof sections[0], profile);
    return !ferror(out) || error_errno(err, "cannot write the page");
}
