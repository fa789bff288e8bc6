/* SPDX-License-Identifier: MIT
 * carbon --version: the program's version and libraries. */
#ifdef HAVE_CONFIG_H
#include <config.h> /* not the one in this folder */
#endif

#include "app/version.h"

#include "base/shipped.h"

#include <csv.h>

#ifdef CARBON_STATIC
#define LINKAGE " static: with SQLite and zlib for ledgers; nothing over a network, no exporter, no NVIDIA GPUs\n"
#else
#define LINKAGE ""
#endif

#ifdef HAVE_PERFMON_PFMLIB_PERF_EVENT_H
#define LIBPFM4 "built in; opened when a perf event has to be named"
#else
#define LIBPFM4 "not built in; the kernel's own description of perf events is used alone"
#endif

#ifdef HAVE_ELFUTILS_LIBDWFL_H
#define LIBDW "built in; opened when a profile has been taken"
#else
#define LIBDW "not built in; functions of a profile have no names"
#endif

#ifdef LIBPQ_SONAME
#define LIBPQ "built in; opened for a ledger on a server"
#else
#define LIBPQ "not built in; a ledger is a file"
#endif

const char *version_number(void)
{
    return PACKAGE_VERSION;
}

void version_write(FILE *out)
{
    const char *index_problem;
    char path[4096];
    struct error err;

    fputs("carbon " PACKAGE_VERSION "\n", out);
    fprintf(out,
            " with: cJSON " CJSON_VERSION ", inih " INIH_VERSION ", libcsv %d.%d.%d, libyaml " YAML_VERSION
            ", GSL " GSL_VERSION ", libmd " MD_VERSION "\n",
            CSV_MAJOR, CSV_MINOR, CSV_RELEASE);
    fputs(LINKAGE " libpfm4: " LIBPFM4 "\n", out);
    fputs(" libdw: " LIBDW "\n", out);
    fputs(" libpq: " LIBPQ "\n", out);
    index_problem = shipped_index_problem("zones.csv");
    fprintf(out, " tables: %s%s\n", index_problem ? "parsed at each start: " : "read by their index",
            index_problem ? index_problem : "");
    if (data_path("emission_factors", path, sizeof path, &err))
        fprintf(out, " data: %s\n", path);
    else
        fprintf(out, " data: %s: %s\n", err.what, err.why);
}
