/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frames.c: cuts the packets of a sensor into frames: see sensor.h.
 *
 *     packets   | p p p p | p p p p | p p p ...
 *     turns        |         |         |
 *     frames    1  |    2    |    3    |  4
 *
 * The first frame is what the recording has of its turn, usually less than a turn. So is the last frame. Both are delivered as
 * they are, and marked as partial where they do not cover what their neighbour covers: the first frame begins later in the turn
 * than the second, the last one ends before the place where the frame before it ended. A sensor that sends a sector alone
 * has whole frames, too. A frame without a neighbour is partial where it is no whole turn.
 *
 * A frame is filled in a cloud of this file. A finished frame changes places with the caller's cloud, so nothing is copied,
 * and the caller's old cloud becomes the next frame.
 */
#include "sensors/sensor.h"
#include "common/assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points that end a frame by force. A sensor that does not turn would otherwise fill the memory. The largest real frames
 * have about a million: 128 beams, 3600 directions, two returns. */
#define FRAMES_MOST_POINTS ((size_t)8 << 20)

/* Bytes that the data packets of all sensors have at least: the smallest are those of Hesai's XT16, 568 bytes. Packets of
 * the motion sensor and of the GPS are smaller. */
#define FRAMES_SMALLEST_DATA 560

/* How far a frame may fall short of its neighbour: a packet or two. */
#define FRAMES_ARC_SHORT 1000
#define FRAMES_ARC_TURN  36000

/* The directions of a frame, in hundredths of a degree. */
typedef struct frames_arc {
    int first, last; /* 0 ... 35999 */
    int64_t swept;   /* from the first to the last; negative: the sensor turns towards smaller ones */
} frames_arc;

struct clump_io_frames {
    clump_io_where where;
    const clump_io_sensor *sensor; /* null: not recognised yet */
    clump_io_sensor_setup setup;
    void *state;
    const clump_io_shape *shapes;
    size_t shape_count, most; /* fields of a point, points of a part */
    size_t width, height;     /* of an organised frame; 0: not organised */

    clump_io_packet packet;
    size_t parts, part;
    bool asked; /* `part` has been asked whether it cuts */

    clump_cloud *cloud;
    clump_io_filling filling;
    size_t counted; /* points of the frame that were not kept */
    bool open;      /* a frame is being filled */
    frames_arc arc; /* of the frame, up to now */
    bool follows;   /* a frame was cut before it */
    int ended;      /* the last direction of that frame */
    int64_t received;
    uint64_t lost; /* before the first part of the next frame */
    size_t largest;
};

const clump_io_sensor *const clump_io_sensors[] = {&clump_io_sensor_velodyne, &clump_io_sensor_hesai,
                                                   &clump_io_sensor_ouster, &clump_io_sensor_livox, NULL};

clump_status clump_io_frames_create(const clump_io_where *where, const clump_io_sensor *maker,
                                    const clump_io_sensor_setup *setup, clump_io_frames **out)
{
    clump_io_frames *const frames = calloc(1, sizeof *frames);
    *out = frames;
    if (!frames) return clump_io_no_memory(where, sizeof *frames);
    frames->where = *where;
    frames->sensor = maker;
    frames->setup = *setup;
    return CLUMP_OK;
}

void clump_io_frames_destroy(clump_io_frames *frames)
{
    if (!frames) return;
    if (frames->state) frames->sensor->destroy(frames->state);
    clump_cloud_destroy(frames->cloud);
    free(frames);
}

const char *clump_io_frames_model(const clump_io_frames *frames)
{
    return frames->state ? frames->sensor->model(frames->state) : NULL;
}

/* --- packets in --------------------------------------------------------------------------------------- */

/* Finds the maker of the sensor, and lets it make its state. *known is false for a packet of no sensor. */
static clump_status meet_sensor(clump_io_frames *frames, const clump_io_packet *packet, bool *known)
{
    const clump_io_sensor *maker = frames->sensor;
    *known = false;
    if (maker && !maker->recognise(packet->bytes, packet->size)) return CLUMP_OK;
    for (size_t i = 0; !maker && clump_io_sensors[i]; i++)
        if (clump_io_sensors[i]->recognise(packet->bytes, packet->size)) maker = clump_io_sensors[i];
    if (!maker) return CLUMP_OK;
    void *state = NULL;
    const clump_status status = maker->create(&frames->setup, packet, &state);
    if (status != CLUMP_OK && state) maker->destroy(state);
    CLUMP_IO_TRY(status);
    frames->sensor = maker;
    frames->state = state;
    frames->shapes = maker->fields(state, &frames->shape_count);
    frames->most = maker->most_points(state);
    if (frames->setup.organised && maker->shape && !frames->setup.count_only)
        maker->shape(state, &frames->width, &frames->height);
    size_t count;
    if (!clump_io_multiply(frames->width, frames->height, &count) || count > FRAMES_MOST_POINTS) frames->width = 0;
    CLUMP_ASSERT(frames->shape_count <= sizeof frames->filling.fields / sizeof *frames->filling.fields);
    *known = true;
    return CLUMP_OK;
}

clump_status clump_io_frames_give(clump_io_frames *frames, const clump_io_packet *packet,
                                  clump_recording_losses *losses)
{
    frames->parts = frames->part = 0;
    frames->asked = false;
    bool known = frames->state != NULL, damaged = false;
    if (!known) {
        CLUMP_IO_TRY(meet_sensor(frames, packet, &known));
        const char *const note = known && frames->sensor->note ? frames->sensor->note(frames->state) : "";
        if (note[0]) clump_io_lose(losses, NULL, 0, "%s", note);
    }
    uint64_t lost = 0, reordered = 0;
    if (known) {
        frames->packet = *packet;
        frames->parts = frames->sensor->begin(frames->state, packet, &damaged, &lost, &reordered);
    }
    /* Before the sensor is known, its other packets must not count as damage. */
    const bool strange = !known && (!frames->sensor || packet->size >= FRAMES_SMALLEST_DATA);
    if (strange || damaged)
        clump_io_lose(losses, &losses->damaged_packets, 1, "a packet of %zu bytes is %s", packet->size,
                      known ? "damaged" : "of no sensor that clump knows");
    if (lost)
        clump_io_lose(losses, &losses->lost_packets, lost, "%llu packet%s missing", (unsigned long long)lost,
                      lost == 1 ? " is" : "s are");
    if (reordered) clump_io_lose(losses, &losses->reordered, reordered, "a packet arrived late");
    if (frames->open)
        frames->filling.lost += lost;
    else
        frames->lost += lost;
    return CLUMP_OK;
}

/* --- frames out ------------------------------------------------------------------------------------------ */

static void point_to_cloud(clump_io_frames *frames)
{
    frames->filling.cloud = frames->cloud;
    frames->filling.xyz = frames->cloud->xyz;
    frames->filling.room = frames->cloud->capacity;
    for (size_t i = 0; i < frames->shape_count; i++) frames->filling.fields[i] = clump_io_field_data(frames->cloud, i);
}

/* All points of an organised frame are missing until the sensor writes them. */
static void fill_with_missing(clump_io_frames *frames, size_t count)
{
    for (size_t i = 0; i < 3 * count; i++) frames->cloud->xyz[i] = NAN;
    for (size_t i = 0; i < frames->shape_count; i++)
        memset(frames->filling.fields[i], 0, count * frames->shapes[i].count * clump_type_size(frames->shapes[i].type));
    frames->filling.count = count;
}

static clump_status begin_frame(clump_io_frames *frames)
{
    const size_t organised = frames->width * frames->height;
    size_t room = organised > frames->largest ? organised : frames->largest;
    if (room < frames->most) room = frames->most;
    CLUMP_IO_TRY(
        clump_io_cloud_prepare(&frames->where, &frames->cloud, frames->shapes, frames->shape_count, room ? room : 1));
    const uint64_t lost = frames->lost;
    frames->filling = (clump_io_filling){.stamp = frames->sensor->part_time(frames->state, frames->part), .lost = lost};
    frames->lost = 0;
    frames->counted = 0;
    point_to_cloud(frames);
    if (organised) fill_with_missing(frames, organised);
    frames->open = true;
    return CLUMP_OK;
}

/* Adds the direction of the next part. Late parts go back a little. */
static void add_direction(clump_io_frames *frames, bool is_first)
{
    frames_arc *const arc = &frames->arc;
    if (!frames->sensor->azimuth) return;
    const int now = frames->sensor->azimuth(frames->state, frames->part);
    CLUMP_ASSERT(now >= 0 && now < FRAMES_ARC_TURN);
    if (is_first) *arc = (frames_arc){.first = now, .last = now};
    int step = now - arc->last;
    if (step > FRAMES_ARC_TURN / 2) step -= FRAMES_ARC_TURN;
    if (step <= -FRAMES_ARC_TURN / 2) step += FRAMES_ARC_TURN;
    arc->swept += step;
    arc->last = now;
}

/* Returns how far the sensor turns from one direction to the other. */
static int64_t turn_between(const frames_arc *arc, int from, int to)
{
    return ((arc->swept < 0 ? from - to : to - from) + FRAMES_ARC_TURN) % FRAMES_ARC_TURN;
}

/* Whether the frame covers less than its neighbour. is_cut: the next part begins another frame; else no more parts follow. */
static bool is_partial(const clump_io_frames *frames, bool is_cut)
{
    const frames_arc *const arc = &frames->arc;
    const int64_t covered = arc->swept < 0 ? -arc->swept : arc->swept;
    if (!frames->sensor->azimuth || (is_cut && frames->follows)) return false;
    if (!is_cut && !frames->follows) return covered < FRAMES_ARC_TURN - FRAMES_ARC_SHORT;
    const int64_t missing = is_cut ? turn_between(arc, frames->sensor->azimuth(frames->state, frames->part), arc->first)
                                   : turn_between(arc, arc->last, frames->ended);
    /* A frame that begins or ends a little farther than its neighbour seems to lack a whole turn. */
    return missing > FRAMES_ARC_SHORT && covered + missing <= FRAMES_ARC_TURN + FRAMES_ARC_SHORT;
}

/* Gives the frame to the caller. */
static void end_frame(clump_io_frames *frames, clump_frame *frame, bool is_cut)
{
    frame->partial = is_partial(frames, is_cut);
    frames->follows = true;
    frames->ended = frames->arc.last;
    const size_t count = frames->filling.count;
    clump_io_cloud_set_count(frames->cloud, count);
    if (frames->width) clump_cloud_set_shape(frames->cloud, frames->width, frames->height, NULL);
    const size_t with_part = count + frames->most;
    if (with_part > frames->largest) frames->largest = with_part;
    clump_cloud *const ours = frames->cloud;
    frames->cloud = frame->cloud;
    frame->cloud = ours;
    frame->stamp = frames->filling.stamp;
    frame->received = frames->received;
    frame->lost = frames->filling.lost;
    frames->open = false;
}

static clump_status append_part(clump_io_frames *frames)
{
    clump_io_filling *const filling = &frames->filling;
    const bool is_first = !frames->open;
    if (is_first) CLUMP_IO_TRY(begin_frame(frames));
    add_direction(frames, is_first);
    if (!frames->width && filling->room - filling->count < frames->most) {
        CLUMP_IO_TRY(clump_io_cloud_grow(&frames->where, frames->cloud, filling->count + frames->most));
        point_to_cloud(frames);
    }
    frames->sensor->append(frames->state, frames->part, filling);
    CLUMP_ASSERT(filling->count <= filling->room);
    if (frames->setup.count_only) {
        frames->counted += filling->count;
        filling->count = 0;
    }
    frames->received = frames->packet.received;
    frames->part++;
    frames->asked = false;
    return CLUMP_OK;
}

clump_status clump_io_frames_take(clump_io_frames *frames, clump_frame *frame, bool *ready)
{
    *ready = false;
    while (frames->part < frames->parts) {
        const bool cuts = !frames->asked && frames->sensor->cuts(frames->state, frames->part);
        frames->asked = true;
        const size_t points = frames->filling.count + frames->counted;
        if (frames->open && (cuts || (!frames->width && points > FRAMES_MOST_POINTS))) {
            end_frame(frames, frame, true);
            *ready = true;
            return CLUMP_OK;
        }
        CLUMP_IO_TRY(append_part(frames));
    }
    return CLUMP_OK;
}

clump_status clump_io_frames_finish(clump_io_frames *frames, clump_frame *frame, bool *ready)
{
    const bool complete = frames->setup.organised && frames->open && frames->sensor->shape; /* also without a return */
    *ready = frames->open && (complete || frames->filling.count + frames->counted > 0);
    if (*ready) end_frame(frames, frame, false);
    frames->open = false;
    return CLUMP_OK;
}

void clump_io_frames_restart(clump_io_frames *frames)
{
    frames->open = frames->follows = false;
    frames->parts = frames->part = 0;
    frames->lost = 0;
    if (frames->state && frames->sensor->restart) frames->sensor->restart(frames->state);
}
