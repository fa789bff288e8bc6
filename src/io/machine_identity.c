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
    char salted[sizeof SALT + 128] = SALT, *text = salted + sizeof SALT - 1, sum[SHA256_TEXT_SIZE];
    struct error err;

    if (!root_read_text(root, path, text, 128, &err))
        return;
    text[strcspn(text, "\r\n")] = '\0';
    if (strlen(text) < 32)
        return; /* empty, or "uninitialized" */
    sha256_of_bytes(salted, strlen(salted), sum);
    text_copy(hash, size, sum);
}

void machine_identity(struct machine *machine, const struct root *root)
{
    if (!root->live)
        return;
    hash_of_file(root, "etc/machine-id", machine->id, sizeof machine->id);
    if (!machine->cpus_ours)
        hash_of_file(root, "proc/sys/kernel/random/boot_id", machine->start, sizeof machine->start);
}
