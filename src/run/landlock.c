/* SPDX-License-Identifier: MIT
 * The kernel's interface (landlock(7)) is declared here, for headers may be older than the kernel. */
#include "run/landlock.h"

#include "base/auto.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum { ASK_VERSION = 1, RULE_PATH_BENEATH = 1 };

/* Rights to files, one bit each; and since which version. */
enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_FILE = 1 << 5,
    MAKE_REG = 1 << 8,
    VERSION_1 = (1 << 13) - 1,
    REFER = 1 << 13,     /* 2 */
    TRUNCATE = 1 << 14,  /* 3 */
    IOCTL_DEV = 1 << 15, /* 5 */
    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV,
};

enum { BIND_TCP = 1 << 0, CONNECT_TCP = 1 << 1 }; /* 4 */
enum { ABSTRACT_UNIX_SOCKET = 1 << 0 };           /* 6 */

struct ruleset {
    uint64_t files, network, scoped;
};

struct beneath {
    uint64_t allowed;
    int32_t folder_fd;
} __attribute__((packed));

static struct ruleset handled_by(long version)
{
    return (struct ruleset){
        .files = VERSION_1 | (uint64_t)(version >= 2 ? REFER : 0) | (uint64_t)(version >= 3 ? TRUNCATE : 0) |
                 (uint64_t)(version >= 5 ? IOCTL_DEV : 0),
        .network = version >= 4 ? BIND_TCP | CONNECT_TCP : 0,
        .scoped = version >= 6 ? ABSTRACT_UNIX_SOCKET : 0,
    };
}

bool landlock_open(struct landlock *landlock, bool connects, struct error *err)
{
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
    struct ruleset ruleset = handled_by(version);

    if (connects)
        ruleset.network &= ~(uint64_t)CONNECT_TCP;
    *landlock = (struct landlock){ .rules_fd = -1, .files = ruleset.files };
    if (version > 0)
        landlock->rules_fd = (int)syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0);
    if (landlock->rules_fd >= 0)
        return true;
    if (errno == ENOSYS || errno == EOPNOTSUPP) {
        error_set(err, ERROR_ABSENT, "files cannot be shut off by Landlock");
        return error_why(err, "this kernel has none (Linux 5.13 or later, with 'landlock' in its list of lsm)");
    }
    return error_errno(err, "files cannot be shut off by Landlock");
}

void landlock_allow(const struct landlock *landlock, const char *path, unsigned what)
{
    AUTO_CLOSE int fd = open(path, O_PATH | O_CLOEXEC);
    struct beneath rule = { .folder_fd = fd };
    struct stat status;

    if (fd < 0 || fstat(fd, &status) != 0)
        return;
    if (what & LANDLOCK_LIST)
        rule.allowed |= READ_DIR;
    if (what & LANDLOCK_READ)
        rule.allowed |= READ_FILE | READ_DIR;
    if (what & LANDLOCK_WRITE)
        rule.allowed |= WRITE_FILE | TRUNCATE | IOCTL_DEV;
    if (what & LANDLOCK_MAKE)
        rule.allowed |= MAKE_REG;
    if (what & LANDLOCK_REMOVE)
        rule.allowed |= REMOVE_FILE;
    rule.allowed &= landlock->files & (S_ISDIR(status.st_mode) ? ~UINT64_C(0) : OF_FILES);
    /* a rule that the kernel refuses allows nothing, which is the safe way to be wrong */
    if (rule.allowed)
        IGNORED(syscall(SYS_landlock_add_rule, landlock->rules_fd, RULE_PATH_BENEATH, &rule, 0),
                "a rule that is refused allows nothing");
}

bool landlock_enter(const struct landlock *landlock, struct error *err)
{
    return syscall(SYS_landlock_restrict_self, landlock->rules_fd, 0) == 0 ||
           error_errno(err, "files cannot be shut off by Landlock");
}

void landlock_close(struct landlock *landlock)
{
    if (landlock->rules_fd >= 0)
        close(landlock->rules_fd);
    landlock->rules_fd = -1;
}
