/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map_moving.c: see map.h. Objects are those of `clump objects` with its defaults. A track is taken to move in a frame where, of
 * the frames around it, it was judged to move in CLI_MAP_LEAST or more, and not in fewer than it was judged to stand. A single
 * verdict would take too much: of what stands, one verdict in 200 is wrong, and a map needs each thing once.
 */
#include "map/map.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

enum { MOVING_WINDOW = CLI_MAP_BACK + CLI_MAP_AHEAD + 1, MOVING_FIRST = 256 /* clusters */ };

static int reserve_points(cli_map_scene *scene, size_t count)
{
    if (count <= scene->point_room && scene->labels) return CLI_DONE;
    free(scene->labels);
    free(scene->mask);
    scene->labels = cli_allocate(count + 1, sizeof *scene->labels);
    scene->mask = cli_allocate(count + 1, sizeof *scene->mask);
    scene->point_room = scene->labels && scene->mask ? count : 0;
    return scene->labels && scene->mask ? CLI_DONE : cli_fail("not enough memory for the labels of %zu points", count);
}

static int reserve_clusters(cli_map_scene *scene, int32_t count)
{
    if (count <= scene->cluster_room) return CLI_DONE;
    const int32_t room = count + count / 8;
    free(scene->clusters);
    free(scene->tracks);
    scene->clusters = cli_allocate((size_t)room, sizeof *scene->clusters);
    scene->tracks = cli_allocate((size_t)room, sizeof *scene->tracks);
    scene->cluster_room = scene->clusters && scene->tracks ? room : 0;
    return scene->cluster_room ? CLI_DONE : cli_fail("not enough memory for %d clusters", (int)count);
}

static int find_objects(cli_map_moving *moving, cli_map_scene *scene, clump_points points)
{
    clump_detect_options options = clump_detect_defaults();
    options.method = CLUMP_DETECT_OBJECTS;
    CLI_TRY(reserve_clusters(scene, MOVING_FIRST));
    for (;;) {
        const clump_status status = clump_detect(moving->context, points, &options, scene->labels, scene->clusters,
                                                 scene->cluster_room, &scene->count);
        if (status != CLUMP_OK) return cli_fail_context(moving->context, status);
        if (scene->count <= scene->cluster_room) return CLI_DONE;
        CLI_TRY(reserve_clusters(scene, scene->count));
    }
}

/* ----- votes ------------------------------------------------------------------------------------------ */

static void count_votes(cli_map_moving *moving, size_t frame, int by)
{
    const size_t at = frame % MOVING_WINDOW;
    for (int32_t i = 0; i < moving->judged[at].count; i++) {
        cli_map_votes *const votes = &moving->votes[moving->judged[at].ids[i]];
        const clump_track_motion motion = moving->judged[at].motions[i];
        if (motion == CLUMP_TRACK_MOVING) votes->moving = (uint16_t)(votes->moving + by);
        if (motion == CLUMP_TRACK_STANDING) votes->standing = (uint16_t)(votes->standing + by);
    }
}

/* Makes room for the votes of all identities up to this one. They are never given again, so this grows: 4 bytes each. */
static int reserve_votes(cli_map_moving *moving, uint64_t id)
{
    if (id < moving->vote_room) return CLI_DONE;
    const size_t room = 2 * (size_t)id + 1024;
    cli_map_votes *const votes = realloc(moving->votes, room * sizeof *votes);
    if (!votes) return cli_fail("not enough memory for %zu tracks", room);
    memset(votes + moving->vote_room, 0, (room - moving->vote_room) * sizeof *votes);
    moving->votes = votes;
    moving->vote_room = room;
    return CLI_DONE;
}

/* Keeps the verdicts of the frame. That of MOVING_WINDOW frames before no longer counts. */
static int keep_verdicts(cli_map_moving *moving, const cli_map_scene *scene)
{
    const size_t at = moving->entered % MOVING_WINDOW;
    while (moving->entered - moving->left >= MOVING_WINDOW) count_votes(moving, moving->left++, -1);
    if (scene->count > moving->judged[at].room) {
        free(moving->judged[at].ids);
        free(moving->judged[at].motions);
        const size_t room = (size_t)scene->count + (size_t)scene->count / 8;
        moving->judged[at].ids = cli_allocate(room, sizeof *moving->judged[at].ids);
        moving->judged[at].motions = cli_allocate(room, sizeof *moving->judged[at].motions);
        moving->judged[at].room = moving->judged[at].ids && moving->judged[at].motions ? (int32_t)room : 0;
        moving->judged[at].count = 0;
        if (!moving->judged[at].room) return cli_fail("not enough memory for %zu tracks", room);
    }
    moving->judged[at].count = scene->count;
    for (int32_t i = 0; i < scene->count; i++) {
        CLI_TRY(reserve_votes(moving, scene->tracks[i].id));
        moving->judged[at].ids[i] = scene->tracks[i].id;
        moving->judged[at].motions[i] = scene->tracks[i].motion;
    }
    count_votes(moving, moving->entered++, 1);
    return CLI_DONE;
}

int cli_map_moving_push(cli_map_moving *moving, cli_map_scene *scene, clump_points points, int64_t time,
                        const double *pose)
{
    scene->count = 0;
    CLI_TRY(reserve_points(scene, points.count));
    if (pose) {
        CLI_TRY(find_objects(moving, scene, points));
        const clump_status status = clump_tracker_update_at(moving->context, moving->tracker, time, pose,
                                                            scene->clusters, scene->count, scene->tracks);
        if (status != CLUMP_OK) return cli_fail_context(moving->context, status);
    }
    return keep_verdicts(moving, scene);
}

/* ----- masks ------------------------------------------------------------------------------------------ */

/* A box seen from above, and its heights. */
typedef struct moving_box {
    float center[2], along[2], half[2], lower, upper;
} moving_box;

/* The direction is rounded to float: libraries whose sin and cos differ in the last bits of a double give the same box. */
static moving_box box_of(const clump_cluster *c)
{
    const double yaw = (double)c->yaw * 3.14159265358979323846 / 180;
    return (moving_box){.center = {c->box_center[0], c->box_center[1]},
                        .along = {(float)cos(yaw), (float)sin(yaw)},
                        .half = {c->box_size[0] / 2 + CLI_MAP_GROW, c->box_size[1] / 2 + CLI_MAP_GROW},
                        .lower = c->lower[2] - CLI_MAP_DOWN,
                        .upper = c->upper[2] + CLI_MAP_GROW};
}

/* Marks the points in a box that no cluster has: feet and wheels, which are taken for ground. */
static void mark_box(const moving_box *b, cli_map_scene *scene, clump_points points)
{
    const size_t stride = points.stride ? points.stride / sizeof(float) : 3;
    for (size_t i = 0; i < points.count; i++) {
        const float *const p = points.xyz + i * stride;
        if (scene->labels[i] >= 0 || !(p[2] >= b->lower && p[2] <= b->upper)) continue;
        const float x = p[0] - b->center[0], y = p[1] - b->center[1];
        if (fabsf(x * b->along[0] + y * b->along[1]) <= b->half[0] &&
            fabsf(y * b->along[0] - x * b->along[1]) <= b->half[1])
            scene->mask[i] = CLUMP_MAP_MOVES;
    }
}

static bool is_moving(const cli_map_moving *moving, const clump_track *track)
{
    const cli_map_votes votes = moving->votes[track->id];
    return votes.moving >= CLI_MAP_LEAST && votes.moving >= votes.standing;
}

void cli_map_moving_mask(cli_map_moving *moving, size_t number, cli_map_scene *scene, clump_points points)
{
    while (moving->left + CLI_MAP_BACK < number) count_votes(moving, moving->left++, -1);
    CLUMP_ASSERT(number >= moving->left && number < moving->entered);
    memset(scene->mask, 1, points.count);
    if (scene->count == 0) return;
    for (size_t i = 0; i < points.count; i++) {
        const int32_t label = scene->labels[i];
        if (label >= 0 && is_moving(moving, &scene->tracks[label])) scene->mask[i] = CLUMP_MAP_MOVES;
    }
    for (int32_t i = 0; i < scene->count; i++) {
        const moving_box box = box_of(&scene->clusters[i]);
        if (is_moving(moving, &scene->tracks[i])) mark_box(&box, scene, points);
    }
    for (size_t i = 0; i < points.count; i++) moving->points += scene->mask[i] == CLUMP_MAP_MOVES;
}

void cli_map_scene_release(cli_map_scene *scene)
{
    free(scene->labels);
    free(scene->mask);
    free(scene->clusters);
    free(scene->tracks);
}

void cli_map_moving_release(cli_map_moving *moving)
{
    for (size_t i = 0; i < MOVING_WINDOW; i++) free(moving->judged[i].ids), free(moving->judged[i].motions);
    free(moving->votes);
    clump_tracker_destroy(moving->tracker);
}
