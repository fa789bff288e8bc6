/* SPDX-License-Identifier: MIT
 * What a performance indicator prints: whatever it is, it is told what is wrong with it and where, or passed on byte by
 * byte, and what carbon adds leaves it an output. */
#include "fuzz.h"

#include "commands/indicator/indicator_contract.h"
#include "commands/indicator/scan_read.h"
#include "commands/indicator/spans.h"

static char *write_again(const struct scan *scan, const struct insertion *insertion, bool one_line, bool sorted,
                         size_t *length)
{
    const struct span_form form = { .keeps_nan = false, .one_line = one_line };
    char *text = NULL;
    FILE *out = open_memstream(&text, length);

    FUZZ_MUST(out);
    if (sorted)
        spans_write_sorted(scan, 0, &form, out);
    else
        spans_write(scan, 0, &form, insertion, insertion ? 1 : 0, out);
    FUZZ_MUST(fclose(out) == 0 && text);
    return text;
}

static void try_again(const struct scan *scan, const struct insertion *insertion, bool one_line, bool sorted)
{
    struct fault fault = { .kind = FAULT_NONE };
    struct scan again;
    size_t length;
    char *text = write_again(scan, insertion, one_line, sorted, &length);

    FUZZ_MUST(scan_read(text, length, &again, &fault));
    FUZZ_MUST(again.nan_count == 0);
    FUZZ_MUST(again.count == scan->count + (insertion != NULL));
    if (insertion)
        FUZZ_MUST(scan_member(&again, 0, "@added") != 0);
    scan_close(&again);
    free(text);
}

static void try_texts(const struct scan *scan)
{
    for (uint32_t node = 0; node < scan->count && node < 1000; node++) {
        char *text = scan_span(scan, node)->kind == SCAN_TEXT ? scan_text(scan, node) : NULL;
        char *key = scan_span(scan, node)->key_end ? scan_key(scan, node) : NULL;

        (void)scan_number(scan, node);
        FUZZ_MUST(!text || strlen(text) <= scan_span(scan, node)->end - scan_span(scan, node)->start);
        free(text);
        free(key);
    }
}

static void try_contract(const struct scan *scan, bool strict)
{
    struct contract_options options = { .strict = strict, .added = true };
    struct fault fault = { .kind = FAULT_NONE };
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct indicator indicator;

    if (contract_is_amun(scan) && !contract_check_amun(scan, &options.object, &fault)) {
        FUZZ_MUST(fault.kind != FAULT_NONE && *fault.error.what);
        return;
    }
    if (contract_check(scan, &options, &indicator, &notices, &fault))
        FUZZ_MUST(indicator.name && indicator.parameters && indicator.result);
    else
        FUZZ_MUST(fault.kind != FAULT_NONE && *fault.error.what);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct insertion added = { 0, "\"@added\":1" };
    struct fault fault = { .kind = FAULT_NONE };
    struct scan scan;
    char *text = malloc(size ? size : 1); /* of just that length */

    FUZZ_MUST(text);
    if (size)
        memcpy(text, data, size);
    if (scan_read(text, size, &scan, &fault)) {
        try_again(&scan, NULL, false, false);
        try_again(&scan, NULL, true, false);
        try_again(&scan, NULL, false, true);
        if (scan_span(&scan, 0)->kind == SCAN_OBJECT && !scan_member(&scan, 0, "@added"))
            try_again(&scan, &added, size % 2, false);
        try_texts(&scan);
        try_contract(&scan, size % 2);
    } else {
        FUZZ_MUST(fault.kind != FAULT_NONE && *fault.error.what);
        FUZZ_MUST(fault.kind == FAULT_EMPTY || fault.kind == FAULT_TOO_MANY || (fault.line && fault.column));
    }
    scan_close(&scan);
    free(text);
    return 0;
}
