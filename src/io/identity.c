/* SPDX-License-Identifier: MIT
 * The rule for identities, of what can be one. */
#include "io/identity.h"

#include <string.h>

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

bool identity_is(const char *text)
{
    const size_t length = strspn(text, LETTERS "-_.");

    return length > 0 && length < IDENTITY_SIZE && !text[length] && strspn(text, LETTERS) > 0;
}
