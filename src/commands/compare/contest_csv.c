/* SPDX-License-Identifier: MIT
 * A comparison as a table: one row for each pair, the same columns always. */
#include "config.h"

#include "commands/compare/contest.h"

#include "base/clock.h"
#include "base/csv.h"
#include "form/shell.h"
#include "result/verdict_text.h"

#include <inttypes.h>
#include <math.h>

static void write_time(const struct contest *contest, uint64_t realtime_ns, FILE *out)
{
    char text[CLOCK_TEXT_SIZE];

    (void)contest;
    fprintf(out, ",%s", realtime_ns ? clock_text(realtime_ns, text) : "");
}

static void write_text(const char *text, FILE *out)
{
    fputc(',', out);
    csv_write_field(out, text);
}

static void write_number(double value, FILE *out)
{
    char number[TEXT_NUMBER_SIZE];

    fprintf(out, ",%s", isfinite(value) ? text_number(value, number) : "");
}

static void write_count(size_t count, FILE *out)
{
    if (count)
        fprintf(out, ",%zu", count);
    else
        fputc(',', out);
}

#define DIFFERENCE(name)                                                                                               \
    "," name "_difference," name "_low," name "_high," name "_percent," name "_percent_low," name                      \
    "_percent_high," name "_freedom," name "_t," name "_p," name "_hedges_g," name "_detectable," name                 \
    "_detectable_percent," name "_runs_needed"
#define CONTENDER(name)                                                                                                \
    "," name "," name "_id," name "_command," name "_complete," name "_runs," name "_duration_s," name                 \
    "_duration_s_deviation," name "_gross_j," name "_gross_j_deviation," name "_idle_j," name                          \
    "_idle_j_deviation," name "_net_j," name "_net_j_deviation"

#define OWN(name) "," name "_own_j," name "_own_j_deviation," name "_own_method"

static const char header[] = "schema,started_at,ended_at,order,seed" CONTENDER("a")
    CONTENDER("b") ",scope,quality,sources,compared,verdict,sentence" DIFFERENCE("energy_j") DIFFERENCE("power_w")
        DIFFERENCE("duration_s") DIFFERENCE("kgco2eq") ",p_holm,carbon_version,notices" OWN("a") OWN("b") "\n";

static void write_spread(const struct spread *spread, FILE *out)
{
    write_number(spread->mean, out);
    write_number(spread->count > 1 ? spread->deviation : NAN, out);
}

static void write_contender(const struct contender *contender, FILE *out)
{
    struct text command;

    text_open(&command, SIZE_MAX);
    shell_command(contender->command, &command);
    write_text(contender->name, out);
    write_text(contender->id, out);
    write_text(command.data ? command.data : "", out);
    fprintf(out, ",%s,%zu", contender->complete ? "true" : "false", contender->series.count);
    write_spread(&contender->duration_s, out);
    write_spread(&contender->gross_j, out);
    write_spread(&contender->idle_j, out);
    write_spread(&contender->net_j, out);
    text_close(&command);
}

static void write_own(const struct contender *contender, FILE *out)
{
    write_spread(&contender->own_j, out);
    write_text(own_method_name(contender->series.own_method), out);
}

static void write_difference(const struct difference *difference, FILE *out)
{
    const struct welch *welch = &difference->welch;
    const double values[] = {
        welch->difference,
        welch->low,
        welch->high,
        difference->percent,
        difference->percent_low,
        difference->percent_high,
        welch->freedom,
        welch->t,
        welch->p,
        welch->hedges_g,
        welch->detectable,
        difference->detectable_percent,
    };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        write_number(values[i], out);
    write_count(difference->runs_needed, out);
}

static void write_notices(const struct notices *notices, FILE *out)
{
    struct text text;

    text_open(&text, SIZE_MAX);
    for (size_t i = 0; i < notices->count; i++)
        text_add(&text, "%s%s", i ? "; " : "", notices->item[i].what);
    write_text(text.data ? text.data : "", out);
    text_close(&text);
}

static void write_row(const struct contest *contest, const struct pair *pair, FILE *out)
{
    const enum quality qualities[] = { pair->a->series.quality, pair->b->series.quality };
    struct text sentence;

    text_open(&sentence, SIZE_MAX);
    verdict_text_comparison(&pair->comparison, pair->a->name, pair->b->name, &sentence);
    fputs(COMPARISON_SCHEMA, out);
    write_time(contest, contest->started_realtime_ns, out);
    write_time(contest, contest->ended_realtime_ns, out);
    fprintf(out, ",%s,", contest->order ? contest->order : "");
    if (contest->seeded)
        fprintf(out, "%" PRIu64, contest->seed);
    write_contender(pair->a, out);
    write_contender(pair->b, out);
    write_text(scope_name(pair->a->scope), out);
    write_text(quality_name(qualities[qualities[1] > qualities[0]]), out);
    write_text(pair->a->sources, out);
    write_text(figure_name(pair->comparison.compared), out);
    write_text(verdict_name(pair->comparison.verdict), out);
    write_text(sentence.data ? sentence.data : "", out);
    write_difference(&pair->energy_j, out);
    write_difference(&pair->power_w, out);
    write_difference(&pair->duration_s, out);
    write_difference(&pair->kgco2eq, out);
    write_number(pair->p_holm, out);
    write_text(PACKAGE_VERSION, out);
    write_notices(&contest->doubts, out);
    write_own(pair->a, out);
    write_own(pair->b, out);
    fputc('\n', out);
    text_close(&sentence);
}

bool contest_csv_write(const struct contest *contest, FILE *out, struct error *err)
{
    fputs(header, out);
    for (size_t i = 0; i < contest->pair_count; i++)
        write_row(contest, &contest->pairs[i], out);
    return !ferror(out) || error_errno(err, "cannot write the comparison");
}
