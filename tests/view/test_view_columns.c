/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_columns.c: columns of integers, read back by a plain decoder.
 */
#include "support/check.h"

#include "view/view_decode.h"
#include "viewer/bytes/bytes.h"

typedef int64_t make_value(size_t i);

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9E3779B97F4A7C15u;
    return (x ^ x >> 29) * 0xBF58476D1CE4E5B9u;
}

static int64_t zero(size_t i)
{
    return (void)i, 0;
}
static int64_t constant(size_t i)
{
    return (void)i, -77;
}
static int64_t ramp(size_t i)
{
    return (int64_t)(3 * i) - 1000;
}
static int64_t ring(size_t i)
{
    return (int64_t)(i % 32 * 5 % 32);
}
static int64_t noise(size_t i)
{
    return (int64_t)(mix(i) >> 56) - 128;
}
static int64_t wave(size_t i)
{
    return (int64_t)(i * i % 70000) + (int64_t)(mix(i) >> 60);
}
static int64_t extreme(size_t i)
{
    return i % 3 == 0 ? INT64_MIN : i % 3 == 1 ? INT64_MAX : (int64_t)mix(i);
}
static int64_t rows_of_100(size_t i)
{
    return (int64_t)(mix(i % 100) & 0xFFFFF) + (int64_t)(i / 100);
}

static view_coding check_column(make_value *make, size_t count, size_t width, int level)
{
    int64_t *const values = malloc((count + 1) * sizeof *values), *const found = malloc((count + 1) * sizeof *found);
    for (size_t i = 0; i < count; i++) values[i] = make(i);
    view_bytes bytes = {0};
    view_put_text(&bytes, "before");
    view_coding coding;
    view_put_column(&bytes, values, count, width, level, &coding);
    CHECK(!bytes.failed);
    CHECK_INT(coding.at, 6);
    CHECK_INT(coding.at + coding.size, bytes.size);
    CHECK(view_decode_column(bytes.data + coding.at, coding.size, coding.planes, coding.back, found, count));
    CHECK(memcmp(values, found, count * sizeof *values) == 0);
    view_bytes_release(&bytes);
    free(values);
    free(found);
    return coding;
}

static void columns_come_back(void)
{
    make_value *const all[] = {zero, constant, ramp, ring, noise, wave, extreme, rows_of_100};
    const size_t counts[] = {0, 1, 2, 17, 1000, 2047, 2048, 2049, 70000};
    const int levels[] = {1, 6, 9};
    for (size_t m = 0; m < sizeof all / sizeof *all; m++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t l = 0; l < 3; l++) check_column(all[m], counts[c], 0, levels[l]);
}

static void the_best_distance_is_found(void)
{
    CHECK_INT(check_column(zero, 5000, 0, 6).planes, 0);
    CHECK_INT(check_column(zero, 5000, 0, 6).size, 0);
    CHECK_INT(check_column(ramp, 50000, 0, 6).back, 1);
    CHECK_INT(check_column(ring, 50000, 0, 6).back, 32);
    CHECK_INT(check_column(noise, 50000, 0, 6).back, 0);
    CHECK_INT(check_column(rows_of_100, 50000, 100, 6).back, 100);
    CHECK(check_column(ramp, 50000, 0, 6).size < 300);
    CHECK(check_column(noise, 50000, 0, 6).size < 50100);
}

static void same_values_give_same_bytes(void)
{
    int64_t values[5000];
    for (size_t i = 0; i < 5000; i++) values[i] = wave(i);
    view_bytes bytes[2] = {{0}};
    for (int k = 0; k < 2; k++) {
        view_coding coding;
        view_put_column(&bytes[k], values, 5000, 0, 9, &coding);
    }
    CHECK_INT(bytes[0].size, bytes[1].size);
    CHECK(memcmp(bytes[0].data, bytes[1].data, bytes[0].size) == 0);
    for (int k = 0; k < 2; k++) view_bytes_release(&bytes[k]);
}

static void deflated_bytes_come_back(void)
{
    const size_t sizes[] = {0, 1, 100000};
    for (size_t s = 0; s < 3; s++) {
        uint8_t *const from = malloc(sizes[s] + 1), *const back = malloc(sizes[s] + 1);
        for (size_t i = 0; i < sizes[s]; i++) from[i] = (uint8_t)(mix(i) % 3);
        view_bytes bytes = {0};
        view_put_deflated(&bytes, from, sizes[s], 9);
        CHECK(view_inflate(bytes.data, bytes.size, back, sizes[s]));
        CHECK(memcmp(from, back, sizes[s]) == 0);
        view_bytes_release(&bytes);
        free(from);
        free(back);
    }
}

CHECK_PROGRAM(test_view_columns)
{
    RUN(columns_come_back);
    RUN(the_best_distance_is_found);
    RUN(same_values_give_same_bytes);
    RUN(deflated_bytes_come_back);
}
