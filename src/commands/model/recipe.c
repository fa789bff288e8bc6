/* SPDX-License-Identifier: MIT
 * The file of a recipe, read and filled in. */
#include "commands/model/recipe.h"

#include "base/near.h"
#include "base/text.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

/* A command line of more is none. */
enum { MAX_WORDS = 1000, MAX_FILLED = 1 << 20 };

static const char *const step_names[RECIPE_STEPS] = {
    [RECIPE_FETCH] = "fetch", [RECIPE_SERVE] = "serve", [RECIPE_EXAMPLE] = "example",
    [RECIPE_RUN] = "run",     [RECIPE_CLOSE] = "close",
};
static const char *const keys[] = {
    "fetch", "serve", "example", "run", "close", "container", "name", "description", NULL,
};
static const char *const places[] = { "{model}", "{n}", "{input}", "{output}", NULL };

const char *recipe_step_name(enum recipe_step step)
{
    return step_names[step];
}

static bool no_memory(struct error *err)
{
    return error_errno(err, "no memory for the recipe");
}

static bool check_keys(const struct recipe *recipe, struct error *err)
{
    for (const struct yaml_node *node = recipe->yaml.root->first; node; node = node->next) {
        bool known = false;
        const char *near;

        for (size_t i = 0; keys[i]; i++)
            known = known || yaml_member(recipe->yaml.root, keys[i]) == node;
        if (known)
            continue;
        yaml_refuse_key(&recipe->yaml, node, err, "a recipe has no '%.60s'", node->key);
        near = near_of(node->key, keys);
        if (near)
            return near_fix(near, err);
        return error_fix(err, "its keys are fetch, serve, example, run, close, container and name");
    }
    return true;
}

/* "{imput}" was meant to be filled in; "{print $1}" and "{{.Id}}" are the command's own. */
static bool check_places(const struct recipe *recipe, const struct yaml_node *node, struct error *err)
{
    for (const char *at = strchr(node->text, '{'); at; at = strchr(at + 1, '{')) {
        const size_t letters = strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
        const size_t length = letters + 2;
        char place[32];
        const char *near;

        if (letters < 3 || length >= sizeof place || at[letters + 1] != '}')
            continue;
        text_copy(place, length + 1, at);
        near = near_of(place, places);
        if (!near || strcmp(near, place) == 0)
            continue;
        yaml_refuse(&recipe->yaml, node, err, "'%s' is not a placeholder", place);
        return near_fix(near, err);
    }
    return true;
}

static bool check_word(const struct recipe *recipe, const struct yaml_node *node, const char *of, struct error *err)
{
    if (node->kind != YAML_TEXT || node->null) {
        yaml_refuse(&recipe->yaml, node, err, "a word of '%s' is not text", of);
        return error_fix(err, "put what YAML takes for something else in quotes");
    }
    return check_places(recipe, node, err);
}

/* No shell is asked to take a line apart, for what is in it may be a file's name with blanks. */
static bool refuse_line(const struct recipe *recipe, const struct yaml_node *node, const char *name, struct error *err)
{
    char list[160], shown[120];
    size_t length = 0;

    yaml_refuse(&recipe->yaml, node, err, "'%s' is not a list of words", name);
    if (node->kind != YAML_TEXT)
        return error_fix(err, "write %s: [program, argument, \"{input}\"]", name);
    error_why(err, "no shell reads the commands of a recipe");
    utf8_printable(shown, sizeof shown, node->text);
    list[0] = '\0';
    for (const char *word = shown + strspn(shown, " "); *word && length + 4 < sizeof list;) {
        const size_t letters = strcspn(word, " ");
        const bool plain = !word[strcspn(word, "{}[],:#'\"&*!|>%@`")] || strcspn(word, "{}[],:#'\"&*!|>%@`") >= letters;
        length += (size_t)snprintf(list + length, sizeof list - length, plain ? "%s%.*s" : "%s\"%.*s\"",
                                   length ? ", " : "", (int)letters, word);
        word += letters;
        word += strspn(word, " ");
    }
    return error_fix(err, "write %s: [%s]", name, list);
}

static bool read_step(struct recipe *recipe, enum recipe_step step, struct error *err)
{
    const char *name = step_names[step];
    const struct yaml_node *list = yaml_member(recipe->yaml.root, name);
    size_t count = 0;

    if (!list || (list->kind == YAML_TEXT && list->null))
        return true;
    if (list->kind != YAML_LIST)
        return refuse_line(recipe, list, name, err);
    if (!list->count || list->count > MAX_WORDS)
        return yaml_refuse_key(&recipe->yaml, list, err, "'%s' has %s", name,
                               list->count ? "more words than can be" : "no words");
    recipe->steps[step] = arena_get(&recipe->store, (list->count + 1) * sizeof *recipe->steps[step]);
    if (!recipe->steps[step])
        return no_memory(err);
    for (const struct yaml_node *word = list->first; word; word = word->next) {
        if (!check_word(recipe, word, name, err))
            return false;
        recipe->steps[step][count] = arena_copy(&recipe->store, word->text, strlen(word->text));
        if (!recipe->steps[step][count++])
            return no_memory(err);
    }
    return recipe->steps[step][0][0] || yaml_refuse(&recipe->yaml, list->first, err, "'%s' names no program", name);
}

static bool read_text(struct recipe *recipe, const char *key, const char **text, struct error *err)
{
    const struct yaml_node *node = yaml_member(recipe->yaml.root, key);

    if (!node || node->null)
        return true;
    if (node->kind != YAML_TEXT || !*node->text)
        return yaml_refuse(&recipe->yaml, node, err, "'%s' is not text", key);
    *text = node->text;
    return check_places(recipe, node, err);
}

/* "ersilia" of ".../ersilia.yaml". */
static bool name_of_file(struct recipe *recipe, struct error *err)
{
    const char *base = strrchr(recipe->yaml.path, '/'), *end;

    base = base ? base + 1 : recipe->yaml.path;
    end = strrchr(base, '.');
    recipe->name = arena_copy(&recipe->store, base, end && end > base ? (size_t)(end - base) : strlen(base));
    return recipe->name || no_memory(err);
}

static bool names(char *const *words, const char *place)
{
    for (; words && *words; words++)
        if (strstr(*words, place))
            return true;
    return false;
}

/* An input that nobody makes is found before anything is fetched. */
static bool check_input(const struct recipe *recipe, struct error *err)
{
    if (!names(recipe->steps[RECIPE_RUN], "{input}"))
        return true;
    for (size_t i = 0; i < RECIPE_RUN; i++)
        if (names(recipe->steps[i], "{input}"))
            return true;
    yaml_refuse_key(&recipe->yaml, yaml_member(recipe->yaml.root, "run"), err,
                    "'run' reads {input}, and no step makes it");
    return error_fix(err, "add an 'example' that writes {input}, or name a file of your own in 'run'");
}

bool recipe_read(struct recipe *recipe, const char *path, struct error *err)
{
    *recipe = (struct recipe){ .name = NULL };
    if (!yaml_read(&recipe->yaml, path, err))
        return false;
    if (recipe->yaml.root->kind != YAML_MAP) {
        yaml_refuse(&recipe->yaml, recipe->yaml.root, err, "not a recipe");
        return error_fix(err, "write at least run: [program, argument]");
    }
    if (!check_keys(recipe, err))
        return false;
    for (size_t i = 0; i < RECIPE_STEPS; i++)
        if (!read_step(recipe, (enum recipe_step)i, err))
            return false;
    if (!recipe->steps[RECIPE_RUN]) {
        error_set(err, ERROR_USAGE, "'%.150s' has no 'run'", recipe->yaml.path);
        error_why(err, "that is the step which is measured");
        return error_fix(err, "write run: [program, argument]");
    }
    return read_text(recipe, "container", &recipe->container, err) && read_text(recipe, "name", &recipe->name, err) &&
           (recipe->name || name_of_file(recipe, err)) && check_input(recipe, err);
}

void recipe_close(struct recipe *recipe)
{
    yaml_close(&recipe->yaml);
    arena_close(&recipe->store);
    *recipe = (struct recipe){ .name = NULL };
}

char *recipe_fill(struct arena *store, const char *word, const struct recipe_values *values)
{
    char n[24], *filled = NULL;
    const char *const fillings[] = { values->model, n, values->input, values->output };
    struct text out;

    snprintf(n, sizeof n, "%llu", (unsigned long long)values->n);
    text_open(&out, MAX_FILLED);
    for (const char *at = word; *at;) {
        size_t i = 0;
        while (places[i] && strncmp(at, places[i], strlen(places[i])) != 0)
            i++;
        if (places[i])
            text_add(&out, "%s", fillings[i]);
        else
            text_add(&out, "%c", *at);
        at += places[i] ? strlen(places[i]) : 1;
    }
    if (text_ok(&out))
        filled = arena_copy(store, out.data ? out.data : "", out.length);
    text_close(&out);
    return filled;
}

char **recipe_fill_all(struct arena *store, char *const *words, const struct recipe_values *values)
{
    size_t count = 0;
    char **filled;

    while (words[count])
        count++;
    filled = arena_get(store, (count + 1) * sizeof *filled);
    for (size_t i = 0; filled && i < count; i++) {
        filled[i] = recipe_fill(store, words[i], values);
        if (!filled[i])
            return NULL;
    }
    return filled;
}
