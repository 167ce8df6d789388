/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_png.c: images and maps as PNG, read back by libpng.
 */
#include "support/check.h"
#include "viewer/scene/palette.h"
#include "viewer/picture/picture.h"

#include <math.h>
#include <png.h>

/* Decodes a PNG to 8 bits per channel, for free(). */
static uint8_t *decode(const view_bytes *png, uint32_t format, size_t *width, size_t *height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    *width = *height = 0;
    if (!png_image_begin_read_from_memory(&image, png->data, png->size)) {
        CHECK_FAIL("not a PNG: %s", image.message);
        return NULL;
    }
    image.format = format;
    uint8_t *const pixels = malloc(PNG_IMAGE_SIZE(image));
    if (!png_image_finish_read(&image, NULL, pixels, 0, NULL)) CHECK_FAIL("a broken PNG: %s", image.message);
    *width = image.width, *height = image.height;
    return pixels;
}

static view_image random_image(size_t width, size_t height, uint64_t seed, unsigned levels)
{
    view_image image = {malloc(3 * width * height), width, height};
    for (size_t i = 0; i < 3 * width * height; i++)
        image.rgb[i] = (uint8_t)(check_random(&seed) % levels * (255 / (levels - 1)));
    return image;
}

static void image_comes_back(void)
{
    const size_t sizes[][2] = {{1, 1}, {7, 5}, {320, 180}, {1, 300}, {3000, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        view_image image = random_image(sizes[i][0], sizes[i][1], i, 256);
        view_bytes png = {0};
        clump_message message = {""};
        view_put(&png, "abc", 3); /* a PNG is appended */
        CHECK_INT(view_put_png(&png, &image, 0, &message), CLUMP_OK);
        const view_bytes behind = {.data = png.data + 3, .size = png.size - 3};
        size_t width, height;
        uint8_t *const pixels = decode(&behind, PNG_FORMAT_RGB, &width, &height);
        CHECK_INT(width, image.width);
        CHECK_INT(height, image.height);
        CHECK(pixels && memcmp(pixels, image.rgb, 3 * width * height) == 0);
        free(pixels);
        view_image_release(&image);
        view_bytes_release(&png);
    }
}

/* The sum of the differences per channel, divided by the channels. */
static double mean_difference(const uint8_t *a, const uint8_t *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += abs(a[i] - b[i]);
    return sum / (double)count;
}

static size_t count_colours(const uint8_t *rgb, size_t pixels)
{
    uint8_t *const seen = calloc(1 << 24, 1);
    size_t count = 0;
    for (size_t i = 0; i < pixels; i++) {
        uint8_t *const mark = &seen[rgb[3 * i] << 16 | rgb[3 * i + 1] << 8 | rgb[3 * i + 2]];
        count += !*mark, *mark = 1;
    }
    free(seen);
    return count;
}

static void few_colours_are_exact(void)
{
    view_image image = random_image(40, 30, 3, 3); /* 27 colours */
    view_bytes png = {0};
    size_t width, height;
    CHECK_INT(view_put_png(&png, &image, 27, NULL), CLUMP_OK);
    uint8_t *const pixels = decode(&png, PNG_FORMAT_RGB, &width, &height);
    CHECK(pixels && memcmp(pixels, image.rgb, 3 * width * height) == 0);
    free(pixels);
    view_image_release(&image);
    view_bytes_release(&png);
}

static void many_colours_become_few(void)
{
    view_image image = {malloc(3 * 256 * 256), 256, 256};
    for (size_t i = 0; i < 256 * 256; i++) {
        image.rgb[3 * i] = (uint8_t)(i % 256), image.rgb[3 * i + 1] = (uint8_t)(i / 256);
        image.rgb[3 * i + 2] = (uint8_t)((i % 256 + i / 256) / 2);
    }
    const size_t wanted[] = {1, 2, 16, 64, 256, 1000};
    double before = 256;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        view_bytes png = {0};
        size_t width, height;
        CHECK_INT(view_put_png(&png, &image, wanted[i], NULL), CLUMP_OK);
        uint8_t *const pixels = decode(&png, PNG_FORMAT_RGB, &width, &height);
        const size_t most = wanted[i] < 256 ? wanted[i] : 256;
        CHECK_INT(count_colours(pixels, width * height), most);
        const double difference = mean_difference(pixels, image.rgb, 3 * width * height);
        CHECK(difference <= before);
        if (most == 64) CHECK_MSG(difference < 11, "%g", difference);
        if (most == 256) CHECK_MSG(difference < 6, "%g", difference);
        before = difference;
        free(pixels);
        view_bytes_release(&png);
    }
    view_image_release(&image);
}

static view_rgb pixel_of(const uint8_t *rgba, size_t side, size_t row, size_t column)
{
    const uint8_t *const p = rgba + 4 * (row * side + column);
    return (view_rgb){p[0], p[1], p[2]};
}

static bool is_colour(view_rgb a, view_rgb b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

/* The picture of a map: one pixel per cell. */
static uint8_t *map_pixels(const view_map *map)
{
    view_bytes png = {0};
    size_t width, height;
    CHECK_INT(view_put_map_png(&png, map, NULL), CLUMP_OK);
    uint8_t *const pixels = decode(&png, PNG_FORMAT_RGBA, &width, &height);
    CHECK_INT(width, map->columns);
    CHECK_INT(height, map->rows);
    view_bytes_release(&png);
    return pixels;
}

/* x is upwards, y to the left: row 0, column 0 of the map is the last pixel of the picture. */
static void numbers_of_maps_use_the_ramp(void)
{
    static const size_t shapes[][2] = {{3, 3}, {1, 9}, {9, 1}};
    const float values[9] = {0, 1, 2, 3, NAN, 5, 6, 7, 8};
    for (size_t k = 0; k < 3; k++) {
        const size_t rows = shapes[k][0], columns = shapes[k][1];
        const view_map map = {
            .name = "highest", .kind = VIEW_MAP_F32, .data = values, .rows = rows, .columns = columns, .cell = 1};
        uint8_t *const rgba = map_pixels(&map);
        for (size_t pixel = 0; pixel < 9; pixel++) {
            const size_t row = pixel / columns, column = pixel % columns;
            const float value = values[(rows - 1 - row) * columns + (columns - 1 - column)];
            CHECK_INT(rgba[4 * pixel + 3], isnan(value) ? 0 : 255);
            if (isnan(value)) continue;
            CHECK(is_colour(pixel_of(rgba, columns, row, column), view_ramp[(int)(value / 8 * 255 + 0.5)]));
        }
        free(rgba);
    }
}

static void labels_and_flags_of_maps(void)
{
    const int32_t labels[4] = {-1, 0, 1, 2147483647};
    const uint8_t flags[4] = {0, 1, 0, 255};
    const view_map label_map = {
        .name = "label", .kind = VIEW_MAP_I32, .data = labels, .rows = 2, .columns = 2, .cell = 1};
    const view_map flag_map = {.name = "flag", .kind = VIEW_MAP_U8, .data = flags, .rows = 2, .columns = 2, .cell = 1};
    uint8_t *rgba = map_pixels(&label_map);
    CHECK_INT(rgba[4 * 3 + 3], 0);
    CHECK(is_colour(pixel_of(rgba, 2, 1, 0), view_palette[0]));
    CHECK(!is_colour(pixel_of(rgba, 2, 0, 1), view_palette[0]));
    CHECK_INT(rgba[3], 255);
    free(rgba);
    rgba = map_pixels(&flag_map);
    CHECK_INT(pixel_of(rgba, 2, 1, 1).r, 0);
    CHECK_INT(pixel_of(rgba, 2, 1, 0).g, 255);
    CHECK_INT(pixel_of(rgba, 2, 0, 0).b, 255);
    CHECK_INT(rgba[4 * 3 + 3], 255); /* a flag of 0 is not empty */
    free(rgba);
}

static void empty_maps(void)
{
    const float nothing[4] = {NAN, NAN, NAN, INFINITY}, flat[4] = {7, 7, 7, 7};
    view_map map = {.name = "lowest", .kind = VIEW_MAP_F32, .data = nothing, .rows = 2, .columns = 2, .cell = 1};
    uint8_t *rgba = map_pixels(&map);
    for (size_t i = 0; i < 4; i++) CHECK_INT(rgba[4 * i + 3], 0);
    free(rgba);
    map.data = flat;
    rgba = map_pixels(&map);
    CHECK(is_colour(pixel_of(rgba, 2, 0, 0), view_ramp[128]));
    free(rgba);
    view_bytes png = {0};
    clump_message message = {""};
    map.columns = 0;
    CHECK_INT(view_put_map_png(&png, &map, &message), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(message.text, "a map has 1 to 65535 cells per side, not 2 x 0");
    CHECK_INT(png.size, 0);
}

CHECK_PROGRAM(test_view_png)
{
    RUN(image_comes_back);
    RUN(few_colours_are_exact);
    RUN(many_colours_become_few);
    RUN(numbers_of_maps_use_the_ramp);
    RUN(labels_and_flags_of_maps);
    RUN(empty_maps);
}
