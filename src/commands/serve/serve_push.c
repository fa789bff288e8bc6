/* SPDX-License-Identifier: MIT
 * Takes metrics from a socket, each as a descriptor of a file in memory, and sends the newest. */
#include "commands/serve/serve_push.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"
#include "commands/serve/confine.h"
#include "otlp/otlp_points.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

enum { LAST_PUSH_MS = 3000 };

/* What a message with a descriptor needs. */
struct envelope {
    struct msghdr message;
    struct iovec part;
    char byte;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
};

static void envelope_open(struct envelope *envelope)
{
    *envelope = (struct envelope){ .byte = 'm' };
    envelope->part = (struct iovec){ &envelope->byte, 1 };
    envelope->message = (struct msghdr){ .msg_iov = &envelope->part,
                                         .msg_iovlen = 1,
                                         .msg_control = envelope->control,
                                         .msg_controllen = sizeof envelope->control };
}

static bool write_all(int fd, const char *text, size_t length)
{
    for (ssize_t written; length > 0; text += written, length -= (size_t)written) {
        written = write(fd, text, length);
        if (written < 0 && errno == EINTR)
            written = 0;
        if (written < 0)
            return false;
    }
    return true;
}

void serve_push_give(const struct serve_push *push, const char *metrics)
{
    AUTO_CLOSE int fd = metrics ? memfd_create("carbon-metrics", MFD_CLOEXEC) : -1;
    struct envelope envelope;
    struct cmsghdr *head;

    if (push->process.fd < 0 || fd < 0 || !write_all(fd, metrics, strlen(metrics)))
        return;
    envelope_open(&envelope);
    head = CMSG_FIRSTHDR(&envelope.message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    IGNORED(sendmsg(push->process.fd, &envelope.message, MSG_DONTWAIT | MSG_NOSIGNAL) > 0,
            "the next ones make up for these");
}

/* The next file; -1: none now. *ended: none will come. */
static int receive(int from, bool *ended)
{
    struct envelope envelope;
    const struct cmsghdr *head;
    ssize_t length;
    int fd = -1;

    envelope_open(&envelope);
    do
        length = recvmsg(from, &envelope.message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (length < 0 && errno == EINTR);
    head = length > 0 ? CMSG_FIRSTHDR(&envelope.message) : NULL;
    if (head && head->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(head), sizeof fd);
    *ended |= length == 0 || (length < 0 && errno != EAGAIN);
    return fd;
}

/* The document of this file's metrics; NULL: no memory. */
static char *document_of(const struct serve_push *push, int fd)
{
    struct stat status;
    char *metrics, *document = NULL;
    size_t length;

    if (fstat(fd, &status) != 0 || status.st_size > OTLP_POINTS_MAX)
        return NULL;
    length = (size_t)status.st_size;
    metrics = malloc(length + 1);
    if (metrics && pread(fd, metrics, length, 0) == (ssize_t)length) {
        metrics[length] = '\0';
        document = otlp_document(&push->resource, metrics, NULL);
    }
    free(metrics);
    return document;
}

struct pusher {
    char *document; /* that is to be pushed; NULL: none */
    uint64_t due_ns;
    unsigned failed;  /* one after another */
    char logged[256]; /* the last fault; "": none since */
    bool ended;
};

/* The newest of those that have come. */
static void take_metrics(const struct serve_push *push, int from, struct pusher *pusher)
{
    int fd;

    while ((fd = receive(from, &pusher->ended)) >= 0) {
        char *document = document_of(push, fd);
        close(fd);
        if (document) {
            free(pusher->document);
            pusher->document = document;
        }
    }
}

/* The same fault is logged once, and its end. */
static void log_outcome(const struct serve_push *push, struct pusher *pusher, enum otlp_outcome outcome,
                        struct error *problem)
{
    if (outcome == OTLP_TAKEN) {
        if (!pusher->logged[0])
            return;
        error_set(problem, ERROR_NONE, "the collector takes the metrics again");
        pusher->logged[0] = '\0';
    } else {
        if (strcmp(pusher->logged, problem->what) == 0)
            return;
        text_copy(pusher->logged, sizeof pusher->logged, problem->what);
    }
    push->tell(push->context, problem);
}

static void try_push(const struct serve_push *push, struct pusher *pusher)
{
    struct error problem = { .kind = ERROR_NONE };
    long wait_s;
    const enum otlp_outcome outcome = otlp_push_once(&push->collector, pusher->document, &wait_s, &problem);

    log_outcome(push, pusher, outcome, &problem);
    pusher->failed = outcome == OTLP_LATER ? pusher->failed + 1 : 0;
    pusher->due_ns = clock_monotonic_ns() + (pusher->failed ? otlp_wait_ns(pusher->failed, wait_s) : 0);
    if (outcome == OTLP_LATER)
        return;
    free(pusher->document);
    pusher->document = NULL;
}

/* Until the exporter is gone; the last metrics are tried once. */
static void push_all(const struct serve_push *push, int from)
{
    struct pusher pusher = { .document = NULL };

    while (!pusher.ended) {
        const uint64_t now_ns = clock_monotonic_ns();
        const int wait_ms = !pusher.document          ? -1
                            : pusher.due_ns <= now_ns ? 0
                                                      : (int)((pusher.due_ns - now_ns) / (NS_PER_S_INT / 1000)) + 1;
        struct pollfd wait = { .fd = from, .events = POLLIN };

        if (poll(&wait, 1, wait_ms) > 0)
            take_metrics(push, from, &pusher);
        if (pusher.document && (pusher.ended || clock_monotonic_ns() >= pusher.due_ns))
            try_push(push, &pusher);
    }
    free(pusher.document);
}

static void be_pusher(void *context, int fd)
{
    const struct serve_push *push = context;

    signal(SIGTERM, SIG_IGN);
    if (push->confined)
        confine_push(&push->collector);
    push_all(push, fd);
}

bool serve_push_open(struct serve_push *push, struct error *err)
{
    return side_process_open(&push->process, be_pusher, push) || error_errno(err, "nothing can be pushed");
}

void serve_push_close(struct serve_push *push)
{
    struct pollfd wait = { .fd = push->process.fd, .events = POLLIN };

    if (push->process.fd >= 0) {
        shutdown(push->process.fd, SHUT_WR);
        IGNORED(poll(&wait, 1, LAST_PUSH_MS), "a later push is lost to the collector alone");
    }
    side_process_close(&push->process);
    otlp_collector_close(&push->collector);
    otlp_resource_close(&push->resource);
}
