/* SPDX-License-Identifier: MIT
 * Whether a client has shown a certificate that the authorities in use have signed. */
#ifndef COMMANDS_SERVE_PEER_CERTIFICATE_H
#define COMMANDS_SERVE_PEER_CERTIFICATE_H

#include "base/error.h"

#include <gnutls/gnutls.h>

struct peer_library {
    __typeof__(gnutls_certificate_verify_peers2) *verify;
    __typeof__(gnutls_certificate_get_peers) *peers;
};

bool peer_library_open(struct peer_library *library, struct error *err) MUST_CHECK;

enum peer_verdict { PEER_NONE, PEER_GOOD, PEER_BAD };

enum peer_verdict peer_verdict_of(const struct peer_library *library, void *session);

#endif
