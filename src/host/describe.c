/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.c: counts, centroids and boxes of clusters. No result depends on the order of the points: a minimum does
 * not, the hull does not (hull.c), and the centroid is a sum of integers.
 *
 *     points --counting sort by label--> x[] y[] z[] of cluster c --+-> box, centroid
 *                                                                   +-> hull -> yaw box
 *
 * One scratch buffer holds the scratch of the hull, then x, y, z of all clusters, then their ends. The largest cluster is
 * known only after counting, so the hull has room for all points.
 */
#include "common/bits.h"
#include "core/context.h"
#include "host/extremes.h"
#include "host/group.h"
#include "host/hull.h"
#include "host/points.h"

#include <float.h>
#include <math.h>

/* Returns the mean of values[i] - lower over the `used` finite values, at least 2; extent > 0 is the largest of them.
 *
 *   (1) Each offset is scaled by a power of two, which is exact, such that the extent lands in [2^s, 2^(s+1)). Then it
 *       is rounded to an integer of at most 2^(s+1).
 *   (2) s = 62 - b, where b is the number of bits of `used`. So the sum is at most (2^b - 1) * 2^(63-b) < 2^63: it fits
 *       into int64, and integers have the same sum in any order.
 *   (3) s is at least 31 and the mean of the integers is off by at most 1/2. So the error is at most 2^-32 of the
 *       extent, and far less for few points.
 *   (4) The extent is in [2^-149, 2^129), so neither the scale (2^-97 ... 2^209) nor a product overflows double. */
static double mean_offset(const float *values, size_t count, size_t used, float lower, double extent)
{
    CLUMP_ASSERT(used >= 2 && used <= count && extent > 0);
    int bits = 0;
    while (used >> bits) bits++;
    const int exponent = 62 - bits - ilogb(extent);
    const double scale = ldexp(1.0, exponent), origin = lower;
    int64_t sum = 0;
    if (used == count)
        for (size_t i = 0; i < count; i++) sum += llrint((values[i] - origin) * scale);
    else
        for (size_t i = 0; i < count; i++)
            if (isfinite(values[i])) sum += llrint((values[i] - origin) * scale);
    return (double)sum / (double)used * ldexp(1.0, -exponent);
}

/* Returns whether all values are finite. */
static bool are_finite(const float *values, size_t count)
{
    uint32_t infinite = 0;
    for (size_t i = 0; i < count; i++) infinite |= (clump_float_bits(values[i]) & 0x7f800000) == 0x7f800000;
    return !infinite;
}

/* Finds extent and mean along one axis. Values that are not finite are ignored, unless `finite` says that all are; all
 * results are 0 when none is left.
 * Rounding never moves the mean out of the extent: one of n < 2^b offsets is 0, so the mean of the integers is at most
 * (1 - 2^-b)(1 + 2^-(s+1)) of the scaled extent. That is below it by at least 2^-32, and the few roundings in double
 * that follow are 2^-53 each. */
static void measure_axis(const float *values, size_t count, bool finite, float *lower, float *upper, float *centroid)
{
    float least = FLT_MAX, most = -FLT_MAX;
    size_t used = 0;
    if (finite) {
        clump_find_extremes(values, count, &least, &most);
        used = count;
    } else {
        for (size_t i = 0; i < count; i++) {
            if (!isfinite(values[i])) continue;
            if (values[i] < least) least = values[i];
            if (values[i] > most) most = values[i];
            used++;
        }
    }
    if (used == 0) least = most = 0;
    *lower = least;
    *upper = most;
    const double extent = (double)most - least;
    *centroid = extent > 0 ? (float)(least + mean_offset(values, count, used, least, extent)) : least;
}

/* Rounds to float32. A box around points near the ends of its range may reach beyond them: it is clamped. */
static float to_float(double value)
{
    return (float)fmax(-FLT_MAX, fmin(value, FLT_MAX));
}

static void describe_cluster(const float *x, const float *y, const float *z, size_t count, void *hull_scratch,
                             clump_cluster *out)
{
    out->count = (int32_t)count;
    measure_axis(x, count, true, &out->lower[0], &out->upper[0], &out->centroid[0]);
    measure_axis(y, count, true, &out->lower[1], &out->upper[1], &out->centroid[1]);
    measure_axis(z, count, are_finite(z, count), &out->lower[2], &out->upper[2], &out->centroid[2]);

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

/* Checks everything but the range of the labels. The points have a stride in bytes. */
static clump_status check_arguments(clump_context *ctx, clump_points points, const int32_t *labels,
                                    int32_t cluster_count, const clump_cluster *clusters)
{
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
        clump_span_points("points.xyz", points.xyz, points.count, points.stride),
        clump_span_in("labels", labels, points.count, sizeof *labels, sizeof *labels),
    };
    return clump_check_spans(ctx, "clump_describe", spans, sizeof spans / sizeof *spans);
}

/* Fails with the first point of a cluster whose x or y is not finite. */
static clump_status fail_not_finite(clump_context *ctx, clump_points points, const int32_t *labels)
{
    size_t i = 0;
    while (labels[i] < 0 || (isfinite(clump_points_at(points, i)[0]) && isfinite(clump_points_at(points, i)[1]))) i++;
    const float *const p = clump_points_at(points, i);
    return clump_fail(ctx, CLUMP_ERR_ARGUMENT,
                      "clump_describe: point %zu is in cluster %d but at x = %g, y = %g, which is not finite", i,
                      labels[i], (double)p[0], (double)p[1]);
}

/* The coordinates of all points, cluster by cluster. */
typedef struct columns {
    float *x, *y, *z;
} columns;

/* Copies the points into the columns. next[c] goes from the first place of cluster c to the place behind its last. -0
 * becomes 0; else the minimum of the two would depend on their order. Returns whether every x and y is finite. */
static bool deal_points(clump_points points, const int32_t *labels, int32_t *next, columns to)
{
    uint32_t infinite = 0;
    for (size_t i = 0; i < points.count; i++) {
        if (labels[i] < 0) continue;
        const float *const p = clump_points_at(points, i);
        const int32_t at = next[labels[i]]++;
        to.x[at] = p[0] + 0.0f, to.y[at] = p[1] + 0.0f, to.z[at] = p[2] + 0.0f;
        infinite |= (clump_float_bits(p[0]) & 0x7f800000) == 0x7f800000;
        infinite |= (clump_float_bits(p[1]) & 0x7f800000) == 0x7f800000;
    }
    return !infinite;
}

clump_status clump_describe(clump_context *ctx, clump_points points, const int32_t *labels, int32_t cluster_count,
                            clump_cluster *clusters)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_describe"));
    CLUMP_TRY(clump_check_points(ctx, "clump_describe", points, &points.stride));
    CLUMP_TRY(check_arguments(ctx, points, labels, cluster_count, clusters));

    const size_t n = points.count, front = clump_hull_scratch_bytes(n) + 3 * n * sizeof(float);
    CLUMP_TRY(clump_buffer_reserve(ctx, &ctx->describe_scratch, front + (size_t)cluster_count * sizeof(int32_t)));
    char *const scratch = ctx->describe_scratch.data;
    int32_t *const ends = (int32_t *)(void *)(scratch + front);
    float *const x = (float *)(void *)(scratch + clump_hull_scratch_bytes(n));
    const columns all = {x, x + n, x + 2 * n};
    CLUMP_TRY(clump_group_starts(ctx, "clump_describe", labels, n, cluster_count, ends));
    if (!deal_points(points, labels, ends, all)) return fail_not_finite(ctx, points, labels);

    size_t begin = 0;
    for (int32_t c = 0; c < cluster_count; c++) {
        clusters[c] = (clump_cluster){.label = c};
        const size_t count = (size_t)ends[c] - begin;
        if (count == 0) continue;
        CLUMP_TRY(clump_poll(ctx));
        describe_cluster(all.x + begin, all.y + begin, all.z + begin, count, scratch, &clusters[c]);
        begin += count;
    }
    return CLUMP_OK;
}
