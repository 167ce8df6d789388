/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map_poses.c: see map.h.
 */
#include "map/map.h"

#include <stdlib.h>
#include <string.h>

#define MAP_TIME_GAP UINT64_C(20000000) /* a pose belongs to a frame if it is at most 20 ms away */

static uint64_t gap_between(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* Finds the pose of the file: that of the number of the frame, or of the nearest time. */
static int take_pose(const cli_map_poses *poses, const cli_source *source, const clump_frame *frame, cli_map_pose *out)
{
    const clump_poses *const file = &poses->file;
    size_t nearest = 0;
    if (!file->times && frame->index >= file->count)
        return cli_fail("%s: has %zu pose%s, %s has more frames", poses->path, file->count, file->count == 1 ? "" : "s",
                        source->name);
    for (size_t low = 0, high = file->times ? file->count : 0; low < high;) { /* times rise */
        const size_t middle = low + (high - low) / 2;
        if (gap_between(file->times[middle], frame->stamp) < gap_between(file->times[nearest], frame->stamp))
            nearest = middle;
        if (file->times[middle] < frame->stamp)
            low = middle + 1;
        else
            high = middle;
    }
    if (file->times && gap_between(file->times[nearest], frame->stamp) > MAP_TIME_GAP)
        return cli_fail("%s: has no pose within 0.02 s of frame %llu of %s", poses->path,
                        (unsigned long long)frame->index, source->name);
    if (!file->times) nearest = (size_t)frame->index;
    memcpy(out->matrix, file->matrices[nearest], sizeof out->matrix);
    out->time = file->times ? file->times[nearest] : frame->stamp;
    return CLI_DONE;
}

/* Finds the pose by the points. A frame that cannot be registered has none. */
static int register_frame(cli_map_poses *poses, clump_context *context, const clump_frame *frame, clump_points points,
                          const float *times, cli_map_pose *out)
{
    clump_odometry_pose pose = {.why = "it is not later than the frame before"};
    if (poses->count == 0 || frame->stamp > poses->last) {
        const clump_status status = clump_odometry_push(context, poses->odometry, frame->stamp, points, times, &pose);
        if (status != CLUMP_OK) return cli_fail_context(context, status);
        poses->last = frame->stamp;
    }
    memcpy(out->matrix, pose.transform, sizeof out->matrix); /* the first three rows */
    out->time = frame->stamp;
    if (!pose.why) return CLI_DONE;
    out->matrix[0] = (double)NAN;
    if (poses->unplaced++ == 0) poses->why = pose.why, poses->unplaced_first = poses->count;
    return CLI_DONE;
}

int cli_map_pose_find(cli_map_poses *poses, clump_context *context, const cli_source *source, const clump_frame *frame,
                      clump_points points, const float *times)
{
    if (poses->count == poses->room) {
        const size_t room = 2 * poses->room + 256;
        cli_map_pose *const more = realloc(poses->of, room * sizeof *more);
        if (!more) return cli_fail("not enough memory for %zu poses", room);
        poses->of = more;
        poses->room = room;
    }
    cli_map_pose *const out = &poses->of[poses->count];
    CLI_TRY(poses->odometry ? register_frame(poses, context, frame, points, times, out)
                            : take_pose(poses, source, frame, out));
    poses->count++;
    return CLI_DONE;
}

int cli_map_poses_check(const cli_map_poses *poses, const cli_source *source, uint64_t read)
{
    const cli_source_settings *const s = source->settings;
    if (poses->odometry || poses->file.times || s->frames > 0 || isfinite(s->length)) return CLI_DONE;
    if (read == 0 || poses->file.count == read) return CLI_DONE;
    return cli_fail("%s: has %zu poses, %s has %llu frame%s", poses->path, poses->file.count, source->name,
                    (unsigned long long)read, read == 1 ? "" : "s");
}

void cli_map_poses_release(cli_map_poses *poses)
{
    clump_odometry_destroy(poses->odometry);
    clump_poses_free(&poses->file);
    free(poses->of);
}
