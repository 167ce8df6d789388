/* SPDX-License-Identifier: BSD-3-Clause
 *
 * joint.h: one cloud in pieces. A cloud that is too large for one call, or lies on several machines, is clustered piece by
 * piece. The labels are those of one call on the whole cloud, bit for bit.
 *
 *     clump_joint_settings settings = clump_joint_defaults();
 *     settings.d = 0.5f;                                           // min_points 0: clump_ec; else clump_dbscan
 *     clump_joint *joint;
 *     clump_joint_create(ctx, &settings, &joint);
 *     for each piece:
 *         clump_joint_add(ctx, joint, points, own, indices, &piece);   // own points first, then the rim
 *     clump_joint_finish(ctx, joint, &clusters);
 *     for each piece:
 *         clump_joint_labels(ctx, joint, piece, labels);              // int64, one per own point
 *     clump_joint_destroy(joint);
 *
 * A piece has points of its own and a rim: points of other pieces that are near. Each point of the cloud is an own point
 * of exactly one piece. Every point of another piece that is within clump_joint_reach() of an own point, along every axis,
 * must be in the rim. For clump_ec it is enough that of two pieces one has the points of the other, for example each the
 * points of the pieces before it; clump_dbscan needs both. More points in the rim do no harm. All pieces must see the
 * same floats for one point.
 *
 * docs/scale.md explains why the labels are equal.
 */
#ifndef CLUMP_JOINT_H
#define CLUMP_JOINT_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clump_joint_settings {
    uint32_t cookie;       /* set by clump_joint_defaults(), do not touch */
    float d;               /* the distance of clump_ec, or eps of clump_dbscan; as there */
    size_t min_points;     /* 0: Euclidean clustering, as clump_ec; else density clustering, as clump_dbscan */
    clump_order order;     /* CLUMP_ORDER_INDEX */
    bool two_d;            /* false; true ignores z, also a z that is not finite */
    bool no_border_points; /* false; as in clump_dbscan_options */
    size_t min_size;       /* 1: as in clump_ec_options; sizes are those of whole clusters */
    size_t max_size;       /* 0: no limit */
} clump_joint_settings;

CLUMP_API clump_joint_settings clump_joint_defaults(void);

/* Returns how far the rim of a piece reaches, in the unit of the coordinates: a little over d, or over 2 eps. 0 for
 * settings that are not valid. Along an axis: |x - x of an own point| <= reach. */
CLUMP_API double clump_joint_settings_reach(const clump_joint_settings *settings);

/* ----- pieces in memory ---------------------------------------------------------------------------- */

typedef struct clump_joint clump_joint;

/* Creates an empty joint. settings are copied. *out is null on failure. Memory comes from the context's allocator, also
 * that of later calls; the context may be destroyed before the joint only if its allocator lives on. */
CLUMP_API clump_status clump_joint_create(clump_context *ctx, const clump_joint_settings *settings, clump_joint **out);
CLUMP_API void clump_joint_destroy(clump_joint *joint); /* joint may be null */

CLUMP_API double clump_joint_reach(const clump_joint *joint);

/* Clusters a piece and keeps what the others need to know of it.
 * points   the own points, ascending by index, then the rim in any order; on the host or on the context's device
 * own      how many are own points; may be 0
 * indices  points.count entries in host memory, 0 or more: the index in the whole cloud. A rim point has the index that it
 *          has in its own piece. Unique within the piece
 * piece    output, may be null: the number of the piece, from 0 in the order of the calls
 * Several threads may add pieces to one joint at the same time, each with a context of its own. After a failure the joint
 * is unchanged. */
CLUMP_API clump_status clump_joint_add(clump_context *ctx, clump_joint *joint, clump_points points, size_t own,
                                       const int64_t *indices, int64_t *piece);

/* Merges the pieces. No piece can be added afterwards. clusters may be null.
 *
 * A point that is an own point of two pieces is an error where it is in a rim or the first point of a cluster, as all points
 * of a piece that is added twice. Elsewhere it is not noticed: sizes then count it twice, and both pieces give it a label. */
CLUMP_API clump_status clump_joint_finish(clump_context *ctx, clump_joint *joint, int64_t *clusters);

/* Writes the labels of the own points of a piece, in their order, to host memory. */
CLUMP_API clump_status clump_joint_labels(clump_context *ctx, const clump_joint *joint, int64_t piece, int64_t *labels);

/* ----- one piece alone ----------------------------------------------------------------------------- */

/* For programs that keep pieces in files or on other machines: what clump_joint_add() computes. Labels are provisional:
 * 0 ... cluster_count - 1 are the clusters of this piece; from there on, label cluster_count + c stands for border points
 * that are next to several of these clusters, all of choice c. Merging decides which one they get.
 *
 * Clusters without an own point, and without an own border point next to them, are left out: other pieces have them. */
typedef struct clump_piece {
    size_t own;            /* own points */
    int32_t cluster_count; /* clusters of this piece */
    int32_t choice_count;  /* kinds of border points that are next to several clusters */
    /* One per cluster: the smallest index of an own point (DBSCAN: core point). INT64_MAX: there is none. */
    const int64_t *firsts;
    const int64_t *sizes; /* cluster_count + choice_count entries: own points with that provisional label */

    /* Points that join clusters of different pieces: rim points, and own points that may be in the rim of another piece.
     * DBSCAN: core points only. Ascending by index. */
    size_t rim_count, strip_count;
    const int64_t *rim_indices, *strip_indices;
    const int32_t *rim_labels, *strip_labels;

    /* Choice c is among the clusters choices[choice_offsets[c]] ... choices[choice_offsets[c + 1] - 1], ascending. The
     * one whose whole cluster has the smallest first point is taken. */
    const int32_t *choice_offsets; /* choice_count + 1 entries; null where choice_count is 0 */
    const int32_t *choices;
} clump_piece;

/* Clusters one piece. points, own and indices as in clump_joint_add().
 * strip   null: every own point may be in a rim; else one byte per own point in host memory, 0: it is in no rim
 * labels  output in host memory: one provisional label per own point, CLUMP_NOISE for points in no cluster
 * out     free it with clump_piece_destroy(), also after the context has been destroyed */
CLUMP_API clump_status clump_piece_cluster(clump_context *ctx, const clump_joint_settings *settings,
                                           clump_points points, size_t own, const int64_t *indices,
                                           const uint8_t *strip, int32_t *labels, clump_piece **out);
CLUMP_API void clump_piece_destroy(clump_piece *piece); /* piece may be null */

#ifdef __cplusplus
}
#endif
#endif
