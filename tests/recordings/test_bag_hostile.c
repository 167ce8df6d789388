/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_bag_hostile.c: damaged ROS 1 bags: cut, changed, with false sizes and places. What can be read is read, and
 * what is lost is counted.
 */
#include "recordings/bag_sample.h"

/* Reads all messages. Returns how many of numbers 0 to 31 came, each one at most once, as bits. */
static uint32_t read_bits(opened *o, size_t *count)
{
    clump_io_message message;
    uint32_t bits = 0;
    *count = 0;
    while (read_next(o, &message)) {
        uint64_t number = UINT64_MAX;
        if (message.size >= 8) memcpy(&number, message.bytes, 8);
        if (number < 32 && message.size == 8 + number % 7) bits |= UINT32_C(1) << number;
        /* All bytes are read, for the sanitizer. */
        volatile unsigned char sum = 0;
        for (size_t i = 0; i < message.size; i++) sum = (unsigned char)(sum + message.bytes[i]);
        if (message.topic >= o->topics.count) CHECK_FAIL("a message of topic %u", message.topic);
        ++*count;
    }
    CHECK_INT(o->status, CLUMP_OK);
    return bits;
}

static clump_status count_seen(void *user, uint32_t topic, int64_t received)
{
    (void)topic, (void)received;
    ++*(size_t *)user;
    return CLUMP_OK;
}

/* Opens bytes that may be damaged, and reads them twice. Returns bits as read_bits(). */
static uint32_t read_damaged(const void *bytes, size_t size, bool as_file, clump_io_losses *losses)
{
    opened o;
    size_t count = 0, again = 0, surveyed = 0;
    uint32_t bits = 0;
    if (open_bytes(&o, &clump_io_container_bag, bytes, size, as_file) == CLUMP_OK) {
        bits = read_bits(&o, &count);
        CHECK_INT(o.container->survey(o.state, count_seen, &surveyed), CLUMP_OK);
        CHECK_INT(o.container->seek(o.state, INT64_MIN), CLUMP_OK);
        CHECK_INT(read_bits(&o, &again), bits);
        CHECK_INT(again, count);
        CHECK(count <= 16 && surveyed <= 64);
    }
    *losses = o.losses;
    close_opened(&o);
    return bits;
}

static void survives_a_cut_at_every_byte(void)
{
    for (int with_index = 0; with_index < 2; with_index++) {
        made bytes = bag_of_three(with_index);
        uint32_t before = 0;
        for (size_t size = 0; size < bytes.size; size++) {
            clump_io_losses losses;
            const uint32_t bits = read_damaged(bytes.bytes, size, size % 16 == 0, &losses);
            CHECK_MSG((bits & before) == before, "%zu bytes have a message less", size);
            if (bits != 0x1ff && size > 200) CHECK_MSG(all_losses(&losses) && losses.first[0], "%zu bytes", size);
            before = bits;
        }
        CHECK_INT(before, 0x1ff);
        made_free(&bytes);
    }
}

static void survives_changed_bytes(void)
{
    for (int with_index = 0; with_index < 2; with_index++) {
        made bytes = bag_of_three(with_index);
        size_t first_connection = 0; /* the size of its data, behind its field op */
        while (memcmp(bytes.bytes + first_connection, "op=\x07", 4) != 0) first_connection++;
        first_connection += 4;
        for (size_t at = 13; at < bytes.size; at++)
            for (int change = 0; change < 4; change++) {
                static const unsigned char masks[] = {1, 0x80, 0xff, 0x10};
                clump_io_losses losses;
                bytes.bytes[at] ^= masks[change];
                const uint32_t bits = read_damaged(bytes.bytes, bytes.size, false, &losses);
                bytes.bytes[at] ^= masks[change];
                /* One byte never costs more than the messages of one chunk, or of one connection. Without an index, the
                 * size of the first connection may hide the other one. */
                int lost = 0;
                for (int i = 0; i < 9; i++) lost += !(bits >> i & 1);
                const bool hides = !with_index && at >= first_connection && at < first_connection + 4;
                CHECK_MSG(lost <= 6 || hides, "%d messages lost by byte %zu", lost, at);
            }
        made_free(&bytes);
    }
}

/* Replaces the first occurrence of a text of the same size. */
static bool replace(made *bytes, const char *from, const char *to, size_t size)
{
    for (size_t i = 0; i + size <= bytes->size; i++)
        if (memcmp(bytes->bytes + i, from, size) == 0) {
            memcpy(bytes->bytes + i, to, size);
            return true;
        }
    return false;
}

static void believes_no_size(void)
{
    /* Sizes that a header claims: of the chunk, of its data, of a header. */
    for (int kind = 0; kind < 6; kind++) {
        made bytes = bag_of_three(kind & 1);
        clump_io_losses losses;
        size_t at = 0;
        while (memcmp(bytes.bytes + at, "compression=", 12) != 0) at++;
        if (kind / 2 == 0) memcpy(bytes.bytes + at - 8, "\xff\xff\xff\x7f", 4);           /* the header */
        if (kind / 2 == 1) memcpy(bytes.bytes + at + 16 + 4 + 5, "\xff\xff\xff\x3f", 4);  /* decompressed */
        if (kind / 2 == 2) memcpy(bytes.bytes + at + 16 + 13 + 8, "\xff\xff\xff\x3f", 4); /* compressed */
        const uint32_t bits = read_damaged(bytes.bytes, bytes.size, true, &losses);
        /* With an index, or behind a search, the other chunks are read. */
        const uint32_t others = (1 << 0) | (1 << 1) | (1 << 2) | (1 << 5) | (1 << 6) | (1 << 8);
        if (kind & 1) CHECK_INT(bits & others, others);
        made_free(&bytes);
    }
    /* A compressed chunk that claims 1 GB allocates nothing of the kind. */
    for (int kind = 0; kind < 2; kind++) {
        bag_sample bag;
        bag_begin(&bag);
        bag_add(&bag, 0, 1, 0);
        bag.chunk.size = 0x3fffffff; /* of the header alone: the data are below */
        bag_end_chunk(&bag, kind ? "bz2" : "lz4", "\x04\x22\x4d\x18 junk and more", 16);
        made bytes = bag_end(&bag, true);
        clump_io_losses losses;
        CHECK_INT(read_damaged(bytes.bytes, bytes.size, false, &losses), 0);
        CHECK_INT(losses.damaged_chunks, 1);
        made_free(&bytes);
    }
}

static void walks_where_the_index_is_wrong(void)
{
    clump_io_losses losses;
    made bytes = bag_of_three(true);
    CHECK(replace(&bytes, "chunk_count=\x03", "chunk_count=\x04", 13));
    CHECK_INT(read_damaged(bytes.bytes, bytes.size, false, &losses), 0x1ff);
    CHECK_TEXT(losses.first, "the index of the bag is damaged");
    made_free(&bytes);

    /* All chunk infos name the first chunk. */
    bytes = bag_of_three(true);
    unsigned char place[8] = {0};
    bool first = true;
    for (size_t i = 0; i + 18 <= bytes.size; i++) {
        if (memcmp(bytes.bytes + i, "chunk_pos=", 10) != 0) continue;
        if (first) memcpy(place, bytes.bytes + i + 10, 8);
        memcpy(bytes.bytes + i + 10, place, 8);
        first = false;
    }
    CHECK_INT(read_damaged(bytes.bytes, bytes.size, false, &losses), 0x1ff);
    made_free(&bytes);
}

static void goes_on_in_a_damaged_chunk(void)
{
    bag_sample bag;
    bag_begin(&bag);
    for (uint32_t i = 0; i < 2; i++) bag_connection(&bag.chunk, i, bag_topics[i], bag_types[i]);
    for (uint64_t i = 0; i < 10; i++) bag_add(&bag, 0, (int64_t)i, i);
    memset(bag.chunk.bytes + bag.entries[4].at, 0xee, 4); /* the size of a header */
    bag_end_chunk(&bag, "none", NULL, 0);
    made bytes = bag_end(&bag, true);
    clump_io_losses losses;
    CHECK_INT(read_damaged(bytes.bytes, bytes.size, false, &losses), 0x3ff & ~(1 << 4));
    CHECK_INT(losses.damaged_chunks, 1);
    CHECK(strstr(losses.first, "a record in it is damaged"));
    made_free(&bytes);
}

static void counts_messages_without_a_topic(void)
{
    bag_sample bag;
    bag_begin(&bag);
    for (uint64_t i = 0; i < 6; i++) bag_add(&bag, i < 4 ? 0 : 3, (int64_t)i, i);
    bag_end_chunk(&bag, "none", NULL, 0);
    made bytes = bag_end(&bag, true);
    clump_io_losses losses;
    CHECK_INT(read_damaged(bytes.bytes, bytes.size, false, &losses), 0xf);
    CHECK_INT(losses.damaged_messages, 2);
    CHECK_TEXT(losses.first, "the index of the bag is damaged"); /* it lacks the connection */
    made_free(&bytes);
}

static void names_an_unknown_compression(void)
{
    bag_sample bag;
    bag_begin(&bag);
    bag_add(&bag, 0, 1, 0);
    bag_end_chunk(&bag, "zip", "zip", 3);
    made bytes = bag_end(&bag, true);
    clump_io_losses losses;
    CHECK_INT(read_damaged(bytes.bytes, bytes.size, false, &losses), 0);
    CHECK(strstr(losses.first, "no decoder for its compression"));
    made_free(&bytes);
}

static void says_what_is_out_of_order(void)
{
    /* The chunk info of the second chunk hides an early message. */
    bag_sample bag;
    bag_begin(&bag);
    for (uint64_t i = 0; i < 4; i++) bag_add(&bag, 0, (int64_t)(10 + i), i);
    bag_end_chunk(&bag, "none", NULL, 0);
    for (uint64_t i = 4; i < 8; i++) bag_add(&bag, 0, (int64_t)(10 + i), i);
    bag_message(&bag.chunk, 0, 5, 8);
    bag_end_chunk(&bag, "none", NULL, 0);
    made bytes = bag_end(&bag, true);
    opened o;
    size_t count;
    open_bytes(&o, &clump_io_container_bag, bytes.bytes, bytes.size, false);
    CHECK_INT(read_bits(&o, &count), 0x1ff);
    CHECK_INT(o.losses.reordered, 1);
    close_opened(&o);
    made_free(&bytes);
}

static void survives_many_connections(void)
{
    bag_sample bag;
    bag_begin(&bag);
    char topic[32];
    for (uint32_t i = 0; i < 6000; i++) {
        snprintf(topic, sizeof topic, "/topic%u", i);
        bag_connection(&bag.chunk, i * 7919u, topic, "std_msgs/String");
    }
    bag_message(&bag.chunk, 0, 1, 0);
    bag_end_chunk(&bag, "none", NULL, 0);
    made bytes = bag_end(&bag, false);
    clump_io_losses losses;
    CHECK_INT(read_damaged(bytes.bytes, bytes.size, false, &losses), 1);
    made_free(&bytes);
}

CHECK_PROGRAM(test_bag_hostile)
{
    RUN(survives_a_cut_at_every_byte);
    RUN(survives_changed_bytes);
    RUN(believes_no_size);
    RUN(walks_where_the_index_is_wrong);
    RUN(goes_on_in_a_damaged_chunk);
    RUN(counts_messages_without_a_topic);
    RUN(names_an_unknown_compression);
    RUN(says_what_is_out_of_order);
    RUN(survives_many_connections);
}
