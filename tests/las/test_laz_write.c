/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_laz_write.c: LAS to LAZ and back through the public interface: the same file, for every point format, around the sizes
 * of chunks, and with the same compressed bytes for any number of threads.
 */
#include "las/laz_made.h"
#include "las/test_las.h"

/* A LAS file with records of a survey, as a reader of LAS gives it again. */
static las_file make_file(unsigned format, size_t extra, size_t points)
{
    las_file f = las_make(&(las_recipe){.minor = 4, .format = format, .extra = extra, .points = points}, 3);
    const clump_io_laz_layout layout = laz_layout(format, extra);
    unsigned char *records = laz_made_records(&layout, points, LAZ_SURVEY, format + 1);
    if (points) memcpy(f.bytes + f.points, records, points * layout.record);
    free(records);
    return f;
}

static unsigned char *save(const clump_cloud *cloud, const char *name, int threads, size_t *size)
{
    clump_save_options options = clump_save_defaults();
    const char *path = io_path(name);
    options.threads = threads;
    *size = 0;
    CHECK_MSG(clump_cloud_save(path, cloud, NULL, &options, &io_why) == CLUMP_OK, "%s", io_why.text);
    unsigned char *bytes = io_slurp(path, size);
    unlink(path);
    return bytes;
}

static void check_there_and_back(unsigned format, size_t extra, size_t points)
{
    las_file f = make_file(format, extra, points);
    clump_cloud *cloud = las_parse(&f), *back = NULL;
    if (!cloud) return;
    size_t las_size, laz_size, other_size, again_size;
    unsigned char *const las = save(cloud, "a.las", 1, &las_size), *const laz = save(cloud, "a.laz", 1, &laz_size);
    CHECK(las && laz && (points < 100 || laz_size < las_size));
    for (int threads = 2; threads < 6; threads += 3) {
        unsigned char *const other = save(cloud, "a.laz", threads, &other_size);
        CHECK_MSG(other && other_size == laz_size && memcmp(other, laz, laz_size) == 0,
                  "format %u, %zu extra bytes, %zu points: %d threads give other bytes", format, extra, points,
                  threads);
        free(other);
    }
    CHECK_MSG(laz && io_parse("a.laz", laz, laz_size, &back) == CLUMP_OK, "%s", io_why.text);
    if (back) {
        CHECK_INT(clump_cloud_points(back).count, points);
        unsigned char *const again = save(back, "a.las", 1, &again_size);
        CHECK_MSG(again && again_size == las_size && memcmp(again, las, las_size) == 0,
                  "format %u, %zu extra bytes, %zu points: another file", format, extra, points);
        free(again);
    }
    clump_cloud_destroy(back);
    clump_cloud_destroy(cloud);
    free(las), free(laz), free(f.bytes);
}

static void every_format(void)
{
    static const unsigned formats[] = {0, 1, 2, 3, 6, 7, 8};
    static const size_t extras[] = {0, 1, 9}, counts[] = {0, 1, 2, 500};
    for (size_t f = 0; f < 7; f++)
        for (size_t e = 0; e < 3; e++)
            for (size_t n = 0; n < 4; n++) check_there_and_back(formats[f], extras[e], counts[n]);
}

/* Chunks have 50,000 points. */
static void around_chunks(void)
{
    static const size_t counts[] = {49999, 50000, 50001, 150000};
    for (size_t n = 0; n < 4; n++) {
        check_there_and_back(1, 2, counts[n]);
        check_there_and_back(6, 0, counts[n]);
    }
}

CHECK_PROGRAM(test_laz_write)
{
    RUN(every_format);
    RUN(around_chunks);
    io_cleanup();
}
