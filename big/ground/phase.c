/* SPDX-License-Identifier: BSD-3-Clause
 *
 * phase.c: finds the ground of a survey, between plan and scatter: see ground.h. Each rank reads its share of the blocks. Then all
 * have all lows, and make the same surface. A run that goes on takes the surface from the work folder.
 */
#include "job.h"

#include "common/atomics.h"
#include "common/bytes_text.h"

#include <stdlib.h>
#include <string.h>

enum {
    PHASE_CACHE = 256, /* squares that a thread knows */
    PHASE_AT_ONCE = 4  /* squares whose lows the ranks join in one message */
};
#define PHASE_READ 0.8 /* share of the phase in which blocks are read */

/* ----- options -------------------------------------------------------------------------------------------------------- */

/* Checks the numbers by the sentence of the library, in a call without points. */
static clump_status check_numbers(const clump_big_job *job, clump_message *message)
{
    size_t found;
    clump_ground_options numbers = *job->options->ground;
    numbers.extent = numbers.tile; /* which has no effect here */
    const clump_status status = clump_ground(job->checks, (clump_points){.count = 0}, &numbers, NULL, &found);
    return status == CLUMP_OK ? status : clump_big_fail(message, status, "%s", clump_context_error(job->checks));
}

clump_status clump_big_ground_check(const clump_big_job *job, clump_message *message)
{
    const clump_ground_options *const o = job->options->ground;
    if (!o) return CLUMP_OK;
    CLUMP_BIG_TRY(check_numbers(job, message));
    const char *const what = o->method != CLUMP_GROUND_GRID   ? "a method but grid"
                             : o->up != CLUMP_UP_Z || o->flip ? "another direction up than z"
                             : o->sensor_height > 0           ? "a sensor height"
                             : o->step                        ? "the step rule"
                             : o->mask || o->heights          ? "a mask or heights"
                             : o->sensor[0] != 0 || o->sensor[1] != 0 || o->sensor[2] != 0 ? "a sensor"
                                                                                           : NULL;
    if (!what) return CLUMP_OK;
    return clump_big_fail(message, CLUMP_ERR_ARGUMENT, "the ground of a survey cannot be found with %s", what);
}

/* ----- lows ----------------------------------------------------------------------------------------------------------- */

typedef struct lows {
    clump_big_job *job;
    clump_big_blocks blocks;
} lows;

/* What one thread knows of squares; `heights` of squares that there is no memory for are null. */
typedef struct known_square {
    clump_big_square at;
    int32_t *heights;
    bool known;
} known_square;

/* Lowers the lows of the parts that have points of a block. */
static clump_status lower_block(clump_big_ground *g, const clump_block *block, const clump_big_picked *picked,
                                const float *xyz, known_square *cache, clump_message *message)
{
    enum { SQUARE = CLUMP_BIG_SQUARE * CLUMP_BIG_TILE_UNITS, PART = CLUMP_BIG_TILE_UNITS / 2 };
    for (size_t i = 0; i < block->count; i++) {
        clump_big_place p;
        if (!picked->takes[i] || !clump_big_ground_place(g, block->steps, xyz, i, &p)) continue;
        const int64_t u = p.u & (SQUARE - 1), v = p.v & (SQUARE - 1);
        const clump_big_square at = {(p.u - u) / SQUARE, (p.v - v) / SQUARE};
        known_square *const k = &cache[(size_t)(at.x + 16 * at.y) % PHASE_CACHE];
        if (!k->known || k->at.x != at.x || k->at.y != at.y) {
            *k = (known_square){.at = at, .known = true};
            CLUMP_BIG_TRY(clump_big_ground_add(g, at.x, at.y, &k->heights, message));
        }
        const int64_t tile = u / CLUMP_BIG_TILE_UNITS * CLUMP_BIG_SQUARE + v / CLUMP_BIG_TILE_UNITS;
        const int64_t part = u / PART % 2 * 2 + v / PART % 2;
        if (k->heights) clump_atomic_min_int(&k->heights[CLUMP_BIG_TILE_PARTS * tile + part], p.height);
    }
    return CLUMP_OK;
}

static clump_status lower_blocks(void *arg, int worker, clump_message *message)
{
    lows *const l = arg;
    clump_big_job *const job = l->job;
    known_square cache[PHASE_CACHE] = {0};
    clump_block block = {0};
    clump_big_picked picked = {0};
    clump_status status = CLUMP_OK;
    while (status == CLUMP_OK && !clump_big_stopped(&job->workers)) {
        uint64_t number;
        const float *xyz = NULL;
        status = clump_big_blocks_take(&l->blocks, &block, &number, message);
        if (status != CLUMP_OK || number == l->blocks.end) break;
        if (worker == 0)
            clump_big_tell(job, CLUMP_BIG_GROUND,
                           PHASE_READ * (double)(number - job->share) / (double)job->share_blocks);
        status = clump_big_choose(&job->frame, &job->filter, job->reader, &block, &picked, &xyz, message);
        if (status == CLUMP_OK) status = lower_block(&job->ground, &block, &picked, xyz, cache, message);
    }
    clump_big_pick_release(&picked);
    clump_block_release(&block);
    return status;
}

static clump_status find_lows(clump_big_job *job, clump_message *message)
{
    lows l = {.job = job};
    clump_big_blocks_begin(&l.blocks, job->reader, job->share, job->share + job->share_blocks, 1);
    const clump_status status = clump_big_workers_run(&job->workers, lower_blocks, &l, message);
    clump_big_blocks_end(&l.blocks);
    return status;
}

/* Refuses more squares than there is memory for, with the memory that is enough. */
static clump_status check_room(const clump_big_job *job, clump_message *message)
{
    const size_t count = job->ground.count;
    if (count <= job->ground.most) return CLUMP_OK;
    char ram[32];
    clump_bytes_text(ram, sizeof ram, (double)job->budget.ram);
    return clump_big_fail(message, CLUMP_ERR_OUT_OF_MEMORY,
                          "the ground has %zu squares of %g x %g with points, for which %s are not enough: use --ram "
                          "%lluM or more",
                          count, (double)(CLUMP_BIG_SQUARE * job->options->ground->tile),
                          (double)(CLUMP_BIG_SQUARE * job->options->ground->tile), ram,
                          (unsigned long long)clump_big_budget_for_ground(job, count));
}

/* ----- ranks ---------------------------------------------------------------------------------------------------------- */

static int compare_squares(const void *a, const void *b)
{
    const clump_big_square *const p = a, *const q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Gives all ranks the squares of all, if there is memory for them. */
static clump_status join_squares(clump_big_job *job, clump_message *message)
{
    clump_big_ground *const g = &job->ground;
    const size_t ranks = (size_t)clump_big_ranks(job), own = g->count;
    void *received = NULL;
    size_t total = 0;
    clump_big_square *const sent = malloc(ranks * own * sizeof *sent + 1);
    clump_status status = clump_big_agree_made(job, sent, ranks * own * sizeof *sent, message);
    for (size_t k = 0; k < ranks * own && status == CLUMP_OK; k++) sent[k] = g->squares[k % own];
    for (size_t r = 0; r < ranks; r++) job->words[r] = own;
    if (status == CLUMP_OK)
        status = clump_big_lists(job, sizeof *sent, sent, job->words, &received, job->words + ranks, &total, message);
    free(sent);
    const clump_big_square *const all = received;
    int32_t *unused;
    for (size_t k = 0; k < total && status == CLUMP_OK; k++)
        status = clump_big_ground_add(g, all[k].x, all[k].y, &unused, message);
    free(received);
    if (status == CLUMP_OK) status = check_room(job, message);
    return clump_big_agree(job, status, message);
}

/* Joins the lows of some squares, which all ranks have. */
static clump_status join_lows(clump_big_job *job, const clump_big_square *list, size_t count, int64_t *words,
                              clump_message *message)
{
    for (size_t k = 0; k < count; k++) {
        const int32_t *const from = clump_big_ground_find(&job->ground, list[k].x, list[k].y);
        for (size_t i = 0; i < CLUMP_BIG_SQUARE_LOWS; i++) words[CLUMP_BIG_SQUARE_LOWS * k + i] = from[i];
    }
    CLUMP_BIG_TRY(clump_big_least(job, words, CLUMP_BIG_SQUARE_LOWS * count, message));
    for (size_t k = 0; k < count; k++) {
        int32_t *const to = clump_big_ground_find(&job->ground, list[k].x, list[k].y);
        for (size_t i = 0; i < CLUMP_BIG_SQUARE_LOWS; i++) to[i] = (int32_t)words[CLUMP_BIG_SQUARE_LOWS * k + i];
    }
    return CLUMP_OK;
}

static clump_status join_ranks(clump_big_job *job, clump_message *message)
{
    enum { WORDS = PHASE_AT_ONCE * CLUMP_BIG_SQUARE_LOWS };
    if (clump_big_ranks(job) == 1) return check_room(job, message);
    CLUMP_BIG_TRY(join_squares(job, message));
    const size_t count = job->ground.count;
    clump_big_square *const list = malloc(count * sizeof *list + 1); /* in an order that all ranks have */
    int64_t *const words = malloc(WORDS * sizeof *words);
    clump_status status =
        clump_big_agree_made(job, list && words, count * sizeof *list + WORDS * sizeof *words, message);
    if (status == CLUMP_OK && count > 0) {
        memcpy(list, job->ground.squares, count * sizeof *list);
        qsort(list, count, sizeof *list, compare_squares);
    }
    for (size_t k = 0; k < count && status == CLUMP_OK; k += PHASE_AT_ONCE) {
        const size_t now = count - k < PHASE_AT_ONCE ? count - k : PHASE_AT_ONCE;
        clump_big_tell(job, CLUMP_BIG_GROUND, PHASE_READ + (1 - PHASE_READ) * (double)k / (double)count);
        status = clump_big_agree(job, CLUMP_OK, message);
        if (status == CLUMP_OK) status = join_lows(job, list + k, now, words, message);
    }
    free(words);
    free(list);
    return status;
}

/* ----- work folder ---------------------------------------------------------------------------------------------------- */

/* Returns the bytes of the file: squares, then their heights. */
static uint64_t file_bytes(const clump_big_ground *g, size_t count)
{
    return count * (sizeof *g->squares + CLUMP_BIG_SQUARE_TILES * sizeof *g->heights);
}

static uint64_t checksum_of(const clump_big_ground *g)
{
    clump_big_hash hash;
    clump_big_hash_begin(&hash);
    clump_big_hash_add(&hash, g->squares, g->count * sizeof *g->squares);
    clump_big_hash_add(&hash, g->heights, g->count * CLUMP_BIG_SQUARE_TILES * sizeof *g->heights);
    return clump_big_hash_end(&hash);
}

/* Keeps the surface for a run that goes on. */
static clump_status save(clump_big_job *job, clump_message *message)
{
    const clump_big_ground *const g = &job->ground;
    const clump_big_record record = {.kind = CLUMP_BIG_RECORD_GROUND,
                                     .count = g->count,
                                     .bytes = file_bytes(g, g->count),
                                     .checksum = checksum_of(g)};
    const uint64_t squares = g->count * sizeof *g->squares;
    if (job->disk.memory) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_file_write(&job->surface, 0, g->squares, (size_t)squares, message));
    CLUMP_BIG_TRY(clump_big_file_write(&job->surface, squares, g->heights, (size_t)(record.bytes - squares), message));
    CLUMP_BIG_TRY(clump_big_file_sync(&job->surface, message));
    return clump_big_journal_add(&job->journal, record, true, message);
}

/* Takes the surface of an earlier run, where the folder has it. */
static clump_status load(clump_big_job *job, bool *found, clump_message *message)
{
    clump_big_ground *const g = &job->ground;
    const clump_big_record *record = NULL;
    uint64_t size = 0;
    *found = false;
    for (size_t k = 0; k < job->record_count; k++)
        if (job->records[k].kind == CLUMP_BIG_RECORD_GROUND) record = &job->records[k];
    if (!record || job->disk.memory) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_file_size(&job->surface, &size, message));
    const size_t count = (size_t)record->count, squares = count * sizeof *g->squares;
    if (size < record->bytes || record->bytes != file_bytes(g, count) || count > g->most) return CLUMP_OK;
    clump_big_square *const list = malloc(squares + 1);
    if (!list) return clump_big_no_memory(message, squares);
    clump_status status = clump_big_file_read(&job->surface, 0, list, squares, message);
    int32_t *unused;
    g->each = CLUMP_BIG_SQUARE_TILES;
    for (size_t k = 0; k < count && status == CLUMP_OK; k++)
        status = clump_big_ground_add(g, list[k].x, list[k].y, &unused, message);
    if (status == CLUMP_OK && g->count == count)
        status = clump_big_file_read(&job->surface, squares, g->heights, (size_t)record->bytes - squares, message);
    free(list);
    *found = status == CLUMP_OK && g->count == count && checksum_of(g) == record->checksum;
    return status;
}

/* ----- the phase ------------------------------------------------------------------------------------------------------ */

static clump_status make(clump_big_job *job, clump_message *message)
{
    const uint64_t most = job->budget.squares < job->info.count ? job->budget.squares : job->info.count;
    clump_big_ground_release(&job->ground);
    return clump_big_ground_make(&job->ground, &job->frame, job->options->ground, (size_t)most, message);
}

static clump_status find(clump_big_job *job, clump_message *message)
{
    clump_status status = make(job, message);
    if (status == CLUMP_OK) status = find_lows(job, message);
    CLUMP_BIG_TRY(clump_big_agree(job, status, message));
    CLUMP_BIG_TRY(join_ranks(job, message));
    status = clump_big_ground_surface(&job->ground, &job->workers, message);
    if (status == CLUMP_OK) status = save(job, message);
    return clump_big_agree(job, status, message);
}

clump_status clump_big_find_ground(clump_big_job *job, clump_message *message)
{
    bool needed = job->blocks_done < job->share_blocks, found = false;
    if (!job->options->ground) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_agree_any(job, clump_big_step(job, CLUMP_BIG_GROUND, 0, message), &needed, message));
    if (!needed) return CLUMP_OK; /* the scatter is done */
    job->filter.ground = &job->ground;
    clump_status status = make(job, message);
    if (status == CLUMP_OK) status = load(job, &found, message);
    bool lost = !found;
    CLUMP_BIG_TRY(clump_big_agree_any(job, status, &lost, message));
    return lost ? find(job, message) : CLUMP_OK;
}

void clump_big_leave_ground(clump_big_job *job)
{
    job->filter.ground = NULL;
    clump_big_ground_release(&job->ground);
}
