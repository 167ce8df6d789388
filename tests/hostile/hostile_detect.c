/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hostile_detect.c: the options of clump_detect for hostile_case.h. A file of its own: programs that do not call
 * clump_detect are linked without it.
 */
#include "hostile/hostile_case.h"

#include "support/random.h"
#include "support/papers.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool chance(uint64_t *random, int one_in)
{
    return hostile_below(random, one_in) == 0;
}

/* A coordinate of a point, or 0 where it is not finite. */
static float coordinate(const hostile_case *c, size_t i, int axis)
{
    const float x = c->packed[3 * i + (size_t)axis];
    return isfinite(x) ? x : 0;
}

/* Bounds at the coordinates of points, and at the range of one. */
static void set_region(const hostile_case *c, clump_detect_options *o, uint64_t *random)
{
    const size_t i = check_random(random) % c->points.count, j = check_random(random) % c->points.count;
    double range = 0;
    for (int k = 0; k < 3; k++) {
        const float a = coordinate(c, i, k), b = coordinate(c, j, k);
        if (chance(random, 3)) o->region.lower[k] = a < b ? a : b;
        if (chance(random, 3)) o->region.upper[k] = a < b ? b : a;
        range += ((double)a - (double)o->common.sensor[k]) * ((double)a - (double)o->common.sensor[k]);
    }
    if (chance(random, 3)) o->region.max_range = (float)sqrt(range);
    if (chance(random, 6)) o->region.min_range = 0.5f * (float)sqrt(range);
}

/* Moves the options that all clusterings have from the method in use to where clump_detect has them. */
static void take_common(const hostile_case *c, clump_detect_options *o)
{
    const clump_detect_options usual = clump_detect_defaults();
    const float growth = o->objects.common.eps_per_metre;
    o->common = o->method == CLUMP_DETECT_EC       ? o->ec.common
                : o->method == CLUMP_DETECT_DBSCAN ? o->dbscan.common
                : o->method == CLUMP_DETECT_ERCCL  ? o->erccl.common
                                                   : o->objects.common;
    if (o->method == CLUMP_DETECT_ERCCL) PAPERS(*o)->all_heights = false;
    if (o->method == CLUMP_DETECT_OBJECTS) o->common.eps_per_metre = 0;
    o->common.mask = c->mask;
    o->ec.common = usual.ec.common;
    o->dbscan.common = usual.dbscan.common;
    o->erccl.common = usual.erccl.common;
    o->objects.common = usual.objects.common;
    o->objects.common.eps_per_metre = growth;
}

clump_detect_options hostile_detect(const hostile_case *c, int turn)
{
    uint64_t random = c->seed ^ UINT64_C(0x0d37ec7) << 32 ^ (uint64_t)turn << 24; /* a stream of its own */
    clump_detect_options o = clump_detect_defaults();
    o.method = (clump_detect_method)hostile_below(&random, 4);
    o.d = c->d;
    o.ec = hostile_ec(c, turn);
    o.dbscan = hostile_dbscan(c, turn, &o.min_points);
    o.erccl = hostile_erccl(c);
    if (o.method == CLUMP_DETECT_OBJECTS) o.objects = hostile_objects(c, turn);
    take_common(c, &o);
    o.ground = o.erccl.ground;
    memcpy(o.common.sensor, o.ground.sensor, sizeof o.common.sensor);
    if (o.common.two_d) o.ground.up = CLUMP_UP_Z;
    if (chance(&random, 2)) o.thin = c->d * hostile_magnitude(&random, -3, 6);
    if (o.method == CLUMP_DETECT_OBJECTS) o.thin = 0;
    if (o.thin > 0 && chance(&random, 8)) o.thin = hostile_magnitude(&random, -100, 200);
    if (!(o.thin >= FLT_MIN) || !isfinite(o.thin)) o.thin = 0;
    if (c->points.count > 0 && chance(&random, 2)) set_region(c, &o, &random);
    return o;
}
