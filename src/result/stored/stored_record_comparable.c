/* SPDX-License-Identifier: MIT
 * Whether two records were measured in the same way, so that their energies can be held against each other. */
#include "result/stored/stored_record.h"

#include <string.h>

static const char *or_unknown(const char *text)
{
    return *text ? text : "unknown";
}

static void differ(const struct stored_record *a, const struct stored_record *b, struct error *err)
{
    error_set(err, ERROR_USAGE, "'%.100s' and '%.100s' cannot be compared", a->path, b->path);
}

static bool same_machine(const struct stored_record *a, const struct stored_record *b, struct error *err)
{
    if (strcmp(a->cpu_model, b->cpu_model) != 0) {
        differ(a, b, err);
        error_why(err, "one machine's processor is '%.90s', the other's '%.90s'", or_unknown(a->cpu_model),
                  or_unknown(b->cpu_model));
        return error_fix(err, "measure both on the same machine: carbon compare -- 'command A' -- 'command B'");
    }
    if (a->cpus_online != b->cpus_online) {
        differ(a, b, err);
        error_why(err, "one machine had %d CPUs online, the other %d", a->cpus_online, b->cpus_online);
        return error_fix(err, "measure both with the same CPUs online: carbon compare -- 'command A' -- 'command B'");
    }
    return true;
}

static bool same_meter(const struct stored_record *a, const struct stored_record *b, struct error *err)
{
    if (a->scope != b->scope) {
        differ(a, b, err);
        error_why(err, "one is of scope %s, the other of scope %s", scope_name(a->scope), scope_name(b->scope));
        return error_fix(err, "measure both with --scope %s", scope_name(a->scope));
    }
    if (strcmp(a->sources, b->sources) != 0) {
        differ(a, b, err);
        error_why(err, "one's joules come from %.80s, the other's from %.80s", or_unknown(a->sources),
                  or_unknown(b->sources));
        if (strchr(a->sources, '+') || !a->sources[0])
            return error_fix(err, "measure both with the same sources readable; 'carbon sources' lists them");
        return error_fix(err, "measure both with --source %.80s", a->sources);
    }
    if (a->quality != b->quality) {
        differ(a, b, err);
        error_why(err, "the quality of one is '%s', of the other '%s'", quality_name(a->quality),
                  quality_name(b->quality));
        return error_fix(err, a->quality == QUALITY_MODELLED || b->quality == QUALITY_MODELLED
                                  ? "measure both with --require-measured"
                                  : "measure both in the same way");
    }
    return true;
}

bool stored_record_comparable(const struct stored_record *a, const struct stored_record *b, struct error *err)
{
    return same_machine(a, b, err) && same_meter(a, b, err);
}
