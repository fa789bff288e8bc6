/* SPDX-License-Identifier: MIT
 * Images that an engine has, or gets. Used by app/container_job.c and commands/pipeline/pipeline_companions_make.c.
 * Begin with image_find(). */
#ifndef CONTAINER_CONTAINER_IMAGE_H
#define CONTAINER_CONTAINER_IMAGE_H

#include "container/engine.h"

#include <stddef.h>

/* Whether the engine has it; ERROR_ABSENT: it does not. */
bool image_find(const struct engine *engine, const char *image, struct error *err) MUST_CHECK;

/* Gets it from where it comes from; takes as long as it takes, unless stop (asked at least once a second, may be NULL)
 * says true. */
bool image_pull(const struct engine *engine, const char *image, bool (*stop)(void), struct error *err) MUST_CHECK;

/* The image that the engine has under this name, whatever it comes from: "registry/path/NAME:tag". ERROR_ABSENT: none;
 * ERROR_USAGE: several, which err lists. */
bool image_named(const struct engine *engine, const char *name, char *image, size_t size, struct error *err) MUST_CHECK;

#endif
