/* SPDX-License-Identifier: MIT
 * One table of options: parsing, help, configuration, environment and completion all come from it. Used in app and 10
 * commands. Begin with option_named(). */
#ifndef APP_OPTIONS_OPTIONS_H
#define APP_OPTIONS_OPTIONS_H

#include "base/error.h"
#include "base/parse_quantity.h"
#include "io/file_register.h"

#include <stddef.h>

enum option_kind {
    OPTION_FLAG, /* present or not; in a file or the environment: yes, no */
    OPTION_TEXT,
    OPTION_NUMBER, /* least <= x <= most */
    OPTION_COUNT,  /* a whole number, likewise */
    OPTION_CHOICE, /* one of choices */
    OPTION_FILE,   /* a path, used as `file` says; completion offers files */
};

struct option_spec {
    const char *name;  /* "zone": --zone, CARBON_ZONE, `zone = ...` in the config file */
    char short_name;   /* 'z' or 0 */
    const char *alias; /* another long name ("country"), or NULL */
    enum option_kind kind;
    enum file_use file;       /* of an OPTION_FILE: read where nothing is said */
    const char *argument;     /* "<code>", NULL for flags */
    const char *group;        /* heading in the help: "Measuring", "Carbon", "Output" */
    const char *help;         /* one line, without the default */
    const char *default_text; /* default as text; NULL: none */
    const char *sample;       /* a value that works as typed, for fixes; NULL: the default or a limit is one */
    enum quantity quantity;   /* of a number: its units; its value is in the kind's own */
    double min, max;
    const char *keyword;                                /* a word allowed instead of a number: "same"; else NULL */
    const char *const *choices;                         /* NULL-ended */
    bool (*check)(const char *text, struct error *err); /* further check of a value, or NULL */
    bool repeated;  /* may be given several times (command line only); else a second value there is refused */
    bool hidden;    /* not in the short help */
    bool cli_only;  /* makes no sense in a config file or the environment */
    bool by_suffix; /* its value goes to the option that its suffix names: x.json to --json (command line only) */
    bool two_words; /* a value without '=' goes on in the next word, and is then two texts (command line only) */
};

/* An entry: OPTION(FLAG, "Output", "quiet", .letter = 'q', .help = "…"). */
#define OPTION(its_kind, its_group, its_name, ...)                                                                     \
    {                                                                                                                  \
        .kind = OPTION_##its_kind, .group = (its_group), .name = (its_name), __VA_ARGS__                               \
    }

/* Two options that cannot be used together, of which the fix leaves the second out. Each returns false. */
bool options_clash(const struct option_spec *first, const struct option_spec *omitted, struct error *err);
bool option_omit(const struct option_spec *option, struct error *err); /* the fix alone */

/* From the weakest to the strongest; ORIGIN_BATCH is the file that `carbon batch` was given. */
enum option_origin { ORIGIN_STANDARD, ORIGIN_FILE, ORIGIN_ENVIRONMENT, ORIGIN_BATCH, ORIGIN_LINE };

const char *option_origin_name(enum option_origin origin); /* "standard", "file", "environment", "batch", "line" */

/* By name or alias; NULL: none of the list has it. */
const struct option_spec *option_named(const struct option_spec *const *options, const char *name);

/* Whether the text is a value for it. `called` is the user's spelling: "--zone", "CARBON_ZONE". */
bool option_check(const struct option_spec *option, const char *called, const char *text, struct error *err) MUST_CHECK;

/* For `check`: a time as people write it, "2026-11-28" or "2026-11-28T13:00Z". */
bool option_check_time(const char *text, struct error *err) MUST_CHECK;

/* For a command that has --duty or --basis in words of its own. */
bool option_check_duty(const char *text, struct error *err) MUST_CHECK;
extern const char *const factor_bases[];

#define LONGEST_S (366 * 86400.0) /* of any option that says how long */

/* "compute, platform or machine"; every list of the program fits. */
enum { OPTION_CHOICES_SIZE = 208 };
void option_choices_text(const struct option_spec *option, char *out, size_t size);

struct named_meters;
struct machines_made;

enum { SETTINGS_MAX = 96, SETTINGS_REPEATS = 32 };

struct setting {
    const struct option_spec *option;
    enum option_origin origin;
    const char *texts[SETTINGS_REPEATS + 1]; /* NULL-ended; texts[0] NULL: not set, no default */
    size_t count;
    char where[256]; /* "/home/x/.config/carbon/config:3", "CARBON_ZONE"; "" for the command line and standards */
};

/* The values of one command's options. */
struct settings {
    struct setting items[SETTINGS_MAX];
    size_t count;
    char *store;                    /* texts that had to be copied, or NULL */
    struct named_meters *meters;    /* that the configuration file names, or NULL */
    struct machines_made *machines; /* machines of a report, else NULL */
    struct file_register *files;    /* that the command opens (app/command_files.h); NULL: it writes none */
};

/* Every option of the list at its standard. Given to settings_close in the end. */
void settings_open(struct settings *settings, const struct option_spec *const *options);
void settings_close(struct settings *settings);

/* Checks the text and takes it, unless a stronger origin has spoken. The text must live on. A second value on the
 * command line is refused where the option has but one. */
bool settings_set(struct settings *settings, const struct option_spec *option, const char *text,
                  enum option_origin origin, const char *called, const char *where, struct error *err) MUST_CHECK;

/* Values are checked where they enter, so that these cannot fail. The option must be one of the
 * command's own, or one that several commands share and this one has of its own under the same name. */
const char *settings_text(const struct settings *settings, const struct option_spec *option); /* NULL: not set */
const char *const *settings_texts(const struct settings *settings, const struct option_spec *option);
bool settings_flag(const struct settings *settings, const struct option_spec *option);
double settings_number(const struct settings *settings, const struct option_spec *option); /* NAN: unset, its word */
double settings_scaled(const struct settings *settings, const struct option_spec *option, int tens); /* × 10^tens */
/* Whether the files that these options name can be read; files ends with NULL. */
bool settings_check_readable(const struct settings *settings, const struct option_spec *const *files,
                             struct error *err) MUST_CHECK;
enum option_origin settings_origin(const struct settings *settings, const struct option_spec *option);
const struct setting *settings_find(const struct settings *settings, const struct option_spec *option);

/* Options that several commands share. */
extern const struct option_spec option_pue_of, option_wue, option_wue_of, option_market_factor, option_contract;
extern const struct option_spec option_zone, option_pue, option_year, option_basis, option_factor_set, option_intensity,
    option_factors, option_share_alike, option_duty, option_fuel;
extern const struct option_spec option_root, option_source, option_scope, option_require_measured, option_gpus;
extern const struct option_spec option_machine_cpu, option_machine_power, option_machine_instance, option_profile;
extern const struct option_spec option_baseline, option_runs, option_warmup, option_settle, option_cooldown,
    option_order, option_seed, option_cpus, option_ready_fd, option_ignore_failure, option_marks, option_phase;
extern const struct option_spec option_output, option_json, option_csv, option_csv_safe, option_append, option_interval,
    option_color, option_quiet, option_verbose, option_details, option_show_output;
extern const struct option_spec option_html;
extern const struct option_spec option_debug, option_help, option_version;

/* Groups of options that several commands have, in the order of the help, for OPTIONS(…) of command.h. */
/* clang-format off: one a line */
#define HELP_OPTIONS &option_debug, &option_help, &option_version
#define COLOR_OPTIONS &option_color, HELP_OPTIONS
#define LAST_OPTIONS &option_color, &option_quiet, HELP_OPTIONS
#define DETAIL_OPTIONS &option_verbose, LAST_OPTIONS
#define RESULT_OPTIONS &option_output, &option_json, &option_csv, &option_csv_safe
#define RECORD_OPTIONS RESULT_OPTIONS, &option_append, &option_html
#define MODEL_OPTIONS &option_machine_cpu, &option_machine_power, &option_machine_instance, &option_profile
#define COUNTER_OPTIONS &option_source, &option_scope, &option_require_measured, &option_root, MODEL_OPTIONS
#define METER_OPTIONS COUNTER_OPTIONS, &option_gpus
#define RUN_OPTIONS &option_baseline, &option_runs, &option_warmup
#define ORDER_OPTIONS &option_order, &option_seed
#define PACE_OPTIONS &option_settle, &option_cooldown, &option_cpus, &option_ready_fd
#define SITE_OPTIONS &option_zone, &option_pue, &option_pue_of
#define OWN_FACTOR_OPTIONS &option_intensity, &option_factors, &option_share_alike
#define BASIS_OPTIONS &option_basis, &option_factor_set, OWN_FACTOR_OPTIONS
#define FACTOR_OPTIONS &option_year, BASIS_OPTIONS
#define CARBON_OPTIONS SITE_OPTIONS, FACTOR_OPTIONS, &option_duty
#define WATER_OPTIONS &option_wue, &option_wue_of
#define MARKET_OPTIONS &option_market_factor, &option_contract
#define WIDER_OPTIONS WATER_OPTIONS, MARKET_OPTIONS
/* clang-format on */

#endif
