/* SPDX-License-Identifier: MIT
 * A run of a performance indicator as Amun leaves it: DIR/results/<i>/{result,hwinfo,log}. */
#include "commands/indicator/indicator_fields.h"

#include "base/auto.h"
#include "commands/indicator/indicator_hwinfo.h"
#include "commands/indicator/scan_read.h"
#include "form/output.h"
#include "io/arena.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#define THIS_MACHINE "/"

enum { PATH_SIZE = 4096 };

static bool make_folder(const char *path, struct error *err)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    return error_errno(err, "cannot make the folder '%s'", path);
}

bool indicator_amun_folder(const char *folder, const char *name, char *path, size_t size, struct error *err)
{
    if (snprintf(path, size, "%s/%s", folder, name) >= (int)size - 64)
        return error_set(err, ERROR_USAGE, "the path of the folder is too long");
    return make_folder(folder, err) && make_folder(path, err);
}

static bool make_folders(const char *folder, size_t i, char path[PATH_SIZE], struct error *err)
{
    if (!indicator_amun_folder(folder, "results", path, PATH_SIZE, err))
        return false;
    snprintf(path, PATH_SIZE, "%s/results/%zu", folder, i);
    return make_folder(path, err);
}

/* As Python does it: sorted, indented by two. */
static bool write_sorted(struct tree *tree, FILE *out, struct error *err)
{
    static const struct span_form form = { .keeps_nan = false };
    AUTO_FREE char *text = tree_string_line(tree, "the report", err);
    struct scan scan = { .text = NULL };
    struct fault fault;
    bool good;

    if (!text)
        return false;
    good = scan_read(text, strlen(text), &scan, &fault);
    if (good)
        spans_write_sorted(&scan, 0, &form, out);
    else
        *err = fault.error;
    scan_close(&scan);
    return good && (!ferror(out) || error_errno(err, "cannot write the report"));
}

/* The object, the text where it is none, {} where there is nothing. */
static bool add_stdout(struct tree_node root, const struct indicator_report *report, size_t i, struct error *err)
{
    const struct indicator_run *run = &report->runs[i];
    AUTO_FREE char *object = NULL;

    if (run->fault.kind != FAULT_NONE) {
        if (run->fault.kind == FAULT_EMPTY || !run->text)
            tree_object(root, "stdout");
        else
            tree_text(root, "stdout", run->text);
        return true;
    }
    object = indicator_text(report, i, true, true, err);
    if (object)
        tree_json(root, "stdout", object);
    return object != NULL;
}

static bool write_result(const struct indicator_report *report, size_t i, const struct utsname *host, FILE *out,
                         struct error *err)
{
    const struct indicator_added added = indicator_added_of(report, i);
    struct arena keys = { .blocks = NULL };
    char start[INDICATOR_TIME_SIZE], end[INDICATOR_TIME_SIZE];
    struct tree tree;
    struct tree_node root;
    bool good;

    tree_open(&tree);
    root = tree_root(&tree);
    indicator_times(report, i, start, end);
    tree_text(root, "datetime", end); /* for readers of reports from before there were two */
    hwinfo_add(tree_object(root, "hwinfo"), THIS_MACHINE, host);
    hwinfo_add_system(root, THIS_MACHINE, &keys);
    tree_text(root, "hostname", host->nodename);
    tree_text(root, "stderr", report->runs[i].said ? report->runs[i].said : "");
    fields_json(root, &indicator_added_fields, &added);
    good = add_stdout(root, report, i, err);
    if (good)
        good = write_sorted(&tree, out, err);
    else
        tree_close(&tree);
    arena_close(&keys);
    return good;
}

static bool write_hwinfo(const struct utsname *host, FILE *out, struct error *err)
{
    struct tree tree;

    tree_open(&tree);
    hwinfo_add(tree_root(&tree), THIS_MACHINE, host);
    return write_sorted(&tree, out, err);
}

bool indicator_amun(const struct indicator_report *report, size_t i, const char *folder, struct error *err)
{
    struct output result = { .file = NULL }, hwinfo = { .file = NULL }, log = { .file = NULL };
    struct utsname host = { .sysname = "" };
    char path[PATH_SIZE];

    if (!make_folders(folder, i, path, err))
        return false;
    IGNORED(uname(&host), "its names are empty then");
    if (!output_open_in(&result, path, "result", err) ||
        !output_end(&result, write_result(report, i, &host, result.file, err), err) ||
        !output_open_in(&hwinfo, path, "hwinfo", err) ||
        !output_end(&hwinfo, write_hwinfo(&host, hwinfo.file, err), err) || !output_open_in(&log, path, "log", err))
        return false;
    fputs(report->runs[i].said ? report->runs[i].said : "", log.file);
    return output_end(&log, !ferror(log.file), err);
}
