/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output.c: labels in the order of the input. Windows of the input are filled from all tiles, then written in order. The
 * labels of a tile are ascending by index, so each tile is read once from its beginning to its end.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "job.h"

#include "common/assert.h"
#include "common/atomics.h"
#include "store/fail.h"
#include "store/hash.h"
#include "store/results.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { OUTPUT_RUNS = 2048, OUTPUT_POINTS = 16384 }; /* that are read at a time */
enum { OUTPUT_AT_ONCE = 4 * CLUMP_BLOCK_POINTS };   /* points that are written at a time; LAZ: 0.3 s on one thread */

/* How far a tile has been read. */
typedef struct tile_cursor {
    uint64_t run, point;
} tile_cursor;

typedef struct output_windows {
    clump_big_job *job;
    tile_cursor *cursors;
    int64_t *labels;     /* of the window */
    uint64_t first, end; /* blocks of the window */
    uint32_t next;       /* atomic: tile */
} output_windows;

/* Memory of one thread. */
typedef struct output_thread {
    clump_big_points_run runs[OUTPUT_RUNS];
    uint16_t places[OUTPUT_POINTS];
    int32_t labels[OUTPUT_POINTS];
    int64_t *numbers; /* of the tile; null: not read yet */
} output_thread;

static clump_status read_numbers(const clump_big_job *job, const clump_big_tile *t, output_thread *o,
                                 clump_message *message)
{
    const size_t bytes = 8 * ((size_t)t->clusters + t->choices);
    o->numbers = malloc(bytes + 8);
    if (!o->numbers) return clump_big_no_memory(message, bytes);
    return clump_big_file_read(&job->numbers, 8 * t->base, o->numbers, bytes, message);
}

/* Lays the points of some runs into the window. */
static clump_status place_runs(output_windows *w, const clump_big_tile *t, tile_cursor *at, size_t runs,
                               output_thread *o, clump_message *message)
{
    const clump_big_job *const job = w->job;
    const uint64_t labels = (uint64_t)t->clusters + t->choices;
    uint64_t points = 0;
    for (size_t r = 0; r < runs; r++) points += o->runs[r].count;
    size_t r = 0;
    uint64_t used = 0; /* points of run r that are done */
    for (uint64_t done = 0; done < points;) {
        const size_t now = points - done < OUTPUT_POINTS ? (size_t)(points - done) : OUTPUT_POINTS;
        const uint64_t from = at->point + done;
        CLUMP_BIG_TRY(clump_big_results_read(job, t, CLUMP_BIG_PART_PLACES, from, now, o->places, message));
        CLUMP_BIG_TRY(clump_big_results_read(job, t, CLUMP_BIG_PART_LABELS, from, now, o->labels, message));
        for (size_t i = 0; i < now;) {
            const uint64_t left = o->runs[r].count - used;
            const size_t end = left < now - i ? i + (size_t)left : now;
            int64_t *const to =
                w->labels + (o->runs[r].block - job->hooks->first_block - w->first) * CLUMP_BLOCK_POINTS;
            used += end - i;
            for (; i < end; i++)
                if ((uint64_t)(int64_t)o->labels[i] < labels) to[o->places[i]] = o->numbers[o->labels[i]];
            if (used == o->runs[r].count) r++, used = 0;
        }
        done += now;
    }
    at->point += points;
    at->run += runs;
    return CLUMP_OK;
}

/* Lays the points of a tile that are in the window into it. */
static clump_status place_tile(output_windows *w, uint32_t number, output_thread *o, clump_message *message)
{
    CLUMP_ASSERT(number < w->job->tile_count);
    const clump_big_job *const job = w->job;
    const clump_big_tile *const t = &job->tiles[number];
    tile_cursor *const at = &w->cursors[number];
    o->numbers = NULL;
    while (t->done && at->run < t->runs) {
        size_t now = t->runs - at->run < OUTPUT_RUNS ? (size_t)(t->runs - at->run) : OUTPUT_RUNS, inside = 0;
        CLUMP_BIG_TRY(clump_big_results_read(job, t, CLUMP_BIG_PART_RUNS, at->run, now, o->runs, message));
        while (inside < now && o->runs[inside].block - job->hooks->first_block < w->end) inside++;
        if (inside == 0) return CLUMP_OK;
        if (!o->numbers) CLUMP_BIG_TRY(read_numbers(job, t, o, message));
        CLUMP_BIG_TRY(place_runs(w, t, at, inside, o, message));
        if (inside < now) return CLUMP_OK;
    }
    return CLUMP_OK;
}

/* Returns the share of the time of the output that it takes to lay labels into the window. */
static double laying_share(const clump_big_job *job)
{
    return 1 / (1 + job->write_weight);
}

static clump_status place_tiles(void *arg, int worker, clump_message *message)
{
    output_windows *const w = arg;
    output_thread *const o = malloc(sizeof *o);
    clump_status status = o ? CLUMP_OK : clump_big_no_memory(message, sizeof *o);
    const double all = (double)w->job->info.blocks, laid = laying_share(w->job) * (double)(w->end - w->first);
    while (status == CLUMP_OK && !clump_big_stopped(&w->job->workers)) {
        const uint32_t number = CLUMP_ADD(&w->next, 1);
        if (number >= w->job->tile_count) break;
        if (worker == 0)
            clump_big_tell(w->job, CLUMP_BIG_OUTPUT, ((double)w->first + laid * number / w->job->tile_count) / all);
        status = place_tile(w, number, o, message);
        free(o->numbers);
    }
    free(o);
    return status;
}

/* ----- all windows ---------------------------------------------------------------------------------------------------- */

/* The hashes of all labels, as int32 and as int64. */
typedef struct output_hashes {
    clump_big_hash as_32, as_64;
    bool narrow; /* the labels fit into int32 */
} output_hashes;

/* Writes the first `count` labels of the window. */
static clump_status write_window(output_windows *w, size_t count, output_hashes *hashes, clump_label_writer *writer,
                                 clump_message *message)
{
    const double all = (double)w->job->info.count, first = (double)(w->first * CLUMP_BLOCK_POINTS);
    const double laid = laying_share(w->job);
    for (size_t at = 0, now; at < count; at += now) {
        now = count - at < OUTPUT_AT_ONCE ? count - at : OUTPUT_AT_ONCE;
        const double part = laid * (double)count + (1 - laid) * (double)at;
        CLUMP_BIG_TRY(clump_big_step(w->job, CLUMP_BIG_OUTPUT, (first + part) / all, message));
        if (hashes->narrow) clump_big_hash_labels(&hashes->as_32, w->labels + at, now, 4);
        clump_big_hash_labels(&hashes->as_64, w->labels + at, now, 8);
        if (writer) CLUMP_BIG_TRY(clump_label_writer_add(writer, w->labels + at, now, message));
    }
    return CLUMP_OK;
}

static clump_status run_windows(output_windows *w, clump_label_writer *writer, clump_message *message)
{
    clump_big_job *const job = w->job;
    const uint64_t blocks_at_once =
        job->budget.window / CLUMP_BLOCK_POINTS > 0 ? job->budget.window / CLUMP_BLOCK_POINTS : 1;
    output_hashes hashes = {.narrow = job->result.clusters <= INT32_MAX};
    clump_big_hash_begin(&hashes.as_32);
    clump_big_hash_begin(&hashes.as_64);
    for (w->first = 0; w->first < job->info.blocks; w->first = w->end) {
        w->end = job->info.blocks - w->first < blocks_at_once ? job->info.blocks : w->first + blocks_at_once;
        const uint64_t point = w->first * CLUMP_BLOCK_POINTS, left = job->info.count - point;
        const uint64_t span = (w->end - w->first) * CLUMP_BLOCK_POINTS;
        const size_t count = (size_t)(left < span ? left : span);
        for (size_t i = 0; i < span; i++) w->labels[i] = CLUMP_NOISE;
        w->next = 0;
        CLUMP_BIG_TRY(clump_big_workers_run(&job->workers, place_tiles, w, message));
        CLUMP_BIG_TRY(write_window(w, count, &hashes, writer, message));
    }
    job->result.labels_hash = hashes.narrow ? clump_big_hash_end(&hashes.as_32) : 0;
    job->result.labels_hash_64 = clump_big_hash_end(&hashes.as_64);
    return CLUMP_OK;
}

static clump_status run_output(clump_big_job *job, clump_label_writer *writer, clump_message *message)
{
    output_windows w = {.job = job};
    const uint64_t blocks = job->budget.window / CLUMP_BLOCK_POINTS + 1;
    const size_t bytes = (size_t)(blocks < job->info.blocks ? blocks : job->info.blocks + 1) * CLUMP_BLOCK_POINTS * 8;
    void *const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    w.labels = memory == MAP_FAILED ? NULL : memory;
    w.cursors = calloc(job->tile_count, sizeof *w.cursors);
    clump_status status = w.labels && w.cursors ? CLUMP_OK : clump_big_no_memory(message, bytes);
    if (status == CLUMP_OK) status = run_windows(&w, writer, message);
    if (w.labels) munmap(w.labels, bytes);
    free(w.cursors);
    return status;
}

clump_status clump_big_output(clump_big_job *job, const char *output, clump_message *message)
{
    clump_label_writer *writer = NULL;
    if (output) {
        clump_label_writer_options options = job->options->output;
        options.wide = options.wide || job->result.clusters > INT32_MAX;
        CLUMP_BIG_TRY(clump_label_writer_open(job->reader, output, &options, &writer, message));
    }
    const clump_status status = run_output(job, writer, message);
    if (!output) return status;
    const clump_status closed =
        clump_label_writer_close(writer, status == CLUMP_OK, status == CLUMP_OK ? message : NULL);
    return status == CLUMP_OK ? closed : status;
}
