/* SPDX-License-Identifier: MIT
 * carbon report-bug: what is needed to find a fault, in one file. */
#include "app/options/command.h"

#include "app/terminal.h"
#include "app/version.h"
#include "base/clock.h"
#include "base/text.h"
#include "commands/bug/bug.h"
#include "form/output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEFT_OUT                                                                                                       \
    "Excluded: keys, tokens and passwords; names of this host and user (HOST, USER, ~); serial numbers and UUIDs; "    \
    "output\nand arguments of a job; records of the ledger.\n"

/* "carbon-bug-20261130-131500.tar.gz" */
static void default_name(char *out, size_t size)
{
    char now[CLOCK_TEXT_SIZE];
    size_t digits = 0;

    clock_text(clock_realtime_ns(), now);
    for (const char *c = now; *c && *c != '.'; c++)
        if (*c >= '0' && *c <= '9')
            now[digits++] = *c;
    now[digits] = '\0';
    snprintf(out, size, BUG_FOLDER "-%.8s-%.6s.tar.gz", now, now + 8);
}

/* The user's command as the report tells it: of a job its name alone. */
static void add_command(const struct bug *bug, char *const *words, FILE *out)
{
    struct text line;
    size_t i = 0;

    text_open(&line, 1 << 16);
    text_add(&line, "The command: carbon");
    for (; words[i] && strcmp(words[i], "--") != 0; i++)
        text_add(&line, " %s", words[i]);
    if (words[i] && words[i + 1]) {
        text_add(&line, " -- %s", words[i + 1]);
        if (words[i + 2])
            text_add(&line, " (its other words are left out)");
    }
    if (text_ok(&line))
        scrub_line(&bug->scrub, line.data, out);
    text_close(&line);
}

static bool write_about(const struct bug *bug, char *const *words, struct error *err)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    bool written;

    if (!out)
        return error_errno(err, "no memory for the report");
    fprintf(out, "A report of a fault in carbon %s.\n\n", version_number());
    for (size_t i = 0; bug_parts[i].name; i++)
        fprintf(out, "%-14s %s\n", bug_parts[i].name, bug_parts[i].holds);
    fprintf(out, "%-14s %s\n%-14s %s\n", "sources.json", "the energy sources for programs", "machine/",
            "this machine's files, for 'carbon sources --root machine'");
    if (words[0]) {
        fprintf(out, "%-14s %s\n\n", "command.txt", "output of carbon for the command");
        add_command(bug, words, out);
    }
    fputs("\n" LEFT_OUT, out);
    written = fclose(out) == 0 ? bug_write(bug, "README.txt", text, err) : error_errno(err, "no memory for the report");
    free(text);
    return written;
}

static bool find_self(struct bug *bug, struct error *err)
{
    const ssize_t length = readlink("/proc/self/exe", bug->self, sizeof bug->self - 1);

    if (length < 0 || (size_t)length == sizeof bug->self - 1)
        return error_set(err, ERROR_SYSTEM, "carbon cannot find its own program in /proc/self/exe");
    bug->self[length] = '\0';
    return true;
}

static bool make(struct bug *bug, char *const *words, const char *path, int *status, struct error *err)
{
    const size_t length = strlen(path);
    const bool plain = length > 4 && strcmp(path + length - 4, ".tar") == 0;
    struct output output;

    if (!output_open(&output, path, err))
        return false;
    if (!bug_collect(bug, err) || (words[0] && !bug->interrupted && !bug_collect_command(bug, words, status, err)) ||
        !write_about(bug, words, err)) {
        output_keep_partial(&output, NULL, 0);
        return false;
    }
    if (bug->interrupted) {
        output_keep_partial(&output, NULL, 0);
        return error_set(err, ERROR_SYSTEM, "the report was interrupted; nothing was written");
    }
    return output_end(&output, bug_archive(bug, plain, output.file, err), err);
}

static void print_summary(const char *path, char *const *words, int status)
{
    printf("written to '%s':\n", path);
    for (size_t i = 0; bug_parts[i].name; i++)
        printf(" %-14s %s\n", bug_parts[i].name, bug_parts[i].holds);
    printf(" %-14s %s\n", "machine/", "this machine's files, without serial numbers");
    if (words[0])
        printf(" %-14s what carbon said of the command, which ended with status %d\n", "command.txt", status);
    printf("\n" LEFT_OUT "Have a look before you send it: tar -xf '%s'\n", path);
}

static int run_report_bug(const struct command_line *line)
{
    char *none[] = { NULL }, name[64];
    char **words = line->operand_count > 1 ? line->operands + 1 : none;
    const char *path = line->operand_count ? line->operands[0] : name;
    struct bug bug = { .root = settings_text(&line->settings, &option_root), .shown = stderr };
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error err;
    int status = 0;
    bool made;

    inherited_signals_read(&bug.signals);
    signal(SIGPIPE, SIG_IGN);
    default_name(name, sizeof name);
    scrub_open(&bug.scrub);
    made = find_self(&bug, &err) && work_folders_open(&bug.folders, NULL, &err);
    if (made) {
        made = make(&bug, words, path, &status, &err);
        work_folders_close(&bug.folders, &notices);
    }
    terminal_tell_all(&line->settings, &notices);
    if (!made)
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    if (strcmp(path, "-") != 0)
        print_summary(path, words, status);
    return terminal_finish_stdout(EXIT_SUCCESS);
}

const struct command cmd_report_bug = {
    .name = "report-bug",
    .purpose = "put what is needed to find a fault into one file",
    .synopsis = "[options] [file [carbon's arguments]]",
    .options = OPTIONS(&option_root, HELP_OPTIONS),
    .examples = EXAMPLES("carbon report-bug", "carbon report-bug bug.tar.gz measure --zone FR -- ./job"),
    .run = run_report_bug,
    .prints_page = true,
    OPERANDS(0, -1, OPERAND_FILE_AND_COMMAND),
    .runs_command = true,
    .about = "Write versions, settings, energy sources, the factor in use, the files of 'carbon record' and the "
             "--debug output into one file for a bug report; with carbon's arguments after the file, also the output "
             "of carbon with these. It has no keys or passwords, and no names of hosts or users.",
};
