/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_sizes.c: numbers clusters in the order of their sizes. Rank 0 learns how many clusters of each size each rank has, and
 * tells the rank their first number. There are few sizes: clusters of k different sizes have k^2 / 2 points and more.
 */
#include "ranks/ranks.h"

#include "common/assert.h"

#include "common/sort.h"

#include <stdlib.h>

/* How many clusters of a size there are; then the number of the first. */
typedef struct number_group {
    uint64_t size, count;
} number_group;

/* Sorts the clusters within the limits: largest first, then by first point. Returns how many there are. */
static size_t sort_by_size(const clump_ranks *ranks, const uint64_t *sizes, size_t found, clump_pair *order)
{
    size_t kept = 0;
    for (size_t c = 0; c < found; c++)
        if (clump_ranks_keeps(ranks, sizes[c])) order[kept++] = (clump_pair){UINT64_MAX - sizes[c], c};
    CLUMP_ASSERT(kept <= found);
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
static clump_status exchange_groups(clump_ranks *ranks, const number_group *groups, size_t count, number_group **out)
{
    const size_t size = (size_t)ranks->mail.peers.count;
    uint64_t *const words = calloc(3 * size, sizeof *words);
    void *all = NULL, *back = NULL;
    clump_status status = clump_ranks_agree(ranks, words ? CLUMP_OK : clump_big_no_memory(&ranks->message, 24 * size));
    if (status == CLUMP_OK) {
        words[0] = count;
        status =
            clump_ranks_sent(ranks, clump_mail_lists(&ranks->mail, sizeof *groups, groups, words, &all, words + size));
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

clump_status clump_ranks_number_by_size(clump_ranks *ranks, const uint64_t *sizes, size_t found, int64_t *numbers)
{
    clump_pair *const order = malloc(2 * found * sizeof *order + 1);
    number_group *const groups = malloc(found * sizeof *groups + 1), *numbered = NULL;
    clump_status status = order && groups ? CLUMP_OK : clump_big_no_memory(&ranks->message, found * 48);
    status = clump_ranks_agree(ranks, status);
    if (status == CLUMP_OK) {
        for (size_t c = 0; c < found; c++) numbers[c] = CLUMP_NOISE;
        const size_t kept = sort_by_size(ranks, sizes, found, order);
        status = exchange_groups(ranks, groups, group_sizes(order, kept, groups), &numbered);
        for (size_t i = 0, group = 0; i < kept && status == CLUMP_OK; i++) {
            group += i > 0 && order[i].key != order[i - 1].key;
            CLUMP_ASSERT(order[i].value < found && numbered[group].size == order[i].key);
            numbers[order[i].value] = (int64_t)numbered[group].count++;
        }
    }
    free(order);
    free(groups);
    free(numbered);
    return status;
}
