/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rings.c: see rings.h.
 */
#include "cpu/objects/rings.h"

#include "core/work.h"
#include "core/rings.h"
#include "cpu/objects/azimuths.h"
#include "rules/scan.h"

typedef struct copying {
    const clump_ring_cloud *cloud;
    clump_cpu_rings *rings;
} copying;

/* Copies given rings, or the numbers of rows, of the points of a chunk that are clustered. */
static void copy_rings(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const copying *const c = arg;
    const clump_objects_job *const job = c->cloud->job;
    const uint8_t *const marks = c->cloud->gather->marks;
    uint16_t *to = c->rings->ring + *clump_gather_start(c->cloud->gather, begin);
    for (size_t i = begin; i < end; i++)
        if (marks[i] == 1) *to++ = (uint16_t)(job->rings ? job->rings[i] : i / job->columns);
}

/* Computes the azimuths of points that are clustered. */
static void find_azimuths(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const copying *const c = arg;
    const clump_objects_job *const job = c->cloud->job;
    for (size_t i = begin; i < end; i += CLUMP_AZIMUTHS) {
        const int n = clump_azimuths_size(i, end);
        float *const to = c->rings->azimuth + i;
        clump_azimuths(&job->in, &job->rule, i, n, to);
        for (int k = 0; k < n; k++) to[k] = clump_scan_azimuth(to[k]);
    }
}

/* Returns the largest ring + 1. */
static int count_rings(const uint16_t *ring, size_t count)
{
    unsigned most = 0;
    for (size_t i = 0; i < count; i++) most = ring[i] > most ? ring[i] : most;
    return (int)most + 1;
}

/* Takes the rings that the caller gives, where there are any. */
static clump_status take_given(clump_work *work, clump_cpu_rings *rings, const clump_ring_cloud *cloud)
{
    const clump_objects_job *const job = cloud->job;
    const size_t count = cloud->whole->count;
    if (job->rings) {
        rings->source = CLUMP_RINGS_GIVEN;
        rings->count = count_rings(job->rings, count);
    } else if (job->columns > 0) {
        rings->source = CLUMP_RINGS_ROWS;
        rings->count = (int)((count - 1) / job->columns) + 1;
    } else {
        return CLUMP_OK;
    }
    copying c = {cloud, rings};
    return clump_run(work, cloud->threads, count, CLUMP_CHUNK, copy_rings, &c);
}

/* Finds rings that are not given. Scan neighbours need them. */
static clump_status look_for_rings(clump_work *work, clump_cpu_rings *rings, const clump_ring_cloud *cloud)
{
    CLUMP_TRY(clump_cpu_rings_order(work, rings, cloud));
    if (rings->source != CLUMP_RINGS_NONE) return CLUMP_OK;
    CLUMP_TRY(clump_cpu_rings_angle(work, rings, cloud));
    if (rings->source != CLUMP_RINGS_NONE || cloud->job->neighbours == CLUMP_NEIGHBOURS_AUTO) return CLUMP_OK;
    return clump_rings_unknown(work);
}

clump_status clump_cpu_rings_find(clump_work *work, clump_cpu_rings *rings, const clump_ring_cloud *cloud)
{
    rings->source = CLUMP_RINGS_NONE;
    rings->count = 0;
    if (cloud->job->neighbours == CLUMP_NEIGHBOURS_EXACT || cloud->whole->count == 0) return CLUMP_OK;
    const size_t taken = cloud->job->in.count;
    CLUMP_TRY(clump_buffer_reserve(work, &rings->taken, taken * (sizeof *rings->azimuth + sizeof *rings->ring)));
    rings->azimuth = rings->taken.data;
    rings->ring = (uint16_t *)(rings->azimuth + taken);
    CLUMP_TRY(take_given(work, rings, cloud));
    if (rings->source == CLUMP_RINGS_NONE) CLUMP_TRY(look_for_rings(work, rings, cloud));
    if (rings->source != CLUMP_RINGS_GIVEN && rings->source != CLUMP_RINGS_ROWS) return CLUMP_OK;
    copying c = {cloud, rings};
    return clump_run(work, cloud->threads, taken, CLUMP_CHUNK, find_azimuths, &c);
}

void clump_cpu_rings_release(clump_work *work, clump_cpu_rings *rings)
{
    clump_buffer_release(work, &rings->taken);
    clump_buffer_release(work, &rings->cloud);
    clump_buffer_release(work, &rings->steps);
}
