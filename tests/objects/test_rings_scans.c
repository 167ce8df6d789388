/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_rings_scans.c: where clump_objects finds the rings of real scans: frames of KITTI are in the order of their rings, no
 * other cloud is taken for one. The rings of sensors with even lasers are found by their angles. Labels do not depend on
 * the order of the points where rings are given.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "support/scans.h"

#include <clump/info.h>

#include <math.h>

enum { CONTEXTS = 3 };

static const int threads_of[CONTEXTS] = {1, 2, 8};
static clump_context *contexts[CONTEXTS];

static bool contains(const char *text, const char *word)
{
    return strstr(text, word) != NULL;
}

/* Whether a file is in KITTI's order: its own frames, and two that others have made of them. */
static bool is_kitti(const char *name)
{
    return contains(name, "kitti") || contains(name, "sfnd_data1") || contains(name, "cupcl_sample");
}

/* The number of rings of a file with plain vertical angles; 0: it has none. Two of 128 and of 16 lasers saw nothing. */
static int rings_by_angle(const char *name)
{
    static const struct {
        const char *word;
        int rings;
    } known[] = {{"nebula_pandar64_", 64}, {"nebula_pandarxt32_", 32}, {"nebula_vlp16_", 15},
                 {"nebula_vlp32_", 32},    {"nebula_vls128_", 127},    {"nebula_qt64_", 64},
                 {"nebula_xt16_", 16},     {"nebula_xt32_", 32},       {"smallgicp_", 32},
                 {"ndtomp_", 32},          {"room_scan", 181},         {"rayground_input", 32}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (contains(name, known[k].word)) return known[k].rings;
    return 0;
}

static void check_file(clump_points points, const char *name)
{
    if (points.count == 0 || points.count > 400000) return;
    int32_t *const labels = malloc(points.count * sizeof *labels), clusters = 0;
    clump_objects_options o = clump_objects_defaults();
    const bool kitti = is_kitti(name);
    CHECK_MSG(clump_objects(contexts[0], points, &o, labels, &clusters) == CLUMP_OK, "%s", name);
    clump_stats stats = clump_context_stats(contexts[0]);
    const int rings = rings_by_angle(name);
    CHECK_MSG(stats.ring_source == (kitti                       ? CLUMP_RINGS_ORDER
                                    : rings > 0 && rings <= 128 ? CLUMP_RINGS_ANGLE
                                                                : CLUMP_RINGS_NONE),
              "%s: rings by %s", name, clump_ring_source_name(stats.ring_source));
    CHECK_MSG(stats.rings == (kitti ? 64 : rings <= 128 ? rings : 0), "%s: %d rings", name, stats.rings);
    o.neighbours = CLUMP_NEIGHBOURS_SCAN;
    const clump_status status = clump_objects(contexts[0], points, &o, labels, &clusters);
    stats = clump_context_stats(contexts[0]);
    if (kitti)
        CHECK_MSG(status == CLUMP_OK && stats.ring_source == CLUMP_RINGS_ORDER, "%s", name);
    else if (rings > 0)
        CHECK_MSG(status == CLUMP_OK && stats.ring_source == CLUMP_RINGS_ANGLE && stats.rings == rings,
                  "%s: %d rings, expected %d", name, stats.rings, rings);
    else
        CHECK_MSG(status == CLUMP_ERR_ARGUMENT, "%s: %d rings by %s", name, stats.rings,
                  clump_ring_source_name(stats.ring_source));
    free(labels);
}

static void every_file(void)
{
    if (CLOUD_WATCHED) SKIP(DO_UNWATCHED);
    SCANS_TEST(check_file);
}

/* Finds the rings of a frame: a new one begins where the azimuth falls by more than half a turn. */
static void find_rings(clump_points points, uint16_t *rings)
{
    double last = 0;
    uint16_t ring = 0;
    for (size_t i = 0; i < points.count; i++) {
        const float *const p =
            (const float *)(const void *)((const char *)points.xyz + i * (points.stride ? points.stride : 12));
        const double turn = atan2((double)p[1], (double)p[0]) / 6.283185307179586, azimuth = turn < 0 ? turn + 1 : turn;
        ring = (uint16_t)(ring + (i > 0 && azimuth < last - 0.5));
        rings[i] = ring;
        last = azimuth;
    }
}

/* Checks that two labellings are the same partition. to[] is scratch memory. */
static void check_partition(const int32_t *a, const int32_t *b, const size_t *from, size_t count, int32_t clusters)
{
    int32_t *const to = malloc(((size_t)clusters + 1) * sizeof *to);
    for (int32_t c = 0; c < clusters; c++) to[c] = -1;
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t x = a[from[i]], y = b[i];
        if (x >= 0 && y >= 0 && to[x] < 0) to[x] = y;
        wrong += x >= 0 && y >= 0 ? to[x] != y : x != y;
    }
    CHECK_INT((int)wrong, 0);
    free(to);
}

/* A frame in its own order, with rings given, and shuffled with rings given. */
static void frames(void)
{
    static const char *const names[] = {"kitti/semkitti_00_000000.bin", "kitti/semkitti_04_000006.bin",
                                        "kitti/semkitti_06_000003.bin"};
    for (size_t f = 0; f < (CLOUD_WATCHED ? 1 : 3); f++) {
        clump_cloud *const cloud = scan_load(names[f]);
        if (!cloud) SKIP("no %s in %s: " DO_DATA, names[f], scans_folder());
        const clump_points points = clump_cloud_points(cloud);
        const size_t n = points.count;
        uint64_t random = 2331;
        uint16_t *const rings = malloc(n * sizeof *rings), *const moved_rings = malloc(n * sizeof *rings);
        size_t *const from = malloc(n * sizeof *from);
        float *const moved = malloc(3 * n * sizeof *moved);
        int32_t *const labels = malloc(n * sizeof *labels), *const again = malloc(n * sizeof *labels);
        int32_t clusters = 0, count = 0;
        find_rings(points, rings);
        clump_objects_options o = clump_objects_defaults();
        CHECK_INT(clump_objects(contexts[0], points, &o, labels, &clusters), CLUMP_OK);
        CHECK_INT(clump_context_stats(contexts[0]).ring_source, CLUMP_RINGS_ORDER);
        CHECK(clusters > 50);
        o.rings = rings;
        for (int k = 0; k < CONTEXTS; k++) {
            CHECK_INT(clump_objects(contexts[k], points, &o, again, &count), CLUMP_OK);
            CHECK(count == clusters && memcmp(labels, again, n * sizeof *labels) == 0);
        }
        for (size_t i = 0; i < n; i++) from[i] = i;
        for (size_t i = n; i > 1; i--) {
            const size_t k = check_random(&random) % i, kept = from[k];
            from[k] = from[i - 1], from[i - 1] = kept;
        }
        for (size_t i = 0; i < n; i++) {
            memcpy(moved + 3 * i, (const char *)points.xyz + from[i] * (points.stride ? points.stride : 12), 12);
            moved_rings[i] = rings[from[i]];
        }
        o.rings = moved_rings;
        for (int k = 0; k < CONTEXTS; k++) {
            CHECK_INT(clump_objects(contexts[k], (clump_points){.xyz = moved, .count = n}, &o, again, &count),
                      CLUMP_OK);
            CHECK_INT(count, clusters);
            check_partition(labels, again, from, n, clusters);
        }
        free(rings), free(moved_rings), free(from), free(moved), free(labels), free(again);
        clump_cloud_destroy(cloud);
    }
}

CHECK_PROGRAM(test_rings_scans)
{
    cpu_contexts(contexts, threads_of, CONTEXTS);
    RUN(every_file);
    RUN(frames);
    destroy_contexts(contexts, CONTEXTS);
}
