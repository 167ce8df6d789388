/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sqlite.c: rosbag2 databases: order, topics, seeking, compression, files beside, real recordings.
 */
#include "recordings/sqlite_sample.h"

#ifdef CLUMP_IO_SQLITE
#ifdef CLUMP_IO_ZSTD
#include <zstd.h>
#endif

/* Checks that messages [first, end) come, in this order and with all their bytes. */
static void check_messages(opened *o, unsigned first, unsigned end)
{
    clump_io_message message;
    unsigned next = first;
    while (read_next(o, &message)) {
        unsigned char expected[2048];
        const size_t size = sqlite_sample_message(next, expected);
        CHECK_INT(message.received, 1000 + next);
        CHECK_INT(message.topic, next % 4 == 3);
        CHECK_INT(message.size, size);
        CHECK_MSG(message.size == size && memcmp(message.bytes, expected, size) == 0, "message %u", next);
        next++;
    }
    CHECK_INT(o->status, CLUMP_OK);
    CHECK_INT(next, end);
}

static void reads_by_time(void)
{
    made bytes = sqlite_sample(200);
    for (int as_file = 0; as_file < 2; as_file++) {
        opened o;
        CHECK(clump_io_container_sqlite.sniff(bytes.bytes, bytes.size));
        CHECK_INT(open_bytes(&o, &clump_io_container_sqlite, bytes.bytes, bytes.size, as_file), CLUMP_OK);
        CHECK_INT(o.topics.count, 2);
        CHECK_TEXT(o.topics.list[0].name, "/points");
        CHECK_TEXT(o.topics.list[0].type, "sensor_msgs/msg/PointCloud2");
        CHECK_INT(o.topics.list[0].coding, CLUMP_IO_CODING_CDR);
        CHECK_INT(o.topics.list[1].coding, CLUMP_IO_CODING_OTHER);
        check_messages(&o, 0, 200);
        CHECK_INT(all_losses(&o.losses), 0);
        close_opened(&o);
    }
    made_free(&bytes);
}

static clump_status count_seen(void *user, uint32_t topic, int64_t received)
{
    (void)received;
    ((size_t *)user)[topic]++;
    return CLUMP_OK;
}

static void seeks_and_surveys(void)
{
    made bytes = sqlite_sample(100);
    opened o;
    open_bytes(&o, &clump_io_container_sqlite, bytes.bytes, bytes.size, false);
    size_t counts[2] = {0};
    CHECK_INT(o.container->survey(o.state, count_seen, counts), CLUMP_OK);
    CHECK_INT(counts[0], 75);
    CHECK_INT(counts[1], 25);
    static const struct {
        int64_t time;
        unsigned first;
    } cases[] = {{INT64_MIN, 0}, {1000, 0}, {1050, 50}, {1099, 99}, {1100, 100}, {INT64_MAX, 100}, {0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_INT(o.container->seek(o.state, cases[i].time), CLUMP_OK);
        check_messages(&o, cases[i].first, 100);
    }
    CHECK_INT(o.container->seek(o.state, INT64_MIN), CLUMP_OK);
    clump_io_message message;
    bool more;
    unsigned other = 0;
    while (o.container->next(o.state, (const bool[]){false, true}, 2, &message, &more) == CLUMP_OK && more) {
        CHECK_INT(message.received, 1003 + 4 * other);
        other++;
    }
    CHECK_INT(other, 25);
    close_opened(&o);
    made_free(&bytes);
}

static void equal_times_come_in_the_order_of_the_file(void)
{
    sqlite3 *const database = sqlite_sample_begin(SQLITE_SAMPLE_TABLES);
    for (unsigned char i = 0; i < 50; i++) sqlite_sample_insert(database, 1, i < 25 ? 9 : 5, &i, 1);
    made bytes = sqlite_sample_end(database);
    opened o;
    open_bytes(&o, &clump_io_container_sqlite, bytes.bytes, bytes.size, false);
    clump_io_message message;
    for (unsigned i = 0; i < 50 && read_next(&o, &message); i++) CHECK_INT(message.bytes[0], (i + 25) % 50);
    close_opened(&o);
    made_free(&bytes);
}

/* Makes nothing beside the file, and does not change it. */
static void leaves_the_folder_alone(void)
{
    made bytes = sqlite_sample(20);
    bytes.bytes[18] = bytes.bytes[19] = 2; /* write-ahead logging */
    for (int as_file = 0; as_file < 2; as_file++) {
        opened o;
        CHECK_INT(open_bytes(&o, &clump_io_container_sqlite, bytes.bytes, bytes.size, as_file), CLUMP_OK);
        check_messages(&o, 0, 20);
        CHECK_INT(all_losses(&o.losses), 0);
        static const char *const endings[] = {"-wal", "-shm", "-journal"};
        for (int i = 0; i < 3 && as_file; i++) {
            char name[128];
            snprintf(name, sizeof name, "%s%s", o.path, endings[i]);
            CHECK(access(name, F_OK) != 0);
        }
        close_opened(&o);
    }
    made_free(&bytes);
}

/* A recorder that is at work, or was killed: messages are in the file -wal. */
static void reads_a_recording_that_is_not_finished(void)
{
    char folder[] = "/tmp/clump-sqlite-XXXXXX", path[64], name[128];
    if (!mkdtemp(folder)) SKIP("/tmp cannot be written: " DO_ELSEWHERE);
    snprintf(path, sizeof path, "%s/a b#c?d%%.db3", folder);
    sqlite3 *database;
    CHECK_INT(sqlite3_open(path, &database), SQLITE_OK);
    sqlite3_exec(database, "PRAGMA journal_mode=WAL;" SQLITE_SAMPLE_TABLES, NULL, NULL, NULL);
    unsigned char message[2048];
    for (unsigned i = 0; i < 30; i++)
        sqlite_sample_insert(database, i % 4 == 3 ? 7 : 1, 1000 + i, message, sqlite_sample_message(i, message));

    for (int round = 0; round < 2; round++) {
        opened o;
        if (round == 1) { /* after a copy without -shm, messages in -wal are missing */
            char command[512];
            snprintf(command, sizeof command, "cp '%s' '%s/copy.db3' && cp '%s-wal' '%s/copy.db3-wal'", path, folder,
                     path, folder);
            CHECK_INT(system(command), 0);
            snprintf(path, sizeof path, "%s/copy.db3", folder);
        }
        open_path(&o, &clump_io_container_sqlite, path);
        if (round == 0) {
            CHECK_INT(o.status, CLUMP_OK);
            check_messages(&o, 0, 30);
            CHECK_INT(all_losses(&o.losses), 0);
        } else {
            CHECK(o.losses.truncated);
            snprintf(name, sizeof name, "%s-shm", path);
            CHECK(access(name, F_OK) != 0);
        }
        close_opened(&o);
    }
    sqlite3_close(database);
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    CHECK_INT(system(command), 0);
}

static void reads_compressed_messages(void)
{
#ifndef CLUMP_IO_ZSTD
    SKIP("the build has no zstd: " DO_SETUP);
#else
    sqlite3 *const database = sqlite_sample_begin(SQLITE_SAMPLE_TABLES);
    unsigned char message[2048], packed[4096];
    for (unsigned i = 0; i < 40; i++) {
        const size_t size = sqlite_sample_message(i, message);
        sqlite_sample_insert(database, i % 4 == 3 ? 7 : 1, 1000 + i, i % 4 == 3 ? message : packed,
                             i % 4 == 3 ? size : ZSTD_compress(packed, sizeof packed, message, size, 3));
    }
    sqlite_sample_insert(database, 1, 9999, "\x28\xb5\x2f\xfd junk", 9);
    made bytes = sqlite_sample_end(database);
    opened o;
    open_bytes(&o, &clump_io_container_sqlite, bytes.bytes, bytes.size, false);
    check_messages(&o, 0, 40);
    CHECK_INT(o.losses.damaged_messages, 1);
    close_opened(&o);

    /* And a whole file. */
    made plain = sqlite_sample(60), whole = {0};
    made_put(&whole, NULL, ZSTD_compressBound(plain.size));
    whole.size = ZSTD_compress(whole.bytes, whole.size, plain.bytes, plain.size, 3);
    for (int as_file = 0; as_file < 2; as_file++) {
        CHECK(clump_io_container_sqlite.sniff(whole.bytes, whole.size));
        CHECK_INT(open_bytes(&o, &clump_io_container_sqlite, whole.bytes, whole.size, as_file), CLUMP_OK);
        check_messages(&o, 0, 60);
        CHECK_INT(all_losses(&o.losses), 0);
        close_opened(&o);
    }
    whole.size = ZSTD_compress(whole.bytes, whole.size, "this is another file, not a database at all", 44, 3);
    CHECK_INT(open_bytes(&o, &clump_io_container_sqlite, whole.bytes, whole.size, false), CLUMP_ERR_IO_UNSUPPORTED);
    close_opened(&o);
    made_free(&plain), made_free(&whole), made_free(&bytes);
#endif
}

static const struct {
    const char *path;
    size_t topics;
    uint64_t messages, bytes;
} real_recordings[] = {{"nebula_pandar64_0.db3", 1, 4, 3628912}, {"nebula_qt64_0.db3", 1, 4, 1814512},
                       {"nebula_vlp16_0.db3", 1, 4, 733376},     {"nebula_vlp32_0.db3", 1, 5, 461044},
                       {"nebula_vls128_0.db3", 1, 4, 2666824},   {"nebula_xt16_0.db3", 1, 4, 2458608},
                       {"nebula_xt32_0.db3", 1, 4, 3024112},     {"rosbagsrs_test_bag.db3", 94, 188, 18060}};

static void reads_real_recordings(void)
{
    const char *const folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof real_recordings / sizeof *real_recordings; i++) {
        char path[1024];
        opened o;
        snprintf(path, sizeof path, "%s/rosbag/%s", folder, real_recordings[i].path);
        CHECK_MSG(open_path(&o, &clump_io_container_sqlite, path) == CLUMP_OK, "%s", path);
        if (!o.state) continue;
        clump_io_message message;
        uint64_t messages = 0, bytes = 0;
        while (read_next(&o, &message)) messages++, bytes += message.size;
        CHECK_INT(o.status, CLUMP_OK);
        CHECK_INT(o.topics.count, real_recordings[i].topics);
        CHECK_INT(messages, real_recordings[i].messages);
        CHECK_INT(bytes, real_recordings[i].bytes);
        CHECK_INT(all_losses(&o.losses), 0);
        close_opened(&o);
    }
}
#else
static void needs_sqlite(void)
{
    opened o;
    CHECK_INT(open_bytes(&o, &clump_io_container_sqlite, "SQLite format 3", 16, false), CLUMP_ERR_IO_UNSUPPORTED);
    close_opened(&o);
    SKIP("the build has no sqlite3: " DO_SETUP);
}
#endif

CHECK_PROGRAM(test_sqlite)
{
#ifdef CLUMP_IO_SQLITE
    RUN(reads_by_time);
    RUN(seeks_and_surveys);
    RUN(equal_times_come_in_the_order_of_the_file);
    RUN(leaves_the_folder_alone);
    RUN(reads_a_recording_that_is_not_finished);
    RUN(reads_compressed_messages);
    RUN(reads_real_recordings);
#else
    RUN(needs_sqlite);
#endif
}
