/* SPDX-License-Identifier: MIT
 * A form and an option for each. */
#include "commands/profile/profile_files.h"

#include "app/result_file.h"
#include "app/terminal.h"

const struct option_spec option_folded =
    OPTION(FILE, "Output", "folded", .file = FILE_WRITTEN, .argument = "<file>",
           .help = "write folded stacks, weighted in microjoules (flamegraph.pl, inferno)");
const struct option_spec option_flamegraph =
    OPTION(FILE, "Output", "flamegraph", .file = FILE_WRITTEN, .argument = "<file>",
           .help = "write a flame graph: an interactive SVG that needs no other file");
const struct option_spec option_speedscope =
    OPTION(FILE, "Output", "speedscope", .file = FILE_WRITTEN, .argument = "<file>",
           .help = "write speedscope's JSON, weighted in joules");
const struct option_spec option_pprof = OPTION(FILE, "Output", "pprof", .file = FILE_WRITTEN, .argument = "<file>",
                                               .help = "write pprof's profile.proto in gzip, weighted in microjoules");

static const struct {
    const struct option_spec *option;
    bool (*write)(const struct profile *profile, FILE *out, struct error *err);
} forms[PROFILE_FILES] = {
    { &option_json, profile_json },
    { &option_html, profile_html },
    { &option_folded, profile_folded },
    { &option_flamegraph, profile_flamegraph },
    { &option_speedscope, profile_speedscope },
    { &option_pprof, profile_pprof },
};

bool profile_files_open(struct profile_files *files, const struct settings *settings, struct error *err)
{
    for (size_t i = 0; i < PROFILE_FILES; i++)
        if (!result_file_open(&files->outputs[i], settings_text(settings, forms[i].option), err))
            return false;
    return true;
}

int profile_files_write(struct profile_files *files, const struct profile *profile, int status)
{
    for (size_t i = 0; i < PROFILE_FILES; i++) {
        struct output *output = &files->outputs[i];
        struct error err;
        bool written;
        if (!output->file)
            continue;
        written =
            output_rewrite(output, output_begin_rewrite(output) && forms[i].write(profile, output->anew, &err), &err);
        status = result_file_end(output, written, &err, status);
    }
    return status;
}

void profile_files_discard(struct profile_files *files)
{
    for (size_t i = 0; i < PROFILE_FILES; i++)
        result_file_discard(&files->outputs[i]);
}
