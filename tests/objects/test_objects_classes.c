/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_objects_classes.c: clump_objects and clump_detect with classes beside separate calls per group: the ground of all points, then
 * the definition of objects (objects_reference.h) on the points of each group alone, with these heights. Limits, splits, order
 * and numbers by plain loops.
 */
#include "support/check.h"

#include "objects/objects_compare.h"
#include "oracle/detect_reference.h"
#include "support/clouds.h"
#include "support/objects_scenes.h"

#include <clump/classes.h>

enum { MOST = 1500, ROWS = 5 };

static float xyz[3 * MOST];
static uint16_t of[MOST];
static uint8_t mask[MOST];
static clump_class rows[ROWS];
static size_t seen_split, seen_kept, seen_dropped, seen_small;

static size_t pick(uint64_t *random, size_t n)
{
    return check_random(random) % n;
}

/* ----- separate calls ----------------------------------------------------------------------------------------------- */

/* The clusters of all groups, before limits. */
typedef struct separate {
    const clump_objects_options *o;
    const clump_classes *classes;
    objects_scene scene;
    objects_reference all; /* labels and list in the end */
    int32_t *cluster;      /* point ──► number here; -1: none */
    const clump_class **row;
    clump_object *objects;
    size_t *sizes, clusters, dropped, dropped_points, kept, split;
} separate;

static const clump_class *row_of(const clump_classes *c, uint16_t id)
{
    for (size_t k = 0; k < c->count; k++)
        if (c->rows[k].id == id && !c->rows[k].stuff) return &c->rows[k];
    return NULL;
}

static bool are_one_group(const clump_class *a, const clump_class *b)
{
    return a && b && (a == b || (a->group > 0 && a->group == b->group));
}

/* The objects of the points of `taken` alone; what is too large is split. */
static void find_group(separate *s, const clump_class *row, const uint8_t *taken, float d, float growth, int step)
{
    const size_t n = s->scene.points.count, most = row->max_size ? row->max_size : s->o->common.max_size;
    clump_objects_options o = *s->o;
    o.common.order = CLUMP_ORDER_INDEX;
    o.common.min_size = 1;
    o.common.max_size = 0;
    o.common.eps_per_metre = growth;
    o.d = d;
    o.neighbours = CLUMP_NEIGHBOURS_EXACT;
    objects_scene scene = objects_scene_make(s->scene.points, &o);
    objects_reference r = {.labels = malloc((n + 1) * sizeof *r.labels)};
    memcpy(scene.taken, taken, n);
    memcpy(scene.heights, s->scene.heights, n * sizeof *scene.heights);
    scene.two_d = row->two_d;
    objects_find(contexts[0], &scene, &r, true);
    uint8_t *const part = malloc(n + 1);
    for (int32_t c = 0; c < r.count; c++) {
        for (size_t i = 0; i < n; i++) part[i] = r.labels[i] == c;
        if (row->oversize == CLUMP_OVERSIZE_SPLIT && most > 0 && (size_t)r.found[c].count > most &&
            step < CLUMP_CLASS_SPLITS) {
            s->split++;
            find_group(s, row, part, d / 2, growth / 2, step + 1);
            continue;
        }
        for (size_t i = 0; i < n; i++)
            if (part[i]) s->cluster[i] = (int32_t)s->clusters;
        s->row[s->clusters] = row;
        s->sizes[s->clusters] = (size_t)r.found[c].count;
        s->objects[s->clusters++] = r.found[c];
    }
    free(part);
    objects_scene_release(&scene);
    objects_reference_release(&r);
}

static bool stays(separate *s, size_t k)
{
    const clump_class *const row = s->row[k];
    const size_t least = row->min_size ? row->min_size : s->o->common.min_size,
                 most = row->max_size ? row->max_size : s->o->common.max_size;
    if (s->sizes[k] < least) seen_small++;
    if (s->sizes[k] < least) return false;
    if (most == 0 || s->sizes[k] <= most) return true;
    const bool drops = row->oversize == CLUMP_OVERSIZE_DROP;
    s->kept += !drops;
    s->dropped += drops;
    s->dropped_points += drops ? s->sizes[k] : 0;
    return !drops;
}

/* Numbers what stays, by first point or by size. */
static void number(separate *s)
{
    const size_t n = s->scene.points.count;
    uint8_t *const open = malloc(s->clusters + 1);
    for (size_t k = 0; k < s->clusters; k++) open[k] = stays(s, k);
    s->all.found = malloc((s->clusters + 1) * sizeof *s->all.found);
    s->all.count = 0;
    for (;;) {
        int32_t best = -1;
        for (size_t i = 0; i < n; i++) {
            const int32_t k = s->cluster[i];
            if (k < 0 || !open[k]) continue;
            if (best < 0 || (s->o->common.order == CLUMP_ORDER_SIZE && s->sizes[k] > s->sizes[best])) best = k;
        }
        if (best < 0) break;
        open[best] = 0;
        for (size_t i = 0; i < n; i++)
            if (s->cluster[i] == best) s->all.labels[i] = s->all.count;
        s->all.found[s->all.count] = s->objects[best];
        s->all.found[s->all.count].label = s->all.count;
        s->all.count++;
    }
    free(open);
}

/* The caller releases s->all. */
static void find_separately(separate *s, clump_points points, const clump_objects_options *o)
{
    const size_t n = points.count;
    *s = (separate){.o = o, .classes = o->common.classes, .scene = objects_scene_make(points, o)};
    s->all.labels = malloc((n + 1) * sizeof *s->all.labels);
    s->cluster = malloc((n + 1) * sizeof *s->cluster);
    s->row = malloc((n + 1) * sizeof *s->row);
    s->objects = malloc((n + 1) * sizeof *s->objects);
    s->sizes = malloc((n + 1) * sizeof *s->sizes);
    objects_find_ground(contexts[0], &s->scene, &s->all);
    for (size_t i = 0; i < n; i++) {
        s->cluster[i] = -1;
        if (s->all.labels[i] != CLUMP_GROUND) s->all.labels[i] = CLUMP_NOISE;
    }
    uint8_t *const taken = malloc(n + 1);
    for (size_t k = 0; k < s->classes->count; k++) {
        const clump_class *const row = &s->classes->rows[k];
        bool known = row->stuff;
        for (size_t j = 0; j < k; j++) known = known || are_one_group(&s->classes->rows[j], row);
        if (known) continue;
        for (size_t i = 0; i < n; i++)
            taken[i] = s->scene.taken[i] && are_one_group(row_of(s->classes, s->classes->of[i]), row);
        find_group(s, row, taken, row->radius > 0 ? row->radius : o->d, o->common.eps_per_metre, 0);
    }
    number(s);
    for (size_t i = 0; i < n; i++) s->all.noise += s->all.labels[i] == CLUMP_NOISE;
    objects_scene_release(&s->scene);
    free(taken), free(s->cluster), free(s->row), free(s->objects), free(s->sizes);
}

/* ----- random streets ----------------------------------------------------------------------------------------------- */

static size_t make_rows(uint64_t *random)
{
    const size_t count = 1 + pick(random, ROWS);
    for (size_t k = 0; k < count; k++) {
        rows[k] = (clump_class){.id = (uint16_t)(10 * k),
                                .radius = pick(random, 2) ? 0 : 0.1f + 0.6f * check_random_float(random),
                                .two_d = pick(random, 3) == 0,
                                .stuff = pick(random, 6) == 0,
                                .oversize = (clump_oversize)pick(random, 3)};
        if (pick(random, 3) == 0) rows[k].min_size = 1 + pick(random, 20);
        if (pick(random, 2) == 0) rows[k].max_size = 20 + pick(random, 100);
        if (k == 0 || pick(random, 4)) continue;
        rows[k] = rows[k - 1]; /* the group of the row before */
        rows[k].id = (uint16_t)(10 * k);
        rows[k].group = rows[k - 1].group = rows[k - 1].group ? rows[k - 1].group : (uint16_t)k;
    }
    return count;
}

/* Classes by place, so that objects have one; some points have another. */
static void make_classes(size_t count, uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        const int place = (int)floorf(xyz[3 * i] / 6) + 3 * (int)floorf(xyz[3 * i + 1] / 6);
        of[i] = (uint16_t)(10 * (pick(random, 20) == 0 ? pick(random, ROWS + 1) : (size_t)(place & 0xff) % (ROWS + 1)));
        mask[i] = pick(random, 9) != 0;
    }
}

static void choose_options(clump_objects_options *o, const clump_classes *classes, uint64_t *random)
{
    *o = clump_objects_defaults();
    o->common.classes = classes;
    o->common.order = (clump_order)pick(random, 2);
    o->common.min_size = pick(random, 3) ? 10 : 1;
    if (pick(random, 4) == 0) o->common.max_size = 120;
    if (pick(random, 4) == 0) o->common.eps_per_metre = 0;
    if (pick(random, 4) == 0) o->common.mask = mask;
    if (pick(random, 4) == 0) o->min_score = 0.2f;
    if (pick(random, 4) == 0) o->levels = 2;
    o->no_people = pick(random, 5) == 0;
    o->no_groups = pick(random, 5) == 0;
    o->ground.method = pick(random, 3) ? CLUMP_GROUND_GRID : (clump_ground_method)pick(random, 3);
    if (pick(random, 3) == 0)
        for (int k = 0; k < 3; k++) o->ground.sensor[k] = 2 * check_random_float(random) - 1;
}

static void check_oversize(clump_context *ctx, const separate *s, const char *name)
{
    const clump_stats stats = clump_context_stats(ctx);
    CHECK_MSG(stats.oversize_dropped == s->dropped && stats.oversize_points == s->dropped_points &&
                  stats.oversize_kept == s->kept && stats.oversize_split == s->split,
              "%s: %zu dropped, %zu points, %zu kept, %zu split; expected %zu, %zu, %zu, %zu", name,
              stats.oversize_dropped, stats.oversize_points, stats.oversize_kept, stats.oversize_split, s->dropped,
              s->dropped_points, s->kept, s->split);
}

static void streets(void)
{
    uint64_t random = 4101;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 6 : 80); round++) {
        const size_t count =
            street_make(xyz, round % 20 == 0 ? pick(&random, 30) : 200 + pick(&random, MOST - 200), &random);
        make_classes(count, &random);
        const clump_classes classes = {of, rows, make_rows(&random)};
        clump_objects_options o;
        choose_options(&o, &classes, &random);
        if (pick(&random, 4) == 0) cloud_spoil(xyz, count, 20, &random);
        char name[40];
        snprintf(name, sizeof name, "street %d", round);
        const cloud_view view = cloud_view_make(xyz, count, &random);
        separate s;
        find_separately(&s, view.points, &o);
        o.neighbours = CLUMP_NEIGHBOURS_EXACT; /* what AUTO is here, and compare() expects */
        for (int k = 0; k < CONTEXTS; k++) {
            compare(contexts[k], view.points, &o, &s.all, s.all.count + 1, name);
            check_oversize(contexts[k], &s, name);
        }
        compare(contexts[0], view.points, &o, &s.all, s.all.count / 2, name);
        compare(contexts[1], view.points, &o, &s.all, 0, name);
        for (int32_t c = 0; c < s.all.count; c++) seen_objects += s.all.found[c].object != 0;
        for (int32_t c = 0; c < s.all.count; c++) seen_people += s.all.found[c].fits == CLUMP_FIT_PERSON;
        seen_split += s.split, seen_kept += s.kept, seen_dropped += s.dropped;
        objects_reference_release(&s.all);
        free(view.memory);
    }
    if (!CLOUD_WATCHED)
        CHECK_MSG(seen_objects > check_fewer(75, 300) && seen_people > check_fewer(1, 5) &&
                      seen_split > check_fewer(2, 30) && seen_kept > check_fewer(0, 10) &&
                      seen_dropped > check_fewer(0, 10) && seen_small > check_fewer(25, 100),
                  "%zu %zu %zu %zu %zu %zu", seen_objects, seen_people, seen_split, seen_kept, seen_dropped,
                  seen_small);
}

/* ----- from scan to boxes ------------------------------------------------------------------------------------------- */

/* clump_detect gives the labels and the list of clump_objects on the points of the region, and the boxes of clump_describe. */
static void detects_the_same(void)
{
    uint64_t random = 4102;
    clump_context *const ctx = contexts[1];
    int32_t found_in_all = 0;
    const int rounds = check_rounds(CLOUD_WATCHED ? 2 : 10);
    for (int round = 0; round < rounds; round++) {
        const clump_points points = {.xyz = xyz, .count = street_make(xyz, MOST, &random)};
        make_classes(points.count, &random);
        const clump_classes classes = {of, rows, make_rows(&random)};
        clump_objects_options o = clump_objects_defaults();
        o.common.classes = &classes;
        o.common.mask = mask;
        clump_detect_options d = clump_detect_defaults();
        d.method = CLUMP_DETECT_OBJECTS;
        d.common.classes = &classes;
        d.ground = o.ground;
        d.region.max_range = 25;
        o.common.min_size = d.common.min_size = 2;
        static clump_object found[MOST], listed[MOST];
        static clump_cluster boxes[MOST], expected[MOST];
        static int32_t labels[MOST], own[MOST];
        static float heights[MOST];
        d.objects.found = found;
        d.objects.found_capacity = MOST;
        int32_t clusters, count;
        CHECK_INT(clump_detect(ctx, points, &d, labels, boxes, MOST, &clusters), CLUMP_OK);
        const clump_stats stats = clump_context_stats(ctx);
        for (size_t i = 0; i < points.count; i++) mask[i] = reference_in_region(&d, xyz + 3 * i);
        o.found = listed;
        o.found_capacity = MOST;
        CHECK_INT(clump_objects(ctx, points, &o, own, &count), CLUMP_OK);
        CHECK_INT(clusters, count);
        found_in_all += clusters;
        CHECK(memcmp(labels, own, points.count * sizeof *own) == 0);
        CHECK(memcmp(found, listed, (size_t)count * sizeof *found) == 0);
        CHECK(stats.clusters == count && stats.neighbours == CLUMP_NEIGHBOURS_EXACT && stats.ground > 50);
        clump_ground_options g = o.ground;
        g.mask = mask;
        g.heights = heights;
        CHECK_INT(clump_ground(ctx, points, &g, own, NULL), CLUMP_OK);
        clump_describe_options describe = clump_describe_defaults();
        describe.heights = heights;
        CHECK_INT(clump_describe(ctx, points, labels, count, &describe, expected), CLUMP_OK);
        CHECK(memcmp(boxes, expected, (size_t)count * sizeof *boxes) == 0);
    }
    CHECK_MSG(found_in_all > 2 * rounds, "%d clusters", found_in_all);
}

/* ----- arguments and memory ----------------------------------------------------------------------------------------- */

static void wrong_arguments(void)
{
    clump_context *const ctx = contexts[0];
    uint64_t random = 4103;
    const clump_points points = {.xyz = xyz, .count = street_make(xyz, 300, &random)};
    rows[0] = (clump_class){.id = 1, .radius = 1.5e-19f}; /* fits, but not half of it */
    const clump_classes classes = {of, rows, 1};
    static int32_t labels[MOST];
    int32_t clusters;
    clump_objects_options o = clump_objects_defaults();
    o.common.classes = &classes;
    expect_failure(ctx, clump_objects(ctx, points, &o, labels, &clusters), CLUMP_ERR_ARGUMENT,
                   "fit into a float on every level");
    rows[0].radius = 0;
    CHECK_INT(clump_objects(ctx, points, &o, labels, &clusters), CLUMP_OK);
    o.neighbours = CLUMP_NEIGHBOURS_SCAN;
    expect_failure(ctx, clump_objects(ctx, points, &o, labels, &clusters), CLUMP_ERR_UNSUPPORTED,
                   "with classes neighbours are exact");
    o.neighbours = CLUMP_NEIGHBOURS_AUTO;
    rows[0].two_d = true;
    o.ground.up = CLUMP_UP_Y;
    expect_failure(ctx, clump_objects(ctx, points, &o, labels, &clusters), CLUMP_ERR_ARGUMENT,
                   "two_d of class 1 ignores z");
    rows[0].stuff = true;
    CHECK_INT(clump_objects(ctx, points, &o, labels, &clusters), CLUMP_OK);
    CHECK_INT(clusters, 0);
    clump_erccl_options map = clump_erccl_defaults();
    map.common.classes = &classes;
    expect_failure(ctx, clump_erccl(ctx, points, &map, labels, &clusters), CLUMP_ERR_UNSUPPORTED,
                   "classes are for ec, dbscan and objects");
}

/* A second call allocates nothing, and every allocation may fail. */
static void memory(void)
{
    uint64_t random = 4104;
    const clump_points points = {.xyz = xyz, .count = street_make(xyz, MOST, &random)};
    make_classes(points.count, &random);
    for (uint16_t k = 0; k < ROWS; k++)
        rows[k] = (clump_class){.id = (uint16_t)(10 * k), .max_size = 40, .oversize = CLUMP_OVERSIZE_SPLIT};
    const clump_classes classes = {of, rows, ROWS};
    static int32_t labels[MOST];
    static clump_object found[MOST];
    int32_t clusters;
    clump_objects_options o = clump_objects_defaults();
    o.common.classes = &classes;
    o.found = found;
    o.found_capacity = MOST;
    for (long fail = 0; fail < 300; fail++) {
        counter c = {.fail_from = fail, .once = true};
        clump_context *ctx = NULL;
        if (counted_context(&c, 2, &ctx) == CLUMP_OK) {
            const clump_status status = clump_objects(ctx, points, &o, labels, &clusters);
            CHECK(status == (c.failed ? CLUMP_ERR_OUT_OF_MEMORY : CLUMP_OK));
            CHECK_INT(clump_objects(ctx, points, &o, labels, &clusters), CLUMP_OK);
            CHECK(clump_context_stats(ctx).oversize_split > 0);
            const long calls = c.calls;
            CHECK_INT(clump_objects(ctx, points, &o, labels, &clusters), CLUMP_OK);
            CHECK_INT(c.calls, calls);
            clump_context_trim(ctx);
            clump_context_destroy(ctx);
        }
        CHECK_INT(c.live, 0);
        if (!c.failed) return;
    }
    CHECK_FAIL("the call has more than 300 allocations");
}

CHECK_PROGRAM(test_objects_classes)
{
    cpu_contexts(contexts, threads_of, CONTEXTS);
    RUN(streets);
    RUN(detects_the_same);
    RUN(wrong_arguments);
    RUN(memory);
    destroy_contexts(contexts, CONTEXTS);
}
