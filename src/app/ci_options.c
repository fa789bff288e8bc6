/* SPDX-License-Identifier: MIT
 * The files of --ci. */
#include "app/ci_options.h"

#include "app/command_files.h"
#include "app/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct option_spec option_ci =
    OPTION(TEXT, "Gate", "ci", .argument = "<form>", .repeated = true, .cli_only = true,
           .help = "write for CI: github, gitlab=FILE, junit=FILE, dashboard=FILE");

bool ci_options_open(struct ci_files *ci, const struct settings *settings, struct error *err)
{
    const char *const *texts = settings_texts(settings, &option_ci);

    *ci = (struct ci_files){ .files = { NULL } };
    for (size_t i = 0; texts[i]; i++) {
        const char *path = strchr(texts[i], '=');

        if (path && path[1] && strncmp(texts[i], "github", strlen("github")) != 0 &&
            !command_files_add(settings, FILE_WRITTEN, "--ci", path + 1, err))
            return false;
    }
    return ci_open(ci, texts, err);
}

int ci_options_write(struct ci_files *ci, const char *title, const struct ci_row *rows, size_t count, int status)
{
    char *said = NULL;
    size_t length;
    FILE *annotations = open_memstream(&said, &length);
    struct error err;
    bool written;

    if (!annotations)
        return terminal_fail((error_errno(&err, "no memory for the annotations"), &err), STATUS_CARBON_FAILED);
    written = ci_write(ci, title, rows, count, annotations, &err);
    if (fclose(annotations) == 0 && said)
        terminal_say("%s", said);
    free(said);
    return written ? status : terminal_fail(&err, STATUS_CARBON_FAILED);
}
