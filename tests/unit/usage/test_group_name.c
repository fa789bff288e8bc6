/* SPDX-License-Identifier: MIT
 * Whose a group is by its name, in every form that runtimes have. */
#include "unit.h"

#include "usage/group_name.h"

#include <string.h>

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OUTER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define UID "1a2b3c4d-0000-4000-8000-00000000000a"
#define UID_ "1a2b3c4d_0000_4000_8000_00000000000a"

START_TEST(names_of_folders)
{
    static const struct {
        const char *path;
        enum group_kind kind;
        const char *id, *engine, *user;
    } cases[] = {
        /* Docker: systemd, cgroupfs, a parent that it is told of either driver, without root */
        { "/system.slice/docker-" ID ".scope", GROUP_CONTAINER, ID, "docker", "" },
        { "/docker/" ID, GROUP_CONTAINER, ID, "docker", "" },
        { "/own/" ID, GROUP_CONTAINER, ID, "", "" },
        { "/own.slice/docker-" ID ".scope", GROUP_CONTAINER, ID, "docker", "" },
        { "/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" ID ".scope", GROUP_CONTAINER, ID, "docker",
          "" },
        { "/system.slice:docker:" ID, GROUP_CONTAINER, ID, "docker", "" },
        /* podman: cgroupfs, systemd, in a pod of either, of a quadlet, without root, told a parent */
        { "/libpod_parent/libpod-" ID, GROUP_CONTAINER, ID, "podman", "" },
        { "/machine.slice/libpod-" ID ".scope", GROUP_CONTAINER, ID, "podman", "" },
        { "/libpod_parent/" OUTER "/libpod-" ID, GROUP_CONTAINER, ID, "podman", "" },
        { "/libpod_parent/" OUTER, GROUP_KINDS, "", "", "" },
        { "/machine.slice/machine-libpod_pod_" OUTER ".slice/libpod-" ID ".scope", GROUP_CONTAINER, ID, "podman", "" },
        { "/machine.slice/machine-libpod_pod_" OUTER ".slice", GROUP_KINDS, "", "", "" },
        { "/system.slice/web.service/libpod-payload-" ID, GROUP_CONTAINER, ID, "podman", "" },
        { "/system.slice/web.service/runtime", GROUP_KINDS, "", "", "" },
        { "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope", GROUP_CONTAINER, ID, "podman",
          "" },
        { "/machine.slice/libpod-" ID ".scope/container", GROUP_KINDS, "", "", "" },
        /* containerd's CRI and CRI-O below a kubelet, of both drivers and of drivers that differ; nerdctl */
        { "/kubepods.slice/x.slice/cri-containerd-" ID ".scope", GROUP_CONTAINER, ID, "containerd", "" },
        { "/kubepods.slice/x.slice/crio-" ID ".scope", GROUP_CONTAINER, ID, "cri-o", "" },
        { "/kubepods/burstable/pod" UID "/" ID, GROUP_CONTAINER, ID, "", "" },
        { "/kubepods/burstable/pod" UID "/crio-" ID, GROUP_CONTAINER, ID, "cri-o", "" },
        { "/system.slice/containerd.service/kubepods-besteffort-pod" UID_ ".slice:cri-containerd:" ID, GROUP_CONTAINER,
          ID, "containerd", "" },
        { "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod" UID_ ".slice/cri-containerd-" ID ".scope",
          GROUP_CONTAINER, ID, "containerd", "" },
        { "/system.slice/nerdctl-" ID ".scope", GROUP_CONTAINER, ID, "containerd", "" },
        { "/default/" ID, GROUP_CONTAINER, ID, "", "" },
        { "/k8s.io/" ID, GROUP_CONTAINER, ID, "", "" },
        /* a machine within a container; from within a namespace of groups */
        { "/docker/" OUTER "/docker/" ID, GROUP_CONTAINER, ID, "docker", "" },
        { "/system.slice/docker-" OUTER ".scope/kubepods.slice/cri-containerd-" ID ".scope", GROUP_CONTAINER, ID,
          "containerd", "" },
        { "/../docker-" ID ".scope", GROUP_CONTAINER, ID, "docker", "" },
        /* pods */
        { "/kubepods/burstable/pod" UID, GROUP_POD, UID, "", "" },
        { "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_ ".slice", GROUP_POD, UID, "", "" },
        { "/kubelet/kubepods/pod0123456789abcdef0123456789abcdef", GROUP_POD, "0123456789abcdef0123456789abcdef", "",
          "" },
        { "/kubepods/pod-" UID, GROUP_KINDS, "", "", "" },
        { "/kubepods/pod0123456789abcdef0123456789abcdef0", GROUP_KINDS, "", "", "" },
        { "/kubepods/pod--------------------------------", GROUP_KINDS, "", "", "" },
        { "/kubepods/pod1a2b3c4d-0000_4000-8000-00000000000a", GROUP_KINDS, "", "", "" },
        { "/kubepods/pod" UID ".scope", GROUP_KINDS, "", "", "" },
        { "/docker/" OUTER "/kubelet/kubepods/besteffort/pod" UID, GROUP_POD, UID, "", "" },
        { "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" OUTER
          ".scope/container/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod" UID_ ".slice",
          GROUP_POD, UID, "", "" },
        { "/ecs/0123456789abcdef0123456789abcdef/" ID, GROUP_CONTAINER, ID, "", "" },
        { "/ecstasks.slice/ecstasks-0123456789abcdef0123456789abcdef.slice/docker-" ID ".scope", GROUP_CONTAINER, ID,
          "docker", "" },
        { "/lxc.payload.c1/docker/" ID, GROUP_CONTAINER, ID, "docker", "" },
        { "/machine.slice/machine-c1.scope/payload/system.slice/docker-" ID ".scope", GROUP_CONTAINER, ID, "docker",
          "" },
        /* what has no id of an engine's */
        { "/lxc.payload.c1", GROUP_KINDS, "", "", "" },
        { "/machine.slice/systemd-nspawn@c1.service/payload", GROUP_KINDS, "", "", "" },
        { "/nomad.slice/share.slice/" UID ".web.scope", GROUP_KINDS, "", "", "" },
        { "/garden/" UID, GROUP_KINDS, "", "", "" },
        { "/docker/buildkit/0123456789abcdefghijklmno", GROUP_KINDS, "", "", "" },
        { "/user.slice/runc-" ID ".scope", GROUP_KINDS, "", "", "" },
        { "/system.slice/var-lib-docker-overlay2-" ID "-merged.mount", GROUP_KINDS, "", "", "" },
        { "/machine.slice/machine-libpod_pod_" ID ".slice", GROUP_KINDS, "", "", "" },
        { "/slurm/uid_1000/job_42", GROUP_SLURM, "42", "", "1000" },
        { "/slurm_node1/uid_0/job_7", GROUP_SLURM, "7", "", "0" },
        { "/system.slice/slurmstepd.scope/job_42", GROUP_SLURM, "42", "", "" },
        { "/system.slice/node1_slurmstepd.scope/job_42", GROUP_KINDS, "", "", "" },
        { "/slurm/uid_1000/job_42/step_0", GROUP_KINDS, "", "", "" },
        { "/other/job_42", GROUP_KINDS, "", "", "" },
        { "/system.slice/docker-" ID "0.scope", GROUP_KINDS, "", "", "" },
        { "/system.slice/docker-" ID ".scopes", GROUP_KINDS, "", "", "" },
        /* monitors, and names that look alike */
        { "/machine.slice/libpod-conmon-" ID ".scope", GROUP_KINDS, "", "", "" },
        { "/kubepods.slice/x.slice/crio-conmon-" ID ".scope", GROUP_KINDS, "", "", "" },
        { "/kubepods/burstable/pod" UID "/crio-conmon-" ID, GROUP_KINDS, "", "", "" },
        { "/libpod_parent/conmon", GROUP_KINDS, "", "", "" },
        { "/other-" ID ".scope", GROUP_KINDS, "", "", "" },
        { "/docker_" ID, GROUP_KINDS, "", "", "" },
        { "/-" ID, GROUP_KINDS, "", "", "" },
        { "/system.slice::" ID, GROUP_KINDS, "", "", "" },
        { "/0" ID, GROUP_KINDS, "", "", "" },
        { "/docker-0123456789ab", GROUP_KINDS, "", "", "" },
        { "/user.slice/pod" UID, GROUP_KINDS, "", "", "" },
        { "/system.slice/docker.service", GROUP_KINDS, "", "", "" },
    };
    struct group_name name;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool found = group_name_of(cases[i].path, &name);
        ck_assert_msg(found == (cases[i].kind != GROUP_KINDS), "%s", cases[i].path);
        if (!found)
            continue;
        ck_assert_msg(name.kind == cases[i].kind, "%s", cases[i].path);
        ck_assert_str_eq(name.id, cases[i].id);
        ck_assert_str_eq(name.engine, cases[i].engine);
        ck_assert_str_eq(name.user, cases[i].user);
    }
}
END_TEST

/* A runtime with cgroupfs below a kubelet with systemd: one folder is the container's, and says whose pod it is. */
START_TEST(a_place_that_is_told_names_its_slice)
{
    struct group_name name;
    char slice[512];

    ck_assert(group_slice_of("/system.slice/containerd.service/kubepods-besteffort-pod" UID_
                             ".slice:cri-containerd:" ID,
                             slice, sizeof slice));
    ck_assert_str_eq(slice, "/system.slice/containerd.service/kubepods-besteffort-pod" UID_ ".slice");
    ck_assert(group_name_of(slice, &name) && name.kind == GROUP_POD);
    ck_assert_str_eq(name.id, UID);
    ck_assert(group_slice_of("/system.slice:docker:" ID, slice, sizeof slice));
    ck_assert(!group_name_of(slice, &name));
    ck_assert(!group_slice_of("/a:b:c/docker-" ID ".scope", slice, sizeof slice));
    ck_assert(!group_slice_of("/system.slice:" ID, slice, sizeof slice));
    ck_assert(!group_slice_of("/system.slice:docker:" ID, slice, 8));
}
END_TEST

START_TEST(groups_of_monitors)
{
    ck_assert(group_is_of_monitor("conmon"));
    ck_assert(group_is_of_monitor("libpod-conmon-" ID ".scope"));
    ck_assert(group_is_of_monitor("crio-conmon-" ID));
    ck_assert(!group_is_of_monitor("libpod-" ID ".scope"));
    ck_assert(!group_is_of_monitor("container"));
    ck_assert(!group_is_of_monitor(""));
}
END_TEST

UNIT_SUITE("group_name", names_of_folders, a_place_that_is_told_names_its_slice, groups_of_monitors)
