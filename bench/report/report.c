/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The report of the papers' experiments: the page. See report.h; markdown.c writes the tables.
 */
#include "report/report.h"

#include <stdio.h>
#include <string.h>

bool papers_write_report(const papers_paper *const *all, const char *const *files, size_t count, const char *path,
                         clump_message *why)
{
    char folder[1024] = ".";
    const char *const slash = strrchr(path, '/');
    if (slash) snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    report_input input = {.papers = all};
    page text = {0};
    bool written = machines_read(files, count, &input, why);
    if (written) {
        written = html_write(&text, &input, folder);
        if (!written) snprintf(why->text, sizeof why->text, "%s: no memory for its text", path);
    }
    written = written && page_save(&text, path, why);
    page_free(&text);
    machines_free(&input);
    return written;
}
