/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks.c: the order of the phases, and how ranks agree on a failure.
 */
#include "ranks/ranks.h"

#include "common/assert.h"
#include "common/timer.h"
#include "common/bytes_text.h"

#include <stdlib.h>

/* ----- agreement ---------------------------------------------------------------------------------------------------- */

clump_status clump_ranks_sent(clump_ranks *ranks, clump_status status)
{
    if (status == CLUMP_OK) return CLUMP_OK;
    if (status == CLUMP_ERR_CANCELLED) return clump_big_fail(&ranks->message, status, "%s", clump_status_text(status));
    if (status == CLUMP_ERR_OUT_OF_MEMORY)
        return clump_big_fail(&ranks->message, status, "a rank has no memory for the messages of the others");
    return clump_big_fail(&ranks->message, status,
                          "rank %d: another rank has failed or ended; do all machines have the files and devices?",
                          ranks->mail.peers.rank);
}

clump_status clump_ranks_agree(clump_ranks *ranks, clump_status status)
{
    clump_mail *const mail = &ranks->mail;
    if (status == CLUMP_OK && clump_ranks_cancelled(ranks))
        status = clump_big_fail(&ranks->message, CLUMP_ERR_CANCELLED, "%s", clump_status_text(CLUMP_ERR_CANCELLED));
    int64_t failed = status == CLUMP_OK ? mail->peers.count : mail->peers.rank; /* the first rank that failed */
    clump_status spoken = clump_mail_least(mail, &failed, 1);
    if (spoken != CLUMP_OK) return clump_ranks_sent(ranks, spoken);
    if (failed == mail->peers.count) return CLUMP_OK;
    /* its status and sentence, as the sum of one rank's words and zeros of all others */
    uint64_t words[1 + sizeof ranks->message.text / 8] = {0};
    if (failed == mail->peers.rank) {
        words[0] = (uint64_t)status;
        memcpy(words + 1, ranks->message.text, sizeof ranks->message.text);
    }
    spoken = clump_mail_sum(mail, words, sizeof words / sizeof *words);
    if (spoken != CLUMP_OK) return clump_ranks_sent(ranks, spoken);
    memcpy(ranks->message.text, words + 1, sizeof ranks->message.text);
    ranks->message.text[sizeof ranks->message.text - 1] = '\0';
    return (clump_status)words[0];
}

clump_status clump_ranks_check_ram(clump_ranks *ranks, uint64_t needed)
{
    if (ranks->ram == 0 || needed <= ranks->ram) return CLUMP_OK;
    char text[2][32];
    clump_bytes_text(text[0], sizeof text[0], (double)needed);
    clump_bytes_text(text[1], sizeof text[1], (double)ranks->ram);
    return clump_big_fail(&ranks->message, CLUMP_ERR_OUT_OF_MEMORY,
                          "rank %d needs %s of memory and may use %s: more ranks, or a larger --ram, are needed",
                          ranks->mail.peers.rank, text[0], text[1]);
}

/* ----- look-up ------------------------------------------------------------------------------------------------------ */

int clump_ranks_of(const clump_ranks *ranks, const uint64_t *bounds, uint64_t value)
{
    CLUMP_ASSERT(bounds[0] <= value && value < bounds[ranks->mail.peers.count]);
    int low = 0, high = ranks->mail.peers.count; /* bounds[low] <= value < bounds[high] */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (bounds[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int clump_ranks_of_tile(const clump_ranks *ranks, uint32_t tile)
{
    CLUMP_ASSERT(tile < ranks->map.tile_count);
    int low = 0, high = ranks->mail.peers.count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (ranks->first_tile[middle] <= tile)
            low = middle;
        else
            high = middle;
    }
    return low;
}

clump_status clump_ranks_work(clump_ranks *ranks, clump_big_work_function *work, void *arg)
{
    clump_big_workers workers = {.count = ranks->threads, .cancel = ranks->cancel};
    return clump_big_workers_run(&workers, work, arg, &ranks->message);
}

/* ----- progress ----------------------------------------------------------------------------------------------------- */

/* Per step: its phase, where it ends in the phase, and how long it takes beside others. */
static const struct {
    const char *phase;
    double from, to, weight;
} progress_steps[] = {[CLUMP_RANKS_READ] = {"read", 0, 1, 3},         [CLUMP_RANKS_PLAN] = {"plan", 0, 0.5, 0.5},
                      [CLUMP_RANKS_SORT] = {"plan", 0.5, 1, 1},       [CLUMP_RANKS_SHUFFLE] = {"scatter", 0, 1, 2},
                      [CLUMP_RANKS_TILES] = {"tiles", 0, 1, 8},       [CLUMP_RANKS_LINK] = {"merge", 0, 0.4, 0.2},
                      [CLUMP_RANKS_MERGE] = {"merge", 0.4, 0.6, 0.1}, [CLUMP_RANKS_NUMBER] = {"merge", 0.6, 1, 0.2},
                      [CLUMP_RANKS_HOME] = {"output", 0, 0.2, 1},     [CLUMP_RANKS_HASH] = {"output", 0.2, 0.3, 0.5},
                      [CLUMP_RANKS_WRITE] = {"output", 0.3, 1, 4}};
enum { PROGRESS_STEPS = sizeof progress_steps / sizeof *progress_steps };

void clump_ranks_begin(clump_ranks *ranks, clump_ranks_step step)
{
    ranks->step = (int)step;
    clump_ranks_tell(ranks, 0);
}

void clump_ranks_tell(clump_ranks *ranks, double share)
{
    CLUMP_ASSERT(share >= 0 && share <= 1);
    if (!ranks->progress || ranks->mail.peers.rank != 0) return;
    double before = 0, all = 0;
    for (int k = 0; k < PROGRESS_STEPS; k++) {
        if (k == ranks->step) before = all;
        all += progress_steps[k].weight;
    }
    const double done = (before + share * progress_steps[ranks->step].weight) / all;
    const double from = progress_steps[ranks->step].from, to = progress_steps[ranks->step].to;
    if (done > ranks->told) ranks->told = done < 1 ? done : 1;
    const clump_big_progress progress = {progress_steps[ranks->step].phase, from + (to - from) * share, ranks->told,
                                         ranks->points};
    ranks->progress(ranks->progress_user, &progress);
}

/* ----- the phases --------------------------------------------------------------------------------------------------- */

/* Finds the index of the first point of each share. */
static clump_status find_starts(clump_ranks *ranks)
{
    const size_t count = (size_t)ranks->mail.peers.count;
    ranks->starts = calloc(count + 1, sizeof *ranks->starts);
    clump_status status = ranks->starts ? CLUMP_OK : clump_big_no_memory(&ranks->message, count * 8);
    if (status == CLUMP_OK && ranks->share >= UINT32_MAX)
        status = clump_big_fail(&ranks->message, CLUMP_ERR_TOO_MANY,
                                "rank %d has %llu points; more ranks are needed, one has room for %u",
                                ranks->mail.peers.rank, (unsigned long long)ranks->share, UINT32_MAX - 1);
    CLUMP_BIG_TRY(clump_ranks_agree(ranks, status));
    ranks->starts[ranks->mail.peers.rank + 1] = ranks->share;
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, ranks->starts, count + 1)));
    for (size_t r = 0; r < count; r++) ranks->starts[r + 1] += ranks->starts[r];
    ranks->points = ranks->starts[count];
    for (size_t r = 0; r <= count; r++) ranks->starts[r] += ranks->first_index;
    return CLUMP_OK;
}

clump_status clump_ranks_cluster(clump_ranks *ranks, double phases_s[CLUMP_BIG_PHASES])
{
    static const struct {
        clump_status (*run)(clump_ranks *ranks);
        int phase;
        clump_ranks_step step;
    } steps[] = {{find_starts, 0, CLUMP_RANKS_PLAN},
                 {clump_ranks_plan, 0, CLUMP_RANKS_PLAN},
                 {clump_ranks_work_open, 0, CLUMP_RANKS_PLAN},
                 {clump_ranks_sort, 1, CLUMP_RANKS_SORT},
                 {clump_ranks_shuffle, 1, CLUMP_RANKS_SHUFFLE},
                 {clump_ranks_cluster_tiles, 2, CLUMP_RANKS_TILES},
                 {clump_ranks_link, 3, CLUMP_RANKS_LINK},
                 {clump_ranks_merge, 3, CLUMP_RANKS_MERGE},
                 {clump_ranks_number, 3, CLUMP_RANKS_NUMBER},
                 {clump_ranks_send_home, 4, CLUMP_RANKS_HOME}};
    clump_status status = CLUMP_OK;
    for (size_t k = 0; k < sizeof steps / sizeof *steps && status == CLUMP_OK; k++) {
        const double begin = clump_now_ms(), sent = ranks->mail.seconds;
        clump_ranks_begin(ranks, steps[k].step);
        status = steps[k].run(ranks);
        const double exchange = ranks->mail.seconds - sent;
        phases_s[5] += exchange;
        phases_s[steps[k].phase] += (clump_now_ms() - begin) * 1e-3 - exchange;
    }
    return status;
}

void clump_ranks_drop_piece(clump_ranks_tile *tile)
{
    if (tile->is_loaded)
        free(tile->piece);
    else
        clump_piece_destroy(tile->piece);
    tile->piece = NULL;
}

static void free_tiles(clump_ranks *ranks)
{
    for (size_t k = 0; k < ranks->tiles_here && ranks->tiles; k++) {
        free(ranks->tiles[k].labels);
        free(ranks->tiles[k].strips);
        clump_ranks_drop_piece(&ranks->tiles[k]);
    }
    free(ranks->tiles);
}

void clump_ranks_release(clump_ranks *ranks)
{
    free_tiles(ranks);
    clump_big_map_release(&ranks->map);
    void *const memory[] = {ranks->stored,   ranks->places,    ranks->labels,     ranks->starts,     ranks->first_tile,
                            ranks->order,    ranks->rim_order, ranks->own_at,     ranks->rim_at,     ranks->received,
                            ranks->own_from, ranks->rim_from,  ranks->own_counts, ranks->rim_counts, ranks->first_nodes,
                            ranks->pairs,    ranks->firsts};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++) free(memory[k]);
    *ranks = (clump_ranks){0};
}
