/* SPDX-License-Identifier: MIT
 * A profile for people: functions, threads or libraries, the largest first, and what no sample saw: all rows add up to
 * the job's own energy. */
#include "commands/profile/profile.h"

#include "base/c_locale.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "result/own_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct interval profile_range_j(const struct profile *profile, int64_t nj, uint64_t samples)
{
    const struct interval part = tally_part(samples, profile->tally.samples);
    const double per_part_j =
        samples ? j_from_nj(nj) * (double)profile->tally.samples / (double)samples : NAN; /* J of all like these */

    if (!profile->tally.known || isnan(per_part_j))
        return (struct interval){ NAN, NAN };
    if (per_part_j < 0)
        return (struct interval){ part.high * per_part_j, part.low * per_part_j };
    return (struct interval){ part.low * per_part_j, part.high * per_part_j };
}

const char *profile_title(const struct profile *profile)
{
    return profile->report->target ? profile->report->target : profile->report->command[0];
}

const char *profile_thread_name(const struct profile *profile, uint32_t thread)
{
    const char *name = profile->sampler->processes.threads[thread].name;

    return name[0] ? name : "[unnamed]";
}

const char *profile_phase_name(const struct profile *profile, uint32_t phase)
{
    const struct measurement *measurement = profile->report->measurement;
    const struct phases *phases = measurement->run_count ? measurement->runs[0].phases : NULL;

    return phases && phase < phases->count ? phases->items[phase].name : PHASE_BEFORE;
}

double profile_part(const struct profile *profile, int64_t nj, uint64_t samples)
{
    if (profile->tally.known && profile->tally.own_nj)
        return 100.0 * (double)nj / (double)profile->tally.own_nj;
    return 100.0 * (double)samples / (double)profile->tally.samples;
}

static void write_energy(FILE *out, const struct profile *profile, int64_t nj)
{
    char text[UNITS_SIZE];

    cell_write(out, 9, profile->tally.known ? units_energy(j_from_nj(nj), text) : "unknown");
}

/* All but the name. */
static void write_figures(const struct profile *profile, const struct tally_share *share, FILE *out)
{
    const double own_j = profile->tally.known ? j_from_nj(share->own_nj) : NAN;
    const struct interval range = profile_range_j(profile, share->own_nj, share->own_samples);
    char low[UNITS_SIZE], high[UNITS_SIZE], text[2 * UNITS_SIZE + 8];

    write_energy(out, profile, share->own_nj);
    c_snprintf(text, sizeof text, "%.1f", profile_part(profile, share->own_nj, share->own_samples));
    cell_write(out, 7, text);
    snprintf(text, sizeof text, "%s to %s", units_energy(range.low, low), units_energy(range.high, high));
    cell_write(out, 22, !share->own_samples ? "" : isnan(range.low) ? "unknown" : text);
    cell_write(out, 9, units_power(own_j / profile->duration_s, text));
    cell_write(out, 13, units_mass(own_j * profile->kgco2eq_per_j, text));
    snprintf(text, sizeof text, "%llu", (unsigned long long)share->own_samples);
    cell_write(out, 8, text);
    write_energy(out, profile, share->total_nj);
    fputs("  ", out);
}

/* Of a name that a program has given nothing reaches the terminal but letters. */
static void write_name(FILE *out, const char *name)
{
    enum { NAME_LENGTH_MAX = 100 };

    for (size_t i = 0; name[i] && (i < NAME_LENGTH_MAX || ((unsigned char)name[i] & 0xc0) == 0x80); i++)
        fputc((unsigned char)name[i] < ' ' || name[i] == 127 ? '?' : name[i], out);
}

static void write_rest(const struct profile *profile, const char *what, int64_t nj, FILE *out)
{
    char text[UNITS_SIZE];

    write_energy(out, profile, nj);
    c_snprintf(text, sizeof text, "%.1f", profile_part(profile, nj, 0));
    cell_write(out, 7, text);
    cell_write(out, 22, "");
    cell_write(out, 9, units_power(j_from_nj(nj) / profile->duration_s, text));
    cell_write(out, 13, units_mass(j_from_nj(nj) * profile->kgco2eq_per_j, text));
    fprintf(out, "%*s  %s\n", 8 + 9, "", what);
}

static const struct tally_rows *rows_by(const struct profile *profile, enum profile_by by)
{
    const struct tally *tally = &profile->tally;

    return by == BY_PHASE     ? &tally->phases
           : by == BY_THREAD  ? &tally->threads
           : by == BY_LIBRARY ? &tally->libraries
                              : &tally->functions;
}

static void write_item(const struct profile *profile, enum profile_by by, uint32_t item, FILE *out)
{
    const struct thread *thread = &profile->sampler->processes.threads[by == BY_THREAD ? item : 0];
    const struct function *function = &profile->symbols->functions[by == BY_THREAD || by == BY_PHASE ? 0 : item];

    if (by == BY_PHASE) {
        write_name(out, profile_phase_name(profile, item));
    } else if (by == BY_THREAD) {
        write_name(out, profile_thread_name(profile, item));
        if (thread->pid)
            fprintf(out, " (process %d, thread %d)", (int)thread->pid, (int)thread->tid);
    } else if (by == BY_LIBRARY) {
        write_name(out, function->library);
    } else {
        write_name(out, function->name);
        fputs(" (", out);
        write_name(out, function->library);
        fputc(')', out);
    }
    fputc('\n', out);
}

/* What is not shown, in one row; its energy with callees would count twice. */
static void write_others(const struct profile *profile, const struct tally_rows *rows, size_t shown, FILE *out)
{
    struct tally_share sum = { 0, 0, 0, 0 };
    char what[64];

    for (size_t i = shown; i < rows->count; i++)
        sum.own_nj += rows->items[i].share.own_nj;
    snprintf(what, sizeof what, "%zu more (--top 0: all)", rows->count - shown);
    write_rest(profile, what, sum.own_nj, out);
}

static void write_head(const struct profile *profile, FILE *out)
{
    const struct report *report = profile->report;
    char duration[UNITS_SIZE], energy[UNITS_SIZE], line[512];
    struct text own;

    text_open(&own, 4096);
    own_text(report, &own);
    fputs(profile_title(profile), out);
    fprintf(out, "    %s, own %s\n", units_duration(profile->duration_s, duration),
            profile->tally.known ? units_energy(j_from_nj(profile->tally.own_nj), energy) : "unknown");
    if (text_ok(&own) && own.data)
        paragraph_write(out, "  own      ", own.data);
    text_close(&own);
    c_snprintf(line, sizeof line,
               "%llu at %.6g Hz (%s), %llu of them in the kernel, %llu lost; stacks by %s; energy %s",
               (unsigned long long)profile->sampler->samples, profile->frequency_hz, profile->event,
               (unsigned long long)profile->sampler->kernel_samples, (unsigned long long)profile->sampler->lost_records,
               profile->stack_bytes ? "DWARF" : "frame pointers",
               !profile->tally.known        ? "unknown: % is of samples"
               : profile->within == OWN_NET ? "of each interval by the meter"
                                            : "equal for all samples");
    paragraph_write(out, "  samples  ", line);
}

bool profile_table(const struct profile *profile, const struct profile_style *style, FILE *out, struct error *err)
{
    static const char *const titles[] = { "function (library)", "thread", "library", "phase" };
    const struct tally_rows *rows = rows_by(profile, style->by);
    const size_t shown = style->max && style->max < rows->count ? style->max : rows->count;

    write_head(profile, out);
    fprintf(out, "\n%9s%7s%22s%9s%13s%8s%9s  %s\n", "own", "%", "95 % range", "power", "emissions", "samples",
            "callees", titles[style->by]);
    for (size_t i = 0; i < shown; i++) {
        write_figures(profile, &rows->items[i].share, out);
        write_item(profile, style->by, rows->items[i].item, out);
    }
    if (profile->tally.known) {
        if (shown < rows->count)
            write_others(profile, rows, shown, out);
        write_rest(profile, "no sample: not on a CPU, or too briefly", profile->tally.unseen_nj, out);
        if (profile->tally.concurrent_nj)
            write_rest(profile, "graphics cards: their work is not sampled", profile->tally.concurrent_nj, out);
        write_rest(profile, "all", profile->tally.own_nj, out);
    }
    notices_text(out, profile->notices, "", style->colour);
    return !ferror(out) || error_errno(err, "cannot write the profile");
}

bool profile_annotate(const struct profile *profile, const char *function, FILE *out, struct error *err)
{
    size_t count;
    struct tally_line *lines = tally_lines(profile->sampler, profile->symbols, &profile->weights, function, &count);
    const char *file = NULL;

    if (!lines) {
        error_set(err, ERROR_ABSENT, "function '%.100s' has no samples of its own", function);
        return error_fix(err, "--annotate with a function of the table, its first column");
    }
    fprintf(out, "\n%9s%7s%8s  ", "own", "%", "samples");
    write_name(out, function);
    fputs(" by line of source\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct tally_share *share = &lines[i].share;
        char text[32];
        if (lines[i].file && (!file || strcmp(file, lines[i].file) != 0)) {
            file = lines[i].file;
            fputs("  ", out);
            write_name(out, file);
            fputc('\n', out);
        }
        write_energy(out, profile, share->own_nj);
        c_snprintf(text, sizeof text, "%.1f", profile_part(profile, share->own_nj, share->own_samples));
        cell_write(out, 7, text);
        if (lines[i].file)
            fprintf(out, "%8llu  line %u\n", (unsigned long long)share->own_samples, lines[i].line);
        else
            fprintf(out, "%8llu  line unknown: no debug information\n", (unsigned long long)share->own_samples);
    }
    free(lines);
    return !ferror(out) || error_errno(err, "cannot write the profile");
}
