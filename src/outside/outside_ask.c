/* SPDX-License-Identifier: MIT
 * The question to a file, a command or an address. All of this runs in processes beside carbon, with the rights of its
 * user. */
#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "io/http.h"
#include "io/secret.h"
#include "outside/outside.h"
#include "run/privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* "Authorization: Bearer KEY", in *header, to be forgotten; NULL: no key is wanted. */
static bool read_token(const struct outside_meter *meter, char **header, struct error *err)
{
    char *key;
    bool made;

    *header = NULL;
    if (!meter->token_file[0])
        return true;
    key = secret_of_file(meter->token_file, SECRET_KEY, err);
    if (!key)
        return false;
    made = (meter->token_header[0] ? asprintf(header, "%s: %s", meter->token_header, key)
                                   : asprintf(header, "Authorization: Bearer %s", key)) > 0;
    secret_forget(key);
    return made || error_errno(err, "no memory for the key");
}

static bool read_login(const struct outside_meter *meter, char **login, struct error *err)
{
    *login = meter->login_file[0] ? secret_of_file(meter->login_file, SECRET_LOGIN, err) : NULL;
    return *login || !meter->login_file[0];
}

static bool get(const struct outside_meter *meter, const char *url, struct http_answer *answer, struct error *err)
{
    char *token = NULL, *login = NULL;
    struct http_request request = {
        .url = url,
        .deadline_ns = clock_monotonic_ns() + meter->named.question.patience_ns,
        .most_bytes = OUTSIDE_MOST_BYTES,
        .plain = true,
        .plain_key = meter->insecure,
        .ca_file = meter->ca_file[0] ? meter->ca_file : NULL,
        .time_option = "every",
    };
    bool got = read_token(meter, &token, err) && read_login(meter, &login, err);

    *answer = (struct http_answer){ .status = 0 };
    request.secret = token;
    request.login = login;
    got = got && http_get(&request, answer, err);
    secret_forget(token);
    secret_forget(login);
    return got;
}

static _Noreturn void end(bool got, const struct http_answer *answer, const struct error *err)
{
    if (got)
        write_all(answer->body, answer->length);
    else
        dprintf(STDOUT_FILENO, "%s%s%s\n", err->what, err->why[0] ? ": " : "", err->why);
    _exit(got ? 0 : 1);
}

static void put_to_url(void *context)
{
    const struct outside_meter *meter = context;
    struct http_answer answer;
    struct error err;
    const bool got = get(meter, meter->url, &answer, &err);

    end(got, &answer, &err);
}

/* A user's meter is no counter, for which carbon may have rights that the user has not. */
static bool prepare(void *context, struct error *err)
{
    struct outside_meter *meter = context;

    return privileges_drop(&meter->environment, err);
}

/* What the library does when it is first used is done once, and not for each question. */
static bool prepare_url(void *context, struct error *err)
{
    return prepare(context, err) && http_prepare(err);
}

struct poller_question outside_question(struct outside_meter *meter)
{
    return (struct poller_question){
        .prepare = meter->url[0] ? prepare_url : prepare,
        .put = meter->url[0]       ? put_to_url
               : meter->command[0] ? put_to_command
                                   : put_to_file,
        .understand = outside_understand,
        .context = meter,
        .patience_ns = NAMED_METER_PATIENCE_NS,
        .rests = 1,
        .most_bytes = OUTSIDE_MOST_BYTES,
    };
}
