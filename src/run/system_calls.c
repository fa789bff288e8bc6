/* SPDX-License-Identifier: MIT
 * libseccomp, opened when calls are confined: the only file that knows it. Its interface is declared here. */
#include "run/system_calls.h"

#include "base/library.h"

#include <errno.h>
#include <stdio.h>

/* ENOSYS, which the C library answers by an older call: a call that it takes to one day is not missed so. */
static const uint32_t allowed = 0x7fff0000, refused = 0x00050000 | ENOSYS;

enum { MASKED_EQUAL = 7, NO_CALL = -1 };

struct call_condition {
    unsigned argument;
    int operation;
    uint64_t mask, bits;
};

struct seccomp {
    void *(*open)(uint32_t otherwise);
    int (*number)(const char *name);
    int (*add)(void *filter, uint32_t action, int number, unsigned count, const struct call_condition *comparisons);
    int (*load)(void *filter);
    void (*close)(void *filter);
};

static bool open_library(struct seccomp *seccomp, struct error *err)
{
    static const char *const files[] = { "libseccomp.so.2", NULL };
    const struct library_function wanted[] = {
        { "seccomp_init", &seccomp->open },          { "seccomp_syscall_resolve_name", &seccomp->number },
        { "seccomp_rule_add_array", &seccomp->add }, { "seccomp_load", &seccomp->load },
        { "seccomp_release", &seccomp->close },
    };

    return library_need(files, wanted, sizeof wanted / sizeof wanted[0], "system calls cannot be shut off",
                        "install libseccomp2 (Debian)", err);
}

void system_calls_prepare(void)
{
    struct seccomp seccomp;

    IGNORED(open_library(&seccomp, NULL), "its user reports that it is missing");
}

static int add(const struct seccomp *seccomp, void *filter, const struct system_call *calls)
{
    const struct call_condition comparison = { calls->argument, MASKED_EQUAL, calls->mask, calls->bits };
    char name[32];
    int length;

    for (const char *at = calls->names; sscanf(at, "%31s%n", name, &length) == 1; at += length) {
        const int number = seccomp->number(name);
        if (number != NO_CALL && seccomp->add(filter, allowed, number, calls->mask != 0, &comparison) == -ENOMEM)
            return ENOMEM;
    }
    return 0;
}

bool system_calls_confine(const struct system_call *calls, size_t count, struct error *err)
{
    struct seccomp seccomp;
    void *filter;
    int error = 0;

    if (!open_library(&seccomp, err))
        return false;
    filter = seccomp.open(refused);
    if (!filter)
        error = ENOMEM;
    for (size_t i = 0; i < count && !error; i++)
        error = add(&seccomp, filter, &calls[i]);
    if (!error)
        error = -seccomp.load(filter);
    if (filter)
        seccomp.close(filter);
    if (!error)
        return true;
    errno = error == ECANCELED ? ENOSYS : error;
    return error_errno(err, "system calls cannot be shut off (seccomp)");
}
