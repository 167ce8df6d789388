/* SPDX-License-Identifier: BSD-3-Clause
 *
 * marks.c: which points are ground: a bit per point of the share of this rank, in a file of the store. The scatter writes it block
 * by block, the output reads it window by window.
 */
#include "job.h"

#include "common/assert.h"
#include "common/bits.h"

#include <stdlib.h>

static uint64_t sum_of(const clump_big_marks *marks, uint64_t block)
{
    return clump_big_checksum(marks->bits, sizeof marks->bits) + block;
}

clump_status clump_big_marks_write(clump_big_job *job, uint64_t block, clump_big_marks *marks, clump_message *message)
{
    CLUMP_ASSERT(block >= job->share);
    marks->sum = sum_of(marks, block);
    return clump_big_file_write(&job->marks, (block - job->share) * sizeof *marks, marks, sizeof *marks, message);
}

/* Reads the marks of blocks `from` ... from + count - 1, which are of the share. */
static clump_status read_marks(const clump_big_job *job, uint64_t from, size_t count, clump_big_marks *to,
                               clump_message *message)
{
    bool sound = true;
    const clump_status status =
        clump_big_file_read(&job->marks, (from - job->share) * sizeof *to, to, count * sizeof *to, message);
    for (size_t k = 0; k < count && status == CLUMP_OK; k++) sound = sound && to[k].sum == sum_of(&to[k], from + k);
    if (status != CLUMP_ERR_IO_TRUNCATED && sound) return status;
    return clump_big_fail(message, CLUMP_ERR_IO_FORMAT,
                          "%.300s/" CLUMP_BIG_MARKS_NAME ": damaged; remove the folder to start from the beginning",
                          job->disk.path);
}

/* Gives the points of a block with a mark their label. */
static void lay_block(clump_big_job *job, const clump_big_marks *marks, int64_t *labels)
{
    for (size_t k = 0; k < CLUMP_BLOCK_POINTS / 64; k++)
        for (uint64_t bits = marks->bits[k]; bits; bits &= bits - 1) {
            labels[64 * k + clump_lowest(bits)] = CLUMP_GROUND;
            job->result.ground++;
        }
}

clump_status clump_big_marks_lay(clump_big_job *job, uint64_t first, uint64_t end, int64_t *labels,
                                 clump_message *message)
{
    const uint64_t last = job->share + job->share_blocks, from = first > job->share ? first : job->share;
    const size_t count = from < (end < last ? end : last) ? (size_t)((end < last ? end : last) - from) : 0;
    void *all = NULL;
    size_t total = 0;
    if (!job->options->ground) return CLUMP_OK;
    clump_big_marks *const own = malloc((count + 1) * sizeof *own);
    clump_status status = own ? CLUMP_OK : clump_big_no_memory(message, (count + 1) * sizeof *own);
    if (status == CLUMP_OK) status = read_marks(job, from, count, own, message);
    status = clump_big_agree(job, status, message);
    if (status == CLUMP_OK) /* ranks have their blocks in the order of the input */
        status = clump_big_to_first(job, sizeof *own, own, count, &all, &total, message);
    for (size_t k = 0; k < total && status == CLUMP_OK; k++)
        lay_block(job, (clump_big_marks *)all + k, labels + k * CLUMP_BLOCK_POINTS);
    free(all);
    free(own);
    return status;
}
