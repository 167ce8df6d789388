/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_partial.c: captures begin and end in the middle of a turn: which frames are marked as partial.
 */
#include "recordings/pcap_made.h"
#include "support/velodyne_sample.h"

/* Packets of a VLP-16, 4.8 degrees each: 75 are a turn. Directions from `from` to `to` are not sent; equal: all are. */
static made capture(unsigned begin, unsigned packets, unsigned from, unsigned to)
{
    made file = {0};
    put_head(&file, plain, 1);
    velodyne_sample sample = sample_vlp16();
    sample.azimuth = begin, sample.mask_from = from, sample.mask_to = to;
    for (unsigned i = 0; i < packets; i++) {
        unsigned char bytes[SAMPLE_BYTES];
        const int64_t time = 100 * SECOND + (int64_t)(sample.clock * 1000);
        sample_packet(&sample, bytes);
        made frame = {0};
        put_ethernet(&frame, 0x0800);
        put_ipv4(&frame, 1, 8 + SAMPLE_BYTES, 1, 0);
        big_u16(&frame, 4000), big_u16(&frame, 2368), big_u16(&frame, 8 + SAMPLE_BYTES), big_u16(&frame, 0);
        made_put(&frame, bytes, sizeof bytes);
        put_packet(&file, plain, time, frame);
    }
    return file;
}

/* Reads the frames that are left: "p" per partial frame, "." per other. */
static void read_marks(clump_recording *recording, char *marks, size_t room)
{
    clump_frame frame = {0};
    clump_message why;
    bool more = true;
    size_t count = 0;
    while (count + 1 < room && clump_recording_next(recording, &frame, &more, &why) == CLUMP_OK && more)
        marks[count++] = frame.partial ? 'p' : '.';
    marks[count] = '\0';
    clump_frame_release(&frame);
}

static void marks_partial_turns(void)
{
    static const struct {
        unsigned begin, packets, from, to;
        const char *marks;
    } rows[] = {
        {0, 225, 0, 0, "..."},              /* three turns */
        {18000, 200, 0, 0, "p..p"},         /* half a turn, two turns, a sixth */
        {600, 148, 0, 0, ".."},             /* 6 degrees are missing */
        {2000, 145, 0, 0, "p."},            /* 20 degrees */
        {35960, 150, 0, 0, "p.."},          /* one firing, and two turns of which the last lacks little */
        {0, 151, 0, 0, "..p"},              /* two turns and a packet */
        {0, 75, 0, 0, "."},                 /* one turn alone */
        {0, 60, 0, 0, "p"},                 /* a part of one alone */
        {0, 229, 10000, 30000, "p......p"}, /* a sector of 200 degrees: half of it, whole ones, 39 degrees */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        made file = capture(rows[i].begin, rows[i].packets, rows[i].from, rows[i].to);
        clump_recording *recording = NULL;
        clump_message why;
        char marks[20];
        CHECK_INT(clump_recording_parse(file.bytes, file.size, "memory", NULL, &recording, &why), CLUMP_OK);
        read_marks(recording, marks, sizeof marks);
        CHECK_MSG(strcmp(marks, rows[i].marks) == 0, "row %zu: %s, not %s", i, marks, rows[i].marks);
        const clump_topic *topics;
        size_t count, partial = 0;
        for (const char *c = rows[i].marks; *c; c++) partial += *c == 'p';
        CHECK_INT(clump_recording_topics(recording, &topics, &count, &why), CLUMP_OK);
        CHECK_INT(count, 1);
        CHECK_MSG(topics[0].frames == strlen(rows[i].marks) && topics[0].partial == partial, "row %zu: %d of %d", i,
                  (int)topics[0].partial, (int)topics[0].frames);
        clump_recording_close(recording);
        free(file.bytes);
    }
}

/* A seek ends in the middle of a turn. */
static void a_seek_begins_in_a_turn(void)
{
    made file = capture(0, 225, 0, 0);
    clump_recording *recording = NULL;
    clump_message why;
    char marks[20];
    CHECK_INT(clump_recording_parse(file.bytes, file.size, "memory", NULL, &recording, &why), CLUMP_OK);
    read_marks(recording, marks, sizeof marks);
    CHECK_TEXT(marks, "...");
    CHECK_INT(clump_recording_seek(recording, 100 * SECOND + 30 * INT64_C(1327104), &why), CLUMP_OK);
    read_marks(recording, marks, sizeof marks);
    CHECK_TEXT(marks, "p..");
    CHECK_INT(clump_recording_seek(recording, INT64_MIN, &why), CLUMP_OK);
    read_marks(recording, marks, sizeof marks);
    CHECK_TEXT(marks, "...");
    clump_recording_close(recording);
    free(file.bytes);
}

CHECK_PROGRAM(test_partial)
{
    RUN(marks_partial_turns);
    RUN(a_seek_begins_in_a_turn);
}
