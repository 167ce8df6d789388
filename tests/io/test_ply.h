/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ply.h: PLY files made value by value, the same in every encoding.
 */
#ifndef CLUMP_TESTS_TEST_PLY_H
#define CLUMP_TESTS_TEST_PLY_H

#include "io/test_io.h"

static const clump_encoding encodings[] = {CLUMP_ENCODING_ASCII, CLUMP_ENCODING_BINARY, CLUMP_ENCODING_BIG_ENDIAN};
static const char *const encoding_names[] = {"ascii", "binary_little_endian", "binary_big_endian"};

typedef struct maker {
    clump_encoding encoding;
    size_t size;
    unsigned char bytes[8192];
} maker;

static inline void make_text(maker *m, const char *text)
{
    memcpy(m->bytes + m->size, text, strlen(text));
    m->size += strlen(text);
}

static inline void make_header(maker *m, int encoding, const char *lines)
{
    m->encoding = encodings[encoding];
    m->size = 0;
    make_text(m, "ply\nformat ");
    make_text(m, encoding_names[encoding]);
    make_text(m, " 1.0\n");
    make_text(m, lines);
    make_text(m, "end_header\n");
}

static inline void make_value(maker *m, clump_type type, double value)
{
    char text[40];
    if (m->encoding == CLUMP_ENCODING_ASCII) {
        snprintf(text, sizeof text, "%.17g ", value);
        make_text(m, text);
        return;
    }
    const float f = (float)value;
    const int64_t i = type < CLUMP_TYPE_F32 ? (int64_t)value : 0;
    const void *from = type == CLUMP_TYPE_F64 ? (const void *)&value : type == CLUMP_TYPE_F32 ? (const void *)&f : &i;
    const size_t size = clump_type_size(type);
    for (size_t b = 0; b < size; b++)
        m->bytes[m->size + b] =
            ((const unsigned char *)from)[m->encoding == CLUMP_ENCODING_BIG_ENDIAN ? size - 1 - b : b];
    m->size += size;
}

static inline void make_end(maker *m)
{
    if (m->encoding == CLUMP_ENCODING_ASCII) m->bytes[m->size - 1] = '\n';
}

static inline void make_list(maker *m, clump_type count_type, clump_type type, int count)
{
    make_value(m, count_type, count);
    for (int i = 0; i < count; i++) make_value(m, type, i * 10);
}

/* Elements of every kind before the points and one behind, and lists between their properties. */
enum { POINTS = 5 };
static inline void make_sample(maker *m, int encoding)
{
    make_header(m, encoding,
                "element edge 3\nproperty int a\nproperty uchar b\n"
                "element nothing 9223372036854775808\n"
                "element face 4\nproperty list uchar int v\nproperty float w\nproperty list ushort double u\n"
                "element vertex 5\nproperty uchar red\nproperty float z\nproperty list int short l\nproperty float x\n"
                "property float y\nproperty list int8 float64 k\nproperty double time\n"
                "element tail 2\nproperty list uchar int v\n");
    for (int i = 0; i < 3; i++) make_value(m, CLUMP_TYPE_I32, -i), make_value(m, CLUMP_TYPE_U8, i), make_end(m);
    for (int i = 0; i < 4; i++) {
        make_list(m, CLUMP_TYPE_U8, CLUMP_TYPE_I32, i);
        make_value(m, CLUMP_TYPE_F32, 0.5);
        make_list(m, CLUMP_TYPE_U16, CLUMP_TYPE_F64, 3 - i);
        make_end(m);
    }
    for (int i = 0; i < POINTS; i++) {
        make_value(m, CLUMP_TYPE_U8, 250 + i);
        make_value(m, CLUMP_TYPE_F32, i + 0.75);
        make_list(m, CLUMP_TYPE_I32, CLUMP_TYPE_I16, i % 3);
        make_value(m, CLUMP_TYPE_F32, i + 0.25);
        make_value(m, CLUMP_TYPE_F32, -i - 0.5);
        make_list(m, CLUMP_TYPE_I8, CLUMP_TYPE_F64, 2 - i % 3);
        make_value(m, CLUMP_TYPE_F64, 1e9 + i / 1024.0);
        make_end(m);
    }
    for (int i = 0; i < 2; i++) make_list(m, CLUMP_TYPE_U8, CLUMP_TYPE_I32, 3), make_end(m);
}

/* Its first points are as they should be. */
static inline bool is_sample(const clump_cloud *cloud, int points)
{
    const float *xyz = clump_cloud_points(cloud).xyz;
    clump_field red, time;
    if (clump_cloud_points(cloud).count != POINTS || clump_cloud_field_count(cloud) != 2) return false;
    if (!clump_cloud_find(cloud, "red", &red) || red.type != CLUMP_TYPE_U8) return false;
    if (!clump_cloud_find(cloud, "time", &time) || time.type != CLUMP_TYPE_F64) return false;
    for (int i = 0; i < points; i++) {
        const float f = (float)i, *p = xyz + 3 * i;
        if (p[0] != f + 0.25f || p[1] != -f - 0.5f || p[2] != f + 0.75f) return false;
        if (((const uint8_t *)red.data)[i] != 250 + i || ((const double *)time.data)[i] != 1e9 + i / 1024.0)
            return false;
    }
    return true;
}

#endif
