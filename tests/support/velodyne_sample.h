/* SPDX-License-Identifier: BSD-3-Clause
 *
 * velodyne_sample.h: packets of a Velodyne sensor, made for tests.
 */
#ifndef CLUMP_TESTS_VELODYNE_SAMPLE_H
#define CLUMP_TESTS_VELODYNE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SAMPLE_BYTES = 1206, SAMPLE_SINGLE = 0x37, SAMPLE_DUAL = 0x39 };

/* A sensor that turns. */
typedef struct velodyne_sample {
    unsigned banks;              /* 1, 2 (HDL-64E) or 4 (VLS-128) */
    uint8_t mode, product;       /* the last two bytes */
    double firing_us;            /* from one azimuth to the next */
    double step;                 /* azimuth units per firing */
    double azimuth;              /* of the next firing; may exceed a turn */
    double clock;                /* microseconds of the next firing */
    unsigned distance, seed;     /* raw distance of all lasers; 0: pseudo-random, never 0 */
    unsigned mask_from, mask_to; /* azimuths that are not sent; equal: none */
} velodyne_sample;

static inline unsigned sample_random(velodyne_sample *s)
{
    s->seed = s->seed * 1664525u + 1013904223u;
    return s->seed >> 16;
}

static inline void sample_block(velodyne_sample *s, unsigned char *block, unsigned bank)
{
    const unsigned azimuth = (unsigned)s->azimuth % 36000;
    block[0] = 0xFF, block[1] = (unsigned char)(0xEE - 0x11 * bank);
    block[2] = (unsigned char)azimuth, block[3] = (unsigned char)(azimuth >> 8);
    for (unsigned i = 0; i < 32; i++) {
        const unsigned raw = s->distance ? s->distance : sample_random(s) | 1;
        block[4 + 3 * i] = (unsigned char)raw, block[5 + 3 * i] = (unsigned char)(raw >> 8);
        block[6 + 3 * i] = (unsigned char)(i * 7 + bank);
    }
}

static inline void sample_turn(velodyne_sample *s)
{
    do {
        s->azimuth += s->step;
        s->clock += s->firing_us;
    } while (s->mask_from != s->mask_to && (unsigned)s->azimuth % 36000 >= s->mask_from &&
             (unsigned)s->azimuth % 36000 < s->mask_to);
}

/* Makes the next packet. With two returns, both are equal. */
static inline void sample_packet(velodyne_sample *s, unsigned char packet[SAMPLE_BYTES])
{
    const uint32_t clock = (uint32_t)((uint64_t)s->clock % UINT64_C(3600000000));
    memset(packet, 0, SAMPLE_BYTES);
    const bool dual = s->mode == SAMPLE_DUAL;
    const unsigned per_firing = s->banks * (dual ? 2 : 1), blocks = dual && s->banks == 4 ? 8 : 12;
    for (unsigned i = 0; i < blocks; i++) {
        unsigned char *const block = packet + 100 * i;
        const unsigned bank = i % per_firing / (dual ? 2 : 1);
        if (dual && i % 2)
            memcpy(block, block - 100, 100);
        else
            sample_block(s, block, bank);
        if (i % per_firing == per_firing - 1) sample_turn(s);
    }
    memcpy(packet + 1200, &clock, 4);
    packet[1204] = s->mode, packet[1205] = s->product;
}

static inline velodyne_sample sample_vlp16(void)
{
    return (velodyne_sample){
        .banks = 1, .mode = SAMPLE_SINGLE, .product = 0x22, .firing_us = 110.592, .step = 40, .seed = 1};
}
static inline velodyne_sample sample_hdl32(void)
{
    return (velodyne_sample){
        .banks = 1, .mode = SAMPLE_SINGLE, .product = 0x21, .firing_us = 46.08, .step = 17, .seed = 2};
}
static inline velodyne_sample sample_vlp32(void)
{
    return (velodyne_sample){
        .banks = 1, .mode = SAMPLE_SINGLE, .product = 0x28, .firing_us = 55.296, .step = 20, .seed = 3};
}
static inline velodyne_sample sample_vls128(void)
{
    return (velodyne_sample){
        .banks = 4, .mode = SAMPLE_SINGLE, .product = 0xA1, .firing_us = 53.3, .step = 19, .seed = 4};
}
static inline velodyne_sample sample_hdl64(void)
{
    return (velodyne_sample){.banks = 2, .mode = 'V', .product = 0x30, .firing_us = 48, .step = 17, .seed = 5};
}

#endif
