/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_steps.c: clouds as whole steps. Labels are compared with a brute-force clustering of the integers in the file, in
 * 64-bit arithmetic.
 */
#include "las/test_las.h"

enum { POINTS = 700 };

static clump_context *context;

/* A LAS file of points in a cube of `side` steps around the middle. */
static las_file make(const las_recipe *recipe, uint64_t seed, int32_t side)
{
    las_file f = las_make(recipe, seed);
    for (size_t i = 0; i < f.count; i++)
        for (size_t a = 0; a < 3; a++)
            las_set_step(&f, i, a, (int64_t)(check_random(&seed) % (uint64_t)side) - side / 2);
    las_tidy(&f);
    return f;
}

/* --- the clustering of integers --------------------------------------------------------------- */

static int64_t square_between(const las_file *f, size_t a, size_t b, const int64_t multiple[3])
{
    int64_t sum = 0;
    for (size_t k = 0; k < 3; k++) {
        const int64_t difference = multiple[k] * ((int64_t)las_step(f, a, k) - las_step(f, b, k));
        sum += difference * difference;
    }
    return sum;
}

/* Gives p and all that is connected with it a label. Only core points connect others. */
static void spread(const las_file *f, size_t p, int64_t bound, const int64_t multiple[3], const bool *core,
                   int32_t label, int32_t *labels)
{
    size_t stack[POINTS], height = 0;
    stack[height++] = p;
    labels[p] = label;
    while (height) {
        const size_t from = stack[--height];
        for (size_t i = 0; i < f->count && core[from]; i++) {
            if (labels[i] >= 0 || square_between(f, from, i, multiple) > bound) continue;
            labels[i] = label;
            stack[height++] = i;
        }
    }
}

/* Neighbours have squared distances of at most `bound`. Returns the number of clusters. */
static int32_t cluster_integers(const las_file *f, int64_t bound, size_t min_points, const int64_t multiple[3],
                                int32_t *labels)
{
    bool core[POINTS];
    int32_t clusters = 0;
    for (size_t i = 0; i < f->count; i++) {
        size_t near = 0;
        for (size_t k = 0; k < f->count; k++) near += square_between(f, i, k, multiple) <= bound;
        core[i] = near >= min_points;
        labels[i] = -1;
    }
    for (size_t i = 0; i < f->count; i++)
        if (core[i] && labels[i] < 0) spread(f, i, bound, multiple, core, clusters++, labels);
    return clusters;
}

/* Clusters the steps of a cloud. min_points 0: Euclidean clustering. */
static int32_t cluster_steps(const clump_cloud *cloud, float d, size_t min_points, int32_t *labels)
{
    clump_points points = clump_cloud_points(cloud);
    float *const xyz = malloc(12 * points.count + 1);
    clump_steps steps;
    int32_t clusters = -1;
    CHECK_INT(clump_cloud_steps(cloud, 0, false, NULL, xyz, &steps, &io_why), CLUMP_OK);
    CHECK(steps.step == clump_cloud_step(cloud));
    points.xyz = xyz;
    const float in_steps = clump_steps_distance(d, steps.step);
    if (min_points)
        CHECK_INT(clump_dbscan(context, points, in_steps, min_points, NULL, labels, &clusters), CLUMP_OK);
    else
        CHECK_INT(clump_ec(context, points, in_steps, NULL, labels, &clusters), CLUMP_OK);
    free(xyz);
    return clusters;
}

/* Compares both clusterings of a file for the distance d, which is `steps` whole steps. */
static void compare(const las_file *f, float d, int64_t steps, const int64_t multiple[3])
{
    clump_cloud *const cloud = las_parse(f);
    int32_t labels[POINTS], expected[POINTS];
    int32_t clusters = cluster_steps(cloud, d, 0, labels);
    CHECK_INT(clusters, cluster_integers(f, steps * steps - 1, 1, multiple, expected));
    CHECK(memcmp(labels, expected, f->count * sizeof *labels) == 0);
    clusters = cluster_steps(cloud, d, 4, labels);
    CHECK_INT(clusters, cluster_integers(f, steps * steps, 4, multiple, expected));
    CHECK(memcmp(labels, expected, f->count * sizeof *labels) == 0);
    clump_cloud_destroy(cloud);
}

/* --- tests ------------------------------------------------------------------------------------ */

/* Lattices of few steps have thousands of pairs at exactly d; large ones are as files are. */
static void labels_of_integers(void)
{
    static const struct {
        float d;
        int64_t steps;
        int32_t side;
    } cases[] = {{0.005f, 5, 60}, {0.025f, 25, 200}, {0.3f, 300, 3000}, {0.51f, 510, 6000}, {4.096f, 4096, 40000}};
    static const int64_t ones[3] = {1, 1, 1};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        las_file f = make(&(las_recipe){.minor = 2, .points = POINTS, .offset = {637000.25, 4800000, 100}}, c + 1,
                          cases[c].side);
        compare(&f, cases[c].d, cases[c].steps, ones);
        free(f.bytes);
    }
}

/* The same integers at other places give the same labels, and floats of metres do not. */
static void place_does_not_matter(void)
{
    static const double places[] = {0, 17, 17.0005, 1e6, 4.4e6, -4.4e6};
    uint64_t hashes[6], whole[6];
    for (size_t p = 0; p < 6; p++) {
        las_file f =
            make(&(las_recipe){.minor = 4, .format = 6, .points = POINTS, .offset = {places[p], places[p], 1}}, 7, 60);
        clump_cloud *const cloud = las_parse(&f);
        int32_t labels[POINTS], clusters;
        cluster_steps(cloud, 0.005f, 0, labels);
        hashes[p] = clump_labels_hash(labels, POINTS);
        CHECK_INT(clump_ec(context, clump_cloud_points(cloud), 0.005f, NULL, labels, &clusters), CLUMP_OK);
        whole[p] = clump_labels_hash(labels, POINTS);
        clump_cloud_destroy(cloud);
        free(f.bytes);
        CHECK_MSG(hashes[p] == hashes[0], "at %g", places[p]);
    }
    CHECK_MSG(whole[2] != hashes[2], "the test has no pair that float32 metres decide otherwise");
}

/* A negative scale mirrors an axis; other scales are multiples of the least. */
static void scales(void)
{
    static const int64_t multiple[3] = {1, -10, 4};
    las_file f =
        make(&(las_recipe){.minor = 2, .points = POINTS, .scale = {0.001, -0.01, 0.004}, .offset = {5, -3, 8}}, 3, 60);
    compare(&f, 0.05f, 50, multiple);
    clump_cloud *const mirrored = las_parse(&f);
    clump_steps steps;
    double lowest = INFINITY;
    CHECK_INT(clump_cloud_steps(mirrored, 0, false, NULL, NULL, &steps, &io_why), CLUMP_OK);
    for (size_t i = 0; i < f.count; i++) lowest = fmin(lowest, las_value(&f, i, 1));
    CHECK(fabs(steps.origin[1] - lowest) < 1e-9);
    clump_cloud_destroy(mirrored);
    free(f.bytes);

    static const struct {
        double scale[3], step;
    } cases[] = {{{0.001, 0.001, 0.001}, 0.001},
                 {{0.01, 0.01, 0.001}, 0.001},
                 {{1e-7, 1e-7, 0.01}, 1e-7},
                 {{0.00025, 0.001, -0.5}, 0.00025},
                 {{0.01, 0.01, 0.003}, 0},
                 {{0.01, 0.0100001, 0.01}, 0},
                 {{1e-9, 1, 1}, 0},
                 {{0.3048, 0.3048, 0.0254}, 0.0254}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        las_recipe recipe = {.minor = 2, .points = 3};
        memcpy(recipe.scale, cases[c].scale, sizeof recipe.scale);
        las_file one = las_make(&recipe, 1);
        clump_cloud *const cloud = las_parse(&one);
        CHECK_MSG(clump_cloud_step(cloud) == cases[c].step, "case %zu: %g", c, clump_cloud_step(cloud));
        if (cases[c].step == 0) {
            CHECK_INT(clump_cloud_steps(cloud, 0, false, NULL, NULL, &steps, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
            CHECK(strstr(io_why.text, "have no common step"));
        }
        clump_cloud_destroy(cloud);
        free(one.bytes);
    }
}

/* A distance that was rounded to float32 is the whole number of steps it stands for, and its neighbours are not. */
static void distances(void)
{
    static const double steps[] = {0.001, 0.01, 0.0001, 0.3048, 0.00025};
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        for (int whole = 1; whole < 70000; whole += whole < 3000 ? 1 : 97) {
            const float d = (float)(whole * steps[s]);
            CHECK_MSG(clump_steps_distance(d, steps[s]) == (float)whole, "%d steps of %g", whole, steps[s]);
            CHECK_MSG(clump_steps_distance(nextafterf(d, 1e9f), steps[s]) >= (float)whole, "%d", whole);
        }
    }
    CHECK(clump_steps_distance(nextafterf(0.5f, 1), 0.001) > 500);
    CHECK(clump_steps_distance(nextafterf(0.5f, 0), 0.001) < 500);
    CHECK(clump_steps_distance(0.0005f, 0.001) == 0.5f);
    CHECK(clump_steps_distance(0.10025f, 0.001) == 100.25f);
}

/* The longest box that float32 holds, and the shortest that it does not. */
static void span(void)
{
    for (int too_long = 0; too_long < 2; too_long++) {
        las_file f = las_make(&(las_recipe){.minor = 2, .points = 4, .offset = {500000, 0, 0}}, 1);
        for (size_t i = 0; i < 4; i++)
            for (size_t a = 0; a < 3; a++) las_set_step(&f, i, a, (int64_t)i);
        las_set_step(&f, 3, 0, CLUMP_STEPS_SPAN - 1 + too_long);
        las_tidy(&f);
        clump_cloud *const cloud = las_parse(&f);
        float xyz[12];
        clump_steps steps;
        CHECK_INT(clump_cloud_steps(cloud, 0, false, NULL, xyz, &steps, &io_why),
                  too_long ? CLUMP_ERR_IO_UNSUPPORTED : CLUMP_OK);
        CHECK_INT(steps.span, CLUMP_STEPS_SPAN - 1 + too_long);
        CHECK(steps.step == 0.001 && steps.origin[0] == 500000);
        if (too_long)
            CHECK_TEXT(io_why.text,
                       "the box is 16777216 steps of 0.001 long; float32 holds whole numbers below 16777216");
        if (!too_long) CHECK(xyz[9] == 16777215.0f && xyz[3] == 1);
        /* Without the far point it fits. */
        const uint8_t mask[4] = {1, 1, 1, 0};
        CHECK_INT(clump_cloud_steps(cloud, 0, false, mask, xyz, &steps, &io_why), CLUMP_OK);
        CHECK_INT(steps.span, 2);
        CHECK(xyz[8] == 2 && xyz[9] == 0);
        clump_cloud_destroy(cloud);
        free(f.bytes);
    }
}

/* clump_cloud_loss() says what float32 metres lose where they cannot hold the steps. */
static void losses(void)
{
    las_file f = las_make(&(las_recipe){.minor = 2, .points = 2}, 1);
    for (size_t a = 0; a < 3; a++) las_set_step(&f, 0, a, 0), las_set_step(&f, 1, a, a ? 5 : 20000000);
    clump_cloud *cloud = las_parse(&f);
    CHECK(clump_cloud_loss(cloud) == 0x1p-10); /* half a float32 step at 20 km: 2^14 <= 20000 < 2^15 */
    clump_cloud_destroy(cloud);
    las_set_step(&f, 1, 0, 16000000);
    cloud = las_parse(&f);
    CHECK(clump_cloud_loss(cloud) == 0);
    clump_cloud_destroy(cloud);
    free(f.bytes);
    CHECK(clump_cloud_loss(NULL) == 0 && clump_cloud_step(NULL) == 0);
}

/* z takes no part in 2-D; points that are not finite stay so. */
static void flat_and_not_finite(void)
{
    clump_cloud *const cloud = io_parse_text("a.xyz", "500000.1 0.25 1e300\n500000.2 nan 2\n500000.4 1 nan\n");
    float xyz[9];
    clump_steps steps;
    CHECK_INT(clump_cloud_steps(cloud, 0.1, true, NULL, xyz, &steps, &io_why), CLUMP_OK);
    CHECK_INT(steps.span, 8);
    CHECK(xyz[0] == 0 && xyz[1] == 0 && xyz[2] == 0);
    CHECK(isnan(xyz[3]) && isnan(xyz[4]) && isnan(xyz[5]));
    CHECK(xyz[6] == 3 && xyz[7] == 8 && xyz[8] == 0);
    CHECK_INT(steps.moved, 1); /* 0.25 */
    CHECK_INT(clump_cloud_steps(cloud, 0.1, false, NULL, xyz, &steps, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(io_why.text, "point 0: z is 1e+300, more than 2^53 steps of 0.1");
    clump_cloud_destroy(cloud);
}

/* Text and float32 are rounded, and the coordinates that moved are counted. */
static void rounding(void)
{
    clump_cloud *cloud = io_parse_text("a.xyz", "637012.123 4800000.5 0.0004\n637012.1236 4800000.501 1\n0 0 0.001\n");
    clump_steps steps;
    float xyz[9];
    CHECK(clump_cloud_step(cloud) == 0);
    CHECK_INT(clump_cloud_steps(cloud, 0, false, NULL, xyz, &steps, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(io_why.text, "the coordinates are no integers, and no step is given");
    const uint8_t mask[3] = {1, 1, 0};
    CHECK_INT(clump_cloud_steps(cloud, 0.001, false, mask, xyz, &steps, &io_why), CLUMP_OK);
    CHECK_INT(steps.moved, 2);
    CHECK_INT(steps.lower[0], 637012123);
    CHECK(xyz[0] == 0 && xyz[3] == 1 && xyz[4] == 1 && xyz[5] == 1000);
    CHECK_INT(clump_cloud_steps(cloud, 1e-300, false, NULL, xyz, &steps, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(strstr(io_why.text, "more than 2^53 steps of 1e-300"));
    CHECK_INT(clump_cloud_steps(cloud, -1, false, NULL, xyz, &steps, &io_why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cloud_steps(NULL, 1, false, NULL, xyz, &steps, &io_why), CLUMP_ERR_ARGUMENT);
    clump_cloud_destroy(cloud);
    cloud = io_parse_text("a.xyz", "0.123 0.5 -7.25\n0.1234 1 2\n");
    CHECK_INT(clump_cloud_steps(cloud, 0.001, false, NULL, xyz, &steps, &io_why), CLUMP_OK);
    CHECK_INT(steps.moved, 1);
    clump_cloud_destroy(cloud);
}

/* The step of a file cannot be replaced, unless it has none. A header that lies changes nothing. */
static void files(void)
{
    las_file f = make(&(las_recipe){.minor = 2, .points = 50}, 5, 1000);
    clump_steps steps, again;
    clump_cloud *cloud = las_parse(&f);
    CHECK_INT(clump_cloud_steps(cloud, 0.01, false, NULL, NULL, &steps, &io_why), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(io_why.text, "the cloud has steps of 0.001, not of 0.01");
    CHECK_INT(clump_cloud_steps(cloud, 0.001, false, NULL, NULL, &steps, &io_why), CLUMP_OK);
    clump_cloud_destroy(cloud);
    memset(f.bytes + 179, 0, 48);
    cloud = las_parse(&f);
    CHECK_INT(clump_cloud_steps(cloud, 0, false, NULL, NULL, &again, &io_why), CLUMP_OK);
    CHECK(memcmp(&steps, &again, sizeof steps) == 0);
    clump_cloud_destroy(cloud);
    free(f.bytes);
    f = make(&(las_recipe){.minor = 2, .points = 50, .scale = {0.01, 0.003, 0.01}}, 5, 1000);
    cloud = las_parse(&f);
    CHECK_INT(clump_cloud_steps(cloud, 0.001, false, NULL, NULL, &steps, &io_why), CLUMP_OK);
    CHECK_INT(steps.moved, 0);
    clump_cloud_destroy(cloud);
    free(f.bytes);
}

/* Integers that float32 metres do not hold are kept beside them. */
static void kept_integers(void)
{
    static const int64_t ones[3] = {1, 1, 1};
    las_file f = make(
        &(las_recipe){.minor = 2, .points = POINTS, .scale = {1e-7, 1e-7, 1e-7}, .offset = {20000.1, 0, 0}}, 11, 300);
    compare(&f, 3e-6f, 30, ones);
    free(f.bytes);
}

/* A real survey at other places: equal labels. */
static void real_survey(void)
{
    char path[512];
    if (!check_data_folder()) SKIP(DO_DATA);
    snprintf(path, sizeof path, "%s/las/pdal_autzen_trim.las", check_data_folder());
    size_t size;
    unsigned char *const bytes = io_slurp(path, &size);
    if (!bytes) SKIP("no %s: " DO_DATA, path);
    static const double places[] = {0, 17, 1e6, 4.4e6};
    uint64_t first = 0;
    for (size_t p = 0; p < 4; p++) {
        for (size_t a = 0; a < 2; a++) memcpy(bytes + 155 + 8 * a, &places[p], 8);
        clump_cloud *cloud = NULL;
        CHECK_INT(io_parse("a.las", bytes, size, &cloud), CLUMP_OK);
        const size_t count = clump_cloud_points(cloud).count;
        int32_t *const labels = malloc(count * sizeof *labels + 1);
        cluster_steps(cloud, 2, 0, labels);
        const uint64_t hash = clump_labels_hash(labels, count);
        first = p ? first : hash;
        CHECK_MSG(hash == first, "at %g", places[p]);
        free(labels);
        clump_cloud_destroy(cloud);
    }
    free(bytes);
}

CHECK_PROGRAM(test_steps)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    if (clump_context_create(&options, &context) != CLUMP_OK) exit(1);
    RUN(labels_of_integers);
    RUN(place_does_not_matter);
    RUN(scales);
    RUN(distances);
    RUN(span);
    RUN(losses);
    RUN(flat_and_not_finite);
    RUN(rounding);
    RUN(files);
    RUN(kept_integers);
    RUN(real_survey);
    clump_context_destroy(context);
}
