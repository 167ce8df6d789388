/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_run.h: clump_big_run() on several ranks: files in, files out.
 */
#ifndef CLUMP_BIG_RANKS_RUN_H
#define CLUMP_BIG_RANKS_RUN_H

#include "pick.h"
#include "ranks/ranks.h"

/* clump_big_run() where options->peers is set. Options and settings have been checked. most: points per tile; 0: as usual. */
clump_status clump_ranks_run(const char *const *inputs, size_t count, const char *output,
                             const clump_joint_settings *settings, const clump_big_options *options, uint64_t most,
                             clump_big_result *result, clump_message *message);

/* Reads this rank's share of the blocks. Sets the frame's place and origin, and the share of `ranks`. *passes: how often
 * the share was read. */
clump_status clump_ranks_read(clump_ranks *ranks, clump_reader *reader, const clump_big_filter *filter, int *passes);

/* Writes the labels of all ranks on rank 0. */
clump_status clump_ranks_write(clump_ranks *ranks, clump_reader *reader, const char *output,
                               const clump_label_writer_options *options);

/* Computes the hashes of the labels of all ranks, on all ranks. hashes: as int32, or 0 where that cannot hold them; as
 * int64. */
clump_status clump_ranks_hash(clump_ranks *ranks, uint64_t hashes[2]);

#endif
