/* SPDX-License-Identifier: MIT
 * Servers beside the steps of a pipeline: when they run. */
#include "commands/pipeline/pipeline_work.h"

#include "app/terminal.h"
#include "base/auto.h"
#include "commands/pipeline/failure_policy.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool needs(const struct pipeline_work *work, size_t part, size_t item)
{
    return work->companions.needs[part * work->companions.stride + item];
}

static bool needs_any(const struct pipeline_work *work, size_t part)
{
    for (size_t i = 0; i < work->companions.count; i++)
        if (needs(work, part, i))
            return true;
    return false;
}

static size_t namesakes_before(const struct pipeline_work *work, const struct companion *companion)
{
    size_t count = 0;

    for (const struct companion *before = work->companions.items; before < companion; before++)
        count += strcmp(before->name, companion->name) == 0;
    return count;
}

bool pipeline_server_log(const struct pipeline_work *work, const struct companion *companion, char path[WORK_PATH_SIZE])
{
    const size_t before = namesakes_before(work, companion);
    char number[24] = "";

    if (before)
        snprintf(number, sizeof number, ".%zu", before + 1);
    return snprintf(path, WORK_PATH_SIZE, "%s/%s%s.server.log", work->metrics, companion->name, number) <
           WORK_PATH_SIZE;
}

/* Where its output goes: beside those of the steps, else to a file without a name. */
static bool open_log(struct pipeline_work *work, struct companion *companion, struct error *err)
{
    if (companion->log >= 0)
        return true;
    if (!work->metrics) {
        companion->log = work_folders_unnamed(&work->folders);
        return companion->log >= 0 ||
               error_errno(err, "cannot keep the output of '%s' in '%s'", companion->name, work->folders.work);
    }
    if (!pipeline_server_log(work, companion, companion->log_path))
        return error_set(err, ERROR_USAGE, "the path of the folder is too long");
    companion->log = open(companion->log_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_TRUNC, 0666);
    return companion->log >= 0 ||
           error_errno(err, "cannot keep the output of '%s' in '%s'", companion->name, companion->log_path);
}

static bool start(struct pipeline_work *work, struct companion *companion, struct error *err)
{
    struct session *session = &work->campaign.session;

    if (companion_runs(companion))
        return true;
    companion_stop(companion, &session->report.own_notices); /* what is left of one that has ended */
    return open_log(work, companion, err) &&
           companion_start(companion, settings_number(work->settings, &option_server_timeout), session->progress,
                           &session->report.own_notices, err);
}

static bool may_use_cards(const struct companion *companion)
{
    return !companion->engine || container_cards_any(&companion->job.plan.cards);
}

static void list_running(struct pipeline_work *work)
{
    struct pipeline_companions *all = &work->companions;
    size_t count = 0;

    for (size_t i = 0; i < all->count; i++)
        if (companion_runs(&all->items[i]) && may_use_cards(&all->items[i]))
            all->concurrent[count++] = companion_target(&all->items[i]);
    all->concurrent[count] = NULL;
}

static bool start_with_models(struct pipeline_work *work, struct error *err)
{
    struct pipeline_companions *all = &work->companions;

    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].models && !start(work, &all->items[i], err))
            return false;
    return true;
}

/* A signal waits meanwhile, so that carbon is there to end what it has started. */
bool pipeline_companions_begin(struct pipeline_work *work, struct error *err)
{
    struct pipeline_companions *all = &work->companions;
    sigset_t blocked;
    bool good;

    inherited_signals_read(&all->signals);
    if (!all->count)
        return true;
    failure_policy_signals(&blocked);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    good = start_with_models(work, err);
    work->interrupted = failure_policy_signal();
    if (work->interrupted) {
        pipeline_companions_close(work);
        sigtimedwait(&blocked, NULL, &(struct timespec){ .tv_sec = 0 });
        if (good)
            error_set(err, ERROR_SYSTEM, "interrupted before any step was run");
    }
    sigprocmask(SIG_SETMASK, &all->signals.mask, NULL);
    return good && !work->interrupted;
}

bool pipeline_companions_before(struct pipeline_work *work, size_t part, struct error *err)
{
    struct pipeline_companions *all = &work->companions;
    struct notices *notices = &work->campaign.session.report.own_notices;

    if (!all->count)
        return true;
    for (size_t i = 0; i < all->count && needs_any(work, part); i++)
        if (!needs(work, part, i))
            companion_stop(&all->items[i], notices);
    for (size_t i = 0; i < all->count; i++)
        if (needs(work, part, i) && !start(work, &all->items[i], err))
            return false;
    list_running(work);
    work->campaign.commands[part].concurrent = all->concurrent[0] ? all->concurrent : NULL;
    return true;
}

void pipeline_companions_after(struct pipeline_work *work, size_t part, bool last)
{
    struct pipeline_companions *all = &work->companions;

    for (size_t i = 0; i < all->count && last; i++) {
        bool wanted = false;

        for (size_t later = part + 1; later < work->pipeline.count; later++)
            wanted |= needs(work, later, i);
        if (!wanted)
            companion_stop(&all->items[i], &work->campaign.session.report.own_notices);
    }
}

static bool is_set(const struct pipeline_step *step, const char *name)
{
    const size_t length = strlen(name);

    for (char **variable = step->environment; *variable; variable++)
        if (strncmp(*variable, name, length) == 0 && (*variable)[length] == '=')
            return true;
    return false;
}

char **pipeline_companions_variables(struct pipeline_work *work, const struct pipeline_part *part, const char *address,
                                     struct error *err)
{
    struct pipeline_companions *all = &work->companions;
    const size_t index = (size_t)(part - work->parts);
    size_t count = 0, max = 1;
    char **variables;

    for (size_t i = 0; i < all->count; i++)
        max += all->items[i].connection_count;
    variables = arena_get(&all->store, max * sizeof *variables);
    for (size_t i = 0; variables && i < all->count; i++) {
        const struct companion *companion = &all->items[i];

        for (size_t j = 0; needs(work, index, i) && j < companion->connection_count; j++) {
            const struct pipeline_connection *connection = &companion->connections[j];

            if (is_set(part->step, connection->name))
                continue;
            variables[count] = arena_print(&all->store, "%s=%s:%u", connection->name,
                                           address ? address : companion->address, connection->port);
            if (!variables[count++])
                variables = NULL;
            if (!variables)
                break;
        }
    }
    if (!variables)
        error_errno(err, "no memory for the steps");
    return variables;
}

void pipeline_companions_close(struct pipeline_work *work)
{
    struct pipeline_companions *all = &work->companions;

    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].log < 0) /* never started */
            continue;
        companion_stop(&all->items[i], &work->campaign.session.report.own_notices);
        if (all->items[i].log >= 0)
            close(all->items[i].log);
        all->items[i].log = -1;
    }
}
