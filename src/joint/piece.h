/* SPDX-License-Identifier: BSD-3-Clause
 *
 * piece.h: one piece of a cloud (clump/joint.h), for piece*.c and joint*.c.
 *
 *     piece.c          checks, runs the clustering of the points
 *     piece_order.c    the rim by index; indices that are not allowed
 *     piece_choices.c  border points that are next to several clusters
 *     piece_make.c     what other pieces need to know: firsts, sizes, rim, strip
 */
#ifndef CLUMP_CORE_PIECE_H
#define CLUMP_CORE_PIECE_H

#include "common/sort.h"
#include "core/context.h"

#include <clump/joint.h>

#define CLUMP_JOINT_COOKIE 0x636c6a31u /* "clj1" */

/* A piece that is being made. Memory is in the context's piece buffers. */
typedef struct clump_piece_work {
    const clump_joint_settings *settings;
    clump_points points;
    size_t own;
    const int64_t *indices;
    const uint8_t *strip; /* may be null */
    bool no_strip;        /* the piece lists no strip */
    int32_t *labels;      /* output, `own` entries */

    int32_t *found;      /* label of each point among the clusters of all points of the piece */
    const uint8_t *core; /* DBSCAN: one flag per point; null: all points are core */
    int32_t found_count; /* clusters among all points of the piece */
    int32_t *kept;       /* the number of each of these clusters in the piece; -1: left out */
    int32_t kept_count;

    clump_pair *rim; /* index and position of each rim point, ascending by index */

    /* Border points that are next to several clusters, as the backend wrote them, and their choices. */
    const clump_border *borders;
    size_t border_count;
    int32_t choice_count;
    int32_t *choice_offsets; /* choice_count + 1 entries */
    int32_t *choices;        /* labels among the clusters of all points, ascending within a choice */
} clump_piece_work;

/* Checks the settings for the running public call. */
clump_status clump_joint_check(clump_work *work, const clump_joint_settings *settings);

/* Returns how far the rim reaches, for settings that are valid. */
double clump_joint_reach_of(const clump_joint_settings *settings);

/* clump_piece_cluster inside a public call that has begun. The settings are checked. no_strip: the piece lists no strip; the
 * caller has the indices. */
clump_status clump_piece_run(clump_context *ctx, const clump_joint_settings *settings, clump_points points, size_t own,
                             const int64_t *indices, const uint8_t *strip, bool no_strip, int32_t *labels,
                             clump_piece **out);

/* Checks the indices and sorts the rim. */
clump_status clump_piece_order(clump_context *ctx, clump_piece_work *w);

/* Finds the choices, and gives their points the labels -2 - choice in w->found. */
clump_status clump_piece_choices(clump_context *ctx, clump_piece_work *w);

/* Makes the piece and writes its labels. */
clump_status clump_piece_make(clump_context *ctx, clump_piece_work *w, clump_piece **out);

#endif
