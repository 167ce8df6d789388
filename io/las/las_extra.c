/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_extra.c: what a record has behind the fields of its format.
 *
 *     record      the format's own | dimension dimension ... | bytes without a descriptor
 *     descriptor  u8 0 0, u8 type, u8 options, char name[32], 4 unused, no-data[3], min[3], max[3],
 *                 f64 scale[3], f64 offset[3], char description[32]; 192 bytes, entries of [3] have 8 bytes
 *
 * Types 1 to 10 are numbers. Types 11 to 30 are two or three numbers (no longer allowed, but in use).
 * Type 0 is a number of bytes, given in options. For other types, options tell which values are valid:
 * 2 min, 4 max, 8 scale, 16 offset. Other values, such as no-data, are kept with the VLR.
 */
#include "las/las.h"
#include "common/assert.h"

#include <math.h>
#include <stdio.h>

enum { EXTRA_LOWEST = 2, EXTRA_HIGHEST = 4, EXTRA_SCALE = 8, EXTRA_OFFSET = 16 };
enum { EXTRA_TYPE_AT = 2, EXTRA_OPTIONS_AT = 3, EXTRA_NAME_AT = 4, EXTRA_LOWEST_AT = 64, EXTRA_SCALE_AT = 112 };
enum { EXTRA_OFFSET_AT = 136, EXTRA_DESCRIPTION_AT = 160, EXTRA_NAME_SIZE = 32 };

static const clump_type types[10] = {CLUMP_TYPE_U8,  CLUMP_TYPE_I8,  CLUMP_TYPE_U16, CLUMP_TYPE_I16, CLUMP_TYPE_U32,
                                     CLUMP_TYPE_I32, CLUMP_TYPE_U64, CLUMP_TYPE_I64, CLUMP_TYPE_F32, CLUMP_TYPE_F64};

/* Reads the name as the cloud will have it. Blanks, a coordinate's name and PCD's padding "_" are replaced. */
static void read_name(const unsigned char *descriptor, size_t index, clump_io_las_slot *slot)
{
    size_t size = 0;
    bool blank = true;
    while (size < EXTRA_NAME_SIZE && descriptor[EXTRA_NAME_AT + size]) size++;
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = descriptor[EXTRA_NAME_AT + i];
        const bool unfit = c <= ' ' || c == 0x7f || c == ',' || c == ';' || c == '"';
        slot->name[i] = (char)(unfit ? '_' : c);
        blank = blank && unfit;
    }
    slot->invented = blank || (size == 1 && strchr("xyzXYZ_", slot->name[0]));
    if (slot->invented) snprintf(slot->name, sizeof slot->name, "extra_%zu", index);
}

static clump_io_quoted quoted(const clump_io_las_slot *slot)
{
    return clump_io_quote(slot->name, strlen(slot->name));
}

static void read_scale(const unsigned char *descriptor, clump_io_las_slot *slot, clump_cloud *cloud)
{
    const unsigned options = descriptor[EXTRA_OPTIONS_AT];
    bool idle = true, sound = true;
    for (uint32_t k = 0; k < slot->count; k++) {
        slot->scale[k] = options & EXTRA_SCALE ? clump_io_las_f64(descriptor + EXTRA_SCALE_AT + 8 * k) : 1;
        slot->add[k] = options & EXTRA_OFFSET ? clump_io_las_f64(descriptor + EXTRA_OFFSET_AT + 8 * k) : 0;
        idle = idle && slot->scale[k] == 1 && slot->add[k] == 0;
        sound = sound && isfinite(slot->scale[k]) && slot->scale[k] != 0 && isfinite(slot->add[k]);
    }
    if (idle) return;
    slot->scaled = sound && clump_type_size(slot->type) < 8;
    if (!slot->scaled && cloud) clump_io_note(cloud, "the scale of %s is not applied", quoted(slot).text);
}

/* Reads type, count and scale. False: the type is unknown, so the offset of the next dimension is, too. */
static bool read_descriptor(const unsigned char *descriptor, clump_io_las_slot *slot, clump_cloud *cloud)
{
    const unsigned type = descriptor[EXTRA_TYPE_AT];
    if (type > 30) return false;
    slot->type = type ? types[(type - 1) % 10] : CLUMP_TYPE_U8;
    slot->count = type ? (type - 1) / 10 + 1 : descriptor[EXTRA_OPTIONS_AT];
    if (type) read_scale(descriptor, slot, cloud);
    return true;
}

bool clump_io_las_layout_extra(clump_io_las_layout *layout, const unsigned char *descriptors, size_t size,
                               size_t record, clump_cloud *cloud)
{
    size_t offset = layout->base;
    for (size_t i = 0; i < size / CLUMP_IO_LAS_DESCRIPTOR; i++) {
        const unsigned char *d = descriptors + i * CLUMP_IO_LAS_DESCRIPTOR;
        clump_io_las_slot slot = {.offset = offset, .extra = true, .descriptor = i};
        read_name(d, i, &slot);
        if (!read_descriptor(d, &slot, cloud)) {
            if (cloud)
                clump_io_note(cloud, "extra dimension %s has type %u, which is unknown", quoted(&slot).text,
                              d[EXTRA_TYPE_AT]);
            break;
        }
        const size_t bytes = slot.count * clump_type_size(slot.type);
        if (bytes > record - offset) {
            if (cloud)
                clump_io_note(cloud, "extra dimension %s is described, but not in the points", quoted(&slot).text);
            break;
        }
        offset += bytes;
        if (bytes && !clump_io_las_layout_add(layout, &slot)) return false;
    }
    clump_io_las_slot rest = {.name = "extra_bytes",
                              .type = CLUMP_TYPE_U8,
                              .count = (uint32_t)(record - offset),
                              .offset = offset,
                              .extra = true,
                              .descriptor = CLUMP_IO_LAS_UNKNOWN};
    layout->record = record;
    return !rest.count || clump_io_las_layout_add(layout, &rest);
}

/* --- names that differ --------------------------------------------------------------------- */

void clump_io_las_number_name(char out[40], const char *name, size_t number)
{
    char suffix[24];
    const int length = snprintf(suffix, sizeof suffix, "_%zu", number), kept = EXTRA_NAME_SIZE - 1 - length;
    snprintf(out, 40, "%.*s%s", kept, name, suffix);
}

/* Whether one of the first `count` slots, other than `except`, has the name. */
static bool is_name_of(const clump_io_las_layout *layout, size_t count, size_t except, const char *name)
{
    CLUMP_ASSERT(count <= layout->count);
    for (size_t i = 0; i < count; i++)
        if (i != except && !layout->slots[i].hidden && strcmp(layout->slots[i].name, name) == 0) return true;
    return false;
}

/* Of equal names the first stays; the format's own come first. */
void clump_io_las_layout_separate(clump_io_las_layout *layout, uint64_t hidden, clump_cloud *cloud)
{
    for (size_t i = 0; i < layout->count && i < 64; i++) layout->slots[i].hidden = hidden >> i & 1;
    char base[40] = "", name[40];
    size_t number = 2;
    for (size_t i = 0; i < layout->count; i++) {
        clump_io_las_slot *slot = &layout->slots[i];
        if (!slot->extra || !is_name_of(layout, i, i, slot->name)) continue;
        if (strcmp(base, slot->name) != 0) number = 2; /* else go on where the last of this name ended */
        memcpy(base, slot->name, sizeof base);
        do clump_io_las_number_name(name, base, number++);
        while (is_name_of(layout, layout->count, i, name));
        if (cloud)
            clump_io_note(cloud, "extra dimension %s has the name of another field: it is now %s", quoted(slot).text,
                          clump_io_quote(name, strlen(name)).text);
        memcpy(slot->name, name, sizeof name);
        slot->renamed = true;
    }
}

/* --- describing ----------------------------------------------------------------------------- */

static void copy_text(unsigned char *to, const char *text)
{
    for (size_t i = 0; i < EXTRA_NAME_SIZE && text[i]; i++) to[i] = (unsigned char)text[i];
}

void clump_io_las_describe(unsigned char descriptor[CLUMP_IO_LAS_DESCRIPTOR], const char *name, clump_type type,
                           const char *description)
{
    memset(descriptor, 0, CLUMP_IO_LAS_DESCRIPTOR);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i] == type) descriptor[EXTRA_TYPE_AT] = (unsigned char)(i + 1);
    copy_text(descriptor + EXTRA_NAME_AT, name);
    copy_text(descriptor + EXTRA_DESCRIPTION_AT, description);
}

void clump_io_las_set_name(unsigned char descriptor[CLUMP_IO_LAS_DESCRIPTOR], const char *name)
{
    memset(descriptor + EXTRA_NAME_AT, 0, EXTRA_NAME_SIZE);
    copy_text(descriptor + EXTRA_NAME_AT, name);
}

void clump_io_las_describe_opaque(unsigned char descriptor[CLUMP_IO_LAS_DESCRIPTOR], const char *name, unsigned bytes)
{
    memset(descriptor, 0, CLUMP_IO_LAS_DESCRIPTOR);
    descriptor[EXTRA_OPTIONS_AT] = (unsigned char)bytes;
    copy_text(descriptor + EXTRA_NAME_AT, name);
}

bool clump_io_las_forget_limits(unsigned char descriptor[CLUMP_IO_LAS_DESCRIPTOR])
{
    if (!(descriptor[EXTRA_OPTIONS_AT] & (EXTRA_LOWEST | EXTRA_HIGHEST))) return false;
    descriptor[EXTRA_OPTIONS_AT] &= (unsigned char)~(EXTRA_LOWEST | EXTRA_HIGHEST);
    memset(descriptor + EXTRA_LOWEST_AT, 0, EXTRA_SCALE_AT - EXTRA_LOWEST_AT);
    return true;
}

/* --- scaled values -------------------------------------------------------------------------- */

bool clump_io_las_unscale(const clump_io_las_slot *slot, uint32_t k, double value, void *raw)
{
    CLUMP_ASSERT(k < 3 && slot->scale[k] != 0);
    const double number = (slot->add[k] == 0 ? value : value - slot->add[k]) / slot->scale[k];
    if (slot->type == CLUMP_TYPE_F32) {
        const float narrow = (float)number;
        memcpy(raw, &narrow, sizeof narrow);
        return true;
    }
    static const double limits[][2] = {[CLUMP_TYPE_I8] = {INT8_MIN, INT8_MAX},    [CLUMP_TYPE_U8] = {0, UINT8_MAX},
                                       [CLUMP_TYPE_I16] = {INT16_MIN, INT16_MAX}, [CLUMP_TYPE_U16] = {0, UINT16_MAX},
                                       [CLUMP_TYPE_I32] = {INT32_MIN, INT32_MAX}, [CLUMP_TYPE_U32] = {0, UINT32_MAX}};
    if ((unsigned)slot->type >= sizeof limits / sizeof limits[0]) return false; /* never scaled */
    const double whole = rint(number);
    if (!(whole >= limits[slot->type][0] && whole <= limits[slot->type][1])) return false;
    const int64_t bits = (int64_t)whole;
    memcpy(raw, &bits, clump_type_size(slot->type)); /* little-endian: the low bytes come first */
    return true;
}

bool clump_io_las_scale_all(const clump_io_las_slot *slot, const void *raw, size_t numbers, double *values)
{
    const size_t size = clump_type_size(slot->type);
    for (size_t i = 0; i < numbers; i++) {
        const uint32_t k = (uint32_t)(i % slot->count);
        const unsigned char *from = (const unsigned char *)raw + i * size;
        const double number = clump_io_value(slot->type, raw, i) * slot->scale[k];
        const double value = slot->add[k] == 0 ? number : number + slot->add[k]; /* -0 + 0 would be 0 */
        unsigned char again[8];
        if (!clump_io_las_unscale(slot, k, value, again) || memcmp(from, again, size) != 0) return false;
        if (values) values[i] = value;
    }
    return true;
}
