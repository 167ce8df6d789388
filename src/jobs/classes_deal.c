/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes_deal.c: see classes.h. Most points of a scan are road, building and vegetation. So the points that take part are listed
 * first, without a branch; all later steps see these alone.
 *
 *     of       40 10 10 70 30 10 ...      40, 70: stuff
 *     taken     1  2  4  5 ...            indices, ascending
 *     order     1  2  5 | 4 ...           by part; ascending within it
 */
#include "jobs/classes.h"

#include "common/assert.h"

#include <string.h>

#define DEAL_POLL 16384 /* points between two polls: 50 us at most */

/* Lists the points from begin to end - 1 that take part behind `taken`; returns their number. */
static size_t take(const clump_class_job *job, size_t begin, size_t end, int32_t *taken, size_t *masked)
{
    const uint8_t *const group_of = job->group_of, *const mask = job->in.mask;
    const uint16_t *const of = job->of;
    size_t n = 0, left_out = 0;
    if (!mask) {
        size_t i = begin;
        for (; end - i >= 4; i += 4) { /* four points of stuff, as most are, cost one branch */
            const uint8_t a = group_of[of[i]], b = group_of[of[i + 1]], c = group_of[of[i + 2]],
                          d = group_of[of[i + 3]];
            if ((a & b & c & d) == CLUMP_CLASS_NONE) continue; /* the largest byte: all are equal to it */
            taken[n] = (int32_t)i, n += a != CLUMP_CLASS_NONE;
            taken[n] = (int32_t)i + 1, n += b != CLUMP_CLASS_NONE;
            taken[n] = (int32_t)i + 2, n += c != CLUMP_CLASS_NONE;
            taken[n] = (int32_t)i + 3, n += d != CLUMP_CLASS_NONE;
        }
        for (; i < end; i++) taken[n] = (int32_t)i, n += group_of[of[i]] != CLUMP_CLASS_NONE;
        return n;
    }
    for (size_t i = begin; i < end; i++) {
        taken[n] = (int32_t)i;
        n += (group_of[of[i]] != CLUMP_CLASS_NONE) & (mask[i] != 0);
        left_out += mask[i] == 0;
    }
    *masked += left_out;
    return n;
}

/* Makes room for the points that can take part, and for the parts. */
static clump_status reserve(clump_context *ctx, const clump_class_job *job, size_t parts)
{
    clump_class_buffers *const b = &ctx->classes;
    clump_work *const work = &ctx->work;
    const size_t n = job->in.count;
    CLUMP_TRY(clump_buffer_reserve(work, &b->order, n * sizeof(int32_t)));
    CLUMP_TRY(clump_buffer_reserve(work, &b->points, n * sizeof(float[3])));
    CLUMP_TRY(clump_buffer_reserve(work, &b->labels, n * sizeof(int32_t)));
    if (job->by.dbscan) CLUMP_TRY(clump_buffer_reserve(work, &b->core, n));
    if (job->by.heights) CLUMP_TRY(clump_buffer_reserve(work, &b->heights, n * sizeof(float)));
    CLUMP_TRY(clump_buffer_reserve(work, &b->offsets, (parts + 1) * sizeof(int64_t)));
    CLUMP_TRY(clump_buffer_reserve(work, &b->radii, parts * (sizeof(float) + 1))); /* and the group of each */
    return clump_buffer_reserve(work, &b->counts, parts * sizeof(int32_t));
}

static void set_parts(const clump_class_buffers *b, const clump_class_job *job, size_t parts)
{
    float *const radii = b->radii.data;
    uint8_t *const groups = (uint8_t *)(radii + parts);
    for (size_t scene = 0, part = 0; scene < job->scenes; scene++) {
        for (size_t g = 0; g < job->group_count; g++, part++) {
            const float own = job->groups[g].radius;
            radii[part] = own != 0 ? own : job->radii ? job->radii[scene] : job->in.d;
            groups[part] = (uint8_t)g;
        }
    }
}

/* Counts points `begin` to end - 1 of those taken in offsets[part + 1]. The first is in *scene or a later one. */
static void count_points(const clump_class_job *job, const int32_t *taken, size_t begin, size_t end, size_t *scene,
                         int64_t *offsets)
{
    for (size_t k = begin; k < end; k++) {
        while (taken[k] >= job->offsets[*scene + 1]) ++*scene;
        offsets[*scene * job->group_count + job->group_of[job->of[taken[k]]] + 1]++;
    }
}

/* Turns counts into begins: offsets[part + 1] is where the points of the part begin. */
static void sum_counts(int64_t *offsets, size_t parts)
{
    int64_t sum = 0;
    for (size_t part = 0; part < parts; part++) {
        const int64_t here = offsets[part + 1];
        offsets[part + 1] = sum;
        sum += here;
    }
}

/* Copies points to their places. In the end offsets[part + 1] is where the points of the part end. */
static void place_points(const clump_class_job *job, const clump_class_buffers *b, size_t begin, size_t end,
                         size_t *scene)
{
    const int32_t *const taken = b->taken.data;
    int64_t *const offsets = b->offsets.data;
    int32_t *const order = b->order.data;
    float *const xyz = b->points.data, *const heights = b->heights.data;
    const float *const above = job->by.heights;
    for (size_t k = begin; k < end; k++) {
        const int32_t i = taken[k];
        while (i >= job->offsets[*scene + 1]) ++*scene;
        const uint8_t g = job->group_of[job->of[i]];
        const size_t at = (size_t)offsets[*scene * job->group_count + g + 1]++;
        float *const to = xyz + 3 * at;
        memcpy(to, job->in.points + (size_t)i * job->in.stride, sizeof(float[3]));
        if (above) heights[at] = above[i];
        if (job->groups[g].two_d && !job->by.objects) to[2] = 0;
        order[at] = i;
    }
}

/* Lists all points that take part. */
static clump_status take_points(clump_context *ctx, clump_class_job *job, int32_t *taken)
{
    const size_t n = job->in.count;
    job->taken = job->masked = 0;
    for (size_t begin = 0; begin < n; begin += DEAL_POLL) {
        const size_t end = n - begin < DEAL_POLL ? n : begin + DEAL_POLL;
        job->taken += take(job, begin, end, taken + job->taken, &job->masked);
        CLUMP_TRY(clump_poll(&ctx->work));
    }
    return CLUMP_OK;
}

clump_status clump_class_deal(clump_context *ctx, clump_class_job *job)
{
    clump_class_buffers *const b = &ctx->classes;
    const size_t parts = job->scenes * job->group_count;
    if (parts > INT32_MAX)
        return clump_fail(&ctx->work, CLUMP_ERR_TOO_MANY,
                          "%s: %zu clouds of %zu groups of classes do not fit into one call", ctx->work.call,
                          job->scenes, job->group_count);
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &b->taken, (job->in.count + 1) * sizeof(int32_t)));
    CLUMP_TRY(take_points(ctx, job, b->taken.data));
    CLUMP_TRY(reserve(ctx, job, parts));
    set_parts(b, job, parts);
    int64_t *const offsets = b->offsets.data;
    memset(offsets, 0, (parts + 1) * sizeof *offsets);
    size_t counted = 0, placed = 0; /* scenes */
    for (size_t k = 0; k < job->taken; k += DEAL_POLL) {
        count_points(job, b->taken.data, k, job->taken - k < DEAL_POLL ? job->taken : k + DEAL_POLL, &counted, offsets);
        CLUMP_TRY(clump_poll(&ctx->work));
    }
    sum_counts(offsets, parts);
    for (size_t k = 0; k < job->taken; k += DEAL_POLL) {
        place_points(job, b, k, job->taken - k < DEAL_POLL ? job->taken : k + DEAL_POLL, &placed);
        CLUMP_TRY(clump_poll(&ctx->work));
    }
    CLUMP_ASSERT(offsets[parts] == (int64_t)job->taken);
    return CLUMP_OK;
}
