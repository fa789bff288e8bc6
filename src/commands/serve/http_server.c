/* SPDX-License-Identifier: MIT
 * GET and HEAD of /metrics, / and /-/healthy; everything else is refused. */
#include "commands/serve/http_server.h"

#include "base/clock.h"
#include "base/units.h"
#include "commands/serve/accept.h"
#include "commands/serve/guests.h"
#include "commands/serve/passwords.h"
#include "commands/serve/peer_certificate.h"
#include "commands/serve/published.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A client, from its connection to its end. */
struct client {
    int fd;            /* -1: nobody */
    uint64_t since_ns; /* it has come, or its last answer has gone */
    unsigned char key[GUEST_KEY_SIZE];
};

struct http_server {
    struct microhttpd library;
    struct peer_library peers;
    struct passwords *passwords; /* NULL: no authentication */
    enum client_auth client_auth;
    struct MHD_Daemon *daemon;
    int epoll_fd;
    uint64_t patience_ns;
    struct client clients[HTTP_CLIENTS_MAX];
    struct published_metrics metrics[METRIC_FORMATS];
    uint64_t scrapes;
};

struct http_server_page {
    unsigned status;
    const char *type, *text;
    const char *header, *value; /* one more, or NULL */
};

static const char plain_type[] = "text/plain; charset=utf-8";

static enum MHD_Result answer_page(const struct http_server *server, struct MHD_Connection *connection,
                                   const struct http_server_page *page)
{
    const struct microhttpd *library = &server->library;
    struct MHD_Response *response =
        library->response(strlen(page->text), (void *)(uintptr_t)page->text, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result queued;

    if (!response)
        return MHD_NO;
    library->add_header(response, "Content-Type", page->type);
    library->add_header(response, "X-Content-Type-Options", "nosniff");
    if (page->header)
        library->add_header(response, page->header, page->value);
    queued = library->queue(connection, page->status, response);
    library->destroy(response);
    return queued;
}

static enum MHD_Result answer_metrics(struct http_server *server, struct MHD_Connection *connection)
{
    static const struct http_server_page nothing = { 503, plain_type, "no figures yet\n", "Retry-After", "1" };
    const struct microhttpd *library = &server->library;
    const enum metric_format format = metric_format_of(library->header(connection, MHD_HEADER_KIND, "Accept"));
    const bool gzip = accepts_gzip(library->header(connection, MHD_HEADER_KIND, "Accept-Encoding"));
    struct MHD_Response *response = published_answer(&server->metrics[format], library, format, gzip);

    if (!response)
        return answer_page(server, connection, &nothing);
    server->scrapes++;
    return library->queue(connection, 200, response);
}

static enum MHD_Result answer_path(struct http_server *server, struct MHD_Connection *connection, const char *path)
{
    static const struct http_server_page start = {
        200, "text/html; charset=utf-8",
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>carbon</title></head>\n"
        "<body><h1>carbon</h1><p>Energy and carbon of this machine for Prometheus: "
        "<a href=\"metrics\">metrics</a>.</p></body></html>\n",
        "Content-Security-Policy", "default-src 'none'"
    };
    static const struct http_server_page healthy = { 200, plain_type, "carbon is healthy.\n", NULL, NULL };
    static const struct http_server_page absent = { 404, plain_type, "There is /metrics here.\n", NULL, NULL };

    if (strcmp(path, "/metrics") == 0)
        return answer_metrics(server, connection);
    return answer_page(server, connection,
                       strcmp(path, "/") == 0            ? &start
                       : strcmp(path, "/-/healthy") == 0 ? &healthy
                                                         : &absent);
}

static void forget(const struct microhttpd *library, char *secret)
{
    if (secret)
        explicit_bzero(secret, strlen(secret));
    library->free(secret);
}

static enum password_verdict login_verdict(struct http_server *server, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        server->library.connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    char *password = NULL, *user = server->library.login(connection, &password);
    const enum password_verdict verdict =
        password_check(server->passwords, info ? info->client_addr : NULL, user, password);

    forget(&server->library, user);
    forget(&server->library, password);
    return verdict;
}

/* NULL: it may ask. */
static const struct http_server_page *refusal_of(struct http_server *server, struct MHD_Connection *connection)
{
    static const struct http_server_page no_certificate = { 403, plain_type, "a certificate is wanted\n", NULL, NULL };
    static const struct http_server_page no_login = { 401, plain_type, "Unauthorized\n", "WWW-Authenticate",
                                                      "Basic realm=\"carbon\", charset=\"UTF-8\"" };
    static const struct http_server_page later = { 429, plain_type, "too many wrong passwords\n", "Retry-After", "10" };
    const union MHD_ConnectionInfo *info;

    if (server->client_auth != CLIENT_ANY) {
        info = server->library.connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
        switch (peer_verdict_of(&server->peers, info ? info->tls_session : NULL)) {
        case PEER_GOOD: break;
        case PEER_NONE:
            if (server->client_auth == CLIENT_VERIFIED)
                return &no_certificate;
            break;
        default: return &no_certificate;
        }
    }
    if (!server->passwords)
        return NULL;
    switch (login_verdict(server, connection)) {
    case PASSWORD_GOOD: return NULL;
    case PASSWORD_LATER: return &later;
    default: return &no_login;
    }
}

static bool has_body(const struct http_server *server, struct MHD_Connection *connection)
{
    return server->library.header(connection, MHD_HEADER_KIND, "Content-Length") ||
           server->library.header(connection, MHD_HEADER_KIND, "Transfer-Encoding");
}

/* Called when the headers are there, and again after the body. Only an answer then lets the connection live on; whoever
 * sends a body gets it at once, and is not listened to any further. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *upload, size_t *upload_size,
                                  void **state)
{
    static const struct http_server_page wrong_method = { 405, plain_type, "GET and HEAD alone\n", "Allow",
                                                          "GET, HEAD" };
    struct http_server *server = context;
    const struct http_server_page *refusal;

    (void)version;
    (void)upload;
    (void)upload_size;
    if (!*state && !has_body(server, connection)) {
        *state = server;
        return MHD_YES;
    }
    refusal = refusal_of(server, connection);
    if (refusal)
        return answer_page(server, connection, refusal);
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return answer_page(server, connection, &wrong_method);
    return answer_path(server, connection, path);
}

/* So many of one address at once: guest_key_of says what an address is. Who comes by a path has none. */
static enum MHD_Result may_come(void *context, const struct sockaddr *address, socklen_t length)
{
    const struct http_server *server = context;
    unsigned char key[GUEST_KEY_SIZE];
    size_t same = 0;

    (void)length;
    guest_key_of(address, key);
    for (size_t i = 0; i < HTTP_CLIENTS_MAX; i++)
        same += server->clients[i].fd >= 0 && memcmp(server->clients[i].key, key, sizeof key) == 0;
    return !key[0] || same < HTTP_CLIENTS_OF_ONE_ADDRESS ? MHD_YES : MHD_NO;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **place,
                          enum MHD_ConnectionNotificationCode what)
{
    struct http_server *server = context;
    const struct microhttpd *library = &server->library;
    const union MHD_ConnectionInfo *info;
    struct client *client = *place;
    size_t at = 0;

    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (client)
            client->fd = -1;
        return;
    }
    info = library->connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    while (at < HTTP_CLIENTS_MAX && server->clients[at].fd >= 0)
        at++;
    if (!info || at == HTTP_CLIENTS_MAX)
        return;
    *place = client = &server->clients[at];
    *client = (struct client){ .fd = info->connect_fd, .since_ns = clock_monotonic_ns() };
    info = library->connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    guest_key_of(info ? info->client_addr : NULL, client->key);
}

static void on_answered(void *context, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode how)
{
    struct http_server *server = context;
    const union MHD_ConnectionInfo *info =
        server->library.connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct client *client = info ? info->socket_context : NULL;

    (void)state;
    (void)how;
    if (client)
        client->since_ns = clock_monotonic_ns();
}

/* A client may speak so slowly that it is never silent: it is cut off by its own socket. */
static void cut_off_slow(const struct http_server *server, uint64_t now_ns)
{
    for (size_t i = 0; i < HTTP_CLIENTS_MAX; i++)
        if (server->clients[i].fd >= 0 && now_ns >= server->clients[i].since_ns + server->patience_ns)
            shutdown(server->clients[i].fd, SHUT_RDWR);
}

uint64_t http_server_next_ns(const struct http_server *server, uint64_t now_ns)
{
    uint64_t next_ns = UINT64_MAX;
    MHD_UNSIGNED_LONG_LONG left_ms;

    for (size_t i = 0; i < HTTP_CLIENTS_MAX; i++)
        if (server->clients[i].fd >= 0)
            next_ns = clock_earlier_ns(next_ns, server->clients[i].since_ns + server->patience_ns);
    /* one that was cut off has its end in the epoll set by now */
    if (next_ns <= now_ns)
        next_ns = now_ns + NS_PER_S_INT / 10;
    if (server->library.timeout(server->daemon, &left_ms) == MHD_YES)
        next_ns = clock_earlier_ns(next_ns, now_ns + left_ms * (NS_PER_S_INT / 1000));
    return next_ns;
}

int http_server_fd(const struct http_server *server)
{
    return server->epoll_fd;
}

void http_server_run(struct http_server *server, uint64_t now_ns)
{
    cut_off_slow(server, now_ns);
    server->library.run(server->daemon);
}

bool http_server_publish(struct http_server *server, struct metric_text texts[METRIC_FORMATS], struct error *err)
{
    for (size_t i = 0; i < METRIC_FORMATS; i++)
        if (!published_set(&server->metrics[i], &server->library, &texts[i], err))
            return false;
    return true;
}

void http_server_inherit(struct http_server *server, struct http_server *from)
{
    for (size_t i = 0; i < METRIC_FORMATS; i++) {
        server->metrics[i] = from->metrics[i];
        from->metrics[i] = (struct published_metrics){ .plain = NULL };
    }
}

uint64_t http_server_scrapes(const struct http_server *server)
{
    return server->scrapes;
}

static bool check_tls(struct http_server *server, const struct web_config *config, struct error *err)
{
    if (!config->certificate)
        return true;
    if (server->library.has_feature(MHD_FEATURE_TLS) != MHD_YES) {
        error_set(err, ERROR_ABSENT, "TLS cannot be offered");
        error_why(err, "libmicrohttpd here was built without GnuTLS");
        return error_fix(err, "install one that has it (Debian's has), or put a proxy with TLS before carbon");
    }
    server->client_auth = config->client_auth;
    return config->client_auth == CLIENT_ANY || peer_library_open(&server->peers, err);
}

static bool check_users(struct http_server *server, const struct web_config *config, struct error *err)
{
    if (!config->user_count)
        return true;
    if (server->library.has_feature(MHD_FEATURE_BASIC_AUTH) != MHD_YES) {
        error_set(err, ERROR_ABSENT, "no password can be asked for");
        error_why(err, "libmicrohttpd here was built without HTTP's basic authentication");
        return error_fix(err, "sudo apt-get install libmicrohttpd12, or leave basic_auth_users out");
    }
    server->passwords = passwords_open(config, err);
    return server->passwords != NULL;
}

static struct MHD_Daemon *start(struct http_server *server, int fd, const struct web_config *config)
{
    const bool tls = config->certificate != NULL;
    struct MHD_OptionItem items[12];
    size_t count = 0;

    items[count++] = (struct MHD_OptionItem){ MHD_OPTION_LISTEN_SOCKET, fd, NULL };
    items[count++] = (struct MHD_OptionItem){ MHD_OPTION_CONNECTION_LIMIT, HTTP_CLIENTS_MAX, NULL };
    items[count++] = (struct MHD_OptionItem){ MHD_OPTION_CONNECTION_MEMORY_LIMIT, HTTP_REQUEST_MEMORY, NULL };
    items[count++] = (struct MHD_OptionItem){ MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)on_connection, server };
    items[count++] = (struct MHD_OptionItem){ MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)on_answered, server };
    if (tls) {
        items[count++] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_MEM_CERT, 0, config->certificate };
        items[count++] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_MEM_KEY, 0, config->key };
        items[count++] =
            (struct MHD_OptionItem){ MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)config->priorities };
        if (config->client_ca)
            items[count++] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_MEM_TRUST, 0, config->client_ca };
    }
    items[count] = (struct MHD_OptionItem){ MHD_OPTION_END, 0, NULL };
    return server->library.start(MHD_USE_EPOLL | (tls ? MHD_USE_TLS : 0), 0, may_come, server, on_request, server,
                                 MHD_OPTION_ARRAY, items, MHD_OPTION_END);
}

static bool open_daemon(struct http_server *server, int listen_fd, const struct web_config *config, struct error *err)
{
    const union MHD_DaemonInfo *info;
    const int fd = fcntl(listen_fd, F_DUPFD_CLOEXEC, 0);

    server->daemon = fd < 0 ? NULL : start(server, fd, config);
    info = server->daemon ? server->library.daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD) : NULL;
    if (info && info->epoll_fd >= 0) {
        server->epoll_fd = info->epoll_fd;
        return true;
    }
    if (!server->daemon && fd >= 0)
        close(fd);
    error_set(err, ERROR_SYSTEM, "the HTTP server cannot be started");
    if (config->certificate)
        error_why(err, "its certificate and key may not belong together, or be no PEM that GnuTLS reads");
    return false;
}

struct http_server *http_server_open(int listen_fd, const struct web_config *config, uint64_t patience_ns,
                                     struct error *err)
{
    static const struct web_config none = { .user_count = 0 };
    struct http_server *server = calloc(1, sizeof *server);

    if (!server) {
        error_errno(err, "no memory for the HTTP server");
        return NULL;
    }
    server->patience_ns = patience_ns;
    for (size_t i = 0; i < HTTP_CLIENTS_MAX; i++)
        server->clients[i].fd = -1;
    if (!config)
        config = &none;
    if (microhttpd_open(&server->library, err) && check_tls(server, config, err) && check_users(server, config, err) &&
        open_daemon(server, listen_fd, config, err))
        return server;
    http_server_close(server);
    return NULL;
}

void http_server_close(struct http_server *server)
{
    if (!server)
        return;
    if (server->daemon) {
        /* without this it would shut the socket itself down, which others go on with */
        const int fd = server->library.quiesce(server->daemon);
        server->library.stop(server->daemon);
        if (fd >= 0)
            close(fd);
    }
    for (size_t i = 0; i < METRIC_FORMATS; i++)
        published_close(&server->metrics[i], &server->library);
    passwords_close(server->passwords);
    free(server);
}
