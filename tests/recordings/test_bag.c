/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_bag.c: ROS 1 bags: order across chunks, topics, seeking, surveys, compression, real bags.
 */
#include "recordings/bag_sample.h"

#ifdef CLUMP_IO_BZ2
#include <bzlib.h>
#endif
#ifdef CLUMP_IO_LZ4
#include <lz4frame.h>
#endif

enum { SECOND = 1000000000 };

static uint64_t number_of(const clump_io_message *message)
{
    uint64_t number = UINT64_MAX;
    if (message->size >= 8) memcpy(&number, message->bytes, 8);
    return number;
}

/* Checks that messages [first, end) come, in this order. */
static void check_numbers(opened *o, uint64_t first, uint64_t end)
{
    clump_io_message message;
    uint64_t next = first;
    while (read_next(o, &message)) {
        CHECK_INT(number_of(&message), next);
        CHECK_INT(message.size, 8 + next % 7);
        next++;
    }
    CHECK_INT(o->status, CLUMP_OK);
    CHECK_INT(next, end);
}

static void reads_by_time(void)
{
    for (int kind = 0; kind < 4; kind++) { /* with and without an index, memory and file */
        made bytes = bag_of_three(kind & 1);
        opened o;
        CHECK(clump_io_container_bag.sniff(bytes.bytes, bytes.size));
        CHECK_INT(open_bytes(&o, &clump_io_container_bag, bytes.bytes, bytes.size, kind & 2), CLUMP_OK);
        CHECK_INT(o.topics.count, 2);
        CHECK_TEXT(o.topics.list[0].name, "/points");
        CHECK_TEXT(o.topics.list[0].type, "sensor_msgs/PointCloud2");
        CHECK_INT(o.topics.list[0].coding, CLUMP_IO_CODING_ROS1);
        CHECK_TEXT(o.topics.list[1].name, "/other");
        check_numbers(&o, 0, 9);
        CHECK_INT(o.losses.truncated, !(kind & 1));
        o.losses.truncated = false;
        CHECK_INT(all_losses(&o.losses), 0);
        close_opened(&o);
        made_free(&bytes);
    }
}

static void gives_times_and_topics(void)
{
    made bytes = bag_of_three(true);
    opened o;
    open_bytes(&o, &clump_io_container_bag, bytes.bytes, bytes.size, false);
    clump_io_message message;
    CHECK(read_next(&o, &message));
    CHECK_INT(message.topic, 0);
    CHECK_INT(message.received, INT64_C(10) * SECOND + 7);
    close_opened(&o);
    made_free(&bytes);
}

static void reads_wanted_topics(void)
{
    made bytes = bag_of_three(true);
    opened o;
    open_bytes(&o, &clump_io_container_bag, bytes.bytes, bytes.size, true);
    static const uint64_t expected[] = {4, 5, 6};
    const bool wanted[2] = {false, true};
    clump_io_message message;
    bool more;
    for (int i = 0; i < 3; i++) {
        CHECK_INT(o.container->next(o.state, wanted, 2, &message, &more), CLUMP_OK);
        CHECK(more && message.topic == 1);
        CHECK_INT(number_of(&message), expected[i]);
    }
    CHECK_INT(o.container->next(o.state, wanted, 2, &message, &more), CLUMP_OK);
    CHECK(!more);
    /* A topic that the list does not reach is not wanted. */
    o.container->seek(o.state, INT64_MIN);
    CHECK_INT(o.container->next(o.state, wanted, 1, &message, &more), CLUMP_OK);
    CHECK(!more);
    close_opened(&o);
    made_free(&bytes);
}

static void seeks(void)
{
    for (int with_index = 0; with_index < 2; with_index++) {
        made bytes = bag_of_three(with_index);
        opened o;
        open_bytes(&o, &clump_io_container_bag, bytes.bytes, bytes.size, false);
        static const struct {
            int64_t time;
            uint64_t first;
        } cases[] = {{INT64_MIN, 0},
                     {INT64_C(10) * SECOND + 7, 0},
                     {INT64_C(10) * SECOND + 8, 1},
                     {INT64_C(50) * SECOND + 7, 4},
                     {INT64_C(50) * SECOND + 8, 6},
                     {INT64_C(90) * SECOND, 8},
                     {INT64_C(91) * SECOND, 9},
                     {INT64_MAX, 9},
                     {0, 0}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            CHECK_INT(o.container->seek(o.state, cases[i].time), CLUMP_OK);
            check_numbers(&o, cases[i].first, 9);
        }
        close_opened(&o);
        made_free(&bytes);
    }
}

typedef struct surveyed {
    uint64_t counts[2];
    int64_t last;
    bool ascending;
} surveyed;

static clump_status note_seen(void *user, uint32_t topic, int64_t received)
{
    surveyed *const s = user;
    if (topic < 2) s->counts[topic]++;
    if (received < s->last) s->ascending = false;
    s->last = received;
    return CLUMP_OK;
}

static void surveys_without_decompression(void)
{
    bag_sample bag;
    bag_begin(&bag);
    for (uint64_t i = 0; i < 20; i++) bag_add(&bag, i % 4 == 0, (int64_t)(100 - i), i);
    bag_end_chunk(&bag, "lz4", "no compressed data", 18);
    made bytes = bag_end(&bag, true);
    opened o;
    open_bytes(&o, &clump_io_container_bag, bytes.bytes, bytes.size, true);
    surveyed s = {.ascending = true};
    CHECK_INT(o.container->survey(o.state, note_seen, &s), CLUMP_OK);
    CHECK_INT(s.counts[0], 15);
    CHECK_INT(s.counts[1], 5);
    CHECK(s.ascending);
    CHECK_INT(all_losses(&o.losses), 0);
    /* The messages are lost, and this is counted once. */
    for (int i = 0; i < 2; i++) {
        clump_io_message message;
        CHECK_INT(o.container->seek(o.state, INT64_MIN), CLUMP_OK);
        CHECK(!read_next(&o, &message));
        CHECK_INT(o.status, CLUMP_OK);
        CHECK_INT(o.losses.damaged_chunks, 1);
    }
    close_opened(&o);
    made_free(&bytes);
}

/* Compresses the chunk that is being written. */
static bool end_chunk_packed(bag_sample *bag, const char *compression)
{
    static char packed[65536];
    (void)packed, (void)bag, (void)compression;
#ifdef CLUMP_IO_BZ2
    unsigned size = sizeof packed;
    if (strcmp(compression, "bz2") == 0 && BZ2_bzBuffToBuffCompress(packed, &size, (char *)bag->chunk.bytes,
                                                                    (unsigned)bag->chunk.size, 9, 0, 30) == BZ_OK) {
        bag_end_chunk(bag, compression, packed, size);
        return true;
    }
#endif
#ifdef CLUMP_IO_LZ4
    if (strcmp(compression, "lz4") == 0) {
        const size_t used = LZ4F_compressFrame(packed, sizeof packed, bag->chunk.bytes, bag->chunk.size, NULL);
        if (!LZ4F_isError(used)) bag_end_chunk(bag, compression, packed, used);
        return true;
    }
#endif
    return false;
}

static void reads_compressed(const char *compression)
{
    bag_sample bag;
    bag_begin(&bag);
    for (uint64_t chunk = 0; chunk < 3; chunk++) {
        if (chunk == 0)
            for (uint32_t i = 0; i < 2; i++) bag_connection(&bag.chunk, i, bag_topics[i], bag_types[i]);
        for (uint64_t i = 0; i < 50; i++) bag_add(&bag, i & 1, (int64_t)(chunk * 50 + i), chunk * 50 + i);
        if (!end_chunk_packed(&bag, compression)) {
            made left = bag_end(&bag, false);
            made_free(&left);
            SKIP("the build has no %s: " DO_SETUP, compression);
        }
    }
    made bytes = bag_end(&bag, true);
    for (int as_file = 0; as_file < 2; as_file++) {
        opened o;
        open_bytes(&o, &clump_io_container_bag, bytes.bytes, bytes.size, as_file);
        check_numbers(&o, 0, 150);
        CHECK_INT(all_losses(&o.losses), 0);
        close_opened(&o);
    }
    made_free(&bytes);
}

static void reads_bz2(void)
{
    reads_compressed("bz2");
}

static void reads_lz4(void)
{
    reads_compressed("lz4");
}

static void reads_messages_outside_of_chunks(void)
{
    bag_sample bag;
    bag_begin(&bag);
    for (uint32_t i = 0; i < 2; i++) bag_connection(&bag.bytes, i, bag_topics[i], bag_types[i]);
    for (uint64_t i = 0; i < 30; i++) bag_message(&bag.bytes, i & 1, (int64_t)(i ^ 1), i ^ 1);
    made bytes = bag_end(&bag, true);
    for (int as_file = 0; as_file < 2; as_file++) {
        opened o;
        open_bytes(&o, &clump_io_container_bag, bytes.bytes, bytes.size, as_file);
        CHECK_INT(o.topics.count, 2);
        check_numbers(&o, 0, 30);
        CHECK_INT(all_losses(&o.losses), 0);
        surveyed s = {.ascending = true};
        CHECK_INT(o.container->survey(o.state, note_seen, &s), CLUMP_OK);
        CHECK_INT(s.counts[0] + s.counts[1], 30);
        close_opened(&o);
    }
    made_free(&bytes);
}

static void two_connections_are_one_topic(void)
{
    bag_sample bag;
    bag_begin(&bag);
    for (uint32_t i = 0; i < 2; i++) bag_connection(&bag.chunk, i, "/points", "sensor_msgs/PointCloud2");
    for (uint64_t i = 0; i < 10; i++) bag_add(&bag, i & 1, (int64_t)i, i);
    bag_end_chunk(&bag, "none", NULL, 0);
    made bytes = bag_end(&bag, false);
    opened o;
    open_bytes(&o, &clump_io_container_bag, bytes.bytes, bytes.size, false);
    CHECK_INT(o.topics.count, 1);
    check_numbers(&o, 0, 10);
    close_opened(&o);
    made_free(&bytes);
}

static void refuses_other_versions(void)
{
    opened o;
    static const char old[] = "#ROSBAG V1.2\n and so on";
    CHECK(clump_io_container_bag.sniff((const unsigned char *)old, sizeof old));
    CHECK_INT(open_bytes(&o, &clump_io_container_bag, old, sizeof old, false), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(o.why.text, "sample: bags of version 1.2 are not read, only 2.0");
    close_opened(&o);
    CHECK(!clump_io_container_bag.sniff((const unsigned char *)"#ROSBAG", 7));
    CHECK_INT(open_bytes(&o, &clump_io_container_bag, "#ROS", 4, true), CLUMP_ERR_IO_TRUNCATED);
    close_opened(&o);
}

/* Counts of Debian's python3-rosbag. */
static const struct {
    const char *path;
    size_t topics;
    uint64_t messages, bytes;
} real_bags[] = {{"embag_luminar_lz4.bag", 3, 15, 5794674},
                 {"ouster_512x10_raw.bag", 3, 43, 281420},
                 {"rosbagjs_example-bz2.bag", 9, 8647, 338842},
                 {"rosbagjs_example-lz4.bag", 9, 8647, 338842},
                 {"rosbagjs_example-unsorted-chunks.bag", 1, 3, 15},
                 {"rosbagjs_no-messages.bag", 0, 0, 0},
                 {"rosnumpy_test.bag", 9, 9, 262164}};

static void reads_real_bag(const char *folder, size_t i)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/rosbag/%s", folder, real_bags[i].path);
    opened o;
    CHECK_MSG(open_path(&o, &clump_io_container_bag, path) == CLUMP_OK, "%s", path);
    if (!o.state) return;
    clump_io_message message;
    uint64_t messages = 0, bytes = 0;
    int64_t last = 0;
    while (read_next(&o, &message)) {
        CHECK(message.received >= last);
        last = message.received;
        messages++, bytes += message.size;
    }
    CHECK_INT(o.status, CLUMP_OK);
    CHECK_INT(o.topics.count, real_bags[i].topics);
    CHECK_INT(messages, real_bags[i].messages);
    CHECK_INT(bytes, real_bags[i].bytes);
    CHECK_INT(all_losses(&o.losses), 0);
    close_opened(&o);
}

static void reads_real_bags(void)
{
    const char *const folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
#if !defined(CLUMP_IO_BZ2) || !defined(CLUMP_IO_LZ4)
    SKIP("the build has no bz2 or lz4: " DO_SETUP);
#endif
    for (size_t i = 0; i < sizeof real_bags / sizeof *real_bags; i++) reads_real_bag(folder, i);
}

CHECK_PROGRAM(test_bag)
{
    RUN(reads_by_time);
    RUN(gives_times_and_topics);
    RUN(reads_wanted_topics);
    RUN(seeks);
    RUN(surveys_without_decompression);
    RUN(reads_bz2);
    RUN(reads_lz4);
    RUN(reads_messages_outside_of_chunks);
    RUN(two_connections_are_one_topic);
    RUN(refuses_other_versions);
    RUN(reads_real_bags);
}
