/* SPDX-License-Identifier: BSD-3-Clause
 *
 * motion.h: rigid motions as a 4 x 4 matrix in row order: read from files, and converted between file coordinates and
 * coordinates relative to the origin of a cloud.
 */
#ifndef CLUMP_CLI_MOTION_H
#define CLUMP_CLI_MOTION_H

/* Reads 16 numbers, or the 12 of the first three rows as in KITTI's poses, separated by blanks, commas or brackets.
 * Returns CLI_DONE, or prints why `option` fails and returns CLI_FAILED. */
int cli_motion_read(const char *option, const char *path, double motion[16]);

/* Convert a motion of file coordinates to coordinates relative to `origin`, and back. */
void cli_motion_into(const double origin[3], double motion[16]);
void cli_motion_out_of(const double origin[3], double motion[16]);

#endif
