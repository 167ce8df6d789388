/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_mcap_hostile.c: MCAP files that are cut, damaged or false. What can be read is read, and the rest is counted.
 */
#include "recordings/mcap_made.h"

static opened a, b; /* large */
static mcap_made m;

static const char *const compressions[] = {"", "lz4", "zstd"};

/* Three chunks, two messages outside of them. Messages "a", "b" ... at 1, 2 ... */
static void compose(const char *compression, bool index, bool summary)
{
    mcap_made_begin(&m);
    mcap_made_channel(&m.file, 1, "cdr");
    char text[] = "a";
    for (int chunk = 0; chunk < 3; chunk++) {
        for (int i = 0; i < 3; i++, text[0]++) mcap_made_message(&m, 1, (uint64_t)(text[0] - 'a' + 1), text);
        mcap_made_end_chunk(&m, compression, true, index);
        if (chunk == 1) mcap_made_loose(&m.file, 1, (uint64_t)(text[0] - 'a' + 1), text), text[0]++;
    }
    mcap_made_loose(&m.file, 1, (uint64_t)(text[0] - 'a' + 1), text);
    mcap_made_end(&m, summary, true, 1);
}
enum { MESSAGES = 11, PER_CHUNK = 3 };

/* Whether message i of the reader is one of the file that was composed. */
static bool is_original(const opened *r, size_t i)
{
    const kept_message *const k = &r->messages[i];
    const char c = (char)('a' + k->time - 1);
    return k->time >= 1 && k->time <= MESSAGES && k->size == 1 && k->crc == clump_io_crc32(0, &c, 1);
}

static clump_status see_nothing(void *user, uint32_t topic, int64_t received)
{
    (void)topic, (void)received;
    return ++*(size_t *)user < 1000000 ? CLUMP_OK : CLUMP_ERR_IO_FORMAT;
}

/* Reads all there is, in both ways, from memory of this very size. False: the file cannot be opened. */
static bool read_bytes(opened *r, const unsigned char *bytes, size_t size, bool in_file)
{
    const bool usable = open_bytes(r, &clump_io_container_mcap, bytes, size, in_file) == CLUMP_OK;
    if (usable) {
        size_t seen = 0;
        CHECK(r->container->survey(r->state, see_nothing, &seen) == CLUMP_OK);
        CHECK(r->container->seek(r->state, INT64_MIN) == CLUMP_OK);
        CHECK(read_all(r, NULL, 0) == CLUMP_OK);
    }
    close_opened(r);
    return usable;
}

static void cuts(void)
{
    for (int kind = 0; kind < 12; kind++) {
        compose(compressions[kind % 3], kind / 3 % 2, kind / 6);
        size_t before = 0;
        for (size_t size = 0; size < m.file.size; size++) {
            const bool usable = read_bytes(&a, m.file.bytes, size, size % 32 == 0);
            CHECK_MSG(usable == (size >= 8), "%zu bytes", size);
            if (!usable) continue;
            CHECK_MSG(a.count >= before && a.count <= MESSAGES, "%zu bytes: %zu messages", size, a.count);
            for (size_t i = 0; i < a.count; i++) CHECK_MSG(is_original(&a, i), "%zu bytes, message %zu", size, i);
            CHECK_MSG(a.losses.truncated && a.losses.first[0], "%zu bytes", size);
            before = a.count;
        }
        CHECK_INT(before, MESSAGES); /* a file without its last byte has all messages */
        mcap_made_release(&m);
    }
}

/* Messages in front of a cut are read, also inside of a chunk. */
static void cut_inside_chunk(void)
{
    compose("", false, false);
    const mcap_made_chunk *const chunk = &m.chunks[1];
    const size_t message = 9 + 22 + 1;
    for (size_t whole = 0; whole <= PER_CHUNK; whole++) {
        CHECK(read_bytes(&a, m.file.bytes, chunk->offset + 49 + whole * message + (whole < PER_CHUNK ? 5 : 0), false));
        CHECK_INT(a.count, PER_CHUNK + whole);
        CHECK_INT(a.losses.damaged_chunks, 0);
    }
    mcap_made_release(&m);
}

static void flips(void)
{
    for (int kind = 0; kind < 6; kind++) {
        compose(compressions[kind % 3], kind / 3, kind / 3);
        for (size_t i = 0; i < m.file.size; i++)
            for (unsigned flip = 1; flip < 256; flip = flip * 4 + 3) {
                m.file.bytes[i] ^= (unsigned char)flip;
                if (read_bytes(&a, m.file.bytes, m.file.size, false)) CHECK(a.count <= 2 * MESSAGES);
                m.file.bytes[i] ^= (unsigned char)flip;
            }
        mcap_made_release(&m);
    }
}

/* A byte of the messages of a chunk is wrong: the checksum tells, the chunk is left out, the others are read. */
static void wrong_checksum(void)
{
    for (int summary = 0; summary < 2; summary++) {
        compose("", true, summary);
        m.file.bytes[m.chunks[1].offset + m.chunks[1].length - 1] ^= 1;
        CHECK(read_bytes(&a, m.file.bytes, m.file.size, true));
        CHECK_INT(a.count, MESSAGES - PER_CHUNK);
        CHECK_INT(a.losses.damaged_chunks, 1); /* once, though it was read more than once */
        CHECK_INT(a.losses.lost_bytes, m.chunks[1].length);
        char expected[64];
        snprintf(expected, sizeof expected, "chunk at byte %llu: wrong checksum",
                 (unsigned long long)m.chunks[1].offset);
        CHECK_TEXT(a.losses.first, expected);
        mcap_made_release(&m);
    }
}

/* A record has a wrong length or opcode. The reader goes on at the next chunk, with and without a summary. */
static void lost_and_found(void)
{
    for (int summary = 0; summary < 2; summary++)
        for (int place = 0; place < 9; place++) {
            compose("", false, summary);
            m.file.bytes[m.chunks[0].offset + (size_t)place] = place ? 0xff : 0; /* opcode, bytes of the length */
            CHECK(read_bytes(&a, m.file.bytes, m.file.size, place % 2));
            /* Place 1: the chunk seems to reach into the next one, which is lost too. */
            const size_t chunks = place == 1 && !summary ? 2 : 1;
            CHECK_MSG(a.count + chunks * PER_CHUNK + (chunks == 2) >= MESSAGES, "summary %d, place %d: %zu", summary,
                      place, a.count);
            for (size_t i = 0; i < a.count; i++) CHECK(is_original(&a, i));
            CHECK(a.losses.lost_bytes > 0 && a.losses.first[0]);
            mcap_made_release(&m);
        }
}

static void wrong_summary(void)
{
    compose("zstd", true, true);
    m.file.bytes[m.file.size - 8 - 29 - 20] ^= 1; /* the last chunk index; its checksum is now wrong */
    if (!read_bytes(&a, m.file.bytes, m.file.size, false)) CHECK_FAIL("not opened");
    if (strstr(a.losses.first, "this build")) {
        mcap_made_release(&m);
        SKIP("the build has no zstd: " DO_SETUP);
    }
    CHECK_INT(a.count, MESSAGES);
    CHECK_TEXT(a.losses.first, "the index has a wrong checksum, the whole file is searched");
    CHECK_INT(a.losses.damaged_chunks, 0);
    mcap_made_release(&m);
}

/* A summary with a right checksum that lies. */
static void false_summary(void)
{
    for (int kind = 0; kind < 8; kind++) {
        mcap_made_begin(&m);
        mcap_made_channel(&m.file, 1, "cdr");
        for (int i = 0; i < 3; i++) {
            mcap_made_message(&m, 1, (uint64_t)i + 1, (char[]){(char)('a' + i), 0});
            mcap_made_end_chunk(&m, "", true, true);
        }
        mcap_made_chunk *const c = &m.chunks[1];
        if (kind == 0) c->offset++;
        if (kind == 1) c->offset = UINT64_MAX - 10;
        if (kind == 2) c->length = UINT64_MAX - 10;
        if (kind == 3) c->index_length = UINT64_MAX - 10;
        if (kind == 4) c->offset = m.chunks[0].offset;
        if (kind == 5) c->start = 1000, c->end = 1;
        if (kind == 6) c->index_length = 0; /* the walk meets the index records: not an error */
        if (kind == 7) c->length -= 9;
        mcap_made_end(&m, true, true, 1);
        CHECK(read_bytes(&a, m.file.bytes, m.file.size, true));
        CHECK_MSG(a.count >= 2 && a.count <= 3, "kind %d: %zu", kind, a.count);
        for (size_t i = 0; i < a.count; i++) CHECK(is_original(&a, i));
        CHECK_MSG(kind >= 5 || a.losses.first[0], "kind %d", kind);
        mcap_made_release(&m);
    }
}

/* All bytes of the summary, with a checksum that is made right again. */
static void summary_flips(void)
{
    compose("", true, true);
    const size_t footer = m.file.size - 8 - 29;
    uint64_t start;
    memcpy(&start, m.file.bytes + footer + 9, 8);
    for (size_t i = (size_t)start; i < footer; i++)
        for (unsigned flip = 1; flip < 256; flip = flip * 2 + 1) {
            made copy = {0};
            made_put(&copy, m.file.bytes, m.file.size);
            copy.bytes[i] ^= (unsigned char)flip;
            const uint32_t crc = clump_io_crc32(0, copy.bytes + start, footer + 25 - (size_t)start);
            memcpy(copy.bytes + footer + 25, &crc, 4);
            CHECK(read_bytes(&a, copy.bytes, copy.size, false));
            CHECK(a.count <= 2 * MESSAGES);
            free(copy.bytes);
        }
    mcap_made_release(&m);
}

/* A small file that claims large chunks costs nothing. */
static void claims_of_size(void)
{
    static const uint64_t sizes[] = {1 << 30, (1 << 30) + 1, UINT32_MAX, UINT64_MAX, UINT64_MAX - 100, 40, 0};
    for (size_t k = 0; k < 3 * 7; k++) {
        compose(compressions[k / 7], true, true);
        unsigned char *const body = m.file.bytes + m.chunks[0].offset + 9;
        memcpy(body + 16, &sizes[k % 7], 8); /* unpacked */
        CHECK(read_bytes(&a, m.file.bytes, m.file.size, true));
        CHECK_INT(a.count, MESSAGES - PER_CHUNK);
        CHECK_INT(a.losses.damaged_chunks, 1);
        memcpy(body + 32 + strlen(compressions[k / 7]), &sizes[k % 7], 8); /* packed too */
        CHECK(read_bytes(&a, m.file.bytes, m.file.size, true));
        CHECK_INT(a.count, MESSAGES - PER_CHUNK);
        mcap_made_release(&m);
    }
}

/* 96 MiB of zeros out of 3 kB: blocks of zstd that repeat one byte 131072 times. They are not decompressed. */
static void bomb(void)
{
    enum { BLOCKS = 768 };
    made packed = {0}, chunk = {0}, file = {0};
    made_put(&packed, "\x28\xb5\x2f\xfd\x00\x38", 6);
    for (unsigned i = 1; i <= BLOCKS; i++) made_u32(&packed, (131072u << 3 | 1u << 1 | (i == BLOCKS)) & 0xffffff);
    for (int i = 0; i < 2; i++) made_u64(&chunk, 1);
    made_u64(&chunk, (uint64_t)BLOCKS * 131072), made_u32(&chunk, 0), mcap_made_text(&chunk, "zstd");
    made_u64(&chunk, packed.size), made_put(&chunk, packed.bytes, packed.size);
    made_put(&file, mcap_made_magic, 8);
    mcap_made_channel(&file, 1, "cdr"), mcap_made_record(&file, 6, &chunk), mcap_made_loose(&file, 1, 1, "a");
    CHECK(read_bytes(&a, file.bytes, file.size, false));
    CHECK_INT(a.count, 1);
    CHECK_INT(a.losses.damaged_chunks, 1);
    CHECK_INT(a.losses.lost_bytes, chunk.size + 9); /* decompressed, it would be a record that makes no sense */
    free(packed.bytes), free(chunk.bytes), free(file.bytes);
}

static void unknown_channel(void)
{
    mcap_made_begin(&m);
    mcap_made_channel(&m.file, 1, "cdr");
    mcap_made_message(&m, 1, 1, "a"), mcap_made_message(&m, 5, 2, "x"), mcap_made_message(&m, 1, 3, "c");
    mcap_made_end_chunk(&m, "", true, true);
    mcap_made_end(&m, true, true, 1);
    CHECK(read_bytes(&a, m.file.bytes, m.file.size, true));
    CHECK_INT(a.count, 2);
    CHECK_INT(a.losses.damaged_messages, 1);
    mcap_made_release(&m);
}

/* The index leaves out the channel that its chunk defines. An earlier message of that channel is read all the same. */
static void channel_not_in_index(void)
{
    mcap_made_begin(&m);
    mcap_made_channel(&m.chunk, 1, "cdr"), mcap_made_channel(&m.chunk, 2, "cdr");
    mcap_made_message(&m, 1, 5, "e");
    mcap_made_end_chunk(&m, "", true, true);
    mcap_made_channel(&m.chunk, 3, "cdr");
    mcap_made_message(&m, 1, 4, "d");
    mcap_made_end_chunk(&m, "", true, true);
    mcap_made_loose(&m.file, 2, 1, "a"), mcap_made_loose(&m.file, 3, 2, "b");
    mcap_made_end(&m, false, false, 0);
    CHECK(open_bytes(&a, &clump_io_container_mcap, m.file.bytes, m.file.size, false) == CLUMP_OK);
    for (int again = 0; again < 2; again++) {
        CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
        CHECK_INT(a.count, 4);
        for (size_t i = 0; i < a.count; i++) CHECK(is_original(&a, i));
        CHECK_INT(a.losses.damaged_messages, 0);
        CHECK(a.container->seek(a.state, INT64_MIN) == CLUMP_OK);
    }
    close_opened(&a), mcap_made_release(&m);
}

static void unknown_compression(void)
{
    mcap_made_begin(&m);
    mcap_made_channel(&m.file, 1, "cdr");
    mcap_made_message(&m, 1, 1, "a");
    mcap_made_end_chunk(&m, "brotli", true, true);
    mcap_made_message(&m, 1, 2, "b");
    mcap_made_end_chunk(&m, "", true, true);
    mcap_made_end(&m, true, true, 1);
    CHECK(read_bytes(&a, m.file.bytes, m.file.size, true));
    CHECK_INT(a.count, 1);
    CHECK(strstr(a.losses.first, "compression is not known"));
    mcap_made_release(&m);
}

/* More topics than are kept: the others are left out and counted. */
static void too_many_topics(void)
{
    made file = {0};
    made_put(&file, mcap_made_magic, 8);
    for (unsigned id = 1; id < 6000; id++) mcap_made_channel(&file, id, "cdr");
    for (unsigned id = 1; id < 6000; id++) mcap_made_loose(&file, id, id, "x");
    CHECK(read_bytes(&a, file.bytes, file.size, false));
    CHECK(a.count >= 1000 && a.count < 6000);
    free(file.bytes);
}

static void not_mcap(void)
{
    CHECK(open_bytes(&b, &clump_io_container_mcap, "\x89MCAP1\r\n", 8, false) != CLUMP_OK);
    CHECK_TEXT(b.why.text, "sample: the file does not begin as MCAP does");
    close_opened(&b);
    CHECK(open_bytes(&b, &clump_io_container_mcap, mcap_made_magic, 8, false) == CLUMP_OK);
    CHECK(read_all(&b, NULL, 0) == CLUMP_OK);
    CHECK(b.count == 0 && b.losses.truncated);
    close_opened(&b);
}

CHECK_PROGRAM(test_mcap_hostile)
{
    RUN(cuts);
    RUN(cut_inside_chunk);
    RUN(flips);
    RUN(wrong_checksum);
    RUN(lost_and_found);
    RUN(wrong_summary);
    RUN(false_summary);
    RUN(summary_flips);
    RUN(claims_of_size);
    RUN(bomb);
    RUN(unknown_channel);
    RUN(channel_not_in_index);
    RUN(unknown_compression);
    RUN(too_many_topics);
    RUN(not_mcap);
}
