/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lines.c: see lines.h.
 */
#include "viewer/picture/lines.h"

#include "common/assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lines are drawn a little nearer than they are: an edge of a box runs through the outermost points of its cluster. */
#define LINES_NEARER 1.002
/* Pixels of a picture that is 900 pixels high, and shares of 256. Looked at on scans of streets. */
#define LINES_BOX   1.5
#define LINES_PAIR  1.0
#define LINES_TRACK 2.2
enum { LINES_BOX_SHARE = 224, LINES_PAIR_SHARE = 96, LINES_TRACK_SHARE = 255, LINES_OLD_SHARE = 60 };

static view_stroke stroke_of(const view_lens *lens, view_rgb colour, double pixels, uint8_t share)
{
    return (view_stroke){colour, share, (int32_t)fmax(1, floor(pixels * lens->unit + 0.5))};
}

void view_lines_release(view_lines *lines)
{
    free(lines->list);
    *lines = (view_lines){0};
}

static void append(view_lines *lines, const view_line *line)
{
    if (lines->count == lines->room) {
        const size_t room = lines->room ? 2 * lines->room : 256;
        view_line *const list = realloc(lines->list, room * sizeof *list);
        if (!list) {
            lines->failed = true;
            return;
        }
        lines->list = list, lines->room = room;
    }
    CLUMP_ASSERT(lines->count < lines->room);
    lines->list[lines->count++] = *line;
}

/* Shortens the part begin ... end of a line to where `from + t * (to - from)` is at least `least`. */
static bool clip(double from, double to, double least, double *begin, double *end)
{
    if (!(from >= least) && !(to >= least)) return false;
    if (from >= least && to >= least) return true;
    const double t = (least - from) / (to - from);
    if (from < least)
        *begin = fmax(*begin, t);
    else
        *end = fmin(*end, t);
    return *begin < *end;
}

void view_add_line(view_lines *lines, const view_lens *lens, const double from[3], const double to[3],
                   view_stroke stroke)
{
    double depth[2] = {0, 0}, begin = 0, end = 1;
    for (int k = 0; k < 3; k++) {
        depth[0] += (from[k] - lens->eye[k]) * lens->sight[k];
        depth[1] += (to[k] - lens->eye[k]) * lens->sight[k];
    }
    if (!clip(depth[0], depth[1], lens->near, &begin, &end)) return;
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = begin > 0 ? from[k] + begin * (to[k] - from[k]) : from[k];
        b[k] = end < 1 ? from[k] + end * (to[k] - from[k]) : to[k];
    }
    const view_spot p = view_project(lens, a), q = view_project(lens, b);
    if (!isfinite(p.x + p.y + q.x + q.y)) return;
    if (fmax(p.x, q.x) < 0 || fmin(p.x, q.x) > lens->width) return;
    if (fmax(p.y, q.y) < 0 || fmin(p.y, q.y) > lens->height) return;
    const view_line line = {{p.x, p.y}, {q.x, q.y}, {1 / p.depth, 1 / q.depth}, stroke};
    append(lines, &line);
}

/* The eight corners of the box of a cluster in file coordinates; bit 0: along yaw, bit 1: across yaw, bit 2: upwards. */
static void corners_of(const view_frame *frame, const clump_cluster *cluster, double corners[8][3])
{
    const double *const origin = clump_cloud_origin(frame->clouds[0]);
    const int up = frame->up == CLUMP_UP_Y ? 1 : 2, side = 3 - up;
    const double along[2] = {cos(cluster->yaw * VIEW_RADIANS), sin(cluster->yaw * VIEW_RADIANS)};
    for (int corner = 0; corner < 8; corner++) {
        const double u = (corner & 1 ? 0.5 : -0.5) * cluster->box_size[0];
        const double v = (corner & 2 ? 0.5 : -0.5) * cluster->box_size[1];
        corners[corner][0] = origin[0] + cluster->box_center[0] + u * along[0] - v * along[1];
        corners[corner][side] = origin[side] + cluster->box_center[1] + u * along[1] + v * along[0];
        corners[corner][up] = origin[up] + (corner & 4 ? cluster->upper[up] : cluster->lower[up]);
    }
}

void view_add_boxes(view_lines *lines, const view_lens *lens, const view_frame *frame, size_t which,
                    const uint8_t *colours)
{
    CLUMP_ASSERT(which < VIEW_LABELINGS);
    const view_labels *const labels = &frame->labelings[which];
    if (which >= frame->labeling_count || !labels->clusters) return;
    for (int32_t c = 0; c < labels->count; c++) {
        double corners[8][3];
        corners_of(frame, &labels->clusters[c], corners);
        const view_stroke stroke = stroke_of(lens, view_palette[colours[c]], LINES_BOX, LINES_BOX_SHARE);
        for (int corner = 0; corner < 8; corner++)
            for (int bit = 1; bit < 8; bit *= 2)
                if (!(corner & bit)) view_add_line(lines, lens, corners[corner], corners[corner | bit], stroke);
    }
}

/* Adds an arrow from the middle of the box to where the object is after a second. */
static void add_arrow(view_lines *lines, const view_lens *lens, const view_frame *frame, const clump_cluster *cluster,
                      const float velocity[3], view_stroke stroke)
{
    double corners[8][3], from[3], to[3], end[3];
    corners_of(frame, cluster, corners);
    const double way[3] = {velocity[0], velocity[1], velocity[2]};
    const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    for (int k = 0; k < 3; k++) {
        from[k] = (corners[0][k] + corners[7][k]) / 2;
        to[k] = from[k] + way[k];
    }
    if (!(length > 0)) return;
    view_add_line(lines, lens, from, to, stroke);
    const double head = fmin(1, 0.3 * length) / length;
    const bool y_up = frame->up == CLUMP_UP_Y;
    const double side[3] = {y_up ? -way[2] : -way[1], y_up ? 0 : way[0], y_up ? way[0] : 0};
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int k = 0; k < 3; k++) end[k] = to[k] - head * (way[k] + 0.5 * sign * side[k]);
        view_add_line(lines, lens, to, end, stroke);
    }
}

/* Returns the colour of a track, which is in the frame. */
static view_rgb colour_of(const view_labels *labels, const uint8_t *colours, uint64_t track)
{
    for (int32_t c = 0; c < labels->count; c++)
        if (labels->tracks[c].id == track) return view_palette[colours[c]];
    return view_palette[0];
}

static void add_trails(view_lines *lines, const view_lens *lens, const view_frame *frame, const uint8_t *colours,
                       view_rgb path)
{
    uint64_t track = 0;
    view_rgb colour = path;
    for (size_t i = 1; i < frame->trail_count; i++) {
        const view_trail_place *const place = &frame->trails[i];
        if (!place->joined) continue;
        if (place->track != track) colour = colour_of(&frame->labelings[0], colours, place->track);
        track = place->track;
        const double young = fmax(0, 1 + place->time / VIEW_TRAIL_SECONDS);
        const uint8_t share = (uint8_t)(LINES_OLD_SHARE + (LINES_TRACK_SHARE - LINES_OLD_SHARE) * young);
        view_add_line(lines, lens, place[-1].at, place->at, stroke_of(lens, colour, LINES_TRACK, share));
    }
}

void view_add_tracks(view_lines *lines, const view_lens *lens, const view_frame *frame, const uint8_t *colours,
                     view_rgb path)
{
    const view_labels *const labels = &frame->labelings[0];
    if (!frame->pose || frame->labeling_count == 0 || !labels->tracks) return;
    add_trails(lines, lens, frame, colours, path);
    for (int32_t c = 0; c < labels->count; c++) {
        if (labels->tracks[c].motion != CLUMP_TRACK_MOVING) continue;
        const view_stroke stroke = stroke_of(lens, view_palette[colours[c]], LINES_TRACK, LINES_TRACK_SHARE);
        add_arrow(lines, lens, frame, &labels->clusters[c], labels->tracks[c].velocity, stroke);
    }
}

static bool place_of(const clump_cloud *cloud, const clump_points *points, size_t i, double at[3])
{
    const double *const origin = clump_cloud_origin(cloud);
    const float *const p = points->xyz + i * view_step(*points);
    for (int k = 0; k < 3; k++) at[k] = p[k] + origin[k];
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

void view_add_pairs(view_lines *lines, const view_lens *lens, const view_frame *frame, view_rgb colour)
{
    if (!frame->nearest || frame->cloud_count < 2) return;
    const view_stroke stroke = stroke_of(lens, colour, LINES_PAIR, LINES_PAIR_SHARE);
    const clump_points to = clump_cloud_points(frame->clouds[0]), from = clump_cloud_points(frame->clouds[1]);
    for (size_t i = 0; i < from.count; i++) {
        const int32_t j = frame->nearest[i];
        double a[3], b[3];
        if (j < 0 || (size_t)j >= to.count) continue;
        if (place_of(frame->clouds[1], &from, i, a) && place_of(frame->clouds[0], &to, (size_t)j, b))
            view_add_line(lines, lens, a, b, stroke);
    }
}

/* Moves a colour towards another, by a share of 256. */
static uint32_t mix(uint32_t from, uint32_t to, uint32_t share)
{
    CLUMP_ASSERT(share <= 256);
    const uint32_t red_blue = (from & 0xff00ff) * (256 - share) + (to & 0xff00ff) * share;
    const uint32_t green = (from & 0xff00) * (256 - share) + (to & 0xff00) * share;
    return (red_blue >> 8 & 0xff00ff) | (green >> 8 & 0xff00);
}

/* Sets the samples of a line at place `at` along its major axis; `other` is its middle across. */
static void set_samples(view_band *band, const view_line *line, int major, int32_t at, double other, int32_t depth)
{
    CLUMP_ASSERT(major == 0 || major == 1);
    const int32_t thick = line->stroke.thick;
    const uint32_t colour = view_pack(line->stroke.colour), share = line->stroke.share;
    const int32_t first = (int32_t)floor(other - thick / 2.0 + 0.5);
    for (int32_t k = first; k < first + thick; k++) {
        const int32_t x = major ? k : at, y = major ? at : k;
        if (x < 0 || x >= band->width || y < band->first || y >= band->first + band->rows) continue;
        const size_t i = view_sample(band, x, y);
        const bool visible = depth < band->depth[i];
        band->colour[i] = mix(band->colour[i], colour, visible ? share : share / 4);
        if (visible) band->depth[i] = depth;
        *view_tile(band, x, y) = 1;
    }
}

static void draw_line(view_band *band, const view_line *line)
{
    const int32_t thick = line->stroke.thick;
    const double low[2] = {-thick, band->first - thick};
    const double high[2] = {band->width + thick, band->first + band->rows + thick};
    double begin = 0, end = 1;
    for (int k = 0; k < 2; k++) {
        if (!clip(line->from[k], line->to[k], low[k], &begin, &end)) return;
        if (!clip(-line->from[k], -line->to[k], -high[k], &begin, &end)) return;
    }
    const double way[2] = {line->to[0] - line->from[0], line->to[1] - line->from[1]};
    const int major = fabs(way[1]) > fabs(way[0]);
    const double a = line->from[major] + begin * way[major], b = line->from[major] + end * way[major];
    const int32_t first = (int32_t)floor(fmin(a, b)), last = (int32_t)floor(fmax(a, b));
    for (int32_t at = first; at <= last; at++) {
        double t = way[major] != 0 ? (at + 0.5 - line->from[major]) / way[major] : 0;
        t = fmin(fmax(t, 0), 1);
        const double nearness = line->nearness[0] + t * (line->nearness[1] - line->nearness[0]);
        const int32_t depth = view_fixed_depth(1 / (nearness * LINES_NEARER));
        set_samples(band, line, major, at, line->from[1 - major] + t * way[1 - major], depth);
    }
}

void view_band_draw_lines(view_band *band, const view_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        const view_line *const line = &lines->list[i];
        const double above = band->first - line->stroke.thick, below = band->first + band->rows + line->stroke.thick;
        if (fmax(line->from[1], line->to[1]) >= above && fmin(line->from[1], line->to[1]) <= below)
            draw_line(band, line);
    }
}
