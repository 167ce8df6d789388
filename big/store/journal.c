/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal.c: see store.h.
 */
#include "store/store.h"

#include <string.h>

static uint64_t sum_of(const clump_big_record *record)
{
    return clump_big_checksum(record, offsetof(clump_big_record, sum));
}

size_t clump_big_journal_count(const unsigned char *bytes, size_t size)
{
    size_t count = 0;
    for (clump_big_record record; (count + 1) * sizeof record <= size; count++) {
        memcpy(&record, bytes + count * sizeof record, sizeof record);
        if (record.sum != sum_of(&record)) break;
    }
    return count;
}

clump_status clump_big_journal_open(clump_big_disk *disk, clump_big_journal *out, clump_big_record **records,
                                    size_t *count, clump_message *message)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    *out = (clump_big_journal){0};
    *records = NULL, *count = 0;
    CLUMP_BIG_TRY(clump_big_disk_load(disk, CLUMP_BIG_JOURNAL_NAME, &bytes, &size, message));
    if (bytes) *count = clump_big_journal_count(bytes, size);
    *records = (clump_big_record *)(void *)bytes;
    pthread_mutex_init(&out->lock, NULL);
    out->records = *count;
    clump_status status = clump_big_file_open(disk, CLUMP_BIG_JOURNAL_NAME, &out->file, message);
    if (status == CLUMP_OK && size != *count * sizeof **records)
        status = clump_big_file_truncate(&out->file, *count * sizeof **records, message);
    return status;
}

clump_status clump_big_journal_cut(clump_big_journal *journal, size_t count, clump_message *message)
{
    journal->records = count;
    return clump_big_file_truncate(&journal->file, count * sizeof(clump_big_record), message);
}

void clump_big_journal_close(clump_big_journal *journal)
{
    if (!journal->file.disk) return;
    clump_big_file_close(&journal->file);
    pthread_mutex_destroy(&journal->lock);
    *journal = (clump_big_journal){0};
}

clump_status clump_big_journal_add(clump_big_journal *journal, clump_big_record record, bool wait,
                                   clump_message *message)
{
    record.sum = sum_of(&record);
    pthread_mutex_lock(&journal->lock);
    clump_status status =
        clump_big_file_write(&journal->file, journal->records * sizeof record, &record, sizeof record, message);
    if (status == CLUMP_OK && wait) status = clump_big_file_sync(&journal->file, message);
    if (status == CLUMP_OK) journal->records++;
    pthread_mutex_unlock(&journal->lock);
    return status;
}
