/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet.c: see packet.h. The header is written while the columns are coded, then both are put together.
 */
#include "viewer/packet/packet_parts.h"

#include "viewer/picture/camera.h"
#include "viewer/bytes/bytes.h"

#include <stdio.h>
#include <stdlib.h>

static void put_stamp(packet *p)
{
    const int64_t second = 1000000000, stamp = p->frame->stamp;
    view_put_text(&p->json, ",\"stamp\":");
    if (stamp == INT64_MIN)
        view_put_text(&p->json, "null");
    else if (stamp < 0)
        view_put_json_number(&p->json, (double)stamp / (double)second);
    else
        view_put_format(&p->json, "%lld.%09lld", (long long)(stamp / second), (long long)(stamp % second));
}

/* Puts a point of the file in packet coordinates. */
static void put_place(packet *p, const double place[3])
{
    packet_put_vector(p, (const double[3]){place[0] - p->origin[0], place[1] - p->origin[1], place[2] - p->origin[2]});
}

static void put_clouds(packet *p)
{
    view_put_format(&p->json, ",\"of\":%zu,\"clouds\":[", view_points(p->frame));
    for (size_t c = 0; c < p->frame->cloud_count; c++) {
        view_put_text(&p->json, c ? ",{\"name\":" : "{\"name\":");
        view_put_json_text(&p->json, p->frame->cloud_names[c] ? p->frame->cloud_names[c] : "");
        view_put_format(&p->json, ",\"points\":%zu}", p->rows[c]);
    }
    view_put_text(&p->json, "]");
}

/* The view "home" is the camera that was asked for where this is given by angles. */
static void put_views(packet *p)
{
    static const struct {
        const char *name;
        view_from from;
    } views[] = {{"home", VIEW_HOME}, {"top", VIEW_TOP}, {"side", VIEW_SIDE}, {"sensor", VIEW_SENSOR}};
    const view_options look = p->options->look ? *p->options->look : view_defaults();
    const view_box box = view_robust_box(p->frame);
    view_put_text(&p->json, ",\"views\":{");
    for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
        view_options options = look;
        if (k > 0 || look.from != VIEW_ANGLES) options.from = views[k].from;
        const view_camera camera = view_camera_in(&box, p->frame, &options, 16.0 / 9.0);
        view_put_format(&p->json, "%s\"%s\":{\"eye\":", k ? "," : "", views[k].name);
        put_place(p, camera.eye);
        view_put_text(&p->json, ",\"target\":");
        put_place(p, camera.target);
        view_put_text(&p->json, ",\"up\":");
        packet_put_vector(p, camera.up);
        view_put_text(&p->json, "}");
    }
    view_put_text(&p->json, "},\"low\":");
    put_place(p, box.low);
    view_put_text(&p->json, ",\"high\":");
    put_place(p, box.high);
}

static void put_labelings(packet *p)
{
    view_put_text(&p->json, ",\"labelings\":[");
    for (size_t k = 0; k < p->frame->labeling_count; k++) {
        const view_labels *const labels = &p->frame->labelings[k];
        size_t noise = 0, ground = 0;
        for (size_t i = 0; i < clump_cloud_points(p->frame->clouds[0]).count; i++) {
            noise += labels->labels[i] == CLUMP_NOISE;
            ground += labels->labels[i] == CLUMP_GROUND;
        }
        view_put_text(&p->json, k ? ",{\"name\":" : "{\"name\":");
        view_put_json_text(&p->json, labels->name ? labels->name : "");
        view_put_format(&p->json, ",\"clusters\":%d,\"noise\":%zu,\"ground\":%zu}", (int)labels->count, noise, ground);
    }
    view_put_text(&p->json, "]");
}

static void put_header(packet *p)
{
    const view_frame *const frame = p->frame;
    view_put_text(&p->json, "{\"name\":");
    view_put_json_text(&p->json, frame->name ? frame->name : "");
    view_put_format(&p->json, ",\"number\":%llu", (unsigned long long)frame->number);
    put_stamp(p);
    view_put_text(&p->json, ",\"origin\":");
    packet_put_vector(p, p->origin);
    view_put_format(&p->json, ",\"up\":\"%s\",\"flip\":%s,\"sensor\":", frame->up == CLUMP_UP_Y ? "y" : "z",
                    frame->flip ? "true" : "false");
    put_place(p, frame->sensor);
    for (int i = 0; frame->pose && i < 12; i++) {
        view_put_text(&p->json, i ? "," : ",\"pose\":[");
        view_put_json_number(&p->json, frame->pose[i]);
    }
    if (frame->pose) view_put_text(&p->json, "]");
    put_clouds(p);
    put_views(p);
    put_labelings(p);
    const bool facts = frame->facts && packet_is_json_object(frame->facts);
    view_put_text(&p->json, ",\"facts\":");
    view_put_text(&p->json, facts ? frame->facts : "null");
}

static void put_tables(packet *p)
{
    view_put_format(&p->json, ",\"tables\":{\"points\":{\"rows\":%zu", p->all);
    packet_put_coordinates(p);
    packet_put_labels(p);
    packet_put_colours(p);
    if (p->options->fields) packet_put_fields(p);
    view_put_text(&p->json, "]}");
    packet_put_clusters(p);
    packet_put_trails(p);
    packet_put_pairs(p);
    view_put_text(&p->json, "}");
    packet_put_maps(p);
    if (p->frame->labeling_count > 1)
        view_put_format(&p->json, ",\"differs\":%zu", p->differing);
    else
        view_put_text(&p->json, ",\"differs\":null");
}

clump_status view_put_packet(view_bytes *to, const view_frame *frame, const view_packet_options *options,
                             clump_message *message)
{
    packet p = {.frame = frame, .options = options};
    packet_plan(&p);
    put_header(&p);
    put_tables(&p);
    view_put_text(&p.json, "}");

    view_bytes header = {0};
    view_put_deflated(&header, p.json.data, p.json.size, options->level);
    const bool failed = p.json.failed || p.body.failed || header.failed || header.size > UINT32_MAX;
    if (!failed) {
        const uint32_t h = (uint32_t)header.size;
        view_put(to, "CLV1", 4);
        view_put(to, (const uint8_t[4]){(uint8_t)h, (uint8_t)(h >> 8), (uint8_t)(h >> 16), (uint8_t)(h >> 24)}, 4);
        view_put(to, header.data, header.size);
        view_put(to, p.body.data, p.body.size);
    }
    view_bytes_release(&header);
    view_bytes_release(&p.json);
    view_bytes_release(&p.body);
    free(p.values);
    if (!failed && !to->failed) return CLUMP_OK;
    if (message)
        snprintf(message->text, sizeof message->text, "%.300s: there is not enough memory for a view of the frame",
                 frame->name ? frame->name : "frame");
    return CLUMP_ERR_OUT_OF_MEMORY;
}
