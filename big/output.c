/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output.c: labels in the order of the input. Windows of the input are filled from all tiles, then written in order. The
 * labels of a tile are ascending by index, so each tile is read once from its beginning to its end.
 *
 * Rank 0 writes. The other ranks send it the labels of their tiles, window by window, 8 bytes per point with a label: its
 * place in the window and its number. They read the next window while rank 0 writes.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "job.h"

#include "common/assert.h"
#include "common/atomics.h"
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

#define OUTPUT_PLACE_BITS 24 /* a window has at most 2^24 points: see budget.c */

typedef struct output_windows {
    clump_big_job *job;
    tile_cursor *cursors;
    int64_t *labels;      /* of the window; null on ranks but 0 */
    uint64_t *entries;    /* else: number << OUTPUT_PLACE_BITS | place */
    uint64_t entry_count; /* atomic */
    uint64_t *counts;     /* 2 per rank: bytes that are sent, that come */
    uint64_t first, end;  /* blocks of the window */
    uint32_t next;        /* atomic: tile */
} output_windows;

/* Memory of one thread. */
typedef struct output_thread {
    clump_big_points_run runs[OUTPUT_RUNS];
    uint16_t places[OUTPUT_POINTS];
    int32_t labels[OUTPUT_POINTS];
    uint64_t entries[OUTPUT_POINTS];
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

/* Lays points [begin, end) of a block into the window. */
static void place_labels(int64_t *to, const output_thread *o, size_t begin, size_t end, uint64_t labels)
{
    for (size_t i = begin; i < end; i++)
        if ((uint64_t)(int64_t)o->labels[i] < labels) to[o->places[i]] = o->numbers[o->labels[i]];
}

/* Lists those that have a label, for rank 0. */
static void list_labels(output_windows *w, uint64_t place, output_thread *o, size_t begin, size_t end, uint64_t labels)
{
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        const int64_t number = (uint64_t)(int64_t)o->labels[i] < labels ? o->numbers[o->labels[i]] : CLUMP_NOISE;
        if (number != CLUMP_NOISE) o->entries[count++] = (uint64_t)number << OUTPUT_PLACE_BITS | (place + o->places[i]);
    }
    if (count > 0) memcpy(w->entries + CLUMP_ADD(&w->entry_count, count), o->entries, count * sizeof *o->entries);
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
            const uint64_t place = (o->runs[r].block - job->hooks->first_block - w->first) * CLUMP_BLOCK_POINTS;
            used += end - i;
            if (w->labels)
                place_labels(w->labels + place, o, i, end, labels);
            else
                list_labels(w, place, o, i, end, labels);
            i = end;
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
        if (hashes->narrow) clump_big_hash_labels(&hashes->as_32, w->labels + at, now);
        clump_big_hash_add(&hashes->as_64, w->labels + at, now * sizeof *w->labels);
        if (writer) CLUMP_BIG_TRY(clump_label_writer_add(writer, w->labels + at, now, message));
    }
    return CLUMP_OK;
}

static void give_entries(void *user, int rank, uint64_t at, size_t size, void *to)
{
    const output_windows *const w = user;
    (void)rank;
    memcpy(to, (const unsigned char *)w->entries + at, size);
}

static void take_entries(void *user, int rank, uint64_t at, size_t size, const void *from)
{
    const output_windows *const w = user;
    const uint64_t *const entries = from; /* parts of a stream are multiples of 8 bytes */
    (void)rank, (void)at;
    for (size_t k = 0; k < size / sizeof *entries; k++) {
        uint64_t entry;
        memcpy(&entry, entries + k, sizeof entry);
        w->labels[entry & (((uint64_t)1 << OUTPUT_PLACE_BITS) - 1)] = (int64_t)(entry >> OUTPUT_PLACE_BITS);
    }
}

/* Sends the entries of the window to rank 0. */
static clump_status send_window(output_windows *w, clump_message *message)
{
    clump_mail *const mail = &w->job->mail;
    const size_t ranks = (size_t)mail->peers.count;
    if (ranks == 1) return CLUMP_OK;
    memset(w->counts, 0, 2 * ranks * sizeof *w->counts);
    w->counts[0] = w->entry_count * sizeof *w->entries;
    clump_status status = clump_mail_counts(mail, w->counts, w->counts + ranks);
    if (status == CLUMP_OK)
        status = clump_mail_stream(mail, w->counts, give_entries, w->counts + ranks, take_entries, w);
    return clump_big_sent(w->job, status, message);
}

/* Fills the window with the labels of all tiles. `written`: how the last window was written. */
static clump_status fill_window(output_windows *w, clump_status written, clump_message *message)
{
    clump_big_job *const job = w->job;
    const uint64_t span = (w->end - w->first) * CLUMP_BLOCK_POINTS;
    for (size_t i = 0; i < span && w->labels; i++) w->labels[i] = CLUMP_NOISE;
    w->next = 0, w->entry_count = 0;
    clump_status status = written;
    if (status == CLUMP_OK) status = clump_big_workers_run(&job->workers, place_tiles, w, message);
    CLUMP_BIG_TRY(clump_big_agree(job, status, message));
    CLUMP_BIG_TRY(send_window(w, message));
    return clump_big_marks_lay(job, w->first, w->end, w->labels, message);
}

static clump_status run_windows(output_windows *w, clump_label_writer *writer, clump_message *message)
{
    clump_big_job *const job = w->job;
    const uint64_t blocks_at_once =
        job->budget.window / CLUMP_BLOCK_POINTS > 0 ? job->budget.window / CLUMP_BLOCK_POINTS : 1;
    output_hashes hashes = {.narrow = job->result.clusters <= INT32_MAX};
    clump_status written = CLUMP_OK;
    clump_big_hash_begin(&hashes.as_32);
    clump_big_hash_begin(&hashes.as_64);
    for (w->first = 0; w->first < job->info.blocks; w->first = w->end) {
        w->end = job->info.blocks - w->first < blocks_at_once ? job->info.blocks : w->first + blocks_at_once;
        const uint64_t point = w->first * CLUMP_BLOCK_POINTS, left = job->info.count - point;
        const uint64_t span = (w->end - w->first) * CLUMP_BLOCK_POINTS;
        CLUMP_BIG_TRY(fill_window(w, written, message));
        if (w->labels) written = write_window(w, (size_t)(left < span ? left : span), &hashes, writer, message);
    }
    if (!w->labels) return CLUMP_OK;
    if (written == CLUMP_OK) clump_big_tell(job, CLUMP_BIG_OUTPUT, 1);
    job->result.labels_hash = hashes.narrow ? clump_big_hash_end(&hashes.as_32) : 0;
    job->result.labels_hash_64 = clump_big_hash_end(&hashes.as_64);
    return written;
}

static clump_status run_output(clump_big_job *job, clump_label_writer *writer, clump_message *message)
{
    output_windows w = {.job = job};
    const uint64_t blocks = job->budget.window / CLUMP_BLOCK_POINTS + 1;
    const size_t bytes = (size_t)(blocks < job->info.blocks ? blocks : job->info.blocks + 1) * CLUMP_BLOCK_POINTS * 8;
    void *const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const bool made = memory != MAP_FAILED;
    if (made && clump_big_rank(job) == 0) w.labels = memory;
    if (made && clump_big_rank(job) != 0) w.entries = memory;
    w.cursors = calloc(job->tile_count, sizeof *w.cursors);
    w.counts = calloc(2 * (size_t)clump_big_ranks(job), sizeof *w.counts);
    clump_status status = clump_big_agree_made(job, made && w.cursors && w.counts, bytes, message);
    if (status == CLUMP_OK) status = run_windows(&w, writer, message);
    if (made) munmap(memory, bytes);
    free(w.cursors);
    free(w.counts);
    return status;
}

clump_status clump_big_output(clump_big_job *job, const char *output, clump_message *message)
{
    clump_label_writer *writer = NULL;
    clump_status status = CLUMP_OK;
    if (output && clump_big_rank(job) == 0) {
        clump_label_writer_options options = job->options->output;
        options.wide = options.wide || job->result.clusters > INT32_MAX;
        status = clump_label_writer_open(job->reader, output, &options, &writer, message);
    }
    status = clump_big_agree(job, status, message);
    if (status == CLUMP_OK) status = clump_big_agree(job, run_output(job, writer, message), message);
    if (status == CLUMP_OK) job->disk.cancel = NULL; /* the result is complete */
    if (!writer) return clump_big_agree(job, status, message);
    const clump_status closed =
        clump_label_writer_close(writer, status == CLUMP_OK, status == CLUMP_OK ? message : NULL);
    return clump_big_agree(job, status == CLUMP_OK ? closed : status, message);
}
