/* SPDX-License-Identifier: BSD-3-Clause
 *
 * odometry_thin.c: see odometry.h. Points come in their order, so the first one that meets an empty voxel is the one of the
 * smallest index (rules/voxel.h). The coarse samples are chosen from the fine ones in the same way.
 */
#include "host/odometry.h"

#include "rules/voxel.h"

#include <math.h>
#include <string.h>

enum { THIN_CHUNK = 8192 }; /* points between two polls */

#define THIN_FREE UINT32_MAX

typedef struct thinning {
    const clump_sample *samples; /* chosen so far */
    clump_hash_key key;
    uint32_t *table, mask; /* numbers of samples */
    float side;
    clump_voxel last; /* of the point before: consecutive points are often in one voxel */
    bool any;
} thinning;

/* Prepares a table for at most `count` samples. */
static clump_status begin(clump_work *home, clump_buffer *table, size_t count, float side, const clump_sample *samples,
                          thinning *t)
{
    size_t slots = 2;
    while (slots < 2 * count) slots *= 2;
    CLUMP_TRY(clump_buffer_reserve(home, table, slots * sizeof(uint32_t)));
    memset(table->data, 0xff, slots * sizeof(uint32_t)); /* THIN_FREE */
    *t = (thinning){
        .samples = samples, .key = home->hash_key, .table = table->data, .mask = (uint32_t)(slots - 1), .side = side};
    return CLUMP_OK;
}

/* Whether the voxel of a point is empty. If so, sample `number` takes it. */
static inline bool take(thinning *t, const float *p, uint32_t number)
{
    const clump_voxel mine = clump_voxel_of(p, t->side, false);
    if (t->any && clump_voxel_same(mine, t->last)) return false;
    t->last = mine, t->any = true;
    uint32_t slot = clump_hash_slot_masked(clump_voxel_hash(t->key, mine), t->mask);
    while (t->table[slot] != THIN_FREE) {
        if (clump_voxel_same(clump_voxel_of(t->samples[t->table[slot]].xyz, t->side, false), mine)) return false;
        slot = (slot + 1) & t->mask;
    }
    t->table[slot] = number;
    return true;
}

/* Whether a point is within the ranges; false where it is not finite. */
static inline bool is_usable(const float *p, double least2, double most2)
{
    const double x = (double)p[0], y = (double)p[1], z = (double)p[2], square = x * x + y * y + z * z;
    return square >= least2 && square <= most2;
}

static clump_status choose_fine(clump_work *work, clump_thinner *thinner, const clump_odometry_options *o,
                                clump_points points, const float *times, thinning *t)
{
    clump_sample *const out = thinner->fine.data;
    const double least2 = (double)o->min_range * (double)o->min_range;
    const double most2 = (double)o->max_range * (double)o->max_range;
    uint32_t found = 0;
    bool timed = times != NULL;
    float first = INFINITY, last = -INFINITY;
    for (size_t i = 0; i < points.count; i++) {
        const float *const p = clump_points_at(points, i);
        if (i % THIN_CHUNK == 0) CLUMP_TRY(clump_poll(work));
        if (!is_usable(p, least2, most2)) continue;
        const float time = times ? times[i] : 0;
        timed = timed && isfinite(time);
        first = time < first ? time : first, last = time > last ? time : last;
        if (!take(t, p, found)) continue;
        memcpy(out[found].xyz, p, sizeof out->xyz);
        out[found++].time = time;
    }
    thinner->fine_count = found;
    thinner->timed = timed;
    thinner->first = first, thinner->last = last;
    return CLUMP_OK;
}

clump_status clump_thin_frame(clump_work *work, clump_work *home, clump_thinner *thinner,
                              const clump_odometry_options *o, clump_points points, const float *times)
{
    thinning t;
    thinner->fine_count = thinner->coarse_count = 0;
    CLUMP_TRY(clump_buffer_reserve(home, &thinner->fine, points.count * sizeof(clump_sample)));
    CLUMP_TRY(begin(home, &thinner->table, points.count, o->map_voxel, thinner->fine.data, &t));
    CLUMP_TRY(choose_fine(work, thinner, o, points, times, &t));
    const size_t fine = thinner->fine_count;
    CLUMP_TRY(clump_buffer_reserve(home, &thinner->coarse, points.count * sizeof(clump_sample)));
    CLUMP_TRY(begin(home, &thinner->table, fine, o->voxel, thinner->coarse.data, &t));
    const clump_sample *const from = thinner->fine.data;
    clump_sample *const to = thinner->coarse.data;
    for (size_t i = 0; i < fine; i++)
        if (take(&t, from[i].xyz, (uint32_t)thinner->coarse_count)) to[thinner->coarse_count++] = from[i];
    return CLUMP_OK;
}

clump_status clump_thin_cloud(clump_work *work, clump_buffer *table, clump_buffer *samples, float side,
                              clump_points *points)
{
    thinning t;
    CLUMP_TRY(clump_buffer_reserve(work, samples, points->count * sizeof(clump_sample)));
    clump_sample *const out = samples->data;
    CLUMP_TRY(begin(work, table, points->count, side, out, &t));
    uint32_t found = 0;
    for (size_t i = 0; i < points->count; i++) {
        const float *const p = clump_points_at(*points, i);
        if (i % THIN_CHUNK == 0) CLUMP_TRY(clump_poll(work));
        if (clump_xyz_is_finite(p) && take(&t, p, found)) memcpy(out[found++].xyz, p, sizeof out->xyz);
    }
    *points = (clump_points){.xyz = found > 0 ? out->xyz : NULL, .count = found, .stride = sizeof *out};
    return CLUMP_OK;
}
