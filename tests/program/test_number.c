/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_number.c: the program's numbers as text (cli/base/number.c) against the rule they must follow, stated with printf
 * and strtod; times and sizes for people (cli/base/units.c). Tier 3 compares 40 times as many, tier 1 an eighth.
 */
#include "support/check.h"

#include "base/number.h"

#include <math.h>

static size_t times(size_t count)
{
    const int tier = check_tier();
    return tier == 3 ? 40 * count : tier == 1 ? count / 8 : count;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The rule: of the precisions from 6 on the first whose text reads back as local. */
static void expect_coordinate(char text[CLI_NUMBER_SIZE], float local, double origin)
{
    text[0] = '\0';
    const double value = origin + (double)local;
    if (!isfinite(value)) return;
    const bool plain = origin != 0 && fabs(value) >= 1 && fabs(value) < 1e15;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, CLI_NUMBER_SIZE, "%.*g", digits, value == 0 ? 0 : value);
        if (plain && strchr(text, 'e')) continue;
        const double back = strtod(text, NULL) - origin;
        if ((float)back == local) return;
    }
}

static void compare_coordinate(float local, double origin)
{
    char text[CLI_NUMBER_SIZE + 8], expected[CLI_NUMBER_SIZE];
    memset(text, '#', sizeof text);
    expect_coordinate(expected, local, origin);
    cli_coordinate_text(text, local, origin);
    if (strcmp(text, expected) != 0)
        CHECK_FAIL("%a from %a is \"%s\", expected \"%s\"", (double)local, origin, text, expected);
    CHECK(memcmp(text + CLI_NUMBER_SIZE, "########", 8) == 0);
}

static void compare_double(double value)
{
    char text[CLI_NUMBER_SIZE], expected[CLI_NUMBER_SIZE] = "";
    *cli_put_double(text, value) = '\0';
    for (int digits = 15; digits <= 17 && isfinite(value); digits++) {
        snprintf(expected, sizeof expected, "%.*g", digits, value == 0 ? 0 : value);
        if (strtod(expected, NULL) == value) break;
    }
    if (strcmp(text, expected) != 0) CHECK_FAIL("%a is \"%s\", expected \"%s\"", value, text, expected);
}

/* A sample of all float32, both signs, subnormal numbers, infinity and NaN included. */
static void floats_of_all_sizes(void)
{
    const uint64_t step = ((uint64_t)1 << 32) / times(100000) | 1;
    for (uint64_t bits = 0; bits >> 32 == 0; bits += step) compare_coordinate(float_of((uint32_t)bits), 0);
}

/* Powers of two and of ten with their neighbours: gaps of different width on either side, carries, ties. */
static void edges(void)
{
    for (uint32_t power = 0; power < 256; power++)
        for (uint32_t k = 0; k < 5; k++) compare_coordinate(float_of((power << 23) + k - 2), 0);
    for (int power = -45; power <= 38; power++) {
        const float ten = (float)pow(10, power);
        float around = ten;
        for (int k = 0; k < 4; k++) around = nextafterf(around, 0);
        for (int k = 0; k < 9; k++, around = nextafterf(around, INFINITY)) {
            compare_coordinate(around, 0);
            compare_coordinate(-around, 0);
        }
    }
    const float odd[] = {0.5f, 1.5f, 999999.5f, 999999.4f, 99999.95f, 0.000099999995f, 0.0001f, 16777216, 33554430};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) compare_coordinate(odd[i], 0);
    for (int i = 0; i < 4000; i++) compare_coordinate((float)i / 8 + 131072, 0); /* ties at 6 digits */
    compare_coordinate(0, 0);
    compare_coordinate(-0.0f, 0);
    compare_coordinate(INFINITY, 0);
    compare_coordinate(NAN, 5);
}

/* Numbers as files have them: metres with millimetres. */
static void few_decimals(void)
{
    for (int i = -120000; i <= 120000; i += 7) compare_coordinate((float)i / 1000, 0);
    uint64_t state = 5;
    for (size_t i = 0; i < times(50000); i++)
        compare_coordinate((check_random_float(&state) - 0.5f) * 200, 0); /* centroids */
}

static void coordinates_with_an_origin(void)
{
    static const double origins[] = {481213, 5455800, -4.5e6, 1, -1, 0.5, 1e14, 1e-3, 3e15, 123456.789, 1e300, -12};
    uint64_t state = 7;
    for (size_t i = 0; i < times(5000); i++) {
        const double origin = origins[check_random(&state) % (sizeof origins / sizeof origins[0])];
        compare_coordinate(float_of((uint32_t)check_random(&state)), origin);
        compare_coordinate((float)(check_random(&state) % 1000000) / 1000, origin);
        compare_coordinate(check_random_float(&state) * 1000, origin);
        compare_coordinate((float)(int)(check_random(&state) % 4096), origin);
    }
    compare_coordinate(-481213, 481213);
    compare_coordinate(12, -12);
    compare_coordinate(0x1p-149f, 481213);
}

static void doubles(void)
{
    uint64_t state = 9;
    for (size_t i = 0; i < times(20000); i++) {
        compare_double(double_of(check_random(&state)));
        compare_double((double)(check_random(&state) % 100000000) / 1e4);
        compare_double((double)check_random_float(&state));
        compare_double((double)(int64_t)check_random(&state));
    }
    const double some[] = {0,      -0.0,     1,   0.1,    1e15, 1e16, 1e17, 1.2345678901234567e17,
                           5e-324, INFINITY, NAN, 0x1p53, 1e-5};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) compare_double(some[i]);
}

static void integers(void)
{
    uint64_t state = 11;
    for (size_t i = 0; i < 2000; i++) {
        const int64_t value = (int64_t)check_random(&state) >> (i % 64);
        char text[CLI_NUMBER_SIZE], expected[CLI_NUMBER_SIZE];
        *cli_put_int(text, value) = '\0';
        snprintf(expected, sizeof expected, "%" PRId64, value);
        CHECK_TEXT(text, expected);
    }
    char text[CLI_NUMBER_SIZE];
    *cli_put_int(text, INT64_MIN) = '\0';
    CHECK_TEXT(text, "-9223372036854775808");
    *cli_put_int(text, 0) = '\0';
    CHECK_TEXT(text, "0");
}

/* --- units ----------------------------------------------------------------------------------------------- */

static void times_for_people(void)
{
    static const struct {
        double ms;
        const char *text;
    } rows[] = {{0, "0 ms"},
                {0.0004, "0 ms"},
                {0.00051, "0.001 ms"},
                {0.0423, "0.042 ms"},
                {0.12345, "0.123 ms"},
                {6.1, "6.1 ms"},
                {999.4, "999 ms"},
                {999.5, "1 s"},
                {3150, "3.15 s"},
                {59949, "59.9 s"},
                {59950, "1 min 00 s"},
                {345300, "5 min 45 s"},
                {3599499, "59 min 59 s"},
                {3599500, "1 h 00 min"},
                {7500000, "2 h 05 min"},
                {3.6e6 * 1000, "1000 h 00 min"},
                {NAN, "-"}};
    char text[CLI_TIME_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cli_time_text(text, rows[i].ms);
        CHECK_TEXT(text, rows[i].text);
    }
    for (double ms = 1e-7; ms < 1e30; ms *= 1.001) { /* never an exponent */
        cli_time_text(text, ms);
        CHECK_MSG(!strchr(text, 'e') && !strchr(text, '+'), "%g ms are %s", ms, text);
    }
}

static void sizes_for_people(void)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } rows[] = {{0, "0 bytes"},        {1, "1 byte"},          {999, "999 bytes"},
                {1000, "1 kB"},        {999499, "999 kB"},     {999500, "1 MB"},
                {12345678, "12.3 MB"}, {1500000000, "1.5 GB"}, {UINT64_MAX, "18.4 EB"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[CLI_BYTES_SIZE];
        cli_bytes_text(text, rows[i].bytes);
        CHECK_TEXT(text, rows[i].text);
    }
}

CHECK_PROGRAM(test_number)
{
    RUN(floats_of_all_sizes);
    RUN(edges);
    RUN(few_decimals);
    RUN(coordinates_with_an_origin);
    RUN(doubles);
    RUN(integers);
    RUN(times_for_people);
    RUN(sizes_for_people);
}
