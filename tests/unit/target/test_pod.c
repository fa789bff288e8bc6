/* SPDX-License-Identifier: MIT
 * Pods as a kubelet lays them out: real control groups by every way of naming them, and folders of logs that only this
 * test sees. */
#include "target/target_pod.h"

#include "target/pod_group.h"
#include "usage/cgroup_place.h"

#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

static const char uid[] = "1f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";
static const char other_uid[] = "2f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";
static const char hash[] = "0123456789abcdef0123456789abcdef";

START_TEST(what_can_be_a_uid)
{
    ck_assert(pod_is_uid(uid) && pod_is_uid(hash));
    ck_assert(!pod_is_uid("web") && !pod_is_uid("") && !pod_is_uid("0123456789abcdef0123456789abcdeg"));
    ck_assert(!pod_is_uid("0123456789abcdef0123456789abcdef0123456789"));
}
END_TEST

/* A group below the root of a hierarchy by all its folders, with this process's child in it. */
struct pod_made {
    char folder[PATH_MAX], root[PATH_MAX - 512];
    struct runner runner;
};

/* The folders, from the innermost on, as far as they are there. */
static void pod_remove_folders(struct pod_made *made)
{
    while (rmdir(made->folder) < 0 && errno == EBUSY)
        poll(NULL, 0, 10);
    for (char *slash; (slash = strrchr(made->folder, '/')) && strcmp(made->folder, made->root) != 0; *slash = '\0')
        rmdir(made->folder);
}

/* The CPU seconds that its process used. */
static double pod_remove(struct pod_made *made)
{
    const double cpu_s = runner_end(&made->runner);

    pod_remove_folders(made);
    return cpu_s;
}

/* False: this user may make none, and none is left. */
static bool pod_make(struct pod_made *made, const char *path)
{
    char procs[PATH_MAX + 16];
    FILE *file;

    if (!cgroup_folder_named("/", NULL, made->root, sizeof made->root) &&
        !cgroup_folder_named("/", "cpuacct", made->root, sizeof made->root))
        return false;
    snprintf(made->folder, sizeof made->folder, "%s", made->root);
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        snprintf(made->folder, sizeof made->folder, "%s/%.*s", made->root, (int)(at - path + (int)strcspn(at, "/")),
                 path);
        if (mkdir(made->folder, 0755) < 0 && errno != EEXIST) {
            pod_remove_folders(made);
            return false;
        }
    }
    runner_start(&made->runner, ACT("hold", "USR1", "spin", "0.1", "hold", "USR1"));
    snprintf(procs, sizeof procs, "%s/cgroup.procs", made->folder);
    file = fopen(procs, "w");
    if (file && fprintf(file, "%d", made->runner.pid) > 0 && fclose(file) == 0)
        return true;
    pod_remove(made);
    return false;
}

/* What is in a folder that was given to another user is called so by him. */
static void check_forged(const struct pod_made *made, const char *path, const char *pod)
{
    char given[PATH_MAX + 64], folder[PATH_MAX];

    snprintf(given, sizeof given, "%s/%.*s", made->root, (int)strcspn(path, "/"), path);
    if (chown(given, 1001, 1001) < 0)
        return; /* root alone can */
    ck_assert(!pod_group_folder(pod, folder, sizeof folder));
    ck_assert_int_eq(chown(given, 0, 0), 0);
}

START_TEST(its_group_by_every_layout)
{
    static const struct {
        const char *path, *uid;
    } layouts[] = {
        { "carbon-pods/pod1f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", uid },
        { "carbon-pods/kubelet/kubepods/besteffort/pod1f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0/514161fc81dd", uid },
        { "carbon-pods.slice/kubepods-burstable.slice/"
          "kubepods-burstable-pod1f0e2d3c_4b5a_6978_8796_a5b4c3d2e1f0.slice/cri-containerd-514161fc81dd.scope",
          uid },
        { "carbon-pods.slice/kubelet-kubepods.slice/kubelet-kubepods-pod0123456789abcdef0123456789abcdef.slice", hash },
    };
    struct pod_made made;
    struct target target;
    double cpu_s;
    char folder[PATH_MAX];
    struct error err;

    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        if (!pod_make(&made, layouts[i].path)) {
            unit_skip("no group can be made at the root of a hierarchy");
            return;
        }
        ck_assert(pod_group_folder(layouts[i].uid, folder, sizeof folder));
        ck_assert_ptr_nonnull(strstr(folder, "/carbon-pods"));
        ck_assert_ptr_null(strstr(folder, "514161fc81dd"));
        ck_assert(!pod_group_folder(other_uid, folder, sizeof folder));
        check_forged(&made, layouts[i].path, layouts[i].uid);
        ck_assert_msg(target_open_pod(&target, layouts[i].uid, &err), "%s: %s", err.what, err.why);
        ck_assert_str_eq(target_name(&target), layouts[i].uid);
        runner_go_on(&made.runner, NULL);
        cpu_s = target_cpu_s(&target);
        ck_assert_double_ge(cpu_s, 0.1);
        ck_assert_double_le(cpu_s, pod_remove(&made));
        ck_assert(target_ended(&target));
        target_close(&target);
        check_refusal(target_open_pod(&target, layouts[i].uid, &err), &err, ERROR_ABSENT, "no hierarchy");
    }
}
END_TEST

#define PART(ID) "kubepods-burstable-pod1f0e2d3c_4b5a_6978_8796_a5b4c3d2e1f0.slice:cri-containerd:" ID
#define ID_OF(DIGIT) DIGIT "123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

START_TEST(what_is_one_of_its_containers)
{
    ck_assert(pod_is_part(PART(ID_OF("0")), uid));
    ck_assert(!pod_is_part(PART(ID_OF("0")), other_uid));
    ck_assert(!pod_is_part(PART("0123"), uid));
    ck_assert(!pod_is_part("kubepods-burstable-pod1f0e2d3c_4b5a_6978_8796_a5b4c3d2e1f0.slice", uid));
    ck_assert(!pod_is_part("system.slice:docker:" ID_OF("0"), uid));
}
END_TEST

/* Two containers are there, a third is started later: of that all counts. Of those that have ended it is kept. */
START_TEST(containers_beside_one_another_are_their_pod)
{
    static const char *const parts[] = { "carbon-pods/containerd.service/" PART(ID_OF("0")),
                                         "carbon-pods/containerd.service/" PART(ID_OF("1")),
                                         "carbon-pods/containerd.service/" PART(ID_OF("2")) };
    struct pod_made made[3];
    struct target target;
    struct target_now now;
    struct usage used;
    double cpu_s, real_s = 0;
    struct error err;

    if (!pod_make(&made[0], parts[0])) {
        unit_skip("no group can be made at the root of a hierarchy");
        return;
    }
    ck_assert(pod_make(&made[1], parts[1]));
    ck_assert_msg(target_open_pod(&target, uid, &err), "%s: %s", err.what, err.why);
    ck_assert_str_eq(target_name(&target), uid);
    ck_assert_int_eq(target_has(&target, made[1].runner.pid), TARGET_HAS);
    ck_assert(pod_make(&made[2], parts[2]));
    for (size_t i = 0; i < 3; i++)
        runner_go_on(&made[i].runner, NULL);
    cpu_s = target_cpu_s(&target);
    ck_assert_double_ge(cpu_s, 0.3);
    ck_assert_int_eq(target_has(&target, made[2].runner.pid), TARGET_HAS);
    ck_assert_int_eq(target_has(&target, getpid()), TARGET_NOT);
    for (size_t i = 0; i < 3; i++) {
        ck_assert(!target_ended(&target));
        real_s += pod_remove(&made[i]);
    }
    ck_assert_double_le(cpu_s, real_s);
    ck_assert(target_ended(&target));
    target_read(&target, &used);
    target_now(&target, &now);
    ck_assert(used.cpu_ns.known && now.cpu_ns.known && now.cpu_ns.value == used.cpu_ns.value);
    ck_assert_double_ge((double)used.cpu_ns.value / 1e9, cpu_s);
    ck_assert(!used.memory_bytes.known);
    target_close(&target);
    check_refusal(target_open_pod(&target, uid, &err), &err, ERROR_ABSENT, "no hierarchy");
}
END_TEST

static void log_of(const char *name)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "/var/log/pods/%s", name);
    ck_assert_int_eq(mkdir(path, 0755), 0);
}

static void open_by_name(const char *wanted, const char *name)
{
    struct target target;
    struct error err;

    ck_assert_msg(target_open_pod(&target, wanted, &err), "%s: %s; %s", err.what, err.why, err.fix);
    ck_assert_str_eq(target_name(&target), name);
    target_close(&target);
}

static void look_up(void *with)
{
    struct target target;
    struct error err;

    (void)with;
    check_refusal(target_open_pod(&target, "web", &err), &err, ERROR_ABSENT, "no kubelet keeps logs");
    ck_assert_int_eq(mkdir("/var/log/pods", 0755), 0);
    check_refusal(target_open_pod(&target, "web", &err), &err, ERROR_ABSENT, "names none of this name");
    ck_assert_ptr_nonnull(strstr(err.fix, "kubectl"));
    log_of("shop_web_1f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0");
    log_of("shop_web_9f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"); /* the one before, which has ended */
    log_of("shop_old_8f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0");
    log_of("something else");
    open_by_name("web", "shop/web (1f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0)");
    open_by_name("shop/web", "shop/web (1f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0)");
    open_by_name(uid, "shop/web (1f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0)");
    check_refusal(target_open_pod(&target, "sho/web", &err), &err, ERROR_ABSENT, "names none of this name");
    ck_assert_ptr_nonnull(strstr(err.fix, "shop/web"));
    ck_assert_ptr_null(strstr(err.fix, "shop/old"));
    check_refusal(target_open_pod(&target, "old", &err), &err, ERROR_ABSENT, "it has ended");
    check_refusal(target_open_pod(&target, "we", &err), &err, ERROR_ABSENT, "names none of this name");
    log_of("test_web_2f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0");
    check_refusal(target_open_pod(&target, "web", &err), &err, ERROR_USAGE, "test/web");
    ck_assert_ptr_nonnull(strstr(err.why, "shop/web"));
    open_by_name("test/web", "test/web (2f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0)");
    ck_assert_int_eq(chmod("/var/log/pods", 0700), 0);
    become_nobody();
    check_refusal(target_open_pod(&target, "web", &err), &err, ERROR_DENIED, "permission denied");
}

START_TEST(a_name_is_looked_up_in_the_logs)
{
    struct pod_made first, second;

    if (!pod_make(&first, "carbon-pods/kubepods/burstable/pod1f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")) {
        unit_skip("no group can be made at the root of a hierarchy");
        return;
    }
    ck_assert(pod_make(&second, "carbon-pods/kubepods/pod2f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"));
    check_apart_without("/var/log", look_up, NULL);
    pod_remove(&second);
    pod_remove(&first);
}
END_TEST

UNIT_SUITE("pod", what_can_be_a_uid, what_is_one_of_its_containers, its_group_by_every_layout,
           containers_beside_one_another_are_their_pod, a_name_is_looked_up_in_the_logs)
