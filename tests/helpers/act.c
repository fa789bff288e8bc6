/* SPDX-License-Identifier: MIT
 * A small real job whose every verb is one known effect. Verbs are done in order, each with its
 * arguments: act touch 64 spin 0.5 exit 7 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct {
    const char *name;
    int number;
} signal_names[] = {
    { "HUP", SIGHUP },   { "INT", SIGINT },   { "QUIT", SIGQUIT }, { "USR1", SIGUSR1 }, { "USR2", SIGUSR2 },
    { "PIPE", SIGPIPE }, { "TERM", SIGTERM }, { "CHLD", SIGCHLD }, { "TSTP", SIGTSTP }, { "STOP", SIGSTOP },
};

enum { SIGNALS = sizeof signal_names / sizeof signal_names[0] };

static void fail(const char *what)
{
    fprintf(stderr, "act: %s: %s\n", what, strerror(errno));
    exit(99);
}

static int signal_number(const char *name)
{
    for (size_t i = 0; i < SIGNALS; i++)
        if (strcmp(signal_names[i].name, name) == 0)
            return signal_names[i].number;
    return atoi(name);
}

static struct timespec timespec_of(double seconds)
{
    const struct timespec time = { .tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9) };
    return time;
}

static void do_sleep(char **with)
{
    struct timespec rest = timespec_of(atof(with[0]));

    while (nanosleep(&rest, &rest) < 0 && errno == EINTR)
        continue;
}

static double thread_cpu_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* CPU seconds of this thread, from now on. */
static void do_spin(char **with)
{
    const double end_s = thread_cpu_s() + atof(with[0]);

    while (thread_cpu_s() < end_s)
        for (volatile int i = 0; i < 1000; i++)
            continue;
}

/* MiB of memory that is really there, and stays. A sanitizer would take memory of its own for it. */
__attribute__((no_sanitize("address"))) static void do_touch(char **with)
{
    const size_t size = (size_t)atoi(with[0]) << 20;
    volatile char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        fail("mmap");
    for (size_t i = 0; i < size; i += 4096)
        memory[i] = 1;
}

static double wall_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Reads so many MiB, and writes them again, over and over, for so many seconds. */
__attribute__((no_sanitize("address"))) static void do_stream(char **with)
{
    const size_t count = ((size_t)atoi(with[0]) << 20) / sizeof(long);
    volatile long *memory =
        mmap(NULL, count * sizeof(long), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const double end_s = wall_s() + atof(with[1]);

    if (memory == MAP_FAILED)
        fail("mmap");
    madvise((void *)memory, count * sizeof(long), MADV_HUGEPAGE); /* the first turn is all page faults */
    while (wall_s() < end_s)
        for (size_t i = 0; i < count; i += 8)
            memory[i]++;
}

static void *stream_thread(void *with)
{
    do_stream(with);
    return NULL;
}

/* The same with so many threads, each over its part. */
static void do_stream_threads(char **with)
{
    const int count = atoi(with[0]);
    pthread_t threads[64];
    char part[16];

    snprintf(part, sizeof part, "%d", atoi(with[1]) / count);
    for (int i = 0; i < count && i < 64; i++)
        if (pthread_create(&threads[i], NULL, stream_thread, (char *[]){ part, with[2] }) != 0)
            fail("pthread_create");
    for (int i = 0; i < count && i < 64; i++)
        pthread_join(threads[i], NULL);
}

/* Past the page cache: a file of so many MiB is written, and read, over and over, for so many seconds. */
static void do_disk(char **with)
{
    enum { BLOCK = 1 << 20 };
    const double end_s = wall_s() + atof(with[1]);
    const int blocks = atoi(with[0]);
    const int fd = open(".", O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
    void *block = NULL;

    if (fd < 0 || posix_memalign(&block, 4096, BLOCK) != 0)
        fail("a file past the page cache");
    memset(block, 'x', BLOCK);
    for (int i = 0; wall_s() < end_s; i = (i + 1) % (2 * blocks)) {
        const off_t at = (off_t)(i % blocks) * BLOCK;
        if ((i < blocks ? pwrite(fd, block, BLOCK, at) : pread(fd, block, BLOCK, at)) != BLOCK)
            fail("a block of it");
    }
    free(block);
    close(fd);
}

/* Held open by every process that is left to itself, which writes its number into it: see await. */
static int line[2] = { -1, -1 };

static void open_line(void)
{
    if (line[0] < 0 && pipe2(line, O_CLOEXEC) < 0)
        fail("pipe");
}

static void tell_line(void)
{
    const pid_t self = getpid();

    if (write(line[1], &self, sizeof self) != sizeof self)
        fail("the line");
}

/* Until all that was left to itself has ended: its files are closed a moment before. */
static void do_await(char **with)
{
    pid_t pids[64];
    ssize_t size;

    (void)with;
    close(line[1]);
    while ((size = read(line[0], pids, sizeof pids)) > 0) {
        for (size_t i = 0; i < (size_t)size / sizeof *pids; i++) {
            struct pollfd end = { .fd = (int)syscall(SYS_pidfd_open, pids[i], 0), .events = POLLIN };

            if (end.fd < 0 && errno == ESRCH)
                continue;
            if (end.fd < 0 || poll(&end, 1, -1) != 1)
                fail("await");
            close(end.fd);
        }
    }
    if (size < 0)
        fail("await");
    close(line[0]);
    line[0] = line[1] = -1;
}

/* A process that has left session, parent and terminal; it goes on with one verb. */
static void leave_behind(void (*verb)(char **), char **with)
{
    pid_t pid;

    open_line();
    pid = fork();
    if (pid < 0)
        fail("fork");
    if (pid > 0) {
        waitpid(pid, NULL, 0);
        return;
    }
    setsid();
    prctl(PR_SET_NAME, "act-daemon");
    if (fork() != 0)
        _exit(0);
    tell_line();
    verb(with);
    _exit(0);
}

static void do_daemon(char **with)
{
    leave_behind(do_sleep, with);
}

static void do_daemon_spin(char **with)
{
    leave_behind(do_spin, with);
}

/* A child that is not waited for: it ends a moment later, while this process goes on. */
static void do_forget(char **with)
{
    open_line();
    if (fork() == 0) {
        tell_line();
        do_spin(with);
        _exit(0);
    }
}

static void spin_a_little(char **with)
{
    (void)with;
    for (volatile int i = 0; i < 300000; i++)
        continue;
}

/* Children one after the other, each with one verb of its own. */
static void fork_many(int children, void (*verb)(char **), char **with)
{
    for (int i = 0; i < children; i++) {
        const pid_t pid = fork();
        if (pid < 0)
            fail("fork");
        if (pid == 0) {
            verb(with);
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
}

static void do_forks(char **with)
{
    fork_many(atoi(with[0]), spin_a_little, NULL);
}

static void do_forks_spin(char **with)
{
    fork_many(atoi(with[0]), do_spin, with + 1);
}

static void do_exit(char **with)
{
    exit(atoi(with[0]));
}

static void do_ignore(char **with)
{
    signal(signal_number(with[0]), SIG_IGN);
}

static void do_signal(char **with)
{
    fflush(NULL);
    kill(getpid(), signal_number(with[0]));
}

/* To the whole process group, which is carbon's too; this process itself does without. */
static void do_signal_group(char **with)
{
    signal(signal_number(with[0]), SIG_IGN);
    kill(0, signal_number(with[0]));
}

static void do_signal_parent(char **with)
{
    kill(getppid(), signal_number(with[0]));
}

static void do_print(char **with)
{
    puts(with[0]);
    fflush(stdout);
}

static void do_fds(char **with)
{
    DIR *dir = opendir("/proc/self/fd");

    (void)with;
    if (!dir)
        fail("/proc/self/fd");
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(dir))
            printf("%s ", entry->d_name);
    closedir(dir);
    putchar('\n');
}

static void do_mask(char **with)
{
    sigset_t blocked;
    struct sigaction now;

    (void)with;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    printf("blocked:");
    for (size_t i = 0; i < SIGNALS; i++)
        if (sigismember(&blocked, signal_names[i].number) == 1)
            printf(" %s", signal_names[i].name);
    printf(" ignored:");
    for (size_t i = 0; i < SIGNALS; i++)
        if (sigaction(signal_names[i].number, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
            printf(" %s", signal_names[i].name);
    putchar('\n');
}

static void do_cpus(char **with)
{
    cpu_set_t set;

    (void)with;
    if (sched_getaffinity(0, sizeof set, &set) < 0)
        fail("sched_getaffinity");
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set))
            printf("%d ", i);
    putchar('\n');
}

/* Which of the standard streams are a terminal, and whether this group is in its foreground. */
static void do_tty(char **with)
{
    const int fd = open("/dev/tty", O_RDONLY | O_CLOEXEC);

    (void)with;
    for (int i = 0; i < 3; i++)
        printf("%d:%s ", i, isatty(i) ? "terminal" : "other");
    printf("%s\n", fd < 0 ? "none" : tcgetpgrp(fd) == getpgrp() ? "foreground" : "background");
    if (fd >= 0)
        close(fd);
}

static void do_write(char **with)
{
    const int fd = open(with[0], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    char block[4096] = "act";
    ssize_t wrote = 0;

    if (fd < 0)
        fail(with[0]);
    for (long rest = atol(with[1]); rest > 0; rest -= wrote) {
        wrote = write(fd, block, rest < (long)sizeof block ? (size_t)rest : sizeof block);
        if (wrote < 0)
            fail(with[0]);
    }
    fsync(fd);
    close(fd);
}

static void block(int number, sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, number);
    sigprocmask(SIG_BLOCK, set, NULL);
    do_print((char *[]){ (char *)"ready" });
}

/* Says "ready", exits with a status when the signal comes; gives up with 98 after 120 s. */
static void do_trap(char **with)
{
    const struct timespec patience = { .tv_sec = 120 };
    sigset_t set;

    block(signal_number(with[0]), &set);
    exit(sigtimedwait(&set, NULL, &patience) > 0 ? atoi(with[1]) : 98);
}

/* Says "ready", and goes on when the signal comes; gives up with 98 after 120 s. */
static void do_hold(char **with)
{
    const struct timespec patience = { .tv_sec = 120 };
    sigset_t set;

    block(signal_number(with[0]), &set);
    while (sigtimedwait(&set, NULL, &patience) < 0)
        if (errno != EINTR) /* it was stopped for a while */
            exit(98);
}

/* Says "ready", then how often the signal came until it stayed away for so many seconds. */
static void do_count(char **with)
{
    const struct timespec quiet = timespec_of(atof(with[1]));
    struct timespec patience = { .tv_sec = 120 };
    int count = 0;
    sigset_t set;

    block(signal_number(with[0]), &set);
    while (sigtimedwait(&set, NULL, &patience) > 0) {
        patience = quiet;
        count++;
    }
    printf("%s came %d times\n", with[0], count);
}

/* As a shell with job control or timeout(1) does. */
static void do_own_group(char **with)
{
    (void)with;
    setpgid(0, 0);
}

static const struct verb {
    const char *name;
    int arguments;
    void (*act)(char **with);
    const char *about;
} verbs[] = {
    { "exit", 1, do_exit, "STATUS" },
    { "sleep", 1, do_sleep, "SECONDS" },
    { "spin", 1, do_spin, "CPU_SECONDS" },
    { "touch", 1, do_touch, "MIB" },
    { "stream", 2, do_stream, "MIB SECONDS" },
    { "stream-threads", 3, do_stream_threads, "THREADS MIB SECONDS" },
    { "disk", 2, do_disk, "MIB SECONDS, in this folder" },
    { "write", 2, do_write, "FILE BYTES" },
    { "forks", 1, do_forks, "CHILDREN" },
    { "forks-spin", 2, do_forks_spin, "CHILDREN CPU_SECONDS of each" },
    { "forget", 1, do_forget, "CPU_SECONDS of a child" },
    { "daemon", 1, do_daemon, "SECONDS" },
    { "daemon-spin", 1, do_daemon_spin, "CPU_SECONDS" },
    { "await", 0, do_await, "the end of what was forgotten or is a daemon" },
    { "own-group", 0, do_own_group, "" },
    { "ignore", 1, do_ignore, "SIGNAL" },
    { "signal", 1, do_signal, "SIGNAL to itself" },
    { "signal-group", 1, do_signal_group, "SIGNAL" },
    { "signal-parent", 1, do_signal_parent, "SIGNAL" },
    { "trap", 2, do_trap, "SIGNAL STATUS" },
    { "hold", 1, do_hold, "until SIGNAL" },
    { "count", 2, do_count, "SIGNAL QUIET_SECONDS" },
    { "print", 1, do_print, "TEXT" },
    { "fds", 0, do_fds, "open descriptors" },
    { "mask", 0, do_mask, "blocked and ignored signals" },
    { "cpus", 0, do_cpus, "CPUs it may run on" },
    { "tty", 0, do_tty, "terminal or not" },
};

int main(int argc, char **argv)
{
    const size_t count = sizeof verbs / sizeof verbs[0];
    int at = 1;

    while (at < argc) {
        const struct verb *verb = verbs;
        while (verb < verbs + count && strcmp(verb->name, argv[at]) != 0)
            verb++;
        if (verb == verbs + count || argc - at <= verb->arguments) {
            fprintf(stderr, "act: '%s' cannot be done; verbs are:\n", argv[at]);
            for (verb = verbs; verb < verbs + count; verb++)
                fprintf(stderr, "  %s %s\n", verb->name, verb->about);
            return 99;
        }
        verb->act(argv + at + 1);
        at += 1 + verb->arguments;
    }
    return 0;
}
