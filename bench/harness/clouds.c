/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clouds of the benches.
 */
#include "harness/clouds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clump/io.h>

bool bench_cloud_allocate(size_t count, bench_cloud *out, clump_message *why)
{
    *out = (bench_cloud){.xyz = malloc(3 * count * sizeof(float) + 1), .count = count};
    if (!out->xyz) snprintf(why->text, sizeof why->text, "no memory for %zu points", count);
    return out->xyz != NULL;
}

void bench_cloud_free(bench_cloud *cloud)
{
    free(cloud->xyz);
    *cloud = (bench_cloud){NULL, 0};
}

bool bench_cloud_factors(const clump_factors *factors, bench_cloud *out, clump_message *why)
{
    if (!bench_cloud_allocate(factors->points, out, why)) return false;
    if (clump_sim_factors(factors, out->xyz, NULL, why) == CLUMP_OK) return true;
    bench_cloud_free(out);
    return false;
}

/* --- scans --------------------------------------------------------------------------------------- */

/* SemanticKITTI: road, parking, sidewalk, other ground, lane marking, terrain. */
static bool is_ground(uint32_t label)
{
    static const uint32_t classes[] = {40, 44, 48, 49, 60, 72};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if ((label & 0xffff) == classes[i]) return true;
    return false;
}

static bool leave_ground_out(const char *path, bench_cloud *cloud, clump_message *why)
{
    FILE *file = fopen(path, "rb");
    size_t kept = 0, read = 0;
    unsigned char bytes[4];
    for (; file && read < cloud->count && fread(bytes, 1, 4, file) == 4; read++) {
        const uint32_t label = bytes[0] | (uint32_t)bytes[1] << 8; /* the upper half is the instance */
        if (is_ground(label)) continue;
        memmove(cloud->xyz + 3 * kept++, cloud->xyz + 3 * read, 3 * sizeof(float));
    }
    const bool fits = file && read == cloud->count && fgetc(file) == EOF;
    if (file) fclose(file);
    if (!fits) snprintf(why->text, sizeof why->text, "%s: not one label for each of %zu points", path, cloud->count);
    cloud->count = kept;
    return fits;
}

static bool load(const char *path, clump_format format, bench_cloud *out, clump_message *why)
{
    clump_load_options options = clump_load_defaults();
    options.format = format;
    clump_cloud *file;
    if (clump_cloud_load(path, &options, &file, why) != CLUMP_OK) return false;
    const clump_points points = clump_cloud_points(file);
    const size_t stride = points.stride ? points.stride : 3 * sizeof(float);
    bool done = bench_cloud_allocate(points.count, out, why);
    for (size_t i = 0; done && i < points.count; i++)
        memcpy(out->xyz + 3 * i, (const char *)points.xyz + i * stride, 3 * sizeof(float));
    clump_cloud_destroy(file);
    return done;
}

bool bench_cloud_file(const char *path, bench_cloud *out, clump_message *why)
{
    return load(path, CLUMP_FORMAT_GUESS, out, why);
}

bool bench_cloud_scan(const char *path, const char *labels_path, bench_cloud *out, clump_message *why)
{
    if (!load(path, CLUMP_FORMAT_KITTI, out, why)) return false;
    if (!labels_path || leave_ground_out(labels_path, out, why)) return true;
    bench_cloud_free(out);
    return false;
}

/* --- shells -------------------------------------------------------------------------------------- */

uint64_t bench_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double draw(uint64_t *state) /* [0, 1) */
{
    return (double)(bench_random(state) >> 11) * 0x1p-53;
}

/* Draws a point uniformly on the part z > 1 - height of the unit sphere. z is uniform (Archimedes); the direction
 * around the axis is that of a point in a disc. There is no sine in it, so the point is the same on every machine. */
static void draw_on_cap(uint64_t *state, double height, double at[3])
{
    double x, y, square;
    do {
        x = 2 * draw(state) - 1;
        y = 2 * draw(state) - 1;
        square = x * x + y * y;
    } while (square > 1 || square < 1e-12);
    at[2] = 1 - height * draw(state);
    const double scale = sqrt((1 - at[2] * at[2]) / square);
    at[0] = x * scale;
    at[1] = y * scale;
}

bool bench_cloud_shells(size_t n, double k, double radius, bench_cloud *out, clump_message *why)
{
    const double pi = 3.14159265358979323846, gap = 1.01;
    const double area = (double)n * pi / k; /* k neighbours are k / pi points per unit of area */
    double inner = radius, height = 2;
    if (radius > 0)
        height = area / (2 * pi * (inner * inner + (inner + gap) * (inner + gap)));
    else
        inner = (sqrt(area / (2 * pi) - gap * gap) - gap) / 2; /* area = 4 pi (r^2 + (r + gap)^2) */
    if (!(inner > 0) || !(height > 0 && height <= 2)) {
        snprintf(why->text, sizeof why->text, "there are no shells of %zu points at %g neighbours", n, k);
        return false;
    }
    const double outer = inner + gap;
    if (!bench_cloud_allocate(n, out, why)) return false;
    const double share = inner * inner / (inner * inner + outer * outer);
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        const double r = draw(&state) < share ? inner : outer;
        double at[3];
        draw_on_cap(&state, height, at);
        for (size_t axis = 0; axis < 3; axis++) out->xyz[3 * i + axis] = (float)(r * at[axis]);
    }
    return true;
}

/* --- plates -------------------------------------------------------------------------------------- */

bool bench_cloud_plates(size_t n, double k, bench_cloud *out, clump_message *why)
{
    const double pi = 3.14159265358979323846, gap = 1.001, root = sqrt(3.0), side = sqrt((double)n / 2 * pi / k);
    const double u[3] = {sqrt(0.5), -sqrt(0.5), 0}, v[3] = {sqrt(1.0 / 6), sqrt(1.0 / 6), -sqrt(2.0 / 3)};
    if (!bench_cloud_allocate(n, out, why)) return false;
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        const double a = side * (draw(&state) - 0.5), b = side * (draw(&state) - 0.5);
        for (size_t axis = 0; axis < 3; axis++)
            out->xyz[3 * i + axis] = (float)((i % 2 ? gap / root : 0) + a * u[axis] + b * v[axis]);
    }
    return true;
}

/* --- dense cubes --------------------------------------------------------------------------------- */

static void draw_in_cube(uint64_t *state, double middle, double side, float *p)
{
    for (size_t axis = 0; axis < 3; axis++) p[axis] = (float)(middle + (draw(state) - 0.5) * side);
}

bool bench_cloud_cube(size_t n, bench_cloud *out, clump_message *why)
{
    if (!bench_cloud_allocate(n, out, why)) return false;
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) draw_in_cube(&state, 0, 0.57, out->xyz + 3 * i);
    return true;
}

/* The cube is not at the origin, which is a corner or a centre of many grids. */
bool bench_cloud_dense_cell(size_t n, bench_cloud *out, clump_message *why)
{
    if (!bench_cloud_allocate(n, out, why)) return false;
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) draw_in_cube(&state, i % 2 ? 0 : 0.58, i % 2 ? 60 : 0.2, out->xyz + 3 * i);
    return true;
}

/* --- a street ------------------------------------------------------------------------------------ */

enum { CLOUDS_RINGS = 64, CLOUDS_COLUMNS = 2048, CLOUDS_BOXES = 192 };
static const double sensor_height = 1.73, farthest = 80; /* metres, as in KITTI */

typedef struct street_box {
    double low[2], high[2], top; /* x and y in metres; top above the ground */
} street_box;

/* Places a box beside the road: of ten, one is a building, three are cars, three poles, three people. */
static street_box draw_box(uint64_t *state, int number)
{
    static const double sizes[4][3] = {{18, 8, 10}, {4.2, 1.8, 1.5}, {0.3, 0.3, 6}, {0.6, 0.6, 1.75}};
    static const double nearest[4] = {12, 4, 8, 7}, spread[4] = {4, 2, 2, 4}; /* metres from the middle of the road */
    const int kind = (number % 10 + 2) / 3;
    const double x = 2 * farthest * (draw(state) - 0.5), y = nearest[kind] + spread[kind] * draw(state);
    const double side = draw(state) < 0.5 ? -y - sizes[kind][1] : y;
    return (street_box){{x, side}, {x + sizes[kind][0], side + sizes[kind][1]}, sizes[kind][2]};
}

/* Returns the distance in the plane at which the ray enters the box; `farthest` where it misses the box. */
static double meet_box(const street_box *box, const double direction[2], double slope)
{
    double enter = 0, leave = farthest;
    for (int k = 0; k < 2; k++) {
        const double a = box->low[k] / direction[k], b = box->high[k] / direction[k];
        enter = fmax(enter, fmin(a, b)), leave = fmin(leave, fmax(a, b));
    }
    const double height = sensor_height + slope * enter;
    return enter < leave && height >= 0 && height <= box->top ? enter : farthest;
}

/* Columns go around a square: there is no sine in it, so the cloud is the same on every machine. */
static void aim(size_t column, double direction[2])
{
    const double along = 8 * ((double)column + 0.5) / CLOUDS_COLUMNS, t = fmod(along, 2) - 1, size = sqrt(1 + t * t);
    const double sign = along < 4 ? 1 : -1;
    const bool turned = fmod(along, 4) >= 2;
    direction[0] = sign * (turned ? -t : 1) / size;
    direction[1] = sign * (turned ? 1 : t) / size;
}

bool bench_cloud_street(bench_cloud *out, clump_message *why)
{
    street_box boxes[CLOUDS_BOXES];
    uint64_t state = 1;
    if (!bench_cloud_allocate((size_t)CLOUDS_RINGS * CLOUDS_COLUMNS, out, why)) return false;
    for (int i = 0; i < CLOUDS_BOXES; i++) boxes[i] = draw_box(&state, i);
    out->count = 0;
    for (size_t ring = 0; ring < CLOUDS_RINGS; ring++) {
        const double slope = 0.035 - 0.5 * (double)ring / CLOUDS_RINGS; /* 2 degrees up to 25 degrees down */
        for (size_t column = 0; column < CLOUDS_COLUMNS; column++) {
            double direction[2], distance = slope < 0 ? fmin(farthest, sensor_height / -slope) : farthest;
            aim(column, direction);
            for (int i = 0; i < CLOUDS_BOXES; i++) distance = fmin(distance, meet_box(&boxes[i], direction, slope));
            if (!(distance < farthest)) continue;
            const double range = distance + 0.04 * (draw(&state) - 0.5); /* the sensor errs by 2 cm */
            float *const p = out->xyz + 3 * out->count++;
            p[0] = (float)(range * direction[0]), p[1] = (float)(range * direction[1]), p[2] = (float)(range * slope);
        }
    }
    return true;
}
