/* SPDX-License-Identifier: BSD-3-Clause
 *
 * piece_choices.c: border points that are next to several clusters of a piece. Which one they belong to depends on the
 * other pieces. Points that are next to the same clusters have the same choice, so there are few choices:
 *
 *     pairs     (3, a) (3, b) (5, a) (5, b) (9, a) (9, c)      point, cluster; sorted
 *     choices   0: a b    1: a c                               in the order of their first points
 *     found     3 -> -2    5 -> -2    9 -> -3                  -2 - choice
 */
#include "joint/piece.h"

#include "common/assert.h"
#include "common/bits.h"

#include <string.h>

#define CHOICE_NONE UINT32_MAX

typedef struct choice_table {
    clump_hash_key key;
    uint32_t *slots; /* choices; CHOICE_NONE: empty */
    uint32_t mask;   /* slots - 1 */
} choice_table;

static int32_t label_of(clump_pair pair)
{
    return (int32_t)(uint32_t)pair.key;
}

static uint32_t hash_labels(const choice_table *table, const clump_pair *run, size_t count)
{
    uint32_t hash = (uint32_t)count;
    for (size_t k = 0; k < count; k++) hash = clump_hash(table->key, (int32_t)hash, label_of(run[k]), (int32_t)k, 0);
    return hash;
}

static bool is_choice(const clump_piece_work *w, uint32_t choice, const clump_pair *run, size_t count)
{
    const int32_t *const begin = w->choices + w->choice_offsets[choice];
    if ((size_t)(w->choice_offsets[choice + 1] - w->choice_offsets[choice]) != count) return false;
    for (size_t k = 0; k < count; k++)
        if (begin[k] != label_of(run[k])) return false;
    return true;
}

/* Returns the choice of a run of pairs of one point. It is new where no point before had the same clusters. */
static uint32_t choice_of(clump_piece_work *w, const choice_table *table, const clump_pair *run, size_t count)
{
    uint32_t slot = clump_hash_slot_masked(hash_labels(table, run, count), table->mask);
    for (; table->slots[slot] != CHOICE_NONE; slot = (slot + 1) & table->mask)
        if (is_choice(w, table->slots[slot], run, count)) return table->slots[slot];
    const uint32_t choice = (uint32_t)w->choice_count++;
    int32_t *const begin = w->choices + w->choice_offsets[choice];
    for (size_t k = 0; k < count; k++) begin[k] = label_of(run[k]);
    w->choice_offsets[choice + 1] = w->choice_offsets[choice] + (int32_t)count;
    table->slots[slot] = choice;
    return choice;
}

/* Sorts what the backend wrote by point, then by label. */
static clump_status sort_borders(clump_context *ctx, const clump_piece_work *w, clump_pair **sorted)
{
    const size_t n = w->border_count;
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->piece.sorted, 2 * n * sizeof **sorted));
    *sorted = ctx->piece.sorted.data;
    for (size_t k = 0; k < n; k++)
        (*sorted)[k] = (clump_pair){(uint64_t)(uint32_t)w->borders[k].point << 32 | (uint32_t)w->borders[k].label, 0};
    clump_pair_sort(*sorted, *sorted + n, n);
    return CLUMP_OK;
}

clump_status clump_piece_choices(clump_context *ctx, clump_piece_work *w)
{
    const size_t n = w->border_count;
    w->choice_count = 0;
    if (n == 0) return CLUMP_OK;
    if (n > INT32_MAX)
        return clump_fail(&ctx->work, CLUMP_ERR_TOO_MANY,
                          "%s: the border points of the piece have %zu clusters, at most %d", ctx->work.call, n,
                          INT32_MAX);
    clump_pair *sorted;
    CLUMP_TRY(sort_borders(ctx, w, &sorted));
    size_t slots = 4;
    while (slots < n) slots *= 2; /* points have two clusters at least, so half of the slots stay empty */
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->piece.choices, (slots + n + n + 1) * sizeof(int32_t)));
    const choice_table table = {ctx->work.hash_key, ctx->piece.choices.data, (uint32_t)(slots - 1)};
    memset(table.slots, 0xff, slots * sizeof *table.slots);
    w->choice_offsets = (int32_t *)(table.slots + slots);
    w->choices = w->choice_offsets + n + 1;
    w->choice_offsets[0] = 0;
    for (size_t begin = 0, end; begin < n; begin = end) {
        const uint64_t point = sorted[begin].key >> 32;
        for (end = begin + 1; end < n && sorted[end].key >> 32 == point;) end++;
        CLUMP_ASSERT(point < w->own && end - begin >= 2);
        w->found[point] = -2 - (int32_t)choice_of(w, &table, sorted + begin, end - begin);
    }
    return CLUMP_OK;
}
