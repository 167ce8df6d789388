/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json.h: writes JSON and the numbers in it. The writer puts the commas:
 *
 *     cli_json j = cli_json_begin(stdout, "info");
 *     cli_json_text(&j, "input", path);
 *     cli_json_end(&j);
 *
 * key is null inside an array. Text that is not UTF-8 (file names can be) gets U+FFFD for each bad
 * byte. Numbers that are not finite become null.
 */
#ifndef CLUMP_CLI_JSON_H
#define CLUMP_CLI_JSON_H

#include "base/number.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cli_json {
    FILE *file;
    bool comma; /* the next value is not the first of its object or array */
} cli_json;

/* Begin and end the object that a command prints. Its first key is "command"; a newline follows it. */
cli_json cli_json_begin(FILE *to, const char *command);
void cli_json_end(cli_json *j);

void cli_json_open(cli_json *j, const char *key, char bracket);
void cli_json_close(cli_json *j, char bracket);
void cli_json_text(cli_json *j, const char *key, const char *text); /* a null text becomes null */
void cli_json_count(cli_json *j, const char *key, uint64_t value);
void cli_json_int(cli_json *j, const char *key, int64_t value);
void cli_json_number(cli_json *j, const char *key, double value);
void cli_json_numbers(cli_json *j, const char *key, const double *values, size_t count);
void cli_json_ms(cli_json *j, const char *key, double milliseconds); /* rounded to 0.1 microseconds */
void cli_json_bool(cli_json *j, const char *key, bool value);
void cli_json_null(cli_json *j, const char *key);
void cli_json_float(cli_json *j, const char *key, float value);
void cli_json_coordinates(cli_json *j, const char *key, const float *local, const double *origin, size_t count);

#endif
