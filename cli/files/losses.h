/* SPDX-License-Identifier: BSD-3-Clause
 *
 * losses.h: what a file does not hold of the cloud that was written to it. Only the library knows what a format
 * can hold. So the file is read again and compared, which finds every loss.
 */
#ifndef CLUMP_CLI_LOSSES_H
#define CLUMP_CLI_LOSSES_H

#include <clump/io.h>

/* What was lost, separated by commas; "" if nothing was. */
typedef struct cli_losses {
    char text[512];
    size_t used;
} cli_losses;

void cli_find_losses(const clump_cloud *cloud, const clump_cloud *back, cli_losses *losses);

#endif
