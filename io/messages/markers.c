/* SPDX-License-Identifier: BSD-3-Clause
 *
 * markers.c: boxes as visualization_msgs/MarkerArray.
 *
 *     DELETEALL                    first: the objects of earlier frames disappear
 *     "boxes"       CUBE           per object, turned by its yaw
 *     "texts"       TEXT           identity, and speed where it is known
 *     "velocities"  ARROW          the way of one second, for objects that move
 *
 * DELETE per lost object would need the list of the frame before, which a viewer that starts in the middle of a
 * recording has not seen. DELETEALL needs none. Its namespace is empty: RViz 2 limits DELETEALL to a namespace that is
 * given, RViz 1 does not. Both handle the markers of an array in order, before they draw.
 */
#include "messages/write.h"

#include "common/assert.h"

#include <stdio.h>

enum { MARKER_ARROW = 0, MARKER_CUBE = 1, MARKER_TEXT = 9 };
enum { MARKER_ADD = 0, MARKER_DELETE_ALL = 3 };

/* Metres. RViz refuses a scale of 0. */
static const double marker_least_size = 0.01, marker_text_size = 0.6, marker_text_gap = 0.5;
static const double marker_arrow_scale[3] = {0.1, 0.25, 0.3}; /* diameter of shaft and head, length of head */

static const clump_io_turn marker_no_turn = {.axis = 2, .cosine = 1};

typedef struct marker {
    const char *space, *text;
    int32_t id, type, action;
    double place[3], scale[3];
    clump_io_turn turn;
    float colour[4];
    bool is_arrow;
    double tip[3]; /* of the arrow that begins at `place` */
} marker;

void clump_io_marker_colour(uint64_t id, float rgb[3])
{
    /* Steps of the golden ratio around the colour wheel: neighbouring identities differ. */
    const uint32_t turn = (uint32_t)(id ^ id >> 32) * 2654435769u;
    const float hue = (float)(turn >> 8) * (6.0f / 16777216.0f), low = 0.25f;
    for (int c = 0; c < 3; c++) {
        float away = hue - (float)(2 * c); /* from the hue of this colour, on a wheel of 6 */
        away = away < 0 ? -away : away;
        away = away > 3 ? 6 - away : away;
        const float share = away <= 1 ? 1 : away >= 2 ? 0 : 2 - away;
        CLUMP_ASSERT(share >= 0 && share <= 1);
        rgb[c] = low + (1 - low) * share;
    }
}

/* What ROS 2 has between the colours and the text, all of it empty: texture_resource, texture, uv_coordinates. */
static void encode_no_texture(clump_io_encoder *to)
{
    clump_io_encode_string(to, "");
    clump_io_encode_time(to, 0); /* texture.header */
    clump_io_encode_string(to, "");
    clump_io_encode_string(to, ""); /* texture.format */
    clump_io_encode_u32(to, 0);
    clump_io_encode_u32(to, 0);
}

static void encode_marker(clump_io_encoder *to, const clump_io_message_head *head, const marker *m)
{
    static const double nowhere[3];
    clump_io_encode_head(to, head);
    clump_io_encode_string(to, m->space);
    clump_io_encode_i32(to, m->id);
    clump_io_encode_i32(to, m->type);
    clump_io_encode_i32(to, m->action);
    clump_io_encode_pose(to, m->is_arrow ? nowhere : m->place, m->turn);
    clump_io_encode_vector(to, m->scale);
    for (int c = 0; c < 4; c++) clump_io_encode_f32(to, m->colour[c]);
    clump_io_encode_u32(to, 0); /* lifetime: until it is deleted */
    clump_io_encode_u32(to, 0);
    clump_io_encode_u8(to, 0); /* frame_locked */
    clump_io_encode_u32(to, m->is_arrow ? 2 : 0);
    if (m->is_arrow) {
        clump_io_encode_vector(to, m->place);
        clump_io_encode_vector(to, m->tip);
    }
    clump_io_encode_u32(to, 0); /* colors */
    if (to->cdr) encode_no_texture(to);
    clump_io_encode_string(to, m->text);
    clump_io_encode_string(to, ""); /* mesh_resource */
    if (to->cdr) {
        clump_io_encode_string(to, ""); /* mesh_file.filename */
        clump_io_encode_u32(to, 0);     /* mesh_file.data */
    }
    clump_io_encode_u8(to, 0); /* mesh_use_embedded_materials */
}

/* An identity has 64 bits, a marker's has 31. */
static int32_t marker_id(uint64_t id)
{
    return (int32_t)(id & INT32_MAX);
}

static void encode_cube(clump_io_encoder *to, const clump_io_message_head *head, const clump_io_box *box)
{
    marker m = {.space = "boxes", .text = "", .id = marker_id(box->id), .type = MARKER_CUBE};
    m.turn = box->turn;
    for (int a = 0; a < 3; a++) {
        m.place[a] = box->center[a];
        m.scale[a] = box->size[a] > marker_least_size ? box->size[a] : marker_least_size;
    }
    clump_io_marker_colour(box->id, m.colour);
    m.colour[3] = 0.5f;
    encode_marker(to, head, &m);
}

static void encode_label(clump_io_encoder *to, const clump_io_message_head *head, const clump_io_box *box)
{
    CLUMP_ASSERT(box->turn.axis >= 0 && box->turn.axis < 3);
    char text[64];
    const unsigned long long id = box->id;
    if (box->has_speed && box->speed < 1e6) { /* the decimal point of "%.1f" depends on the locale */
        const unsigned tenths = (unsigned)(box->speed * 10 + 0.5);
        snprintf(text, sizeof text, "%llu  %u.%u m/s", id, tenths / 10, tenths % 10);
    } else {
        snprintf(text, sizeof text, "%llu", id);
    }
    marker m = {.space = "texts",
                .text = text,
                .id = marker_id(box->id),
                .type = MARKER_TEXT,
                .place = {box->center[0], box->center[1], box->center[2]},
                .turn = marker_no_turn,
                .scale = {marker_text_size, marker_text_size, marker_text_size},
                .colour = {1, 1, 1, 1}};
    m.place[box->turn.axis] += box->size[box->turn.axis] / 2 + marker_text_gap;
    encode_marker(to, head, &m);
}

static void encode_arrow(clump_io_encoder *to, const clump_io_message_head *head, const clump_io_box *box)
{
    marker m = {.space = "velocities", .text = "", .id = marker_id(box->id), .type = MARKER_ARROW, .is_arrow = true};
    m.turn = marker_no_turn;
    for (int a = 0; a < 3; a++) {
        m.place[a] = box->center[a];
        m.tip[a] = box->center[a] + box->velocity[a];
        m.scale[a] = marker_arrow_scale[a];
    }
    clump_io_marker_colour(box->id, m.colour);
    m.colour[3] = 1;
    encode_marker(to, head, &m);
}

void clump_io_markers_encode(clump_io_encoder *to, const clump_io_message_head *head, const clump_recorder_boxes *boxes,
                             const clump_cloud *cloud)
{
    uint32_t arrows = 0;
    for (int32_t i = 0; i < boxes->count; i++) arrows += clump_io_box_of(boxes, cloud, i).moves;
    clump_io_encode_u32(to, 1 + 2 * (uint32_t)boxes->count + arrows);
    const marker all = {
        .space = "", .text = "", .action = MARKER_DELETE_ALL, .turn = marker_no_turn, .scale = {1, 1, 1}};
    encode_marker(to, head, &all);
    for (int32_t i = 0; i < boxes->count; i++) {
        const clump_io_box box = clump_io_box_of(boxes, cloud, i);
        encode_cube(to, head, &box);
        encode_label(to, head, &box);
        if (box.moves) encode_arrow(to, head, &box);
    }
}
