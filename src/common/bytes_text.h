/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes_text.h: an amount of memory as text, with a decimal unit.
 */
#ifndef CLUMP_COMMON_BYTES_TEXT_H
#define CLUMP_COMMON_BYTES_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Writes "936 bytes" or "68.7 GB". `bytes` is a double because the amount may exceed a size_t. */
static inline void clump_bytes_text(char *text, size_t size, double bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < 1000) {
        snprintf(text, size, "%.0f bytes", bytes);
        return;
    }
    size_t unit = 0;
    for (bytes /= 1000; bytes >= 999.95 && unit + 1 < sizeof units / sizeof *units; unit++) bytes /= 1000;
    snprintf(text, size, "%.1f %s", bytes, units[unit]);
}

#endif
