/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scatter.c: reads all blocks once and puts their points into the tiles. From time to time all threads stop, empty their
 * buffers and note in the journal how far the scatter is.
 */
#include "job.h"

#include "workers.h"
#include "common/atomics.h"
#include "common/timer.h"
#include "store/fail.h"
#include "store/sink.h"

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
    int save;       /* atomic: the round is over */
} scatter;

static clump_status scatter_block(scatter *s, scatter_thread *t, uint64_t number, clump_message *message)
{
    clump_big_job *const job = s->job;
    const size_t count = t->block.count;
    CLUMP_BIG_TRY(clump_big_pick(&job->frame, &job->filter, job->reader, &t->block, &t->picked, &t->box, message));
    t->left_out += count - t->picked.count;
    t->moved += t->picked.moved;
    if (!clump_big_frame_fits(&job->frame, &t->box)) return CLUMP_OK; /* all of it is done again */
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
        if (worker == 0) clump_big_tell(job, CLUMP_BIG_SCATTER, (double)(number + 1) / (double)job->info.blocks);
        if (clump_now_ms() > s->save_at) CLUMP_STORE(&s->save, 1);
    }
    if (clump_big_stopped(&job->workers)) return status; /* what is not noted in the journal counts for nothing */
    return status == CLUMP_OK ? clump_big_sink_flush(&t->sink, message) : status;
}

/* Notes in the journal what is in the log. */
static clump_status save(scatter *s, clump_message *message)
{
    clump_big_job *const job = s->job;
    for (int k = 0; k < job->workers.count; k++) {
        scatter_thread *const t = &s->threads[k];
        clump_big_box_unite(&job->box, &t->box);
        job->left_out += t->left_out;
        job->moved += t->moved;
        job->own += t->sink.own, job->rim += t->sink.rim;
        t->left_out = t->moved = t->sink.own = t->sink.rim = 0;
    }
    job->blocks_done = s->blocks.next;
    CLUMP_BIG_TRY(clump_big_file_sync(&job->log.file, message));
    clump_big_record record = {.kind = CLUMP_BIG_RECORD_SCATTER,
                               .count = job->blocks_done,
                               .bytes = job->log.size,
                               .left_out = job->left_out,
                               .moved = job->moved,
                               .own = job->own,
                               .rim = job->rim};
    for (int a = 0; a < 3; a++)
        record.lower_step[a] = job->box.lower_step[a], record.upper_step[a] = job->box.upper_step[a];
    return clump_big_journal_add(&job->journal, record, true, message);
}

static clump_status run_rounds(scatter *s, clump_message *message)
{
    clump_big_job *const job = s->job;
    while (job->blocks_done < job->info.blocks) {
        const uint64_t every = job->hooks->save_every, left = job->info.blocks - job->blocks_done;
        const uint64_t end = every && every < left ? job->blocks_done + every : job->info.blocks;
        s->save = 0;
        s->save_at = clump_now_ms() + SCATTER_SAVE_MS;
        clump_big_blocks_begin(&s->blocks, job->reader, job->blocks_done, end, 1);
        clump_status status = clump_big_workers_run(&job->workers, scatter_round, s, message);
        if (status == CLUMP_OK) status = save(s, message);
        clump_big_blocks_end(&s->blocks);
        CLUMP_BIG_TRY(status);
    }
    return CLUMP_OK;
}

clump_status clump_big_scatter(clump_big_job *job, clump_message *message)
{
    const size_t threads = (size_t)job->workers.count;
    scatter s = {.job = job, .threads = calloc(threads, sizeof *s.threads)};
    if (!s.threads) return clump_big_no_memory(message, threads * sizeof *s.threads);
    for (size_t k = 0; k < threads; k++) clump_big_box_clear(&s.threads[k].box);
    const clump_status status = run_rounds(&s, message);
    for (size_t k = 0; k < threads; k++) {
        clump_big_sink_close(&s.threads[k].sink);
        clump_big_pick_release(&s.threads[k].picked);
        clump_block_release(&s.threads[k].block);
    }
    free(s.threads);
    return status;
}
