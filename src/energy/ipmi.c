/* SPDX-License-Identifier: MIT
 * The whole machine as measured by its board's controller (BMC): the power reading of DCMI, × time. ipmitool or
 * freeipmi's ipmi-dcmi reads the BMC, in a separate process. */
#include "base/clock.h"
#include "base/units.h"
#include "energy/asked.h"
#include "energy/dcmi_text.h"
#include "energy/domains.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A longer period is that of statistics since the BMC was started. */
#define LONGEST_PERIOD_NS (60 * NS_PER_S_INT)
#define DCMI_RESOLUTION_UJ UINT64_C(1000000) /* 1 W, updated once a second */
#define DCMI_PATIENCE_NS (10 * NS_PER_S_INT)

/* RESTS: a BMC is busy for as long as it answers. */
enum { WORDS_MAX = 4, PROGRAM_PATH_SIZE = 512, RESTS = 5, MAX_BYTES = 4095 };

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
    struct asked asked;
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

/* 0 W, a BMC that does not measure, or a text that is not a power. */
static bool no_sense(const struct ipmi *ipmi, const struct poller_answer *answer, struct error *err)
{
    if (answer->error == ERANGE && answer->value == 0 && answer->inactive) {
        error_set(err, ERROR_ABSENT, "the BMC does not measure power");
        error_notice(err, NOTICE_ZERO_POWER);
        error_why(err, "it says 0 W, and that its measurement is deactivated");
        return error_fix(err, "switch power monitoring on in the BMC's own settings, where it has that");
    }
    if (answer->error == ERANGE && answer->value == 0) {
        error_set(err, ERROR_BAD_DATA, "the BMC says 0 W");
        error_notice(err, NOTICE_ZERO_POWER);
        return error_why(err, "a running machine cannot use nothing");
    }
    error_set(err, ERROR_BAD_DATA, "the BMC's power reading makes no sense");
    return error_why(err, "%s says: %s", ipmi->program->words[0], answer->words);
}

/* Why there is no power to be had. */
static bool fail_with_answer(const struct ipmi *ipmi, const struct root *root, const struct machine *machine,
                             const struct poller_answer *answer, struct error *err)
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
    error_set(err, ERROR_ABSENT, "the BMC reports no power (DCMI)");
    return error_why(err, "%s says: %s", ipmi->program->words[0], answer->words[0] ? answer->words : "nothing");
}

static void put(void *context)
{
    const struct ipmi *ipmi = context;
    char *argv[WORDS_MAX + 1] = { (char *)ipmi->path };

    for (size_t i = 1; i < WORDS_MAX; i++)
        argv[i] = (char *)ipmi->program->words[i];
    execv(argv[0], argv);
}

/* What the programs print says more than their status. */
static int understand(const void *context, int status, const char *text, struct poller_answer *answer)
{
    struct dcmi_power power;
    const int number = dcmi_text_power(text, &power);

    (void)context, (void)status;
    answer->value = (double)power.power_w;
    answer->step = 1;
    answer->period_ns = power.period_ns;
    answer->inactive = power.inactive;
    return number;
}

static void ipmi_read(struct energy_source *source, struct reading *readings)
{
    struct ipmi *ipmi = source->state;

    asked_read(&ipmi->asked, readings);
}

static bool publish(struct energy_source *source, const struct poller_answer *answer, struct error *err)
{
    const struct ipmi *ipmi = source->state;
    const uint64_t period_ns = answer->period_ns;
    struct domain *domain = source->domains = calloc(1, sizeof *domain);

    if (!domain)
        return error_errno(err, "cannot keep a domain");
    source->domain_count = 1;
    *domain = sensor_domain(QUALITY_MEASURED);
    domain->component = COMPONENT_MACHINE;
    domain->resolution_uj = DCMI_RESOLUTION_UJ;
    domain->update_ns = period_ns > NS_PER_S_INT && period_ns <= LONGEST_PERIOD_NS ? period_ns : NS_PER_S_INT;
    domain->poll_ns = poller_cadence_ns(&ipmi->asked.question, answer->took_ns);
    domain_name(domain);
    snprintf(domain->path, sizeof domain->path, "%s", ipmi->program->typed);
    if (answer->inactive)
        notice_add(&source->notices, NOTICE_STALE, "some BMCs report this but measure; others report an old value",
                   "compare with another meter", "the BMC reports that it does not measure power, but also %.0f W",
                   answer->value);
    return true;
}

static bool ipmi_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                      struct error *err)
{
    struct ipmi *ipmi = source->state = calloc(1, sizeof *ipmi);
    struct poller_answer answer;

    if (!ipmi)
        return error_errno(err, "cannot open ipmi");
    if (!root->live)
        return error_set(err, ERROR_ABSENT, "recorded: a BMC answers only on the machine itself");
    if (!find_program(ipmi))
        return find_device(root) ? no_program(err) : no_device(machine, err);
    ipmi->asked = (struct asked){
        .question = { .put = put,
                      .understand = understand,
                      .context = ipmi,
                      .every_ns = NS_PER_S_INT,
                      .patience_ns = DCMI_PATIENCE_NS,
                      .rests = RESTS,
                      .max_bytes = MAX_BYTES },
        .micro = UJ_PER_J,
        .patience_ns = DCMI_PATIENCE_NS + NS_PER_S_INT,
    };
    if (!asked_start(&ipmi->asked, err))
        return false;
    answer = asked_first(&ipmi->asked, clock_monotonic_ns() + DCMI_PATIENCE_NS + NS_PER_S_INT);
    if (answer.error)
        return fail_with_answer(ipmi, root, machine, &answer, err);
    return publish(source, &answer, err);
}

static void ipmi_close(struct energy_source *source)
{
    struct ipmi *ipmi = source->state;

    if (ipmi)
        asked_stop(&ipmi->asked);
    domains_release(source);
}

ENERGY_DRIVER(ipmi, "power of the whole machine, from its BMC (IPMI DCMI)", .quality = QUALITY_MEASURED,
              .whole_machine_only = true, .one_process = true);
