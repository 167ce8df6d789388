/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sqlite_hostile.c: damaged and hostile rosbag2 databases: cut, changed, with views and code in their schema.
 */
#include "recordings/sqlite_sample.h"

#ifdef CLUMP_IO_SQLITE

enum { MESSAGES = 40 };

/* Reads all messages. Returns how many are correct. */
static unsigned count_good(opened *o, unsigned *count)
{
    clump_io_message message;
    unsigned good = 0;
    *count = 0;
    while (read_next(o, &message)) {
        unsigned char expected[2048];
        const int64_t number = message.received - 1000;
        if (number >= 0 && number < MESSAGES) {
            const size_t size = sqlite_sample_message((unsigned)number, expected);
            good += message.size == size && memcmp(message.bytes, expected, size) == 0;
        }
        volatile unsigned char sum = 0;
        for (size_t i = 0; i < message.size; i++) sum = (unsigned char)(sum + message.bytes[i]);
        if (message.topic >= o->topics.count) CHECK_FAIL("a message of topic %u", message.topic);
        ++*count;
    }
    CHECK_INT(o->status, CLUMP_OK);
    return good;
}

static unsigned read_damaged(const void *bytes, size_t size, bool as_file, clump_io_losses *losses)
{
    opened o;
    unsigned good = 0, count = 0, again = 0;
    if (open_bytes(&o, &clump_io_container_sqlite, bytes, size, as_file) == CLUMP_OK) {
        good = count_good(&o, &count);
        CHECK_INT(o.container->seek(o.state, INT64_MIN), CLUMP_OK);
        CHECK_INT(count_good(&o, &again), good);
        CHECK(count == again && count < 20 * MESSAGES);
    }
    *losses = o.losses;
    close_opened(&o);
    return good;
}

static void survives_a_cut(void)
{
    made bytes = sqlite_sample(MESSAGES);
    unsigned most = 0;
    for (size_t size = 0; size < bytes.size; size += size < 200 ? 1 : 61) {
        clump_io_losses losses;
        const unsigned good = read_damaged(bytes.bytes, size, size % 4 == 0, &losses);
        if (good < MESSAGES && good) CHECK_MSG(all_losses(&losses) && losses.first[0], "%zu bytes", size);
        if (good > most) most = good;
    }
    CHECK(most > MESSAGES / 2);
    made_free(&bytes);
}

static void survives_changed_bytes(void)
{
    made bytes = sqlite_sample(MESSAGES);
    for (size_t at = 16; at < bytes.size; at += at < 200 || at % 512 < 24 ? 1 : 7) {
        clump_io_losses losses;
        const unsigned char mask = (unsigned char)(at % 3 == 0 ? 0xff : at % 3 == 1 ? 0x80 : 1);
        bytes.bytes[at] ^= mask;
        read_damaged(bytes.bytes, bytes.size, false, &losses);
        bytes.bytes[at] ^= mask;
    }
    clump_io_losses losses;
    CHECK_INT(read_damaged(bytes.bytes, bytes.size, false, &losses), MESSAGES);
    made_free(&bytes);
}

/* A page of the table is overwritten: the messages on other pages are read. */
static void goes_on_behind_a_damaged_page(void)
{
    made bytes = sqlite_sample(MESSAGES);
    unsigned least = MESSAGES, damaged = 0;
    for (size_t page = 512; page + 512 <= bytes.size; page += 512) {
        if (bytes.bytes[page] != 13) continue; /* a leaf of a table */
        unsigned char kept[512];
        memcpy(kept, bytes.bytes + page, sizeof kept);
        memset(bytes.bytes + page, 0xa5, sizeof kept);
        clump_io_losses losses;
        const unsigned good = read_damaged(bytes.bytes, bytes.size, false, &losses);
        memcpy(bytes.bytes + page, kept, sizeof kept);
        if (good == MESSAGES || good == 0) continue; /* a page of another table: of the topics, for example */
        CHECK(losses.damaged_chunks == 1 && losses.first[0]);
        if (good < least) least = good;
        damaged++;
    }
    CHECK(damaged >= 3);
    CHECK_MSG(least >= MESSAGES - 20, "%u messages are left", least);
    made_free(&bytes);
}

static void expect_failure(const char *sql, const char *why)
{
    made bytes = sqlite_sample_end(sqlite_sample_begin(sql));
    opened o;
    clump_io_message message;
    if (open_bytes(&o, &clump_io_container_sqlite, bytes.bytes, bytes.size, false) == CLUMP_OK)
        CHECK_MSG(!read_next(&o, &message), "%s", sql);
    CHECK_MSG(o.status != CLUMP_OK && strstr(o.why.text, why), "%s: %s", sql, o.why.text);
    close_opened(&o);
    made_free(&bytes);
}

#define TOPICS                                                                                                         \
    "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT);"                    \
    "INSERT INTO topics VALUES(1, 't', 't', 'cdr');"

static void runs_no_code_of_the_schema(void)
{
    expect_failure("CREATE TABLE a(b)", "no table topics");
    expect_failure(TOPICS "CREATE TABLE a(b)", "no table messages");
    expect_failure(TOPICS "CREATE VIEW messages AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                          " SELECT i AS id, 1 AS topic_id, i AS timestamp, zeroblob(1000000) AS data FROM n",
                   "no table messages");
    expect_failure(TOPICS "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, data BLOB,"
                          " timestamp INTEGER AS (length(hex(zeroblob(100000000)))));"
                          "INSERT INTO messages VALUES(1, 1, x'00');",
                   "columns that are computed");
    expect_failure(TOPICS "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER)", "table messages");
}

static void counts_what_is_no_message(void)
{
    sqlite3 *const database =
        sqlite_sample_begin(SQLITE_SAMPLE_TABLES "INSERT INTO messages VALUES(1, 1, 1000, x'0001');"
                                                 "INSERT INTO messages VALUES(2, 3, 1001, x'0001');"
                                                 "INSERT INTO messages VALUES(3, 1, 'noon', x'0001');"
                                                 "INSERT INTO messages VALUES(4, 1, 1002, 17);"
                                                 "INSERT INTO messages VALUES(5, 1, 1003, 'text');"
                                                 "INSERT INTO messages VALUES(9223372036854775807, 1, 1004, x'');"
                                                 "INSERT INTO messages VALUES(-9223372036854775808, 1, 999, x'01');");
    made bytes = sqlite_sample_end(database);
    opened o;
    clump_io_message message;
    open_bytes(&o, &clump_io_container_sqlite, bytes.bytes, bytes.size, false);
    static const size_t sizes[] = {1, 2, 4, 0};
    for (int i = 0; i < 4; i++) {
        CHECK(read_next(&o, &message));
        CHECK_INT(message.size, sizes[i]);
    }
    CHECK(!read_next(&o, &message));
    CHECK_INT(o.losses.damaged_messages, 3);
    close_opened(&o);
    made_free(&bytes);
}

/* A blob that claims 1 GB in a small file. */
static void believes_no_size(void)
{
    sqlite3 *const database = sqlite_sample_begin(SQLITE_SAMPLE_TABLES);
    unsigned char message[2048] = {0};
    memset(message, 0x77, sizeof message);
    sqlite_sample_insert(database, 1, 1000, message, sizeof message);
    made bytes = sqlite_sample_end(database);
    /* The record header: its size, id, topic, time, and the serial type of a blob of 2048 bytes, 4108, in 2 bytes. */
    size_t at = 0, found = 0;
    for (; at + 2 < bytes.size; at++)
        if (bytes.bytes[at] == 0xa0 && bytes.bytes[at + 1] == 0x0c)
            bytes.bytes[at] = 0xff, bytes.bytes[at + 1] = 0x7e, found++;
    CHECK(found);
    clump_io_losses losses;
    CHECK_INT(read_damaged(bytes.bytes, bytes.size, false, &losses), 0);
    made_free(&bytes);
}
#else
static void needs_sqlite(void)
{
    SKIP("the build has no sqlite3: " DO_SETUP);
}
#endif

CHECK_PROGRAM(test_sqlite_hostile)
{
#ifdef CLUMP_IO_SQLITE
    RUN(survives_a_cut);
    RUN(survives_changed_bytes);
    RUN(goes_on_behind_a_damaged_page);
    RUN(runs_no_code_of_the_schema);
    RUN(counts_what_is_no_message);
    RUN(believes_no_size);
#else
    RUN(needs_sqlite);
#endif
}
