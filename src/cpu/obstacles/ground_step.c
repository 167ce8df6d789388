/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_step.c: the step rule of the ground (rules/ground.h): counts the points above each part, in one pass over the
 * points. A part that has CLUMP_STEP_POINTS of them counts no further, because more change nothing. So most points of a
 * wall read a count and write none, and threads rarely meet at one.
 */
#include "cpu/obstacles/ground.h"

#include "common/atomics.h"
#include "core/work.h"
#include "cpu/obstacles/ground_batch.h"

#include <string.h>

typedef struct stepping {
    const clump_cloud_job *job;
    const clump_surface *surface;
    int32_t *counts; /* of parts; atomic additions */
} stepping;

/* Lists the parts of those points of a batch that count. Returns their number. No branches: they would be
 * mispredicted. */
static int list_parts(const clump_surface *s, const clump_ground_batch *b, const uint8_t *mask, int n, int32_t *parts)
{
    float height[CLUMP_GROUND_BATCH];
    int32_t at[CLUMP_GROUND_BATCH], counts[CLUMP_GROUND_BATCH];
    if (s->kind == CLUMP_SURFACE_MAP)
        clump_ground_batch_heights(s, b, n, height);
    else
        for (int k = 0; k < n; k++) height[k] = s->level;
    for (int k = 0; k < n; k++) {
        at[k] = clump_surface_part(s, b->u[k], b->v[k]);
        counts[k] = clump_step_counts(b->h[k] - height[k]) & b->inside[k];
    }
    for (int k = 0; mask && k < n; k++) counts[k] &= mask[k] != 0;
    int found = 0;
    for (int k = 0; k < n; k++) {
        parts[found] = at[k];
        found += counts[k];
    }
    return found;
}

static void count_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const stepping *const w = arg;
    const clump_cloud_job *const job = w->job;
    const clump_surface s = *w->surface; /* a copy: the compiler then knows that no store changes it */
    int32_t *const counts = w->counts;
    for (size_t i = begin; i < end; i += CLUMP_GROUND_BATCH) {
        const int n = clump_ground_batch_size(i, end);
        clump_ground_batch batch;
        int32_t parts[CLUMP_GROUND_BATCH];
        clump_ground_batch_load(job, &s, i, n, &batch);
        const int found = list_parts(&s, &batch, job->mask ? job->mask + i : NULL, n, parts);
        for (int k = 0; k < found; k++)
            if (CLUMP_LOAD(&counts[parts[k]]) < CLUMP_STEP_POINTS) CLUMP_ADD(&counts[parts[k]], 1);
    }
}

clump_status clump_cpu_ground_step(clump_work *work, clump_cpu_ground *ground, const clump_cloud_job *job, int threads,
                                   clump_surface *surface)
{
    const size_t side = (size_t)surface->tiles * CLUMP_SURFACE_PARTS, bytes = side * side * sizeof(int32_t);
    if (surface->kind == CLUMP_SURFACE_LEVEL) CLUMP_TRY(clump_buffer_reserve(work, &ground->map, bytes));
    CLUMP_ASSERT(ground->map.bytes >= bytes);
    stepping w = {job, surface, ground->map.data};
    memset(w.counts, 0, bytes);
    CLUMP_TRY(clump_run(work, threads, job->count, CLUMP_CHUNK, count_chunk, &w));
    surface->steps = w.counts;
    return CLUMP_OK;
}
