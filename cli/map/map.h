/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map.h: the frames of `clump map` on their way to the map.
 *
 *     commands/cmd_map.c   the command line, the output and the report
 *     map_poses.c          frame -> pose: of a file, or by odometry
 *     map_moving.c         frame -> clusters and tracks; some frames later, a mask: which points move
 *     map_frames.c         the two readings: frames wait for their masks, are deskewed, and enter the map; then their beams
 *
 * A frame waits in a slot until CLI_MAP_AHEAD later frames have been read: an object is judged after some frames only, and
 * the velocity during a turn is that up to the next pose.
 */
#ifndef CLUMP_CLI_MAP_H
#define CLUMP_CLI_MAP_H

#include "files/source.h"

#include <clump/map.h>
#include <clump/odometry.h>
#include <clump/track.h>

enum {
    CLI_MAP_AHEAD = 15, /* later frames that tell whether an object moves */
    CLI_MAP_BACK = 10,  /* earlier ones */
    CLI_MAP_SLOTS = CLI_MAP_AHEAD + 1,
    CLI_MAP_LEAST = 2 /* frames of these in which the object must be judged to move */
};
#define CLI_MAP_GROW                                                                                                   \
    0.1f /* m: points this far around the box of an object that moves are its own, where no cluster has them */
#define CLI_MAP_DOWN 0.2f /* m: the same below it */

/* --- map_moving.c ------------------------------------------------------------------------------------- */

/* The frames in which an object was judged, of those around the frame that gets its mask. */
typedef struct cli_map_votes {
    uint16_t moving, standing;
} cli_map_votes;

/* One frame: its clusters and what is known of them. */
typedef struct cli_map_scene {
    int32_t *labels;
    uint8_t *mask;
    size_t point_room;
    clump_cluster *clusters;
    clump_track *tracks;
    int32_t count, cluster_room;
} cli_map_scene;

/* Zeroed but for the context it is valid. */
typedef struct cli_map_moving {
    clump_context *context;
    clump_tracker *tracker; /* null: tracks are not used */
    struct {
        uint64_t *ids;
        clump_track_motion *motions;
        int32_t count, room;
    } judged[CLI_MAP_BACK + CLI_MAP_AHEAD + 1]; /* by the number of the frame */
    cli_map_votes *votes;                       /* by identity */
    size_t vote_room;
    size_t entered, left; /* frames that count in the votes: those of left ... entered - 1 */
    uint64_t points;      /* that move */
} cli_map_moving;

/* Finds and tracks the objects of the next frame. pose null: the frame has none, and no object. Returns CLI_DONE, or prints
 * why not and returns CLI_FAILED. */
int cli_map_moving_push(cli_map_moving *moving, cli_map_scene *scene, clump_points points, int64_t time,
                        const double *pose);

/* Makes the mask of frame `number`, the next that has none; later frames that tell of it have been pushed. */
void cli_map_moving_mask(cli_map_moving *moving, size_t number, cli_map_scene *scene, clump_points points);

void cli_map_scene_release(cli_map_scene *scene);
void cli_map_moving_release(cli_map_moving *moving);

/* --- map_poses.c -------------------------------------------------------------------------------------- */

typedef struct cli_map_pose {
    double matrix[12]; /* matrix[0] is NaN: the frame has no pose */
    int64_t time;
} cli_map_pose;

typedef struct cli_map_poses {
    const char *path;         /* of --poses; null: by odometry */
    clump_poses file;         /* of the path */
    clump_odometry *odometry; /* null: poses are from a file */
    cli_map_pose *of;         /* the frames that were read */
    size_t count, room;
    size_t unplaced; /* frames without a pose: left out */
    size_t unplaced_first;
    const char *why; /* of the first of them */
    int64_t last;    /* time of the last frame that odometry got */
} cli_map_poses;

/* Finds the pose of the next frame. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_map_pose_find(cli_map_poses *poses, clump_context *context, const cli_source *source, const clump_frame *frame,
                      clump_points points, const float *times);

/* Refuses poses of a file that are left over: `read` frames have been read. */
int cli_map_poses_check(const cli_map_poses *poses, const cli_source *source, uint64_t read);

static inline bool cli_map_is_placed(const cli_map_poses *poses, size_t number)
{
    return number < poses->count && !isnan(poses->of[number].matrix[0]);
}

void cli_map_poses_release(cli_map_poses *poses);

/* --- map_frames.c ------------------------------------------------------------------------------------- */

typedef struct cli_map_slot {
    clump_frame frame;
    cli_point_times times;
    const float *times_of; /* of the points, seconds after the stamp of the frame; null: they have none */
    cli_map_scene scene;
} cli_map_slot;

typedef struct cli_map {
    const cli_source_settings *settings;
    const char *const *paths;
    size_t path_count;
    const char *times; /* of --times */
    bool tracks, quiet;
    clump_context *context;
    clump_map *map;
    cli_source source;
    cli_map_poses poses;
    cli_map_moving moving;
    cli_map_slot slots[CLI_MAP_SLOTS];
    size_t frames; /* of the last reading */
    size_t deskewed;
    uint64_t points;
} cli_map;

/* Begins a map, or the part of it from block `first` along x on, with at most max_voxels; 0: all of it. What was found of poses
 * stays. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_map_begin(cli_map *map, const clump_map_options *how, int32_t first, size_t max_voxels);

/* Reads all frames that are wanted, and adds them; then `looks`: follows their beams. Returns CLI_DONE, or prints why not and
 * returns CLI_FAILED. */
int cli_map_read(cli_map *map, bool looks);

void cli_map_release(cli_map *map);

#endif
