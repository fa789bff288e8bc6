/* SPDX-License-Identifier: MIT
 * A command of the program: one file, one const entry, one line in commands.c. Used in app, main.c and 21 commands.
 * Begin with command_find(). */
#ifndef APP_OPTIONS_COMMAND_H
#define APP_OPTIONS_COMMAND_H

#include "app/options/options.h"
#include "app/options/typed_line.h"

/* A parsed command line. */
struct command_line {
    struct typed_line typed; /* set by the caller, for the fixes of errors; zeroed: there are none */
    const struct command *command;
    struct settings settings;
    int operand_count; /* what is left: ZONE of `factors`, DIR of `record`, argv of a job */
    char **operands;   /* NULL-ended */
    bool dashed;       /* "--" preceded them */
};

/* What completion offers for an operand. */
enum operand_kind {
    OPERAND_TEXT, /* nothing */
    OPERAND_FILE,
    OPERAND_COMMAND,          /* the name of one of carbon's commands */
    OPERAND_FILE_AND_COMMAND, /* a file, then a command line of carbon's */
};

/* For the entry of a command: its options, its examples and the schemas of its documents, each ended with NULL. */
/* clang-format off */
#define OPTIONS(...) (const struct option_spec *const[]){ __VA_ARGS__, NULL }
#define COMMON(...) (const char *const[]){ __VA_ARGS__, NULL }
#define EXAMPLES(...) (const char *const[]){ __VA_ARGS__, NULL }
#define SCHEMAS(...) (const struct schema *const[]){ __VA_ARGS__, NULL }
/* The number and the kinds of operands; max -1: any number. */
#define OPERANDS(min, max, kind) .min_operands = (min), .max_operands = (max), .operands = (kind)
/* clang-format on */

/* The entry of a command, which commands.c names. */
#define COMMAND(its_name)                                                                                              \
    extern const struct command its_name;                                                                              \
    const struct command its_name

struct schema; /* form/field.h */

struct command {
    const char *name;                            /* "measure" */
    const char *alias;                           /* a shorter name, or NULL */
    const char *purpose;                         /* one line, for the list of commands */
    const char *synopsis;                        /* "[options] -- command [argument ...]" */
    const struct option_spec *const *options;    /* NULL-ended, in the order of the help */
    const char *const *common;                   /* names of the options that most need; NULL: all of them */
    const char *const *examples;                 /* whole command lines, NULL-ended */
    const char *example;                         /* one that works anywhere; NULL: its help is one */
    int (*run)(const struct command_line *line); /* returns the exit status */
    int min_operands, max_operands;              /* most -1: any number */
    /* operands are a command line: options end at the first operand or at "--"; with OPERAND_FILE only "--" ends them,
     * and operands before it are files */
    bool runs_command;
    bool prints_page; /* standard output is a text for people that is fitted to the terminal (app/terminal.h) */
    enum operand_kind operands;
    int first_file;                      /* of operands that are files; those before it are words */
    enum file_use file_use;              /* how the operands are used */
    const char *about;                   /* one sentence for its own help */
    const struct schema *const *schemas; /* NULL-ended; NULL: of nothing */
};

/* Every command; ends with NULL. */
extern const struct command *const commands[];

/* The heading that this command begins in the list, else NULL. */
const char *command_heading(const struct command *command);

const struct command *command_find(const char *name);

/* ERROR_USAGE for a command that is none, with the nearest in place of that word of the line. */
bool command_unknown(const struct typed_line *typed, const char *name, struct error *err);

/* Parses a command line: argv[0] is the command's name. The settings are those of the line over
 * the standards; nothing else is read. line->settings goes to settings_close, after a failure too.
 * Operands are counted separately, since `--help` needs none. */
bool command_line_parse(const struct command *command, int argc, char **argv, struct command_line *line,
                        struct error *err) MUST_CHECK;
bool command_line_check_operands(const struct command_line *line, struct error *err) MUST_CHECK;

#endif
