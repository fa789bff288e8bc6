/* SPDX-License-Identifier: MIT
 * Parts that every JSON document of carbon writes alike. Used in result and 7 commands. Begin with json_head(). */
#ifndef FORM_JSON_PARTS_H
#define FORM_JSON_PARTS_H

#include "base/notice.h"
#include "base/quality.h"
#include "base/sample_stats.h"
#include "io/json_tree.h"

/* "schema" and "carbon_version": the start of a document. */
void json_head(struct tree_node root, const char *schema);

/* A time of day; null for 0. */
void json_time(struct tree_node parent, const char *key, uint64_t realtime_ns);

/* {"value": ..., "quality": ...} under a key. */
void json_value(struct tree_node parent, const char *key, double value, enum quality quality);

/* what, why and fix of a refusal into an object; the kind of error where it has one. */
void json_error(struct tree_node node, const struct error *error);
/* The same of a source or a domain, and the kind of notice that it is, or null. */
void json_refusal(struct tree_node node, const struct error *refusal);
/* The kind of a notice (null: from a record without one), and the same. */
void json_notice(struct tree_node node, const struct notice *notice);
/* "problem": such an object, or null. */
void json_problem(struct tree_node parent, const struct error *problem);
/* "notices", and how many are not among them. */
void json_notices(struct tree_node parent, const struct notices *notices);

/* mean, deviation (null for one), min, max and count of a spread; low and high of an interval. */
void json_spread(struct tree_node parent, const char *key, const struct sample_stats *spread);
void json_interval(struct tree_node parent, const char *key, const struct interval *interval);

#endif
