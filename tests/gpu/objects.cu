/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.cu: the kernels of clump_objects without a GPU: the bodies of the kernels (src/cuda/objects) run on the host, item
 * by item, forward and backward, and give the labels and the list of clusters of the CPU. Exact neighbours start from the
 * labels of clump_ec. Program gpu_objects.
 */
#include "support/check.h"

extern "C" {
#include "support/clouds.h"
#include "core/rings.h"
#include "support/objects_scenes.h"
#include "support/scans.h"
}

#include "cuda/objects/objects_steps.cuh"

#include <clump/info.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

enum { MOST = 6000 };

static clump_context *ctx;
static float xyz[3 * MOST];
static uint16_t rings[MOST];
static size_t seen[5], seen_people; /* sources of rings */

static void must(clump_status status)
{
    if (status == CLUMP_OK) return;
    printf("the test cannot go on: %s\n", clump_context_error(ctx));
    exit(1);
}

/* ----- the steps on the host ------------------------------------------------------------------------- */

struct host_runner {
    bool backward;

    template <void (*BODY)(const objects_job &, size_t)>
    clump_status each(const char *, size_t n, const objects_job &job) const
    {
        for (size_t i = 0; i < n; i++) BODY(job, backward ? n - 1 - i : i);
        return CLUMP_OK;
    }
    clump_status sort(const objects_job &job, int bits) const
    {
        const uint64_t mask = ((uint64_t)1 << bits) - 1;
        std::vector<uint32_t> order(job.view.count);
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(),
                         [=](uint32_t a, uint32_t b) { return (job.keys[a] & mask) < (job.keys[b] & mask); });
        for (size_t s = 0; s < order.size(); s++) {
            job.sorted[s] = job.keys[order[s]];
            job.index[s] = job.places[order[s]];
        }
        return CLUMP_OK;
    }
    clump_status sum_marks(const objects_job &job) const
    {
        uint32_t sum = 0;
        for (size_t w = 0; w < (job.view.count + 31) / 32; w++) {
            job.numbers[w] = sum;
            sum += objects_count_bits(job.marks[w]);
        }
        *job.counts = clump_counts{sum, 0, 0, 0};
        return CLUMP_OK;
    }
};

/* A job, and its memory. */
struct host_job {
    objects_job job = {};
    size_t n;
    std::vector<uint32_t> of[CLUMP_OBJECTS_LEVELS], jumps, places, index, begin, marks, numbers, bins;
    std::vector<uint64_t> keys, sorted;
    std::vector<float4> point, bounds;
    std::vector<float> azimuth;
    std::vector<uint8_t> link, ahead[CLUMP_SCAN_NEXT];
    std::vector<objects_tests> tests[CLUMP_SCAN_RINGS];
    std::vector<objects_node> node[CLUMP_OBJECTS_LEVELS], whole;
    std::vector<objects_parts> parts[CLUMP_OBJECTS_LEVELS];
    std::vector<objects_name> name;
    std::vector<int32_t> labels;
    std::vector<uint16_t> table;
    std::vector<clump_object> found;
    clump_counts counts = {}, level_counts[CLUMP_OBJECTS_LEVELS] = {};
    objects_counters counters = {};

    host_job(clump_points points, const clump_objects_options &o, const uint8_t *mask, const float *heights)
        : n(points.count), jumps(n + 1), places(n), index(n), begin(CLUMP_RINGS_MOST + 1), marks((n + 31) / 32, ~0u),
          numbers((n + 31) / 32), bins(CLUMP_RINGS_BINS), keys(n), sorted(n), point(n), bounds(n), azimuth(n), link(n),
          name(n), labels(n, -9), table(CLUMP_RINGS_BINS)
    {
        job.view =
            clump_cloud_view{(const char *)points.xyz, points.stride ? points.stride : 12, mask, (uint32_t)n, false};
        job.above = heights;
        memcpy(job.rule.sensor, o.ground.sensor, sizeof job.rule.sensor);
        job.rule.across = o.ground.up == CLUMP_UP_Y ? 2 : 1;
        job.rule.up = o.ground.up == CLUMP_UP_Y ? 1 : 2;
        job.rule.sign = o.ground.flip ? -1.0f : 1.0f;
        job.rule.levels = o.levels;
        job.rule.boxes = o.boxes;
        memcpy(job.rule.box, o.box, sizeof job.rule.box);
        job.rule.people = !o.no_people;
        job.rule.groups = !o.no_groups;
        memcpy(job.rule.factors, o.factors, sizeof job.rule.factors);
        job.rule.min_score = o.min_score;
        for (int k = 0; k < o.levels; k++) {
            job.radius[k] = clump_radius_rule_make(o.d * o.factors[k], o.common.eps_per_metre * o.factors[k],
                                                   o.ground.sensor, false);
            of[k].assign(n, 77), node[k].resize(n);
            memset((void *)node[k].data(), 0x5a, n * sizeof(objects_node));
            parts[k].assign(n, objects_parts{7, 7, 7, 7});
            job.of[k] = of[k].data(), job.node[k] = node[k].data(), job.parts[k] = parts[k].data();
        }
        job.jumps = jumps.data(), job.places = places.data(), job.index = index.data(), job.begin = begin.data();
        job.marks = marks.data(), job.numbers = numbers.data(), job.bins = bins.data(), job.keys = keys.data();
        job.sorted = sorted.data(), job.point = point.data(), job.bounds = bounds.data();
        job.azimuth = azimuth.data(), job.link = link.data(), job.name = name.data(), job.labels = labels.data(),
        job.table = table.data();
        for (int t = 0; t < CLUMP_SCAN_NEXT; t++) ahead[t].resize(n), job.ahead[t] = ahead[t].data();
        for (int r = 0; r < CLUMP_SCAN_RINGS; r++) tests[r].resize(n), job.tests[r] = tests[r].data();
        job.counts = &counts, job.level_counts = level_counts, job.counters = &counters;
        job.columns = o.columns, job.given = o.rings;
    }
};

/* Finds the source of the rings, as objects.cu does. */
static void find_rings(host_job *h, const clump_objects_options *o)
{
    objects_job *const job = &h->job;
    if (o->neighbours == CLUMP_NEIGHBOURS_EXACT) return;
    if (o->rings || o->columns > 0) {
        job->source = o->rings ? CLUMP_RINGS_GIVEN : CLUMP_RINGS_ROWS;
        job->rings = o->rings ? CLUMP_RINGS_MOST : (uint32_t)((h->n - 1) / o->columns) + 1;
        return;
    }
    clump_ring_steps steps = {};
    for (size_t i = 0; i < h->n; i++) objects_step(*job, i, &steps);
    job->order = clump_rings_order(steps, CLUMP_RINGS_MOST);
    if (job->order.rings > 0) {
        uint32_t sum = 0;
        for (uint32_t &jump : h->jumps) {
            const uint32_t mine = jump;
            jump = sum;
            sum += mine;
        }
        job->source = CLUMP_RINGS_ORDER;
        job->rings = (uint32_t)job->order.rings;
    } else {
        for (size_t i = 0; i < h->n; i++) objects_bin(*job, i);
        job->rings =
            (uint32_t)clump_rings_of_angles(h->bins.data(), o->neighbours == CLUMP_NEIGHBOURS_AUTO, h->table.data());
        if (job->rings > 0) job->source = CLUMP_RINGS_ANGLE;
    }
}

/* Makes the labels of all levels by clump_ec. */
static void cluster_levels(host_job *h, clump_points points, const clump_objects_options *o, const uint8_t *mask)
{
    for (int k = 0; k < o->levels; k++) {
        clump_ec_options ec = clump_ec_defaults();
        ec.common.mask = mask;
        ec.common.eps_per_metre = h->job.radius[k].per_metre;
        memcpy(ec.common.sensor, o->ground.sensor, sizeof ec.common.sensor);
        int32_t count = 0;
        must(clump_ec(ctx, points, h->job.radius[k].eps, &ec, (int32_t *)h->of[k].data(), &count));
        h->level_counts[k].clusters = (uint32_t)count;
    }
}

/* ----- comparison ------------------------------------------------------------------------------------ */

/* Compares the labels of points that are not ground, and the list. Labels have neither limits nor order. */
static void compare(clump_points points, const clump_objects_options *given, const char *shape)
{
    const size_t n = points.count;
    clump_objects_options o = *given;
    std::vector<clump_object> wanted(n + 1);
    std::vector<int32_t> expected(n + 1), ground(n + 1);
    std::vector<float> heights(n + 1);
    int32_t count = -1;
    o.common.min_size = 1, o.common.max_size = 0, o.common.order = CLUMP_ORDER_INDEX;
    o.found = wanted.data(), o.found_capacity = (int32_t)n;
    if (clump_objects(ctx, points, &o, expected.data(), &count) != CLUMP_OK) {
        CHECK_FAIL("%s: %s", shape, clump_context_error(ctx));
        return;
    }
    const clump_stats stats = clump_context_stats(ctx);
    clump_ground_options g = o.ground;
    g.heights = heights.data();
    must(clump_ground(ctx, points, &g, ground.data(), NULL));
    std::vector<uint8_t> mask(n + 1);
    for (size_t i = 0; i < n; i++) mask[i] = ground[i] != CLUMP_GROUND && (!o.common.mask || o.common.mask[i]);
    for (int turn = 0; turn < 2; turn++) {
        const std::string what = std::string(shape) + (turn ? ", backward" : "");
        host_job h(points, o, mask.data(), o.ground.method == CLUMP_GROUND_NONE ? NULL : heights.data());
        const host_runner run = {turn > 0};
        find_rings(&h, &o);
        CHECK_INT(h.job.source, stats.ring_source);
        seen[h.job.source]++;
        if (h.job.source == CLUMP_RINGS_NONE)
            cluster_levels(&h, points, &o, mask.data());
        else
            CHECK(objects_scan_steps(run, h.job) == CLUMP_OK);
        if (h.job.source == CLUMP_RINGS_GIVEN) h.job.rings = h.counters.rings;
        CHECK_INT(h.job.rings, stats.rings);
        CHECK(objects_cut_steps(run, h.job) == CLUMP_OK);
        CHECK_MSG((int32_t)h.counts.clusters == count, "%s: %u clusters, expected %d", what.c_str(), h.counts.clusters,
                  count);
        size_t differ = 0, at = 0;
        for (size_t i = 0; i < n; i++)
            if (expected[i] != CLUMP_GROUND && h.labels[i] != expected[i] && differ++ == 0) at = i;
        CHECK_MSG(differ == 0, "%s: %zu of %zu labels differ, point %zu has %d, expected %d", what.c_str(), differ, n,
                  at, h.labels[at], expected[at]);
        h.job.listed = (uint32_t)n - (n > 3);
        h.whole.resize(n), h.found.resize(n);
        h.job.whole = h.whole.data(), h.job.found = h.found.data();
        CHECK(objects_list_steps(run, h.job) == CLUMP_OK);
        for (int32_t c = 0; c < count && c < (int32_t)h.job.listed && differ == 0; c++) {
            seen_people += wanted[c].fits == CLUMP_FIT_PERSON;
            CHECK_MSG(memcmp(&h.found[c], &wanted[c], sizeof wanted[c]) == 0, "%s: cluster %d differs", what.c_str(),
                      c);
        }
    }
}

static size_t pick(uint64_t *random, size_t n)
{
    return check_random(random) % n;
}

static clump_objects_options random_options(uint64_t *random)
{
    clump_objects_options o = clump_objects_defaults();
    if (pick(random, 3) == 0) {
        o.levels = 1 + (int)pick(random, 4);
        for (int k = 0; k < o.levels; k++)
            o.factors[k] = (k ? o.factors[k - 1] : 0) + 0.2f + check_random_float(random);
    }
    if (pick(random, 4) == 0) o.common.eps_per_metre = 0;
    o.no_people = pick(random, 5) == 0;
    o.no_groups = pick(random, 5) == 0;
    o.min_score = pick(random, 3) ? 0 : 0.05f * (float)pick(random, 15);
    if (pick(random, 2)) o.ground.method = CLUMP_GROUND_NONE;
    if (pick(random, 4) == 0) o.ground.up = CLUMP_UP_Y, o.ground.flip = pick(random, 2);
    for (int k = 0; k < 3; k++) o.ground.sensor[k] = 0.25f * (float)pick(random, 4);
    return o;
}

/* Random streets: exact, and rings that are given, some in any order, or of rows. */
static void streets(void)
{
    uint64_t random = 2301;
    const long rounds = check_rounds(40);
    for (long round = 0; round < rounds && check_failures < 10; round++) {
        const size_t n = street_make(xyz, 1 + pick(&random, round % 5 ? 900 : MOST), &random);
        if (pick(&random, 2)) street_shuffle(xyz, n, &random);
        if (round % 3 == 0) cloud_spoil(xyz, n, 20, &random);
        for (size_t i = 0; i < n && round % 4 == 1; i += 5) xyz[3 * i + 1] = -0.0f; /* an azimuth of -0 */
        clump_objects_options o = random_options(&random);
        const clump_points points = {.xyz = xyz, .count = n};
        o.neighbours = CLUMP_NEIGHBOURS_EXACT;
        compare(points, &o, "exact");
        o.neighbours = CLUMP_NEIGHBOURS_SCAN; /* AUTO does not trust such rings */
        const size_t most = (size_t)1 << pick(&random, 11);
        for (size_t i = 0; i < n; i++) rings[i] = (uint16_t)pick(&random, most);
        o.rings = rings;
        compare(points, &o, "given rings");
        o.rings = NULL;
        o.columns = n / (1 + pick(&random, n < 64 ? n : 64)) + 1;
        compare(points, &o, "rows");
    }
    CHECK(seen_people > 0 && seen[CLUMP_RINGS_NONE] > 0 && seen[CLUMP_RINGS_GIVEN] > 0 && seen[CLUMP_RINGS_ROWS] > 0);
}

/* A sensor in a room full of boxes: ring after ring, or in any order, so that only the angles tell. */
static void turns(void)
{
    uint64_t random = 2302;
    for (int round = 0; round < 4; round++) {
        size_t n = 0;
        for (int ring = 0; ring < 12; ring++) {
            for (int step = 0; step < 400; step++) {
                const float turn = 6.2831853f * ((float)step + 0.5f) / 400, range = 5 + 3 * (float)(step / 7 % 5);
                xyz[3 * n] = range * cosf(turn), xyz[3 * n + 1] = range * sinf(turn);
                xyz[3 * n + 2] = range * (0.04f * (float)ring - 0.2f);
                n += pick(&random, 9) > 0;
            }
        }
        if (round % 2) street_shuffle(xyz, n, &random);
        clump_objects_options o = clump_objects_defaults();
        o.ground.method = round < 2 ? CLUMP_GROUND_NONE : CLUMP_GROUND_GRID;
        for (int kind = 0; kind < 2; kind++) {
            o.neighbours = kind ? CLUMP_NEIGHBOURS_SCAN : CLUMP_NEIGHBOURS_AUTO;
            compare((clump_points){.xyz = xyz, .count = n}, &o, round % 2 ? "shuffled turn" : "turn");
        }
    }
    CHECK(seen[CLUMP_RINGS_ORDER] > 0 && seen[CLUMP_RINGS_ANGLE] > 0);
}

static void scan(void)
{
    clump_cloud *const cloud = scan_load("kitti/semkitti_00_000000.bin");
    if (!cloud) SKIP("no scans in %s: " DO_DATA, scans_folder());
    const clump_points points = clump_cloud_points(cloud);
    clump_objects_options o = clump_objects_defaults();
    compare(points, &o, "KITTI by scan");
    o.neighbours = CLUMP_NEIGHBOURS_EXACT;
    compare(points, &o, "KITTI by all pairs");
    clump_cloud_destroy(cloud);
}

CHECK_PROGRAM(gpu_objects)
{
    ctx = NULL;
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    if (clump_context_create(&options, &ctx) != CLUMP_OK) exit(1);
    RUN(streets);
    RUN(turns);
    RUN(scan);
    clump_context_destroy(ctx);
}
