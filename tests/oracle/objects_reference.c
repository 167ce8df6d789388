/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_reference.c: see objects_reference.h.
 */
#include "oracle/objects_reference.h"

#include "oracle/detect_reference.h"
#include "oracle/oracle.h"
#include "oracle/scan_reference.h"
#include "support/check.h"

#include <math.h>

/* ----- tree -------------------------------------------------------------------------------------------------------- */

static float objects_bound(const objects_scene *s, int level, const float *p)
{
    const float *const sensor = s->o->ground.sensor;
    const float least = s->o->d * s->o->factors[level], growth = s->o->common.eps_per_metre * s->o->factors[level];
    if (!(s->o->common.eps_per_metre > 0)) return least * least;
    const float dx = p[0] - sensor[0], dy = p[1] - sensor[1], dz = s->two_d ? 0 : p[2] - sensor[2];
    const float grown = growth * sqrtf(dx * dx + dy * dy + dz * dz);
    const float radius = fminf(fmaxf(least, grown), 0x1.fffffep63f); /* the largest with a finite square */
    return radius * radius;
}

/* Finds the nodes of a level: spreads from each point to all points that are near enough, all pairs. */
static void objects_find_nodes(objects_scene *s, int level)
{
    const size_t n = s->points.count;
    float *const bound = malloc((n + 1) * sizeof *bound);
    size_t *const left = malloc((n + 1) * sizeof *left), *const queue = malloc((n + 1) * sizeof *queue), rest = 0;
    for (size_t i = 0; i < n; i++) {
        s->level[level][i] = -1;
        if (!s->taken[i]) continue;
        bound[i] = objects_bound(s, level, oracle_point(s->points, i));
        left[rest++] = i;
    }
    while (rest > 0) {
        size_t filled = 0;
        const size_t first = left[0]; /* `left` is in ascending order */
        queue[filled++] = first;
        memmove(left, left + 1, --rest * sizeof *left);
        s->level[level][first] = (int32_t)first;
        for (size_t at = 0; at < filled; at++) {
            const float *const p = oracle_point(s->points, queue[at]);
            size_t kept = 0;
            for (size_t k = 0; k < rest; k++) {
                const size_t j = left[k];
                const float *const q = oracle_point(s->points, j);
                const float dx = p[0] - q[0], dy = p[1] - q[1], dz = s->two_d ? 0 : p[2] - q[2];
                const float squared = dx * dx + dy * dy + dz * dz;
                if (squared < bound[queue[at]] && squared < bound[j])
                    s->level[level][j] = (int32_t)first, queue[filled++] = j;
                else
                    left[kept++] = j;
            }
            rest = kept;
        }
    }
    free(bound);
    free(left);
    free(queue);
}

/* Finds the nodes of a level by clump_ec, for clouds that are too large for all pairs. */
static void objects_find_nodes_by_ec(clump_context *ctx, objects_scene *s, int level)
{
    const size_t n = s->points.count;
    clump_ec_options ec = clump_ec_defaults();
    ec.common.mask = s->taken;
    ec.common.eps_per_metre = s->o->common.eps_per_metre * s->o->factors[level];
    memcpy(ec.common.sensor, s->o->ground.sensor, sizeof ec.common.sensor);
    int32_t *const name = malloc((n + 1) * sizeof *name), *const node = s->level[level], clusters = 0;
    CHECK_INT(clump_ec(ctx, s->points, s->o->d * s->o->factors[level], &ec, node, &clusters), CLUMP_OK);
    for (int32_t c = 0; c < clusters; c++) name[c] = -1;
    for (size_t i = 0; i < n; i++) {
        if (node[i] < 0) continue;
        if (name[node[i]] < 0) name[node[i]] = (int32_t)i;
        node[i] = name[node[i]];
    }
    free(name);
}

static float objects_bound_of(const void *scene, int level, const float *p)
{
    return objects_bound(scene, level, p);
}

/* ----- sizes ------------------------------------------------------------------------------------------------------- */

typedef struct objects_size {
    float length, width, bottom, top;
} objects_size;

/* The extent of a set of points along a direction of 15 k degrees, seen from above. */
static float objects_extent(const objects_scene *s, const size_t *members, size_t count, int k)
{
    static const double cosines[] = {
        1, 0.96592582628906829, 0.86602540378443865, 0.70710678118654752, 0.5, 0.25881904510252076, 0};
    const float cosine = (float)(k <= 6 ? cosines[k] : -cosines[12 - k]);
    const float sine = (float)(k <= 6 ? cosines[6 - k] : cosines[k - 6]);
    const int across = s->o->ground.up == CLUMP_UP_Y ? 2 : 1;
    float low = INFINITY, high = -INFINITY;
    for (size_t m = 0; m < count; m++) {
        const float *const p = oracle_point(s->points, members[m]);
        const float u = p[0] - s->o->ground.sensor[0], v = p[across] - s->o->ground.sensor[across];
        const float at = u * cosine + v * sine;
        if (at < low) low = at;
        if (at > high) high = at;
    }
    return high >= low && !(isinf(high) && high == low) ? high - low
                                                        : INFINITY; /* offsets that overflow are too large */
}

static objects_size objects_measure(const objects_scene *s, const size_t *members, size_t count)
{
    objects_size size = {.bottom = INFINITY, .top = -INFINITY};
    float least = 0;
    for (int k = 0; k < 6; k++) {
        const float a = objects_extent(s, members, count, k), b = objects_extent(s, members, count, k + 6);
        if (k > 0 && !(a * b < least)) continue;
        least = a * b;
        size.length = a > b ? a : b;
        size.width = a > b ? b : a;
    }
    const int up = s->o->ground.up == CLUMP_UP_Y ? 1 : 2;
    float low = INFINITY, high = -INFINITY;
    for (size_t m = 0; m < count; m++) {
        const float above = s->heights[members[m]];
        const float h = oracle_point(s->points, members[m])[up] - s->o->ground.sensor[up];
        if (h < low) low = h;
        if (h > high) high = h;
        if (isnan(above)) continue;
        if (above < size.bottom) size.bottom = above;
        if (above > size.top) size.top = above;
    }
    if (isinf(size.bottom)) { /* no height is known */
        size.bottom = 0;
        size.top = isinf(low) || isinf(high) ? INFINITY : high - low;
    }
    size.bottom += 0.0f, size.top += 0.0f; /* no -0 */
    return size;
}

/* The first box that a size fits in; -1: none. */
static int objects_box(const clump_objects_options *o, objects_size size)
{
    for (int k = 0; k < o->boxes; k++) {
        const clump_object_box *const b = &o->box[k];
        if (size.length > b->length || size.width > b->width || size.bottom > b->most_bottom) continue;
        if (size.top >= b->least_top && size.top <= b->most_top) return k;
    }
    return -1;
}

static bool objects_has_size_of_person(objects_size size)
{
    if (size.length > 1.1f || size.width > 0.9f || size.bottom > 0.9f) return false;
    return size.top >= 1.2f && size.top <= 2.2f && size.top - size.bottom >= 0.7f;
}

/* ----- score ------------------------------------------------------------------------------------------------------- */

enum { OBJECTS_CORNERS = 11 };

/* A broken line: its first and its last height go on for ever. */
typedef struct objects_line {
    int corners;
    float at[OBJECTS_CORNERS], height[OBJECTS_CORNERS];
} objects_line;

static float objects_height(const objects_line *line, float at)
{
    int right = 0;
    while (right < line->corners && line->at[right] <= at) right++;
    if (right == line->corners) return line->height[right - 1];
    if (right == 0) return line->height[0];
    const float share = (at - line->at[right - 1]) / (line->at[right] - line->at[right - 1]);
    return line->height[right - 1] + share * (line->height[right] - line->height[right - 1]);
}

/* The number of points times the square of the range of the middle, per square metre of a wall of this size. */
static float objects_density(const objects_scene *s, const size_t *members, size_t count, objects_size size)
{
    float square = 0;
    for (int k = 0; k < 2; k++) {
        const int axis = k == 0 ? 0 : s->o->ground.up == CLUMP_UP_Y ? 2 : 1;
        float low = INFINITY, high = -INFINITY;
        for (size_t m = 0; m < count; m++) {
            const float at = oracle_point(s->points, members[m])[axis] - s->o->ground.sensor[axis];
            low = fminf(low, at), high = fmaxf(high, at);
        }
        const float middle = (low + high) / 2;
        square += middle * middle;
    }
    return (float)count * square / (fmaxf(size.length, 0.1f) * fmaxf(size.top - size.bottom, 0.1f));
}

static float objects_score(const objects_scene *s, int level, const size_t *members, size_t count, objects_size size)
{
    static const objects_line lines[] = {{4, {0, 0.5f, 1, 2}, {-2.05f, -0.24f, 0.96f, 1.33f}},
                                         {3, {0, 0.5f, 1}, {0.89f, -0.02f, -0.87f}},
                                         {5, {0.5f, 1, 1.5f, 2, 3}, {-1.35f, 0.82f, 2.28f, 0.22f, -1.97f}},
                                         {3, {0.5f, 1, 2}, {-1.69f, -0.05f, 1.75f}},
                                         {4, {4000, 8000, 16000, 32000}, {-1.75f, -0.5f, 0.6f, 1.65f}}};
    static const objects_line share = {
        11,
        {-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5},
        {0.007f, 0.018f, 0.047f, 0.119f, 0.269f, 0.5f, 0.731f, 0.881f, 0.953f, 0.982f, 0.993f}};
    const float at[] = {size.width, size.bottom, size.top, s->o->factors[level],
                        objects_density(s, members, count, size)};
    float sum = -5.66f;
    for (int k = 0; k < 5; k++) sum += objects_height(&lines[k], at[k]);
    return objects_height(&share, sum);
}

/* ----- cut --------------------------------------------------------------------------------------------------------- */

/* Lists the points from `first` on whose entry of `of` is `value`. */
static size_t objects_members(const objects_scene *s, const int32_t *of, int32_t value, size_t first, size_t *members)
{
    size_t count = 0;
    for (size_t i = first; i < s->points.count; i++)
        if (of[i] == value) members[count++] = i;
    return count;
}

/* Whether a size is that of one vehicle. */
static bool objects_has_size_of_vehicle(objects_size size)
{
    const float growth = 0.13f * size.length, car = 2 + growth, truck = 2.6f + growth;
    if (size.bottom > 1) return false;
    if (size.length >= 1 && size.length <= 5.6f && size.width <= car && size.top >= 0.8f && size.top <= 2.6f)
        return true;
    return size.length <= 13 && size.width <= truck && size.top >= 2.5f && size.top <= 4.5f;
}

/* The points of the parts of a node: the coarsest nodes of finer levels that have the size of a person, or else of a vehicle if
 * vehicles count. */
typedef struct objects_parts {
    size_t sum, most;
} objects_parts;

static void objects_add_parts(const objects_scene *s, int level, const size_t *members, size_t count, bool vehicles,
                              objects_parts *parts)
{
    if (level == 0) return;
    size_t *const finer = malloc(count * sizeof *finer);
    for (size_t m = 0; m < count; m++) {
        const int32_t node = s->level[level - 1][members[m]];
        if ((size_t)node != members[m]) continue; /* a node begins at its first point */
        size_t found = 0;
        for (size_t k = m; k < count; k++)
            if (s->level[level - 1][members[k]] == node) finer[found++] = members[k];
        const objects_size size = objects_measure(s, finer, found);
        const bool person = !s->o->no_people && objects_has_size_of_person(size);
        if (found >= CLUMP_OBJECTS_LEAST && (person || (vehicles && objects_has_size_of_vehicle(size)))) {
            parts->sum += found;
            parts->most = found > parts->most ? found : parts->most;
        } else {
            objects_add_parts(s, level - 1, finer, found, vehicles, parts);
        }
    }
    free(finer);
}

/* Whether a node that fits in a box is a group of people, or of people and vehicles. */
static bool objects_is_group(const objects_scene *s, int level, const size_t *members, size_t count, objects_size size)
{
    if (s->o->no_groups || (!s->o->no_people && objects_has_size_of_person(size))) return false;
    for (int vehicles = 0; vehicles < 2; vehicles++) {
        objects_parts parts = {0, 0};
        if (vehicles && objects_has_size_of_vehicle(size)) return false;
        if (vehicles && s->o->box[objects_box(s->o, size)].fits == CLUMP_FIT_OTHER) return false;
        objects_add_parts(s, level, members, count, vehicles, &parts);
        if (5 * parts.sum >= 4 * count && 4 * parts.most <= 3 * count) return true;
    }
    return false;
}

/* Cuts a node: it is an object, or its nodes of the next finer level are cut. What is left has cluster -1. */
static void objects_cut(objects_scene *s, int level, const size_t *members, size_t count)
{
    const objects_size size = objects_measure(s, members, count);
    const bool coarsest = level == s->o->levels - 1;
    if (objects_box(s->o, size) >= 0 &&
        (coarsest || (count >= CLUMP_OBJECTS_LEAST && size.bottom <= CLUMP_OBJECTS_BOTTOM)) &&
        !objects_is_group(s, level, members, count, size)) {
        for (size_t m = 0; m < count; m++) s->cluster[members[m]] = s->clusters;
        s->is_object[s->clusters++] = (uint8_t)(1 + level);
        return;
    }
    if (level == 0) return;
    size_t *const finer = malloc(count * sizeof *finer);
    for (size_t m = 0; m < count; m++) {
        const int32_t node = s->level[level - 1][members[m]];
        if ((size_t)node != members[m]) continue; /* a node begins at its first point */
        size_t found = 0;
        for (size_t k = m; k < count; k++)
            if (s->level[level - 1][members[k]] == node) finer[found++] = members[k];
        objects_cut(s, level - 1, finer, found);
    }
    free(finer);
}

/* Cuts all nodes of the coarsest level; the rest of each is one cluster. */
static void objects_cut_all(objects_scene *s)
{
    const int32_t *const coarsest = s->level[s->o->levels - 1];
    for (size_t i = 0; i < s->points.count; i++) s->cluster[i] = -1;
    for (size_t i = 0; i < s->points.count; i++) {
        if (coarsest[i] != (int32_t)i) continue;
        const size_t count = objects_members(s, coarsest, (int32_t)i, i, s->members);
        objects_cut(s, s->o->levels - 1, s->members, count);
        bool rest = false;
        for (size_t m = 0; m < count; m++) {
            if (s->cluster[s->members[m]] >= 0) continue;
            s->cluster[s->members[m]] = s->clusters;
            rest = true;
        }
        if (rest) s->is_object[s->clusters++] = 0;
    }
}

/* Makes people objects of their own. The sizes of clusters are those before. */
static void objects_cut_people(objects_scene *s)
{
    const size_t n = s->points.count;
    size_t *const sizes = calloc(n + 1, sizeof *sizes), *const nodes = calloc(n + 1, sizeof *nodes);
    for (size_t i = 0; i < n; i++)
        if (s->cluster[i] >= 0) sizes[s->cluster[i]]++, nodes[s->level[0][i]]++;
    for (size_t i = 0; i < n && !s->o->no_people; i++) {
        if (s->level[0][i] != (int32_t)i) continue;
        if (nodes[i] < 50) continue;
        const size_t count = objects_members(s, s->level[0], (int32_t)i, i, s->members);
        if ((double)count > 0.75 * (double)sizes[s->cluster[i]]) continue;
        if (!objects_has_size_of_person(objects_measure(s, s->members, count))) continue;
        for (size_t m = 0; m < count; m++) s->cluster[s->members[m]] = s->clusters;
        s->is_object[s->clusters++] = 1;
    }
    free(sizes), free(nodes);
}

/* ----- result ------------------------------------------------------------------------------------------------------ */

/* Numbers the clusters by their first points; limits and order. */
static void objects_number(objects_scene *s, objects_reference *r)
{
    const size_t n = s->points.count;
    int32_t *const number = malloc(((size_t)s->clusters + 1) * sizeof *number), found = 0;
    for (int32_t c = 0; c < s->clusters; c++) number[c] = -1;
    for (size_t i = 0; i < n; i++) {
        r->labels[i] = CLUMP_NOISE;
        if (s->cluster[i] < 0) continue;
        if (number[s->cluster[i]] < 0) number[s->cluster[i]] = found++;
        r->labels[i] = number[s->cluster[i]];
    }
    r->count = reference_finish(r->labels, n, found, s->o->common.order, s->o->common.min_size, s->o->common.max_size);
    free(number);
}

/* Lists the clusters: the points of each, by counting, and their sizes. */
static void objects_list(const objects_scene *s, objects_reference *r)
{
    size_t *const end = calloc((size_t)r->count + 2, sizeof *end);
    for (size_t i = 0; i < s->points.count; i++)
        if (r->labels[i] >= 0) end[r->labels[i] + 2]++;
    for (int32_t c = 0; c < r->count; c++) end[c + 2] += end[c + 1];
    for (size_t i = 0; i < s->points.count; i++)
        if (r->labels[i] >= 0) s->members[end[r->labels[i] + 1]++] = i;
    r->found = calloc((size_t)r->count + 1, sizeof *r->found);
    for (int32_t c = 0; c < r->count; c++) {
        const size_t *const members = s->members + end[c], count = end[c + 1] - end[c];
        const objects_size size = objects_measure(s, members, count);
        const int box = objects_box(s->o, size);
        clump_object *const f = &r->found[c];
        const int level = s->is_object[s->cluster[members[0]]] - 1;
        const float score = level < 0 ? 0 : objects_score(s, level, members, count, size);
        *f = (clump_object){.label = c,
                            .count = (int32_t)count,
                            .object = level >= 0 && score >= s->o->min_score,
                            .fits = CLUMP_FIT_OTHER,
                            .length = size.length,
                            .width = size.width,
                            .bottom = size.bottom,
                            .top = size.top,
                            .level = level,
                            .score = score};
        if (f->object && box >= 0) f->fits = s->o->box[box].fits;
        if (f->object && !s->o->no_people && objects_has_size_of_person(size)) f->fits = CLUMP_FIT_PERSON;
    }
    free(end);
}

void objects_find_ground(clump_context *ctx, objects_scene *s, objects_reference *r)
{
    clump_ground_options g = s->o->ground;
    g.mask = s->o->common.mask;
    g.heights = s->heights;
    CHECK_INT(clump_ground(ctx, s->points, &g, r->labels, &r->ground), CLUMP_OK);
    for (size_t i = 0; i < s->points.count; i++) {
        const bool finite = reference_finite(oracle_point(s->points, i), false), masked = g.mask && !g.mask[i];
        r->finite += finite;
        r->masked += masked;
        s->taken[i] = finite && !masked && r->labels[i] != CLUMP_GROUND;
    }
}

objects_scene objects_scene_make(clump_points points, const clump_objects_options *o)
{
    const size_t n = points.count;
    return (objects_scene){.points = points,
                           .o = o,
                           .heights = malloc((n + 1) * sizeof(float)),
                           .taken = malloc(n + 1),
                           .cluster = malloc((n + 1) * sizeof(int32_t)),
                           .is_object = malloc(2 * n + 1), /* at most one cluster per point, and one person */
                           .members = malloc((n + 1) * sizeof(size_t))};
}

void objects_scene_release(objects_scene *s)
{
    free(s->heights), free(s->taken), free(s->cluster), free(s->is_object), free(s->members);
}

void objects_find(clump_context *ctx, objects_scene *s, objects_reference *r, bool all_pairs)
{
    const clump_objects_options *const o = s->o;
    const bool scan = o->neighbours == CLUMP_NEIGHBOURS_SCAN;
    for (int k = 0; k < o->levels; k++) {
        s->level[k] = malloc((s->points.count + 1) * sizeof *s->level[k]);
        if (scan) continue;
        if (all_pairs)
            objects_find_nodes(s, k);
        else
            objects_find_nodes_by_ec(ctx, s, k);
    }
    if (scan) scan_reference_sets(s->points, o, s->taken, objects_bound_of, s, s->level);
    s->clusters = 0;
    objects_cut_all(s);
    objects_cut_people(s);
    objects_number(s, r);
    objects_list(s, r);
    for (int k = 0; k < o->levels; k++) free(s->level[k]);
}

objects_reference reference_objects(clump_context *ctx, clump_points points, const clump_objects_options *o,
                                    bool all_pairs)
{
    const size_t n = points.count;
    objects_reference r = {.labels = malloc((n + 1) * sizeof *r.labels)};
    objects_scene s = objects_scene_make(points, o);
    objects_find_ground(ctx, &s, &r);
    uint8_t *const ground = malloc(n + 1);
    for (size_t i = 0; i < n; i++) ground[i] = r.labels[i] == CLUMP_GROUND;
    objects_find(ctx, &s, &r, all_pairs);
    for (size_t i = 0; i < n; i++) {
        if (ground[i]) r.labels[i] = CLUMP_GROUND;
        r.noise += r.labels[i] == CLUMP_NOISE;
    }
    objects_scene_release(&s);
    free(ground);
    return r;
}

void objects_reference_release(objects_reference *r)
{
    free(r->labels);
    free(r->found);
}
