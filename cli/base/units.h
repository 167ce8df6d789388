/* SPDX-License-Identifier: BSD-3-Clause
 *
 * units.h: times and sizes in texts for people. JSON has plain numbers of one unit.
 */
#ifndef CLUMP_CLI_UNITS_H
#define CLUMP_CLI_UNITS_H

#include <stdint.h>

/* "0.042 ms", "315 ms", "3.15 s", "5 min 45 s", "2 h 05 min"; "-" where the time is not a number. */
enum { CLI_TIME_SIZE = 32 };
void cli_time_text(char text[CLI_TIME_SIZE], double ms);

/* "812 bytes", "12.3 MB", "1.5 GB": powers of 1000. */
enum { CLI_BYTES_SIZE = 24 };
void cli_bytes_text(char text[CLI_BYTES_SIZE], uint64_t bytes);

#endif
