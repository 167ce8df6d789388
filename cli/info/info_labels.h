/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_labels.h: `clump info` on a file of labels.
 */
#ifndef CLUMP_CLI_INFO_LABELS_H
#define CLUMP_CLI_INFO_LABELS_H

#include <stdbool.h>

int cli_info_labels(const char *path, const char *format, bool json); /* exit status */

#endif
