/* SPDX-License-Identifier: MIT
 * What is closed to ordinary users here, and the commands that would open it. None is ever run by carbon. */
#include "commands/sources/grant.h"

#include "base/text.h"
#include "commands/sources/watch.h"
#include "form/shell.h"

#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct option_spec option_grant =
    OPTION(FLAG, "Output", "grant", .cli_only = true, .help = "print the commands that allow other users to measure");

bool grant_check(const struct settings *settings, struct error *err)
{
    const bool watches = settings_flag(settings, &option_watch);

    if (!settings_flag(settings, &option_grant) || (!settings_text(settings, &option_json) && !watches))
        return true;
    error_set(err, ERROR_USAGE, "--grant and %s do not go together", watches ? "--watch" : "--json");
    return error_why(err, "what --grant prints are commands for a shell, to be read once");
}

/* Files of a kind of hwmon chip that root alone may read. */
struct sensor_files {
    char chip[32];
    char pattern[64]; /* "energy*_input" */
};

enum { MAX_SENSORS = 8 };

/* What the files themselves say: who asks makes no difference, so that root learns what others need. */
struct closed {
    bool powercap;  /* counters that root alone may read */
    gid_t group_id; /* the group that may read some already; 0: none */
    struct sensor_files sensors[MAX_SENSORS];
    size_t sensor_count, sensors_left_out;
    bool perf;
    char paranoid[16]; /* kernel.perf_event_paranoid */
    bool paranoid_known;
    bool ipmi;
};

/* For root alone. *group_id: the group that may read it, too. */
static bool is_closed(const struct root *root, const char *path, gid_t *group_id)
{
    struct stat file;

    if (fstatat(root->fd, path, &file, 0) != 0 || file.st_mode & S_IROTH)
        return false;
    if (!(file.st_mode & S_IRGRP) || file.st_gid == 0)
        return true;
    *group_id = file.st_gid;
    return false;
}

static void look_at_counter(const struct root *root, const struct domain *domain, struct closed *closed)
{
    char path[256];

    snprintf(path, sizeof path, "%s/energy_uj", domain->path);
    closed->powercap |= is_closed(root, path, &closed->group_id);
}

/* "sys/class/hwmon/hwmon3/energy1_input": the number of the chip is another after each boot, its name is not. */
static void look_at_sensor(const struct root *root, const struct domain *domain, struct closed *closed)
{
    struct sensor_files files = { .chip = "" };
    const char *chip = strstr(domain->path, "/hwmon/hwmon"),
               *rest = chip ? strchr(chip + strlen("/hwmon/"), '/') : NULL;
    char path[256];
    size_t length = 0;

    if (!rest || !is_closed(root, domain->path, &closed->group_id))
        return;
    snprintf(path, sizeof path, "%.*s/name", (int)(rest - domain->path), domain->path);
    if (!root_read_text(root, path, files.chip, sizeof files.chip, NULL) ||
        files.chip[strspn(files.chip, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")])
        return;
    for (const char *at = rest + 1; *at && length < sizeof files.pattern - 1; at++)
        if (*at < '0' || *at > '9')
            files.pattern[length++] = *at;
        else if (length == 0 || files.pattern[length - 1] != '*')
            files.pattern[length++] = '*';
    for (size_t i = 0; i < closed->sensor_count; i++)
        if (strcmp(closed->sensors[i].chip, files.chip) == 0 && strcmp(closed->sensors[i].pattern, files.pattern) == 0)
            return;
    if (closed->sensor_count < MAX_SENSORS)
        closed->sensors[closed->sensor_count++] = files;
    else
        closed->sensors_left_out++;
}

static bool perf_is_closed(const struct root *root, struct closed *closed)
{
    double paranoid;

    closed->paranoid_known =
        root_read_text(root, "proc/sys/kernel/perf_event_paranoid", closed->paranoid, sizeof closed->paranoid, NULL);
    if (!closed->paranoid_known)
        text_copy(closed->paranoid, sizeof closed->paranoid, "2");
    return text_to_number(closed->paranoid, &paranoid) && paranoid > 0;
}

static struct closed find_closed(const struct sources *sources)
{
    const struct meter *meter = &sources->meter;
    struct closed closed = { .ipmi = root_exists(meter->root, "dev/ipmi0") };
    bool perf = false;

    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        if (domain->access == ACCESS_MSR || domain->access == ACCESS_MMIO)
            look_at_counter(meter->root, domain, &closed);
        else if (domain->access == ACCESS_SENSOR)
            look_at_sensor(meter->root, domain, &closed);
        /* an event that the kernel lists and the processor has not is nobody's */
        perf |= domain->access == ACCESS_PERF && !domain->not_counted[0] &&
                !(domain->problem.kind == ERROR_ABSENT && meter->root->live);
    }
    closed.perf = perf && perf_is_closed(meter->root, &closed);
    return closed;
}

static const char add_user[] = "usermod --append --groups %s \"${SUDO_USER:?put the name of the user here}\"\n";

/* A zone appears when its driver is loaded; what was set on a file in /sys before is gone then. The control type
 * itself has no ':', and no energy_uj. */
static void print_powercap_rule(FILE *out)
{
    fprintf(out, "ACTION!=\"remove\", SUBSYSTEM==\"powercap\", KERNEL==\"intel-rapl*:*\", TEST==\"energy_uj\", \\\n"
                 "  RUN+=\"/bin/chgrp energy /sys%%p/energy_uj\", RUN+=\"/bin/chmod g+r /sys%%p/energy_uj\"\n");
}

static void print_sensor_rule(FILE *out, const struct sensor_files *files)
{
    fprintf(out,
            "ACTION!=\"remove\", SUBSYSTEM==\"hwmon\", ATTR{name}==\"%s\", \\\n"
            "  RUN+=\"/bin/sh -c 'chgrp energy /sys%%p/%s && chmod g+r /sys%%p/%s'\"\n",
            files->chip, files->pattern, files->pattern);
}

static void print_what_opens(FILE *out, const struct sources *sources, const struct closed *closed)
{
    const char *amd = strcmp(sources->machine.cpu_vendor, "AuthenticAMD") == 0 ? " and CVE-2020-12912" : "";

    fprintf(out, "\n# 1. One group may read the counters.\n"
                 "# Opens, for reading, to the members of the group 'energy', also after a boot:\n");
    if (closed->powercap)
        fprintf(out,
                "# - energy_uj of each RAPL zone. For root alone since Linux 5.10 (commit 949dd0104c49):\n"
                "#   CVE-2020-8694 (PLATYPUS)%s.\n",
                amd);
    for (size_t i = 0; i < closed->sensor_count; i++)
        fprintf(out, "# - %s of the hwmon chip '%s'. For root alone by its driver: CVE-2020-12912.\n",
                closed->sensors[i].pattern, closed->sensors[i].chip);
    if (closed->sensors_left_out)
        fprintf(out, "# - %zu more files of further chips, which are not opened here.\n", closed->sensors_left_out);
}

static void print_group(FILE *out, const struct sources *sources, const struct closed *closed)
{
    print_what_opens(out, sources, closed);
    fprintf(out, "groupadd --system --force energy\n"
                 "cat > /etc/udev/rules.d/70-carbon.rules << 'END'\n");
    if (closed->powercap)
        print_powercap_rule(out);
    for (size_t i = 0; i < closed->sensor_count; i++)
        print_sensor_rule(out, &closed->sensors[i]);
    fprintf(out,
            "END\n"
            "udevadm control --reload\n"
            "udevadm trigger%s%s\n",
            closed->powercap ? " --subsystem-match=powercap" : "",
            closed->sensor_count ? " --subsystem-match=hwmon" : "");
    fprintf(out, add_user, "energy");
    fprintf(out, "# The user has it from the next login on.\n"
                 "# Undo:\n"
                 "#rm /etc/udev/rules.d/70-carbon.rules\n"
                 "#udevadm control --reload\n");
    if (closed->powercap)
        fprintf(out, "#chmod 0400 /sys/class/powercap/intel-rapl*:*/energy_uj\n");
    for (size_t i = 0; i < closed->sensor_count; i++)
        fprintf(
            out,
            "#grep -lx %s /sys/class/hwmon/hwmon*/name | while read -r name; do chgrp root \"${name%%name}\"%s; done\n",
            closed->sensors[i].chip, closed->sensors[i].pattern);
    fprintf(out, "#groupdel energy\n");
}

static void print_membership(FILE *out, gid_t group_id)
{
    const struct group *group = getgrgid(group_id);
    char number[32];

    snprintf(number, sizeof number, "%u", group_id);
    fprintf(out, "\n# The members of the group '%s' may read the counters already. To add one:\n",
            group ? group->gr_name : number);
    fprintf(out, add_user, group ? group->gr_name : number);
    fprintf(out, "# The user has it from the next login on.\n");
}

/* The path of this program as a shell takes it. */
static void own_path(struct text *text)
{
    char path[PATH_MAX] = "carbon";
    char *const argv[] = { path, NULL };
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    if (length > 0)
        path[length] = '\0';
    shell_command(argv, text);
}

/* Debian's and Ubuntu's kernels know levels above the kernel's own, at which no capability helps. */
static bool asks_too_much(const struct closed *closed)
{
    double level;

    return text_to_number(closed->paranoid, &level) && level > 2;
}

/* `off` is "#" where another way is active. */
static void print_perf_program(FILE *out, const struct closed *closed, const char *off)
{
    struct text path;

    text_open(&path, 1 << 16);
    own_path(&path);
    if (text_ok(&path)) {
        fprintf(
            out,
            "\n# %s may open perf events (Linux 5.8 or later).\n"
            "# Opens: all perf events, through this program, which opens those of energy alone, to the members of "
            "the\n"
            "# group 'energy'; others cannot run it then. A measured command does not inherit the right.\n"
            "# Closed: kernel.perf_event_paranoid is %s%s.\n"
            "# Events of a whole processor show what all its users do; those of energy, what CVE-2020-8694 (PLATYPUS) "
            "needs.\n"
            "# To be repeated when the file is replaced.\n",
            *off ? "2. Instead of 1: the program" : "1. The program", closed->paranoid,
            closed->paranoid_known ? "" : " unless it has been set");
        fprintf(out, "%sgroupadd --system --force energy\n", off);
        fprintf(out, "%schgrp energy %s\n", off, path.data);
        fprintf(out, "%schmod 0750 %s\n", off, path.data);
        fprintf(out, "%ssetcap cap_perfmon=ep %s\n%s", off, path.data, off);
        fprintf(out, add_user, "energy");
        if (asks_too_much(closed))
            fprintf(
                out,
                "# At %s this kernel refuses capabilities, too; at 2, the kernel's own default, every user may watch "
                "the user's own processes.\n"
                "%secho 'kernel.perf_event_paranoid = 2' > /etc/sysctl.d/70-carbon.conf\n"
                "%ssysctl --load=/etc/sysctl.d/70-carbon.conf\n",
                closed->paranoid, off, off);
        fprintf(out,
                "# The user has it from the next login on.\n"
                "# Undo:\n"
                "#setcap -r %s\n"
                "#chgrp root %s\n"
                "#chmod 0755 %s\n"
                "#groupdel energy\n",
                path.data, path.data, path.data);
        if (asks_too_much(closed))
            fprintf(out, "#rm /etc/sysctl.d/70-carbon.conf\n#sysctl kernel.perf_event_paranoid=%s\n", closed->paranoid);
    }
    text_close(&path);
}

/* Never the active one: it opens most. */
static void print_perf_everybody(FILE *out, const struct closed *closed, int number)
{
    fprintf(out,
            "\n# %d. Instead: every user may open perf events.\n"
            "# Opens: system-wide perf data of all users, energy included, to every user and every service of this "
            "machine.\n"
            "#echo 'kernel.perf_event_paranoid = 0' > /etc/sysctl.d/70-carbon.conf\n"
            "#sysctl --load=/etc/sysctl.d/70-carbon.conf\n"
            "# Undo:\n"
            "#rm /etc/sysctl.d/70-carbon.conf\n"
            "#sysctl kernel.perf_event_paranoid=%s\n",
            number, closed->paranoid);
}

static void print_nothing(FILE *out, const struct sources *sources)
{
    fprintf(out, "# nothing to grant: no energy counter here is closed to ordinary users\n");
    for (size_t i = 0; i < sources->view_count; i++) {
        const struct source_view *view = &sources->views[i];
        if (view->error.kind != ERROR_NONE && view->driver->quality != QUALITY_MODELLED)
            fprintf(out, "# %s: %s%s%s\n", view->driver->name, view->error.what, view->error.why[0] ? ": " : "",
                    view->error.why);
    }
}

void grant_print(const struct sources *sources, FILE *out)
{
    const struct closed closed = find_closed(sources);
    const bool by_group = closed.powercap || closed.sensor_count > 0;
    const bool first_taken = by_group || closed.group_id != 0;

    if (first_taken || closed.perf)
        fprintf(
            out,
            "# Commands that allow other users to measure here. Nothing has been changed. Read them, then "
            "paste them in a\n"
            "# root shell (sudo -s). A remark begins with '# '; a command behind '#' is another way or the way back.\n"
            "# These counters leak computations of other users, keys included: give the right to few, never to all.\n");
    else
        print_nothing(out, sources);
    if (sources->machine.container && (first_taken || closed.perf))
        fprintf(out, "# This is a container: the commands are for its host.\n");
    if (by_group)
        print_group(out, sources, &closed);
    else if (closed.group_id)
        print_membership(out, closed.group_id);
    if (closed.perf) {
        print_perf_program(out, &closed, first_taken ? "#" : "");
        print_perf_everybody(out, &closed, first_taken ? 3 : 2);
    }
    if (closed.ipmi)
        fprintf(
            out,
            "\n# /dev/ipmi0: no rule is offered. Who may open it can also switch the machine off. Root may read the\n"
            "# power that it reports: sudo carbon, or a cron job of root's.\n");
}
