/* SPDX-License-Identifier: BSD-3-Clause
 *
 * velodyne_models.c: the models of Velodyne. Angles and timing are those of the manuals.
 */
#include "sensors/velodyne.h"

#include <math.h>

enum { MODELS_PRODUCT = 1205 /* byte of a packet */ };

static const clump_velodyne_model models_vlp16 = {"Velodyne VLP-16", .lasers = 16,         .banks = 1,
                                                  .unit = 0.002,     .firing_us = 110.592, .group_us = 2.304,
                                                  .group_size = 1,   .round_us = 55.296};
static const clump_velodyne_model models_hires = {"Velodyne Puck Hi-Res", .lasers = 16,         .banks = 1,
                                                  .unit = 0.002,          .firing_us = 110.592, .group_us = 2.304,
                                                  .group_size = 1,        .round_us = 55.296};
static const clump_velodyne_model models_hdl32 = {"Velodyne HDL-32E", .lasers = 32,      .banks = 1,     .unit = 0.002,
                                                  .firing_us = 46.08, .group_us = 1.152, .group_size = 1};
static const clump_velodyne_model models_vlp32 = {"Velodyne VLP-32C",  .lasers = 32,      .banks = 1,     .unit = 0.004,
                                                  .firing_us = 55.296, .group_us = 2.304, .group_size = 2};
static const clump_velodyne_model models_vls128 = {"Velodyne VLS-128", .lasers = 128,     .banks = 4,
                                                   .unit = 0.004,      .firing_us = 53.3, .group_us = 2.665,
                                                   .group_size = 8,    .pause = 8};
/* The azimuth of an HDL-64E belongs to all lasers: its calibration contains the time between shots. */
static const clump_velodyne_model models_hdl64 = {"Velodyne HDL-64E", .lasers = 64,  .banks = 2,      .unit = 0.002,
                                                  .firing_us = 48,    .group_us = 0, .group_size = 64};

/* Elevations in 0.001 degrees. */
static const int models_vlp32_elevation[32] = {
    -25000, -1000, -1667, -15639, -11310, 0,    -667, -8843, -7254, 333,  -333, -6148, -5333, 1333,  667,   -4000,
    -4667,  1667,  1000,  -3667,  -3333,  3333, 2333, -2667, -3000, 7000, 4667, -2333, -2000, 15000, 10333, -1333};
static const int models_vls128_elevation[128] = {
    -11742, -1990, 3400,  -5290, -780,  4610,  -4080,  1310,   -6500, -1110,  4280,  -4410, 100,    6480,  -3200,
    2190,   -3860, 1530,  -9244, -1770, 2740,  -5950,  -560,   4830,  -2980,  2410,  -6280, -890,   3620,  -5070,
    320,    7580,  -340,  5180,  -3640, 1750,  -25000, -2430,  2960,  -5730,  540,   9700,  -2760,  2630,  -7650,
    -1550,  3840,  -4850, 3180,  -5510, -120,  5730,   -4300,  1090,  -16042, -2210, 4060,  -4630,  760,   15000,
    -3420,  1970,  -6850, -1330, -5620, -230,  5430,   -3530,  980,   -19582, -2320, 3070,  -4740,  650,   11750,
    -2650,  1860,  -7150, -1440, 3950,  -2100, 3290,   -5400,  -10,   4500,   -4190, 1200,  -13565, -1220, 4170,
    -4520,  870,   6080,  -3310, 2080,  -6650, 1420,   -10346, -1880, 3510,   -6060, -670,  4720,   -3970, 2300,
    -6390,  -1000, 4390,  -5180, 210,   6980,  -3090,  4980,   -3750, 1640,   -8352, -2540, 2850,   -5840, -450,
    8430,   -2870, 2520,  -6170, -1660, 3730,  -4960,  430};
/* Offsets of the azimuth in 0.001 degrees. */
static const int models_vlp32_azimuth[32] = {
    1400, -4200, 1400, -1400, 1400, -1400, 4200, -1400, 1400, -4200, 1400, -1400, 4200, -1400, 4200, -1400,
    1400, -4200, 1400, -4200, 4200, -1400, 1400, -1400, 1400, -1400, 1400, -4200, 4200, -1400, 1400, -1400};
static const int models_vls128_azimuth[8] = {6354, 4548, 2732, 911, -911, -2732, -4548, -6354};
/* Height of the lenses of the VLP-16 in 0.1 mm, by laser. */
static const int models_vlp16_up[16] = {112, -7, 97, -22, 81, -37, 66, -51, 51, -66, 37, -81, 22, -97, 7, -112};
static const int models_hires_up[16] = {74, -9, 65, -18, 55, -27, 46, -37, 37, -46, 27, -55, 18, -65, 9, -74};

/* Flags of blocks by bank, little-endian 0xEEFF and so on. */
static const unsigned char models_flags[4] = {0xEE, 0xDD, 0xCC, 0xBB};

int clump_velodyne_bank_of(const clump_velodyne_model *model, const unsigned char *block)
{
    for (unsigned bank = 0; bank < model->banks; bank++)
        if (block[0] == 0xFF && block[1] == models_flags[bank]) return (int)bank;
    return -1;
}

/* The last two bytes of an HDL-64E are a message of some characters, not mode and product. Its flags tell it apart. */
static bool has_flag(const unsigned char *packet, unsigned char flag)
{
    for (size_t i = 0; i < VELODYNE_BLOCKS; i++)
        if (packet[i * VELODYNE_BLOCK_BYTES] == 0xFF && packet[i * VELODYNE_BLOCK_BYTES + 1] == flag) return true;
    return false;
}

const clump_velodyne_model *clump_velodyne_model_of(const unsigned char *packet)
{
    if (has_flag(packet, models_flags[2]) || has_flag(packet, models_flags[3])) return &models_vls128;
    if (has_flag(packet, models_flags[1])) return &models_hdl64;
    switch (packet[MODELS_PRODUCT]) {
    case 0x21:
        return &models_hdl32;
    case 0x22:
        return &models_vlp16;
    case 0x24:
        return &models_hires;
    case 0x28:
        return &models_vlp32;
    case 0x63:
    case 0xA1:
        return &models_vls128;
    default:
        return NULL;
    }
}

/* The manual gives thirds of a degree with two digits. */
static double rounded_third(double thirds)
{
    return round(thirds * 100 / 3) / 100;
}

static double radians(double degrees)
{
    return degrees * (3.14159265358979323846 / 180);
}

void clump_velodyne_model_lasers(const clump_velodyne_model *model, clump_velodyne_laser *lasers)
{
    for (unsigned i = 0; i < model->lasers; i++) lasers[i] = (clump_velodyne_laser){0};
    if (model == &models_hdl64) clump_velodyne_hdl64_lasers(lasers);
    for (unsigned i = 0; i < model->lasers && model != &models_hdl64; i++) {
        clump_velodyne_laser *const laser = &lasers[i];
        if (model == &models_vlp16) { /* -15 1 -13 3 ... 15 degrees */
            laser->elevation = radians(i % 2 ? i : i - 15.0);
            laser->up = models_vlp16_up[i] * 1e-4;
        } else if (model == &models_hires) { /* the same angles times 2/3 */
            laser->elevation = radians((i % 2 ? i : i - 15.0) * 2 / 3);
            laser->up = models_hires_up[i] * 1e-4;
        } else if (model == &models_hdl32) { /* -30.67 -9.33 -29.33 -8 ... 10.67 */
            laser->elevation = radians(rounded_third(i % 2 ? (double)i * 2 - 30 : (double)i * 2 - 92));
        } else if (model == &models_vlp32) {
            laser->elevation = radians(models_vlp32_elevation[i] * 1e-3);
            laser->rotation = -radians(models_vlp32_azimuth[i] * 1e-3);
        } else {
            laser->elevation = radians(models_vls128_elevation[i] * 1e-3);
            laser->rotation = -radians(models_vls128_azimuth[i % 8] * 1e-3);
        }
    }
}
