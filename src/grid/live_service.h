/* SPDX-License-Identifier: MIT
 * What a service of live grid data is made of: one file each, one line in live_list.c. Used throughout grid. Begin with
 * live_time(). */
#ifndef GRID_LIVE_SERVICE_H
#define GRID_LIVE_SERVICE_H

#include "base/text.h"
#include "grid/intensities.h"

struct cJSON;

/* A query once it is made good: the zone as the service calls it, times, and the clock when it was made. */
struct live_request {
    char zone[LIVE_ZONE_SIZE];
    uint64_t from_s, to_s, now_s;
    uint64_t step_s; /* one of the service's, where it has several */
    enum factor_basis basis;
};

enum { LIVE_DOCUMENT_MAX = 32 << 20 }; /* bytes, of any service: a year by the hour and fuel in XML is 12 MB */

enum live_secret {
    LIVE_OPEN,   /* no key */
    LIVE_HEADER, /* the key in a header, behind key_prefix: "auth-token: " */
    LIVE_QUERY,  /* the key at the end of the address, behind key_prefix: "securityToken="; it is kept nowhere */
    LIVE_LOGIN,  /* "user:password", for which login_path gives a token that is borne */
};

enum live_basis {
    LIVE_BASIS_UNSAID, /* neither is right */
    LIVE_BASIS_DIRECT,
    LIVE_BASIS_BOTH, /* the query says which */
};

struct live_service {
    const char *name, *title, *base_url;
    const char *zones;     /* what can be given, for messages */
    const char *zone;      /* the standard one, or NULL */
    const char *scope;     /* "consumption", "production"; NULL: it does not say */
    const char *gases;     /* "co2eq", "co2" */
    const char *td_losses; /* "included"; NULL: not, or not said */
    const char *licence, *source_id, *url;
    const char *advice; /* why it is not for a footprint, or NULL */
    enum live_basis basis;
    bool marginal; /* else average */
    bool method_unsaid;
    bool own_zones; /* its names are its own: none is looked up in the tables */
    bool forecasts; /* times to come can be asked for */
    enum live_secret secret;
    const char *key_prefix;
    const char *key_variable; /* the environment's, or NULL */
    const char *login_path;
    unsigned max_days; /* days in one request */
    unsigned parts;    /* requests that a query is made of */
    uint64_t steps[4]; /* that can be asked for, the standard one first; none: it has its own */
    bool xml;          /* its documents, made JSON by xml_to_json */
    bool whole_file;   /* one document for all times, which goes on growing */
    size_t max_bytes;  /* of a document; 0: the usual; at most LIVE_DOCUMENT_MAX */

    /* False: it covers no such zone. */
    bool (*read_zone)(const char *typed, char zone[LIVE_ZONE_SIZE]);

    /* Adds the path and query of one part. False: this query does not need that part. */
    bool (*address)(const struct live_request *request, unsigned part, struct text *url);

    /* Takes the answer of one part in, with intensities_add. Whatever is not as documented fails. */
    bool (*read)(const struct live_request *request, unsigned part, const struct cJSON *document,
                 struct intensities *found, struct error *err);
};

/* An entry: LIVE_SERVICE("neso", "Carbon Intensity API, NESO", "NESO_CI", read_zone, address, read_answer, .zone = …).
 */
#define LIVE_SERVICE(its_name, its_title, its_source_id, its_read_zone, its_address, its_read, ...)                    \
    {                                                                                                                  \
        .name = (its_name), .title = (its_title), .source_id = (its_source_id), .read_zone = (its_read_zone),          \
        .address = (its_address), .read = (its_read), __VA_ARGS__                                                      \
    }

extern const struct live_service live_neso, live_energy_charts, live_odre, live_energidata, live_ieso, live_ons,
    live_carbon_aware, live_electricity_maps, live_electricity_maps_v4, live_watttime, live_openelectricity, live_eia,
    live_entsoe;

#define G 1.0 /* unit of a value in g/kWh */

/* A time in a document, as text. */
bool live_time(const struct cJSON *object, const char *key, uint64_t *realtime_s, struct error *err) MUST_CHECK;

/* "2026-01-20" of a time. */
void live_add_date(struct text *url, uint64_t realtime_s);

/* Copies with letters in capitals, if there are only these characters; false: there are others, or too many. */
bool live_zone_of(const char *typed, const char *allowed, char zone[LIVE_ZONE_SIZE]) MUST_CHECK;

/* "&name=2026-01-20T06:30Z", escaped. */
void live_add_minute(struct text *url, const char *name, uint64_t realtime_s);

/* "2026-01-20T06:30:00", so far ahead of UTC (behind it: below 0). */
void live_add_time(struct text *url, uint64_t realtime_s, int64_t ahead_s);

/* The key of a service, freed by live_forget: from the environment, else from a file that only its owner may read. */
char *live_key(const struct live_service *service, struct error *err) MUST_CHECK;
void live_forget(char *secret);

#endif
