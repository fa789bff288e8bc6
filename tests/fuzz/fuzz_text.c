/* SPDX-License-Identifier: MIT
 * Numbers, units, names and lists to and from text. The input: 8 bytes that are a double, then texts, NUL between. */
#include "fuzz.h"

#include "base/text.h"
#include "base/units.h"
#include "emissions/factor.h"
#include "energy/dcmi_text.h"
#include "energy/sensor_rules.h"
#include "form/shell.h"
#include "form/utf8.h"
#include "outside/outside.h"
#include "power/cpu_power.h"
#include "run/cpus.h"

#include <math.h>

static void try_double(double value)
{
    static const char *(*const forms[])(double, char *) = {
        units_energy, units_power, units_mass, units_duration, units_bytes,
    };
    char number[TEXT_NUMBER_SIZE], quantity[UNITS_SIZE];
    double again;

    text_number(value, number);
    FUZZ_MUST(strlen(number) < sizeof number);
    if (isfinite(value))
        FUZZ_MUST(text_to_number(number, &again) && again == value);
    else
        FUZZ_MUST(strcmp(number, "null") == 0);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const size_t length = strlen(forms[i](value, quantity));
        FUZZ_MUST(length > 0 && length < sizeof quantity - 1); /* not cut */
        FUZZ_MUST(isfinite(value) || strcmp(quantity, "unknown") == 0);
    }
    for (int digits = 1; digits <= 6; digits++)
        FUZZ_MUST(strlen(units_digits(value, digits, quantity)) < sizeof quantity - 1);
}

static void try_number(const char *text)
{
    uint64_t whole;
    double value;

    if (text_to_number(text, &value))
        try_double(value);
    if (text_to_u64(text, &whole))
        FUZZ_MUST(text_to_number(text, &value) && value == (double)whole);
    if (duty_hours_per_year(text, &value, NULL))
        FUZZ_MUST(value > 0 && value <= HOURS_PER_YEAR);
}

static void try_cpus(const char *text)
{
    struct cpus cpus, again;
    char list[8 * MACHINE_MAX_CPUS];

    if (!cpus_of_list(text, &cpus, NULL))
        return;
    cpus_list(&cpus, list, sizeof list);
    FUZZ_MUST(cpus_of_list(list, &again, NULL) && memcmp(&cpus, &again, sizeof cpus) == 0);
}

static void try_utf8(const char *text)
{
    char field[24];
    bool valid = true;

    for (size_t at = 0, length; text[at]; at += length) {
        length = utf8_length(text + at);
        valid = valid && length > 0;
        length = length ? length : 1;
    }
    FUZZ_MUST(utf8_columns(text) <= strlen(text));
    utf8_fit(field, sizeof field, text, 9, "...");
    FUZZ_MUST(strlen(field) < sizeof field && utf8_columns(field) <= 9);
    text_copy(field, sizeof field, text);
    FUZZ_MUST(strlen(field) < sizeof field && strncmp(text, field, strlen(field)) == 0);
    for (size_t at = 0, length; valid && field[at]; at += length) {
        length = utf8_length(field + at);
        FUZZ_MUST(length > 0); /* not cut within a character */
    }
}

static void try_shell(char *first, char *second)
{
    char *const words[] = { first, second, NULL };
    struct text line;

    text_open(&line, 1 << 20);
    shell_command(words, &line);
    FUZZ_MUST(text_ok(&line));
    for (size_t at = 0, length; line.data[at]; at += length) {
        length = utf8_length(line.data + at);
        FUZZ_MUST(length > 0 && (unsigned char)line.data[at] >= ' ');
    }
    text_close(&line);
}

static bool has_label(const char *label, const void *context)
{
    return strcmp(label, context) == 0;
}

/* Every sensor has a rule, whatever it is called. */
static void try_sensor(const char *chip, const char *label)
{
    int package;
    const struct sensor_rule *rule = sensor_rule_of(chip, label, has_label, label, &package);

    FUZZ_MUST(rule && rule->component < COMPONENT_COUNT && package >= -1);
    FUZZ_MUST(!rule->not_counted || *rule->not_counted);
}

static void try_dcmi(const char *text)
{
    struct dcmi_power power;
    char words[64];

    FUZZ_MUST(dcmi_text_power(text, &power) != 0 || power.power_w > 0);
    text_first_line(text, words, sizeof words);
    FUZZ_MUST(strlen(words) < sizeof words);
}

/* The answer of a meter, and where in it the number stands. */
static void try_answer(const char *text, const char *field)
{
    struct outside_meter meter = { .command = "x", .named = { .micro = 1e6, .unit = "W", .covers = COMPONENT_GPU } };
    struct poller_answer answer = { .error = 0 };

    for (int way = 0; way < 3; way++) {
        snprintf(meter.field, sizeof meter.field, "%s", way == 1 ? field : "");
        snprintf(meter.redfish, sizeof meter.redfish, "%s", way == 2 ? "https://bmc" : "");
        FUZZ_MUST(outside_understand(&meter, 0, text, &answer) != 0 ||
                  (answer.value >= 0 && answer.value < 1e6 && answer.step >= 0));
        FUZZ_MUST(strlen(answer.words) < sizeof answer.words);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    char key[CPU_KEY_SIZE];

    try_double(input_double(&input));
    while (input.at < input.end) {
        char *first = input_text(&input), *second = input_text(&input);

        try_number(first);
        try_cpus(first);
        try_utf8(first);
        try_shell(first, second);
        try_sensor(first, second);
        try_dcmi(first);
        try_answer(first, second);
        FUZZ_MUST(strlen(cpu_match_key(first, key)) < sizeof key);
        FUZZ_MUST(text_distance(first, second) == text_distance(second, first));
        FUZZ_MUST(text_distance(first, first) == 0);
        free(first);
        free(second);
    }
    return 0;
}
