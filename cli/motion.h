/* SPDX-License-Identifier: BSD-3-Clause
 *
 * motion.h: rigid motions as 16 numbers, a 4 x 4 matrix row after row: from files, and between coordinates of files and
 * those relative to the origin that a cloud keeps.
 */
#ifndef CLUMP_CLI_MOTION_H
#define CLUMP_CLI_MOTION_H

/* Numbers with blanks, commas or brackets between them: 16, or the 12 of the first three rows, as KITTI's poses are.
 * Otherwise CLI_FAILED, and why has been said of `option`. */
int cli_motion_read(const char *option, const char *path, double motion[16]);

/* The same motion where coordinates are less by `origin`, and back. */
void cli_motion_into(const double origin[3], double motion[16]);
void cli_motion_out_of(const double origin[3], double motion[16]);

#endif
