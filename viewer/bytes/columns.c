/* SPDX-License-Identifier: BSD-3-Clause
 *
 * columns.c: see bytes.h. The planes of a column are one deflate stream, but each has its own strategy: the lowest plane
 * of a coordinate is noise, in which a search for repetitions costs time and finds nothing; higher planes are mostly 0,
 * where runs are enough. Measured on the differences of x, y, z of a KITTI frame (zlib 1.2.13, one core): runs 10 ms and
 * 271 kB, level 6 45 ms and 277 kB, level 9 143 ms and 276 kB. A build without zlib writes deflate's stored blocks: pages
 * and pictures are larger, and every reader takes them.
 */
#include "viewer/bytes/bytes.h"

#include "common/assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef CLUMP_VIEWER_ZLIB
#include <zlib.h>
#endif

enum {
    COLUMN_SAMPLES = 8,       /* places of a column at which rows are taken for the choice of `back` */
    COLUMN_SAMPLE_ROWS = 1024 /* per place */
};

/* Differences wrap around, so that every pair of integers has one. */
static uint64_t coded(const int64_t *values, size_t i, uint32_t back)
{
    const uint64_t d = (uint64_t)values[i] - (back && i >= back ? (uint64_t)values[i - back] : 0);
    return d << 1 ^ (uint64_t) - (int64_t)(d >> 63);
}

static uint32_t planes_of(uint64_t largest)
{
    uint32_t planes = 0;
    for (; largest; largest >>= 8) planes++;
    return planes;
}

/* Returns the bits of the entropy of all planes, from one histogram per plane. Zeros above the highest byte of a value are
 * not counted in the histograms. */
static double entropy_of(uint32_t (*counts)[256], size_t rows)
{
    double bits = 0;
    for (int k = 0; k < 8; k++) {
        size_t others = 0;
        for (int b = 1; b < 256; b++) others += counts[k][b];
        if (others == 0) continue;
        counts[k][0] = (uint32_t)(rows - others);
        for (int b = 0; b < 256; b++)
            if (counts[k][b]) bits -= counts[k][b] * log2((double)counts[k][b] / (double)rows);
    }
    return bits;
}

/* Few rows: the bits of the numbers. Histograms of few rows say nothing. */
static double length_of(const int64_t *values, size_t count, uint32_t back)
{
    double bits = 0;
    for (size_t i = 0; i < count; i++)
        for (uint64_t u = coded(values, i, back); u; u >>= 1) bits++;
    return bits;
}

double view_column_cost_at(const int64_t *values, size_t count, uint32_t back)
{
    if (count == 0) return 0;
    if (count < 2 * COLUMN_SAMPLE_ROWS) return length_of(values, count, back) / (double)count;
    uint32_t counts[8][256] = {0};
    size_t rows = 0;
    const size_t places = count / COLUMN_SAMPLE_ROWS < COLUMN_SAMPLES ? count / COLUMN_SAMPLE_ROWS : COLUMN_SAMPLES;
    for (size_t s = 0; s < places; s++) {
        const size_t first = (count - COLUMN_SAMPLE_ROWS) / places * s;
        for (size_t i = first; i < first + COLUMN_SAMPLE_ROWS; i++, rows++) {
            uint64_t u = coded(values, i, back);
            for (int k = 0; u; k++, u >>= 8) counts[k][u & 255]++;
        }
    }
    return entropy_of(counts, rows) / (double)rows;
}

/* The distances besides the width: of points side by side, and of sensors that fire 2 ... 128 beams in turn. A larger one
 * must gain 1 %, else noise of the sample decides. */
double view_column_cost(const int64_t *values, size_t count, size_t width, uint32_t *back)
{
    const size_t tried[] = {0, 1, 2, 4, 16, 32, 64, 128, width};
    double least = HUGE_VAL;
    *back = 0;
    for (size_t t = 0; t < sizeof tried / sizeof *tried; t++) {
        if (tried[t] >= count || tried[t] > UINT32_MAX) continue;
        const double cost = view_column_cost_at(values, count, (uint32_t)tried[t]);
        if (cost < 0.99 * least) least = cost, *back = (uint32_t)tried[t];
    }
    return least;
}

/* Makes the byte planes of a column; null: no memory, or no plane. */
static uint8_t *make_planes(const int64_t *values, size_t count, view_coding *coding)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) all |= coded(values, i, coding->back);
    coding->planes = planes_of(all);
    uint8_t *const planes = coding->planes ? malloc(count * coding->planes) : NULL;
    for (uint32_t k = 0; planes && k < coding->planes; k++)
        for (size_t i = 0; i < count; i++) planes[k * count + i] = (uint8_t)(coded(values, i, coding->back) >> 8 * k);
    return planes;
}

#ifdef CLUMP_VIEWER_ZLIB
enum {
    COLUMN_TRIAL = 1 << 15, /* bytes of a plane that are deflated to choose the strategy */
    COLUMN_FAST_LEVEL = 3   /* up to this level no repetitions are searched for */
};

typedef struct method {
    int level, strategy;
} method;

static bool start_deflate(z_stream *stream, method how)
{
    *stream = (z_stream){0};
    return deflateInit2(stream, how.level, Z_DEFLATED, -MAX_WBITS, 8, how.strategy) == Z_OK;
}

/* Sends bytes through the stream into the buffer. */
static void deflate_into(view_bytes *to, z_stream *stream, const uint8_t *from, size_t size, bool last)
{
    uint8_t out[1 << 14];
    do {
        const size_t piece = size < 1u << 30 ? size : 1u << 30; /* avail_in has 32 bits */
        stream->next_in = (Bytef *)(uintptr_t)from;
        stream->avail_in = (uInt)piece;
        from += piece, size -= piece;
        do {
            stream->next_out = out;
            stream->avail_out = sizeof out;
            deflate(stream, last && size == 0 ? Z_FINISH : Z_NO_FLUSH);
            view_put(to, out, sizeof out - stream->avail_out);
        } while (stream->avail_out == 0);
    } while (size > 0);
}

/* Changes the strategy between two planes. zlib may write what it holds. */
static void change_method(view_bytes *to, z_stream *stream, method how)
{
    uint8_t out[1 << 14];
    int status;
    do {
        stream->next_in = NULL;
        stream->avail_in = 0;
        stream->next_out = out;
        stream->avail_out = sizeof out;
        status = deflateParams(stream, how.level, how.strategy);
        view_put(to, out, sizeof out - stream->avail_out);
    } while (status == Z_BUF_ERROR && !to->failed);
}

static size_t deflated_size(const uint8_t *from, size_t size, method how)
{
    view_bytes bytes = {0};
    z_stream stream;
    if (!start_deflate(&stream, how)) return SIZE_MAX;
    deflate_into(&bytes, &stream, from, size, true);
    deflateEnd(&stream);
    view_bytes_release(&bytes);
    return (size_t)stream.total_out;
}

/* Runs, or the search for repetitions where it gains 1 % on a piece from the middle. */
static method choose_method(const uint8_t *plane, size_t count, int level)
{
    const method runs = {1, Z_RLE}, search = {level, Z_DEFAULT_STRATEGY};
    if (level <= COLUMN_FAST_LEVEL) return runs;
    const size_t size = count < COLUMN_TRIAL ? count : COLUMN_TRIAL;
    const uint8_t *const middle = plane + (count - size) / 2;
    const method trial = {level < 6 ? level : 6, Z_DEFAULT_STRATEGY};
    return (double)deflated_size(middle, size, trial) < 0.99 * (double)deflated_size(middle, size, runs) ? search
                                                                                                         : runs;
}

/* Appends the planes as one deflate stream. */
static void put_planes(view_bytes *to, const uint8_t *planes, size_t count, uint32_t number, int level)
{
    z_stream stream;
    if (!start_deflate(&stream, choose_method(planes, count, level))) {
        to->failed = true;
        return;
    }
    for (uint32_t k = 0; k < number; k++) {
        const uint8_t *const plane = planes + k * count;
        if (k > 0) change_method(to, &stream, choose_method(plane, count, level));
        deflate_into(to, &stream, plane, count, k + 1 == number);
    }
    deflateEnd(&stream);
}

void view_put_deflated(view_bytes *to, const void *from, size_t size, int level)
{
    z_stream stream;
    if (!start_deflate(&stream, (method){level, Z_DEFAULT_STRATEGY})) {
        to->failed = true;
        return;
    }
    deflate_into(to, &stream, from, size, true);
    deflateEnd(&stream);
}

#else

/* Stored blocks: a byte that says whether it is the last one, the size and its complement, the bytes. */
void view_put_deflated(view_bytes *to, const void *from, size_t size, int level)
{
    (void)level;
    const uint8_t *bytes = from;
    do {
        const size_t piece = size < UINT16_MAX ? size : UINT16_MAX;
        const uint8_t low = (uint8_t)piece, high = (uint8_t)(piece >> 8);
        view_put(to, (const uint8_t[]){piece == size, low, high, (uint8_t)~low, (uint8_t)~high}, 5);
        view_put(to, bytes, piece);
        bytes += piece, size -= piece;
    } while (size > 0);
}

static void put_planes(view_bytes *to, const uint8_t *planes, size_t count, uint32_t number, int level)
{
    view_put_deflated(to, planes, count * number, level);
}

#endif

void view_put_column(view_bytes *to, const int64_t *values, size_t count, size_t width, int level, view_coding *coding)
{
    CLUMP_ASSERT(level >= 1 && level <= 9);
    *coding = (view_coding){.at = to->size};
    view_column_cost(values, count, width, &coding->back);
    if (count > SIZE_MAX / 8) to->failed = true;
    if (to->failed) return;
    uint8_t *const planes = make_planes(values, count, coding);
    if (coding->planes == 0) return;
    if (planes)
        put_planes(to, planes, count, coding->planes, level);
    else
        to->failed = true;
    free(planes);
    coding->size = to->size - coding->at;
}
