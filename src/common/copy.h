/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copy.h: memory copied by several threads. One core cannot saturate the link to a GPU.
 */
#ifndef CLUMP_COMMON_COPY_H
#define CLUMP_COMMON_COPY_H

#include "common/team.h"

/* Copies n rows of `row` bytes, which are `stride` bytes apart, to consecutive places. Uses up to `threads` threads of the
 * team, and does not poll for cancellation. */
void clump_copy_rows(clump_team *team, void *to, const void *from, size_t row, size_t stride, size_t n, int threads);

#endif
