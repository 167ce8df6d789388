/* SPDX-License-Identifier: BSD-3-Clause
 *
 * motion.c: see pair.h.
 */
#include "pair/pair.h"

#include "common/assert.h"
#include "base/cli.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOTION_MOST_TEXT = 4096, MOTION_WHOLE = 16, MOTION_ROWS = 12 };

/* Returns how many numbers the text has, at most MOTION_WHOLE + 1; -1: it has something else. */
static int parse(const char *text, double numbers[MOTION_WHOLE + 1])
{
    int count = 0;
    for (;;) {
        text += strspn(text, " \t\r\n,;[]");
        if (!*text || count > MOTION_WHOLE) return count;
        char *end;
        numbers[count] = strtod(text, &end);
        if (end == text || !isfinite(numbers[count])) return -1;
        text = end, count++;
    }
}

/* Whether the matrix is a rotation and a translation: orthonormal rows, to the digits of a text, and no reflection. */
static bool is_motion(const double m[MOTION_WHOLE])
{
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            const double dot = m[4 * i] * m[4 * j] + m[4 * i + 1] * m[4 * j + 1] + m[4 * i + 2] * m[4 * j + 2];
            if (!(fabs(dot - (i == j)) < 1e-3)) return false;
        }
    const double volume =
        m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
    return volume > 0 && m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1;
}

int cli_motion_read(const char *option, const char *path, double motion[16])
{
    FILE *const file = fopen(path, "r");
    if (!file) return cli_fail("%s %s: %s", option, path, strerror(errno));
    char text[MOTION_MOST_TEXT + 1];
    errno = 0;
    const size_t length = fread(text, 1, MOTION_MOST_TEXT, file);
    const bool failed = ferror(file) != 0, longer = !failed && getc(file) != EOF;
    const int why = errno;
    fclose(file);
    if (failed) return cli_fail("%s %s: %s", option, path, why ? strerror(why) : "it cannot be read");
    text[length] = '\0';
    double numbers[MOTION_WHOLE + 1];
    const int count = longer || strlen(text) < length ? -1 : parse(text, numbers);
    if (count < 0) return cli_fail("%s %s: not a matrix of 3 or 4 rows of 4 numbers", option, path);
    if (count != MOTION_WHOLE && count != MOTION_ROWS)
        return cli_fail("%s %s: %s%d number%s, it should be 16, or 12", option, path,
                        count > MOTION_WHOLE ? "over " : "", count > MOTION_WHOLE ? MOTION_WHOLE : count,
                        count == 1 ? "" : "s");
    memcpy(motion, numbers, MOTION_ROWS * sizeof *motion);
    for (int i = MOTION_ROWS; i < MOTION_WHOLE; i++)
        motion[i] = count == MOTION_WHOLE ? numbers[i] : i == MOTION_WHOLE - 1;
    return is_motion(motion) ? CLI_DONE : cli_fail("%s %s: it does not just turn and move", option, path);
}

/* Adds sign x (rotated origin - origin) to the translation. */
static void shift(const double origin[3], double sign, double motion[16])
{
    CLUMP_ASSERT(sign == 1 || sign == -1);
    for (int i = 0; i < 3; i++) {
        double turned = 0;
        for (int j = 0; j < 3; j++) turned += motion[4 * i + j] * origin[j];
        motion[4 * i + 3] += sign * (turned - origin[i]);
    }
}

void cli_motion_into(const double origin[3], double motion[16])
{
    shift(origin, 1, motion);
}

void cli_motion_out_of(const double origin[3], double motion[16])
{
    shift(origin, -1, motion);
}
