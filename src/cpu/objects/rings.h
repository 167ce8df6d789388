/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rings.h: the rings of a scan, for scan neighbours (clump_objects):
 *
 *     rings.c         chooses where rings come from; given rings, rows
 *     rings_order.c   the order of the points
 *     rings_angle.c   the vertical angles
 *
 * Rings are a property of the whole cloud, whatever mask and ground say. Ring and azimuth are then copied for the points
 * that are clustered.
 */
#ifndef CLUMP_CPU_OBJECTS_RINGS_H
#define CLUMP_CPU_OBJECTS_RINGS_H

#include "core/backend.h"
#include "core/work.h"
#include "cpu/detect/gather.h"

/* The cloud of a call. */
typedef struct clump_ring_cloud {
    const clump_objects_job *job; /* job->in: the points that are clustered */
    const clump_cloud_job *whole; /* all points */
    const clump_gather *gather;   /* marks the points that are clustered */
    int threads;
} clump_ring_cloud;

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_rings {
    clump_ring_source source; /* CLUMP_RINGS_NONE: rings are not known */
    int count;                /* rings */
    float *azimuth;           /* of the points that are clustered, 0 ... 1 */
    uint16_t *ring;           /* of the points that are clustered */
    float *all;               /* azimuths of all points; where rings are looked for */
    clump_buffer taken, cloud, steps;
} clump_cpu_rings;

/* Finds the rings, as clump_neighbour_kind defines. A source of CLUMP_RINGS_NONE means exact neighbours. */
clump_status clump_cpu_rings_find(clump_work *work, clump_cpu_rings *rings, const clump_ring_cloud *cloud);

/* Finds the rings by the order of the points. Sets source, count, azimuth and ring where the points are in order. */
clump_status clump_cpu_rings_order(clump_work *work, clump_cpu_rings *rings, const clump_ring_cloud *cloud);

/* Finds the rings by vertical angles, after clump_cpu_rings_order. Sets source, count, azimuth and ring where they are plain; by the strict test for
 * CLUMP_NEIGHBOURS_AUTO. */
clump_status clump_cpu_rings_angle(clump_work *work, clump_cpu_rings *rings, const clump_ring_cloud *cloud);

void clump_cpu_rings_release(clump_work *work, clump_cpu_rings *rings);

#endif
