/* SPDX-License-Identifier: MIT
 * One meter of libcarbon in many threads, with forks meanwhile, over a counter that only this program moves: for
 * tests/cli/library/threads.sh, which also builds it with ThreadSanitizer.
 *
 *     pieces TREE */
#include <carbon.h>

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 200, STEPS = 50, STEP_UJ = 10000, CHILDREN = 10, PATIENCE_S = 120 };

static const double whole_j = STEPS * STEP_UJ / 1e6;

struct worker {
    pthread_t thread;
    carbon_meter *meter;
    atomic_int *wrong;
};

/* A piece lies in the one around it, and no piece has more than was used. */
static void *work(void *context)
{
    struct worker *worker = context;

    for (int i = 0; i < ROUNDS; i++) {
        const carbon_mark outer_start = carbon_now(worker->meter), inner_start = carbon_now(worker->meter);
        const carbon_energy inner = carbon_since(worker->meter, inner_start);
        const uint64_t outer_end = carbon_stamp();
        const carbon_energy outer = carbon_since(worker->meter, outer_start);
        const carbon_energy stamped = carbon_between_stamps(worker->meter, inner_start.time_ns, outer_end);
        if (!isnan(stamped.joules) && (stamped.low_j > whole_j || stamped.joules > stamped.high_j + 1e-9))
            atomic_fetch_add(worker->wrong, 1);
        if (inner.joules > outer.joules || outer.joules > whole_j || outer.joules < 0 || inner.seconds > outer.seconds)
            atomic_fetch_add(worker->wrong, 1);
        if (!isnan(carbon_idle_w(worker->meter)) || carbon_about(worker->meter)->quality != CARBON_MEASURED)
            atomic_fetch_add(worker->wrong, 1);
    }
    return NULL;
}

/* In place, so that no reader finds it empty. */
static bool move(int fd, unsigned long uj)
{
    char text[24];
    const int length = snprintf(text, sizeof text, "%012lu\n", uj);

    return pwrite(fd, text, (size_t)length, 0) == length;
}

static void child(carbon_meter *meter, carbon_mark start)
{
    bool good = true;

    alarm(PATIENCE_S);
    for (int i = 0; i < 20; i++) {
        const carbon_energy used = carbon_since(meter, start);
        good &= isnan(used.joules) ? used.doubts != 0 : used.joules >= 0 && used.joules <= whole_j;
        const carbon_energy stamped = carbon_between_stamps(meter, start.time_ns, carbon_stamp());
        good &= isnan(stamped.joules) ? stamped.doubts != 0 : stamped.joules >= 0 && stamped.low_j <= whole_j;
    }
    start = carbon_now(meter); /* whatever was torn by the fork, this is whole */
    good &= (carbon_since(meter, start).doubts & CARBON_DOUBT_LOST) == 0;
    carbon_close(meter);
    _exit(good ? 0 : 1);
}

static int act(carbon_meter *meter, int fd)
{
    struct worker workers[THREADS];
    atomic_int wrong = 0;
    const carbon_mark start = carbon_now(meter);

    for (int i = 0; i < THREADS; i++) {
        workers[i].meter = meter;
        workers[i].wrong = &wrong;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
            return fprintf(stderr, "no thread\n"), 1;
    }
    for (int step = 1; step <= STEPS; step++) {
        if (!move(fd, 1000000UL + (unsigned long)step * STEP_UJ))
            return perror("pwrite"), 1;
        if (step % (STEPS / CHILDREN) == 0) {
            int status = 0;
            const pid_t pid = fork();
            if (pid == 0)
                child(meter, start);
            if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
                return fprintf(stderr, "a child ended with status %d\n", status), 1;
        }
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    const carbon_energy used = carbon_since(meter, start);
    printf("%d wrong, %.6f J of %.6f J\n", atomic_load(&wrong), used.joules, whole_j);
    return atomic_load(&wrong) || fabs(used.joules - whole_j) > 1e-9;
}

int main(int argc, char **argv)
{
    carbon_options options = {
        .kgco2eq_per_kwh = 0.4, .keep_alive = 1, .sample_interval_s = 0.001, .sample_readings = 64
    };
    carbon_error error;
    char path[512];
    int status, fd;

    if (argc != 2)
        return fprintf(stderr, "usage: pieces TREE\n"), 2;
    snprintf(path, sizeof path, "%s/sys/class/powercap/intel-rapl:0/energy_uj", argv[1]);
    fd = open(path, O_WRONLY);
    options.root = argv[1];
    if (fd < 0 || !move(fd, 1000000))
        return perror(path), 2;
    carbon_meter *meter = carbon_open(&options, &error);
    if (!meter)
        return fprintf(stderr, "%s: %s\n", error.what, error.why), 2;
    status = act(meter, fd);
    carbon_close(meter);
    close(fd);
    return status;
}
