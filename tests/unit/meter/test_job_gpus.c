/* SPDX-License-Identifier: MIT
 * Which cards are the job's, by each way to say so. */
#include "meter/scope.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static int card_of(struct energy_source *source, const char *part)
{
    return strcmp(part, "MIG-4567") == 0 && source->domain_count > 2 ? 2 : -1;
}

static const struct energy_driver nvml = { .name = "nvml", .card_of = card_of }, hwmon = { .name = "hwmon" },
                                  cray = { .name = "cray", .covers_all = true };
static struct meter meter;
static struct domain cards[4], other;
static struct notices notices;
static struct error err;
static const char *variables[8][2]; /* names and values, up to NULL */

static const char *variable(const char *name)
{
    for (size_t i = 0; variables[i][0]; i++)
        if (strcmp(variables[i][0], name) == 0)
            return variables[i][1];
    return NULL;
}

static void begin(size_t count, const char *last_model)
{
    meter = (struct meter){ .source_count = 2 };
    meter.sources[0] = (struct energy_source){ .driver = &hwmon, .domains = &other, .domain_count = 1 };
    meter.sources[1] = (struct energy_source){ .driver = &nvml, .domains = cards, .domain_count = count };
    other = (struct domain){ .name = "gpu", .component = COMPONENT_GPU };
    for (size_t i = 0; i < count; i++) {
        cards[i] = (struct domain){ .component = COMPONENT_GPU };
        snprintf(cards[i].name, sizeof cards[i].name, "gpu-%zu", i);
        snprintf(cards[i].path, sizeof cards[i].path, "GPU-%zu%zu%zu-aaaa (%s)", i, i, i,
                 i + 1 < count ? "A100" : last_model);
    }
    notices_clear(&notices);
    err = (struct error){ .kind = ERROR_NONE };
}

/* "101": the first and the third of three count. */
static void expect(const char *counts)
{
    for (size_t i = 0; counts[i]; i++)
        ck_assert_msg((cards[i].not_counted[0] == '\0') == (counts[i] == '1'), "card %zu: %s", i, cards[i].not_counted);
    ck_assert_str_eq(other.not_counted, "");
}

static void chosen(const char *list, const char *counts)
{
    begin(3, "A100");
    ck_assert_msg(job_gpus_choose(&meter, list, NULL, &notices, &err), "%s: %s", list, err.why);
    expect(counts);
    ck_assert_uint_eq(notices.count, strchr(counts, '0') != NULL);
}

START_TEST(the_user_names_them)
{
    chosen("all", "111");
    chosen("none", "000");
    chosen("1", "010");
    chosen("0,2", "101");
    chosen("1-2", "011");
    chosen("gpu-2", "001");
    chosen("GPU-111", "010");
    chosen("gpu-0,GPU-222-aaaa", "101");
    chosen("0, 2", "101");
    chosen("MIG-4567", "001");
    chosen("MIG-GPU-111-aaaa/1/0", "010");
    ck_assert_str_eq(cards[0].not_counted, "not the job's, by --gpus");
    ck_assert_str_eq(notices.item[0].what, LEFT_OUT "gpu-0, gpu-2");
    ck_assert_str_eq(notices.item[0].why, "not the job's, by --gpus MIG-GPU-111-aaaa/1/0");
}
END_TEST

static void refused(const char *list, const char *bad)
{
    char what[128];

    begin(3, "A100");
    ck_assert(!job_gpus_choose(&meter, list, NULL, &notices, &err));
    snprintf(what, sizeof what, "--gpus cannot be '%s'", bad);
    ck_assert_str_eq(err.what, what);
    ck_assert_str_eq(err.why, "the GPUs here are gpu-0 to gpu-2");
}

START_TEST(what_is_not_there_is_refused)
{
    refused("3", "3");
    refused("0,3", "3");
    refused("0-7", "0-7");
    refused("GPU-9", "GPU-9");
    refused("GPU-", "GPU-"); /* several begin so */
    refused("1x", "1x");
    refused("0,,1", "");
    begin(0, "A100");
    other.component = COMPONENT_PACKAGE;
    ck_assert(!job_gpus_choose(&meter, "0", NULL, &notices, &err));
    ck_assert_str_eq(err.why, "there is no GPU here");
}
END_TEST

/* Values of a variable, and the cards that each of them makes the job's. */
static void reported(const char *name, const char *const (*values)[2])
{
    for (; (*values)[0]; values++) {
        begin(3, "A100");
        variables[0][0] = name;
        variables[0][1] = (*values)[0];
        ck_assert(job_gpus_choose(&meter, NULL, variable, &notices, &err));
        expect((*values)[1]);
    }
}

/* TOLD("CUDA_VISIBLE_DEVICES", { "1", "010" }, { "2,0", "101" }) */
#define TOLD(name, ...) reported(name, (const char *const[][2]){ __VA_ARGS__, { NULL, NULL } })

START_TEST(the_environment_tells)
{
    /* CUDA takes those before the first that is none */
    TOLD("CUDA_VISIBLE_DEVICES", { "1", "010" }, { "2,0", "101" }, { "", "000" }, { "-1", "000" }, { "0,7,1", "100" },
         { "GPU-222", "001" }, { "0, 1", "110" }, { "MIG-4567", "001" }, { "GPU-000,MIG-4567", "101" });
    TOLD("SLURM_STEP_GPUS", { "1", "010" });
    /* as many as can be seen: the job's group shows no others */
    TOLD("SLURM_JOB_GPUS", { "0-1", "110" }, { "4,5,7", "111" });
    TOLD("GPU_DEVICE_ORDINAL", { "2", "001" });
    TOLD("NVIDIA_VISIBLE_DEVICES", { "GPU-000-aaaa", "100" }, { "all", "111" }, { "void", "111" }, { "", "111" });
    TOLD("SOMETHING_ELSE", { "0", "111" });
    ck_assert_uint_eq(notices.count, 0);
}
END_TEST

START_TEST(the_one_nearest_to_the_job_decides)
{
    variables[1][0] = "SLURM_JOB_GPUS";
    variables[1][1] = "0,1";
    TOLD("CUDA_VISIBLE_DEVICES", { "1", "010" });
    TOLD("NVIDIA_VISIBLE_DEVICES", { "GPU-222-aaaa", "110" });
    /* an instance of a card that cannot be told: the next one does */
    TOLD("CUDA_VISIBLE_DEVICES", { "MIG-0123", "110" });
    ck_assert_uint_eq(notices.count, 1);
}
END_TEST

START_TEST(what_cannot_be_followed_is_said_and_all_count)
{
    TOLD("CUDA_VISIBLE_DEVICES", { "MIG-0123", "111" });
    ck_assert_uint_eq(notices.count, 1);
    ck_assert_str_eq(notices.item[0].what,
                     "which GPUs are the job's is not known: CUDA_VISIBLE_DEVICES says 'MIG-0123', "
                     "which cannot be followed here");
    /* numbers of the node, where three others can be seen */
    TOLD("SLURM_JOB_GPUS", { "6,7", "111" });
    ck_assert_uint_eq(notices.count, 1);
    begin(3, "T4"); /* the fastest is CUDA's first: which that is nobody says */
    variables[0][0] = "CUDA_VISIBLE_DEVICES";
    variables[0][1] = "0";
    ck_assert(job_gpus_choose(&meter, NULL, variable, &notices, &err));
    expect("111");
    ck_assert_uint_eq(notices.count, 1);
    begin(3, "T4");
    variables[1][0] = "CUDA_DEVICE_ORDER";
    variables[1][1] = "PCI_BUS_ID";
    ck_assert(job_gpus_choose(&meter, NULL, variable, &notices, &err));
    expect("100");
}
END_TEST

/* Instances are numbered, too: which card a number is of nobody says. */
START_TEST(numbers_are_not_followed_where_cards_are_partitioned)
{
    static const char *const names[] = { "CUDA_VISIBLE_DEVICES", "SLURM_STEP_GPUS", "SLURM_JOB_GPUS" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        begin(3, "A100");
        cards[1].partitioned = true;
        variables[0][0] = names[i];
        variables[0][1] = "1";
        ck_assert(job_gpus_choose(&meter, NULL, variable, &notices, &err));
        expect("111");
        ck_assert_uint_eq(notices.count, 1);
    }
    begin(3, "A100");
    cards[1].partitioned = true;
    ck_assert(job_gpus_choose(&meter, "1", NULL, &notices, &err)); /* --gpus has the cards' */
    expect("010");
    begin(1, "A100");
    cards[0].partitioned = true;
    ck_assert(job_gpus_choose(&meter, NULL, variable, &notices, &err)); /* all are of the only card */
    expect("1");
    ck_assert_uint_eq(notices.count, 1);
}
END_TEST

START_TEST(in_whatever_order_all_are_all)
{
    begin(3, "T4");
    variables[0][0] = "CUDA_VISIBLE_DEVICES";
    variables[0][1] = "2,0,1";
    ck_assert(job_gpus_choose(&meter, NULL, variable, &notices, &err));
    expect("111");
    ck_assert_uint_eq(notices.count, 0);
}
END_TEST

static void begin_others(const struct energy_driver *driver)
{
    begin(3, "A100");
    meter.sources[1].driver = driver;
    meter.sources[0].domain_count = 0;
    variables[0][0] = NULL;
}

static void told_of_others(const char *name, const char *value, const char *counts, size_t notice_count)
{
    begin_others(&hwmon);
    variables[0][0] = name;
    variables[0][1] = value;
    variables[1][0] = NULL;
    ck_assert(job_gpus_choose(&meter, NULL, variable, &notices, &err));
    expect(counts);
    ck_assert_uint_eq(notices.count, notice_count);
}

/* The names and numbers are those of `carbon sources`; how others number them is not known. */
START_TEST(cards_of_other_makers)
{
    begin_others(&hwmon);
    ck_assert(job_gpus_choose(&meter, "gpu-2", NULL, &notices, &err));
    expect("001");
    told_of_others("CUDA_VISIBLE_DEVICES", "0", "111", 0);
    told_of_others("SLURM_JOB_GPUS", "0", "111", 1);
    told_of_others("ROCR_VISIBLE_DEVICES", "1", "111", 1);
    told_of_others("SLURM_JOB_GPUS", "0,1,2", "111", 0);
    told_of_others("HIP_VISIBLE_DEVICES", "2,1,0", "111", 0);
    told_of_others("ROCR_VISIBLE_DEVICES", "", "000", 1);
}
END_TEST

/* What covers all cards would count those that are left out. */
START_TEST(what_covers_all_cards_makes_room)
{
    begin(3, "A100");
    meter.sources[0].driver = &cray;
    ck_assert(job_gpus_choose(&meter, "1", NULL, &notices, &err));
    for (size_t i = 0; i < 3; i++)
        ck_assert((cards[i].not_counted[0] == '\0') == (i == 1));
    ck_assert_str_eq(other.not_counted, "the job's cards, by --gpus, are counted by nvml");
    ck_assert_uint_eq(notices.count, 1);
    begin(3, "A100");
    meter.sources[0].driver = &cray;
    ck_assert(job_gpus_choose(&meter, "all", NULL, &notices, &err));
    expect("111");
    begin_others(&cray);
    meter.sources[1] = (struct energy_source){ .driver = &hwmon, .domains = &other, .domain_count = 1 };
    meter.sources[0] = (struct energy_source){ .driver = &cray, .domains = cards, .domain_count = 3 };
    ck_assert(job_gpus_choose(&meter, "none", NULL, &notices, &err));
    for (size_t i = 0; i < 3; i++)
        ck_assert_str_eq(cards[i].not_counted, "not the job's, by --gpus");
    ck_assert_str_eq(other.not_counted, "the job's cards, by --gpus, are counted by cray");
}
END_TEST

/* A vGPU has its own reason not to count, and the only card of a MIG instance is its card. */
START_TEST(other_reasons_stand)
{
    begin(1, "A100");
    snprintf(cards[0].not_counted, sizeof cards[0].not_counted, "a share of a card");
    ck_assert(job_gpus_choose(&meter, "none", NULL, &notices, &err));
    ck_assert_str_eq(cards[0].not_counted, "a share of a card");
    ck_assert_uint_eq(notices.count, 0);
    begin(1, "A100");
    ck_assert(job_gpus_choose(&meter, "MIG-0123", NULL, &notices, &err));
    expect("1");
}
END_TEST

UNIT_SUITE("job gpus", the_user_names_them, what_is_not_there_is_refused, the_environment_tells,
           the_one_nearest_to_the_job_decides, what_cannot_be_followed_is_said_and_all_count,
           numbers_are_not_followed_where_cards_are_partitioned, in_whatever_order_all_are_all, cards_of_other_makers,
           what_covers_all_cards_makes_room, other_reasons_stand)
