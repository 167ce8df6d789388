/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nclt_sync.c: scans of the folder velodyne_sync of the NCLT data set: points of 8 bytes without a header
 * (io/sensors/nclt_hits.h). The name of a file is its time in microseconds.
 */
#include "recordings/recording.h"
#include "sensors/nclt_hits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NCLT_SYNC_PROBED ((size_t)4096) /* points that are looked at */

static bool is_named_so(const char *path)
{
    const char *const end = strrchr(path, '/');
    static const char name[] = "velodyne_sync";
    const size_t size = sizeof name - 1;
    return end && (size_t)(end - path) >= size && memcmp(end - size, name, size) == 0 &&
           ((size_t)(end - path) == size || end[-(ptrdiff_t)size - 1] == '/');
}

static bool has_extension_bin(const char *path)
{
    char extension[16];
    clump_io_extension(path, extension);
    return strcmp(extension, "bin") == 0;
}

/* Whether the bytes are such points. Every laser number is below 32, and many of them occur. The last bytes of measured
 * floats are larger. */
static bool looks_so(const unsigned char *bytes, size_t size)
{
    const size_t count = size / CLUMP_IO_NCLT_HIT < NCLT_SYNC_PROBED ? size / CLUMP_IO_NCLT_HIT : NCLT_SYNC_PROBED;
    size_t lasers = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned char laser = bytes[i * CLUMP_IO_NCLT_HIT + 7];
        if (laser >= CLUMP_IO_NCLT_LASERS) return false;
        lasers |= (size_t)1 << laser;
    }
    return count >= 64 && __builtin_popcountll(lasers) >= 16;
}

bool clump_io_is_nclt_sync(const clump_io_paths *paths)
{
    if (paths->count == 0) return false;
    for (size_t i = 0; i < paths->count; i++)
        if (!has_extension_bin(paths->list[i])) return false;
    if (is_named_so(paths->list[0])) return true;
    const clump_io_where silent = {NULL, NULL};
    clump_io_stream stream;
    if (clump_io_stream_open(&silent, paths->list[0], &stream) != CLUMP_OK) return false;
    const bool is_so = stream.size % CLUMP_IO_NCLT_HIT == 0 && looks_so(stream.data, stream.loaded);
    clump_io_stream_close(&stream);
    return is_so;
}

static clump_status read_hits(const clump_io_where *where, const clump_io_stream *stream, clump_cloud **cloud)
{
    static const clump_io_shape shapes[] = {{"intensity", 0, CLUMP_TYPE_F32, 1}, {"laser", 0, CLUMP_TYPE_U8, 1}};
    const size_t count = stream->size / CLUMP_IO_NCLT_HIT;
    if (stream->size % CLUMP_IO_NCLT_HIT)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "%zu bytes are no multiple of the 8 bytes of a point",
                             stream->size);
    CLUMP_IO_TRY(clump_io_cloud_prepare(where, cloud, shapes, 2, count ? count : 1));
    clump_io_cloud_set_count(*cloud, count);
    float *const intensity = clump_io_field_data(*cloud, 0);
    unsigned char *const laser = clump_io_field_data(*cloud, 1);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *const hit = stream->data + i * CLUMP_IO_NCLT_HIT;
        for (size_t axis = 0; axis < 3; axis++) (*cloud)->xyz[3 * i + axis] = clump_io_nclt_metres(hit + 2 * axis);
        intensity[i] = hit[6];
        laser[i] = hit[7];
    }
    return CLUMP_OK;
}

clump_status clump_io_nclt_sync_load(const clump_io_where *where, const char *path, clump_cloud **cloud)
{
    clump_io_stream stream;
    CLUMP_IO_TRY(clump_io_stream_open(where, path, &stream));
    const clump_io_source all = {.bytes = stream.data, .size = stream.size, .stream = &stream, .where = *where};
    clump_status status = clump_io_require_all(&all);
    if (status == CLUMP_OK) status = read_hits(where, &stream, cloud);
    clump_io_stream_close(&stream);
    if (status != CLUMP_OK) {
        clump_cloud_destroy(*cloud);
        *cloud = NULL;
    }
    return status;
}
