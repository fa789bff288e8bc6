/* SPDX-License-Identifier: MIT
 * A job whose functions are known: what each has used of the CPU stands in standard output, "NAME SECONDS" a line.
 *
 *   functions shares S           sixty, thirty and ten by these parts of S seconds of CPU time
 *   functions turns S TREE A B   cheap and dear in turns of 200 ms of CPU time: A and B watts, noted in TREE/loads as
 *                                driven.c reads it
 *   functions fork S             forked in a child, in_parent in the parent
 *   functions threads S          threaded_0 and threaded_1 in threads of these names
 *   functions exec S             itself with `shares`
 *   functions dlopen S FILE      the function plugged of FILE
 *   functions jit S NAME         code that was written to memory, as NAME in /tmp/perf-PID.map among lines that are
 *                                none
 *   functions deep S             a hundred calls down to deepest
 *   functions rounds N D         deepest D calls down, N times the same work: what it takes is what is to be seen
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 100000 };

static volatile uint64_t sink;

static double used_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Always inlined, so that the samples are the function's own. */
__attribute__((always_inline)) static inline void work(long steps)
{
    for (long i = 0; i < steps; i++)
        sink += (uint64_t)(i * i);
}

#define FUNCTION(name)                                                                                                 \
    __attribute__((noinline)) static void name(long steps)                                                             \
    {                                                                                                                  \
        work(steps);                                                                                                   \
    }
FUNCTION(sixty)
FUNCTION(thirty)
FUNCTION(ten)
FUNCTION(cheap)
FUNCTION(dear)
FUNCTION(forked)
FUNCTION(in_parent)
FUNCTION(threaded_0)
FUNCTION(threaded_1)
FUNCTION(deepest)

typedef void function(long steps);

/* What it used. */
static double run(function *what, double until_s)
{
    const double before_s = used_s();

    while (used_s() - before_s < until_s)
        what(STEPS);
    return used_s() - before_s;
}

static void tell(const char *name, double seconds)
{
    printf("%s %.6f\n", name, seconds);
}

static void shares(double seconds)
{
    double sums[3] = { 0, 0, 0 };

    for (double sum = 0; sum < seconds; sum = sums[0] + sums[1] + sums[2]) {
        sums[0] += run(sixty, 0.006);
        sums[1] += run(thirty, 0.003);
        sums[2] += run(ten, 0.001);
    }
    tell("sixty", sums[0]);
    tell("thirty", sums[1]);
    tell("ten", sums[2]);
}

static void note(const char *tree, double value)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/loads", tree);
    file = fopen(path, "ae");
    if (!file)
        exit(99);
    fprintf(file, "%d %.9f\n", (int)getpid(), value);
    fclose(file);
}

static void turns(double seconds, const char *tree, const char *const *watts)
{
    double sums[2] = { 0, 0 };

    for (int turn = 0; sums[0] + sums[1] < seconds; turn = !turn) {
        if (used_s() > 0)
            note(tree, -used_s());
        note(tree, atof(watts[turn]));
        sums[turn] += run(turn ? dear : cheap, 0.2);
    }
    tell("cheap", sums[0]);
    tell("dear", sums[1]);
}

static void forks(double seconds)
{
    const pid_t child = fork();

    if (child == 0)
        tell("forked", run(forked, seconds));
    else
        tell("in_parent", run(in_parent, seconds));
    fflush(stdout);
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
}

static void *thread(void *of)
{
    const int number = (int)(intptr_t)of & 1;

    prctl(PR_SET_NAME, number ? "threaded_1" : "threaded_0");
    tell(number ? "threaded_1" : "threaded_0",
         run(number ? threaded_1 : threaded_0, (double)((intptr_t)of / 2) / 1000));
    return NULL;
}

static void threads(double seconds)
{
    pthread_t ids[2];

    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&ids[i], NULL, thread, (void *)((intptr_t)(seconds * 1000) * 2 + i));
    for (int i = 0; i < 2; i++)
        pthread_join(ids[i], NULL);
}

static void opened(double seconds, const char *file)
{
    void *library = dlopen(file, RTLD_NOW);
    function *plugged = library ? (function *)dlsym(library, "plugged") : NULL;

    if (!plugged)
        exit(98);
    tell("plugged", run(plugged, seconds));
}

/* A loop of the machine's own; the number of its rounds comes as the first argument. */
static void jit(double seconds, const char *name)
{
#if defined(__x86_64__)
    static const unsigned char code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 }; /* dec %rdi; jnz; ret */
#elif defined(__aarch64__)
    static const unsigned char code[] = { 0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff, 0xff, 0x54, 0xc0, 0x03, 0x5f, 0xd6 };
#else
    static const unsigned char code[] = { 0 };
    exit(77);
#endif
    char path[64];
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    FILE *file;

    memcpy(memory, code, sizeof code);
    mprotect(memory, 4096, PROT_READ | PROT_EXEC);
    __builtin___clear_cache((char *)memory, (char *)memory + 4096);
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    file = fopen(path, "we");
    fprintf(file, "nonsense\n-1 5 negative\nffffffffffffffff ffffffffffffffff far\n%lx 0 empty\n",
            (unsigned long)memory);
    fprintf(file, "%lx %zx %s\n%lx", (unsigned long)memory, sizeof code, name, (unsigned long)memory);
    fclose(file);
    tell(name, run((function *)memory, seconds));
    unlink(path);
}

__attribute__((noinline)) static double down(int depth, double seconds)
{
    double used = depth > 0 ? down(depth - 1, seconds) : run(deepest, seconds);

    sink++; /* no call at the end */
    return used;
}

__attribute__((noinline)) static void rounds_down(int depth, long count)
{
    if (depth > 0)
        rounds_down(depth - 1, count);
    else
        while (count-- > 0)
            deepest(STEPS);
    sink++; /* no call at the end */
}

int main(int argc, char **argv)
{
    const double seconds = argc > 2 ? atof(argv[2]) : 0;

    if (argc < 3)
        return 99;
    if (strcmp(argv[1], "shares") == 0)
        shares(seconds);
    else if (strcmp(argv[1], "turns") == 0 && argc == 6)
        turns(seconds, argv[3], (const char *const *)argv + 4);
    else if (strcmp(argv[1], "fork") == 0)
        forks(seconds);
    else if (strcmp(argv[1], "threads") == 0)
        threads(seconds);
    else if (strcmp(argv[1], "exec") == 0)
        execl(argv[0], argv[0], "shares", argv[2], (char *)NULL);
    else if (strcmp(argv[1], "dlopen") == 0 && argc == 4)
        opened(seconds, argv[3]);
    else if (strcmp(argv[1], "jit") == 0 && argc == 4)
        jit(seconds, argv[3]);
    else if (strcmp(argv[1], "rounds") == 0 && argc == 4) {
        rounds_down(atoi(argv[3]), atol(argv[2]));
        tell("deepest", used_s());
    } else if (strcmp(argv[1], "deep") == 0)
        tell("deepest", down(100, seconds));
    return 0;
}
