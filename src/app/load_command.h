/* SPDX-License-Identifier: MIT
 * A load of carbon's own as a command: this very program, as `carbon probe` with the hidden option --load. Used by
 * commands/calibrate/calibrate_plan.h, commands/calibrate/cmd_calibrate.c and commands/probe/probe_plan.h. Begin with
 * load_command_make(). */
#ifndef APP_LOAD_COMMAND_H
#define APP_LOAD_COMMAND_H

enum { LOAD_COMMAND_WORDS = 13, LOAD_NUMBER_SIZE = 24 };

struct load_command {
    char *argv[LOAD_COMMAND_WORDS]; /* NULL-ended */
    char threads_text[LOAD_NUMBER_SIZE];
};

/* What it did goes as a line into done_path. All texts must live as long as the command, which must not be moved. */
void load_command_make(struct load_command *command, const char *kind, unsigned threads, const char *seconds,
                       const char *folder, const char *done_path);

#endif
