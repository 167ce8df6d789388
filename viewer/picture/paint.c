/* SPDX-License-Identifier: BSD-3-Clause
 *
 * paint.c: see paint.h.
 */
#include "viewer/picture/paint.h"

#include "common/assert.h"
#include "viewer/scene/scene.h"
#include "viewer/scene/palette.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static clump_status no_memory(size_t points, clump_message *message)
{
    if (message)
        snprintf(message->text, sizeof message->text, "not enough memory for the colours of %zu points", points);
    return CLUMP_ERR_OUT_OF_MEMORY;
}

void view_paint_release(view_paint *paint)
{
    free(paint->points), free(paint->clusters);
    *paint = (view_paint){0};
}

view_rgb view_ramp_colour(float value, float low, float high)
{
    const double place = high > low ? ((double)value - low) / ((double)high - low) : 0.5;
    return view_ramp[(int)floor(fmin(fmax(place, 0), 1) * (VIEW_RAMP - 1) + 0.5)];
}

static size_t points_of(const view_frame *frame, size_t cloud)
{
    return clump_cloud_points(frame->clouds[cloud]).count;
}

/* Heights or distances from the sensor of a cloud's points, in float: the differences are small where coordinates are large,
 * because both are relative to the sensor. */
static void measure_points(const view_frame *frame, size_t cloud, bool height, float *values)
{
    CLUMP_ASSERT(cloud < frame->cloud_count);
    const clump_points points = clump_cloud_points(frame->clouds[cloud]);
    const double *const origin = clump_cloud_origin(frame->clouds[cloud]);
    const size_t step = view_step(points);
    const int up = frame->up == CLUMP_UP_Y ? 1 : 2;
    for (size_t i = 0; i < points.count; i++) {
        double from_sensor[3];
        for (int k = 0; k < 3; k++) from_sensor[k] = points.xyz[i * step + (size_t)k] + origin[k] - frame->sensor[k];
        const double above = frame->flip ? -from_sensor[up] : from_sensor[up];
        values[i] = (float)(height ? above : hypot(hypot(from_sensor[0], from_sensor[1]), from_sensor[2]));
    }
}

/* The values of a field, relative to the first finite one: times of 1e9 seconds would lose their digits in float. */
static void read_field(const view_frame *frame, size_t cloud, const char *name, double *zero, float *values)
{
    CLUMP_ASSERT(cloud < frame->cloud_count);
    const size_t count = points_of(frame, cloud);
    clump_field field;
    if (!clump_cloud_find(frame->clouds[cloud], name, &field)) {
        for (size_t i = 0; i < count; i++) values[i] = NAN;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const double value = clump_field_value(&field, i, 0);
        if (!isfinite(*zero) && isfinite(value)) *zero = value;
        values[i] = (float)(value - *zero);
    }
}

/* What the limits of the ramp were measured from. */
static double zero_of(const view_frame *frame, view_colour colour, double field_zero)
{
    const int up = frame->up == CLUMP_UP_Y ? 1 : 2;
    if (colour == VIEW_BY_RANGE) return 0;
    if (colour == VIEW_BY_FIELD) return isfinite(field_zero) ? field_zero : 0;
    return frame->flip ? -frame->sensor[up] : frame->sensor[up];
}

static clump_status paint_numbers(const view_frame *frame, const view_options *options, view_colour colour, bool dark,
                                  view_paint *paint, size_t count, clump_message *message)
{
    view_rgb *const out = paint->points;
    float *const values = malloc((count ? count : 1) * sizeof *values);
    if (!values) return no_memory(count, message);
    double zero = NAN;
    size_t done = 0;
    for (size_t c = 0; c < frame->cloud_count; done += points_of(frame, c++)) {
        if (colour == VIEW_BY_FIELD)
            read_field(frame, c, options->field, &zero, values + done);
        else
            measure_points(frame, c, colour == VIEW_BY_HEIGHT, values + done);
    }
    float low = 0, high = 0;
    const view_numbers numbers = {values, 1, 1, count};
    view_robust_limits(&numbers, &low, &high);
    paint->low = low + zero_of(frame, colour, zero), paint->high = high + zero_of(frame, colour, zero);
    const view_rgb unknown = view_special_colours(dark)->noise;
    for (size_t i = 0; i < count; i++) out[i] = isfinite(values[i]) ? view_ramp_colour(values[i], low, high) : unknown;
    free(values);
    return CLUMP_OK;
}

/* The colours of the file. A cloud without colours is drawn as unknown. */
static void paint_rgb(const view_frame *frame, view_rgb unknown, view_rgb *out)
{
    for (size_t c = 0; c < frame->cloud_count; c++) {
        const size_t count = points_of(frame, c);
        view_colours colours;
        const bool found = view_find_colours(frame->clouds[c], &colours);
        for (size_t i = 0; i < count; i++) *out++ = found ? view_point_colour(&colours, i) : unknown;
    }
}

/* The colour of points that are neither in a cluster nor ground. Where only the ground was searched they are what stands on
 * it, and their colour differs more from that of the ground. */
static view_rgb colour_of_rest(const view_labels *labels, const view_special *special, size_t count)
{
    for (size_t i = 0; i < count && labels->count == 0; i++)
        if (labels->labels[i] == CLUMP_GROUND) return view_palette[0];
    return special->noise;
}

static void paint_labels(const view_labels *labels, const view_special *special, view_colour colour, view_paint *paint,
                         size_t count)
{
    const uint8_t *const clusters = paint->clusters;
    view_rgb *const out = paint->points;
    paint->rest = colour_of_rest(labels, special, count);
    for (size_t i = 0; i < count; i++) {
        const int32_t label = labels->labels[i];
        const bool in_cluster = label >= 0 && label < labels->count;
        if (colour == VIEW_BY_CORE && in_cluster && labels->core)
            out[i] = labels->core[i] ? special->core : special->border;
        else if (colour == VIEW_BY_GROUND && in_cluster)
            out[i] = view_palette[0];
        else
            out[i] = in_cluster ? view_palette[clusters[label]] : label == CLUMP_GROUND ? special->ground : paint->rest;
    }
}

/* Marks the points that two labellings treat differently. The others get the colour `same`, or keep theirs if it is null. */
static clump_status mark_differences(const view_frame *frame, view_rgb mark, const view_rgb *same, view_rgb *out,
                                     size_t count, clump_message *message)
{
    size_t total;
    uint8_t *const differs = malloc(count ? count : 1);
    if (!differs ||
        !view_find_differences(frame->labelings[0].labels, frame->labelings[1].labels, count, differs, &total)) {
        free(differs);
        return no_memory(count, message);
    }
    for (size_t i = 0; i < count; i++)
        if (differs[i] || same) out[i] = differs[i] ? mark : *same;
    free(differs);
    return CLUMP_OK;
}

/* Points of a second cloud have no label: they get the colour of that cloud. */
static void paint_clouds(const view_frame *frame, const view_special *special, view_rgb *out)
{
    size_t done = 0;
    for (size_t c = 0; c < frame->cloud_count; c++) {
        const size_t count = points_of(frame, c);
        for (size_t i = 0; i < count; i++) out[done + i] = special->clouds[c];
        done += count;
    }
}

static clump_status choose_colours(const view_frame *frame, size_t which, view_paint *paint, clump_message *message)
{
    const view_labels *const labels = &frame->labelings[which];
    if (!frame->labeling_count) return CLUMP_OK;
    paint->clusters = malloc(labels->count > 0 ? (size_t)labels->count : 1);
    if (paint->clusters && view_choose_frame_colours(frame, which, paint->clusters)) return CLUMP_OK;
    if (message)
        snprintf(message->text, sizeof message->text, "not enough memory for the colours of %d clusters",
                 (int)labels->count);
    return CLUMP_ERR_OUT_OF_MEMORY;
}

clump_status view_paint_frame(const view_frame *frame, const view_options *options, size_t which, bool dark,
                              view_paint *paint, clump_message *message)
{
    CLUMP_ASSERT(which == 0 || which < frame->labeling_count);
    const view_special *const special = view_special_colours(dark);
    view_colour colour;
    size_t count = view_points(frame);
    *paint = (view_paint){0};
    if (!view_resolve_colour(frame, options, &colour)) {
        if (message) snprintf(message->text, sizeof message->text, "the points have no values for this colour");
        return CLUMP_ERR_ARGUMENT;
    }
    paint->points = malloc((count ? count : 1) * sizeof *paint->points);
    if (!paint->points) return no_memory(count, message);
    const clump_status status = choose_colours(frame, which, paint, message);
    if (status != CLUMP_OK || !count) return status;

    if (colour == VIEW_BY_HEIGHT || colour == VIEW_BY_RANGE || colour == VIEW_BY_FIELD)
        return paint_numbers(frame, options, colour, dark, paint, count, message);
    if (colour == VIEW_BY_RGB) {
        paint_rgb(frame, special->noise, paint->points);
        return CLUMP_OK;
    }
    paint_clouds(frame, special, paint->points);
    if (colour == VIEW_BY_CLOUD) return CLUMP_OK;
    count = points_of(frame, 0); /* only these have labels */
    if (colour != VIEW_BY_DIFFERENCE) paint_labels(&frame->labelings[which], special, colour, paint, count);
    if (frame->labeling_count < 2) return CLUMP_OK;
    const view_rgb *const same = colour == VIEW_BY_DIFFERENCE ? &special->noise : NULL;
    return mark_differences(frame, special->differs, same, paint->points, count, message);
}
