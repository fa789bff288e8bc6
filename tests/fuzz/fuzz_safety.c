/* SPDX-License-Identifier: MIT
 * What others name or write and carbon must not trust. The input begins with what it is: 'i' what a record may be
 * called; 'p' an expression of --phase and a line; 'w' the exporter's web configuration; 'r' the recipe of a model; 's'
 * what sacct prints; 'n' two lists of nodes; 'g' the path of a control group; 't' a table for a spreadsheet. */
#include "folder.h"

#include "commands/model/recipe.h"
#include "commands/serve/web_config.h"
#include "commands/slurm/sacct.h"
#include "form/sheet.h"
#include "io/identity.h"
#include "run/node_list.h"
#include "run/pattern.h"
#include "usage/group_name.h"

#include <ctype.h>

static void try_identity(const char *text)
{
    if (!identity_is(text))
        return;
    FUZZ_MUST(*text && strlen(text) < IDENTITY_SIZE && isalnum((unsigned char)*text));
    for (const char *c = text; *c; c++)
        FUZZ_MUST(isalnum((unsigned char)*c) || strchr("-_.", *c));
}

static void try_pattern(const char *text, const char *line)
{
    struct error err = { .kind = ERROR_NONE };
    struct pattern *pattern = pattern_open(text, &err);
    size_t begin, end;

    FUZZ_MUST(pattern || (err.kind == ERROR_USAGE && *err.what));
    if (pattern && pattern_find(pattern, line, &begin, &end))
        FUZZ_MUST(begin <= end && end <= strlen(line));
    pattern_close(pattern);
}

/* Each of its words can be filled in, and nothing stands for what is filled in. */
static void try_recipe(const char *path)
{
    static const struct recipe_values values = { .model = "{n}", .input = "in", .output = "out", .n = 7 };
    struct recipe recipe;
    struct error err = { .kind = ERROR_NONE };

    if (recipe_read(&recipe, path, &err)) {
        FUZZ_MUST(recipe.name && recipe.steps[RECIPE_RUN] && recipe.steps[RECIPE_RUN][0]);
        for (size_t i = 0; i < RECIPE_STEPS; i++)
            FUZZ_MUST(!recipe.steps[i] || recipe_fill_all(&recipe.store, recipe.steps[i], &values));
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    }
    recipe_close(&recipe);
}

static void try_web_config(const char *path)
{
    struct web_config config;
    struct error err = { .kind = ERROR_NONE };

    if (web_config_read(path, &config, &err)) {
        FUZZ_MUST(config.user_count <= WEB_USERS_MAX && !config.certificate == !config.key);
        FUZZ_MUST(config.client_auth == CLIENT_ANY || config.client_ca || config.client_auth <= CLIENT_VERIFIED);
        for (size_t i = 0; i < config.user_count; i++)
            FUZZ_MUST(*config.users[i].name && strncmp(config.users[i].hash, "$2", 2) == 0);
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    }
    web_config_close(&config);
}

static void try_file(char what, const uint8_t *data, size_t size)
{
    char path[300];

    folder_open();
    const int next_fd = fuzz_next_fd();
    folder_put("c.pem", "certificate");
    folder_put("k.pem", "key");
    folder_write("file.yml", data, size, true);
    snprintf(path, sizeof path, "%s/file.yml", folder.path);
    if (what == 'w')
        try_web_config(path);
    else
        try_recipe(path);
    FUZZ_MUST(fuzz_next_fd() == next_fd);
    folder_clear();
}

static void try_sacct(char *text)
{
    struct sacct_list list = { .count = 0 };
    struct error err = { .kind = ERROR_NONE };

    if (sacct_parse(text, "accounts.txt", &list, &err)) {
        for (size_t i = 0; i < list.count; i++) {
            const struct sacct_row *row = &list.rows[i];
            FUZZ_MUST(row->id && row->raw && row->step && row->state && row->name && row->energy_said);
            FUZZ_MUST(!(row->energy_j <= 0) && !(row->cpu_s < 0) && !(row->memory_peak_bytes < 0));
        }
    } else {
        FUZZ_MUST(err.kind == ERROR_BAD_DATA && *err.what);
    }
    sacct_close(&list);
}

static bool count_node(void *context, const char *name)
{
    size_t *count = context;

    FUZZ_MUST(*name);
    return ++*count < 100000;
}

static void try_nodes(const char *a, const char *b)
{
    size_t count = 0;

    (void)node_list_each(a, count_node, &count);
    FUZZ_MUST(node_lists_meet(a, b) == node_lists_meet(b, a));
}

static void try_group(const char *path)
{
    struct group_name name;

    if (group_name_of(path, &name)) {
        FUZZ_MUST(*name.id && strlen(name.id) < sizeof name.id && name.kind > GROUP_CGROUP && name.kind < GROUP_KINDS);
        FUZZ_MUST(strspn(name.id, "0123456789abcdef-") == strlen(name.id));
        FUZZ_MUST(strspn(name.user, "0123456789") == strlen(name.user) && strlen(name.user) < sizeof name.user);
    }
    group_name_by_path(path, &name);
    FUZZ_MUST(strcmp(group_name_id(&name), path) == 0);
}

/* Nothing but a ' was put in, and none is put in a second time. */
static void try_table(const char *table)
{
    size_t length, again_length, at = 0;
    char *safe = sheet_text(table, strlen(table), &length);
    char *again = safe ? sheet_text(safe, length, &again_length) : NULL;

    FUZZ_MUST(safe && again && again_length == length && memcmp(safe, again, length) == 0);
    for (size_t i = 0; i < length; i++)
        if (safe[i] == table[at])
            at++;
        else
            FUZZ_MUST(safe[i] == '\'');
    FUZZ_MUST(!table[at]);
    free(safe);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    const char what = (char)input_number(&input, 1);
    char *first, *second;

    if (what == 'w' || what == 'r') {
        try_file(what, input.at, input_left(&input));
        return 0;
    }
    first = input_text(&input);
    second = input_text(&input);
    if (what == 'i')
        try_identity(first);
    else if (what == 'p')
        try_pattern(first, second);
    else if (what == 's')
        try_sacct(strdup(first));
    else if (what == 'n')
        try_nodes(first, second);
    else if (what == 'g')
        try_group(first);
    else if (what == 't')
        try_table(first);
    free(first);
    free(second);
    return 0;
}
