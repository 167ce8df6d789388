/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The scans of the ER-CCL paper's experiments. The authors' recordings cannot be had: a simulated sensor of the same
 * model drives through the six kinds of scenes. Beside it, labelled frames of KITTI where they are.
 */
#include "papers/papers_erccl.h"

#include <stdio.h>
#include <stdlib.h>

#include <clump/io.h>

const clump_lidar_scene erccl_scenes[ERCCL_SCENES] = {CLUMP_SCENE_T_JUNCTION, CLUMP_SCENE_ROAD,
                                                      CLUMP_SCENE_SQUARE,     CLUMP_SCENE_TREES,
                                                      CLUMP_SCENE_PEOPLE,     CLUMP_SCENE_CROSSROAD};

const char *const erccl_kitti_names[] = {"00_000000", "00_000001", "00_000002", "04_000000", "06_000000",
                                         "00_000003", "00_000006", "00_000009", "04_000003", "04_000006",
                                         "04_000009", "06_000003", "06_000006", "06_000009", NULL};

clump_erccl_options erccl_setting(clump_erccl_method method, int reach)
{
    clump_erccl_options options = clump_erccl_defaults();
    options.method = method;
    options.reach = reach;
    options.extent = 40;
    options.cell = 0.05f;
    options.ground.method = CLUMP_GROUND_PEAK;
    return options;
}

void erccl_scan_free(erccl_scan *scan)
{
    bench_cloud_free(&scan->cloud);
    free(scan->truth);
    *scan = (erccl_scan){.truth = NULL};
}

static bool scan_world(const clump_lidar *lidar, size_t frame, const clump_lidar_scan *to, size_t *count,
                       clump_message *why)
{
    clump_lidar_world *world;
    if (clump_sim_lidar_create(lidar, &world, why) != CLUMP_OK) return false;
    const bool made = clump_sim_lidar_scan(world, frame, to, count, NULL, why) == CLUMP_OK;
    clump_sim_lidar_destroy(world);
    return made;
}

bool erccl_simulate(clump_lidar_scene scene, size_t frame, erccl_scan *out, clump_message *why)
{
    clump_lidar lidar = clump_lidar_defaults();
    lidar.model = CLUMP_LIDAR_HDL32E;
    lidar.scene = scene;
    lidar.rate = 7.2;
    lidar.speed = 30 / 3.6;
    const size_t rays = clump_lidar_rays(&lidar);
    *out = (erccl_scan){.truth = malloc(rays * sizeof *out->truth + 1)};
    uint16_t *const classes = malloc(2 * rays * sizeof *classes + 1), *const instances = classes + rays;
    bool made = out->truth && classes;
    if (!made) snprintf(why->text, sizeof why->text, "no memory for the truth of %zu points", rays);
    made = made && bench_cloud_allocate(rays, &out->cloud, why);
    const clump_lidar_scan to = {.xyz = out->cloud.xyz, .semantic = classes, .instance = instances};
    made = made && scan_world(&lidar, frame, &to, &out->cloud.count, why);
    for (size_t i = 0; made && i < out->cloud.count; i++)
        out->truth[i] = (uint32_t)instances[i] << 16 | (uint32_t)classes[i];
    free(classes);
    if (!made) erccl_scan_free(out);
    return made;
}

bool erccl_read_kitti(const char *name, erccl_scan *out, clump_message *why)
{
    char path[1200];
    int32_t *words = NULL;
    size_t count = 0;
    *out = (erccl_scan){.truth = NULL};
    snprintf(path, sizeof path, "%s/kitti/semkitti_%s.bin", settings.data, name);
    if (!bench_cloud_scan(path, NULL, &out->cloud, why)) return false;
    snprintf(path, sizeof path, "%s/kitti/semkitti_%s.label", settings.data, name);
    bool read = clump_labels_load(path, &words, &count, why) == CLUMP_OK;
    if (read && count != out->cloud.count) {
        snprintf(why->text, sizeof why->text, "%.400s: %zu labels for %zu points", path, count, out->cloud.count);
        read = false;
    }
    out->truth = read ? malloc(count * sizeof *out->truth + 1) : NULL;
    if (read && !out->truth) snprintf(why->text, sizeof why->text, "%.400s: no memory for its labels", path);
    for (size_t i = 0; out->truth && i < count; i++) out->truth[i] = (uint32_t)words[i];
    clump_labels_free(words);
    if (!out->truth) erccl_scan_free(out);
    return out->truth != NULL;
}
