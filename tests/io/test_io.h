/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_io.h: what the tests of clump_io share.
 */
#ifndef CLUMP_TESTS_TEST_IO_H
#define CLUMP_TESTS_TEST_IO_H

#include "support/check.h"

#include <clump/io.h>

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* Parses text under a name; returns the status, the cloud or null, and the sentence in `io_why`. */
static clump_message io_why;

static inline clump_status io_parse(const char *name, const void *bytes, size_t size, clump_cloud **out)
{
    return clump_cloud_parse(bytes, size, name, NULL, out, &io_why);
}

/* Parses an exact-size copy, so that reading one byte too far is seen. */
static inline clump_status io_parse_copy(const char *name, const unsigned char *bytes, size_t size, clump_cloud **out)
{
    unsigned char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    const clump_status status = io_parse(name, copy, size, out);
    free(copy);
    CHECK((status == CLUMP_OK) == (*out != NULL));
    CHECK((status == CLUMP_OK) == (io_why.text[0] == 0));
    return status;
}

static inline clump_cloud *io_parse_text(const char *name, const char *text)
{
    clump_cloud *cloud;
    if (io_parse(name, text, strlen(text), &cloud) != CLUMP_OK) CHECK_FAIL("%s", io_why.text);
    return cloud;
}

/* That text must be refused with this status and exactly this sentence. */
#define CHECK_REFUSED(name, content, status, sentence)                                                                 \
    do {                                                                                                               \
        clump_cloud *c_ = NULL;                                                                                        \
        CHECK_INT(io_parse(name, content, strlen(content), &c_), status);                                              \
        CHECK(c_ == NULL);                                                                                             \
        CHECK_TEXT(io_why.text, sentence);                                                                             \
    } while (0)

static inline bool io_same_float(float a, float b) /* bit for bit, but any NaN equals any NaN */
{
    return memcmp(&a, &b, 4) == 0 || (isnan(a) && isnan(b));
}

static inline bool io_same_xyz(const clump_cloud *a, const clump_cloud *b)
{
    const clump_points p = clump_cloud_points(a), q = clump_cloud_points(b);
    if (p.count != q.count) return false;
    for (size_t i = 0; i < 3 * p.count; i++)
        if (!io_same_float(p.xyz[i], q.xyz[i])) return false;
    return memcmp(clump_cloud_origin(a), clump_cloud_origin(b), 3 * sizeof(double)) == 0;
}

static inline bool io_same_field(const clump_field *a, const clump_field *b, size_t points)
{
    return strcmp(a->name, b->name) == 0 && a->type == b->type && a->count == b->count &&
           memcmp(a->data, b->data, points * a->count * clump_type_size(a->type)) == 0;
}

static inline bool io_same_fields(const clump_cloud *a, const clump_cloud *b)
{
    clump_field f, g;
    if (clump_cloud_field_count(a) != clump_cloud_field_count(b)) return false;
    for (size_t i = 0; clump_cloud_field(a, i, &f) && clump_cloud_field(b, i, &g); i++)
        if (!io_same_field(&f, &g, clump_cloud_points(a).count)) return false;
    return true;
}

/* A folder of this run's own, and a file name in it. Four names may be in use at a time. */
static char io_folder[256];

static inline const char *io_path(const char *name)
{
    static char paths[4][512];
    static int next;
    if (!io_folder[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(io_folder, sizeof io_folder, "%s/clump-io-XXXXXX",
                 base && *base && strlen(base) < 200 ? base : "/tmp");
        if (!mkdtemp(io_folder)) CHECK_FAIL("no folder %s", io_folder);
    }
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", io_folder, name);
    return path;
}

static inline void io_cleanup(void)
{
    if (io_folder[0]) rmdir(io_folder);
}

/* A whole file in memory; the caller frees. */
static inline unsigned char *io_slurp(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    unsigned char *bytes = NULL;
    *size = 0;
    if (!f) return NULL;
    for (size_t got = 1; got;) {
        unsigned char *grown = realloc(bytes, *size + 65536);
        if (!grown) break;
        bytes = grown;
        got = fread(bytes + *size, 1, 65536, f);
        *size += got;
    }
    fclose(f);
    return bytes;
}

static inline void io_spill(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size) CHECK_FAIL("cannot write %s", path);
    if (f) fclose(f);
}

/* The cloud as it is after it was written under that name and read again. */
static inline clump_cloud *io_again(const char *name, const clump_cloud *cloud, clump_encoding encoding)
{
    const char *path = io_path(name);
    clump_save_options options = clump_save_defaults();
    options.encoding = encoding;
    clump_cloud *back = NULL;
    CHECK_INT(clump_cloud_save(path, cloud, NULL, &options, &io_why), CLUMP_OK);
    CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
    unlink(path);
    return back;
}

/* A cloud with one field of every type, one of them with three elements, and awkward values. */
static inline clump_cloud *io_make_cloud(size_t points)
{
    clump_cloud *cloud;
    if (clump_cloud_create(points, &cloud, &io_why) != CLUMP_OK) return NULL;
    uint64_t state = 42;
    float *xyz = clump_cloud_xyz(cloud);
    for (size_t i = 0; i < 3 * points; i++) xyz[i] = (check_random_float(&state) - 0.5f) * 200.0f;
    if (points > 3) xyz[0] = NAN, xyz[4] = -0.0f, xyz[8] = INFINITY, xyz[9] = 1e-30f, xyz[10] = -1.1e5f;
    static const char *const names[] = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"};
    for (int type = CLUMP_TYPE_I8; type <= CLUMP_TYPE_F64; type++) {
        const uint32_t count = type == CLUMP_TYPE_U16 ? 3 : 1;
        const size_t size = clump_type_size((clump_type)type);
        unsigned char *data = malloc(points * count * size + 1);
        for (size_t i = 0; i < points * count; i++) {
            const uint64_t bits = check_random(&state);
            const float f = (float)(int64_t)bits * 1e-12f;
            const double d = (double)(int64_t)bits * 1e-9;
            const void *from = type == CLUMP_TYPE_F32   ? (const void *)&f
                               : type == CLUMP_TYPE_F64 ? (const void *)&d
                                                        : &bits;
            memcpy(data + i * size, from, size);
        }
        const clump_field field = {names[type], (clump_type)type, count, data};
        CHECK_INT(clump_cloud_set_field(cloud, &field, &io_why), CLUMP_OK);
        free(data);
    }
    return cloud;
}

#endif
