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

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/* --- units.c: times and sizes in texts for people. JSON has plain numbers of one unit --------------- */

/* "0.042 ms", "315 ms", "3.15 s", "5 min 45 s", "2 h 05 min"; "-" where the time is not a number. */
enum { CLI_TIME_SIZE = 32 };
void cli_time_text(char text[CLI_TIME_SIZE], double ms);

/* "812 bytes", "12.3 MB", "1.5 GB": powers of 1000. */
enum { CLI_BYTES_SIZE = 24 };
void cli_bytes_text(char text[CLI_BYTES_SIZE], uint64_t bytes);

/* --- table.c: prints a table of text: columns with headings, in groups with titles. Cells are aligned to the right */

enum { CLI_TABLE_COLUMNS = 15 }; /* at most */

typedef struct cli_table_row {
    char cell[CLI_TABLE_COLUMNS][CLI_NUMBER_SIZE];
} cli_table_row;

/* A group of columns begins with a bar. The first group has no bar. */
typedef struct cli_table_group {
    size_t columns;
    const char *title;
} cli_table_group;

/* Prints an empty line, the titles and the rows. Row 0 has the headings. The groups end with one of 0 columns. A cell
 * "-0.00" becomes "0.00". */
void cli_table_print(FILE *to, const cli_table_group *groups, cli_table_row *rows, size_t count);

#endif
