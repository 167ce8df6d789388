/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_merge.c: the first point of the whole cluster of each provisional label.
 *
 *     1  all ranks -> rank 0   links
 *     2  rank 0 -> owners      provisional labels that are linked, ascending
 *     3  owners -> rank 0      first points of these labels in their tiles, in the same order
 *     4  rank 0 -> owners      first points of their whole clusters, in the same order
 *
 * Labels that are not linked are whole clusters already. Rank 0 needs memory for the links alone.
 */
#include "ranks/ranks.h"
#include "common/assert.h"
#include "ranks/ranks_sets.h"

#include "common/sort.h"
#include "common/bytes_text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MERGE_LINK_BYTES = 160 }; /* memory of rank 0 per link, about */

typedef struct merge {
    clump_ranks *ranks;
    uint64_t *counts;      /* per rank: linked labels of this rank; of rank 0: of all ranks */
    uint64_t *others;      /* per rank: what comes back */
    clump_ranks_sets sets; /* on rank 0 */
    clump_pair *order;     /* on rank 0: entries of the sets, ascending by label */
    uint64_t *labels;      /* on rank 0: the same labels */
} merge;

/* Fails on rank 0 where the links need more memory than they may use. */
static clump_status check_links(clump_ranks *ranks, uint64_t links)
{
    const uint64_t bytes = links * MERGE_LINK_BYTES;
    if (ranks->mail.peers.rank != 0 || ranks->ram == 0 || bytes <= ranks->ram / 4) return CLUMP_OK;
    char text[2][32];
    clump_bytes_text(text[0], sizeof text[0], (double)bytes);
    clump_bytes_text(text[1], sizeof text[1], (double)ranks->ram);
    return clump_big_fail(&ranks->message, CLUMP_ERR_OUT_OF_MEMORY,
                          "%" PRIu64
                          " links between tiles need %s of memory on rank 0, which may use a quarter of its %s "
                          "for them: a larger --ram is needed",
                          links, text[0], text[1]);
}

/* Unites the links of all ranks; on rank 0. */
static clump_status unite(merge *m, const uint64_t *pairs, size_t count)
{
    clump_ranks *const ranks = m->ranks;
    if (!clump_ranks_sets_make(&m->sets, 2 * count)) return clump_big_no_memory(&ranks->message, count * 96);
    for (size_t i = 0; i < count; i++) clump_ranks_sets_unite(&m->sets, pairs[2 * i], pairs[2 * i + 1]);
    const size_t entries = m->sets.count;
    m->order = malloc(2 * entries * sizeof *m->order + 1);
    m->labels = malloc(entries * sizeof *m->labels + 1);
    if (!m->order || !m->labels) return clump_big_no_memory(&ranks->message, entries * 40);
    for (size_t i = 0; i < entries; i++) m->order[i] = (clump_pair){m->sets.members[i], i};
    clump_pair_sort(m->order, m->order + entries, entries);
    for (size_t i = 0; i < entries; i++) {
        CLUMP_ASSERT(i == 0 || m->order[i - 1].key < m->order[i].key);
        m->labels[i] = m->order[i].key;
        m->counts[clump_ranks_of(ranks, ranks->first_nodes, m->labels[i])]++;
    }
    return CLUMP_OK;
}

/* Step 1. */
static clump_status gather_links(merge *m)
{
    clump_ranks *const ranks = m->ranks;
    const size_t count = (size_t)ranks->mail.peers.count;
    uint64_t links = ranks->pair_count;
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, &links, 1)));
    CLUMP_BIG_TRY(clump_ranks_agree(ranks, check_links(ranks, links)));
    void *received = NULL;
    m->counts[0] = ranks->pair_count;
    CLUMP_BIG_TRY(clump_ranks_sent(
        ranks, clump_mail_lists(&ranks->mail, 2 * sizeof(uint64_t), ranks->pairs, m->counts, &received, m->others)));
    free(ranks->pairs);
    ranks->pairs = NULL;
    for (size_t r = 0; r < count; r++) m->counts[r] = 0;
    const clump_status status = ranks->mail.peers.rank == 0 ? unite(m, received, (size_t)links) : CLUMP_OK;
    free(received);
    return clump_ranks_agree(ranks, status);
}

/* Step 3: replaces labels of this rank by their first points. */
static void find_firsts(const clump_ranks *ranks, uint64_t *labels, size_t count)
{
    for (size_t i = 0; i < count; i++) labels[i] = (uint64_t)ranks->firsts[labels[i] - ranks->first_node];
}

/* Step 4: the least first point of each set, for all its labels. */
static void find_least(merge *m, const uint64_t *firsts)
{
    uint64_t *const least = m->sets.members; /* the numbers are not needed any more */
    for (size_t i = 0; i < m->sets.count; i++) least[i] = INT64_MAX;
    for (size_t i = 0; i < m->sets.count; i++) {
        CLUMP_ASSERT(m->order[i].value < m->sets.count);
        const size_t root = clump_ranks_sets_root(&m->sets, (size_t)m->order[i].value);
        least[root] = firsts[i] < least[root] ? firsts[i] : least[root];
    }
    for (size_t i = 0; i < m->sets.count; i++)
        m->labels[i] = least[clump_ranks_sets_root(&m->sets, (size_t)m->order[i].value)];
}

/* Steps 2 to 4. */
static clump_status merge_firsts(merge *m)
{
    clump_ranks *const ranks = m->ranks;
    clump_mail *const mail = &ranks->mail;
    const size_t count = (size_t)mail->peers.count;
    void *mine = NULL, *firsts = NULL, *whole = NULL;
    uint64_t *const back = calloc(count, sizeof *back);
    clump_status status = clump_ranks_agree(ranks, back ? CLUMP_OK : clump_big_no_memory(&ranks->message, 8 * count));
    if (status == CLUMP_OK)
        status =
            clump_ranks_sent(ranks, clump_mail_lists(mail, sizeof(uint64_t), m->labels, m->counts, &mine, m->others));
    const size_t linked = status == CLUMP_OK ? (size_t)m->others[0] : 0;
    uint64_t *const labels = malloc(linked * sizeof *labels + 1);
    if (status == CLUMP_OK)
        status = clump_ranks_agree(ranks, labels ? CLUMP_OK : clump_big_no_memory(&ranks->message, 8 * linked));
    if (status == CLUMP_OK) {
        for (size_t i = 0; i < linked; i++) labels[i] = ((const uint64_t *)mine)[i];
        find_firsts(ranks, mine, linked);
        back[0] = linked;
        status = clump_ranks_sent(ranks, clump_mail_lists(mail, sizeof(uint64_t), mine, back, &firsts, m->others));
    }
    if (status == CLUMP_OK && mail->peers.rank == 0) find_least(m, firsts);
    if (status == CLUMP_OK)
        status =
            clump_ranks_sent(ranks, clump_mail_lists(mail, sizeof(uint64_t), m->labels, m->counts, &whole, m->others));
    for (size_t i = 0; i < linked && status == CLUMP_OK; i++)
        ranks->firsts[labels[i] - ranks->first_node] = ((const int64_t *)whole)[i];
    free(mine);
    free(firsts);
    free(whole);
    free(back);
    free(labels);
    return status;
}

/* Collects the first points of this rank's provisional labels. Choices have none yet. */
static clump_status prepare(merge *m)
{
    clump_ranks *const ranks = m->ranks;
    const size_t nodes = (size_t)ranks->node_count, count = (size_t)ranks->mail.peers.count;
    m->counts = calloc(count, sizeof *m->counts);
    m->others = calloc(count, sizeof *m->others);
    ranks->firsts = malloc(nodes * sizeof *ranks->firsts + 1);
    if (!m->counts || !m->others || !ranks->firsts) return clump_big_no_memory(&ranks->message, nodes * 8 + count * 16);
    for (size_t k = 0; k < ranks->tiles_here; k++) {
        const clump_piece *const piece = ranks->tiles[k].piece;
        int64_t *const firsts = ranks->firsts + (ranks->tiles[k].node - ranks->first_node);
        for (int32_t c = 0; c < piece->cluster_count; c++) firsts[c] = piece->firsts[c];
        for (int32_t c = 0; c < piece->choice_count; c++) firsts[piece->cluster_count + c] = INT64_MAX;
    }
    return CLUMP_OK;
}

/* A choice takes the whole cluster with the least first point. */
static void decide_choices(clump_ranks *ranks)
{
    for (size_t k = 0; k < ranks->tiles_here; k++) {
        const clump_piece *const piece = ranks->tiles[k].piece;
        int64_t *const firsts = ranks->firsts + (ranks->tiles[k].node - ranks->first_node);
        for (int32_t c = 0; c < piece->choice_count; c++)
            for (int32_t i = piece->choice_offsets[c]; i < piece->choice_offsets[c + 1]; i++)
                if (firsts[piece->choices[i]] < firsts[piece->cluster_count + c])
                    firsts[piece->cluster_count + c] = firsts[piece->choices[i]];
    }
}

clump_status clump_ranks_merge(clump_ranks *ranks)
{
    merge m = {.ranks = ranks};
    clump_status status = clump_ranks_agree(ranks, prepare(&m));
    if (status == CLUMP_OK) status = gather_links(&m);
    if (status == CLUMP_OK) status = merge_firsts(&m);
    if (status == CLUMP_OK) decide_choices(ranks);
    clump_ranks_sets_release(&m.sets);
    free(m.order);
    free(m.labels);
    free(m.counts);
    free(m.others);
    return status;
}
