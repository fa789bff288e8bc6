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
    FIELD_COUNT(domain, "its place in domains, from 0"),
    FIELD_NUMBER(unknown_s, "how long, in seconds of the window", .flags = FIELD_KNOWN | FIELD_LEAST_0),
    FIELD_WORD(
        int, reason, hole_word, HOLE_NONE + 1, HOLE_COUNT,
        "of the last one: its counter began again, the machine slept, its counter was gone and came back, was not "
        "read, stood still while the machine ran, or told what cannot be true"),
};
#undef OF
const struct fields record_hole = FIELDS_OF(NULL, NULL, struct hole_fields, hole_list);

#define OF struct gpu_fields
static const struct field gpu_list[] = {
    FIELD_COUNT(domain, "its place in domains, from 0"),
    FIELD_WORD(
        int, users, users_word, GPU_NOT_ASKED, GPU_TOLD_COUNT,
        "whether its driver told who used it. Otherwise: its driver never tells; this card's does not; it is "
        "partitioned (MIG); not to this user; it failed; carbon does not see all processes of the machine; nothing "
        "was told in so short a run; whose the processes are is not to be seen"),
    FIELD_NUMBER(own_j, "of the job's processes", .flags = FIELD_LEAST_0),
    FIELD_NUMBER(used_j, "of all processes; the rest of its energy is nobody's", .flags = FIELD_LEAST_0),
    FIELD_NUMBER(lost_j, "of used_j, what went to processes that ended before they were looked at",
                 .flags = FIELD_LEAST_0),
};
#undef OF
const struct fields record_gpu = FIELDS_OF(NULL, NULL, struct gpu_fields, gpu_list);

#define OF struct profile_fields
static const struct field profile_list[] = {
    FIELD_TEXT(id, "of what the profile says"),
    FIELD_TEXT(made_at, "when it was made"),
    FIELD_TEXT(how, "meter: by a meter of the machine, or of its host; wall: by two readings that the user gave"),
    FIELD_TEXT(meter, "by which meter; empty of wall"),
    FIELD_COUNT(cpus, "CPUs of this machine"),
    FIELD_COUNT(host_cpus, "CPUs of the machine that it is of: more than cpus in a guest that has its host's"),
};
#undef OF
const struct fields record_profile = FIELDS_OF(NULL, NULL, struct profile_fields, profile_list);
