/* SPDX-License-Identifier: MIT
 * crypt_r of libcrypt, opened when a password is to be checked; the only file that knows it. */
#include "commands/serve/passwords.h"

#include "base/clock.h"
#include "base/library.h"
#include "base/text.h"
#include "commands/serve/guests.h"

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

struct passwords {
    struct web_user users[WEB_USERS_MAX];
    size_t user_count;
    __typeof__(crypt_r) *crypt;
    struct crypt_data data;
    char known[WEB_USERS_MAX][PASSWORD_SIZE]; /* the password that was right; "" not seen yet */
    struct guests guests;
};

static bool library_of(struct passwords *passwords, struct error *err)
{
    static const char *const files[] = { "libcrypt.so.2", "libcrypt.so.1", NULL };
    const struct library_function wanted[] = { { "crypt_r", &passwords->crypt } };

    return library_need(files, wanted, 1, "no password can be checked",
                        "install it (Debian: libcrypt1), or leave basic_auth_users out", err);
}

static bool is_right(struct passwords *passwords, const char *password, const char *hash)
{
    const char *made = passwords->crypt(password, hash, &passwords->data);

    return made && made[0] != '*' && same_secret(made, hash);
}

/* An old libcrypt (glibc's own) has no bcrypt, and would find every password wrong. */
static bool knows_bcrypt(struct passwords *passwords, struct error *err)
{
    static const char empty[] = "$2b$04$......................";
    const char *made = passwords->crypt("", empty, &passwords->data);

    if (made && strlen(made) == 60)
        return true;
    error_set(err, ERROR_ABSENT, "no password can be checked");
    error_why(err, "libcrypt here knows no bcrypt");
    return error_fix(err, "sudo apt-get install libcrypt1, or leave basic_auth_users out");
}

struct passwords *passwords_open(const struct web_config *config, struct error *err)
{
    struct passwords *passwords = calloc(1, sizeof *passwords);

    if (!passwords) {
        error_errno(err, "no memory to check passwords");
        return NULL;
    }
    memcpy(passwords->users, config->users, sizeof passwords->users);
    passwords->user_count = config->user_count;
    guests_open(&passwords->guests, clock_monotonic_ns());
    if (library_of(passwords, err) && knows_bcrypt(passwords, err))
        return passwords;
    passwords_close(passwords);
    return NULL;
}

void passwords_close(struct passwords *passwords)
{
    if (passwords)
        explicit_bzero(passwords, sizeof *passwords);
    free(passwords);
}

bool same_secret(const char *a, const char *b)
{
    const size_t length = strlen(a), other = strlen(b);
    unsigned char differs = length != other;

    for (size_t i = 0; i < length; i++)
        differs |= (unsigned char)(a[i] ^ b[other ? i % other : 0]);
    return !differs;
}

enum password_verdict password_check(struct passwords *passwords, const struct sockaddr *address, const char *user,
                                     const char *password)
{
    const uint64_t begun_ns = clock_monotonic_ns();
    struct guest *guest;
    uint64_t ended_ns;
    size_t at = 0;
    bool right;

    /* what is kept of one that was right is the whole of it */
    if (!user || !password || strlen(password) >= PASSWORD_SIZE)
        return PASSWORD_BAD;
    while (at < passwords->user_count && strcmp(passwords->users[at].name, user) != 0)
        at++;
    if (at < passwords->user_count && passwords->known[at][0] && same_secret(password, passwords->known[at]))
        return PASSWORD_GOOD;
    guest = guests_find(&passwords->guests, address, begun_ns);
    if (!guests_may_try(&passwords->guests, guest, begun_ns))
        return PASSWORD_LATER;
    /* for an unknown user, too: otherwise the time would reveal it */
    right = is_right(passwords, password, passwords->users[at < passwords->user_count ? at : 0].hash);
    right = right && at < passwords->user_count;
    ended_ns = clock_monotonic_ns();
    guests_tried(&passwords->guests, guest, right, ended_ns - begun_ns, ended_ns);
    if (!right)
        return PASSWORD_BAD;
    text_copy(passwords->known[at], sizeof passwords->known[at], password);
    return PASSWORD_GOOD;
}
