/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows_dbscan.c: DBSCAN by rows, in three or four sweeps of one sorted array. See rows.h.
 *
 *     1  count    the points around every point, itself included: core points have min_points
 *     2  join     neighbours among the core points
 *     3  border   the smallest label of the core points around every other point
 *     4  list     all labels of the core points around the others, where they are several; only if asked for
 *
 * In sweep 2 only core points have neighbours. All others are not finite in y_core, a copy of the coordinates. They stay
 * where they are, so all sweeps use the same rows. Sweep 3 starts from the core points or from the others, whichever
 * are fewer.
 *
 *     array       count            join       border                         labels
 *     spare[0]                     parent     label; DENSITY_NONE: none      label
 *     spare[1]                     first      largest; only for the list
 *     spare[2]    y_core           y_core     y_core
 */
#include "cpu/rows/rows.h"

#include "common/atomics.h"
#include "core/work.h"
#include "cpu/rows/rows_memory.h"
#include "cpu/rows/walk.h"
#include "cpu/shared/border_list.h"

#include <math.h>
#include <string.h>

#define DENSITY_SLACK 3 /* a sample that misses a few dense cells is off by less, one that misses a dense heap is not */
#define DENSITY_NONE  UINT32_MAX

/* y_core of points that are no core points: those without a neighbour, which have no label, and all others. */
#define DENSITY_ALONE INFINITY
#define DENSITY_OTHER NAN

typedef struct density {
    const clump_dbscan_job *job;
    const clump_sorted *sorted;
    float *y_core;
    clump_rows_join *join;
    uint32_t *label;   /* by sorted place */
    uint32_t *largest; /* null: there is no list. By sorted place: ~ the largest label of a core point around it */
    int threads;
    size_t cores, noise; /* atomic in tasks */
} density;

/* ----- count -------------------------------------------------------------------------------------------------- */

/* Adds the neighbours in a window to the counts of a group. */
static inline void add_counts(size_t *count, uint64_t near)
{
    for (int q = 0; q < CLUMP_GROUP; q++) count[q] += clump_count_pairs(near >> CLUMP_WINDOW * q & CLUMP_WINDOW_FULL);
}

/* Counts the points around the points of a group, and moves the streams. */
static inline void count_around(const clump_window_points *t, const clump_row_group *g, clump_walk *w, size_t *count)
{
    for (size_t r = 0; r < w->streams; r++) {
        clump_stream *const stream = &w->stream[r];
        uint32_t from = stream->at;
        clump_window seen = clump_look(t, g, from, stream->end);
        stream->at += seen.behind;
        do add_counts(count, seen.near);
        while (clump_look_on(t, g, stream, &from, &seen));
    }
}

/* Notes whether point k, with this number of points around it, is a core point. */
static inline bool note_core(const density *d, size_t k, size_t count)
{
    const bool core = count >= d->job->min_points;
    CLUMP_ASSERT(count >= 1);
    d->y_core[k] = core ? d->sorted->y[k] : count > 1 ? DENSITY_OTHER : DENSITY_ALONE;
    if (d->job->core) d->job->core[d->sorted->index[k]] = core;
    return core;
}

/* Sets y_core and the core flags of the points of pieces. */
static void count_pieces(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    density *const d = arg;
    const clump_sorted *const s = d->sorted;
    const clump_window_points t = {s->x, s->y, s->z};
    size_t cores = 0;
    for (clump_walk w = clump_walk_make(s, begin, end, true); clump_walk_next(&w);) {
        for (size_t k = w.from; k < w.to; k += CLUMP_GROUP) {
            const clump_row_group g = clump_row_group_make(s, s->y + k, k, w.to - k, d->job->in.bound);
            size_t count[CLUMP_GROUP] = {0};
            count_around(&t, &g, &w, count);
            for (size_t q = 0; q < CLUMP_GROUP && k + q < w.to; q++) cores += note_core(d, k + q, count[q]);
        }
    }
    CLUMP_ADD(&d->cores, cores);
}

/* ----- border ------------------------------------------------------------------------------------------------- */

static inline void lower(const density *d, uint32_t *to, uint32_t value)
{
    if (d->threads > 1)
        clump_atomic_min(to, value);
    else if (value < *to)
        *to = value;
}

/* Gives the labels of core points, a group from k on, to the others of a window from `from` on. */
static inline void give_labels(const density *d, size_t k, uint32_t from, uint64_t near)
{
    for (; near; near &= near - 1) {
        const unsigned bit = clump_lowest(near);
        const uint32_t other = from + bit % CLUMP_WINDOW, label = d->label[k + bit / CLUMP_WINDOW];
        if (!isnan(d->y_core[other])) continue;
        lower(d, &d->label[other], label);
        if (d->largest) lower(d, &d->largest[other], ~label);
    }
}

/* Takes the smallest labels of the core points of a window for other points, a group from k on. */
static inline void take_labels(const density *d, size_t k, uint32_t from, uint64_t near)
{
    for (; near; near &= near - 1) {
        const unsigned bit = clump_lowest(near);
        const size_t mine = k + bit / CLUMP_WINDOW;
        const uint32_t label = d->label[from + bit % CLUMP_WINDOW];
        d->label[mine] = label < d->label[mine] ? label : d->label[mine];
        if (d->largest) d->largest[mine] = ~label < d->largest[mine] ? ~label : d->largest[mine];
    }
}

typedef void handle_window(const density *d, size_t k, uint32_t from, uint64_t near);

/* The y of point k as a query of the border: NaN if it has no part in it. */
static inline float border_y(const density *d, size_t k, bool from_cores)
{
    if (from_cores) return d->y_core[k];
    return isnan(d->y_core[k]) ? d->sorted->y[k] : NAN;
}

/* Handles the windows around the points of a piece: the core points, compared with all points, or the others, compared
 * with core points. */
static inline void border_piece(const density *d, size_t begin, size_t end, bool from_cores, handle_window *handle)
{
    const clump_sorted *const s = d->sorted;
    const clump_window_points t = {s->x, from_cores ? s->y : d->y_core, s->z};
    for (clump_walk w = clump_walk_make(s, begin, end, true); clump_walk_next(&w);) {
        for (size_t k = w.from; k < w.to; k += CLUMP_GROUP) {
            float y[CLUMP_GROUP];
            bool some = false;
            for (size_t q = 0; q < CLUMP_GROUP; q++) {
                y[q] = k + q < w.to ? border_y(d, k + q, from_cores) : NAN;
                some |= isfinite(y[q]);
            }
            if (!some) continue;
            const clump_row_group g = clump_row_group_make(s, y, k, w.to - k, d->job->in.bound);
            for (size_t r = 0; r < w.streams; r++) {
                uint32_t from = w.stream[r].at;
                clump_window seen = clump_look(&t, &g, from, w.stream[r].end);
                w.stream[r].at += seen.behind;
                do handle(d, k, from, seen.near);
                while (clump_look_on(&t, &g, &w.stream[r], &from, &seen));
            }
        }
    }
}

static void border_from_cores(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    border_piece(arg, begin, end, true, give_labels);
}

static void border_from_others(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    border_piece(arg, begin, end, false, take_labels);
}

/* ----- list ---------------------------------------------------------------------------------------------------- */

/* Adds the labels of the core points of a window to the lists of other points, a group from k on. */
static inline void add_others(const density *d, size_t k, uint32_t from, uint64_t near, clump_border_others *others)
{
    for (; near; near &= near - 1) {
        const unsigned bit = clump_lowest(near), q = bit / CLUMP_WINDOW;
        const uint32_t label = d->label[from + bit % CLUMP_WINDOW];
        if (label != d->label[k + q] && !clump_border_has(&others[q], label)) clump_border_add(&others[q], label);
    }
}

/* Sets y[q] for the points of a group from k on that the list is for; NaN for all others. Returns whether there are any. */
static inline bool list_group(const density *d, size_t k, size_t end, float *y)
{
    bool some = false;
    for (size_t q = 0; q < CLUMP_GROUP; q++) {
        const bool listed = k + q < end && isnan(d->y_core[k + q]) && d->label[k + q] != ~d->largest[k + q] &&
                            d->label[k + q] != DENSITY_NONE && d->sorted->index[k + q] < d->job->borders->points;
        y[q] = listed ? d->sorted->y[k + q] : NAN;
        some |= listed;
    }
    return some;
}

/* Lists the clusters next to the border points of pieces. */
static void list_pieces(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const density *const d = arg;
    const clump_sorted *const s = d->sorted;
    const clump_window_points t = {s->x, d->y_core, s->z};
    for (clump_walk w = clump_walk_make(s, begin, end, true); clump_walk_next(&w);) {
        for (size_t k = w.from; k < w.to; k += CLUMP_GROUP) {
            float y[CLUMP_GROUP];
            if (!list_group(d, k, w.to, y)) continue;
            clump_border_others others[CLUMP_GROUP] = {{.count = 0}};
            const clump_row_group g = clump_row_group_make(s, y, k, w.to - k, d->job->in.bound);
            for (size_t r = 0; r < w.streams; r++) {
                uint32_t from = w.stream[r].at;
                clump_window seen = clump_look(&t, &g, from, w.stream[r].end);
                w.stream[r].at += seen.behind;
                do add_others(d, k, from, seen.near, others);
                while (clump_look_on(&t, &g, &w.stream[r], &from, &seen));
            }
            for (size_t q = 0; q < CLUMP_GROUP && k + q < w.to; q++)
                clump_border_write(d->job->borders, s->index[k + q], (int32_t)d->label[k + q], &others[q]);
        }
    }
}

/* ----- labels ------------------------------------------------------------------------------------------------- */

/* Replaces the roots of core points by labels, in place. No other point has a label yet. */
static void label_cores(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const density *const d = arg;
    for (size_t k = begin; k < end; k++)
        d->label[k] = isfinite(d->y_core[k]) ? clump_rows_set_of(d->join, k) : DENSITY_NONE;
}

/* Labels the points of the cloud. */
static void label_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    density *const d = arg;
    size_t noise = 0;
    for (size_t k = begin; k < end; k++) {
        const bool none = d->cores == 0 || d->label[k] == DENSITY_NONE;
        d->job->in.labels[d->sorted->index[k]] = none ? CLUMP_NOISE : (int32_t)d->label[k];
        noise += none;
    }
    CLUMP_ADD(&d->noise, noise);
}

/* ----- all of it ---------------------------------------------------------------------------------------------- */

/* Sweeps 2, 3 and 4. */
static clump_status label_clusters(clump_work *work, clump_rows *rows, density *d, clump_stats *stats, clump_stages *at)
{
    const clump_sorted *const s = d->sorted;
    const size_t all = d->job->in.count;
    CLUMP_TRY(clump_buffer_reserve(work, &rows->ranks, clump_ranks_bytes(all)));
    clump_rows_join join = {.sorted = s,
                            .y = d->y_core,
                            .bound = d->job->in.bound,
                            .parent = d->label,
                            .first = s->spare[1],
                            .ranks = clump_ranks_make(rows->ranks.data, all),
                            .threads = d->threads};
    CLUMP_TRY(clump_rows_join_sets(work, &join, &stats->clusters));
    at->clustered = clump_now_ms();
    d->join = &join;
    CLUMP_TRY(clump_run(work, d->threads, s->n, CLUMP_CHUNK, label_cores, d));
    if (!d->job->border_points || d->cores == s->n) return CLUMP_OK;
    if (d->job->borders) { /* first[] is not needed any more */
        d->largest = s->spare[1];
        memset(d->largest, 0xff, s->n * sizeof *d->largest);
    }
    clump_team_task *const border = d->cores < s->n / 2 ? border_from_cores : border_from_others;
    CLUMP_TRY(clump_run(work, d->threads, s->n, CLUMP_WALK_PIECE, border, d));
    return d->job->borders ? clump_run(work, d->threads, s->n, CLUMP_WALK_PIECE, list_pieces, d) : CLUMP_OK;
}

clump_status clump_rows_dbscan(clump_work *work, clump_rows *rows, const clump_dbscan_job *job, int threads,
                               clump_stats *stats, bool *done)
{
    *done = false;
    clump_stages at = {.start = clump_now_ms()};
    clump_sorted s;
    CLUMP_TRY(clump_sorted_make(work, clump_rows_memory(rows), &job->in, threads, &s));
    if (s.n == 0 || s.density > DENSITY_SLACK * clump_rows_dbscan_density(job->min_points)) return CLUMP_OK;
    if (job->core && s.left_out > 0) memset(job->core, 0, job->in.count);
    density d = {.job = job, .sorted = &s, .y_core = (float *)s.spare[2], .label = s.spare[0], .threads = threads};
    CLUMP_TRY(clump_run(work, threads, s.n, CLUMP_WALK_PIECE, count_pieces, &d));
    at.built = at.clustered = clump_now_ms();
    if (d.cores > 0) CLUMP_TRY(label_clusters(work, rows, &d, stats, &at));
    CLUMP_TRY(clump_run(work, threads, s.n, CLUMP_CHUNK, label_points, &d));
    stats->noise = s.left_out + d.noise;
    at.labelled = clump_now_ms();
    clump_rows_report(stats, &job->in, &s, threads, at);
    *done = true;
    return CLUMP_OK;
}
