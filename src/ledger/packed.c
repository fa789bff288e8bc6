/* SPDX-License-Identifier: MIT
 * zlib, which is opened when a record is first packed; the only file that knows it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "ledger/packed.h"

#include "base/library.h"
#include "ledger/packed_sample.h"
#include "ledger/packed_sample_model.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* SAMPLE_ID: bytes which zlib's bound does not count. */
enum { LEVEL = 6, GZIP_WINDOW = 15 + 16, GZIP_MEMORY = 8, MIN_ROOM = 1 << 15, MAX_BYTES = 1 << 28 };
enum { RECORD_LEVEL = 9, RECORD_WINDOW = 15, RECORD_MEMORY = 9, SAMPLE_ID = 4 };

#define ZLIB_FUNCTIONS(FUNCTION)                                                                                       \
    FUNCTION(deflate_open_as, deflateInit2_)                                                                           \
    FUNCTION(deflate_sample, deflateSetDictionary)                                                                     \
    FUNCTION(deflate_bound, deflateBound)                                                                              \
    FUNCTION(deflate, deflate)                                                                                         \
    FUNCTION(deflate_close, deflateEnd)                                                                                \
    FUNCTION(inflate_open, inflateInit_)                                                                               \
    FUNCTION(inflate_sample, inflateSetDictionary)                                                                     \
    FUNCTION(inflate, inflate)                                                                                         \
    FUNCTION(inflate_close, inflateEnd)

struct zlib {
    ZLIB_FUNCTIONS(LIBRARY_MEMBER)
};

static bool find_zlib(struct zlib *library)
{
#ifdef CARBON_STATIC
    ZLIB_FUNCTIONS(LIBRARY_LINKED)
    return true;
#else
    static const char *const files[] = { "libz.so.1", NULL };
    const struct library_function wanted[] = { ZLIB_FUNCTIONS(LIBRARY_WANTED) };

    return library_open(files, wanted, sizeof wanted / sizeof wanted[0]) == LIBRARY_READY;
#endif
}

static void *pack(const struct zlib *zlib, z_stream *stream, const char *text, size_t *length)
{
    const size_t text_length = strlen(text), room = zlib->deflate_bound(stream, text_length) + SAMPLE_ID;
    unsigned char *bytes = text_length <= MAX_BYTES ? malloc(room) : NULL;

    if (!bytes)
        return NULL;
    stream->next_in = (z_const Bytef *)text;
    stream->avail_in = (uInt)text_length;
    stream->next_out = bytes;
    stream->avail_out = (uInt)room;
    if (zlib->deflate_sample(stream, (const Bytef *)packed_sample_model, sizeof packed_sample_model - 1) != Z_OK ||
        zlib->deflate(stream, Z_FINISH) != Z_STREAM_END) {
        free(bytes);
        return NULL;
    }
    *length = stream->total_out;
    return bytes;
}

void *packed_make(const char *text, size_t *length)
{
    z_stream stream = { .next_in = NULL };
    struct zlib zlib;
    void *bytes;

    if (!find_zlib(&zlib) || zlib.deflate_open_as(&stream, RECORD_LEVEL, Z_DEFLATED, RECORD_WINDOW, RECORD_MEMORY,
                                                  Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof stream) != Z_OK)
        return NULL;
    bytes = pack(&zlib, &stream, text, length);
    zlib.deflate_close(&stream);
    return bytes;
}

/* zlib takes a sample whose Adler-32 is the one in the bytes, and refuses another. */
static bool give_sample(const struct zlib *zlib, z_stream *stream)
{
    return zlib->inflate_sample(stream, (const Bytef *)packed_sample_model, sizeof packed_sample_model - 1) == Z_OK ||
           zlib->inflate_sample(stream, (const Bytef *)packed_sample, sizeof packed_sample - 1) == Z_OK;
}

static int inflate_on(const struct zlib *zlib, z_stream *stream)
{
    const int answer = zlib->inflate(stream, Z_FINISH);

    if (answer != Z_NEED_DICT)
        return answer;
    return give_sample(zlib, stream) ? zlib->inflate(stream, Z_FINISH) : Z_DATA_ERROR;
}

/* The room is doubled until all is in it. */
static char *unpack(const struct zlib *zlib, z_stream *stream)
{
    char *text = NULL, *larger;

    for (size_t room = MIN_ROOM; room <= MAX_BYTES; room *= 2) {
        int answer;
        larger = realloc(text, room);
        if (!larger)
            break;
        text = larger;
        stream->next_out = (Bytef *)text + stream->total_out;
        stream->avail_out = (uInt)(room - 1 - stream->total_out);
        answer = inflate_on(zlib, stream);
        if (answer == Z_STREAM_END) {
            text[stream->total_out] = '\0';
            return text;
        }
        if (answer != Z_BUF_ERROR || stream->avail_out > 0)
            break;
    }
    free(text);
    return NULL;
}

char *packed_read(const void *bytes, size_t length, struct error *err)
{
    z_stream stream = { .next_in = (z_const Bytef *)bytes, .avail_in = (uInt)length };
    struct zlib zlib;
    char *text;

    if (!find_zlib(&zlib)) {
        error_set(err, ERROR_ABSENT, "a record of the ledger cannot be read");
        error_why(err, "it is packed, and libz.so.1 is not there");
        error_fix(err, "sudo apt-get install zlib1g");
        return NULL;
    }
    text = length <= MAX_BYTES && zlib.inflate_open(&stream, ZLIB_VERSION, (int)sizeof stream) == Z_OK
               ? unpack(&zlib, &stream)
               : NULL;
    zlib.inflate_close(&stream);
    if (!text)
        error_set(err, ERROR_BAD_DATA, "a packed record is damaged");
    return text;
}

char *packed_gzip(const char *bytes, size_t length, size_t *packed_length, struct error *err)
{
    z_stream stream = { .next_in = (z_const Bytef *)bytes, .avail_in = (uInt)length };
    struct zlib zlib;
    char *packed = NULL;
    size_t room;

    if (!find_zlib(&zlib)) {
        error_set(err, ERROR_ABSENT, "nothing can be packed");
        error_why(err, "libz.so.1 is not there");
        error_fix(err, "sudo apt-get install zlib1g, or give the file a name that ends in .tar");
        return NULL;
    }
    if (length <= MAX_BYTES && zlib.deflate_open_as(&stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                                                    Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof stream) == Z_OK) {
        room = zlib.deflate_bound(&stream, length);
        packed = malloc(room);
        stream.next_out = (Bytef *)packed;
        stream.avail_out = packed ? (uInt)room : 0;
        if (packed && zlib.deflate(&stream, Z_FINISH) == Z_STREAM_END) {
            *packed_length = stream.total_out;
        } else {
            free(packed);
            packed = NULL;
        }
        zlib.deflate_close(&stream);
    }
    if (!packed)
        error_set(err, ERROR_SYSTEM, "no memory to pack %zu bytes", length);
    return packed;
}
