/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small_density.c: DBSCAN of a small cloud (small.h).
 *
 *     1  count    neighbours of every point in the 27 voxels around, up to min_points
 *     2  join     core points; the x of all other points becomes NaN, so they are no neighbours any more
 *     3  border   every other point takes the smallest number of a core point near it
 */
#include "cpu/batch/small_near.h"

#include "cpu/shared/points.h"
#include "rules/union_find.h"

#include <string.h>

/* Pieces of the sorted points that hold all neighbours of the points of one voxel. */
typedef struct small_pieces {
    clump_small_piece piece[CLUMP_SMALL_ROWS];
    int count;
} small_pieces;

/* Finds the pieces of a voxel, its own row first: most neighbours are there. */
static small_pieces find_pieces(const clump_small *s, uint32_t key)
{
    small_pieces pieces = {.count = 0};
    for (int k = 0; k < CLUMP_SMALL_ROWS; k++) {
        const clump_small_piece piece = clump_small_row(s, key, (k + CLUMP_SMALL_BEFORE) % CLUMP_SMALL_ROWS);
        pieces.piece[pieces.count] = piece;
        pieces.count += piece.begin < piece.end;
    }
    return pieces;
}

static bool has_neighbours(const clump_small *s, const small_pieces *pieces, uint32_t p, size_t wanted)
{
    const clump_small_probe probe = clump_small_probe_at(s, p);
    size_t found = 0;
    for (int k = 0; k < pieces->count; k++)
        for (uint32_t q = pieces->piece[k].begin; q < pieces->piece[k].end; q += CLUMP_WIDE) {
            found += clump_popcount(clump_small_near(s, &probe, q, pieces->piece[k].end));
            if (found >= wanted) return true;
        }
    return false;
}

/* Writes which points are core points into s->rep, one word per point. */
static void find_cores(clump_small *s, size_t min_points)
{
    small_pieces pieces = {.count = 0};
    for (uint32_t p = 0; p < s->count; p++) {
        if (p == 0 || s->key[p] != s->key[p - 1]) pieces = find_pieces(s, s->key[p]);
        s->rep[p] = has_neighbours(s, &pieces, p, min_points);
    }
}

/* Leaves the other points out, and writes the flags of the caller. Returns the number of core points. */
static uint32_t keep_cores(clump_small *s, const clump_dbscan_job *job)
{
    uint32_t cores = 0;
    if (job->core) memset(job->core, 0, job->in.count);
    for (uint32_t p = 0; p < s->count; p++) {
        cores += s->rep[p];
        if (!s->rep[p])
            s->x[p] = NAN;
        else if (job->core)
            job->core[s->index[p]] = 1;
    }
    return cores;
}

/* Returns the label of a point that is no core point. Numbers of roots are in s->number. */
static int32_t border_label(clump_small *s, const small_pieces *pieces, const clump_point point)
{
    const clump_small_probe probe = clump_small_probe_of(s, point.x, point.y, point.z);
    const int32_t *const number = s->number;
    int32_t least = INT32_MAX;
    for (int k = 0; k < pieces->count; k++)
        for (uint32_t q = pieces->piece[k].begin; q < pieces->piece[k].end; q += CLUMP_WIDE)
            for (unsigned near = clump_small_near(s, &probe, q, pieces->piece[k].end); near; near &= near - 1) {
                const int32_t label = number[clump_find(s->parent, q + clump_lowest(near))];
                if (label < least) least = label;
            }
    return least == INT32_MAX ? CLUMP_NOISE : least;
}

/* Labels the border points; returns how many there are. */
static uint32_t label_border(clump_small *s, const clump_cloud_job *in)
{
    uint32_t labelled = 0, last = CLUMP_SMALL_NONE;
    small_pieces pieces = {.count = 0};
    for (uint32_t p = 0; p < s->count; p++) {
        if (clump_small_in_set(s, p)) continue;
        if (s->key[p] != last) pieces = find_pieces(s, last = s->key[p]);
        const int32_t label = border_label(s, &pieces, clump_point_copy(in, s->index[p]));
        in->labels[s->index[p]] = label;
        labelled += label >= 0;
    }
    return labelled;
}

bool clump_small_dbscan(clump_small *s, const clump_dbscan_job *job, clump_stats *stats)
{
    if (!clump_small_build(s, &job->in, true, stats)) return false;
    find_cores(s, job->min_points);
    const uint32_t cores = keep_cores(s, job);
    clump_small_join(s);
    stats->clusters = clump_small_number(s, &job->in);
    uint32_t labelled = cores;
    if (job->border_points && cores > 0) labelled += label_border(s, &job->in);
    stats->noise += s->count - labelled;
    return true;
}
