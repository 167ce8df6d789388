/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_las.h: LAS files made in memory, for the tests that read them. Written from the specification
 * alone: nothing in here is shared with the library.
 */
#ifndef CLUMP_TESTS_TEST_LAS_H
#define CLUMP_TESTS_TEST_LAS_H

#include "io/test_io.h"

static const size_t las_record_sizes[11] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};

/* What a file is made of; 0 is a good start for all of it. */
typedef struct las_recipe {
    unsigned minor, format;
    size_t points;
    size_t extra;               /* bytes of a record behind the format's own */
    double scale[3], offset[3]; /* scale 0: 0.001 */
    const void *descriptors;    /* data of a VLR LASF_Spec 4; null: none */
    size_t descriptors_size;
    size_t vlrs;    /* others, before that one, of 7 bytes each */
    size_t gap;     /* bytes between the VLRs and the points */
    size_t evlrs;   /* of 9 bytes each; LAS 1.4 */
    size_t rest;    /* bytes at the end that belong to nothing */
    bool waveforms; /* 20 bytes of them before the EVLRs; LAS 1.3 on */
} las_recipe;

typedef struct las_file {
    unsigned char *bytes;
    size_t size, points, record, count; /* points: byte of the first */
} las_file;

static inline void las_put(unsigned char *to, uint64_t value, size_t size)
{
    memcpy(to, &value, size);
}

static inline uint64_t las_get(const unsigned char *from, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, from, size);
    return value;
}

static inline int32_t las_step(const las_file *f, size_t point, size_t axis)
{
    return (int32_t)las_get(f->bytes + f->points + point * f->record + 4 * axis, 4);
}

static inline void las_set_step(las_file *f, size_t point, size_t axis, int64_t step)
{
    las_put(f->bytes + f->points + point * f->record + 4 * axis, (uint64_t)step, 4);
}

static inline double las_value(const las_file *f, size_t point, size_t axis)
{
    double scale, offset;
    memcpy(&scale, f->bytes + 131 + 8 * axis, 8);
    memcpy(&offset, f->bytes + 155 + 8 * axis, 8);
    return las_step(f, point, axis) * scale + offset;
}

/* Bounds and returns as they should be; for tests that change points. */
static inline void las_tidy(las_file *f)
{
    const unsigned minor = f->bytes[25], format = f->bytes[104];
    uint64_t returns[16] = {0};
    for (size_t a = 0; a < 3; a++) {
        double lower = INFINITY, upper = -INFINITY;
        for (size_t i = 0; i < f->count; i++) {
            lower = fmin(lower, las_value(f, i, a));
            upper = fmax(upper, las_value(f, i, a));
        }
        if (!f->count) lower = upper = 0;
        memcpy(f->bytes + 179 + 16 * a, &upper, 8);
        memcpy(f->bytes + 187 + 16 * a, &lower, 8);
    }
    for (size_t i = 0; i < f->count; i++) returns[f->bytes[f->points + i * f->record + 14] & (format < 6 ? 7 : 15)]++;
    for (size_t r = 0; r < 5 && (format < 6 || minor < 4); r++) las_put(f->bytes + 111 + 4 * r, returns[r + 1], 4);
    for (size_t r = 0; r < 15 && minor >= 4; r++) las_put(f->bytes + 255 + 8 * r, returns[r + 1], 8);
}

static inline unsigned char *las_put_vlr(unsigned char *p, const char *user, unsigned id, const void *data, size_t size)
{
    memcpy(p + 2, user, strlen(user));
    las_put(p + 18, id, 2);
    las_put(p + 20, size, 2);
    memcpy(p + 22, "a description", 13);
    memcpy(p + 54, data, size);
    return p + 54 + size;
}

static inline unsigned char *las_put_evlr(unsigned char *p, const char *user, unsigned id, const void *data,
                                          size_t size)
{
    memcpy(p + 2, user, strlen(user));
    las_put(p + 18, id, 2);
    las_put(p + 20, size, 8);
    memcpy(p + 60, data, size);
    return p + 60 + size;
}

/* Records are random bytes, so all bit patterns occur; the coordinates stay within 2^20 steps. */
static inline las_file las_make(const las_recipe *r, uint64_t seed)
{
    const size_t head = r->minor < 3 ? 227 : r->minor == 3 ? 235 : 375;
    las_file f = {.record = las_record_sizes[r->format] + r->extra, .count = r->points};
    f.points = head + 61 * r->vlrs + (r->descriptors ? 54 + r->descriptors_size : 0) + r->gap;
    const size_t end = f.points + f.count * f.record;
    f.size = end + (r->waveforms ? 80 : 0) + 69 * r->evlrs + r->rest;
    unsigned char *b = f.bytes = calloc(f.size, 1), *p = b + head;
    memcpy(b, "LASF", 4);
    las_put(b + 6, (r->waveforms ? 2u : 0u) | (r->format >= 6 ? 16u : 0u), 2);
    b[24] = 1, b[25] = (unsigned char)r->minor;
    memcpy(b + 26, "a system", 8), memcpy(b + 58, "a program", 9);
    las_put(b + 90, 123, 2), las_put(b + 92, 2024, 2);
    las_put(b + 94, head, 2), las_put(b + 96, f.points, 4);
    las_put(b + 100, r->vlrs + (r->descriptors ? 1 : 0), 4);
    b[104] = (unsigned char)r->format;
    las_put(b + 105, f.record, 2);
    if (r->format < 6 || r->minor < 4) las_put(b + 107, f.count, 4);
    for (size_t a = 0; a < 3; a++) {
        const double scale = r->scale[a] == 0 ? 0.001 : r->scale[a];
        memcpy(b + 131 + 8 * a, &scale, 8);
        memcpy(b + 155 + 8 * a, &r->offset[a], 8);
    }
    for (size_t i = 0; i < r->vlrs; i++) p = las_put_vlr(p, "somebody", (unsigned)i, "seven !", 7);
    if (r->descriptors) p = las_put_vlr(p, "LASF_Spec", 4, r->descriptors, r->descriptors_size);
    memset(p, 0xdd, r->gap);
    uint64_t state = seed;
    for (size_t i = f.points; i < end; i++) b[i] = (unsigned char)(check_random(&state) >> 20);
    for (size_t i = 0; i < f.count; i++)
        for (size_t a = 0; a < 3; a++) las_set_step(&f, i, a, (int64_t)(check_random(&state) >> 44) - (1 << 19));
    p = b + end;
    if (r->waveforms) {
        las_put(b + 227, (uint64_t)(p - b), 8);
        p = las_put_evlr(p, "LASF_Spec", 65535, "twenty bytes of wave", 20);
    }
    if (r->minor >= 4) {
        las_put(b + 235, r->evlrs ? (uint64_t)(p - b) : 0, 8);
        las_put(b + 243, r->evlrs, 4);
        las_put(b + 247, f.count, 8);
    }
    for (size_t i = 0; i < r->evlrs; i++) p = las_put_evlr(p, "somebody", 77, "nine more", 9);
    memset(p, 0xee, r->rest);
    las_tidy(&f);
    return f;
}

/* A descriptor of an extra dimension. options 8: scale, 16: offset count; they are then 1, 2, 3 times
 * those given. */
static inline void las_describe(unsigned char *d, const char *name, unsigned type, unsigned options, double scale,
                                double offset)
{
    memset(d, 0, 192);
    d[2] = (unsigned char)type, d[3] = (unsigned char)options;
    memcpy(d + 4, name, strlen(name));
    for (int k = 0; k < 3 && type; k++) {
        const double s = options & 8 ? scale * (k + 1) : 0, o = options & 16 ? offset * (k + 1) : 0;
        memcpy(d + 112 + 8 * k, &s, 8);
        memcpy(d + 136 + 8 * k, &o, 8);
    }
    memcpy(d + 160, "what it is", 10);
}

static inline clump_cloud *las_parse(const las_file *f)
{
    clump_cloud *cloud;
    if (io_parse("a.las", f->bytes, f->size, &cloud) != CLUMP_OK) CHECK_FAIL("%s", io_why.text);
    return cloud;
}

/* The cloud as LAS, in memory; the caller frees the bytes. */
static inline las_file las_save(const clump_cloud *cloud, const int32_t *labels)
{
    las_file f = {0};
    const char *path = io_path("saved.las");
    if (clump_cloud_save(path, cloud, labels, NULL, &io_why) != CLUMP_OK) {
        CHECK_FAIL("%s", io_why.text);
        return f;
    }
    f.bytes = io_slurp(path, &f.size);
    unlink(path);
    if (!f.bytes || f.size < 227) { /* the shortest header */
        CHECK_FAIL("%s: %zu bytes", path, f.size);
        free(f.bytes);
        return (las_file){0};
    }
    f.points = las_get(f.bytes + 96, 4), f.record = las_get(f.bytes + 105, 2);
    f.count = las_get(f.bytes + (f.bytes[25] >= 4 ? 247 : 107), f.bytes[25] >= 4 ? 8 : 4);
    return f;
}

/* Read and written again, the file is the same. */
static inline void las_check_same_again(const las_file *f, const char *what)
{
    clump_cloud *cloud = las_parse(f);
    if (!cloud) return;
    las_file again = las_save(cloud, NULL);
    const bool outside = strstr(clump_cloud_describe(cloud).note, "outside of the bounds") != NULL;
    size_t k = 0;
    while (k < f->size && k < again.size && (f->bytes[k] == again.bytes[k] || (outside && k >= 179 && k < 227))) k++;
    CHECK_MSG(f->size == again.size && k == f->size, "%s: %zu bytes, %zu before, differ at %zu", what, again.size,
              f->size, k);
    free(again.bytes);
    clump_cloud_destroy(cloud);
}

/* That the file is refused, with this status and sentence. */
#define LAS_REFUSED(file, status, sentence)                                                                            \
    do {                                                                                                               \
        clump_cloud *c_ = NULL;                                                                                        \
        CHECK_INT(io_parse("a.las", (file)->bytes, (file)->size, &c_), status);                                        \
        CHECK(c_ == NULL);                                                                                             \
        CHECK_TEXT(io_why.text, sentence);                                                                             \
    } while (0)

#endif
