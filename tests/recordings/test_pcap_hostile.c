/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_pcap_hostile.c: captures that are cut, damaged or false.
 */
#include "recordings/pcap_made.h"

static opened a, b; /* large */

static made sample(void)
{
    made file = {0}, udp = long_udp(4), cut, zero = {0};
    put_head(&file, plain, 1);
    put_packet(&file, plain, 1 * SECOND, frame_of(1, 2368, "one"));
    put_fragment(&file, &udp, 1, 0, 2000, 2 * SECOND);
    put_fragment(&file, &udp, 1, 2000, 3008, 2 * SECOND);
    cut = frame_of(2, 2368, "too long for the capture");
    put_packet(&file, plain, 3 * SECOND, cut);
    file.bytes[file.size - cut.size - 3]++; /* the original was 256 bytes longer, which is padding */
    put_packet(&file, plain, 4 * SECOND, zero);
    put_packet(&file, plain, 5 * SECOND, frame_of(2, 2368, "last"));
    free(udp.bytes);
    return file;
}

static void cut_by_capture(void)
{
    made file = {0}, frame = frame_of(1, 2368, "a payload of some length");
    put_head(&file, plain, 1);
    for (size_t size = 0; size <= frame.size; size++) {
        made_u32(&file, 1), made_u32(&file, 0), made_u32(&file, (uint32_t)size), made_u32(&file, (uint32_t)frame.size);
        made_put(&file, frame.bytes, size);
    }
    pcap_open_all(&a, &file, false);
    CHECK_INT(a.count, 1); /* the last is whole */
    CHECK_INT(a.losses.damaged_packets, frame.size);
    CHECK(!a.losses.truncated);
    CHECK_TEXT(a.losses.first, "packet at byte 24: the capture has cut it");
    close_opened(&a);
    free(file.bytes), free(frame.bytes);
}

static void claims_of_size(void)
{
    made file = {0};
    put_head(&file, plain, 1);
    put_packet(&file, plain, 1 * SECOND, frame_of(1, 2368, "one"));
    made_u64(&file, 1), made_u32(&file, 1 << 30), made_u32(&file, 1 << 30), made_u32(&file, 0);
    pcap_open_all(&a, &file, true);
    CHECK_INT(a.count, 1);
    CHECK_INT(a.losses.lost_bytes, 20);
    CHECK(!a.losses.truncated && strstr(a.losses.first, "size is damaged"));
    close_opened(&a);
    file.size = 0;
    put_section(&file, false), put_interface(&file, false, 6, 0, 0);
    made_u32(&file, 6), made_u32(&file, 1 << 30), made_u64(&file, 0), made_u64(&file, 0);
    pcap_open_all(&a, &file, true);
    CHECK_INT(a.count, 0);
    CHECK_INT(a.losses.lost_bytes, 24);
    close_opened(&a);
    free(file.bytes);
}

/* open() looks at the first packets, and next() reads them again: each is counted once. */
static void counted_once(void)
{
    made file = {0};
    put_head(&file, plain, 1);
    for (int i = 0; i < 5000; i++) {
        made frame = frame_of(1, 2368, "x");
        frame.bytes[14 + 20 + 5] = 3; /* the length of UDP */
        put_packet(&file, plain, SECOND, frame);
    }
    pcap_open_all(&a, &file, true);
    CHECK_INT(a.count, 0);
    CHECK_INT(a.losses.damaged_packets, 5000);
    CHECK(a.container->seek(a.state, INT64_MIN) == CLUMP_OK);
    CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
    CHECK_INT(a.losses.damaged_packets, 5000);
    close_opened(&a);
    free(file.bytes);
}

/* A file that is cut anywhere gives the messages before the cut. */
static void check_cuts(const made *file, size_t shortest)
{
    CHECK(open_bytes(&a, &clump_io_container_pcap, file->bytes, file->size, false) == CLUMP_OK);
    CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
    for (size_t size = 0; size < file->size; size++) {
        unsigned char *const bytes = malloc(size + 1); /* of this very size, so that a sanitizer sees reads beyond */
        memcpy(bytes, file->bytes, size);
        const clump_status status = open_bytes(&b, &clump_io_container_pcap, bytes, size, size % 64 == 0);
        CHECK_MSG((status == CLUMP_OK) == (size >= shortest), "%zu bytes", size);
        if (status == CLUMP_OK) CHECK(read_all(&b, NULL, 0) == CLUMP_OK);
        CHECK_MSG(b.count <= a.count, "%zu bytes", size);
        for (size_t i = 0; i < b.count; i++)
            CHECK_MSG(b.messages[i].time == a.messages[i].time && b.messages[i].crc == a.messages[i].crc, "%zu bytes",
                      size);
        close_opened(&b);
        free(bytes);
    }
    close_opened(&a);
}

static void check_flips(made *file)
{
    for (size_t i = 0; i < file->size; i++)
        for (unsigned flip = 1; flip < 256; flip = flip * 2 + 1) {
            file->bytes[i] ^= (unsigned char)flip;
            if (open_bytes(&b, &clump_io_container_pcap, file->bytes, file->size, false) == CLUMP_OK) {
                CHECK(read_all(&b, NULL, 0) == CLUMP_OK);
                CHECK(b.count < 100);
            }
            close_opened(&b);
            file->bytes[i] ^= (unsigned char)flip;
        }
}

static void hostile(void)
{
    made file = sample();
    check_cuts(&file, 24);
    check_flips(&file);
    free(file.bytes);
    file = pcapng_sample();
    check_cuts(&file, 24);
    check_flips(&file);
    free(file.bytes);
}

static void damage_is_counted(void)
{
    made file = sample();
    pcap_open_all(&a, &file, false);
    CHECK_INT(a.count, 4);
    CHECK_INT(a.losses.damaged_packets, 1); /* the empty one */
    close_opened(&a);
    file.size -= 10;
    pcap_open_all(&a, &file, true);
    CHECK_INT(a.count, 3);
    CHECK(a.losses.truncated);
    CHECK(a.losses.lost_bytes > 0);
    clump_io_losses before;
    memcpy(&before, &a.losses, sizeof before);
    CHECK(a.container->seek(a.state, INT64_MIN) == CLUMP_OK);
    CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
    CHECK(memcmp(&before, &a.losses, sizeof before) == 0);
    close_opened(&a);
    free(file.bytes);
}

CHECK_PROGRAM(test_pcap_hostile)
{
    RUN(cut_by_capture);
    RUN(claims_of_size);
    RUN(damage_is_counted);
    RUN(counted_once);
    RUN(hostile);
}
