/* SPDX-License-Identifier: MIT
 * Where a ledger is. */
#include "ledger/ledger.h"

#include "base/text.h"
#include "run/environment.h"

#include <errno.h>
#include <libgen.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_ROOM = 4096 };

/* Those that linux/magic.h does not name, each from its own source. */
enum {
    LUSTRE_MAGIC = 0x0bd00bd0,
    GPFS_MAGIC = 0x47504653,
    BEEGFS_MAGIC = 0x19830326,
    ORANGEFS_MAGIC = 0x20030528,
    GFS2_MAGIC = 0x01161970,
    VMHGFS_MAGIC = 0x0bacbacb,
    VBOXSF_MAGIC = 0x786f4256,
};
#define PANFS_MAGIC UINT64_C(0xaad7aaea)
/* linux/magic.h of before 5.16 and 5.15 has not these. */
#define CIFS_MAGIC UINT64_C(0xff534d42)
#define SMB2_MAGIC UINT64_C(0xfe534d42)
#define FUSE_MAGIC UINT64_C(0x65735546)

bool ledger_wal_is_safe(uint64_t filesystem)
{
    static const uint64_t shared[] = {
        NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, CIFS_MAGIC,       SMB2_MAGIC,      V9FS_MAGIC,
        FUSE_MAGIC,      LUSTRE_MAGIC,    GPFS_MAGIC,       BEEGFS_MAGIC,    ORANGEFS_MAGIC,
        GFS2_MAGIC,      PANFS_MAGIC,     VMHGFS_MAGIC,     VBOXSF_MAGIC,    CEPH_SUPER_MAGIC,
        AFS_SUPER_MAGIC, AFS_FS_MAGIC,    CODA_SUPER_MAGIC, NCP_SUPER_MAGIC, OCFS2_SUPER_MAGIC,
    };

    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        if ((filesystem & UINT32_MAX) == shared[i])
            return false;
    return true;
}

bool ledger_is_uri(const char *place)
{
    return strncmp(place, "postgresql://", 13) == 0 || strncmp(place, "postgres://", 11) == 0;
}

bool ledger_default_place(char *const *variables, char *path, size_t size)
{
    const char *data = environment_value(variables, "XDG_DATA_HOME"), *home = environment_value(variables, "HOME");
    int length = 0;

    /* the XDG base directory specification has a relative path ignored */
    if (data && *data == '/')
        length = snprintf(path, size, "%s/carbon/ledger.db", data);
    else if (home && *home == '/')
        length = snprintf(path, size, "%s/.local/share/carbon/ledger.db", home);
    return length > 0 && (size_t)length < size;
}

void ledger_folder_of(const char *path, char *folder, size_t size)
{
    char copy[PATH_ROOM];

    text_copy(copy, sizeof copy, path);
    text_copy(folder, size, dirname(copy));
}

bool ledger_make_folder(const char *path, struct error *err)
{
    char folder[4096];

    text_copy(folder, sizeof folder, path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
            /* a folder that is there may lie in one where none can be made */
            struct stat status;
            const int reason = errno;
            if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
                errno = reason;
                error_errno(err, "cannot make the folder '%.200s'", folder);
                return error_fix(err, "--ledger FILE names another place, --no-ledger does without");
            }
        }
        *slash = '/';
    }
    return true;
}

void ledger_place_text(const char *place, char *text, size_t size)
{
    text_copy_redacted(text, size, place);
}
