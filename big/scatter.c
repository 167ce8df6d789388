/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scatter.c: reads the blocks of the share once and puts their points into the tiles. From time to time all threads stop,
 * empty their buffers and note in the journal how far the scatter is. Segments of tiles that other ranks have go to their
 * logs as they are, in rounds of some blocks: all ranks go through their shares at the same pace, and a run goes on from the
 * last round that all have noted.
 */
#include "job.h"

#include "workers.h"
#include "common/atomics.h"
#include "common/timer.h"
#include "peers/outbox.h"

#include <stdlib.h>

#define SCATTER_SAVE_MS 30000.0 /* time between two journal records */

/* What a thread keeps from round to round. */
typedef struct scatter_thread {
    clump_big_sink sink;
    clump_block block;
    clump_big_picked picked;
    clump_big_box box;
    uint64_t left_out, moved;
} scatter_thread;

typedef struct scatter {
    clump_big_job *job;
    clump_big_blocks blocks;
    scatter_thread *threads;
    double save_at; /* time */
    int save;       /* atomic: the round is over; alone */
    bool flush;     /* buffers are emptied at the end of the round */
    clump_big_outbox outbox;
} scatter;

static clump_status scatter_block(scatter *s, scatter_thread *t, uint64_t number, clump_message *message)
{
    clump_big_job *const job = s->job;
    const size_t count = t->block.count;
    CLUMP_BIG_TRY(clump_big_pick(&job->frame, &job->filter, job->reader, &t->block, &t->picked, &t->box, message));
    t->left_out += count - t->picked.count - t->picked.ground;
    t->moved += t->picked.moved;
    if (!clump_big_frame_fits(&job->frame, &t->box)) return CLUMP_OK; /* all of it is done again */
    if (job->filter.ground) CLUMP_BIG_TRY(clump_big_marks_write(job, number, t->picked.marks, message));
    return clump_big_sink_own(&t->sink, &job->map, &job->frame, (uint32_t)number + job->hooks->first_block,
                              t->picked.stored, t->picked.places, t->picked.count, message);
}

/* Scatters blocks until the round is over. */
static clump_status scatter_round(void *arg, int worker, clump_message *message)
{
    scatter *const s = arg;
    clump_big_job *const job = s->job;
    scatter_thread *const t = &s->threads[worker];
    clump_status status = CLUMP_OK;
    if (!t->sink.log)
        status = clump_big_sink_open(&job->log, 0, job->map.tile_count, job->budget.buffers, &t->sink, message);
    while (status == CLUMP_OK && !clump_big_stopped(&job->workers) && !CLUMP_LOAD(&s->save)) {
        uint64_t number;
        status = clump_big_blocks_take(&s->blocks, &t->block, &number, message);
        if (status != CLUMP_OK || number == s->blocks.end) break;
        status = scatter_block(s, t, number, message);
        if (worker == 0)
            clump_big_tell(job, CLUMP_BIG_SCATTER, (double)(number + 1 - job->share) / (double)job->share_blocks);
        if (clump_big_ranks(job) == 1 && clump_now_ms() > s->save_at) CLUMP_STORE(&s->save, 1);
    }
    if (clump_big_stopped(&job->workers)) return status; /* what is not noted in the journal counts for nothing */
    return status == CLUMP_OK && s->flush ? clump_big_sink_flush(&t->sink, message) : status;
}

/* ----- rounds --------------------------------------------------------------------------------------------------------- */

/* Notes in the journal what is in the log. */
static clump_status save(scatter *s, clump_message *message)
{
    clump_big_job *const job = s->job;
    for (int k = 0; k < job->workers.count; k++) {
        scatter_thread *const t = &s->threads[k];
        clump_big_box_unite(&job->box, &t->box);
        job->left_out += t->left_out;
        job->moved += t->moved;
        t->left_out = t->moved = 0;
    }
    job->own += job->log.own;
    job->log.own = 0;
    CLUMP_BIG_TRY(clump_big_file_sync(&job->log.file, message));
    if (job->filter.ground) CLUMP_BIG_TRY(clump_big_file_sync(&job->marks, message));
    clump_big_record record = {.kind = CLUMP_BIG_RECORD_SCATTER,
                               .count = job->blocks_done,
                               .bytes = job->log.size,
                               .left_out = job->left_out,
                               .moved = job->moved,
                               .own = job->own};
    for (int a = 0; a < 3; a++)
        record.lower_step[a] = job->box.lower_step[a], record.upper_step[a] = job->box.upper_step[a];
    return clump_big_journal_add(&job->journal, record, true, message);
}

/* Returns how many blocks of its share this rank can read in a round. */
static uint64_t blocks_of_round(const clump_big_job *job)
{
    if (job->hooks->save_every) return job->hooks->save_every;
    if (clump_big_ranks(job) == 1) return UINT64_MAX;
    const uint64_t bytes = CLUMP_BLOCK_POINTS * (clump_big_frame_bytes(&job->frame) + sizeof(uint16_t));
    const uint64_t fit = job->budget.buffers * (size_t)job->workers.count / 2 / bytes;
    return fit > (uint64_t)job->workers.count ? fit : (uint64_t)job->workers.count;
}

/* Reads blocks of the share until the round is over. */
static clump_status run_round(scatter *s, uint64_t every, clump_message *message)
{
    clump_big_job *const job = s->job;
    const uint64_t done = job->blocks_done < job->share_blocks ? job->blocks_done : job->share_blocks;
    const uint64_t left = job->share_blocks - done, first = job->share + done;
    s->save = 0;
    clump_big_blocks_begin(&s->blocks, job->reader, first, first + (every < left ? every : left), 1);
    clump_status status = clump_big_workers_run(&job->workers, scatter_round, s, message);
    for (int k = 0; k < job->workers.count && s->flush && status == CLUMP_OK;
         k++) /* of threads that did not run again */
        if (s->threads[k].sink.log) status = clump_big_sink_flush(&s->threads[k].sink, message);
    job->blocks_done = clump_big_ranks(job) == 1 ? s->blocks.next : job->blocks_done + every;
    clump_big_blocks_end(&s->blocks);
    return status;
}

static clump_status run_rounds(scatter *s, clump_message *message)
{
    clump_big_job *const job = s->job;
    const bool alone = clump_big_ranks(job) == 1;
    const uint64_t longest = clump_big_ranks_block(job->info.blocks, clump_big_ranks(job), 1);
    uint64_t every = blocks_of_round(job);
    if (!alone) { /* all ranks read as few blocks in a round as the one with the least memory and threads */
        int64_t least = every < INT64_MAX ? (int64_t)every : INT64_MAX;
        CLUMP_BIG_TRY(clump_big_least(job, &least, 1, message));
        every = (uint64_t)least;
    }
    s->save_at = clump_now_ms() + SCATTER_SAVE_MS;
    while (job->blocks_done < longest) {
        s->flush =
            alone || job->hooks->save_every || longest - job->blocks_done <= every || clump_now_ms() > s->save_at;
        if (!alone) CLUMP_BIG_TRY(clump_big_agree_any(job, CLUMP_OK, &s->flush, message));
        CLUMP_BIG_TRY(clump_big_agree(job, run_round(s, every, message), message));
        CLUMP_BIG_TRY(clump_big_outbox_send(&s->outbox, job->map.tile_count, message));
        if (!s->flush) continue;
        CLUMP_BIG_TRY(clump_big_agree(job, save(s, message), message));
        s->save_at = clump_now_ms() + SCATTER_SAVE_MS;
    }
    return CLUMP_OK;
}

/* Returns the rank that has a tile of the map. */
static int rank_of_tile(const clump_big_job *job, uint32_t tile)
{
    int low = 0, high = clump_big_ranks(job);
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        *(job->first_tile[middle] <= tile ? &low : &high) = middle;
    }
    return low;
}

static clump_status make_scatter(scatter *s, clump_message *message)
{
    clump_big_job *const job = s->job;
    const size_t threads = (size_t)job->workers.count;
    s->threads = calloc(threads, sizeof *s->threads);
    if (!s->threads) return clump_big_no_memory(message, threads * sizeof *s->threads);
    for (size_t k = 0; k < threads; k++) clump_big_box_clear(&s->threads[k].box);
    return clump_big_outbox_open(job, &job->log, rank_of_tile, &s->outbox, message);
}

clump_status clump_big_scatter(clump_big_job *job, clump_message *message)
{
    scatter s = {.job = job};
    clump_status status = clump_big_agree(job, make_scatter(&s, message), message);
    if (status == CLUMP_OK) status = run_rounds(&s, message);
    for (int k = 0; k < job->workers.count && s.threads; k++) {
        clump_big_sink_close(&s.threads[k].sink);
        clump_big_pick_release(&s.threads[k].picked);
        clump_block_release(&s.threads[k].block);
    }
    clump_big_outbox_close(&s.outbox);
    free(s.threads);
    return status;
}
