/* SPDX-License-Identifier: MIT
 * A process that reads untrusted files and is restarted if that fails; and a table of its answers. */
#include "profile/unwind_rules.h"

#include "profile/elf_frames.h"
#include "profile/objects.h"
#include "profile/reader_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long the reader may take for an answer, and how often it may fail. */
enum { READER_S = 5, PATIENCE_MS = 8000, LIVES_MAX = 32, FAILS = UINT8_MAX };

struct cached_rule {
    uint64_t offset;
    uint32_t object;
    bool used;
    struct unwind_rule rule;
};

struct rule_question {
    uint32_t object;
    uint64_t offset;
};

struct rule_answer {
    bool failed; /* the reader is another one now */
    struct unwind_rule rule;
};

union fd_message {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
};

/* fd -1: without one. */
static bool send_question(int to, const struct rule_question *question, int fd)
{
    struct iovec part = { (void *)question, sizeof *question };
    union fd_message control = { .bytes = { 0 } };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

    if (fd >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control.bytes;
        control.head =
            (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd) };
        memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    }
    return sendmsg(to, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *question;
}

static bool receive_question(int from, struct rule_question *question, int *fd)
{
    struct iovec part = { question, sizeof *question };
    union fd_message control = { .bytes = { 0 } };
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes
    };
    ssize_t got;

    do
        got = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    *fd = -1;
    if (message.msg_controllen >= CMSG_LEN(sizeof *fd) && control.head.cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(&control.head), sizeof *fd);
    return got == (ssize_t)sizeof *question && question->object < OBJECTS_MAX;
}

/* Answers until the last request. */
static _Noreturn void read_files(int asked)
{
    struct elf_frames **files = calloc(OBJECTS_MAX, sizeof(struct elf_frames *));
    struct rule_question question;
    int fd;

    reader_process_limit(0);
    while (files && receive_question(asked, &question, &fd)) {
        struct elf_frames **file = &files[question.object];
        struct rule_answer answer = { .failed = false };
        alarm(READER_S);
        if (fd >= 0 && !*file)
            *file = elf_frames_open(fd);
        if (*file)
            answer.rule = elf_frames_rule(*file, question.offset);
        alarm(0);
        if (send(asked, &answer, sizeof answer, MSG_NOSIGNAL) != (ssize_t)sizeof answer)
            break;
    }
    _exit(0);
}

/* Carbon sees one child only, from before the job: whatever this one begins is none of the job's. */
static _Noreturn void begin_readers(int asked)
{
    const struct rule_answer failed = { .failed = true };
    sigset_t all;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigfillset(&all); /* Ctrl-C is for the job */
    sigprocmask(SIG_SETMASK, &all, NULL);
    dup2(asked, STDERR_FILENO + 1);
    asked = STDERR_FILENO + 1;
    syscall(SYS_close_range, (unsigned)asked + 1, ~0U, 0);
    for (int life = 0; life < LIVES_MAX; life++) {
        int status = 0;
        const pid_t pid = fork();
        if (pid == 0)
            read_files(asked);
        while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
        if (pid < 0 || status == 0 || send(asked, &failed, sizeof failed, MSG_NOSIGNAL) < 0)
            break;
    }
    _exit(0);
}

bool unwind_rules_open(struct unwind_rules *rules, struct error *err)
{
    int ends[2];

    *rules = (struct unwind_rules){ .asked = -1, .life = 1 };
    if (elf_frames_library() != LIBRARY_READY) {
        error_set(err, ERROR_ABSENT, "stacks cannot be found by DWARF here");
        error_why(err, "elfutils' libdw is not there, or carbon was built without it");
        return error_fix(err, "sudo apt-get install libdw-dev and build carbon again, or --call-graph fp");
    }
    rules->cached = calloc(UNWIND_RULES_MAX * 2, sizeof *rules->cached);
    rules->sent_in = calloc(OBJECTS_MAX, sizeof *rules->sent_in);
    if (!rules->cached || !rules->sent_in || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return error_errno(err, "no memory for the rules of stacks");
    rules->pid = fork();
    if (rules->pid == 0)
        begin_readers(ends[1]);
    close(ends[1]);
    rules->asked = ends[0];
    return rules->pid > 0 || error_errno(err, "cannot begin a process that reads the rules of stacks");
}

static void end_reader(struct unwind_rules *rules)
{
    if (rules->asked < 0)
        return;
    shutdown(rules->asked, SHUT_RDWR);
    close(rules->asked);
    rules->asked = -1;
}

void unwind_rules_close(struct unwind_rules *rules)
{
    if (!rules->cached)
        return;
    end_reader(rules);
    while (rules->pid > 0 && waitpid(rules->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    free(rules->cached);
    free(rules->sent_in);
    *rules = (struct unwind_rules){ .asked = -1 };
}

static bool receive_answer(struct unwind_rules *rules, struct rule_answer *answer)
{
    struct pollfd poller = { .fd = rules->asked, .events = POLLIN };
    int ready;

    do
        ready = poll(&poller, 1, PATIENCE_MS);
    while (ready < 0 && errno == EINTR);
    return ready > 0 && recv(rules->asked, answer, sizeof *answer, 0) == (ssize_t)sizeof *answer;
}

/* A rule that is not known where the file makes the reader fail: it is not asked for again. */
static struct unwind_rule ask_reader(struct unwind_rules *rules, uint32_t object, int fd, uint64_t offset)
{
    const struct rule_question question = { object, offset };
    struct rule_answer answer = { .failed = false };
    const bool is_sent = rules->sent_in[object] == rules->life;

    if (rules->asked < 0 || rules->sent_in[object] == FAILS)
        return answer.rule;
    if (!send_question(rules->asked, &question, is_sent ? -1 : fd) || !receive_answer(rules, &answer)) {
        end_reader(rules);
        return (struct unwind_rule){ .known = false };
    }
    rules->sent_in[object] = answer.failed ? FAILS : rules->life;
    rules->life += answer.failed;
    return answer.rule;
}

static struct cached_rule *slot_of(struct unwind_rules *rules, uint32_t object, uint64_t offset)
{
    const size_t size = UNWIND_RULES_MAX * 2;
    size_t at = (offset ^ (uint64_t)object << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (size - 1);

    while (rules->cached[at].used && (rules->cached[at].object != object || rules->cached[at].offset != offset))
        at = (at + 1) & (size - 1);
    return &rules->cached[at];
}

const struct unwind_rule *unwind_rules_find(struct unwind_rules *rules, uint32_t object, int fd, uint64_t offset)
{
    struct cached_rule *slot = slot_of(rules, object, offset);

    if (slot->used)
        return &slot->rule;
    if (rules->count == UNWIND_RULES_MAX) {
        memset(rules->cached, 0, UNWIND_RULES_MAX * 2 * sizeof *rules->cached);
        rules->count = 0;
        slot = slot_of(rules, object, offset);
    }
    *slot = (struct cached_rule){ offset, object, true, ask_reader(rules, object, fd, offset) };
    rules->count++;
    return &slot->rule;
}
