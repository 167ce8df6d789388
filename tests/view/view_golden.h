/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_golden.h: compares a picture with the stored one in tests/golden/. Few pixels may differ, by the last bit of a
 * function of libm. CLUMP_GOLDEN_RECORD=1 stores new ones: look at them.
 */
#ifndef CLUMP_TESTS_VIEW_GOLDEN_H
#define CLUMP_TESTS_VIEW_GOLDEN_H

#include "support/check.h"
#include "viewer/picture/picture.h"

#include <png.h>

#define GOLDEN_MEAN  0.05  /* of 255: mean difference of all numbers */
#define GOLDEN_SHARE 0.002 /* of the numbers may differ by more than 2 */

static inline bool golden_equal(const view_image *a, const view_image *b)
{
    if (a->width != b->width || a->height != b->height) return false;
    const size_t count = 3 * a->width * a->height;
    double sum = 0, differing = 0;
    for (size_t i = 0; i < count; i++) {
        const int difference = abs(a->rgb[i] - b->rgb[i]);
        sum += difference, differing += difference > 2;
    }
    return sum <= GOLDEN_MEAN * (double)count && differing <= GOLDEN_SHARE * (double)count;
}

/* Reads a stored picture; without pixels where there is none. */
static inline view_image golden_load(const char *path)
{
    view_image out = {0};
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) return out;
    image.format = PNG_FORMAT_RGB;
    out = (view_image){malloc(PNG_IMAGE_SIZE(image)), image.width, image.height};
    if (!png_image_finish_read(&image, NULL, out.rgb, 0, NULL)) view_image_release(&out);
    return out;
}

static inline void golden_store(const char *path, const view_image *image)
{
    view_bytes png = {0};
    FILE *const file = fopen(path, "wb");
    if (!file || view_put_png(&png, image, 0, NULL) != CLUMP_OK || fwrite(png.data, 1, png.size, file) != png.size)
        CHECK_FAIL("%s cannot be written", path);
    if (file) fclose(file);
    view_bytes_release(&png);
}

/* Checks a picture; with CLUMP_GOLDEN_RECORD set it is stored instead. A wrong one is left in the working directory. */
static inline void golden_check(const char *name, const view_image *image)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/golden/%s.png", CLUMP_TEST_SOURCE, name);
    const char *const record = getenv("CLUMP_GOLDEN_RECORD");
    if (record && *record) {
        golden_store(path, image);
        return;
    }
    view_image stored = golden_load(path);
    if (!stored.rgb)
        CHECK_FAIL("%s cannot be read", path);
    else if (!golden_equal(&stored, image)) {
        snprintf(path, sizeof path, "%s.wrong.png", name);
        golden_store(path, image);
        CHECK_FAIL("%s is not as tests/golden/%s.png", path, name);
    }
    view_image_release(&stored);
}

#endif
