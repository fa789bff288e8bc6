/* SPDX-License-Identifier: MIT
 * carbon record: writes this machine down, so that it can be a test elsewhere. */
#include "app/options/command.h"

#include "app/terminal.h"
#include "app/version.h"
#include "app/work_folders.h"
#include "base/auto.h"
#include "base/c_locale.h"
#include "base/machine.h"
#include "base/text.h"
#include "commands/sources/capture_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { NOTES_CEILING = 1 << 20 };

/* The directory to write to, which must be new or empty; -1: the error is in err. */
static int open_target(const char *path, struct error *err)
{
    int fd;

    if (mkdir(path, 0777) < 0 && errno != EEXIST) {
        error_errno(err, "cannot make the directory '%s'", path);
        return -1;
    }
    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        error_errno(err, "cannot write to '%s'", path);
        error_fix_instead(err, "carbon record my-machine");
        return -1;
    }
    if (folder_is_empty(path))
        return fd;
    close(fd);
    error_set(err, ERROR_USAGE, "the directory '%s' is not empty", path);
    error_fix_instead(err, "carbon record my-machine");
    return -1;
}

static void problem_text(const struct record_problem *problem, char *out, size_t size)
{
    if (problem->error == 0)
        snprintf(out, size, "EACCES for an ordinary user");
    else if (problem->error == EACCES || problem->error == EPERM)
        snprintf(out, size, "EACCES for the user who recorded it (empty here)");
    else
        snprintf(out, size, "read gives '%s' (the file is on the real machine, left out here)",
                 c_strerror(problem->error));
}

static bool write_modes(const struct record *record, struct error *err)
{
    char reason[160];
    struct text text;
    bool written;

    if (!record->problem_count)
        return true;
    text_open(&text, NOTES_CEILING);
    text_add(&text, "# path\tmode\towner\twhat open or read must give\n");
    for (size_t i = 0; i < record->problem_count; i++) {
        const struct record_problem *problem = &record->problems[i];

        problem_text(problem, reason, sizeof reason);
        text_add(&text, "%s\t%04o\t%s:%s\t%s\n", problem->path, problem->mode, problem->root_user ? "root" : "nobody",
                 problem->root_group ? "root" : "nogroup", reason);
    }
    written = text_ok(&text) && record_write(record, "modes.tsv", text.data, text.length, err);
    text_close(&text);
    return written;
}

static bool write_notes(const struct record *record, struct error *err)
{
    struct machine machine;
    struct text text;
    bool written;

    machine_read(&machine, record->root);
    text_open(&text, NOTES_CEILING);
    text_add(&text, "# Recorded machine\n\n- CPU: %s (family %d model %d stepping %d), %d CPUs, %d packages\n",
             machine.cpu_model[0] ? machine.cpu_model : "unknown", machine.cpu_family, machine.cpu_number,
             machine.cpu_stepping, machine.cpus_online, machine.packages);
    text_add(&text, "- guest: %s%s%s; container: %s\n", machine.guest ? "yes" : "no", machine.hypervisor[0] ? ", " : "",
             machine.hypervisor, machine.container ? "yes" : "no");
    text_add(&text, "- origin: carbon record, carbon %s\n\n## Recorded, as read at one moment\n", version_number());
    for (size_t i = 0; i < record->group_count; i++)
        text_add(&text, "- %s: %zu files\n", record->groups[i].name, record->groups[i].files);
    text_add(
        &text,
        "\n## Cut down to the parts that carbon reads\n- proc/cpuinfo, proc/meminfo, proc/stat, proc/self/mountinfo; "
        "in proc/self/cgroup every name is 'x' that is not an engine's\n");
    text_add(&text, "\n## Not as an ordinary file\n- %s\n",
             record->problem_count ? "see modes.tsv" : "nothing; all could be read by any user");
    written = text_ok(&text) && record_write(record, "MACHINE.md", text.data, text.length, err);
    text_close(&text);
    return written;
}

static void print_summary(const struct record *record, const char *target)
{
    bool closed = false;

    printf("recorded in '%s':\n", target);
    for (size_t i = 0; i < record->group_count; i++)
        printf(" %-24s %4zu files\n", record->groups[i].name, record->groups[i].files);
    if (record->unreadable)
        printf("\ncould not be read:\n");
    for (size_t i = 0; i < record->problem_count; i++) {
        const struct record_problem *problem = &record->problems[i];
        char typed[512];

        if (!problem->error)
            continue;
        closed = closed || problem->error == EACCES || problem->error == EPERM;
        root_typed_path(record->root, problem->path, typed, sizeof typed);
        printf(" %s: %s\n", typed, c_strerror(problem->error));
    }
    if (closed)
        printf("\nTheir places in the record are closed as well, and noted in modes.tsv; 'chmod -R u+r %s' opens them\n"
               "for packing. 'sudo carbon record' would read them.\n",
               target);
    printf("\nNo serial number and no name of a host, user or container was taken. Have a look before you send it.\n"
           "'carbon sources --root %s' shows what carbon makes of it.\n",
           target);
}

static bool record_machine(struct record *record, const char *target, struct error *err)
{
    AUTO_CLOSE int fd = open_target(target, err);

    record->fd = fd;
    return fd >= 0 && record_copy(record, err) && write_modes(record, err) && write_notes(record, err);
}

static int run_record(const struct command_line *line)
{
    const char *target = line->operands[0];
    struct record record = { .fd = -1 };
    struct root root;
    struct error err;
    bool recorded;

    if (!root_open(&root, settings_text(&line->settings, &option_root), &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    record.root = &root;
    recorded = record_machine(&record, target, &err);
    if (recorded)
        print_summary(&record, target);
    root_close(&root);
    record_close(&record);
    return recorded ? 0 : terminal_fail(&err, STATUS_CARBON_FAILED);
}

const struct command cmd_record = {
    .name = "record",
    .purpose = "write down this machine, so that it can be a test elsewhere",
    .synopsis = "[options] directory",
    .options = OPTIONS(&option_root, HELP_OPTIONS),
    .examples = EXAMPLES("carbon record my-machine", "tar -caf my-machine.tar.xz my-machine"),
    .run = run_record,
    .prints_page = true,
    OPERANDS(1, 1, OPERAND_FILE),
    .file_use = FILE_FOLDER,
    .about = "Write what carbon reads of this machine into a new directory, to be sent with a report of a fault. It "
             "holds no serial numbers and no names of hosts, users or containers.",
};
