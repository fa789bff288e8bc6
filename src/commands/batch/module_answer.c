/* SPDX-License-Identifier: MIT
 * Which figure of a module is its answer; and the batch in one line. */
#include "commands/batch/module_answer.h"

#include "form/notices_text.h"
#include "result/answer.h"

#include <math.h>

/* A model has its own range: the spread of CPU time does not include the error of the model. */
static void set_interval(struct module_answer *answer, const struct batch_module *module, const struct interval *ci)
{
    const bool range = isfinite(module->range_j.low);

    answer->interval = range ? module->range_j : *ci;
    answer->interval_name = range ? "range" : isfinite(ci->low) ? "95 % CI" : "";
}

struct module_answer module_answer_of(const struct batch_module *module)
{
    const enum verdict verdict = module->verdict.verdict;
    struct module_answer answer = { FIGURE_GROSS_J, &module->gross_j, { NAN, NAN }, "", true, &module->gross };

    if (module->dif == FIGURE_OWN_J) {
        answer = (struct module_answer){ FIGURE_OWN_J, &module->own_j, { NAN, NAN }, "", true, &module->own };
        set_interval(&answer, module, &module->own_interval_j);
        answer.distinct = isnan(answer.interval.low) || answer.interval.low > 0;
    } else if (verdict_has_net(verdict) && isfinite(module->net_j.mean)) {
        answer = (struct module_answer){ FIGURE_NET_J, &module->net_j, { NAN, NAN }, "", true, &module->net };
        if (module->own_method == OWN_NET && module->own_j.count)
            answer.figure = FIGURE_OWN_J; /* which is net then */
        set_interval(&answer, module, &module->verdict.net_j_interval);
        answer.distinct = verdict != VERDICT_NOISE;
    }
    return answer;
}

enum figure batch_common_figure(const struct batch *batch)
{
    enum figure figure = FIGURE_OWN_J;
    bool any = false;

    for (size_t i = 0; i < batch->module_count; i++) {
        const struct batch_module *module = &batch->modules[i];
        const enum figure one = module_answer_of(module).figure;

        if (!module->counted)
            continue;
        if (any && one != figure)
            return FIGURE_GROSS_J;
        figure = one;
        any = true;
    }
    return any ? figure : FIGURE_GROSS_J;
}

enum quality batch_quality(const struct batch *batch)
{
    enum quality worst = QUALITY_UNKNOWN;

    for (size_t i = 0; i < batch->module_count; i++)
        if (batch->modules[i].counted && batch->modules[i].quality > worst)
            worst = batch->modules[i].quality;
    return worst;
}

void batch_brief(const struct batch *batch, FILE *out)
{
    const enum figure figure = batch_common_figure(batch);
    double energy_j = 0, kgco2eq = 0;
    bool incomplete = false, distinct = true;

    for (size_t i = 0; i < batch->module_count; i++) {
        const struct batch_module *module = &batch->modules[i];
        const struct module_answer answer = module_answer_of(module);
        const bool gross = figure == FIGURE_GROSS_J;

        if (!module->counted) {
            incomplete = true;
            continue;
        }
        energy_j += gross ? module->gross_j.mean : answer.energy_j->mean;
        kgco2eq += (gross ? &module->gross : answer.emission)->footprint.kgco2eq;
        distinct = distinct && (gross || answer.distinct);
    }
    if (!batch->module_count || batch_quality(batch) == QUALITY_UNKNOWN)
        energy_j = kgco2eq = NAN;
    answer_line(out, energy_j, batch_quality(batch), figure, kgco2eq);
    fprintf(out, "%s%s%s\n", incomplete ? " incomplete" : "", distinct ? "" : " indistinct",
            batch->complete ? "" : " partial");
}

static struct notices_of of_module(const void *item)
{
    const struct batch_module *module = item;

    return (struct notices_of){ module->name, &module->notices };
}

void batch_notices(const struct batch *batch, struct notices *all)
{
    notices_with_items(all, &batch->notices, batch->modules, batch->module_count, sizeof *batch->modules, of_module);
}
