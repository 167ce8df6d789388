/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_select.c: clump_cloud_select: the remaining points keep all they had, also after the cloud was written and read.
 */
#include "las/test_las.h"

enum { POINTS = 500 };
static uint8_t keep[POINTS];

/* Every third point and a few others; the first and the last are not among them. Returns how many. */
static size_t choose(void)
{
    size_t left = 0;
    for (size_t i = 0; i < POINTS; i++) {
        keep[i] = i % 3 == 1 && i + 1 < POINTS ? (uint8_t)(i % 5 + 1) : 0;
        if (i > 100 && i < 120) keep[i] = 255;
        left += keep[i] != 0;
    }
    return left;
}

static bool differ(double a, double b)
{
    return a != b && !(isnan(a) && isnan(b)); /* random bits of LAS records can be NaN */
}

/* Whether part, the selected points of whole, has its coordinates and fields. */
static void check_part(const clump_cloud *part, const clump_cloud *whole, const char *what)
{
    clump_field a, b;
    size_t at = 0, wrong = 0;
    for (size_t i = 0; i < POINTS; i++) {
        if (!keep[i]) continue;
        for (int axis = 0; axis < 3; axis++)
            wrong += differ(clump_cloud_coordinate(part, at, axis), clump_cloud_coordinate(whole, i, axis));
        for (size_t f = 0; clump_cloud_field(whole, f, &a); f++) {
            if (!clump_cloud_find(part, a.name, &b) || a.count != b.count) {
                wrong++;
                continue;
            }
            for (size_t k = 0; k < a.count; k++)
                wrong += differ(clump_field_value(&a, i, k), clump_field_value(&b, at, k));
        }
        at++;
    }
    CHECK_MSG(wrong == 0, "%s: %zu values", what, wrong);
    CHECK_MSG(clump_cloud_points(part).count == at, "%s: %zu points", what, clump_cloud_points(part).count);
    const clump_cloud_info info = clump_cloud_describe(part);
    CHECK_MSG(info.width == at && info.height == 1, "%s: %zu x %zu", what, info.width, info.height);
}

/* An organised cloud with fields of several types; wide: coordinates that float32 does not hold. */
static clump_cloud *make(bool wide)
{
    static char text[POINTS * 100];
    size_t used = (size_t)snprintf(text, sizeof text, "x,y,z,label,intensity,ring\n");
    for (size_t i = 0; i < POINTS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%.4f,%g,%g,%zu,%g,%zu\n",
                                 wide ? 500000.1234 + 0.0003 * (double)i : (double)i / 8, (double)i / 4,
                                 (double)(i % 7), i, (double)(i % 100) / 4, i % 64);
    clump_cloud *const cloud = io_parse_text("a.csv", text);
    float vectors[2 * POINTS];
    for (size_t i = 0; i < 2 * POINTS; i++) vectors[i] = (float)i;
    const clump_field field = {.name = "vector", .type = CLUMP_TYPE_F32, .count = 2, .data = vectors};
    CHECK_INT(clump_cloud_set_field(cloud, &field, NULL), CLUMP_OK);
    clump_cloud_set_shape(cloud, POINTS / 10, 10, NULL);
    return cloud;
}

static void points_and_fields(void)
{
    const size_t left = choose();
    for (int wide = 0; wide <= 1; wide++) {
        clump_cloud *const whole = make(wide), *const part = make(wide);
        CHECK_INT(clump_cloud_select(part, keep), left);
        check_part(part, whole, "in memory");
        static const char *const names[] = {"part.pcd", "part.ply"};
        for (size_t i = 0; i < 2; i++) {
            const char *const path = io_path(names[i]);
            clump_cloud *back = NULL;
            CHECK_INT(clump_cloud_save(path, part, NULL, NULL, &io_why), CLUMP_OK);
            CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
            if (i == 0) check_part(back, whole, names[i]); /* a PLY file has no fields of several elements */
            CHECK_INT(clump_cloud_points(back).count, left);
            clump_cloud_destroy(back);
            unlink(path);
        }
        clump_cloud_destroy(whole);
        clump_cloud_destroy(part);
    }
}

static void all_and_none(void)
{
    clump_cloud *const cloud = make(true);
    memset(keep, 1, sizeof keep);
    CHECK_INT(clump_cloud_select(cloud, keep), POINTS);
    CHECK_INT(clump_cloud_describe(cloud).height, 10); /* as it was */
    CHECK_INT(clump_cloud_select(cloud, NULL), POINTS);
    memset(keep, 0, sizeof keep);
    CHECK_INT(clump_cloud_select(cloud, keep), 0);
    CHECK_INT(clump_cloud_points(cloud).count, 0);
    CHECK_INT(clump_cloud_select(cloud, keep), 0);
    CHECK_INT(clump_cloud_select(NULL, keep), 0);
    clump_cloud_destroy(cloud);
}

/* A LAS file keeps header and records; counts, bounds and numbers of returns are those of the points left. */
static void las_files(void)
{
    static const struct {
        unsigned minor, format;
    } kinds[] = {{2, 1}, {4, 3}, {4, 7}};
    const size_t left = choose();
    for (size_t k = 0; k < 3; k++) {
        las_file f = las_make(&(las_recipe){.minor = kinds[k].minor, .format = kinds[k].format, .points = POINTS}, 1);
        clump_cloud *const whole = las_parse(&f), *const part = las_parse(&f);
        CHECK_INT(clump_cloud_select(part, keep), left);
        check_part(part, whole, "LAS in memory");
        las_file g = las_save(part, NULL);
        clump_cloud *const back = las_parse(&g);
        check_part(back, whole, "LAS");
        CHECK_INT(las_get(g.bytes + 107, 4), kinds[k].format < 6 ? left : 0);
        if (kinds[k].minor >= 4) CHECK_INT(las_get(g.bytes + 247, 8), left);
        size_t returns = 0;
        for (size_t r = 0; r < 5; r++) returns += las_get(g.bytes + 111 + 4 * r, 4);
        if (kinds[k].format < 6) CHECK_MSG(returns <= left, "%zu returns of %zu points", returns, left);
        las_check_same_again(&g, "selected");
        clump_cloud_destroy(whole);
        clump_cloud_destroy(part);
        clump_cloud_destroy(back);
        free(f.bytes), free(g.bytes);
    }
}

CHECK_PROGRAM(test_select)
{
    RUN(points_and_fields);
    RUN(all_and_none);
    RUN(las_files);
    io_cleanup();
}
