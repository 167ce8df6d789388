/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks.c: see job.h. Every rank computes the same from the same numbers.
 */
#include "job.h"

#include <string.h>

/* ----- agreement ------------------------------------------------------------------------------------------------------ */

clump_status clump_big_sent(clump_big_job *job, clump_status status, clump_message *message)
{
    if (status == CLUMP_OK) return CLUMP_OK;
    if (status == CLUMP_ERR_CANCELLED) return clump_big_fail(message, status, "cancelled by the caller");
    if (status == CLUMP_ERR_OUT_OF_MEMORY)
        return clump_big_fail(message, status, "a rank has no memory for the messages of the others");
    return clump_big_fail(message, status,
                          "rank %d: another rank has failed or ended; do all machines have the files and devices?",
                          clump_big_rank(job));
}

clump_status clump_big_agree_any(clump_big_job *job, clump_status status, bool *any, clump_message *message)
{
    clump_mail *const mail = &job->mail;
    if (status == CLUMP_OK) status = clump_big_poll(job->disk.cancel, message);
    if (mail->peers.count == 1) return status;
    int64_t said[2] = {status == CLUMP_OK ? mail->peers.count : mail->peers.rank, *any ? -1 : 0};
    clump_status spoken = clump_mail_least(mail, said, 2); /* the first rank that failed; whether one says yes */
    if (spoken != CLUMP_OK) return clump_big_sent(job, spoken, message);
    *any = said[1] != 0;
    if (said[0] == mail->peers.count) return CLUMP_OK;
    /* its status and sentence, as the sum of one rank's words and zeros of all others */
    uint64_t words[1 + sizeof message->text / 8] = {0};
    if (said[0] == mail->peers.rank) {
        words[0] = (uint64_t)status;
        memcpy(words + 1, message->text, sizeof message->text);
    }
    spoken = clump_mail_sum(mail, words, sizeof words / sizeof *words);
    if (spoken != CLUMP_OK) return clump_big_sent(job, spoken, message);
    memcpy(message->text, words + 1, sizeof message->text);
    message->text[sizeof message->text - 1] = '\0';
    return (clump_status)words[0];
}

clump_status clump_big_agree(clump_big_job *job, clump_status status, clump_message *message)
{
    bool none = false;
    return clump_big_agree_any(job, status, &none, message);
}

clump_status clump_big_agree_made(clump_big_job *job, bool made, size_t bytes, clump_message *message)
{
    return clump_big_agree(job, made ? CLUMP_OK : clump_big_no_memory(message, bytes), message);
}

clump_status clump_big_sum(clump_big_job *job, uint64_t *values, size_t count, clump_message *message)
{
    return clump_big_sent(job, clump_mail_sum(&job->mail, values, count), message);
}

clump_status clump_big_least(clump_big_job *job, int64_t *values, size_t count, clump_message *message)
{
    return clump_big_sent(job, clump_mail_least(&job->mail, values, count), message);
}

/* Returns an integer that is in the order of the numbers; and back. */
static int64_t key_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static double of_key(int64_t key)
{
    const int64_t bits = key < 0 ? key ^ INT64_MAX : key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

clump_status clump_big_unite_boxes(clump_big_job *job, clump_big_box *box, clump_message *message)
{
    int64_t words[12]; /* ~x turns the largest into the least */
    for (int a = 0; a < 3; a++) {
        words[a] = box->lower_step[a], words[3 + a] = ~box->upper_step[a];
        words[6 + a] = key_of(box->lower[a]), words[9 + a] = ~key_of(box->upper[a]);
    }
    CLUMP_BIG_TRY(clump_big_least(job, words, 12, message));
    for (int a = 0; a < 3; a++) {
        box->lower_step[a] = words[a], box->upper_step[a] = ~words[3 + a];
        box->lower[a] = of_key(words[6 + a]), box->upper[a] = of_key(~words[9 + a]);
    }
    return CLUMP_OK;
}

/* ----- arrays --------------------------------------------------------------------------------------------------------- */

clump_status clump_big_lists(clump_big_job *job, size_t size, const void *send, const uint64_t *counts, void **out,
                             uint64_t *received, size_t *total, clump_message *message)
{
    CLUMP_BIG_TRY(clump_big_sent(job, clump_mail_lists(&job->mail, size, send, counts, out, received), message));
    *total = 0;
    for (int r = 0; r < clump_big_ranks(job); r++) *total += (size_t)received[r];
    return CLUMP_OK;
}

clump_status clump_big_to_first(clump_big_job *job, size_t size, const void *send, size_t count, void **out,
                                size_t *total, clump_message *message)
{
    uint64_t *const words = job->words;
    memset(words, 0, (size_t)clump_big_ranks(job) * sizeof *words);
    words[0] = count;
    return clump_big_lists(job, size, send, words, out, words + clump_big_ranks(job), total, message);
}

/* ----- shares --------------------------------------------------------------------------------------------------------- */

uint64_t clump_big_ranks_block(uint64_t blocks, int ranks, int r)
{
    const uint64_t each = blocks / (uint64_t)ranks, more = blocks % (uint64_t)ranks, rank = (uint64_t)r;
    return each * rank + (rank < more ? rank : more);
}
