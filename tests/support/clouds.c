/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clouds.c: see clouds.h.
 */
#include "support/clouds.h"

#include "support/random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *cloud_name(cloud_shape shape)
{
    static const char *const names[] = {
        [CLOUD_UNIFORM] = "uniform", [CLOUD_CLUMPED] = "clumped", [CLOUD_LATTICE] = "lattice",
        [CLOUD_CORNERS] = "corners", [CLOUD_DECIMAL] = "decimal", [CLOUD_LINE] = "line",
        [CLOUD_PLANE] = "plane",     [CLOUD_COPIES] = "copies",   [CLOUD_EQUAL] = "equal",
        [CLOUD_SCALES] = "scales",   [CLOUD_COARSE] = "coarse",   [CLOUD_TINY] = "tiny",
        [CLOUD_HUGE] = "huge",       [CLOUD_SLABS] = "slabs",     [CLOUD_SCAN] = "scan",
        [CLOUD_JITTER] = "jitter",
    };
    return (unsigned)shape < CLOUD_SHAPES ? names[shape] : "none";
}

float cloud_step(float x, int steps)
{
    const float to = steps < 0 ? -FLT_MAX : FLT_MAX;
    for (int i = steps < 0 ? -steps : steps; i > 0; i--) x = nextafterf(x, to);
    return x;
}

static uint64_t draw(uint64_t *random)
{
    return check_random(random);
}

static float unit(uint64_t *random) /* [0, 1) */
{
    return check_random_float(random);
}

static float centred(uint64_t *random) /* [-1, 1) */
{
    return 2 * unit(random) - 1;
}

static int below(uint64_t *random, int n)
{
    return (int)(draw(random) % (uint64_t)n);
}

/* Returns the side of a box in which a point has about `mean` neighbours within distance 1. */
static float side_for(size_t count, float mean)
{
    return cbrtf((float)(count + 1) * 4.2f / mean);
}

static float fill_box(float *xyz, size_t count, uint64_t *random)
{
    const float side = side_for(count, ldexpf(1, below(random, 7) - 3));
    const float d = ldexpf(0.5f + unit(random), below(random, 9) - 4);
    const float shift = below(random, 2) ? -side / 2 : 0;
    for (size_t i = 0; i < 3 * count; i++) xyz[i] = (unit(random) * side + shift) * d;
    return d;
}

static float fill_clumps(float *xyz, size_t count, uint64_t *random)
{
    const int heaps = 1 + below(random, 12);
    const uint64_t places = draw(random);
    const float spread = 4 * unit(random) + 0.1f, far = side_for((size_t)heaps, 0.5f) * (1 + spread);
    for (size_t i = 0; i < count; i++) {
        uint64_t heap = places + (uint64_t)below(random, heaps); /* its centre, and how wide it is */
        for (int k = 0; k < 3; k++) {
            const float at = centred(&heap) * far;
            xyz[3 * i + (size_t)k] = at + spread * unit(&heap) * centred(random) * centred(random);
        }
    }
    return 0.3f + unit(random);
}

static float fill_lattice(float *xyz, size_t count, uint64_t *random, bool corners)
{
    const float spacing = ldexpf(1, below(random, 41) - 20);
    const int side = 2 + (int)side_for(count, 1 + 8 * unit(random)), shift = below(random, 2) ? side / 2 : 0;
    for (size_t i = 0; i < 3 * count; i++) xyz[i] = spacing * (float)(below(random, side) - shift);
    const int diagonal = corners ? 2 + below(random, 3) : 1; /* square, cube, two steps */
    return cloud_step(spacing * sqrtf((float)diagonal), below(random, 3) - 1);
}

static float fill_decimal(float *xyz, size_t count, uint64_t *random)
{
    const int side = 2 + (int)side_for(count, 1 + 8 * unit(random)), shift = below(random, 400) - 200;
    for (size_t i = 0; i < 3 * count; i++) xyz[i] = 0.1f * (float)(below(random, side) + shift);
    static const float distances[] = {0.1f, 0.2f, 0.14142136f, 0.17320508f, 0.3f, 0.30000001f, 0.1414213f};
    return distances[below(random, 7)];
}

static float fill_line(float *xyz, size_t count, uint64_t *random)
{
    const float d = 0.05f + unit(random), start = centred(random) * 50;
    const int way = below(random, 5), exact = below(random, 2);
    double t = start;
    for (size_t i = 0; i < count; i++) {
        t += exact ? (double)d : d * (0.2 + 0.9 * (double)unit(random));
        const float at = (float)(t - (double)count / 2 * (double)d), slant = (float)(at / 1.7320508);
        xyz[3 * i] = way == 0 ? at : way < 3 ? 7 : slant;
        xyz[3 * i + 1] = way == 1 ? at : way < 3 ? 7 : slant;
        xyz[3 * i + 2] = way == 2 ? at : way < 3 ? 7 : way == 3 ? slant : -slant;
    }
    for (size_t i = count; i > 1; i--) { /* shuffled */
        const size_t k = draw(random) % i;
        for (size_t c = 0; c < 3; c++) {
            const float x = xyz[3 * (i - 1) + c];
            xyz[3 * (i - 1) + c] = xyz[3 * k + c], xyz[3 * k + c] = x;
        }
    }
    return d;
}

static float fill_plane(float *xyz, size_t count, uint64_t *random)
{
    const float side = sqrtf((float)count * (0.3f + unit(random))), tilt = below(random, 2) ? centred(random) : 0;
    const int normal = below(random, 3);
    for (size_t i = 0; i < count; i++) {
        const float u = centred(random) * side, v = centred(random) * side;
        xyz[3 * i + (size_t)normal] = u * tilt;
        xyz[3 * i + (size_t)(normal + 1) % 3] = u;
        xyz[3 * i + (size_t)(normal + 2) % 3] = v;
    }
    return 0.5f + unit(random);
}

static float fill_copies(float *xyz, size_t count, uint64_t *random, int places)
{
    const float d = ldexpf(1 + unit(random), below(random, 20) - 10);
    const uint64_t start = draw(random);
    for (size_t i = 0; i < count; i++) {
        uint64_t place = start + 977 * (uint64_t)below(random, places);
        for (size_t k = 0; k < 3; k++) xyz[3 * i + k] = 3 * d * centred(&place);
    }
    return d;
}

static float fill_scales(float *xyz, size_t count, uint64_t *random)
{
    const int middle = below(random, 60) - 30;
    for (size_t i = 0; i < 3 * count; i++) {
        const float value = centred(random); /* drawn first: C leaves the order of arguments to the compiler */
        xyz[i] = ldexpf(value, middle + below(random, 70) - 35);
        if (below(random, 4) == 0) xyz[i] = 0 * centred(random); /* 0 and -0 */
    }
    const float d = 1 + unit(random);
    return ldexpf(d, middle + below(random, 20) - 10);
}

static float fill_coarse(float *xyz, size_t count, uint64_t *random)
{
    const float side = side_for(count, 2);
    for (size_t i = 0; i < count; i++) {
        xyz[3 * i] = 1e6f + side * unit(random);
        xyz[3 * i + 1] = -1e6f + side * unit(random);
        xyz[3 * i + 2] = side * unit(random);
    }
    return 0.0625f * (float)(1 + below(random, 24));
}

static float fill_tiny(float *xyz, size_t count, uint64_t *random)
{
    const float d = 0x1p-63f * (1 + 3 * unit(random)), side = side_for(count, 2) * d;
    for (size_t i = 0; i < 3 * count; i++) {
        const int kind = below(random, 8);
        xyz[i] = kind == 0 ? 1e-44f * centred(random) * 100 : kind == 1 ? -0.0f : side * unit(random);
    }
    return d;
}

static float fill_huge(float *xyz, size_t count, uint64_t *random)
{
    const float d = 1e18f * (1 + 17 * unit(random)), side = side_for(count, 2) * d;
    for (size_t i = 0; i < 3 * count; i++) {
        const int kind = below(random, 24);
        xyz[i] = side * centred(random);
        if (kind == 0) xyz[i] = below(random, 2) ? FLT_MAX : -FLT_MAX;
        if (kind == 1) xyz[i] = 1e30f * (float)(1 + below(random, 2));
        if (kind == 2) xyz[i] = centred(random); /* nothing beside d */
    }
    return d;
}

static float fill_slabs(float *xyz, size_t count, uint64_t *random)
{
    const float d = 0.25f + unit(random), gap = d * (1 + 1e-4f * (float)(below(random, 5) - 2));
    const float wide = d * (0.5f + 3 * unit(random));
    const int across = below(random, 3);
    for (size_t i = 0; i < count; i++) {
        const bool second = i % 2;
        const float depth = 0.3f * d * unit(random) * (float)below(random, 2); /* half of them on the face */
        xyz[3 * i + (size_t)across] = second ? gap + depth : -depth;
        xyz[3 * i + (size_t)(across + 1) % 3] = wide * unit(random);
        xyz[3 * i + (size_t)(across + 2) % 3] = wide * unit(random);
    }
    return d;
}

static float fill_scan(float *xyz, size_t count, uint64_t *random)
{
    const size_t rings = 1 + count / 200;
    for (size_t i = 0; i < count; i++) {
        const float angle = (float)(i / rings) * (6.2831853f * (float)rings / (float)(count + 1));
        const float range = 3 + 20 * (float)(i % rings) / (float)rings + (sinf(9 * angle) > 0.7f ? 5.0f : 0.0f);
        xyz[3 * i] = range * cosf(angle) + 0.02f * centred(random);
        xyz[3 * i + 1] = range * sinf(angle) + 0.02f * centred(random);
        xyz[3 * i + 2] = 0.05f * range + 0.02f * centred(random);
    }
    return 0.3f + 0.6f * unit(random);
}

/* Simple or body-centred. In the latter a point has eight neighbours at one distance that are no neighbours
 * themselves. */
static float fill_jitter(float *xyz, size_t count, uint64_t *random)
{
    const bool centred_too = below(random, 3) > 0;
    const float d = 0.2f + unit(random), shake = 0.2f * d * unit(random) * unit(random);
    const float step = d * (centred_too ? 1.08f + 0.12f * unit(random) : 0.95f + 0.3f * unit(random));
    const size_t side = (size_t)ceilf(cbrtf((float)count)) + 1;
    const float start[3] = {unit(random) * d, unit(random) * d, unit(random) * d};
    for (size_t i = 0; i < count; i++) {
        const size_t layer = i / side / side;
        const float half = centred_too && layer % 2 ? 0.5f : 0, flat = centred_too ? 0.5f : 1;
        const float at[3] = {(float)(i % side) + half, (float)(i / side % side) + half, (float)layer * flat};
        for (size_t k = 0; k < 3; k++) xyz[3 * i + k] = start[k] + step * at[k] + shake * centred(random);
    }
    return d;
}

float cloud_fill(cloud_shape shape, float *xyz, size_t count, uint64_t *random)
{
    switch (shape) {
    case CLOUD_CLUMPED:
        return fill_clumps(xyz, count, random);
    case CLOUD_LATTICE:
        return fill_lattice(xyz, count, random, false);
    case CLOUD_CORNERS:
        return fill_lattice(xyz, count, random, true);
    case CLOUD_DECIMAL:
        return fill_decimal(xyz, count, random);
    case CLOUD_LINE:
        return fill_line(xyz, count, random);
    case CLOUD_PLANE:
        return fill_plane(xyz, count, random);
    case CLOUD_COPIES:
        return fill_copies(xyz, count, random, 2 + below(random, 40));
    case CLOUD_EQUAL:
        return fill_copies(xyz, count, random, 1);
    case CLOUD_SCALES:
        return fill_scales(xyz, count, random);
    case CLOUD_COARSE:
        return fill_coarse(xyz, count, random);
    case CLOUD_TINY:
        return fill_tiny(xyz, count, random);
    case CLOUD_HUGE:
        return fill_huge(xyz, count, random);
    case CLOUD_SLABS:
        return fill_slabs(xyz, count, random);
    case CLOUD_SCAN:
        return fill_scan(xyz, count, random);
    case CLOUD_JITTER:
        return fill_jitter(xyz, count, random);
    case CLOUD_UNIFORM:
    case CLOUD_SHAPES:
        break;
    }
    return fill_box(xyz, count, random);
}

void cloud_erccl_options(clump_erccl_options *o, uint8_t *mask, size_t count, uint64_t *random)
{
    o->common.order = draw(random) % 4 ? CLUMP_ORDER_INDEX : CLUMP_ORDER_SIZE;
    if (draw(random) % 5 == 0) o->common.min_size = draw(random) % 6;
    if (draw(random) % 5 == 0) o->common.max_size = o->common.min_size + draw(random) % 30;
    if (draw(random) % 4 != 0) return;
    for (size_t i = 0; i < count; i++) mask[i] = draw(random) % 4 ? (uint8_t)(1 + i % 255) : 0;
    o->common.mask = mask;
}

void cloud_spoil(float *xyz, size_t count, size_t every, uint64_t *random)
{
    for (size_t k = 0; k < count / every + 1 && count > 0; k++) {
        const int kind = below(random, 3);
        xyz[draw(random) % (3 * count)] = kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY;
    }
}

void cloud_spoil_z(float *xyz, size_t count, uint64_t *random)
{
    for (size_t i = 0; i < count; i++)
        if (draw(random) % 4 == 0) xyz[3 * i + 2] = NAN;
}

void cloud_options(clump_ec_options *o, uint8_t *mask, size_t count, uint64_t *random)
{
    const uint64_t bits = draw(random);
    o->common.two_d = bits % 5 == 0;
    o->common.order = bits / 5 % 3 == 0 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
    if (bits / 15 % 4 == 0) o->common.min_size = draw(random) % 6;
    if (bits / 60 % 4 == 0) o->common.max_size = o->common.min_size + draw(random) % 40;
    if (bits / 240 % 4 != 0) return;
    for (size_t i = 0; i < count; i++) mask[i] = draw(random) % 4 ? (uint8_t)(1 + i % 255) : 0;
    o->common.mask = mask;
}

void cloud_dbscan_options(clump_dbscan_options *o, uint8_t *mask, size_t count, uint64_t *random)
{
    clump_ec_options common = {.common.min_size = 1};
    cloud_options(&common, mask, count, random);
    o->common.order = common.common.order, o->common.two_d = common.common.two_d, o->common.mask = common.common.mask;
    o->common.min_size = common.common.min_size, o->common.max_size = common.common.max_size;
    o->no_border_points = draw(random) % 6 == 0;
}

size_t cloud_min_points(size_t count, uint64_t *random)
{
    static const size_t usual[] = {1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 7, 8, 10, 10, 12, 17, 25, 60};
    const size_t pick = draw(random) % 24;
    if (pick < 19) return usual[pick];
    const size_t of_all[] = {count + 1, count ? count : 1, SIZE_MAX, 1 + count / 10, 1 + count / 3};
    return of_all[pick - 19];
}

cloud_view cloud_view_make(const float *xyz, size_t count, uint64_t *random)
{
    static const size_t strides[] = {12, 16, 20, 32, 0, 12, 16, 44};
    const size_t given = strides[draw(random) % 8], stride = given ? given : 12, offset = 4 * (draw(random) % 4);
    const size_t bytes = count ? offset + (count - 1) * stride + 12 : 0;
    cloud_view v = {.memory = malloc(bytes ? bytes : 1), .points = {.count = count, .stride = given}};
    if (!v.memory) abort();
    memset(v.memory, 0xff, bytes);
    if (count > 0) v.points.xyz = (const float *)(void *)(v.memory + offset);
    for (size_t i = 0; i < count; i++) memcpy(v.memory + offset + i * stride, xyz + 3 * i, 12);
    return v;
}
