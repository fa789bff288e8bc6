/* SPDX-License-Identifier: MIT
 * Writing what each step needs ("requests: {cpu, memory}") into the text of a pipeline, in which nothing else changes.
 * Used by pipeline_files.c and pipeline_requests_check.c. Begin with pipeline_requests_write(). */
#ifndef COMMANDS_PIPELINE_PIPELINE_REQUESTS_H
#define COMMANDS_PIPELINE_PIPELINE_REQUESTS_H

#include "commands/pipeline/pipeline.h"

struct pipeline_rewritten {
    char *text; /* NUL behind it */
    size_t length;
    const char **imported; /* names of steps that another file describes: they are not written; borrowed */
    size_t imported_count;
};

/* requests: one for each step, of which cpu and memory_mb are written; -1 leaves a value as it is. The new text is read
 * again: where it would not be the same pipeline but for these values, this fails. Followed by
 * pipeline_rewritten_close, after a failure too. */
bool pipeline_requests_write(const struct pipeline *pipeline, const struct pipeline_requests *requests,
                             struct pipeline_rewritten *rewritten, struct error *err) MUST_CHECK;
void pipeline_rewritten_close(struct pipeline_rewritten *rewritten); /* harmless twice */

/* Whether two texts of this pipeline are the same but for these requests, which the new one has. err says where they
 * are not. */
bool pipeline_requests_check(const struct pipeline *pipeline, const struct pipeline_requests *requests,
                             const char *text, size_t length, struct error *err) MUST_CHECK;

#endif
