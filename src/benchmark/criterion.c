/* SPDX-License-Identifier: MIT
 * Criterion: target/criterion/NAME/new/estimates.json, {"mean": {"point_estimate"}, "std_dev"} in nanoseconds of one
 * iteration; benchmark.json in the same folder has the name, sample.json the times that were measured. */
#include "benchmark/reader.h"

#include "base/text.h"
#include "base/units.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char estimates_json[] = "estimates.json";

static bool knows(const struct cJSON *document)
{
    return !json_is_null(json_member(json_member(document, "mean"), "point_estimate")) &&
           !json_is_null(json_member(document, "std_dev"));
}

/* A file in the same folder, where it is there and JSON; NULL. */
static struct cJSON *read_sibling(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    struct cJSON *document = NULL;
    struct error ignored;
    struct text other;

    text_open(&other, SIZE_MAX);
    text_add(&other, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
    if (text_ok(&other))
        document = json_read(other.data, &ignored);
    text_close(&other);
    return document;
}

/* "sizes/fib/10" of "target/criterion/sizes/fib/10/new/estimates.json". */
static void name_of_path(const char *path, struct text *name)
{
    static const char above[] = "criterion/", below[] = "/new/estimates.json";
    const char *root = strstr(path, above), *begin = root ? root + strlen(above) : path;
    const char *end = strstr(begin, below);

    text_add(name, "%.*s", (int)(end ? end - begin : (ptrdiff_t)strlen(begin)), begin);
}

static bool read_estimates(const struct cJSON *document, const char *path, struct benchmarks *benchmarks,
                           struct error *err)
{
    struct cJSON *named = read_sibling(path, "benchmark.json"), *sample = read_sibling(path, "sample.json");
    struct benchmark_row *row;
    struct text name;

    text_open(&name, SIZE_MAX);
    if (*json_text_of(named, "full_id"))
        text_add(&name, "%s", json_text_of(named, "full_id"));
    else
        name_of_path(path, &name);
    row = benchmarks_add(benchmarks, text_ok(&name) && name.data ? name.data : "", err);
    if (row) {
        row->s = benchmark_time_of(json_member(document, "mean"), "point_estimate") / NS_PER_S;
        row->deviation_s = json_number_of(json_member(document, "std_dev"), "point_estimate") / NS_PER_S;
        row->total_s = benchmark_sum(json_member(sample, "times")) / NS_PER_S;
    }
    text_close(&name);
    json_close(named);
    json_close(sample);
    return row;
}

/* Not the results before ("base"), nor the pages ("report"); links are not followed, so that there is an end. */
static int is_wanted(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "base") != 0 && strcmp(entry->d_name, "report") != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool read_file(const char *path, struct benchmarks *benchmarks, struct error *err)
{
    struct cJSON *document = json_read(path, err);
    const bool good = document && read_estimates(document, path, benchmarks, err);

    json_close(document);
    return good;
}

static bool read_entry(const char *folder, const char *name, struct benchmarks *benchmarks, struct error *err)
{
    const size_t length = strlen(folder);
    struct stat status;
    struct text path;
    bool good = true;

    text_open(&path, SIZE_MAX);
    text_add(&path, "%s/%s", folder, name);
    if (!text_ok(&path))
        good = error_errno(err, "no memory to read '%s'", folder);
    else if (lstat(path.data, &status) == 0 && S_ISDIR(status.st_mode))
        good = criterion_read_folder(path.data, benchmarks, err);
    else if (strcmp(name, estimates_json) == 0 && length >= 4 && strcmp(folder + length - 4, "/new") == 0)
        good = read_file(path.data, benchmarks, err);
    text_close(&path);
    return good;
}

bool criterion_read_folder(const char *path, struct benchmarks *benchmarks, struct error *err)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, is_wanted, by_name);
    bool good = count >= 0 || error_errno(err, "cannot read '%s'", path);

    for (int i = 0; i < count; i++) {
        good = good && read_entry(path, entries[i]->d_name, benchmarks, err);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return good;
}

const struct benchmark_reader criterion_reader = { "Criterion",
                                                   "cargo bench, which writes target/criterion/NAME/new/estimates.json",
                                                   knows, read_estimates };
