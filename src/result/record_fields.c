/* SPDX-License-Identifier: MIT
 * The tables. */
#include "result/record_fields.h"

#include "measurement/measurement.h"

static const char *hole_word(int value)
{
    return hole_name((enum hole)value);
}

static const char *users_word(int value)
{
    return gpu_told_name((enum gpu_told)value);
}

#define OF struct hole_fields
static const struct field hole_list[] = {
    COUNT_FIELD("domain", domain, "its place in domains, from 0"),
    NUMBER_FIELD_ALWAYS("unknown_s", unknown_s, "how long, in seconds of the window"),
    WORD_FIELD(
        "reason", reason, hole_word, HOLE_NONE + 1, HOLE_COUNT,
        "of the last one: its counter began again, the machine slept, its counter was gone and came back, was not "
        "read, stood still while the machine ran, or told what cannot be true"),
};
#undef OF
const struct fields record_hole = { hole_list, sizeof hole_list / sizeof hole_list[0] };

#define OF struct gpu_fields
static const struct field gpu_list[] = {
    COUNT_FIELD("domain", domain, "its place in domains, from 0"),
    WORD_FIELD(
        "users", users, users_word, GPU_NOT_ASKED, GPU_TOLD_COUNT,
        "whether its driver told who used it. Otherwise: its driver never tells; this card's does not; it is "
        "partitioned (MIG); not to this user; it failed; carbon does not see all processes of the machine; nothing "
        "was told in so short a run; whose the processes are is not to be seen"),
    NUMBER_FIELD("own_j", own_j, "of the job's processes"),
    NUMBER_FIELD("used_j", used_j, "of all processes; the rest of its energy is nobody's"),
    NUMBER_FIELD("lost_j", lost_j, "of used_j, what went to processes that ended before they were looked at"),
};
#undef OF
const struct fields record_gpu = { gpu_list, sizeof gpu_list / sizeof gpu_list[0] };

#define OF struct profile_fields
static const struct field profile_list[] = {
    TEXT_FIELD("id", id, "of what the profile says"),
    TEXT_FIELD("made_at", made_at, "when it was made"),
    TEXT_FIELD("how", how,
               "meter: by a meter of the machine, or of its host; wall: by two readings that the user gave"),
    TEXT_FIELD("meter", meter, "by which meter; empty of wall"),
    COUNT_FIELD("cpus", cpus, "CPUs of this machine"),
    COUNT_FIELD("host_cpus", host_cpus,
                "CPUs of the machine that it is of: more than cpus in a guest that has its host's"),
};
#undef OF
const struct fields record_profile = { profile_list, sizeof profile_list / sizeof profile_list[0] };
