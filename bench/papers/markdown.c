/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables of the Markdown pages: see report.h.
 */
#include "report.h"

#include <stdio.h>

bool papers_write_markdown(const char *const *files, size_t count, const char *path, clump_message *why)
{
    (void)files, (void)count, (void)path;
    return snprintf(why->text, sizeof why->text, "not yet"), false;
}
