/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes.c: see bytes.h. Texts come from files and may be hostile: nothing in them may end a string of JSON, a <script>
 * element or an attribute of HTML.
 */
#include "viewer/bytes/bytes.h"

#include "common/assert.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_FIRST_ROOM = 4096, BYTES_NOT_UTF8 = 0xFFFD };

/* Returns room for `more` bytes behind the ones there are; null: no memory. */
static uint8_t *make_room(view_bytes *to, size_t more)
{
    CLUMP_ASSERT(to->size <= to->room);
    if (to->failed) return NULL;
    if (more > SIZE_MAX / 2 - to->size) return to->failed = true, NULL;
    const size_t needed = to->size + more;
    if (needed > to->room) {
        size_t room = to->room < BYTES_FIRST_ROOM ? BYTES_FIRST_ROOM : to->room;
        while (room < needed) room *= 2;
        uint8_t *const data = realloc(to->data, room);
        if (!data) return to->failed = true, NULL;
        to->data = data;
        to->room = room;
    }
    return to->data + to->size;
}

void view_put(view_bytes *to, const void *from, size_t size)
{
    uint8_t *const at = make_room(to, size);
    if (!at || size == 0) return;
    memcpy(at, from, size);
    to->size += size;
}

void view_put_text(view_bytes *to, const char *text)
{
    view_put(to, text, strlen(text));
}

void view_put_format(view_bytes *to, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    uint8_t *const at = length < 0 ? NULL : make_room(to, (size_t)length + 1);
    if (at) {
        vsnprintf((char *)at, (size_t)length + 1, format, again);
        to->size += (size_t)length;
    } else {
        to->failed = true;
    }
    va_end(again);
}

/* Decodes one code point and moves *text behind it. A byte that is not UTF-8 (overlong forms, surrogates and numbers
 * above 0x10FFFF included) gives U+FFFD. */
static uint32_t next_code_point(const unsigned char **text)
{
    const unsigned char *const at = (*text)++;
    if (at[0] < 0x80) return at[0];
    const int more = at[0] >= 0xF0 && at[0] < 0xF5   ? 3
                     : at[0] >= 0xE0 && at[0] < 0xF0 ? 2
                                                     : at[0] >= 0xC2 && at[0] < 0xE0;
    if (more == 0) return BYTES_NOT_UTF8;
    uint32_t code = at[0] & (0x3Fu >> more);
    for (int k = 1; k <= more; k++) {
        if ((at[k] & 0xC0) != 0x80) return BYTES_NOT_UTF8; /* also at the 0 that ends the text */
        code = code << 6 | (at[k] & 0x3Fu);
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return BYTES_NOT_UTF8;
    *text = at + more + 1;
    return code;
}

static void put_code_point(view_bytes *to, uint32_t code)
{
    CLUMP_ASSERT(code <= 0x10FFFF);
    uint8_t bytes[4];
    size_t size = 1;
    if (code < 0x80) {
        bytes[0] = (uint8_t)code;
    } else {
        size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        for (size_t k = size - 1; k > 0; k--, code >>= 6) bytes[k] = (uint8_t)(0x80 | (code & 0x3F));
        bytes[0] = (uint8_t)((size == 2 ? 0xC0u : size == 3 ? 0xE0u : 0xF0u) | code);
    }
    view_put(to, bytes, size);
}

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

void view_put_json_text(view_bytes *to, const char *text)
{
    if (!text) {
        view_put_text(to, "null");
        return;
    }
    view_put_text(to, "\"");
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const uint32_t code = next_code_point(&at);
        if (code == '"' || code == '\\')
            view_put_format(to, "\\%c", (int)code);
        else if (is_control(code) || code == '<' || code == '>' || code == '&' || code == 0x2028 || code == 0x2029)
            view_put_format(to, "\\u%04x", (unsigned)code);
        else
            put_code_point(to, code);
    }
    view_put_text(to, "\"");
}

void view_put_json_number(view_bytes *to, double number)
{
    if (!isfinite(number)) {
        view_put_text(to, "null");
        return;
    }
    char text[32];
    int digits = 15; /* 17 are always enough */
    do snprintf(text, sizeof text, "%.*g", digits++, number);
    while (digits <= 17 && strtod(text, NULL) != number);
    view_put_text(to, text);
}

void view_put_html_text(view_bytes *to, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const uint32_t code = next_code_point(&at);
        if (code == '<' || code == '>' || code == '&' || code == '"' || code == '\'' || code == '`')
            view_put_format(to, "&#%u;", (unsigned)code);
        else
            put_code_point(to, is_control(code) ? BYTES_NOT_UTF8 : code);
    }
}

void view_put_base64(view_bytes *to, const void *from, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (size > SIZE_MAX / 4) {
        to->failed = true;
        return;
    }
    const size_t length = (size + 2) / 3 * 4;
    uint8_t *at = make_room(to, length);
    if (!at) return;
    const uint8_t *bytes = from;
    size_t left = size;
    for (; left >= 3; left -= 3, bytes += 3, at += 4) {
        const uint32_t three = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
        at[0] = (uint8_t)digits[three >> 18];
        at[1] = (uint8_t)digits[three >> 12 & 63];
        at[2] = (uint8_t)digits[three >> 6 & 63];
        at[3] = (uint8_t)digits[three & 63];
    }
    if (left > 0) {
        const uint32_t three = (uint32_t)bytes[0] << 16 | (left > 1 ? (uint32_t)bytes[1] << 8 : 0);
        at[0] = (uint8_t)digits[three >> 18];
        at[1] = (uint8_t)digits[three >> 12 & 63];
        at[2] = left > 1 ? (uint8_t)digits[three >> 6 & 63] : '=';
        at[3] = '=';
    }
    to->size += length;
}

void view_bytes_release(view_bytes *bytes)
{
    free(bytes->data);
    *bytes = (view_bytes){0};
}
