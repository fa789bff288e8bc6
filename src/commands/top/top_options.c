/* SPDX-License-Identifier: MIT
 * Options of `carbon top`. */
#include "commands/top/top_options.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static const char *const kinds[] = { "process", "user", "cgroup", "container", "pod", "slurm", NULL };
static const char *const sorts[] = { "power", "energy", "cpu", "carbon", "name", NULL };

const struct option_spec option_top_by = OPTION(CHOICE, "Output", "by", .argument = "<what>", .default_text = "process",
                                                .choices = kinds, .cli_only = true, .help = "kind of the rows");
const struct option_spec option_top_sort = OPTION(CHOICE, "Output", "sort", .argument = "<by>", .default_text = "power",
                                                  .choices = sorts, .cli_only = true, .help = "order of the rows");
const struct option_spec option_top_filter =
    OPTION(TEXT, "Output", "filter", .argument = "<text>", .cli_only = true,
           .help = "rows that have this in their name, user or id; the others in one line");
const struct option_spec option_top_rows =
    OPTION(COUNT, "Output", "rows", .argument = "<n>", .min = 0, .max = 100000, .cli_only = true,
           .help = "rows at most, the others in one line; 0: all (the text has 20)");
const struct option_spec option_top_once =
    OPTION(FLAG, "Output", "once", .cli_only = true, .help = "one update, after an interval");
const struct option_spec option_top_for =
    OPTION(NUMBER, "Output", "for", .argument = "<time>", .quantity = QUANTITY_SECONDS, .min = 0.1, .max = LONGEST_S,
           .cli_only = true, .help = "end after this time; with --once, the update is of all of it");
const struct option_spec option_top_interval =
    OPTION(NUMBER, "Output", "interval", .short_name = 'i', .argument = "<s>", .quantity = QUANTITY_SECONDS,
           .default_text = "1", .min = 0.1, .max = LONGEST_S, .help = "seconds between two updates");

static enum group_kind kind_of(const char *name)
{
    enum group_kind kind = GROUP_CGROUP;

    while (kind < GROUP_PROCESS && strcmp(group_kind_name(kind), name) != 0)
        kind++;
    return kind;
}

static enum top_sort sort_of(const char *name)
{
    enum top_sort sort = TOP_BY_POWER;

    while (sort < TOP_BY_NAME && strcmp(top_sort_name(sort), name) != 0)
        sort++;
    return sort;
}

void top_choose(const struct settings *settings, struct top_choice *choice)
{
    const char *filter = settings_text(settings, &option_top_filter);
    const double rows = settings_number(settings, &option_top_rows);

    *choice = (struct top_choice){
        .by = kind_of(settings_text(settings, &option_top_by)),
        .sort = sort_of(settings_text(settings, &option_top_sort)),
        .max_rows = isnan(rows) ? 0 : (size_t)rows,
    };
    text_copy(choice->filter, sizeof choice->filter, filter ? filter : "");
}
