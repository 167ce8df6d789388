/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_pack.c: a ring of chunks between the thread that adds records and those that compress.
 *
 *     chunk    done  done  taken  full  full  filling | free ...
 *              ^ oldest: handed over when the ring is full, or at the end
 *
 * The caller fills one chunk after the other. Threads take full chunks in order. When the ring is full, the caller compresses
 * a chunk itself if one is left, and else waits for the oldest.
 */
#include "las/laz_sink.h"

#include "common/assert.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PACK_MAX_THREADS 256

typedef struct pack_chunk {
    unsigned char *records;
    size_t count;
    clump_io_laz_bytes bytes;
    bool done, failed;
} pack_chunk;

struct clump_io_laz_packing {
    clump_io_laz_layout layout;
    const clump_io_laz_codec *codec;
    clump_io_laz_packed packed;
    void *user;
    void *memory; /* of the caller's thread */

    pack_chunk *ring;
    size_t capacity; /* chunks of the ring */
    /* Chunks since the beginning; chunk i is ring[i % capacity]. oldest <= next <= filled. */
    size_t oldest; /* only the caller's thread */
    size_t next;   /* the next to be taken */
    size_t filled; /* the one that the caller fills */

    pthread_mutex_t mutex; /* of next, filled, stop, and done of the chunks */
    pthread_cond_t full, compressed;
    bool stop, failed;
    size_t threads; /* that were started */
    pthread_t thread[PACK_MAX_THREADS];
};

/* --- compressing ------------------------------------------------------------------------------ */

static void compress(clump_io_laz_packing *p, pack_chunk *chunk, void *memory)
{
    chunk->bytes.size = 0;
    chunk->failed = !memory || p->codec->encode(memory, &p->layout, chunk->records, chunk->count, &chunk->bytes) !=
                                   CLUMP_IO_LAZ_DONE;
}

/* Takes the next full chunk, compresses it and returns true; false: there is none. The mutex is held, and released in
 * between. */
static bool compress_next(clump_io_laz_packing *p, void *memory)
{
    if (p->next == p->filled) return false;
    pack_chunk *const chunk = &p->ring[p->next++ % p->capacity];
    pthread_mutex_unlock(&p->mutex);
    compress(p, chunk, memory);
    pthread_mutex_lock(&p->mutex);
    chunk->done = true;
    pthread_cond_signal(&p->compressed);
    return true;
}

static void *work(void *argument)
{
    clump_io_laz_packing *const p = argument;
    void *const memory = malloc(p->codec->memory(&p->layout));
    pthread_mutex_lock(&p->mutex);
    while (memory && !p->stop)
        if (!compress_next(p, memory)) pthread_cond_wait(&p->full, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
    free(memory);
    return NULL;
}

/* Hands over the oldest chunk, which another thread may still compress. */
static void hand_over(clump_io_laz_packing *p)
{
    pack_chunk *const chunk = &p->ring[p->oldest % p->capacity];
    pthread_mutex_lock(&p->mutex);
    while (!chunk->done)
        if (!compress_next(p, p->memory)) pthread_cond_wait(&p->compressed, &p->mutex);
    chunk->done = false;
    pthread_mutex_unlock(&p->mutex);
    p->failed = p->failed || chunk->failed;
    if (!p->failed) p->packed(p->user, chunk->bytes.data, chunk->bytes.size);
    chunk->count = 0;
    p->oldest++;
}

/* --- the interface ---------------------------------------------------------------------------- */

/* Signals of the process stay with the threads of the caller. */
static void start(clump_io_laz_packing *p, size_t threads)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (p->threads < threads && pthread_create(&p->thread[p->threads], NULL, work, p) == 0) p->threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

clump_io_laz_packing *clump_io_laz_packing_open(const clump_io_laz_layout *layout, int threads,
                                                clump_io_laz_packed packed, void *user)
{
    CLUMP_ASSERT(packed);
    long wanted = threads > 0 ? threads : sysconf(_SC_NPROCESSORS_ONLN);
    if (wanted < 1) wanted = 1;
    if (wanted > PACK_MAX_THREADS) wanted = PACK_MAX_THREADS;
    clump_io_laz_packing *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->layout = *layout;
    p->codec = clump_io_laz_codec_of(layout->format);
    p->packed = packed;
    p->user = user;
    p->capacity = wanted == 1 ? 1 : 2 * (size_t)wanted;
    p->ring = calloc(p->capacity, sizeof *p->ring);
    p->memory = malloc(p->codec->memory(layout));
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->full, NULL);
    pthread_cond_init(&p->compressed, NULL);
    if (!p->ring || !p->memory) {
        clump_io_laz_packing_close(p, false);
        return NULL;
    }
    start(p, (size_t)wanted - 1);
    return p;
}

/* Passes the chunk that the caller fills on to the threads. */
static void pass_on(clump_io_laz_packing *p)
{
    pthread_mutex_lock(&p->mutex);
    p->filled++;
    pthread_cond_signal(&p->full);
    pthread_mutex_unlock(&p->mutex);
    if (p->filled - p->oldest == p->capacity) hand_over(p);
}

bool clump_io_laz_packing_add(clump_io_laz_packing *p, const unsigned char *records, size_t count)
{
    const size_t record = p->layout.record;
    while (count && !p->failed) {
        pack_chunk *const chunk = &p->ring[p->filled % p->capacity];
        if (!chunk->records) chunk->records = malloc(CLUMP_IO_LAZ_CHUNK_POINTS * record);
        p->failed = !chunk->records;
        if (p->failed) break;
        const size_t room = CLUMP_IO_LAZ_CHUNK_POINTS - chunk->count, now = count < room ? count : room;
        memcpy(chunk->records + chunk->count * record, records, now * record);
        chunk->count += now;
        records += now * record;
        count -= now;
        if (chunk->count == CLUMP_IO_LAZ_CHUNK_POINTS) pass_on(p);
    }
    return !p->failed;
}

bool clump_io_laz_packing_close(clump_io_laz_packing *p, bool keep)
{
    if (!p) return true;
    if (keep && !p->failed && p->ring[p->filled % p->capacity].count) pass_on(p);
    while (keep && !p->failed && p->oldest < p->filled) hand_over(p);
    pthread_mutex_lock(&p->mutex);
    p->stop = true;
    pthread_cond_broadcast(&p->full);
    pthread_mutex_unlock(&p->mutex);
    for (size_t t = 0; t < p->threads; t++) pthread_join(p->thread[t], NULL);
    for (size_t i = 0; p->ring && i < p->capacity; i++) {
        free(p->ring[i].records);
        clump_io_laz_bytes_free(&p->ring[i].bytes);
    }
    const bool sound = !p->failed;
    pthread_mutex_destroy(&p->mutex);
    pthread_cond_destroy(&p->full);
    pthread_cond_destroy(&p->compressed);
    free(p->ring);
    free(p->memory);
    free(p);
    return sound;
}
