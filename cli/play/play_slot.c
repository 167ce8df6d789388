/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_slot.c: memory of a slot. It grows to the largest frame with some reserve, and is used again.
 */
#include "play/play.h"

#include "common/assert.h"

#include <clump/cuda.h>

#include <stdlib.h>
#include <string.h>

/* Returns the room for `count` entries: an eighth more, so that slowly growing frames do not allocate each time. */
static size_t room_for(size_t count)
{
    return count + count / 8 + 1024;
}

/* Replaces memory by `bytes` new ones, pinned where there is a context for it. False: no memory. */
static bool renew(clump_context *context, void **memory, size_t bytes)
{
    if (!context) {
        free(*memory);
        return (*memory = malloc(bytes)) != NULL;
    }
    clump_cuda_release(context, CLUMP_CUDA_PINNED, *memory);
    return clump_cuda_allocate(context, CLUMP_CUDA_PINNED, bytes, memory) == CLUMP_OK;
}

static bool renew_labels(cli_play *play, cli_play_slot *slot, size_t room)
{
    void *memory = slot->labels;
    slot->label_room = 0;
    const bool fine = renew(play->memory_context, &memory, room * sizeof *slot->labels);
    slot->labels = memory;
    if (fine) slot->label_room = room;
    return fine;
}

static bool renew_pinned(cli_play *play, cli_play_slot *slot, size_t room)
{
    void *memory = slot->pinned;
    slot->pinned_room = 0;
    const bool fine = renew(play->memory_context, &memory, room * 3 * sizeof *slot->pinned);
    slot->pinned = memory;
    if (fine) slot->pinned_room = room;
    return fine;
}

bool cli_play_slot_points(cli_play *play, cli_play_slot *slot)
{
    slot->points = clump_cloud_points(slot->frame.cloud);
    const size_t count = slot->points.count, room = room_for(count);
    if (count > slot->label_room && !renew_labels(play, slot, room)) return false;
    if (!play->memory_context) return true;
    if (count > slot->pinned_room && !renew_pinned(play, slot, room)) return false;
    if (count > 0) memcpy(slot->pinned, clump_cloud_xyz(slot->frame.cloud), count * 3 * sizeof *slot->pinned);
    slot->points = (clump_points){.xyz = slot->pinned, .count = count};
    return true;
}

bool cli_play_slot_tracks(cli_play_slot *slot)
{
    CLUMP_ASSERT(slot->count >= 0);
    const size_t count = (size_t)slot->count;
    if (count <= slot->track_room && slot->tracks) return true;
    const size_t room = room_for(count);
    free(slot->tracks);
    free(slot->wholes);
    free(slot->ids);
    free(slot->velocities);
    slot->wholes = malloc(room * sizeof *slot->wholes);
    slot->tracks = malloc(room * sizeof *slot->tracks);
    slot->ids = malloc(room * sizeof *slot->ids);
    slot->velocities = malloc(room * sizeof *slot->velocities);
    const bool fine = slot->tracks && slot->wholes && slot->ids && slot->velocities;
    slot->track_room = fine ? room : 0;
    return fine;
}

bool cli_play_slot_point_tracks(cli_play_slot *slot)
{
    const size_t count = slot->points.count;
    if (count > slot->point_track_room) {
        free(slot->point_tracks);
        free(slot->point_moves);
        slot->point_tracks = malloc(room_for(count) * sizeof *slot->point_tracks);
        slot->point_moves = malloc(room_for(count));
        slot->point_track_room = slot->point_tracks && slot->point_moves ? room_for(count) : 0;
        if (slot->point_track_room == 0) return false;
    }
    for (size_t i = 0; i < count; i++) {
        const int32_t label = slot->labels[i];
        CLUMP_ASSERT(label < slot->count);
        slot->point_tracks[i] = label >= 0 ? (uint32_t)slot->ids[label] : 0;
        slot->point_moves[i] = label >= 0 && slot->tracks[label].motion == CLUMP_TRACK_MOVING;
    }
    return true;
}

void cli_play_slot_release(cli_play *play, cli_play_slot *slot)
{
    if (play->memory_context) {
        clump_cuda_release(play->memory_context, CLUMP_CUDA_PINNED, slot->labels);
        clump_cuda_release(play->memory_context, CLUMP_CUDA_PINNED, slot->pinned);
    } else {
        free(slot->labels);
    }
    cli_boxes_release(&slot->boxes);
    cli_rings_release(&slot->rings);
    cli_by_class_release(&slot->by_class);
    free(slot->tracks);
    free(slot->wholes);
    free(slot->ids);
    free(slot->velocities);
    free(slot->point_tracks);
    free(slot->point_moves);
    free(slot->trails);
    free(slot->colours);
    clump_frame_release(&slot->frame);
    *slot = (cli_play_slot){0};
}
