/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes.h: a growing buffer, and the ways of writing text into it. After a failed allocation nothing more is added and
 * `failed` is set: check it once, at the end.
 *
 * Words: a `column` is the integers of one quantity, one per row of a table. A `plane` is all bytes of one rank of a
 * column.
 */
#ifndef CLUMP_VIEWER_BYTES_H
#define CLUMP_VIEWER_BYTES_H

#include <clump/clump.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct view_bytes {
    uint8_t *data;
    size_t size, room;
    bool failed;
} view_bytes;

#if defined(__GNUC__)
#define VIEW_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define VIEW_PRINTF(text, first)
#endif

void view_put(view_bytes *to, const void *from, size_t size);
void view_put_text(view_bytes *to, const char *text);
void view_put_format(view_bytes *to, const char *format, ...) VIEW_PRINTF(2, 3);
/* A JSON string with its quotes; "null" for null. Safe inside <script>: '<', '>', '&' and U+2028/2029 are escaped.
 * Bytes that are not UTF-8 become U+FFFD. */
void view_put_json_text(view_bytes *to, const char *text);
/* A JSON number with all its digits; "null" where it is not finite. */
void view_put_json_number(view_bytes *to, double number);
/* Text for HTML: '<', '>', '&' and quotes are escaped, control characters and wrong UTF-8 become U+FFFD. */
void view_put_html_text(view_bytes *to, const char *text);
void view_put_base64(view_bytes *to, const void *from, size_t size);
void view_bytes_release(view_bytes *bytes); /* a zeroed one is fine */

/* --- columns.c: integers in a compact coding: difference to the value `back` rows before (back 0: the value itself),
 * zigzag (0, -1, 1, -2 ... become 0, 1, 2, 3 ...), byte planes (all lowest bytes, then all second bytes ...), deflate
 * without a header. */

typedef struct view_coding {
    uint32_t back;   /* 0, or rows between a value and the one that it is subtracted from */
    uint32_t planes; /* bytes per value, 0 ... 8; 0: all values are 0 after the difference, and size is 0 */
    size_t at, size; /* of the deflated bytes in the buffer */
} view_coding;

/* Appends the values and fills *coding. Tries a few distances for `back` on a sample and takes the best. width: the row
 * length of an organised cloud is tried too; 0: none. level is zlib's, 1 ... 9; up to 3 only fast ways are tried. A failure
 * is in to->failed. */
void view_put_column(view_bytes *to, const int64_t *values, size_t count, size_t width, int level, view_coding *coding);

/* Appends deflated bytes (raw deflate). */
void view_put_deflated(view_bytes *to, const void *from, size_t size, int level);

/* Returns the estimated bits per value with this `back`, from a sample. */
double view_column_cost_at(const int64_t *values, size_t count, uint32_t back);
/* Returns the least estimated bits per value of a column, from a sample, and the distance that gives it. */
double view_column_cost(const int64_t *values, size_t count, size_t width, uint32_t *back);

#endif
