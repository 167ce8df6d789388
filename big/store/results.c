/* SPDX-License-Identifier: BSD-3-Clause
 *
 * results.c: see results.h.
 */
#include "store/results.h"

#include "common/assert.h"
#include "common/atomics.h"
#include "common/timer.h"

#include <stdlib.h>
#include <string.h>

#define RESULTS_MAGIC   0x32727463u /* "ctr2" */
#define RESULTS_SYNC_MS 10000.0

typedef struct result_head {
    uint32_t magic, number; /* of the tile */
    clump_big_tile tile;
    uint64_t body; /* checksum of the arrays */
    uint64_t sum;  /* checksum of the members above */
} result_head;

/* Entries of an array, and bytes of an entry. */
static uint64_t entries_of(const clump_big_tile *t, clump_big_part part, size_t *size)
{
    static const uint8_t sizes[CLUMP_BIG_PARTS] = {8, 2, 4, 8, 8, 8, 8, 4, 4, 4, 4, 1};
    const uint64_t counts[CLUMP_BIG_PARTS] = {
        t->runs,      t->own,    t->own,  t->clusters, (uint64_t)t->clusters + t->choices,
        t->rims,      t->strips, t->rims, t->strips,   t->choices > 0 ? (uint64_t)t->choices + 1 : 0,
        t->choosable, t->groups};
    CLUMP_ASSERT((unsigned)part < CLUMP_BIG_PARTS);
    *size = sizes[part];
    return counts[part];
}

/* Bytes of an array: a multiple of 8. */
static uint64_t bytes_of(const clump_big_tile *t, clump_big_part part)
{
    size_t size;
    const uint64_t count = entries_of(t, part, &size);
    return (count * size + 7) / 8 * 8;
}

static uint64_t bytes_of_all(const clump_big_tile *t)
{
    uint64_t bytes = sizeof(result_head);
    for (int p = 0; p < CLUMP_BIG_PARTS; p++) bytes += bytes_of(t, (clump_big_part)p);
    return bytes;
}

/* ----- write ---------------------------------------------------------------------------------------------------------- */

/* Divides ascending indices into runs and places. Returns how many runs there are; null arrays are not written. */
static uint32_t split_indices(const int64_t *indices, size_t own, clump_big_points_run *runs, uint16_t *places)
{
    uint32_t count = 0;
    int64_t block = -1;
    for (size_t i = 0; i < own; i++) {
        if (places) places[i] = (uint16_t)(indices[i] % CLUMP_BLOCK_POINTS);
        const bool next = indices[i] / CLUMP_BLOCK_POINTS != block;
        block = indices[i] / CLUMP_BLOCK_POINTS;
        count += next;
        if (runs && next) runs[count - 1] = (clump_big_points_run){(uint32_t)block, 0};
        if (runs) runs[count - 1].count++;
    }
    return count;
}

/* Writes head and arrays, and returns the checksum of the head. */
static clump_status write_result(clump_big_job *job, uint32_t number, const clump_big_tile *t,
                                 const void *const arrays[CLUMP_BIG_PARTS], uint64_t *checksum, clump_message *message)
{
    static const unsigned char padding[8];
    struct iovec parts[1 + 2 * CLUMP_BIG_PARTS];
    clump_big_hash hash;
    int count = 1;
    clump_big_hash_begin(&hash);
    for (int p = 0; p < CLUMP_BIG_PARTS; p++) {
        size_t size;
        const size_t bytes = (size_t)entries_of(t, (clump_big_part)p, &size) * size;
        const size_t rest = (size_t)bytes_of(t, (clump_big_part)p) - bytes;
        CLUMP_ASSERT(rest < sizeof padding && (size_t)count + 2 <= sizeof parts / sizeof *parts);
        parts[count++] = (struct iovec){(void *)(uintptr_t)arrays[p], bytes};
        parts[count++] = (struct iovec){(void *)(uintptr_t)padding, rest};
        clump_big_hash_add(&hash, arrays[p], bytes);
        clump_big_hash_add(&hash, padding, rest);
    }
    result_head head;
    memset(&head, 0, sizeof head);
    head.magic = RESULTS_MAGIC;
    head.number = number;
    head.tile = *t;
    head.body = clump_big_hash_end(&hash);
    head.sum = clump_big_checksum(&head, offsetof(result_head, sum));
    parts[0] = (struct iovec){&head, sizeof head};
    *checksum = head.sum;
    return clump_big_file_write_parts(&job->results, t->at, parts, count, message);
}

/* Whether the results of the last seconds should be made safe from a power failure. A kill needs no wait. Space of the log
 * is given back only after a wait. */
static bool is_time_to_sync(clump_big_job *job)
{
    const double now = clump_now_ms();
    pthread_mutex_lock(&job->journal.lock);
    const bool due = now - job->synced_at > RESULTS_SYNC_MS;
    if (due) job->synced_at = now;
    pthread_mutex_unlock(&job->journal.lock);
    return due;
}

clump_status clump_big_results_add(clump_big_job *job, uint32_t number, const clump_piece *piece, const uint8_t *groups,
                                   const int64_t *indices, const int32_t *labels, clump_message *message)
{
    CLUMP_ASSERT(number < job->tile_count);
    clump_big_tile *const t = &job->tiles[number];
    const size_t own = piece->own;
    const uint32_t runs = split_indices(indices, own, NULL, NULL);
    const size_t bytes = runs * sizeof(clump_big_points_run) + own * sizeof(uint16_t);
    unsigned char *const memory = malloc(bytes + 1);
    if (!memory) return clump_big_no_memory(message, bytes);
    clump_big_points_run *const run = (clump_big_points_run *)(void *)memory;
    uint16_t *const places = (uint16_t *)(void *)(run + runs);
    split_indices(indices, own, run, places);
    t->runs = runs;
    t->clusters = (uint32_t)piece->cluster_count;
    t->choices = (uint32_t)piece->choice_count;
    t->groups = groups ? t->clusters : 0;
    t->rims = piece->rim_count;
    t->strips = piece->strip_count;
    t->choosable = piece->choice_count > 0 ? (uint64_t)piece->choice_offsets[piece->choice_count] : 0;
    t->bytes = bytes_of_all(t);
    t->at = CLUMP_ADD(&job->results_size, t->bytes);
    const void *const arrays[CLUMP_BIG_PARTS] = {run,
                                                 places,
                                                 labels,
                                                 piece->firsts,
                                                 piece->sizes,
                                                 piece->rim_indices,
                                                 piece->strip_indices,
                                                 piece->rim_labels,
                                                 piece->strip_labels,
                                                 piece->choice_offsets,
                                                 piece->choices,
                                                 groups};
    clump_big_record record = {
        .kind = CLUMP_BIG_RECORD_TILE, .tile = number, .at = t->at, .bytes = t->bytes, .count = own};
    clump_status status = write_result(job, number, t, arrays, &record.checksum, message);
    free(memory);
    const bool wait = job->tight || job->hooks->punch || is_time_to_sync(job);
    if (status == CLUMP_OK && wait) status = clump_big_file_sync(&job->results, message);
    if (status == CLUMP_OK) status = clump_big_journal_add(&job->journal, record, wait, message);
    t->done = status == CLUMP_OK;
    return status;
}

/* ----- read ----------------------------------------------------------------------------------------------------------- */

clump_status clump_big_results_read(const clump_big_job *job, const clump_big_tile *tile, clump_big_part part,
                                    uint64_t first, size_t count, void *to, clump_message *message)
{
    uint64_t at = tile->at + sizeof(result_head);
    for (int p = 0; p < (int)part; p++) at += bytes_of(tile, (clump_big_part)p);
    size_t size;
    (void)entries_of(tile, part, &size);
    return clump_big_file_read(&job->results, at + first * size, to, count * size, message);
}

/* Whether the head is that of a tile whose result has this number of bytes. */
static bool is_sound(const clump_big_job *job, const result_head *head, const clump_big_record *record)
{
    return head->magic == RESULTS_MAGIC && head->sum == record->checksum && head->number == record->tile &&
           head->sum == clump_big_checksum(head, offsetof(result_head, sum)) && head->tile.at == record->at &&
           bytes_of_all(&head->tile) == record->bytes && head->tile.own == job->tiles[record->tile].own;
}

static clump_status check_body(const clump_big_job *job, const clump_big_record *record, uint64_t expected, bool *sound,
                               clump_message *message)
{
    enum { AT_ONCE = 1 << 20 };
    unsigned char *const bytes = malloc(AT_ONCE);
    if (!bytes) return clump_big_no_memory(message, AT_ONCE);
    clump_big_hash hash;
    clump_big_hash_begin(&hash);
    clump_status status = CLUMP_OK;
    for (uint64_t done = sizeof(result_head), now; done < record->bytes && status == CLUMP_OK; done += now) {
        now = record->bytes - done < AT_ONCE ? record->bytes - done : AT_ONCE;
        status = clump_big_file_read(&job->results, record->at + done, bytes, (size_t)now, message);
        if (status == CLUMP_OK) clump_big_hash_add(&hash, bytes, (size_t)now);
        if (status == CLUMP_OK) status = clump_big_workers_poll(&job->workers, message);
    }
    *sound = status == CLUMP_OK && clump_big_hash_end(&hash) == expected;
    free(bytes);
    return status == CLUMP_ERR_IO_TRUNCATED ? CLUMP_OK : status;
}

clump_status clump_big_results_restore(clump_big_job *job, const clump_big_record *record, bool *sound,
                                       clump_message *message)
{
    result_head head;
    *sound = false;
    if (record->tile >= job->tile_count || record->bytes < sizeof head) return CLUMP_OK;
    const clump_status status = clump_big_file_read(&job->results, record->at, &head, sizeof head, message);
    if (status == CLUMP_ERR_IO_TRUNCATED) return CLUMP_OK;
    CLUMP_BIG_TRY(status);
    if (!is_sound(job, &head, record)) return CLUMP_OK;
    CLUMP_BIG_TRY(check_body(job, record, head.body, sound, message));
    if (*sound) {
        job->tiles[record->tile] = head.tile;
        job->tiles[record->tile].done = true;
        if (job->results_size < record->at + record->bytes) job->results_size = record->at + record->bytes;
    }
    return CLUMP_OK;
}
