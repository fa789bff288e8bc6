/* SPDX-License-Identifier: MIT
 * Who may ask the exporter: its configuration, logins, and addresses to listen at. */
#include "unit.h"

#include "commands/serve/listen.h"
#include "commands/serve/passwords.h"
#include "commands/serve/web_config.h"
#include "tree.h"

#include <string.h>

#define HASH "$2y$10$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC/42V2pdJlUprsJPze"

static bool read_config(const struct tree *tree, const char *text, struct web_config *config, struct error *err)
{
    char path[128];

    tree_put(tree, "web.yml", text);
    snprintf(path, sizeof path, "%s/web.yml", tree->path);
    return web_config_read(path, config, err);
}

START_TEST(a_configuration)
{
    struct web_config config;
    struct tree tree;
    struct error err;

    tree_open(&tree);
    tree_put(&tree, "c.pem", "-----BEGIN CERTIFICATE-----\nc");
    tree_put(&tree, "k.pem", "-----BEGIN PRIVATE KEY-----\nk");
    ck_assert_msg(read_config(&tree,
                              "tls_server_config:\n  cert_file: c.pem\n  key_file: k.pem\n  min_version: TLS13\n"
                              "  client_auth_type: VerifyClientCertIfGiven\n  client_ca_file: c.pem\n"
                              "basic_auth_users:\n  ann: " HASH "\n  bob: '" HASH "'\n",
                              &config, &err),
                  "%s: %s", err.what, err.why);
    ck_assert_str_eq(config.key, "-----BEGIN PRIVATE KEY-----\nk\n");
    ck_assert_str_eq(config.priorities, "NORMAL:-VERS-ALL:+VERS-TLS1.3");
    ck_assert_int_eq(config.client_auth, CLIENT_VERIFIED_IF_GIVEN);
    ck_assert_uint_eq(config.user_count, 2);
    ck_assert_str_eq(config.users[1].name, "bob");
    ck_assert_str_eq(config.users[1].hash, HASH);
    web_config_close(&config);
    web_config_close(&config);
    ck_assert_msg(read_config(&tree, "# nothing\nbasic_auth_users:\n  ann: " HASH "\n", &config, &err), "%s", err.what);
    ck_assert_str_eq(config.priorities, "NORMAL:-VERS-ALL:+VERS-TLS1.2:+VERS-TLS1.3");
    ck_assert_ptr_null(config.certificate);
    web_config_close(&config);
    tree_close(&tree);
}
END_TEST

START_TEST(what_is_refused)
{
    static const struct {
        const char *text;
        const char *what; /* the error says */
    } cases[] = {
        { "tls_server_config:\n  cert_files: x\n", "'cert_files' is not known" },
        { "tls_server_config:\n  cipher_suites: [x]\n", "'cipher_suites' is not offered" },
        { "tls:\n  x: y\n", "'tls' is not known" },
        { "tls_server_config: {}\n", "wants cert_file and key_file" },
        { "tls_server_config:\n  min_version: TLS9\n", "'TLS9' is not a version" },
        { "basic_auth_users: [a]\n", "wants names with hashes" },
        { "basic_auth_users:\n  ann: secret\n", "not a bcrypt hash" },
        { "basic_auth_users:\n  ann: $2y$15$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC/42V2pdJlUprsJPze\n", "a cost of 15" },
        { "basic_auth_users:\n  ann:\n", "wants a text" },
    };
    struct web_config config;
    struct tree tree;
    struct error err;

    tree_open(&tree);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(!read_config(&tree, cases[i].text, &config, &err), "%s", cases[i].text);
        ck_assert_msg(strstr(err.what, cases[i].what) != NULL, "%s: %s", cases[i].text, err.what);
        web_config_close(&config);
    }
    tree_close(&tree);
}
END_TEST

START_TEST(secrets)
{
    ck_assert(same_secret("secret", "secret"));
    ck_assert(same_secret("", ""));
    ck_assert(!same_secret("secret", "secre"));
    ck_assert(!same_secret("secre", "secret"));
    ck_assert(!same_secret("secret", ""));
    ck_assert(!same_secret("abab", "ab"));
}
END_TEST

START_TEST(addresses)
{
    static const char *const good[] = { "127.0.0.1:1", "localhost:0", "[::1]:65535", ":9", "unix:/x", "0.0.0.0:80" };
    static const char *const bad[] = { "",       "127.0.0.1",       "1:2:3:4", "x:1",         "[::1:5",
                                       "[zz]:5", "127.0.0.1:65536", "unix:",   "127.0.0.1:-1" };
    struct error err;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        ck_assert_msg(listen_check(good[i], &err), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(!listen_check(bad[i], &err), "%s", bad[i]);
}
END_TEST

UNIT_SUITE("serve_web", a_configuration, what_is_refused, secrets, addresses)
