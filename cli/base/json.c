/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json.c: see json.h.
 */
#include "base/json.h"

#include "common/assert.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Returns the length of the UTF-8 character at s, 0 if there is none. Overlong forms, surrogates and numbers beyond
 * U+10FFFF are not characters. */
static size_t utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    const size_t length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    unsigned char low = 0x80, high = 0xbf; /* bounds of the second byte */
    if (s[0] == 0xe0) low = 0xa0;
    if (s[0] == 0xed) high = 0x9f;
    if (s[0] == 0xf0) low = 0x90;
    if (s[0] == 0xf4) high = 0x8f;
    if (s[1] < low || s[1] > high) return 0;
    for (size_t i = 2; i < length; i++) {
        if (s[i] < 0x80 || s[i] > 0xbf) return 0; /* also stops at the end of the text */
    }
    return length;
}

static void put_string(FILE *file, const char *text)
{
    putc('"', file);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const size_t length = utf8_length(s);
        if (length == 0)
            fputs("\\ufffd", file);
        else if (*s == '"' || *s == '\\')
            fprintf(file, "\\%c", *s);
        else if (*s == '\n')
            fputs("\\n", file);
        else if (*s == '\t')
            fputs("\\t", file);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(file, "\\u%04x", *s);
        else
            fwrite(s, 1, length, file);
        s += length ? length : 1;
    }
    putc('"', file);
}

static void begin(cli_json *j, const char *key)
{
    if (j->comma) putc(',', j->file);
    j->comma = true;
    if (!key) return;
    put_string(j->file, key);
    putc(':', j->file);
}

void cli_json_open(cli_json *j, const char *key, char bracket)
{
    CLUMP_ASSERT(bracket == '{' || bracket == '[');
    begin(j, key);
    putc(bracket, j->file);
    j->comma = false;
}

void cli_json_close(cli_json *j, char bracket)
{
    CLUMP_ASSERT(bracket == '}' || bracket == ']');
    putc(bracket, j->file);
    j->comma = true;
}

cli_json cli_json_begin(FILE *to, const char *command)
{
    cli_json j = {.file = to};
    cli_json_open(&j, NULL, '{');
    cli_json_text(&j, "command", command);
    return j;
}

void cli_json_end(cli_json *j)
{
    fputs("}\n", j->file);
}

void cli_json_text(cli_json *j, const char *key, const char *text)
{
    begin(j, key);
    if (text)
        put_string(j->file, text);
    else
        fputs("null", j->file);
}

void cli_json_count(cli_json *j, const char *key, uint64_t value)
{
    begin(j, key);
    fprintf(j->file, "%" PRIu64, value);
}

void cli_json_int(cli_json *j, const char *key, int64_t value)
{
    begin(j, key);
    fprintf(j->file, "%" PRId64, value);
}

void cli_json_bool(cli_json *j, const char *key, bool value)
{
    begin(j, key);
    fputs(value ? "true" : "false", j->file);
}

void cli_json_null(cli_json *j, const char *key)
{
    begin(j, key);
    fputs("null", j->file);
}

/* Writes the number between text and end; null if it is empty. */
static void put_number(cli_json *j, const char *key, const char *text, const char *end)
{
    CLUMP_ASSERT(end >= text && end - text <= CLI_NUMBER_SIZE);
    begin(j, key);
    if (end > text)
        fwrite(text, 1, (size_t)(end - text), j->file);
    else
        fputs("null", j->file);
}

void cli_json_number(cli_json *j, const char *key, double value)
{
    char text[CLI_NUMBER_SIZE];
    put_number(j, key, text, cli_put_double(text, value));
}

void cli_json_numbers(cli_json *j, const char *key, const double *values, size_t count)
{
    cli_json_open(j, key, '[');
    for (size_t i = 0; i < count; i++) cli_json_number(j, NULL, values[i]);
    cli_json_close(j, ']');
}

void cli_json_ms(cli_json *j, const char *key, double milliseconds)
{
    cli_json_number(j, key, round(milliseconds * 1e4) / 1e4);
}

void cli_json_float(cli_json *j, const char *key, float value)
{
    char text[CLI_NUMBER_SIZE];
    put_number(j, key, text, cli_put_float(text, value));
}

void cli_json_coordinates(cli_json *j, const char *key, const float *local, const double *origin, size_t count)
{
    cli_json_open(j, key, '[');
    for (size_t i = 0; i < count; i++) {
        char text[CLI_NUMBER_SIZE];
        put_number(j, NULL, text, cli_put_coordinate(text, local[i], origin[i]));
    }
    cli_json_close(j, ']');
}
