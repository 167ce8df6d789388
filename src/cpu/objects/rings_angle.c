/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rings_angle.c: rings from the vertical angles of the points (core/rings.h): bins of all points, their histogram, and the
 * rings of the points that are clustered.
 */
#include "cpu/objects/rings.h"

#include "core/work.h"
#include "core/rings.h"
#include "cpu/objects/azimuths.h"
#include "rules/scan.h"

#define ANGLE_NONE UINT16_MAX /* bin of a point without a direction */

typedef struct angles {
    const clump_ring_cloud *cloud;
    clump_cpu_rings *rings;
    uint16_t *bins; /* of all points */
    uint16_t *ring; /* of bins */
} angles;

static void find_bins(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const angles *const a = arg;
    for (size_t i = begin; i < end; i += CLUMP_AZIMUTHS)
        clump_elevation_bins(a->cloud->whole, &a->cloud->job->rule, i, clump_azimuths_size(i, end), a->rings->all + i,
                             a->bins + i);
}

/* Copies azimuths and rings of the points of a chunk that are clustered. */
static void copy_rings(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const angles *const a = arg;
    const uint8_t *const marks = a->cloud->gather->marks;
    size_t to = *clump_gather_start(a->cloud->gather, begin);
    for (size_t i = begin; i < end; i++) {
        if (marks[i] != 1) continue;
        a->rings->azimuth[to] = clump_scan_azimuth(a->rings->all[i]);
        a->rings->ring[to++] = a->bins[i] == ANGLE_NONE ? 0 : a->ring[a->bins[i]];
    }
}

clump_status clump_cpu_rings_angle(clump_work *work, clump_cpu_rings *rings, const clump_ring_cloud *cloud)
{
    const size_t count = cloud->whole->count;
    const size_t table = CLUMP_RINGS_BINS * (sizeof(uint32_t) + sizeof(uint16_t));
    CLUMP_TRY(clump_buffer_reserve(work, &rings->steps, table + count * sizeof(uint16_t)));
    uint32_t *const points = rings->steps.data;
    angles a = {.cloud = cloud, .rings = rings, .ring = (uint16_t *)(points + CLUMP_RINGS_BINS)};
    a.bins = a.ring + CLUMP_RINGS_BINS;
    CLUMP_TRY(clump_run(work, cloud->threads, count, CLUMP_CHUNK, find_bins, &a));
    memset(points, 0, CLUMP_RINGS_BINS * sizeof *points);
    for (size_t i = 0; i < count; i++)
        if (a.bins[i] != ANGLE_NONE) points[a.bins[i]]++;
    const int found = clump_rings_of_angles(points, cloud->job->neighbours == CLUMP_NEIGHBOURS_AUTO, a.ring);
    if (found == 0) return CLUMP_OK;
    rings->source = CLUMP_RINGS_ANGLE;
    rings->count = found;
    return clump_run(work, cloud->threads, count, CLUMP_CHUNK, copy_rings, &a);
}
