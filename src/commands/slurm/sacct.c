/* SPDX-License-Identifier: MIT
 * Rows of sacct. */
#include "commands/slurm/sacct.h"

#include "base/text.h"
#include "commands/slurm/sacct_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 256 };

enum column {
    COLUMN_ID,
    COLUMN_RAW,
    COLUMN_STATE,
    COLUMN_EXIT,
    COLUMN_SUBMIT,
    COLUMN_START,
    COLUMN_END,
    COLUMN_ELAPSED,
    COLUMN_ELAPSED_TEXT,
    COLUMN_NODES,
    COLUMN_LIST,
    COLUMN_CPUS,
    COLUMN_CPU_TIME,
    COLUMN_MEMORY,
    COLUMN_TRES,
    COLUMN_ENERGY,
    COLUMN_ENERGY_TEXT,
    COLUMN_USAGE,
    COLUMN_PARTITION,
    COLUMN_ACCOUNT,
    COLUMN_CLUSTER,
    COLUMN_NAME,
    COLUMNS,
};
static const char *const column_names[COLUMNS] = {
    "JobID",      "JobIDRaw",          "State",          "ExitCode",       "Submit",    "Start",    "End",
    "ElapsedRaw", "Elapsed",           "NNodes",         "NodeList",       "NCPUS",     "TotalCPU", "MaxRSS",
    "AllocTRES",  "ConsumedEnergyRaw", "ConsumedEnergy", "TRESUsageInTot", "Partition", "Account",  "Cluster",
    "JobName",
};
/* The same under another name. */
static const struct {
    enum column column;
    const char *name;
} other_names[] = { { COLUMN_NODES, "AllocNodes" }, { COLUMN_CPUS, "AllocCPUS" }, { COLUMN_CPUS, "ReqCPUS" } };

struct header {
    int at[COLUMNS]; /* -1: there is none */
    int count;
};

/* Cuts a line at its bars; the last field holds what is left. Returns how many there are. */
static int cut(char *line, int most, char **fields)
{
    int count = 0;

    for (fields[count++] = line; count < most && (line = strchr(line, '|')); fields[count++] = line)
        *line++ = '\0';
    return count;
}

static int find_column(char *const *fields, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(fields[i], name) == 0)
            return i;
    return -1;
}

/* One that was measured, or what it is modelled from. */
static bool tells_energy(const struct header *header)
{
    const int *at = header->at;

    return at[COLUMN_ENERGY] >= 0 || at[COLUMN_ENERGY_TEXT] >= 0 || at[COLUMN_USAGE] >= 0 ||
           (at[COLUMN_CPUS] >= 0 && (at[COLUMN_ELAPSED] >= 0 || at[COLUMN_ELAPSED_TEXT] >= 0));
}

static bool read_header(char *line, const char *path, struct header *header, struct error *err)
{
    char *fields[MOST_COLUMNS];

    header->count = cut(line, MOST_COLUMNS, fields);
    if (strchr(fields[header->count - 1], '|')) {
        error_set(err, ERROR_BAD_DATA, "'%.200s' has more than %d columns", path, MOST_COLUMNS);
        return error_fix(err, "sacct -P --noconvert --duplicates -j JOB --format=" SACCT_FORMAT);
    }
    for (int i = 0; i < COLUMNS; i++)
        header->at[i] = find_column(fields, header->count, column_names[i]);
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++)
        if (header->at[other_names[i].column] < 0)
            header->at[other_names[i].column] = find_column(fields, header->count, other_names[i].name);
    if (header->at[COLUMN_ID] >= 0 && tells_energy(header))
        return true;
    error_set(err, ERROR_BAD_DATA, "'%.200s' has %s", path,
              header->at[COLUMN_ID] < 0 ? "no column 'JobID'" : "no column that tells an energy");
    error_why(err, "it takes ConsumedEnergyRaw, ConsumedEnergy or TRESUsageInTot; or NCPUS and ElapsedRaw or Elapsed");
    return error_fix(err, "sacct -P --noconvert --duplicates -j JOB --format=" SACCT_FORMAT);
}

static double number(const char *text)
{
    double value;

    return text_to_number(text, &value) && value >= 0 ? value : NAN;
}

static void fill(const struct header *header, char *const *fields, struct sacct_row *row)
{
    const enum column energy = header->at[COLUMN_ENERGY] >= 0 ? COLUMN_ENERGY : COLUMN_ENERGY_TEXT;
    const char *text[COLUMNS];
    const char *dot;

    for (int i = 0; i < COLUMNS; i++)
        text[i] = header->at[i] < 0 ? "" : fields[header->at[i]];
    dot = strchr(text[COLUMN_ID], '.');
    *row = (struct sacct_row){
        .id = text[COLUMN_ID],
        .raw = *text[COLUMN_RAW] ? text[COLUMN_RAW] : text[COLUMN_ID],
        .step = dot ? dot + 1 : "",
        .state = text[COLUMN_STATE],
        .exit_code = text[COLUMN_EXIT],
        .submit = text[COLUMN_SUBMIT],
        .node_list = text[COLUMN_LIST],
        .tres = text[COLUMN_TRES],
        .partition = text[COLUMN_PARTITION],
        .account = text[COLUMN_ACCOUNT],
        .cluster = text[COLUMN_CLUSTER],
        .name = text[COLUMN_NAME],
        .start_said = text[COLUMN_START],
        .end_said = text[COLUMN_END],
        .start_s = sacct_time(text[COLUMN_START]),
        .end_s = sacct_time(text[COLUMN_END]),
        .elapsed_s = *text[COLUMN_ELAPSED] ? number(text[COLUMN_ELAPSED]) : sacct_duration(text[COLUMN_ELAPSED_TEXT]),
        .nodes = number(text[COLUMN_NODES]),
        .cpus = number(text[COLUMN_CPUS]),
        .cpu_s = sacct_duration(text[COLUMN_CPU_TIME]),
        .memory_peak_bytes = sacct_bytes(text[COLUMN_MEMORY]),
        .energy_j = sacct_energy(text[energy]),
        .energy_said = text[energy],
    };
    /* in the usage it is rounded, but there since 17.11 */
    if (isnan(row->energy_j) && !*row->energy_said)
        row->energy_j = sacct_tres(text[COLUMN_USAGE], "energy") > 0 ? sacct_tres(text[COLUMN_USAGE], "energy") : NAN;
    if (row->energy_j >= 9e18)
        row->energy_j = NAN;
}

static bool too_few(const char *path, size_t line, const struct header *header, int count, struct error *err)
{
    error_set(err, ERROR_BAD_DATA, "'%.200s' line %zu is malformed", path, line);
    return error_why(err, "it has %d fields, and the header has %d", count, header->count);
}

static bool add_row(struct sacct_list *list, const struct header *header, char *line, size_t number, const char *path,
                    struct error *err)
{
    char *fields[MOST_COLUMNS];
    const int count = cut(line, header->count, fields);
    struct sacct_row *rows;

    if (count < header->count)
        return too_few(path, number, header, count, err);
    rows = realloc(list->rows, (list->count + 1) * sizeof *rows);
    if (!rows)
        return error_errno(err, "no memory to read '%.200s'", path);
    list->rows = rows;
    fill(header, fields, &rows[list->count++]);
    return true;
}

bool sacct_parse(char *text, const char *path, struct sacct_list *list, struct error *err)
{
    struct header header = { .count = 0 };
    size_t number = 0;

    *list = (struct sacct_list){ .text = text };
    for (char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        line[strcspn(line, "\r")] = '\0';
        number++;
        if (!*line || strncmp(line, "sacct: ", 7) == 0 || (!header.count && !strchr(line, '|')))
            continue;
        if (!header.count ? !read_header(line, path, &header, err) : !add_row(list, &header, line, number, path, err))
            return false;
    }
    if (header.count)
        return true;
    error_set(err, ERROR_BAD_DATA, "'%.200s' is no output of sacct", path);
    error_why(err, "it has no line of column names with '|' between them");
    return error_fix(err, "sacct -P --noconvert --duplicates -j JOB --format=" SACCT_FORMAT);
}

void sacct_close(struct sacct_list *list)
{
    free(list->rows);
    free(list->text);
    *list = (struct sacct_list){ .text = NULL };
}

bool sacct_is_job(const struct sacct_row *row)
{
    return !*row->step;
}

bool sacct_is(const struct sacct_row *row, const char *state)
{
    const size_t length = strlen(state);

    return strncmp(row->state, state, length) == 0 && (!row->state[length] || row->state[length] == ' ');
}
