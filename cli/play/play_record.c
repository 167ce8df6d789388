/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_record.c: what outputs have in common: a frame as the messages of a recording, for -o, --serve and ROS 2; the job as JSON.
 */
#include "play/play.h"

#include "base/json.h"
#include "files/output.h"

bool cli_play_writes_page(const cli_play_settings *s)
{
    return s->output && cli_view_kind_of(s->output, NULL) == CLI_VIEW_PAGE;
}

clump_status cli_play_set_tracks(const cli_play *play, cli_play_slot *slot, clump_message *message)
{
    if (!play->drive.tracker) return CLUMP_OK;
    if (!cli_play_slot_point_tracks(slot)) return CLUMP_ERR_OUT_OF_MEMORY;
    const clump_field field = {.name = "track", .type = CLUMP_TYPE_U32, .count = 1, .data = slot->point_tracks};
    const clump_field moves = {.name = "moving", .type = CLUMP_TYPE_U8, .count = 1, .data = slot->point_moves};
    const clump_status status = clump_cloud_set_field(slot->frame.cloud, &field, message);
    if (status != CLUMP_OK || !slot->has_pose) return status;
    return clump_cloud_set_field(slot->frame.cloud, &moves, message);
}

clump_up cli_play_up(const cli_play *play)
{
    const cli_cluster *const s = play->plan.settings;
    return cli_ground_options(&s->ground, &s->region, (const double[3]){0}).up;
}

clump_status cli_play_record(const cli_play *play, cli_play_slot *slot, clump_recorder *to, clump_message *message)
{
    const clump_recorder_boxes boxes = {.clusters = slot->boxes.clusters,
                                        .count = slot->count,
                                        .ids = play->drive.tracker ? slot->ids : NULL,
                                        .velocities = play->drive.tracker ? (const float(*)[3])slot->velocities : NULL,
                                        .up = cli_play_up(play)};
    clump_status status = cli_play_set_tracks(play, slot, message);
    if (status == CLUMP_OK && slot->has_pose)
        status = clump_recorder_transform(to, "/tf", &slot->frame, "odom", slot->frame_pose, message);
    if (status == CLUMP_OK) status = clump_recorder_cloud(to, "/clump/points", &slot->frame, slot->labels, message);
    if (status == CLUMP_OK) status = clump_recorder_markers(to, "/clump/markers", &slot->frame, &boxes, message);
    if (status == CLUMP_OK) status = clump_recorder_detections(to, "/clump/detections", &slot->frame, &boxes, message);
    return status;
}

void cli_play_put_job(cli_json *j, const cli_play *play)
{
    const cli_cluster *const s = play->plan.settings;
    cli_json_text(j, "job", play->job_command->name);
    cli_json_open(j, "parameters", '{');
    play->plan.job.put_parameters(j, s);
    cli_put_region(j, &s->region);
    if (play->plan.job.by_class) cli_put_by_class_settings(j, s);
    cli_json_close(j, '}');
}
