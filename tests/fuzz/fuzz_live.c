/* SPDX-License-Identifier: MIT
 * The answers of every service of live grid data: whatever stands there, what is taken from it is in order, lies in the
 * time that was asked for, and is no value that no grid has. */
#include "fuzz.h"

#include "grid/live.h"
#include "grid/live_service.h"
#include "io/json_read.h"
#include "io/xml_read.h"

#include <math.h>

static const char *const zones[] = { "GB", "DE",     "FR", "DK1", "DE",     "CAISO_NORTH", "CA-ON",
                                     "BR", "eastus", "DE", "US",  "AU-NSW", "DE-LU" };

static void check(const struct intensities *found)
{
    uint64_t known_s = 0;

    for (size_t i = 0; i < found->count; i++) {
        const struct intensity *item = &found->items[i];
        FUZZ_MUST(item->start_realtime_s < item->end_realtime_s);
        FUZZ_MUST(item->end_realtime_s > found->from_realtime_s && item->start_realtime_s < found->to_realtime_s);
        FUZZ_MUST(i == 0 || item[-1].end_realtime_s <= item->start_realtime_s);
        FUZZ_MUST(item->kgco2eq_per_kwh >= 0 && item->kgco2eq_per_kwh <= 5);
        known_s += item->end_realtime_s - item->start_realtime_s;
    }
    FUZZ_MUST(found->known_s <= known_s && found->known_s <= found->to_realtime_s - found->from_realtime_s);
    FUZZ_MUST(isnan(intensities_mean(found)) == (found->known_s == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    const size_t which = input_number(&input, 1) % (sizeof zones / sizeof zones[0]);
    const unsigned part = (unsigned)input_number(&input, 1);
    const struct live_service *service = live_named(live_names[which]);
    struct live_request request = { .from_s = 1768867200, .to_s = 1768953600, .now_s = 1768910400 };
    struct intensities found = { .from_realtime_s = request.from_s, .to_realtime_s = request.to_s };
    struct error err = { .kind = ERROR_NONE };
    char *text = input_text(&input), *json = service->xml ? xml_to_json(text, &err) : NULL;
    struct cJSON *document = service->xml && !json ? NULL : json_parse(json ? json : text, "the answer", &err);

    FUZZ_MUST(!json || document);
    request.step_s = service->steps[0];
    FUZZ_MUST(service->read_zone(zones[which], request.zone));
    FUZZ_MUST(document || err.kind != ERROR_NONE);
    if (document && !service->read(&request, part % service->parts, document, &found, &err))
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what && *err.why);
    intensities_settle(&found);
    check(&found);
    intensities_close(&found);
    json_close(document);
    free(json);
    free(text);
    return 0;
}
