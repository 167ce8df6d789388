/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tile_groups.c: see tiles.h.
 *
 *     tile     own points | rim          ascending by index; a class each
 *     group    own points | rim          a piece by clump_piece_cluster(), with the distance of the group
 *     tile     firsts, strip and rim of all pieces, ascending again; choices behind each other
 */
#include "tiles/tiles.h"

#include "common/assert.h"
#include "common/sort.h"

#include <stdlib.h>
#include <string.h>

/* The points of one group, in the spare memory of a tile. */
typedef struct group_points {
    uint32_t *order; /* of all groups: positions in the tile, ascending within a group */
    float *xyz;
    int64_t *indices;
    int32_t *labels;
    uint8_t *strip;
} group_points;

typedef struct groups_tile {
    const clump_big_groups *groups;
    clump_big_loaded *l;
    group_points at;
    size_t begin[CLUMP_CLASS_GROUPS + 2]; /* where the points of a group begin in the order */
    clump_piece *pieces[CLUMP_CLASS_GROUPS];
    size_t clusters[CLUMP_CLASS_GROUPS + 1], choices[CLUMP_CLASS_GROUPS + 1]; /* of the groups before */
    int32_t *numbers; /* per cluster of all pieces, group by group: its number in the tile */
} groups_tile;

static uint8_t group_of(const groups_tile *t, size_t i)
{
    CLUMP_ASSERT(t->groups->of[t->l->ids[i]] != CLUMP_BIG_NO_GROUP);
    return t->groups->of[t->l->ids[i]];
}

/* Lists the points by group. */
static void deal(groups_tile *t)
{
    const size_t n = t->l->count;
    unsigned char *at = t->l->spare;
    t->at = (group_points){.order = clump_big_cut_off(&at, 4 * n),
                           .xyz = clump_big_cut_off(&at, 12 * n),
                           .indices = clump_big_cut_off(&at, 8 * n)};
    t->at.labels = clump_big_cut_off(&at, 4 * n);
    t->at.strip = clump_big_cut_off(&at, n);
    memset(t->begin, 0, sizeof t->begin);
    for (size_t i = 0; i < n; i++) t->begin[group_of(t, i) + 2]++;
    for (size_t g = 2; g < t->groups->count + 2; g++) t->begin[g] += t->begin[g - 1];
    for (size_t i = 0; i < n; i++) t->at.order[t->begin[group_of(t, i) + 1]++] = (uint32_t)i;
}

/* Makes the piece of a group. Labels of the tile become those of the piece. */
static clump_status cluster_group(groups_tile *t, clump_context *ctx, size_t g)
{
    const clump_big_loaded *const l = t->l;
    const group_points *const at = &t->at;
    const uint32_t *const order = at->order + t->begin[g];
    const size_t count = t->begin[g + 1] - t->begin[g];
    size_t own = 0;
    for (size_t k = 0; k < count; k++) {
        memcpy(at->xyz + 3 * k, l->xyz + 3 * (size_t)order[k], 3 * sizeof *at->xyz);
        at->indices[k] = l->indices[order[k]];
        if (order[k] >= l->own) continue;
        at->strip[k] = l->strip[order[k]];
        own++;
    }
    if (count == 0) return CLUMP_OK;
    const clump_points points = {.xyz = at->xyz, .count = count};
    const clump_status status = clump_piece_cluster(ctx, &t->groups->settings[g], points, own, at->indices, at->strip,
                                                    at->labels, &t->pieces[g]);
    for (size_t k = 0; k < own && status == CLUMP_OK; k++) l->labels[order[k]] = at->labels[k];
    return status;
}

/* ----- the piece of the tile ------------------------------------------------------------------------------------------ */

static size_t choosable_of(const clump_piece *piece)
{
    return piece->choice_count > 0 ? (size_t)piece->choice_offsets[piece->choice_count] : 0;
}

/* Makes room for the lists of all pieces. */
static clump_status make_lists(groups_tile *t, clump_big_grouped *out, clump_message *message)
{
    size_t choosable = 0;
    clump_piece sum = {.own = t->l->own};
    for (size_t g = 0; g < t->groups->count; g++) {
        const clump_piece *const p = t->pieces[g];
        t->clusters[g + 1] = t->clusters[g] + (p ? (size_t)p->cluster_count : 0);
        t->choices[g + 1] = t->choices[g] + (p ? (size_t)p->choice_count : 0);
        if (!p) continue;
        sum.rim_count += p->rim_count, sum.strip_count += p->strip_count;
        choosable += choosable_of(p);
    }
    const size_t c = t->clusters[t->groups->count], k = t->choices[t->groups->count];
    const size_t bytes = c * (8 + 8 + 1 + 4) + k * (8 + 4) + 12 * (sum.rim_count + sum.strip_count) + 4 * choosable;
    CLUMP_ASSERT(c <= INT32_MAX && k <= INT32_MAX);
    out->memory = malloc(bytes + 16 * 64);
    if (!out->memory) return clump_big_no_memory(message, bytes);
    unsigned char *at = out->memory;
    sum.cluster_count = (int32_t)c, sum.choice_count = (int32_t)k;
    sum.firsts = clump_big_cut_off(&at, 8 * c);
    sum.sizes = clump_big_cut_off(&at, 8 * (c + k));
    sum.rim_indices = clump_big_cut_off(&at, 8 * sum.rim_count),
    sum.rim_labels = clump_big_cut_off(&at, 4 * sum.rim_count);
    sum.strip_indices = clump_big_cut_off(&at, 8 * sum.strip_count),
    sum.strip_labels = clump_big_cut_off(&at, 4 * sum.strip_count);
    sum.choice_offsets = clump_big_cut_off(&at, 4 * (k + 1)), sum.choices = clump_big_cut_off(&at, 4 * choosable);
    out->groups = clump_big_cut_off(&at, c);
    t->numbers = clump_big_cut_off(&at, 4 * c);
    out->piece = sum;
    return CLUMP_OK;
}

/* Gives cluster c of a group the next number. */
static void number_cluster(groups_tile *t, clump_big_grouped *out, size_t g, size_t c, int32_t *next)
{
    CLUMP_ASSERT(*next < out->piece.cluster_count);
    ((int64_t *)out->piece.firsts)[*next] = t->pieces[g]->firsts[c];
    ((int64_t *)out->piece.sizes)[*next] = t->pieces[g]->sizes[c];
    out->groups[*next] = (uint8_t)g;
    t->numbers[t->clusters[g] + c] = (*next)++;
}

/* Numbers the clusters by their first points, as they ascend in each piece. Those without one follow. */
static void number_clusters(groups_tile *t, clump_big_grouped *out)
{
    size_t done[CLUMP_CLASS_GROUPS] = {0};
    int32_t next = 0;
    for (size_t i = 0; i < t->l->own; i++) {
        const size_t g = group_of(t, i);
        const clump_piece *const p = t->pieces[g];
        if (done[g] < (size_t)p->cluster_count && p->firsts[done[g]] == t->l->indices[i])
            number_cluster(t, out, g, done[g]++, &next);
    }
    for (size_t g = 0; g < t->groups->count; g++)
        while (t->pieces[g] && done[g] < (size_t)t->pieces[g]->cluster_count) {
            CLUMP_ASSERT(t->pieces[g]->firsts[done[g]] == INT64_MAX);
            number_cluster(t, out, g, done[g]++, &next);
        }
    CLUMP_ASSERT(next == out->piece.cluster_count);
}

static void put_choices(const groups_tile *t, clump_big_grouped *out)
{
    int32_t *const offsets = (int32_t *)out->piece.choice_offsets, *const choices = (int32_t *)out->piece.choices;
    int64_t *const sizes = (int64_t *)out->piece.sizes + out->piece.cluster_count;
    size_t k = 0;
    int32_t end = 0;
    for (size_t g = 0; g < t->groups->count; g++) {
        const clump_piece *const p = t->pieces[g];
        for (int32_t c = 0; p && c < p->choice_count; c++, k++) {
            offsets[k] = end;
            sizes[k] = p->sizes[p->cluster_count + c];
            for (int32_t i = p->choice_offsets[c]; i < p->choice_offsets[c + 1]; i++)
                choices[end++] = t->numbers[t->clusters[g] + (size_t)p->choices[i]];
        }
    }
    offsets[k] = end;
}

/* Turns the labels of pieces into those of the tile. */
static void put_labels(const groups_tile *t, const clump_big_grouped *out)
{
    for (size_t i = 0; i < t->l->own; i++) {
        int32_t *const label = &t->l->labels[i];
        const size_t g = group_of(t, i);
        const int32_t clusters = t->pieces[g]->cluster_count;
        if (*label == CLUMP_NOISE) continue;
        *label = *label < clusters ? t->numbers[t->clusters[g] + (size_t)*label]
                                   : out->piece.cluster_count + (int32_t)t->choices[g] + (*label - clusters);
    }
}

/* Puts the points that join clusters of different tiles in one order: those of rims, or of strips. */
static clump_status put_shared(const groups_tile *t, bool rims, clump_big_grouped *out, clump_message *message)
{
    const size_t count = rims ? out->piece.rim_count : out->piece.strip_count;
    int64_t *const indices = (int64_t *)(rims ? out->piece.rim_indices : out->piece.strip_indices);
    int32_t *const labels = (int32_t *)(rims ? out->piece.rim_labels : out->piece.strip_labels);
    clump_pair *const pairs = malloc(2 * count * sizeof *pairs + 1);
    if (!pairs) return clump_big_no_memory(message, 2 * count * sizeof *pairs);
    size_t n = 0;
    for (size_t g = 0; g < t->groups->count; g++) {
        const clump_piece *const p = t->pieces[g];
        for (size_t k = 0; p && k < (rims ? p->rim_count : p->strip_count); k++) {
            const int32_t label = rims ? p->rim_labels[k] : p->strip_labels[k];
            pairs[n++] = (clump_pair){(uint64_t)(rims ? p->rim_indices[k] : p->strip_indices[k]),
                                      (uint64_t)t->numbers[t->clusters[g] + (size_t)label]};
        }
    }
    CLUMP_ASSERT(n == count);
    clump_pair_sort(pairs, pairs + count, count);
    for (size_t k = 0; k < count; k++) indices[k] = (int64_t)pairs[k].key, labels[k] = (int32_t)pairs[k].value;
    free(pairs);
    return CLUMP_OK;
}

static clump_status put_together(groups_tile *t, clump_big_grouped *out, clump_message *message)
{
    CLUMP_BIG_TRY(make_lists(t, out, message));
    number_clusters(t, out);
    put_choices(t, out);
    put_labels(t, out);
    CLUMP_BIG_TRY(put_shared(t, true, out, message));
    return put_shared(t, false, out, message);
}

clump_status clump_big_groups_cluster(const clump_big_job *job, clump_context *ctx, uint32_t number,
                                      clump_big_loaded *loaded, clump_big_grouped *out, clump_message *message)
{
    groups_tile t = {.groups = job->groups, .l = loaded};
    clump_status status = CLUMP_OK;
    *out = (clump_big_grouped){0};
    deal(&t);
    for (size_t g = 0; g < t.groups->count && status == CLUMP_OK; g++) status = cluster_group(&t, ctx, g);
    if (status != CLUMP_OK)
        clump_big_fail(message, status, "tile %u: %s", number, clump_context_error(ctx));
    else
        status = put_together(&t, out, message);
    for (size_t g = 0; g < t.groups->count; g++) clump_piece_destroy(t.pieces[g]);
    return status;
}
