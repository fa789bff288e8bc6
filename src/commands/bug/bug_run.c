/* SPDX-License-Identifier: MIT
 * carbon, run anew, and what it says. */
#include "commands/bug/bug.h"

#include "app/terminal.h"
#include "base/auto.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS = 16, LIMIT_S = 120, STATUS_SIZE = 64 };

/* sources.txt has each driver's answer, factor.txt the rows of the zone that the configuration names. */
const struct bug_part bug_parts[] = {
    { "version.txt", "the version and built-in features", { "--version" }, false },
    { "config.txt", "each setting, and where it comes from", { "config" }, false },
    { "sources.txt",
      "the energy sources and their answers",
      { "sources", "--color", "never", "--debug", "all", "--json", "@sources.json" },
      true },
    { "factor.txt",
      "the emission factor used, and why",
      { "estimate", "--energy", "1kWh", "--color", "never", "--debug", "all" },
      false },
    { "record.txt", "what 'carbon record' took for machine/", { "record", "@machine" }, true },
    { NULL, NULL, { NULL }, false },
};

static bool path_of(const struct bug *bug, const char *name, char path[WORK_PATH_SIZE], struct error *err)
{
    return work_folders_path(&bug->folders, BUG_FOLDER, name, false, path, err);
}

bool bug_write(const struct bug *bug, const char *name, const char *text, struct error *err)
{
    char path[WORK_PATH_SIZE];
    FILE *file;
    bool written;

    if (!path_of(bug, name, path, err))
        return false;
    file = fopen(path, "we");
    written = file && fputs(text, file) >= 0;
    if (file)
        written = fclose(file) == 0 && written;
    return written || error_errno(err, "cannot write '%s'", path);
}

/* Of a line that a command said, whether carbon itself did, and not its job. */
static bool is_carbons(const char *line)
{
    static const char *const begins[] = { TERMINAL_DEBUG, "carbon: ", "   why: ", "   fix: ",
                                          "   try: ",     "  note: ", "  hint: " };

    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncmp(line, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* What was said becomes a file of the report, scrubbed; shown NULL: all of it is carbon's, and nobody is shown it. */
static bool store_output(const struct bug *bug, int said, const char *name, FILE *shown, const char *end,
                         struct error *err)
{
    char path[WORK_PATH_SIZE];
    FILE *in = lseek(said, 0, SEEK_SET) == 0 ? fdopen(dup(said), "r") : NULL, *out;
    AUTO_FREE char *line = NULL;
    size_t size = 0;
    ssize_t length;
    bool stored;

    if (!path_of(bug, name, path, err))
        return false;
    out = fopen(path, "we");
    while (in && out && (length = getline(&line, &size, in)) >= 0) {
        if (shown)
            fwrite(line, 1, (size_t)length, shown);
        line[strcspn(line, "\n")] = '\0';
        if (!shown || is_carbons(line))
            scrub_line(&bug->scrub, line, out);
    }
    if (out && end)
        fputs(end, out);
    stored = in && out && !ferror(in) && !ferror(out);
    if (in)
        fclose(in);
    if (out)
        stored = fclose(out) == 0 && stored;
    return stored || error_errno(err, "cannot write '%s'", path);
}

static bool run(struct bug *bug, char *const *argv, int said, unsigned limit_s, int *status, char end[STATUS_SIZE])
{
    const struct side_command_options options = {
        .signals = &bug->signals, .argv = argv, .limit_s = limit_s, .output_fd = said, .environment = NULL
    };
    struct side_command_end ended;
    struct error err;

    if (!side_command_run(&options, &ended, &err))
        dprintf(said, "carbon: %s\n   why: %s\n", err.what, err.why);
    *status = ended.exit_status;
    if (!bug->interrupted)
        bug->interrupted = ended.interrupted;
    snprintf(end, STATUS_SIZE, "exit status %d%s\n", ended.exit_status, ended.late ? ", ended after two minutes" : "");
    return !bug->interrupted;
}

/* A file that carbon wrote itself is scrubbed in its place. */
static bool scrub_in_place(const struct bug *bug, const char *name, struct error *err)
{
    char path[WORK_PATH_SIZE];
    struct stat status;

    if (!path_of(bug, name, path, err))
        return false;
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return true;
    return unlink(path) == 0 ? store_output(bug, fd, name, NULL, NULL, err)
                             : error_errno(err, "cannot replace '%s'", path);
}

static bool collect_part(struct bug *bug, const struct bug_part *part, struct error *err)
{
    AUTO_CLOSE int said = work_folders_unnamed(&bug->folders);
    char *argv[WORDS] = { bug->self }, paths[2][WORK_PATH_SIZE], end[STATUS_SIZE];
    const char *files[2] = { NULL };
    size_t count = 1, file_count = 0;
    int status;

    if (said < 0)
        return error_errno(err, "cannot make a file in '%s'", bug->folders.work);
    for (size_t i = 0; i < sizeof part->words / sizeof part->words[0] && part->words[i]; i++) {
        argv[count++] = (char *)part->words[i];
        if (part->words[i][0] != '@')
            continue;
        files[file_count] = part->words[i] + 1;
        if (!path_of(bug, files[file_count], paths[file_count], err))
            return false;
        argv[count - 1] = paths[file_count++];
    }
    if (part->reads_root) {
        argv[count++] = (char *)"--root";
        argv[count++] = (char *)bug->root;
    }
    if (!run(bug, argv, said, LIMIT_S, &status, end))
        return true;
    for (size_t i = 0; i < file_count; i++)
        if (!scrub_in_place(bug, files[i], err))
            return false;
    return store_output(bug, said, part->name, NULL, end, err);
}

bool bug_collect(struct bug *bug, struct error *err)
{
    if (!work_folders_renew(&bug->folders, BUG_FOLDER, err))
        return false;
    for (size_t i = 0; bug_parts[i].name && !bug->interrupted; i++)
        if (!collect_part(bug, &bug_parts[i], err))
            return false;
    return true;
}

bool bug_collect_command(struct bug *bug, char *const *words, int *status, struct error *err)
{
    AUTO_CLOSE int said = work_folders_unnamed(&bug->folders);
    AUTO_FREE char **argv = NULL;
    char end[STATUS_SIZE];
    size_t count = 0;

    while (words[count])
        count++;
    argv = calloc(count + 2, sizeof *argv);
    if (said < 0 || !argv || setenv("CARBON_DEBUG", "all", 1) != 0)
        return error_errno(err, "cannot run 'carbon %s'", words[0]);
    argv[0] = bug->self;
    memcpy(argv + 1, words, count * sizeof *argv);
    run(bug, argv, said, 0, status, end);
    bug->interrupted = 0; /* it was the command's end, and the report is wanted all the same */
    return store_output(bug, said, "command.txt", bug->shown, end, err);
}
