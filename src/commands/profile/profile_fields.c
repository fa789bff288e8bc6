/* SPDX-License-Identifier: MIT
 * A profile as JSON: every field and its meaning. */
#include "commands/profile/profile.h"

#include "form/part_fields.h"
#include "result/record_fields.h"
#include "result/session_fields.h"

#include <math.h>

struct thread_object {
    const char *name;
    unsigned process, thread; /* 0: of several for which there was no room */
    struct profile_share share;
};

struct profile_object {
    const struct profile *profile;
    const struct sampler *sampler;
    const struct symbols *symbols;
    const char *stacks;
    uint64_t copied_stack_bytes, ring_bytes_per_cpu;
    double own_j, unseen_j, gpu_j;
    enum own_method method;
};

static const char *const events[] = { "cpu-clock", "cycles", NULL };
static const char *const stack_ways[] = { "frame-pointers", "dwarf", NULL };

static double energy_j(const struct profile *profile, int64_t nj)
{
    return profile->tally.known ? j_from_nj(nj) : NAN;
}

struct profile_share profile_share_of(const struct profile *profile, const struct tally_share *share)
{
    const double own_j = energy_j(profile, share->own_nj);

    return (struct profile_share){
        .own_j = own_j,
        .range = profile_range_j(profile, share->own_nj, share->own_samples),
        .own_w = own_j / profile->duration_s,
        .own_kgco2eq = own_j * profile->kgco2eq_per_j,
        .total_j = energy_j(profile, share->total_nj),
        .own_samples = share->own_samples,
        .total_samples = share->total_samples,
    };
}

#define OF struct profile_share
#define OWN_J                                                                                                          \
    FIELD_NUMBER(own_j, "own energy of the samples in it, in joules, without functions it called; below 0 where the "  \
                        "machine used less than idle")
#define OWN_SAMPLES FIELD_U64(own_samples, "samples in it")
static const struct fields share_fields = FIELDS({
    OWN_J,
    FIELD_NUMBER_AS("own_low_j", range.low,
                    "lower bound of own_j by the number of samples alone (95 %, Wilson); null: no energy, or no "
                    "samples"),
    FIELD_NUMBER_AS("own_high_j", range.high, "upper bound of own_j, likewise"),
    FIELD_NUMBER(own_w, "own_j divided by the duration of the run, in watts"),
    FIELD_NUMBER(own_kgco2eq, "emissions of own_j, by the PUE and the factor of the record"),
    FIELD_NUMBER(total_j, "own energy of the samples in it and in functions it called, in joules"),
    OWN_SAMPLES,
    FIELD_U64(total_samples, "samples in it and in functions it called"),
});

static const struct field own_list[] = { OWN_J, OWN_SAMPLES };
static const struct fields own_fields = FIELDS_OF(NULL, NULL, struct profile_share, own_list);
#undef OF

#define OF struct profile_function
const struct fields profile_function_fields = FIELDS({
    FIELD_NAME(name, "of the function"),
    FIELD_NAME(library, "file that it is in, \"[kernel]\", \"[jit]\", \"[vdso]\" or \"[unknown]\""),
    FIELD_PART(struct profile_share, share, &share_fields, 0),
});

static const struct fields library_fields = FIELDS({
    FIELD_NAME_AS("name", library, "of the file, as in functions"),
    FIELD_PART(struct profile_share, share, &own_fields, 0),
});

static const struct fields phase_fields = FIELDS({
    FIELD_NAME(name, "of the phase, as in the record"),
    FIELD_PART(struct profile_share, share, &own_fields, 0),
});
#undef OF

#define OF struct thread_object
static const struct fields thread_fields = FIELDS({
    FIELD_NAME(name, "of the thread"),
    FIELD_UNSIGNED(process, "number of its process; null: several, beyond the limit", .flags = FIELD_NULL_0),
    FIELD_UNSIGNED(thread, "its own number; null: likewise", .flags = FIELD_NULL_0),
    FIELD_PART(struct profile_share, share, &share_fields, 0),
});
#undef OF

static void add_functions(struct tree_node array, const void *of)
{
    const struct profile *profile = of;
    const struct tally_rows *rows = &profile->tally.functions;

    for (size_t i = 0; i < rows->count; i++) {
        const struct function *function = &profile->symbols->functions[rows->items[i].item];
        const struct profile_function object = { function->name, function->library,
                                                 profile_share_of(profile, &rows->items[i].share) };
        fields_json(tree_object(array, NULL), &profile_function_fields, &object);
    }
}

static void add_threads(struct tree_node array, const void *of)
{
    const struct profile *profile = of;
    const struct tally_rows *rows = &profile->tally.threads;

    for (size_t i = 0; i < rows->count; i++) {
        const struct thread *thread = &profile->sampler->processes.threads[rows->items[i].item];
        const struct thread_object object = { profile_thread_name(profile, rows->items[i].item), (unsigned)thread->pid,
                                              (unsigned)thread->tid, profile_share_of(profile, &rows->items[i].share) };
        fields_json(tree_object(array, NULL), &thread_fields, &object);
    }
}

static void add_phases(struct tree_node array, const void *of)
{
    const struct profile *profile = of;
    const struct tally_rows *rows = &profile->tally.phases;

    for (size_t i = 0; profile->report->measurement->marks && i < rows->count; i++) {
        const struct profile_function object = { profile_phase_name(profile, rows->items[i].item), NULL,
                                                 profile_share_of(profile, &rows->items[i].share) };
        fields_json(tree_object(array, NULL), &phase_fields, &object);
    }
}

static void add_libraries(struct tree_node array, const void *of)
{
    const struct profile *profile = of;
    const struct tally_rows *rows = &profile->tally.libraries;

    for (size_t i = 0; i < rows->count; i++) {
        const char *library = profile->symbols->functions[rows->items[i].item].library;
        const struct profile_function object = { NULL, library, profile_share_of(profile, &rows->items[i].share) };
        fields_json(tree_object(array, NULL), &library_fields, &object);
    }
}

static bool saw_kernel(const void *sampler)
{
    return !((const struct sampler *)sampler)->rings.without_kernel;
}

#define OF struct profile
static const struct fields event_fields = FIELDS({
    FIELD_ONE_OF(event, events, "event that was sampled"),
    FIELD_NUMBER(frequency_hz, "samples in each second of a busy CPU", .flags = FIELD_KNOWN | FIELD_ABOVE_0),
});

static const struct fields interval_of_fields = FIELDS({
    FIELD_NUMBER(interval_s, "time between two readings of the energy, in seconds",
                 .flags = FIELD_KNOWN | FIELD_ABOVE_0),
});

static const struct fields within_fields = FIELDS({
    FIELD_OWN_METHOD(within,
                     "how it was laid on intervals: net, by the meter of each less idle power; cpu-time, equal for all "
                     "samples"),
    FIELD_NUMBER(duration_s, "duration of the run, in seconds", .flags = FIELD_KNOWN | FIELD_FROM_0),
});

static const struct fields found_fields = FIELDS({
    FIELD_EACH("functions", add_functions, &profile_function_fields,
               "the largest first; \"[unknown]\" is code without a name"),
    FIELD_EACH("threads", add_threads, &thread_fields, "threads by their names; an execve makes another of one"),
    FIELD_EACH("libraries", add_libraries, &library_fields, "the largest first"),
    FIELD_EACH("phases", add_phases, &phase_fields, "phases that the job marked, the largest first"),
    FIELD_PART(const struct notices *, notices, &notices_fields, FIELD_BEHIND),
    FIELD_OBJECT_AS(RECORD_KEY, const struct report *, report, &record_fields, "the record of the run",
                    .flags = FIELD_BEHIND | FIELD_KNOWN),
});
#undef OF

#define OF struct sampler
static const struct fields samples_fields = FIELDS({
    FIELD_COUNT_AS("cpus", rings.count, "CPUs with a ring"),
    FIELD_U64(samples, "samples that were taken"),
    FIELD_U64(kernel_samples, "of them in the kernel"),
    FIELD_FACT("kernel_seen", saw_kernel, "time in the kernel was sampled"),
    FIELD_U64(lost_records, "records lost in a full ring: samples, and events of processes and files"),
    FIELD_U64(short_stacks, "stacks that go on beyond what was copied of them"),
    FIELD_U64_AS("cut_stacks", tree.cut, "samples known only by their threads: out of memory"),
});

static const struct fields intervals_fields = FIELDS({
    FIELD_U64(intervals, "readings of the energy in the run"),
    FIELD_U64(unseen_intervals, "intervals without a sample"),
});
#undef OF

#define OF struct symbols
static const struct fields unnamed_fields = FIELDS({
    FIELD_U64_AS("unnamed_samples", unnamed, "samples in a function that has no name"),
});
#undef OF

#define OF struct profile_object
static const struct fields sampling_fields = FIELDS({
    FIELD_PART(const struct profile *, profile, &event_fields, FIELD_BEHIND),
    FIELD_ONE_OF(stacks, stack_ways, "how stacks were found: by frame pointers, or by unwind tables (.eh_frame)"),
    FIELD_U64(copied_stack_bytes, "bytes of each stack that were copied for that; 0: none"),
    FIELD_U64(ring_bytes_per_cpu, "memory of the samples of each CPU, in bytes"),
    FIELD_PART(const struct sampler *, sampler, &samples_fields, FIELD_BEHIND),
    FIELD_PART(const struct symbols *, symbols, &unnamed_fields, FIELD_BEHIND),
    FIELD_PART(const struct profile *, profile, &interval_of_fields, FIELD_BEHIND),
    FIELD_PART(const struct sampler *, sampler, &intervals_fields, FIELD_BEHIND),
});

static const struct fields energy_fields = FIELDS({
    FIELD_NUMBER(own_j, "own energy of the job, in joules"),
    FIELD_NUMBER(unseen_j, "own energy of intervals without a sample, in joules"),
    FIELD_NUMBER(gpu_j, "own energy of graphics cards, on which nothing is sampled, in joules"),
    FIELD_OWN_METHOD(method, "how the job's own energy was found"),
    FIELD_PART(const struct profile *, profile, &within_fields, FIELD_BEHIND),
});

static const struct fields profile_fields = FIELDS({
    FIELD_CONSTANT("schema", PROFILE_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_GROUP("sampling", &sampling_fields, "how the job was sampled"),
    FIELD_GROUP("energy", &energy_fields, "the job's own energy; functions, unseen_j and gpu_j add up to own_j"),
    FIELD_PART(const struct profile *, profile, &found_fields, FIELD_BEHIND),
});
#undef OF
const struct schema profile_schema = { "profile", PROFILE_SCHEMA, "The energy of a job by its functions.",
                                       &profile_fields, NULL };

struct profile_totals profile_totals_of(const struct cJSON *document)
{
    const struct cJSON *sampling = field_object(document, &profile_fields, &sampling_fields);

    return (struct profile_totals){
        .functions = FIELD_MADE(document, found_fields, add_functions),
        .own_j = json_number(FIELD_ITEM(document, profile_fields, struct profile_object, own_j)),
        .samples = json_number(FIELD_ITEM(sampling, samples_fields, struct sampler, samples)),
    };
}

bool profile_json(const struct profile *profile, FILE *out, struct error *err)
{
    const struct profile_object object = {
        .profile = profile,
        .sampler = profile->sampler,
        .symbols = profile->symbols,
        .stacks = stack_ways[profile->stack_bytes > 0],
        .copied_stack_bytes = profile->stack_bytes,
        .ring_bytes_per_cpu = profile->ring_kib * BYTES_PER_KIB,
        .own_j = energy_j(profile, profile->tally.own_nj),
        .unseen_j = energy_j(profile, profile->tally.unseen_nj),
        .gpu_j = energy_j(profile, profile->tally.concurrent_nj),
        .method = profile->report->summary.total.own_method,
    };

    return document_json(&profile_schema, &object, out, "the profile", err);
}
