/* SPDX-License-Identifier: MIT
 * Marks: lines however they are cut, names of whatever comes, and real jobs that make them. */
#include "act.h"

#include "base/clock.h"
#include "base/units.h"
#include "base/utf8.h"
#include "run/environment.h"
#include "run/marks.h"

#include <errno.h>
#include <sys/wait.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

START_TEST(a_name_is_trimmed_printable_and_short)
{
    static const struct {
        const char *text, *name;
    } cases[] = {
        { "load", "load" },
        { " \t load the data \r", "load the data" },
        { "", "" },
        { " \t\r\v\f ", "" },
        { "a\tb\033[1mc", "a?b?[1mc" },
        { "gr\xc3\xb6\xc3\x9f" "er", "gr\xc3\xb6\xc3\x9f" "er" },
        { "bad\xc3", "bad?" },
        { "\xff\xfe", "??" },
        { "\xed\xa0\x80", "???" },     /* a surrogate */
        { "a\xc2\x85z", "a?z" },       /* NEL, a control of ISO 6429 */
        { "a\xc2\xa0z", "a\xc2\xa0z" }, /* a space that does not break a line */
        { "\xf0\x9f\x94\xa5", "\xf0\x9f\x94\xa5" },
    };
    char name[MARK_NAME_SIZE], euros[65] = "0";

    for (size_t i = 0; i < COUNT(cases); i++) {
        mark_name(cases[i].text, strlen(cases[i].text), name);
        ck_assert_str_eq(name, cases[i].name);
    }
    /* of 64 bytes, one and 21 characters of three, the last character is left out whole */
    for (size_t i = 0; i < 21; i++)
        memcpy(&euros[1 + 3 * i], "\xe2\x82\xac", 3);
    mark_name(euros, strlen(euros), name);
    ck_assert_uint_eq(strlen(name), 61);
    /* a part of a string, cut within a character */
    mark_name("ab\xe2\x82\xac", 3, name);
    ck_assert_str_eq(name, "ab?");
    /* the last that fits is a blank */
    mark_name("123456789012345678901234567890123456789012345678901234567890 2 4", 64, name);
    ck_assert_str_eq(name, "123456789012345678901234567890123456789012345678901234567890 2");
}
END_TEST

/* Lines of a text that comes in pieces of so many bytes, each followed by '|'. */
static void split(const char *text, size_t length, size_t piece, const char *ends, char *out)
{
    struct mark_line line = { .length = 0 };

    *out = '\0';
    for (size_t at = 0; at < length;) {
        const size_t rest = length - at < piece ? length - at : piece;
        for (size_t used = 0; used < rest;) {
            used += mark_line_add(&line, text + at + used, rest - used, ends);
            if (line.ended)
                sprintf(out + strlen(out), "%s|", line.text);
        }
        at += rest;
    }
}

START_TEST(lines_are_the_same_however_they_are_cut)
{
    static const char text[] = "load\n\nsolve it\r\n bar 1\rbar 2\r\0x\n\nno end";
    char out[256];

    for (size_t piece = 1; piece <= sizeof text; piece++) {
        split(text, sizeof text - 1, piece, "\n", out);
        ck_assert_str_eq(out, "load||solve it\r| bar 1\rbar 2\r?x||");
        split(text, sizeof text - 1, piece, "\n\r", out);
        ck_assert_str_eq(out, "load||solve it|| bar 1|bar 2|?x||");
    }
}
END_TEST

START_TEST(rubbish_gives_names_all_the_same)
{
    struct mark_line line = { .length = 0 };
    size_t lines = 0, expected = 0;
    uint32_t state = 1;
    char bytes[512];

    for (int round = 0; round < 2000; round++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            state = state * 1664525 + 1013904223;
            bytes[i] = (char)(state >> 24);
            expected += bytes[i] == '\n';
        }
        for (size_t used = 0; used < sizeof bytes;) {
            char name[MARK_NAME_SIZE + 1] = "";
            used += mark_line_add(&line, bytes + used, sizeof bytes - used, "\n");
            if (!line.ended)
                continue;
            lines++;
            name[MARK_NAME_SIZE] = '!';
            mark_name(line.text, line.length, name);
            ck_assert_int_eq(name[MARK_NAME_SIZE], '!');
            for (const char *at = name; *at; at += utf8_length(at))
                ck_assert(utf8_length(at) > 0 && (unsigned char)*at >= ' ' && *at != 0x7f);
        }
    }
    ck_assert_uint_eq(lines, expected);
}
END_TEST

START_TEST(of_a_long_line_the_first_part_counts)
{
    struct mark_line line = { .length = 0 };
    static char bytes[100000];

    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, "start", 5);
    bytes[sizeof bytes - 1] = '\n';
    ck_assert_uint_eq(mark_line_add(&line, bytes, sizeof bytes, "\n"), sizeof bytes);
    ck_assert(line.ended);
    ck_assert_uint_eq(line.length, MARK_LINE_SIZE - 1);
    ck_assert_int_eq(strncmp(line.text, "startxx", 7), 0);
    ck_assert_uint_eq(mark_line_add(&line, "next\n", 5, "\n"), 5);
    ck_assert_str_eq(line.text, "next");
}
END_TEST

static const char *match(const char *pattern, const char *line)
{
    static char name[MARK_NAME_SIZE];
    struct pattern *compiled = pattern_open(pattern, NULL);
    bool found;

    ck_assert_ptr_nonnull(compiled);
    found = mark_pattern_match(compiled, line, name);
    pattern_close(compiled);
    return found ? name : NULL;
}

START_TEST(a_pattern_names_by_its_first_group)
{
    struct error err;
    ck_assert_str_eq(match("^== (.*) ==$", "== load data =="), "load data");
    ck_assert_str_eq(match("step [0-9]+", "12:00 step 17 of 20"), "step 17");
    ck_assert_str_eq(match("(load)|solve", "now solve"), "solve");
    ck_assert_str_eq(match("^done( .*)?$", "done"), "done");
    ck_assert_str_eq(match("^phase: *(.*)$", "phase:  "), "");
    ck_assert_str_eq(match("^(.*)$", "gr\xc3\xb6\xc3\x9f" "er"), "gr\xc3\xb6\xc3\x9f" "er");
    ck_assert_ptr_null(match("^== (.*)", "no such line"));
    ck_assert_ptr_null(pattern_open("step (one", &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.what, "not an extended regular expression: a group is open"));
}
END_TEST

START_TEST(one_variable_is_put_in_place_of_its_name)
{
    char *const before[] = { (char *)"A=1", (char *)"CARBON_MARK_FD=7", (char *)"CARBON_MARK_FDS=8", NULL };
    char **with = environment_with(before, (char *)"CARBON_MARK_FD=3");

    ck_assert_str_eq(environment_value(with, "CARBON_MARK_FD"), "3");
    ck_assert_str_eq(environment_value(with, "CARBON_MARK_FDS"), "8");
    ck_assert_str_eq(with[0], "A=1");
    ck_assert_ptr_null(with[3]);
    free(with);
}
END_TEST

/* What a job said, and what came out at carbon's standard error. */
struct heard {
    char names[4096];
    size_t counts[MARK_ORIGINS];
    char output[4096];
    int error; /* memfd */
    struct job_end end;
};

static void on_mark(void *context, enum mark_origin origin, const char *name)
{
    struct heard *heard = context;
    const size_t length = strlen(heard->names);

    heard->counts[origin]++;
    snprintf(heard->names + length, sizeof heard->names - length, "%s|", name);
}

/* Runs a job to its end. error_fd becomes this process's standard error meanwhile. */
static void run_marked(const struct marks_options *options, char *const argv[], int error_fd, struct heard *heard)
{
    static struct marks marks;
    const struct mark_listener listener = { .context = heard, .on_mark = on_mark };
    const int before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 20);
    struct error err = { .kind = ERROR_NONE };
    struct job_options job_options = { .argv = argv, .cgroup_fd = -1 };
    struct job_signals signals;
    enum job_event event;
    struct job job;
    uint64_t exec_ns;
    int output, exit_status;

    memset(heard, 0, sizeof *heard);
    dup2(error_fd, STDERR_FILENO);
    ck_assert(job_signals_open(&signals, NULL));
    ck_assert_msg(marks_open(&marks, options, NULL, &err), "%s: %s", err.what, err.why);
    job_options.environment = marks.environment;
    job_options.given = marks.given;
    job_options.given_count = marks.given_count;
    job_options.watched = marks.watched;
    job_options.watched_count = MARKS_WATCHED;
    output = act_start(&job, &signals, &job_options);
    marks_started(&marks);
    ck_assert_msg(job_release(&job, &exec_ns, &exit_status, &err), "%s: %s", err.what, err.why);
    while ((event = job_wait(&job, UINT64_MAX)) != JOB_ENDED)
        if (event == JOB_READY)
            marks_take(&marks, &listener);
    marks_finish(&marks, &signals, &listener);
    marks_close(&marks);
    ck_assert(job_reap(&job, &heard->end, NULL));
    job_signals_close(&signals);
    dup2(before, STDERR_FILENO);
    close(before);
    act_output(output, heard->output, sizeof heard->output);
}

static struct marks_options options_of(const char *pattern, bool written)
{
    struct marks_options options = { .written = written, .matched = pattern != NULL, .phrase = pattern };

    options.pattern = pattern ? pattern_open(pattern, NULL) : NULL;
    ck_assert(!pattern || options.pattern);
    return options;
}

#define SHELL(text) ((char **)(const char *[]){ "sh", "-c", text, NULL })

START_TEST(a_shell_marks_with_echo)
{
    struct marks_options options = options_of(NULL, true);
    struct heard heard;

    run_marked(&options,
               SHELL("fd=$CARBON_MARK_FD; echo load >&$fd; echo out; printf so >&$fd; "
                     "(echo lve >&$fd); echo >&$fd; exit 4"),
               STDERR_FILENO, &heard);
    ck_assert_str_eq(heard.names, "load|solve||");
    ck_assert_str_eq(heard.output, "out\n");
    ck_assert_uint_eq(heard.counts[MARK_WRITTEN], 3);
    ck_assert_int_eq(heard.end.exit_status, 4);
    /* by a path, as programs may that know no descriptors */
    run_marked(&options, SHELL("echo load > /dev/fd/$CARBON_MARK_FD"), STDERR_FILENO, &heard);
    ck_assert_str_eq(heard.names, "load|");
}
END_TEST

/* A list of descriptors ("0 1 2 5\n") with the lowest number above 2 that it does not have. */
static void with_next(const char *list, char *with)
{
    bool has[1024] = { false };
    int number = 3;

    for (const char *at = list; *at && *at != '\n'; at += strcspn(at, " \n"), at += *at == ' ')
        has[atoi(at)] = true;
    while (has[number])
        number++;
    has[number] = true;
    *with = '\0';
    for (int i = 0; i < 1024; i++)
        if (has[i])
            sprintf(with + strlen(with), "%d ", i);
    strcat(with, "\n");
}

/* What the caller left open stays the caller's (so does a descriptor of the test's runner): the next number is taken,
 * above 9 where it must be. */
START_TEST(the_job_gets_what_it_is_given_and_no_more)
{
    struct marks_options both = options_of("x", true);
    struct marks_options none = options_of(NULL, false);
    struct heard heard;
    char expected[8192];

    for (int i = 0; i < 10; i++) {
        run_marked(&none, ACT("fds"), STDERR_FILENO, &heard);
        with_next(heard.output, expected);
        run_marked(&both, ACT("fds"), STDERR_FILENO, &heard);
        ck_assert_str_eq(heard.output, expected);
        run_marked(&both, SHELL("echo $CARBON_MARK_FD; echo mark > /dev/fd/$CARBON_MARK_FD"), STDERR_FILENO, &heard);
        ck_assert_str_eq(heard.names, "mark|");
        ck_assert_int_eq(fcntl(STDIN_FILENO, F_DUPFD, 3), atoi(heard.output));
    }
    ck_assert_int_gt(atoi(heard.output), 9);
    pattern_close(both.pattern);
}
END_TEST

START_TEST(standard_error_is_passed_on_as_it_was)
{
    struct marks_options options = options_of("^(begin|end)", false);
    const int error = memfd_create("error", MFD_CLOEXEC);
    struct heard heard;
    char *bytes = malloc(400000);
    ssize_t got;

    run_marked(&options,
               SHELL("exec >&2; echo begin; head -c 300000 /dev/zero; printf '\\nend it\\n\\377last'; "
                     "kill -9 $$"),
               error, &heard);
    got = pread(error, bytes, 400000, 0);
    ck_assert_int_eq(got, 6 + 300000 + 1 + 7 + 5);
    ck_assert_int_eq(memcmp(bytes, "begin\n", 6), 0);
    for (size_t i = 6; i < 300006; i++)
        ck_assert_int_eq(bytes[i], 0);
    ck_assert_int_eq(memcmp(bytes + 300006, "\nend it\n\377last", 13), 0);
    ck_assert_str_eq(heard.names, "begin|end|");
    ck_assert_int_eq(heard.end.exit_status, 137);
    pattern_close(options.pattern);
    close(error);
    free(bytes);
}
END_TEST

START_TEST(a_reader_that_is_gone_ends_the_job_as_without_carbon)
{
    struct marks_options options = options_of("x", false);
    struct heard heard;
    int ends[2];

    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    run_marked(&options, ((char **)(const char *[]){ "sh", "-c", "exec yes >&2", NULL }), ends[1], &heard);
    ck_assert_int_eq(heard.end.signal, SIGPIPE);
    close(ends[1]);
    /* a device that is full is told to nobody, and a closed stream neither */
    ends[1] = open("/dev/full", O_WRONLY | O_CLOEXEC);
    run_marked(&options, SHELL("head -c 200000 /dev/zero >&2; echo >&2; echo x >&2; exit 3"), ends[1], &heard);
    ck_assert_int_eq(heard.end.exit_status, 3);
    ck_assert_str_eq(heard.names, "x|");
    close(ends[1]);
    run_marked(&options, SHELL("exec 2>&-; sleep 0.1; exit 5"), STDERR_FILENO, &heard);
    ck_assert_int_eq(heard.end.exit_status, 5);
    pattern_close(options.pattern);
}
END_TEST

/* A daemon that holds both pipes, and writes to one of them for as long as it can. */
START_TEST(what_is_left_behind_is_not_waited_for)
{
    struct marks_options options = options_of("y", true);
    const int error = memfd_create("error", MFD_CLOEXEC);
    const uint64_t begun_ns = clock_monotonic_ns();
    struct heard heard;

    run_marked(&options, SHELL("sleep 60 <&- >&- & yes n >&2 & sleep 0.1; echo mark >&$CARBON_MARK_FD"), error, &heard);
    ck_assert_uint_lt(clock_monotonic_ns() - begun_ns, 60 * NS_PER_S_INT);
    ck_assert_str_eq(heard.names, "mark|");
    ck_assert_int_eq(heard.end.exit_status, 0);
    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
    pattern_close(options.pattern);
    close(error);
}
END_TEST

/* Neither a full queue nor a carbon that is gone may hold up or end who makes a mark. */
START_TEST(a_mark_neither_blocks_nor_kills)
{
    static struct marks marks;
    const struct marks_options options = options_of(NULL, true);
    size_t written = 0;
    int fd;

    ck_assert(marks_open(&marks, &options, NULL, NULL));
    fd = dup(marks.given[0].fd);
    signal(SIGPIPE, SIG_DFL);
    while (write(fd, "load\n", 5) == 5)
        written += 5;
    ck_assert_int_eq(errno, EAGAIN);
    ck_assert_uint_ge(written, 65000);
    marks_close(&marks);
    ck_assert_int_eq(write(fd, "load\n", 5), -1);
    ck_assert_int_eq(errno, EAGAIN);
    close(fd);
}
END_TEST

UNIT_SUITE("marks", a_name_is_trimmed_printable_and_short, lines_are_the_same_however_they_are_cut,
           rubbish_gives_names_all_the_same, of_a_long_line_the_first_part_counts, a_pattern_names_by_its_first_group,
           one_variable_is_put_in_place_of_its_name, a_shell_marks_with_echo, the_job_gets_what_it_is_given_and_no_more,
           standard_error_is_passed_on_as_it_was, a_reader_that_is_gone_ends_the_job_as_without_carbon,
           what_is_left_behind_is_not_waited_for, a_mark_neither_blocks_nor_kills)
