/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_output.c: the labels of all ranks in the order of the input.
 *
 * Files: rank after rank sends its labels to rank 0, which writes them as they come.
 *
 * Hashes: XXH64 goes through the labels one after the other, so its state goes from rank to rank. There are two hashes; while
 * a rank computes one, the rank before it computes the other:
 *
 *     step       0      1      2     ...
 *     as int32   rank 0 rank 1 rank 2
 *     as int64          rank 0 rank 1
 */
#include "ranks/ranks.h"

#include "common/assert.h"

#include "store/hash.h"

#include <stdlib.h>
#include <string.h>

enum { OUTPUT_AT_ONCE = 4096 }; /* labels that are converted, hashed or written at a time */

/* Writes some labels as int64. */
static void widen(const void *labels, bool wide, size_t count, int64_t *to)
{
    if (wide) memcpy(to, labels, count * sizeof *to);
    for (size_t i = 0; i < count && !wide; i++) {
        int32_t label;
        memcpy(&label, (const int32_t *)labels + i, sizeof label);
        to[i] = label;
    }
}

/* ----- hashes --------------------------------------------------------------------------------------------------------- */

/* Appends the labels of this rank to a hash. All ranks wait for it: on hosts whose numbers are little-endian, the labels
 * are the bytes. */
static void hash_labels(const clump_ranks *ranks, bool as_64, clump_big_hash *hash)
{
    int64_t labels[OUTPUT_AT_ONCE];
    const size_t size = ranks->wide ? sizeof(int64_t) : sizeof(int32_t), share = (size_t)ranks->share;
    const bool little = *(const unsigned char *)&(uint32_t){1} == 1;
    for (size_t first = 0, now; first < share && !clump_ranks_cancelled(ranks); first += now) {
        now = share - first < OUTPUT_AT_ONCE ? share - first : OUTPUT_AT_ONCE;
        const unsigned char *const here = (const unsigned char *)ranks->labels + first * size;
        if (little && as_64 == ranks->wide) {
            clump_big_hash_add(hash, here, now * size);
            continue;
        }
        widen(here, ranks->wide, now, labels);
        if (as_64 && little)
            clump_big_hash_add(hash, labels, now * sizeof *labels);
        else if (as_64)
            clump_big_hash_labels(hash, labels, now, 8);
        else
            clump_big_hash_labels(hash, labels, now, 4);
    }
}

/* Sends the state of a hash from one rank to the next, where there is one. */
static clump_status pass_state(clump_ranks *ranks, int from, clump_big_hash *hash, uint64_t *words)
{
    const int count = ranks->mail.peers.count;
    if (from < 0 || from + 1 >= count) return CLUMP_OK;
    void *received = NULL;
    memset(words, 0, 2 * (size_t)count * sizeof *words);
    if (ranks->mail.peers.rank == from) words[from + 1] = 1;
    CLUMP_BIG_TRY(
        clump_ranks_sent(ranks, clump_mail_lists(&ranks->mail, sizeof *hash, hash, words, &received, words + count)));
    if (ranks->mail.peers.rank == from + 1) memcpy(hash, received, sizeof *hash);
    free(received);
    return CLUMP_OK;
}

clump_status clump_ranks_hash(clump_ranks *ranks, uint64_t hashes[2])
{
    const int count = ranks->mail.peers.count, rank = ranks->mail.peers.rank;
    uint64_t *const words = malloc(2 * (size_t)count * sizeof *words);
    clump_status status =
        clump_ranks_agree(ranks, words ? CLUMP_OK : clump_big_no_memory(&ranks->message, 16 * (size_t)count));
    clump_big_hash as_32, as_64;
    clump_big_hash_begin(&as_32);
    clump_big_hash_begin(&as_64);
    const bool fit = ranks->clusters <= INT32_MAX;
    for (int step = 0; step <= count && status == CLUMP_OK; step++) {
        if (rank == step && fit) hash_labels(ranks, false, &as_32);
        if (rank == step - 1) hash_labels(ranks, true, &as_64);
        clump_ranks_tell(ranks, (double)step / (count + 1));
        status = clump_ranks_agree(ranks, CLUMP_OK);
        if (status == CLUMP_OK) status = pass_state(ranks, step, &as_32, words);
        if (status == CLUMP_OK) status = pass_state(ranks, step - 1, &as_64, words);
    }
    free(words);
    CLUMP_BIG_TRY(status);
    hashes[0] = rank == count - 1 && fit ? clump_big_hash_end(&as_32) : 0;
    hashes[1] = rank == count - 1 ? clump_big_hash_end(&as_64) : 0;
    return clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, hashes, 2));
}

/* ----- files ---------------------------------------------------------------------------------------------------------- */

typedef struct label_file {
    clump_ranks *ranks;
    clump_label_writer *writer; /* on rank 0 */
    size_t size;                /* bytes of a label */
    clump_status status;        /* of rank 0 */
    uint64_t written;           /* labels */
} label_file;

/* Writes labels that have come. After a failure the rest is dropped. */
static void write_labels(void *user, int rank, uint64_t at, size_t bytes, const void *from)
{
    label_file *const f = user;
    int64_t labels[OUTPUT_AT_ONCE];
    const size_t count = bytes / f->size;
    CLUMP_ASSERT(bytes % f->size == 0);
    (void)rank, (void)at;
    for (size_t first = 0, now; first < count && f->status == CLUMP_OK; first += now) {
        now = count - first < OUTPUT_AT_ONCE ? count - first : OUTPUT_AT_ONCE;
        widen((const unsigned char *)from + first * f->size, f->ranks->wide, now, labels);
        f->status = clump_label_writer_add(f->writer, labels, now, &f->ranks->message);
        f->written += now;
        clump_ranks_tell(f->ranks, (double)f->written / (double)f->ranks->points);
        if (f->status == CLUMP_OK) f->status = clump_big_poll(f->ranks->cancel, &f->ranks->message);
    }
}

static void give_labels(void *user, int rank, uint64_t at, size_t bytes, void *to)
{
    const label_file *const f = user;
    (void)rank;
    memcpy(to, (const unsigned char *)f->ranks->labels + at, bytes);
}

/* Sends the labels of a rank to rank 0. Only one rank sends, so a round may have its share of all ranks. */
static clump_status send_labels(label_file *f, int rank, uint64_t *words)
{
    clump_ranks *const ranks = f->ranks;
    clump_mail *const mail = &ranks->mail;
    const int count = mail->peers.count;
    const uint64_t bytes = (ranks->starts[rank + 1] - ranks->starts[rank]) * f->size, most = mail->most;
    if (rank == 0) {
        if (mail->peers.rank == 0) write_labels(f, 0, 0, (size_t)bytes, ranks->labels);
        return clump_ranks_agree(ranks, f->status);
    }
    memset(words, 0, 2 * (size_t)count * sizeof *words);
    if (mail->peers.rank == rank) words[0] = bytes;
    if (mail->peers.rank == 0) words[count + rank] = bytes;
    mail->most = most * (uint64_t)count;
    const clump_status status = clump_mail_stream(mail, words, give_labels, words + count, write_labels, f);
    mail->most = most;
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, status));
    return clump_ranks_agree(ranks, f->status);
}

clump_status clump_ranks_write(clump_ranks *ranks, clump_reader *reader, const char *output,
                               const clump_label_writer_options *options)
{
    const int count = ranks->mail.peers.count, rank = ranks->mail.peers.rank;
    label_file f = {.ranks = ranks, .size = ranks->wide ? sizeof(int64_t) : sizeof(int32_t)};
    clump_label_writer_options o = *options;
    o.wide |= ranks->clusters > INT32_MAX;
    uint64_t *const words = malloc(2 * (size_t)count * sizeof *words);
    f.status = words ? CLUMP_OK : clump_big_no_memory(&ranks->message, 16 * (size_t)count);
    if (f.status == CLUMP_OK && rank == 0)
        f.status = clump_label_writer_open(reader, output, &o, &f.writer, &ranks->message);
    clump_status status = clump_ranks_agree(ranks, f.status);
    ranks->mail.tell = NULL; /* what is written tells how far it is */
    for (int r = 0; r < count && status == CLUMP_OK; r++) status = send_labels(&f, r, words);
    free(words);
    if (rank == 0 && f.writer) {
        const clump_message sentence = ranks->message;
        f.status = clump_label_writer_close(f.writer, status == CLUMP_OK, &ranks->message);
        if (status != CLUMP_OK) ranks->message = sentence;
    }
    return status == CLUMP_OK ? clump_ranks_agree(ranks, f.status) : status;
}
