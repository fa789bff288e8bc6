/* SPDX-License-Identifier: MIT
 * A job of known effects, for tests. Its first form adds energy to a counter of a recorded machine:
 *
 *   burn TREE ZONE UJ [MS [EXIT]]
 *
 * adds exactly UJ microjoules to TREE/sys/class/powercap/ZONE/energy_uj in equal steps over MS
 * milliseconds (at once without), going back to 0 where the hardware would, and exits with EXIT. The
 * counter is changed in place by writes of one width, since a reader keeps the file open.
 *
 * Other verbs have one effect each; several in a row are done one after the other:
 *
 *   burn --spin MS        uses MS milliseconds of CPU time
 *   burn --touch MIB      uses MIB mebibytes of memory
 *   burn --print BYTES    writes BYTES bytes of 'x' to standard output
 *   burn --daemon MS      leaves a process behind that sleeps for MS milliseconds
 *   burn --signal N       ends itself by signal N
 *   burn --exit STATUS    exits
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEP_MS = 10 };

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "burn: %s: %s\n", what, strerror(errno));
    exit(125);
}

static uint64_t number(const char *text)
{
    char *end;
    const uint64_t value = strtoull(text, &end, 10);

    if (end == text || *end) {
        errno = EINVAL;
        fail(text);
    }
    return value;
}

static void sleep_ms(uint64_t ms)
{
    struct timespec left = { (time_t)(ms / 1000), (long)(ms % 1000) * 1000000 };

    while (nanosleep(&left, &left) < 0 && errno == EINTR)
        continue;
}

static uint64_t read_number(const char *path)
{
    char text[32] = "";
    const int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || read(fd, text, sizeof text - 1) < 0)
        fail(path);
    close(fd);
    text[strcspn(text, "\n")] = '\0';
    return number(text);
}

static void write_counter(int fd, uint64_t energy_uj)
{
    char text[32];
    const int length = snprintf(text, sizeof text, "%020" PRIu64 "\n", energy_uj);

    if (pwrite(fd, text, (size_t)length, 0) != length)
        fail("energy_uj");
}

/* The counter has 2^32 states of one unit each; the range is the last of them. */
static uint64_t modulus_of(uint64_t range_uj)
{
    const uint64_t unit_uj = (range_uj + (UINT64_C(1) << 31)) / UINT32_MAX;

    return range_uj + (unit_uj ? unit_uj : 1);
}

static void add_energy(const char *tree, const char *zone, uint64_t uj, uint64_t ms)
{
    const uint64_t steps = ms > STEP_MS ? ms / STEP_MS : 1;
    char path[4096];
    uint64_t start_uj, modulus_uj;
    int fd;

    snprintf(path, sizeof path, "%s/sys/class/powercap/%s/max_energy_range_uj", tree, zone);
    modulus_uj = modulus_of(read_number(path));
    snprintf(path, sizeof path, "%s/sys/class/powercap/%s/energy_uj", tree, zone);
    start_uj = read_number(path);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        fail(path);
    for (uint64_t i = 1; i <= steps; i++) {
        if (ms)
            sleep_ms(ms / steps);
        write_counter(fd, (start_uj + uj / steps * i + uj % steps * i / steps) % modulus_uj);
    }
    close(fd);
}

static void spin(uint64_t ms)
{
    struct timespec used;

    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while ((uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000 < ms);
}

static void touch(uint64_t mib)
{
    const size_t size = (size_t)mib << 20;
    volatile char *memory = malloc(size);

    if (!memory)
        fail("malloc");
    for (size_t i = 0; i < size; i += 4096)
        memory[i] = 1;
    free((void *)memory);
}

static void print(uint64_t bytes)
{
    while (bytes--)
        putchar('x');
    if (fflush(stdout) != 0)
        fail("standard output");
}

static void leave_daemon(uint64_t ms)
{
    const pid_t child = fork();

    if (child < 0)
        fail("fork");
    if (child > 0)
        return;
    setsid();
    sleep_ms(ms);
    _exit(0);
}

static void do_verb(const char *verb, uint64_t value)
{
    if (strcmp(verb, "--spin") == 0)
        spin(value);
    else if (strcmp(verb, "--touch") == 0)
        touch(value);
    else if (strcmp(verb, "--print") == 0)
        print(value);
    else if (strcmp(verb, "--daemon") == 0)
        leave_daemon(value);
    else if (strcmp(verb, "--signal") == 0)
        raise((int)value);
    else if (strcmp(verb, "--exit") == 0)
        exit((int)value);
    else {
        errno = EINVAL;
        fail(verb);
    }
}

int main(int argc, char **argv)
{
    int at = 1;

    if (argc < 3) {
        fputs("usage: burn TREE ZONE UJ [MS [EXIT]] | burn --VERB VALUE [--VERB VALUE ...]\n", stderr);
        return 125;
    }
    if (argv[1][0] != '-') {
        if (argc < 4 || argc > 6)
            return 125;
        add_energy(argv[1], argv[2], number(argv[3]), argc > 4 ? number(argv[4]) : 0);
        return argc > 5 ? (int)number(argv[5]) : 0;
    }
    for (; at + 1 < argc; at += 2)
        do_verb(argv[at], number(argv[at + 1]));
    return 0;
}
