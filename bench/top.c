/* SPDX-License-Identifier: MIT
 * What carbon top costs beside many processes: its CPU time, less that of its start, over that of a bare loop that
 * reads schedstat of each process once a second in the same time.
 *
 *   top CARBON PROCESSES SECONDS */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PROCESSES = 20000 };

static double cpu_s(const struct rusage *used)
{
    return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
           (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1e6;
}

static void read_all(void)
{
    DIR *folder = opendir("/proc");
    char path[300], text[128];

    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        int fd;
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%s/schedstat", entry->d_name);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        (void)!read(fd, text, sizeof text);
        close(fd);
    }
    if (folder)
        closedir(folder);
}

/* In a process of its own, which ends with it. */
static pid_t start_loop(int seconds)
{
    const pid_t pid = fork();

    if (pid)
        return pid;
    for (int i = 0; i <= seconds; i++) {
        read_all();
        sleep(i < seconds);
    }
    _exit(0);
}

static pid_t start_top(const char *carbon, const char *seconds)
{
    const pid_t pid = fork();

    if (pid)
        return pid;
    execl(carbon, carbon, "top", "--source", "model", "--intensity", "400", "--for", seconds, "--csv", "-",
          (char *)NULL);
    _exit(127);
}

static double wait_cpu_s(pid_t pid)
{
    struct rusage used;

    return wait4(pid, NULL, 0, &used) == pid ? cpu_s(&used) : -1;
}

int main(int argc, char **argv)
{
    static pid_t sleepers[MAX_PROCESSES];
    const int count = argc > 2 ? atoi(argv[2]) : 0, seconds = argc > 3 ? atoi(argv[3]) : 0;
    double start_s, loop_s, top_s;
    pid_t loop, top;
    int started = 0;

    if (count < 1 || count > MAX_PROCESSES || seconds < 1)
        return EXIT_FAILURE;
    if (!freopen("/dev/null", "w", stdout))
        return EXIT_FAILURE;
    while (started < count && (sleepers[started] = fork()) >= 0) {
        if (sleepers[started] == 0) {
            pause();
            _exit(0);
        }
        started++;
    }
    start_s = wait_cpu_s(start_top(argv[1], "0.1"));
    top = start_top(argv[1], argv[3]);
    loop = start_loop(seconds);
    top_s = wait_cpu_s(top) - start_s;
    loop_s = wait_cpu_s(loop);
    for (int i = 0; i < started; i++)
        kill(sleepers[i], SIGKILL);
    fprintf(stderr, "carbon top, %d processes more, %d s: %.3f s of CPU, the bare loop %.3f s: %.2f times\n", started,
            seconds, top_s, loop_s, top_s / loop_s);
    return started == count ? EXIT_SUCCESS : EXIT_FAILURE;
}
