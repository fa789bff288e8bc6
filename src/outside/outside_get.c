/* SPDX-License-Identifier: MIT
 * One document from a meter's address, with the key that it wants. */
#include "base/clock.h"
#include "io/http.h"
#include "io/secret.h"
#include "outside/outside.h"

#include <stdio.h>
#include <stdlib.h>

const char *outside_address(const struct outside_meter *meter)
{
    return meter->url[0] ? meter->url : meter->redfish;
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

bool outside_get(const struct outside_meter *meter, const char *url, struct http_answer *answer, struct error *err)
{
    char *token = NULL, *login = NULL;
    struct http_request request = {
        .url = url,
        .deadline_ns = clock_monotonic_ns() + meter->named.question.patience_ns,
        .max_bytes = OUTSIDE_MAX_BYTES,
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
