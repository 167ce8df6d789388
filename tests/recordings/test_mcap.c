/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_mcap.c: MCAP files, with and without summary, index and compression, with chunks that overlap.
 */
#include "recordings/mcap_made.h"
#include "containers/mcap.h"
#include "recordings/recording.h"

static opened a, b; /* large */
static mcap_made m;

static void open_all(opened *r, bool in_file)
{
    const clump_status status = open_bytes(r, &clump_io_container_mcap, m.file.bytes, m.file.size, in_file);
    CHECK_MSG(status == CLUMP_OK, "%s", r->why.text);
    if (status == CLUMP_OK) CHECK_MSG(read_all(r, NULL, 0) == CLUMP_OK, "%s", r->why.text);
}

static void check_text(const opened *r, size_t i, const char *text)
{
    const uint32_t crc = clump_io_crc32(0, text, strlen(text));
    CHECK_MSG(i < r->count && r->messages[i].size == strlen(text) && r->messages[i].crc == crc, "message %zu is not %s",
              i, text);
}

/* Checks that the messages are "a", "b", "c" ... with the times 1, 2, 3 ... */
static void check_alphabet(const opened *r, size_t count)
{
    CHECK_INT(r->count, count);
    for (size_t i = 0; i < count && i < r->count; i++) {
        check_text(r, i, (char[]){(char)('a' + (int)i), 0});
        CHECK_INT(r->messages[i].time, i + 1);
    }
}

static void checksum(void)
{
    CHECK_INT(clump_io_crc32(0, "123456789", 9), 0xcbf43926);
    CHECK_INT(clump_io_crc32(0, "", 0), 0);
    unsigned char bytes[1500];
    uint32_t slow = ~0u; /* bit by bit */
    for (size_t i = 0; i < sizeof bytes; i++) {
        CHECK_INT(clump_io_crc32(0, bytes, i), ~slow);
        bytes[i] = (unsigned char)(i * 7 + i / 256);
        slow ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) slow = slow >> 1 ^ (slow & 1 ? 0xedb88320u : 0);
    }
    const uint32_t whole = clump_io_crc32(0, bytes, sizeof bytes);
    for (size_t i = 0; i <= sizeof bytes; i++)
        CHECK(clump_io_crc32(clump_io_crc32(0, bytes, i), bytes + i, sizeof bytes - i) == whole);
}

/* Three chunks in order, two channels. Bits of kind: summary, its checksum, channels repeated, index, CRC of chunks. */
static void compose(unsigned kind, const char *compression)
{
    mcap_made_begin(&m);
    for (int chunk = 0; chunk < 3; chunk++) {
        if (chunk == 0) mcap_made_channel(&m.chunk, 1, "cdr"), mcap_made_channel(&m.chunk, 2, "cdr");
        for (int i = 0; i < 4; i++) {
            const int n = chunk * 4 + i;
            mcap_made_message(&m, n % 2 ? 2 : 1, (uint64_t)n + 1, (char[]){(char)('a' + n), 0});
        }
        mcap_made_end_chunk(&m, compression, kind & 16, kind & 8);
    }
    mcap_made_end(&m, kind & 1, kind & 2, kind & 4 ? 2 : 0);
}

static clump_status sum_message(void *user, uint32_t topic, int64_t received)
{
    uint64_t *const sums = user;
    sums[topic & 1] += (uint64_t)received;
    return CLUMP_OK;
}

static void check_survey(opened *r)
{
    uint64_t sums[2] = {0};
    CHECK(r->container->survey(r->state, sum_message, sums) == CLUMP_OK);
    CHECK_INT(sums[0], 1 + 3 + 5 + 7 + 9 + 11);
    CHECK_INT(sums[1], 2 + 4 + 6 + 8 + 10 + 12);
}

static void kinds(void)
{
    static const char *const compressions[] = {"", "lz4", "zstd"};
    for (unsigned kind = 0; kind < 32 * 3; kind++) {
        compose(kind % 32, compressions[kind / 32]);
        open_all(&a, kind % 5 == 0);
        if (strstr(a.losses.first, "this build")) {
            close_opened(&a), mcap_made_release(&m);
            SKIP("the build has no %s: " DO_SETUP, compressions[kind / 32]);
        }
        check_alphabet(&a, 12);
        CHECK_INT(a.topics.count, 2);
        CHECK_TEXT(topic_of(&a, 1), "/topic2");
        CHECK_TEXT(a.topics.list[0].type, "pkg/msg/Type1");
        CHECK(a.topics.list[0].coding == CLUMP_IO_CODING_CDR);
        CHECK_TEXT(a.losses.first, "");
        check_survey(&a);
        CHECK(a.container->seek(a.state, 6) == CLUMP_OK);
        CHECK(read_all(&a, (bool[]){false, true}, 2) == CLUMP_OK);
        CHECK_INT(a.count, 4); /* 6, 8, 10, 12 */
        check_text(&a, 0, "f");
        CHECK(a.container->seek(a.state, 13) == CLUMP_OK);
        CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
        CHECK_INT(a.count, 0);
        close_opened(&a), mcap_made_release(&m);
    }
}

static void topics_are_known_at_once(void)
{
    for (unsigned kind = 0; kind < 32; kind++) {
        compose(kind, "");
        CHECK(open_bytes(&a, &clump_io_container_mcap, m.file.bytes, m.file.size, true) == CLUMP_OK);
        CHECK_INT(a.topics.count, 2);
        close_opened(&a), mcap_made_release(&m);
    }
}

static void codings(void)
{
    mcap_made_begin(&m);
    mcap_made_channel(&m.file, 1, "cdr"), mcap_made_channel(&m.file, 2, "ros1"), mcap_made_channel(&m.file, 3, "json");
    mcap_made_end(&m, false, false, 0);
    open_all(&a, false);
    CHECK_INT(a.topics.count, 3);
    CHECK(a.topics.list[0].coding == CLUMP_IO_CODING_CDR && a.topics.list[1].coding == CLUMP_IO_CODING_ROS1);
    CHECK(a.topics.list[2].coding == CLUMP_IO_CODING_OTHER);
    close_opened(&a), mcap_made_release(&m);
}

/* Chunks that overlap, with messages that are not in order, and messages outside of chunks between them. */
static void order_of_time(void)
{
    for (unsigned summary = 0; summary < 2; summary++) {
        mcap_made_begin(&m);
        mcap_made_channel(&m.file, 1, "cdr");
        mcap_made_loose(&m.file, 1, 8, "h"), mcap_made_loose(&m.file, 1, 3, "c");
        mcap_made_message(&m, 1, 7, "g"), mcap_made_message(&m, 1, 1, "a"), mcap_made_message(&m, 1, 4, "d");
        mcap_made_end_chunk(&m, "", true, true);
        mcap_made_loose(&m.file, 1, 6, "f");
        mcap_made_record(&m.file, 0x80, &(made){0}); /* not known */
        mcap_made_loose(&m.file, 1, 10, "j");
        mcap_made_message(&m, 1, 9, "i"), mcap_made_message(&m, 1, 2, "b"), mcap_made_message(&m, 1, 5, "e");
        mcap_made_end_chunk(&m, "", true, true);
        mcap_made_end_chunk(&m, "", true, true); /* empty */
        mcap_made_end(&m, summary, true, 1);
        open_all(&a, summary);
        check_alphabet(&a, 10);
        CHECK_TEXT(a.losses.first, "");
        for (int64_t time = 1; time <= 11; time++) {
            CHECK(a.container->seek(a.state, time) == CLUMP_OK);
            CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
            CHECK_INT(a.count, 11 - time);
        }
        close_opened(&a), mcap_made_release(&m);
    }
}

/* Messages of equal time come in the order of the file. */
static void equal_times(void)
{
    mcap_made_begin(&m);
    mcap_made_channel(&m.file, 1, "cdr");
    for (int chunk = 0; chunk < 20; chunk++) {
        for (int i = 0; i < 10; i++) {
            const int n = chunk * 10 + i;
            mcap_made_message(&m, 1, i % 3 == 0, (char[]){(char)('A' + n / 20), (char)('a' + n % 20), 0});
        }
        mcap_made_end_chunk(&m, "", true, chunk % 2);
    }
    mcap_made_end(&m, true, true, 1);
    open_all(&a, true);
    CHECK_INT(a.count, 200);
    size_t i = 0;
    for (int64_t time = 0; time < 2; time++)
        for (int n = 0; n < 200; n++)
            if ((n % 10 % 3 == 0) == time) {
                CHECK_INT(a.messages[i].time, time);
                check_text(&a, i++, (char[]){(char)('A' + n / 20), (char)('a' + n % 20), 0});
            }
    close_opened(&a), mcap_made_release(&m);
}

static void sorting(void)
{
    const clump_io_blob blob = {0};
    const clump_io_mcap mcap = {.blob = &blob};
    uint64_t random = 5;
    for (size_t count = 0; count < 200; count++) {
        clump_io_mcap_slot slot = {.count = count, .capacity = 200, .entries = calloc(200, sizeof *slot.entries)};
        for (size_t i = 0; i < count; i++)
            slot.entries[i] = (clump_io_mcap_entry){(int64_t)(check_random(&random) % 50), (uint32_t)i, 0};
        CHECK(clump_io_mcap_sort(&mcap, &slot, true) == CLUMP_OK);
        for (size_t i = 1; i < count; i++) {
            const clump_io_mcap_entry *const p = &slot.entries[i - 1], *const q = &slot.entries[i];
            CHECK(p->time < q->time || (p->time == q->time && p->offset < q->offset));
        }
        CHECK(clump_io_mcap_sort(&mcap, &slot, false) == CLUMP_OK);
        for (size_t i = 0; i < count; i++) CHECK(slot.entries[i].offset == i);
        free(slot.entries), free(slot.spare);
    }
}

/* A chunk without a wanted channel is not read: its damage stays unseen. */
static void unwanted_chunks(void)
{
    mcap_made_begin(&m);
    mcap_made_message(&m, 1, 1, "a");
    mcap_made_end_chunk(&m, "", true, true);
    m.file.bytes[m.chunks[0].offset + 60] ^= 1;
    mcap_made_message(&m, 2, 2, "b");
    mcap_made_end_chunk(&m, "", true, true);
    mcap_made_end(&m, true, true, 2);
    CHECK(open_bytes(&a, &clump_io_container_mcap, m.file.bytes, m.file.size, false) == CLUMP_OK);
    CHECK(read_all(&a, (bool[]){false, true}, 2) == CLUMP_OK);
    CHECK_INT(a.count, 1);
    CHECK_TEXT(a.losses.first, "");
    CHECK(a.container->seek(a.state, INT64_MIN) == CLUMP_OK);
    CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
    CHECK_INT(a.count, 1);
    CHECK_INT(a.losses.damaged_chunks, 1);
    close_opened(&a), mcap_made_release(&m);
}

/* Real file: every topic has two messages. Read with and without its summary. */
static void real_recording(void)
{
    const char *const folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
    char path[1024];
    snprintf(path, sizeof path, "%s/rosbag/rosbagsrs_test_bag.mcap", folder);
    FILE *const file = fopen(path, "rb");
    if (!file) SKIP("%s is not there: " DO_DATA, path);
    static unsigned char bytes[1 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK(open_bytes(&a, &clump_io_container_mcap, bytes, size, true) == CLUMP_OK);
    CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
    CHECK_INT(a.topics.count, 94);
    CHECK_INT(a.count, 188);
    CHECK_TEXT(a.losses.first, "");
    CHECK(open_bytes(&b, &clump_io_container_mcap, bytes, size - 8, false) == CLUMP_OK);
    CHECK(read_all(&b, NULL, 0) == CLUMP_OK);
    CHECK_INT(b.count, 188);
    CHECK(b.losses.truncated);
    for (size_t i = 0; i < 188; i++) CHECK(is_same_message(&a, i, &b, i));
    close_opened(&a), close_opened(&b);
}

/* Adds a message of these bytes to the chunk. */
static void add_bytes(unsigned channel, uint64_t time, const made *bytes)
{
    made body = {0};
    m.entries[m.entry_count].channel = channel, m.entries[m.entry_count].time = time;
    m.entries[m.entry_count++].offset = m.chunk.size;
    made_u16(&body, channel), made_u32(&body, 0), made_u64(&body, time), made_u64(&body, time);
    made_put(&body, bytes->bytes, bytes->size);
    mcap_made_record(&m.chunk, 5, &body);
    free(body.bytes);
}

/* rosbag2 with --compression-mode message. A message of JSON is not decompressed. */
static void compressed_messages(void)
{
    made damaged = {0};
    made_put(&damaged, "\x28\xb5\x2f\xfd junk", 9);
    mcap_made_begin(&m);
    mcap_made_channel(&m.chunk, 1, "cdr"), mcap_made_channel(&m.chunk, 2, "json");
    for (int i = 0; i < 5; i++) {
        made text = {0}, packed = {0};
        made_put(&text, (char[]){(char)('a' + i)}, 1);
        mcap_made_pack(&packed, i == 3 ? "" : "zstd", &text);
        add_bytes(i == 4 ? 2 : 1, (uint64_t)i + 1, &packed);
        free(text.bytes), free(packed.bytes);
    }
    add_bytes(1, 6, &damaged);
    mcap_made_end_chunk(&m, "", true, true);
    mcap_made_end(&m, true, true, 0);
    free(damaged.bytes);
    open_all(&a, false);
    if (!a.count || a.messages[0].size != 1) {
        close_opened(&a), mcap_made_release(&m);
        SKIP("the build has no zstd");
    }
    CHECK_INT(a.count, 5);
    for (size_t i = 0; i < 4; i++) check_text(&a, i, (char[]){(char)('a' + (int)i), 0});
    CHECK(a.messages[4].size > 4);
    CHECK_INT(a.losses.damaged_messages, 1);
    CHECK(a.container->seek(a.state, INT64_MIN) == CLUMP_OK);
    CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
    CHECK_INT(a.losses.damaged_messages, 1); /* counted once */
    close_opened(&a), mcap_made_release(&m);
}

/* rosbag2 with --compression-mode file. */
static void compressed_files(void)
{
    for (unsigned kind = 0; kind < 32; kind++) {
        compose(kind, "");
        made plain = m.file, whole = {0};
        mcap_made_pack(&whole, "zstd", &plain);
        if (open_bytes(&a, &clump_io_container_mcap, whole.bytes, whole.size, kind % 2) == CLUMP_ERR_IO_UNSUPPORTED) {
            free(whole.bytes), close_opened(&a), mcap_made_release(&m);
            SKIP("the build has no zstd");
        }
        CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
        check_alphabet(&a, 12);
        check_survey(&a);
        CHECK_TEXT(a.losses.first, "");
        close_opened(&a);
        clump_io_sources sources = {0};
        CHECK(clump_io_sources_memory(&(clump_io_where){0}, whole.bytes, whole.size, &sources) == CLUMP_OK);
        CHECK(sources.list[0].container == &clump_io_container_mcap); /* and not a .db3 */
        clump_io_sources_release(&sources);
        /* Every cut is read as far as it goes, or refused. */
        for (size_t size = whole.size - 1; size > 0 && kind == 31; size -= size < 7 ? 1 : 7) {
            if (open_bytes(&a, &clump_io_container_mcap, whole.bytes, size, false) == CLUMP_OK)
                CHECK(read_all(&a, NULL, 0) == CLUMP_OK && a.count <= 12);
            close_opened(&a);
        }
        free(whole.bytes), mcap_made_release(&m);
    }
}

CHECK_PROGRAM(test_mcap)
{
    RUN(checksum);
    RUN(kinds);
    RUN(topics_are_known_at_once);
    RUN(codings);
    RUN(order_of_time);
    RUN(equal_times);
    RUN(sorting);
    RUN(unwanted_chunks);
    RUN(compressed_messages);
    RUN(compressed_files);
    RUN(real_recording);
}
