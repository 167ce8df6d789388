/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json.c: checks JSON text and finds values in it.
 *
 * One set of functions, pass_...(), moves a reader behind a value and checks it on the way. The searches use the same
 * functions: they are safe on any bytes, whether clump_io_json_parse() has seen them or not.
 */
#include "sensors/json.h"

#include "common/assert.h"
#include "number.h"

#include <math.h>
#include <string.h>

typedef struct json_reader {
    const char *at, *end;
    int depth;
    const char *fault; /* what is wrong at `at`; null: nothing */
} json_reader;

static bool pass_value(json_reader *reader);

static bool fails(json_reader *reader, const char *fault)
{
    reader->fault = fault;
    return false;
}

static void pass_blanks(json_reader *reader)
{
    while (reader->at < reader->end &&
           (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\t' || *reader->at == '\r'))
        reader->at++;
}

/* Passes one character, if it is the next. */
static bool pass_if(json_reader *reader, char c)
{
    if (reader->at == reader->end || *reader->at != c) return false;
    reader->at++;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hexadecimal(char c)
{
    return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* Passes the escape behind a backslash. */
static bool pass_escape(json_reader *reader)
{
    if (reader->at == reader->end) return fails(reader, "a string without its end");
    const char c = *reader->at++;
    if (c != 'u') return (c && strchr("\"\\/bfnrt", c)) || fails(reader, "an unknown escape in a string");
    for (int i = 0; i < 4; i++, reader->at++)
        if (reader->at == reader->end || !is_hexadecimal(*reader->at))
            return fails(reader, "an unknown escape in a string");
    return true;
}

static bool pass_string(json_reader *reader)
{
    if (!pass_if(reader, '"')) return fails(reader, "a string is expected");
    while (reader->at < reader->end) {
        const char c = *reader->at;
        if ((unsigned char)c < 0x20) return fails(reader, "a control character in a string");
        reader->at++;
        if (c == '"') return true;
        if (c == '\\' && !pass_escape(reader)) return false;
    }
    return fails(reader, "a string without its end");
}

static bool pass_digits(json_reader *reader)
{
    const char *const first = reader->at;
    while (reader->at < reader->end && is_digit(*reader->at)) reader->at++;
    return reader->at > first || fails(reader, "a number without digits");
}

static bool pass_number(json_reader *reader)
{
    pass_if(reader, '-');
    if (!pass_if(reader, '0') && !pass_digits(reader)) return false;
    if (pass_if(reader, '.') && !pass_digits(reader)) return false;
    if (reader->at < reader->end && (*reader->at | 32) == 'e') {
        reader->at++;
        if (!pass_if(reader, '+')) pass_if(reader, '-');
        return pass_digits(reader);
    }
    return true;
}

static bool pass_word(json_reader *reader, const char *word)
{
    const size_t size = strlen(word);
    if ((size_t)(reader->end - reader->at) < size || memcmp(reader->at, word, size) != 0)
        return fails(reader, "a value is expected");
    reader->at += size;
    return true;
}

/* Passes a comma or the closing bracket behind a value. *more says which. */
static bool pass_separator(json_reader *reader, char closing, bool *more)
{
    pass_blanks(reader);
    *more = pass_if(reader, ',');
    if (*more) pass_blanks(reader);
    return *more || pass_if(reader, closing) ||
           fails(reader, closing == '}' ? "a comma or } is expected" : "a comma or ] is expected");
}

/* Passes the name of a member and the colon. */
static bool pass_name(json_reader *reader, clump_io_json *name)
{
    name->text = reader->at;
    if (!pass_string(reader)) return false;
    name->end = reader->at;
    pass_blanks(reader);
    if (!pass_if(reader, ':')) return fails(reader, "a colon is expected");
    pass_blanks(reader);
    return true;
}

static bool pass_array(json_reader *reader)
{
    reader->at++;
    pass_blanks(reader);
    if (pass_if(reader, ']')) return true;
    bool more = true;
    while (more)
        if (!pass_value(reader) || !pass_separator(reader, ']', &more)) return false;
    return true;
}

static bool pass_object(json_reader *reader)
{
    reader->at++;
    pass_blanks(reader);
    if (pass_if(reader, '}')) return true;
    clump_io_json name;
    bool more = true;
    while (more)
        if (!pass_name(reader, &name) || !pass_value(reader) || !pass_separator(reader, '}', &more)) return false;
    return true;
}

/* Passes a value that begins at `at`. */
static bool pass_value(json_reader *reader)
{
    if (reader->at == reader->end) return fails(reader, "the text ends too early");
    const char c = *reader->at;
    if (c == '{' || c == '[') {
        if (reader->depth == CLUMP_IO_JSON_DEPTH) return fails(reader, "too many brackets inside each other");
        reader->depth++;
        if (c == '{' ? !pass_object(reader) : !pass_array(reader)) return false;
        reader->depth--;
        return true;
    }
    if (c == '"') return pass_string(reader);
    if (c == '-' || is_digit(c)) return pass_number(reader);
    return pass_word(reader, c == 't' ? "true" : c == 'f' ? "false" : "null");
}

static json_reader read_from(clump_io_json value)
{
    return (json_reader){.at = value.text, .end = value.end};
}

clump_status clump_io_json_parse(const clump_io_where *where, const char *text, size_t size, clump_io_json *root)
{
    *root = (clump_io_json){0};
    json_reader reader = {.at = text, .end = text + size};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) reader.at += 3;
    pass_blanks(&reader);
    const char *const begin = reader.at;
    if (pass_value(&reader)) {
        const char *const end = reader.at;
        do pass_blanks(&reader);
        while (pass_if(&reader, '\0'));
        if (reader.at == reader.end) {
            *root = (clump_io_json){begin, end};
            return CLUMP_OK;
        }
        reader.fault = "text behind the end";
    }
    size_t line = 1;
    for (const char *p = text; p < reader.at; p++) line += *p == '\n';
    return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "JSON, line %zu: %s", line, reader.fault);
}

static bool name_is(clump_io_json name, const char *text, size_t size)
{
    return (size_t)(name.end - name.text) == size + 2 && memcmp(name.text + 1, text, size) == 0;
}

static bool find_member(clump_io_json object, const char *name, size_t name_size, clump_io_json *value)
{
    *value = (clump_io_json){0};
    json_reader reader = read_from(object);
    if (!object.text || !pass_if(&reader, '{')) return false;
    pass_blanks(&reader);
    clump_io_json found;
    for (bool more = true; more && pass_name(&reader, &found);) {
        const char *const begin = reader.at;
        if (!pass_value(&reader)) return false;
        if (name_is(found, name, name_size)) {
            *value = (clump_io_json){begin, reader.at};
            return true;
        }
        if (!pass_separator(&reader, '}', &more)) return false;
    }
    return false;
}

bool clump_io_json_member(clump_io_json object, const char *name, clump_io_json *value)
{
    return find_member(object, name, strlen(name), value);
}

bool clump_io_json_find(clump_io_json object, const char *path, clump_io_json *value)
{
    *value = object;
    for (;;) {
        const size_t size = strcspn(path, ".");
        if (!find_member(*value, path, size, value)) return false;
        if (!path[size]) return true;
        path += size + 1;
    }
}

bool clump_io_json_next(clump_io_json array, const char **at, clump_io_json *value)
{
    *value = (clump_io_json){0};
    json_reader reader = read_from(array);
    if (!array.text) return false;
    if (!*at) {
        if (!pass_if(&reader, '[')) return false;
    } else {
        reader.at = *at;
        pass_blanks(&reader);
        if (!pass_if(&reader, ',')) return false;
    }
    pass_blanks(&reader);
    const char *const begin = reader.at;
    if (!pass_value(&reader)) return false;
    *value = (clump_io_json){begin, reader.at};
    *at = reader.at;
    return true;
}

bool clump_io_json_number(clump_io_json value, double *number)
{
    clump_io_number scanned;
    if (!value.text || value.text == value.end || (*value.text != '-' && !is_digit(*value.text))) return false;
    if (!clump_io_scan(value.text, value.end, &scanned) || scanned.end != value.end) return false;
    *number = clump_io_to_double(&scanned);
    return isfinite(*number);
}

bool clump_io_json_integer(clump_io_json value, int64_t lowest, int64_t highest, int64_t *number)
{
    double real;
    if (!clump_io_json_number(value, &real) || real < (double)lowest || real > (double)highest || real != floor(real))
        return false;
    *number = (int64_t)real;
    return *number >= lowest && *number <= highest;
}

bool clump_io_json_numbers(clump_io_json value, double *numbers, size_t room, size_t *count)
{
    *count = 0;
    if (!value.text || value.text == value.end || *value.text != '[') return false;
    clump_io_json element;
    for (const char *at = NULL; clump_io_json_next(value, &at, &element); ++*count)
        if (*count == room || !clump_io_json_number(element, &numbers[*count])) return false;
    return true;
}

/* Returns the character that an escape stands for, and moves *p behind it. */
static char unescape(const char **p)
{
    const char c = *(*p)++;
    if (c == 'u') *p += 4;
    return c == '"' || c == '\\' || c == '/' ? c : '?';
}

bool clump_io_json_text(clump_io_json value, char *text, size_t room)
{
    CLUMP_ASSERT(room >= 1);
    if (!room) return false;
    *text = 0;
    json_reader reader = read_from(value);
    if (!value.text || !pass_string(&reader)) return false;
    const char *const end = reader.at - 1;
    size_t used = 0;
    for (const char *p = value.text + 1; p < end;) {
        char c = *p++;
        if (c == '\\') c = unescape(&p);
        if (c < 0x20 || c > 0x7e) c = '?';
        if (used + 1 == room) return *text = 0, false;
        CLUMP_ASSERT(used + 1 < room);
        text[used++] = c;
    }
    text[used] = 0;
    return true;
}
