/* SPDX-License-Identifier: MIT
 * Who published what the figures stand on: each source once. */
#include "commands/report/annual.h"

#include "base/text.h"
#include "emissions/factor_table.h"

#include <stdlib.h>
#include <string.h>

/* A source that the tables know no more keeps what the record says of it. */
static bool add_source(struct annual *annual, const char *id, const char *title, const char *licence, struct error *err)
{
    struct annual_source *sources;
    struct source found;
    bool known = false;

    if (!*id)
        return true;
    for (size_t i = 0; i < annual->source_count; i++)
        if (strcmp(annual->sources[i].id, id) == 0)
            return true;
    if (!source_find(id, &found, &known, err))
        return false;
    sources = realloc(annual->sources, (annual->source_count + 1) * sizeof *sources);
    if (!sources)
        return error_errno(err, "no memory for the sources");
    annual->sources = sources;
    sources += annual->source_count++;
    *sources = (struct annual_source){ .id = "" };
    text_copy(sources->id, sizeof sources->id, id);
    text_copy(sources->title, sizeof sources->title, known ? found.title : title);
    text_copy(sources->licence, sizeof sources->licence, known ? found.licence : licence);
    text_copy(sources->publisher, sizeof sources->publisher, found.publisher);
    text_copy(sources->year, sizeof sources->year, found.year);
    text_copy(sources->url, sizeof sources->url, found.url);
    return true;
}

static bool add_of(struct annual *annual, const struct annual_factor *factors, size_t count, struct error *err)
{
    bool good = true;

    for (size_t i = 0; i < count && good; i++)
        good =
            add_source(annual, factors[i].factor.source_id, factors[i].factor.source, factors[i].factor.licence, err);
    return good;
}

bool annual_set_sources(struct annual *annual, struct error *err)
{
    bool good = true;

    for (size_t i = 0; i < annual->factor_count && good; i++) {
        const struct annual_factor *item = &annual->factors[i];
        good = add_source(annual, item->factor.source_id, item->factor.source, item->factor.licence, err) &&
               add_source(annual, item->hourly_source_id, item->service, item->service_licence, err);
    }
    good = good && add_of(annual, annual->market_factors, annual->market_factor_count, err) &&
           add_of(annual, annual->direct_factors, annual->direct_factor_count, err) &&
           add_of(annual, annual->lifecycle_factors, annual->lifecycle_factor_count, err);
    for (size_t i = 0; i < annual->equivalents.count && good; i++)
        good = add_source(annual, annual->equivalents.items[i].source_id, annual->equivalents.items[i].source, "", err);
    for (size_t i = 0; i < annual->embodied_count && good; i++)
        good = add_source(annual, annual->embodied[i].source_id, annual->embodied[i].machine, "", err);
    return good;
}
