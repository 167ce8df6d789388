/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hostile_objects.c: the options of clump_objects for hostile_case.h. A file of its own, as hostile_detect.c.
 */
#include "hostile/hostile_case.h"

#include "support/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool chance(uint64_t *random, int one_in)
{
    return hostile_below(random, one_in) == 0;
}

/* Levels whose radii the call accepts; else one level. */
static void set_tree(const hostile_case *c, clump_objects_options *o, uint64_t *random)
{
    static const float factors[][CLUMP_OBJECTS_LEVELS] = {
        {0.5f, 1, 2}, {0.3f, 0.9f, 1.7f, 3.1f}, {1}, {0.999f, 1, 1.001f}, {1, 1.0000001f}, {0.01f, 0.1f, 1, 10}};
    memcpy(o->factors, factors[hostile_below(random, 6)], sizeof o->factors);
    o->d = c->d;
    for (o->levels = 0; o->levels < CLUMP_OBJECTS_LEVELS && o->factors[o->levels] > 0;) o->levels++;
    for (int k = 0; k < o->levels; k++) {
        const float grown = o->common.eps_per_metre * o->factors[k];
        if (!isfinite(grown * grown)) o->common.eps_per_metre = 0;
        if (hostile_valid_distance(c->d * o->factors[k])) continue;
        o->levels = 1;
        o->factors[0] = 1;
    }
}

/* Boxes of about d, or of any other size. */
static void set_boxes(const hostile_case *c, clump_objects_options *o, uint64_t *random)
{
    o->boxes = hostile_below(random, 4);
    for (int k = 0; k < o->boxes; k++) {
        clump_object_box *const b = &o->box[k];
        const float unit = chance(random, 4) ? hostile_magnitude(random, -100, 100) : c->d;
        const float width = unit * hostile_magnitude(random, -2, 6), length = width * hostile_magnitude(random, 1, 3);
        const bool fits = width > 0 && isfinite(length);
        b->width = fits ? width : 1;
        b->length = fits ? length : 1;
        b->least_top = chance(random, 2) ? -INFINITY : 0;
        b->most_top = chance(random, 2) ? INFINITY : FLT_MIN + unit * hostile_magnitude(random, -2, 6);
        b->most_bottom = chance(random, 2) ? INFINITY : unit;
        b->fits = (clump_fit)hostile_below(random, 4);
    }
}

clump_objects_options hostile_objects(const hostile_case *c, int turn)
{
    uint64_t random = c->seed ^ UINT64_C(0x0b7ec75) << 32 ^ (uint64_t)turn << 24; /* a stream of its own */
    const clump_ec_options ec = hostile_ec(c, turn);
    clump_objects_options o = clump_objects_defaults();
    o.neighbours = CLUMP_NEIGHBOURS_EXACT;
    o.common.order = ec.common.order;
    o.common.min_size = ec.common.min_size;
    o.common.max_size = ec.common.max_size;
    o.common.mask = c->mask;
    o.common.eps_per_metre = ec.common.eps_per_metre;
    o.ground = hostile_erccl(c).ground;
    if (chance(&random, 2)) { /* a sensor of any magnitude */
        o.ground.method = CLUMP_GROUND_NONE;
        memcpy(o.ground.sensor, ec.common.sensor, sizeof ec.common.sensor);
    }
    o.no_people = chance(&random, 4);
    o.no_groups = chance(&random, 4);
    set_tree(c, &o, &random);
    set_boxes(c, &o, &random);
    if (!chance(&random, 3)) return o;
    o.neighbours = CLUMP_NEIGHBOURS_SCAN;
    o.columns = c->points.count / (size_t)(1 + hostile_below(&random, 200)) + 1;
    return o;
}
