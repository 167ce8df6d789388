/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect_reference.c: see detect_reference.h.
 */
#include "oracle/detect_reference.h"

#include "oracle/oracle.h"
#include "support/check.h"

#include <clump/info.h>

#include <math.h>

bool reference_two_d(const clump_detect_options *o)
{
    return o->method < CLUMP_DETECT_ERCCL && o->common.two_d;
}

bool reference_finite(const float *p, bool two_d)
{
    return isfinite(p[0]) && isfinite(p[1]) && (two_d || isfinite(p[2]));
}

bool reference_in_region(const clump_detect_options *o, const float *p)
{
    const bool two_d = reference_two_d(o);
    for (int k = 0; k < 3; k++)
        if (isfinite(p[k]) && (p[k] < o->region.lower[k] || p[k] > o->region.upper[k])) return false;
    if (!reference_finite(p, two_d)) return true;
    double sum = 0;
    for (int k = 0; k < (two_d ? 2 : 3); k++) {
        const double d = (double)p[k] - (double)o->common.sensor[k];
        sum += d * d;
    }
    const float range = (float)sqrt(sum);
    return range >= o->region.min_range && range <= o->region.max_range;
}

/* first[i] becomes the representative of point i, SIZE_MAX where i does not take part. */
static void reference_thin(clump_points points, const clump_detect_options *o, const uint8_t *mask, size_t *first)
{
    const bool two_d = reference_two_d(o);
    float(*voxel)[3] = malloc((points.count + 1) * sizeof *voxel);
    size_t *reps = malloc((points.count + 1) * sizeof *reps), count = 0;
    for (size_t i = 0; i < points.count; i++) {
        const float *const p = oracle_point(points, i);
        first[i] = SIZE_MAX;
        if (!mask[i] || !reference_finite(p, two_d)) continue;
        for (int k = 0; k < 3; k++) voxel[count][k] = k < 2 || !two_d ? floorf(p[k] / o->thin) : 0;
        size_t r = 0;
        while (r < count &&
               (voxel[r][0] != voxel[count][0] || voxel[r][1] != voxel[count][1] || voxel[r][2] != voxel[count][2]))
            r++;
        if (r == count) reps[count++] = i;
        first[i] = reps[r];
    }
    free(voxel);
    free(reps);
}

int32_t reference_finish(int32_t *labels, size_t count, int32_t found, clump_order order, size_t least, size_t most)
{
    size_t *const size = calloc((size_t)found + 1, sizeof *size);
    int32_t *const number = malloc(((size_t)found + 1) * sizeof *number), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (labels[i] >= 0) size[labels[i]]++;
    for (int32_t c = 0; c < found; c++)
        if (size[c] < least || (most && size[c] > most)) size[c] = 0;
    for (int32_t c = 0; c < found; c++) {
        number[c] = CLUMP_NOISE;
        if (size[c] == 0) continue;
        number[c] = 0, kept++;
        for (int32_t other = 0; other < found; other++)
            number[c] += size[other] > 0 &&
                         (order == CLUMP_ORDER_SIZE && size[other] != size[c] ? size[other] > size[c] : other < c);
    }
    for (size_t i = 0; i < count; i++)
        if (labels[i] >= 0) labels[i] = number[labels[i]];
    free(size);
    free(number);
    return kept;
}

/* Clusters with this mask; without limits and order where `plain`. */
static clump_status reference_cluster(clump_context *ctx, clump_points points, const clump_detect_options *o,
                                      const uint8_t *mask, bool plain, int32_t *labels, int32_t *count)
{
    clump_clustering common = o->common;
    common.mask = mask;
    if (plain) common.order = CLUMP_ORDER_INDEX, common.min_size = 1, common.max_size = 0;
    if (o->method == CLUMP_DETECT_EC) {
        clump_ec_options ec = o->ec;
        ec.common = common;
        return clump_ec(ctx, points, o->d, &ec, labels, count);
    }
    if (o->method == CLUMP_DETECT_DBSCAN) {
        clump_dbscan_options dbscan = o->dbscan;
        dbscan.common = common;
        return clump_dbscan(ctx, points, o->d, o->min_points, &dbscan, labels, count);
    }
    memset(common.sensor, 0, sizeof common.sensor); /* the others have it in `ground` */
    if (o->method == CLUMP_DETECT_OBJECTS) {        /* the mask includes the ground, which is found again */
        clump_objects_options objects = o->objects;
        common.eps_per_metre = o->objects.common.eps_per_metre;
        objects.common = common;
        objects.ground = o->ground;
        memcpy(objects.ground.sensor, o->common.sensor, sizeof o->common.sensor);
        return clump_objects(ctx, points, &objects, labels, count);
    }
    clump_erccl_options erccl = o->erccl;
    erccl.common = common;
    erccl.ground = o->ground;
    erccl.ground.method = CLUMP_GROUND_NONE;
    erccl.ground.heights = NULL;
    erccl.maps = (clump_erccl_maps){0};
    memcpy(erccl.ground.sensor, o->common.sensor, sizeof o->common.sensor);
    return clump_erccl(ctx, points, &erccl, labels, count);
}

static void reference_describe(clump_context *ctx, clump_points points, const clump_detect_options *o,
                               const float *heights, detect_reference *r)
{
    clump_describe_options d = o->describe;
    d.up = o->ground.up;
    d.heights = heights;
    d.hull = NULL;
    d.hull_offsets = NULL;
    memcpy(d.sensor, o->common.sensor, sizeof d.sensor);
    r->clusters = malloc(((size_t)r->count + 1) * sizeof *r->clusters);
    memset(r->clusters, 0, ((size_t)r->count + 1) * sizeof *r->clusters);
    CHECK_INT(clump_describe(ctx, points, r->labels, r->count, &d, r->clusters), CLUMP_OK);
}

detect_reference reference_detect(clump_context *ctx, clump_points points, const clump_detect_options *o)
{
    const size_t n = points.count;
    detect_reference r = {.labels = malloc((n + 1) * sizeof *r.labels)};
    int32_t *const ground = malloc((n + 1) * sizeof *ground);
    float *const heights = malloc((n + 1) * sizeof *heights);
    uint8_t *const mask = malloc(n + 1);
    size_t *const first = malloc((n + 1) * sizeof *first);
    for (size_t i = 0; i < n; i++) {
        mask[i] = (!o->common.mask || o->common.mask[i]) && reference_in_region(o, oracle_point(points, i));
        r.masked += !mask[i];
        r.finite += reference_finite(oracle_point(points, i), reference_two_d(o));
    }
    clump_ground_options g = o->ground;
    g.mask = mask;
    g.heights = heights;
    memcpy(g.sensor, o->common.sensor, sizeof g.sensor);
    CHECK_INT(clump_ground(ctx, points, &g, ground, &r.ground), CLUMP_OK);
    r.ground_level = clump_context_stats(ctx).ground_level;
    const bool by_objects = o->method == CLUMP_DETECT_OBJECTS;
    for (size_t i = 0; i < n; i++) mask[i] = mask[i] && (by_objects || ground[i] != CLUMP_GROUND);
    if (o->thin > 0) {
        reference_thin(points, o, mask, first);
        for (size_t i = 0; i < n; i++) {
            mask[i] = first[i] == i;
            r.thinned += first[i] != SIZE_MAX && first[i] != i;
        }
    }
    CHECK_INT(reference_cluster(ctx, points, o, mask, o->thin > 0, r.labels, &r.count), CLUMP_OK);
    if (o->thin > 0) {
        for (size_t i = 0; i < n; i++)
            if (first[i] != SIZE_MAX) r.labels[i] = r.labels[first[i]];
        r.count = reference_finish(r.labels, n, r.count, o->common.order, o->common.min_size, o->common.max_size);
    }
    for (size_t i = 0; i < n; i++) {
        if (ground[i] == CLUMP_GROUND) r.labels[i] = CLUMP_GROUND;
        r.noise += r.labels[i] == CLUMP_NOISE;
    }
    reference_describe(ctx, points, o, heights, &r);
    free(ground);
    free(heights);
    free(mask);
    free(first);
    return r;
}

void reference_release(detect_reference *r)
{
    free(r->labels);
    free(r->clusters);
}
