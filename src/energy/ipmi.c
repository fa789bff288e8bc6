/* SPDX-License-Identifier: MIT
 * The whole machine as its board's controller (BMC) sees it: the power reading of DCMI, × time. The BMC is asked by
 * ipmitool or by freeipmi's ipmi-dcmi, in a process beside this one. */
#include "base/clock.h"
#include "base/units.h"
#include "energy/dcmi_poller.h"
#include "energy/domains.h"
#include "energy/gauge.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A longer period is that of statistics since the BMC was started. */
#define LONGEST_PERIOD_NS (60 * NS_PER_S_INT)
#define DCMI_RESOLUTION_UJ UINT64_C(1000000) /* 1 W, told once a second */

enum { WORDS_MAX = 4, PROGRAM_PATH_SIZE = 512 };

static const struct program {
    const char *typed, *words[WORDS_MAX];
} programs[] = {
    { "ipmitool dcmi power reading", { "ipmitool", "dcmi", "power", "reading" } },
    { "ipmi-dcmi --get-system-power-statistics", { "ipmi-dcmi", "--get-system-power-statistics" } },
};

static const char *const devices[] = { "dev/ipmi0", "dev/ipmi/0", "dev/ipmidev/0" };

struct ipmi {
    const struct program *program;
    char path[PROGRAM_PATH_SIZE];
    struct dcmi_poller poller;
    struct gauge gauge;
    int error;        /* of the last answer */
    uint64_t told_uj; /* never told less than this */
};

/* In the folders of PATH, then in those for the administrator, which an ordinary user's PATH may lack. */
static bool find_in(const char *folders, const char *name, char path[PROGRAM_PATH_SIZE])
{
    while (folders && *folders) {
        const int length = (int)strcspn(folders, ":");
        if (*folders == '/' &&
            snprintf(path, PROGRAM_PATH_SIZE, "%.*s/%s", length, folders, name) < PROGRAM_PATH_SIZE &&
            access(path, X_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

static bool find_program(struct ipmi *ipmi)
{
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (find_in(getenv("PATH"), programs[i].words[0], ipmi->path) ||
            find_in("/usr/sbin:/sbin:/usr/local/sbin", programs[i].words[0], ipmi->path)) {
            ipmi->program = &programs[i];
            return true;
        }
    return false;
}

static const char *find_device(const struct root *root)
{
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        if (root_exists(root, devices[i]))
            return devices[i];
    return NULL;
}

static bool no_device(const struct machine *machine, struct error *err)
{
    error_set(err, ERROR_ABSENT, "no board controller (BMC)");
    error_why(err, "there is none of /dev/ipmi0, /dev/ipmi/0 and /dev/ipmidev/0%s",
              machine->guest ? "; a virtual machine has none" : "");
    return machine->guest ? false
                          : error_fix(err, "'modprobe ipmi_si' and 'modprobe ipmi_devintf' make one on a server");
}

static bool no_program(struct error *err)
{
    error_set(err, ERROR_ABSENT, "neither ipmitool nor ipmi-dcmi is on PATH");
    error_why(err, "carbon asks the board's controller (BMC) through one of them");
    return error_fix(err, "install ipmitool, or ipmi-dcmi of freeipmi (Debian: freeipmi-tools)");
}

/* 0 W, a BMC that does not measure, or a text that is no power. */
static bool no_sense(const struct ipmi *ipmi, const struct dcmi_answer *answer, struct error *err)
{
    if (answer->error == ERANGE && answer->power.power_w == 0 && answer->power.inactive) {
        error_set(err, ERROR_ABSENT, "the BMC does not measure power");
        error_why(err, "it says 0 W, and that its measurement is deactivated");
        return error_fix(err, "switch power monitoring on in the BMC's own settings, where it has that");
    }
    if (answer->error == ERANGE && answer->power.power_w == 0) {
        error_set(err, ERROR_BAD_DATA, "the BMC says 0 W");
        return error_why(err, "a running machine cannot use nothing");
    }
    error_set(err, ERROR_BAD_DATA, "the BMC's power reading makes no sense");
    return error_why(err, "%s says: %s", ipmi->program->words[0], answer->words);
}

/* Why there is no power to be had. */
static bool refuse(const struct ipmi *ipmi, const struct root *root, const struct machine *machine,
                   const struct dcmi_answer *answer, struct error *err)
{
    const char *device = find_device(root);

    if (answer->error == EBADMSG || answer->error == ERANGE)
        return no_sense(ipmi, answer, err);
    if (answer->error == ETIMEDOUT) {
        error_set(err, ERROR_SYSTEM, "'%s' gave no answer in %.0f s", ipmi->program->typed,
                  s_from_ns(DCMI_PATIENCE_NS));
        return error_why(err, "the BMC is busy, or hangs");
    }
    if (answer->error != ENODATA) {
        errno = answer->error;
        return error_errno(err, "cannot run '%s'", ipmi->program->typed);
    }
    if (!device)
        return no_device(machine, err);
    if (faccessat(root->fd, device, R_OK | W_OK, AT_EACCESS) < 0 || strstr(answer->words, "ermission denied")) {
        error_set(err, ERROR_DENIED, "cannot use '/%s'", device);
        error_why(err, "permission denied; who may talk to the BMC may also switch the machine off");
        return error_fix(err, "run carbon as root, and leave the device to root");
    }
    error_set(err, ERROR_ABSENT, "the BMC tells no power (DCMI)");
    return error_why(err, "%s says: %s", ipmi->program->words[0], answer->words[0] ? answer->words : "nothing");
}

static void take(struct ipmi *ipmi, const struct dcmi_answer *answer, struct reading *reading)
{
    ipmi->error = answer->error;
    if (answer->error) {
        ipmi->gauge.running = false;
        return;
    }
    if (!ipmi->gauge.running)
        ipmi->gauge.energy_uj = (double)ipmi->told_uj; /* what was told provisionally stays told */
    gauge_add(&ipmi->gauge, answer->time_ns, (double)answer->power.power_w * UJ_PER_J, reading);
}

/* Between two answers the last power holds. */
static void ipmi_read(struct energy_source *source, struct reading *readings)
{
    struct ipmi *ipmi = source->state;
    struct gauge *gauge = &ipmi->gauge;
    struct dcmi_answer answer;
    double energy_uj;
    int got;

    while ((got = dcmi_poller_take(&ipmi->poller, 0, &answer)) == 0)
        take(ipmi, &answer, readings);
    if (got != EAGAIN)
        ipmi->error = got;
    readings->error = ipmi->error;
    if (ipmi->error)
        return;
    energy_uj = gauge->energy_uj + gauge->last_uw * s_from_ns(clock_monotonic_ns() - gauge->last_ns);
    if (energy_uj > (double)ipmi->told_uj)
        ipmi->told_uj = (uint64_t)energy_uj;
    readings->energy_uj = ipmi->told_uj;
    readings->still = !gauge->moved;
}

static bool publish(struct energy_source *source, const struct dcmi_answer *answer, struct error *err)
{
    const struct ipmi *ipmi = source->state;
    const uint64_t period_ns = answer->power.period_ns;
    struct domain *domain = source->domains = calloc(1, sizeof *domain);

    if (!domain)
        return error_errno(err, "cannot keep a domain");
    source->domain_count = 1;
    *domain = sensor_domain(QUALITY_MEASURED);
    domain->component = COMPONENT_MACHINE;
    domain->resolution_uj = DCMI_RESOLUTION_UJ;
    domain->update_ns = period_ns > NS_PER_S_INT && period_ns <= LONGEST_PERIOD_NS ? period_ns : NS_PER_S_INT;
    domain->poll_ns = dcmi_cadence_ns(answer->took_ns);
    domain_name(domain);
    snprintf(domain->path, sizeof domain->path, "%s", ipmi->program->typed);
    if (answer->power.inactive)
        notice_add(&source->notices, "some BMCs say so and measure all the same; others tell an old value",
                   "compare with another meter", "the BMC says that it does not measure power, and tells %llu W",
                   (unsigned long long)answer->power.power_w);
    return true;
}

static bool ipmi_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                      struct error *err)
{
    struct ipmi *ipmi = source->state = calloc(1, sizeof *ipmi);
    char *argv[WORDS_MAX + 1] = { NULL };
    struct reading ignored = { .error = 0 };
    struct dcmi_answer answer;
    int got;

    if (!ipmi)
        return error_errno(err, "cannot open ipmi");
    ipmi->gauge = GAUGE_NONE;
    if (!root->live)
        return error_set(err, ERROR_ABSENT, "recorded: a BMC answers only on the machine itself");
    if (!find_program(ipmi))
        return find_device(root) ? no_program(err) : no_device(machine, err);
    for (size_t i = 0; i < WORDS_MAX; i++)
        argv[i] = (char *)ipmi->program->words[i];
    argv[0] = ipmi->path;
    if (!dcmi_poller_start(&ipmi->poller, argv, err))
        return false;
    got = dcmi_poller_take(&ipmi->poller, clock_monotonic_ns() + DCMI_PATIENCE_NS + NS_PER_S_INT, &answer);
    if (got)
        answer = (struct dcmi_answer){ .error = got == EAGAIN ? ETIMEDOUT : got };
    if (answer.error)
        return refuse(ipmi, root, machine, &answer, err);
    take(ipmi, &answer, &ignored);
    return publish(source, &answer, err);
}

static void ipmi_close(struct energy_source *source)
{
    struct ipmi *ipmi = source->state;

    if (ipmi)
        dcmi_poller_stop(&ipmi->poller);
    domains_release(source);
}

const struct energy_driver ipmi_driver = {
    .name = "ipmi",
    .about = "the power of the whole machine, as its board's controller (BMC) tells it",
    .quality = QUALITY_MEASURED,
    .whole_machine_only = true,
    .one_process = true,
    .open = ipmi_open,
    .read = ipmi_read,
    .close = ipmi_close,
};
