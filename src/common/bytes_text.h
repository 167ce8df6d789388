/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes_text.h: an amount of memory as text, with a decimal unit.
 */
#ifndef CLUMP_COMMON_BYTES_TEXT_H
#define CLUMP_COMMON_BYTES_TEXT_H

#include <stddef.h>

/* Writes "936 bytes" or "68.7 GB". `bytes` is a double because the amount may exceed a size_t. */
void clump_bytes_text(char *text, size_t size, double bytes);

#endif
