/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copy.h: memory copied by several threads. One core cannot fill the road to a GPU.
 */
#ifndef CLUMP_COMMON_COPY_H
#define CLUMP_COMMON_COPY_H

#include "common/team.h"

/* n rows of `row` bytes, `stride` bytes apart, to where they lie side by side. By up to `threads` threads of the team, which
 * is not asked whether the call has been cancelled. */
void clump_copy_rows(clump_team *team, void *to, const void *from, size_t row, size_t stride, size_t n, int threads);

#endif
