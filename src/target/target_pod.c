/* SPDX-License-Identifier: MIT
 * Which pod is meant: names are in "/var/log/pods/<namespace>_<name>_<UID>"; neither has a '_'. */
#include "target/target_pod.h"

#include "base/auto.h"
#include "base/debug.h"
#include "base/text.h"
#include "target/pod_group.h"
#include "target/target_parts.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

static const char logs[] = "/var/log/pods";

enum { LISTED = 6 };

struct pod {
    char space[64], name[256], uid[48]; /* its namespace */
};

/* What was found on the way through the folders of logs. */
struct target_pod_search {
    struct pod found;
    size_t running, ended; /* containers in question */
    struct text those;     /* names of those that run */
    struct text others;    /* all that run */
    size_t other_count;
};

static bool choose_folder(const char *folder, struct pod *pod)
{
    return sscanf(folder, "%63[^_]_%255[^_]_%47[^_]", pod->space, pod->name, pod->uid) == 3 && pod_is_uid(pod->uid);
}

/* "name", "namespace/name" or a UID. */
static bool is_meant(const struct pod *pod, const char *wanted)
{
    const char *slash = strchr(wanted, '/');
    const char *name = slash ? slash + 1 : wanted;

    if (strcmp(wanted, pod->uid) == 0)
        return true;
    if (slash && (strncmp(pod->space, wanted, (size_t)(slash - wanted)) != 0 || pod->space[slash - wanted]))
        return false;
    return strcmp(name, pod->name) == 0;
}

static void list(struct text *text, size_t before, const struct pod *pod)
{
    if (before < LISTED)
        text_add(text, "%s%s/%s (%s)", before ? ", " : "", pod->space, pod->name, pod->uid);
    else if (before == LISTED)
        text_add(text, " ...");
}

/* A pod that has ended keeps its logs for a while. */
static void look_at(struct target_pod_search *search, const struct pod *pod, const char *wanted)
{
    char folder[PATH_MAX];
    const bool runs = pod_group_folder(pod->uid, folder, sizeof folder), meant = is_meant(pod, wanted);

    if (runs)
        list(&search->others, search->other_count++, pod);
    if (meant && runs) {
        list(&search->those, search->running++, pod);
        search->found = *pod;
    }
    search->ended += meant && !runs;
}

static void refuse_absent(const struct target_pod_search *search, const char *wanted, struct error *err)
{
    error_set(err, ERROR_ABSENT, "no pod '%.100s' runs on this machine", wanted);
    if (search->ended)
        error_why(err, "it has logs, and no control group with a process in it: it has ended");
    else
        error_why(err, "'%s' names none of this name that runs here", logs);
    if (search->other_count)
        error_fix(err, "those that run here: %s", search->others.data ? search->others.data : "");
    else
        error_fix(err, "list the pods of this node: 'kubectl get pods -A -o wide'");
}

static void refuse_several(const struct target_pod_search *search, const char *wanted, struct error *err)
{
    error_set(err, ERROR_USAGE, "'%.100s' is %zu pods of this machine", wanted, search->running);
    error_why(err, "%s", search->those.data ? search->those.data : "one thing is measured at a time");
    error_fix(err, "say which: --pod NAMESPACE/NAME, or its UID");
}

/* A UID is enough if the log folders do not show the name. */
static bool open_by_uid(struct target *target, const char *uid, const char *name, struct error *err)
{
    char folder[PATH_MAX], *last;

    if (!pod_group_folder(uid, folder, sizeof folder)) {
        error_set(err, ERROR_ABSENT, "no pod '%.100s' runs on this machine", uid);
        error_why(err, "no hierarchy of control groups has a group of this UID with a process in it");
        return error_fix(err, "list those there are: find /sys/fs/cgroup -name '*pod*'");
    }
    last = strrchr(folder, '/');
    if (pod_is_part(last + 1, uid)) {
        *last = '\0';
        if (!target_open_parts(target, folder, uid, err))
            return false;
    } else if (!target_open_cgroup(target, folder, err)) {
        return false;
    }
    text_copy(target->name, sizeof target->name, name);
    return true;
}

static bool refuse_logs(const char *wanted, struct error *err)
{
    const int code = errno;

    error_errno(err, "pod '%.100s' cannot be looked up in '%s'", wanted, logs);
    if (code == ENOENT)
        error_why(err, "it is not there: no kubelet keeps logs on this machine, or carbon does not see them");
    return error_fix(err, code == EACCES ? "call carbon as a user who may look into it"
                                         : "give the pod's UID: kubectl get pod NAME -o jsonpath='{.metadata.uid}'");
}

static bool open_found(struct target *target, const struct target_pod_search *search, const char *wanted,
                       struct error *err)
{
    const struct pod *pod = &search->found;
    char name[sizeof target->name];

    if (search->running > 1) {
        refuse_several(search, wanted, err);
        return false;
    }
    if (!search->running && pod_is_uid(wanted))
        return open_by_uid(target, wanted, wanted, err);
    if (!search->running) {
        refuse_absent(search, wanted, err);
        return false;
    }
    snprintf(name, sizeof name, "%.63s/%.120s (%.47s)", pod->space, pod->name, pod->uid);
    return open_by_uid(target, pod->uid, name, err);
}

bool target_open_pod(struct target *target, const char *wanted, struct error *err)
{
    AUTO_CLOSEDIR DIR *dir = opendir(logs);
    struct target_pod_search search = { .running = 0 };
    const struct dirent *entry;
    struct pod pod;
    bool opened;

    *target = (struct target){ .fd = -1 };
    if (!dir)
        return pod_is_uid(wanted) ? open_by_uid(target, wanted, wanted, err) : refuse_logs(wanted, err);
    text_open(&search.those, 1024);
    text_open(&search.others, 1024);
    while ((entry = readdir(dir)))
        if (choose_folder(entry->d_name, &pod))
            look_at(&search, &pod, wanted);
    opened = open_found(target, &search, wanted, err);
    DEBUG(DEBUG_TARGET, "pod '%s': %zu of that name run by '%s'", wanted, (size_t)search.running, logs);
    text_close(&search.those);
    text_close(&search.others);
    return opened;
}
