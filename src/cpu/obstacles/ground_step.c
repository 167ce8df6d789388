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
    int32_t *counts;           /* of parts; atomic additions */
    clump_ground_notes *notes; /* null: none */
} stepping;

/* Notes n points. */
static void note_batch(const clump_ground_batch *b, int n, const float *height, const uint8_t *good, uint8_t *marks)
{
    int32_t mark[CLUMP_GROUND_BATCH];
    for (int k = 0; k < n; k++) {
        const int32_t ground = (b->h[k] < height[k] + CLUMP_STEP_THIN) & b->inside[k];
        const int32_t open = (b->h[k] < height[k] + CLUMP_STEP_THICK) & b->inside[k] & (ground ^ 1);
        mark[k] = ground * CLUMP_NOTE_GROUND | open * CLUMP_NOTE_OPEN;
    }
    for (int k = 0; k < n; k++) marks[k] = (uint8_t)(mark[k] | good[k] * CLUMP_NOTE_FINITE);
}

/* Finds the height of the surface below each point. */
static void find_heights(const clump_surface *s, const clump_ground_batch *b, int n, float *height)
{
    if (s->kind == CLUMP_SURFACE_MAP)
        clump_ground_batch_heights(s, b, n, height);
    else
        for (int k = 0; k < n; k++) height[k] = s->level;
}

/* Lists the parts of those points of a batch that count. Returns their number. No branches: they would be
 * mispredicted. */
static int list_parts(const clump_surface *s, const clump_ground_batch *b, const float *height, const uint8_t *mask,
                      int n, int32_t *parts)
{
    int32_t at[CLUMP_GROUND_BATCH], counts[CLUMP_GROUND_BATCH];
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
    const clump_ground_notes *const notes = w->notes;
    for (size_t i = begin; i < end; i += CLUMP_GROUND_BATCH) {
        const int n = clump_ground_batch_size(i, end);
        clump_ground_batch b;
        int32_t parts[CLUMP_GROUND_BATCH];
        float height[CLUMP_GROUND_BATCH];
        uint8_t good[CLUMP_GROUND_BATCH];
        clump_split_points(job, i, n, s.across, s.up, b.u, b.v, b.h);
        if (notes) clump_ground_batch_finite(b.u, b.v, b.h, n, good);
        clump_ground_batch_place(&s, n, &b);
        find_heights(&s, &b, n, height);
        if (notes) note_batch(&b, n, height, good, notes->marks + i);
        if (notes && notes->above) clump_ground_batch_above(&b, n, height, notes->above + i);
        const int found = list_parts(&s, &b, height, job->mask ? job->mask + i : NULL, n, parts);
        for (int k = 0; k < found; k++)
            if (CLUMP_LOAD(&counts[parts[k]]) < CLUMP_STEP_POINTS) CLUMP_ADD(&counts[parts[k]], 1);
    }
}

clump_status clump_cpu_ground_step(clump_work *work, clump_cpu_ground *ground, const clump_cloud_job *job, int threads,
                                   clump_surface *surface, clump_ground_notes *notes)
{
    const bool noted = notes && surface->kind == CLUMP_SURFACE_MAP;
    const size_t side = (size_t)surface->tiles * CLUMP_SURFACE_PARTS, bytes = side * side * sizeof(int32_t);
    if (surface->kind == CLUMP_SURFACE_LEVEL) CLUMP_TRY(clump_buffer_reserve(work, &ground->map, bytes));
    CLUMP_ASSERT(ground->map.bytes >= bytes);
    stepping w = {job, surface, ground->map.data, noted ? notes : NULL};
    memset(w.counts, 0, bytes);
    CLUMP_TRY(clump_run(work, threads, job->count, CLUMP_CHUNK, count_chunk, &w));
    surface->steps = w.counts;
    if (noted) notes->made = true;
    return CLUMP_OK;
}
