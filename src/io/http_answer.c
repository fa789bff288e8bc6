/* SPDX-License-Identifier: MIT
 * The answer to a request by HTTP. */
#include "io/http_answer.h"

#include <stdlib.h>

void http_close(struct http_answer *answer)
{
    free(answer->body);
    *answer = (struct http_answer){ .status = 0 };
}
