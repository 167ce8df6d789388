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
#include "las/las.h"
#include "common/assert.h"

#include <stdlib.h>

/* Features of a format; HAS_OLD: of formats 0 to 5, HAS_NEW: of 6 to 10. */
enum { HAS_OLD = 1, HAS_NEW = 2, HAS_BOTH = 3, HAS_TIME = 4, HAS_COLOUR = 8, HAS_INFRARED = 16, HAS_WAVE = 32 };

/* clang-format off */
static const unsigned char features[11] = {
    HAS_OLD, HAS_OLD | HAS_TIME, HAS_OLD | HAS_COLOUR, HAS_OLD | HAS_TIME | HAS_COLOUR,
    HAS_OLD | HAS_TIME | HAS_WAVE, HAS_OLD | HAS_TIME | HAS_COLOUR | HAS_WAVE,
    HAS_NEW | HAS_TIME, HAS_NEW | HAS_TIME | HAS_COLOUR, HAS_NEW | HAS_TIME | HAS_COLOUR | HAS_INFRARED,
    HAS_NEW | HAS_TIME | HAS_WAVE, HAS_NEW | HAS_TIME | HAS_COLOUR | HAS_INFRARED | HAS_WAVE};

/* The slots in the order of the record. Slots of bits share a byte; the one that ends at bit 8 completes it. scan_angle is
 * in 0.006 degrees. */
#define SLOT(name, type, where)        {name, CLUMP_TYPE_##type, 0, 0, HAS_##where}
#define BITS(name, shift, bits, where) {name, CLUMP_TYPE_U8, shift, bits, HAS_##where}
static const struct {
    const char *name;
    clump_type type;
    unsigned char shift, bits;
    unsigned char where; /* features of which any has the slot */
} standard[] = {
    SLOT("intensity", U16, BOTH),
    BITS("return_number", 0, 3, OLD), BITS("number_of_returns", 3, 3, OLD),
    BITS("return_number", 0, 4, NEW), BITS("number_of_returns", 4, 4, NEW),
    BITS("synthetic", 0, 1, NEW), BITS("key_point", 1, 1, NEW), BITS("withheld", 2, 1, NEW), BITS("overlap", 3, 1, NEW),
    BITS("scanner_channel", 4, 2, NEW),
    BITS("scan_direction_flag", 6, 1, BOTH), BITS("edge_of_flight_line", 7, 1, BOTH),
    BITS("classification", 0, 5, OLD),
    BITS("synthetic", 5, 1, OLD), BITS("key_point", 6, 1, OLD), BITS("withheld", 7, 1, OLD),
    SLOT("classification", U8, NEW), SLOT("scan_angle_rank", I8, OLD), SLOT("user_data", U8, BOTH),
    SLOT("scan_angle", I16, NEW), SLOT("point_source_id", U16, BOTH), SLOT("gps_time", F64, TIME),
    SLOT("red", U16, COLOUR), SLOT("green", U16, COLOUR), SLOT("blue", U16, COLOUR), SLOT("nir", U16, INFRARED),
    SLOT("wavepacket_index", U8, WAVE), SLOT("wavepacket_offset", U64, WAVE), SLOT("wavepacket_size", U32, WAVE),
    SLOT("return_point_wave_location", F32, WAVE), SLOT("x_t", F32, WAVE), SLOT("y_t", F32, WAVE), SLOT("z_t", F32, WAVE)};
#undef SLOT
#undef BITS
/* clang-format on */

size_t clump_io_las_base(unsigned format)
{
    static const unsigned char sizes[11] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};
    CLUMP_ASSERT(format <= 10);
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
    CLUMP_ASSERT(layout->count < layout->capacity);
    layout->slots[layout->count++] = *slot;
    return true;
}

bool clump_io_las_layout_format(clump_io_las_layout *layout, unsigned format)
{
    CLUMP_ASSERT(format <= 10);
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

bool clump_io_las_is_standard(const char *name)
{
    static const char *const others[] = {"x",
                                         "y",
                                         "z",
                                         "infrared",
                                         "scan_channel",
                                         "flag_byte",
                                         "bit_fields",
                                         "classification_flags",
                                         "class_flags",
                                         "raw_classification"};
    for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++)
        if (clump_io_las_same_name(name, standard[i].name)) return true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (clump_io_las_same_name(name, others[i])) return true;
    return false;
}
