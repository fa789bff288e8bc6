/* SPDX-License-Identifier: MIT
 * What an exporter may not do any more once it has started, and what it still may. In a process of its own. */
#include "commands/serve/confine.h"

#include "noticed.h"
#include "unit.h"

#include "commands/serve/state_file.h"
#include "commands/serve/state_writer.h"
#include "commands/serve/web_config.h"
#include "ledger/packed.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/carbon-confine.XXXXXX";

static const char *path_of(const char *name)
{
    static char path[200];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

/* In a child what fails is told by its number, for nothing else of check's gets out of it. */
static void must(bool good, int line)
{
    if (!good)
        _exit(line);
}
#define MUST(condition) must(condition, __LINE__ % 251 + 1)

static bool has_filter(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[200];
    bool has = false;

    while (status && fgets(line, sizeof line, status))
        has |= strcmp(line, "Seccomp:\t2\n") == 0;
    if (status)
        fclose(status);
    return has;
}

static bool reads(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool noted(const struct notices *notices, const char *what)
{
    return notices_have(notices, what);
}

static void calls_are_shut_off(void)
{
    char *const words[] = { (char *)"true", NULL };

    MUST(execve("/bin/true", words, words) == -1);
    MUST(socket(AF_INET, SOCK_STREAM, 0) == -1 && errno == ENOSYS);
    MUST(socket(AF_UNIX, SOCK_STREAM, 0) == -1 && errno == ENOSYS);
    MUST(ptrace(PTRACE_TRACEME, 0, 0, 0) == -1 && errno == ENOSYS);
    MUST(fork() == -1);
    MUST(chmod(path_of("state"), 0777) == -1 && errno == ENOSYS);
    MUST(prctl(PR_SET_DUMPABLE, 1) == -1 && errno == ENOSYS);
    MUST(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
}

static void files_are_shut_off(void)
{
    MUST(!reads("/etc/passwd") && errno == EACCES);
    MUST(!reads(path_of("other/secret")) && errno == EACCES);
    MUST(open(path_of("other/new"), O_WRONLY | O_CREAT, 0600) == -1 && errno == EACCES);
    MUST(open(path_of("web/new"), O_WRONLY | O_CREAT, 0600) == -1 && errno == EACCES);
    MUST(unlink(path_of("web/web.yml")) == -1 && errno == EACCES);
    MUST(open("/proc/self/comm", O_WRONLY) == -1 && errno == EACCES);
}

static void its_work_goes_on(void)
{
    struct state_writer *writer;
    size_t length;
    char *packed = packed_gzip("text", 4, &length, NULL);
    char state[200];

    MUST(packed != NULL);
    free(packed);
    MUST(reads("/proc/stat") && reads("/proc/self/status") && reads("/sys/devices/system/cpu/online"));
    MUST(reads(path_of("web/web.yml")));
    MUST(open("/var/log", O_RDONLY | O_DIRECTORY) >= 0 || errno == ENOENT);
    snprintf(state, sizeof state, "%s", path_of("state/serve.json"));
    MUST(state_file_write(state, "one", NULL) && state_file_write(state, "two", NULL) && reads(state));
    writer = state_writer_open(state, NULL);
    MUST(writer != NULL);
    state_writer_give(writer, strdup("three"));
    state_writer_close(writer);
    MUST(state_file_finish(state, "four", NULL) && state_file_remove(state, NULL));
}

static void child(void)
{
    struct web_config config;
    const struct root root = { .path = "/", .live = true };
    char state[200];
    struct confine_places places = { .root = &root, .web_config = &config, .state_path = state };
    struct notices *notices = calloc(1, sizeof *notices);

    snprintf(state, sizeof state, "%s", path_of("state/serve.json"));
    MUST(web_config_read(path_of("web/web.yml"), &config, NULL));
    MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    confine_exporter(&places, notices);
    /* what could not be done is said; a build with sanitizers leaves calls as they are */
    MUST(has_filter() || noted(notices, "system calls cannot be shut off") || dlsym(NULL, "__asan_init"));
    if (has_filter())
        calls_are_shut_off();
    if (!noted(notices, "files cannot be shut off"))
        files_are_shut_off();
    its_work_goes_on();
    _exit(0);
}

START_TEST(an_intruder_gets_nothing)
{
    int status;
    pid_t pid;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(mkdir(path_of("web"), 0700) | mkdir(path_of("state"), 0700) | mkdir(path_of("other"), 0700), 0);
    put("web/web.yml", "basic_auth_users: {}\n");
    put("other/secret", "x");
    fflush(NULL);
    pid = fork();
    if (pid == 0)
        child();
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status), "signal %d", WTERMSIG(status));
    ck_assert_msg(WEXITSTATUS(status) == 0, "at line %d, or 251 on", WEXITSTATUS(status) - 1);
}
END_TEST

UNIT_SUITE("serve_confine", an_intruder_gets_nothing)
