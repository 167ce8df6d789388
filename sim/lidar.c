/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar.c: the public functions of the simulated sensor: parameters, their checks, a scan.
 */
#include "lidar_cast.h"
#include "common/assert.h"
#include "lidar_stage.h"
#include "refuse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIDAR_COOKIE      0x11da5e01u
#define LIDAR_FRAMES_MOST 10000000
#define LIDAR_FASTEST     25 /* speed of the fastest thing, m/s */

clump_lidar clump_lidar_defaults(void)
{
    return (clump_lidar){.cookie = LIDAR_COOKIE,
                         .model = CLUMP_LIDAR_HDL64E,
                         .scene = CLUMP_SCENE_STREET,
                         .seed = 1,
                         .rate = 10,
                         .height = 1.73,
                         .noise = 0.012,
                         .dropout = 0.01,
                         .speed = 8,
                         .kerb = 0.12,
                         .vehicle = true};
}

static const char *const model_names[] = {"vlp-16", "hdl-32e", "hdl-64e", "128"};
static const char *const scene_names[] = {"street", "t-junction", "road",  "square", "trees",
                                          "people", "crossroad",  "pairs", "yard"};
enum {
    model_count = sizeof model_names / sizeof model_names[0],
    scene_count = sizeof scene_names / sizeof scene_names[0]
};

/* Returns the place of a name in a list, or `count`. */
static size_t find_name(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; name && i < count; i++)
        if (strcmp(name, names[i]) == 0) return i;
    return count;
}

const char *clump_lidar_model_name(clump_lidar_model model)
{
    const size_t i = (size_t)model;
    return i < model_count ? model_names[i] : NULL;
}

bool clump_lidar_model_from_name(const char *name, clump_lidar_model *model)
{
    const size_t i = find_name(model_names, model_count, name);
    if (i < model_count) *model = (clump_lidar_model)i;
    return i < model_count;
}

const char *clump_lidar_scene_name(clump_lidar_scene scene)
{
    const size_t i = (size_t)scene;
    return i < scene_count ? scene_names[i] : NULL;
}

bool clump_lidar_scene_from_name(const char *name, clump_lidar_scene *scene)
{
    const size_t i = find_name(scene_names, scene_count, name);
    if (i < scene_count) *scene = (clump_lidar_scene)i;
    return i < scene_count;
}

/* --- checking ---------------------------------------------------------------------------------- */

static clump_status check_lidar(const clump_lidar *lidar, clump_message *message)
{
    const clump_status bad = CLUMP_ERR_ARGUMENT;
    if (!lidar) return sim_refuse(message, bad, "the parameters of the sensor are null");
    if (lidar->cookie != LIDAR_COOKIE)
        return sim_refuse(message, CLUMP_ERR_OPTIONS,
                          "the parameters of the sensor were not made by clump_lidar_defaults()");
    if (!clump_lidar_model_name(lidar->model)) return sim_refuse(message, bad, "%d is not a sensor", (int)lidar->model);
    if (!clump_lidar_scene_name(lidar->scene)) return sim_refuse(message, bad, "%d is not a scene", (int)lidar->scene);
    const struct {
        const char *what;
        double value, least, most;
    } limits[] = {{"turns per second", lidar->rate, 1, 50}, {"height", lidar->height, 0.3, 10},
                  {"reach", lidar->reach, 0, 300},          {"noise", lidar->noise, 0, 1},
                  {"dropout", lidar->dropout, 0, 1},        {"speed", lidar->speed, -100, 100},
                  {"slope", lidar->slope, -30, 30},         {"height of the kerbs", lidar->kerb, 0, 0.5}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (!(limits[i].value >= limits[i].least && limits[i].value <= limits[i].most))
            return sim_refuse(message, bad, "the %s %g is not between %g and %g", limits[i].what, limits[i].value,
                              limits[i].least, limits[i].most);
    return CLUMP_OK;
}

size_t clump_lidar_rays(const clump_lidar *lidar)
{
    if (check_lidar(lidar, NULL) != CLUMP_OK) return 0;
    const lidar_model *model = lidar_model_of(lidar->model);
    return model->beams * lidar_columns(model, lidar->rate);
}

/* --- a world and its scans --------------------------------------------------------------------- */

clump_status clump_sim_lidar_create(const clump_lidar *lidar, clump_lidar_world **world, clump_message *message)
{
    if (message) message->text[0] = '\0';
    if (!world) return sim_refuse(message, CLUMP_ERR_ARGUMENT, "the place for the world is null");
    *world = NULL;
    const clump_status status = check_lidar(lidar, message);
    if (status != CLUMP_OK) return status;
    clump_lidar_world *w = malloc(sizeof *w);
    if (!w) return sim_refuse(message, CLUMP_ERR_OUT_OF_MEMORY, "there is no memory for a simulated world");
    *w = (clump_lidar_world){.lidar = *lidar, .model = lidar_model_of(lidar->model)};
    w->reach = lidar->reach > 0 ? lidar->reach : w->model->reach;
    w->columns = lidar_columns(w->model, lidar->rate);
    CLUMP_ASSERT(w->columns >= 1 && w->model->beams <= LIDAR_BEAMS_MOST);
    for (size_t beam = 0; beam < w->model->beams; beam++) {
        double sine;
        exact_direction(lidar_beam_degrees(lidar->model, beam) / 360, &w->cosine[beam], &sine);
        CLUMP_ASSERT(w->cosine[beam] > 0);
        w->rise[beam] = sine / w->cosine[beam];
        w->gain[beam] = 0.75 + 0.5 * exact_random(64, beam);
    }
    *world = w;
    return CLUMP_OK;
}

void clump_sim_lidar_destroy(clump_lidar_world *world)
{
    free(world);
}

/* Moves the slots with an echo to the front of all arrays. Returns their number. */
static size_t close_ranks(const clump_lidar_scan *out, size_t slots)
{
    size_t count = 0;
    for (size_t i = 0; i < slots; i++) {
        if (isnan(out->xyz[3 * i])) continue;
        for (size_t axis = 0; axis < 3; axis++) out->xyz[3 * count + axis] = out->xyz[3 * i + axis];
        if (out->intensity) out->intensity[count] = out->intensity[i];
        if (out->ring) out->ring[count] = out->ring[i];
        if (out->time) out->time[count] = out->time[i];
        if (out->semantic) out->semantic[count] = out->semantic[i];
        if (out->instance) out->instance[count] = out->instance[i];
        CLUMP_ASSERT(count <= i);
        count++;
    }
    return count;
}

/* Writes the matrix that takes points of a frame to those of frame 0. In frame 0 the sensor looks along x. */
static void write_pose(const clump_lidar *lidar, double time, double pose[12])
{
    const lidar_place start = lidar_place_at(lidar, 0), now = lidar_place_at(lidar, time);
    const double x = now.x - start.x;
    const double rows[12] = {now.ux, -now.uy,         0, x, now.uy, now.ux,
                             0,      now.y - start.y, 0, 0, 1,      x * lidar->slope / 100};
    memcpy(pose, rows, sizeof rows);
}

/* Makes the solids around the sensor in a frame. The caller frees stage->solids, also after a failure. */
static clump_status set_stage(const clump_lidar_world *world, size_t frame, lidar_stage *stage, clump_message *message)
{
    if (frame > LIDAR_FRAMES_MOST)
        return sim_refuse(message, CLUMP_ERR_TOO_MANY, "frame %zu is beyond frame %d, the last", frame,
                          LIDAR_FRAMES_MOST);
    const double time = (double)frame / world->lidar.rate;
    const lidar_place place = lidar_place_at(&world->lidar, time);
    const double nearing = world->lidar.distortion ? (fabs(world->lidar.speed) + LIDAR_FASTEST) / world->lidar.rate : 0;
    *stage = (lidar_stage){.x = place.x, .y = place.y, .far = world->reach + nearing, .time = time};
    lidar_set_stage(&world->lidar, stage);
    if (!stage->failed) return CLUMP_OK;
    return sim_refuse(message, CLUMP_ERR_OUT_OF_MEMORY, "there is no memory for the things of a simulated scan");
}

clump_status clump_sim_lidar_scan(const clump_lidar_world *world, size_t frame, const clump_lidar_scan *out,
                                  size_t *count, double pose[12], clump_message *message)
{
    if (message) message->text[0] = '\0';
    if (!world) return sim_refuse(message, CLUMP_ERR_ARGUMENT, "the world is null");
    if (!out || !out->xyz) return sim_refuse(message, CLUMP_ERR_ARGUMENT, "the array for the points is null");
    if (!count) return sim_refuse(message, CLUMP_ERR_ARGUMENT, "the place for the number of points is null");
    *count = 0;
    lidar_stage stage = {0};
    clump_status status = set_stage(world, frame, &stage, message);
    if (status == CLUMP_OK && !lidar_cast(world, &stage, frame, out))
        status = sim_refuse(message, CLUMP_ERR_OUT_OF_MEMORY, "there is no memory for the things of a simulated scan");
    free(stage.solids);
    if (status != CLUMP_OK) return status;
    *count = close_ranks(out, world->model->beams * world->columns);
    if (pose) write_pose(&world->lidar, stage.time, pose);
    return CLUMP_OK;
}

/* ----- things ---------------------------------------------------------------------------------- */

static int compare_instances(const void *a, const void *b)
{
    const lidar_solid *const x = a, *const y = b;
    return (x->instance > y->instance) - (x->instance < y->instance);
}

/* Adds a solid to a thing. Where the ground slopes, a solid is as high as at its middle. */
static void join_solid(const clump_lidar *lidar, const lidar_solid *solid, clump_lidar_thing *thing)
{
    const lidar_place start = lidar_place_at(lidar, 0);
    const double rise = (solid->x - start.x) * lidar->slope / 100 - lidar->height;
    const double ux = fabs(solid->ux), uy = fabs(solid->uy);
    const bool box = solid->shape == LIDAR_BOX;
    const double half[2] = {box ? ux * solid->hx + uy * solid->hy : solid->hx,
                            box ? uy * solid->hx + ux * solid->hy : solid->hx};
    const double lower[3] = {solid->x - start.x - half[0], solid->y - start.y - half[1], solid->low + rise};
    const double upper[3] = {solid->x - start.x + half[0], solid->y - start.y + half[1], solid->high + rise};
    if (solid->semantic < thing->semantic) thing->semantic = solid->semantic;
    for (int k = 0; k < 3; k++) {
        if (lower[k] < thing->lower[k]) thing->lower[k] = lower[k];
        if (upper[k] > thing->upper[k]) thing->upper[k] = upper[k];
    }
}

clump_status clump_sim_lidar_things(const clump_lidar_world *world, size_t frame, clump_lidar_thing *things,
                                    size_t capacity, size_t *count, clump_message *message)
{
    if (message) message->text[0] = '\0';
    if (!world) return sim_refuse(message, CLUMP_ERR_ARGUMENT, "the world is null");
    if (!things && capacity) return sim_refuse(message, CLUMP_ERR_ARGUMENT, "the array for the things is null");
    if (!count) return sim_refuse(message, CLUMP_ERR_ARGUMENT, "the place for the number of things is null");
    *count = 0;
    lidar_stage stage = {0};
    const clump_status status = set_stage(world, frame, &stage, message);
    if (status == CLUMP_OK) qsort(stage.solids, stage.count, sizeof *stage.solids, compare_instances);
    size_t found = 0;
    for (size_t i = 0; status == CLUMP_OK && i < stage.count; i++) {
        const lidar_solid *const solid = &stage.solids[i];
        if (solid->instance == 0) continue;
        const bool is_new = found == 0 || solid->instance != stage.solids[i - 1].instance;
        found += is_new;
        if (found > capacity) continue;
        clump_lidar_thing *const thing = &things[found - 1];
        if (is_new)
            *thing = (clump_lidar_thing){solid->instance,
                                         solid->semantic,
                                         {INFINITY, INFINITY, INFINITY},
                                         {-INFINITY, -INFINITY, -INFINITY},
                                         {solid->vx, solid->vy, solid->vx * world->lidar.slope / 100}};
        join_solid(&world->lidar, solid, thing);
    }
    free(stage.solids);
    *count = found;
    return status;
}
