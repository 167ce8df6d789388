/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks.c: what the phases share: how ranks agree on a failure, which rank has what, progress.
 */
#include "ranks/ranks.h"

#include "common/assert.h"
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

/* ----- tiles --------------------------------------------------------------------------------------------------------- */

void clump_ranks_drop_piece(clump_ranks_tile *tile)
{
    if (tile->is_loaded)
        free(tile->piece);
    else
        clump_piece_destroy(tile->piece);
    tile->piece = NULL;
}
