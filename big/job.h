/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job.h: a run, and its phases (run.c has their order). A run has ranks: processes that share its work, or one. Each rank
 * reads a share of the blocks, and clusters the tiles that it has. Where there is one, nothing is sent.
 *
 *     survey.c          looks at the headers and at some blocks; plans the tiles, and which rank has them
 *     ground/phase.c    finds the ground, where it is wanted (ground/ground.h)
 *     scatter.c         reads all blocks once; their points go to the logs of the ranks, tile by tile
 *     tiles/split.c     divides tiles that have too many points
 *     tiles/tiles.c     clusters the tiles, one per thread
 *     tiles/merge.c     finds clusters that cross tiles
 *     tiles/number.c    numbers all clusters
 *     clusters.c        descriptions of the clusters, where they are wanted (clusters.h)
 *     output.c          labels in the order of the input
 *
 * What the phases share:
 *
 *     work.c            the work folder: lock, restart; describe.c says what is in it
 *     plan.c            the file that says what a work folder is for
 *     budget.c          what the memory of a run is used for
 *     frame.c           what the coordinates become: stored numbers, voxels, floats
 *     pick.c            from a block to the stored form of its points
 *     groups.c          clusters per class: the groups of the classes
 *     workers.c         a function on several threads; blocks of the reader to them
 *     ranks.c           what the ranks of a run agree on, and what each of them has
 *     progress.c        progress reports; whether the caller has cancelled
 *
 * Words of big/: a `run` is one clump_big_run(), which can go on where an earlier one ended. A `block` is 65,536 consecutive
 * points of the input. A `frame` is what a coordinate is, `whole` or `steps`. A `phase` is a step of a run.
 */
#ifndef CLUMP_BIG_JOB_H
#define CLUMP_BIG_JOB_H

#include "common/sort.h"
#include "frame.h"
#include "ground/ground.h"
#include "peers/peers.h"
#include "store/hooks.h"
#include "store/log.h"
#include "tiles/map.h"
#include "workers.h"

#include <clump/big.h>

/* --- budget.c: what the memory of a run is used for. Phases come one after the other, so each may use all of it */

typedef struct clump_big_budget {
    size_t ram;      /* bytes, in all */
    int threads;     /* that read and scatter */
    int tilers;      /* that cluster tiles */
    uint64_t most;   /* points of a tile with its rim */
    size_t buffers;  /* bytes of one thread's buffers in the scatter */
    uint64_t window; /* points per window of the output */
    size_t entries;  /* entries per window of the merge */
    size_t nodes;    /* clusters that cross tiles, in the merge; 0: no limit */
    size_t fixed;    /* bytes that are not for points */
    size_t describe; /* bytes for the clusters that are described together */
    size_t squares;  /* of the ground */
    size_t stored;   /* bytes that points and results of tiles take in memory; 0: they can only be on the disk */
} clump_big_budget;

/* Divides the memory. min_points: as in the settings. */
clump_big_budget clump_big_budget_make(const clump_big_options *options, size_t min_points,
                                       const clump_big_hooks *hooks);

/* Returns the least memory of which this many bytes are left, for what is not a store in memory. */
typedef struct clump_big_job clump_big_job;
uint64_t clump_big_budget_with_store(const clump_big_job *job, uint64_t bytes);

/* Returns the least memory, in whole MB of 2^20 bytes, with which a tile of this size can be clustered. It is alone in memory
 * then. The same for the ground of so many squares. */
uint64_t clump_big_budget_for_tile(const clump_big_job *job, uint64_t points);
uint64_t clump_big_budget_for_ground(const clump_big_job *job, uint64_t squares);

/* Returns the most memory that the process has used, in bytes; 0 where the system does not tell. */
size_t clump_big_peak(void);

/* --- the job ---------------------------------------------------------------------------------------- */

/* The order of clump_big_result.phases_s, whose last is the exchange. The last three are told as phases, but their times are
 * those of others. */
typedef enum clump_big_phase {
    CLUMP_BIG_PLAN,
    CLUMP_BIG_SCATTER,
    CLUMP_BIG_TILES,
    CLUMP_BIG_MERGE,
    CLUMP_BIG_OUTPUT,
    CLUMP_BIG_SPLIT,
    CLUMP_BIG_CLUSTERS,
    CLUMP_BIG_GROUND
} clump_big_phase;

/* What is known of a tile. */
typedef struct clump_big_tile {
    uint32_t cut;       /* number of the division that made it; 0: the map of the survey */
    bool divided;       /* it has no points any more */
    uint64_t own, rim;  /* points */
    bool done;          /* clustered: the rest is set */
    uint64_t at, bytes; /* its result in the file of results */
    uint64_t base;      /* number of its first provisional label among those of this rank */
    uint32_t clusters, choices, runs;
    uint32_t groups;                  /* as many as clusters; 0: without classes */
    uint64_t rims, strips, choosable; /* entries of the lists */
    uint64_t thinned;                 /* own points that have the label of another one */
} clump_big_tile;

/* A tile that was divided: its own map of tiles. */
typedef struct clump_big_cut {
    uint32_t tile;       /* that was divided */
    uint32_t first_tile; /* number of the map's tile 0 */
    clump_big_map map;
} clump_big_cut;

struct clump_big_job {
    clump_mail mail;              /* to the other ranks */
    uint64_t *words;              /* scratch: 2 per rank, and 1 */
    uint64_t share, share_blocks; /* the first block that this rank reads, and how many */
    uint32_t *first_tile;         /* ranks + 1: which tiles of the map each rank has */
    uint64_t *first_label;        /* ranks + 1: which provisional labels of all tiles each rank has */
    double mail_s;                /* seconds of the mail that phases_s has */

    clump_context *checks; /* on one thread; its sentences refuse options */
    clump_reader *reader;
    clump_reader_info info;
    clump_joint_settings settings; /* d is that of the frame */
    const clump_big_options *options;
    const clump_big_hooks *hooks; /* never null */
    clump_big_workers workers;
    clump_big_budget budget;
    clump_big_filter filter;
    clump_big_groups *groups; /* null: without classes */
    clump_big_frame frame;
    clump_big_map map;
    clump_big_ground ground; /* in its phase and the scatter */

    clump_big_disk disk;
    clump_big_file lock; /* of the work folder */
    bool fresh;          /* the folder is locked and has no plan yet: nothing in it is worth keeping */
    char *text;          /* inputs and parameters, as in the plan */
    uint64_t fingerprint;
    const char *output;    /* null: none */
    uint64_t output_bytes; /* that the output takes at most */
    bool tight;            /* the disk cannot hold points and results at the same time */
    clump_big_journal journal;
    clump_big_record *records; /* of an earlier run */
    size_t record_count;
    clump_big_log log;
    clump_big_file results; /* of tiles */
    uint64_t results_size;  /* atomic */
    double synced_at;       /* time; under the lock of the journal */
    clump_big_file numbers; /* int64 per provisional label of this rank's tiles */
    clump_big_file surface; /* of the ground */
    clump_big_file marks;   /* clump_big_marks per block of the share */

    clump_big_tile *tiles;
    uint32_t tile_count;
    clump_big_cut *cuts; /* division k is cuts[k - 1] */
    uint32_t cut_count;
    size_t *segments; /* tile_count + 1: where the segments of a tile begin in the list of the log */

    clump_big_box box;    /* of all points */
    uint64_t blocks_done; /* of the scatter, counted from the first of the share; may be above share_blocks */
    uint64_t left_out;    /* points of the share that take no part */
    uint64_t moved;       /* coordinates of the share that were rounded to others */
    uint64_t own;         /* points in the log, without those in rims */
    double told;          /* share of the run that the caller was told */
    double read_weight;   /* how long it takes to read a point, to write it: see run.c */
    double write_weight;
    clump_big_result result;
};

/* Plans the tiles. `exact`: from all points, not from headers and a sample. */
clump_status clump_big_survey(clump_big_job *job, bool exact, clump_message *message);

/* Returns how many points a tile should have at most, so that tiles divide evenly among ranks. */
uint64_t clump_big_survey_tile(uint64_t points, int ranks);

/* Divides tiles among ranks: rank r gets tiles first[r] ... first[r + 1] - 1. The largest cost of a rank is as small as
 * contiguous parts allow.
 * costs  one per tile
 * first  output: ranks + 1 entries */
void clump_big_survey_share(const uint64_t *costs, uint32_t tiles, int ranks, uint32_t *first);

/* ground/phase.c: checks options.ground; finds the surface, for the scatter; forgets it. */
clump_status clump_big_ground_check(const clump_big_job *job, clump_message *message);
clump_status clump_big_find_ground(clump_big_job *job, clump_message *message);
void clump_big_leave_ground(clump_big_job *job);

/* ground/marks.c: writes the marks of a block of the share; several threads may call it. Labels the points with a mark of blocks
 * `first` ... end - 1; all ranks call it, labels are those of rank 0. Does nothing without options.ground. */
clump_status clump_big_marks_write(clump_big_job *job, uint64_t block, clump_big_marks *marks, clump_message *message);
clump_status clump_big_marks_lay(clump_big_job *job, uint64_t first, uint64_t end, int64_t *labels,
                                 clump_message *message);

clump_status clump_big_scatter(clump_big_job *job, clump_message *message);

/* Divides tiles with more points than the memory allows. */
clump_status clump_big_split(clump_big_job *job, clump_message *message);

/* Makes the list of tiles as it was after a division that an earlier run has done. `most`: as it was then. */
clump_status clump_big_split_restore(clump_big_job *job, const clump_big_record *record, clump_message *message);

/* Appends `count` tiles that division `cut` has made. */
clump_status clump_big_add_tiles(clump_big_job *job, uint32_t count, uint32_t cut, clump_message *message);

/* Counts the segments and points of all tiles anew, from the list of the log. */
clump_status clump_big_count_tiles(clump_big_job *job, clump_message *message);
clump_status clump_big_cluster_tiles(clump_big_job *job, clump_message *message);
clump_status clump_big_merge(clump_big_job *job, clump_message *message);

/* Describes the clusters for options.clusters. Does nothing without it. */
clump_status clump_big_clusters_describe(clump_big_job *job, clump_message *message);

/* Whether a tile could not be divided and needs the memory of all threads. */
bool clump_big_tile_is_heavy(const clump_big_job *job, const clump_big_tile *tile);

/* Writes the labels to `output`, which may be null, and computes their hashes. */
clump_status clump_big_output(clump_big_job *job, const char *output, clump_message *message);

/* Makes the groups of options.classes for the frame, which is chosen and gets their largest distance. */
clump_status clump_big_groups_make(clump_big_job *job, clump_message *message);

/* Tells the caller which share of a phase is done; from the calling thread only. */
void clump_big_tell(clump_big_job *job, clump_big_phase phase, double share);

/* The same, and fails where the caller has cancelled. Every loop that can take longer than some milliseconds calls it. */
clump_status clump_big_step(clump_big_job *job, clump_big_phase phase, double share, clump_message *message);

/* --- ranks.c: what the ranks of a run agree on. All ranks call these functions in the same order, from the thread that called
 * clump_big_run(). A function fails on all ranks alike, with one sentence. */

static inline int clump_big_rank(const clump_big_job *job)
{
    return job->mail.peers.rank;
}

static inline int clump_big_ranks(const clump_big_job *job)
{
    return job->mail.peers.count;
}

/* Agrees on the outcome of a phase: returns the failure of the first rank that failed, with its sentence. */
clump_status clump_big_agree(clump_big_job *job, clump_status status, clump_message *message);
/* The same. *any becomes whether it is true on a rank. */
clump_status clump_big_agree_any(clump_big_job *job, clump_status status, bool *any, clump_message *message);
/* Agrees on whether all ranks have made what takes so many bytes. */
clump_status clump_big_agree_made(clump_big_job *job, bool made, size_t bytes, clump_message *message);
/* After a call of the mail: its failures come without a sentence. */
clump_status clump_big_sent(clump_big_job *job, clump_status status, clump_message *message);

/* The functions of the mail, with sentences. */
clump_status clump_big_sum(clump_big_job *job, uint64_t *values, size_t count, clump_message *message);
clump_status clump_big_least(clump_big_job *job, int64_t *values, size_t count, clump_message *message);
clump_status clump_big_lists(clump_big_job *job, size_t size, const void *send, const uint64_t *counts, void **out,
                             uint64_t *received, size_t *total, clump_message *message);

/* Unites the boxes of all ranks. */
clump_status clump_big_unite_boxes(clump_big_job *job, clump_big_box *box, clump_message *message);

/* Sends `count` entries of `size` bytes to rank 0. *out, for free(), has those of all ranks there, one rank after the other. */
clump_status clump_big_to_first(clump_big_job *job, size_t size, const void *send, size_t count, void **out,
                                size_t *total, clump_message *message);

/* Returns the first block of the input that rank r reads, of `blocks`; for r = ranks: blocks. */
uint64_t clump_big_ranks_block(uint64_t blocks, int ranks, int r);

/* --- plan.c: the file that says what a work folder is for: inputs, parameters, frame and tiles ------ */

#define CLUMP_BIG_PLAN_NAME    "clump-plan"
#define CLUMP_BIG_NUMBERS_NAME "clump-numbers"
#define CLUMP_BIG_SURFACE_NAME "clump-surface"
#define CLUMP_BIG_MARKS_NAME   "clump-marks"

/* Writes inputs and parameters as lines of text, "d 0.5". *text is for free(). With inputs null: what all ranks of a run must have
 * in common. Copies of the inputs may have other names. */
clump_status clump_big_plan_text(const char *const *inputs, size_t count, const clump_joint_settings *settings,
                                 const clump_big_options *options, char **text, clump_message *message);

/* Returns the path of the input that has changed since the plan was saved: the first that is newer, or the only one. Null: it
 * cannot be told. */
const char *clump_big_plan_changed(const clump_big_disk *disk, const clump_reader *reader);

/* Writes the plan of a job. */
clump_status clump_big_plan_save(clump_big_job *job, const char *text, uint64_t fingerprint, clump_message *message);

/* What a plan file says. */
typedef struct clump_big_plan {
    bool found; /* false: there is none, or it is damaged; the rest is not set */
    unsigned char *data;
    const char *text; /* in data, as first_tile */
    uint64_t fingerprint, count, blocks;
    clump_big_frame frame;
    clump_big_map map;
    const uint32_t *first_tile; /* ranks + 1, where there are several */
    size_t ranks;
} clump_big_plan;

clump_status clump_big_plan_load(clump_big_disk *disk, clump_big_plan *out, clump_message *message);
void clump_big_plan_release(clump_big_plan *plan);

/* Says how two texts differ, as "d 0.5 instead of 0.6". */
void clump_big_plan_difference(const char *was, const char *is, char *out, size_t size);

/* --- work.c: the work folder of a run: its files, its lock, and how a run goes on where an earlier one ended */

/* Opens or creates the folder and locks it. Where an earlier run has left a plan for the same inputs and parameters, the job
 * gets its frame, its tiles and how far it is; else the folder is empty. Refuses other parameters, and inputs that have
 * changed. */
clump_status clump_big_work_open(clump_big_job *job, const char *const *inputs, size_t count, const char *output,
                                 const clump_joint_settings *settings, clump_message *message);

/* Writes the plan of the job, whose frame and map are set. Refuses where the disk is too small. */
clump_status clump_big_work_begin(clump_big_job *job, clump_message *message);

/* Forgets the plan and everything that was done. */
clump_status clump_big_work_clear(clump_big_job *job, clump_message *message);

/* After the scatter: makes the list of tiles, and marks those that an earlier run has clustered. */
clump_status clump_big_work_tiles(clump_big_job *job, clump_message *message);

/* Closes the files. Deletes the folder with `remove`, or where the run has ended before it had a plan. */
void clump_big_work_close(clump_big_job *job, bool remove);

#endif
