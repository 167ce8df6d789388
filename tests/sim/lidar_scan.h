/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_scan.h: scans of the simulated sensor, for tests.
 */
#ifndef CLUMP_TESTS_LIDAR_SCAN_H
#define CLUMP_TESTS_LIDAR_SCAN_H

#include <clump/sim.h>

#include "support/check.h"

typedef struct lidar_scan {
    clump_lidar_scan to;
    size_t count, rays;
    double pose[12];
} lidar_scan;

static inline clump_lidar lidar_of(clump_lidar_model model, clump_lidar_scene scene)
{
    clump_lidar lidar = clump_lidar_defaults();
    lidar.model = model, lidar.scene = scene;
    return lidar;
}

static inline clump_lidar_world *make_world(const clump_lidar *lidar)
{
    clump_lidar_world *world = NULL;
    clump_message why = {""};
    const clump_status status = clump_sim_lidar_create(lidar, &world, &why);
    if (status == CLUMP_OK) return world;
    fprintf(stderr, "a world could not be made: %s\n", why.text);
    abort();
}

static inline lidar_scan make_scan(const clump_lidar *lidar, const clump_lidar_world *world, size_t frame)
{
    const size_t n = clump_lidar_rays(lidar);
    lidar_scan s = {.to = {.xyz = malloc(n * 3 * sizeof(float)),
                           .intensity = malloc(n * sizeof(float)),
                           .ring = malloc(n * sizeof(uint16_t)),
                           .time = malloc(n * sizeof(float)),
                           .semantic = malloc(n * sizeof(uint16_t)),
                           .instance = malloc(n * sizeof(uint16_t))},
                    .rays = n};
    clump_message why = {""};
    if (!s.to.xyz || !s.to.intensity || !s.to.ring || !s.to.time || !s.to.semantic || !s.to.instance) abort();
    const clump_status status = clump_sim_lidar_scan(world, frame, &s.to, &s.count, s.pose, &why);
    CHECK_MSG(status == CLUMP_OK, "%s", why.text);
    return s;
}

/* The first frame of a world that is needed once. */
static inline lidar_scan scan_of(const clump_lidar *lidar)
{
    clump_lidar_world *const world = make_world(lidar);
    const lidar_scan s = make_scan(lidar, world, 0);
    clump_sim_lidar_destroy(world);
    return s;
}

static inline void free_scan(lidar_scan *s)
{
    free(s->to.xyz), free(s->to.intensity), free(s->to.ring);
    free(s->to.time), free(s->to.semantic), free(s->to.instance);
}

/* FNV-1a over words instead of bytes, low half first; the bits of floats. The same on every machine. */
static inline uint64_t hash_words(uint64_t hash, const void *data, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word = 0;
        if (size == 4) {
            memcpy(&word, (const char *)data + 4 * i, 4);
        } else {
            uint16_t half;
            memcpy(&half, (const char *)data + 2 * i, 2);
            word = half;
        }
        hash = (hash ^ word) * 0x100000001b3u;
    }
    return hash;
}

static inline uint64_t hash_scan(const lidar_scan *s)
{
    uint64_t hash = 0xcbf29ce484222325u ^ s->count;
    hash = hash_words(hash, s->to.xyz, 3 * s->count, 4);
    hash = hash_words(hash, s->to.intensity, s->count, 4);
    hash = hash_words(hash, s->to.ring, s->count, 2);
    hash = hash_words(hash, s->to.time, s->count, 4);
    hash = hash_words(hash, s->to.semantic, s->count, 2);
    return hash_words(hash, s->to.instance, s->count, 2);
}

#endif
