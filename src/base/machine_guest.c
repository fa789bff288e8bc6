/* SPDX-License-Identifier: MIT
 * Whether the machine is one: the hypervisor that firmware or the processor names, and signs of a container. */
#include "base/machine_parts.h"

#include "base/machine.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* How firmware names the machine of each hypervisor. A product of NULL is any: vendors that also
 * build real machines need theirs. */
static const struct {
    const char *vendor, *product, *name;
} dmi_names[] = {
    { "QEMU", NULL, "KVM" },
    { "Red Hat", "KVM", "KVM" },
    { "Amazon EC2", NULL, "Amazon EC2" },
    { "Google", "Google Compute Engine", "Google Compute Engine" },
    { "Microsoft Corporation", "Virtual Machine", "Microsoft Hyper-V" },
    { "VMware, Inc.", NULL, "VMware" },
    { "Xen", NULL, "Xen" },
    { "innotek GmbH", "VirtualBox", "VirtualBox" },
    { "Parallels International GmbH.", NULL, "Parallels" },
    { "OpenStack Foundation", NULL, "OpenStack" },
    { "DigitalOcean", NULL, "DigitalOcean" },
    { "Hetzner", "vServer", "Hetzner" },
    { "Alibaba Cloud", NULL, "Alibaba Cloud" },
    { "Tencent Cloud", NULL, "Tencent Cloud" },
};

static void read_dmi(const struct root *root, const char *name, char text[64])
{
    char path[64];

    snprintf(path, sizeof path, "sys/class/dmi/id/%s", name);
    if (!root_read_text(root, path, text, 64, NULL))
        text[0] = '\0';
}

/* The processor's flags decide where it has them (an EC2 bare-metal machine has the vendor of a
 * guest); firmware then only gives the name. Elsewhere (ARM) firmware decides as well. */
void machine_read_hypervisor(struct machine *machine, const struct root *root, bool flags_seen)
{
    const char *product = machine->dmi_product;
    char type[32] = "";

    if (flags_seen && !machine->guest)
        return;
    read_dmi(root, "sys_vendor", machine->dmi_vendor);
    read_dmi(root, "product_name", machine->dmi_product);
    read_dmi(root, "chassis_asset_tag", machine->dmi_asset);
    for (size_t i = 0; i < sizeof dmi_names / sizeof dmi_names[0] && !machine->hypervisor[0]; i++)
        if (strcmp(machine->dmi_vendor, dmi_names[i].vendor) == 0 &&
            (!dmi_names[i].product || strcmp(product, dmi_names[i].product) == 0))
            text_copy(machine->hypervisor, sizeof machine->hypervisor, dmi_names[i].name);
    if (!flags_seen && strstr(product, "metal"))
        machine->hypervisor[0] = '\0';
    else if (!machine->hypervisor[0] && root_read_text(root, "sys/hypervisor/type", type, sizeof type, NULL) &&
             strcmp(type, "xen") == 0)
        text_copy(machine->hypervisor, sizeof machine->hypervisor, "Xen");
    machine->guest = machine->guest || machine->hypervisor[0];
}

static bool names_a_container(const char *text)
{
    static const char *const signs[] = {
        "/docker/", "docker-", "/containers/", "containerd-", "io.containerd",
        "kubepods", "/lxc",    "libpod",       "/buildkit",   "machine.slice/machine-",
    };

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strstr(text, signs[i]))
            return true;
    return false;
}

/* A mount that only a container has: its root in an engine's store, /sys for reading only, or
 * files of /proc replaced by lxcfs. On a host all these lie at other places. */
static bool mounts_of_container(char *text)
{
    char *line, *rest = text;

    while ((line = strsep(&rest, "\n")) && rest) {
        char point[256], options[32];

        if (sscanf(line, "%*s %*s %*s %*s %255s %31s", point, options) != 2)
            continue;
        if ((strcmp(point, "/") == 0 && strstr(line, " - overlay ") && names_a_container(line)) ||
            (strcmp(point, "/sys") == 0 && (strncmp(options, "ro,", 3) == 0 || strcmp(options, "ro") == 0)) ||
            strcmp(point, "/proc/cpuinfo") == 0)
            return true;
    }
    return false;
}

bool machine_in_container(const struct root *root)
{
    char text[MACHINE_HEAD_SIZE];

    return root_exists(root, ".dockerenv") || root_exists(root, "run/.containerenv") ||
           root_exists(root, "run/systemd/container") ||
           (root_read_head(root, "proc/self/cgroup", NULL, text, sizeof text) && names_a_container(text)) ||
           (root_read_head(root, "proc/self/mountinfo", NULL, text, sizeof text) && mounts_of_container(text));
}
