/* SPDX-License-Identifier: MIT
 * Which addresses may be asked, whose they are, and where a key may follow. */
#include "unit.h"

#include "io/http_url.h"

static void has_host(const char *url, const char *wanted)
{
    char host[HTTP_HOST_SIZE];
    struct error err = { .kind = ERROR_NONE };

    ck_assert_msg(http_url_host(url, host, &err), "%s: %s", url, err.what);
    ck_assert_str_eq(host, wanted);
}

START_TEST(hosts)
{
    has_host("https://example.org", "example.org");
    has_host("HTTPS://example.org:8443/a?b=c#d", "example.org:8443");
    has_host("http://[::1]:9090/", "[::1]:9090");
    has_host("http://example.org/a@b", "example.org"); /* no password: it stands behind the path */
    /* what libcurl would ask, however it is written */
    has_host("http://127.1/", "127.0.0.1");
}
END_TEST

START_TEST(none)
{
    static const char *const urls[] = {
        "",
        "example.org",
        "ftp://example.org/",
        "file:///etc/passwd",
        "https://",
        "https://:1",
        "https://h:65536/",
        "https://user:secret@h/",
        "https://user@h/",
        "https://a b/",
        "https://h\n",
        "https://one\\@other/",
        "https://h/\r\nX-Header: yes",
        "https://[::1",
        "javascript:1",
    };
    char host[HTTP_HOST_SIZE], longer[HTTP_HOST_SIZE + 20];
    struct error err;

    for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
        err.kind = ERROR_NONE;
        ck_assert_msg(!http_url_host(urls[i], host, &err), "%s", urls[i]);
        ck_assert_int_eq(err.kind, ERROR_USAGE);
        ck_assert(!strstr(err.what, "secret"));
        ck_assert_str_eq(host, "");
    }
    snprintf(longer, sizeof longer, "https://%0*d.org/", HTTP_HOST_SIZE, 0);
    ck_assert(!http_url_host(longer, host, NULL));
}
END_TEST

START_TEST(what_goes_without_tls)
{
    static const char *const good[] = { "https://example.org/", "http://localhost:1/", "http://127.0.0.1",
                                        "http://[::1]/" };
    static const char *const bad[] = { "http://example.org/", "http://localhost.example.org/",
                                       "http://127.0.0.1.nip.io/", "http://[::2]/" };
    char host[HTTP_HOST_SIZE];
    struct error err;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        ck_assert_msg(http_check_url(good[i], host, &err), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!http_check_url(bad[i], host, &err), "%s", bad[i]);
        ck_assert_ptr_nonnull(strstr(err.what, "without TLS"));
    }
}
END_TEST

START_TEST(origins)
{
    ck_assert(http_same_origin("https://h/a?b", "https://h/c"));
    ck_assert(http_same_origin("https://h/", "HTTPS://H:443"));
    ck_assert(http_same_origin("http://h:80/", "http://h"));
    ck_assert(!http_same_origin("https://h/", "http://h/"));
    ck_assert(!http_same_origin("https://h/", "https://h:8443/"));
    ck_assert(!http_same_origin("https://h/", "https://h.other/"));
    ck_assert(!http_same_origin("https://h/", "https://h@other/"));
    ck_assert(!http_same_origin("https://h/", "https://h\\@other/"));
    ck_assert(!http_same_origin("https://h/", "/c"));
    ck_assert(!http_same_origin("", ""));
    ck_assert(!http_same_origin("ftp://h/", "ftp://h/"));
}
END_TEST

UNIT_SUITE("http_url", hosts, none, what_goes_without_tls, origins)
