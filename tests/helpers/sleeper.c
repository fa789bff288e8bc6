/* SPDX-License-Identifier: MIT
 * Preloaded, it lets the machine seem to sleep: CLOCK_BOOTTIME runs ahead by as many seconds as the file $SLEPT says,
 * which a test may write at any time. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const int status = (int)syscall(SYS_clock_gettime, clock, now);
    const char *name = clock == CLOCK_BOOTTIME ? getenv("SLEPT") : NULL;
    const int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    char text[24] = "";

    if (file >= 0) {
        if (read(file, text, sizeof text - 1) > 0)
            now->tv_sec += strtol(text, NULL, 10);
        close(file);
    }
    return status;
}
