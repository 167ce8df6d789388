/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_recording.h: `clump info` of a recording.
 */
#ifndef CLUMP_CLI_INFO_RECORDING_H
#define CLUMP_CLI_INFO_RECORDING_H

#include "files/source.h"

/* Prints what the recording holds and closes it. Returns the exit status. */
int cli_info_recording(const char *const *paths, size_t count, const cli_source_settings *settings, bool json);

#endif
