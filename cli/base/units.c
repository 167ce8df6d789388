/* SPDX-License-Identifier: BSD-3-Clause
 *
 * units.c: see number.h. Numbers have three digits, times are whole microseconds at least. The bounds between units are where rounding to three digits would
 * need a fourth: 999.5 ms are 1 s.
 */
#include "base/number.h"

#include <math.h>
#include <stdio.h>

void cli_time_text(char text[CLI_TIME_SIZE], double ms)
{
    static const double most_hours = 1e9;
    if (isnan(ms)) {
        snprintf(text, CLI_TIME_SIZE, "-");
    } else if (ms < 0.0005) {
        snprintf(text, CLI_TIME_SIZE, "0 ms");
    } else if (ms < 0.0995) {
        snprintf(text, CLI_TIME_SIZE, "%.3f ms", ms);
    } else if (ms < 999.5) {
        snprintf(text, CLI_TIME_SIZE, "%.3g ms", ms);
    } else if (ms < 59950) {
        snprintf(text, CLI_TIME_SIZE, "%.3g s", 1e-3 * ms);
    } else {
        const double hours = fmin(ms / 3.6e6, most_hours);
        const int64_t seconds = (int64_t)(3600 * hours + 0.5), minutes = (seconds + 30) / 60;
        if (seconds < 3600)
            snprintf(text, CLI_TIME_SIZE, "%d min %02d s", (int)(seconds / 60), (int)(seconds % 60));
        else
            snprintf(text, CLI_TIME_SIZE, "%d h %02d min", (int)(minutes / 60), (int)(minutes % 60));
    }
}

void cli_bytes_text(char text[CLI_BYTES_SIZE], uint64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    int unit = 0;
    for (; value >= (unit ? 999.5 : 1000); unit++) value /= 1000;
    snprintf(text, CLI_BYTES_SIZE, unit ? "%.3g %s" : "%.0f %s", value, unit == 0 && bytes == 1 ? "byte" : units[unit]);
}
