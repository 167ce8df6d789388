/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tiles.h: what the files of the room share: tiles are loaded, and their clusters merged and numbered.
 */
#ifndef CLUMP_BIG_TILES_H
#define CLUMP_BIG_TILES_H

#include "job.h"

#include <clump/clump.h>

/* --- nodes.c: clusters of tiles that cross into other tiles: the nodes of a union-find, at last on rank 0. A cluster has the
 * number of its provisional label among those of all ranks. Only clusters that share a point with another tile become nodes.
 * Each rank has a list of those in its own tiles. */

typedef struct clump_big_node {
    uint64_t id; /* provisional label among all tiles */
    size_t parent;
    int64_t first, size; /* of roots: of the whole cluster */
    int64_t number;      /* of roots: with classes the group at first; then CLUMP_NOISE, or the label */
} clump_big_node;

typedef struct clump_big_nodes {
    clump_big_node *node;
    size_t count, capacity;
    size_t *slots; /* node + 1, by hash of the id; 0: empty */
    size_t slot_mask;
    uint64_t links; /* pairs that were united */
    size_t most;    /* nodes; 0: no limit */
} clump_big_nodes;

enum { CLUMP_BIG_NODE_BYTES = 128 }; /* memory per node at most, while clump_big_nodes_finish() sorts them */

/* Unites the clusters with these ids; makes nodes of them on first use. Fails where there would be more than `most`. */
clump_status clump_big_nodes_unite(clump_big_nodes *nodes, uint64_t a, uint64_t b, clump_message *message);

/* Sorts the nodes by id and makes every parent a root. Nothing can be united afterwards. */
clump_status clump_big_nodes_finish(const clump_big_job *job, clump_big_nodes *nodes, clump_message *message);

/* Moves the nodes of all ranks to rank 0. */
clump_status clump_big_nodes_gather(clump_big_job *job, clump_big_nodes *nodes, clump_message *message);

void clump_big_nodes_release(clump_big_nodes *nodes);

/* The clusters of this rank's tiles that cross, ascending by id. */
typedef struct clump_big_crossing {
    size_t count;
    uint64_t *ids;      /* provisional labels of this rank */
    int64_t *firsts;    /* of whole clusters */
    int64_t *values;    /* groups; then sizes; then numbers of whole clusters */
    uint64_t *counts;   /* on rank 0: entries of each rank */
    uint64_t *received; /* scratch: one per rank */
} clump_big_crossing;

/* Makes the list of every rank, from the nodes of rank 0. */
clump_status clump_big_crossing_make(clump_big_job *job, const clump_big_nodes *nodes, clump_big_crossing *out,
                                     clump_message *message);

/* Computes values on rank 0: one per node, in their order. */
typedef void clump_big_combine(clump_big_nodes *nodes, int64_t *values);

/* Sends the values of all lists to rank 0, which combines them, and back. */
clump_status clump_big_crossing_share(clump_big_job *job, clump_big_nodes *nodes, const clump_big_crossing *list,
                                      int64_t *values, clump_big_combine *combine, clump_message *message);

/* Returns the first entry whose id is at least `id`. */
size_t clump_big_crossing_from(const clump_big_crossing *list, uint64_t id);

void clump_big_crossing_release(clump_big_crossing *list);

/* --- number.c: how many clusters have which size, and the next number of each size where clusters are ordered by size.
 * There are at most sqrt(2 n) different sizes among n points. */

typedef struct clump_big_size {
    uint64_t size; /* 0: empty slot */
    uint64_t count, next;
} clump_big_size;

typedef struct clump_big_sizes {
    clump_big_size *slots;
    size_t used, capacity; /* capacity: 0 or a power of two */
} clump_big_sizes;

clump_status clump_big_sizes_add(clump_big_sizes *sizes, uint64_t size, uint64_t count, clump_message *message);

void clump_big_sizes_release(clump_big_sizes *sizes);

/* --- merge.c, number.c: the file of numbers has one int64 per provisional label of this rank's tiles:
 *
 *     after merge.c    CLUMP_BIG_CROSSES   the cluster crosses into other tiles: see its node
 *                      CLUMP_NOISE         no label: too small, or too large
 *                      1 and more          the size of a cluster inside of the tile, which gets a number
 *                      of choices          the cluster of the tile that they take
 *     after number.c   the label of the whole survey, or CLUMP_NOISE */

#define CLUMP_BIG_CROSSES (-2)

/* Where the steps of the merge end, as shares of the phase. */
#define CLUMP_BIG_LINKS_END   0.4
#define CLUMP_BIG_FIRSTS_END  0.5
#define CLUMP_BIG_SIZES_END   0.7
#define CLUMP_BIG_WINDOWS_END 0.9

typedef struct clump_big_merging {
    clump_big_job *job;
    clump_big_nodes nodes;
    clump_big_crossing mine;
    clump_big_sizes sizes; /* of clusters with a number; only for CLUMP_ORDER_SIZE */
    uint64_t clusters;     /* with a number; of all ranks, in the end, as what follows */
    uint64_t labelled;     /* points with a label */
    uint64_t largest;
    uint64_t dropped, dropped_points, kept; /* clusters that are too large for their group, and points of these */
} clump_big_merging;

/* Returns a share of the merge: `part` of the step between two shares. */
static inline double clump_big_between(double from, double to, double part)
{
    return from + (to - from) * part;
}

/* --- windows.c: lists of this rank, each sorted by index, are read together: in windows of the index, of which the memory has all
 * entries. A window is divided among the ranks: entries of a point go to one */

typedef struct clump_big_windows clump_big_windows;
typedef clump_status clump_big_windows_step(clump_big_windows *w, size_t list, clump_message *message);

struct clump_big_windows {
    clump_big_job *job;
    void *user;
    size_t lists;
    size_t capacity;              /* entries of a window that a rank has or gets at most */
    double begin, finish;         /* shares of the merge */
    bool to_first;                /* rank 0 gets all entries */
    clump_big_windows_step *read; /* adds the entries of a list before `end`, from at[list] on; sets next[list] */
    clump_status (*use)(clump_big_windows *w, clump_message *message); /* of a complete window; on all ranks */

    int64_t from, end;   /* the window */
    bool full;           /* a rank has or gets too many entries */
    uint64_t *at, *next; /* per list: entries before the window, and before the next one */
    clump_pair *pairs;   /* index and value, sorted by index before they are used; scratch behind them */
    size_t count;        /* of pairs */
    uint64_t all;        /* entries of all ranks */
    uint64_t *counts;    /* per rank: entries that go to it; behind them scratch, one per rank */
};

/* Runs through all windows. entries: of all lists of all ranks, about. */
clump_status clump_big_windows_run(clump_big_windows *w, uint64_t entries, clump_message *message);

/* Adds an entry to the window. False: there is no room. */
static inline bool clump_big_windows_add(clump_big_windows *w, int64_t index, uint64_t value)
{
    w->full = w->count == w->capacity;
    if (!w->full) w->pairs[w->count++] = (clump_pair){(uint64_t)index, value};
    return !w->full;
}

/* Numbers the clusters. */
clump_status clump_big_number(clump_big_merging *m, clump_message *message);

/* --- tile_load.c: the points of one tile, from the segments of the log to what clump_piece_cluster() takes */

/* Position of each point by group; x y z, index, strip and label of the points of one group. */
enum { CLUMP_BIG_SPARE = 4 + 12 + 8 + 1 + 4 };

/* Memory of one thread. Set to zero before the first use. */
typedef struct clump_big_loaded {
    size_t own, count; /* own points first, ascending by index, then the rim */
    float *xyz;
    int64_t *indices;
    uint8_t *strip;        /* one per own point: it may be in the rim of another tile */
    int32_t *labels;       /* room for one per own point */
    uint16_t *ids;         /* classes, one per point; null: the frame has none */
    unsigned char *spare;  /* with classes: room for the points of a group, CLUMP_BIG_SPARE bytes per point */
    unsigned char *memory; /* of all arrays */
    size_t memory_size;
} clump_big_loaded;

/* Cuts the next array off the memory, which has 64 bytes to spare for each. */
static inline void *clump_big_cut_off(unsigned char **memory, size_t bytes)
{
    void *const array = *memory;
    *memory += (bytes + 63) / 64 * 64;
    return array;
}

/* Loads a tile. `frame` is that of the job, or the same with another kind: it tells which floats the points become. */
clump_status clump_big_tile_load(const clump_big_job *job, const clump_big_frame *frame, uint32_t number,
                                 clump_big_loaded *out, clump_message *message);
void clump_big_tile_unload(clump_big_loaded *loaded);

/* --- tile_groups.c: clusters per class. The points of a group are a piece of their own; the pieces of all groups put together
 * are that of the tile, because a point has one group */

typedef struct clump_big_grouped {
    clump_piece piece; /* but that clusters of a choice need not ascend */
    uint8_t *groups;   /* of each cluster */
    void *memory;
} clump_big_grouped;

/* Clusters a loaded tile, group by group, and writes its labels. *out is for free(out->memory). */
clump_status clump_big_groups_cluster(const clump_big_job *job, clump_context *ctx, uint32_t number,
                                      clump_big_loaded *loaded, clump_big_grouped *out, clump_message *message);

/* --- tile_thin.c: one point per voxel of thinning, the one with the smallest index. A tile has all points of such a voxel or
 * none, all of them own points or all of them in its rim */

typedef struct clump_big_thinned {
    size_t own, count; /* representatives: own points first, ascending by index */
    int64_t *indices;  /* of them */
    uint32_t *of;      /* per own point: the number of its representative */
} clump_big_thinned;

/* Finds the representatives of a loaded tile. Their coordinates move to the front of loaded->xyz, the strip of own ones to the
 * front of loaded->strip. */
clump_status clump_big_thin_select(const clump_big_job *job, clump_big_loaded *loaded, clump_big_thinned *out,
                                   clump_message *message);

/* Makes the piece of the representatives that of all points. Labels of representatives are at the front of loaded->labels. */
void clump_big_thin_carry(const clump_big_thinned *thinned, clump_big_loaded *loaded, clump_piece *piece);

void clump_big_thin_release(clump_big_thinned *thinned);

#endif
