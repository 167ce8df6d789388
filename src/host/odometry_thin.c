/* SPDX-License-Identifier: BSD-3-Clause
 *
 * odometry_thin.c: see odometry.h. Points come in their order, so the first one that meets an empty voxel is the one of the
 * smallest index (rules/voxel.h). The coarse samples are chosen from the fine ones in the same way.
 *
 * Rings of a sensor of few beams are far apart, and points of one ring are close to each other. With voxels smaller than the
 * distance of the rings, neighbours in the map are of one ring, and a ring on a tree makes a plane that the rays graze: it
 * moves with the sensor and turns the path upwards. So the voxels of a frame grow with the range, by powers of two: no side is
 * below the distance of neighbouring rings there.
 *
 * The spacing of the rings is found from the sines of the elevations, in a histogram. Rings are narrow runs of bins that have
 * points. Where elevations are smeared, as of clouds in the axes of a vehicle, runs are wide, and the spacing is 0.
 */
#include "host/odometry.h"

#include "rules/voxel.h"

#include <math.h>
#include <string.h>

enum {
    THIN_CHUNK = 8192, /* points between two polls */
    THIN_BINS = 2048,  /* of the sines, -1 to 1: 0.06 degrees at the horizon */
    THIN_WIDEST = 8,   /* bins of a ring */
    THIN_FEW =
        4096, /* a bin counts as empty with this part of the points or fewer; fewer points than this tell nothing */
};

#define THIN_FREE UINT32_MAX

typedef struct thinning {
    const clump_sample *samples; /* chosen so far */
    clump_hash_key key;
    uint32_t *table, mask; /* numbers of samples */
    float side;            /* at the sensor */
    double spacing2;       /* square of the distance of neighbouring rings, per metre of range */
    clump_voxel last;      /* of the point before: consecutive points are often in one voxel */
    float last_side;
} thinning;

/* Prepares a table for at most `count` samples. */
static clump_status begin(clump_work *home, clump_buffer *table, size_t count, float side, float spacing,
                          const clump_sample *samples, thinning *t)
{
    size_t slots = 2;
    while (slots < 2 * count) slots *= 2;
    CLUMP_TRY(clump_buffer_reserve(home, table, slots * sizeof(uint32_t)));
    memset(table->data, 0xff, slots * sizeof(uint32_t)); /* THIN_FREE */
    *t = (thinning){.samples = samples,
                    .key = home->hash_key,
                    .table = table->data,
                    .mask = (uint32_t)(slots - 1),
                    .side = side,
                    .spacing2 = (double)spacing * (double)spacing};
    return CLUMP_OK;
}

static inline double square_of(const float *p)
{
    const double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    return x * x + y * y + z * z;
}

/* Returns the side of the voxel of a point. */
static inline float side_at(const thinning *t, const float *p)
{
    float side = t->side;
    if (!(t->spacing2 > 0)) return side;
    const double apart2 = t->spacing2 * square_of(p);
    while ((double)side * (double)side < apart2) side *= 2;
    return side;
}

/* Whether the voxel of a point is empty. If so, sample `number` takes it. */
static inline bool take(thinning *t, const float *p, uint32_t number)
{
    const float side = side_at(t, p);
    const clump_voxel mine = clump_voxel_of(p, side, false);
    if (side == t->last_side && clump_voxel_same(mine, t->last)) return false;
    t->last = mine, t->last_side = side;
    uint32_t slot = clump_hash_slot_masked(clump_voxel_hash(t->key, mine), t->mask);
    while (t->table[slot] != THIN_FREE) {
        const float *const other = t->samples[t->table[slot]].xyz;
        if (side_at(t, other) == side && clump_voxel_same(clump_voxel_of(other, side, false), mine)) return false;
        slot = (slot + 1) & t->mask;
    }
    t->table[slot] = number;
    return true;
}

/* Whether a point is within the ranges; false where it is not finite. */
static inline bool is_usable(const float *p, double least2, double most2)
{
    const double square = square_of(p);
    return square >= least2 && square <= most2;
}

/* Returns the gap that is in the middle of all, from ring to ring. A gap counts by the points of the ring below it. A run of
 * bins that is too wide for a ring counts as points without gaps. */
static float middle_gap(const uint32_t *bins, uint32_t few)
{
    uint32_t weights[THIN_BINS + 1] = {0}, all = 0, ring = 0, sum = 0; /* weights: of the gaps, by their width */
    int first = -1, last = -1, gap = 0;                                /* bins of the ring */
    for (int b = 0; b <= THIN_BINS; b++) {
        const bool is_end = b == THIN_BINS;
        if (!is_end && bins[b] <= few) continue;
        if (last < 0 || is_end || b - last > 1) {
            const int width = last - first + 1;
            const bool is_ring = width <= THIN_WIDEST && 2 * width <= b - last;
            if (last >= 0 && !(is_ring && is_end)) weights[is_ring ? b - last : 0] += ring, all += ring;
            first = b, ring = 0;
        }
        if (!is_end) ring += bins[b];
        last = b;
    }
    for (sum = weights[0]; 2 * (uint64_t)sum < all; sum += weights[gap]) gap++;
    return (float)gap * 2 / THIN_BINS;
}

clump_status clump_thin_spacing(clump_work *work, const clump_odometry_options *o, clump_points points, float *spacing)
{
    uint32_t bins[THIN_BINS] = {0}, total = 0;
    const double least2 = (double)o->min_range * (double)o->min_range;
    const double most2 = (double)o->max_range * (double)o->max_range;
    for (size_t i = 0; i < points.count; i++) {
        const float *const p = clump_points_at(points, i);
        if (i % THIN_CHUNK == 0) CLUMP_TRY(clump_poll(work));
        if (!is_usable(p, least2, most2)) continue;
        const double square = square_of(p), sine = square > 0 ? (double)p[2] / sqrt(square) : 0;
        const int bin = (int)((sine + 1) / 2 * THIN_BINS);
        bins[bin < THIN_BINS ? bin : THIN_BINS - 1]++;
        total++;
    }
    *spacing = total < THIN_FEW ? 0 : middle_gap(bins, total / THIN_FEW);
    return CLUMP_OK;
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
    CLUMP_TRY(begin(home, &thinner->table, points.count, thinner->side, thinner->spacing, thinner->fine.data, &t));
    CLUMP_TRY(choose_fine(work, thinner, o, points, times, &t));
    const size_t fine = thinner->fine_count;
    CLUMP_TRY(clump_buffer_reserve(home, &thinner->coarse, points.count * sizeof(clump_sample)));
    CLUMP_TRY(begin(home, &thinner->table, fine, o->voxel, thinner->spacing, thinner->coarse.data, &t));
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
    CLUMP_TRY(begin(work, table, points->count, side, 0, out, &t));
    uint32_t found = 0;
    for (size_t i = 0; i < points->count; i++) {
        const float *const p = clump_points_at(*points, i);
        if (i % THIN_CHUNK == 0) CLUMP_TRY(clump_poll(work));
        if (clump_xyz_is_finite(p) && take(&t, p, found)) memcpy(out[found++].xyz, p, sizeof out->xyz);
    }
    *points = (clump_points){.xyz = found > 0 ? out->xyz : NULL, .count = found, .stride = sizeof *out};
    return CLUMP_OK;
}
