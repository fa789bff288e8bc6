/* SPDX-License-Identifier: MIT
 * Recipes as files describe them, what is refused and where, what is filled in; and the lines of Ersilia's report. */
#include "unit.h"

#include "commands/model/model_report.h"
#include "commands/model/recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/carbon-recipe.XXXXXX";

static bool read_text(struct recipe *recipe, const char *text, struct error *err)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    *err = (struct error){ .kind = ERROR_NONE };
    return recipe_read(recipe, path, err);
}

static void check_words(char *const *words, const char *expected)
{
    char joined[1000] = "";

    for (; *words; words++)
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s|", *words);
    ck_assert_str_eq(joined, expected);
}

START_TEST(a_recipe_has_its_steps)
{
    struct recipe recipe;
    struct error err;

    ck_assert(read_text(&recipe,
                        "name: mine\nfetch:\nserve: [docker, run, --name, \"{model}\"]\n"
                        "example:\n- head\n- -n\n- 5\nrun: [a b, \"\"]\ncontainer: x-{model}\n",
                        &err));
    ck_assert_str_eq(recipe.name, "mine");
    ck_assert_str_eq(recipe.container, "x-{model}");
    ck_assert_ptr_null(recipe.steps[RECIPE_FETCH]);
    ck_assert_ptr_null(recipe.steps[RECIPE_CLOSE]);
    check_words(recipe.steps[RECIPE_SERVE], "docker|run|--name|{model}|");
    check_words(recipe.steps[RECIPE_EXAMPLE], "head|-n|5|");
    check_words(recipe.steps[RECIPE_RUN], "a b||");
    recipe_close(&recipe);
    recipe_close(&recipe);
}
END_TEST

START_TEST(a_recipe_without_a_name_has_its_files)
{
    struct recipe recipe;
    struct error err;

    ck_assert(read_text(&recipe, "run: [x]\n", &err));
    ck_assert_str_eq(recipe.name, "carbon-recipe");
    ck_assert_ptr_null(recipe.container);
    recipe_close(&recipe);
}
END_TEST

START_TEST(places_are_filled_in_and_nothing_else_is)
{
    const struct recipe_values values = { .model = "eos4e40", .input = "/t/in {n}", .output = "/t/out", .n = 100 };
    struct recipe recipe;
    struct error err;
    char **words;

    ck_assert(read_text(
        &recipe,
        "example: [x, \"{input}\"]\n"
        "run: [\"{model}:{n}\", \"-i{input}\", \"{output}{output}\", \"{{.Id}} {print $1} {n\", \"a  $b;*\"]\n",
        &err));
    words = recipe_fill_all(&recipe.store, recipe.steps[RECIPE_RUN], &values);
    ck_assert_ptr_nonnull(words);
    check_words(words, "eos4e40:100|-i/t/in {n}|/t/out/t/out|{{.Id}} {print $1} {n|a  $b;*|");
    ck_assert_str_eq(recipe_fill(&recipe.store, "", &values), "");
    recipe_close(&recipe);
}
END_TEST

/* text, what is said of it (with its place), how it is mended ("": that is not looked at) */
static const struct {
    const char *text;
    const char *what, *fix; /* of the error */
} refused[] = {
    { "serve: [a]\n", "has no 'run'", "write run: [program, argument]" },
    { "run:\n", "has no 'run'", "write run: [program, argument]" },
    { "run: []\n", "line 1, column 1: 'run' has no words", "" },
    { "run: [\"\"]\n", "'run' names no program", "" },
    { "run: ersilia run -i {input}\n", "line 1, column 6: 'run' is not a list of words",
      "write run: [ersilia, run, -i, \"{input}\"]" },
    { "run: [x]\nserve: ersilia serve {model}\n", "line 2, column 8: 'serve' is not a list of words",
      "write serve: [ersilia, serve, \"{model}\"]" },
    { "run: {a: b}\n", "'run' is not a list of words", "write run: [program, argument, \"{input}\"]" },
    { "run: [x, [y]]\n", "a word of 'run' is not text", "put what YAML takes for something else in quotes" },
    { "run: [x, ~]\n", "a word of 'run' is not text", "put what YAML takes for something else in quotes" },
    { "run: [x, {model}]\n", "a word of 'run' is not text", "put what YAML takes for something else in quotes" },
    { "run: [x, \"{imput}\"]\n", "line 1, column 10: '{imput}' is not a placeholder",
      "did you mean '{input}'?" },
    { "run: [x]\ncontainer: \"{Model}s\"\n", "'{Model}' is not a placeholder", "did you mean '{model}'?" },
    { "run: [x]\ncontainer: \"{modal}\"\n", "'{modal}' is not a placeholder", "did you mean '{model}'?" },
    { "run: [x]\ncontainer: [y]\n", "'container' is not text", "" },
    { "run: [x]\nexmaple: [y]\n", "line 2, column 1: a recipe has no 'exmaple'", "did you mean 'example'?" },
    { "run: [x]\nimage: y\n", "a recipe has no 'image'",
      "its keys are fetch, serve, example, run, close, container and name" },
    { "run: [x, \"{input}\"]\n", "'run' reads {input}, and no step makes it",
      "add an 'example' that writes {input}, or name a file of your own in 'run'" },
    { "[a]\n", "not a recipe", "write at least run: [program, argument]" },
    { "run: [x]\nrun: [y]\n", "line 2", "" },
};

START_TEST(what_makes_no_sense_is_refused_with_its_place)
{
    struct recipe recipe;
    struct error err;

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const bool good = read_text(&recipe, refused[i].text, &err);
        ck_assert_msg(!good, "%zu: %s", i, refused[i].text);
        ck_assert_msg(strstr(err.what, refused[i].what) != NULL, "%zu: '%s' for '%s'", i, err.what, refused[i].what);
        if (*refused[i].fix)
            ck_assert_str_eq(err.fix, refused[i].fix);
        recipe_close(&recipe);
    }
}
END_TEST

START_TEST(a_recipe_that_is_not_there)
{
    struct recipe recipe;
    struct error err;

    ck_assert(!recipe_read(&recipe, "/nowhere/recipe.yaml", &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    recipe_close(&recipe);
}
END_TEST

static void check_lines(const struct report *record, const char *expected)
{
    char got[1000] = "";
    FILE *out = fmemopen(got, sizeof got, "w");

    ck_assert_ptr_nonnull(out);
    model_report_lines("eos4e40", record, out);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(got, expected);
}

#define DASHES "\u2014\u2014\u2014\u2014\u2014"
#define RULE DASHES DASHES DASHES DASHES DASHES "\u2014\u2014\u2014\u2014"

START_TEST(the_lines_are_those_of_ersilia)
{
    struct report record = { .label = NULL };

    record.usage.cpu_percent_of_machine.value = 72.3;
    record.usage.memory_peak_bytes.value = 512 * 1048576.0;
    record.summary.duration_s.mean = 8.3;
    check_lines(&record, DASHES " Performance Report " DASHES "\nModel:    eos4e40\nCPU Avg:  72.30%\n"
                                "Mem Peak: 512 MiB\nDuration: 8.30s\n" RULE "\n");
    record.usage.cpu_percent_of_machine.value = 0;
    record.usage.memory_peak_bytes.value = 139.3 * 1048576.0;
    check_lines(&record, DASHES " Performance Report " DASHES "\nModel:    eos4e40\nCPU Avg:  0.00%\n"
                                "Mem Peak: 139 MiB\nDuration: 8.30s\n" RULE "\n");
}
END_TEST

START_TEST(what_is_unknown_is_not_0)
{
    struct report record = { .label = NULL };

    record.usage.cpu_percent_of_machine.value = record.usage.memory_peak_bytes.value = NAN;
    record.summary.duration_s.mean = NAN;
    check_lines(&record, DASHES " Performance Report " DASHES "\nModel:    eos4e40\nCPU Avg:  n/a\n"
                                "Mem Peak: n/a\nDuration: n/a\n" RULE "\n");
}
END_TEST

START_TEST(joules_per_input_are_those_of_what_is_done)
{
    const struct report record = { .label = NULL };
    struct model_row row = { .inputs = 2, .state = MODEL_DONE, .record = &record };

    ck_assert_double_eq(model_row_per_input(&row, 10), 5);
    ck_assert(isnan(model_row_per_input(&row, NAN)));
    row.state = MODEL_TIMED_OUT;
    ck_assert(isnan(model_row_per_input(&row, 10)));
    ck_assert_str_eq(model_state_name(row.state), "timed out");
}
END_TEST

int main(void)
{
    const unit_test tests[] = {
        a_recipe_has_its_steps,
        a_recipe_without_a_name_has_its_files,
        places_are_filled_in_and_nothing_else_is,
        what_makes_no_sense_is_refused_with_its_place,
        a_recipe_that_is_not_there,
        the_lines_are_those_of_ersilia,
        what_is_unknown_is_not_0,
        joules_per_input_are_those_of_what_is_done,
    };
    const int made = mkstemp(path);
    int failed;

    if (made < 0)
        return EXIT_FAILURE;
    close(made);
    failed = unit_run("recipe", tests, sizeof tests / sizeof tests[0]);
    unlink(path);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
