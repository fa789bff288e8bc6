/* SPDX-License-Identifier: MIT
 * Rows of sacct. */
#include "commands/slurm/sacct.h"

#include "base/array.h"
#include "base/text.h"
#include "commands/slurm/sacct_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 256 };

enum sacct_column {
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
    COLUMN_CONTRIBUTION,
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
    enum sacct_column column;
    const char *name;
} other_names[] = { { COLUMN_NODES, "AllocNodes" }, { COLUMN_CPUS, "AllocCPUS" }, { COLUMN_CPUS, "ReqCPUS" } };

struct sacct_header {
    int at[COLUMNS]; /* -1: there is none */
    int count;
    char separator;
};

/* What stands between quotes, as spreadsheets write it, in its own place. Returns where it ends, or the line's end. */
static char *unquote(char *field)
{
    char *to = field;

    for (char *from = field + 1; *from; from++) {
        if (*from == '"' && from[1] != '"') {
            *to = '\0';
            return from + 1;
        }
        from += *from == '"';
        *to++ = *from;
    }
    *to = '\0';
    return to;
}

/* Cuts a line; the last field holds what is left. Returns how many there are, or one more where something stands behind
 * a last one in quotes. */
static int cut(char *line, char separator, int max, char **fields)
{
    for (int count = 1;; count++) {
        const bool quoted = separator != '|' && *line == '"';
        char *end;
        fields[count - 1] = line;
        if (count == max && !quoted)
            return count;
        end = strchr(quoted ? unquote(line) : line, separator);
        if (!end || count == max)
            return count + (end != NULL);
        *end = '\0';
        line = end + 1;
    }
}

/* sacct's own bar, or what a spreadsheet or a script has put in its place; 0: it is no line of column names. */
static char separator_of(const char *line)
{
    static const char separators[] = "|;\t,";

    for (const char *separator = separators; *separator; separator++) {
        const char ends[] = { *separator, '\0' };
        for (const char *field = line; *field; field += *field != '\0') {
            const size_t length = strcspn(field, ends);
            if ((length == 5 && strncmp(field, "JobID", 5) == 0) ||
                (length == 7 && strncmp(field, "\"JobID\"", 7) == 0))
                return *separator;
            field += length;
        }
    }
    return strchr(line, '|') ? '|' : '\0';
}

static int find_column(char *const *fields, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(fields[i], name) == 0)
            return i;
    return -1;
}

/* One that was measured, or what it is modelled from. */
static bool tells_energy(const struct sacct_header *header)
{
    const int *at = header->at;

    return at[COLUMN_ENERGY] >= 0 || at[COLUMN_ENERGY_TEXT] >= 0 || at[COLUMN_USAGE] >= 0 ||
           (at[COLUMN_CPUS] >= 0 && (at[COLUMN_ELAPSED] >= 0 || at[COLUMN_ELAPSED_TEXT] >= 0));
}

static bool read_header(char *line, const char *path, struct sacct_header *header, struct error *err)
{
    char *fields[MAX_COLUMNS];

    header->separator = separator_of(line);
    header->count = cut(line, header->separator, MAX_COLUMNS, fields);
    if (header->count > MAX_COLUMNS || strchr(fields[header->count - 1], header->separator)) {
        error_set(err, ERROR_BAD_DATA, "'%.200s' has more than %d columns", path, MAX_COLUMNS);
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
              header->at[COLUMN_ID] < 0 ? "no column 'JobID'" : "no column with an energy");
    error_why(err, "it takes ConsumedEnergyRaw, ConsumedEnergy or TRESUsageInTot; or NCPUS and ElapsedRaw or Elapsed");
    return error_fix(err, "sacct -P --noconvert --duplicates -j JOB --format=" SACCT_FORMAT);
}

static double number(const char *text)
{
    double value;

    return text_to_number(text, &value) && value >= 0 ? value : NAN;
}

static void fill_row(const struct sacct_header *header, char *const *fields, struct sacct_row *row)
{
    const enum sacct_column energy = header->at[COLUMN_ENERGY] >= 0 ? COLUMN_ENERGY : COLUMN_ENERGY_TEXT;
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
        .account = text[COLUMN_CONTRIBUTION],
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

/* As a German spreadsheet writes numbers: "4,58M", and "123,0" for a step. */
static void put_points(const struct sacct_header *header, char *const *fields)
{
    static const enum sacct_column columns[] = { COLUMN_ID,     COLUMN_RAW,         COLUMN_ELAPSED, COLUMN_CPU_TIME,
                                                 COLUMN_MEMORY, COLUMN_ENERGY_TEXT, COLUMN_ENERGY };

    for (size_t i = 0; i < sizeof columns / sizeof columns[0] && header->separator != ','; i++) {
        char *field = header->at[columns[i]] < 0 ? NULL : fields[header->at[columns[i]]];
        char *comma = field && !strchr(field, '[') ? strchr(field, ',') : NULL;
        if (comma && !strchr(comma + 1, ','))
            *comma = '.';
    }
}

/* A number, or a word that Slurm has in its place; not what belongs into another column. */
static bool can_be_number(const char *text)
{
    return !*text || (*text >= '0' && *text <= '9') || strcmp(text, "Unknown") == 0 || strcmp(text, "None") == 0 ||
           strcmp(text, "INVALID") == 0;
}

static bool can_be_state(const char *text)
{
    return !*text || (*text >= 'A' && *text <= 'Z');
}

/* "123", "123_4.batch", "123+1": digits, and what stands behind them there. */
static bool is_number_of_job(const char *id)
{
    const size_t digits = strspn(id, "0123456789");

    return digits && (!id[digits] || strchr("._+,", id[digits]));
}

/* Why a line cannot be read, whose fields are one too few or stand where others should; NULL: it can. */
static const char *fault_of(const struct sacct_header *header, char *const *fields, int count, bool quoted,
                            char why[128])
{
    static const enum sacct_column numbers[] = { COLUMN_ELAPSED, COLUMN_NODES, COLUMN_CPUS, COLUMN_ENERGY };
    const char *id = count > header->at[COLUMN_ID] ? fields[header->at[COLUMN_ID]] : "";

    if (count < header->count) {
        snprintf(why, 128, "it has %d fields, and the header has %d", count, header->count);
        return why;
    }
    if (count > header->count ||
        (header->at[COLUMN_NAME] != count - 1 && !quoted && strchr(fields[count - 1], header->separator))) {
        snprintf(why, 128, "it has more fields than the header, which has %d", header->count);
        return why;
    }
    if (!is_number_of_job(id)) {
        snprintf(why, 128, "'%.40s' is not a job number", id);
        return why;
    }
    if (header->at[COLUMN_STATE] >= 0 && !can_be_state(fields[header->at[COLUMN_STATE]])) {
        snprintf(why, 128, "column State: '%.40s' is not a state", fields[header->at[COLUMN_STATE]]);
        return why;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const int at = header->at[numbers[i]];
        if (at < 0 || can_be_number(fields[at]) || (numbers[i] == COLUMN_ENERGY && fields[at][0] == '-'))
            continue;
        snprintf(why, 128, "column %s: '%.40s' is not a number", column_names[numbers[i]], fields[at]);
        return why;
    }
    return NULL;
}

static bool add_row(struct sacct_list *list, const struct sacct_header *header, char *line, size_t number,
                    const char *path, struct error *err)
{
    char *fields[MAX_COLUMNS];
    const bool quoted = header->separator != '|' && *line && line[strlen(line) - 1] == '"';
    const int count = cut(line, header->separator, header->count, fields);
    const char *fault;
    struct sacct_row *rows;
    char why[128];

    if (count == header->count && strcmp(fields[header->at[COLUMN_ID]], "JobID") == 0)
        return true; /* the header once more */
    fault = fault_of(header, fields, count, quoted, why);
    if (fault)
        return line_faults_add(&list->faults, number, path, err, "%s", fault);
    put_points(header, fields);
    rows = array_room(list->rows, &list->room, list->count + 1, sizeof *rows);
    if (list->room == list->count)
        return error_errno(err, "no memory to read '%.200s'", path);
    list->rows = rows;
    fill_row(header, fields, &rows[list->count++]);
    return true;
}

bool sacct_parse(char *text, const char *path, struct sacct_list *list, struct error *err)
{
    struct sacct_header header = { .count = 0 };
    size_t number = 0;

    *list = (struct sacct_list){ .text = text };
    for (char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        line[strcspn(line, "\r")] = '\0';
        number++;
        if (!*line || strncmp(line, "sacct: ", 7) == 0 || (!header.count && !separator_of(line)))
            continue;
        if (!header.count ? !read_header(line, path, &header, err) : !add_row(list, &header, line, number, path, err))
            return false;
    }
    if (header.count)
        return list->count || !list->faults.count || line_faults_refuse(&list->faults, path, err);
    error_set(err, ERROR_BAD_DATA, "'%.200s' is not sacct output", path);
    error_why(err, "it has no line of column names with '|' between them");
    return error_fix(err, "sacct -P --noconvert --duplicates -j JOB --format=" SACCT_FORMAT);
}

void sacct_close(struct sacct_list *list)
{
    line_faults_close(&list->faults);
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
