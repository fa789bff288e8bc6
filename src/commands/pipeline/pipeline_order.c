/* SPDX-License-Identifier: MIT
 * Which step reads from which, and the order that follows. */
#include "base/c_locale.h"
#include "base/near.h"
#include "commands/pipeline/pipeline_parts.h"

#include "base/text.h"

#include <string.h>

static bool refuse_source(struct pipeline_reading *reading, const struct pipeline_step *step,
                          const struct yaml_node *from, const char *name)
{
    struct near_name near = { .typed = name };

    for (size_t i = 0; i < reading->pipeline->count; i++)
        near_try(&near, reading->pipeline->steps[i].name);
    yaml_refuse(step->yaml, from, reading->err, "no step '%.60s' for '%.60s' to read from", name, step->name);
    return near_fix(near.name, reading->err);
}

/* The output that an input names. */
static bool has_output(struct pipeline_reading *reading, const struct pipeline_step *step,
                       const struct pipeline_input *input)
{
    const struct pipeline_step *source = &reading->pipeline->steps[input->from];
    struct near_name near = { .typed = input->name };

    for (size_t i = 0; i < source->output_count; i++) {
        const char *name = source->outputs[i].name;
        if (name && c_strcasecmp(name, input->name) == 0)
            return true;
        if (name)
            near_try(&near, name);
    }
    yaml_refuse(step->yaml, yaml_member(input->node, "name"), reading->err, "the step '%.60s' has no output '%.60s'",
                source->name, input->name);
    return near_fix(near.name, reading->err);
}

static bool link_input(struct pipeline_reading *reading, const struct pipeline_step *step, struct pipeline_input *input)
{
    const struct pipeline *pipeline = reading->pipeline;
    const struct yaml_node *from = yaml_member(input->node, "from");
    const char *name;

    input->from = PIPELINE_PAYLOAD;
    if (!from || from->null)
        return true;
    if (!pipeline_text(reading, step->yaml, from, "the step that an input is from", &name))
        return false;
    for (size_t i = 0; i < pipeline->count; i++)
        if (c_strcasecmp(pipeline->steps[i].name, name) == 0)
            input->from = (int)i;
    if (input->from == PIPELINE_PAYLOAD)
        return refuse_source(reading, step, from, name);
    return !input->name || has_output(reading, step, input);
}

bool pipeline_link(struct pipeline_reading *reading)
{
    for (size_t i = 0; i < reading->pipeline->count; i++) {
        const struct pipeline_step *step = &reading->pipeline->steps[i];
        for (size_t j = 0; j < step->input_count; j++)
            if (!link_input(reading, step, &step->inputs[j]))
                return false;
    }
    return true;
}

/* The first of a step's sources that is not done, or -1. */
static int waits_for(const struct pipeline_step *step, const bool *done)
{
    for (size_t i = 0; i < step->input_count; i++)
        if (step->inputs[i].from >= 0 && !done[step->inputs[i].from])
            return step->inputs[i].from;
    return -1;
}

/* From any step that waits, back through what it waits for until one comes again: that is in a circle. */
static int member_of_circle(const struct pipeline *pipeline, const bool *done)
{
    bool seen[PIPELINE_MAX_STEPS] = { false };
    int at = 0;

    while (done[at])
        at++;
    while (!seen[at]) {
        seen[at] = true;
        at = waits_for(&pipeline->steps[at], done);
    }
    return at;
}

static bool refuse_circle(struct pipeline_reading *reading, const bool *done)
{
    const struct pipeline *pipeline = reading->pipeline;
    const int start = member_of_circle(pipeline, done);
    int members[PIPELINE_MAX_STEPS + 1], first = 0;
    size_t count = 0;
    struct text circle;

    for (int at = start; count == 0 || at != start; at = waits_for(&pipeline->steps[at], done))
        members[count++] = at;
    /* it is shown as data flow, which is the other way round, from the step that stands first in the file */
    for (int i = 0; i < (int)count; i++)
        if (members[i] < members[first])
            first = i;
    text_open(&circle, SIZE_MAX);
    for (size_t i = 0; i <= count; i++)
        text_add(&circle, "%s%s", i ? " \xe2\x86\x92 " : "",
                 pipeline->steps[members[((size_t)first + count - i % count) % count]].name);
    const struct pipeline_step *shown = &pipeline->steps[members[first]];
    yaml_refuse(shown->yaml, shown->node, reading->err, "the steps read from each other in a circle");
    if (text_ok(&circle) && reading->err)
        text_copy(reading->err->why, sizeof reading->err->why, circle.data);
    text_close(&circle);
    return error_fix(reading->err, "take one 'from' away");
}

bool pipeline_sort(struct pipeline_reading *reading)
{
    struct pipeline *pipeline = reading->pipeline;
    bool done[PIPELINE_MAX_STEPS] = { false };
    size_t placed = 0, next;

    pipeline->order = arena_get(&pipeline->store, pipeline->count * sizeof *pipeline->order);
    if (!pipeline->order)
        return pipeline_no_memory(reading);
    for (; placed < pipeline->count; done[next] = true, pipeline->order[placed++] = next) {
        for (next = 0; next < pipeline->count; next++)
            if (!done[next] && waits_for(&pipeline->steps[next], done) < 0)
                break;
        if (next == pipeline->count)
            return refuse_circle(reading, done);
    }
    return true;
}
