/* SPDX-License-Identifier: MIT
 * Preloaded, it is a machine whose counters follow what carbon's loads have used, at each reading until then: nothing
 * that else runs makes them late. $DRIVEN is "FILE IDLE_W CPU_W STREAM_W": the counters have IDLE_W and, for each CPU
 * second of a process that was started with --load cpu or --load memory, CPU_W or STREAM_W joules; each such process
 * notes in FILE, which must be there, its number and its watts. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* As long as the tests write a counter, and nothing else; and how far it counts. */
enum { COUNTER_LENGTH = 21, MOST_LOADS = 64 };
#define RANGE_UJ 262143328850.0

static struct {
    char file[256];
    double idle_w, watts[2];
    double begun_s;
} machine;

static struct load {
    int pid;
    double w, used_s;
    int ended;
} loads[MOST_LOADS];
static int load_count;

static double now_s(clockid_t clock)
{
    struct timespec now = { 0 };

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void note_load(double w)
{
    const int file = open(machine.file, O_WRONLY | O_APPEND | O_CLOEXEC);

    if (file < 0)
        return;
    dprintf(file, "%d %.3f\n", (int)getpid(), w);
    close(file);
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
    const char *driven = getenv("DRIVEN");

    if (!driven ||
        sscanf(driven, "%255s %lf %lf %lf", machine.file, &machine.idle_w, &machine.watts[0], &machine.watts[1]) != 4)
        return;
    machine.begun_s = now_s(CLOCK_MONOTONIC);
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--load") == 0)
            note_load(machine.watts[strcmp(argv[i + 1], "memory") == 0]);
}

/* Those that were noted since. */
static void find_loads(void)
{
    FILE *file = fopen(machine.file, "re");
    int count = 0, pid;
    double w;

    if (!file)
        return;
    while (count < MOST_LOADS && fscanf(file, "%d %lf", &pid, &w) == 2)
        if (++count > load_count)
            loads[load_count++] = (struct load){ .pid = pid, .w = w };
    fclose(file);
}

static void look(struct load *load)
{
    clockid_t clock;

    if (!load->ended && clock_getcpuclockid(load->pid, &clock) == 0)
        load->used_s = now_s(clock);
}

ssize_t pread(int file, void *data, size_t size, off_t offset)
{
    const ssize_t length = syscall(SYS_pread64, file, data, size, offset);
    char text[COUNTER_LENGTH + 1];
    double uj;

    if (length != COUNTER_LENGTH || machine.begun_s == 0)
        return length;
    find_loads();
    uj = strtod(data, NULL);
    for (int i = 0; i < load_count; i++) {
        look(&loads[i]);
        uj += 1e6 * loads[i].w * loads[i].used_s;
    }
    uj += 1e6 * machine.idle_w * (now_s(CLOCK_MONOTONIC) - machine.begun_s);
    snprintf(text, sizeof text, "%020.0f\n", uj < RANGE_UJ ? uj : uj - RANGE_UJ);
    memcpy(data, text, COUNTER_LENGTH);
    return length;
}

/* What a process has used can be asked for until somebody has waited for it. */
pid_t wait4(pid_t pid, int *status, int options, struct rusage *rusage)
{
    siginfo_t info = { 0 };

    if (machine.begun_s != 0 && pid > 0 &&
        waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | (options & WNOHANG)) == 0 && info.si_pid == pid) {
        find_loads();
        for (int i = 0; i < load_count; i++)
            if (loads[i].pid == pid) {
                look(&loads[i]);
                loads[i].ended = 1;
            }
    }
    return (pid_t)syscall(SYS_wait4, pid, status, options, rusage);
}
