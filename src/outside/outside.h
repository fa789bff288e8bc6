/* SPDX-License-Identifier: MIT
 * Meters outside carbon: a section [meter NAME] of the configuration file names each; its value comes from a file, a
 * command or an address. This room reads the sections and the meters; the energy source made of them is in
 * energy/named_meter.h. Used in app, commands/help and outside. Begin with outside_is_meter(). */
#ifndef OUTSIDE_OUTSIDE_H
#define OUTSIDE_OUTSIDE_H

#include "energy/named_meter.h"
#include "io/http_answer.h"
#include "io/ini.h"
#include "run/environment.h"

enum { OUTSIDE_TEXT_SIZE = 192, OUTSIDE_MAX_BYTES = 256 << 10 };

struct outside_meter {
    struct named_meter named; /* first: the meter is taken for this */
    int line;                 /* where its section begins */
    bool every_given;
    char file[OUTSIDE_TEXT_SIZE], command[OUTSIDE_TEXT_SIZE], url[OUTSIDE_TEXT_SIZE];
    char redfish[OUTSIDE_TEXT_SIZE]; /* the address of a board's controller */
    char chassis[OUTSIDE_TEXT_SIZE]; /* one of several; "": the first that reports a power */
    char field[OUTSIDE_TEXT_SIZE];   /* "a.b.0.c": where in a JSON answer; "": the answer itself is the number */
    char token_file[OUTSIDE_TEXT_SIZE], token_header[OUTSIDE_TEXT_SIZE], login_file[OUTSIDE_TEXT_SIZE];
    char ca_file[OUTSIDE_TEXT_SIZE];
    bool insecure;                  /* a key may go over http:// */
    struct environment environment; /* of its command; filled in the process that asks */
    char *place;                    /* what the last question to a controller has found, for the next; likewise */
};

/* Whether a section of this name names a meter. */
bool outside_is_meter(const char *section);

/* Takes one entry of such a section. *meters is made when the first is seen; path is the file's, for messages. */
bool outside_take(struct named_meters **meters, const struct ini_entry *entry, const char *path,
                  struct error *err) MUST_CHECK;

/* Whether each has all that it needs, once the file has been read: then they can be asked. NULL: there are none. */
bool outside_finish(struct named_meters *meters, const char *path, struct error *err) MUST_CHECK;

void outside_close(struct named_meters *meters); /* NULL: nothing */

/* The question to a meter that is complete, but for its cadence. */
struct poller_question outside_question(struct outside_meter *meter);

/* For those of an address: the body of an answer from there, or from another on the same server, with the meter's key;
 * http_close in any case. */
bool outside_get(const struct outside_meter *meter, const char *url, struct http_answer *answer,
                 struct error *err) MUST_CHECK;

/* Finds the power that a board's controller reports through Redfish, or reads it at the place found before. */
bool redfish_get(const struct outside_meter *meter, struct http_answer *answer, struct error *err) MUST_CHECK;

/* The url, or the controller's; "": it has none. */
const char *outside_address(const struct outside_meter *meter);

/* What an answer says: poller_question.understand. Pure but for *answer. */
int outside_understand(const void *context, int status, const char *text, struct poller_answer *answer);

#endif
