/* SPDX-License-Identifier: MIT
 * Whole commands over a file of somebody else's, which goes through every room behind its reader. The input begins with
 * the commands that it is for (a letter of the table below), the rest is the file. Whatever stands there, they end with
 * a status of their own, leave no descriptor open, and what they write as JSON is JSON.
 *
 * What they say goes nowhere, and nothing goes to the network. */
#include "folder.h"

#include "app/options/command.h"
#include "app/terminal.h"
#include "commands/help/config.h"
#include "io/json_read.h"

#include <ftw.h>
#include <signal.h>

enum { MAX_WORDS = 12, MAX_LINES = 8 };

/* Names of files, below the folder of the input: the file; what is written; the ledger. */
#define FILE_IN "in"
#define JSON_OUT "out.json"
#define LEDGER "l.db"

static const struct script {
    char kind;
    const char *lines[MAX_LINES][MAX_WORDS];
} scripts[] = {
    { 'r',
      { { "import", FILE_IN, "--ledger", LEDGER },
        { "history", "--ledger", LEDGER, "--json", JSON_OUT },
        { "history", "--ledger", LEDGER },
        { "report", "--ledger", LEDGER, "--year", "2026", "--json", JSON_OUT, "--html", "out.html" },
        { "history", "--ledger", LEDGER, "show", "00000000", "--html", "out.html" },
        { "history", "--ledger", LEDGER, "export", "records" },
        { "ledger", "--ledger", LEDGER, "check" } } },
    { 'v', { { "verify", FILE_IN, "--json", JSON_OUT } } },
    { 's', { { "restate", FILE_IN, "--no-ledger", "--zone", "DE", "--json", JSON_OUT, "--html", "out.html" } } },
    { 'c', { { "compare", FILE_IN, FILE_IN, "--json", JSON_OUT } } },
    { 'w', { { "when", "--zone", "GB", "--intensities", "hours.csv", "--like", FILE_IN, "--json", JSON_OUT } } },
    { 'g', { { "indicator", "--compare", FILE_IN, FILE_IN } } },
    { 'k', { { "indicator", "--check", FILE_IN } } },
    { 'x', { { "prometheus", "scrape", FILE_IN, "--json", JSON_OUT } } },
    { 'a', { { "slurm", "--sacct", FILE_IN, "--json", JSON_OUT } } },
    { 'm', { { "merge", FILE_IN, "--json", JSON_OUT } } },
    { 'p', { { "plot", FILE_IN } } },
    { 'd', { { "recover", FILE_IN, "--no-ledger", "--json", JSON_OUT } } },
};

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    return place->level > 0 ? remove(path) : 0;
}

static void check_json(void)
{
    struct error err = { .kind = ERROR_NONE };
    struct cJSON *document;

    if (access(JSON_OUT, F_OK) != 0)
        return;
    document = json_read(JSON_OUT, &err);
    FUZZ_MUST(document);
    json_close(document);
    FUZZ_MUST(unlink(JSON_OUT) == 0);
}

static void run(const char *const words[MAX_WORDS])
{
    const struct command *command = command_find(words[0]);
    char *own[MAX_WORDS + 1] = { NULL };
    struct command_line line;
    struct error err = { .kind = ERROR_NONE };
    int count = 0, status;

    FUZZ_MUST(command);
    for (; count < MAX_WORDS && words[count]; count++)
        own[count] = strdup(words[count]);
    char *given[MAX_WORDS + 1];
    memcpy(given, own, sizeof given); /* getopt may change their order */
    FUZZ_MUST(command_line_parse(command, count, given, &line, &err) && command_line_check_operands(&line, &err) &&
              config_apply(&line.settings, command, &err));
    terminal_begin(command->name, &line.settings);
    status = command->run(&line);
    FUZZ_MUST(status >= 0 && status <= 125);
    settings_close(&line.settings);
    while (count)
        free(own[--count]);
    check_json();
}

/* Once for all inputs: nothing of the user's, and each in an empty folder. */
static void prepare(void)
{
    static const char *const theirs[] = { "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR" };

    if (folder.fd >= 0)
        return;
    folder_open();
    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++)
        unsetenv(theirs[i]);
    FUZZ_MUST(setenv("HOME", folder.path, 1) == 0 && chdir(folder.path) == 0);
    signal(SIGPIPE, SIG_IGN);
}

static void run_all(const struct script *script)
{
    FILE *out = stdout, *messages = stderr, *nowhere = fopen("/dev/null", "we");

    FUZZ_MUST(nowhere);
    stdout = stderr = nowhere;
    for (size_t i = 0; i < MAX_LINES && script->lines[i][0]; i++)
        run(script->lines[i]);
    stdout = out;
    stderr = messages;
    fclose(nowhere);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char hours[] = "start,end,gco2eq_per_kwh,kind\n2026-01-01T00:00Z,2026-01-01T00:30Z,56,actual\n";

    prepare();
    const int next_fd = fuzz_next_fd();
    for (size_t i = 0; size && i < sizeof scripts / sizeof scripts[0]; i++) {
        if (scripts[i].kind != (char)*data)
            continue;
        folder_write(FILE_IN, data + 1, size - 1, false);
        folder_write("hours.csv", hours, sizeof hours - 1, false);
        run_all(&scripts[i]);
    }
    FUZZ_MUST(fuzz_next_fd() == next_fd);
    nftw(folder.path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}
