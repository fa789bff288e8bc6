/* SPDX-License-Identifier: MIT
 * SHA-256 by libmd; the only file that knows it. */
#include "io/sha256.h"

#include "base/auto.h"

#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(SHA256_TEXT_SIZE == SHA256_DIGEST_STRING_LENGTH, "filled by libmd");

void sha256_of_bytes(const void *bytes, size_t length, char out[SHA256_TEXT_SIZE])
{
    SHA256Data(bytes, length, out);
}

bool sha256_of_file(const char *path, char out[SHA256_TEXT_SIZE], struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    SHA2_CTX sum;
    uint8_t bytes[16384];
    ssize_t got;

    if (fd < 0 || fstat(fd, &status) != 0)
        return error_errno(err, "cannot read '%s'", path);
    if (!S_ISREG(status.st_mode))
        return error_set(err, ERROR_USAGE, "'%s' is not a regular file", path);
    SHA256Init(&sum);
    while ((got = read(fd, bytes, sizeof bytes)) != 0)
        if (got > 0)
            SHA256Update(&sum, bytes, (size_t)got);
        else if (errno != EINTR)
            return error_errno(err, "cannot read '%s'", path);
    SHA256End(&sum, out);
    return true;
}
