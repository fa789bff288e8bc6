/* SPDX-License-Identifier: MIT
 * System calls and paths, named. */
#include "commands/serve/confine.h"

#include "base/auto.h"
#include "commands/serve/passwords.h"
#include "commands/serve/peer_certificate.h"
#include "commands/serve/web_config.h"
#include "io/http.h"
#include "ledger/packed.h"
#include "run/landlock.h"
#include "run/system_calls.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The sanitizers stop and look at the process from outside at its end: it takes what no exporter does. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* s390x has the arguments of mmap in memory, where no filter sees them, and those of clone the other way round. */
#ifdef __s390x__
enum { CODE = 0, CLONE_FLAGS = 1 };
#else
enum { CODE = PROT_EXEC, CLONE_FLAGS = 0 };
#endif

static const struct system_call exporters[] = {
    /* what is open */
    { .names = "read readv pread64 preadv write writev pwrite64 pwritev lseek _llseek fsync fdatasync ftruncate "
               "ftruncate64 close close_range dup dup2 dup3 fcntl fcntl64 flock ioctl fadvise64 fadvise64_64 "
               "arm_fadvise64_64" },
    /* files: which, says Landlock */
    { .names = "open openat openat2 access faccessat faccessat2 stat stat64 lstat lstat64 fstat fstat64 fstatat64 "
               "newfstatat statx statfs statfs64 fstatfs fstatfs64 getdents getdents64 readlink readlinkat getcwd "
               "rename renameat renameat2 unlink unlinkat" },
    /* clients */
    { .names = "accept accept4 recv recvfrom recvmsg send sendto sendmsg sendfile sendfile64 shutdown getsockname "
               "getpeername getsockopt setsockopt listen" },
    /* waiting, and time */
    { .names = "poll ppoll ppoll_time64 select _newselect pselect6 pselect6_time64 epoll_create epoll_create1 "
               "epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 pipe pipe2 nanosleep clock_nanosleep "
               "clock_nanosleep_time64 clock_gettime clock_gettime64 clock_getres clock_getres_time64 gettimeofday "
               "time times restart_syscall" },
    /* memory, threads, signals */
    { .names = "brk munmap mremap madvise mlock munlock mincore futex futex_time64 membarrier set_robust_list rseq "
               "set_tid_address "
               "memfd_create sched_yield sched_getaffinity getcpu rt_sigaction rt_sigprocmask rt_sigreturn sigreturn "
               "sigaltstack "
               "kill tgkill wait4 waitid waitpid exit exit_group" },
    /* what the process is, and the machine */
    { .names = "getpid gettid getppid getuid getuid32 geteuid geteuid32 getgid getgid32 getegid getegid32 getrusage "
               "getrlimit ugetrlimit prlimit64 getrandom uname sysinfo" },
    /* no code is mapped, and no process made */
    { .names = "mmap mmap2 mprotect", .argument = 2, .mask = CODE },
    { .names = "clone", .argument = CLONE_FLAGS, .mask = CLONE_THREAD, .bits = CLONE_THREAD },
};

/* And what asks engines, or a collector: names of hosts are asked for by several messages at once. */
static const struct system_call askers[] = {
    { .names = "socket socketpair connect bind socketcall sendmmsg recvmmsg" },
};

/* And what loads a library on the way: resolvers and TLS have some that are opened when they are first wanted. */
static const struct system_call loaders[] = {
    { .names = "mmap mmap2 mprotect" },
};

enum {
    EXPORTERS = sizeof exporters / sizeof exporters[0],
    ASKERS = sizeof askers / sizeof askers[0],
    LOADERS = sizeof loaders / sizeof loaders[0]
};

/* The folder that a file is in, so that one that takes its place can be read, too. */
static void allow_folder(const struct landlock *landlock, const char *path, unsigned what)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX] = ".";

    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    landlock_allow(landlock, folder, what);
}

static void allow_cards(const struct landlock *landlock, const struct root *root)
{
    AUTO_CLOSEDIR DIR *devices = root_open_dir(root, "dev", NULL);
    char path[PATH_MAX];

    for (const struct dirent *entry; devices && (entry = readdir(devices));)
        if (strncmp(entry->d_name, "nvidia", strlen("nvidia")) == 0) {
            snprintf(path, sizeof path, "/dev/%s", entry->d_name);
            landlock_allow(landlock, path, LANDLOCK_READ | LANDLOCK_WRITE);
        }
}

static void allow_machine(const struct landlock *landlock, const struct root *root)
{
    static const struct {
        const char *path;
        unsigned what;
    } places[] = { { "sys", LANDLOCK_READ },
                   { "proc", LANDLOCK_READ },
                   { "var/log", LANDLOCK_LIST } }; /* names of pods and of their containers */
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        root_typed_path(root, places[i].path, path, sizeof path);
        landlock_allow(landlock, path, places[i].what);
    }
    landlock_allow(landlock, "/proc", LANDLOCK_READ); /* what it uses itself, and its sanitizers */
    landlock_allow(landlock, "/dev/urandom", LANDLOCK_READ);
    if (root->live)
        allow_cards(landlock, root);
}

static bool shut_files_off(const struct confine_places *places, struct error *err)
{
    struct landlock landlock;
    bool entered;

    if (!landlock_open(&landlock, false, err))
        return false;
    if (places) {
        allow_machine(&landlock, places->root);
        for (size_t i = 0; places->web_config && i < places->web_config->file_count; i++)
            allow_folder(&landlock, places->web_config->files[i], LANDLOCK_READ);
        if (places->state_path)
            allow_folder(&landlock, places->state_path,
                         LANDLOCK_READ | LANDLOCK_WRITE | LANDLOCK_MAKE | LANDLOCK_REMOVE);
        if (places->socket_path)
            allow_folder(&landlock, places->socket_path, LANDLOCK_REMOVE);
    }
    entered = landlock_enter(&landlock, err);
    landlock_close(&landlock);
    return entered;
}

/* also: how many of those behind the exporter's own: none, ASKERS, or ASKERS + LOADERS. */
static bool shut_calls_off(size_t also, struct error *err)
{
    struct system_call calls[EXPORTERS + ASKERS + LOADERS];

    if (SANITIZED)
        return true;
    memcpy(calls, exporters, sizeof exporters);
    memcpy(calls + EXPORTERS, askers, sizeof askers);
    memcpy(calls + EXPORTERS + ASKERS, loaders, sizeof loaders);
    return system_calls_confine(calls, EXPORTERS + also, err);
}

/* Libraries that a web configuration may need when it is read again. */
static void open_libraries(const struct confine_places *places)
{
    const struct web_config none = { .user_count = 0 };
    struct peer_library peers;
    size_t length;

    system_calls_prepare();
    free(packed_gzip("", 0, &length, NULL));
    if (!places->web_config)
        return;
    passwords_close(passwords_open(&none, NULL));
    IGNORED(peer_library_open(&peers, NULL), "its user reports that it is missing");
}

void confine_exporter(const struct confine_places *places, struct notices *notices)
{
    struct error problem;

    open_libraries(places);
    if (!shut_files_off(places, &problem))
        notice_add_error(notices, NOTICE_EXPOSED, &problem);
    if (!shut_calls_off(0, &problem))
        notice_add_error(notices, NOTICE_EXPOSED, &problem);
}

void confine_names(void)
{
    system_calls_prepare();
    if (http_prepare(NULL)) {
        IGNORED(shut_files_off(NULL, NULL), "as far as the kernel can");
        IGNORED(shut_calls_off(ASKERS, NULL), "as far as the kernel can");
    }
}

/* Names of hosts, certificates and libraries are read when they are wanted. */
static bool shut_all_but_push_off(const struct otlp_collector *collector)
{
    static const char *const folders[] = {
        "/etc", "/usr", "/lib", "/lib64", "/run", "/var/lib", "/proc", "/dev/urandom"
    };
    const char *const files[] = { collector->ca_file, collector->certificate, collector->certificate_key };
    struct landlock landlock;
    bool entered;

    if (!landlock_open(&landlock, true, NULL))
        return false;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        landlock_allow(&landlock, folders[i], LANDLOCK_READ);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i])
            allow_folder(&landlock, files[i], LANDLOCK_READ);
    entered = landlock_enter(&landlock, NULL);
    landlock_close(&landlock);
    return entered;
}

void confine_push(const struct otlp_collector *collector)
{
    system_calls_prepare();
    if (http_prepare(NULL)) {
        IGNORED(shut_all_but_push_off(collector), "as far as the kernel can");
        IGNORED(shut_calls_off(ASKERS + LOADERS, NULL), "as far as the kernel can");
    }
}
