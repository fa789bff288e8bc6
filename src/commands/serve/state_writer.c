/* SPDX-License-Identifier: MIT
 * One text at a time; a mutex over the desk on which it lies, and an eventfd for who waits in poll. */
#include "commands/serve/state_writer.h"

#include "commands/serve/state_file.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct state_writer {
    const char *path;
    int done_fd;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    /* under the mutex */
    char *text; /* to be kept; NULL: there is none */
    bool ending, done;
    struct state_result result; /* result of the last write */
    /* the thread's own */
    bool removed;
};

void state_keep(const char *path, const char *text, bool *removed, struct state_result *result)
{
    struct error in_the_way;

    result->outcome = STATE_STORED;
    if (state_file_write(path, text, &result->problem)) {
        *removed = false;
        return;
    }
    /* what was removed may have been put there and not be certain to stay */
    *removed = (*removed && access(path, F_OK) != 0) || state_file_remove(path, &in_the_way);
    result->outcome = *removed ? STATE_GONE : STATE_STUCK;
    if (*removed)
        error_fix(&result->problem, "make room or mend it; until then a start after this begins at 0");
    else
        error_fix(&result->problem, "repair it; until then totals are not exported, since a restart would reset them");
}

static void *write_texts(void *context)
{
    struct state_writer *writer = context;
    struct state_result result;

    pthread_mutex_lock(&writer->mutex);
    for (;;) {
        while (!writer->text && !writer->ending)
            pthread_cond_wait(&writer->wake, &writer->mutex);
        char *text = writer->text;
        if (!text)
            break;
        writer->text = NULL;
        pthread_mutex_unlock(&writer->mutex);
        state_keep(writer->path, text, &writer->removed, &result);
        free(text);
        pthread_mutex_lock(&writer->mutex);
        writer->result = result;
        writer->done = true;
        eventfd_write(writer->done_fd, 1);
    }
    pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

/* The thread inherits the mask: no signal of the program's is ever delivered to it. */
static int start(struct state_writer *writer)
{
    sigset_t all, before;
    int error;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&writer->thread, NULL, write_texts, writer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static void release(struct state_writer *writer)
{
    pthread_cond_destroy(&writer->wake);
    pthread_mutex_destroy(&writer->mutex);
    if (writer->done_fd >= 0)
        close(writer->done_fd);
    free(writer);
}

struct state_writer *state_writer_open(const char *path, struct error *err)
{
    struct state_writer *writer = calloc(1, sizeof *writer);

    if (!writer) {
        error_errno(err, "no memory to keep the state");
        return NULL;
    }
    writer->path = path;
    pthread_mutex_init(&writer->mutex, NULL);
    pthread_cond_init(&writer->wake, NULL);
    writer->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (writer->done_fd >= 0) {
        errno = start(writer);
        if (!errno)
            return writer;
    }
    error_errno(err, "cannot start the thread that keeps the state");
    release(writer);
    return NULL;
}

void state_writer_give(struct state_writer *writer, char *text)
{
    pthread_mutex_lock(&writer->mutex);
    writer->text = text;
    pthread_cond_signal(&writer->wake);
    pthread_mutex_unlock(&writer->mutex);
}

int state_writer_fd(const struct state_writer *writer)
{
    return writer->done_fd;
}

bool state_writer_take(struct state_writer *writer, struct state_result *result)
{
    eventfd_t times;
    bool done;

    pthread_mutex_lock(&writer->mutex);
    done = writer->done;
    if (done) {
        *result = writer->result;
        writer->done = false;
        eventfd_read(writer->done_fd, &times);
    }
    pthread_mutex_unlock(&writer->mutex);
    return done;
}

void state_writer_close(struct state_writer *writer)
{
    if (!writer)
        return;
    pthread_mutex_lock(&writer->mutex);
    writer->ending = true;
    pthread_cond_signal(&writer->wake);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
    release(writer);
}
