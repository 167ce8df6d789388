/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ouster_profile.c: where the fields of a pixel are, per profile.
 *
 * The facts are those of Ouster's manual of the sensor and of ouster-sdk. Colours, zones and the state of the window are
 * left out.
 */
#include "sensors/ouster.h"

/* A field that begins at a bit of the pixel. It never crosses a word of 32 bits. */
#define AT(bit, size, scale)                                                                                           \
    {                                                                                                                  \
        (bit) / 32, (bit) % 32, size, scale                                                                            \
    }

/* Fields that several profiles have at the same place. */
#define LONG_RANGE [CLUMP_IO_OUSTER_RANGE] = AT(0, 19, 0), [CLUMP_IO_OUSTER_FLAGS] = AT(19, 5, 0)
#define LONG_RANGE2                                                                                                    \
    [CLUMP_IO_OUSTER_RANGE2] = AT(32, 19, 0), [CLUMP_IO_OUSTER_FLAGS2] = AT(51, 5, 0),                                 \
    [CLUMP_IO_OUSTER_REFLECTIVITY2] = AT(56, 8, 0)
#define SIGNALS [CLUMP_IO_OUSTER_SIGNAL] = AT(64, 16, 0), [CLUMP_IO_OUSTER_SIGNAL2] = AT(80, 16, 0)
#define SINGLE                                                                                                         \
    LONG_RANGE, [CLUMP_IO_OUSTER_REFLECTIVITY] = AT(32, 8, 0), [CLUMP_IO_OUSTER_SIGNAL] = AT(48, 16, 0),               \
                [CLUMP_IO_OUSTER_AMBIENT] = AT(64, 16, 0)
#define DUAL LONG_RANGE, [CLUMP_IO_OUSTER_REFLECTIVITY] = AT(24, 8, 0), LONG_RANGE2, SIGNALS
#define LOW                                                                                                            \
    [CLUMP_IO_OUSTER_RANGE] = AT(0, 15, 3), [CLUMP_IO_OUSTER_FLAGS] = AT(15, 1, 0),                                    \
    [CLUMP_IO_OUSTER_REFLECTIVITY] = AT(16, 8, 0)
#define LOW_AMBIENT [CLUMP_IO_OUSTER_AMBIENT] = AT(24, 8, 4)
#define LOW2                                                                                                           \
    [CLUMP_IO_OUSTER_RANGE2] = AT(32, 15, 3), [CLUMP_IO_OUSTER_FLAGS2] = AT(47, 1, 0),                                 \
    [CLUMP_IO_OUSTER_REFLECTIVITY2] = AT(48, 8, 0)

const clump_io_ouster_profile clump_io_ouster_profiles[] = {
    /* The reflectivity has 16 bits up to firmware 2.0; later the upper 8 are 0. */
    {.name = "LEGACY",
     .pixel_size = 12,
     .legacy = true,
     .fields = {[CLUMP_IO_OUSTER_RANGE] = AT(0, 20, 0),
                [CLUMP_IO_OUSTER_FLAGS] = AT(28, 4, 0),
                [CLUMP_IO_OUSTER_REFLECTIVITY] = AT(32, 16, 0),
                [CLUMP_IO_OUSTER_SIGNAL] = AT(48, 16, 0),
                [CLUMP_IO_OUSTER_AMBIENT] = AT(64, 16, 0)}},
    {.name = "RNG19_RFL8_SIG16_NIR16", .pixel_size = 12, .fields = {SINGLE}},
    {.name = "RNG19_RFL8_SIG16_NIR16_DUAL",
     .pixel_size = 16,
     .fields = {DUAL, [CLUMP_IO_OUSTER_AMBIENT] = AT(96, 16, 0)}},
    {.name = "RNG15_RFL8_NIR8", .pixel_size = 4, .fields = {LOW, LOW_AMBIENT}},
    {.name = "RNG15_RFL8_WIN8", .pixel_size = 4, .fields = {LOW}},
    {.name = "RNG15_RFL8_NIR8_DUAL", .pixel_size = 8, .fields = {LOW, LOW_AMBIENT, LOW2}},
    {.name = "FUSA_RNG15_RFL8_NIR8_DUAL", .pixel_size = 8, .fusa = true, .fields = {LOW, LOW_AMBIENT, LOW2}},
    {.name = "RNG15_RFL8_NIR8_ZONE16", .pixel_size = 8, .fields = {LOW, LOW_AMBIENT}},
    {.name = "RNG19_RFL8_SIG16_NIR16_ZONE16", .pixel_size = 12, .fields = {SINGLE}},
    {.name = "RNG19_RFL8_SIG16_ZONE16_DUAL", .pixel_size = 16, .fields = {DUAL}},
    {.name = "FIVE_WORD_PIXEL", .pixel_size = 20, .fields = {DUAL, [CLUMP_IO_OUSTER_AMBIENT] = AT(96, 16, 0)}},
    {.name = "RNG19_RFL8_SIG16_NIR16_RGB16",
     .pixel_size = 16,
     .fields = {LONG_RANGE, [CLUMP_IO_OUSTER_REFLECTIVITY] = AT(24, 8, 0), [CLUMP_IO_OUSTER_SIGNAL] = AT(32, 16, 0),
                [CLUMP_IO_OUSTER_AMBIENT] = AT(48, 16, 0)}},
    {.name = "RNG19_RFL8_SIG16_NIR16_RGB16_DUAL",
     .pixel_size = 20,
     .fields = {DUAL, [CLUMP_IO_OUSTER_AMBIENT] = AT(96, 16, 0)}},
};
const size_t clump_io_ouster_profile_count = sizeof clump_io_ouster_profiles / sizeof clump_io_ouster_profiles[0];

const clump_io_ouster_profile *clump_io_ouster_profile_of(const char *name)
{
    for (size_t i = 0; i < clump_io_ouster_profile_count; i++)
        if (strcmp(clump_io_ouster_profiles[i].name, name) == 0) return &clump_io_ouster_profiles[i];
    return NULL;
}

bool clump_io_ouster_layout_of(const clump_io_ouster_profile *profile, uint32_t pixels, uint32_t packet_columns,
                               clump_io_ouster_layout *layout)
{
    layout->header = profile->legacy ? 0 : 32;
    layout->column_header = profile->legacy ? 16 : 12;
    const uint64_t behind = layout->column_header + (uint64_t)pixels * profile->pixel_size;
    const uint64_t column = behind + (profile->legacy ? 4 : 0);
    const uint64_t packet = 2 * (uint64_t)layout->header + packet_columns * column;
    if (column > CLUMP_IO_OUSTER_MAX_PACKET || packet > CLUMP_IO_OUSTER_MAX_PACKET) return false;
    layout->status = profile->legacy ? (uint32_t)behind : 10;
    layout->column = (uint32_t)column;
    layout->packet = (uint32_t)packet;
    return true;
}
