/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal.h: what has been done, one record per finished task. Records that were cut or damaged end the journal: what
 * follows is done again. Points of the log are on the disk before their record. Results of tiles need not be: after a
 * power failure their checksums tell what is there.
 */
#ifndef CLUMP_BIG_JOURNAL_H
#define CLUMP_BIG_JOURNAL_H

#include "store/disk.h"

#include <pthread.h>

#define CLUMP_BIG_JOURNAL_NAME "clump-journal"

typedef enum clump_big_record_kind {
    CLUMP_BIG_RECORD_SCATTER = 1, /* blocks below `count` are in the log, which has `bytes` bytes */
    CLUMP_BIG_RECORD_SPLIT, /* tile was divided into `count` tiles of `own` points at most; the log has `bytes` bytes */
    CLUMP_BIG_RECORD_TILE,  /* tile has its result at byte `at` of the results, `bytes` bytes with `checksum` */
    CLUMP_BIG_RECORD_DONE,  /* the output is complete */
    CLUMP_BIG_RECORD_GROUND /* the surface of `count` squares is in `bytes` bytes of its file, with `checksum` */
} clump_big_record_kind;

typedef struct clump_big_record {
    uint32_t kind, tile;
    uint64_t at, count, bytes, checksum;
    uint64_t left_out, moved, own, rim;   /* SCATTER */
    int64_t lower_step[3], upper_step[3]; /* SCATTER */
    uint64_t sum;                         /* checksum of the members above */
} clump_big_record;

typedef struct clump_big_journal {
    clump_big_file file;
    pthread_mutex_t lock;
    uint64_t records;
} clump_big_journal;

/* Opens the journal and reads its sound records; *records is for free(). */
clump_status clump_big_journal_open(clump_big_disk *disk, clump_big_journal *out, clump_big_record **records,
                                    size_t *count, clump_message *message);
void clump_big_journal_close(clump_big_journal *journal);

/* Forgets all records after the first `count`. */
clump_status clump_big_journal_cut(clump_big_journal *journal, size_t count, clump_message *message);

/* Appends a record. Several threads may call it. `wait`: until it is on the disk. */
clump_status clump_big_journal_add(clump_big_journal *journal, clump_big_record record, bool wait,
                                   clump_message *message);

/* Returns the sound records of a journal file that is in memory. */
size_t clump_big_journal_count(const unsigned char *bytes, size_t size);

#endif
