/* SPDX-License-Identifier: MIT
 * Objects of the record by their tables: written, read again, refused where they cannot be.
 */
#include "unit.h"

#include "measurement/measurement.h"
#include "result/window_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct tree tree;
static struct error err;

/* What was written into the tree, read again; for json_close. */
static struct cJSON *read_again(void)
{
    char *text = tree_string(&tree, "the object", &err);
    struct cJSON *document = json_parse(text, "test", &err);

    ck_assert_ptr_nonnull(document);
    free(text);
    return document;
}

START_TEST(what_is_written_is_read)
{
    for (int reason = HOLE_NONE + 1; reason < HOLE_COUNT; reason++) {
        const struct hole_fields hole = { 3, 0.1 + reason, reason };
        struct hole_fields now;
        struct cJSON *document;

        tree_open(&tree);
        fields_json(tree_root(&tree), &record_hole, &hole);
        document = read_again();
        ck_assert_str_eq(json_text_of(document, "reason"), hole_name((enum hole)reason));
        ck_assert(fields_read(document, &record_hole, &now));
        ck_assert(now.domain == 3 && now.unknown_s == hole.unknown_s && now.reason == reason);
        json_close(document);
    }
    for (int users = GPU_NOT_ASKED; users < GPU_ATTRIBUTION_COUNT; users++) {
        const struct gpu_fields gpu = { 0, users, 1e-6, NAN, 0 };
        struct gpu_fields now;
        struct cJSON *document;

        tree_open(&tree);
        fields_json(tree_root(&tree), &record_gpu, &gpu);
        document = read_again();
        ck_assert(fields_read(document, &record_gpu, &now));
        ck_assert(now.domain == 0 && now.users == users && now.own_j == 1e-6 && isnan(now.used_j) && now.lost_j == 0);
        json_close(document);
    }
}
END_TEST

static bool is_hole(const char *text)
{
    struct hole_fields hole;
    struct cJSON *document = json_parse(text, "test", &err);
    const bool good = fields_read(document, &record_hole, &hole);

    ck_assert_ptr_nonnull(document);
    json_close(document);
    return good;
}

START_TEST(what_cannot_be_is_refused)
{
    ck_assert(is_hole("{\"domain\": 0, \"unknown_s\": 2, \"reason\": \"reset\", \"new\": 1}"));
    ck_assert(!is_hole("{\"unknown_s\": 2, \"reason\": \"reset\"}"));
    ck_assert(!is_hole("{\"domain\": 0.5, \"unknown_s\": 2, \"reason\": \"reset\"}"));
    ck_assert(!is_hole("{\"domain\": -1, \"unknown_s\": 2, \"reason\": \"reset\"}"));
    ck_assert(!is_hole("{\"domain\": 1e300, \"unknown_s\": 2, \"reason\": \"reset\"}"));
    ck_assert(!is_hole("{\"domain\": 0, \"unknown_s\": null, \"reason\": \"reset\"}"));
    ck_assert(!is_hole("{\"domain\": 0, \"unknown_s\": -2, \"reason\": \"reset\"}"));
    ck_assert(!is_hole("{\"domain\": 0, \"unknown_s\": \"2\", \"reason\": \"reset\"}"));
    ck_assert(!is_hole("{\"domain\": 0, \"unknown_s\": 2, \"reason\": \"of another release\"}"));
    ck_assert(!is_hole("{\"domain\": 0, \"unknown_s\": 2, \"reason\": \"\"}"));
    ck_assert(!is_hole("[]"));
}
END_TEST

UNIT_SUITE("record_fields", what_is_written_is_read, what_cannot_be_is_refused)
