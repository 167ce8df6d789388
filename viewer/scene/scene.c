/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scene.c: see scene.h.
 */
#include "viewer/scene/scene.h"

#include "viewer/scene/palette.h"

#include <math.h>

#define SCENE_FEW 20e3 /* points; a frame with fewer has larger ones */

size_t view_points(const view_frame *frame)
{
    size_t points = 0;
    for (size_t c = 0; c < frame->cloud_count; c++) points += clump_cloud_points(frame->clouds[c]).count;
    return points;
}

view_options view_defaults(void)
{
    return (view_options){.zoom = 1, .boxes = true, .shading = true, .legend = true, .point_size = 3};
}

double view_point_size(const view_frame *frame)
{
    const double points = fmax((double)view_points(frame), 1), usual = view_defaults().point_size;
    return points < SCENE_FEW ? round(usual * fmin(pow(SCENE_FEW / points, 0.25), 2)) : usual;
}

/* Returns the colour that fits the frame. */
static view_colour choose_colour(const view_frame *frame)
{
    if (frame->labeling_count > 0) return VIEW_BY_LABEL;
    if (frame->cloud_count > 1) return VIEW_BY_CLOUD;
    return frame->cloud_count == 1 && view_has_colours(frame->clouds[0]) ? VIEW_BY_RGB : VIEW_BY_HEIGHT;
}

bool view_resolve_colour(const view_frame *frame, const view_options *options, view_colour *colour)
{
    const bool labelled = frame->labeling_count > 0;
    clump_field field;
    view_colours colours;
    *colour = options->colour;
    switch (options->colour) {
    case VIEW_BY_AUTO:
        *colour = choose_colour(frame);
        return true;
    case VIEW_BY_LABEL:
    case VIEW_BY_GROUND:
        return labelled;
    case VIEW_BY_CORE:
        return labelled && frame->labelings[0].core;
    case VIEW_BY_DIFFERENCE:
        return frame->labeling_count > 1;
    case VIEW_BY_RGB:
        for (size_t c = 0; c < frame->cloud_count; c++)
            if (view_find_colours(frame->clouds[c], &colours)) return true;
        return false;
    case VIEW_BY_FIELD:
        return clump_cloud_find(frame->clouds[0], options->field, &field);
    case VIEW_BY_CLOUD:
        return frame->cloud_count > 1;
    case VIEW_BY_HEIGHT:
    case VIEW_BY_RANGE:
        break;
    }
    return true;
}
