/* SPDX-License-Identifier: MIT
 * Why nothing came of a request, and what helps. */
#include "io/http.h"

#include "io/http_parts.h"

#include <errno.h>
#include <stdio.h>

bool http_fail_reach(struct error *err, enum error_kind kind, const char *host, const char *why, const char *fix)
{
    error_set(err, kind, "cannot reach %s", host);
    error_why(err, "%s", why);
    return error_fix(err, "%s", fix);
}

/* What else can be done where a service gives nothing now: the grid's past answers are kept, others are not. */
static bool fail_now(const struct http_request *request, struct error *err, const char *host, const char *why,
                     const char *fix)
{
    http_fail_reach(err, ERROR_SYSTEM, host, why, fix);
    return request->time_option ? false : error_fix(err, "%s, or add --offline to use cached answers", fix);
}

static bool fail_certificate(const struct http_request *request, const char *host, struct error *err)
{
    http_fail_reach(err, ERROR_DENIED, host, "its certificate could not be verified",
                    "check ca-certificates and the clock of this machine; it is not queried without TLS");
    if (!request->time_option)
        return false;
    if (request->ca_file)
        return error_fix(err, "check '%.200s', the name in the address and this machine's clock", request->ca_file);
    return error_fix(err, "give its authority's certificate with --ca-file FILE; it is not asked without TLS");
}

bool http_fail_transport(const struct curl *curl, CURL *handle, CURLcode code, const struct taking *taking,
                         const struct http_request *request, const char *host, struct error *err)
{
    static const char network[] = "check the network", later[] = "try again later";
    long number = 0;
    char why[200];

    if (taking->too_large || code == CURLE_FILESIZE_EXCEEDED)
        return http_fail_reach(err, ERROR_BAD_DATA, host, "it sends more than any answer of this service has",
                               request->time_option ? "check the address; request a shorter period"
                                                    : "try again with a shorter time (--from, --to)");
    if (taking->no_memory)
        return fail_now(request, err, host, "no memory for it", later);
    switch (code) {
    case CURLE_ABORTED_BY_CALLBACK:
        return http_fail_reach(err, ERROR_SYSTEM, host, "it was interrupted while it waited", "ask again");
    case CURLE_COULDNT_RESOLVE_HOST:
        return fail_now(request, err, host, "name not found, or no network", network);
    case CURLE_COULDNT_RESOLVE_PROXY:
        return http_fail_reach(err, ERROR_SYSTEM, host, "the name of the proxy was not found",
                               "check https_proxy in the environment");
    case CURLE_COULDNT_CONNECT:
        curl->getinfo(handle, CURLINFO_OS_ERRNO, &number);
        if (number == ECONNREFUSED)
            return fail_now(request, err, host, "it refused the connection", later);
        return fail_now(request, err, host, "no connection could be made", network);
    case CURLE_OPERATION_TIMEDOUT:
        if (request->time_option) {
            http_fail_reach(err, ERROR_SYSTEM, host, "it took too long", "");
            return error_fix(err, "try again later, or with more time (%s)", request->time_option);
        }
        return fail_now(request, err, host, "it took too long", "try again later, with more time (--live-timeout)");
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR: return fail_certificate(request, host, err);
    case CURLE_SSL_CERTPROBLEM:
        if (request->certificate)
            return http_fail_reach(err, ERROR_USAGE, host, "carbon's own certificate cannot be used",
                                   "check --client-certificate and --client-key");
        return fail_now(request, err, host, "no TLS connection could be made", network);
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER: return fail_now(request, err, host, "no TLS connection could be made", network);
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR: return fail_now(request, err, host, "the connection broke off", later);
    default: snprintf(why, sizeof why, "%s", curl->strerror(code)); return fail_now(request, err, host, why, later);
    }
}

bool http_fail_status(const struct http_request *request, int status, long wait_s, const char *host, struct error *err)
{
    const enum error_kind kind = status == 401 || status == 403   ? ERROR_DENIED
                                 : status == 404                  ? ERROR_ABSENT
                                 : status == 400 || status == 422 ? ERROR_USAGE
                                                                  : ERROR_SYSTEM;
    const char *offline = request->time_option ? "" : ", or add --offline to use cached answers";

    error_set(err, kind, "%s gives no data", host);
    switch (status) {
    case 401: error_why(err, "HTTP 401: API key rejected"); break;
    case 403: error_why(err, "it answered 403: this is not allowed with that key, or to anyone"); break;
    case 404: error_why(err, "it answered 404: it does not have this"); break;
    case 429: error_why(err, "HTTP 429: too many requests"); break;
    default: error_why(err, "it answered %d", status);
    }
    if (status == 401 || status == 403)
        return error_fix(err, "check the API key and its permissions");
    if (status < 429)
        return error_fix(err, "check %s in the query",
                         request->time_option ? "the address and the names" : "the zone and the time");
    if (wait_s > 0)
        return error_fix(err, "try again in %ld s, as it asks%s", wait_s, offline);
    return error_fix(err, "try again later%s", offline);
}
