/* SPDX-License-Identifier: MIT
 * A time, cut at the edges of the intervals that are known and of the gaps between them. */
#include "grid/hourly.h"

#include "base/clock.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

const char *intensity_cover_name(enum intensity_cover cover)
{
    switch (cover) {
    case COVER_FORECAST:
    case COVER_ESTIMATED:
    case COVER_ACTUAL: return intensity_kind_name((enum intensity_kind)cover);
    case COVER_NEAREST: return "held";
    case COVER_PERIOD_MEAN: return "mean";
    default: return "yearly";
    }
}

static uint64_t start_ns(const struct intensity *item)
{
    return item->start_realtime_s * NS_PER_S_INT;
}

static uint64_t end_ns(const struct intensity *item)
{
    return item->end_realtime_s * NS_PER_S_INT;
}

/* The first that ends after this time; the count of all: none does. */
static size_t first_after(const struct intensities *known, uint64_t time_ns)
{
    size_t low = 0, high = known->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (end_ns(&known->items[middle]) > time_ns)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* A stretch of time with one value. */
struct hourly_piece {
    uint64_t end_ns;
    double kgco2eq_per_kwh;
    enum intensity_cover cover;
};

/* From from_ns on in a gap before item `next` (the count of all: none follows). */
static struct hourly_piece gap_piece(const struct hourly *hourly, size_t next, uint64_t from_ns)
{
    const struct intensities *known = hourly->known;
    const struct intensity *before = next > 0 ? &known->items[next - 1] : NULL;
    const struct intensity *after = next < known->count ? &known->items[next] : NULL;
    const uint64_t gap_start_ns = before ? end_ns(before) : clock_earlier_ns(hourly->from_ns, from_ns);
    const uint64_t gap_end_ns = after ? start_ns(after) : hourly->to_ns;
    const struct intensity *neighbour = before ? before : after;
    const uint64_t step_ns = neighbour ? end_ns(neighbour) - start_ns(neighbour) : 0;
    const uint64_t half_ns = gap_start_ns + (gap_end_ns - gap_start_ns) / 2, until_ns = after ? gap_end_ns : UINT64_MAX;

    if (neighbour && gap_end_ns - gap_start_ns <= step_ns) {
        const bool first_half = before && after && from_ns < half_ns;
        const struct intensity *nearest = !before || (after && !first_half) ? after : before;
        return (struct hourly_piece){ first_half ? half_ns : until_ns, nearest->kgco2eq_per_kwh, COVER_NEAREST };
    }
    if (!isnan(hourly->mean_kgco2eq_per_kwh))
        return (struct hourly_piece){ until_ns, hourly->mean_kgco2eq_per_kwh, COVER_PERIOD_MEAN };
    return (struct hourly_piece){ until_ns, hourly->yearly_kgco2eq_per_kwh, COVER_YEARLY };
}

static struct hourly_piece piece_at(const struct hourly *hourly, size_t next, uint64_t from_ns)
{
    const struct intensity *item = next < hourly->known->count ? &hourly->known->items[next] : NULL;

    if (item && start_ns(item) <= from_ns)
        return (struct hourly_piece){ end_ns(item), item->kgco2eq_per_kwh, (enum intensity_cover)item->kind };
    return gap_piece(hourly, next, from_ns);
}

struct hourly hourly_of(const struct intensities *known, uint64_t from_ns, uint64_t to_ns,
                        double yearly_kgco2eq_per_kwh)
{
    struct hourly hourly = { known, from_ns, to_ns, NAN, yearly_kgco2eq_per_kwh };
    double sum = 0, known_ns = 0;

    for (size_t i = first_after(known, from_ns); i < known->count && start_ns(&known->items[i]) < to_ns; i++) {
        const uint64_t start = start_ns(&known->items[i]), end = clock_earlier_ns(end_ns(&known->items[i]), to_ns);
        const double within_ns = (double)(end - (start > from_ns ? start : from_ns));
        sum += known->items[i].kgco2eq_per_kwh * within_ns;
        known_ns += within_ns;
    }
    if (known_ns >= HOURLY_MEAN_MIN * (double)(to_ns - from_ns)) /* of no time at all the mean is 0 / 0 */
        hourly.mean_kgco2eq_per_kwh = sum / known_ns;
    return hourly;
}

void intensities_trim(struct intensities *known, uint64_t from_ns, uint64_t to_ns)
{
    size_t first = first_after(known, from_ns), end;

    for (end = first; end < known->count && start_ns(&known->items[end]) < to_ns; end++)
        ;
    end += end < known->count;
    first -= first > 0;
    if (end > first)
        memmove(known->items, known->items + first, (end - first) * sizeof *known->items);
    known->count = end - first;
}

struct hourly_factor hourly_factor(const struct hourly *hourly, uint64_t from_ns, uint64_t to_ns)
{
    struct hourly_factor price = { .kgco2eq_per_kwh = 0 };
    size_t next = first_after(hourly->known, from_ns);
    double whole_ns;

    if (to_ns <= from_ns)
        to_ns = from_ns + 1;
    whole_ns = (double)(to_ns - from_ns);
    while (from_ns < to_ns) {
        struct hourly_piece piece = piece_at(hourly, next, from_ns);
        piece.end_ns = clock_earlier_ns(piece.end_ns, to_ns);
        const double part = (double)(piece.end_ns - from_ns) / whole_ns;
        price.kgco2eq_per_kwh += part * piece.kgco2eq_per_kwh;
        price.part[piece.cover] += part;
        price.longest = part > price.longest ? part : price.longest;
        price.pieces++;
        from_ns = piece.end_ns;
        while (next < hourly->known->count && end_ns(&hourly->known->items[next]) <= from_ns)
            next++;
    }
    return price;
}
