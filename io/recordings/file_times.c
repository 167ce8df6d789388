/* SPDX-License-Identifier: BSD-3-Clause
 *
 * file_times.c: the time stamps of cloud files, the first of these that every file has:
 *
 *     1532402927647951.bin      a number of 16 digits or more in the name: microseconds, or nanoseconds from 10^17 on
 *     1305031102.175304.pcd     seconds since 1970 in the name
 *     times.txt, timestamps.txt in the folder or its parent (KITTI): a line per file, seconds, or date and time
 *     10 Hz                     from 0
 *
 * In a list of times, the line is that of the file's number: 000123.bin has line 123, counted from 0. Where a name has no
 * number or the list is too short, the first file has the first line.
 */
#include "number.h"
#include "common/assert.h"
#include "recordings/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMES_DIGITS 16                 /* of a name that is a time */
#define TIMES_PERIOD INT64_C(100000000) /* 10 Hz */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits as a number; false where there are none or it is too large. */
static bool read_digits(const char *text, size_t size, int64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < size; i++) {
        if (!is_digit(text[i]) || __builtin_mul_overflow(*value, 10, value)) return false;
        if (__builtin_add_overflow(*value, text[i] - '0', value)) return false;
    }
    return size > 0;
}

/* Reads the digits behind the point as nanoseconds. Digits behind the ninth are left out. */
static void read_fraction(const char *text, size_t size, int64_t *nanoseconds)
{
    const size_t kept = size < 9 ? size : 9;
    read_digits(text, kept, nanoseconds);
    for (size_t i = kept; i < 9; i++) *nanoseconds *= 10;
}

/* Reads "SECONDS.FRACTION". */
static bool read_seconds(const char *text, size_t whole, size_t fraction, int64_t *stamp)
{
    CLUMP_ASSERT(whole >= 1);
    int64_t seconds, part = 0;
    if (!read_digits(text, whole, &seconds)) return false;
    if (fraction) read_fraction(text + whole + 1, fraction, &part);
    return !__builtin_mul_overflow(seconds, INT64_C(1000000000), &seconds) &&
           !__builtin_add_overflow(seconds, part, stamp);
}

static size_t digits_of(const char *text)
{
    size_t count = 0;
    while (is_digit(text[count])) count++;
    return count;
}

/* Finds the time in a file name. */
static bool time_of_name(const char *path, int64_t *stamp)
{
    for (const char *at = clump_io_base_name(path); *at;) {
        const size_t digits = digits_of(at);
        if (digits >= TIMES_DIGITS) {
            if (!read_digits(at, digits, stamp)) return false;
            if (*stamp < INT64_C(100000000000000000)) *stamp *= 1000;
            return true;
        }
        const size_t fraction = digits == 10 && at[10] == '.' ? digits_of(at + 11) : 0;
        if (fraction >= 3 && !is_digit(at[11 + fraction])) return read_seconds(at, 10, fraction, stamp);
        at += digits ? digits : 1;
    }
    return false;
}

/* --- lists of times ------------------------------------------------------------------------------------ */

/* "2011-09-26 13:02:25.964389445" */
static bool read_date(const char *line, size_t size, int64_t *stamp)
{
    int64_t field[6];
    static const char shape[] = "dddd-dd-dd dd:dd:dd";
    if (size < sizeof shape - 1) return false;
    for (size_t i = 0; i < sizeof shape - 1; i++) {
        const bool fits = shape[i] == 'd' ? is_digit(line[i]) : line[i] == shape[i] || (i == 10 && line[i] == 'T');
        if (!fits) return false;
    }
    static const size_t at[] = {0, 5, 8, 11, 14, 17};
    for (size_t i = 0; i < 6; i++) read_digits(line + at[i], i ? 2 : 4, &field[i]);
    const int64_t seconds =
        clump_io_days_since_1970(field[0], field[1], field[2]) * 86400 + field[3] * 3600 + field[4] * 60 + field[5];
    int64_t part = 0;
    if (size > 20 && line[19] == '.') read_fraction(line + 20, digits_of(line + 20), &part);
    *stamp = seconds * INT64_C(1000000000) + part;
    return true;
}

static bool read_line(const char *line, size_t size, int64_t *stamp)
{
    if (read_date(line, size, stamp)) return true;
    const size_t whole = digits_of(line), fraction = line[whole] == '.' ? digits_of(line + whole + 1) : 0;
    const size_t end = whole + (fraction ? fraction + 1 : 0);
    if (whole && end == size) return read_seconds(line, whole, fraction, stamp); /* all digits count */
    char *rest;
    const double seconds = strtod(line, &rest); /* "1.036224e-01" */
    if (rest == line || !(seconds > -9e9 && seconds < 9e9)) return false;
    *stamp = (int64_t)(seconds * 1e9 + (seconds < 0 ? -0.5 : 0.5));
    return true;
}

typedef struct times_list {
    int64_t *stamps;
    size_t count;
} times_list;

static clump_status read_lines(const clump_io_where *where, const char *text, times_list *list)
{
    size_t lines = 1;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    list->stamps = malloc(lines * sizeof *list->stamps);
    if (!list->stamps) return clump_io_no_memory(where, lines * sizeof *list->stamps);
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        size_t size = length;
        while (size && strchr(" \t\r", line[size - 1])) size--;
        CLUMP_ASSERT(list->count < lines);
        if (size && !read_line(line, size, &list->stamps[list->count++])) {
            list->count = 0; /* not a list of times */
            return CLUMP_OK;
        }
        line += length + (line[length] != 0);
    }
    return CLUMP_OK;
}

/* Reads the first list of times that there is, in the folder of the file or in its parent. */
static clump_status find_list(const clump_io_where *where, const char *path, times_list *list)
{
    static const char *const names[] = {"times.txt", "timestamps.txt", "../times.txt", "../timestamps.txt"};
    const size_t folder = (size_t)(clump_io_base_name(path) - path);
    char beside[4096];
    const clump_io_where silent = {NULL, NULL};
    for (size_t i = 0; i < sizeof names / sizeof *names && !list->count; i++) {
        const int size = snprintf(beside, sizeof beside, "%.*s%s", (int)folder, path, names[i]);
        if (size < 0 || (size_t)size >= sizeof beside) continue;
        char *text = NULL;
        size_t text_size;
        clump_status status = clump_io_read_text(&silent, beside, &text, &text_size);
        free(list->stamps);
        *list = (times_list){0};
        if (status == CLUMP_OK) status = read_lines(where, text, list);
        free(text);
        if (status == CLUMP_ERR_OUT_OF_MEMORY) return status;
    }
    return CLUMP_OK;
}

/* The number that a name begins with: 123 of "000123.bin". */
static bool number_of_name(const char *path, int64_t *number)
{
    const char *const base = clump_io_base_name(path);
    const size_t digits = digits_of(base);
    return digits && (base[digits] == '.' || !base[digits]) && read_digits(base, digits, number);
}

/* Takes the stamps from the list: by the numbers of the names, or in order. */
static bool take_from_list(const clump_io_paths *paths, const times_list *list, int64_t *stamps)
{
    bool numbered = list->count > 0;
    int64_t number = 0;
    for (size_t i = 0; i < paths->count && numbered; i++) {
        numbered = number_of_name(paths->list[i], &number) && (uint64_t)number < list->count;
        if (numbered) stamps[i] = list->stamps[number];
    }
    if (!numbered && list->count >= paths->count) memcpy(stamps, list->stamps, paths->count * sizeof *stamps);
    return numbered || list->count >= paths->count;
}

clump_status clump_io_file_times(const clump_io_where *where, const clump_io_paths *paths, int64_t *stamps)
{
    bool named = true;
    for (size_t i = 0; i < paths->count && named; i++) named = time_of_name(paths->list[i], &stamps[i]);
    if (named || paths->count == 0) return CLUMP_OK;
    times_list list = {0};
    clump_io_locale locale;
    if (!clump_io_locale_enter(&locale)) return clump_io_no_memory(where, 0);
    const clump_status status = find_list(where, paths->list[0], &list);
    clump_io_locale_leave(&locale);
    if (status == CLUMP_OK && !take_from_list(paths, &list, stamps))
        for (size_t i = 0; i < paths->count; i++) stamps[i] = (int64_t)i * TIMES_PERIOD;
    free(list.stamps);
    return status;
}
