/* SPDX-License-Identifier: MIT
 * A scanned JSON text written again. */
#include "commands/indicator/spans.h"

#include <stdlib.h>
#include <string.h>

struct writer {
    const struct scan *scan;
    const struct span_form *form;
    FILE *out;
};

/* What lies between two values; no text begins there. */
static void write_gap(const struct writer *writer, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (!writer->form->one_line || !strchr(" \t\r\n", writer->scan->text[i]))
            fputc(writer->scan->text[i], writer->out);
}

static void write_bytes(const struct writer *writer, size_t from, size_t to)
{
    fwrite(writer->scan->text + from, 1, to - from, writer->out);
}

static void write_scalar(const struct writer *writer, const struct json_span *node)
{
    if (node->kind == SCAN_NAN && !writer->form->keeps_nan)
        fputs("null", writer->out);
    else
        write_bytes(writer, node->start, node->end);
}

static const char *members_of(uint32_t object, const struct insertion *insertions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (insertions[i].object == object)
            return insertions[i].members;
    return NULL;
}

static size_t start_of(const struct json_span *node)
{
    return node->key_end ? node->key_start : node->start;
}

/* Behind the last member, whose end is `at`. */
static void write_members(const struct writer *writer, const struct json_span *object, const char *members)
{
    if (object->first) {
        fputc(',', writer->out);
        write_gap(writer, object->start + 1, start_of(scan_span(writer->scan, object->first)));
    }
    fputs(members, writer->out);
}

static void write_node(const struct writer *writer, uint32_t number, const struct insertion *insertions, size_t count)
{
    const struct scan *scan = writer->scan;
    const struct json_span *node = scan_span(scan, number);
    const char *members = members_of(number, insertions, count);
    size_t at = node->start + 1;

    if (node->kind != SCAN_OBJECT && node->kind != SCAN_ARRAY) {
        write_scalar(writer, node);
        return;
    }
    fputc(scan->text[node->start], writer->out);
    for (uint32_t i = node->first; i; i = scan_span(scan, i)->next) {
        const struct json_span *child = scan_span(scan, i);

        write_gap(writer, at, start_of(child));
        if (child->key_end) {
            write_bytes(writer, child->key_start, child->key_end);
            write_gap(writer, child->key_end, child->start);
        }
        write_node(writer, i, insertions, count);
        at = child->end;
    }
    if (members)
        write_members(writer, node, members);
    write_gap(writer, at, node->end);
}

void spans_write(const struct scan *scan, uint32_t node, const struct span_form *form,
                 const struct insertion *insertions, size_t count, FILE *out)
{
    write_node(&(struct writer){ scan, form, out }, node, insertions, count);
}

struct sorted {
    char *key;
    uint32_t node;
};

static int by_key(const void *a, const void *b)
{
    const struct sorted *left = a, *right = b;

    return strcmp(left->key ? left->key : "", right->key ? right->key : "");
}

static void new_line(const struct writer *writer, unsigned depth)
{
    fprintf(writer->out, "\n%*s", (int)(2 * depth), "");
}

static void write_sorted(const struct writer *writer, uint32_t number, unsigned depth);

static void write_children(const struct writer *writer, const struct json_span *node, unsigned depth)
{
    const bool object = node->kind == SCAN_OBJECT;
    struct sorted *all = calloc(node->count + 1, sizeof *all);
    uint32_t count = 0;

    for (uint32_t i = node->first; all && i; i = scan_span(writer->scan, i)->next)
        all[count++] = (struct sorted){ .key = object ? scan_key(writer->scan, i) : NULL, .node = i };
    if (object && all)
        qsort(all, count, sizeof *all, by_key);
    for (uint32_t i = 0; i < count; i++) {
        const struct json_span *child = scan_span(writer->scan, all[i].node);

        if (i)
            fputc(',', writer->out);
        new_line(writer, depth + 1);
        if (object) {
            write_bytes(writer, child->key_start, child->key_end);
            fputs(": ", writer->out);
        }
        write_sorted(writer, all[i].node, depth + 1);
        free(all[i].key);
    }
    free(all);
    new_line(writer, depth);
}

static void write_sorted(const struct writer *writer, uint32_t number, unsigned depth)
{
    const struct json_span *node = scan_span(writer->scan, number);

    if (node->kind != SCAN_OBJECT && node->kind != SCAN_ARRAY) {
        write_scalar(writer, node);
        return;
    }
    fputc(node->kind == SCAN_OBJECT ? '{' : '[', writer->out);
    if (node->count)
        write_children(writer, node, depth);
    fputc(node->kind == SCAN_OBJECT ? '}' : ']', writer->out);
}

void spans_write_sorted(const struct scan *scan, uint32_t node, const struct span_form *form, FILE *out)
{
    write_sorted(&(struct writer){ scan, form, out }, node, 0);
}
