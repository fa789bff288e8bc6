/* SPDX-License-Identifier: MIT
 * The times of an account, from the text that it has of them. */
#include "base/c_locale.h"
#include "ledger/counted_machines.h"

#include <stdlib.h>
#include <string.h>

bool contribution_next_piece(const char **text, struct contribution_piece *piece)
{
    char *end;

    piece->span.start_ns = strtoull(*text, &end, 10);
    if (end == *text || *end != '+')
        return false;
    piece->span.end_ns = piece->span.start_ns + strtoull(end + 1, &end, 10);
    if (*end != '=')
        return false;
    piece->gross_j = c_strtod(end + 1, &end); /* "null" is 0: then the parts go by time */
    *text = end + strspn(end, "nul ");
    return true;
}

static size_t piece_count(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == '=';
    return count;
}

void contribution_pieces_close(struct contribution_pieces *pieces)
{
    free(pieces->spans);
    free(pieces->energies_j);
    free(pieces->shares);
}

bool contribution_pieces_take(struct counted_time *time, const char *text, struct contribution_pieces *pieces)
{
    const size_t room = piece_count(text);
    struct contribution_piece piece;

    *pieces = (struct contribution_pieces){ .spans = calloc(room + 1, sizeof *pieces->spans) };
    pieces->energies_j = calloc(room + 1, sizeof *pieces->energies_j);
    pieces->shares = calloc(room + 1, sizeof *pieces->shares);
    if (!pieces->spans || !pieces->energies_j || !pieces->shares)
        return false;
    for (; pieces->count < room && contribution_next_piece(&text, &piece); pieces->count++) {
        pieces->spans[pieces->count] = piece.span;
        pieces->energies_j[pieces->count] = piece.gross_j;
    }
    return counted_time_take(time, pieces->spans, pieces->count, pieces->shares);
}

bool contribution_lay_out(struct counted_time *time)
{
    struct contribution_pieces pieces = { .count = 0 };
    const bool good = !time->later_end_ns || contribution_pieces_take(time, time->later, &pieces);

    time->later_end_ns = 0;
    contribution_pieces_close(&pieces);
    return good;
}
