/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_poses.c: --poses of `clump play`: where the sensor was in each frame. Poses of a KITTI file belong to the frames of the
 * topic in their order, those of a TUM file or of the transforms of a recording to the frames of their times. Odometry finds
 * them from the points.
 */
#include "play/play.h"

#include "common/assert.h"

#include <string.h>

#define PLAY_TIME_GAP UINT64_C(20000000) /* a pose belongs to a frame if it is at most 20 ms away */

int cli_play_poses_check(const cli_command *self, const cli_play_settings *s)
{
    if (!s->poses) return CLI_DONE;
    return s->track ? CLI_DONE : cli_usage(self, "--poses is for --track");
}

/* Reads the transforms of a recording: those of the coordinate frame of the clouds. */
static clump_status load_transforms(cli_play *play, const char *path, clump_message *message)
{
    clump_recording *recording;
    clump_status status = clump_recording_open(path, NULL, &recording, message);
    if (status != CLUMP_OK) return status;
    const char *const of = play->warm.frame_id;
    status = clump_recording_poses(recording, of[0] ? of : NULL, &play->poses, message);
    clump_recording_close(recording);
    return status;
}

int cli_play_poses_begin(cli_play *play)
{
    const char *const path = play->s->poses;
    if (!path || strcmp(path, "none") == 0) return CLI_DONE;
    if (strcmp(path, "odometry") == 0) {
        play->over_ground = true;
        const clump_status made = clump_odometry_create(play->context, NULL, &play->odometry);
        return made == CLUMP_OK ? CLI_DONE : cli_fail_context(play->context, made);
    }
    clump_message message = {0};
    const clump_status status = cli_names_recording(path) ? load_transforms(play, path, &message)
                                                          : clump_poses_load(path, &play->poses, &message);
    if (status != CLUMP_OK) return cli_fail_message(path, status, &message);
    if (!play->poses.times && play->s->source.from > 0)
        return cli_usage(play->self, "--poses %s has no times: it goes with all frames, not with --from", path);
    play->over_ground = true;
    return CLI_DONE;
}

static uint64_t gap_between(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* Returns the pose of the nearest time, the earlier of two; null: none is near. */
static const double *pose_at(const clump_poses *poses, int64_t time)
{
    size_t first = 0, last = poses->count; /* the first pose that is not before the time */
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (poses->times[middle] < time)
            first = middle + 1;
        else
            last = middle;
    }
    const bool earlier = first == poses->count || (first > 0 && gap_between(poses->times[first - 1], time) <=
                                                                    gap_between(poses->times[first], time));
    const size_t nearest = earlier ? first - 1 : first;
    return gap_between(poses->times[nearest], time) <= PLAY_TIME_GAP ? poses->matrices[nearest] : NULL;
}

/* Finds the pose by the points of the frame, which are relative to the origin of the cloud. */
static clump_status find_by_odometry(cli_play *play, cli_play_slot *slot)
{
    clump_odometry_pose found;
    const clump_status status = clump_odometry_push(play->context, play->odometry, slot->frame.stamp,
                                                    clump_cloud_points(slot->frame.cloud), NULL, &found);
    if (status != CLUMP_OK) return status;
    const double *const origin = clump_cloud_origin(slot->frame.cloud);
    memcpy(slot->pose, found.transform, sizeof slot->pose); /* the first three rows */
    memcpy(slot->frame_pose, slot->pose, sizeof slot->frame_pose);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) slot->frame_pose[4 * i + 3] -= slot->pose[4 * i + j] * origin[j];
    slot->has_pose = true;
    return CLUMP_OK;
}

clump_status cli_play_pose(cli_play *play, cli_play_slot *slot)
{
    slot->has_pose = false;
    if (!play->over_ground) return CLUMP_OK;
    if (play->odometry) return find_by_odometry(play, slot);
    const clump_poses *const poses = &play->poses;
    CLUMP_ASSERT(poses->count > 0);
    const double *const pose = poses->times                       ? pose_at(poses, slot->recorded)
                               : slot->frame.index < poses->count ? poses->matrices[slot->frame.index]
                                                                  : NULL;
    if (!pose && poses->times)
        snprintf(slot->why.text, sizeof slot->why.text, "%s has no pose within 0.02 s of it", play->s->poses);
    else if (!pose)
        snprintf(slot->why.text, sizeof slot->why.text, "%s has %zu poses", play->s->poses, poses->count);
    if (!pose) return CLUMP_ERR_ARGUMENT;
    memcpy(slot->pose, pose, sizeof slot->pose);
    memcpy(slot->frame_pose, pose, sizeof slot->frame_pose);
    const double *const origin = clump_cloud_origin(slot->frame.cloud); /* that clusters are relative to */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) slot->pose[4 * i + 3] += pose[4 * i + j] * origin[j];
    slot->has_pose = true;
    return CLUMP_OK;
}
