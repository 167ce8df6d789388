/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_erccl.c: clump_ground and clump_erccl by the CUDA backend on hundreds of maps (thousands with
 * CLUMP_TEST_LONG=1), from every kind of memory, and on every scan in the folder CLUMP_DATA: labels, counts and maps of
 * the CPU, which has oracles of its own, bit for bit. Skipped where there is no GPU; a method that is refused there
 * fails. With CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "support/on_gpu.h"
#include "support/scans.h"
#include "support/papers.h"
#include "support/options.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 3000, SIDE = 90, LARGE_SIDE = 700, WIDEST = 48, MAPS = 5 };

static clump_context *cpu, *gpu;
static float xyz[3 * MOST];
static uint8_t mask[MOST];
static char spread[MOST * WIDEST];
static int32_t *expected, *found; /* room for any cloud */

static gpu_methods methods;
/* ----- maps, in any kind of memory ------------------------------------------------------------------ */

typedef struct map_set {
    gpu_place place;
    clump_erccl_maps maps;
} map_set;

static const size_t map_bytes[MAPS] = {1, sizeof(float), sizeof(float), sizeof(float), sizeof(int32_t)};
static const char *const map_names[MAPS] = {"obstacle", "lowest", "highest", "ground", "labels"};

static void **map_at(clump_erccl_maps *maps, int k)
{
    void **const all[MAPS] = {(void **)&maps->obstacle, (void **)&maps->lowest, (void **)&maps->highest,
                              (void **)&maps->ground, (void **)&maps->labels};
    return all[k];
}

static void must(clump_status status)
{
    if (status == CLUMP_OK) return;
    printf("the test cannot go on: %s\n", clump_context_error(gpu));
    exit(1);
}

/* Those of the five whose bit is set. */
static map_set maps_make(gpu_place place, size_t cells, unsigned which)
{
    map_set set = {.place = place};
    for (int k = 0; k < MAPS; k++) {
        if (!(which >> k & 1)) continue;
        const size_t bytes = cells * map_bytes[k] + 1; /* and one as a guard */
        char *const start = malloc(bytes);
        if (!start) abort();
        memset(start, 0x5a, bytes);
        if (place == GPU_PAGEABLE) {
            *map_at(&set.maps, k) = start;
            continue;
        }
        must(clump_cuda_allocate(gpu, place == GPU_PINNED ? CLUMP_CUDA_PINNED : CLUMP_CUDA_DEVICE, bytes,
                                 map_at(&set.maps, k)));
        must(clump_cuda_copy(gpu, *map_at(&set.maps, k), start, bytes));
        free(start);
    }
    return set;
}

static void maps_free(map_set *set)
{
    for (int k = 0; k < MAPS; k++) {
        void *const map = *map_at(&set->maps, k);
        if (set->place == GPU_PAGEABLE)
            free(map);
        else if (map)
            clump_cuda_release(gpu, set->place == GPU_PINNED ? CLUMP_CUDA_PINNED : CLUMP_CUDA_DEVICE, map);
    }
}

static void maps_compare(map_set *set, clump_erccl_maps *wanted, size_t cells, const char *name)
{
    for (int k = 0; k < MAPS; k++) {
        if (!*map_at(&set->maps, k)) continue;
        const size_t bytes = cells * map_bytes[k] + 1;
        char *const there = malloc(bytes);
        if (!there) abort();
        must(clump_cuda_copy(gpu, there, *map_at(&set->maps, k), bytes));
        size_t at = 0;
        const char *const theirs = (const char *)*map_at(wanted, k); /* NaNs have equal bits, too */
        while (at < cells && memcmp(there + at * map_bytes[k], theirs + at * map_bytes[k], map_bytes[k]) == 0) at++;
        CHECK_MSG(at == cells && there[bytes - 1] == 0x5a, "%s: map of %s, cell %zu of %zu", name, map_names[k], at,
                  cells);
        free(there);
    }
}

/* ----- one cloud, beside the CPU -------------------------------------------------------------------- */

static clump_points spread_out(size_t count, size_t stride)
{
    return gpu_spread(spread, xyz, count, stride);
}

static void compare_stats(const clump_stats *wanted, const char *method, const char *name)
{
    const clump_stats s = clump_context_stats(gpu);
    CHECK_MSG(memcmp(&s.ground_level, &wanted->ground_level, sizeof s.ground_level) == 0 ||
                  (isnan(s.ground_level) && isnan(wanted->ground_level)),
              "%s, %s: ground at %g, not %g", method, name, (double)s.ground_level, (double)wanted->ground_level);
    CHECK_MSG(s.points == wanted->points && s.finite == wanted->finite && s.masked == wanted->masked &&
                  s.noise == wanted->noise && s.ground == wanted->ground && s.clusters == wanted->clusters,
              "%s: %zu finite, %zu masked, %zu noise, %zu ground, expected %zu, %zu, %zu, %zu", name, s.finite,
              s.masked, s.noise, s.ground, wanted->finite, wanted->masked, wanted->noise, wanted->ground);
    CHECK_INT(s.backend, CLUMP_BACKEND_CUDA);
    CHECK_TEXT(s.method, method);
    CHECK(s.upload_ms >= 0 && s.build_ms >= 0 && s.cluster_ms >= 0 && s.label_ms >= 0 && s.download_ms >= 0);
}

static void compare_labels(const gpu_cloud *c, const char *name)
{
    CHECK_MSG(gpu_cloud_fetch(gpu, c, found, NULL), "%s: labels beyond the last", name);
    const size_t n = c->points.count;
    size_t at = 0;
    while (at < n && found[at] == expected[at]) at++;
    CHECK_MSG(at == n, "%s: point %zu has label %d, expected %d", name, at, found[at], expected[at]);
}

static void compare_ground(const gpu_cloud *c, const clump_ground_options *options, const clump_stats *wanted,
                           const char *what)
{
    char name[500], switches[OPTIONS_TEXT];
    clump_ground_options o = *options;
    o.mask = c->mask;
    snprintf(name, sizeof name, "%s: ground %s%s, %s", what, clump_ground_method_name(o.method),
             options_text("ground", &o, switches), gpu_place_name(c->place));
    gpu_cloud_clear(gpu, c);
    size_t ground = 77;
    if (clump_ground(gpu, c->points, &o, c->labels, &ground) != CLUMP_OK) {
        CHECK_FAIL("%s: %s", name, clump_context_error(gpu));
        return;
    }
    CHECK_INT(ground, wanted->ground);
    compare_stats(wanted, clump_ground_method_name(o.method), name);
    compare_labels(c, name);
}

static void compare_erccl(const gpu_cloud *c, const clump_erccl_options *options, const clump_stats *wanted,
                          clump_erccl_maps *wanted_maps, unsigned which, const char *what)
{
    char name[240];
    clump_erccl_options o = *options;
    const size_t cells = clump_erccl_rows(&o) * clump_erccl_columns(&o);
    map_set set = maps_make(c->place, cells, which);
    o.common.mask = c->mask, o.maps = set.maps;
    o.common.clusters_on_device = c->clusters;
    snprintf(name, sizeof name, "%s: %s, %s", what, clump_erccl_method_name(o.method), gpu_place_name(c->place));
    gpu_cloud_clear(gpu, c);
    int32_t clusters = -7, there = -7;
    if (clump_erccl(gpu, c->points, &o, c->labels, &clusters) != CLUMP_OK) {
        CHECK_FAIL("%s: %s", name, clump_context_error(gpu));
    } else {
        compare_stats(wanted, clump_erccl_method_name(o.method), name);
        compare_labels(c, name);
        CHECK(gpu_cloud_fetch(gpu, c, found, &there));
        CHECK_MSG(clusters == wanted->clusters && there == clusters, "%s: %d clusters, %d on the device, expected %d",
                  name, clusters, there, wanted->clusters);
        maps_compare(&set, wanted_maps, cells, name);
        const int64_t passes = clump_context_stats(gpu).passes;
        CHECK_MSG(o.method == CLUMP_ERCCL_INDEPENDENT ? passes == wanted->passes : passes >= 1,
                  "%s: %ld passes, %ld on the CPU", name, (long)passes, (long)wanted->passes);
    }
    maps_free(&set);
}

/* All methods on one cloud: ordinary memory, and another in turn. */
static void compare(clump_points points, const clump_erccl_options *options, long round, const char *shape)
{
    char name[500], switches[OPTIONS_TEXT];
    clump_erccl_options o = *options;
    const size_t rows = clump_erccl_rows(&o), columns = clump_erccl_columns(&o);
    snprintf(name, sizeof name, "round %ld, %s, %zu points, stride %zu, %zu x %zu cells, reach %d%s%s", round, shape,
             points.count, points.stride, rows, columns, o.reach,
             papers_of(&o.common)->all_heights ? ", all heights" : "", options_text("ground", &o.ground, switches));
    gpu_cloud in[GPU_PLACES];
    for (int p = 0; p < GPU_PLACES; p++) in[p] = gpu_cloud_make(gpu, (gpu_place)p, points, o.common.mask);
    clump_ground_options g = o.ground;
    g.mask = o.common.mask;
    if (clump_ground(cpu, points, &g, expected, NULL) != CLUMP_OK) CHECK_FAIL("%s: %s", name, clump_context_error(cpu));
    clump_stats wanted = clump_context_stats(cpu);
    compare_ground(&in[0], &g, &wanted, name);
    compare_ground(&in[1 + round % 2], &g, &wanted, name);
    map_set maps = maps_make(GPU_PAGEABLE, rows * columns, 31);
    for (int m = 0; m < methods.count; m++) {
        o.method = (clump_erccl_method)methods.values[m], o.maps = maps.maps;
        if (clump_erccl(cpu, points, &o, expected, NULL) != CLUMP_OK)
            CHECK_FAIL("%s: %s", name, clump_context_error(cpu));
        wanted = clump_context_stats(cpu);
        const unsigned which = (unsigned)(round + m) % 3 ? (unsigned)round * 2654435761u >> 27 : 0;
        compare_erccl(&in[0], &o, &wanted, &maps.maps, which, name);
        compare_erccl(&in[1 + (round + m) % 2], &o, &wanted, &maps.maps, 31 ^ which, name);
    }
    maps_free(&maps);
    for (int p = 0; p < GPU_PLACES; p++) gpu_cloud_free(gpu, &in[p]);
}

/* ----- random maps ---------------------------------------------------------------------------------- */

static float pick(const float *values, size_t count, uint64_t *random)
{
    return values[check_random(random) % count];
}

static void random_ground(clump_ground_options *g, uint64_t *random)
{
    static const float extents[] = {160, 160, 8, 20, 47, 1, 300}, tiles[] = {2, 2, 2, 1, 0.5f, 7, 100};
    static const float slopes[] = {0.2f, 0.2f, 0, 0.0004f, 0.0007f, 1, 10}, sigmas[] = {0.2f, 0.2f, 0, 0.05f, 3};
    static const float bins[] = {0.1f, 0.1f, 0.01f, 0.001f, 2};
    g->method = (clump_ground_method)(check_random(random) % 3);
    if (check_random(random) % 2) g->method = CLUMP_GROUND_GRID;
    g->up = check_random(random) % 4 ? CLUMP_UP_Z : CLUMP_UP_Y;
    g->flip = check_random(random) % 4 == 0;
    g->extent = pick(extents, 7, random), g->tile = pick(tiles, 7, random);
    options_draw("ground", "flip", g, random);
    g->slope = pick(slopes, 7, random), g->sigma = pick(sigmas, 5, random), g->bin = pick(bins, 5, random);
    if (check_random(random) % 4 == 0) g->sensor_height = 1.7f * check_random_float(random) + 0.3f;
    if (check_random(random) % 4 == 0) g->window = 2 * check_random_float(random);
    if (check_random(random) % 3 == 0)
        for (int axis = 0; axis < 3; axis++) g->sensor[axis] = 100 * (check_random_float(random) - 0.5f);
}

static clump_erccl_options random_options(uint64_t *random, size_t count)
{
    static const float cells[] = {0.05f, 0.05f, 0.1f, 0.25f, 0.3f, 1, 3, 0x1p-20f, 1e5f};
    static const float alphas[] = {0.7f, 0.7f, 0.5f, 0.2f, 0, 1},
                       taus[] = {0.75f, 0.75f, 0.6f, 0.3f, 0.9f, 1, 1.5f, -2};
    clump_erccl_options o = clump_erccl_defaults();
    o.cell = pick(cells, 9, random);
    o.extent = o.cell * (float)(1 + check_random(random) % (SIDE - 1));
    o.extent -= check_random(random) % 3 ? 0 : 0.4f * o.cell;
    o.reach = 1 + (int)(check_random(random) % 8);
    if (check_random(random) % 12 == 0) o.reach = 15 + (int)(check_random(random) % 2);
    if (check_random(random) % 16 == 0 && !gpu_small()) o.reach = CLUMP_ERCCL_REACH;
    o.alpha = pick(alphas, 6, random);
    o.tau = pick(taus, 8, random);
    cloud_erccl_options(&o, mask, count, random);
    random_ground(&o.ground, random);
    if (check_random(random) % 2) o.extent_columns = o.cell * (float)(1 + check_random(random) % (SIDE - 1));
    PAPERS(o)->all_heights = check_random(random) % 2 == 0;
    return o;
}

/* Points over the map and a little beyond, about half of them on ground that rises, and some strays below it. */
static void random_points(const clump_erccl_options *o, size_t count, uint64_t *random)
{
    static const float spreads[] = {0, 0.05f, 0.3f, 1, 5}, rises[] = {0, 0.05f, 0.15f, 0.5f};
    const bool on_map = check_random(random) % 3 != 0;
    const float beyond = 1 + 0.3f * check_random_float(random);
    const float width = (on_map ? o->extent : o->ground.extent) * beyond;
    const float length = on_map && o->extent_columns > 0 ? o->extent_columns * beyond : width;
    const float height = pick(spreads, 5, random), rise = pick(rises, 4, random), sign = o->ground.flip ? -1.0f : 1.0f;
    const int up = o->ground.up == CLUMP_UP_Y ? 1 : 2, across = 3 - up;
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        p[0] = width * (check_random_float(random) - 0.5f);
        if (i > 0 && check_random(random) % 4 == 0) p[0] = xyz[3 * (check_random(random) % i)] - o->ground.sensor[0];
        p[across] = o->ground.sensor[across] + length * (check_random_float(random) - 0.5f);
        float z = rise * p[0] - 1.7f + 0.03f * check_random_float(random);
        if (check_random(random) % 2) z += height * check_random_float(random);
        if (check_random(random) % 50 == 0) z = 20 * (check_random_float(random) - 0.5f);
        if (check_random(random) % 9 == 0) z = 0.125f * (float)(check_random(random) % 8);
        p[0] += o->ground.sensor[0];
        p[up] = o->ground.sensor[up] + sign * z;
    }
}

static void random_maps(void)
{
    static const size_t strides[] = {12, 16, 20, 48, 0, 32, 24, 28};
    uint64_t random = 301;
    const long rounds = gpu_small() ? 24 : cloud_rounds(160), step = gpu_small() == 2 ? 8 : 1;
    for (long round = step - 1; round < rounds && check_failures < 20; round += step) {
        const float share = check_random_float(&random), most = gpu_small() ? 400 : MOST;
        const size_t count = round < 10 ? (size_t)(round % 5) : (size_t)(share * (most + 0.99f));
        const clump_erccl_options o = random_options(&random, count);
        random_points(&o, count, &random);
        if (check_random(&random) % 4 == 0) cloud_spoil(xyz, count, 1 + check_random(&random) % 40, &random);
        compare(spread_out(count, strides[check_random(&random) % 8]), &o, round, "random");
        if (round % 37 == 36) clump_context_trim(gpu);
    }
}

/* More tiles than fit into shared memory, a table that does not fit into a launch, a long snake of cells. */
static void large_maps(void)
{
    uint64_t random = 304;
    for (long round = 0; round < (gpu_small() ? 1 : 6); round++) {
        const size_t n = gpu_small() ? 500 : MOST;
        clump_erccl_options o = clump_erccl_defaults();
        o.extent = o.cell * (gpu_small() ? 100 : LARGE_SIDE);
        o.ground.tile = round % 2 ? 1 : 0.5f;
        o.reach = round % 3 == 2 ? 30 : 3;
        random_points(&o, n, &random);
        for (size_t i = 0; i < n && round >= 3; i++) { /* there and back, a step a cell */
            const float row = (float)(i / 300), column = (float)(i / 300 % 2 ? 299 - i % 300 : i % 300);
            xyz[3 * i] = o.cell * (row * 5 - 100), xyz[3 * i + 1] = o.cell * (column - 150), xyz[3 * i + 2] = 1;
        }
        compare(spread_out(n, 12), &o, round, "large");
    }
}

/* ----- calls ---------------------------------------------------------------------------------------- */

/* On the device and without a count for the host: `fast` may return before it is done, the others wait. Another table
 * and another reach for each call: none may take those of the next. */
static void without_count(void)
{
    const size_t n = gpu_small() ? 300 : MOST;
    uint64_t random = 305;
    clump_erccl_options o = clump_erccl_defaults();
    o.cell = 0.2f, o.extent = 18, o.ground.method = CLUMP_GROUND_PEAK;
    random_points(&o, n, &random);
    const clump_points points = {.xyz = xyz, .count = n};
    gpu_cloud c[2] = {gpu_cloud_make(gpu, GPU_DEVICE, points, NULL), gpu_cloud_make(gpu, GPU_DEVICE, points, NULL)};
    for (int turn = 0; turn < 2 * methods.count; turn++) {
        int32_t wanted[2], clusters = -7;
        for (int k = 0; k < 2; k++) {
            o.method = (clump_erccl_method)methods.values[turn % methods.count];
            o.tau = k ? 0.9f : 0.4f, o.reach = k ? 20 : 1;
            o.common.clusters_on_device = c[k].clusters;
            gpu_cloud_clear(gpu, &c[k]);
            CHECK_MSG(clump_erccl(gpu, c[k].points, &o, c[k].labels, NULL) == CLUMP_OK, "%s", clump_context_error(gpu));
        }
        for (int k = 0; k < 2; k++) {
            o.tau = k ? 0.9f : 0.4f, o.reach = k ? 20 : 1;
            o.common.clusters_on_device = NULL;
            CHECK_INT(clump_erccl(cpu, points, &o, expected, &wanted[k]), CLUMP_OK);
            CHECK(gpu_cloud_fetch(gpu, &c[k], found, &clusters));
            CHECK_MSG(clusters == wanted[k] && memcmp(found, expected, n * sizeof *found) == 0,
                      "%s, call %d: %d clusters, expected %d", clump_erccl_method_name(o.method), k, clusters,
                      wanted[k]);
        }
        CHECK(wanted[0] != wanted[1]);
    }
    gpu_cloud_free(gpu, &c[0]), gpu_cloud_free(gpu, &c[1]);
}

/* ----- scans ---------------------------------------------------------------------------------------- */

static void compare_scan(clump_points points, const char *name)
{
    static long turn;
    expected = realloc(expected, (points.count + 1) * sizeof *expected);
    found = realloc(found, (points.count + 1) * sizeof *found);
    if (!expected || !found) abort();
    clump_erccl_options o = clump_erccl_defaults();
    compare(points, &o, turn++, name);
    o.ground.step = true;
    compare(points, &o, turn++, name);
    o.reach = 1 + (int)(turn % 8);
    o.ground.method = turn % 2 ? CLUMP_GROUND_PEAK : CLUMP_GROUND_NONE;
    compare(points, &o, turn++, name);
}

static void real_scans(void)
{
    if (gpu_small()) SKIP("too large where a sanitizer watches");
    SCANS_TEST(compare_scan);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    if (gpu_skip("test_cuda_erccl")) return 77;
    methods = gpu_methods_of(&clump_erccl_methods);
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    expected = calloc(MOST + 1, sizeof *expected), found = calloc(MOST + 1, sizeof *found);
    if (!expected || !found) abort();
    RUN(random_maps);
    RUN(large_maps);
    RUN(without_count);
    RUN(real_scans);
    free(expected), free(found);
    clump_context_destroy(gpu);
    clump_context_destroy(cpu);
    CHECK(gpu_reset());
    return CHECK_END();
}
