/* SPDX-License-Identifier: BSD-3-Clause
 *
 * png.c: images and maps as PNG, by libpng. See picture.h.
 */
#include "paint.h"
#include "picture.h"
#include "quantise.h"
#include "rank.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

/* Measured on a KITTI scan, 1600 x 900 (home, dark): levels 1, 2, 3, 4, 6 give 500, 485, 459, 451, 426 kB; 3 takes a fifth
 * longer than 2, 6 three times as long. Filters make these pictures larger: 579 kB with "sub", 630 kB with "up". With 64
 * colours at 960 x 540, level 9 takes five times as long as 6 and saves 3 %. */
enum { PNG_LEVEL = 2, PNG_LEVEL_SMALL = 6 };

/* What is written: rows of bytes of one of PNG's colour types, 8 bits per channel. */
typedef struct png_plan {
    const uint8_t *rows;
    size_t width, height, channels;
    int colour_type, level, filters;
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

static void put_bytes(png_structp png, png_bytep bytes, size_t size)
{
    view_put(png_get_io_ptr(png), bytes, size);
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static void ignore_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void leave(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void write_image(png_structp png, png_infop info, const png_plan *plan)
{
    png_set_IHDR(png, info, (png_uint_32)plan->width, (png_uint_32)plan->height, 8, plan->colour_type,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, plan->level);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, plan->filters);
    if (plan->palette) {
        png_color colours[256];
        for (size_t i = 0; i < plan->colours; i++)
            colours[i] = (png_color){plan->palette[i].r, plan->palette[i].g, plan->palette[i].b};
        png_set_PLTE(png, info, colours, (int)plan->colours);
    }
    png_write_info(png, info);
    for (size_t y = 0; y < plan->height; y++) png_write_row(png, plan->rows + y * plan->width * plan->channels);
    png_write_end(png, info);
}

/* Appends the PNG of the plan. False: no memory. libpng leaves a failed call by longjmp. */
static bool encode(view_bytes *to, const png_plan *plan)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, leave, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    volatile bool done = false;
    if (info && !setjmp(png_jmpbuf(png))) {
        png_set_write_fn(png, to, put_bytes, flush_nothing);
        write_image(png, info, plan);
        done = true;
    }
    png_destroy_write_struct(&png, &info);
    return done && !to->failed;
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
                           .colour_type = PNG_COLOR_TYPE_PALETTE,
                           .level = PNG_LEVEL_SMALL,
                           .filters = PNG_FILTER_NONE,
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
                           .colour_type = PNG_COLOR_TYPE_RGB,
                           .level = PNG_LEVEL,
                           .filters = PNG_FILTER_NONE};
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
                           .colour_type = PNG_COLOR_TYPE_RGB_ALPHA,
                           .level = PNG_LEVEL_SMALL,
                           .filters = PNG_FILTER_NONE};
    const bool done = encode(to, &plan);
    free(rgba);
    return done ? CLUMP_OK : no_memory(columns, rows, message);
}
