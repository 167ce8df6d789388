/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_raster.c: from a point to its disc: place, size and depth.
 */
#include "support/check.h"

#include "viewer/picture/raster.h"

#include <math.h>

/* A camera at 0, 0, 0 that looks along x at a target 10 m away. */
static view_lens lens_of(size_t width, size_t height)
{
    const view_camera camera = {.target = {10, 0, 0}, .up = {0, 0, 1}};
    return view_lens_of(&camera, width, height);
}

/* The disc of a point at this distance. Size 0: it is not drawn. */
static view_disc disc_at(const view_lens *lens, double distance, double size)
{
    view_disc disc = {0};
    const view_rgb colour = {1, 2, 3};
    view_make_disc(lens, (const double[3]){distance, 0, 0}, size, colour, &disc);
    return disc;
}

/* viewer/README.md: size * h / 900 * clamp(sqrt(D / d), 0.7, 2.5) pixels, at least 1 and at most 64. */
static void discs_have_their_size(void)
{
    static const struct {
        size_t height;
        double distance, size, pixels;
    } cases[] = {{900, 10, 4, 4},    {900, 2.5, 4, 8},     {900, 40, 4, 2.8},   {900, 0.5, 4, 10},
                 {450, 10, 4, 2},    {1800, 10, 4, 8},     {900, 10, 0.1, 1},   {900, 10, 100, 64},
                 {900, 1000, 10, 7}, {900, 0.011, 10, 25}, {900, 0.009, 10, 0}, {900, -5, 10, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const view_lens lens = lens_of(2 * cases[k].height, cases[k].height);
        const view_disc disc = disc_at(&lens, cases[k].distance, cases[k].size);
        CHECK_MSG(fabs(disc.size - RASTER_FINE * cases[k].pixels) <= 0.5, "case %zu: %d samples", k, disc.size);
    }
}

/* Right is -y, down is -z; the vertical field of view is 45 degrees. */
static void points_have_their_place(void)
{
    const view_lens lens = lens_of(400, 200);
    const double slope = tan(22.5 * acos(-1) / 180);
    const view_spot middle = view_project(&lens, (const double[3]){5, 0, 0});
    CHECK(fabs(middle.x - 400) < 1e-9 && fabs(middle.y - 200) < 1e-9 && fabs(middle.depth - 5) < 1e-12);
    const view_spot corner = view_project(&lens, (const double[3]){5, -10 * slope, -5 * slope});
    CHECK(fabs(corner.x - 800) < 1e-9 && fabs(corner.y - 400) < 1e-9 && fabs(corner.depth - 5) < 1e-12);
    view_disc disc;
    const view_rgb colour = {0};
    CHECK(view_make_disc(&lens, (const double[3]){5, 0, 5 * slope}, 9, colour, &disc));
    CHECK(!view_make_disc(&lens, (const double[3]){5, 0, 5.5 * slope}, 9, colour, &disc));
    CHECK(!view_make_disc(&lens, (const double[3]){5, 11 * slope, 0}, 9, colour, &disc));
}

static void depths_are_logarithms(void)
{
    CHECK_INT(view_fixed_depth(1), 0);
    CHECK_INT(view_fixed_depth(2), RASTER_DEPTH_ONE);
    CHECK_INT(view_fixed_depth(0.25), -2 * RASTER_DEPTH_ONE);
    CHECK(view_fixed_depth(1e300) < RASTER_BACKGROUND && view_fixed_depth(0) > -RASTER_BACKGROUND);
}

CHECK_PROGRAM(test_view_raster)
{
    RUN(discs_have_their_size);
    RUN(points_have_their_place);
    RUN(depths_are_logarithms);
}
