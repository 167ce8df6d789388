/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Text that grows: see page.h.
 */
#include "report/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for this many bytes and a 0. Returns false where there is none. */
static bool page_grow(page *to, size_t count)
{
    if (to->failed) return false;
    const size_t needed = to->length + count + 1;
    if (needed <= to->capacity) return true;
    char *const grown = realloc(to->text, 2 * needed);
    to->failed = !grown;
    if (grown) to->text = grown, to->capacity = 2 * needed;
    return grown != NULL;
}

void page_put(page *to, const char *bytes, size_t count)
{
    if (!page_grow(to, count)) return;
    memcpy(to->text + to->length, bytes, count);
    to->text[to->length += count] = '\0';
}

void page_add(page *to, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0 && page_grow(to, (size_t)length)) {
        vsnprintf(to->text + to->length, (size_t)length + 1, format, again);
        to->length += (size_t)length;
    }
    va_end(again);
}

/* Returns the bytes of the character that begins here; 0 where it is not UTF-8 or a page must not hold it. */
static size_t character_length(const unsigned char *at)
{
    if (*at < 0x20 || *at == 0x7f) return *at == '\t' || *at == '\n';
    if (*at < 0x80) return 1;
    const size_t length = *at >= 0xf0 && *at < 0xf5   ? 4
                          : *at >= 0xe0 && *at < 0xf0 ? 3
                          : *at >= 0xc2 && *at < 0xe0 ? 2
                                                      : 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    if ((*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f) || (*at == 0xf0 && at[1] < 0x90) ||
        (*at == 0xf4 && at[1] > 0x8f) || (*at == 0xef && at[1] == 0xbf && at[2] > 0xbd))
        return 0;
    return length;
}

void page_escaped(page *to, const char *text)
{
    for (const char *at = text; *at;) {
        const size_t length = character_length((const unsigned char *)at);
        switch (length ? *at : '\0') {
        case '\0':
            page_put(to, "?", 1);
            break;
        case '&':
            page_put(to, "&amp;", 5);
            break;
        case '<':
            page_put(to, "&lt;", 4);
            break;
        case '>':
            page_put(to, "&gt;", 4);
            break;
        case '"':
            page_put(to, "&quot;", 6);
            break;
        default:
            page_put(to, at, length);
        }
        at += length ? length : 1;
    }
}

void page_cell(page *to, const char *text)
{
    page escaped = {0};
    page_escaped(&escaped, text);
    for (const char *at = escaped.text ? escaped.text : ""; *at; at++) {
        if (*at == '|' || *at == '*' || *at == '_') page_put(to, "\\", 1);
        page_put(to, *at == '\n' ? " " : at, 1);
    }
    to->failed |= escaped.failed;
    page_free(&escaped);
}

void page_base64(page *to, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i;
        const unsigned word = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? (unsigned)bytes[i + 2] : 0);
        const char four[4] = {digits[word >> 18], digits[word >> 12 & 63], left > 1 ? digits[word >> 6 & 63] : '=',
                              left > 2 ? digits[word & 63] : '='};
        page_put(to, four, 4);
    }
}

bool page_save(const page *from, const char *path, clump_message *why)
{
    if (from->failed || !from->text)
        return snprintf(why->text, sizeof why->text, "%s: no memory for its text", path), false;
    const size_t size = strlen(path) + 5;
    char *const beside = malloc(size);
    if (!beside) return snprintf(why->text, sizeof why->text, "%s: no memory for its name", path), false;
    snprintf(beside, size, "%s.new", path);
    FILE *const to = fopen(beside, "wb");
    bool written = to && fwrite(from->text, 1, from->length, to) == from->length;
    if (to) {
        written = fclose(to) == 0 && written && rename(beside, path) == 0;
        if (!written) remove(beside);
    }
    free(beside);
    if (!written) snprintf(why->text, sizeof why->text, "%s cannot be written", path);
    return written;
}

void page_free(page *p)
{
    free(p->text);
    *p = (page){0};
}

/* --- numbers ------------------------------------------------------------------------------------- */

/* Returns a whole number with a comma before every three digits. */
static page_number with_commas(double number)
{
    char plain[32];
    page_number out;
    const int length = snprintf(plain, sizeof plain, "%.0f", fabs(number));
    size_t used = 0;
    if (number < 0) out.text[used++] = '-';
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) out.text[used++] = ',';
        out.text[used++] = plain[i];
    }
    out.text[used] = '\0';
    return out;
}

page_number page_rounded(double number)
{
    page_number out;
    const double size = fabs(number);
    if (!isfinite(number))
        snprintf(out.text, sizeof out.text, "–");
    else if (size >= 1e15 || (size > 0 && size < 5e-4))
        snprintf(out.text, sizeof out.text, "%.2e", number);
    else if (size >= 999.5)
        return with_commas(number);
    else if (number == floor(number))
        snprintf(out.text, sizeof out.text, "%.0f", number);
    else
        snprintf(out.text, sizeof out.text, "%.*f",
                 size >= 99.95    ? 0
                 : size >= 9.995  ? 1
                 : size >= 0.9995 ? 2
                                  : 3,
                 number);
    return out;
}

page_number page_exact(double number)
{
    page_number out;
    if (fabs(number) >= 1e4 && fabs(number) < 1e15 && number == floor(number)) return with_commas(number);
    snprintf(out.text, sizeof out.text, "%.6g", number);
    return out;
}
