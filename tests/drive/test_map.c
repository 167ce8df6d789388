/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_map.c: maps of random frames beside a map by the definition of clump/map.h, in any order of frames and with any number
 * of threads; hostile frames; maps of simulated drives beside the truth.
 */
#include "support/check.h"

#include "support/calls.h"

#include <clump/map.h>
#include <clump/sim.h>

#include <math.h>

enum { FRAMES = 12, MOST = 3000 };

typedef struct frame {
    float xyz[MOST][3];
    uint8_t mask[MOST];
    size_t count;
    double pose[12];
} frame;

static frame frames[FRAMES];

/* ----- by the definition ------------------------------------------------------------------------------------------ */

typedef struct voxel {
    int32_t xyz[3];
    int32_t first, last, window[2];
    uint32_t observations, points, passes;
    bool seen, moved;   /* in the frame that is added, by a point that stands or moves */
    bool dropped, gone; /* by rule 5, and by rules 5 and 6 */
    double sums[3];
    double at[3];
} voxel;

static voxel voxels[FRAMES * MOST];
static size_t voxel_count;

static voxel *voxel_at(const int32_t xyz[3])
{
    for (size_t i = 0; i < voxel_count; i++)
        if (memcmp(voxels[i].xyz, xyz, sizeof voxels[i].xyz) == 0) return &voxels[i];
    return NULL;
}

static double length_of(const float *p)
{
    return sqrt((double)p[0] * (double)p[0] + (double)p[1] * (double)p[1] + (double)p[2] * (double)p[2]);
}

static void add_point(const clump_map_options *o, const frame *f, int32_t number, const float *p, bool moves)
{
    const double range = length_of(p);
    if (!(range >= (double)o->min_range && range <= (double)o->max_range)) return;
    double place[3];
    int32_t xyz[3];
    for (int k = 0; k < 3; k++) {
        const double *const row = f->pose + 4 * k;
        const double at = row[0] * (double)p[0] + row[1] * (double)p[1] + row[2] * (double)p[2] + row[3];
        const double steps = at / (double)o->voxel;
        if (!(fabs(steps) < 1 << 30)) return;
        xyz[k] = (int32_t)floor(steps);
        place[k] = floor((steps - floor(steps)) * 65536);
    }
    voxel *v = voxel_at(xyz);
    if (!v) {
        v = &voxels[voxel_count++];
        *v = (voxel){.first = INT32_MAX, .last = INT32_MIN};
        memcpy(v->xyz, xyz, sizeof v->xyz);
    }
    if (moves) {
        v->passes += !v->moved;
        v->moved = true;
        return;
    }
    v->observations += !v->seen;
    v->seen = true;
    if (number < v->first) v->first = number;
    if (number > v->last) v->last = number;
    v->points++;
    for (int k = 0; k < 3; k++) v->sums[k] += place[k];
}

/* Whether two voxels are at most so far apart along each axis. */
static bool within(const voxel *a, const voxel *b, int most)
{
    for (int k = 0; k < 3; k++)
        if (abs(a->xyz[k] - b->xyz[k]) > most) return false;
    return true;
}

static void find_windows(const clump_map_options *o)
{
    for (size_t i = 0; i < voxel_count; i++) {
        voxel *const v = &voxels[i];
        v->window[0] = INT32_MAX, v->window[1] = INT32_MIN;
        for (size_t k = 0; k < voxel_count; k++) {
            if (!within(v, &voxels[k], 1)) continue;
            if (voxels[k].first < v->window[0]) v->window[0] = voxels[k].first;
            if (voxels[k].last > v->window[1]) v->window[1] = voxels[k].last;
        }
        for (int k = 0; k < 3 && v->points > 0; k++)
            v->at[k] = ((double)v->xyz[k] + (double)(float)(v->sums[k] / (v->points * 65536.0))) * (double)o->voxel;
    }
}

/* The cell of a direction: the side of the cube and two coordinates. */
static int64_t cell_of(const float *p)
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabsf(p[k]) > fabsf(p[axis])) axis = k;
    int64_t cell = 2 * axis + (p[axis] < 0);
    for (int k = 1; k < 3; k++) {
        const float share = p[(axis + k) % 3] / fabsf(p[axis]) + 1;
        int64_t at = (int64_t)floorf(share * 2048);
        cell = cell * 4096 + (at > 4095 ? 4095 : at);
    }
    return cell;
}

/* Whether a longer beam, or one as long before it, is in the cell. */
static bool is_hidden(const frame *f, size_t i, double least)
{
    const double length = length_of(f->xyz[i]);
    for (size_t k = 0; k < f->count; k++) {
        const double other = length_of(f->xyz[k]);
        if (!(other > least) || !(other >= length) || (other == length && k >= i)) continue;
        if (cell_of(f->xyz[k]) == cell_of(f->xyz[i])) return true;
    }
    return false;
}

static void look(const clump_map_options *o, const frame *f, int32_t number)
{
    static bool passed[FRAMES * MOST];
    memset(passed, 0, sizeof passed);
    const double side = (double)o->voxel, begin = fmax((double)o->min_range, CLUMP_MAP_BEGIN * side);
    for (size_t i = 0; i < f->count; i++) {
        const double p[3] = {(double)f->xyz[i][0], (double)f->xyz[i][1], (double)f->xyz[i][2]};
        const double length = length_of(f->xyz[i]);
        if (!(length > begin && length <= 1e30) || is_hidden(f, i, begin)) continue;
        const double end = (length - fmax(CLUMP_MAP_MARGIN * length, CLUMP_MAP_GAP * side)) * length;
        const double wide = CLUMP_MAP_RADIUS * side * length;
        for (size_t k = 0; k < voxel_count; k++) {
            if (voxels[k].points == 0) continue; /* all move */
            if (number >= voxels[k].window[0] && number <= voxels[k].window[1]) continue;
            double g[3], q[3], square = 0;
            for (int a = 0; a < 3; a++) g[a] = voxels[k].at[a] - f->pose[4 * a + 3];
            for (int a = 0; a < 3; a++)
                q[a] = f->pose[a] * g[0] + f->pose[4 + a] * g[1] + f->pose[8 + a] * g[2], square += q[a] * q[a];
            const double along = q[0] * p[0] + q[1] * p[1] + q[2] * p[2];
            if (square > (double)o->max_range * (double)o->max_range || along < begin * length || along > end) continue;
            const double x = q[1] * p[2] - q[2] * p[1], y = q[2] * p[0] - q[0] * p[2], z = q[0] * p[1] - q[1] * p[0];
            if (x * x + y * y + z * z <= wide * wide) passed[k] = true;
        }
    }
    for (size_t k = 0; k < voxel_count; k++) voxels[k].passes += passed[k];
}

static bool is_dropped(const clump_map_options *o, const voxel *v)
{
    double passes = 0, observations = 0;
    if (v->points == 0) return true;
    for (size_t k = 0; k < voxel_count; k++)
        if (within(v, &voxels[k], 1)) passes += voxels[k].passes, observations += voxels[k].observations;
    const double ratio = (double)o->passes;
    return passes > ratio * observations && (v->observations <= CLUMP_MAP_FEW || v->passes > ratio * v->observations);
}

/* Sets what is left out. */
static void drop(const clump_map_options *o)
{
    for (size_t i = 0; i < voxel_count; i++) voxels[i].dropped = is_dropped(o, &voxels[i]);
    for (size_t i = 0; i < voxel_count; i++) {
        voxel *const v = &voxels[i];
        double all = 0, gone = 0;
        for (size_t k = 0; k < voxel_count; k++)
            if (within(v, &voxels[k], 2)) all++, gone += voxels[k].dropped;
        v->gone = v->dropped || (v->observations == 1 && gone > CLUMP_MAP_SHARE * all);
    }
}

static int compare(const void *a, const void *b)
{
    const voxel *const v = a, *const w = b;
    for (int k = 0; k < 3; k++) {
        const double x = floor(v->xyz[k] / 16.0), y = floor(w->xyz[k] / 16.0);
        if (x != y) return x < y ? -1 : 1;
    }
    for (int k = 0; k < 3; k++)
        if (v->xyz[k] != w->xyz[k]) return v->xyz[k] < w->xyz[k] ? -1 : 1;
    return 0;
}

static void define(const clump_map_options *o, bool looks)
{
    voxel_count = 0;
    for (int32_t i = 0; i < FRAMES; i++) {
        for (size_t k = 0; k < voxel_count; k++) voxels[k].seen = voxels[k].moved = false;
        for (size_t k = 0; k < frames[i].count; k++)
            if (frames[i].mask[k]) add_point(o, &frames[i], i, frames[i].xyz[k], frames[i].mask[k] == CLUMP_MAP_MOVES);
    }
    find_windows(o);
    for (int32_t i = 0; looks && i < FRAMES; i++) look(o, &frames[i], i);
    drop(o);
    qsort(voxels, voxel_count, sizeof *voxels, compare);
}

/* ----- by the library --------------------------------------------------------------------------------------------- */

static clump_points points_of(const frame *f)
{
    return (clump_points){.xyz = f->xyz[0], .count = f->count};
}

static struct {
    int32_t first;
    size_t most; /* 0: the map is whole */
} part;

/* Adds the frames in an order that `step` tells, and looks in another. */
static clump_status make(clump_context *ctx, const clump_map_options *o, bool looks, int step, clump_map **map,
                         clump_map_cloud *cloud)
{
    clump_status status = clump_map_create(ctx, o, map);
    if (status == CLUMP_OK && part.most > 0) status = clump_map_part(ctx, *map, part.first, part.most);
    for (int i = 0; i < FRAMES && status == CLUMP_OK; i++) {
        const frame *const f = &frames[i * step % FRAMES];
        status = clump_map_add(ctx, *map, i * step % FRAMES, points_of(f), f->pose, f->mask);
    }
    for (int i = FRAMES; looks && i-- > 0 && status == CLUMP_OK;) {
        const frame *const f = &frames[i * step % FRAMES];
        status = clump_map_look(ctx, *map, i * step % FRAMES, points_of(f), f->pose);
    }
    return status == CLUMP_OK ? clump_map_points(ctx, *map, cloud) : status;
}

static size_t surrounded; /* voxels that rule 6 left out */

static void compare_maps(const clump_map_cloud *cloud, uint64_t seed)
{
    size_t kept = 0, dropped = 0;
    CHECK_INT(cloud->voxels, voxel_count);
    for (size_t i = 0; i < voxel_count && check_failures < 5; i++) {
        const voxel *const v = &voxels[i];
        if (v->gone) {
            dropped++;
            surrounded += !v->dropped;
            continue;
        }
        if (kept >= cloud->points.count) break;
        CHECK_MSG(cloud->observations[kept] == v->observations, "seed %llu", (unsigned long long)seed);
        CHECK_MSG(cloud->passes[kept] == v->passes, "seed %llu, voxel %zu: %u passes, not %u", (unsigned long long)seed,
                  i, cloud->passes[kept], v->passes);
        for (int k = 0; k < 3; k++)
            CHECK(cloud->points.xyz[3 * kept + (size_t)k] == (float)(v->at[k] - cloud->origin[k]));
        kept++;
    }
    CHECK_INT(cloud->points.count, kept);
    CHECK_INT(cloud->dropped, dropped);
}

/* A frame of a sensor that moves and turns: points in a box, some of them copies of directions, some not finite. */
static void draw_frame(frame *f, int number, size_t count, uint64_t *seed)
{
    const double turn = 0.3 * number, c = cos(turn), s = sin(turn), tilt = 0.1 * number, ct = cos(tilt), st = sin(tilt);
    const double pose[12] = {c, -s * ct, s * st, 0.7 * number, s, c * ct, -c * st, 3.1, 0, st, ct, -0.2 * number};
    memcpy(f->pose, pose, sizeof pose);
    f->count = count;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) f->xyz[i][k] = (check_random_float(seed) - 0.5f) * (k < 2 ? 16.0f : 5.0f);
        const uint64_t kept = check_random(seed) % 16;
        f->mask[i] = kept == 0 ? 0 : kept == 1 ? CLUMP_MAP_MOVES : (uint8_t)(kept == 2 ? 255 : 1);
        const uint64_t kind = check_random(seed) % 64;
        if (kind == 0) f->xyz[i][kind % 3] = NAN;
        if (kind == 1) f->xyz[i][2] = -INFINITY;
        if (kind == 2) f->xyz[i][0] = 3e38f;
        if (kind < 6 || i == 0) continue;
        const float stretch = 0.25f * (float)(1 + kind % 8);
        for (int k = 0; kind < 10 && k < 3; k++) f->xyz[i][k] = stretch * f->xyz[i - 1][k];
        if (kind == 10) f->xyz[i][1] = f->xyz[i][0]; /* an edge of the cube */
    }
}

static void equals_the_definition(void)
{
    clump_context *ctx[3];
    cpu_contexts(ctx, (const int[]){1, 2, 5}, 3);
    size_t dropped = 0, passes = 0;
    for (uint64_t round = 0; round < 6; round++) {
        uint64_t seed = 100 + round;
        for (int i = 0; i < FRAMES; i++) draw_frame(&frames[i], i, round == 5 ? 0 : 60 + 40 * round, &seed);
        clump_map_options o = clump_map_defaults();
        o.voxel = (const float[]){0.5f, 0.3f, 0.8f}[round % 3];
        o.min_range = round % 2 ? 0 : 2.5f;
        o.max_range = round < 3 ? 60 : 7;
        o.passes = (const float[]){0.2f, 0, 1}[round % 3];
        for (int looks = 0; looks < 2; looks++) {
            define(&o, looks);
            for (size_t i = 0; i < voxel_count; i++) passes += voxels[i].passes;
            for (int k = 0; k < 3; k++) {
                clump_map *map;
                clump_map_cloud cloud;
                CHECK_INT(make(ctx[k], &o, looks, (const int[]){1, 5, 7}[k], &map, &cloud), CLUMP_OK);
                compare_maps(&cloud, 100 + round);
                dropped += cloud.dropped;
                clump_map_destroy(map);
            }
        }
    }
    CHECK_MSG(dropped > 300 && passes > 300 && surrounded > 10, "%zu dropped, %zu passes, %zu surrounded", dropped,
              passes, surrounded);
    destroy_contexts(ctx, 3);
}

/* Makes a map in parts and compares them, after each other, with the whole. Returns how many parts there are; 0: the voxels
 * allowed are too few. */
static int compare_parts(clump_context *ctx, const clump_map_options *o, const clump_map_cloud *whole, size_t most)
{
    int parts = 0;
    size_t at = 0, all = 0, dropped = 0;
    for (part.first = INT32_MIN, part.most = most; part.first != INT32_MAX; parts++) {
        clump_map *map;
        clump_map_cloud cloud;
        const clump_status status = make(ctx, o, true, 1 + 4 * (parts % 2), &map, &cloud);
        if (status != CLUMP_OK) {
            expect_failure(ctx, status, CLUMP_ERR_OUT_OF_MEMORY, "are too few for a slice of 16 voxels along x");
            clump_map_destroy(map);
            part.most = 0;
            return 0;
        }
        CHECK(cloud.end > part.first && at + cloud.points.count <= whole->points.count);
        if (check_failures > 0) abort();
        const size_t n = cloud.points.count;
        if (n > 0) {
            CHECK(memcmp(cloud.points.xyz, whole->points.xyz + 3 * at, 3 * n * sizeof(float)) == 0);
            CHECK(memcmp(cloud.observations, whole->observations + at, n * sizeof(uint32_t)) == 0);
            CHECK(memcmp(cloud.passes, whole->passes + at, n * sizeof(uint32_t)) == 0);
        }
        CHECK(memcmp(cloud.origin, whole->origin, sizeof cloud.origin) == 0);
        at += n, all += cloud.voxels, dropped += cloud.dropped;
        part.first = cloud.end;
        clump_map_destroy(map);
    }
    part.most = 0;
    CHECK(at == whole->points.count && all == whole->voxels && dropped == whole->dropped);
    return parts;
}

static void parts_are_the_whole(void)
{
    clump_context *const ctx = cpu_context(2);
    int most_parts = 0, refused = 0;
    for (uint64_t round = 0; round < 8; round++) {
        uint64_t seed = 300 + round;
        for (int i = 0; i < FRAMES; i++) {
            draw_frame(&frames[i], i, 200 + 100 * round, &seed);
            frames[i].pose[3] += (round % 3 == 0 ? -4.0 : 6.0) * i; /* a drive along x, and back */
        }
        clump_map_options o = clump_map_defaults();
        o.voxel = (const float[]){0.5f, 0.3f, 0.8f, 0.2f}[round % 4];
        clump_map *map;
        clump_map_cloud whole;
        CHECK_INT(make(ctx, &o, true, 1, &map, &whole), CLUMP_OK);
        CHECK_INT(whole.end, INT32_MAX);
        CHECK_INT(compare_parts(ctx, &o, &whole, whole.voxels + 1), 1);
        for (size_t share = 2; share <= 64; share *= 2) {
            const int parts = compare_parts(ctx, &o, &whole, whole.voxels / share);
            CHECK_MSG(parts == 0 || parts >= (int)share, "%d parts", parts);
            if (parts > most_parts) most_parts = parts;
            refused += parts == 0;
        }
        clump_map_destroy(map);
    }
    CHECK_MSG(most_parts >= 8 && refused > 0, "%d parts, %d refused: the test does not test", most_parts, refused);
    clump_context_destroy(ctx);
}

/* ----- bad and hostile input -------------------------------------------------------------------------------------- */

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static void refuses_bad_arguments(void)
{
    clump_context *ctx = cpu_context(1);
    clump_map *map;
    clump_map_cloud cloud;
    clump_map_options o = clump_map_defaults();
    o.min_range = 60;
    expect_failure(ctx, clump_map_create(ctx, &o, &map), CLUMP_ERR_ARGUMENT, "the range is 60 to 60");
    expect_failure(ctx, clump_map_create(ctx, NULL, NULL), CLUMP_ERR_ARGUMENT, "out is null");
    CHECK_INT(clump_map_create(ctx, NULL, &map), CLUMP_OK);
    expect_failure(ctx, clump_map_part(ctx, NULL, 0, 1), CLUMP_ERR_ARGUMENT, "map is null");
    expect_failure(ctx, clump_map_part(ctx, map, 0, 0), CLUMP_ERR_ARGUMENT, "max_voxels is 0");
    expect_failure(ctx, clump_map_part(ctx, map, INT32_MAX, 1), CLUMP_ERR_ARGUMENT, "there is no block 2147483647");
    CHECK_INT(clump_map_part(NULL, map, 0, 1), CLUMP_ERR_ARGUMENT);
    const float xyz[6] = {5, 0, 0, 0, 5, 0};
    clump_points points = {.xyz = xyz, .count = 2};
    expect_failure(ctx, clump_map_add(ctx, NULL, 0, points, identity, NULL), CLUMP_ERR_ARGUMENT, "map is null");
    expect_failure(ctx, clump_map_add(ctx, map, 0, points, NULL, NULL), CLUMP_ERR_ARGUMENT, "pose is null");
    double pose[12];
    for (int i = 0; i < 12; i++) {
        memcpy(pose, identity, sizeof pose);
        pose[i] = NAN;
        expect_failure(ctx, clump_map_add(ctx, map, 0, points, pose, NULL), CLUMP_ERR_ARGUMENT, "no rotation");
    }
    memcpy(pose, identity, sizeof pose);
    pose[10] = -1; /* a mirror */
    expect_failure(ctx, clump_map_look(ctx, map, 0, points, pose), CLUMP_ERR_ARGUMENT, "no rotation");
    expect_failure(ctx, clump_map_points(ctx, map, NULL), CLUMP_ERR_ARGUMENT, "out is null");
    CHECK_INT(clump_map_add(ctx, map, 0, points, identity, NULL), CLUMP_OK);
    CHECK_INT(clump_map_points(ctx, map, &cloud), CLUMP_OK);
    CHECK_INT(cloud.points.count, 2);
    expect_failure(ctx, clump_map_add(ctx, map, 1, points, identity, NULL), CLUMP_ERR_ARGUMENT, "all frames");
    expect_failure(ctx, clump_map_part(ctx, map, 0, 1), CLUMP_ERR_ARGUMENT, "frames have been added already");
    CHECK_INT(clump_map_add(NULL, map, 1, points, identity, NULL), CLUMP_ERR_ARGUMENT);
    clump_map_destroy(map);
    clump_map_destroy(NULL);
    clump_context_destroy(ctx);
}

/* Coordinates far away, a world farther away, and an empty map. */
static void takes_any_numbers(void)
{
    clump_context *ctx = cpu_context(2);
    clump_map *map;
    clump_map_cloud cloud;
    clump_map_options o = clump_map_defaults();
    o.max_range = 1e9f;
    for (int k = 0; k < 3; k++) {
        const float far = (const float[]){1e6f, 1e8f, 3e38f}[k];
        const float xyz[] = {far, 0, 0, -far, far, 0, far, far, -far, 5, 5, 5, NAN, 0, 0, INFINITY, 0, 0, 1e-40f, 0, 0};
        const clump_points points = {.xyz = xyz, .count = sizeof xyz / 12};
        double pose[12];
        memcpy(pose, identity, sizeof pose);
        CHECK_INT(clump_map_create(ctx, &o, &map), CLUMP_OK);
        for (int i = 0; i < 4; i++) {
            pose[3] = (const double[]){0, 1e7, -2e8, 1e300}[i];
            CHECK_INT(clump_map_add(ctx, map, i, points, pose, NULL), CLUMP_OK);
        }
        for (int i = 0; i < 4; i++) CHECK_INT(clump_map_look(ctx, map, i, points, pose), CLUMP_OK);
        CHECK_INT(clump_map_points(ctx, map, &cloud), CLUMP_OK);
        static const int expected[] = {12, 11, 3}; /* at 1e300 and beyond 2^30 voxels there is none */
        CHECK_INT(cloud.voxels, expected[k]);
        clump_map_destroy(map);
    }
    CHECK_INT(clump_map_create(ctx, NULL, &map), CLUMP_OK);
    CHECK_INT(clump_map_add(ctx, map, 0, (clump_points){.count = 0}, identity, NULL), CLUMP_OK);
    CHECK_INT(clump_map_look(ctx, map, 0, (clump_points){.count = 0}, identity), CLUMP_OK);
    CHECK_INT(clump_map_points(ctx, map, &cloud), CLUMP_OK);
    CHECK_INT(cloud.points.count + cloud.voxels, 0);
    clump_map_destroy(map);
    clump_context_destroy(ctx);
}

/* Many points in one voxel, many beams in one direction, many points without a direction. */
static void takes_crowds(void)
{
    enum { CROWD = 200000 };
    float(*const xyz)[3] = malloc(CROWD * sizeof *xyz);
    clump_context *ctx = cpu_context(2);
    for (int kind = 0; kind < 3; kind++) {
        uint64_t seed = 5;
        for (int i = 0; i < CROWD; i++) {
            const float along = kind == 1 ? 20 + 30 * check_random_float(&seed) : 20;
            xyz[i][0] = kind == 2 && i > 0 ? NAN : along;
            xyz[i][1] = 0.05f + (kind == 1 ? 0.0001f * along : 0.0f);
            xyz[i][2] = 0.1f * check_random_float(&seed);
        }
        clump_map *map;
        clump_map_cloud cloud;
        const clump_points points = {.xyz = xyz[0], .count = CROWD};
        CHECK_INT(clump_map_create(ctx, NULL, &map), CLUMP_OK);
        for (int i = 0; i < 3; i++) CHECK_INT(clump_map_add(ctx, map, i, points, identity, NULL), CLUMP_OK);
        for (int i = 3; i < 6; i++) CHECK_INT(clump_map_look(ctx, map, i, points, identity), CLUMP_OK);
        CHECK_INT(clump_map_points(ctx, map, &cloud), CLUMP_OK);
        CHECK_INT(cloud.voxels, kind == 1 ? 150 : 1);
        clump_map_destroy(map);
    }
    clump_context_destroy(ctx);
    free(xyz);
}

/* ----- simulated drives ------------------------------------------------------------------------------------------- */

enum { TRUTH_SLOTS = 1 << 22, DRIVE_MOST = 80, LANE_INSTANCES = 49153 /* the first of cars that drive */ };

/* What the points of a voxel are of. */
typedef struct truth {
    int32_t xyz[3];
    uint32_t points, moving;
    bool left; /* in the map */
} truth;

typedef struct drive {
    clump_lidar lidar;
    clump_lidar_world *world;
    size_t rays, counts[DRIVE_MOST];
    int frames;
    float *xyz[DRIVE_MOST];
    uint16_t *instance[DRIVE_MOST], *semantic[DRIVE_MOST];
    double pose[DRIVE_MOST][12];
    bool moves[65536]; /* per instance */
    truth *truths;
} drive;

static void to_world(const double pose[12], const float *p, double at[3])
{
    for (int k = 0; k < 3; k++)
        at[k] = pose[4 * k] * (double)p[0] + pose[4 * k + 1] * (double)p[1] + pose[4 * k + 2] * (double)p[2] +
                pose[4 * k + 3];
}

/* People move whose centroids are more than 0.7 m apart in some two frames. */
static void find_people(drive *d)
{
    static double sums[65536][3], box[65536][4];
    memset(box, 0, sizeof box);
    for (int f = 0; f < d->frames; f++) {
        memset(sums, 0, sizeof sums);
        for (size_t i = 0; i < d->counts[f]; i++) {
            if (d->semantic[f][i] != 30) continue;
            double at[3], *const sum = sums[d->instance[f][i]];
            to_world(d->pose[f], d->xyz[f] + 3 * i, at);
            sum[0] += at[0], sum[1] += at[1], sum[2]++;
        }
        for (int i = 0; i < 65536; i++) {
            if (sums[i][2] < 5) continue;
            const double x = sums[i][0] / sums[i][2], y = sums[i][1] / sums[i][2];
            double *const b = box[i];
            if (b[0] == 0 && b[1] == 0) b[0] = b[1] = x, b[2] = b[3] = y;
            b[0] = fmin(b[0], x), b[1] = fmax(b[1], x), b[2] = fmin(b[2], y), b[3] = fmax(b[3], y);
        }
    }
    for (int i = 0; i < 65536; i++)
        d->moves[i] = i >= LANE_INSTANCES || hypot(box[i][1] - box[i][0], box[i][3] - box[i][2]) > 0.7;
}

static truth *truth_at(drive *d, const double at[3], float side)
{
    int32_t xyz[3];
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) {
        xyz[k] = (int32_t)floor(at[k] / (double)side);
        hash = (hash ^ (uint32_t)xyz[k]) * 0x9e3779b97f4a7c15u;
    }
    for (size_t slot = hash >> 42;; slot = (slot + 1) % TRUTH_SLOTS) {
        truth *const t = &d->truths[slot];
        if (t->points == 0) memcpy(t->xyz, xyz, sizeof t->xyz);
        if (memcmp(t->xyz, xyz, sizeof xyz) == 0) return t;
    }
}

static void read_drive(drive *d)
{
    clump_message why;
    CHECK_INT(clump_sim_lidar_create(&d->lidar, &d->world, &why), CLUMP_OK);
    d->rays = clump_lidar_rays(&d->lidar);
    for (int f = 0; f < d->frames; f++) {
        d->xyz[f] = malloc(d->rays * 3 * sizeof(float));
        d->instance[f] = malloc(d->rays * sizeof(uint16_t));
        d->semantic[f] = malloc(d->rays * sizeof(uint16_t));
        const clump_lidar_scan scan = {.xyz = d->xyz[f], .instance = d->instance[f], .semantic = d->semantic[f]};
        CHECK_INT(clump_sim_lidar_scan(d->world, (size_t)f, &scan, &d->counts[f], d->pose[f], &why), CLUMP_OK);
    }
    find_people(d);
}

static void free_drive(drive *d)
{
    for (int f = 0; f < d->frames; f++) free(d->xyz[f]), free(d->instance[f]), free(d->semantic[f]);
    clump_sim_lidar_destroy(d->world);
    free(d->truths);
    free(d);
}

/* Fills the truth of all voxels. */
static void find_truth(drive *d, const clump_map_options *o)
{
    for (int f = 0; f < d->frames; f++)
        for (size_t i = 0; i < d->counts[f]; i++) {
            const float *const p = d->xyz[f] + 3 * i;
            const double range = length_of(p);
            if (range < (double)o->min_range || range > (double)o->max_range) continue;
            double at[3];
            to_world(d->pose[f], p, at);
            truth *const t = truth_at(d, at, o->voxel);
            t->points++;
            t->moving += d->moves[d->instance[f][i]];
        }
}

/* Makes the map of a drive. Outputs are shares of voxels, in percent. */
static void judge_drive(drive *d, double *moving_left, double *standing_lost)
{
    clump_context *ctx = cpu_context(2);
    const clump_map_options o = clump_map_defaults();
    clump_map *map;
    clump_map_cloud cloud;
    read_drive(d);
    CHECK_INT(clump_map_create(ctx, &o, &map), CLUMP_OK);
    for (int k = 0; k < 2 * d->frames; k++) {
        const int f = k % d->frames;
        const clump_points points = {.xyz = d->xyz[f], .count = d->counts[f]};
        CHECK_INT(k < d->frames ? clump_map_add(ctx, map, f, points, d->pose[f], NULL)
                                : clump_map_look(ctx, map, f, points, d->pose[f]),
                  CLUMP_OK);
    }
    CHECK_INT(clump_map_points(ctx, map, &cloud), CLUMP_OK);
    d->truths = calloc(TRUTH_SLOTS, sizeof *d->truths);
    find_truth(d, &o);
    for (size_t i = 0; i < cloud.points.count; i++) {
        double at[3];
        for (size_t k = 0; k < 3; k++) at[k] = (double)cloud.points.xyz[3 * i + k] + cloud.origin[k];
        truth_at(d, at, o.voxel)->left = true;
    }
    double sums[2][2] = {{0}}; /* by moving, by left */
    for (size_t i = 0; i < TRUTH_SLOTS; i++)
        if (d->truths[i].points > 0) sums[2 * d->truths[i].moving > d->truths[i].points][d->truths[i].left]++;
    CHECK(fabs(sums[0][0] + sums[0][1] + sums[1][0] + sums[1][1] - (double)cloud.voxels) == 0);
    *moving_left = 100 * sums[1][1] / (sums[1][0] + sums[1][1]);
    *standing_lost = 100 * sums[0][0] / (sums[0][0] + sums[0][1]);
    printf("%-10s %-7s  %8zu voxels, moving %6.0f, left %5.2f %%; standing lost %4.2f %%; of the map moving %.2f %%\n",
           clump_lidar_scene_name(d->lidar.scene), clump_lidar_model_name(d->lidar.model), cloud.voxels,
           sums[1][0] + sums[1][1], *moving_left, *standing_lost, 100 * sums[1][1] / (double)cloud.points.count);
    clump_map_destroy(map);
    clump_context_destroy(ctx);
}

/* By beams alone; but in tier 3 only the first row, with fewer frames. docs/map.md has what the program leaves. */
static void leaves_out_what_moves(void)
{
    static const struct {
        const char *scene, *sensor;
        double speed, left, lost;
    } rows[] = {
        {"road", "hdl-64e", 22, 2, 2},     {"road", "128", 15, 2.5, 2},       {"street", "hdl-64e", 8, 2, 2},
        {"square", "hdl-64e", 5, 4, 2.5},  {"crossroad", "hdl-32e", 8, 5, 2}, {"trees", "hdl-32e", 6, 4, 3},
        {"t-junction", "vlp-16", 8, 6, 3}, {"people", "vlp-16", 3, 12, 3.5},
    };
    const bool all = check_tier() == 3;
    for (size_t i = 0; i < (all ? sizeof rows / sizeof *rows : 1); i++) {
        drive *const d = calloc(1, sizeof *d);
        d->lidar = clump_lidar_defaults();
        d->lidar.speed = rows[i].speed;
        CHECK(clump_lidar_scene_from_name(rows[i].scene, &d->lidar.scene));
        CHECK(clump_lidar_model_from_name(rows[i].sensor, &d->lidar.model));
        d->frames = all ? 80 : 15;
        double left, lost;
        judge_drive(d, &left, &lost);
        CHECK_MSG(left <= rows[i].left * (all ? 1 : 4), "%s, %s: %.2f %% left", rows[i].scene, rows[i].sensor, left);
        CHECK_MSG(lost <= rows[i].lost, "%s, %s: %.2f %% lost", rows[i].scene, rows[i].sensor, lost);
        free_drive(d);
    }
}

CHECK_PROGRAM(test_map)
{
    RUN(equals_the_definition);
    RUN(parts_are_the_whole);
    RUN(refuses_bad_arguments);
    RUN(takes_any_numbers);
    RUN(takes_crowds);
    RUN(leaves_out_what_moves);
}
