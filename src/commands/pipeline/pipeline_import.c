/* SPDX-License-Identifier: MIT
 * Steps that another file describes: "import: {path: FILE, args: {NAME: VALUE}}". */
#include "commands/pipeline/pipeline_parts.h"

#include "base/auto.h"

#include <string.h>

/* Of all files that are imported. */
enum { MAX_IMPORTED_BYTES = 64 << 20 };

static const char *const import_keys[] = { "path", "args", NULL };
static const char *const importing_keys[] = { "name", "description", "import", "parameters", "api-version", NULL };

/* The path as one of this process: it is relative to the folder of the file that names it. */
static char *path_sibling(struct arena *store, const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');

    if (*path == '/' || !slash)
        return arena_copy(store, path, strlen(path));
    return arena_print(store, "%.*s%s", (int)(slash - file) + 1, file, path);
}

static bool read_arguments(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *import,
                           struct pipeline_arguments *arguments)
{
    const struct yaml_node *args = yaml_member(import, "args");
    struct pipeline_argument *items;

    *arguments = (struct pipeline_arguments){ .importer = yaml, .import = import };
    if (!args || (args->kind == YAML_TEXT && args->null))
        return true;
    if (args->kind != YAML_MAP) {
        yaml_refuse(yaml, args, reading->err, "'args' is not a map");
        return error_fix(reading->err, "write NAME: VALUE for each");
    }
    items = arena_get(&reading->pipeline->store, (args->count + 1) * sizeof *items);
    if (!items)
        return pipeline_no_memory(reading);
    for (const struct yaml_node *node = args->first; node; node = node->next) {
        struct pipeline_argument *item = &items[arguments->count++];
        item->name = node->key;
        item->node = node;
        if (!pipeline_text(reading, yaml, node, "the value of an argument", &item->value))
            return false;
    }
    arguments->items = items;
    return true;
}

/* "a.yaml → b.yaml → a.yaml", as they are named. */
static void name_circle(const struct pipeline_chain *from, const struct pipeline_chain *to, const char *last,
                        struct arena *store, struct error *err)
{
    const char *said = last;

    for (const struct pipeline_chain *chain = from; said; chain = chain->above) {
        said = arena_print(store, "%s \xe2\x86\x92 %s", chain->shown, said);
        if (chain == to)
            break;
    }
    if (said)
        error_why(err, "%s", said);
}

static bool check_chain(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *path,
                        const struct pipeline_chain *above, const struct pipeline_chain *here)
{
    size_t depth = 0;

    for (const struct pipeline_chain *chain = above; chain; chain = chain->above, depth++)
        if (strcmp(chain->real, here->real) == 0) {
            yaml_refuse(yaml, path, reading->err, "the imports go in a circle");
            name_circle(above, chain, here->shown, &reading->pipeline->store, reading->err);
            return false;
        }
    if (depth <= PIPELINE_MAX_IMPORTS)
        return true;
    yaml_refuse(yaml, path, reading->err, "imports are nested too deep");
    return error_why(reading->err, "%d in one another are the most", PIPELINE_MAX_IMPORTS);
}

/* What cannot be opened is reported with the line that wants it; a fault in it, with its own. */
static bool read_file(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *path,
                      const char *shown, struct yaml **into)
{
    struct pipeline_import *import = calloc(1, sizeof *import);
    struct error why = { .kind = ERROR_NONE };

    if (!import)
        return pipeline_no_memory(reading);
    import->next = reading->pipeline->imports;
    reading->pipeline->imports = import;
    *into = &import->yaml;
    if (!yaml_read(&import->yaml, shown, &why)) {
        if (reading->err)
            *reading->err = why;
        if (strncmp(why.what, "cannot read", strlen("cannot read")) == 0) {
            yaml_refuse(yaml, path, reading->err, "cannot import '%.100s'", shown);
            error_why(reading->err, "%s", why.why);
        }
        return false;
    }
    reading->imported_bytes += import->yaml.length;
    if (reading->imported_bytes > MAX_IMPORTED_BYTES)
        return yaml_refuse(yaml, path, reading->err, "the imported files are larger than %d MiB together",
                           MAX_IMPORTED_BYTES >> 20);
    return true;
}

/* The one step of an imported file: the file itself, or the steps that it lists. */
static bool step_of_file(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node **node)
{
    const struct yaml_node *list = yaml_member(yaml->root, "operators");

    *node = yaml->root;
    if (yaml->root->kind != YAML_MAP) {
        yaml_refuse(yaml, yaml->root, reading->err, "this describes no step");
        return error_fix(reading->err, "write its keys: container, input, output, parameters");
    }
    list = list ? list : yaml_member(yaml->root, "steps");
    if (!list)
        return true;
    *node = list->first;
    if (list->kind == YAML_LIST && list->count == 1)
        return true;
    yaml_refuse_key(yaml, list, reading->err, "this file has %zu steps, and an import is one", list->count);
    return error_fix(reading->err, "put each step into a file of its own");
}

/* The importing step gives the name where it has one. */
static bool name_step(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                      struct pipeline_step *step)
{
    const struct yaml_node *name = yaml_member(node, "name");

    if (name && !name->null)
        return pipeline_name(reading, yaml, name, "the name of a step", &step->name);
    if (step->name || yaml != &reading->pipeline->yaml)
        return true;
    yaml_refuse(yaml, node, reading->err, "this step has no name");
    return error_fix(reading->err, "begin it with '- name: NAME'");
}

static bool import_file(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                        const struct pipeline_chain *above, struct pipeline_step *step)
{
    const struct yaml_node *import = yaml_member(node, "import"), *path = yaml_member(import, "path"), *inner;
    struct pipeline_chain here = { .above = above };
    struct pipeline_arguments arguments;
    struct yaml *file;
    const char *typed;

    if (import->kind != YAML_MAP || !path) {
        yaml_refuse(yaml, import, reading->err, "this import names no file");
        return error_fix(reading->err, "write 'import: {path: FILE.yaml, args: {NAME: VALUE}}'");
    }
    pipeline_check_keys(reading, yaml, import, import_keys);
    if (!pipeline_text(reading, yaml, path, "the path of an import", &typed) ||
        !read_arguments(reading, yaml, import, &arguments))
        return false;
    here.shown = path_sibling(&reading->pipeline->store, yaml->path, typed);
    if (!here.shown)
        return pipeline_no_memory(reading);
    AUTO_FREE char *real = realpath(here.shown, NULL);
    here.real = real ? real : here.shown;
    return check_chain(reading, yaml, path, above, &here) && read_file(reading, yaml, path, here.shown, &file) &&
           pipeline_expand(reading, file, &arguments) && step_of_file(reading, file, &inner) &&
           pipeline_import_step(reading, file, inner, &here, step);
}

/* All else is the imported file's. */
static bool stands_alone(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node)
{
    static const char *const others[] = { "container", "run",      "command", "input",    "output", "variables",
                                          "env",       "requests", "models",  "services", NULL };

    for (size_t i = 0; others[i]; i++) {
        const struct yaml_node *other = yaml_member(node, others[i]);
        if (!other)
            continue;
        yaml_refuse_key(yaml, other, reading->err, "a step with 'import' has no '%s' of its own", others[i]);
        return error_fix(reading->err, "write it into the imported file, as a parameter where it differs");
    }
    pipeline_check_keys(reading, yaml, node, importing_keys);
    return true;
}

bool pipeline_import_step(struct pipeline_reading *reading, const struct yaml *yaml, const struct yaml_node *node,
                          const struct pipeline_chain *above, struct pipeline_step *step)
{
    if (node->kind != YAML_MAP) {
        yaml_refuse(yaml, node, reading->err, "not a step");
        return error_fix(reading->err, "begin each step with '- name: NAME'");
    }
    if (!yaml_member(node, "import")) {
        *step = (struct pipeline_step){
            .yaml = yaml,
            .node = node,
            .line = node->line,
            .column = node->column,
            .imported = yaml != &reading->pipeline->yaml,
        };
        return pipeline_step_read(reading, yaml, node, step) && name_step(reading, yaml, node, step);
    }
    return stands_alone(reading, yaml, node) && import_file(reading, yaml, node, above, step) &&
           name_step(reading, yaml, node, step);
}
