/* SPDX-License-Identifier: MIT
 * Setting rights aside, and giving them up: users, groups, capabilities. */
#include "run/privileges.h"

#include "base/text.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct capabilities {
    uint64_t effective, permitted, inheritable;
};

static bool capabilities_get(struct capabilities *capabilities)
{
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

    if (syscall(SYS_capget, &header, data) != 0)
        return false;
    *capabilities = (struct capabilities){
        .effective = data[0].effective | (uint64_t)data[1].effective << 32,
        .permitted = data[0].permitted | (uint64_t)data[1].permitted << 32,
        .inheritable = data[0].inheritable | (uint64_t)data[1].inheritable << 32,
    };
    return true;
}

static bool capabilities_set(const struct capabilities *capabilities)
{
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

    for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        data[i] = (struct __user_cap_data_struct){
            .effective = (uint32_t)(capabilities->effective >> 32 * i),
            .permitted = (uint32_t)(capabilities->permitted >> 32 * i),
            .inheritable = (uint32_t)(capabilities->inheritable >> 32 * i),
        };
    return syscall(SYS_capset, &header, data) == 0;
}

/* What the caller's own programs have across an exec. */
static uint64_t capabilities_ambient(void)
{
    uint64_t ambient = 0;

    for (unsigned long i = 0; i < 64; i++)
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, i, 0, 0) == 1)
            ambient |= UINT64_C(1) << i;
    return ambient;
}

/* Root has all rights without any file, so that a file gives root none. */
static bool file_gave_rights(void)
{
    return getauxval(AT_SECURE) && getuid() != 0;
}

static bool fail_with_privileges(struct error *err)
{
    error_errno(err, "cannot give up the rights that only carbon is to have");
    return error_fix(err, "nothing has been run");
}

bool privileges_lower(struct error *err)
{
    struct capabilities capabilities;

    if (!file_gave_rights())
        return true;
    if (setresgid((gid_t)-1, getgid(), (gid_t)-1) != 0 || setresuid((uid_t)-1, getuid(), (uid_t)-1) != 0 ||
        !capabilities_get(&capabilities))
        return fail_with_privileges(err);
    capabilities.effective = capabilities_ambient();
    return capabilities_set(&capabilities) || fail_with_privileges(err);
}

bool privileges_raise(struct error *err)
{
    struct capabilities capabilities;
    uid_t uid, saved_uid;
    gid_t gid, saved_gid;

    if (!file_gave_rights())
        return true;
    if (getresuid(&uid, &uid, &saved_uid) != 0 || getresgid(&gid, &gid, &saved_gid) != 0 ||
        setresuid((uid_t)-1, saved_uid, (uid_t)-1) != 0 || setresgid((gid_t)-1, saved_gid, (gid_t)-1) != 0 ||
        !capabilities_get(&capabilities))
        return error_errno(err, "cannot use the rights that carbon's file has");
    capabilities.effective = capabilities.permitted;
    return capabilities_set(&capabilities) || error_errno(err, "cannot use the rights that carbon's file has");
}

/* -1, in either type, stands for "as it is" in the calls below. */
static bool read_id(const char *name, uint64_t *id, struct error *err)
{
    const char *text = getenv(name);

    if (text && text_to_u64(text, id) && *id < UINT32_MAX)
        return true;
    if (text)
        error_set(err, ERROR_USAGE, "%s is '%.64s', which is not the number of a user or group", name, text);
    else
        error_set(err, ERROR_USAGE, "there is SUDO_UID, but no %s", name);
    error_why(err, "under sudo the command is run as the user who called sudo, and these variables say who that is");
    return error_fix(err, "call carbon through sudo itself; or, to run the command as root: 'sudo env -u SUDO_UID "
                          "carbon measure ...'");
}

/* By the number, for a name in the environment is only a word. */
static bool set_groups(uid_t uid, gid_t gid)
{
    const struct passwd *entry = getpwuid(uid);

    return entry ? initgroups(entry->pw_name, gid) == 0 : setgroups(1, &gid) == 0;
}

/* Each check asks the kernel, whatever the calls before have returned. */
static bool is_dropped(uid_t uid, gid_t gid, const struct capabilities *wanted)
{
    uid_t uids[3];
    gid_t gids[3];
    struct capabilities now;

    if (getresuid(&uids[0], &uids[1], &uids[2]) != 0 || getresgid(&gids[0], &gids[1], &gids[2]) != 0 ||
        !capabilities_get(&now))
        return false;
    for (int i = 0; i < 3; i++)
        if (uids[i] != uid || gids[i] != gid)
            return false;
    errno = EPERM;
    return now.effective == wanted->effective && now.permitted == wanted->permitted &&
           now.inheritable == wanted->inheritable && capabilities_ambient() == wanted->permitted &&
           (wanted->permitted & UINT64_C(1) << CAP_SETUID || setuid(0) != 0);
}

/* Capabilities last: without them no user and no group can be changed. There is no PR_SET_NO_NEW_PRIVS: the
 * job may call sudo itself. */
static bool become(uid_t uid, gid_t gid, const struct capabilities *wanted, struct error *err)
{
    if (setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0)
        return fail_with_privileges(err);
    if (!wanted->permitted && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL)
        return fail_with_privileges(err);
    /* Carbon stays closed to ptrace and pidfd_getfd for good, also where fs.suid_dumpable would have it
     * otherwise: the user's other processes must not get at its counters. The job is not, once it is exec'd. */
    if (!capabilities_set(wanted) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return fail_with_privileges(err);
    return is_dropped(uid, gid, wanted) || fail_with_privileges(err);
}

static bool drop_from_sudo(struct environment *environment, struct error *err)
{
    const struct capabilities none = { .permitted = 0 };
    uint64_t uid, gid;

    if (!read_id("SUDO_UID", &uid, err))
        return false;
    if (uid == 0)
        return true; /* root called sudo */
    if (!read_id("SUDO_GID", &gid, err) || !environment_before_sudo(environment, (uid_t)uid, err))
        return false;
    if (!set_groups((uid_t)uid, (gid_t)gid))
        return fail_with_privileges(err);
    return become((uid_t)uid, (gid_t)gid, &none, err);
}

bool privileges_drop(struct environment *environment, struct error *err)
{
    struct capabilities wanted;

    if (geteuid() == 0 && getuid() == 0 && getenv("SUDO_UID"))
        return drop_from_sudo(environment, err);
    if (!file_gave_rights())
        return true;
    /* exec has emptied the ambient set wherever the file gave something; what is inheritable is the caller's */
    if (!capabilities_get(&wanted))
        return fail_with_privileges(err);
    wanted.effective = wanted.permitted = capabilities_ambient();
    return environment_before_loader(environment, err) && become(getuid(), getgid(), &wanted, err);
}

bool privileges_end(struct error *err)
{
    const struct capabilities none = { .permitted = 0 };
    struct capabilities now;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL) ||
        !capabilities_set(&none) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || !capabilities_get(&now))
        return fail_with_privileges(err);
    errno = EPERM;
    return (!now.effective && !now.permitted && !now.inheritable) || fail_with_privileges(err);
}
