/* SPDX-License-Identifier: MIT
 * Pipelines as files describe them: steps, parameters, imports, order, and what is refused, where. */
#include "pipeline_fixture.h"

#include <math.h>
#include <unistd.h>

#define STEP(name) "- name: " name "\n  container: {image: i}\n"
#define READS(name, from) STEP(name) "  input: [{from: " from ", path: /in}]\n"

START_TEST(a_step_in_a_container_has_its_parts)
{
    struct pipeline pipeline;
    const struct pipeline_step *step;

    read_text(&pipeline, "api-version: 0.4.0\nname: demo\noperators:\n"
                         "- Name: reader\n  container:\n    image: null/op\n    tag: 0.8.1\n"
                         "    command: [\"sh\", '-c', exit 3]\n"
                         "  variables:\n    CLARA_TRACE: 2\n    B: null\n    PATH: \"a b\"\n"
                         "  input: [{path: /input/}]\n"
                         "  output:\n  - path: /out\n    name: seg\n  - {type: stream, shape: [1], element-type: u8}\n"
                         "  requests: {gpu: 1, memory: x}\n  timeout: 1m30s\n  allow-failure: Yes\n  cpus: 0-3\n"
                         "- name: plain\n  run: [./work, -x]\n  dir: sub\n  env: {A: 1}\n  input:\n");
    ck_assert_str_eq(pipeline.name, "demo");
    ck_assert_str_eq(pipeline.api_version, "0.4.0");
    ck_assert_uint_eq(pipeline.count, 2);
    ck_assert_uint_eq(pipeline.warning_count, 0);
    step = &pipeline.steps[0];
    ck_assert_str_eq(step->image, "null/op:0.8.1");
    check_texts(step->command, "sh|-c|exit 3");
    check_texts(step->environment, "CLARA_TRACE=2|B=|PATH=a b");
    ck_assert_uint_eq(step->input_count, 1);
    ck_assert_int_eq(step->inputs[0].from, PIPELINE_PAYLOAD);
    ck_assert_str_eq(step->inputs[0].path, "/input/");
    ck_assert_ptr_null(step->inputs[0].name);
    ck_assert_uint_eq(step->output_count, 2);
    ck_assert_str_eq(step->outputs[0].name, "seg");
    ck_assert_ptr_null(step->outputs[1].path);
    ck_assert_int_eq(step->requests.cpu, -1);
    ck_assert_int_eq(step->requests.gpu, 1);
    ck_assert_int_eq(step->requests.memory_mb, -1);
    ck_assert_double_eq(step->timeout_s, 90);
    ck_assert(step->allow_failure);
    ck_assert_str_eq(step->cpus, "0-3");
    ck_assert_ptr_null(step->models);
    ck_assert_uint_eq(step->line, 4);
    ck_assert_uint_eq(step->column, 3);
    ck_assert(!step->imported);
    step = &pipeline.steps[1];
    ck_assert_ptr_null(step->image);
    check_texts(step->command, "./work|-x");
    check_texts(step->environment, "A=1");
    ck_assert_str_eq(step->dir, "sub");
    ck_assert(isnan(step->timeout_s));
    ck_assert_uint_eq(step->input_count, 0);
    pipeline_close(&pipeline);
    pipeline_close(&pipeline);
}
END_TEST

START_TEST(a_file_without_a_name_lends_its_own)
{
    struct pipeline pipeline;

    read_path(&pipeline, put_file("my demo.yaml", "steps:\n" STEP("a")), NULL);
    ck_assert_str_eq(pipeline.name, "my demo");
    ck_assert_ptr_null(pipeline.api_version);
    check_texts(pipeline.steps[0].environment, "");
    ck_assert_ptr_nonnull(pipeline.steps[0].environment);
    ck_assert_ptr_null(pipeline.steps[0].command);
    pipeline_close(&pipeline);
}
END_TEST

START_TEST(keys_that_nobody_knows_are_told)
{
    struct pipeline pipeline;

    read_text(&pipeline, "nam: x\norchestrator: Clara\nsteps:\n- name: a\n  container: {image: i, taag: 2}\n"
                         "  imput: [{path: /x}]\n  frobnicate: 1\n");
    ck_assert_uint_eq(pipeline.warning_count, 4);
    ck_assert_str_eq(pipeline.warnings[0].near, "name");
    ck_assert_uint_eq(pipeline.warnings[0].line, 1);
    ck_assert_str_eq(pipeline.warnings[1].key, "imput");
    ck_assert_str_eq(pipeline.warnings[1].near, "input");
    ck_assert_uint_eq(pipeline.warnings[1].line, 6);
    ck_assert_uint_eq(pipeline.warnings[1].column, 3);
    ck_assert_ptr_null(pipeline.warnings[2].near);
    ck_assert_str_eq(pipeline.warnings[3].near, "tag");
    pipeline_close(&pipeline);
}
END_TEST

START_TEST(what_is_no_step_is_refused_with_its_place)
{
    char text[700];

    refuse_text("steps: []\n", "line 1, column 1: 'steps' has no steps");
    refuse_text("name: x\n", "'p.yaml' describes no pipeline; it has neither 'operators' nor 'steps'");
    refuse_text("- a\n", "line 1, column 1: this describes no pipeline; it is a list");
    refuse_text("steps: {a: 1}\n", "'steps' is not a list");
    refuse_text("steps: [a]\n", "line 1, column 9: not a step");
    refuse_text("steps:\n" STEP("a") "operators:\n" STEP("b"), "line 4, column 1: 'operators' and 'steps'");
    refuse_text("steps:\n- container: {image: i}\n", "line 2, column 3: this step has no name");
    refuse_text("steps:\n- name: a\n", "line 2, column 3: this step has nothing to run");
    refuse_text("steps:\n" STEP("a") "  run: [x]\n", "line 4, column 3: a step with a container cannot have 'run'");
    refuse_text(
        "steps:\n- name: a\n  run: ./x -y\n",
        "line 3, column 8: the command of a step is not a list; ; write a list, e.g. [\"sh\", \"-c\", \"...\"]");
    refuse_text("steps:\n- name: a\n  command: [x]\n  run: [y]\n", "'run' and 'command' are the same");
    refuse_text("steps:\n- name: a\n  run: [cd, ~]\n", "line 3, column 13: an argument is empty");
    refuse_text("steps:\n- name: a\n  run: ['']\n", "begins with an empty text");
    refuse_text("steps:\n- name: a\n  run: []\n", "an empty list");
    refuse_text("steps:\n- name: a\n  container: {tag: 1}\n", "this container has no image");
    refuse_text("steps:\n- name: a\n  container: {image: --privileged}\n", "cannot be '--privileged'");
    refuse_text("steps:\n- name: a\n  container: {image: a b}\n",
                "column 22: the image of a container cannot be 'a b'");
    refuse_text("steps:\n" STEP("a") "  variables: [A=1]\n", "line 4, column 14: 'variables' is not a map");
    refuse_text("steps:\n" STEP("a") "  env: {A=B: 1}\n", "no variable can be called 'A=B'");
    refuse_text("steps:\n" STEP("a") "  timeout: soon\n", "line 4, column 12: 'soon' is not a valid time limit of a step");
    refuse_text("steps:\n" STEP("a") "  timeout: -3\n", "is not a valid time limit");
    refuse_text("steps:\n" STEP("a") "  cpus: 3-\n", "line 4, column 9");
    refuse_text("steps:\n" STEP("a") "  allow-failure: maybe\n", "neither true nor false");
    refuse_text("steps:\n" STEP("a") "  requests: 3\n", "'requests' is not a map");
    snprintf(text, sizeof text, "steps:\n- name: %0256d\n  run: [x]\n", 0);
    refuse_text(text, "the name of a step cannot be '0000");
    snprintf(text, sizeof text, "steps:\n- name: %0255d\n  run: [x]\n", 0);
    struct pipeline pipeline;
    read_text(&pipeline, text);
    pipeline_close(&pipeline);
}
END_TEST

START_TEST(names_and_paths_stay_where_they_belong)
{
    refuse_text("steps:\n" STEP("../x"), "line 2, column 9: the name of a step cannot be '../x'");
    refuse_text("steps:\n" STEP("a b"), "line 2, column 9");
    refuse_text("steps:\n" STEP("\"a'\""), "line 2, column 9");
    refuse_text("steps:\n" STEP("''"), "line 2, column 9");
    refuse_text("steps:\n" STEP("[a]"), "the name of a step is a list");
    refuse_text("steps:\n" STEP("\xc3\xa9"), "line 2, column 9");
    refuse_text("steps:\n" STEP("Reader") STEP("b") STEP("reader"),
                "line 6, column 3: there are two steps 'reader'; the other one is in line 2");
    refuse_text("steps:\n" STEP("a") "  output: [{name: a/b, path: /x}]\n",
                "line 4, column 19: the name of an input or");
    refuse_text("steps:\n" STEP("a") "  output: [{name: o, path: x}]\n", "line 4, column 28: the path of an input or");
    refuse_text("steps:\n" STEP("a") "  input: [{path: /a/../b}]\n", "cannot be '/a/../b'");
    refuse_text("steps:\n" STEP("a") "  input: [{path: /..}]\n", "cannot be '/..'");
    refuse_text("steps:\n" STEP("a") "  input: [{path: /}]\n", "cannot be '/'");
    refuse_text("steps:\n" STEP("a") "  input: [{path: '/a:/b'}]\n", "cannot be '/a:/b'");
    refuse_text("steps:\n" STEP("a") "  input: {path: /a}\n", "'input' is not a list");
    refuse_text("steps:\n" STEP("a") "  input: [/a]\n", "the content of 'input' is a map");
    refuse_text("steps:\n" STEP("a") "  output: [{name: o, path: /a}, {name: O, path: /b}]\n",
                "line 4, column 40: there are two outputs 'O'");
    struct pipeline pipeline;
    read_text(&pipeline, "steps:\n" STEP("a") "  input: [{path: /a..b/...}]\n");
    pipeline_close(&pipeline);
}
END_TEST

START_TEST(steps_come_after_what_they_read)
{
    struct pipeline pipeline;

    read_text(&pipeline, "steps:\n" READS("c", "b") READS("b", "A") STEP("a") STEP("lonely") READS("d", "a"));
    check_order(&pipeline, "a b c lonely d");
    ck_assert_int_eq(pipeline.steps[1].inputs[0].from, 2);
    pipeline_close(&pipeline);
    read_text(&pipeline, "steps:\n" STEP("z") STEP("y") STEP("x"));
    check_order(&pipeline, "z y x");
    pipeline_close(&pipeline);
    refuse_text("steps:\n" STEP("x") READS("c", "b") READS("a", "c") READS("b", "a"),
                "line 4, column 3: the steps read from each other in a circle; "
                "c \xe2\x86\x92 a \xe2\x86\x92 b \xe2\x86\x92 c; take one 'from' away");
    refuse_text("steps:\n" READS("out", "a") READS("a", "b") READS("b", "a"), "; a \xe2\x86\x92 b \xe2\x86\x92 a;");
    refuse_text("steps:\n" READS("a", "a"), "; a \xe2\x86\x92 a;");
    refuse_text("steps:\n" STEP("inference") READS("b", "inferense"),
                "line 6, column 18: no step 'inferense' for 'b' to read from; ; did you mean 'inference'?");
    refuse_text("steps:\n" STEP("a") "  output: [{name: seg, path: /s}]\n" STEP(
                    "b") "  input: [{from: a, name: sag, path: /i}]\n",
                "line 7, column 27: the step 'a' has no output 'sag'; ; did you mean 'seg'?");
    refuse_text("steps:\n" STEP("a") "  output: [{path: /s}]\n" STEP("b") "  input: [{from: a, name: s, path: /i}]\n",
                "the step 'a' has no output 's'");
}
END_TEST

START_TEST(parameters_are_put_in)
{
    static const char content[] = "parameters:\n  IMAGE: base\n  TAG: ~\n  n: 7\nname: p-${{ n }}\nsteps:\n"
                                  "- name: s${{N}}\n  container: {image: ${{IMAGE}}/x, tag: ${{TAG}}}\n"
                                  "  variables: {A: 'a ${{ n }} b ${{IMAGE}}${{IMAGE}}'}\n";
    struct pipeline pipeline;
    const char *path = put_file("p.yaml", content);

    read_path(&pipeline, path, "tag=v1", "n=8", "n=9", NULL);
    ck_assert_str_eq(pipeline.name, "p-9");
    ck_assert_str_eq(pipeline.steps[0].name, "s9");
    ck_assert_str_eq(pipeline.steps[0].image, "base/x:v1");
    check_texts(pipeline.steps[0].environment, "A=a 9 b basebase");
    ck_assert_str_eq(pipeline.yaml.text, content);
    pipeline_close(&pipeline);
    refuse_path(path, "'p.yaml': 1 parameter is without a value; TAG; --set TAG=VALUE", NULL);
    refuse_path(path, "'p.yaml' has no parameter 'IMAG'; ; did you mean 'IMAGE'?", "TAG=1", "IMAG=2", NULL);
    refuse_path(path, "'TAG' gives no parameter a value; ; write --set NAME=VALUE", "TAG", NULL);
    refuse_path(path, "'=x' gives no", "=x", NULL);
    refuse_text("steps:\n- name: a\n  run: [x, \"${{ a b }}\"]\n", "line 3, column 12: '${{ a b }}' is not a placeholder");
    refuse_text("steps:\n- name: a\n  run: [x, ${{a}}-${{b}}, ${{A}}]\n",
                "'p.yaml': 2 parameters are without a value; a, b; --set a=VALUE --set b=VALUE");
    refuse_text("parameters: [a]\nsteps:\n" STEP("a"), "line 1, column 13: 'parameters' is not a map");
    refuse_text("parameters: {a: '${{b}}'}\nsteps:\n" STEP("a"), "the default of 'a' holds a placeholder");
    refuse_text("steps:\n" STEP("a") "  env: {'${{x}}': 1}\n", "line 4, column 9: no key can hold a placeholder");
    /* a value is no YAML, and no placeholder */
    path = put_file("p.yaml", "steps:\n- name: a\n  run: [x, ${{A}}]\n");
    read_path(&pipeline, path, "A=], ${{B}}: {", NULL);
    check_texts(pipeline.steps[0].command, "x|], ${{B}}: {");
    pipeline_close(&pipeline);
}
END_TEST

START_TEST(many_names_without_a_value_are_all_kept)
{
    struct pipeline pipeline;
    struct error err;
    char content[8192] = "steps:\n- name: a\n  run:\n";

    for (int i = 0; i < 100; i++)
        sprintf(content + strlen(content), "  - ${{PARAMETER_%d}}\n", i);
    ck_assert(!pipeline_read(&pipeline, put_file("p.yaml", content), NULL, 0, &err));
    check_message(&err, "100 parameters are without a value; PARAMETER_0, PARAMETER_1");
    ck_assert_ptr_nonnull(strstr(err.why, " more"));
    ck_assert_uint_eq(pipeline.missing_count, 100);
    ck_assert_str_eq(pipeline.missing[99], "PARAMETER_99");
    pipeline_close(&pipeline);
}
END_TEST

START_TEST(expansions_have_an_end)
{
    struct pipeline pipeline;
    struct error err;
    const char *settings[1];
    char *content = calloc(1, 1 << 20), *setting = calloc(1, 1 << 19);

    ck_assert(content && setting);
    strcpy(content, "steps:\n- name: a\n  run: ['");
    for (size_t length = strlen(content), i = 0; i < 40000; i++, length += 6)
        memcpy(content + length, "${{A}}", 6);
    strcat(content, "']\n");
    memset(setting, 'x', (1 << 19) - 1);
    memcpy(setting, "A=", 2);
    settings[0] = setting;
    ck_assert(!pipeline_read(&pipeline, put_file("p.yaml", content), settings, 1, &err));
    check_message(&err, "has more placeholders, or longer values");
    pipeline_close(&pipeline);
    free(content);
    free(setting);
}
END_TEST

START_TEST(imports_are_put_in)
{
    struct pipeline pipeline;
    const struct pipeline_step *step;
    char folder[600];

    snprintf(folder, sizeof folder, "%s/sub", pipeline_folder);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    put_file("sub/consumer.yaml", "api-version: 0.2.0\nname: other\nparameters: {from-step: ~, text: hello}\n"
                                  "container: {image: c, command: [echo, \"${{text}}\"]}\n"
                                  "input: [{from: ${{from-step}}, path: /in}]\n");
    put_file("producer.yaml", "steps:\n- name: made\n  run: [make]\n");
    put_file("sub/again.yaml", "import: {path: consumer.yaml, args: {from-step: ${{x}}}}\nparameters: {x: ~}\n");
    read_text(&pipeline, "parameters: {P: producer}\nsteps:\n"
                         "- name: consumer\n  import:\n    path: sub/consumer.yaml\n"
                         "    args: {from-step: made, text: '${{P}}!'}\n"
                         "- import: {path: ${{P}}.yaml}\n"
                         "- import: {path: sub/again.yaml, args: {X: consumer}}\n");
    check_order(&pipeline, "made consumer other");
    step = &pipeline.steps[0];
    ck_assert(step->imported);
    ck_assert_str_eq(step->image, "c");
    check_texts(step->command, "echo|producer!");
    ck_assert_int_eq(step->inputs[0].from, 1);
    ck_assert_ptr_nonnull(strstr(step->yaml->path, "sub/consumer.yaml"));
    ck_assert_str_eq(pipeline.steps[2].name, "other");
    check_texts(pipeline.steps[2].command, "echo|hello");
    ck_assert_uint_eq(pipeline.warning_count, 0);
    pipeline_close(&pipeline);
    refuse_text("steps:\n- name: a\n  import:\n    path: sub/consumer.yaml\n    args: {form-step: made}\n",
                "'p.yaml' line 5, column 12: 'sub/consumer.yaml' has no parameter 'form-step'");
    refuse_text("steps:\n- name: a\n  import:\n    path: sub/consumer.yaml\n",
                "'sub/consumer.yaml': 1 parameter is without a value; from-step; "
                "give them as 'args' of the import in line 3 of 'p.yaml'");
    refuse_text("steps:\n- name: a\n  import: {path: sub/consumer.yaml, args: {from-step: none}}\n",
                "'sub/consumer.yaml' line 5, column 16: no step 'none'");
    refuse_text("steps:\n- name: a\n  import: {path: nowhere.yaml}\n",
                "'p.yaml' line 3, column 18: cannot import 'nowhere.yaml'; no such file");
    refuse_text("steps:\n- name: a\n  import: producer.yaml\n", "line 3, column 11: this import names no file");
    refuse_text("steps:\n- name: a\n  import: {path: producer.yaml}\n  input: []\n",
                "line 4, column 3: a step with 'import' has no 'input' of its own");
    put_file("bad.yaml", "container: [\n");
    refuse_text("steps:\n- name: a\n  import: {path: bad.yaml}\n", "'bad.yaml' line");
    put_file("two.yaml", "steps:\n" STEP("a") STEP("b"));
    refuse_text("steps:\n- name: a\n  import: {path: two.yaml}\n", "line 1, column 1: this file has 2 steps");
}
END_TEST

/* PIPELINE_MAX_IMPORTS of them */
START_TEST(imports_go_neither_round_nor_deep)
{
    struct pipeline pipeline;
    char name[16], content[64];

    put_file("a.yaml", "import: {path: ./b.yaml}\n");
    put_file("b.yaml", "import: {path: a.yaml}\n");
    refuse_text("steps:\n- name: x\n  import: {path: a.yaml}\n",
                "'./b.yaml' line 1, column 16: the imports go in a circle; "
                "a.yaml \xe2\x86\x92 ./b.yaml \xe2\x86\x92 ./a.yaml");
    refuse_text("steps:\n- name: x\n  import: {path: p.yaml}\n", "p.yaml \xe2\x86\x92 p.yaml");
    for (int i = 1; i <= 8; i++) {
        sprintf(name, "n%d.yaml", i);
        sprintf(content, "import: {path: n%d.yaml}\n", i + 1);
        put_file(name, i == 8 ? "container: {image: i}\n" : content);
    }
    read_text(&pipeline, "steps:\n- name: x\n  import: {path: n1.yaml}\n");
    ck_assert_str_eq(pipeline.steps[0].image, "i");
    pipeline_close(&pipeline);
    put_file("n8.yaml", "import: {path: n9.yaml}\n");
    put_file("n9.yaml", "container: {image: i}\n");
    refuse_text("steps:\n- name: x\n  import: {path: n1.yaml}\n",
                "'n8.yaml' line 1, column 16: imports are nested too deep; 8 in one another are the most");
}
END_TEST

static const char *shared_file(const char *name)
{
    snprintf(pipeline_path, sizeof pipeline_path, "%.400s/cases/cpost/pipelines/%s", unit_shared(), name);
    return pipeline_path;
}

START_TEST(real_files_are_read)
{
    const struct pipeline_service *service;
    struct pipeline pipeline;

    if (!unit_shared() || access(shared_file("covid-19.yaml"), R_OK) != 0) {
        puts("SKIPPED: the recorded pipelines are not beside the source tree");
        return;
    }
    read_path(&pipeline, shared_file("covid-19.yaml"), NULL);
    check_order(&pipeline, "dicom-reader lung-segmentation dicom-writer register-volume-images-for-rendering "
                           "register-dicom-output classification-covid-19");
    ck_assert_uint_eq(pipeline.steps[1].service_count, 1);
    service = &pipeline.steps[1].services[0];
    ck_assert_str_eq(service->name, "trtis");
    check_texts(service->command, "trtserver|--model-store=/models");
    ck_assert_int_eq(service->gpus, 1);
    ck_assert_uint_eq(service->connection_count, 1);
    ck_assert_str_eq(service->connections[0].name, "NVIDIA_CLARA_TRTISURI");
    ck_assert_uint_eq(service->connections[0].port, 8000);
    check_texts(pipeline.steps[4].command, "python|register.py|--agent|ClaraSCU|--data|[\"MYPACS\"]");
    pipeline_close(&pipeline);
    read_path(&pipeline, shared_file("operator_with_model.yaml"), NULL);
    check_texts(pipeline.steps[0].models, "segmentation_ct_spleen_v1|segmentation_ct_liver_v1");
    pipeline_close(&pipeline);
    read_path(&pipeline, shared_file("nullpipeline.yaml"), NULL);
    ck_assert_int_eq(pipeline.steps[1].requests.gpu, 1);
    ck_assert_uint_eq(pipeline.warning_count, 0);
    check_order(&pipeline, "null-reader null-inference null-writer");
    pipeline_close(&pipeline);
    read_path(&pipeline, shared_file("demo-three-stage.yaml"), NULL);
    check_order(&pipeline, "reader inference writer");
    pipeline_close(&pipeline);
    read_path(&pipeline, shared_file("isolated.yaml"), NULL);
    check_order(&pipeline, "a b lonely");
    pipeline_close(&pipeline);
    refuse_path(shared_file("import-sample.yaml"), "line 6, column 13: cannot import '", NULL);
    refuse_path(shared_file("genomics-fragment.yaml"),
                "12 parameters are without a value; DOCKER_IMAGE, DOCKER_TAG, MAPPER_ADDITIONAL_PARAMS, JOB_ID, "
                "MAPPER_THREADS, MAPPER_KMER_SIZE, MAPPER_WINDOW_SIZE, MAPPER_INDEX_SIZE, RACON_ADDITIONAL_PARAMS, "
                "RACON_THREADS, RACON_LOOPS, RACON_POLISH_BATCH_SIZE;",
                NULL);
    read_path(&pipeline, shared_file("genomics-fragment.yaml"), "DOCKER_IMAGE=a/b", "DOCKER_TAG=c",
              "MAPPER_ADDITIONAL_PARAMS=", "JOB_ID=j", "MAPPER_THREADS=1", "MAPPER_KMER_SIZE=2", "MAPPER_WINDOW_SIZE=3",
              "MAPPER_INDEX_SIZE=4", "RACON_ADDITIONAL_PARAMS=", "RACON_THREADS=5", "RACON_LOOPS=6",
              "RACON_POLISH_BATCH_SIZE=7", NULL);
    ck_assert_str_eq(pipeline.name, "genomics-fragment");
    ck_assert_str_eq(pipeline.steps[1].image, "a/b:c");
    check_texts(pipeline.steps[1].command, "/bin/sh|-c|miniasmWrapper.sh -f /mapperOutput/j/sample.fasta -l "
                                           "/mapperOutput/j/overlaps.paf -o /asmOutput/j/reads.gfa");
    check_order(&pipeline, "mapper miniasm racon");
    pipeline_close(&pipeline);
}
END_TEST

int main(void)
{
    const unit_test tests[] = {
        a_step_in_a_container_has_its_parts,
        a_file_without_a_name_lends_its_own,
        keys_that_nobody_knows_are_told,
        what_is_no_step_is_refused_with_its_place,
        names_and_paths_stay_where_they_belong,
        steps_come_after_what_they_read,
        parameters_are_put_in,
        many_names_without_a_value_are_all_kept,
        expansions_have_an_end,
        imports_are_put_in,
        imports_go_neither_round_nor_deep,
        real_files_are_read,
    };

    if (!folder_make())
        return EXIT_FAILURE;
    const int failed = unit_run("pipeline", tests, sizeof tests / sizeof tests[0]);
    return folder_drop() && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
