/* SPDX-License-Identifier: MIT
 * Folded stacks: "thread;main;work 1234567", a line for each, as flamegraph.pl and many others read them. The weight is
 * microjoules, or samples where no energy is known. */
#include "commands/profile/profile.h"

#include <inttypes.h>
#include <stdlib.h>

/* ';' parts the frames, and a blank the weight. */
static void write_frame(const char *name, FILE *out)
{
    for (; *name; name++)
        fputc(*name == ';' ? ':' : (unsigned char)*name < ' ' || *name == 127 ? '?' : *name, out);
}

static void write_stack(const struct profile *profile, uint32_t at, FILE *out)
{
    const struct tally_node *nodes = profile->tally.nodes;
    enum { DEPTH_MAX = 1100 };
    uint32_t path[DEPTH_MAX];
    size_t depth = 0;

    for (; nodes[at].parent != UINT32_MAX && depth < DEPTH_MAX; at = nodes[at].parent)
        path[depth++] = nodes[at].item;
    write_frame(profile_thread_name(profile, nodes[at].item), out);
    while (depth > 0) {
        fputc(';', out);
        write_frame(profile->symbols->functions[path[--depth]].name, out);
    }
}

bool profile_folded(const struct profile *profile, FILE *out, struct error *err)
{
    const struct tally *tally = &profile->tally;
    int64_t written_uj = 0, sum_nj = 0;

    for (uint32_t i = 0; i < tally->node_count; i++) {
        const struct tally_share *share = &tally->nodes[i].share;
        int64_t weight = (int64_t)share->own_samples;
        if (!share->own_samples)
            continue;
        if (tally->known) { /* rounded so that the sum of all is */
            sum_nj += share->own_nj;
            weight = sum_nj / 1000 - written_uj;
            written_uj += weight;
        }
        if (weight < 0) /* an interval in which the machine used less than idle: it has no width */
            weight = 0;
        write_stack(profile, i, out);
        fprintf(out, " %" PRId64 "\n", weight);
    }
    if (tally->known && tally->unseen_nj >= 1000)
        fprintf(out, "[no sample] %" PRId64 "\n", tally->unseen_nj / 1000);
    if (tally->known && tally->concurrent_nj >= 1000)
        fprintf(out, "[graphics cards] %" PRId64 "\n", tally->concurrent_nj / 1000);
    return !ferror(out) || error_errno(err, "cannot write the folded stacks");
}
