/* SPDX-License-Identifier: MIT
 * Preloaded, it is a machine whose counter and /proc/stat follow what some processes have used, at each reading until
 * then: nothing that else runs makes them late. $DRIVEN is "TREE IDLE_W CPU_W STREAM_W OTHERS_W".
 *
 * TREE/loads, which must be there, has a line of each such process: its number, and the watts of each of its busy CPUs.
 * One that goes on with other watts adds its number and, negative, its CPU seconds so far, and a line of the new watts.
 * Those that are started with --load cpu or --load memory add theirs, of CPU_W and STREAM_W. A process that ends adds
 * its number and, negative, its CPU seconds. What all of them have drawn is in TREE/truth once one that carbon itself
 * started has ended: joules, and CPU seconds.
 *
 * Where there is TREE/others, others keep so many of CPUS busy, at OTHERS_W each: of several numbers each for TURN_S in
 * turn, and no more than the processes leave. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A counter is as long as the tests write it, and nothing else is. */
enum { COUNTER_LENGTH = 21, MAX_LOADS = 64, MAX_TURNS = 32, CPUS = 4 };
#define RANGE_UJ 262143328850.0 /* how far it counts */
#define TURN_S 0.4

static struct {
    char tree[256];
    double idle_w, load_w[2], others_w;
    double begun_s, last_s; /* CLOCK_MONOTONIC; 0: this is no such machine */
    double drawn_j, used_s, others_s;
} machine;

static struct load {
    int pid;
    double w, used_s;
    double before_s, before_j; /* its CPU seconds when it got these watts, and what it had drawn until then */
    int ended;
} loads[MAX_LOADS];
static int load_count;
static long loads_read; /* so far into the file */

static double now_s(clockid_t clock)
{
    struct timespec now = { 0 };

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static FILE *open_in_tree(const char *name, const char *mode)
{
    char path[sizeof machine.tree + 16];

    snprintf(path, sizeof path, "%s/%s", machine.tree, name);
    return fopen(path, mode);
}

static void note(double value)
{
    FILE *file = machine.begun_s != 0 ? open_in_tree("loads", "ae") : NULL;

    if (!file)
        return;
    fprintf(file, "%d %.9f\n", (int)getpid(), value);
    fclose(file);
}

__attribute__((destructor)) static void leave(void)
{
    note(-now_s(CLOCK_PROCESS_CPUTIME_ID));
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
    const char *driven = getenv("DRIVEN");

    if (!driven || sscanf(driven, "%255s %lf %lf %lf %lf", machine.tree, &machine.idle_w, &machine.load_w[0],
                          &machine.load_w[1], &machine.others_w) != 5)
        return;
    machine.begun_s = machine.last_s = now_s(CLOCK_MONOTONIC);
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--load") == 0)
            note(machine.load_w[strcmp(argv[i + 1], "memory") == 0]);
}

static double drawn_j(const struct load *load)
{
    return load->before_j + load->w * (load->used_s - load->before_s);
}

static void take_line(int pid, double value)
{
    int i;

    for (i = 0; i < load_count && loads[i].pid != pid; i++)
        continue;
    if (i == load_count && value > 0 && i < MAX_LOADS) {
        loads[load_count++] = (struct load){ .pid = pid, .w = value };
    } else if (i < load_count && value < 0) {
        loads[i].used_s = fmax(loads[i].used_s, -value);
    } else if (i < load_count) {
        loads[i].before_j = drawn_j(&loads[i]);
        loads[i].before_s = loads[i].used_s;
        loads[i].w = value;
    }
}

/* All that was noted since the last time. */
static void find_loads(void)
{
    FILE *file = open_in_tree("loads", "re");
    char line[64];
    int pid;
    double value;

    if (file)
        fseek(file, loads_read, SEEK_SET);
    while (file && fgets(line, sizeof line, file) && strchr(line, '\n')) {
        loads_read = ftell(file);
        if (sscanf(line, "%d %lf", &pid, &value) == 2)
            take_line(pid, value);
    }
    if (file)
        fclose(file);
}

static void look(struct load *load)
{
    clockid_t clock;

    if (!load->ended && clock_getcpuclockid(load->pid, &clock) == 0)
        load->used_s = now_s(clock);
}

/* CPU seconds that others want between two moments since it began. */
static double wanted_s(double from_s, double to_s)
{
    FILE *file = open_in_tree("others", "re");
    double turns[MAX_TURNS], sum_s = 0;
    int count = 0;

    while (file && count < MAX_TURNS && fscanf(file, "%lf", &turns[count]) == 1)
        count++;
    if (file)
        fclose(file);
    while (count && from_s < to_s) {
        const double turn = floor(from_s / TURN_S + 1e-9), until_s = fmin(to_s, (turn + 1) * TURN_S);
        sum_s += turns[(int)turn % count] * (until_s - from_s);
        from_s = until_s;
    }
    return sum_s;
}

static struct drawn {
    double used_s, j;
} drawn_by_all(void)
{
    struct drawn sum = { 0, 0 };

    find_loads();
    for (int i = 0; i < load_count; i++) {
        look(&loads[i]);
        sum.used_s += loads[i].used_s;
        sum.j += drawn_j(&loads[i]);
    }
    return sum;
}

/* The machine until now. */
static void go_on(void)
{
    const double before_s = machine.used_s;
    const struct drawn drawn = drawn_by_all();
    double wanted, left, now;

    machine.used_s = drawn.used_s;
    machine.drawn_j = drawn.j;
    now = now_s(CLOCK_MONOTONIC);
    wanted = wanted_s(machine.last_s - machine.begun_s, now - machine.begun_s);
    left = CPUS * (now - machine.last_s) - (machine.used_s - before_s);
    machine.others_s += fmax(fmin(wanted, left), 0);
    machine.last_s = now;
}

ssize_t pread(int file, void *data, size_t size, off_t offset)
{
    const ssize_t length = syscall(SYS_pread64, file, data, size, offset);
    const double ticks = (double)sysconf(_SC_CLK_TCK);
    char text[128];
    double value;
    int written;

    if (machine.begun_s == 0 || length <= 0)
        return length;
    if (length == COUNTER_LENGTH) {
        go_on();
        value = strtod(data, NULL) + 1e6 * (machine.idle_w * (machine.last_s - machine.begun_s) + machine.drawn_j +
                                            machine.others_w * machine.others_s);
        written = snprintf(text, sizeof text, "%020.0f\n", value < RANGE_UJ ? value : value - RANGE_UJ);
    } else if (offset == 0 && length > 4 && memcmp(data, "cpu ", 4) == 0) {
        go_on();
        value = machine.used_s + machine.others_s;
        written = snprintf(text, sizeof text, "cpu  %.0f 0 0 %.0f 0 0 0 0 0 0\n", floor(value * ticks),
                           floor(fmax(CPUS * (machine.last_s - machine.begun_s) - value, 0) * ticks));
    } else {
        return length;
    }
    memcpy(data, text, (size_t)written < size ? (size_t)written : size);
    return written;
}

/* What a program built with _FORTIFY_SOURCE calls. */
ssize_t __pread_chk(int file, void *data, size_t size, off_t offset, size_t room);
ssize_t __pread_chk(int file, void *data, size_t size, off_t offset, size_t room)
{
    return size > room ? -1 : pread(file, data, size, offset);
}

static void end(struct load *load)
{
    const struct drawn drawn = drawn_by_all();
    FILE *file = open_in_tree("truth", "we");

    load->ended = 1;
    if (!file)
        return;
    fprintf(file, "%.9f %.9f\n", drawn.j, drawn.used_s);
    fclose(file);
}

/* What a process has used can be asked for until somebody has waited for it. */
pid_t wait4(pid_t pid, int *status, int options, struct rusage *rusage)
{
    siginfo_t info = { 0 };

    if (machine.begun_s != 0 && pid > 0 &&
        waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | (options & WNOHANG)) == 0 && info.si_pid == pid) {
        find_loads();
        for (int i = 0; i < load_count; i++)
            if (loads[i].pid == pid)
                end(&loads[i]);
    }
    return (pid_t)syscall(SYS_wait4, pid, status, options, rusage);
}
