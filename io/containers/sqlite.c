/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sqlite.c: rosbag2 recordings in SQLite, .db3, as a container. sqlite.h has the overview.
 */
#include "containers/decompress.h"

#include "common/assert.h"

#include <string.h>

#define SQLITE_MAGIC "SQLite format 3"

static bool sniff_sqlite(const unsigned char *bytes, size_t size)
{
    if (size >= sizeof SQLITE_MAGIC && memcmp(bytes, SQLITE_MAGIC, sizeof SQLITE_MAGIC) == 0) return true;
    return clump_io_is_packed(bytes, size); /* or an MCAP file: sources.c looks inside */
}

#ifdef CLUMP_IO_SQLITE
#include "containers/sqlite.h"

#include <stdlib.h>

static clump_status open_sqlite(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses,
                                void **state)
{
    clump_io_sqlite *const sqlite = calloc(1, sizeof *sqlite);
    *state = sqlite;
    if (!sqlite) return clump_io_no_memory(&blob->where, sizeof *sqlite);
    sqlite->blob = blob;
    sqlite->topics = topics;
    sqlite->losses = losses;
    CLUMP_IO_TRY(clump_io_sqlite_open(sqlite));
    clump_io_unpacker_bound(&sqlite->unpacker, blob->size); /* of messages: an image has its own, CLUMP_IO_MAX_CHUNK */
    return clump_io_sqlite_read_topics(sqlite);
}

static void close_sqlite(void *state)
{
    clump_io_sqlite *const sqlite = state;
    sqlite3_blob_close(sqlite->data);
    sqlite3_finalize(sqlite->scan);
    sqlite3_close(sqlite->database);
    clump_io_bytes_release(&sqlite->image);
    clump_io_bytes_release(&sqlite->packed);
    clump_io_bytes_release(&sqlite->plain);
    clump_io_unpacker_release(&sqlite->unpacker);
    free(sqlite->known);
    free(sqlite->rows);
    free(sqlite);
}

/* Reads the data of a row into `packed`. *good is false where they are damaged. */
static clump_status read_data(clump_io_sqlite *sqlite, int64_t id, bool *good)
{
    *good = false;
    int result = sqlite->data ? sqlite3_blob_reopen(sqlite->data, id) : SQLITE_ABORT;
    if (result != SQLITE_OK) { /* after a failure, a blob cannot be used again */
        sqlite3_blob_close(sqlite->data);
        sqlite->data = NULL;
        result = sqlite3_blob_open(sqlite->database, "main", "messages", "data", id, 0, &sqlite->data);
    }
    if (result == SQLITE_NOMEM) return clump_io_sqlite_fail(sqlite, "table messages");
    if (result != SQLITE_OK) return CLUMP_OK;
    const int size = sqlite3_blob_bytes(sqlite->data);
    if (size < 0 || (uint64_t)size > sqlite->size) return CLUMP_OK;
    CLUMP_IO_TRY(clump_io_bytes_reserve(&sqlite->blob->where, &sqlite->packed, size ? (size_t)size : 1));
    result = sqlite3_blob_read(sqlite->data, sqlite->packed.data, size, 0);
    if (result == SQLITE_NOMEM) return clump_io_sqlite_fail(sqlite, "table messages");
    /* bytes behind the end of a file that was cut; older versions of SQLite read zeros there, and find the damage */
    const bool cut = sqlite3_extended_errcode(sqlite->database) == SQLITE_IOERR_SHORT_READ;
    if (result == SQLITE_IOERR && !cut) return clump_io_fail(&sqlite->blob->where, CLUMP_ERR_IO_READ, "cannot read");
    sqlite->packed.size = (size_t)size;
    *good = result == SQLITE_OK;
    return CLUMP_OK;
}

/* Reads a message. */
static clump_status read_message(clump_io_sqlite *sqlite, const clump_io_sqlite_row *row, clump_io_message *message,
                                 bool *good)
{
    CLUMP_ASSERT(row->topic < sqlite->topics->count);
    CLUMP_IO_TRY(read_data(sqlite, row->id, good));
    *message = (clump_io_message){.topic = row->topic,
                                  .received = row->time,
                                  .bytes = sqlite->packed.data,
                                  .size = sqlite->packed.size,
                                  .memory = &sqlite->packed};
    if (!*good) return CLUMP_OK;
    return clump_io_unpack_message(sqlite->blob, &sqlite->unpacker, sqlite->topics->list[row->topic].coding,
                                   &sqlite->plain, message, good);
}

static clump_status next_message(void *state, const bool *wanted, size_t wanted_count, clump_io_message *message,
                                 bool *more)
{
    clump_io_sqlite *const sqlite = state;
    *more = false;
    CLUMP_IO_TRY(clump_io_sqlite_order(sqlite));
    while (sqlite->next < sqlite->row_count) {
        const clump_io_sqlite_row *const row = &sqlite->rows[sqlite->next++];
        if (wanted && (row->topic >= wanted_count || !wanted[row->topic])) continue;
        bool good;
        CLUMP_IO_TRY(read_message(sqlite, row, message, &good));
        const bool full = sqlite->unpacker.spent > sqlite->unpacker.most;
        if (!good && full) clump_io_forget_first(sqlite->losses);
        if (!good && sqlite->next > sqlite->counted)
            clump_io_lose(sqlite->losses, &sqlite->losses->damaged_messages, 1, "message %lld: %s", (long long)row->id,
                          full ? CLUMP_IO_TOO_MUCH : "its data are damaged");
        if (sqlite->next > sqlite->counted) sqlite->counted = sqlite->next;
        if (!good) continue;
        *more = true;
        return CLUMP_OK;
    }
    return CLUMP_OK;
}

static clump_status seek_time(void *state, int64_t time)
{
    clump_io_sqlite *const sqlite = state;
    CLUMP_IO_TRY(clump_io_sqlite_order(sqlite));
    size_t low = 0, high = sqlite->row_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sqlite->rows[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    CLUMP_ASSERT(low == 0 || sqlite->rows[low - 1].time < time);
    sqlite->next = low;
    clump_io_unpacker_bound(&sqlite->unpacker, sqlite->blob->size);
    return CLUMP_OK;
}

static clump_status survey_messages(void *state, clump_io_seen *seen, void *user)
{
    clump_io_sqlite *const sqlite = state;
    CLUMP_IO_TRY(clump_io_sqlite_order(sqlite));
    for (size_t i = 0; i < sqlite->row_count; i++)
        CLUMP_IO_TRY(seen(user, sqlite->rows[i].topic, sqlite->rows[i].time));
    return CLUMP_OK;
}

const clump_io_container clump_io_container_sqlite = {.format = CLUMP_RECORDING_SQLITE,
                                                      .name = "sqlite",
                                                      .sniff = sniff_sqlite,
                                                      .open = open_sqlite,
                                                      .next = next_message,
                                                      .seek = seek_time,
                                                      .survey = survey_messages,
                                                      .close = close_sqlite};
#else

static clump_status open_sqlite(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses,
                                void **state)
{
    (void)topics, (void)losses;
    *state = NULL;
    return clump_io_fail(&blob->where, CLUMP_ERR_IO_UNSUPPORTED,
                         "this build reads no .db3: it was made without SQLite");
}

static clump_status no_message(void *state, const bool *wanted, size_t wanted_count, clump_io_message *message,
                               bool *more)
{
    (void)state, (void)wanted, (void)wanted_count, (void)message;
    *more = false;
    return CLUMP_OK;
}

static clump_status no_seek(void *state, int64_t time)
{
    (void)state, (void)time;
    return CLUMP_OK;
}

static void close_nothing(void *state)
{
    (void)state;
}

const clump_io_container clump_io_container_sqlite = {.format = CLUMP_RECORDING_SQLITE,
                                                      .name = "sqlite",
                                                      .sniff = sniff_sqlite,
                                                      .open = open_sqlite,
                                                      .next = no_message,
                                                      .seek = no_seek,
                                                      .close = close_nothing};
#endif
