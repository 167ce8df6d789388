/* SPDX-License-Identifier: BSD-3-Clause
 *
 * workers.c: see workers.h.
 */
#include "workers.h"

#include "common/assert.h"
#include "common/atomics.h"
#include "store/store.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

typedef struct one_worker {
    clump_big_workers *workers;
    clump_big_work_function *work;
    void *arg;
    int number;
    pthread_t thread;
    bool started;
    clump_status status;
    clump_message message;
} one_worker;

bool clump_big_stopped(clump_big_workers *workers)
{
    return CLUMP_LOAD(&workers->stop) || (workers->cancel && CLUMP_LOAD(workers->cancel));
}

clump_status clump_big_workers_poll(const clump_big_workers *workers, clump_message *message)
{
    return clump_big_poll(workers->cancel, message);
}

static void *run_one(void *arg)
{
    one_worker *const w = arg;
    w->status = w->work(w->arg, w->number, &w->message);
    if (w->status == CLUMP_OK) w->status = clump_big_workers_poll(w->workers, &w->message);
    if (w->status != CLUMP_OK) CLUMP_STORE(&w->workers->stop, 1);
    return NULL;
}

clump_status clump_big_workers_run(clump_big_workers *workers, clump_big_work_function *work, void *arg,
                                   clump_message *message)
{
    CLUMP_ASSERT(workers->count >= 1);
    one_worker *const all = calloc((size_t)workers->count, sizeof *all);
    if (!all) return clump_big_no_memory(message, (size_t)workers->count * sizeof *all);
    CLUMP_STORE(&workers->stop, 0);
    sigset_t every, before; /* signals are for the program's own threads */
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    for (int k = 0; k < workers->count; k++) {
        all[k] = (one_worker){.workers = workers, .work = work, .arg = arg, .number = k};
        all[k].started = k > 0 && pthread_create(&all[k].thread, NULL, run_one, &all[k]) == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    run_one(&all[0]);
    clump_status status = CLUMP_OK;
    for (int k = 0; k < workers->count; k++) {
        if (all[k].started) pthread_join(all[k].thread, NULL);
        if (status != CLUMP_OK || all[k].status == CLUMP_OK) continue;
        status = all[k].status;
        if (message) *message = all[k].message;
    }
    free(all);
    return status;
}

/* ----- blocks --------------------------------------------------------------------------------------------------------- */

void clump_big_blocks_begin(clump_big_blocks *blocks, clump_reader *reader, uint64_t first, uint64_t end,
                            uint64_t stride)
{
    CLUMP_ASSERT(stride >= 1);
    *blocks = (clump_big_blocks){.reader = reader, .next = first, .end = end, .stride = stride};
    pthread_mutex_init(&blocks->lock, NULL);
}

void clump_big_blocks_end(clump_big_blocks *blocks)
{
    pthread_mutex_destroy(&blocks->lock);
}

clump_status clump_big_blocks_take(clump_big_blocks *blocks, clump_block *block, uint64_t *number,
                                   clump_message *message)
{
    pthread_mutex_lock(&blocks->lock);
    *number = blocks->next < blocks->end ? blocks->next : blocks->end;
    blocks->next = blocks->end - *number > blocks->stride ? *number + blocks->stride : blocks->end;
    pthread_mutex_unlock(&blocks->lock);
    return *number < blocks->end ? clump_reader_block(blocks->reader, *number, block, message) : CLUMP_OK;
}
