/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sqlite_order.c: lists the messages of a rosbag2 database by time, from the table alone. The index of the database
 * is not needed, and not believed. Data of messages are not read: SQLite keeps most of them on pages of their own.
 *
 * Behind a damaged page, the list goes on at a later rowid: the distance is doubled until SQLite finds a row, and then
 * halved down to the first row that can be read.
 */
#include "format.h"
#include "common/assert.h"
#include "containers/container.h"

#ifdef CLUMP_IO_SQLITE
#include "containers/sqlite.h"

#include <stdlib.h>
#include <string.h>

enum {
    SQLITE_ORDER_TOPICS = 65536, /* rows of the table topics that are read */
    SQLITE_ORDER_DAMAGES = 1000  /* damaged places, before the rest is given up */
};

/* --- topics ---------------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const clump_io_sqlite_topic *const x = a, *const y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static clump_status add_topic(clump_io_sqlite *sqlite, sqlite3_stmt *row)
{
    const char *texts[3];
    size_t sizes[3];
    for (int i = 0; i < 3; i++) {
        texts[i] = (const char *)sqlite3_column_text(row, i + 1);
        sizes[i] = texts[i] ? (size_t)sqlite3_column_bytes(row, i + 1) : 0;
        if (!texts[i]) texts[i] = "";
    }
    CLUMP_IO_TRY(clump_io_list_reserve(&sqlite->blob->where, &sqlite->known, &sqlite->known_capacity,
                                       sqlite->known_count + 1, sizeof *sqlite->known));
    clump_io_sqlite_topic *const topic = &sqlite->known[sqlite->known_count];
    /* Converted recordings leave the format out. rosbag2 has no other than CDR. */
    const bool cdr = sizes[2] == 0 || (sizes[2] == 3 && memcmp(texts[2], "cdr", 3) == 0);
    const clump_io_where silent = {sqlite->blob->where.name, NULL};
    const clump_status status = clump_io_topics_add(&silent, sqlite->topics, texts[0], sizes[0], texts[1], sizes[1],
                                                    cdr ? CLUMP_IO_CODING_CDR : CLUMP_IO_CODING_OTHER, &topic->topic);
    if (status == CLUMP_ERR_OUT_OF_MEMORY) return clump_io_no_memory(&sqlite->blob->where, sizes[0] + sizes[1]);
    if (status != CLUMP_OK) return CLUMP_OK; /* too many topics: its messages are unknown */
    topic->id = sqlite3_column_int64(row, 0);
    sqlite->known_count++;
    return CLUMP_OK;
}

clump_status clump_io_sqlite_read_topics(clump_io_sqlite *sqlite)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(sqlite->database, "SELECT id, name, type, serialization_format FROM topics", -1, &statement,
                           NULL) != SQLITE_OK)
        return clump_io_sqlite_fail(sqlite, "table topics");
    clump_status status = CLUMP_OK;
    int result = SQLITE_DONE;
    for (int i = 0; i < SQLITE_ORDER_TOPICS && status == CLUMP_OK; i++) {
        result = sqlite3_step(statement);
        if (result != SQLITE_ROW) break;
        status = add_topic(sqlite, statement);
    }
    if (status == CLUMP_OK && result == SQLITE_NOMEM) status = clump_io_sqlite_fail(sqlite, "table topics");
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        clump_io_lose(sqlite->losses, NULL, 0, "table topics: %s", sqlite3_errmsg(sqlite->database));
    sqlite3_finalize(statement);
    if (sqlite->known_count) qsort(sqlite->known, sqlite->known_count, sizeof *sqlite->known, by_id);
    return status;
}

static bool topic_of(const clump_io_sqlite *sqlite, int64_t id, uint32_t *topic)
{
    size_t low = 0, high = sqlite->known_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sqlite->known[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == sqlite->known_count || sqlite->known[low].id != id) return false;
    *topic = sqlite->known[low].topic;
    return true;
}

/* --- messages -------------------------------------------------------------------------------------------- */

/* A pass over the table messages. */
typedef struct row_scan {
    clump_io_sqlite *sqlite;
    sqlite3_stmt *statement; /* rows from rowid ?1 on */
    int64_t next;            /* the smallest rowid that may follow */
    int damages;
    bool ended;
} row_scan;

static int start_at(const row_scan *scan, int64_t id)
{
    sqlite3_reset(scan->statement);
    sqlite3_bind_int64(scan->statement, 1, id);
    return sqlite3_step(scan->statement);
}

static bool is_damage(int result)
{
    return result != SQLITE_ROW && result != SQLITE_DONE && result != SQLITE_NOMEM;
}

/* Returns a rowid beyond scan->next from which on rows, or the end, can be read; the nearest, as far as halving
 * finds it. */
static bool find_beyond(const row_scan *scan, int64_t *found)
{
    int64_t bad = scan->next, good = 0, step = 1;
    bool any = false;
    while (!any && bad <= INT64_MAX - step) {
        const int result = start_at(scan, bad + step);
        if (result == SQLITE_NOMEM) return false;
        any = result == SQLITE_ROW; /* the end is no proof: SQLite may have skipped the damage */
        if (any || result == SQLITE_DONE) good = bad + step;
        if (result == SQLITE_DONE) break;
        if (!any) bad += step;
        step = step > INT64_MAX / 2 ? step : 2 * step;
    }
    if (!good) return false;
    while (good - bad > 1) {
        const int64_t middle = bad + (good - bad) / 2;
        if (is_damage(start_at(scan, middle)))
            bad = middle;
        else
            good = middle;
    }
    *found = good;
    return true;
}

static clump_status add_row(clump_io_sqlite *sqlite, const clump_io_sqlite_row *row)
{
    CLUMP_IO_TRY(clump_io_list_reserve(&sqlite->blob->where, &sqlite->rows, &sqlite->row_capacity,
                                       sqlite->row_count + 1, sizeof *sqlite->rows));
    CLUMP_ASSERT(sqlite->row_count < sqlite->row_capacity);
    sqlite->rows[sqlite->row_count++] = *row;
    return CLUMP_OK;
}

/* Takes a row. */
static clump_status take_row(row_scan *scan, int64_t id)
{
    clump_io_sqlite *const sqlite = scan->sqlite;
    clump_io_sqlite_row row = {.id = id, .time = sqlite3_column_int64(scan->statement, 2)};
    const int64_t topic = sqlite3_column_int64(scan->statement, 1);
    scan->next = id;
    if (id == INT64_MAX)
        scan->ended = true;
    else
        scan->next++;
    if (sqlite3_column_type(scan->statement, 2) != SQLITE_INTEGER) {
        clump_io_lose(sqlite->losses, &sqlite->losses->damaged_messages, 1, "message %lld: no time stamp",
                      (long long)id);
        return CLUMP_OK;
    }
    if (!topic_of(sqlite, topic, &row.topic)) {
        clump_io_lose(sqlite->losses, &sqlite->losses->damaged_messages, 1, "message %lld: topic %lld does not exist",
                      (long long)id, (long long)topic);
        return CLUMP_OK;
    }
    return add_row(sqlite, &row);
}

/* Counts a damaged place and finds the next row. */
static clump_status skip_damage(row_scan *scan, int result)
{
    clump_io_sqlite *const sqlite = scan->sqlite;
    if (result == SQLITE_NOMEM) return clump_io_sqlite_fail(sqlite, "table messages");
    clump_io_lose(sqlite->losses, &sqlite->losses->damaged_chunks, 1, "table messages at row %lld: %s",
                  (long long)scan->next, sqlite3_errstr(result));
    scan->damages++;
    int64_t found;
    scan->ended = scan->damages == SQLITE_ORDER_DAMAGES || !find_beyond(scan, &found);
    if (!scan->ended) scan->next = found;
    return CLUMP_OK;
}

/* Reads all rows. A rowid that does not grow is damage too: a page may be the child of itself. */
static clump_status scan_rows(row_scan *scan)
{
    int result = start_at(scan, scan->next);
    while (!scan->ended && result != SQLITE_DONE) {
        const int64_t id = result == SQLITE_ROW ? sqlite3_column_int64(scan->statement, 0) : 0;
        if (result == SQLITE_ROW && id >= scan->next) {
            CLUMP_IO_TRY(take_row(scan, id));
            if (!scan->ended) result = sqlite3_step(scan->statement);
        } else {
            CLUMP_IO_TRY(skip_damage(scan, result == SQLITE_ROW ? SQLITE_CORRUPT : result));
            if (!scan->ended) result = start_at(scan, scan->next);
        }
    }
    return CLUMP_OK;
}

static int by_time(const void *a, const void *b)
{
    const clump_io_sqlite_row *const x = a, *const y = b;
    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

clump_status clump_io_sqlite_order(clump_io_sqlite *sqlite)
{
    if (sqlite->ordered) return CLUMP_OK;
    row_scan scan = {.sqlite = sqlite, .statement = sqlite->scan, .next = INT64_MIN};
    sqlite->row_count = sqlite->next = 0;
    const clump_status status = scan_rows(&scan);
    sqlite3_reset(sqlite->scan);
    CLUMP_IO_TRY(status);
    size_t sorted = 1;
    while (sorted < sqlite->row_count && by_time(&sqlite->rows[sorted - 1], &sqlite->rows[sorted]) < 0) sorted++;
    if (sorted < sqlite->row_count) qsort(sqlite->rows, sqlite->row_count, sizeof *sqlite->rows, by_time);
    sqlite->ordered = true;
    return CLUMP_OK;
}
#endif
