/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan.h: the tree of clusters of scan neighbours (rules/scan.h):
 *
 *     scan_sort.c   points by ring and azimuth, and the runs of each ring
 *     scan_join.c   unions of runs, piece by piece of the rings; scan_next.c and scan_across.c have the tests
 *     scan.c        clusters of all levels from the unions
 *
 * Sorted points are at places. A ring is closed, so copies of its points at both ends save the division by its size:
 *
 *     ring        y z | a b c ... x y z | a b c ... (12 copies)
 *     place       base-2 ... base         base + size
 *     run         . . | 0 0 0   1 1 2 2 | ...            base + 0, base + 1, ...
 *
 * A run is a sequence of points of a ring each of which is within the finest radius of the next: one cluster of the finest
 * level. Unions are of runs, of which there are far fewer than points: in a KITTI frame one per 5 points that are not ground.
 */
#ifndef CLUMP_CPU_OBJECTS_SCAN_H
#define CLUMP_CPU_OBJECTS_SCAN_H

#include "cpu/objects/rings.h"
#include "cpu/objects/tree.h"
#include "rules/scan.h"

enum {
    CLUMP_SCAN_BEFORE = 2,              /* copies before a ring: the nearest and the one beside it */
    CLUMP_SCAN_AFTER = CLUMP_SCAN_NEXT, /* copies behind it */
    CLUMP_SCAN_SECTORS = 512,           /* of a turn; KITTI has up to 4 points of a ring in one */
    CLUMP_SCAN_PIECE = 512              /* points, at most: some tens of microseconds */
};

#define CLUMP_SCAN_BEYOND 2.0f /* larger than every azimuth */

/* Returns the sector of an azimuth; it ascends with the azimuth. */
static inline uint32_t clump_scan_sector(float azimuth)
{
    return (uint32_t)(int32_t)(azimuth * CLUMP_SCAN_SECTORS); /* azimuth 1 is in a sector of its own */
}

/* One ring. */
typedef struct clump_scan_ring {
    uint32_t base; /* place of its first point */
    uint32_t size; /* points */
    uint32_t from; /* its first point in the list of points by ring */
    uint32_t runs;
} clump_scan_ring;

/* Consecutive points of a ring: what a thread joins at a time. */
typedef struct clump_scan_piece {
    uint32_t ring;
    uint32_t base, size, from;             /* as those of a ring */
    uint32_t listed[CLUMP_OBJECTS_LEVELS]; /* pairs per level; at most `size` */
    uint8_t full;                          /* one bit per level: there were more */
} clump_scan_piece;

/* Memory that stays between calls, and the pointers of the last call. Zeroed is valid. */
typedef struct clump_scan {
    int rings, levels;
    clump_scan_ring *ring;
    clump_scan_piece *piece; /* of all rings, in their order */
    size_t pieces;
    uint32_t places; /* of all rings */
    /* By place. */
    float *x, *y, *z;
    float *azimuth;                     /* behind a ring: one copy, then CLUMP_SCAN_BEYOND */
    float *bound[CLUMP_OBJECTS_LEVELS]; /* of squared distances, per level; ascending */
    uint32_t *run;                      /* that the point is in */
    uint32_t *point;                    /* index of the point; not of copies */
    /* By run. */
    uint32_t *parent[CLUMP_OBJECTS_LEVELS]; /* union-find; above the finest level of pairs that are not listed */
    uint32_t *first;                        /* smallest point index */
    uint32_t *sector;                       /* per ring CLUMP_SCAN_SECTORS + 1: points in sectors before it */
    /* By point. */
    uint32_t *by_ring;                     /* points by ring, then by index; null: they are in this order */
    uint64_t *keys, *spares;               /* azimuth and index, of rings that must be sorted */
    uint64_t *pairs[CLUMP_OBJECTS_LEVELS]; /* of runs, per level above the finest; as many per piece as it has points */
    void *ranks;                           /* memory of cpu/shared/numbering.h */
    clump_buffer table, memory, lists;     /* table: of rings and pieces */
} clump_scan;

/* Sorts the points of all rings and finds the runs. */
clump_status clump_scan_sort(clump_work *work, clump_scan *scan, const clump_cpu_rings *rings,
                             const clump_objects_job *job, int threads);

/* Joins runs on all levels. */
clump_status clump_scan_join(clump_work *work, clump_scan *scan, int threads);

/* Makes the tree of scan neighbours. job->in are the points of the tree, without mask. */
clump_status clump_node_tree_scan(clump_work *work, clump_node_tree *tree, clump_scan *scan,
                                  const clump_cpu_rings *rings, const clump_objects_job *job, clump_stats *stats);

void clump_scan_release(clump_work *work, clump_scan *scan);

#endif
