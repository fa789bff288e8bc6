/* SPDX-License-Identifier: MIT
 * The models that steps need, in the folder of --models-dir. */
#include "commands/pipeline/pipeline_models.h"

#include "base/auto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* "name: \"resnet\"" of config.pbtxt, outside of all braces; "": it does not say, and the folder's name holds. */
static void configured_name(const char *path, char *name, size_t size)
{
    AUTO_FCLOSE FILE *file = fopen(path, "re");
    char line[1024];
    int depth = 0;

    *name = '\0';
    while (file && !*name && fgets(line, sizeof line, file)) {
        const char *at = line + strspn(line, " \t");

        if (depth == 0 && strncmp(at, "name", 4) == 0 && at[4 + strspn(at + 4, " \t")] == ':') {
            at = strpbrk(at, "\"'");
            if (at)
                snprintf(name, size, "%.*s", (int)strcspn(at + 1, "\"'"), at + 1);
        }
        for (at = line; *at && *at != '#'; at++)
            depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    }
}

static bool check_model(const struct pipeline_companions *all, const struct pipeline_step *step, const char *model,
                        struct error *err)
{
    char path[WORK_PATH_SIZE + 300], name[256];
    struct stat status;

    snprintf(path, sizeof path, "%s/%s", all->models, model);
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        pipeline_refuse(step, err, "needs a model that is not there");
        error_why(err, "no folder '%.150s'", path);
        return error_fix(err, "put the model there, or name another folder with --models-dir");
    }
    snprintf(path, sizeof path, "%s/%s/config.pbtxt", all->models, model);
    configured_name(path, name, sizeof name);
    if (!*name || strcmp(name, model) == 0)
        return true;
    pipeline_refuse(step, err, "needs a model whose configuration has another name");
    error_why(err, "'%.110s' is in the folder '%.80s'", name, model);
    return error_fix(err, "the folder and 'name' in its config.pbtxt must be the same");
}

bool pipeline_models_check(const struct pipeline_work *work, const struct pipeline_step *step, struct error *err)
{
    const struct pipeline_companions *all = &work->companions;

    if (!*all->models) {
        pipeline_refuse(step, err, "needs models");
        error_why(err, "no folder was named where they are: '%.80s'%s", step->models[0],
                  step->models[1] ? ", ..." : "");
        return error_fix(err, "--models-dir FOLDER, with a folder for each model");
    }
    for (char **model = step->models; *model; model++)
        if (!check_model(all, step, *model, err))
            return false;
    return true;
}

bool pipeline_models_find(struct pipeline_work *work, struct error *err)
{
    struct pipeline_companions *all = &work->companions;
    const char *path = settings_text(work->settings, &option_models);

    if (!path)
        return true;
    if (!realpath(path, all->models))
        return error_errno(err, "cannot use the folder of models '%.200s'", path);
    if (work->dry) /* as it was named */
        text_copy(all->models, sizeof all->models, path);
    all->mount = (struct container_mount){ .source = all->models, .target = PIPELINE_MODELS, .read_only = true };
    return true;
}
