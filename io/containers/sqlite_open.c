/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sqlite_open.c: opens a rosbag2 database that may be damaged or hostile.
 *
 * Nothing is written, also not beside the file: it is opened as immutable, so that SQLite makes no -shm file. Only
 * where -wal and -shm files exist, a recorder may still be at work: then both are read. The schema of a hostile
 * database may have views and generated columns that call functions. The authorizer allows only to read three
 * tables, and no function. Computed columns are refused. Limits keep what remains small.
 */
#include "containers/container.h"

#ifdef CLUMP_IO_SQLITE
#include "endian.h"
#include "containers/sqlite.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SQLITE_OPEN_MAGIC "SQLite format 3"
enum {
    SQLITE_OPEN_HEADER = 100,       /* bytes of the database header */
    SQLITE_OPEN_WRITE_VERSION = 18, /* byte: 2 is write-ahead logging */
    SQLITE_OPEN_READ_VERSION = 19,
    SQLITE_OPEN_LEAST_LENGTH = 1 << 20 /* bytes of a value, or of a row, that are always allowed */
};

clump_status clump_io_sqlite_fail(const clump_io_sqlite *sqlite, const char *what)
{
    if (sqlite3_errcode(sqlite->database) == SQLITE_NOMEM)
        return clump_io_fail(&sqlite->blob->where, CLUMP_ERR_OUT_OF_MEMORY, "no memory for SQLite");
    return clump_io_fail(&sqlite->blob->where, CLUMP_ERR_IO_FORMAT, "%s: %s", what, sqlite3_errmsg(sqlite->database));
}

/* --- what SQL may do ------------------------------------------------------------------------------------- */

static int authorize(void *unused, int action, const char *first, const char *second, const char *schema,
                     const char *trigger)
{
    (void)unused, (void)second, (void)schema;
    if (trigger) return SQLITE_DENY; /* a trigger or a view */
    if (action == SQLITE_SELECT) return SQLITE_OK;
    if (action != SQLITE_READ || !first) return SQLITE_DENY;
    const bool known = strcmp(first, "topics") == 0 || strcmp(first, "messages") == 0 ||
                       strcmp(first, "sqlite_master") == 0 || strcmp(first, "sqlite_schema") == 0;
    return known ? SQLITE_OK : SQLITE_DENY;
}

static void set_limits(sqlite3 *database, uint64_t size)
{
    uint64_t length = size < SQLITE_OPEN_LEAST_LENGTH ? SQLITE_OPEN_LEAST_LENGTH : size;
    if (length > CLUMP_IO_MAX_CHUNK) length = CLUMP_IO_MAX_CHUNK;
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, (int)length);
    sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, 65536);
    sqlite3_limit(database, SQLITE_LIMIT_COLUMN, 64);
    sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 32);
    sqlite3_limit(database, SQLITE_LIMIT_COMPOUND_SELECT, 2);
    sqlite3_limit(database, SQLITE_LIMIT_FUNCTION_ARG, 8);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(database, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_limit(database, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    /* Without this, SQLite refuses a database that is cut. Nothing can be written: the database is read-only. */
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
    sqlite3_set_authorizer(database, authorize, NULL);
}

/* --- file ------------------------------------------------------------------------------------------------ */

/* Returns whether there is a file of this name and ending that is not empty. */
static bool has_beside(const char *path, const char *ending)
{
    struct stat status;
    const size_t room = strlen(path) + strlen(ending) + 1;
    char *const name = malloc(room);
    if (!name) return false;
    snprintf(name, room, "%s%s", path, ending);
    const bool there = stat(name, &status) == 0 && status.st_size > 0;
    free(name);
    return there;
}

/* Makes the URI of a path. The caller frees it. */
static char *make_uri(const char *path, const char *options)
{
    char *const uri = malloc(sizeof "file:" + 3 * strlen(path) + strlen(options));
    if (!uri) return NULL;
    char *to = uri + sprintf(uri, "file:");
    for (; *path; path++) {
        if (*path == '%' || *path == '?' || *path == '#')
            to += sprintf(to, "%%%02X", (unsigned)(unsigned char)*path);
        else
            *to++ = *path;
    }
    strcpy(to, options);
    return uri;
}

static clump_status open_file(clump_io_sqlite *sqlite)
{
    const char *const path = sqlite->blob->path;
    const bool wal = has_beside(path, "-wal"), live = wal && has_beside(path, "-shm");
    char *const uri = make_uri(path, live ? "?mode=ro&readonly_shm=1" : "?mode=ro&immutable=1");
    if (!uri) return clump_io_no_memory(&sqlite->blob->where, 3 * strlen(path));
    const int result =
        sqlite3_open_v2(uri, &sqlite->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    free(uri);
    if (result != SQLITE_OK) return clump_io_sqlite_fail(sqlite, "cannot open");
    if ((wal && !live) || has_beside(path, "-journal")) {
        sqlite->losses->truncated = true;
        clump_io_lose(sqlite->losses, NULL, 0, "the recording was not finished: its file %s is not read",
                      wal ? "-wal" : "-journal");
    }
    return CLUMP_OK;
}

/* --- memory ---------------------------------------------------------------------------------------------- */

/* Copies the database, for a change of its header. */
static clump_status copy_image(clump_io_sqlite *sqlite, const unsigned char *bytes, size_t size)
{
    CLUMP_IO_TRY(clump_io_bytes_reserve(&sqlite->blob->where, &sqlite->image, size));
    memcpy(sqlite->image.data, bytes, size);
    sqlite->image.size = size;
    return CLUMP_OK;
}

static clump_status open_memory(clump_io_sqlite *sqlite, const unsigned char *bytes, size_t size)
{
    /* A database in memory cannot be one of write-ahead logging. Without its -wal file, the difference is these
     * bytes. */
    if (size > SQLITE_OPEN_HEADER && bytes[SQLITE_OPEN_READ_VERSION] == 2) {
        if (bytes != sqlite->image.data) CLUMP_IO_TRY(copy_image(sqlite, bytes, size));
        bytes = sqlite->image.data;
        sqlite->image.data[SQLITE_OPEN_WRITE_VERSION] = sqlite->image.data[SQLITE_OPEN_READ_VERSION] = 1;
    }
    int result = sqlite3_open_v2(":memory:", &sqlite->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_deserialize(sqlite->database, "main", (unsigned char *)(uintptr_t)bytes, (sqlite3_int64)size,
                                     (sqlite3_int64)size, SQLITE_DESERIALIZE_READONLY);
    sqlite->size = size;
    return result == SQLITE_OK ? CLUMP_OK : clump_io_sqlite_fail(sqlite, "cannot open");
}

/* A whole file that rosbag2 has compressed, .db3.zstd: it is decompressed into memory. */
static clump_status open_compressed(clump_io_sqlite *sqlite)
{
    CLUMP_IO_TRY(clump_io_unpack_file(sqlite->blob, &sqlite->unpacker, sqlite->losses, &sqlite->image));
    if (sqlite->image.size < SQLITE_OPEN_HEADER ||
        memcmp(sqlite->image.data, SQLITE_OPEN_MAGIC, sizeof SQLITE_OPEN_MAGIC) != 0)
        return clump_io_fail(&sqlite->blob->where, CLUMP_ERR_IO_UNSUPPORTED,
                             "it is compressed with zstd and is no .db3 or .mcap; decompress it with zstd -d");
    return open_memory(sqlite, sqlite->image.data, sqlite->image.size);
}

/* --- the tables ------------------------------------------------------------------------------------------ */

/* Whether the SQL of a table has the word AS: it comes before the expression of a computed column, and nowhere
 * else in the tables of rosbag2. */
static bool has_computed_columns(const char *sql)
{
    bool inside = false; /* a word */
    for (; sql && *sql; sql++) {
        const bool letter = *sql == '_' || *sql == '$' || isalnum((unsigned char)*sql) || (*sql & 0x80);
        if (letter && !inside && (sql[0] | 32) == 'a' && (sql[1] | 32) == 's' &&
            !(sql[2] == '_' || sql[2] == '$' || isalnum((unsigned char)sql[2]) || (sql[2] & 0x80)))
            return true;
        inside = letter;
    }
    return false;
}

/* Fails unless there is a real table of this name: views and virtual tables have no root page. */
static clump_status check_table(const clump_io_sqlite *sqlite, const char *name)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(sqlite->database,
                           "SELECT rootpage, sql FROM sqlite_master WHERE name = ?1 AND type = 'table'", -1, &statement,
                           NULL) != SQLITE_OK)
        return clump_io_sqlite_fail(sqlite, "SQLite");
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    const int result = sqlite3_step(statement);
    const bool is_table = result == SQLITE_ROW && sqlite3_column_int64(statement, 0) > 0;
    const bool computes = is_table && has_computed_columns((const char *)sqlite3_column_text(statement, 1));
    const clump_status status =
        result == SQLITE_ROW || result == SQLITE_DONE ? CLUMP_OK : clump_io_sqlite_fail(sqlite, "SQLite");
    sqlite3_finalize(statement);
    CLUMP_IO_TRY(status);
    if (computes)
        return clump_io_fail(&sqlite->blob->where, CLUMP_ERR_IO_FORMAT, "table %s has columns that are computed", name);
    if (is_table) return CLUMP_OK;
    return clump_io_fail(&sqlite->blob->where, CLUMP_ERR_IO_FORMAT,
                         "the SQLite database has no table %s: it is no recording of rosbag2", name);
}

/* Counts what is missing at the end, by the number of pages in the header. */
static clump_status check_size(clump_io_sqlite *sqlite)
{
    clump_io_bytes scratch = {0};
    const unsigned char *header = sqlite->image.data;
    if (!sqlite->image.size) {
        const clump_status status = clump_io_blob_at(sqlite->blob, 0, SQLITE_OPEN_HEADER, &scratch, &header);
        if (status != CLUMP_OK) {
            clump_io_bytes_release(&scratch);
            return status;
        }
    }
    uint64_t page = clump_io_big_u16(header + 16);
    if (page == 1) page = 65536;
    const uint64_t pages = clump_io_big_u32(header + 28);
    const bool valid = memcmp(header + 24, header + 92, 4) == 0; /* else the number of pages is out of date */
    clump_io_bytes_release(&scratch);
    if (!valid || pages * page <= sqlite->size) return CLUMP_OK;
    sqlite->losses->truncated = true;
    clump_io_lose(sqlite->losses, &sqlite->losses->lost_bytes, pages * page - sqlite->size,
                  "the file has %llu of %llu bytes", (unsigned long long)sqlite->size,
                  (unsigned long long)(pages * page));
    return CLUMP_OK;
}

clump_status clump_io_sqlite_open(clump_io_sqlite *sqlite)
{
    const clump_io_blob *const blob = sqlite->blob;
    clump_io_bytes scratch = {0};
    const unsigned char *magic;
    clump_status status = clump_io_blob_at(blob, 0, 16, &scratch, &magic);
    const bool plain = status == CLUMP_OK && memcmp(magic, SQLITE_OPEN_MAGIC, sizeof SQLITE_OPEN_MAGIC) == 0;
    clump_io_bytes_release(&scratch);
    CLUMP_IO_TRY(status);
    sqlite->size = blob->size;
    if (!plain)
        status = open_compressed(sqlite);
    else if (blob->memory)
        status = open_memory(sqlite, blob->memory, (size_t)blob->size);
    else
        status = open_file(sqlite);
    CLUMP_IO_TRY(status);
    CLUMP_IO_TRY(check_size(sqlite));
    set_limits(sqlite->database, sqlite->size);
    CLUMP_IO_TRY(check_table(sqlite, "topics"));
    CLUMP_IO_TRY(check_table(sqlite, "messages"));
    if (sqlite3_prepare_v2(
            sqlite->database,
            "SELECT rowid, topic_id, timestamp FROM messages NOT INDEXED WHERE rowid >= ?1 ORDER BY rowid", -1,
            &sqlite->scan, NULL) != SQLITE_OK)
        return clump_io_sqlite_fail(sqlite, "table messages");
    return CLUMP_OK;
}
#endif
