/* SPDX-License-Identifier: BSD-3-Clause
 *
 * results.h: what is kept of a clustered tile (clump_piece), in one file for all tiles:
 *
 *     head | runs | places | labels | firsts | sizes | rim indices | strip indices | rim labels | strip labels | choices | groups
 *
 * Runs and places tell which points the labels belong to, ascending by index, as in log.h.
 */
#ifndef CLUMP_BIG_RESULTS_H
#define CLUMP_BIG_RESULTS_H

#include "job.h"

/* The arrays of a result. */
typedef enum clump_big_part {
    CLUMP_BIG_PART_RUNS,          /* clump_big_points_run */
    CLUMP_BIG_PART_PLACES,        /* uint16, one per own point */
    CLUMP_BIG_PART_LABELS,        /* int32, provisional */
    CLUMP_BIG_PART_FIRSTS,        /* int64, one per cluster */
    CLUMP_BIG_PART_SIZES,         /* int64, one per cluster and choice */
    CLUMP_BIG_PART_RIM_INDICES,   /* int64 */
    CLUMP_BIG_PART_STRIP_INDICES, /* int64 */
    CLUMP_BIG_PART_RIM_LABELS,    /* int32 */
    CLUMP_BIG_PART_STRIP_LABELS,  /* int32 */
    CLUMP_BIG_PART_OFFSETS,       /* int32: choices + 1, or none */
    CLUMP_BIG_PART_CHOICES,       /* int32 */
    CLUMP_BIG_PART_GROUPS,        /* uint8, one per cluster; none without classes */
    CLUMP_BIG_PARTS
} clump_big_part;

/* Appends the result of a tile and notes it in the journal. Sets the tile. `indices` and
 * `labels` have one entry per own point, `groups` one per cluster; null: without classes. */
clump_status clump_big_results_add(clump_big_job *job, uint32_t number, const clump_piece *piece, const uint8_t *groups,
                                   const int64_t *indices, const int32_t *labels, clump_message *message);

/* Sets a tile from its record of the journal, after a check of all its bytes. *sound is false where they are damaged. */
clump_status clump_big_results_restore(clump_big_job *job, const clump_big_record *record, bool *sound,
                                       clump_message *message);

/* Reads entries [first, first + count) of an array of a tile. */
clump_status clump_big_results_read(const clump_big_job *job, const clump_big_tile *tile, clump_big_part part,
                                    uint64_t first, size_t count, void *to, clump_message *message);

#endif
