/* SPDX-License-Identifier: MIT
 * Runs a command to which the kernel refuses what some sandboxes and emulators refuse:
 *
 *     refuse [subreaper] [folders] [stacks] [sandbox] -- COMMAND [ARGUMENT ...]
 *
 * subreaper: prctl(PR_SET_CHILD_SUBREAPER) answers EINVAL; folders: mkdir answers EACCES, so that no control group can
 * be made; stacks: perf_event_open answers EACCES; sandbox: Landlock and new filters are not there. Status 99: no
 * filter can be set here. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define ANSWER(number) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (number))
#define REFUSE(call, number) UNLESS(call, 1), ANSWER(number)
#define ARGUMENT (offsetof(struct seccomp_data, args) + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int set(const struct sock_filter *steps, size_t count)
{
    const struct sock_fprog program = { .len = (unsigned short)count, .filter = (struct sock_filter *)steps };

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? -1 : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* The filters of one process add up. */
#define SET(...)                                                                                                       \
    set((const struct sock_filter[]){ LOAD(nr), __VA_ARGS__, ALLOW },                                                  \
        sizeof(const struct sock_filter[]){ LOAD(nr), __VA_ARGS__, ALLOW } / sizeof(struct sock_filter))

/* The lower half of the first argument holds the option. */
static int refuse_subreaper(void)
{
    return SET(UNLESS(SYS_prctl, 3), BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT), UNLESS(PR_SET_CHILD_SUBREAPER, 1),
               ANSWER(EINVAL));
}

static int refuse_folders(void)
{
#ifdef SYS_mkdir
    if (SET(REFUSE(SYS_mkdir, EACCES)))
        return -1;
#endif
    return SET(REFUSE(SYS_mkdirat, EACCES));
}

static int refuse_stacks(void)
{
    return SET(REFUSE(SYS_perf_event_open, EACCES));
}

/* As on a kernel that has neither. Landlock's call has this number on all architectures but alpha. */
static int refuse_sandbox(void)
{
    return SET(REFUSE(444, ENOSYS), REFUSE(SYS_seccomp, EINVAL));
}

int main(int argc, char **argv)
{
    int next = 1;

    for (; next < argc && strcmp(argv[next], "--") != 0; next++) {
        const int failed = strcmp(argv[next], "subreaper") == 0 ? refuse_subreaper()
                           : strcmp(argv[next], "folders") == 0 ? refuse_folders()
                           : strcmp(argv[next], "stacks") == 0  ? refuse_stacks()
                           : strcmp(argv[next], "sandbox") == 0 ? refuse_sandbox()
                                                                : 1;
        if (failed) {
            fprintf(stderr, "refuse: %s: %s\n", argv[next], failed > 0 ? "unknown" : strerror(errno));
            return 99;
        }
    }
    if (next + 1 >= argc) {
        fputs("usage: refuse [subreaper] [folders] [stacks] [sandbox] -- COMMAND [ARGUMENT ...]\n", stderr);
        return 99;
    }
    execvp(argv[next + 1], argv + next + 1);
    perror("refuse");
    return 99;
}
