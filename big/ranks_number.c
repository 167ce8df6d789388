/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_number.c: from first points to numbers. The rank that has the first point of a cluster in its share numbers it.
 *
 *     to that rank   place of the first point in its share, own points of the provisional label      8 bytes
 *     there          one bit per point of the share: first points. Bits before a point number it; sizes are added up
 *     back           the number, or noise where the size is outside of the limits             4 or 8 bytes
 *
 * In order of size, rank 0 learns how many clusters of each size each rank has, and tells it their first number.
 */
#include "ranks.h"

#include "common/pair_sort.h"

#include <stdlib.h>
#include <string.h>

/* A part of a cluster. */
typedef struct number_part {
    uint32_t place, size;
} number_part;

/* How many clusters of a size there are; then the number of the first. */
typedef struct number_group {
    uint64_t size, count;
} number_group;

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
        parts[at[rank]++] =
            (number_part){(uint32_t)((uint64_t)ranks->firsts[i] - ranks->starts[rank]), (uint32_t)size};
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

/* Whether the size of a cluster is within the limits. */
static bool is_kept(const clump_joint_settings *settings, uint64_t size)
{
    return size >= settings->min_size && (settings->max_size == 0 || size <= settings->max_size);
}

/* Numbers the clusters by first point. */
static clump_status number_by_index(numbering *n)
{
    clump_ranks *const ranks = n->ranks;
    uint64_t number = 0;
    for (size_t c = 0; c < n->found; c++) number += is_kept(&ranks->settings, n->sizes[c]);
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_before(&ranks->mail, &number)));
    for (size_t c = 0; c < n->found; c++)
        n->numbers[c] = is_kept(&ranks->settings, n->sizes[c]) ? (int64_t)number++ : CLUMP_NOISE;
    return CLUMP_OK;
}

/* ----- order of size -------------------------------------------------------------------------------------------------- */

/* Sorts the clusters within the limits: largest first, then by first point. Returns how many there are. */
static size_t sort_by_size(const numbering *n, clump_pair *order)
{
    size_t kept = 0;
    for (size_t c = 0; c < n->found; c++)
        if (is_kept(&n->ranks->settings, n->sizes[c])) order[kept++] = (clump_pair){UINT64_MAX - n->sizes[c], c};
    clump_pair_sort(order, order + kept, kept); /* stable */
    return kept;
}

/* Counts the clusters of each size. Returns the number of sizes. */
static size_t group_sizes(const clump_pair *order, size_t kept, number_group *groups)
{
    size_t count = 0;
    for (size_t i = 0; i < kept; i++) {
        if (i == 0 || order[i].key != order[i - 1].key) groups[count++] = (number_group){order[i].key, 0};
        groups[count - 1].count++;
    }
    return count;
}

/* Replaces the counts of all ranks by first numbers; on rank 0. Ranks ascend with first points. */
static clump_status number_groups(clump_ranks *ranks, number_group *groups, size_t count)
{
    clump_pair *const order = malloc(2 * count * sizeof *order + 1);
    if (!order) return clump_big_no_memory(&ranks->message, 2 * count * sizeof *order);
    for (size_t i = 0; i < count; i++) order[i] = (clump_pair){groups[i].size, i};
    clump_pair_sort(order, order + count, count); /* stable: equal sizes stay in the order of the ranks */
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t here = groups[order[i].value].count;
        groups[order[i].value].count = number;
        number += here;
    }
    free(order);
    return CLUMP_OK;
}

/* Sends the groups to rank 0, and gets them back with first numbers. */
static clump_status exchange_groups(numbering *n, const number_group *groups, size_t count, number_group **out)
{
    clump_ranks *const ranks = n->ranks;
    const size_t size = (size_t)ranks->mail.peers.count;
    uint64_t *const words = calloc(3 * size, sizeof *words);
    void *all = NULL, *back = NULL;
    clump_status status = clump_ranks_agree(ranks, words ? CLUMP_OK : clump_big_no_memory(&ranks->message, 24 * size));
    if (status == CLUMP_OK) {
        words[0] = count;
        status = clump_ranks_sent(ranks,
                                  clump_mail_lists(&ranks->mail, sizeof *groups, groups, words, &all, words + size));
    }
    size_t total = 0;
    for (size_t r = 0; r < size && status == CLUMP_OK; r++) total += (size_t)words[size + r];
    if (status == CLUMP_OK) status = clump_ranks_agree(ranks, number_groups(ranks, all, total));
    if (status == CLUMP_OK)
        status = clump_ranks_sent(
            ranks, clump_mail_lists(&ranks->mail, sizeof *groups, all, words + size, &back, words + 2 * size));
    free(words);
    free(all);
    *out = back;
    return status;
}

static clump_status number_by_size(numbering *n)
{
    clump_ranks *const ranks = n->ranks;
    clump_pair *const order = malloc(2 * n->found * sizeof *order + 1);
    number_group *const groups = malloc(n->found * sizeof *groups + 1), *numbered = NULL;
    clump_status status = order && groups ? CLUMP_OK : clump_big_no_memory(&ranks->message, n->found * 48);
    status = clump_ranks_agree(ranks, status);
    if (status == CLUMP_OK) {
        for (size_t c = 0; c < n->found; c++) n->numbers[c] = CLUMP_NOISE;
        const size_t kept = sort_by_size(n, order);
        status = exchange_groups(n, groups, group_sizes(order, kept, groups), &numbered);
        for (size_t i = 0, group = 0; i < kept && status == CLUMP_OK; i++) {
            group += i > 0 && order[i].key != order[i - 1].key;
            n->numbers[order[i].value] = (int64_t)numbered[group].count++;
        }
    }
    free(order);
    free(groups);
    free(numbered);
    return status;
}

/* ----- all of it ------------------------------------------------------------------------------------------------------ */

/* Adds up what the result says of all clusters. */
static clump_status sum_up(numbering *n)
{
    clump_ranks *const ranks = n->ranks;
    uint64_t sums[2] = {0, 0}; /* clusters, their points */
    int64_t largest = 0;
    for (size_t c = 0; c < n->found; c++) {
        if (!is_kept(&ranks->settings, n->sizes[c])) continue;
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
        ranks->firsts[n->nodes[i]] =
            ranks->wide ? ((const int64_t *)received)[i] : ((const int32_t *)received)[i];
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
    clump_status status = n->send_counts && n->receive_counts ? list_parts(n, &parts)
                                                               : clump_big_no_memory(&ranks->message, 16 * count);
    status = clump_ranks_agree(ranks, status);
    if (status == CLUMP_OK)
        status = clump_ranks_sent(ranks, clump_mail_lists(&ranks->mail, sizeof *parts, parts, n->send_counts, &received,
                                                          n->receive_counts));
    free(parts);
    n->parts = received;
    CLUMP_BIG_TRY(status);
    for (size_t r = 0; r < count; r++) n->part_count += (size_t)n->receive_counts[r];
    CLUMP_BIG_TRY(clump_ranks_agree(ranks, add_sizes(n)));
    CLUMP_BIG_TRY(ranks->settings.order == CLUMP_ORDER_SIZE ? number_by_size(n) : number_by_index(n));
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
