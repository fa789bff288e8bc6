/* SPDX-License-Identifier: MIT
 * Asking sacct, or reading what it has said. */
#include "commands/slurm/slurm_work.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "io/text_file.h"
#include "run/environment.h"
#include "run/side_command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_BYTES = 256 << 20 };

const struct option_spec option_sacct = OPTION(FILE, "Job", "sacct", .argument = "<file>", .cli_only = true,
                                               .help = "read sacct output from a file; '-' is standard input");

static bool day_of(const char *text, struct tm *day)
{
    *day = (struct tm){ .tm_isdst = -1 };
    if (sscanf(text, "%4d-%2d-%2d", &day->tm_year, &day->tm_mon, &day->tm_mday) != 3)
        return false;
    day->tm_year -= 1900;
    day->tm_mon--;
    return mktime(day) >= 0;
}

static bool check_day(const char *text, struct error *err)
{
    struct tm day;
    uint64_t realtime_s;

    if (strlen(text) == strlen("2026-11-28") && clock_of_iso_text(text, &realtime_s) && day_of(text, &day))
        return true;
    error_set(err, ERROR_USAGE, "'%.40s' is not a day", text);
    return error_fix(err, "2026-11-28");
}

const struct option_spec option_sacct_date =
    OPTION(TEXT, "Job", "date", .argument = "<day>", .check = check_day, .sample = "2026-11-28", .cli_only = true,
           .help = "day on which sacct printed the file, for relative times (Ystday 20:13)");

bool slurm_is_of(const struct sacct_row *row, const char *asked)
{
    const char *const ids[] = { row->id, row->raw };
    const size_t length = strlen(asked);

    for (size_t i = 0; i < 2; i++)
        if (strncmp(ids[i], asked, length) == 0 && (!ids[i][length] || strchr("._+", ids[i][length])))
            return true;
    return false;
}

/* NULL: the error is in err. */
static char *read_all(int fd, const char *path, struct error *err)
{
    struct text text;
    char bytes[65536];
    ssize_t got;

    text_open(&text, MAX_BYTES);
    while ((got = read(fd, bytes, sizeof bytes)) > 0)
        text_add(&text, "%.*s", (int)got, bytes);
    if (got < 0)
        error_errno(err, "cannot read '%.200s'", path);
    else if (!text_ok(&text))
        error_set(err, ERROR_BAD_DATA, "'%.200s' is too large", path);
    else if (!text.data)
        text_add(&text, "%s", "\n");
    if (got == 0 && text_ok(&text))
        return text.data;
    text_close(&text);
    return NULL;
}

/* What sacct says where it fails. */
static bool refused(char *said, int status, struct error *err)
{
    said[strcspn(said, "\n")] = '\0';
    if (strstr(said, "accounting storage is disabled")) {
        error_set(err, ERROR_ABSENT, "this cluster keeps no accounts of its jobs");
        error_why(err, "%.200s", said);
        return error_fix(err, "measure within the job: srun --ntasks-per-node=1 carbon measure -- ./job");
    }
    if (strstr(said, "ermission denied")) {
        error_set(err, ERROR_DENIED, "sacct does not show this job to this user");
        error_why(err, "%.200s", said);
        return error_fix(err, "run 'carbon slurm' as the user whose job it is");
    }
    error_set(err, ERROR_SYSTEM, "sacct failed with status %d", status);
    error_why(err, "%.120s; away from the cluster --sacct FILE reads saved output",
              *said ? said : "it printed no message");
    return error_fix(err, "carbon help slurm");
}

static bool no_sacct(struct error *err)
{
    error_set(err, ERROR_ABSENT, "sacct not found");
    error_why(err,
              "Slurm's accounting is read by its own program, on the cluster; elsewhere --sacct FILE reads what it "
              "printed there (sacct -P --noconvert --duplicates --format ..., see carbon-slurm(1))");
    return error_fix(err, "carbon help slurm");
}

/* The jobs without their steps, for a step's job has what the step lacks. */
static void list_jobs(char *const *operands, struct text *jobs)
{
    for (size_t i = 0; operands[i]; i++)
        text_add(jobs, "%s%.*s", i ? "," : "", (int)strcspn(operands[i], "."), operands[i]);
}

/* The database of a large cluster takes its time. */
enum { SACCT_MAX_S = 300 };

static char *ask_sacct(const struct command_line *line, struct error *err)
{
    AUTO_CLOSE int fd = memfd_create("sacct", MFD_CLOEXEC);
    AUTO_FREE char **environment = environment_with(environ, (char *)"SLURM_TIME_FORMAT=%s");
    struct side_command_end end = { .exit_status = 0 };
    struct inherited_signals signals;
    struct text jobs;
    char *said = NULL;
    bool ran;

    text_open(&jobs, 1 << 20);
    list_jobs(line->operands, &jobs);
    if (fd < 0 || !environment || !text_ok(&jobs)) {
        text_close(&jobs);
        error_errno(err, "cannot ask sacct");
        return NULL;
    }
    inherited_signals_read(&signals);
    {
        char *const argv[] = {
            (char *)"sacct",
            (char *)"-P",
            (char *)"--noconvert",
            (char *)"--duplicates",
            (char *)"-j",
            jobs.data,
            (char *)"--format=" SACCT_FORMAT,
            NULL,
        };
        const struct side_command_options options = {
            .signals = &signals,
            .argv = argv,
            .environment = environment,
            .limit_s = SACCT_MAX_S,
            .output_fd = fd,
            .alone = true,
        };
        ran = side_command_run(&options, &end, err);
    }
    text_close(&jobs);
    if (ran && end.late) {
        error_set(err, ERROR_SYSTEM, "sacct took longer than %d s and was ended", SACCT_MAX_S);
        error_fix(err, "check its database; or read saved output: --sacct FILE");
        return NULL;
    }
    if (!ran) {
        if (end.exit_status == 127)
            no_sacct(err);
        return NULL;
    }
    if (lseek(fd, 0, SEEK_SET) == 0)
        said = read_all(fd, "sacct", err);
    else
        error_errno(err, "cannot read what sacct says");
    if (said && end.exit_status == 0)
        return said;
    if (said)
        refused(said, end.exit_status, err);
    free(said);
    return NULL;
}

static bool check_operands(const struct command_line *line, struct error *err)
{
    for (int i = 0; i < line->operand_count; i++) {
        const char *text = line->operands[i];

        if (*text < '0' || *text > '9' ||
            text[strspn(text, "0123456789_+.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-")]) {
            error_set(err, ERROR_USAGE, "'%.100s' is not a job number", text);
            return error_fix(err, "123, 123_4 (part of an array), 123.0 or 123.batch (a step)");
        }
    }
    return true;
}

bool slurm_ask(const struct command_line *line, struct sacct_list *list, struct error *err)
{
    const char *path = settings_text(&line->settings, &option_sacct);
    char *text;

    *list = (struct sacct_list){ .text = NULL };
    if (!check_operands(line, err))
        return false;
    if (!path && line->operand_count == 0) {
        error_set(err, ERROR_USAGE, "no job is given");
        return error_fix(err, "carbon slurm JOB; or --sacct FILE for all in it");
    }
    text = !path                    ? ask_sacct(line, err)
           : strcmp(path, "-") == 0 ? text_file_read("/dev/stdin", err)
                                    : text_file_read(path, err);
    return text && sacct_parse(text, path ? path : "sacct", list, err);
}

bool slurm_read_times(struct slurm_work *work, struct error *err)
{
    const char *date = settings_text(work->settings, &option_sacct_date);
    struct tm day;
    const bool known = date && day_of(date, &day);

    if (!sacct_times_read(&work->list, known ? &day : NULL, &work->times, err))
        return false;
    if (*work->times.form)
        notice_add(&work->notices, NOTICE_ASSUMED, "no other form fits all of them and how long the jobs took",
                   "SLURM_TIME_FORMAT=%s sacct ...", "times of sacct read as '%s'", work->times.form);
    return true;
}
