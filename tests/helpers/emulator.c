/* SPDX-License-Identifier: MIT
 * What this process cannot do that a Linux can, one word a line: the proof of what tests/architectures.tsv says of qemu-user.
 * Built by tests/architectures.sh for each machine, and run as its tests are. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int status_of(pid_t child)
{
    int status = -1;

    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A page that a child is to have with zeroes in it. */
static int keeps_pages(void)
{
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pid_t child;

    if (page == MAP_FAILED || madvise(page, 4096, MADV_WIPEONFORK) != 0)
        return 0;
    page[0] = 1;
    child = fork();
    if (child == 0)
        _exit(page[0]);
    return status_of(child) == 1;
}

/* Signals are blocked for the kernel, too. */
static int blocks_fewer(void)
{
    unsigned long long blocked = 0;
    char line[256];
    sigset_t all;
    FILE *status;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status) && sscanf(line, "SigBlk: %llx", &blocked) != 1)
        ;
    if (status)
        fclose(status);
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    return !(blocked >> (SIGSEGV - 1) & 1) || !(blocked >> (SIGBUS - 1) & 1);
}

static int has_another_name(void)
{
    char name[64] = "";
    FILE *comm = fopen("/proc/self/comm", "r");

    if (comm) {
        if (!fgets(name, sizeof name, comm))
            name[0] = '\0';
        fclose(comm);
    }
    return strncmp(name, "qemu-", 5) == 0;
}

static int has_no_limits(void)
{
    const struct rlimit little = { 1 << 20, 1 << 20 };
    pid_t child = fork();

    if (child == 0)
        _exit(setrlimit(RLIMIT_AS, &little) == 0 &&
              mmap(NULL, 64 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    return status_of(child) == 1;
}

int main(void)
{
    struct timespec used;
    unsigned attributes[32] = { 1, sizeof attributes }; /* a software event: the clock of the CPU */

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    if (used.tv_sec || used.tv_nsec > 3000000)
        puts("start");
    if (syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0) < 0 && errno == ENOSYS)
        puts("perf");
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        puts("orphans");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EINVAL)
        puts("seccomp");
    if (keeps_pages())
        puts("pages");
    if (blocks_fewer())
        puts("signals");
    if (has_another_name())
        puts("name");
    if (has_no_limits())
        puts("limits");
    if (access("/usr/lib/locale/C.utf8", F_OK) == 0 && !newlocale(LC_ALL_MASK, "C.UTF-8", NULL))
        puts("locales");
    return 0;
}
