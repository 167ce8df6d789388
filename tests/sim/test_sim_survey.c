/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A synthetic survey: the same points everywhere and in blocks of any size, in the order of flight lines, with the density, the
 * classes and the clusters that clump/sim.h promises.
 */
#include <clump/sim.h>
#include "support/check.h"

static clump_survey survey_of(uint64_t points, uint64_t seed)
{
    clump_survey s = clump_survey_defaults();
    s.points = points, s.seed = seed;
    return s;
}

static clump_survey_point *make(const clump_survey *s, uint64_t first, size_t count)
{
    clump_survey_point *points = malloc((count ? count : 1) * sizeof *points);
    clump_message why = {""};
    const clump_status status = points ? clump_sim_survey(s, first, count, points, &why) : CLUMP_ERR_OUT_OF_MEMORY;
    CHECK_MSG(status == CLUMP_OK, "%s", why.text);
    return points;
}

/* FNV-1a of the records as bytes of a LAS file, low byte first. */
static uint64_t hash_points(const clump_survey_point *points, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++) {
        const clump_survey_point *p = &points[i];
        const uint32_t words[5] = {(uint32_t)p->xyz[0], (uint32_t)p->xyz[1], (uint32_t)p->xyz[2],
                                   p->intensity | (uint32_t)p->returns << 16 | (uint32_t)p->classification << 24,
                                   (uint8_t)p->angle | (uint32_t)p->unused << 8 | (uint32_t)p->strip << 16};
        for (int w = 0; w < 5; w++)
            for (int b = 0; b < 4; b++) hash = (hash ^ (words[w] >> (8 * b) & 255)) * 0x100000001b3u;
    }
    return hash;
}

static void survey_hashes(void)
{
    static const struct {
        uint64_t points, seed, first;
        size_t count;
        uint64_t hash;
    } known[] = {
        {1000, 1, 0, 1000, 0x394cb97c336ff376u},
        {100000, 1, 0, 100000, 0x3233f0464fb1a617u},
        {100000, 2, 0, 100000, 0x1be91fd287404a0bu},
        {1000000000, 1, 700000000, 50000, 0x7bb827834e8abd67u},
        {CLUMP_SURVEY_MOST_POINTS, 7, CLUMP_SURVEY_MOST_POINTS - 50000, 50000, 0x100cfa8bd3075587u},
    };
    CHECK(sizeof(clump_survey_point) == 20);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const clump_survey s = survey_of(known[k].points, known[k].seed);
        clump_survey_point *points = make(&s, known[k].first, known[k].count);
        const uint64_t hash = hash_points(points, known[k].count);
        CHECK_MSG(hash == known[k].hash, "survey %zu: hash 0x%016llx", k, (unsigned long long)hash);
        free(points);
    }
}

static void survey_blocks_of_any_size(void)
{
    enum { N = 60000 };
    const clump_survey s = survey_of(N, 3);
    clump_survey_point *all = make(&s, 0, N);
    static const size_t sizes[] = {1, 7, 1000, 16384, 59999};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (size_t end = N, count; end > N / 2; end -= count) { /* from the end */
            count = end < sizes[k] ? end : sizes[k] < 100 && end < N - 50 ? 5000 : sizes[k];
            clump_survey_point *part = make(&s, end - count, count);
            CHECK_MSG(memcmp(part, all + end - count, count * sizeof *part) == 0, "%zu points before %zu", count, end);
            free(part);
        }
    free(all);
}

/* 20 per square metre; strip after strip, not row after row; heights above the ground. */
static void survey_density_and_order(void)
{
    enum { N = 500000 };
    const clump_survey s = survey_of(N, 1);
    clump_survey_point *points = make(&s, 0, N);
    int32_t lower[2] = {INT32_MAX, INT32_MAX}, upper[2] = {INT32_MIN, INT32_MIN};
    size_t classes[256] = {0};
    unsigned strips = 0;
    for (size_t i = 0; i < N; i++) {
        const clump_survey_point *p = &points[i];
        for (int a = 0; a < 2; a++) {
            if (p->xyz[a] < lower[a]) lower[a] = p->xyz[a];
            if (p->xyz[a] > upper[a]) upper[a] = p->xyz[a];
        }
        classes[p->classification]++;
        CHECK(p->strip == strips || p->strip == strips + 1);
        strips = p->strip;
        CHECK(p->returns == 9);
    }
    const double area = (double)(upper[0] - lower[0]) * (double)(upper[1] - lower[1]) * 1e-6;
    const double density = N / area;
    CHECK_MSG(density > 19 && density < 21, "%g points per square metre", density);
    CHECK_MSG(strips >= 4, "%u strips", strips);
    const size_t known = classes[1] + classes[2] + classes[4] + classes[5] + classes[6];
    CHECK(known == N);
    for (int c = 1; c <= 6; c++) CHECK_MSG(c == 3 || classes[c] > 100, "class %d: %zu points", c, classes[c]);
    CHECK(classes[2] > N / 2 && classes[2] < N * 9 / 10);
    free(points);
}

/* Without the ground there are many clusters, and the net of hedges is as long as the survey. */
static void survey_clusters(void)
{
    enum { N = 2000000 };
    const clump_survey s = survey_of(N, 1);
    clump_survey_point *points = make(&s, 0, N);
    float *xyz = malloc(N * 3 * sizeof *xyz);
    int32_t *labels = malloc(N * sizeof *labels);
    size_t count = 0;
    for (size_t i = 0; i < N && xyz; i++)
        if (points[i].classification != CLUMP_SURVEY_GROUND) {
            for (size_t a = 0; a < 3; a++) xyz[3 * count + a] = (float)points[i].xyz[a];
            count++;
        }
    clump_context *ctx = NULL;
    int32_t clusters = 0;
    CHECK(xyz && labels && clump_context_create(NULL, &ctx) == CLUMP_OK);
    CHECK(clump_ec(ctx, (clump_points){.xyz = xyz, .count = count}, 500, NULL, labels, &clusters) == CLUMP_OK);
    size_t *sizes = calloc((size_t)clusters, sizeof *sizes), large = 0;
    float *left = calloc((size_t)clusters, sizeof *left), *right = calloc((size_t)clusters, sizeof *right);
    CHECK(sizes && left && right);
    float longest = 0, widest = 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t c = labels[i];
        const float x = xyz[3 * i];
        if (sizes[c] == 0 || x < left[c]) left[c] = x;
        if (sizes[c] == 0 || x > right[c]) right[c] = x;
        sizes[c]++;
        if (x > widest) widest = x;
    }
    for (int32_t c = 0; c < clusters; c++) {
        if (sizes[c] >= 100) large++;
        if (right[c] - left[c] > longest) longest = right[c] - left[c];
    }
    CHECK_MSG(clusters > 10000 && large > 200, "%d clusters, %zu of 100 points or more", clusters, large);
    CHECK_MSG(longest > 0.98f * widest, "the longest is %g of %g mm", (double)longest, (double)widest);
    clump_context_destroy(ctx);
    free(sizes), free(left), free(right), free(xyz), free(labels), free(points);
}

static void survey_refusals(void)
{
    clump_survey s = survey_of(100, 1);
    clump_survey_point points[10];
    clump_message why;
    CHECK(clump_sim_survey(NULL, 0, 1, points, &why) == CLUMP_ERR_ARGUMENT && why.text[0]);
    CHECK(clump_sim_survey(&s, 0, 1, NULL, &why) == CLUMP_ERR_ARGUMENT && why.text[0]);
    CHECK(clump_sim_survey(&s, 95, 6, points, &why) == CLUMP_ERR_ARGUMENT && why.text[0]);
    CHECK(clump_sim_survey(&s, 101, 0, points, &why) == CLUMP_ERR_ARGUMENT && why.text[0]);
    CHECK(clump_sim_survey(&s, UINT64_MAX, 2, points, NULL) == CLUMP_ERR_ARGUMENT);
    CHECK(clump_sim_survey(&s, 100, 0, NULL, &why) == CLUMP_OK && !why.text[0]);
    s.points = CLUMP_SURVEY_MOST_POINTS + 1ull;
    CHECK(clump_sim_survey(&s, 0, 1, points, &why) == CLUMP_ERR_TOO_MANY && why.text[0]);
    s.cookie = 0;
    CHECK(clump_sim_survey(&s, 0, 1, points, &why) == CLUMP_ERR_OPTIONS && why.text[0]);
}

CHECK_PROGRAM(test_sim_survey)
{
    RUN(survey_hashes);
    RUN(survey_blocks_of_any_size);
    RUN(survey_density_and_order);
    RUN(survey_clusters);
    RUN(survey_refusals);
}
