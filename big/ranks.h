/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks.h: a cloud that is divided among ranks, in memory. Every rank has a share of the points of the input, which
 * follow each other, and gets their labels back.
 *
 *     plan      the tiles: a function of the cloud, not of the number of ranks
 *     sort      the points of the share by tile
 *     shuffle   points go to the rank that has their tile, and to the rims of other tiles
 *     tiles     each tile is clustered
 *     links     points that two tiles have: their clusters are one
 *     merge     rank 0 unites clusters of different tiles
 *     number    the rank that has the first point of a cluster in its share numbers it
 *     home      labels go back the way that the points came
 *
 * All ranks call the functions of this header in the same order. A function returns the same status and message on all
 * ranks.
 */
#ifndef CLUMP_BIG_RANKS_H
#define CLUMP_BIG_RANKS_H

#include "fail.h"
#include "frame.h"
#include "mail.h"

#include <string.h>

#define CLUMP_RANKS_THREADS 256 /* threads of a rank, at most */

/* An own point of a tile that is in the rim of a tile of another rank. */
typedef struct clump_ranks_strip {
    int64_t index;
    int32_t label; /* provisional */
    int rank;
} clump_ranks_strip;

/* A tile of this rank. */
typedef struct clump_ranks_tile {
    uint64_t own, rim;         /* points */
    int32_t *labels;           /* provisional, one per own point */
    clump_piece *piece;        /* until the numbers are known */
    clump_ranks_strip *strips; /* until the links are known */
    size_t strip_count, strip_room;
    uint64_t node; /* its provisional label 0 among those of all tiles */
} clump_ranks_tile;

typedef struct clump_ranks {
    /* what the caller sets */
    clump_mail mail;
    clump_joint_settings settings; /* d in the unit of the frame */
    clump_big_frame frame;         /* with its origin */
    const clump_reader *reader;    /* null: the points are stored as floats */
    int threads;                   /* at least 1 */
    clump_backend backend;
    int device;
    size_t device_limit;
    const volatile int *cancel; /* may be null */
    uint64_t most;              /* points per tile; 0: clump_ranks_most() */
    size_t ram;                 /* 0: no limit; bytes */
    uint64_t share;             /* points of this rank's share, below 2^32 - 1 */
    void *stored;               /* the share, from malloc(); freed here. clump_ranks_leave_out() marks points */

    /* the result */
    void *labels; /* the labels of the share: int32, or int64 if wide. For free() */
    bool wide;
    int64_t clusters;
    uint64_t largest, left_out, rims, links; /* of all ranks; left_out: points that take no part */
    uint64_t loads_most, loads_mean;         /* points per rank, rims included */
    clump_message message;

    /* between the phases */
    uint64_t *starts;    /* ranks + 1: index of the first point of each share */
    clump_tiling tiling; /* the plan */
    uint32_t *table, tile_count;
    uint32_t *first_tile;       /* ranks + 1: the tiles of each rank */
    uint32_t *order, *rim_order; /* places in the share: own points by tile, rim points by tile */
    uint64_t *own_at, *rim_at;   /* tile_count + 1: where the points of a tile begin in them */
    unsigned char *received;     /* records of own and rim points, sender by sender */
    uint64_t *own_from, *rim_from; /* per sender and tile of this rank: where its records begin, in bytes */
    uint32_t *own_counts;          /* per sender and tile of this rank: own points */
    uint32_t *rim_counts;
    clump_ranks_tile *tiles;
    size_t tiles_here;
    uint64_t node_count, first_node; /* provisional labels of this rank's tiles */
    uint64_t *first_nodes;           /* ranks + 1: the first provisional label of each rank */
    uint64_t *pairs;                 /* two provisional labels per link, which other links do not imply */
    size_t pair_count;
    int64_t *firsts; /* per provisional label of this rank: first point of its whole cluster; then its number */
} clump_ranks;

/* Marks a stored point: it takes no part. */
static inline void clump_ranks_leave_out(const clump_big_frame *frame, void *stored)
{
    static const float nan_ = NAN;
    static const int32_t none_32 = INT32_MIN;
    static const int64_t none_64 = INT64_MIN;
    if (frame->stored == CLUMP_BIG_F32) memcpy(stored, &nan_, sizeof nan_);
    if (frame->stored == CLUMP_BIG_I32) memcpy(stored, &none_32, sizeof none_32);
    if (frame->stored == CLUMP_BIG_I64) memcpy(stored, &none_64, sizeof none_64);
}

/* Whether a stored point takes part: it is finite and not marked. */
static inline bool clump_ranks_takes_part(const clump_big_frame *frame, const void *stored)
{
    if (frame->stored == CLUMP_BIG_F32) {
        float p[3];
        memcpy(p, stored, sizeof p);
        return isfinite(p[0]) && isfinite(p[1]) && (frame->two_d || isfinite(p[2]));
    }
    int64_t wide;
    int32_t narrow;
    memcpy(&narrow, stored, sizeof narrow);
    if (frame->stored == CLUMP_BIG_I32) return narrow != INT32_MIN;
    memcpy(&wide, stored, sizeof wide);
    return wide != INT64_MIN;
}

/* Returns the stored point at a place of the share. */
static inline const void *clump_ranks_point(const clump_ranks *ranks, uint64_t place)
{
    return (const unsigned char *)ranks->stored + place * clump_big_frame_bytes(&ranks->frame);
}

/* Returns the tiles, and so the ranks, that have a point in their rim. For Euclidean clustering one side of each pair of
 * tiles is enough: the one with the larger number. */
static inline int clump_ranks_rims(const clump_ranks *ranks, const int64_t voxel[3], uint32_t own,
                                   uint32_t rims[CLUMP_TILE_RIMS])
{
    if (clump_tile_is_inside(&ranks->tiling, voxel)) return 0;
    const int count = clump_tile_rims(&ranks->tiling, voxel, own, rims);
    if (ranks->settings.min_points > 0) return count;
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (rims[k] > own) rims[kept++] = rims[k];
    return kept;
}

/* Returns the rank that has an entry of a list of ranks + 1 ascending bounds. */
int clump_ranks_of(const clump_ranks *ranks, const uint64_t *bounds, uint64_t value);
int clump_ranks_of_tile(const clump_ranks *ranks, uint32_t tile);

/* Agrees on the outcome of a phase: returns the failure of the first rank that failed, with its sentence, on all ranks. */
clump_status clump_ranks_agree(clump_ranks *ranks, clump_status status);
/* The same after a call of the transport: its failures come without a sentence. */
clump_status clump_ranks_sent(clump_ranks *ranks, clump_status status);

/* Runs task(arg, thread) on threads 0 ... threads - 1, of which the caller is 0; fewer where the system gives no more.
 * Tasks find their work themselves, so that fewer threads do all of it. */
typedef void clump_ranks_task(void *arg, int thread);
void clump_ranks_run_threads(int threads, clump_ranks_task *task, void *arg);

/* The phases. */
clump_status clump_ranks_plan(clump_ranks *ranks);
clump_status clump_ranks_sort(clump_ranks *ranks);
clump_status clump_ranks_shuffle(clump_ranks *ranks);
clump_status clump_ranks_cluster_tiles(clump_ranks *ranks);
clump_status clump_ranks_link(clump_ranks *ranks);
clump_status clump_ranks_merge(clump_ranks *ranks);
clump_status clump_ranks_number(clump_ranks *ranks);
clump_status clump_ranks_send_home(clump_ranks *ranks);

/* All of them. phases_s: adds the seconds of plan, scatter, tiles, merge and output (labels home), as in
 * clump_big_result. */
clump_status clump_ranks_cluster(clump_ranks *ranks, double phases_s[CLUMP_BIG_PHASES]);

void clump_ranks_release(clump_ranks *ranks); /* all memory, the labels too */

#endif
