/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_team.c: decodes the chunks of a LAZ file on several threads.
 *
 * Threads take chunks in ascending order. After a failure no thread takes another chunk. All chunks before the failed
 * one have been taken by then and are finished, so the failure with the lowest chunk does not depend on the threads.
 */
#include "las/laz.h"

#include "common/assert.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define LAZ_MAX_THREADS 256

typedef struct laz_team {
    const clump_io_laz *laz;
    const clump_io_source *source;
    clump_io_laz_take take;
    void *user;
    atomic_size_t next;         /* chunk */
    atomic_uint_least64_t done; /* points */
    atomic_bool failed;
} laz_team;

typedef struct laz_worker {
    laz_team *team;
    size_t number;
    pthread_t thread;
    bool started;
    size_t chunk; /* that failed; SIZE_MAX: the worker could not begin */
    clump_status status;
    clump_message why;
} laz_worker;

static void fail(laz_worker *w, size_t chunk, clump_status status)
{
    w->chunk = chunk;
    w->status = status;
    atomic_store(&w->team->failed, true);
}

static void *work(void *argument)
{
    laz_worker *w = argument;
    laz_team *team = w->team;
    const clump_io_laz *laz = team->laz;
    const clump_io_where where = {team->source->where.name, &w->why};
    clump_io_source mine = *team->source; /* with a message of this thread */
    mine.where = where;
    const size_t size = laz->largest * laz->layout.record; /* no overflow: LAZ_DENSEST, laz.c */
    const bool is_loaded = clump_io_loaded(team->source) == team->source->size;
    void *memory = malloc(clump_io_laz_memory(laz));
    unsigned char *records = clump_io_allocate(size), *packed = is_loaded ? NULL : malloc(laz->longest);
    if (!memory || !records || (!packed && !is_loaded)) fail(w, SIZE_MAX, clump_io_no_memory(&where, size));
    while (!atomic_load(&team->failed)) {
        const size_t c = atomic_fetch_add(&team->next, 1);
        if (c >= laz->chunk_count) break;
        const clump_io_laz_chunk *chunk = &laz->chunks[c];
        CLUMP_ASSERT(chunk->count <= laz->largest && chunk->first + chunk->count <= laz->count);
        const unsigned char *bytes = is_loaded ? team->source->bytes + chunk->at : packed;
        clump_status status = is_loaded ? CLUMP_OK : clump_io_read(&mine, chunk->at, packed, chunk->size);
        if (status == CLUMP_OK)
            status = clump_io_laz_decode_chunk(laz, c, bytes, memory, CLUMP_IO_LAZ_ALL, records, &where);
        if (status != CLUMP_OK) {
            fail(w, c, status);
            break;
        }
        team->take(team->user, w->number, records, chunk->first, chunk->count);
        const uint64_t done = atomic_fetch_add(&team->done, chunk->count) + chunk->count;
        if (w->number == 0 && done < laz->count)
            clump_io_report(&team->source->progress, (size_t)done, (size_t)laz->count);
    }
    free(memory);
    free(records);
    free(packed);
    return NULL;
}

size_t clump_io_laz_threads(const clump_io_laz *laz, int wanted)
{
    long threads = wanted > 0 ? wanted : sysconf(_SC_NPROCESSORS_ONLN);
    if (threads < 1) threads = 1;
    if (threads > LAZ_MAX_THREADS) threads = LAZ_MAX_THREADS;
    if ((size_t)threads > laz->chunk_count) threads = (long)laz->chunk_count;
    return threads < 1 ? 1 : (size_t)threads;
}

/* Signals of the process stay with the threads of the caller. */
static void start(laz_worker *workers, size_t threads)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t t = 1; t < threads; t++)
        workers[t].started = pthread_create(&workers[t].thread, NULL, work, &workers[t]) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

clump_status clump_io_laz_each_chunk(const clump_io_laz *laz, const clump_io_source *source, size_t threads,
                                     clump_io_laz_take take, void *user)
{
    if (!laz->chunk_count) return CLUMP_OK;
    CLUMP_ASSERT(threads >= 1 && threads <= LAZ_MAX_THREADS);
    laz_worker *workers = calloc(threads, sizeof *workers);
    if (!workers) return clump_io_no_memory(&source->where, threads * sizeof *workers);
    laz_team team = {.laz = laz, .source = source, .take = take, .user = user};
    for (size_t t = 0; t < threads; t++) workers[t].team = &team, workers[t].number = t;
    start(workers, threads);
    work(&workers[0]);
    const laz_worker *first = NULL;
    for (size_t t = 0; t < threads; t++) {
        if (workers[t].started) pthread_join(workers[t].thread, NULL);
        if (workers[t].status != CLUMP_OK && (!first || workers[t].chunk < first->chunk)) first = &workers[t];
    }
    const clump_status status = first ? first->status : CLUMP_OK;
    if (first && source->where.message) *source->where.message = first->why;
    free(workers);
    return status;
}
