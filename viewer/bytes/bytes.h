/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes.h: a growing buffer, and the ways of writing text into it. After a failed allocation nothing more is added and
 * `failed` is set: check it once, at the end.
 */
#ifndef CLUMP_VIEWER_BYTES_H
#define CLUMP_VIEWER_BYTES_H

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

#endif
