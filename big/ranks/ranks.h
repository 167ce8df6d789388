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
 *
 * A file per phase: ranks_plan.c, ranks_sort.c, ranks_shuffle.c, ranks_tiles.c, ranks_links.c, ranks_merge.c,
 * ranks_number.c and ranks_sizes.c (numbers by size), ranks_home.c. Besides:
 *
 *     ranks_run.c      the order of the phases; clump_big_run(): ranks_read.c reads the files, ranks_output.c writes them
 *     ranks.c          what the phases share: how ranks agree on a failure, which rank has what, progress
 *     ranks_share.c    which rank has which tiles and which points
 *     ranks_sets.c     disjoint sets of 64-bit numbers
 *     ranks_folder.c   the work folder; ranks_work.c: results of tiles in it
 */
#ifndef CLUMP_BIG_RANKS_H
#define CLUMP_BIG_RANKS_H

#include "frame.h"
#include "peers/peers.h"
#include "store/fail.h"
#include "tiles/map.h"
#include "workers.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
    bool is_loaded;            /* the piece comes from the work folder: it is for free() */
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
    clump_big_report progress;  /* may be null; called on rank 0 */
    void *progress_user;
    uint64_t most;        /* points per tile; 0: clump_ranks_most() */
    uint64_t first_index; /* 0; tests: index of the first point of all */
    size_t ram;           /* 0: no limit; bytes */
    const char *work;     /* null, or a folder for results of tiles */
    uint64_t work_key;    /* a number of the input; becomes that of the run */
    uint64_t share;       /* points of this rank's share of the input, below 2^32 - 1 */
    uint64_t moved;       /* coordinates of the share that were rounded to others */
    size_t taken;         /* those of them that take part, */
    void *stored;         /* as the frame stores them, from malloc(); freed here, */
    uint32_t *places;     /* and their places in the share, ascending; from malloc(); freed here */

    /* the result */
    void *labels; /* the labels of the share: int32, or int64 if wide. For free() */
    bool wide;    /* int32 cannot hold the labels, or the caller wants int64 */
    int64_t clusters;
    uint64_t points, left_out;            /* of all ranks; left_out: points that take no part */
    uint64_t noise, largest, rims, links; /* of all ranks */
    uint64_t skipped;                     /* tiles of this rank whose results were in the work folder */
    uint64_t loads_most, loads_mean;      /* points per rank, rims included */
    clump_message message;

    /* between the phases */
    double told;                   /* share of the run that the caller was told */
    int step;                      /* of the list in ranks.c */
    uint64_t *starts;              /* ranks + 1: index of the first point of each share */
    clump_big_map map;             /* the plan */
    uint32_t *first_tile;          /* ranks + 1: the tiles of each rank */
    uint32_t *order;               /* stored points by tile; after the shuffle: their places in the share */
    uint32_t *rim_order;           /* stored points by the tile that has them in its rim */
    uint64_t *own_at, *rim_at;     /* tiles + 1: where the points of a tile begin in these two */
    unsigned char *received;       /* records of own and rim points, sender by sender */
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

/* Returns a stored point. */
static inline const void *clump_ranks_point(const clump_ranks *ranks, size_t number)
{
    return (const unsigned char *)ranks->stored + number * clump_big_frame_bytes(&ranks->frame);
}

/* Copies a stored point of 12 or 24 bytes. The sizes are constants, so that no function is called. */
static inline void clump_ranks_copy(void *to, const void *from, size_t bytes)
{
    if (bytes == 12)
        memcpy(to, from, 12);
    else
        memcpy(to, from, 24);
}

/* Returns the rank that has an entry of a list of ranks + 1 ascending bounds. */
int clump_ranks_of(const clump_ranks *ranks, const uint64_t *bounds, uint64_t value);
int clump_ranks_of_tile(const clump_ranks *ranks, uint32_t tile);

/* The steps of a run, in their order; their progress reports are in ranks.c. */
typedef enum clump_ranks_step {
    CLUMP_RANKS_READ,
    CLUMP_RANKS_PLAN,
    CLUMP_RANKS_SORT,
    CLUMP_RANKS_SHUFFLE,
    CLUMP_RANKS_TILES,
    CLUMP_RANKS_LINK,
    CLUMP_RANKS_MERGE,
    CLUMP_RANKS_NUMBER,
    CLUMP_RANKS_HOME,
    CLUMP_RANKS_HASH,
    CLUMP_RANKS_WRITE
} clump_ranks_step;

/* Begins a step; tells the caller which share of it is done. From the thread that called clump_big_run(). */
void clump_ranks_begin(clump_ranks *ranks, clump_ranks_step step);
void clump_ranks_tell(clump_ranks *ranks, double share);

/* Whether the caller has cancelled. Loops over points ask for it; what they leave undone must not be read. */
static inline bool clump_ranks_cancelled(const clump_ranks *ranks)
{
    return ranks->cancel && *ranks->cancel;
}

/* Agrees on the outcome of a phase: returns the failure of the first rank that failed, with its sentence, on all ranks. */
clump_status clump_ranks_agree(clump_ranks *ranks, clump_status status);
/* The same after a call of the transport: its failures come without a sentence. */
clump_status clump_ranks_sent(clump_ranks *ranks, clump_status status);

/* Fails where this rank needs more than its memory. */
clump_status clump_ranks_check_ram(clump_ranks *ranks, uint64_t needed);

/* Runs a function on the threads of this rank, and keeps the message of a failure. */
clump_status clump_ranks_work(clump_ranks *ranks, clump_big_work_function *work, void *arg);

/* Whether the size of a cluster is within the limits. */
static inline bool clump_ranks_keeps(const clump_ranks *ranks, uint64_t size)
{
    const clump_joint_settings *const s = &ranks->settings;
    return size >= s->min_size && (s->max_size == 0 || size <= s->max_size);
}

/* Numbers the clusters that have their first point in this rank's share, ascending by it: the largest of all ranks first. A
 * cluster that is not kept becomes noise. */
clump_status clump_ranks_number_by_size(clump_ranks *ranks, const uint64_t *sizes, size_t found, int64_t *numbers);

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

/* Frees the piece of a tile. */
void clump_ranks_drop_piece(clump_ranks_tile *tile);

void clump_ranks_release(clump_ranks *ranks); /* all memory, the labels too */

/* --- ranks_share.c: which rank clusters which tiles, and which points of the input a rank reads ----- */

#define CLUMP_RANKS_LARGE                                                                                              \
    ((uint64_t)1 << 22) /* points of a tile that should be divided if it can be: 300 MB of memory */

/* Returns how many points a tile should have at most: a function of the cloud alone, so that the plan does not depend on the
 * number of ranks. Large clouds have 1,024 tiles and more, for an even division among ranks. */
uint64_t clump_ranks_most(uint64_t points);

/* Divides tiles among ranks: rank r gets tiles first[r] ... first[r + 1] - 1. The largest cost of a rank is as small as
 * contiguous parts allow.
 * costs  one per tile
 * first  output: ranks + 1 entries */
void clump_ranks_share(const uint64_t *costs, uint32_t tiles, int ranks, uint32_t *first);

/* Returns the first block of the input that rank r reads, of `blocks`; for r = ranks: blocks. */
uint64_t clump_ranks_block(uint64_t blocks, int ranks, int r);

/* --- ranks_run.c: clump_big_run() on several ranks: files in, files out ----------------------------- */

/* clump_big_run() where options->peers is set. Options and settings have been checked. most: points per tile; 0: as usual. */
clump_status clump_ranks_run(const char *const *inputs, size_t count, const char *output,
                             const clump_joint_settings *settings, const clump_big_options *options, uint64_t most,
                             clump_big_result *result, clump_message *message);

/* Reads this rank's share of the blocks. Sets the frame's place and origin, and the share of `ranks`. *passes: how often
 * the share was read. */
clump_status clump_ranks_read(clump_ranks *ranks, clump_reader *reader, const clump_big_filter *filter, int *passes);

/* Writes the labels of all ranks on rank 0. */
clump_status clump_ranks_write(clump_ranks *ranks, clump_reader *reader, const char *output,
                               const clump_label_writer_options *options);

/* Computes the hashes of the labels of all ranks, on all ranks. hashes: as int32, or 0 where that cannot hold them; as
 * int64. */
clump_status clump_ranks_hash(clump_ranks *ranks, uint64_t hashes[2]);

/* --- ranks_work.c: results of tiles in a work folder that all ranks see, so that a run after a failure does not
 * cluster them again. The plan does not depend on the number of ranks, so neither do the results.
 *
 *     DIR/clump-ranks          the key of the run: input, parameters, plan
 *     DIR/clump-tile-000012    labels and links of tile 12, with a checksum
 *
 * Other files may be in the folder. They stay as they are. */

#define CLUMP_RANKS_NAME      "clump-ranks"
#define CLUMP_RANKS_TILE_NAME "clump-tile-"
#define CLUMP_RANKS_TILE_MARK UINT64_C(0x31656c69746d6c63) /* "clmtile1": the first bytes of a result */

/* Opens the folder, or makes it. Fails where it is the folder of another run or of one process, and where a file with the name
 * of a result is none. Does nothing without a folder. */
clump_status clump_ranks_work_open(clump_ranks *ranks);

/* Reads the result of a tile of this rank. False: there is none, or it is damaged. */
bool clump_ranks_work_load(clump_ranks *ranks, size_t tile);
clump_status clump_ranks_work_save(const clump_ranks *ranks, size_t tile, clump_message *message);

/* Removes the results, also parts of ranks that died, and, where nothing else is in it, the folder; on rank 0. */
void clump_ranks_work_remove(clump_ranks *ranks);

#endif
