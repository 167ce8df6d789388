/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json.h: a reader of JSON text (RFC 8259) that allocates nothing.
 *
 *     clump_io_json root, value;
 *     CLUMP_IO_TRY(clump_io_json_parse(where, text, size, &root));
 *     if (clump_io_json_find(root, "sensor_info.prod_line", &value)) clump_io_json_text(value, line, sizeof line);
 *
 * A value is a span of the text. clump_io_json_parse() checks the whole text once; the other functions walk through it.
 * A search takes time in proportion to the text. The text must stay as long as its values are used.
 */
#ifndef CLUMP_IO_SENSORS_JSON_H
#define CLUMP_IO_SENSORS_JSON_H

#include "format.h"

/* Arrays and objects inside each other. Deeper text is refused. */
#define CLUMP_IO_JSON_DEPTH 32

/* One value, without blanks around it. Null: no value. */
typedef struct clump_io_json {
    const char *text, *end;
} clump_io_json;

/* Checks the text, which needs no final 0, and returns its value. A byte order mark before it, and blanks and zeros
 * behind it are allowed. Fails with the line of the first fault. */
clump_status clump_io_json_parse(const clump_io_where *where, const char *text, size_t size, clump_io_json *root);

/* Returns the value of a member of an object; the first, if the name is repeated. False: no object, or no such member.
 * Names that are written with escapes are not found. */
bool clump_io_json_member(clump_io_json object, const char *name, clump_io_json *value);

/* The same for members of members: "sensor_info.prod_line". */
bool clump_io_json_find(clump_io_json object, const char *path, clump_io_json *value);

/* Walks through an array. *at is null before the first call. False: the end, or no array. */
bool clump_io_json_next(clump_io_json array, const char **at, clump_io_json *value);

/* Returns a number. False: none, or too long or too large for a double. The thread's locale must be "C". */
bool clump_io_json_number(clump_io_json value, double *number);

/* Returns a whole number between lowest and highest. False: none. */
bool clump_io_json_integer(clump_io_json value, int64_t lowest, int64_t highest, int64_t *number);

/* Returns all numbers of an array. False: no array, something else in it, or more than `room` numbers. */
bool clump_io_json_numbers(clump_io_json value, double *numbers, size_t room, size_t *count);

/* Copies a string and its final 0. Characters beyond ASCII, and control characters, become '?'. False: no string, or
 * too long. */
bool clump_io_json_text(clump_io_json value, char *text, size_t room);

#endif
