/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.c: counts, centroids and boxes of clusters. Nothing here depends on the order of the
 * points: a minimum does not, the hull does not (hull.c), and the centroid is a sum of integers.
 *
 *     labels --counting sort--> members of cluster c --gather--> x[] y[] z[] --+-> box, centroid
 *                                                                              +-> hull -> yaw box
 *
 * One scratch buffer holds, in this order: the scratch of the hull and x, y, z of one cluster, then
 * offsets and members of all. Which cluster is the largest is known only after grouping; room is made
 * for one of all points, so that the size depends on the cloud alone.
 */
#include "core/context.h"
#include "host/group.h"
#include "host/hull.h"

#include <float.h>
#include <math.h>

/* Mean of values[i] - lower over the `used` finite values, at least 2; extent > 0 is the largest.
 *
 * Each offset is scaled by a power of two, which is exact, such that the extent lands in
 * [2^s, 2^(s+1)), and rounded to an integer of at most 2^(s+1). With s = 62 - b, where b is the number
 * of bits of `used`, the sum is at most (2^b - 1) * 2^(63-b) < 2^63: it fits into int64, and integers
 * add up to the same in any order. s is at least 31 and the mean of the integers is off by at most 1/2,
 * so the result is good to 2^-32 of the extent, and to far less when points are few. The extent is in
 * [2^-149, 2^129), so neither the scale (2^-97 ... 2^209) nor a product leaves the range of double. */
static double mean_offset(const float *values, size_t count, size_t used, float lower, double extent)
{
    int bits = 0;
    while (used >> bits) bits++;
    const int exponent = 62 - bits - ilogb(extent);
    const double scale = ldexp(1.0, exponent), origin = lower;
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) sum += llrint((values[i] - origin) * scale);
    return (double)sum / (double)used * ldexp(1.0, -exponent);
}

/* Extent and mean along one axis; values that are not finite do not take part, 0 when none is left.
 * The mean is never outside the extent, whatever is rounded: one of n < 2^b offsets is 0, so the mean
 * of the integers is at most (1 - 2^-b)(1 + 2^-(s+1)) of the scaled extent, below it by 2^-32 or more,
 * and the few roundings of double that follow are 2^-53 each. */
static void measure_axis(const float *values, size_t count, float *lower, float *upper, float *centroid)
{
    float least = FLT_MAX, most = -FLT_MAX;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        if (values[i] < least) least = values[i];
        if (values[i] > most) most = values[i];
        used++;
    }
    if (used == 0) least = most = 0;
    *lower = least;
    *upper = most;
    const double extent = (double)most - least;
    *centroid = extent > 0 ? (float)(least + mean_offset(values, count, used, least, extent)) : least;
}

/* A box around points near the ends of float32 may reach beyond them. */
static float to_float(double value)
{
    return (float)fmax(-FLT_MAX, fmin(value, FLT_MAX));
}

static void describe_cluster(const float *x, const float *y, const float *z, size_t count, void *hull_scratch,
                             clump_cluster *out)
{
    out->count = (int32_t)count;
    measure_axis(x, count, &out->lower[0], &out->upper[0], &out->centroid[0]);
    measure_axis(y, count, &out->lower[1], &out->upper[1], &out->centroid[1]);
    measure_axis(z, count, &out->lower[2], &out->upper[2], &out->centroid[2]);

    const clump_xy *hull;
    const size_t corners = clump_hull(x, y, count, hull_scratch, &hull);
    const clump_rectangle box = clump_least_rectangle(hull, corners);
    for (int k = 0; k < 2; k++) {
        out->box_center[k] = to_float(box.center[k]);
        out->box_size[k] = to_float(box.size[k]);
    }
    const float yaw = (float)box.yaw;
    out->yaw = yaw < 90.0f ? yaw : nextafterf(90.0f, 0.0f);
}

static const float *point_at(clump_points points, size_t stride, size_t i)
{
    return (const float *)(const void *)((const char *)points.xyz + i * stride);
}

static clump_status check(clump_context *ctx, clump_points points, const int32_t *labels, int32_t cluster_count,
                          const clump_cluster *clusters, size_t *stride)
{
    const clump_status status = clump_check_points(ctx, "clump_describe", points, stride);
    if (status != CLUMP_OK) return status;
    if (points.place != CLUMP_PLACE_HOST)
        return clump_fail(ctx, CLUMP_ERR_MEMORY_KIND,
                          "clump_describe: the points are in device memory, it needs them in "
                          "host memory");
    if (!labels && points.count > 0) return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_describe: labels is null");
    if (cluster_count < 0)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_describe: cluster_count is %d, below 0", cluster_count);
    if (!clusters && cluster_count > 0) return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_describe: clusters is null");
    const clump_span spans[] = {
        clump_span_out("clusters", clusters, (size_t)cluster_count, sizeof *clusters, _Alignof(clump_cluster)),
        clump_span_points("points.xyz", points.xyz, points.count, *stride),
        clump_span_in("labels", labels, points.count, sizeof *labels, sizeof *labels),
    };
    CLUMP_TRY(clump_check_spans(ctx, "clump_describe", spans, sizeof spans / sizeof *spans));
    for (size_t i = 0; i < points.count; i++) {
        if (labels[i] < 0) continue;
        const float *const p = point_at(points, *stride, i);
        if (!isfinite(p[0]) || !isfinite(p[1]))
            return clump_fail(ctx, CLUMP_ERR_ARGUMENT,
                              "clump_describe: point %zu is in cluster %d but at x = %g, y = %g, which is not finite",
                              i, labels[i], (double)p[0], (double)p[1]);
    }
    return CLUMP_OK;
}

clump_status clump_describe(clump_context *ctx, clump_points points, const int32_t *labels, int32_t cluster_count,
                            clump_cluster *clusters)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_describe"));
    size_t stride;
    clump_status status = check(ctx, points, labels, cluster_count, clusters, &stride);
    if (status != CLUMP_OK) return status;

    const size_t n = points.count, front = clump_hull_scratch_bytes(n) + 3 * n * sizeof(float);
    const size_t tables = ((size_t)cluster_count + 1 + n) * sizeof(int32_t);
    status = clump_buffer_reserve(ctx, &ctx->describe_scratch, front + tables);
    if (status != CLUMP_OK) return status;
    char *const scratch = ctx->describe_scratch.data;
    int32_t *const offsets = (int32_t *)(void *)(scratch + front), *const members = offsets + cluster_count + 1;
    status = clump_group_labels(ctx, "clump_describe", labels, n, cluster_count, offsets, members);
    if (status != CLUMP_OK) return status;

    float *const x = (float *)(void *)(scratch + clump_hull_scratch_bytes(n)), *const y = x + n, *const z = y + n;
    for (int32_t c = 0; c < cluster_count; c++) {
        clusters[c] = (clump_cluster){.label = c};
        const size_t count = (size_t)(offsets[c + 1] - offsets[c]);
        if (count == 0) continue;
        CLUMP_TRY(clump_poll(ctx));
        for (size_t k = 0; k < count; k++) {
            const float *const p = point_at(points, stride, (size_t)members[(size_t)offsets[c] + k]);
            x[k] = p[0] + 0.0f; /* -0 becomes 0: which of the two is the minimum would depend on the order */
            y[k] = p[1] + 0.0f;
            z[k] = p[2] + 0.0f;
        }
        describe_cluster(x, y, z, count, scratch, &clusters[c]);
    }
    return CLUMP_OK;
}
