/* SPDX-License-Identifier: BSD-3-Clause
 *
 * log.c: see log.h.
 */
#include "store/log.h"

#include "common/assert.h"
#include "common/atomics.h"

#include <stdlib.h>
#include <string.h>

#define LOG_MAGIC 0x67736c63u /* "clsg" */

typedef struct segment_head {
    uint32_t magic, tile, points, rims, runs, unused;
    uint64_t body; /* checksum of what follows the head */
    uint64_t head; /* checksum of the members above */
} segment_head;

_Static_assert(sizeof(segment_head) == CLUMP_BIG_SEGMENT_HEAD, "clump_big_file_punch() must spare heads");

clump_status clump_big_log_open(clump_big_disk *disk, const char *name, size_t record, bool places, clump_big_log *out,
                                clump_message *message)
{
    CLUMP_ASSERT(record >= 1);
    *out = (clump_big_log){.record = record, .place = places ? sizeof(uint16_t) : 0};
    pthread_mutex_init(&out->lock, NULL);
    return clump_big_file_open(disk, name, &out->file, message);
}

void clump_big_log_close(clump_big_log *log)
{
    if (!log->file.disk) return;
    clump_big_file_close(&log->file);
    pthread_mutex_destroy(&log->lock);
    free(log->segments);
    *log = (clump_big_log){0};
}

size_t clump_big_segment_bytes(const clump_big_log *log, const clump_big_segment *s)
{
    const size_t bytes = sizeof(segment_head) + (size_t)s->runs * sizeof(clump_big_points_run) +
                         (size_t)s->points * (log->record + log->place);
    return (bytes + 7) / 8 * 8;
}

static clump_status add_to_list(clump_big_log *log, const clump_big_segment *segment, clump_message *message)
{
    if (log->count == log->capacity) {
        const size_t capacity = log->capacity ? 2 * log->capacity : 1024;
        clump_big_segment *const grown = realloc(log->segments, capacity * sizeof *grown);
        if (!grown) return clump_big_no_memory(message, capacity * sizeof *grown);
        log->segments = grown;
        log->capacity = capacity;
    }
    CLUMP_ASSERT(log->count < log->capacity);
    log->segments[log->count++] = *segment;
    return CLUMP_OK;
}

clump_status clump_big_log_append(clump_big_log *log, clump_big_segment segment, const clump_big_points_run *runs,
                                  const void *stored, const uint16_t *places, clump_message *message)
{
    CLUMP_ASSERT(segment.rims <= segment.points && segment.runs <= segment.points);
    const size_t bytes = clump_big_segment_bytes(log, &segment);
    const size_t run_bytes = segment.runs * sizeof *runs, point_bytes = segment.points * log->record;
    const size_t place_bytes = segment.points * log->place;
    static const unsigned char padding[8];
    clump_big_hash hash;
    clump_big_hash_begin(&hash);
    clump_big_hash_add(&hash, runs, run_bytes);
    clump_big_hash_add(&hash, stored, point_bytes);
    clump_big_hash_add(&hash, places, place_bytes);
    segment_head head = {
        LOG_MAGIC, segment.tile, segment.points, segment.rims, segment.runs, 0, clump_big_hash_end(&hash), 0};
    head.head = clump_big_checksum(&head, offsetof(segment_head, head));
    CLUMP_ASSERT(bytes >= sizeof head + run_bytes + point_bytes + place_bytes);
    CLUMP_ASSERT(bytes - sizeof head - run_bytes - point_bytes - place_bytes <= sizeof padding);
    struct iovec parts[5] = {{&head, sizeof head},
                             {(void *)(uintptr_t)runs, run_bytes},
                             {(void *)(uintptr_t)stored, point_bytes},
                             {(void *)(uintptr_t)places, place_bytes},
                             {(void *)(uintptr_t)padding, bytes - sizeof head - run_bytes - point_bytes - place_bytes}};
    bool away = false;
    if (log->away) CLUMP_BIG_TRY(log->away(log->away_user, segment.tile, parts, 5, &away, message));
    if (away) return CLUMP_OK;
    segment.at = CLUMP_ADD(&log->size, bytes);
    CLUMP_BIG_TRY(clump_big_file_write_parts(&log->file, segment.at, parts, 5, message));
    clump_big_file_push(&log->file, segment.at, bytes);
    pthread_mutex_lock(&log->lock);
    log->own += segment.points - segment.rims;
    const clump_status status = add_to_list(log, &segment, message);
    pthread_mutex_unlock(&log->lock);
    return status;
}

clump_status clump_big_log_damaged(const clump_big_log *log, uint64_t at, clump_message *message)
{
    return clump_big_fail(message, CLUMP_ERR_IO_FORMAT,
                          "%.300s/%s: damaged at byte %llu; remove the folder to start from the beginning",
                          log->file.disk->path, log->file.name, (unsigned long long)at);
}

static bool is_sound(const segment_head *head, uint32_t tiles)
{
    return head->magic == LOG_MAGIC && head->head == clump_big_checksum(head, offsetof(segment_head, head)) &&
           head->tile < tiles && head->rims <= head->points && head->runs <= head->points;
}

clump_status clump_big_log_restore(clump_big_log *log, uint64_t size, clump_message *message)
{
    uint64_t present = 0;
    CLUMP_BIG_TRY(clump_big_file_size(&log->file, &present, message));
    if (present < size) return clump_big_log_damaged(log, present, message);
    if (present > size) CLUMP_BIG_TRY(clump_big_file_truncate(&log->file, size, message));
    log->size = size;
    log->count = 0;
    return CLUMP_OK;
}

clump_status clump_big_log_restore_segment(clump_big_log *log, uint32_t tiles, uint64_t *at, clump_message *message)
{
    CLUMP_ASSERT(*at <= log->size);
    segment_head head;
    if (log->size - *at < sizeof head) return clump_big_log_damaged(log, *at, message);
    CLUMP_BIG_TRY(clump_big_file_read(&log->file, *at, &head, sizeof head, message));
    if (!is_sound(&head, tiles)) return clump_big_log_damaged(log, *at, message);
    const clump_big_segment segment = {*at, head.tile, head.points, head.rims, head.runs};
    const size_t bytes = clump_big_segment_bytes(log, &segment);
    if (bytes > log->size - *at) return clump_big_log_damaged(log, *at, message);
    *at += bytes;
    return add_to_list(log, &segment, message);
}

clump_status clump_big_log_list(clump_big_log *log, uint32_t tiles, uint64_t at, clump_message *message)
{
    while (at < log->size) {
        CLUMP_BIG_TRY(clump_big_log_restore_segment(log, tiles, &at, message));
        const clump_big_segment *const last = &log->segments[log->count - 1];
        log->own += last->points - last->rims;
    }
    return CLUMP_OK;
}

/* Checks that the runs of a segment have its points. */
static clump_status check_runs(const clump_big_log *log, const clump_big_segment *segment,
                               const clump_big_points_run *runs, clump_message *message)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < segment->runs; k++) sum += runs[k].count & ~CLUMP_BIG_RIM;
    return sum == segment->points ? CLUMP_OK : clump_big_log_damaged(log, segment->at, message);
}

static clump_status read_segment(const clump_big_log *log, const clump_big_segment *segment, unsigned char *bytes,
                                 clump_big_log_visit *visit, void *user, clump_message *message)
{
    segment_head head;
    CLUMP_BIG_TRY(clump_big_poll(log->file.disk->cancel, message));
    CLUMP_BIG_TRY(clump_big_file_read(&log->file, segment->at, bytes, clump_big_segment_bytes(log, segment), message));
    memcpy(&head, bytes, sizeof head);
    const unsigned char *const body = bytes + sizeof head;
    const clump_big_points_run *const runs = (const clump_big_points_run *)(const void *)body;
    const unsigned char *const stored = body + (size_t)segment->runs * sizeof *runs;
    const unsigned char *const places = stored + (size_t)segment->points * log->record;
    const size_t size = (size_t)(places - body) + (size_t)segment->points * log->place;
    if (!is_sound(&head, UINT32_MAX) || head.tile != segment->tile || head.points != segment->points ||
        head.runs != segment->runs || head.body != clump_big_checksum(body, size))
        return clump_big_log_damaged(log, segment->at, message);
    CLUMP_BIG_TRY(check_runs(log, segment, runs, message));
    return visit(user, segment, runs, stored, places, message);
}

clump_status clump_big_log_read(const clump_big_log *log, size_t first, size_t end, clump_big_log_visit *visit,
                                void *user, clump_message *message)
{
    CLUMP_ASSERT(first <= end && end <= log->count);
    size_t widest = 1;
    for (size_t k = first; k < end; k++) {
        const size_t bytes = clump_big_segment_bytes(log, &log->segments[k]);
        widest = bytes > widest ? bytes : widest;
    }
    unsigned char *const memory = malloc(widest);
    clump_status status = memory ? CLUMP_OK : clump_big_no_memory(message, widest);
    for (size_t k = first; k < end && status == CLUMP_OK; k++) {
        const clump_big_segment segment = log->segments[k]; /* a copy: the visitor may append segments to the list */
        status = read_segment(log, &segment, memory, visit, user, message);
    }
    free(memory);
    return status;
}

clump_status clump_big_log_read_runs(const clump_big_log *log, const clump_big_segment *segment,
                                     clump_big_points_run *runs, clump_message *message)
{
    const uint64_t at = segment->at + sizeof(segment_head);
    CLUMP_BIG_TRY(clump_big_file_read(&log->file, at, runs, segment->runs * sizeof *runs, message));
    return check_runs(log, segment, runs, message);
}

static int compare_segments(const void *a, const void *b)
{
    const clump_big_segment *const x = a, *const y = b;
    if (x->tile != y->tile) return x->tile < y->tile ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

void clump_big_log_sort(clump_big_log *log, uint32_t tiles, size_t *begin)
{
    CLUMP_ASSERT(tiles >= 1);
    if (log->count > 0) qsort(log->segments, log->count, sizeof *log->segments, compare_segments);
    size_t k = 0;
    for (uint32_t t = 0; t <= tiles; t++) {
        while (k < log->count && log->segments[k].tile < t) k++;
        CLUMP_ASSERT(k <= log->count);
        begin[t] = k;
    }
}
