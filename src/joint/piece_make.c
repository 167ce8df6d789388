/* SPDX-License-Identifier: BSD-3-Clause
 *
 * piece_make.c: what other pieces need to know of a piece, in one block of memory:
 *
 *     piece | firsts | sizes | rim_indices | strip_indices | rim_labels | strip_labels | choice_offsets | choices
 *
 * A cluster is kept where an own point has its label or may choose it. The backend numbers clusters by their first core
 * point, and own points come first. So the numbers of kept clusters with an own core point stay as they are. In Euclidean
 * clustering all points are core, so all numbers of own points stay, and the clusters behind them are left out.
 */
#include "joint/piece.h"

#include "common/assert.h"

#include <string.h>

/* A piece and where its memory comes from. */
typedef struct piece_block {
    clump_piece piece;
    clump_allocator memory;
    size_t bytes;
} piece_block;

void clump_piece_destroy(clump_piece *piece)
{
    if (!piece) return;
    piece_block *const block = (piece_block *)(void *)piece; /* its first member */
    const clump_allocator memory = block->memory;
    memory.release(block, block->bytes, memory.user);
}

static bool is_core(const clump_piece_work *w, size_t i)
{
    return !w->core || w->core[i];
}

static bool is_in_strip(const clump_piece_work *w, size_t i)
{
    return !w->no_strip && (!w->strip || w->strip[i]) && w->found[i] >= 0 && is_core(w, i);
}

/* Returns the number of a rim point's cluster in the piece; -1: it joins nothing. */
static int32_t rim_label(const clump_piece_work *w, size_t i)
{
    return w->found[i] >= 0 && is_core(w, i) ? w->kept[w->found[i]] : -1;
}

/* Counts the clusters of own points where all points are core. They have the numbers from 0 on. */
static void number_own_clusters(clump_piece_work *w)
{
    w->kept_count = 0;
    for (size_t i = 0; i < w->own; i++) w->kept_count += w->found[i] == w->kept_count;
    for (int32_t c = 0; c < w->found_count; c++) w->kept[c] = c < w->kept_count ? c : -1;
}

/* Numbers the clusters that are kept. */
static void number_clusters(clump_piece_work *w)
{
    const size_t found = (size_t)w->found_count;
    if (!w->core) {
        number_own_clusters(w);
        return;
    }
    if (found > 0) memset(w->kept, 0xff, found * sizeof *w->kept);
    for (size_t i = 0; i < w->own; i++)
        if (w->found[i] >= 0) w->kept[w->found[i]] = 0;
    const int32_t choosable = w->choice_count > 0 ? w->choice_offsets[w->choice_count] : 0;
    for (int32_t k = 0; k < choosable; k++) w->kept[w->choices[k]] = 0;
    w->kept_count = 0;
    for (size_t c = 0; c < found; c++)
        if (w->kept[c] == 0) w->kept[c] = w->kept_count++;
}

/* Cuts the next array off the memory of a block. */
static void *cut(char **at, size_t bytes)
{
    void *const array = *at;
    *at += bytes;
    return array;
}

/* Allocates a piece whose counts are set, and points its arrays into the block. */
static clump_status allocate(clump_context *ctx, const clump_piece *counts, size_t choosable, piece_block **out)
{
    const size_t clusters = (size_t)counts->cluster_count, choices = (size_t)counts->choice_count;
    const size_t wide = sizeof(int64_t), narrow = sizeof(int32_t), offsets = choices > 0 ? choices + 1 : 0;
    const size_t head = (sizeof(piece_block) + 63) / 64 * 64;
    const size_t sum = head + wide * (2 * clusters + choices) +
                       (wide + narrow) * (counts->rim_count + counts->strip_count) + narrow * (offsets + choosable);
    const size_t bytes = (sum + 63) / 64 * 64;
    char *at = ctx->work.memory.allocate(bytes, 64, ctx->work.memory.user);
    if (!at)
        return clump_fail(&ctx->work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated", bytes);
    piece_block *const block = cut(&at, head);
    *block = (piece_block){*counts, ctx->work.memory, bytes};
    block->piece.firsts = cut(&at, wide * clusters);
    block->piece.sizes = cut(&at, wide * (clusters + choices));
    block->piece.rim_indices = cut(&at, wide * counts->rim_count);
    block->piece.strip_indices = cut(&at, wide * counts->strip_count);
    block->piece.rim_labels = cut(&at, narrow * counts->rim_count);
    block->piece.strip_labels = cut(&at, narrow * counts->strip_count);
    if (choices > 0) block->piece.choice_offsets = cut(&at, narrow * offsets);
    if (choices > 0) block->piece.choices = cut(&at, narrow * choosable);
    *out = block;
    return CLUMP_OK;
}

/* Writes the labels of the own points, and firsts and sizes, where all points are core and there is no strip. */
static void write_own_labels(const clump_piece_work *w, const clump_piece *piece)
{
    int64_t *const firsts = (int64_t *)piece->firsts, *const sizes = (int64_t *)piece->sizes;
    int32_t next = 0; /* clusters that have been seen: the first point of the next one has this label */
    if (piece->cluster_count > 0) memset(sizes, 0, (size_t)piece->cluster_count * sizeof *sizes);
    for (size_t i = 0; i < w->own; i++) {
        const int32_t label = w->found[i];
        w->labels[i] = label;
        if (label < 0) continue;
        if (label == next) firsts[next++] = w->indices[i];
        sizes[label]++;
    }
    CLUMP_ASSERT(next == piece->cluster_count);
}

/* Writes the labels of the own points, and firsts, sizes and the strip. */
static void write_own(const clump_piece_work *w, const clump_piece *piece)
{
    int64_t *const firsts = (int64_t *)piece->firsts, *const sizes = (int64_t *)piece->sizes;
    int64_t *const indices = (int64_t *)piece->strip_indices;
    int32_t *const labels = (int32_t *)piece->strip_labels;
    const size_t clusters = (size_t)piece->cluster_count, all = clusters + (size_t)piece->choice_count;
    for (size_t c = 0; c < clusters; c++) firsts[c] = INT64_MAX;
    if (all > 0) memset(sizes, 0, all * sizeof *sizes);
    size_t strip = 0;
    for (size_t i = 0; i < w->own; i++) {
        const int32_t found = w->found[i];
        w->labels[i] = found == CLUMP_NOISE ? CLUMP_NOISE
                       : found < 0          ? piece->cluster_count - 2 - found
                                            : w->kept[found];
        if (w->labels[i] == CLUMP_NOISE) continue;
        sizes[w->labels[i]]++;
        if (found >= 0 && firsts[w->labels[i]] == INT64_MAX && is_core(w, i)) firsts[w->labels[i]] = w->indices[i];
        if (!is_in_strip(w, i)) continue;
        indices[strip] = w->indices[i];
        labels[strip++] = w->labels[i];
    }
    CLUMP_ASSERT(strip == piece->strip_count);
}

static void write_rim(const clump_piece_work *w, const clump_piece *piece)
{
    int64_t *const indices = (int64_t *)piece->rim_indices;
    int32_t *const labels = (int32_t *)piece->rim_labels;
    size_t rim = 0;
    for (size_t k = 0; k < w->points.count - w->own; k++) {
        const int32_t label = rim_label(w, (size_t)w->rim[k].value);
        if (label < 0) continue;
        indices[rim] = (int64_t)w->rim[k].key;
        labels[rim++] = label;
    }
    CLUMP_ASSERT(rim == piece->rim_count);
}

static void write_choices(const clump_piece_work *w, const clump_piece *piece)
{
    if (piece->choice_count == 0) return;
    int32_t *const offsets = (int32_t *)piece->choice_offsets, *const choices = (int32_t *)piece->choices;
    memcpy(offsets, w->choice_offsets, ((size_t)piece->choice_count + 1) * sizeof *offsets);
    for (int32_t k = 0; k < offsets[piece->choice_count]; k++) choices[k] = w->kept[w->choices[k]];
}

clump_status clump_piece_make(clump_context *ctx, clump_piece_work *w, clump_piece **out)
{
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->piece.kept, (size_t)w->found_count * sizeof *w->kept));
    w->kept = ctx->piece.kept.data;
    number_clusters(w);
    clump_piece counts = {.own = w->own, .cluster_count = w->kept_count, .choice_count = w->choice_count};
    for (size_t i = 0; i < w->own && !w->no_strip; i++) counts.strip_count += is_in_strip(w, i);
    for (size_t i = w->own; i < w->points.count; i++) counts.rim_count += rim_label(w, i) >= 0;
    const size_t choosable = w->choice_count > 0 ? (size_t)w->choice_offsets[w->choice_count] : 0;
    piece_block *block = NULL;
    CLUMP_TRY(allocate(ctx, &counts, choosable, &block));
    if (w->core || !w->no_strip)
        write_own(w, &block->piece);
    else
        write_own_labels(w, &block->piece);
    write_rim(w, &block->piece);
    write_choices(w, &block->piece);
    *out = &block->piece;
    return CLUMP_OK;
}
