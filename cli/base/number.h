/* SPDX-License-Identifier: BSD-3-Clause
 *
 * number.h: numbers as decimal text. Each function writes text without an end mark at `to`, which has room for
 * CLI_NUMBER_SIZE characters, and returns the end of the text. A number that is not finite has no text: the functions
 * return `to`.
 *
 * The text of a float32 or a coordinate is what printf("%.*g") gives with the smallest precision from 6 on that reads
 * back as the same value. The text of a double has at least 15 digits before trailing zeros are removed.
 */
#ifndef CLUMP_CLI_NUMBER_H
#define CLUMP_CLI_NUMBER_H

#include <stdint.h>

#define CLI_NUMBER_SIZE 40

char *cli_put_int(char *to, int64_t value);
char *cli_put_double(char *to, double value);
char *cli_put_float(char *to, float value);

/* Writes origin + local with the fewest digits that give the float32 local back: 481213.372, not 481213.37200927734.
 * If origin is not 0, a value from 1 to 1e15 has no exponent. */
char *cli_put_coordinate(char *to, float local, double origin);

/* Write text that ends with a null character. */
void cli_float_text(char text[CLI_NUMBER_SIZE], float value);
void cli_coordinate_text(char text[CLI_NUMBER_SIZE], float local, double origin);

#endif
