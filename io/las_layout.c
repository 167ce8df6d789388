/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_layout.c: the fields of the eleven point formats, and their offsets.
 *
 *     byte  0         12         14            15              16             17         18      20
 *     0-5   X Y Z     intensity  returns edge  classification  scan angle     user data  source  ...
 *     byte  0         12         14       15             16              17         18          20      22
 *     6-10  X Y Z     intensity  returns  flags channel  classification  user data  scan angle  source  time ...
 *
 * Then follow, if the format has them: time, colours, infrared, wave packet. LAS 1.0 calls bytes 17 to 19
 * a file marker and user bits; they are read and kept like the others.
 */
#include "las.h"

#include <assert.h>
#include <stdlib.h>

enum { HAS_OLD = 1, HAS_NEW = 2, HAS_TIME = 4, HAS_COLOUR = 8, HAS_INFRARED = 16, HAS_WAVE = 32 };

static const unsigned char features[11] = {
    HAS_OLD,
    HAS_OLD | HAS_TIME,
    HAS_OLD | HAS_COLOUR,
    HAS_OLD | HAS_TIME | HAS_COLOUR,
    HAS_OLD | HAS_TIME | HAS_WAVE,
    HAS_OLD | HAS_TIME | HAS_COLOUR | HAS_WAVE,
    HAS_NEW | HAS_TIME,
    HAS_NEW | HAS_TIME | HAS_COLOUR,
    HAS_NEW | HAS_TIME | HAS_COLOUR | HAS_INFRARED,
    HAS_NEW | HAS_TIME | HAS_WAVE,
    HAS_NEW | HAS_TIME | HAS_COLOUR | HAS_INFRARED | HAS_WAVE,
};

/* The slots in the order of the record. Bits share their byte; the slot that ends at bit 8 completes it. */
static const struct {
    const char *name;
    clump_type type;
    unsigned char shift, bits;
    unsigned char where; /* features of which any has the slot */
} standard[] = {
    {"intensity", CLUMP_TYPE_U16, 0, 0, HAS_OLD | HAS_NEW},
    {"return_number", CLUMP_TYPE_U8, 0, 3, HAS_OLD},
    {"number_of_returns", CLUMP_TYPE_U8, 3, 3, HAS_OLD},
    {"return_number", CLUMP_TYPE_U8, 0, 4, HAS_NEW},
    {"number_of_returns", CLUMP_TYPE_U8, 4, 4, HAS_NEW},
    {"synthetic", CLUMP_TYPE_U8, 0, 1, HAS_NEW},
    {"key_point", CLUMP_TYPE_U8, 1, 1, HAS_NEW},
    {"withheld", CLUMP_TYPE_U8, 2, 1, HAS_NEW},
    {"overlap", CLUMP_TYPE_U8, 3, 1, HAS_NEW},
    {"scanner_channel", CLUMP_TYPE_U8, 4, 2, HAS_NEW},
    {"scan_direction_flag", CLUMP_TYPE_U8, 6, 1, HAS_OLD | HAS_NEW},
    {"edge_of_flight_line", CLUMP_TYPE_U8, 7, 1, HAS_OLD | HAS_NEW},
    {"classification", CLUMP_TYPE_U8, 0, 5, HAS_OLD},
    {"synthetic", CLUMP_TYPE_U8, 5, 1, HAS_OLD},
    {"key_point", CLUMP_TYPE_U8, 6, 1, HAS_OLD},
    {"withheld", CLUMP_TYPE_U8, 7, 1, HAS_OLD},
    {"classification", CLUMP_TYPE_U8, 0, 0, HAS_NEW},
    {"scan_angle_rank", CLUMP_TYPE_I8, 0, 0, HAS_OLD},
    {"user_data", CLUMP_TYPE_U8, 0, 0, HAS_OLD | HAS_NEW},
    {"scan_angle", CLUMP_TYPE_I16, 0, 0, HAS_NEW}, /* in 0.006 degrees */
    {"point_source_id", CLUMP_TYPE_U16, 0, 0, HAS_OLD | HAS_NEW},
    {"gps_time", CLUMP_TYPE_F64, 0, 0, HAS_TIME},
    {"red", CLUMP_TYPE_U16, 0, 0, HAS_COLOUR},
    {"green", CLUMP_TYPE_U16, 0, 0, HAS_COLOUR},
    {"blue", CLUMP_TYPE_U16, 0, 0, HAS_COLOUR},
    {"nir", CLUMP_TYPE_U16, 0, 0, HAS_INFRARED},
    {"wavepacket_index", CLUMP_TYPE_U8, 0, 0, HAS_WAVE},
    {"wavepacket_offset", CLUMP_TYPE_U64, 0, 0, HAS_WAVE},
    {"wavepacket_size", CLUMP_TYPE_U32, 0, 0, HAS_WAVE},
    {"return_point_wave_location", CLUMP_TYPE_F32, 0, 0, HAS_WAVE},
    {"x_t", CLUMP_TYPE_F32, 0, 0, HAS_WAVE},
    {"y_t", CLUMP_TYPE_F32, 0, 0, HAS_WAVE},
    {"z_t", CLUMP_TYPE_F32, 0, 0, HAS_WAVE},
};

size_t clump_io_las_base(unsigned format)
{
    static const unsigned char sizes[11] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};
    assert(format <= 10);
    return sizes[format];
}

bool clump_io_las_layout_add(clump_io_las_layout *layout, const clump_io_las_slot *slot)
{
    if (layout->count == layout->capacity) {
        const size_t capacity = layout->capacity ? 2 * layout->capacity : 32;
        clump_io_las_slot *grown = realloc(layout->slots, capacity * sizeof *grown);
        if (!grown) return false;
        layout->slots = grown;
        layout->capacity = capacity;
    }
    layout->slots[layout->count++] = *slot;
    return true;
}

bool clump_io_las_layout_format(clump_io_las_layout *layout, unsigned format)
{
    assert(format <= 10);
    *layout = (clump_io_las_layout){.base = 12};
    for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++) {
        if (!(standard[i].where & features[format])) continue;
        clump_io_las_slot slot = {.type = standard[i].type,
                                  .count = 1,
                                  .offset = layout->base,
                                  .shift = standard[i].shift,
                                  .bits = standard[i].bits,
                                  .scale = {1, 1, 1}};
        memcpy(slot.name, standard[i].name, strlen(standard[i].name) + 1);
        if (!clump_io_las_layout_add(layout, &slot)) return false;
        if (!slot.bits || slot.shift + slot.bits == 8) layout->base += clump_type_size(slot.type);
    }
    layout->record = layout->base;
    return true;
}

void clump_io_las_layout_free(clump_io_las_layout *layout)
{
    free(layout->slots);
    *layout = (clump_io_las_layout){0};
}

static char plain(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

bool clump_io_las_same_name(const char *a, const char *b)
{
    for (;;) {
        while (*a == '_') a++;
        while (*b == '_') b++;
        if (plain(*a) != plain(*b)) return false;
        if (!*a) return true;
        a++, b++;
    }
}
