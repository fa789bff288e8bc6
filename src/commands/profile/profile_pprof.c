/* SPDX-License-Identifier: MIT
 * pprof's profile.proto (github.com/google/pprof/proto/profile.proto) in gzip: samples, and energy in microjoules. Both
 * formats are simple enough to be written here: a message is a list of keys and values, and gzip may store what it
 * holds as it is (RFC 1951, 1952). */
#include "base/units.h"
#include "commands/profile/profile.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

struct profile_pprof_bytes {
    unsigned char *data;
    size_t length, size;
    bool failed;
};

static void add_bytes(struct profile_pprof_bytes *bytes, const void *data, size_t length)
{
    if (bytes->failed || length == 0)
        return;
    bytes->data = array_room(bytes->data, &bytes->size, bytes->length + length, 1);
    if (bytes->size < bytes->length + length) {
        bytes->failed = true;
        return;
    }
    memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
}

static void add_varint(struct profile_pprof_bytes *bytes, uint64_t value)
{
    unsigned char one;

    do {
        one = (unsigned char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        add_bytes(bytes, &one, 1);
        value >>= 7;
    } while (value);
}

static void add_number(struct profile_pprof_bytes *bytes, unsigned field, uint64_t value)
{
    add_varint(bytes, field << 3);
    add_varint(bytes, value);
}

static void add_part(struct profile_pprof_bytes *bytes, unsigned field, const void *data, size_t length)
{
    add_varint(bytes, field << 3 | 2);
    add_varint(bytes, length);
    add_bytes(bytes, data, length);
}

/* A message within another; emptied for the next. */
static void add_message(struct profile_pprof_bytes *bytes, unsigned field, struct profile_pprof_bytes *message)
{
    add_part(bytes, field, message->data, message->length);
    bytes->failed |= message->failed;
    message->length = 0;
}

/* Fields of the messages. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_TIME_NS = 9,
    PROFILE_DURATION_NS = 10,
    PROFILE_DEFAULT_TYPE = 14,
    TYPE_TYPE = 1,
    TYPE_UNIT = 2,
    SAMPLE_LOCATION = 1,
    SAMPLE_VALUE = 2,
    LOCATION_ID = 1,
    LOCATION_LINE = 4,
    LINE_FUNCTION = 1,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_FILE = 4,
};

/* The strings before those of functions and threads. */
static const char *const first_strings[] = { "", "samples", "count", "energy", "microjoules", "[no sample]" };
enum { STRING_SAMPLES = 1, STRING_COUNT, STRING_ENERGY, STRING_UJ, STRING_UNSEEN, FIRST_STRINGS };

struct profile_pprof_writing {
    const struct profile *profile;
    struct profile_pprof_bytes out, message, inner;
    int64_t sum_nj, written_uj; /* rounded so that the sum of all is */
};

static void add_type(struct profile_pprof_writing *writing, uint64_t type, uint64_t unit)
{
    add_number(&writing->message, TYPE_TYPE, type);
    add_number(&writing->message, TYPE_UNIT, unit);
    add_message(&writing->out, PROFILE_SAMPLE_TYPE, &writing->message);
}

static void add_sample(struct profile_pprof_writing *writing, const struct tally_share *share)
{
    int64_t uj;

    writing->sum_nj += share->own_nj;
    uj = writing->sum_nj / 1000 - writing->written_uj;
    writing->written_uj += uj;
    add_varint(&writing->inner, share->own_samples);
    add_varint(&writing->inner, (uint64_t)uj);
    add_message(&writing->message, SAMPLE_VALUE, &writing->inner);
    add_message(&writing->out, PROFILE_SAMPLE, &writing->message);
}

/* Locations and functions have one number: of a function its place + 1; behind them the threads; and the unseen. */
static void add_samples(struct profile_pprof_writing *writing)
{
    const struct tally *tally = &writing->profile->tally;
    const size_t functions = writing->profile->symbols->count;
    const size_t threads = writing->profile->sampler->processes.thread_count;

    for (uint32_t i = 0; i < tally->node_count; i++) {
        uint32_t at = i;
        if (!tally->nodes[i].share.own_samples)
            continue;
        for (; tally->nodes[at].parent != UINT32_MAX; at = tally->nodes[at].parent)
            add_varint(&writing->inner, tally->nodes[at].item + 1);
        add_varint(&writing->inner, functions + tally->nodes[at].item + 1);
        add_message(&writing->message, SAMPLE_LOCATION, &writing->inner);
        add_sample(writing, &tally->nodes[i].share);
    }
    if (tally->known && tally->unseen_nj > 0) {
        add_varint(&writing->inner, functions + threads + 1);
        add_message(&writing->message, SAMPLE_LOCATION, &writing->inner);
        add_sample(writing, &(struct tally_share){ .own_nj = tally->unseen_nj });
    }
}

static void add_function(struct profile_pprof_writing *writing, uint64_t id, uint64_t name, uint64_t file)
{
    add_number(&writing->inner, LINE_FUNCTION, id);
    add_number(&writing->message, LOCATION_ID, id);
    add_message(&writing->message, LOCATION_LINE, &writing->inner);
    add_message(&writing->out, PROFILE_LOCATION, &writing->message);
    add_number(&writing->message, FUNCTION_ID, id);
    add_number(&writing->message, FUNCTION_NAME, name);
    if (file)
        add_number(&writing->message, FUNCTION_FILE, file);
    add_message(&writing->out, PROFILE_FUNCTION, &writing->message);
}

static void add_string(struct profile_pprof_writing *writing, const char *text)
{
    add_part(&writing->out, PROFILE_STRING, text, strlen(text));
}

static void add_names(struct profile_pprof_writing *writing)
{
    const struct profile *profile = writing->profile;
    const size_t functions = profile->symbols->count, threads = profile->sampler->processes.thread_count;

    for (size_t i = 0; i < FIRST_STRINGS; i++)
        add_string(writing, first_strings[i]);
    for (size_t i = 0; i < functions; i++) {
        add_string(writing, profile->symbols->functions[i].name);
        add_string(writing, profile->symbols->functions[i].library);
        add_function(writing, i + 1, FIRST_STRINGS + 2 * i, FIRST_STRINGS + 2 * i + 1);
    }
    for (uint32_t i = 0; i < threads; i++) {
        add_string(writing, profile_thread_name(profile, i));
        add_function(writing, functions + i + 1, FIRST_STRINGS + 2 * functions + i, 0);
    }
    add_function(writing, functions + threads + 1, STRING_UNSEEN, 0);
}

static uint32_t crc_of(const unsigned char *data, size_t length)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

static void write_little(FILE *out, uint32_t value, size_t bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        fputc((int)(value & 0xff), out);
}

static void write_gzip(const struct profile_pprof_bytes *bytes, FILE *out)
{
    static const unsigned char head[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255 };
    enum { STORED_MAX = 65535 };
    size_t at = 0;

    fwrite(head, 1, sizeof head, out);
    do {
        const size_t length = bytes->length - at < STORED_MAX ? bytes->length - at : STORED_MAX;
        fputc(at + length == bytes->length, out); /* the last block; stored */
        write_little(out, (uint32_t)length, 2);
        write_little(out, ~(uint32_t)length, 2);
        fwrite(bytes->data + at, 1, length, out);
        at += length;
    } while (at < bytes->length);
    write_little(out, crc_of(bytes->data, bytes->length), 4);
    write_little(out, (uint32_t)bytes->length, 4);
}

bool profile_pprof(const struct profile *profile, FILE *out, struct error *err)
{
    struct profile_pprof_writing writing = { .profile = profile };
    bool whole;

    add_type(&writing, STRING_SAMPLES, STRING_COUNT);
    add_type(&writing, STRING_ENERGY, STRING_UJ);
    add_samples(&writing);
    add_names(&writing);
    add_number(&writing.out, PROFILE_TIME_NS, profile->report->started_realtime_ns);
    add_number(&writing.out, PROFILE_DURATION_NS, (uint64_t)(profile->duration_s * NS_PER_S));
    add_number(&writing.out, PROFILE_DEFAULT_TYPE, profile->tally.known ? STRING_ENERGY : STRING_SAMPLES);
    whole = !writing.out.failed;
    if (whole)
        write_gzip(&writing.out, out);
    free(writing.out.data);
    free(writing.message.data);
    free(writing.inner.data);
    if (!whole)
        return error_errno(err, "no memory for pprof's file");
    return !ferror(out) || error_errno(err, "cannot write pprof's file");
}
