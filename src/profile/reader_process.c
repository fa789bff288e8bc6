/* SPDX-License-Identifier: MIT
 * Limits by setrlimit(2), and signals that end a process. */
#include "profile/reader_process.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define MEMORY_BYTES_MORE ((rlim_t)8 << 30)

/* So much more than there is by now: sanitizers have terabytes. */
static struct rlimit memory_limit(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long pages = 0;
    rlim_t bytes;

    if (file && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    bytes = pages * (rlim_t)sysconf(_SC_PAGESIZE) + MEMORY_BYTES_MORE;
    return (struct rlimit){ bytes, bytes };
}

void reader_process_limit(unsigned seconds)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM };
    const struct rlimit cpu = { seconds, seconds }, memory = memory_limit(), core = { 0, 0 };
    sigset_t all;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL);
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    if (seconds)
        setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &core);
}
