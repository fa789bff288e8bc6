/* SPDX-License-Identifier: MIT
 * A report made anew from its record: the windows and conditions that the record holds, and all that follows from them
 * worked out again by the arithmetic that made it. Used in commands/history, commands/report, commands/restate and
 * result. Begin with record_load().
 *
 * record_load.h makes a whole report from a record again, for carbon verify and carbon restate: what a form writes and
 * what the arithmetic needs is in the record, and a key that is added there is read there;
 * tests/unit/result/test_rebuild.c holds the two together, byte by byte. */
#ifndef RESULT_STORED_RECORD_LOAD_H
#define RESULT_STORED_RECORD_LOAD_H

#include "result/report.h"
#include "run/marks.h"

struct cJSON;

enum { RECORD_LOAD_MAX_DRIVERS = 2 * METER_MAX_SOURCES };

/* Texts lie in the document. */
struct loaded_record {
    struct cJSON *document;
    struct machine machine;
    struct energy_driver drivers[RECORD_LOAD_MAX_DRIVERS];
    size_t driver_count;
    struct domain domains[ENERGY_MAX_DOMAINS];
    struct meter meter;
    struct counting counting;
    struct measurement measurement;
    struct marks_options marks;
    struct intensities intensities; /* that the record's hours stand on */
    char **command;
    struct report report; /* worked out; its doubts are the record's */
};

/* Given to loaded_record_close in the end, after a failure too. Fails where the file is no record, was written by a
 * carbon that kept less in it, or holds what cannot be. path is for messages. */
bool record_load(const char *path, struct loaded_record *loaded, struct error *err) MUST_CHECK;

/* The same of a record that was read already, which is rebuilt's from then on; NULL fails, err being filled. */
bool record_load_document(struct cJSON *document, const char *path, struct loaded_record *loaded,
                          struct error *err) MUST_CHECK;
void loaded_record_close(struct loaded_record *loaded);

/* Where the record is of a later minor than this carbon knows, a notice of that is added. */
void loaded_record_note_newer(const struct loaded_record *loaded, struct notices *notices);

/* record_load_windows.c: the baselines and runs into rebuilt->measurement, whose meter is there already. */
bool record_load_windows(struct loaded_record *loaded, const char *path, struct error *err) MUST_CHECK;

/* record_load_strides.c: the strides of those windows; false: malformed, or no memory. */
bool record_load_strides(struct loaded_record *loaded, const struct cJSON *baselines,
                         const struct cJSON *runs) MUST_CHECK;

/* The array "energy_uj" of a window or a part of one. False: there are not as many as the meter has domains. */
bool record_load_energy(const struct loaded_record *loaded, const struct cJSON *node, uint64_t *energy_uj,
                        uint8_t *known) MUST_CHECK;

/* record_load_hourly.c: the intensities and who told them; false: malformed, or no memory. */
bool record_load_hourly(struct loaded_record *loaded) MUST_CHECK;

/* The source of this name, which lives on; NULL: more than any meter has. */
const struct energy_source *record_load_source(struct loaded_record *loaded, const char *name) MUST_CHECK;

/* record_load_meter.c: the domains into rebuilt->meter and rebuilt->counting. */
bool record_load_meter(struct loaded_record *loaded, const char *path, struct error *err) MUST_CHECK;

/* Numbers of a record that are whole: -1, and 0, where they are not known. A refusal. */
int record_load_int_or_null(const struct cJSON *object, const char *key);
uint64_t record_load_nonzero_or_null(const struct cJSON *object, const char *key);
struct error record_load_error(const struct cJSON *node);

/* ERROR_BAD_DATA with the place in the record. */
bool record_load_fail(const char *path, const char *key, struct error *err);

/* Which of the notices these texts are: they stand one behind the other. */
void record_load_notice_range(const struct cJSON *array, const struct notices *notices, size_t *first, size_t *count);

/* A text of the record into an array of characters. */
#define TAKE(field, object, key) text_copy(field, sizeof field, json_text_of(object, key))

#endif
