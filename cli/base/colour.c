/* SPDX-License-Identifier: BSD-3-Clause
 *
 * colour.c: see cli.h. The sequences are those of ECMA-48, which all terminals of today know.
 */
#include "base/cli.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_colour(FILE *to)
{
    const char *const never = getenv("NO_COLOR"), *const terminal = getenv("TERM");
    return !(never && never[0]) && terminal && strcmp(terminal, "dumb") != 0 && isatty(fileno(to));
}

const char *cli_colour(FILE *to, cli_style style)
{
    static const char *const begins[] = {"\033[0m", "\033[1m", "\033[2m", "\033[1;31m"};
    return has_colour(to) ? begins[style] : "";
}
