/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_model.c: the sensors.
 */
#include "lidar_cast.h"

/* The last model is drawn after the VLS-128. `weak` of the HDL-64E: the road of KITTI's scans ends at about 50 m. */
static const lidar_model models[] = {
    [CLUMP_LIDAR_VLP16] = {.beams = 16, .period = 55.296e-6, .reach = 100, .weak = 45},
    [CLUMP_LIDAR_HDL32E] = {.beams = 32, .period = 46.08e-6, .reach = 100, .weak = 45},
    [CLUMP_LIDAR_HDL64E] = {.beams = 64, .period = 46.08e-6, .reach = 120, .weak = 50, .by_ring = true},
    [CLUMP_LIDAR_128] = {.beams = 128, .period = 53.3e-6, .reach = 200, .weak = 100},
};

const lidar_model *lidar_model_of(clump_lidar_model model)
{
    return &models[model];
}

/* The 12 lowest and the 12 highest beams of the 128; 104 beams between them are 0.11 degrees apart. */
static const double low_beams[12] = {-25,   -19.58, -16.04, -13.56, -11.74, -10.35,
                                     -9.24, -8.35,  -7.65,  -7.15,  -6.85,  -6.65};
static const double high_beams[12] = {4.98, 5.18, 5.43, 5.73, 6.08, 6.48, 6.98, 7.58, 8.43, 9.7, 11.75, 15};

double lidar_beam_degrees(clump_lidar_model model, size_t beam)
{
    const double b = (double)beam;
    switch (model) {
    case CLUMP_LIDAR_VLP16:
        return -15 + 2 * b;
    case CLUMP_LIDAR_HDL32E:
        return -92.0 / 3 + 4 * b / 3;
    case CLUMP_LIDAR_HDL64E: /* two blocks of 32 beams */
        return beam < 32 ? -73.0 / 3 + b / 2 : -25.0 / 3 + (b - 32) / 3;
    case CLUMP_LIDAR_128:
        return beam < 12 ? low_beams[beam] : beam < 116 ? -6.5 + 0.11 * (b - 12) : high_beams[beam - 116];
    }
    return 0;
}

size_t lidar_columns(const lidar_model *model, double rate)
{
    return (size_t)(1 / (rate * model->period));
}

/* A beam of the lower half and one of the upper half fire in turn: -15, 1, -13, 3 ... degrees in the VLP-16. */
size_t lidar_firing_place(const lidar_model *model, size_t beam)
{
    const size_t half = model->beams / 2;
    return beam < half ? 2 * beam : 2 * (beam - half) + 1;
}
