/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map_frames.c: see map.h.
 */
#include "map/map.h"

#include "base/progress.h"

#include <limits.h>

enum { MAP_READ_AHEAD = 4 };

/* Returns the points of the frame, relative to the sensor. */
static clump_points points_of(const clump_frame *frame)
{
    const clump_points points = clump_cloud_points(frame->cloud);
    const double *const origin = clump_cloud_origin(frame->cloud), zero[3] = {0};
    if (origin[0] == 0 && origin[1] == 0 && origin[2] == 0) return points;
    float *const xyz = clump_cloud_xyz(frame->cloud);
    for (size_t i = 0; i < 3 * points.count; i++) xyz[i] = (float)((double)xyz[i] + origin[i % 3]);
    clump_cloud_set_origin(frame->cloud, zero);
    return points;
}

/* Whether most of a turn is before the time of its frame: half of the points that have a time tell. */
static bool is_before(const float *times, size_t count)
{
    size_t before = 0, after = 0;
    for (size_t i = 0; i < count; i++) before += times[i]<0, after += times[i]> 0;
    return before > after;
}

/* Moves the points of a frame to its time, by the velocity up to the next pose, or since the one before where most points are
 * earlier than the frame. */
static int deskew(cli_map *m, cli_map_slot *slot, size_t number, bool counts)
{
    const clump_points points = clump_cloud_points(slot->frame.cloud);
    const cli_map_poses *const poses = &m->poses;
    if (!slot->times_of) return CLI_DONE;
    const bool later = cli_map_is_placed(poses, number + 1),
               earlier = number > 0 && cli_map_is_placed(poses, number - 1);
    if (!later && !earlier) return CLI_DONE;
    const bool backward = !later || (earlier && is_before(slot->times_of, points.count));
    const cli_map_pose *const from = &poses->of[backward ? number - 1 : number], *const to = from + 1;
    const double seconds = 1e-9 * (double)(to->time - from->time);
    bool deskewed = false;
    if (!(seconds > 0)) return CLI_DONE;
    const clump_status status = clump_deskew(m->context, points, slot->times_of, from->matrix, to->matrix, seconds,
                                             clump_cloud_xyz(slot->frame.cloud), &deskewed);
    m->deskewed += deskewed && counts;
    return status == CLUMP_OK ? CLI_DONE : cli_fail_context(m->context, status);
}

/* Puts a frame that has waited into the map, or follows its beams. */
static int finish_frame(cli_map *m, size_t number, bool looks)
{
    cli_map_slot *const slot = &m->slots[number % CLI_MAP_SLOTS];
    const clump_points points = points_of(&slot->frame);
    const bool masked = m->tracks && !looks;
    if (masked) cli_map_moving_mask(&m->moving, number, &slot->scene, points);
    if (!cli_map_is_placed(&m->poses, number)) return CLI_DONE;
    CLI_TRY(deskew(m, slot, number, !looks));
    const double *const pose = m->poses.of[number].matrix;
    const int32_t frame = (int32_t)(number < INT32_MAX ? number : INT32_MAX);
    const clump_status status =
        looks ? clump_map_look(m->context, m->map, frame, points, pose)
              : clump_map_add(m->context, m->map, frame, points, pose, masked ? slot->scene.mask : NULL);
    if (!looks) m->points += points.count;
    return status == CLUMP_OK ? CLI_DONE : cli_fail_context(m->context, status);
}

/* Finds out what is to be known of a frame that was read. */
static int begin_frame(cli_map *m, size_t number, bool looks)
{
    cli_map_slot *const slot = &m->slots[number % CLI_MAP_SLOTS];
    const clump_points points = points_of(&slot->frame);
    CLI_TRY(cli_point_times_take(&slot->times, &slot->frame, m->times, m->source.name, &slot->times_of));
    if (looks) return CLI_DONE;
    if (number == m->poses.count) /* else they are known from an earlier part */
        CLI_TRY(cli_map_pose_find(&m->poses, m->context, &m->source, &slot->frame, points, slot->times_of));
    if (!m->tracks) return CLI_DONE;
    const double *const pose = cli_map_is_placed(&m->poses, number) ? m->poses.of[number].matrix : NULL;
    return cli_map_moving_push(&m->moving, &slot->scene, points, slot->frame.stamp, pose);
}

/* Reads frames, each of which waits for `wait` later ones. */
static int read_frames(cli_map *m, bool looks, size_t wait, cli_progress *progress, size_t total, clump_status *status)
{
    size_t read = 0, done = 0;
    m->frames = 0;
    while (cli_source_next(&m->source, &m->slots[read % CLI_MAP_SLOTS].frame, status)) {
        CLI_TRY(begin_frame(m, read, looks));
        m->frames = ++read;
        if (read > wait) CLI_TRY(finish_frame(m, done++, looks));
        cli_progress_step(progress, total == 0 || read < total ? read : total);
    }
    while (*status == CLUMP_OK && done < read) CLI_TRY(finish_frame(m, done++, looks));
    return CLI_DONE;
}

int cli_map_begin(cli_map *m, const clump_map_options *how, int32_t first, size_t max_voxels)
{
    clump_map_destroy(m->map);
    m->map = NULL;
    cli_map_moving_release(&m->moving);
    m->moving = (cli_map_moving){.context = m->context};
    m->points = 0;
    m->deskewed = 0;
    clump_status status = clump_map_create(m->context, how, &m->map);
    if (status == CLUMP_OK && max_voxels > 0) status = clump_map_part(m->context, m->map, first, max_voxels);
    if (status == CLUMP_OK && m->tracks) status = clump_tracker_create(m->context, NULL, &m->moving.tracker);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_context(m->context, status);
}

int cli_map_read(cli_map *m, bool looks)
{
    cli_source_close(&m->source);
    CLI_TRY(cli_source_open(&m->source, m->paths, m->path_count, m->settings, MAP_READ_AHEAD, &m->slots[0].frame));
    const size_t total = looks ? m->frames : m->poses.odometry ? m->settings->frames : m->poses.file.count;
    const size_t wait = looks ? 0 : m->tracks ? CLI_MAP_AHEAD : 1;
    clump_status status = CLUMP_OK;
    cli_progress progress;
    cli_progress_begin(&progress, looks ? "looking" : "adding", total, m->quiet);
    cli_progress_rate(&progress, "frames", (double)total);
    const int result = read_frames(m, looks, wait, &progress, total, &status);
    cli_progress_end(&progress);
    CLI_TRY(result);
    if (status != CLUMP_OK) return cli_fail_message(m->source.name, status, &m->source.why);
    CLI_TRY(cli_source_check_any(&m->source));
    const uint64_t read = m->frames > 0 ? m->slots[(m->frames - 1) % CLI_MAP_SLOTS].frame.index + 1 : 0;
    return cli_map_poses_check(&m->poses, &m->source, read);
}

void cli_map_release(cli_map *m)
{
    clump_map_destroy(m->map);
    cli_map_poses_release(&m->poses);
    cli_map_moving_release(&m->moving);
    clump_context_destroy(m->context);
    for (size_t i = 0; i < CLI_MAP_SLOTS; i++) {
        clump_frame_release(&m->slots[i].frame);
        cli_point_times_release(&m->slots[i].times);
        cli_map_scene_release(&m->slots[i].scene);
    }
    cli_source_close(&m->source);
}
