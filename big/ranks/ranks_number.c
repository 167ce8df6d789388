/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_number.c: from first points to numbers. The rank that has the first point of a cluster in its share numbers it.
 *
 *     to that rank   place of the first point in its share, own points of the provisional label      8 bytes
 *     there          one bit per point of the share: first points. Bits before a point number it; sizes are added up
 *     back           the number, or noise where the size is outside of the limits             4 or 8 bytes
 *
 * ranks_sizes.c numbers clusters in the order of their sizes.
 */
#include "ranks/ranks.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

/* A part of a cluster. */
typedef struct number_part {
    uint32_t place, size;
} number_part;

typedef struct numbering {
    clump_ranks *ranks;
    uint64_t *send_counts, *receive_counts; /* per rank */
    uint32_t *nodes;                        /* of the parts that are sent: their provisional label on this rank */
    size_t sent;
    number_part *parts; /* that came in */
    size_t part_count;
    uint64_t *bits, *before; /* per 64 points of the share: first points; those before */
    size_t found;            /* whole clusters of this rank */
    uint64_t *sizes;         /* per whole cluster */
    int64_t *numbers;        /* per whole cluster */
} numbering;

/* ----- parts ---------------------------------------------------------------------------------------------------------- */

/* Returns the own points of a provisional label of this rank. Calls for ascending nodes keep `tile` up to date. */
static int64_t size_of(const clump_ranks *ranks, uint64_t node, size_t *tile)
{
    CLUMP_ASSERT(*tile < ranks->tiles_here);
    const clump_ranks_tile *t = &ranks->tiles[*tile];
    while (node >= t->node - ranks->first_node + (uint64_t)t->piece->cluster_count + (uint64_t)t->piece->choice_count)
        t = &ranks->tiles[++*tile];
    return t->piece->sizes[node - (t->node - ranks->first_node)];
}

/* Lists the parts of this rank, sorted by the rank that numbers them. */
static clump_status list_parts(numbering *n, number_part **out)
{
    clump_ranks *const ranks = n->ranks;
    const size_t nodes = (size_t)ranks->node_count, count = (size_t)ranks->mail.peers.count;
    number_part *const parts = *out = malloc(nodes * sizeof *parts + 1);
    uint64_t *const at = calloc(count + 1, sizeof *at);
    n->nodes = malloc(nodes * sizeof *n->nodes + 1);
    if (!parts || !at || !n->nodes) {
        free(at);
        return clump_big_no_memory(&ranks->message, nodes * 12);
    }
    if (nodes > UINT32_MAX) {
        free(at);
        return clump_big_fail(&ranks->message, CLUMP_ERR_TOO_MANY, "rank %d has more than 2^32 clusters",
                              ranks->mail.peers.rank);
    }
    bool known = true;
    for (size_t i = 0, tile = 0; i < nodes; i++) {
        if (size_of(ranks, i, &tile) == 0) continue;
        const uint64_t first = (uint64_t)ranks->firsts[i];
        known &= first >= ranks->starts[0] && first < ranks->starts[count];
        n->send_counts[clump_ranks_of(ranks, ranks->starts, first)]++;
    }
    if (!known) {
        free(at);
        return clump_big_fail(&ranks->message, CLUMP_ERR_INTERNAL, "rank %d: a cluster has no first point",
                              ranks->mail.peers.rank);
    }
    for (size_t r = 0; r < count; r++) at[r + 1] = at[r] + n->send_counts[r];
    n->sent = (size_t)at[count];
    for (size_t i = 0, tile = 0; i < nodes; i++) {
        const int64_t size = size_of(ranks, i, &tile);
        if (size == 0) continue;
        const int rank = clump_ranks_of(ranks, ranks->starts, (uint64_t)ranks->firsts[i]);
        n->nodes[at[rank]] = (uint32_t)i;
        parts[at[rank]++] = (number_part){(uint32_t)((uint64_t)ranks->firsts[i] - ranks->starts[rank]), (uint32_t)size};
    }
    free(at);
    return CLUMP_OK;
}

/* ----- whole clusters ------------------------------------------------------------------------------------------------- */

/* Returns how many first points are before a place. */
static size_t cluster_at(const numbering *n, uint32_t place)
{
    const uint64_t below = n->bits[place / 64] & (((uint64_t)1 << place % 64) - 1);
    return (size_t)n->before[place / 64] + (size_t)__builtin_popcountll(below);
}

/* Finds the whole clusters whose first point is in this share, and their sizes. */
static clump_status add_sizes(numbering *n)
{
    const size_t words = (size_t)(n->ranks->share / 64 + 1);
    n->bits = calloc(words, sizeof *n->bits);
    n->before = malloc(words * sizeof *n->before);
    if (!n->bits || !n->before) return clump_big_no_memory(&n->ranks->message, words * 16);
    for (size_t i = 0; i < n->part_count; i++) n->bits[n->parts[i].place / 64] |= (uint64_t)1 << n->parts[i].place % 64;
    for (size_t w = 0; w < words; w++) {
        n->before[w] = n->found;
        n->found += (size_t)__builtin_popcountll(n->bits[w]);
    }
    n->sizes = calloc(n->found + 1, sizeof *n->sizes);
    n->numbers = malloc(n->found * sizeof *n->numbers + 1);
    if (!n->sizes || !n->numbers) return clump_big_no_memory(&n->ranks->message, n->found * 16);
    for (size_t i = 0; i < n->part_count; i++) n->sizes[cluster_at(n, n->parts[i].place)] += n->parts[i].size;
    return CLUMP_OK;
}

/* Numbers the clusters by first point. */
static clump_status number_by_index(numbering *n)
{
    clump_ranks *const ranks = n->ranks;
    uint64_t number = 0;
    for (size_t c = 0; c < n->found; c++) number += clump_ranks_keeps(ranks, n->sizes[c]);
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_before(&ranks->mail, &number)));
    for (size_t c = 0; c < n->found; c++)
        n->numbers[c] = clump_ranks_keeps(ranks, n->sizes[c]) ? (int64_t)number++ : CLUMP_NOISE;
    return CLUMP_OK;
}

/* ----- all of it ------------------------------------------------------------------------------------------------------ */

/* Adds up what the result says of all clusters. */
static clump_status sum_up(numbering *n)
{
    clump_ranks *const ranks = n->ranks;
    uint64_t sums[2] = {0, 0}; /* clusters, their points */
    int64_t largest = 0;
    for (size_t c = 0; c < n->found; c++) {
        if (!clump_ranks_keeps(ranks, n->sizes[c])) continue;
        sums[0]++;
        sums[1] += n->sizes[c];
        largest = -(int64_t)n->sizes[c] < largest ? -(int64_t)n->sizes[c] : largest;
    }
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, sums, 2)));
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_least(&ranks->mail, &largest, 1)));
    ranks->clusters = (int64_t)sums[0];
    ranks->noise = ranks->points - sums[1];
    ranks->largest = (uint64_t)-largest;
    ranks->wide |= ranks->clusters > INT32_MAX;
    return CLUMP_OK;
}

/* Sends the numbers back to where the parts came from, and keeps those of this rank's provisional labels. */
static clump_status send_numbers(numbering *n)
{
    clump_ranks *const ranks = n->ranks;
    const size_t size = ranks->wide ? sizeof(int64_t) : sizeof(int32_t);
    unsigned char *const numbers = malloc(n->part_count * size + 1);
    void *received = NULL;
    clump_status status =
        clump_ranks_agree(ranks, numbers ? CLUMP_OK : clump_big_no_memory(&ranks->message, n->part_count * size));
    for (size_t i = 0; i < n->part_count && status == CLUMP_OK; i++) {
        const int64_t number = n->numbers[cluster_at(n, n->parts[i].place)];
        const int32_t narrow = (int32_t)number;
        memcpy(numbers + i * size, ranks->wide ? (const void *)&number : &narrow, size);
    }
    if (status == CLUMP_OK)
        status = clump_ranks_sent(
            ranks, clump_mail_lists(&ranks->mail, size, numbers, n->receive_counts, &received, n->send_counts));
    for (size_t i = 0; i < n->sent && status == CLUMP_OK; i++)
        ranks->firsts[n->nodes[i]] = ranks->wide ? ((const int64_t *)received)[i] : ((const int32_t *)received)[i];
    free(numbers);
    free(received);
    return status;
}

static clump_status run(numbering *n)
{
    clump_ranks *const ranks = n->ranks;
    const size_t count = (size_t)ranks->mail.peers.count;
    number_part *parts = NULL;
    void *received = NULL;
    n->send_counts = calloc(count, sizeof *n->send_counts);
    n->receive_counts = calloc(count, sizeof *n->receive_counts);
    clump_status status =
        n->send_counts && n->receive_counts ? list_parts(n, &parts) : clump_big_no_memory(&ranks->message, 16 * count);
    status = clump_ranks_agree(ranks, status);
    if (status == CLUMP_OK)
        status = clump_ranks_sent(
            ranks, clump_mail_lists(&ranks->mail, sizeof *parts, parts, n->send_counts, &received, n->receive_counts));
    free(parts);
    n->parts = received;
    CLUMP_BIG_TRY(status);
    for (size_t r = 0; r < count; r++) n->part_count += (size_t)n->receive_counts[r];
    CLUMP_BIG_TRY(clump_ranks_agree(ranks, add_sizes(n)));
    CLUMP_BIG_TRY(ranks->settings.order == CLUMP_ORDER_SIZE
                      ? clump_ranks_number_by_size(ranks, n->sizes, n->found, n->numbers)
                      : number_by_index(n));
    CLUMP_BIG_TRY(sum_up(n));
    return send_numbers(n);
}

clump_status clump_ranks_number(clump_ranks *ranks)
{
    numbering n = {.ranks = ranks};
    const clump_status status = run(&n);
    void *const memory[] = {n.send_counts, n.receive_counts, n.nodes, n.parts, n.bits, n.before, n.sizes, n.numbers};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++) free(memory[k]);
    for (size_t k = 0; k < ranks->tiles_here && status == CLUMP_OK; k++) clump_ranks_drop_piece(&ranks->tiles[k]);
    return status;
}
