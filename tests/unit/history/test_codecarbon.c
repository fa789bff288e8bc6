/* SPDX-License-Identifier: MIT
 * CodeCarbon's tables of every generation, and its log: what is read, what is refused, what belongs together. */
#include "unit.h"

#include "output_folder.h"

#include "base/text.h"
#include "base/units.h"
#include "commands/history/imported.h"
#include "io/json_read.h"
#include "ledger/account.h"
#include "ledger/ledger.h"

#define HEAD_1                                                                                                         \
    "timestamp,experiment_id,project_name,duration,emissions,energy_consumed,country_name,country_iso_code,region,"    \
    "on_cloud,cloud_provider,cloud_region\n"
#define HEAD_12                                                                                                        \
    "timestamp,project_name,duration,emissions,energy_consumed,country_name,country_iso_code,region,on_cloud,"         \
    "cloud_provider,cloud_region\n"
#define HEAD_2(A, B, C)                                                                                                \
    "timestamp,project_name,run_id," A "duration,emissions,emissions_rate,cpu_power,gpu_power,ram_power,cpu_energy,"   \
    "gpu_energy,ram_energy,energy_consumed,country_name,country_iso_code,region,cloud_provider,cloud_region,os,"       \
    "python_version," B "cpu_count,cpu_model,gpu_count,gpu_model,longitude,latitude,ram_total_size,tracking_mode,"     \
    "on_cloud" C "\n"
#define HEAD_20 HEAD_2("", "", "")
#define HEAD_21 HEAD_2("", "codecarbon_version,", "")
#define HEAD_23 HEAD_2("", "codecarbon_version,", ",pue")
#define HEAD_26 HEAD_2("experiment_id,", "codecarbon_version,", ",pue")
#define TAIL_20 "0.001,0.5,10,20,5,0.001,0.002,0.0005,0.0035,France,FRA,,,,Linux,3.9,"
#define TAIL_21 "8,\"a CPU, of \"\"A\"\"\",,,,,16,machine,N"
#define ROW_20 "2022-03-12T10:00:10,p,r1,2," TAIL_20 TAIL_21
#define ROW_21 "2022-03-12T10:00:10,p,r1,2," TAIL_20 "2.1.4," TAIL_21
#define ROW_23 "2023-08-01T10:00:10,p,r1,2," TAIL_20 "2.3.1," TAIL_21 ",1.25"
#define ROW_26 "2024-08-01T10:00:10,p,r1,e1,2," TAIL_20 "2.6.0," TAIL_21 ",1.25"

static struct codecarbon_file file;

static void opens(const char *table)
{
    struct error err;

    ck_assert_msg(codecarbon_read(table, "emissions.csv", &file, &err), "%s: %s", err.what, err.why);
}

/* One row is good, and stands first; the line is a fault for this reason. */
static void leaves_out(const char *table, size_t line, const char *why)
{
    opens(table);
    ck_assert_uint_eq(file.count, 1);
    ck_assert_uint_eq(file.faults.count, 1);
    ck_assert_uint_eq(file.faults.items[0].line, line);
    ck_assert_msg(strstr(file.faults.items[0].why, why) != NULL, "%s", file.faults.items[0].why);
    codecarbon_close(&file);
}

static void refuses(const char *table, const char *what, const char *why)
{
    struct error err = { .kind = ERROR_NONE };

    ck_assert_msg(!codecarbon_read(table, "emissions.csv", &file, &err), "%s", table);
    codecarbon_close(&file);
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert_str_eq(err.what, what);
    ck_assert_msg(strstr(err.why, why) != NULL, "%s", err.why);
    ck_assert_str_ne(err.fix, "");
}

static void reads_one(const char *table, const char *generation, double pue)
{
    opens(table);
    ck_assert_uint_eq(file.count, 1);
    ck_assert_str_eq(file.runs[0].generation, generation);
    ck_assert(isnan(pue) ? isnan(file.runs[0].pue) : file.runs[0].pue == pue);
    ck_assert(file.runs[0].told.duration_s == 2 && file.runs[0].told.kgco2eq == 0.001);
    ck_assert(file.runs[0].told.kwh == 0.0035);
    ck_assert_uint_eq(file.notices.count, 0);
}

START_TEST(every_generation)
{
    enter_folder();
    setenv("TZ", "UTC", 1);
    reads_one(HEAD_1 "2020-12-01T10:00:10,x-1,p,2,0.001,0.0035,France,FRA,,N,,\r\n", "1.x", NAN);
    ck_assert(isnan(file.runs[0].told.cpu_kwh) && !file.runs[0].texts[CODECARBON_PUE]);
    ck_assert_str_eq(file.runs[0].texts[CODECARBON_EXPERIMENT_ID], "x-1");
    codecarbon_close(&file);
    reads_one(HEAD_12 "2021-06-29T10:00:10,p,2,0.001,0.0035,France,FRA,,N,,", "1.x", NAN);
    codecarbon_close(&file);
    reads_one(HEAD_20 ROW_20 "\n", "2.0", NAN);
    ck_assert_str_eq(file.runs[0].texts[CODECARBON_CPU_MODEL], "a CPU, of \"A\"");
    codecarbon_close(&file);
    reads_one(HEAD_21 ROW_21 "\n", "2.1", NAN);
    codecarbon_close(&file);
    reads_one(HEAD_23 ROW_23 "\n", "2.3", 1.25);
    ck_assert(file.runs[0].told.cpu_kwh == 0.001 && file.runs[0].told.gpu_kwh == 0.002);
    ck_assert_double_eq_tol(imported_it_j(&file.runs[0], file.runs[0].added.kwh), 0.0035 * 3.6e6 / 1.25, 1e-9);
    ck_assert(file.runs[0].ended_realtime_ns == UINT64_C(1690884010) * NS_PER_S_INT);
    codecarbon_close(&file);
    reads_one(HEAD_26 ROW_26 "\n", "2.6 to 3.1", 1.25);
    codecarbon_close(&file);
    leave_folder();
}
END_TEST

/* The columns by their names, as a release that sorted them wrote it. */
START_TEST(any_order)
{
    enter_folder();
    opens("emissions,energy_consumed,duration,pue,timestamp,run_id\n0.001,0.0035,2,1.5,2023-08-01 10:00:10,r\n");
    ck_assert(file.runs[0].told.kwh == 0.0035 && file.runs[0].pue == 1.5);
    codecarbon_close(&file);
    leave_folder();
}
END_TEST

/* A later release appended to the table of an earlier one. */
START_TEST(ragged)
{
    enter_folder();
    opens(HEAD_12 "2021-06-29T10:00:10,p,2,0.001,0.0035,France,FRA,,N,,\n" ROW_20 "\n" ROW_23 "\n");
    ck_assert_uint_eq(file.count, 3);
    ck_assert_str_eq(file.runs[0].generation, "1.x");
    ck_assert_str_eq(file.runs[1].generation, "2.0");
    ck_assert_str_eq(file.runs[2].generation, "2.3");
    ck_assert(file.runs[2].pue == 1.25 && file.runs[1].told.ram_kwh == 0.0005);
    ck_assert_uint_eq(file.notices.count, 1);
    codecarbon_close(&file);
    leave_folder();
}
END_TEST

#define GOOD_12 "2021-06-29T10:00:10,p,2,0.001,0.0035,France,FRA,,N,,\n"

START_TEST(refused)
{
    enter_folder();
    refuses("task_name,timestamp,duration\n", "'emissions.csv' line 1, column 1 (task_name) is malformed", "of tasks");
    refuses("timestamp,duration,emissions\n", "'emissions.csv' line 1 cannot be read", "no column energy_consumed");
    refuses("a,b\n1,2\n", "'emissions.csv' line 1 cannot be read", "no release of CodeCarbon");
    leave_folder();
}
END_TEST

/* What is wrong with one line is said of that line, and costs no other. */
START_TEST(one_bad_line)
{
    enter_folder();
    /* two empty columns were dropped, and a third: of the width of other releases, and of none */
    leaves_out(HEAD_23 ROW_23 "\n2023-08-01T10:00:10,p,r1,2," TAIL_20 "2.3.1,8,a CPU,,16,machine,N,1.0\n", 3,
               "28 fields; the header has 31");
    leaves_out(HEAD_23 ROW_23 "\n2023-08-01T10:00:10,p,r1,2," TAIL_20 "2.3.1,8,a CPU,,,16,machine,N,1.0\n", 3,
               "29 fields; the header has 31");
    leaves_out(HEAD_26 ROW_23 "\n" ROW_26 ",x\n", 3, "33 fields; the header has 32");
    leaves_out(HEAD_12 GOOD_12 "2021-06-31T10:00:10,p,2,0.001,0.0035,France,FRA,,N,,\n", 3,
               "column 1 (timestamp): not a date and time: '2021-06-31T10:00:10'");
    leaves_out(HEAD_12 GOOD_12 "2021-06-29T10:00:10,p,2,0.001,-0.0035,France,FRA,,N,,\n", 3,
               "column 5 (energy_consumed): below 0");
    leaves_out(HEAD_12 GOOD_12 "2021-06-29T10:00:10,p,2,0.5,0.0035,France,FRA,,N,,\n", 3, "more emissions than any");
    leaves_out(HEAD_12 GOOD_12 "2021-06-29T10:00:10,p,2,0.001,0.0035,FRA,France,,N,,\n", 3,
               "column 7 (country_iso_code): not a country code: 'France'");
    leaves_out(HEAD_12 GOOD_12 "2021-06-29T10:00:10,p,2,0.001,0.0035,France,FRA,,1,,\n", 3,
               "column 9 (on_cloud): neither Y nor N");
    leaves_out(HEAD_12 "2021-06-29T10:00:10,\"p,2,0.001,0.0035,France,FRA,,N,,\n" GOOD_12, 2, "quotes belong");
    leaves_out(HEAD_12 GOOD_12 "2021-06-29T10:00:10,\"p,2,0.001,0.0035,France,FRA,,N,,", 3, "quotes belong");
    leaves_out(HEAD_12 GOOD_12 "timestamp,project_name,du\n", 3, "a part of a header");
    /* the end of one is lost, and the next one stands in it: of the width of another release */
    leaves_out(HEAD_23 ROW_23 "\n2023-08-01T10:00:10,p" ROW_23 "\n", 3, "32 fields");
    /* a header that is torn is one line, and the rows are those of the release with so many columns */
    leaves_out("timestamp,project_name,run\n" ROW_23 "\n", 1, "no column duration");
    leave_folder();
}
END_TEST

/* As spreadsheets and later releases write it: the same row, and no fault. */
START_TEST(other_ways)
{
    static const char *const tables[] = {
        "sep=;\ntimestamp;duration;emissions;energy_consumed\n2023-08-01 10:00:10;2,0;0,001;3,5e-3\n",
        "timestamp;duration;emissions;energy_consumed\r2023-08-01 10:00:10;2;0.001;0.0035\r",
        "timestamp\tduration\temissions\tenergy_consumed\n2023-08-01 10:00:10\t2\t0.001\t0.0035",
        "timestamp,duration,emissions,energy_consumed\n2023-08-01 10:00:10,2,\"0,001\",\"0,0035\"\n",
        "timestamp,duration,emissions,energy_consumed,,\n\n2023-08-01 10:00:10, 2 ,0.001,0.0035,,,,\n",
        (",Timestamp,duration,emissions,energy_consumed,core_temperature\n0,2023-08-01 10:00:10,2,0.001,0.0035,hot\n"
         ",Timestamp,duration,emissions,energy_consumed,core_temperature\n"),
    };

    enter_folder();
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        opens(tables[i]);
        ck_assert_uint_eq(file.count, 1);
        ck_assert_uint_eq(file.faults.count, 0);
        ck_assert(file.runs[0].told.duration_s == 2 && file.runs[0].told.kgco2eq == 0.001);
        ck_assert(file.runs[0].told.kwh == 0.0035);
        ck_assert_uint_eq(file.notices.count, i == 5);
        codecarbon_close(&file);
    }
    /* 1234 or 1.234 */
    refuses("timestamp,duration,emissions,energy_consumed\n2023-08-01 10:00:10,2,0.001,\"1,234\"\n",
            "'emissions.csv' line 2 cannot be read", "not a number");
    leave_folder();
}
END_TEST

static void is_doubted(const char *figures, double pue, const char *why)
{
    char table[512];

    snprintf(table, sizeof table,
             "duration,energy_consumed,cpu_energy,ram_energy,timestamp,emissions,pue\n%s,2023-08-01 10:00:10,,%g\n",
             figures, pue);
    opens(table);
    ck_assert_uint_eq(file.count, 1);
    if (*why)
        ck_assert_msg(strstr(file.runs[0].doubt, why) != NULL, "%s: '%s'", figures, file.runs[0].doubt);
    else
        ck_assert_str_eq(file.runs[0].doubt, "");
    codecarbon_close(&file);
}

/* A machine draws 60 kW at most, at the facility's meter the PUE times that; edges are allowed for. */
START_TEST(doubted)
{
    enter_folder();
    is_doubted("3600,60,,", 1, "");
    is_doubted("3600,60.1,,", 1, "more than any machine draws");
    is_doubted("3600,60.1,,", 1.1, "");
    is_doubted("0.1,0.03,,", 1, "");
    is_doubted("3600,0.05,0.04,0.01", 1, "");
    is_doubted("3600,0.05,0.04,0.02", 1, "more than the whole");
    is_doubted("3600,0.05,0.04,", 1, "");
    is_doubted("3600,0,0,0", 1, "on no energy");
    is_doubted("1,0,0,0", 1, "");
    leave_folder();
}
END_TEST

#define HEAD_RUNS "timestamp,run_id,duration,emissions,energy_consumed,cpu_energy\n"

/* Rows of one run hold all since its start: only what each adds may be summed. */
START_TEST(cumulative)
{
    double sum = 0;

    enter_folder();
    opens(HEAD_RUNS "2024-05-31T10:00:10,a,10,0.001,0.01,0.004\n"  /* began at 10:00:00 */
                    "2024-05-31T10:00:12,b,4,0.0001,0.001,0.001\n" /* another run meanwhile */
                    "2024-05-31T10:00:20,a,20,,,\n"
                    "2024-05-31T10:00:30,a,30.5,0.003,0.03,0.003\n"
                    "2024-05-31T10:00:30,a,30.5,0.003,0.03,0.003\n" /* again */
                    "2024-05-31T10:01:30,a,60,0.004,0.04,0.01\n"    /* began after it */
                    "2024-05-31T10:01:40,a,69,0.002,0.02,0.01\n");  /* less than before: of another process */
    ck_assert_uint_eq(file.count, 7);
    ck_assert_uint_eq(file.runs[1].goes_on_from, 0);
    ck_assert_uint_eq(file.runs[3].goes_on_from, 2);
    ck_assert_double_eq_tol(file.runs[3].added.kwh, 0.02, 1e-15);
    ck_assert_double_eq_tol(file.runs[3].added.kgco2eq, 0.002, 1e-15);
    ck_assert_double_eq_tol(file.runs[3].added.duration_s, 20.5, 1e-12);
    ck_assert(isnan(file.runs[3].added.cpu_kwh) && file.runs[3].told.kwh == 0.03);
    ck_assert_uint_eq(file.runs[4].repeats, 5);
    ck_assert_str_eq(file.runs[4].id, file.runs[3].id);
    ck_assert_uint_eq(file.runs[5].goes_on_from, 0);
    ck_assert_uint_eq(file.runs[6].goes_on_from, 0);
    for (size_t i = 0; i < file.count; i++)
        sum += file.runs[i].repeats || isnan(file.runs[i].added.kwh) ? 0 : file.runs[i].added.kwh;
    ck_assert_double_eq_tol(sum, 0.01 + 0.001 + 0.02 + 0.04 + 0.02, 1e-12);
    codecarbon_close(&file);
    leave_folder();
}
END_TEST

/* The id does not hang on what else is in the file, on its columns or the digits of its numbers. */
START_TEST(ids)
{
    char id[40];

    enter_folder();
    opens(HEAD_23 ROW_23 "\n");
    memcpy(id, file.runs[0].id, sizeof id);
    ck_assert_uint_eq(strlen(id), 36);
    ck_assert(id[14] == '8' && strchr("89ab", id[19]));
    codecarbon_close(&file);
    opens("run_id,timestamp,emissions,energy_consumed,duration\nr1,2023-08-01T10:00:10,0.001,0.0035,2.0\n"
          "r1,2023-08-01T10:00:11,0.001,0.0035,2.0\nr2,2023-08-01T10:00:10,0.001,0.0035,2.0\n"
          "r1,2023-08-01T10:00:10,0.001,0.0035,2.5\n");
    ck_assert_str_eq(file.runs[0].id, id);
    for (size_t i = 1; i < 4; i++)
        ck_assert_str_ne(file.runs[i].id, id);
    codecarbon_close(&file);
    leave_folder();
}
END_TEST

/* The record is one for the ledger; unknown is null, and the rate has its unit. */
START_TEST(record)
{
    struct ledger_row row;
    struct cJSON *document;
    struct text line;
    struct error err;

    enter_folder();
    setenv("TZ", "UTC", 1);
    opens(HEAD_21 ROW_21 "\n2022-03-12T11:00:10,p,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n");
    for (size_t i = 0; i < 2; i++) {
        const struct imported imported = { &file, &file.runs[i], "CodeCarbon table", i ? NULL : "FR", false };
        char *text = imported_record(&imported, &err);
        ck_assert_ptr_nonnull(text);
        document = json_parse(text, "it", &err);
        ck_assert(imported_is(document) && ledger_row_of(document, "it", &row, &line, &err));
        ck_assert_str_eq(row.schema, "carbon.imported/1");
        ck_assert_str_eq(row.quality, "given");
        ck_assert_str_eq(row.id, file.runs[i].id);
        ck_assert(isnan(row.net_j) && row.runs == 1 && row.exit_status == -1 && !row.command && row.complete == 1);
        if (i == 0) {
            ck_assert_str_eq(row.zone, "FR");
            ck_assert_str_eq(row.project, "p");
            ck_assert(row.ended_ns == INT64_C(1647079210) * (int64_t)NS_PER_S_INT);
            ck_assert(row.started_ns == INT64_C(1647079208) * (int64_t)NS_PER_S_INT);
            ck_assert_double_eq_tol(row.gross_j, 12600, 1e-9);
            ck_assert(row.gross_kgco2eq == 0.001 && row.duration_s == 2);
            ck_assert(json_number_of(json_member(document, "told"), "kgco2eq_per_s") == 0.0005);
            ck_assert_str_eq(json_text_of(json_member(document, "row"), "emissions_rate"), "0.5");
            ck_assert(json_is_null(json_member(json_member(document, "pue"), "value")));
        } else {
            ck_assert(isnan(row.gross_j) && isnan(row.gross_kgco2eq) && !row.zone && row.started_ns == -1);
        }
        text_close(&line);
        json_close(document);
        free(text);
    }
    codecarbon_close(&file);
    leave_folder();
}
END_TEST

#define L(TIME) "[codecarbon INFO @ " TIME "] "

#define TOTAL " kWh of electricity used since the beginning.\n"

/* Of a program with a log of its own; a tracker, whose last line is its energy, another one, and a third. */
/* clang-format off: one a line */
static const char log_text
    [] = "an own line\n" L("23:59:40") "[setup] RAM Tracking...\n" L("23:59:41") "  CPU model: a CPU\n" L("23:59:41") "  GPU model: None\n" L("23:59:41") "  CodeCarbon version: 2.5.0\n" L(
        "23:59:41") "  Available RAM : 15.499 GB\n" L("23:59:50") "Energy consumed for RAM : 0.000100 kWh. RAM Power : "
                                                                  "3.5 W\n" L("23:59:50") "Energy consumed for all "
                                                                                          "CPUs : 0.000400 kWh. Total "
                                                                                          "CPU Power : 100.0 W\n" L("23"
                                                                                                                    ":5"
                                                                                                                    "9:"
                                                                                                                    "5"
                                                                                                                    "0") "0.000500" TOTAL
                                                                                              L("00:00:05") "Energy "
                                                                                                            "consumed "
                                                                                                            "for all "
                                                                                                            "CPUs : "
                                                                                                            "0.000800 "
                                                                                                            "kWh. "
                                                                                                            "Total CPU "
                                                                                                            "Power : "
                                                                                                            "100.0 "
                                                                                                            "W\n" L(
                                                                                                                "00:00:"
                                                                                                                "05") "0.001000" TOTAL
                                                                                                                L("00:"
                                                                                                                  "00:"
                                                                                                                  "30") "[setup] RAM Tracking...\n" L("00:00:40") "0.001200 kWh of electricity used since the begining.\n" L(
                                                                                                                    "00"
                                                                                                                    ":0"
                                                                                                                    "1:"
                                                                                                                    "4"
                                                                                                                    "0") "0.001201" TOTAL
                                                                                                                         "the end\n";

/* Since 3.0.8; a line that was torn, two in one, one that stands where it does not belong, and two more torn ones. */
static const char
    damaged_log[] = L("19:17:01") "0.000130 kWh of electricity and 0.000000 L of water were used since the "
                                  "beginning.\r\n" L("19:17:16") "0.00014\r\n" L("19:17:31") "0.000150 kW" L("19:17:31") "x\n" L(
                                      "19:17:46") "0.000160 kWh of electricity and 0.0 L of water were used since the "
                                                  "beginning.\n" L("19:17:16") "0.000140" TOTAL
                                                                               "[codecarbon INF\n" L(
                                                                                   "19:18:00") "Energy consumed for "
                                                                                               "RAM : 0.0\n";
/* clang-format on */

START_TEST(logs)
{
    struct error err;

    enter_folder();
    setenv("TZ", "UTC", 1);
    ck_assert(codecarbon_log_read(log_text, "codecarbon.log", "2026-11-28", &file, &err));
    ck_assert_uint_eq(file.count, 3);
    ck_assert(file.runs[0].told.kwh == 0.001 && file.runs[0].told.cpu_kwh == 0.0008 &&
              file.runs[0].told.ram_kwh == 0.0001);
    ck_assert(isnan(file.runs[0].told.gpu_kwh) && isnan(file.runs[0].told.kgco2eq) && isnan(file.runs[0].pue));
    ck_assert(file.runs[0].ended_realtime_ns == UINT64_C(1795824005) * NS_PER_S_INT);
    ck_assert_str_eq(file.runs[0].texts[CODECARBON_CPU_MODEL], "a CPU");
    ck_assert_str_eq(file.runs[0].texts[CODECARBON_RAM_TOTAL_SIZE], "15.499");
    ck_assert_ptr_null(file.runs[0].texts[CODECARBON_GPU_MODEL]);
    /* a minute at 103.5 W comes to 0.0017 kWh, not to 0.000001 */
    ck_assert(file.runs[1].told.kwh == 0.0012 && file.runs[2].told.kwh == 0.001201);
    ck_assert_str_ne(file.runs[1].id, file.runs[2].id);
    codecarbon_close(&file);
    ck_assert(codecarbon_log_read(log_text, "codecarbon.log", NULL, &file, &err));
    ck_assert(file.count == 3 && file.runs[0].ended_realtime_ns == 0);
    codecarbon_close(&file);
    ck_assert(codecarbon_log_read(L("10:00:00") "[setup] RAM Tracking...\n", "codecarbon.log", NULL, &file, &err));
    ck_assert(file.count == 0 && file.notices.count == 1);
    codecarbon_close(&file);
    ck_assert(codecarbon_is_log("of a program\n" L("10:00:00") "energy_consumed\n"));
    ck_assert(!codecarbon_is_log(HEAD_RUNS "2024-05-31T10:00:10,[codecarbon x,10,0.001,0.01,0.004\n"));
    leave_folder();
}
END_TEST

START_TEST(damaged_logs)
{
    struct error err;

    enter_folder();
    ck_assert(codecarbon_log_read(damaged_log, "a.log", "2026-11-28", &file, &err));
    ck_assert_uint_eq(file.count, 1);
    ck_assert(file.runs[0].told.kwh == 0.00016);
    ck_assert_uint_eq(file.faults.count, 5);
    for (size_t i = 0; i < 5; i++)
        ck_assert_uint_eq(file.faults.items[i].line, i < 2 ? i + 2 : i + 3);
    codecarbon_close(&file);
    leave_folder();
}
END_TEST

UNIT_SUITE("codecarbon", every_generation, any_order, ragged, refused, one_bad_line, other_ways, doubted, cumulative,
           ids, record, logs, damaged_logs)
