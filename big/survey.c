/* SPDX-License-Identifier: BSD-3-Clause
 *
 * survey.c: the first look at the input: the box, and the points per coarse cell. It is a sample of the blocks, as
 * reading everything costs as much as the scatter. Everything is looked at where the origin must be known beforehand:
 * float64 coordinates, a crop, and a ground in the frame whole. For thinning the headers of integers tell it.
 */
#include "job.h"

#include "common/assert.h"
#include "workers.h"
#include "common/atomics.h"

#include <stdlib.h>

enum {
    SURVEY_FAST_TILE =
        1 << 19,             /* points; measured: 2e7 points of a survey, Neoverse V1; tiles of 4e6 take 10 % longer */
    SURVEY_TILES = 2048,     /* no more tiles than these for the sake of speed: each has its buffers in the scatter */
    SURVEY_SAMPLE = 8,       /* one of 8 blocks is looked at */
    SURVEY_ALL_BLOCKS = 512, /* of a cloud with no more blocks all are looked at */
    SURVEY_EVEN = 1024,      /* with several ranks: tiles of a cloud, unless they get too small or too large, */
    SURVEY_EACH = 64,        /* and tiles per rank, so that they divide evenly */
    SURVEY_LEAST = 1 << 14   /* points per tile: smaller ones would have rims as large as themselves */
};

typedef struct look {
    clump_big_job *job;
    clump_big_blocks blocks;
    uint64_t *counts;  /* null: only the box */
    double from, part; /* of the phase: its share before this look, and that of the look */
    clump_big_box box;
    pthread_mutex_t lock; /* of box */
} look;

/* Adds the points of a block to the counts. The counts are shared; a sample has few points per cell. */
static void add_counts(look *l, const clump_big_picked *picked)
{
    const clump_big_job *const job = l->job;
    const size_t bytes = clump_big_frame_bytes(&job->frame);
    for (size_t i = 0; i < picked->count; i++) {
        int64_t voxel[3];
        clump_big_voxel(&job->frame, picked->stored + i * bytes, voxel);
        CLUMP_ADD(&l->counts[clump_big_map_cell(&job->map, voxel)], 1);
    }
}

static clump_status look_at_blocks(void *arg, int worker, clump_message *message)
{
    look *const l = arg;
    clump_big_job *const job = l->job;
    clump_block block = {0};
    clump_big_picked picked = {0};
    clump_big_box box;
    clump_big_box_clear(&box);
    clump_status status = CLUMP_OK;
    while (status == CLUMP_OK && !clump_big_stopped(&job->workers)) {
        uint64_t number;
        status = clump_big_blocks_take(&l->blocks, &block, &number, message);
        if (status != CLUMP_OK || number == l->blocks.end) break;
        if (worker == 0)
            clump_big_tell(job, CLUMP_BIG_PLAN,
                           l->from + l->part * (double)(number - job->share) / (double)(l->blocks.end - job->share));
        if (!l->counts) {
            clump_big_box_add(&box, &block);
            continue;
        }
        status = clump_big_pick(&job->frame, &job->filter, job->reader, &block, &picked, &box, message);
        if (status == CLUMP_OK) add_counts(l, &picked);
    }
    pthread_mutex_lock(&l->lock);
    clump_big_box_unite(&l->box, &box);
    pthread_mutex_unlock(&l->lock);
    clump_big_pick_release(&picked);
    clump_block_release(&block);
    return status;
}

/* Looks at one of `stride` blocks of the share. `from`: the share of the phase that is done before. */
static clump_status look_at(clump_big_job *job, uint64_t stride, double from, uint64_t *counts, clump_big_box *box,
                            clump_message *message)
{
    CLUMP_ASSERT(stride >= 1);
    look l = {.job = job, .counts = counts, .from = from, .part = counts ? 1 - from : 0.5};
    clump_big_box_clear(&l.box);
    pthread_mutex_init(&l.lock, NULL);
    clump_big_blocks_begin(&l.blocks, job->reader, job->share, job->share + job->share_blocks, stride);
    const clump_status status = clump_big_workers_run(&job->workers, look_at_blocks, &l, message);
    clump_big_blocks_end(&l.blocks);
    pthread_mutex_destroy(&l.lock);
    if (box) *box = l.box;
    return status;
}

/* The box of the headers. */
static void box_of_headers(const clump_reader_info *info, clump_big_box *box)
{
    for (int a = 0; a < 3; a++) {
        box->lower[a] = info->lower[a], box->upper[a] = info->upper[a];
        box->lower_step[a] = info->lower_step[a], box->upper_step[a] = info->upper_step[a];
    }
}

/* Writes the corners of a box of integers in the unit of the files, too. */
static void scale_box(const clump_big_job *job, clump_big_box *box)
{
    for (int a = 0; a < 3 && box->lower_step[a] <= box->upper_step[a]; a++) {
        box->lower[a] = (double)box->lower_step[a] * job->info.step;
        box->upper[a] = (double)box->upper_step[a] * job->info.step;
    }
}

uint64_t clump_big_survey_tile(uint64_t points, int ranks)
{
    const uint64_t tiles = SURVEY_EACH * (uint64_t)ranks > SURVEY_EVEN ? SURVEY_EACH * (uint64_t)ranks : SURVEY_EVEN;
    const uint64_t even = points / tiles;
    return even < SURVEY_LEAST ? SURVEY_LEAST : even > SURVEY_FAST_TILE ? SURVEY_FAST_TILE : even;
}

/* Returns how many points a tile should have: at most half of what the memory allows where the counts are a guess, and no
 * more than are fast. */
static uint64_t points_per_tile(const clump_big_job *job, bool sampled)
{
    if (job->hooks->most) return job->budget.most;
    const int ranks = clump_big_ranks(job);
    const uint64_t fits = job->budget.most / (sampled ? 2 : 1), few_tiles = job->info.count / SURVEY_TILES;
    uint64_t fast = few_tiles > SURVEY_FAST_TILE ? few_tiles : SURVEY_FAST_TILE;
    if (ranks > 1) fast = clump_big_survey_tile(job->info.count, ranks);
    return fits < fast ? fits : fast;
}

/* Gives each rank as many tiles as cost at most `most`. Returns whether that is enough for all tiles. */
static bool give_tiles(const uint64_t *costs, uint32_t tiles, int ranks, uint64_t most, uint32_t *first)
{
    uint32_t tile = 0;
    for (int r = 0; r < ranks; r++) {
        first[r] = tile;
        for (uint64_t load = 0; tile < tiles && costs[tile] <= most - load; tile++) load += costs[tile];
    }
    first[ranks] = tiles;
    return tile == tiles;
}

void clump_big_survey_share(const uint64_t *costs, uint32_t tiles, int ranks, uint32_t *first)
{
    CLUMP_ASSERT(ranks >= 1);
    uint64_t low = 0, high = 0;
    for (uint32_t t = 0; t < tiles; t++) high += costs[t];
    while (low < high) { /* the least cost that is enough */
        const uint64_t middle = low + (high - low) / 2;
        if (give_tiles(costs, tiles, ranks, middle, first))
            high = middle;
        else
            low = middle + 1;
    }
    give_tiles(costs, tiles, ranks, high, first);
}

/* Divides the tiles among the ranks by their points. */
static clump_status share_tiles(clump_big_job *job, const uint64_t *counts, clump_message *message)
{
    const int ranks = clump_big_ranks(job);
    uint64_t *const loads = calloc(job->map.tile_count, sizeof *loads);
    if (!loads) return clump_big_no_memory(message, job->map.tile_count * sizeof *loads);
    for (size_t c = 0; c < clump_big_map_cells(&job->map); c++) loads[job->map.tiles[c]] += counts[c];
    clump_big_survey_share(loads, job->map.tile_count, ranks, job->first_tile);
    free(loads);
    return CLUMP_OK;
}

/* Counts the points of all ranks per coarse cell, and makes the tiles. */
static clump_status cut_map(clump_big_job *job, uint64_t stride, double from, uint64_t most, clump_message *message)
{
    const size_t cells = clump_big_map_cells(&job->map);
    uint64_t *const counts = calloc(cells, sizeof *counts);
    clump_status status = counts ? CLUMP_OK : clump_big_no_memory(message, cells * sizeof *counts);
    if (status == CLUMP_OK) status = look_at(job, stride, from, counts, NULL, message);
    status = clump_big_agree(job, status, message);
    if (status == CLUMP_OK) status = clump_big_sum(job, counts, cells, message);
    for (size_t i = 0; i < cells && status == CLUMP_OK; i++) counts[i] *= stride;
    if (status == CLUMP_OK) status = clump_big_map_cut(&job->map, &job->frame, counts, most, message);
    if (status == CLUMP_OK) status = share_tiles(job, counts, message);
    free(counts);
    return clump_big_agree(job, status, message);
}

clump_status clump_big_survey(clump_big_job *job, bool exact, clump_message *message)
{
    const bool steps = job->info.coordinates == CLUMP_COORDINATES_STEPS;
    const bool whole = job->options->ground && job->frame.kind == CLUMP_FILE_FRAME_WHOLE;
    const bool needs_origin = job->info.own == CLUMP_COORDINATES_DOUBLE || job->filter.crop ||
                              (whole && job->info.own == CLUMP_COORDINATES_STEPS);
    uint64_t stride = job->hooks->sample ? job->hooks->sample : SURVEY_SAMPLE;
    if (!job->hooks->sample && job->info.blocks <= SURVEY_ALL_BLOCKS) stride = 1;
    const bool thins = job->frame.thin > 0;
    exact = exact || needs_origin || (thins && steps && !job->info.has_box);
    clump_big_box box;
    double from = 0;
    if (steps && job->info.has_box && !exact) {
        box_of_headers(&job->info, &box);
    } else {
        CLUMP_BIG_TRY(clump_big_agree(job, look_at(job, exact ? 1 : stride, 0, NULL, &box, message), message));
        CLUMP_BIG_TRY(clump_big_unite_boxes(job, &box, message));
        from = 0.5;
    }
    clump_big_map_release(&job->map);
    if (thins && steps) scale_box(job, &box);
    if (needs_origin || thins) clump_big_frame_set_origin(&job->frame, job->reader, &box);
    CLUMP_BIG_TRY(clump_big_frame_place(&job->frame, &box, message));

    int64_t first[3], last[3];
    const bool sampled = stride > 1;
    const uint64_t most = points_per_tile(job, sampled);
    clump_big_map_corners(&job->frame, &box, first, last);
    CLUMP_BIG_TRY(clump_big_map_place(&job->map, &job->frame, first, last, job->info.count, most, false, message));
    return cut_map(job, stride, from, most - most / 16, message);
}
