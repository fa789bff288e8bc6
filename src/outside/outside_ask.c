/* SPDX-License-Identifier: MIT
 * The question to a file, a command or an address. All of this runs in processes beside carbon, with the rights of its
 * user. */
#include "base/text.h"
#include "io/http.h"
#include "outside/outside.h"
#include "run/privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A controller takes a second for each of the documents on the way to its power. */
#define REDFISH_PATIENCE_NS UINT64_C(20000000000)

static void write_all(const char *bytes, size_t length)
{
    ssize_t done;

    while (length > 0 && (done = write(STDOUT_FILENO, bytes, length)) > 0) {
        bytes += done;
        length -= (size_t)done;
    }
}

static void put_to_file(void *context)
{
    const struct outside_meter *meter = context;
    const int fd = open(meter->file, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    char bytes[4096];
    ssize_t length = fd;

    while (length >= 0 && (length = read(fd, bytes, sizeof bytes)) > 0)
        write_all(bytes, (size_t)length);
    _exit(length < 0 ? errno : 0);
}

static void put_to_command(void *context)
{
    struct outside_meter *meter = context;
    char *const words[] = { (char *)"sh", (char *)"-c", meter->command, NULL };

    execve("/bin/sh", words, meter->environment.variables ? meter->environment.variables : environ);
}

static _Noreturn void end(bool got, const struct http_answer *answer, const struct error *err)
{
    if (got)
        write_all(answer->body, answer->length);
    else
        dprintf(STDOUT_FILENO, "%s%s%s\n", err->what, err->why[0] ? ": " : "", err->why);
    _exit(got ? 0 : 1);
}

static void put_to_address(void *context)
{
    const struct outside_meter *meter = context;
    struct http_answer answer;
    struct error err = { .kind = ERROR_NONE };
    const bool got =
        meter->redfish[0] ? redfish_get(meter, &answer, &err) : outside_get(meter, meter->url, &answer, &err);

    end(got, &answer, &err);
}

/* A user's meter is no counter, for which carbon may have rights that the user has not. */
static bool prepare(void *context, struct error *err)
{
    struct outside_meter *meter = context;

    return privileges_drop(&meter->environment, err);
}

/* What the library does when it is first used is done once, and not for each question. */
static bool prepare_address(void *context, struct error *err)
{
    struct outside_meter *meter = context;

    if (!prepare(context, err) || !http_prepare(err))
        return false;
    if (!meter->redfish[0])
        return true;
    meter->place = mmap(NULL, OUTSIDE_TEXT_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return meter->place != MAP_FAILED || error_errno(err, "no memory for the result");
}

struct poller_question outside_question(struct outside_meter *meter)
{
    const bool address = outside_address(meter)[0] != '\0';

    return (struct poller_question){
        .prepare = address ? prepare_address : prepare,
        .put = address             ? put_to_address
               : meter->command[0] ? put_to_command
                                   : put_to_file,
        .understand = outside_understand,
        .context = meter,
        .patience_ns = meter->redfish[0] ? REDFISH_PATIENCE_NS : NAMED_METER_PATIENCE_NS,
        .rests = 1,
        .max_bytes = OUTSIDE_MAX_BYTES,
    };
}
