/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sqlite.h: the inside of the reader of rosbag2 recordings in SQLite, .db3.
 *
 *     topics     id, name, type, serialization_format ...
 *     messages   id (the rowid), topic_id, timestamp, data
 *
 *     sqlite_open.c   file or memory  ->  a database that cannot be written, and that runs no code of its schema
 *     sqlite_order.c  messages        ->  their rowids by time; goes on behind damaged pages
 *     sqlite.c        rowids          ->  messages
 */
#ifndef CLUMP_IO_RECORDINGS_SQLITE_H
#define CLUMP_IO_RECORDINGS_SQLITE_H

#include "containers/container.h"
#include "containers/decompress.h"

#include <sqlite3.h>

/* A message without its data. */
typedef struct clump_io_sqlite_row {
    int64_t time, id;
    uint32_t topic;
} clump_io_sqlite_row;

typedef struct clump_io_sqlite_topic {
    int64_t id;
    uint32_t topic; /* index of clump_io_topics */
} clump_io_sqlite_topic;

typedef struct clump_io_sqlite {
    const clump_io_blob *blob;
    clump_io_topics *topics;
    clump_io_losses *losses;
    sqlite3 *database;
    clump_io_bytes image;         /* the database, where it had to be decompressed or changed */
    uint64_t size;                /* of the database */
    clump_io_sqlite_topic *known; /* by id */
    size_t known_count, known_capacity;

    sqlite3_stmt *scan; /* rowid, topic_id and timestamp of messages, from rowid ?1 on */
    bool ordered;       /* rows are listed */
    clump_io_sqlite_row *rows;
    size_t row_count, row_capacity, next;
    sqlite3_blob *data; /* moves from row to row */
    clump_io_bytes packed, plain;
    clump_io_unpacker unpacker;
    size_t counted; /* losses of the rows before this one are counted */
} clump_io_sqlite;

/* Opens the database. */
clump_status clump_io_sqlite_open(clump_io_sqlite *sqlite);

/* Reads the table topics. */
clump_status clump_io_sqlite_read_topics(clump_io_sqlite *sqlite);

/* Lists the messages by time. */
clump_status clump_io_sqlite_order(clump_io_sqlite *sqlite);

/* Fails with SQLite's reason. */
clump_status clump_io_sqlite_fail(const clump_io_sqlite *sqlite, const char *what);

#endif
