/* SPDX-License-Identifier: MIT
 * PCI devices as their uevent files describe them: those that are drawn on (class drm), and those that a driver has. */
#include "energy/gpu_seen.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/text.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRM_DIR "sys/class/drm"
#define DRIVERS_DIR "sys/bus/pci/drivers"

/* pci_ids.h: the base classes of display controllers and of processing accelerators */
enum { CLASS_DISPLAY = 0x03, CLASS_ACCELERATOR = 0x12 };

struct gpu_seen_list {
    const struct root *root;
    struct gpu_seen *seen;
    size_t count;
};

/* "DRIVER=amdgpu\nPCI_CLASS=30000\n...": the value of a key. */
static void value_of(const char *text, const char *key, char *value, size_t size)
{
    const char *at = text;

    value[0] = '\0';
    while (at && strncmp(at, key, strlen(key)) != 0)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    if (at)
        snprintf(value, size, "%.*s", (int)strcspn(at + strlen(key), "\n"), at + strlen(key));
}

/* A card of a maker whose power interface carbon knows. A device on the first bus is inside the processor. */
static bool is_card(const char *text, struct gpu_seen *gpu)
{
    static const char *const makers[] = { "1002:", "10DE:", "8086:" };
    char class[16];
    bool known = false;

    value_of(text, "DRIVER=", gpu->driver, sizeof gpu->driver);
    value_of(text, "PCI_ID=", gpu->id, sizeof gpu->id);
    value_of(text, "PCI_SLOT_NAME=", gpu->slot, sizeof gpu->slot);
    value_of(text, "PCI_CLASS=", class, sizeof class);
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        known |= c_strncasecmp(gpu->id, makers[i], strlen(makers[i])) == 0;
    switch (strtoul(class, NULL, 16) >> 16) {
    case CLASS_DISPLAY:
    case CLASS_ACCELERATOR: return known && strchr(gpu->slot, ':') && strncmp(strchr(gpu->slot, ':'), ":00:", 4) != 0;
    default: return false;
    }
}

static bool exists_in(const struct gpu_seen_list *list, const char *dir, const char *name)
{
    char path[192];

    snprintf(path, sizeof path, "%.150s/%s", dir, name);
    return root_exists(list->root, path);
}

/* It has a sensor, or is an APU (which alone has a voltage called vddnb, whose first is in1). */
static bool has_sensor(const struct gpu_seen_list *list, const struct gpu_seen *gpu)
{
    static const char *const files[] = { "power1_average", "power1_input",  "power2_input",
                                         "energy1_input",  "energy2_input", "in1_label" };
    AUTO_CLOSEDIR DIR *dir = NULL;
    const struct dirent *entry;
    char path[128], chip[160];
    bool has = false;

    snprintf(path, sizeof path, "%s/hwmon", gpu->path);
    dir = root_open_dir(list->root, path, NULL);
    while (dir && !has && (entry = readdir(dir))) {
        if (strncmp(entry->d_name, "hwmon", 5) != 0)
            continue;
        snprintf(chip, sizeof chip, "%s/%.24s", path, entry->d_name);
        for (size_t i = 0; i < sizeof files / sizeof files[0] && !has; i++)
            has = exists_in(list, chip, files[i]);
    }
    return has;
}

/* folder: of a PCI device. */
static void add(struct gpu_seen_list *list, const char *folder, bool of_nvidia)
{
    struct gpu_seen *gpu = &list->seen[list->count];
    char path[128], text[1024];

    if (list->count == GPUS_SEEN_MAX)
        return;
    snprintf(path, sizeof path, "%s/uevent", folder);
    if (!root_read_text(list->root, path, text, sizeof text, NULL) || !is_card(text, gpu))
        return;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->seen[i].slot, gpu->slot) == 0)
            return;
    text_copy(gpu->path, sizeof gpu->path, folder);
    if (of_nvidia || (strcmp(gpu->driver, "nvidia") != 0 && !has_sensor(list, gpu)))
        list->count++;
}

/* The cards that a driver has: links named after their slots. */
static void add_of_driver(struct gpu_seen_list *list, const char *driver)
{
    char path[96], folder[96];
    AUTO_CLOSEDIR DIR *dir = NULL;
    const struct dirent *entry;

    snprintf(path, sizeof path, DRIVERS_DIR "/%s", driver);
    dir = root_open_dir(list->root, path, NULL);
    while (dir && (entry = readdir(dir))) {
        snprintf(folder, sizeof folder, "%.60s/%.24s", path, entry->d_name);
        if (strchr(entry->d_name, ':'))
            add(list, folder, strcmp(driver, "nvidia") == 0);
    }
}

static int by_slot(const void *left, const void *right)
{
    return strcmp(((const struct gpu_seen *)left)->slot, ((const struct gpu_seen *)right)->slot);
}

size_t gpus_without_sensor(const struct root *root, struct gpu_seen seen[GPUS_SEEN_MAX])
{
    struct gpu_seen_list list = { .root = root, .seen = seen };
    AUTO_CLOSEDIR DIR *dir = root_open_dir(root, DRM_DIR, NULL);
    const struct dirent *entry;
    char folder[96];

    while (dir && (entry = readdir(dir))) {
        /* "card0"; "card0-DP-1" is one of its outputs */
        if (strncmp(entry->d_name, "card", 4) != 0 || strchr(entry->d_name, '-'))
            continue;
        snprintf(folder, sizeof folder, DRM_DIR "/%.24s/device", entry->d_name);
        add(&list, folder, false);
    }
    add_of_driver(&list, "vfio-pci"); /* given to a guest, or kept for one */
    qsort(seen, list.count, sizeof seen[0], by_slot);
    return list.count;
}

size_t gpus_of_nvidia(const struct root *root, struct gpu_seen seen[GPUS_SEEN_MAX])
{
    struct gpu_seen_list list = { .root = root, .seen = seen };

    add_of_driver(&list, "nvidia");
    qsort(seen, list.count, sizeof seen[0], by_slot);
    return list.count;
}
