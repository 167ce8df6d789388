/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trails.c: see scene.h. Places are kept over ground, in the order of the frames. A frame gets those of the last seconds of what
 * moves in it, and the path of the sensor, both in its own coordinates.
 */
#include "viewer/scene/scene.h"

#include "common/assert.h"
#include "viewer/scene/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRAILS_PATH = 1000,    /* most places of the path of the sensor; the older half is forgotten then */
    TRAILS_OBJECTS = 50000 /* most places of objects, in the same way */
};
#define TRAILS_COLOUR  10.0 /* seconds that a track keeps its colour without being seen */
#define TRAILS_SPACING 1.0  /* metres between two places of the path, so that long drives have short lists */
#define TRAILS_GAP     1.5  /* seconds between two places that are joined, at most, */
#define TRAILS_STEP    15.0 /* and metres: a recording that begins anew jumps */

static double time_of(const view_frame *frame)
{
    return frame->stamp == INT64_MIN ? 0.1 * (double)frame->number : 1e-9 * (double)frame->stamp;
}

static void to_ground(const double pose[12], const double at[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = pose[4 * k] * at[0] + pose[4 * k + 1] * at[1] + pose[4 * k + 2] * at[2] + pose[4 * k + 3];
}

static void from_ground(const double pose[12], const double at[3], double out[3])
{
    const double d[3] = {at[0] - pose[3], at[1] - pose[7], at[2] - pose[11]};
    for (int k = 0; k < 3; k++) out[k] = pose[k] * d[0] + pose[4 + k] * d[1] + pose[8 + k] * d[2];
}

static double distance_of(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Appends a place. False: no memory. */
static bool append(view_trail_list *list, const view_trail_place *place)
{
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 256;
        view_trail_place *const places = realloc(list->places, room * sizeof *places);
        if (!places) return false;
        list->places = places;
        list->room = room;
    }
    CLUMP_ASSERT(list->count < list->room);
    list->places[list->count++] = *place;
    return true;
}

static void forget_first(view_trail_list *list, size_t count)
{
    CLUMP_ASSERT(count <= list->count);
    if (count == 0) return;
    memmove(list->places, list->places + count, (list->count - count) * sizeof *list->places);
    list->count -= count;
}

/* Takes where the sensor is. The last place of the list is always that of the last frame. */
static bool add_sensor(view_trails *trails, const view_frame *frame, double now)
{
    view_trail_list *const path = &trails->path;
    view_trail_place place = {.time = now};
    to_ground(frame->pose, frame->sensor, place.at);
    const view_trail_place *const last = path->count > 0 ? &path->places[path->count - 1] : NULL;
    place.joined = last && now - last->time <= TRAILS_GAP && distance_of(last->at, place.at) <= TRAILS_STEP;
    if (place.joined && last->joined && path->count > 1 &&
        distance_of(path->places[path->count - 2].at, place.at) < TRAILS_SPACING)
        path->count--; /* the last one is not needed: this one takes its place */
    if (path->count == TRAILS_PATH) forget_first(path, TRAILS_PATH / 2);
    return append(path, &place);
}

static bool add_objects(view_trails *trails, const view_frame *frame, double now)
{
    const view_labels *const labels = &frame->labelings[0];
    if (frame->labeling_count == 0 || !labels->tracks) return true;
    view_trail_list *const objects = &trails->objects;
    const double *const origin = clump_cloud_origin(frame->clouds[0]);
    size_t old = objects->count > TRAILS_OBJECTS ? objects->count / 2 : 0;
    while (old < objects->count && objects->places[old].time < now - VIEW_TRAIL_SECONDS) old++;
    forget_first(objects, old);
    for (int32_t i = 0; i < labels->count; i++) {
        const float *const c = labels->clusters[i].centroid;
        view_trail_place place = {.track = labels->tracks[i].id, .time = now};
        if (!isfinite(c[0] + c[1] + c[2])) continue;
        to_ground(frame->pose, (const double[3]){c[0] + origin[0], c[1] + origin[1], c[2] + origin[2]}, place.at);
        if (!append(objects, &place)) return false;
    }
    return true;
}

/* Lists the places of a track, or of the sensor, in coordinates of the frame. */
static bool list_track(view_trails *trails, const view_trail_list *from, uint64_t track, const double pose[12],
                       double now)
{
    const view_trail_place *before = NULL;
    for (size_t i = 0; i < from->count; i++) {
        const view_trail_place *const each = &from->places[i];
        if (each->track != track) continue;
        view_trail_place place = {.track = track, .time = each->time - now};
        place.joined = before && (track == 0 ? each->joined
                                             : each->time - before->time <= TRAILS_GAP &&
                                                   distance_of(each->at, before->at) <= TRAILS_STEP);
        from_ground(pose, each->at, place.at);
        if (!append(&trails->shown, &place)) return false;
        before = each;
    }
    return true;
}

/* --- colours ---------------------------------------------------------------------------------------------- */

/* Returns the place of the track in the list, or where it would be. */
static size_t find_known(const view_trails *trails, uint64_t track)
{
    size_t first = 0, last = trails->known_count;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (trails->known[middle].track < track)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* Keeps the colour of a track. False: no memory. */
static bool keep_colour(view_trails *trails, uint64_t track, uint8_t colour, double now)
{
    const size_t at = find_known(trails, track);
    const bool known = at < trails->known_count && trails->known[at].track == track;
    if (!known && trails->known_count == trails->known_room) {
        const size_t room = 2 * trails->known_room + 256;
        view_track_colour *const list = realloc(trails->known, room * sizeof *list);
        if (!list) return false;
        trails->known = list;
        trails->known_room = room;
    }
    view_track_colour *const to = &trails->known[at];
    if (!known) memmove(to + 1, to, (trails->known_count++ - at) * sizeof *to);
    *to = (view_track_colour){.track = track, .time = now, .colour = colour};
    return true;
}

static void forget_colours(view_trails *trails, double now)
{
    size_t kept = 0;
    for (size_t i = 0; i < trails->known_count; i++)
        if (trails->known[i].time >= now - TRAILS_COLOUR) trails->known[kept++] = trails->known[i];
    trails->known_count = kept;
}

/* Sets the colours of the clusters: those that their tracks have already, else colours that differ from their neighbours'. */
static bool add_colours(view_trails *trails, view_frame *frame, double now)
{
    view_labels *const labels = &frame->labelings[0];
    const size_t count = labels->count > 0 ? (size_t)labels->count : 0;
    if (frame->labeling_count == 0 || !labels->tracks || count == 0) return true;
    if (count > trails->colour_room) {
        free(trails->colours);
        trails->colours = malloc(2 * count);
        trails->colour_room = trails->colours ? 2 * count : 0;
        if (!trails->colours) return false;
    }
    forget_colours(trails, now);
    for (size_t i = 0; i < count; i++) {
        const size_t at = find_known(trails, labels->tracks[i].id);
        const bool known = at < trails->known_count && trails->known[at].track == labels->tracks[i].id;
        trails->colours[i] = known ? trails->known[at].colour : VIEW_NO_COLOUR;
    }
    bool fine = view_choose_free_colours(labels, trails->colours);
    for (size_t i = 0; fine && i < count; i++)
        fine = keep_colour(trails, labels->tracks[i].id, trails->colours[i], now);
    labels->colours = trails->colours;
    return fine;
}

/* --- frames ----------------------------------------------------------------------------------------------- */

bool view_trails_add(view_trails *trails, view_frame *frame)
{
    const double now = time_of(frame);
    if (trails->any && now <= trails->last) /* time goes backwards: another drive */
        trails->path.count = trails->objects.count = trails->known_count = 0;
    trails->any = true;
    trails->last = now;
    trails->shown.count = 0;
    bool fine = add_colours(trails, frame, now);
    if (!frame->pose || !fine) return fine;
    fine = add_sensor(trails, frame, now) && add_objects(trails, frame, now) &&
           list_track(trails, &trails->path, 0, frame->pose, now);
    const view_labels *const labels = &frame->labelings[0];
    for (int32_t i = 0; fine && frame->labeling_count > 0 && labels->tracks && i < labels->count; i++)
        if (labels->tracks[i].motion == CLUMP_TRACK_MOVING)
            fine = list_track(trails, &trails->objects, labels->tracks[i].id, frame->pose, now);
    frame->trails = trails->shown.places;
    frame->trail_count = trails->shown.count;
    return fine;
}

void view_trails_release(view_trails *trails)
{
    free(trails->path.places);
    free(trails->objects.places);
    free(trails->shown.places);
    free(trails->known);
    free(trails->colours);
    *trails = (view_trails){0};
}
