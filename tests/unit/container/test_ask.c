/* SPDX-License-Identifier: MIT
 * An engine that does not answer is not waited for once carbon has been told to end. */
#include "container/ask.h"

#include "unit.h"

#include "base/clock.h"
#include "base/units.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

START_TEST(a_signal_ends_the_waiting)
{
    char folder[] = "/tmp/carbon-ask.XXXXXX";
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    struct engine engine = { .kind = ENGINE_DOCKER };
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const uint64_t begun_ns = clock_monotonic_ns();
    struct engine_answer answer;
    struct error err;
    struct text path;
    sigset_t term;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(engine.socket, sizeof engine.socket, "%s/s", folder);
    strcpy(address.sun_path, engine.socket);
    ck_assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 4) == 0);
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, NULL);
    raise(SIGTERM);
    text_open(&path, 100);
    text_add(&path, "/info");
    ck_assert(!engine_ask(&engine, "POST", &path, NULL, &answer, &err));
    ck_assert_str_eq(err.why, "it was interrupted");
    ck_assert(clock_monotonic_ns() - begun_ns < WORK_PATIENCE_S * NS_PER_S_INT / 2);
    answer_close(&answer);
    close(fd);
    unlink(engine.socket);
    rmdir(folder);
}
END_TEST

UNIT_SUITE("ask", a_signal_ends_the_waiting)
