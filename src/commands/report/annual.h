/* SPDX-License-Identifier: MIT
 * The figures of a year, or of another period, summed over many records: a finished result, and the interface of its
 * forms. Forms calculate nothing. Used throughout commands/report. Begin with annual_categories_of().
 *
 * ledger/contribution.c calculates the contribution of a record to a sum (all its runs, not their mean), and
 * contribution_basis.c describes its basis (scope, PUE, factors, hardware, processor) as one line of JSON. The ledger
 * stores both with the record, and each basis once for all records that share it. Tables of form 2 have them; a ledger
 * of form 1 is migrated by reading its records. ledger_contributions gives the accounts of a period in one pass;
 * contribution_between cuts those at an edge of the period by the record itself. annual_sum.c adds the accounts,
 * annual_names.c groups them by project and label up to a maximum number of names (a few megabytes of memory for any
 * number of records), annual_basis.c groups them by factor, PUE and so on. annual_price.c calculates the emissions of
 * each, as recorded or restated, and by scope. annual_change.c compares with the year before and extrapolates,
 * annual_notices.c lists the problems. All results are in struct annual. Text, Markdown and HTML are written from one
 * struct document (annual_text.c, annual_appendix.c, annual_html.c). */
#ifndef COMMANDS_REPORT_ANNUAL_H
#define COMMANDS_REPORT_ANNUAL_H

#include "base/notice.h"
#include "base/quality.h"
#include "base/text.h"
#include "emissions/equivalents.h"
#include "emissions/factor.h"
#include "ledger/contribution.h"
#include "measurement/statistics.h"
#include "own/own_method.h"

#include <stdint.h>
#include <stdio.h>

#define ANNUAL_SCHEMA "carbon.report/1"

enum {
    QUALITY_COUNT = QUALITY_DEFAULT + 1,
    ANNUAL_MONTHS_MAX = 121,
    ANNUAL_NAMES_MAX = 100, /* projects, and labels, listed by name; the rest is one group */
};

/* A figure that only some records have. */
struct annual_part {
    double value; /* NAN: none has */
    double kwh;   /* IT energy of the records with this figure: the coverage of `value` */
    uint64_t records, runs;
};

/* Declared functional units: SCI = (operation + embodied) / units. */
struct annual_sci {
    uint64_t records; /* that declare units; 0: the report shows no SCI */
    bool mixed;       /* units of several kinds, which cannot be added */
    char unit[64];
    double units, operational_kgco2eq;
    double embodied_kgco2eq, kgco2eq_per_unit; /* NAN: the embodied emissions of some records are unknown */
};

/* Sums over some records; all NAN for no record. Energies and emissions are gross (idle power included) unless named
 * net, and location-based unless named market. */
struct annual_figures {
    uint64_t records, runs;
    double duration_s;   /* sum over runs; exceeds the period's length where runs overlap */
    double it_kwh;       /* IT energy */
    double facility_kwh; /* with the PUE */
    double kgco2eq;
    double kgco2eq_of_kwh;  /* of the machines, of the records with known emissions */
    double kgco2eq_per_kwh; /* mean factor of these, per kWh with the PUE */
    struct annual_part net_kwh, net_kgco2eq;
    struct annual_part own_kwh, own_kgco2eq; /* the jobs' own energy */
    struct annual_part own_by_method[OWN_METHODS];
    /* by the GHG Protocol: combustion only, location-based and market-based, and the rest of lifecycle */
    struct annual_part scope2_kgco2eq, scope2_market_kgco2eq, scope3_kgco2eq;
    struct annual_part scope2_stand_in_kwh; /* energy of scope2_market that uses the location-based factor, because no
                                             * contract or residual mix is known */
    struct annual_sci sci;
    struct annual_part market_kgco2eq, market_location_kgco2eq; /* and the location-based figure of the same records */
    struct annual_part td_losses_kgco2eq, upstream_kgco2eq;     /* never added to anything */
    struct annual_part embodied_kgco2eq;
    struct annual_part
        hourly_kwh; /* energy accounted by hourly intensities; `value`: the part whose own hour was published */

    /* uncertainty: standard deviation of repeated runs in quadrature, model ranges added linearly, then 1.96 standard
     * deviations around the range */
    double noise_kwh, noise_kgco2eq;                /* one standard deviation; NAN: no record has several runs */
    uint64_t noise_records;                         /* records with more than one run, the basis of noise_kwh */
    double model_low_kwh, model_high_kwh;           /* the total with every model at its lower and its upper bound */
    struct interval kwh_interval, kgco2eq_interval; /* NAN: unknown */
    int kwh_digits, kgco2eq_digits; /* significant digits that the confidence interval supports; for text forms */
};

/* none: those without a name; others: all further names */
enum annual_group_kind { GROUP_NAMED, GROUP_NONE, GROUP_OTHERS };

/* Records with something in common: a month ("2026-03"), a project, a label. */
struct annual_group {
    enum annual_group_kind kind;
    char name[96];
    uint64_t names;          /* minimum number of other names */
    uint64_t from_ns, to_ns; /* bounds of a month, else 0 */
    struct annual_figures figures;
};

/* A factor with the sum of the records that use it. */
struct annual_factor {
    struct factor factor;
    char service[96]; /* service of the hourly intensities; "" without hourly accounting */
    char hourly_source_id[48], service_licence[96];
    struct annual_figures figures;
};

struct annual_pue {
    double value;
    enum quality quality;
    char source[192];
    struct annual_figures figures;
};

struct annual_embodied {
    char machine[96], source_id[48], version[8];
    double machine_kgco2eq, lifetime_years, reserved_share; /* M = TE x time / lifetime x share, of each run */
    enum quality machine_quality, lifetime_quality;
    struct annual_figures figures;
};

/* A scope, or a model of processor. */
struct annual_name {
    char name[128];
    struct annual_figures figures;
};

struct annual_source {
    char id[48], title[160], publisher[96], year[8], licence[128], url[256];
};

enum annual_boundary { BOUNDARY_OWN, BOUNDARY_CLOUD, BOUNDARY_COLOCATION };

/* How unmeasured consumption is extrapolated from measured. */
enum annual_rule {
    RULE_NONE,
    RULE_DUTY, /* mean power x hours */
    RULE_RUNS, /* mean energy of a run x runs */
    RULE_IDLE, /* measured energy, plus idle power in between */
};

/* A declared extrapolation. It is never part of the sums. */
struct annual_extrapolation {
    enum annual_rule rule;
    double hours, runs;             /* declared; else NAN */
    bool idle_between;              /* idle power for the rest of the period, too */
    double mean_w, run_kwh, idle_w; /* measured; NAN where the rule needs none */
    double busy_kwh, idle_hours, idle_kwh;
    double it_kwh, kgco2eq;
    struct interval kwh_interval, kgco2eq_interval; /* 95 %, as if the records were drawn at random from the period */
    uint64_t records;                               /* the means are of these */
    char text[256];                                 /* the rule with its figures */
};

/* The change of emissions from one period to the next, by cause. */
struct annual_change {
    double kgco2eq;        /* now less before */
    double energy_kgco2eq; /* (E1 - E0) x (F0 + F1) / 2 */
    double factor_kgco2eq; /* (F1 - F0) x (E0 + E1) / 2 */
};

/* Records that are excluded from the figures, or that make them uncertain. */
struct annual_gaps {
    uint64_t restated;     /* excluded: one record restates another with the same energy */
    uint64_t unknown;      /* excluded: energy unknown */
    uint64_t without_mass; /* energy included, emissions unknown: no factor */
    uint64_t recorded;     /* excluded: counters of recorded machines */
    double recorded_kwh;
    uint64_t incomplete;     /* included with the completed runs only */
    uint64_t cut;            /* records that an edge of the period cuts */
    double warmup_kwh;       /* excluded: warm-up runs */
    double overlap_s;        /* lower bound of the time in which several were measured at once */
    uint64_t once;           /* included in part: other records include the rest of their machine's time */
    double counted_once_kwh; /* energy counted with others */
    uint64_t reported_once;  /* of these, the energies from Slurm of jobs whose nodes were measured */
    double reported_once_kwh;
    double unknown_overlap_s; /* lower bound of the time in which several were measured at once, some of them on an
                               * unknown machine */
    uint64_t pooled;          /* records with too many factors to list */
    uint64_t small;           /* excluded: less energy than the minimum */
    double small_kwh;
    uint64_t hours_lost;             /* recorded with hourly accounting, calculated with an annual factor here */
    uint64_t direct_above_lifecycle; /* direct is above lifecycle: the difference is not a valid figure */
    size_t empty_months;             /* months of the period so far without records */
};

/* A machine of a fleet, and the part of the period that its counters cover. */
struct annual_node {
    char name[96];
    uint64_t first_ns, last_ns; /* its first and its last energy in the period */
    double covered_s;
    uint64_t resets, wraps, gaps;
};

/* Set if the accounts are days of the nodes of a fleet (counters in a Prometheus) and not records. Labels are the nodes
 * then. */
struct annual_fleet {
    char url[256];             /* "": the accounts are records of a ledger */
    char exporters[128];       /* exporter of the counters: "kepler" */
    char groups[96];           /* meaning of the projects: "namespace", or the name of a label; "": none */
    double step_s;             /* interval of the samples */
    struct annual_node *nodes; /* after the sum: lowest coverage first */
    size_t node_count, node_room, node_next;
    uint64_t further_nodes;                   /* days of nodes above the maximum number of listed nodes */
    double covered_s, measured_s, doubtful_j; /* doubtful: upper bound of the energy lost to counter resets */
    double previous_covered_share;            /* coverage of the year before */
    uint64_t resets, wraps, gaps;
    double unattributed_j;  /* energy of the nodes without a group; negative: the groups reported more than the nodes */
    struct notices notices; /* notices of the reading */
};

/* Values that replace those of each record. */
struct annual_restating {
    char zone[96]; /* as it was typed; "": each record's */
    char set[16];  /* official set of factors, for each record whose zone it has; "": none */
    bool has_basis;
    enum factor_basis basis; /* else each record's */
    double pue;              /* 0: each record's */
    struct notices notices;  /* of the factors that were looked up */
};

/* Embodied emissions of a machine in the configuration. */
struct annual_machine {
    char name[64]; /* or "" */
    double kgco2eq, lifetime_years;
    double period_kgco2eq; /* the period's part of its lifetime */
};

struct annual {
    /* set by the caller */
    uint64_t made_realtime_ns, from_ns, to_ns;
    bool local_time;                          /* the edges are in local time */
    int year;                                 /* 0: another period */
    char entity[128], project[96], label[96]; /* or "" */
    enum annual_boundary boundary;
    bool boundary_given;
    bool restated; /* restating records replace those that they restate */
    struct annual_restating restating;
    double at_least_j;                    /* records with less energy are excluded; 0: none is */
    struct annual_machine *machines_made; /* with known embodied emissions */
    size_t machine_made_count;
    struct equivalents equivalents; /* of the total; count 0: not requested */
    struct annual_fleet fleet;

    /* the sums */
    struct annual_figures total, measured,
        estimated; /* measured: by a meter or a counter; estimated: nothing was run */
    struct annual_figures by_quality[QUALITY_COUNT];
    struct annual_group *months, *projects, *labels; /* projects and labels: highest emissions first */
    size_t month_count, project_count, label_count;
    struct annual_factor *factors, *market_factors;           /* factors of the figures */
    struct annual_factor *direct_factors, *lifecycle_factors; /* factors of the scopes */
    size_t factor_count, market_factor_count, direct_factor_count, lifecycle_factor_count;
    struct annual_pue *pues;
    size_t pue_count;
    struct annual_embodied *embodied;
    size_t embodied_count;
    struct annual_name *scopes, *machines;
    size_t scope_count, machine_count;
    struct annual_source *sources;
    size_t source_count;
    double covered_share;  /* part of the period: time of measured or modelled runs, overlapping time counted once */
    double measured_share; /* likewise, of measured runs only */
    double period_hours;
    struct annual_gaps gaps;

    bool has_previous; /* the year before has figures */
    int previous_year;
    struct annual_figures previous;
    struct annual_change change;

    struct annual_extrapolation extrapolation;
    bool scarce; /* less than ANNUAL_SCARCE of the period is covered; the first notice says so */
    struct notices notices;
};

#define ANNUAL_SCARCE 0.01

/* "Scope 2: purchased electricity" etc.: category of each line by the GHG Protocol. */
struct annual_categories {
    const char *electricity, *losses, *upstream, *embodied;
};
const char *annual_boundary_name(enum annual_boundary boundary); /* "own" */
struct annual_categories annual_categories_of(enum annual_boundary boundary);
/* "lifecycle", "direct", "lifecycle and direct, by each record's own factor", "of unknown basis" */
const char *annual_basis_text(const struct annual *annual);
const char *annual_scope_text(const char *scope);    /* "packages, memory and graphics cards" */
const char *annual_rule_name(enum annual_rule rule); /* "duty", ... ; NULL: none */

const char *annual_group_name(const struct annual_group *group); /* "(none)", "(all further ones)" */

/* annual_period.c: the months of the period, from its edges; the year's edges. ERROR_USAGE for a period that has none
 * or too many. */
bool annual_set_year(struct annual *annual, int year, struct error *err) MUST_CHECK;
bool annual_set_months(struct annual *annual, struct error *err) MUST_CHECK;

/* Order of calls: period and months, basis of the accounts, all accounts, finish. */
struct annual_sum;
struct annual_sum *annual_sum_open(struct annual *annual, struct error *err) MUST_CHECK;
void annual_sum_close(struct annual_sum *sum);
/* Energies from Slurm come after all other accounts and are compared with them. */
void annual_sum_expect_reported(struct annual_sum *sum);
bool annual_sum_contribution(struct annual_sum *sum, const struct contribution *contribution, int64_t basis,
                             bool restated, struct error *err) MUST_CHECK;
bool annual_sum_basis(struct annual_sum *sum, int64_t number, const char *basis, struct error *err) MUST_CHECK;
/* Everything but previous, change, extrapolation, sources and notices. */
bool annual_sum_finish(struct annual_sum *sum, struct error *err) MUST_CHECK;

/* annual_fleet.c. A day of a node, or a part of one, before annual_sum_finish. */
bool annual_is_fleet(const struct annual *annual);
bool annual_fleet_add(struct annual *annual, const struct annual_node *day, enum quality quality,
                      struct error *err) MUST_CHECK;
void annual_fleet_finish(struct annual *annual);
void annual_fleet_notices(struct annual *annual);
/* "all of it", "1 reset, 2 gaps" */
void annual_node_text(const struct annual_node *node, char *out, size_t size);

/* annual_sources.c: who published the factors. */
bool annual_set_sources(struct annual *annual, struct error *err) MUST_CHECK;

/* Change between two periods. */
struct annual_change annual_change_of(const struct annual_figures *before, const struct annual_figures *now);
void annual_set_previous(struct annual *annual, const struct annual_figures *previous);

/* Needs a finished sum, from before annual_sum_close. hours or runs NAN: not declared. */
bool annual_extrapolate(const struct annual_sum *sum, enum annual_rule rule, double hours, double runs,
                        bool idle_between, struct error *err) MUST_CHECK;

/* All notices; call it after everything else. */
void annual_notices(struct annual *annual);

void annual_close(struct annual *annual);

extern const struct schema annual_schema; /* JSON and CSV are written by it */

/* Forms. The text is for a terminal, with the digits that the uncertainty supports; the others have every digit. False:
 * the stream failed. */
bool annual_text(const struct annual *annual, FILE *out, struct error *err) MUST_CHECK;
/* annual_answer.c: the same in a few lines; in one line for scripts; and its first sentence, with energy and emissions.
 */
struct table_style;
bool annual_answer(const struct annual *annual, const struct table_style *style, FILE *out,
                   struct error *err) MUST_CHECK;
bool annual_line(const struct annual *annual, FILE *out, struct error *err) MUST_CHECK;
void annual_add_sentence(const struct annual *annual, struct text *text);
bool annual_markdown(const struct annual *annual, FILE *out, struct error *err) MUST_CHECK;
bool annual_json(const struct annual *annual, FILE *out, struct error *err) MUST_CHECK;
bool annual_html(const struct annual *annual, FILE *out, struct error *err) MUST_CHECK;
bool annual_csv(const struct annual *annual, FILE *out, struct error *err) MUST_CHECK;

#endif
