/* SPDX-License-Identifier: MIT
 * A flame graph: one SVG with its script in it, which needs nothing else and loads nothing. The width of a frame is its
 * energy with that of what it called, or its samples where no energy is known. */
#include "commands/profile/profile.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "form/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In units of the picture; the script changes x and width only. */
enum { WIDTH = 1200, ROW = 18, TOP = 64, BOTTOM = 30 };

/* A frame that is narrower is left out: nobody could see it. */
#define NARROWEST 0.0004

/* Where a frame stands: x and width are parts of the whole. */
struct place_in_graph {
    double x, width, next_x; /* where its next child begins */
    unsigned depth;
};

struct graph {
    const struct profile *profile;
    FILE *out;
    double whole;
    unsigned deepest;
    size_t left_out;
    struct place_in_graph *places;
};

static double weight_of(const struct graph *graph, const struct tally_share *share)
{
    const double weight = graph->profile->tally.known ? j_from_nj(share->total_nj) : (double)share->total_samples;

    return weight > 0 ? weight / graph->whole : 0;
}

/* Parents come before their children. */
static void lay_out(struct graph *graph)
{
    const struct tally *tally = &graph->profile->tally;
    struct place_in_graph root = { 0, 1, 0, 0 };

    for (size_t i = 0; i < tally->node_count; i++) {
        const struct tally_node *node = &tally->nodes[i];
        struct place_in_graph *parent = node->parent == UINT32_MAX ? &root : &graph->places[node->parent];
        const double left = parent->x + parent->width - parent->next_x;
        double width = weight_of(graph, &node->share);
        if (width > left)
            width = left > 0 ? left : 0;
        graph->places[i] = (struct place_in_graph){ parent->next_x, width, parent->next_x, parent->depth + 1 };
        parent->next_x += width;
        if (width < NARROWEST)
            graph->left_out++;
        else if (graph->places[i].depth > graph->deepest)
            graph->deepest = graph->places[i].depth;
    }
    graph->places[tally->node_count] = root;
}

/* Warm for what the job brought along, cool for the kernel; each name always the same. */
static void write_colour(FILE *out, const char *name, const char *library)
{
    const uint64_t hash = text_hash(name, strlen(name));

    if (library[0] == '[' && library[1] == 'k')
        fprintf(out, "hsl(%u,55%%,72%%)", 195 + (unsigned)(hash % 25));
    else
        fprintf(out, "hsl(%u,%u%%,%u%%)", 18 + (unsigned)(hash % 34), 70 + (unsigned)(hash / 64 % 20),
                64 + (unsigned)(hash / 4096 % 10));
}

struct frame_of_graph {
    const char *name, *library; /* library "": none */
    double x, width;
    unsigned depth;
    double energy_j; /* NAN unknown */
    uint64_t samples;
};

static void write_number(FILE *out, const char *key, double value)
{
    char text[32];

    c_snprintf(text, sizeof text, "%.6f", value);
    fprintf(out, " %s=\"%s\"", key, text);
}

static void write_frame(const struct graph *graph, const struct frame_of_graph *frame)
{
    FILE *out = graph->out;
    char energy[UNITS_SIZE], percent[32];
    const unsigned y = TOP + (graph->deepest - frame->depth) * ROW;

    c_snprintf(percent, sizeof percent, "%.2f", 100 * frame->width);
    fputs("<g class=\"f\"", out);
    write_number(out, "data-x", frame->x);
    write_number(out, "data-w", frame->width);
    fprintf(out, " data-d=\"%u\"><title>", frame->depth);
    html_text(out, frame->name);
    if (frame->library[0]) {
        fputs(" (", out);
        html_text(out, frame->library);
        fputc(')', out);
    }
    fprintf(out, ": %s, %s %%, %llu samples</title>", units_energy(frame->energy_j, energy), percent,
            (unsigned long long)frame->samples);
    fputs("<rect", out);
    write_number(out, "x", frame->x * WIDTH);
    write_number(out, "width", frame->width * WIDTH);
    fprintf(out, " y=\"%u\" height=\"%d\" fill=\"", y, ROW - 1);
    write_colour(out, frame->name, frame->library);
    fputs("\"/><text", out);
    write_number(out, "x", frame->x * WIDTH + 3);
    fprintf(out, " y=\"%u\"></text></g>\n", y + ROW - 6);
}

static void write_nodes(const struct graph *graph)
{
    const struct profile *profile = graph->profile;

    for (size_t i = 0; i < profile->tally.node_count; i++) {
        const struct tally_node *node = &profile->tally.nodes[i];
        const struct place_in_graph *place = &graph->places[i];
        const bool thread = node->parent == UINT32_MAX;
        if (place->width < NARROWEST)
            continue;
        write_frame(
            graph,
            &(struct frame_of_graph){
                thread ? profile_thread_name(profile, node->item) : profile->symbols->functions[node->item].name,
                thread ? "" : profile->symbols->functions[node->item].library, place->x, place->width, place->depth,
                profile->tally.known ? j_from_nj(node->share.total_nj) : (double)NAN, node->share.total_samples });
    }
}

/* What no sample saw stands beside the threads. */
static void write_rest(const struct graph *graph)
{
    const struct tally *tally = &graph->profile->tally;
    const struct {
        const char *name;
        int64_t nj;
    } rests[] = { { "[no sample]", tally->unseen_nj }, { "[graphics cards]", tally->concurrent_nj } };
    double x = graph->places[tally->node_count].next_x;

    for (size_t i = 0; i < 2; i++) {
        double width = tally->known ? j_from_nj(rests[i].nj) / graph->whole : 0;
        if (width > 1 - x)
            width = 1 - x;
        if (width < NARROWEST)
            continue;
        write_frame(graph, &(struct frame_of_graph){ rests[i].name, "", x, width, 1, j_from_nj(rests[i].nj), 0 });
        x += width;
    }
}

static void write_head(const struct graph *graph)
{
    const unsigned height = TOP + (graph->deepest + 1) * ROW + BOTTOM;
    FILE *out = graph->out;

    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" width=\"100%%\" role=\"group\" "
            "tabindex=\"0\" aria-labelledby=\"title\">\n<title id=\"title\">",
            WIDTH, height);
    html_text(out, profile_title(graph->profile));
    fputs(": joules by function</title>\n<style>\n"
          "svg{font:12px monospace;background:#fff}text{pointer-events:none}.f{cursor:pointer}"
          ".f rect{stroke:#fff;stroke-width:.5}.f.on rect{stroke:#000;stroke-width:2}.f.hit rect{fill:#b06be0}"
          ".f.past rect{opacity:.5}\n</style>\n",
          out);
    fprintf(out, "<text x=\"%d\" y=\"20\" text-anchor=\"middle\" font-size=\"16\">", WIDTH / 2);
    html_text(out, profile_title(graph->profile));
    fputs(": own energy by function</text>\n", out);
    fprintf(
        out,
        "<text x=\"6\" y=\"38\">click or Enter: zoom   Escape: all   arrows: move   /: search</text>\n"
        "<text x=\"6\" y=\"56\" id=\"found\" role=\"status\"></text>\n<text x=\"6\" y=\"%u\" id=\"about\"></text>\n",
        height - 10);
}

static void write_all(struct graph *graph)
{
    const struct tally *tally = &graph->profile->tally;

    lay_out(graph);
    write_head(graph);
    fputs("<g id=\"frames\">\n", graph->out);
    write_frame(graph, &(struct frame_of_graph){
                           "all", "", 0, 1, 0, tally->known ? j_from_nj(tally->own_nj) : (double)NAN, tally->samples });
    write_nodes(graph);
    write_rest(graph);
    fputs("</g>\n<script><![CDATA[\n", graph->out);
    fputs(profile_flamegraph_script, graph->out);
    fputs("]]></script>\n</svg>\n", graph->out);
}

bool profile_flamegraph(const struct profile *profile, FILE *out, struct error *err)
{
    const struct tally *tally = &profile->tally;
    struct graph graph = { .profile = profile, .out = out };

    graph.whole = tally->known && tally->own_nj > 0 ? j_from_nj(tally->own_nj) : (double)tally->samples;
    if (!(graph.whole > 0))
        graph.whole = 1;
    graph.places = calloc(tally->node_count + 1, sizeof *graph.places);
    if (!graph.places)
        return error_errno(err, "no memory for a flame graph");
    write_all(&graph);
    free(graph.places);
    return !ferror(out) || error_errno(err, "cannot write the flame graph");
}
