/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes_text.c: see bytes_text.h.
 */
#include "common/bytes_text.h"

#include <stdio.h>

void clump_bytes_text(char *text, size_t size, double bytes)
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
