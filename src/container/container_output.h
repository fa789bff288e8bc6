/* SPDX-License-Identifier: MIT
 * The output of a container, as an engine sends it when it has no terminal: frames of both its streams, separated.
 * Used by container_attend.c. Begin with container_output_take(). */
#ifndef CONTAINER_CONTAINER_OUTPUT_H
#define CONTAINER_CONTAINER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { OUTPUT_HEADER = 8 };

struct container_output {
    int fds[3]; /* where each stream goes: standard output at 1, standard error at 2; -1: nowhere */
    unsigned char header[OUTPUT_HEADER]; /* of the frame that is being read: stream, three zeros, its length */
    size_t header_length, left;          /* bytes of it that have come; of the frame that are still to come */
    int stream;
    bool broken; /* whoever read a stream has gone (EPIPE) */
    int wake;    /* what may end the waiting for who reads the output; -1: nothing */
    /* Asked where `wake` can be read: true has the rest of this output given up. */
    bool (*stop)(void *context);
    void *context;
};

/* Writes the content of the bytes completely, in order; they may begin and end anywhere in a frame. A stream without
 * a reader is dropped. False: these are not frames. */
bool container_output_take(struct container_output *output, const char *bytes, size_t length);

#endif
