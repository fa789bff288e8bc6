/* SPDX-License-Identifier: MIT
 * A report rebuilt from its record: the windows and conditions of the record, and all results recalculated by the same
 * arithmetic. Used in commands/history, commands/report, commands/restate and result. Begin with record_load().
 *
 * record_load.h rebuilds a whole report for carbon verify and carbon restate: the record has everything that a form
 * writes and that the arithmetic needs, and a new key is read here; tests/unit/result/test_rebuild.c compares the two
 * byte by byte. */
#ifndef RESULT_STORED_RECORD_LOAD_H
#define RESULT_STORED_RECORD_LOAD_H

#include "result/report.h"
#include "run/marks.h"

struct cJSON;

enum { RECORD_LOAD_MAX_DRIVERS = 2 * METER_MAX_SOURCES };

/* Texts are stored in the document. */
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
    struct intensities intensities; /* intensities of the record's hours */
    char **command;
    struct report report; /* recalculated; its notices are the record's */
};

/* Call loaded_record_close in any case. Fails if the file is not a record, was written by an older carbon with less in
 * it, or has impossible values. path is for messages. */
bool record_load(const char *path, struct loaded_record *loaded, struct error *err) MUST_CHECK;

/* The same for a record that is already read, which rebuilt owns from then on; NULL fails, with err set. */
bool record_load_document(struct cJSON *document, const char *path, struct loaded_record *loaded,
                          struct error *err) MUST_CHECK;
void loaded_record_close(struct loaded_record *loaded);

/* If the record is of a later minor version than this carbon knows, adds a notice. */
void loaded_record_note_newer(const struct loaded_record *loaded, struct notices *notices);

/* record_load_windows.c: baselines and runs into rebuilt->measurement, whose meter is already set. */
bool record_load_windows(struct loaded_record *loaded, const char *path, struct error *err) MUST_CHECK;

/* record_load_strides.c: the strides of those windows; false: malformed, or no memory. */
bool record_load_strides(struct loaded_record *loaded, const struct cJSON *baselines,
                         const struct cJSON *runs) MUST_CHECK;

/* The energies of a window or of a part of one. False: its length differs from the number of domains. */
bool record_load_energy(const struct loaded_record *loaded, const struct cJSON *energies, uint64_t *energy_uj,
                        uint8_t *known) MUST_CHECK;

/* record_load_hourly.c: the intensities and their source; false: malformed, or no memory. */
bool record_load_hourly(struct loaded_record *loaded) MUST_CHECK;

/* The source of this name, which lives on; NULL: more than a meter can have. */
const struct energy_source *record_load_source(struct loaded_record *loaded, const char *name) MUST_CHECK;

/* record_load_meter.c: the domains into rebuilt->meter and rebuilt->counting. */
bool record_load_meter(struct loaded_record *loaded, const char *path, struct error *err) MUST_CHECK;

/* Integers of a record: -1, and 0, if unknown. A refusal. */
int record_load_int_or_null(const struct cJSON *item);
uint64_t record_load_nonzero_or_null(const struct cJSON *item);
struct error record_load_error(const struct cJSON *node);

/* ERROR_BAD_DATA with the place in the record. */
bool record_load_fail(const char *path, const char *key, struct error *err);

/* The range of notices with these texts: they follow one another. */
void record_load_notice_range(const struct cJSON *array, const struct notices *notices, size_t *first, size_t *count);

/* A text of the record into an array of characters. */
#define TAKE(field, item) text_copy(field, sizeof(field), json_text(item))

#endif
