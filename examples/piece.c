/* SPDX-License-Identifier: MIT
 * What a piece of a C program uses.
 *
 *     cc piece.c $(pkg-config --cflags --libs carbon) && ./a.out */
#include <carbon.h>

#include <math.h>
#include <stdio.h>

static double work(int rounds)
{
    double sum = 0;

    for (int i = 1; i < rounds; i++)
        sum += 1.0 / i;
    return sum;
}

/* Unknown is not 0. */
static void tell(const char *name, carbon_energy used)
{
    printf("%s: %.3f s, ", name, used.seconds);
    if (isnan(used.joules))
        printf("energy unknown:");
    else
        printf("%.3f J, %.3g kgCO2eq (%s)", used.joules, used.kgco2eq, carbon_quality_name(used.quality));
    for (unsigned bit = 1; bit; bit <<= 1)
        if (used.doubts & bit)
            printf(" %s;", carbon_doubt_text(bit));
    printf("\n");
}

int main(void)
{
    carbon_options options = { .zone = "FR" };
    carbon_error error;
    carbon_meter *meter = carbon_open(&options, &error);
    carbon_mark start, middle, end;

    if (!meter) {
        fprintf(stderr, "%s: %s\ntry: %s\n", error.what, error.why, error.fix);
        return 1;
    }
    start = carbon_now(meter);
    work(20000000);
    middle = carbon_now(meter);
    work(40000000);
    end = carbon_now(meter);
    tell("first", carbon_between(meter, start, middle));
    tell("second", carbon_between(meter, middle, end));
    tell("both", carbon_between(meter, start, end));
    printf("factor: %g kgCO2eq/kWh, %s\n", carbon_about(meter)->kgco2eq_per_kwh, carbon_about(meter)->factor_source);
    carbon_close(meter);
    return 0;
}
