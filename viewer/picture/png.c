/* SPDX-License-Identifier: BSD-3-Clause
 *
 * png.c: images and maps as PNG. See picture.h. A PNG is a signature and chunks: IHDR (size and kind), PLTE (a palette),
 * IDAT (the rows, deflated) and IEND.
 */
#include "viewer/bytes/bytes.h"
#include "common/assert.h"
#include "viewer/picture/paint.h"
#include "viewer/picture/picture.h"
#include "viewer/scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Measured on a KITTI scan, 1600 x 900 (home, dark): levels 1, 2, 3, 4, 6 give 500, 485, 459, 451, 426 kB; 3 takes a fifth
 * longer than 2, 6 three times as long. Filters make these pictures larger: 579 kB with "sub", 630 kB with "up". With 64
 * colours at 960 x 540, level 9 takes five times as long as 6 and saves 3 %. */
enum { PNG_LEVEL = 2, PNG_LEVEL_SMALL = 6 };

enum { PNG_CHUNK = 1 << 20 };                        /* bytes of an IDAT at most */
enum { PNG_RGB = 2, PNG_PALETTE = 3, PNG_RGBA = 6 }; /* colour types */

/* What is written: rows of bytes of one of PNG's colour types, 8 bits per channel. */
typedef struct png_plan {
    const uint8_t *rows;
    size_t width, height, channels;
    int colour_type, level;
    const view_rgb *palette;
    size_t colours;
} png_plan;

static clump_status no_memory(size_t width, size_t height, clump_message *message)
{
    if (message)
        snprintf(message->text, sizeof message->text, "not enough memory for a picture of %zu x %zu pixels", width,
                 height);
    return CLUMP_ERR_OUT_OF_MEMORY;
}

static void put_number(view_bytes *to, uint32_t number)
{
    view_put(
        to,
        (const uint8_t[]){(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number},
        4);
}

/* The checksum of a chunk. */
static uint32_t crc_of(const uint8_t *bytes, size_t size)
{
    uint32_t table[256], crc = UINT32_MAX;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
    }
    for (size_t i = 0; i < size; i++) crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
    return ~crc;
}

/* The checksum of a zlib stream, Adler-32. After 5552 bytes the sums could overflow. */
static uint32_t adler_of(const uint8_t *bytes, size_t size)
{
    uint32_t a = 1, b = 0;
    while (size > 0) {
        const size_t piece = size < 5552 ? size : 5552;
        for (size_t i = 0; i < piece; i++) a += bytes[i], b += a;
        a %= 65521, b %= 65521;
        bytes += piece, size -= piece;
    }
    return b << 16 | a;
}

/* Appends a chunk. */
static void put_chunk(view_bytes *to, const char *name, const void *from, size_t size)
{
    CLUMP_ASSERT(size <= UINT32_MAX);
    put_number(to, (uint32_t)size);
    view_put(to, name, 4);
    view_put(to, from, size);
    if (!to->failed) put_number(to, crc_of(to->data + to->size - size - 4, size + 4));
}

/* Appends the rows as a zlib stream; a byte before each row says that it is not filtered. Filters make these pictures
 * larger. */
static void put_rows(view_bytes *to, const png_plan *plan)
{
    CLUMP_ASSERT(plan->width >= 1 && plan->height >= 1 && plan->channels >= 1 && plan->channels <= 4);
    const size_t row = plan->width * plan->channels, size = plan->height * (row + 1);
    uint8_t *const raw = malloc(size);
    if (!raw) {
        to->failed = true;
        return;
    }
    for (size_t y = 0; y < plan->height; y++) {
        raw[y * (row + 1)] = 0;
        memcpy(raw + y * (row + 1) + 1, plan->rows + y * row, row);
    }
    view_put(to, (const uint8_t[]){0x78, 0x01}, 2); /* deflate with a window of 32 kB */
    view_put_deflated(to, raw, size, plan->level);
    put_number(to, adler_of(raw, size));
    free(raw);
}

/* Appends the PNG of the plan. False: no memory. */
static bool encode(view_bytes *to, const png_plan *plan)
{
    view_bytes head = {0}, rows = {0};
    put_number(&head, (uint32_t)plan->width);
    put_number(&head, (uint32_t)plan->height);
    view_put(&head, (const uint8_t[]){8, (uint8_t)plan->colour_type, 0, 0, 0}, 5); /* 8 bits, not interlaced */
    put_rows(&rows, plan);
    view_put(to, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(to, "IHDR", head.data, head.size);
    if (plan->palette) put_chunk(to, "PLTE", plan->palette, 3 * plan->colours);
    for (size_t at = 0; at < rows.size; at += PNG_CHUNK)
        put_chunk(to, "IDAT", rows.data + at, rows.size - at < PNG_CHUNK ? rows.size - at : PNG_CHUNK);
    put_chunk(to, "IEND", "", 0);
    const bool done = !head.failed && !rows.failed && !to->failed;
    view_bytes_release(&head);
    view_bytes_release(&rows);
    return done;
}

static clump_status put_few_colours(view_bytes *to, const view_image *image, size_t colours, clump_message *message)
{
    view_rgb palette[256];
    uint8_t *const pixels = malloc(image->width * image->height);
    const size_t chosen = pixels ? view_quantise(image, colours < 256 ? colours : 256, palette, pixels) : 0;
    const png_plan plan = {.rows = pixels,
                           .width = image->width,
                           .height = image->height,
                           .channels = 1,
                           .colour_type = PNG_PALETTE,
                           .level = PNG_LEVEL_SMALL,
                           .palette = palette,
                           .colours = chosen};
    const bool done = chosen && encode(to, &plan);
    free(pixels);
    return done ? CLUMP_OK : no_memory(image->width, image->height, message);
}

clump_status view_put_png(view_bytes *to, const view_image *image, size_t colours, clump_message *message)
{
    if (colours) return put_few_colours(to, image, colours, message);
    const png_plan plan = {.rows = image->rgb,
                           .width = image->width,
                           .height = image->height,
                           .channels = 3,
                           .colour_type = PNG_RGB,
                           .level = PNG_LEVEL};
    return encode(to, &plan) ? CLUMP_OK : no_memory(image->width, image->height, message);
}

/* The colour of a cell of labels. Labels of neighbours are often consecutive: 7 steps of the palette keep them apart. */
static view_rgb label_colour(int32_t label)
{
    return view_palette[(uint32_t)label * 7u % VIEW_PALETTE];
}

/* Sets the colour of a cell; false: it is empty. low and high are the limits of the numbers. */
static bool paint_cell(const view_map *map, size_t cell, float low, float high, view_rgb *colour)
{
    if (map->kind == VIEW_MAP_F32) {
        const float value = ((const float *)map->data)[cell];
        if (!isfinite(value)) return false;
        *colour = view_ramp_colour(value, low, high);
    } else if (map->kind == VIEW_MAP_I32) {
        const int32_t label = ((const int32_t *)map->data)[cell];
        if (label < 0) return false;
        *colour = label_colour(label);
    } else {
        const uint8_t level = ((const uint8_t *)map->data)[cell] ? 255 : 0;
        *colour = (view_rgb){level, level, level};
    }
    return true;
}

clump_status view_put_map_png(view_bytes *to, const view_map *map, clump_message *message)
{
    const size_t rows = map->rows, columns = map->columns, cells = rows * columns;
    if (!rows || !columns || rows > UINT16_MAX || columns > UINT16_MAX) {
        if (message)
            snprintf(message->text, sizeof message->text, "a map has 1 to 65535 cells per side, not %zu x %zu", rows,
                     columns);
        return CLUMP_ERR_ARGUMENT;
    }
    uint8_t *const rgba = calloc(cells, 4);
    if (!rgba) return no_memory(columns, rows, message);
    float low = 0, high = 0;
    if (map->kind == VIEW_MAP_F32) {
        const view_numbers numbers = {map->data, 1, 1, cells};
        view_robust_limits(&numbers, &low, &high);
    }
    for (size_t pixel = 0; pixel < cells; pixel++) {
        view_rgb colour;
        if (!paint_cell(map, cells - 1 - pixel, low, high, &colour)) continue;
        rgba[4 * pixel] = colour.r, rgba[4 * pixel + 1] = colour.g, rgba[4 * pixel + 2] = colour.b;
        rgba[4 * pixel + 3] = 255;
    }
    const png_plan plan = {.rows = rgba,
                           .width = columns,
                           .height = rows,
                           .channels = 4,
                           .colour_type = PNG_RGBA,
                           .level = PNG_LEVEL_SMALL};
    const bool done = encode(to, &plan);
    free(rgba);
    return done ? CLUMP_OK : no_memory(columns, rows, message);
}
