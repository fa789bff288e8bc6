/* SPDX-License-Identifier: MIT
 * The machine's identity, hashed. */
#include "io/machine_identity.h"

#include "base/text.h"
#include "io/sha256.h"

#include <string.h>

/* Nobody else's hash of the same file is the same. */
#define SALT "carbon.machine/1 "

_Static_assert(sizeof((struct machine *)0)->id <= SHA256_TEXT_SIZE, "a part of the sum");

static void hash_of_file(const struct root *root, const char *path, char *hash, size_t size)
{
    char text[128], sum_text[SHA256_TEXT_SIZE];
    struct error err;
    struct sha256 sum;

    if (!root_read_text(root, path, text, sizeof text, &err))
        return;
    text[strcspn(text, "\r\n")] = '\0';
    if (strlen(text) < 32)
        return; /* empty, or "uninitialized" */
    sha256_open(&sum);
    sha256_add(&sum, SALT, strlen(SALT));
    sha256_add(&sum, text, strlen(text));
    sha256_text(&sum, sum_text);
    text_copy(hash, size, sum_text);
}

void machine_identity(struct machine *machine, const struct root *root)
{
    if (!root->live)
        return;
    hash_of_file(root, "etc/machine-id", machine->id, sizeof machine->id);
    if (!machine->cpus_ours)
        hash_of_file(root, "proc/sys/kernel/random/boot_id", machine->start, sizeof machine->start);
}
