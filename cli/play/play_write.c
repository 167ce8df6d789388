/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_write.c: the outputs of `clump play`: a folder of labelled clouds, a recording, lines of JSON; play_view.c: a page.
 */
#include "play/play.h"

#include "common/assert.h"

#include "cluster/clusters_file.h"
#include "base/json.h"
#include "files/output.h"

#include <errno.h>
#include <math.h>
#include <string.h>

int cli_play_write_begin(cli_play *play)
{
    const char *const path = play->s->output;
    if (!path || !cli_names_recording(path)) return CLI_DONE; /* a folder has been created by the check */
    clump_recorder_options options = clump_recorder_defaults();
    options.temporary = cli_note_temporary;
    clump_message message = {0};
    const clump_status status = clump_recorder_open(path, &options, &play->recorder, &message);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(path, status, &message);
}

static void put_track(FILE *to, const clump_track *track, bool over_ground)
{
    cli_json j = {.file = to, .comma = true};
    cli_json_count(&j, "track", track->id);
    cli_json_open(&j, "velocity", '[');
    for (size_t k = 0; k < 3; k++) cli_json_float(&j, NULL, track->velocity[k]);
    cli_json_close(&j, ']');
    cli_json_float(&j, "speed", track->speed);
    cli_json_count(&j, "seen", track->seen);
    if (!over_ground) return;
    if (track->motion == CLUMP_TRACK_UNKNOWN)
        cli_json_null(&j, "moving");
    else
        cli_json_bool(&j, "moving", track->motion == CLUMP_TRACK_MOVING);
    cli_json_float(&j, "confidence", track->confidence);
}

/* The size of an object over several frames, and what the memory has made of its cluster. */
static void put_whole(FILE *to, const clump_memory_box *whole, const double *origin, clump_up up)
{
    static const char *const changes[] = {NULL, "apart", "rest", "one"};
    const int across = up == CLUMP_UP_Y ? 2 : 1, turned = whole->size[1] > whole->size[0];
    const double exact[2] = {(double)whole->center[0] + origin[0], (double)whole->center[1] + origin[across]};
    const double center[2] = {floor(exact[0] * 1e4 + 0.5) / 1e4, floor(exact[1] * 1e4 + 0.5) / 1e4};
    cli_json j = {.file = to, .comma = true};
    cli_json_open(&j, "whole", '{');
    cli_json_numbers(&j, "center", center, 2);
    cli_json_float(&j, "length", whole->size[turned]);
    cli_json_float(&j, "width", whole->size[!turned]);
    cli_json_float(&j, "height", whole->upper - whole->lower);
    cli_json_float(&j, "yaw", whole->yaw + (turned ? 90.0f : 0.0f));
    cli_json_int(&j, "views", whole->views);
    cli_json_close(&j, '}');
    cli_json_text(&j, "kept", changes[whole->change]);
}

void cli_play_put_line(FILE *to, const cli_play *play, const cli_play_slot *slot)
{
    CLUMP_ASSERT(slot->count <= slot->boxes.capacity && (!play->drive.tracker || slot->count == 0 || slot->tracks));
    const cli_clusters_layout layout = {.origin = clump_cloud_origin(slot->frame.cloud),
                                        .up = cli_play_up(play),
                                        .by_class = play->by_class.table.count > 0 ? &slot->by_class : NULL};
    cli_json j = {.file = to};
    cli_json_open(&j, NULL, '{');
    cli_json_count(&j, "frame", slot->number);
    cli_json_int(&j, "stamp", slot->frame.stamp);
    cli_json_int(&j, "received", slot->frame.received);
    cli_json_text(&j, "frame_id", slot->frame.frame_id[0] ? slot->frame.frame_id : NULL);
    cli_json_text(&j, "path", slot->frame.path);
    cli_json_count(&j, "lost_packets", slot->frame.lost);
    cli_json_count(&j, "points", slot->points.count);
    if (slot->has_pose) cli_json_numbers(&j, "pose", slot->frame_pose, 12);
    cli_json_open(&j, "clusters", '[');
    for (int32_t i = 0; i < slot->count; i++) {
        if (i) fputc(',', to);
        cli_put_cluster(to, &slot->boxes, i, &layout);
        if (play->drive.tracker) put_track(to, &slot->tracks[i], slot->has_pose);
        if (play->drive.memory) put_whole(to, &slot->wholes[i], layout.origin, layout.up);
        fputc('}', to);
    }
    cli_json_close(&j, ']');
    cli_json_end(&j);
}

int cli_play_write(cli_play *play, cli_play_slot *slot)
{
    const char *const path = play->s->output;
    clump_message message = {0};
    if (play->s->json_lines) {
        cli_play_wipe_status(play);
        cli_play_put_line(stdout, play, slot);
        if (fflush(stdout) != 0) {
            const int why = errno;
            clearerr(stdout); /* main.c need not say it again */
            return cli_fail("standard output: cannot be written: %s", strerror(why));
        }
    }
    CLI_TRY(cli_play_ros_publish(play, slot));
    CLI_TRY(cli_play_view_frame(play, slot));
    if (!path || cli_play_writes_page(play->s) || cli_play_writes_packets(play->s)) return CLI_DONE;
    clump_status status = CLUMP_OK;
    if (play->recorder)
        status = cli_play_record(play, slot, play->recorder, &message);
    else if (play->folder.info.holds_fields)
        status = cli_play_set_tracks(play, slot, &message);
    if (status != CLUMP_OK) {
        cli_play_wipe_status(play);
        return cli_fail_message(path, status, &message);
    }
    return play->recorder ? CLI_DONE : cli_folder_save(&play->folder, slot->frame.cloud, slot->labels);
}

int cli_play_write_end(cli_play *play, bool keep)
{
    CLI_TRY(cli_play_view_end(play, keep));
    if (!play->recorder) return CLI_DONE;
    clump_message message = {0};
    const clump_status status = clump_recorder_close(play->recorder, keep, &message);
    play->recorder = NULL;
    return status == CLUMP_OK || !keep ? CLI_DONE : cli_fail_message(play->s->output, status, &message);
}
