/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sink.c: buffered output, and numbers to decimal text.
 *
 * A float32 is written with the fewest of 6, 7, 8 or 9 digits that read back as the same number, and without
 * trailing zeros: 0.1, not 0.100000001. An integer below 10^9 has all of its digits. Nine digits always
 * suffice: they are off by at most 0.5e-8 (relative), and half the distance of two floats is at least 2.9e-8.
 */
#define _GNU_SOURCE /* sync_file_range */
#include "number.h"
#include "common/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SINK_PART = 1 << 24 }; /* bytes that are brought to the disk at a time */

/* Where writing begins in a regular file. A file that is opened for appending cannot be written elsewhere. */
static int64_t begin_of(int file)
{
    struct stat about;
    const int flags = fcntl(file, F_GETFL);
    const bool regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    return regular && flags != -1 && !(flags & O_APPEND) ? (int64_t)lseek(file, 0, SEEK_CUR) : -1;
}

bool clump_io_sink_open(clump_io_sink *sink, int file)
{
    CLUMP_ASSERT(file >= 0);
    *sink = (clump_io_sink){.file = file, .capacity = (size_t)1 << 18, .begin = begin_of(file)};
    sink->buffer = malloc(sink->capacity);
    return sink->buffer != NULL;
}

static void write_all(clump_io_sink *sink, const char *bytes, size_t size)
{
    while (size && !sink->error) {
        const ssize_t written = write(sink->file, bytes, size);
        if (written < 0 && errno != EINTR) sink->error = errno;
        if (written == 0) sink->error = ENOSPC;
        if (written > 0) bytes += written, size -= (size_t)written, sink->passed += written;
    }
}

/* Brings what was written to the disk, one part behind the other, so that fsync() at the end is short: until it returns, a
 * process cannot be ended. At most two parts are under way. Where the system cannot, nothing happens. */
static void push(clump_io_sink *sink)
{
#if defined(__linux__)
    const int64_t at = sink->begin + sink->pushed;
    if (sink->begin < 0 || sink->passed - sink->pushed < SINK_PART) return;
    (void)sync_file_range(sink->file, at, SINK_PART, SYNC_FILE_RANGE_WRITE);
    if (sink->pushed >= SINK_PART)
        (void)sync_file_range(sink->file, at - SINK_PART, SINK_PART,
                              SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    sink->pushed += SINK_PART;
#else
    (void)sink;
#endif
}

static void flush(clump_io_sink *sink)
{
    CLUMP_ASSERT(sink->used <= sink->capacity);
    write_all(sink, sink->buffer, sink->used);
    sink->used = 0;
    push(sink);
}

void clump_io_sink_close(clump_io_sink *sink)
{
    flush(sink);
    free(sink->buffer);
    sink->buffer = NULL;
}

bool clump_io_sink_patches(const clump_io_sink *sink)
{
    return sink->begin >= 0;
}

void clump_io_sink_patch(clump_io_sink *sink, uint64_t at, const void *bytes, size_t size)
{
    CLUMP_ASSERT(clump_io_sink_patches(sink));
    flush(sink);
    for (const char *from = bytes; size && !sink->error;) {
        const ssize_t written = pwrite(sink->file, from, size, (off_t)(sink->begin + (int64_t)at));
        if (written < 0 && errno != EINTR) sink->error = errno;
        if (written == 0) sink->error = ENOSPC;
        if (written > 0) from += written, at += (size_t)written, size -= (size_t)written;
    }
}

void clump_io_put(clump_io_sink *sink, const void *bytes, size_t size)
{
    CLUMP_ASSERT(sink->buffer && sink->used <= sink->capacity);
    if (size == 0) return;
    if (size > sink->capacity - sink->used) flush(sink);
    if (size > sink->capacity) {
        write_all(sink, bytes, size);
        return;
    }
    CLUMP_ASSERT(size <= sink->capacity - sink->used);
    memcpy(sink->buffer + sink->used, bytes, size);
    sink->used += size;
}

void clump_io_put_text(clump_io_sink *sink, const char *text)
{
    clump_io_put(sink, text, strlen(text));
}

/* Writes the decimal digits of value so that they end at `end`; returns their beginning. */
static char *digits_before(char *end, uint64_t value)
{
    do *--end = (char)('0' + value % 10);
    while (value /= 10);
    return end;
}

void clump_io_put_uint(clump_io_sink *sink, uint64_t value)
{
    char text[20], *first = digits_before(text + sizeof text, value);
    clump_io_put(sink, first, (size_t)(text + sizeof text - first));
}

static void put_int(clump_io_sink *sink, int64_t value)
{
    if (value < 0) clump_io_put(sink, "-", 1);
    clump_io_put_uint(sink, value < 0 ? (uint64_t) - (value + 1) + 1 : (uint64_t)value);
}

/* Writes digits x 10^(exponent - places + 1), where digits has `places` places, as 0.00123, 123.4 or 1.2e-07. */
static void put_decimal(clump_io_sink *sink, bool negative, uint64_t digits, int places, int exponent)
{
    CLUMP_ASSERT(places >= 1 && places <= 19);
    while (digits % 10 == 0 && places > 1) digits /= 10, places--;
    char text[40], number[20], *p = text;
    const char *d = digits_before(number + sizeof number, digits);
    const bool scientific = exponent < -5 || exponent > 8;
    const int point = scientific ? 0 : exponent; /* index of the last digit before the point */
    if (negative) *p++ = '-';
    if (point < 0) {
        *p++ = '0', *p++ = '.';
        for (int i = point + 1; i < 0; i++) *p++ = '0';
        for (int i = 0; i < places; i++) *p++ = d[i];
    } else {
        for (int i = 0; i < places || i <= point; i++) {
            if (i == point + 1) *p++ = '.';
            *p++ = i < places ? d[i] : '0';
        }
    }
    if (scientific) p += snprintf(p, 8, "e%d", exponent);
    clump_io_put(sink, text, (size_t)(p - text));
}

static void put_special(clump_io_sink *sink, double value)
{
    clump_io_put_text(sink, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
}

void clump_io_put_float(clump_io_sink *sink, float value)
{
    if (!isfinite(value)) {
        put_special(sink, (double)value);
        return;
    }
    const bool negative = signbit(value);
    const float size = fabsf(value);
    if (size == 0) {
        clump_io_put_text(sink, negative ? "-0" : "0");
        return;
    }
    if (size < 1e9f && size == floorf(size)) { /* all digits: 216703456, not 216703460 */
        if (negative) clump_io_put(sink, "-", 1);
        clump_io_put_uint(sink, (uint64_t)size);
        return;
    }
    if (size < 1e-12f || size > 1e27f) { /* beyond the exact powers of ten */
        char text[32];
        snprintf(text, sizeof text, "%.9g", (double)value);
        clump_io_put_text(sink, text);
        return;
    }
    /* Estimated from the power of two; may be one too small, which the test of `nine` corrects. */
    int exponent = (int)floor((double)ilogbf(size) * 0.30103);
    double scaled =
        exponent > 8 ? (double)size / CLUMP_IO_POWER(exponent - 8) : (double)size * CLUMP_IO_POWER(8 - exponent);
    uint64_t nine = (uint64_t)(scaled + 0.5);
    if (nine > 999999999u) scaled /= 10, exponent++, nine = (uint64_t)(scaled + 0.5);

    static const double step[] = {1000, 100, 10, 1};
    for (int places = 6; places <= 9; places++) {
        /* From scaled, not from nine: rounding twice may miss the nearest. */
        uint64_t digits = (uint64_t)(scaled / step[places - 6] + 0.5);
        const bool carried = digits >= (uint64_t)CLUMP_IO_POWER(places); /* 999999.6 */
        const int top = exponent + carried;
        if (carried) digits /= 10;
        float back;
        const int power = top - places + 1;
        if (places == 9 || (clump_io_fast_float(digits, power, &back) && back == size)) {
            put_decimal(sink, negative, digits, places, top);
            return;
        }
    }
}

/* Writes a number of few decimals, as most coordinates and times are; false: it has more. size must be the double
 * nearest to digits / 10^places. Both operands are exact doubles, so the division rounds once, as reading does. */
static bool put_few_decimals(clump_io_sink *sink, bool negative, double size)
{
    if (size < 1e-4 || size >= 1e15) return false;
    for (int places = 0; places <= 9; places++) {
        const double scaled = size * CLUMP_IO_POWER(places);
        if (scaled >= 0x1p53) return false;
        uint64_t digits = (uint64_t)(scaled + 0.5);
        if ((double)digits / CLUMP_IO_POWER(places) != size) continue;
        char text[32], *p = text + sizeof text;
        for (int i = 0; i < places; i++, digits /= 10) *--p = (char)('0' + digits % 10);
        if (places) *--p = '.';
        p = digits_before(p, digits);
        if (negative) *--p = '-';
        clump_io_put(sink, p, (size_t)(text + sizeof text - p));
        return true;
    }
    return false;
}

void clump_io_put_double(clump_io_sink *sink, double value)
{
    if (!isfinite(value)) {
        put_special(sink, value);
        return;
    }
    if (put_few_decimals(sink, value < 0, fabs(value))) return;
    char text[40];
    for (int places = 15; places <= 17; places++) {
        snprintf(text, sizeof text, "%.*g", places, value);
        if (strtod(text, NULL) == value) break;
    }
    clump_io_put_text(sink, text);
}

void clump_io_put_value(clump_io_sink *sink, clump_type type, const void *data, size_t index)
{
#define ELEMENT(constant, put, kind)                                                                                   \
    case constant:                                                                                                     \
        put(sink, ((const kind *)data)[index]);                                                                        \
        break
    switch (type) {
        ELEMENT(CLUMP_TYPE_I8, put_int, int8_t);
        ELEMENT(CLUMP_TYPE_U8, clump_io_put_uint, uint8_t);
        ELEMENT(CLUMP_TYPE_I16, put_int, int16_t);
        ELEMENT(CLUMP_TYPE_U16, clump_io_put_uint, uint16_t);
        ELEMENT(CLUMP_TYPE_I32, put_int, int32_t);
        ELEMENT(CLUMP_TYPE_U32, clump_io_put_uint, uint32_t);
        ELEMENT(CLUMP_TYPE_I64, put_int, int64_t);
        ELEMENT(CLUMP_TYPE_U64, clump_io_put_uint, uint64_t);
        ELEMENT(CLUMP_TYPE_F32, clump_io_put_float, float);
        ELEMENT(CLUMP_TYPE_F64, clump_io_put_double, double);
    }
#undef ELEMENT
}
