/* SPDX-License-Identifier: MIT
 * The method of a job's own energy. Used in measurement, own and 4 commands. Begin with own_method_of(). */
#ifndef OWN_METHOD_H
#define OWN_METHOD_H

/* From the second on, the best first. */
enum own_method {
    OWN_UNKNOWN,
    OWN_NET,      /* no other process changed its load: it is gross - idle */
    OWN_PROFILE,  /* others came and went: gross - idle - theirs, by watts that are learnt from that */
    OWN_SHARE,    /* others came in the run: its part of that by CPU time; of a card by its processors' time */
    OWN_CPU_TIME, /* a model: its CPU time × watts per busy CPU */
    OWN_METHODS
};

/* "unknown", "net", "profile", "share", "cpu-time". */
const char *own_method_name(enum own_method method);

/* OWN_UNKNOWN of any other name. */
enum own_method own_method_of(const char *name);

/* The less good of two. */
enum own_method own_method_worst(enum own_method a, enum own_method b);

/* Joules of a job with the range in which they are; NAN unknown. A method that has no range of its own has low and high
 * like own; where own is unknown they are bounds. idle_j belongs to no process, and the rest of gross to others; net
 * leaves what others used throughout in idle_j. */
struct own {
    double own_j, low_j, high_j, idle_j;
    enum own_method method;
};

#endif
