/* SPDX-License-Identifier: MIT
 * Machines drawn by chance: packages of their own, some of them told a second time, parts above their whole, a board
 * that tells less than its packages. What counts is each joule once, and each kind of finding is one notice. */
#include "chance.h"
#include "cross_fixture.h"
#include "unit.h"

enum { MACHINES = 300, STEPS = 6, MAX_PACKAGES = 8 };

static struct chance world;

struct drawn {
    int packages, mirrors;
    int mirror_of[MAX_PACKAGES];
    bool part_above, board_below;
};

static struct drawn draw(void)
{
    struct drawn drawn = { .packages = 1 + (int)(4 * chance_uniform(&world)),
                           .mirrors = (int)(4 * chance_uniform(&world)) };

    for (int i = 0; i < drawn.mirrors; i++)
        drawn.mirror_of[i] = (int)(drawn.packages * chance_uniform(&world));
    drawn.part_above = chance_uniform(&world) < 0.5;
    drawn.board_below = chance_uniform(&world) < 0.5;
    begin("GenuineIntel", 94);
    for (int i = 0; i < drawn.packages + drawn.mirrors; i++)
        add(&powercap, COMPONENT_PACKAGE, i);
    add(&powercap, COMPONENT_CORES, 0);
    add(&powercap, COMPONENT_PLATFORM, -1);
    return drawn;
}

/* Returns what all packages together used in a window. */
static double move(const struct drawn *drawn)
{
    const int cores = drawn->packages + drawn->mirrors, board = cores + 1;
    double energies_j[MAX_PACKAGES + 2], all_j = 0;

    for (int i = 0; i < drawn->packages; i++)
        all_j += energies_j[i] = 30 + 100 * chance_uniform(&world);
    for (int i = 0; i < drawn->mirrors; i++)
        energies_j[drawn->packages + i] = energies_j[drawn->mirror_of[i]];
    energies_j[cores] = energies_j[0] * (drawn->part_above ? 1.3 : 0.7);
    energies_j[board] = all_j * (drawn->board_below ? 0.6 : 1.4);
    step(1, energies_j);
    return all_j;
}

START_TEST(each_joule_counts_once)
{
    world = chance_of(16);
    for (int machine_drawn = 0; machine_drawn < MACHINES; machine_drawn++) {
        const struct drawn drawn = draw();
        const size_t cores = (size_t)(drawn.packages + drawn.mirrors), board = cores + 1;
        double true_j = 0, counted_j = 0;
        size_t findings;
        for (int i = 0; i < STEPS; i++)
            true_j += move(&drawn);
        findings = check();
        for (int i = 0; i < STEPS; i++)
            counted_j += window_counted_j(&measurement, &windows[i]);
        ck_assert_double_eq_tol(counted_j, true_j, 1e-5 * true_j);
        ck_assert_int_eq(meter.domains[cores].doubted, drawn.part_above);
        ck_assert_int_eq(meter.domains[board].doubted, drawn.board_below);
        ck_assert_int_eq(counting.incomplete, drawn.mirrors > 0);
        ck_assert_uint_le(findings, (size_t)(drawn.mirrors + drawn.part_above + drawn.board_below));
        ck_assert_int_eq(findings > 0, drawn.mirrors > 0 || drawn.part_above || drawn.board_below);
        /* and again, with what the first look left: the same */
        ck_assert_uint_eq(check(), findings);
    }
}
END_TEST

UNIT_SUITE("cross_random", each_joule_counts_once)
