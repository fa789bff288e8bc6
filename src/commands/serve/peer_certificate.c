/* SPDX-License-Identifier: MIT
 * GnuTLS, which libmicrohttpd has opened by then. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "commands/serve/peer_certificate.h"

#include "base/library.h"

bool peer_library_open(struct peer_library *library, struct error *err)
{
    static const char *const files[] = { GNUTLS_SONAME, NULL };
    const struct library_function wanted[] = {
        { "gnutls_certificate_verify_peers2", &library->verify },
        { "gnutls_certificate_get_peers", &library->peers },
    };

    return library_need(files, wanted, 2, "no certificates of clients can be checked",
                        "install it (Debian: libgnutls30), or leave client_auth_type out", err);
}

enum peer_verdict peer_verdict_of(const struct peer_library *library, void *session)
{
    unsigned count = 0, status = 0;

    if (!session || !library->peers(session, &count) || !count)
        return PEER_NONE;
    return library->verify(session, &status) == 0 && status == 0 ? PEER_GOOD : PEER_BAD;
}
