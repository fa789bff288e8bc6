/* SPDX-License-Identifier: MIT
 * The load of the cores: what it works on stays in registers. */
#include "commands/probe/load_worker.h"

enum { ROUNDS = 100000 /* some 0.2 ms */ };

/* Eight chains of multiply and add, so that their latency does not hold the units up, and four of a shift register
 * (xorshift: Marsaglia 2003). Each x tends to 1 and never leaves the numbers. */
static double work(double *x, uint64_t *bits)
{
    double sum = 0;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 8; i++)
            x[i] = x[i] * 0.999 + 0.001;
        for (int i = 0; i < 4; i++) {
            bits[i] ^= bits[i] << 13;
            bits[i] ^= bits[i] >> 7;
            bits[i] ^= bits[i] << 17;
        }
    }
    for (int i = 0; i < 8; i++)
        sum += x[i];
    return sum;
}

bool load_cpu(struct load_worker *worker)
{
    double x[8] = { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8 };
    uint64_t bits[4] = { 1, 2, 3, 4 };
    volatile double sink; /* without it nothing would have to be worked out */

    while (load_goes_on(worker)) {
        sink = work(x, bits);
        worker->done.iterations += ROUNDS;
    }
    sink = (double)(bits[0] + bits[1] + bits[2] + bits[3]);
    (void)sink;
    return true;
}
