/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sqlite_sample.h: writes small rosbag2 databases with SQLite itself.
 */
#ifndef CLUMP_TESTS_SQLITE_SAMPLE_H
#define CLUMP_TESTS_SQLITE_SAMPLE_H

#include "recordings/test_container.h"

#ifdef CLUMP_IO_SQLITE
#include <sqlite3.h>

#define SQLITE_SAMPLE_TABLES                                                                                           \
    "PRAGMA page_size=512;"                                                                                            \
    "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,"                              \
    " serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);"                                        \
    "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL,"             \
    " data BLOB NOT NULL);"                                                                                            \
    "CREATE INDEX timestamp_idx ON messages (timestamp ASC);"                                                          \
    "INSERT INTO topics VALUES(1, '/points', 'sensor_msgs/msg/PointCloud2', 'cdr', '');"                               \
    "INSERT INTO topics VALUES(7, '/other', 'std_msgs/msg/String', 'json', '');"

/* Bytes of message `number`: its number in the first 4, then a pattern. Every 16th is longer than a page. */
static inline size_t sqlite_sample_message(unsigned number, unsigned char bytes[2048])
{
    const size_t size = number % 16 == 3 ? 1500 : 4 + number % 50;
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(number + i);
    bytes[0] = 0, bytes[1] = 1, bytes[2] = (unsigned char)number, bytes[3] = (unsigned char)(number >> 8);
    return size;
}

static inline void sqlite_sample_insert(sqlite3 *database, int64_t topic, int64_t time, const void *bytes, size_t size)
{
    sqlite3_stmt *insert;
    if (sqlite3_prepare_v2(database, "INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)", -1, &insert,
                           NULL) != SQLITE_OK)
        abort();
    sqlite3_bind_int64(insert, 1, topic);
    sqlite3_bind_int64(insert, 2, time);
    sqlite3_bind_blob(insert, 3, bytes, (int)size, SQLITE_STATIC);
    if (sqlite3_step(insert) != SQLITE_DONE) abort();
    sqlite3_finalize(insert);
}

/* Creates a database in memory by these statements. */
static inline sqlite3 *sqlite_sample_begin(const char *sql)
{
    sqlite3 *database;
    if (sqlite3_open(":memory:", &database) != SQLITE_OK) abort();
    char *why = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &why) != SQLITE_OK) {
        printf("%s\n", why);
        abort();
    }
    return database;
}

/* Returns the file of the database, and closes it. */
static inline made sqlite_sample_end(sqlite3 *database)
{
    sqlite3_int64 size;
    unsigned char *const image = sqlite3_serialize(database, "main", &size, 0);
    made bytes = {0};
    made_put(&bytes, image, (size_t)size);
    sqlite3_free(image);
    sqlite3_close(database);
    return bytes;
}

/* A recording of messages 0 to count - 1 at times 1000 + number, not in this order in the table; every fourth is of
 * /other. */
static inline made sqlite_sample(unsigned count)
{
    sqlite3 *const database = sqlite_sample_begin(SQLITE_SAMPLE_TABLES);
    unsigned char bytes[2048];
    sqlite3_exec(database, "BEGIN", NULL, NULL, NULL);
    for (unsigned i = 0; i < count; i++) {
        const unsigned number = (i ^ 1) < count ? i ^ 1 : i;
        const size_t size = sqlite_sample_message(number, bytes);
        sqlite_sample_insert(database, number % 4 == 3 ? 7 : 1, 1000 + number, bytes, size);
    }
    sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    return sqlite_sample_end(database);
}
#endif
#endif
