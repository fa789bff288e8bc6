/* SPDX-License-Identifier: MIT
 * The words of such a command. */
#include "app/load_command.h"

#include <stdio.h>
#include <string.h>

void load_command_make(struct load_command *command, const char *kind, unsigned threads, const char *seconds,
                       const char *folder, const char *done_path)
{
    const char *const words[LOAD_COMMAND_WORDS] = {
        "/proc/self/exe",      "probe",    "--load", kind,     "--time",  seconds, "--threads",
        command->threads_text, "--folder", folder,   "--done", done_path, NULL,
    };

    snprintf(command->threads_text, sizeof command->threads_text, "%u", threads);
    memcpy(command->argv, words, sizeof words);
}
