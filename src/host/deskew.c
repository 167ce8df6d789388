/* SPDX-License-Identifier: BSD-3-Clause
 *
 * deskew.c: clump_deskew(): all points of a turn, moved to one time by the velocity between two poses. clump_odometry moves its
 * samples by the same function (odometry_twist.c).
 */
#include "host/odometry.h"

#include <math.h>
#include <string.h>

enum { DESKEW_SHARE = 4096 }; /* points that make another thread pay */

typedef struct deskew_job {
    clump_points points; /* the stride is set */
    const float *times;
    clump_twist twist;
    float *xyz;
} deskew_job;

static void move_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const deskew_job *const job = arg;
    if (begin < end)
        clump_twist_move(&job->twist, 0, clump_points_at(job->points, begin), job->points.stride, job->times + begin,
                         sizeof *job->times, end - begin, job->xyz + 3 * begin);
}

/* Finds the least and the largest time of finite points. False: there are none, or a time is no number. */
static bool find_span(const deskew_job *job, float *first, float *last)
{
    *first = INFINITY, *last = -INFINITY;
    for (size_t i = 0; i < job->points.count; i++) {
        if (!clump_xyz_is_finite(clump_points_at(job->points, i))) continue;
        if (isnan(job->times[i])) return false;
        *first = fminf(*first, job->times[i]), *last = fmaxf(*last, job->times[i]);
    }
    return *first <= *last;
}

static clump_rigid rigid_of(const double m[12])
{
    clump_rigid r;
    for (int i = 0; i < 3; i++) {
        memcpy(r.turn + 3 * i, m + 4 * i, 3 * sizeof(double));
        r.move[i] = m[4 * i + 3];
    }
    return r;
}

/* The velocity of the sensor, in its own axes. */
static clump_twist twist_between(const double from[12], const double to[12], double seconds)
{
    const clump_rigid a = rigid_of(from), b = rigid_of(to), back = clump_rigid_inverse(&a);
    const clump_rigid moved = clump_rigid_after(&back, &b);
    return clump_twist_of(&moved, seconds);
}

static clump_status check_call(clump_work *work, deskew_job *job, const double *from, const double *to, double seconds)
{
    clump_points *const points = &job->points;
    CLUMP_TRY(clump_check_points(work, work->call, *points, &points->stride));
    if (points->place != CLUMP_PLACE_HOST)
        return clump_fail(work, CLUMP_ERR_MEMORY_KIND, "%s: the points must lie in host memory", work->call);
    if (points->count > 0 && (!job->times || !job->xyz))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: %s is null", work->call, job->times ? "xyz" : "times");
    const bool in_place = job->xyz == points->xyz && points->stride == 3 * sizeof(float);
    const clump_span spans[] = {
        clump_span_in("times", job->times, points->count, sizeof(float), sizeof(float)),
        clump_span_out("xyz", job->xyz, points->count, 3 * sizeof(float), sizeof(float)),
        clump_span_points("points.xyz", points->xyz, in_place ? 0 : points->count, points->stride),
    };
    CLUMP_TRY(clump_check_spans(work, work->call, spans, sizeof spans / sizeof *spans));
    if (!clump_is_pose(from) || !clump_is_pose(to))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: a pose is no rotation and translation", work->call);
    if (!(seconds > 0 && isfinite(seconds)))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: seconds is %g, it must be above 0", work->call, seconds);
    return CLUMP_OK;
}

clump_status clump_deskew(clump_context *ctx, clump_points points, const float *times, const double from[12],
                          const double to[12], double seconds, float *xyz, bool *deskewed)
{
    if (deskewed) *deskewed = false;
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_deskew"));
    clump_work *const work = &ctx->work;
    deskew_job job = {.points = points, .times = times, .xyz = xyz};
    CLUMP_TRY(check_call(work, &job, from, to, seconds));
    job.twist = twist_between(from, to, seconds);
    float first, last;
    const bool timed = find_span(&job, &first, &last) && clump_times_are_usable(first, last, seconds);
    if (deskewed) *deskewed = timed;
    if (timed)
        return clump_run(work, clump_threads_for(work, points.count, DESKEW_SHARE), points.count, DESKEW_SHARE,
                         move_points, &job);
    for (size_t i = 0; i < points.count; i++) memmove(xyz + 3 * i, clump_points_at(job.points, i), 3 * sizeof(float));
    return CLUMP_OK;
}
