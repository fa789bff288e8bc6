/* SPDX-License-Identifier: MIT
 * perf_event_open(2) for sampling, and its rings. */
#include "profile/rings.h"

#include "base/auto.h"
#include "base/pfm_names.h"
#include "profile/unwind.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* perf_event_header.size has 16 bits. */
enum { RECORD_SIZE_MAX = 65536 };

/* PERF_FORMAT_LOST of Linux 6.0, which older headers do not have. */
#define FORMAT_LOST (1U << 4)

struct ring {
    int *fds; /* the first one has the memory, the others write to it */
    size_t fd_count;
    int cpu;
    struct perf_event_mmap_page *head;
    size_t mapped;
    uint64_t tail;
    char *whole; /* a record that lies at the end and the beginning of the ring, in one piece */
    bool peeked;
    size_t record_size;
    struct perf_record record; /* the next one */
};

static bool paranoid_level(int *level)
{
    FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    char text[32];
    bool read = file && fgets(text, sizeof text, file);

    if (file)
        fclose(file);
    *level = read ? atoi(text) : 0;
    return read;
}

/* What runs already may be another user's; root has no others. */
static bool is_others(const struct rings_options *options)
{
    char path[64];
    struct stat process;

    if (!options->running || !options->pid_count || geteuid() == 0)
        return false;
    snprintf(path, sizeof path, "/proc/%d", (int)options->pids[0]);
    return stat(path, &process) == 0 && process.st_uid != geteuid();
}

static bool refused(const struct rings_options *options, int number, struct error *err)
{
    int level;

    errno = number;
    error_errno(err, "cannot sample stacks with perf_event_open");
    if (options->cycles && (number == ENOENT || number == EOPNOTSUPP)) {
        error_why(err, "this machine has no counter of cycles (a virtual machine often has none)");
        return error_fix(err, "--event cpu-clock");
    }
    if (number == ENOSYS)
        return error_why(err, "this kernel was built without perf events");
    if (number == EMFILE) {
        error_why(err, "each thread needs a descriptor for each CPU");
        return error_fix(err, "ulimit -n $(ulimit -Hn)");
    }
    if (number != EACCES && number != EPERM)
        return false;
    if (paranoid_level(&level) && level > 2) {
        error_why(err, "kernel.perf_event_paranoid is %d: only root may sample", level);
        return error_fix(err, "sudo sysctl kernel.perf_event_paranoid=2");
    }
    if (is_others(options)) {
        error_why(err, "process %d is of another user, or this user may not look into it", (int)options->pids[0]);
        return error_fix(err, "run carbon as root");
    }
    error_why(err, "refused although kernel.perf_event_paranoid allows it: as by a container's seccomp filter");
    return error_fix(err, "docker run --cap-add PERFMON, or run carbon outside of the container");
}

static bool choose_event(const struct rings_options *options, struct perf_event_attr *attr, struct error *err)
{
    struct pfm_names names;
    uint64_t config;
    uint32_t type;
    bool known;

    attr->type = PERF_TYPE_SOFTWARE;
    attr->config = PERF_COUNT_SW_CPU_CLOCK;
    if (!options->cycles)
        return true;
    pfm_names_open(&names);
    known = pfm_names_encode(&names, "PERF_COUNT_HW_CPU_CYCLES", &type, &config);
    pfm_names_close(&names);
    if (!known)
        return refused(options, ENOENT, err);
    attr->type = type;
    attr->config = config;
    return true;
}

static struct perf_event_attr attributes(const struct rings_options *options)
{
    const bool copied = options->stack_bytes > 0;

    return (struct perf_event_attr){
        .size = sizeof(struct perf_event_attr),
        .sample_type = PERF_RECORD_FIELDS | (copied ? PERF_RECORD_STACK_FIELDS : 0),
        .sample_regs_user = copied ? UNWIND_SAMPLED : 0,
        .sample_stack_user = (uint32_t)options->stack_bytes,
        .exclude_callchain_user = copied,
        .read_format = FORMAT_LOST,
        .sample_freq = (uint64_t)options->frequency_hz,
        .freq = 1,
        .disabled = 1,
        .enable_on_exec = !options->running,
        .inherit = 1,
        .sample_id_all = 1,
        .mmap = 1,
        .mmap2 = 1,
        .comm = 1,
        .comm_exec = 1,
        .task = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
    };
}

static int open_event(struct perf_event_attr *attr, pid_t tid, int cpu)
{
    int fd = (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

    if (fd < 0 && errno == EINVAL && attr->read_format) { /* before Linux 6.0 */
        attr->read_format = 0;
        fd = (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    }
    if (fd < 0 && (errno == EACCES || errno == EPERM) && !attr->exclude_kernel) {
        attr->exclude_kernel = attr->exclude_callchain_kernel = 1;
        fd = (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    }
    return fd;
}

static bool add_fd(struct ring *ring, int fd)
{
    int *fds = reallocarray(ring->fds, ring->fd_count + 1, sizeof *fds);

    if (!fds)
        return false;
    ring->fds = fds;
    fds[ring->fd_count++] = fd;
    return true;
}

static bool map_ring(struct ring *ring, const struct rings_options *options, struct error *err)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t data = options->ring_kib * BYTES_PER_KIB < page ? page : options->ring_kib * BYTES_PER_KIB;
    void *memory = mmap(NULL, page + data, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fds[0], 0);

    if (memory == MAP_FAILED) {
        const int number = errno;
        error_errno(err, "no memory for rings of %zu KiB a CPU", options->ring_kib);
        if (number == EPERM) {
            error_why(err, "they are above what this user may lock (kernel.perf_event_mlock_kb)");
            error_fix(err, "--ring %zu", options->ring_kib > 8 ? options->ring_kib / 2 : RING_KIB_MIN);
        }
        return false;
    }
    ring->head = memory;
    ring->mapped = page + data;
    ring->whole = aligned_alloc(8, RECORD_SIZE_MAX);
    return ring->whole || error_errno(err, "no memory for records");
}

static bool take_fd(struct ring *ring, int fd, const struct rings_options *options, struct error *err)
{
    if (!add_fd(ring, fd)) {
        close(fd);
        return error_errno(err, "no memory for rings");
    }
    if (ring->fd_count == 1)
        return map_ring(ring, options, err);
    return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fds[0]) == 0 || refused(options, errno, err);
}

/* A thread that has ended and a CPU that is not there are left out. */
static bool follow_thread(struct rings *rings, struct perf_event_attr *attr, const struct rings_options *options,
                          pid_t tid, int cpu, struct error *err)
{
    struct ring *last = rings->count ? &rings->items[rings->count - 1] : NULL;
    const int fd = open_event(attr, tid, cpu);

    if (fd < 0 && (errno == ENODEV || (errno == ESRCH && options->running)))
        return true;
    if (fd < 0)
        return refused(options, errno, err);
    if (!last || last->cpu != cpu) {
        last = &rings->items[rings->count++];
        *last = (struct ring){ .cpu = cpu };
    }
    return take_fd(last, fd, options, err);
}

static bool follow_process(struct rings *rings, struct perf_event_attr *attr, const struct rings_options *options,
                           pid_t pid, int cpu, struct error *err)
{
    char path[64];
    AUTO_CLOSEDIR DIR *tasks = NULL;
    const struct dirent *task;

    if (!options->running)
        return follow_thread(rings, attr, options, pid, cpu, err);
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    tasks = opendir(path);
    while (tasks && (task = readdir(tasks)))
        if (atoi(task->d_name) > 0 && !follow_thread(rings, attr, options, atoi(task->d_name), cpu, err))
            return false;
    return true;
}

bool rings_open(struct rings *rings, const struct rings_options *options, struct error *err)
{
    const long cpus = sysconf(_SC_NPROCESSORS_CONF);
    struct perf_event_attr attr = attributes(options);

    *rings = (struct rings){ .items = calloc(cpus > 0 ? (size_t)cpus : 1, sizeof *rings->items) };
    if (!rings->items)
        return error_errno(err, "no memory for rings");
    if (!choose_event(options, &attr, err))
        return false;
    for (int cpu = 0; cpu < cpus; cpu++)
        for (size_t i = 0; i < options->pid_count; i++)
            if (!follow_process(rings, &attr, options, options->pids[i], cpu, err))
                return false;
    rings->without_kernel = attr.exclude_kernel;
    return rings->count > 0 || refused(options, ESRCH, err);
}

void rings_begin(struct rings *rings)
{
    for (size_t i = 0; i < rings->count; i++)
        for (size_t fd = 0; fd < rings->items[i].fd_count; fd++)
            ioctl(rings->items[i].fds[fd], PERF_EVENT_IOC_ENABLE, 0);
}

void rings_close(struct rings *rings)
{
    for (size_t i = 0; i < rings->count; i++) {
        struct ring *ring = &rings->items[i];
        if (ring->head)
            munmap(ring->head, ring->mapped);
        for (size_t fd = 0; fd < ring->fd_count; fd++)
            close(ring->fds[fd]);
        free(ring->fds);
        free(ring->whole);
    }
    free(rings->items);
    *rings = (struct rings){ .count = 0 };
}

static void drop_all(struct ring *ring, uint64_t until)
{
    ring->tail = until;
    __atomic_store_n(&ring->head->data_tail, ring->tail, __ATOMIC_RELEASE);
}

/* The next record, where there is one. */
static bool peek(struct ring *ring)
{
    const uint64_t written = __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);
    const char *data = (const char *)ring->head + ring->head->data_offset;
    const uint64_t size = ring->head->data_size, at = size ? ring->tail % size : 0;
    struct perf_event_header header;

    if (ring->peeked)
        return true;
    if (!size || written - ring->tail < sizeof header)
        return false;
    /* records are aligned to 8 bytes, as the header's size is: it never lies in two pieces */
    memcpy(&header, data + at, sizeof header);
    if (header.size < sizeof header || header.size > written - ring->tail || header.size % 8) {
        drop_all(ring, written);
        return false;
    }
    if (at + header.size <= size) {
        ring->record = perf_record_of(data + at, header.size);
    } else {
        memcpy(ring->whole, data + at, size - at);
        memcpy(ring->whole + (size - at), data, header.size - (size - at));
        ring->record = perf_record_of(ring->whole, header.size);
    }
    ring->record_size = header.size;
    ring->peeked = true;
    return true;
}

static void drop(struct ring *ring)
{
    ring->peeked = false;
    ring->tail += ring->record_size;
}

static struct ring *earliest(struct rings *rings)
{
    struct ring *first = NULL;

    for (size_t i = 0; i < rings->count; i++)
        if (peek(&rings->items[i]) && (!first || rings->items[i].record.time_ns < first->record.time_ns))
            first = &rings->items[i];
    return first;
}

void rings_take(struct rings *rings, uint64_t until_ns, void (*each)(void *context, const struct perf_record *record),
                void *context)
{
    for (struct ring *ring; (ring = earliest(rings)) && ring->record.time_ns <= until_ns; drop(ring))
        each(context, &ring->record);
    for (size_t i = 0; i < rings->count; i++)
        __atomic_store_n(&rings->items[i].head->data_tail, rings->items[i].tail, __ATOMIC_RELEASE);
}

uint64_t rings_lost(const struct rings *rings)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < rings->count; i++)
        for (size_t fd = 0; fd < rings->items[i].fd_count; fd++) {
            uint64_t reported[2]; /* the count, and the lost samples */
            if (read(rings->items[i].fds[fd], reported, sizeof reported) == sizeof reported)
                sum += reported[1];
        }
    return sum;
}
