/* SPDX-License-Identifier: MIT
 * Responses of libmicrohttpd, shared by all who ask. */
#include "commands/serve/published.h"

#include "ledger/packed.h"

#include <stdlib.h>

/* A text or a packed one, which the answer takes over. */
static struct MHD_Response *response_of(const struct microhttpd *library, char *bytes, size_t length,
                                        enum metric_format format)
{
    struct MHD_Response *response = library->response(length, bytes, MHD_RESPMEM_MUST_FREE);

    if (response) {
        library->add_header(response, "Content-Type", metric_content_type(format));
        library->add_header(response, "Vary", "Accept, Accept-Encoding");
    }
    return response;
}

/* Packed once a collection, and only where somebody asks for it. Without memory for it the plain one is answered. */
static struct MHD_Response *packed_of(struct published_metrics *published, const struct microhttpd *library,
                                      enum metric_format format)
{
    size_t length;
    char *bytes = published->packed ? NULL : packed_gzip(published->text, published->length, &length, NULL);

    if (!bytes)
        return published->packed;
    published->packed = response_of(library, bytes, length, format);
    if (published->packed)
        library->add_header(published->packed, "Content-Encoding", "gzip");
    else
        free(bytes);
    return published->packed;
}

struct MHD_Response *published_answer(struct published_metrics *published, const struct microhttpd *library,
                                      enum metric_format format, bool gzip)
{
    struct MHD_Response *packed = gzip && published->plain ? packed_of(published, library, format) : NULL;

    return packed ? packed : published->plain;
}

bool published_set(struct published_metrics *published, const struct microhttpd *library, struct metric_text *metrics,
                   struct error *err)
{
    struct text *text = &metrics->text;
    struct published_metrics now = { .text = text->data, .length = text->length };

    now.plain = response_of(library, text->data, text->length, metrics->format);
    if (!now.plain)
        return error_set(err, ERROR_SYSTEM, "no memory for the text of the metrics");
    *text = (struct text){ .ceiling = text->ceiling };
    published_close(published, library);
    *published = now;
    return true;
}

void published_close(struct published_metrics *published, const struct microhttpd *library)
{
    if (published->plain)
        library->destroy(published->plain);
    if (published->packed)
        library->destroy(published->packed);
    *published = (struct published_metrics){ .plain = NULL };
}
