/* SPDX-License-Identifier: BSD-3-Clause
 *
 * store.h: the store of a rank: the files of its work folder, or the same files in memory. Every change goes through here:
 * tests inject faults, and bytes are counted. Several threads may read and write one file at different places.
 *
 * The room, in the order of a run:
 *
 *     folder.c    makes, locks and leaves the work folder
 *     disk.c      its files
 *     sink.c      collects points per tile (log.h)
 *     log.c       the points of all tiles in one file (log.h)
 *     results.c   what is kept of a clustered tile (results.h)
 *     journal.c   what has been done
 *     hash.c      XXH64: checksums, hash of the labels
 *     fail.c      sentences of failures
 *     hooks.h     what tests change of a run
 */
#ifndef CLUMP_BIG_STORE_H
#define CLUMP_BIG_STORE_H

#include "store/hooks.h"

#include <pthread.h>
#include <sys/uio.h>

/* --- fail.c: the sentence of a failure, and how failures are passed up */

/* Passes a failure up. */
#define CLUMP_BIG_TRY(call)                                                                                            \
    do {                                                                                                               \
        const clump_status status_ = (call);                                                                           \
        if (status_ != CLUMP_OK) return status_;                                                                       \
    } while (0)

/* Writes the sentence and returns the status. message may be null. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
clump_status
clump_big_fail(clump_message *message, clump_status status, const char *format, ...);

/* The same, with what errno says. */
clump_status clump_big_fail_errno(clump_message *message, clump_status status, const char *path, const char *what,
                                  int error);

clump_status clump_big_no_memory(clump_message *message, size_t bytes);

/* CLUMP_ERR_CANCELLED with its sentence where the caller has cancelled; cancel may be null. */
clump_status clump_big_poll(const volatile int *cancel, clump_message *message);

/* --- hash.c: XXH64 with seed 0 of bytes that come part by part: the hash of all labels, and the checksum of files */

typedef struct clump_big_hash {
    uint64_t lanes[4];
    uint64_t bytes;         /* so far */
    unsigned char part[32]; /* the last bytes % 32 of them */
} clump_big_hash;

void clump_big_hash_begin(clump_big_hash *hash);
void clump_big_hash_add(clump_big_hash *hash, const void *data, size_t size);

/* Adds labels as int32, which they fit into. */
void clump_big_hash_labels(clump_big_hash *hash, const int64_t *labels, size_t count);

/* Returns the hash of all bytes so far. More can be added afterwards. */
uint64_t clump_big_hash_end(const clump_big_hash *hash);

/* Returns the hash of one array. */
uint64_t clump_big_checksum(const void *data, size_t size);

/* --- disk.c: files */

typedef struct clump_big_disk {
    char *path;  /* of the folder */
    int folder;  /* its descriptor; -1: none */
    bool memory; /* files are in memory: there is no folder, and nothing outlives the run */
    const clump_big_hooks *hooks;
    const volatile int *cancel; /* null, or not 0: what is longer than a moment ends */
    uint64_t moved;             /* bytes read and written; atomic */
} clump_big_disk;

typedef struct clump_big_file {
    clump_big_disk *disk;
    const char *name;
    int descriptor; /* -1: not open */
} clump_big_file;

/* Opens a file of the folder for reading and writing; creates it where it does not exist. */
clump_status clump_big_file_open(clump_big_disk *disk, const char *name, clump_big_file *out, clump_message *message);
void clump_big_file_close(clump_big_file *file);

clump_status clump_big_file_size(const clump_big_file *file, uint64_t *size, clump_message *message);

/* Reads exactly `size` bytes. CLUMP_ERR_IO_TRUNCATED where the file is shorter. */
clump_status clump_big_file_read(const clump_big_file *file, uint64_t at, void *data, size_t size,
                                 clump_message *message);
clump_status clump_big_file_write(const clump_big_file *file, uint64_t at, const void *data, size_t size,
                                  clump_message *message);
/* Writes several arrays one after the other. `parts` is changed. */
clump_status clump_big_file_write_parts(const clump_big_file *file, uint64_t at, struct iovec *parts, int count,
                                        clump_message *message);

/* Waits until the data is on the disk. Like reading and writing, it is done in pieces, between which the caller may cancel. */
clump_status clump_big_file_sync(const clump_big_file *file, clump_message *message);

/* Begins to write a part back, without waiting, so that a later sync is short. */
void clump_big_file_push(const clump_big_file *file, uint64_t at, uint64_t size);

clump_status clump_big_file_truncate(const clump_big_file *file, uint64_t size, clump_message *message);

/* Gives the space of a part back. Where the file system cannot, nothing happens. */
clump_status clump_big_file_punch(const clump_big_file *file, uint64_t at, uint64_t size, clump_message *message);

/* Writes a small file so that it is complete or not there: under another name, synced, renamed. */
clump_status clump_big_disk_replace(clump_big_disk *disk, const char *name, const void *data, size_t size,
                                    clump_message *message);
/* Reads a small file. *data is null where there is none; else for free(). */
clump_status clump_big_disk_load(clump_big_disk *disk, const char *name, unsigned char **data, size_t *size,
                                 clump_message *message);
clump_status clump_big_disk_remove(clump_big_disk *disk, const char *name, clump_message *message);

/* Bytes that are free on the disk of the folder. */
uint64_t clump_big_disk_free(const clump_big_disk *disk);

/* Returns a number that processes of one machine have in common; those of other machines have others. */
uint64_t clump_big_machine_id(const clump_big_hooks *hooks); /* hooks may be null */

/* Returns a number that processes of one machine have in common where their folders are on one disk; of others it differs. */
uint64_t clump_big_disk_id(const clump_big_disk *disk);

/* Returns whether an output is on another disk than the folder, and writes the bytes that are free there. */
bool clump_big_disk_of_output(const clump_big_disk *disk, const char *output, uint64_t *free_bytes);

/* --- folder.c: makes, locks and leaves the work folder of a process. The lock file says that the files beside it are
 * temporary files of clump. Without it they belong to the user, and are never changed. */

#define CLUMP_BIG_PREFIX    "clump-" /* of the names of all temporary files */
#define CLUMP_BIG_LOCK_NAME "clump-lock"
#define CLUMP_BIG_RANK_NAME "clump-rank-" /* then its number */

/* Whether a file of the folder proves that clump made it: a checksum is right. */
typedef bool clump_big_folder_proof(clump_big_disk *disk);

/* Opens or makes the folder and locks it. Rank 0 has the folder itself, rank r the folder clump-rank-R in it.
 * given   its path; null: OUTPUT.clump, or clump.work without an output
 * names   of the temporary files. Refuses the folder where one of them is there and was not made by clump
 * proof   of a folder whose lock file has lost its text, as a power failure can make it
 * disk    hooks are set; the rest is output, for clump_big_folder_close() also after a failure */
clump_status clump_big_folder_open(const char *given, const char *output, int rank, const char *const *names,
                                   size_t count, clump_big_folder_proof *proof, clump_big_disk *disk,
                                   clump_big_file *lock, clump_message *message);

/* Returns a number of the folder, by which rank 0 recognises it on another machine; 0: none. */
uint64_t clump_big_folder_number(const clump_big_disk *disk);

/* Whether the folder of rank 0 has that of another rank with this number in it, on the same disk. */
bool clump_big_folder_has(const clump_big_disk *disk, int rank, uint64_t number);

/* Whether a path names a file of the folder that could be one of clump's: by its first letters. */
bool clump_big_folder_owns(const clump_big_disk *disk, const char *path);

/* Unlocks and closes the folder. With `remove` deletes its lock and, where nothing else is in it, the folder. */
void clump_big_folder_close(clump_big_disk *disk, clump_big_file *lock, bool remove);

/* --- journal.c: what has been done, one record per finished task. Records that were cut or damaged end the journal: what
 * follows is done again. Points of the log are on the disk before their record. Results of tiles need not be: after a
 * power failure their checksums tell what is there. */

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
    uint64_t left_out, moved, own;        /* SCATTER */
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
