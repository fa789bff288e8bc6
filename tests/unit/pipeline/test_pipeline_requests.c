/* SPDX-License-Identifier: MIT
 * Requests written into the texts of pipelines, in which every other byte stays. */
#include "pipeline_fixture.h"

#include "base/auto.h"
#include "commands/pipeline/pipeline_requests.h"

#include <glob.h>

enum { MAX = 64, CPU = 3, MEMORY_MB = 768 };

static const struct pipeline_requests both = { .cpu = CPU, .gpu = -1, .memory_mb = MEMORY_MB };

/* The same for each step. */
static bool write_each(struct pipeline *pipeline, struct pipeline_requests each, struct pipeline_rewritten *rewritten,
                       struct error *err)
{
    struct pipeline_requests requests[MAX];

    ck_assert_uint_le(pipeline->count, MAX);
    for (size_t i = 0; i < pipeline->count; i++)
        requests[i] = each;
    *err = (struct error){ .kind = ERROR_NONE };
    return pipeline_requests_write(pipeline, requests, rewritten, err);
}

static void check_written_of(const char *before, struct pipeline_requests each, const char *after)
{
    struct pipeline pipeline;
    struct pipeline_rewritten rewritten;
    struct error err;

    read_text(&pipeline, before);
    ck_assert_msg(write_each(&pipeline, each, &rewritten, &err), "%s; %s", err.what, err.why);
    ck_assert_str_eq(rewritten.text, after);
    ck_assert_uint_eq(rewritten.length, strlen(after));
    ck_assert_str_eq(pipeline.yaml.text, before);
    pipeline_rewritten_close(&rewritten);
    pipeline_close(&pipeline);
    /* what is written is written over */
    read_text(&pipeline, after);
    ck_assert(write_each(&pipeline, each, &rewritten, &err));
    ck_assert_str_eq(rewritten.text, after);
    pipeline_rewritten_close(&rewritten);
    pipeline_rewritten_close(&rewritten);
    pipeline_close(&pipeline);
}

static void check_written(const char *before, const char *after)
{
    check_written_of(before, both, after);
}

static void check_unwritten(const char *content, const char *expected)
{
    struct pipeline pipeline;
    struct pipeline_rewritten rewritten;
    struct error err;

    read_text(&pipeline, content);
    ck_assert_msg(!write_each(&pipeline, both, &rewritten, &err), "written: <%s>", rewritten.text);
    check_message(&err, expected);
    ck_assert_ptr_null(rewritten.text);
    pipeline_rewritten_close(&rewritten);
    pipeline_close(&pipeline);
}

START_TEST(a_step_without_requests_gets_a_block_behind_its_name)
{
    check_written("steps:\n- name: a # first\n  run: [x]\n", "steps:\n- name: a # first\n  requests:\n    cpu: 3\n"
                                                             "    memory: 768\n  run: [x]\n");
    check_written("steps:\r\n  -   run: [x]\r\n      'name': \"a\"  \r\n\r\n",
                  "steps:\r\n  -   run: [x]\r\n      'name': \"a\"  \r\n      requests:\r\n        cpu: 3\r\n"
                  "        memory: 768\r\n\r\n");
    check_written("steps:\n- run: [x]\n  name: a", "steps:\n- run: [x]\n  name: a\n  requests:\n    cpu: 3\n"
                                                   "    memory: 768");
    check_written("\xef\xbb\xbf# \xc3\xa9\r\nsteps: # \xf0\x9f\x98\x80\r\n-\r\n  run: [\xc3\xa9]\r\n  name: a",
                  "\xef\xbb\xbf# \xc3\xa9\r\nsteps: # \xf0\x9f\x98\x80\r\n-\r\n  run: [\xc3\xa9]\r\n  name: a\r\n"
                  "  requests:\r\n    cpu: 3\r\n    memory: 768");
    /* such a name ends where the next line begins */
    check_written("steps:\n- name: |-\n    a\n  run: [x]\n", "steps:\n- name: |-\n    a\n  run: [x]\n  requests:\n"
                                                             "    cpu: 3\n    memory: 768\n");
    check_written("steps:\n- name:\n    a # c\n  run: [x]\n", "steps:\n- name:\n    a # c\n  requests:\n    cpu: 3\n"
                                                              "    memory: 768\n  run: [x]\n");
}
END_TEST

START_TEST(a_step_in_braces_gets_a_member_behind_its_name)
{
    check_written("steps: [{name: a, run: [x]}, {run: [y], name: 'b' }]\n",
                  "steps: [{name: a, requests: {cpu: 3, memory: 768}, run: [x]}, "
                  "{run: [y], name: 'b', requests: {cpu: 3, memory: 768} }]\n");
    check_written("{\"steps\": [{\"name\": \"a\",\n\"run\": [\"x\"]}]}",
                  "{\"steps\": [{\"name\": \"a\", \"requests\": {\"cpu\": 3, \"memory\": 768},\n\"run\": [\"x\"]}]}");
    check_written("steps:\n- {name: ab\n    , run: [x], # c\n  }\n",
                  "steps:\n- {name: ab, requests: {cpu: 3, memory: 768}\n    , run: [x], # c\n  }\n");
}
END_TEST

START_TEST(requests_that_are_there_keep_what_else_is_in_them)
{
    check_written("steps:\n- name: a\n  run: [x]\n  requests:\n    gpu: 1 # one\n    cpu: 12 # old\n    # end\n",
                  "steps:\n- name: a\n  run: [x]\n  requests:\n    memory: 768\n    gpu: 1 # one\n    cpu: 3 # old\n"
                  "    # end\n");
    check_written("steps:\r\n- name: a\r\n  requests: # r\r\n   gpu: 1 # one\r\n  run: [x]",
                  "steps:\r\n- name: a\r\n  requests: # r\r\n   cpu: 3\r\n   memory: 768\r\n   gpu: 1 # one\r\n"
                  "  run: [x]");
    check_written("steps:\n- name: a\n  run: [x]\n  requests: {memory: '5', gpu: 1}\n",
                  "steps:\n- name: a\n  run: [x]\n  requests: {memory: 768, gpu: 1, cpu: 3}\n");
    check_written("steps:\n- name: a\n  run: [x]\n  requests: { # c\n    gpu: 1, # d\n  }\n",
                  "steps:\n- name: a\n  run: [x]\n  requests: { # c\n    gpu: 1, cpu: 3, memory: 768, # d\n  }\n");
    check_written("steps:\n- name: a\n  run: [x]\n  requests: {CPU: [1, 2], Memory: ~}\n",
                  "steps:\n- name: a\n  run: [x]\n  requests: {CPU: 3, Memory: 768}\n");
    check_written("steps:\n- name: a\n  run: [x]\n  requests:\n    cpu:   # none\n    memory: null\n",
                  "steps:\n- name: a\n  run: [x]\n  requests:\n    cpu: 3   # none\n    memory: 768\n");
    check_written("steps:\n- {name: a, run: [x], requests: {cpu, memory: }}\n",
                  "steps:\n- {name: a, run: [x], requests: {cpu: 3, memory: 768 }}\n");
}
END_TEST

START_TEST(requests_that_are_empty_are_filled)
{
    check_written("steps:\n- name: a\n  requests: # later\n  run: [x]\n",
                  "steps:\n- name: a\n  requests: {cpu: 3, memory: 768} # later\n  run: [x]\n");
    check_written("steps:\n- name: a\n  run: [x]\n  requests:", "steps:\n- name: a\n  run: [x]\n"
                                                                "  requests: {cpu: 3, memory: 768}");
    check_written("steps:\n- name: a\n  requests: {}\n  run: [x]\n- {name: b, requests: ~, run: [x]}\n",
                  "steps:\n- name: a\n  requests: {cpu: 3, memory: 768}\n  run: [x]\n"
                  "- {name: b, requests: {cpu: 3, memory: 768}, run: [x]}\n");
    check_written("steps:\n- name: a\n  requests: { # c\n   }\n  run: [x]\n",
                  "steps:\n- name: a\n  requests: {cpu: 3, memory: 768 # c\n   }\n  run: [x]\n");
}
END_TEST

START_TEST(one_of_both_may_be_left)
{
    const struct pipeline_requests cpu = { .cpu = 0, .gpu = 9, .memory_mb = -1 };
    const struct pipeline_requests memory = { .cpu = -1, .gpu = 9, .memory_mb = 1 };
    const struct pipeline_requests none = { .cpu = -1, .gpu = 9, .memory_mb = -1 };

    check_written_of("steps:\n- name: a\n  run: [x]\n", cpu,
                     "steps:\n- name: a\n  requests:\n    cpu: 0\n  run: [x]\n");
    check_written_of("steps:\n- name: a\n  run: [x]\n  requests: {cpu: 7}\n", memory,
                     "steps:\n- name: a\n  run: [x]\n  requests: {cpu: 7, memory: 1}\n");
    check_written_of("steps:\n- name: a\n  run: [x]\n  requests: {cpu: 7}\n", none,
                     "steps:\n- name: a\n  run: [x]\n  requests: {cpu: 7}\n");
}
END_TEST

/* 0 is a number like others. */
START_TEST(requests_of_nothing_are_written)
{
    const struct pipeline_requests nothing = { .cpu = 0, .gpu = -1, .memory_mb = 0 };
    const struct pipeline_requests cpu = { .cpu = 0, .gpu = -1, .memory_mb = -1 };
    const struct pipeline_requests memory = { .cpu = -1, .gpu = -1, .memory_mb = 0 };

    check_written_of("steps:\n- name: a\n  run: [x]\n", nothing,
                     "steps:\n- name: a\n  requests:\n    cpu: 0\n    memory: 0\n  run: [x]\n");
    check_written_of("steps:\n- {name: a, run: [x], requests: {cpu: 7, memory: 8}}\n", nothing,
                     "steps:\n- {name: a, run: [x], requests: {cpu: 0, memory: 0}}\n");
    check_written_of("steps:\n- {name: a, run: [x], requests: {gpu: 1}}\n", cpu,
                     "steps:\n- {name: a, run: [x], requests: {gpu: 1, cpu: 0}}\n");
    check_written_of("steps:\n- {name: a, run: [x], requests: {gpu: 1}}\n", memory,
                     "steps:\n- {name: a, run: [x], requests: {gpu: 1, memory: 0}}\n");
}
END_TEST

/* A block begins in column 80 at most. */
START_TEST(how_far_a_step_may_be_indented)
{
    char before[512], after[1024];

    for (int indent = 79; indent <= 80; indent++) {
        snprintf(before, sizeof before, "steps:\n-%*sname: a\n%*srun: [x]\n", indent - 1, "", indent, "");
        snprintf(after, sizeof after, "steps:\n-%*sname: a\n%*srequests:\n%*scpu: 3\n%*smemory: 768\n%*srun: [x]\n",
                 indent - 1, "", indent, "", indent + 2, "", indent + 2, "", indent, "");
        if (indent < 80)
            check_written(before, after);
        else
            check_unwritten(before, "this step is indented too far");
        snprintf(before, sizeof before, "steps:\n- name: a\n  run: [x]\n  requests:\n%*sgpu: 1\n", indent - 1, "");
        snprintf(after, sizeof after,
                 "steps:\n- name: a\n  run: [x]\n  requests:\n%*scpu: 3\n%*smemory: 768\n%*sgpu: 1\n", indent - 1, "",
                 indent - 1, "", indent - 1, "");
        if (indent < 80)
            check_written(before, after);
        else
            check_unwritten(before, "these requests are indented too far");
    }
}
END_TEST

START_TEST(placeholders_stay_in_the_text)
{
    check_written(
        "parameters: {N: a, I: i}\nsteps:\n- name: ${{ N }}\n  container: {image: ${{I}}, command: [\"${{N}}\"]}\n"
        "  requests: {gpu: ${{I}}, cpu: ${{I}}}\n",
        "parameters: {N: a, I: i}\nsteps:\n- name: ${{ N }}\n  container: {image: ${{I}}, command: [\"${{N}}\"]}\n"
        "  requests: {gpu: ${{I}}, cpu: 3, memory: 768}\n");
    check_written(
        "parameters: {N: a}\nsteps:\n- name: ${{ N }}\n  run: [x]\n",
        "parameters: {N: a}\nsteps:\n- name: ${{ N }}\n  requests:\n    cpu: 3\n    memory: 768\n  run: [x]\n");
}
END_TEST

START_TEST(where_it_cannot_be_written_nothing_is)
{
    check_unwritten("steps:\n- name: a\n  run: [x]\n  requests:\n    cpu: |\n      3\n",
                    "'p.yaml' line 5, column 10: 'cpu' cannot be replaced");
    check_unwritten("steps:\n- name: a\n  run: [x]\n  requests:\n    cpu:\n      a: 3\n", "line 6, column 7: 'cpu'");
    check_unwritten("steps:\n- name: b\n  run: [x]\n- name: a\n  run: [x]\n  requests: {#c\n  }\n",
                    "line 4, column 3: no requests can be written here");
}
END_TEST

START_TEST(imported_steps_are_told)
{
    struct pipeline pipeline;
    struct pipeline_rewritten rewritten;
    struct error err;
    static const char content[] = "steps:\n- name: a\n  import: {path: i.yaml}\n- name: b\n  run: [x]\n";

    put_file("i.yaml", "run: [y]\n");
    read_text(&pipeline, content);
    ck_assert(write_each(&pipeline, both, &rewritten, &err));
    ck_assert_uint_eq(rewritten.imported_count, 1);
    ck_assert_str_eq(rewritten.imported[0], "a");
    ck_assert_str_eq(rewritten.text, "steps:\n- name: a\n  import: {path: i.yaml}\n- name: b\n  requests:\n    cpu: 3\n"
                                     "    memory: 768\n  run: [x]\n");
    pipeline_rewritten_close(&rewritten);
    pipeline_close(&pipeline);
}
END_TEST

/* A check that would let anything pass would be none. */
START_TEST(another_pipeline_is_noticed)
{
    static const char right[] = "steps:\n- name: a\n  requests: {cpu: 3, memory: 768}\n  run: [x]\n";
    static const char *const wrong[] = {
        "steps:\n- name: a\n  run: [x]\n",
        "steps:\n- name: a\n  requests: {cpu: 3, memory: 767}\n  run: [x]\n",
        "steps:\n- name: a\n  requests: {cpu: 3, memory: '768'}\n  run: [x]\n",
        "steps:\n- name: a\n  requests: {cpu: 3, memory: 768, gpu: 1}\n  run: [x]\n",
        "steps:\n- name: a\n  requests: {cpu: 3, memory: 768}\n  run: [y]\n",
        "steps:\n- name: a\n  requests: {cpu: 3, memory: 768}\n  run: [x, y]\n",
        "steps:\n- name: b\n  requests: {cpu: 3, memory: 768}\n  run: [x]\n",
        "steps:\n- name: a\n  requests: {cpu: 3, memory: 768}\n  run: [x]\n- {name: b, run: [x]}\n",
        "steps:\n- name: a\n  requests: {cpu: 3, memory: 768}\n  run: [x]\nname: b\n",
        "steps:\n- name: a\n  requests: {cpu: 3, memory: 768}\n  run: [x\n",
    };
    struct pipeline pipeline;
    struct error err;

    read_text(&pipeline, "steps:\n- name: a\n  run: [x]\n");
    ck_assert(pipeline_requests_check(&pipeline, &both, right, strlen(right), &err));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_msg(!pipeline_requests_check(&pipeline, &both, wrong[i], strlen(wrong[i]), &err), "%s", wrong[i]);
    pipeline_close(&pipeline);
}
END_TEST

/* The old text is the new one without what was added, as none of these files says cpu or memory. */
static void check_additions(const char *old, const char *new)
{
    while (*new) {
        const size_t line = strcspn(new, "\n") + 1;
        if (strncmp(new, "  requests:\n    cpu: 3\n    memory: 768\n", 39) == 0 &&
            strncmp(old, "  requests:\n", 12) != 0)
            new += 39;
        else if (strncmp(new, "    cpu: 3\n    memory: 768\n", 27) == 0)
            new += 27;
        else {
            ck_assert_msg(strncmp(old, new, line) == 0, "<%.60s> and <%.60s>", old, new);
            old += line;
            new += line;
        }
    }
    ck_assert_str_eq(old, "");
}

START_TEST(real_files_stay_but_for_their_requests)
{
    char pattern[600];
    glob_t files;
    size_t written = 0;

    snprintf(pattern, sizeof pattern, "%.500s/cases/cpost/pipelines/*.yaml",
             unit_shared() ? unit_shared() : "/nowhere");
    if (glob(pattern, 0, NULL, &files) != 0) {
        puts("SKIPPED: the recorded pipelines are not beside the source tree");
        return;
    }
    for (size_t i = 0; i < files.gl_pathc; i++) {
        static const char *const settings[] = {
            "DOCKER_IMAGE=a",
            "DOCKER_TAG=b",
            "MAPPER_ADDITIONAL_PARAMS=",
            "JOB_ID=",
            "MAPPER_THREADS=",
            "MAPPER_KMER_SIZE=",
            "RACON_THREADS=",
            "MAPPER_WINDOW_SIZE=",
            "RACON_LOOPS=",
            "MAPPER_INDEX_SIZE=",
            "RACON_ADDITIONAL_PARAMS=",
            "RACON_POLISH_BATCH_SIZE=",
        };
        const bool given = strstr(files.gl_pathv[i], "genomics");
        struct pipeline pipeline;
        struct pipeline_rewritten rewritten = { .text = NULL };
        struct error err;

        if (pipeline_read(&pipeline, files.gl_pathv[i], settings, given ? 12 : 0, &err)) {
            ck_assert_msg(write_each(&pipeline, both, &rewritten, &err), "%s; %s", err.what, err.why);
            check_additions(pipeline.yaml.text, rewritten.text);
            ck_assert_uint_gt(rewritten.length, pipeline.yaml.length);
            written++;
        } else {
            ck_assert_msg(strstr(err.what, "cannot import"), "%s", err.what);
        }
        pipeline_rewritten_close(&rewritten);
        pipeline_close(&pipeline);
    }
    ck_assert_uint_eq(written, files.gl_pathc - 1);
    globfree(&files);
}
END_TEST

int main(void)
{
    const unit_test tests[] = {
        a_step_without_requests_gets_a_block_behind_its_name,
        a_step_in_braces_gets_a_member_behind_its_name,
        requests_that_are_there_keep_what_else_is_in_them,
        requests_that_are_empty_are_filled,
        one_of_both_may_be_left,
        requests_of_nothing_are_written,
        how_far_a_step_may_be_indented,
        placeholders_stay_in_the_text,
        where_it_cannot_be_written_nothing_is,
        imported_steps_are_told,
        another_pipeline_is_noticed,
        real_files_stay_but_for_their_requests,
    };
    if (!folder_make())
        return EXIT_FAILURE;
    const int failed = unit_run("pipeline_requests", tests, sizeof tests / sizeof tests[0]);
    return folder_drop() && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
