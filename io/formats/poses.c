/* SPDX-License-Identifier: BSD-3-Clause
 *
 * poses.c: files of poses, one per line.
 *
 *     KITTI   r00 r01 r02 tx r10 r11 r12 ty r20 r21 r22 tz     the rows of a 3 x 4 matrix
 *     TUM     time tx ty tz qx qy qz qw                        seconds, translation, quaternion
 *
 * The first line with numbers tells the format, by their count. Numbers are separated by blanks. Empty lines are left out, and
 * lines that begin with #. A byte order mark at the beginning is passed over.
 *
 * A line passes the parser as text -> numbers -> checks -> one row of the result. Memory is allocated once: a line has at
 * least 15 bytes, so the size of the file bounds the number of poses.
 */
#include "format.h"
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POSES_KITTI = 12, POSES_TUM = 8, POSES_LEAST_LINE = 15 };

#define POSES_TOLERANCE 1e-3 /* of a product of two rows, and of the square of a quaternion: files have few digits */
#define POSES_MOST_TIME 9e9  /* seconds that fit int64_t as nanoseconds */

typedef struct pose_line {
    const clump_io_source *source;
    size_t number; /* from 1 */
    size_t count;  /* of numbers */
    double values[POSES_KITTI];
    int64_t time;
} pose_line;

#define POSES_AT(line, text) "line %zu: " text, (line)->number /* format of a sentence and its first argument */

/* ----- reading --------------------------------------------------------------------------------------- */

/* Reads seconds as nanoseconds, exactly up to nine decimals where they are written without an exponent. */
static bool read_time(const char *begin, const char *end, double value, int64_t *time)
{
    if (!(fabs(value) <= POSES_MOST_TIME)) return false;
    const bool negative = *begin == '-';
    uint64_t whole = 0, part = 0;
    int places = -1;
    for (const char *p = begin + (*begin == '-' || *begin == '+'); p < end; p++) {
        if (*p == '.') {
            places = 0;
        } else if (*p < '0' || *p > '9') { /* an exponent */
            *time = (int64_t)floor(value * 1e9 + 0.5);
            return true;
        } else if (places < 0) {
            whole = whole * 10 + (uint64_t)(*p - '0'); /* at most 9e9, as checked above */
        } else if (places < 9) {
            part = part * 10 + (uint64_t)(*p - '0'), places++;
        }
    }
    for (int i = places < 0 ? 0 : places; i < 9; i++) part *= 10;
    const int64_t sum = (int64_t)(whole * 1000000000u + part);
    *time = negative ? -sum : sum;
    return true;
}

/* Reads the numbers of a line. */
static clump_status read_numbers(pose_line *line, const char *p, const char *end)
{
    line->count = 0;
    for (;;) {
        while (p < end && clump_io_is_blank(*p)) p++;
        if (p == end) return CLUMP_OK;
        const char *word = p;
        while (p < end && !clump_io_is_blank(*p)) p++;
        clump_io_number number;
        const bool is_number = clump_io_scan(word, p, &number) && number.end == p;
        const double value = is_number ? clump_io_to_double(&number) : NAN;
        if (!isfinite(value))
            return CLUMP_IO_DAMAGED(line->source, POSES_AT(line, "'%s' is not a number"),
                                    clump_io_quote(word, (size_t)(p - word)).text);
        if (line->count < POSES_KITTI) line->values[line->count] = value;
        if (line->count == 0 && !read_time(word, p, value, &line->time)) line->time = INT64_MIN;
        line->count++;
    }
}

/* Whether the rows of the matrix are orthonormal, and not mirrored. */
static bool is_rotation(const double m[12])
{
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            const double dot = m[4 * i] * m[4 * j] + m[4 * i + 1] * m[4 * j + 1] + m[4 * i + 2] * m[4 * j + 2];
            if (!(fabs(dot - (i == j)) <= POSES_TOLERANCE)) return false;
        }
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
               m[2] * (m[4] * m[9] - m[5] * m[8]) >
           0;
}

void clump_io_pose_matrix(const double t[3], const double q[4], double m[12])
{
    const double s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    m[0] = 1 - s * (y * y + z * z), m[1] = s * (x * y - w * z), m[2] = s * (x * z + w * y);
    m[4] = s * (x * y + w * z), m[5] = 1 - s * (x * x + z * z), m[6] = s * (y * z - w * x);
    m[8] = s * (x * z - w * y), m[9] = s * (y * z + w * x), m[10] = 1 - s * (x * x + y * y);
    for (int i = 0; i < 3; i++) m[4 * i + 3] = t[i];
}

static clump_status take_tum(const pose_line *line, clump_poses *poses)
{
    const double *const v = line->values, *const q = v + 4;
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(fabs(square - 1) <= POSES_TOLERANCE))
        return CLUMP_IO_DAMAGED(line->source, POSES_AT(line, "the quaternion has length %g, a rotation has 1"),
                                sqrt(square));
    if (line->time == INT64_MIN)
        return CLUMP_IO_DAMAGED(line->source, POSES_AT(line, "the time %g s is out of range"), v[0]);
    if (poses->count > 0 && line->time <= poses->times[poses->count - 1])
        return CLUMP_IO_DAMAGED(line->source, POSES_AT(line, "the time %.9g s is not after the one before"), v[0]);
    poses->times[poses->count] = line->time;
    clump_io_pose_matrix(v + 1, q, poses->matrices[poses->count++]);
    return CLUMP_OK;
}

static clump_status take_kitti(const pose_line *line, clump_poses *poses)
{
    if (!is_rotation(line->values))
        return CLUMP_IO_DAMAGED(line->source, POSES_AT(line, "the matrix does not just turn and move"));
    memcpy(poses->matrices[poses->count++], line->values, sizeof poses->matrices[0]);
    return CLUMP_OK;
}

/* The first line chooses the format, and gets memory for as many poses as the file can have. */
static clump_status begin_poses(const pose_line *line, clump_poses *poses)
{
    if (line->count != POSES_KITTI && line->count != POSES_TUM)
        return CLUMP_IO_DAMAGED(line->source,
                                POSES_AT(line, "%zu number%s; a pose has 12 (KITTI), or 8 with its time (TUM)"),
                                line->count, line->count == 1 ? "" : "s");
    poses->format = line->count == POSES_TUM ? CLUMP_POSES_TUM : CLUMP_POSES_KITTI;
    const size_t most = line->source->size / POSES_LEAST_LINE + 1;
    poses->matrices = clump_io_allocate(most * sizeof *poses->matrices);
    if (poses->format == CLUMP_POSES_TUM) poses->times = clump_io_allocate(most * sizeof *poses->times);
    if (!poses->matrices || (poses->format == CLUMP_POSES_TUM && !poses->times))
        return clump_io_no_memory(&line->source->where, most * sizeof *poses->matrices);
    return CLUMP_OK;
}

static clump_status take_line(pose_line *line, const char *begin, const char *end, clump_poses *poses)
{
    while (begin < end && clump_io_is_blank(*begin)) begin++;
    if (begin == end || *begin == '#') return CLUMP_OK;
    CLUMP_IO_TRY(read_numbers(line, begin, end));
    if (poses->format == CLUMP_POSES_GUESS) CLUMP_IO_TRY(begin_poses(line, poses));
    const size_t wanted = poses->format == CLUMP_POSES_TUM ? POSES_TUM : POSES_KITTI;
    if (line->count != wanted)
        return CLUMP_IO_DAMAGED(line->source, POSES_AT(line, "%zu number%s, the lines before have %zu"), line->count,
                                line->count == 1 ? "" : "s", wanted);
    return poses->format == CLUMP_POSES_TUM ? take_tum(line, poses) : take_kitti(line, poses);
}

static clump_status parse_lines(const clump_io_source *source, clump_poses *poses)
{
    pose_line line = {.source = source};
    const char *p = (const char *)source->bytes, *const end = p + source->size;
    if (source->size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) p += 3; /* byte order mark */
    while (p < end) {
        const char *const stop = memchr(p, '\n', (size_t)(end - p));
        line.number++;
        CLUMP_IO_TRY(take_line(&line, p, stop ? stop : end, poses));
        p = stop ? stop + 1 : end;
    }
    return poses->count > 0 ? CLUMP_OK : CLUMP_IO_DAMAGED(source, "there are no poses in it");
}

static clump_status parse(const clump_io_source *source, clump_poses *out)
{
    clump_io_locale locale;
    if (!clump_io_locale_enter(&locale)) return clump_io_no_memory(&source->where, 0);
    const clump_status status = parse_lines(source, out);
    clump_io_locale_leave(&locale);
    if (status != CLUMP_OK) clump_poses_free(out);
    return status;
}

clump_status clump_poses_parse(const void *bytes, size_t size, const char *name, clump_poses *out,
                               clump_message *message)
{
    const clump_io_source source = {.bytes = bytes, .size = size, .where = {name ? name : "poses", message}};
    if (message) message->text[0] = 0;
    if (!out || (!bytes && size))
        return clump_io_fail(&source.where, CLUMP_ERR_ARGUMENT, "clump_poses_parse: bytes or out is null");
    *out = (clump_poses){0};
    return parse(&source, out);
}

clump_status clump_poses_load(const char *path, clump_poses *out, clump_message *message)
{
    clump_io_source source = {.where = {path, message}};
    if (message) message->text[0] = 0;
    if (!path || !out) return clump_io_fail(&source.where, CLUMP_ERR_ARGUMENT, "clump_poses_load: path or out is null");
    *out = (clump_poses){0};
    if (clump_io_is_dash(path)) source.where.name = "standard input";
    clump_io_stream stream;
    CLUMP_IO_TRY(clump_io_stream_open(&source.where, path, &stream));
    source.bytes = stream.data;
    source.size = stream.size;
    source.stream = &stream;
    clump_status status = clump_io_require_all(&source);
    if (status == CLUMP_OK) status = parse(&source, out);
    clump_io_stream_close(&stream);
    return status;
}

void clump_poses_free(clump_poses *poses)
{
    if (!poses) return;
    free(poses->matrices);
    free(poses->times);
    *poses = (clump_poses){0};
}

/* ----- writing --------------------------------------------------------------------------------------- */

/* Returns the larger of 0 and the root: rounding can make the square of a part slightly negative. */
static double half_root(double square)
{
    return square > 0 ? sqrt(square) / 2 : 0;
}

void clump_pose_quaternion(const double m[12], double q[4])
{
    /* The largest part comes from the diagonal, the others from sums and differences, divided by it. */
    const double trace = m[0] + m[5] + m[10];
    int largest = 3;
    double most = trace;
    for (int i = 0; i < 3; i++)
        if (m[5 * i] > most) most = m[5 * i], largest = i;
    const double off[3] = {m[9] - m[6], m[2] - m[8], m[4] - m[1]};
    if (largest == 3) {
        q[3] = half_root(1 + trace);
        for (int i = 0; i < 3; i++) q[i] = off[i] / (4 * q[3]);
        return;
    }
    const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = half_root(1 + m[5 * i] - m[5 * j] - m[5 * k]);
    q[j] = (m[4 * i + j] + m[4 * j + i]) / (4 * q[i]);
    q[k] = (m[4 * i + k] + m[4 * k + i]) / (4 * q[i]);
    q[3] = off[i] / (4 * q[i]);
    for (int part = 0; q[3] < 0 && part < 4; part++) q[part] = -q[part];
}

/* Writes nanoseconds as seconds with nine decimals. */
static void put_time(clump_io_sink *sink, int64_t time)
{
    const uint64_t size = time < 0 ? 0 - (uint64_t)time : (uint64_t)time;
    char text[40];
    snprintf(text, sizeof text, "%s%llu.%09llu", time < 0 ? "-" : "", (unsigned long long)(size / 1000000000u),
             (unsigned long long)(size % 1000000000u));
    clump_io_put_text(sink, text);
}

static void put_pose(clump_io_sink *sink, const double m[12], const int64_t *time)
{
    double q[4];
    if (time) {
        clump_pose_quaternion(m, q);
        put_time(sink, *time);
    }
    for (int i = 0; i < (time ? POSES_TUM - 1 : POSES_KITTI); i++) {
        if (time || i > 0) clump_io_put_text(sink, " ");
        clump_io_put_double(sink, !time ? m[i] : i < 3 ? m[4 * i + 3] : q[i - 3]);
    }
    clump_io_put_text(sink, "\n");
}

static clump_status check_poses(const clump_io_where *where, const clump_poses *poses, clump_poses_format format)
{
    if (format == CLUMP_POSES_TUM && !poses->times)
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "a TUM file has the time of each pose, and there are no times");
    for (size_t i = 0; i < poses->count; i++) {
        double sum = 0;
        for (int k = 0; k < POSES_KITTI; k++) sum += fabs(poses->matrices[i][k]);
        if (!isfinite(sum) || !is_rotation(poses->matrices[i]))
            return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "pose %zu does not just turn and move", i);
        if (format == CLUMP_POSES_TUM && i > 0 && poses->times[i] <= poses->times[i - 1])
            return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "the time of pose %zu is not after the one before", i);
    }
    return CLUMP_OK;
}

clump_status clump_poses_save(const char *path, const clump_poses *poses, clump_poses_format format,
                              clump_temporary temporary, void *temporary_user, clump_message *message)
{
    const clump_io_where where = {path && clump_io_is_dash(path) ? "standard output" : path, message};
    if (message) message->text[0] = 0;
    if (!path || !poses || (poses->count && !poses->matrices))
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_poses_save: path or poses is null");
    char extension[16];
    clump_io_extension(path, extension);
    if (format == CLUMP_POSES_GUESS) format = strcmp(extension, "tum") == 0 ? CLUMP_POSES_TUM : CLUMP_POSES_KITTI;
    CLUMP_IO_TRY(check_poses(&where, poses, format));
    clump_io_locale locale;
    if (!clump_io_locale_enter(&locale)) return clump_io_no_memory(&where, 0);
    clump_io_target target;
    clump_io_sink sink;
    clump_status status = clump_io_target_open(&where, path, temporary, temporary_user, &target);
    if (status == CLUMP_OK && !clump_io_sink_open(&sink, target.file)) {
        clump_io_target_commit(&(clump_io_where){where.name, NULL}, &target, -1);
        status = clump_io_no_memory(&where, 0);
    } else if (status == CLUMP_OK) {
        for (size_t i = 0; i < poses->count; i++)
            put_pose(&sink, poses->matrices[i], format == CLUMP_POSES_TUM ? &poses->times[i] : NULL);
        clump_io_sink_close(&sink);
        status = clump_io_target_commit(&where, &target, sink.error);
    }
    clump_io_locale_leave(&locale);
    return status;
}
