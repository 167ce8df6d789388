/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet_points.c: which points a packet has, their coordinates and labels.
 */
#include "viewer/packet/packet_parts.h"

#include "common/assert.h"
#include "viewer/scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_SAMPLE = 1001 };  /* points per cloud that the origin is found from */
#define POINTS_STEP      0.002  /* the unit of coordinates, 2 mm: the resolution of most sensors */
#define POINTS_LEAST     4096.0 /* steps along the longest side of a scene: as many as a large screen has pixels */
#define POINTS_SMALLEST  1e-9   /* a smaller scene is a point */
#define POINTS_MOST      0x1p30 /* steps from the origin */
#define POINTS_NEAR_ZERO 2048.0 /* a scene this near to 0 keeps its coordinates; float32 has 0.2 mm there */

/* Returns the median of a sample along an axis. Few far points do not change it. */
static double median_of(const view_frame *frame, int axis)
{
    CLUMP_ASSERT(frame->cloud_count <= VIEW_CLOUDS && axis >= 0 && axis < 3);
    double sample[VIEW_CLOUDS * POINTS_SAMPLE];
    size_t found = 0;
    for (size_t c = 0; c < frame->cloud_count; c++) {
        const size_t count = clump_cloud_points(frame->clouds[c]).count;
        const size_t stride = count / POINTS_SAMPLE + 1;
        for (size_t i = 0; i < count; i += stride) {
            const double x = clump_cloud_coordinate(frame->clouds[c], i, axis);
            if (isfinite(x)) sample[found++] = x;
        }
    }
    qsort(sample, found, sizeof *sample, view_compare_numbers);
    return found ? sample[found / 2] : 0;
}

void packet_plan(packet *p)
{
    const view_frame *const frame = p->frame;
    const size_t total = view_points(frame), most = p->options->most_points;
    p->every = most && total > most ? (total + most - 1) / most : 1;
    for (size_t c = 0; c < frame->cloud_count; c++) {
        p->rows[c] = (clump_cloud_points(frame->clouds[c]).count + p->every - 1) / p->every;
        p->all += p->rows[c];
    }
    if (frame->cloud_count == 1 && p->every == 1) {
        const clump_cloud_info info = clump_cloud_describe(frame->clouds[0]);
        if (info.height > 1) p->width = info.width;
    }
    bool far = false;
    double middle[3];
    for (int a = 0; a < 3; a++) {
        middle[a] = floor(median_of(frame, a) + 0.5);
        far |= fabs(middle[a]) > POINTS_NEAR_ZERO;
    }
    if (far) memcpy(p->origin, middle, sizeof middle);
}

/* Marks the rows that are not finite and returns their number. low and high get the box of the others. */
static size_t find_hidden(const packet *p, uint8_t *hidden, double low[3], double high[3])
{
    size_t row = 0, total = 0;
    for (size_t c = 0; c < p->frame->cloud_count; c++)
        for (size_t i = 0; i < p->rows[c]; i++, row++) {
            double xyz[3];
            for (int a = 0; a < 3; a++) xyz[a] = clump_cloud_coordinate(p->frame->clouds[c], i * p->every, a);
            hidden[row] = !(isfinite(xyz[0]) && isfinite(xyz[1]) && isfinite(xyz[2]));
            total += hidden[row];
            for (int a = 0; a < 3 && !hidden[row]; a++) low[a] = fmin(low[a], xyz[a]), high[a] = fmax(high[a], xyz[a]);
        }
    return total;
}

/* Chooses the step of each axis: finer where the scene is small (a model, or degrees), coarser where it does not fit. */
static void choose_steps(packet *p, const double low[3], const double high[3], double step[3])
{
    double side = 0, fine = POINTS_STEP;
    for (int a = 0; a < 3; a++) side = fmax(side, high[a] - low[a]);
    while (side > POINTS_SMALLEST && side / fine < POINTS_LEAST) fine /= 2;
    for (int a = 0; a < 3; a++) {
        step[a] = fine;
        while (fmax(high[a] - p->origin[a], p->origin[a] - low[a]) / step[a] >= POINTS_MOST) step[a] *= 2;
    }
    p->unit = fine / 2;
}

/* Rounds an axis to steps. A hidden row repeats the row before. */
static void round_axis(const packet *p, int axis, double step, const uint8_t *hidden, int64_t *values)
{
    CLUMP_ASSERT(axis >= 0 && axis < 3 && step > 0);
    size_t row = 0;
    for (size_t c = 0; c < p->frame->cloud_count; c++)
        for (size_t i = 0; i < p->rows[c]; i++, row++) {
            if (hidden[row]) {
                values[row] = row ? values[row - 1] : 0;
                continue;
            }
            const double x = clump_cloud_coordinate(p->frame->clouds[c], i * p->every, axis) - p->origin[axis];
            values[row] = (int64_t)floor(x / step + 0.5);
        }
}

/* Sweeps need one unit for all axes and a vertical axis z. */
static void put_sweep(packet *p, int64_t *const xyz[3], const double step[3], const uint8_t *hidden)
{
    packet_sweep sweep;
    double sensor[3];
    for (int a = 0; a < 3; a++) sensor[a] = floor((p->frame->sensor[a] - p->origin[a]) / step[a] + 0.5);
    if (p->frame->up != CLUMP_UP_Z || step[0] != step[1] || step[0] != step[2]) return;
    if (!packet_choose_sweep(xyz, p->all, p->width, sensor, step[0], &sweep)) return;
    packet_apply_sweep(&sweep, xyz, hidden, p->all);
    view_put_format(&p->json, ",\"sweep\":{\"back\":%u,\"cos\":", sweep.back);
    view_put_json_number(&p->json, sweep.cosine);
    view_put_text(&p->json, ",\"sin\":");
    view_put_json_number(&p->json, sweep.sine);
    view_put_text(&p->json, ",\"apex\":");
    packet_put_vector(p, sweep.apex);
    view_put_text(&p->json, "}");
}

static void put_flags(packet *p, const char *name, const uint8_t *flags, size_t every, size_t rows)
{
    int64_t *const values = packet_values(p, p->all);
    if (!values) return;
    for (size_t i = 0; i < p->all; i++) values[i] = i < rows ? flags[i * every] : 0;
    packet_put_column(p, &(packet_column){.name = name, .scale = 1, .exact = true}, values, p->all);
}

static void put_index(packet *p)
{
    int64_t *const values = packet_values(p, p->all);
    if (!values) return;
    size_t row = 0;
    for (size_t c = 0; c < p->frame->cloud_count; c++)
        for (size_t i = 0; i < p->rows[c]; i++) values[row++] = (int64_t)(i * p->every);
    packet_put_column(p, &(packet_column){.name = "index", .scale = 1, .exact = true}, values, p->all);
}

void packet_put_coordinates(packet *p)
{
    static const char *const names[] = {"x", "y", "z"};
    int64_t *const values = packet_values(p, p->all > SIZE_MAX / 64 ? SIZE_MAX : 3 * p->all);
    uint8_t *const hidden = malloc(p->all + 1);
    if (!values || !hidden) {
        p->body.failed = true;
        free(hidden);
        return;
    }
    int64_t *const xyz[3] = {values, values + p->all, values + 2 * p->all};
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, step[3];
    const size_t hidden_rows = find_hidden(p, hidden, low, high);
    choose_steps(p, low, high, step);
    for (int a = 0; a < 3; a++) round_axis(p, a, step[a], hidden, xyz[a]);
    put_sweep(p, xyz, step, hidden);
    view_put_text(&p->json, ",\"columns\":[");
    for (int a = 0; a < 3; a++)
        packet_put_column(p, &(packet_column){.name = names[a], .scale = step[a]}, xyz[a], p->all);
    if (p->every > 1) put_index(p);
    if (hidden_rows) put_flags(p, "hidden", hidden, 1, p->all);
    free(hidden);
}

int32_t packet_label(const view_labels *labels, size_t i)
{
    const int32_t label = labels->labels[i];
    return label >= 0 && label < labels->count ? labels->clusters[label].label : label;
}

/* Puts the points that two labellings treat differently. */
static void put_differences(packet *p)
{
    const size_t count = clump_cloud_points(p->frame->clouds[0]).count;
    const view_labels *const both = p->frame->labelings;
    uint8_t *const differs = malloc(count + 1);
    if (differs && view_find_differences(both[0].labels, both[1].labels, count, differs, &p->differing))
        put_flags(p, "differs", differs, p->every, p->rows[0]);
    else
        p->body.failed = true;
    free(differs);
}

void packet_put_labels(packet *p)
{
    static const char *const names[][2] = {{"label0", "core0"}, {"label1", "core1"}};
    for (size_t k = 0; k < p->frame->labeling_count; k++) {
        const view_labels *const labels = &p->frame->labelings[k];
        int64_t *const values = packet_values(p, p->all);
        if (!values) return;
        for (size_t i = 0; i < p->all; i++)
            values[i] = i < p->rows[0] ? packet_label(labels, i * p->every) : CLUMP_NOISE;
        packet_put_column(p, &(packet_column){.name = names[k][0], .scale = 1, .exact = true}, values, p->all);
        if (labels->core) put_flags(p, names[k][1], labels->core, p->every, p->rows[0]);
    }
    if (p->frame->labeling_count > 1) put_differences(p);
}
