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
    uint32_t begin[CLUMP_SMALL_ROWS], end[CLUMP_SMALL_ROWS];
    int count;
} small_pieces;

/* Finds the pieces of voxel v. Voxels come in ascending order. */
static small_pieces find_pieces(const clump_small *s, clump_small_stream *streams, uint32_t v)
{
    small_pieces pieces = {.count = 0};
    for (int k = 0; k < CLUMP_SMALL_ROWS; k++) {
        uint32_t end;
        const uint32_t at = clump_small_move(s, &streams[k], s->keys[v], &end);
        if (at == end) continue;
        pieces.begin[pieces.count] = s->start[at];
        pieces.end[pieces.count++] = s->start[end];
    }
    return pieces;
}

static bool has_neighbours(const clump_small *s, const small_pieces *pieces, uint32_t p, size_t wanted)
{
    const clump_small_probe probe = clump_small_probe_at(s, p);
    size_t found = 0;
    for (int k = 0; k < pieces->count; k++)
        for (uint32_t q = pieces->begin[k]; q < pieces->end[k]; q += CLUMP_WIDE) {
            found += clump_popcount(clump_small_near(s, &probe, q, pieces->end[k]));
            if (found >= wanted) return true;
        }
    return false;
}

/* Writes which points are core points into s->rep, one word per point. */
static void find_cores(clump_small *s, size_t min_points)
{
    clump_small_stream streams[CLUMP_SMALL_ROWS];
    clump_small_streams(s, streams);
    for (uint32_t v = 0; v < s->voxels; v++) {
        const small_pieces pieces = find_pieces(s, streams, v);
        for (uint32_t p = s->start[v]; p < s->start[v + 1]; p++) s->rep[p] = has_neighbours(s, &pieces, p, min_points);
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

/* Returns the label of a point that is no core point. Numbers of roots are in s->spare. */
static int32_t border_label(clump_small *s, const small_pieces *pieces, const clump_point point)
{
    const clump_small_probe probe = clump_small_probe_of(s, point.x, point.y, point.z);
    const int32_t *const number = (const int32_t *)s->spare;
    int32_t least = INT32_MAX;
    for (int k = 0; k < pieces->count; k++)
        for (uint32_t q = pieces->begin[k]; q < pieces->end[k]; q += CLUMP_WIDE)
            for (unsigned near = clump_small_near(s, &probe, q, pieces->end[k]); near; near &= near - 1) {
                const int32_t label = number[clump_find(s->parent, q + clump_lowest(near))];
                if (label < least) least = label;
            }
    return least == INT32_MAX ? CLUMP_NOISE : least;
}

/* Labels the border points; returns how many there are. */
static uint32_t label_border(clump_small *s, const clump_cloud_job *in)
{
    clump_small_stream streams[CLUMP_SMALL_ROWS];
    clump_small_streams(s, streams);
    uint32_t labelled = 0;
    for (uint32_t v = 0; v < s->voxels; v++) {
        const small_pieces pieces = find_pieces(s, streams, v);
        for (uint32_t p = s->start[v]; p < s->start[v + 1]; p++) {
            if (clump_small_in_set(s, p)) continue;
            const int32_t label = border_label(s, &pieces, clump_point_copy(in, s->index[p]));
            in->labels[s->index[p]] = label;
            labelled += label >= 0;
        }
    }
    return labelled;
}

bool clump_small_dbscan(clump_small *s, const clump_dbscan_job *job, clump_result *result)
{
    if (!clump_small_build(s, &job->in, result)) return false;
    find_cores(s, job->min_points);
    const uint32_t cores = keep_cores(s, job);
    clump_small_join(s);
    result->clusters = clump_small_number(s, &job->in);
    uint32_t labelled = cores;
    if (job->border_points && cores > 0) labelled += label_border(s, &job->in);
    result->noise += s->count - labelled;
    return true;
}
