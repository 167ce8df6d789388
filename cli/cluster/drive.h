/* SPDX-License-Identifier: BSD-3-Clause
 *
 * drive.h: --track and --poses: the identities of objects over the frames of a drive, and where the sensor was. For `play` and
 * `view`.
 *
 * A `pose` takes coordinates of a frame to the ground. Poses of a KITTI file belong to the frames of the topic in their order,
 * those of a TUM file or of the transforms of a recording to the frames of their times. Odometry finds them from the points.
 */
#ifndef CLUMP_CLI_DRIVE_H
#define CLUMP_CLI_DRIVE_H

#include "cluster/cluster.h"
#include "files/source.h"

#include <clump/odometry.h>
#include <clump/track.h>

typedef struct cli_drive_settings {
    bool track;
    const char *poses; /* a file, "odometry", "none"; null: transforms of the recording or odometry */
    double gate;       /* negative: not given */
    bool no_memory;
} cli_drive_settings;

/* Rows of an option table; `member` is a cli_drive_settings. */
#define CLI_DRIVE_OPTIONS(settings, member)                                                                            \
    CLI_OPTION(CLI_SWITCH, 0, "track", NULL, offsetof(settings, member.track), .matters = true,                        \
               .help = "give each object an identity over time, and a velocity over ground; say what moves"),          \
        CLI_OPTION(CLI_TEXT, 0, "poses", "FILE", offsetof(settings, member.poses), .matters = true,                    \
                   .help = "where the sensor was: a KITTI or TUM file, a recording with transforms, odometry, or "     \
                           "none: velocities are relative to the sensor (default: transforms of REC if they cover "    \
                           "the frames, else odometry)")

typedef struct cli_drive {
    const cli_drive_settings *s;
    clump_tracker *tracker;
    clump_memory *memory;     /* null: not in use */
    clump_poses poses;        /* of a file or of transforms */
    clump_odometry *odometry; /* null: not in use */
    cli_point_times times;    /* of the points of a frame, for odometry */
    bool over_ground;         /* frames have poses */
    const char *from;         /* that poses are of: a path, "odometry", "transforms"; null: none */
    uint64_t lost;            /* frames that odometry could not register: they have the expected pose */
    const char *why;          /* of the first of them; else null */
    uint64_t unjudged; /* frames of which it is not known what moves, as a pose within a second before was lost */
    bool was_lost;     /* a pose was, */
    int64_t lost_at;   /* the last one at this time */
    uint64_t frames;
    size_t turn;  /* of --loop: that of the last frame */
    int64_t last; /* time of the last frame */
} cli_drive;

/* A frame on its way through the drive. */
typedef struct cli_drive_frame {
    const clump_frame *frame;
    int64_t recorded; /* stamp in the recording; that of the frame goes on in each turn */
    size_t turn;
    const clump_cluster *clusters;
    int32_t count;
    /* for the memory, which changes them; boxes null: without */
    clump_points points;
    int32_t *labels;
    cli_boxes *boxes; /* of clump_objects; gets more room where it is needed. `clusters` and `count` follow */
    clump_describe_options describe;
    /* results */
    clump_track *tracks;      /* memory of the caller for `count`, */
    clump_memory_box *wholes; /* and this; not written without a memory */
    bool has_pose;
    double pose[12];       /* takes what is relative to the origin of the cloud to the ground */
    double frame_pose[12]; /* the same for coordinates of the frame */
} cli_drive_frame;

int cli_drive_check(const cli_command *self, const cli_drive_settings *s);

/* Creates the tracker and opens the poses. first: the first frame of the source. Returns CLI_DONE, or prints what is wrong and
 * returns the exit status. cli_drive_end() follows in any case. */
int cli_drive_begin(cli_drive *drive, const cli_command *self, const cli_drive_settings *s, clump_context *context,
                    clump_up up, const cli_source *source, const clump_frame *first);

/* Lets the frames after this correct their objects by earlier ones, where they have poses. */
clump_status cli_drive_use_memory(cli_drive *drive, clump_context *context, clump_up up);

/* Finds the pose of the next frame, and corrects its clusters by earlier frames. */
clump_status cli_drive_correct(cli_drive *drive, clump_context *context, cli_drive_frame *frame, clump_message *why);

/* Finds the tracks of its clusters, after that. */
clump_status cli_drive_track(cli_drive *drive, clump_context *context, cli_drive_frame *frame);

/* Both. */
clump_status cli_drive_next(cli_drive *drive, clump_context *context, cli_drive_frame *frame, clump_message *why);

/* Prints "poses     by odometry; 2 of 60 frames lost"; nothing without poses. */
void cli_drive_report(FILE *to, const cli_drive *drive);
void cli_drive_put(cli_json *j, const cli_drive *drive); /* keys "poses" and "lost_poses" */

void cli_drive_end(cli_drive *drive); /* a zeroed one is fine */

#endif
