/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_nclt.c: velodyne_hits.bin and velodyne_sync of the NCLT data set, from files made here: turns of a sensor with 32
 * lasers. There is no sample of the data set in the data folder.
 */
#include "support/recording_samples.h"

#include <sys/stat.h>

static clump_recording *open_sample(const sample *s, size_t size)
{
    clump_recording *recording;
    clump_message why;
    CHECK_MSG(clump_recording_parse(s->bytes, size, "hits", NULL, &recording, &why) == CLUMP_OK, "%s", why.text);
    return recording;
}

static void turns_become_frames(void)
{
    /* 45 packets are 540 directions, three turns: half a turn, two whole ones, half a turn. */
    const sample s = sample_hits(45);
    clump_recording *const recording = open_sample(&s, s.size);
    CHECK_INT(clump_recording_kind(recording), CLUMP_RECORDING_NCLT);
    clump_frame frame = {0};
    clump_message why;
    bool more = true;
    size_t frames = 0, points = 0;
    while (clump_recording_next(recording, &frame, &more, &why) == CLUMP_OK && more) {
        const size_t count = clump_cloud_points(frame.cloud).count;
        if (frames == 1 || frames == 2) CHECK_INT(count, HITS_DIRECTIONS * HITS_LASERS);
        points += count;
        CHECK_INT(frame.index, frames++);
        CHECK(frame.stamp >= (int64_t)HITS_TIME * 1000 && frame.received >= frame.stamp);
    }
    CHECK_INT(frames, 4);
    CHECK_INT(points, 45 * HITS_POINTS);
    CHECK_INT(clump_recording_lost(recording).lost_bytes, 0);
    clump_frame_release(&frame);
    clump_recording_close(recording);
    free(s.bytes);
}

static void points_have_their_values(void)
{
    const sample s = sample_hits(2);
    clump_recording *const recording = open_sample(&s, s.size);
    clump_frame frame = {0};
    clump_message why;
    bool more;
    CHECK_INT(clump_recording_next(recording, &frame, &more, &why), CLUMP_OK);
    CHECK(more);
    CHECK_INT(frame.stamp, HITS_TIME * 1000);
    CHECK_INT(frame.received, (HITS_TIME + 2000) * 1000);
    clump_field intensity, time, laser;
    CHECK(clump_cloud_find(frame.cloud, "intensity", &intensity) && clump_cloud_find(frame.cloud, "time", &time) &&
          clump_cloud_find(frame.cloud, "laser", &laser));
    const clump_points points = clump_cloud_points(frame.cloud);
    CHECK_INT(points.count, 2 * HITS_POINTS);
    for (size_t i = 0; i < points.count; i++) {
        const size_t direction = i / HITS_LASERS;
        const double angle = -(double)direction * 2 * 3.14159265358979 / HITS_DIRECTIONS;
        const float *const p = (const float *)points.xyz + 3 * i;
        CHECK(fabs((double)p[0] - 10 * cos(angle)) < 0.0026 && fabs((double)p[1] - 10 * sin(angle)) < 0.0026);
        CHECK(fabs((double)p[2] - (double)(i % HITS_LASERS) * 0.1) < 0.0026);
        CHECK(clump_field_value(&intensity, i, 0) == (double)direction);
        CHECK(clump_field_value(&laser, i, 0) == (double)(i % HITS_LASERS));
        CHECK(fabs(clump_field_value(&time, i, 0) - (i < HITS_POINTS ? 0 : 0.002)) < 1e-9);
    }
    clump_frame_release(&frame);
    clump_recording_close(recording);
    free(s.bytes);
}

static void topics_are_described(void)
{
    const sample s = sample_hits(45);
    clump_recording *const recording = open_sample(&s, s.size);
    const clump_topic *topics;
    size_t count;
    clump_message why;
    CHECK_INT(clump_recording_topics(recording, &topics, &count, &why), CLUMP_OK);
    CHECK_INT(count, 1);
    if (count == 1) {
        CHECK_TEXT(topics[0].name, "velodyne_hits");
        CHECK_INT(topics[0].messages, 45);
        CHECK_INT(topics[0].frames, 4);
        CHECK_INT(topics[0].first, HITS_TIME * 1000);
        CHECK_INT(topics[0].last, (HITS_TIME + 44 * 2000) * 1000);
        CHECK(topics[0].has_clouds);
    }
    clump_recording_close(recording);
    free(s.bytes);
}

/* Reads all frames; returns the number of points. */
static size_t read_all(clump_recording *recording)
{
    clump_frame frame = {0};
    clump_message why;
    bool more = true;
    size_t points = 0;
    while (clump_recording_next(recording, &frame, &more, &why) == CLUMP_OK && more)
        points += clump_cloud_points(frame.cloud).count;
    CHECK(!more);
    clump_frame_release(&frame);
    return points;
}

static void cut_files_are_read_to_the_cut(void)
{
    const sample s = sample_hits(3);
    for (size_t size = 24; size < s.size;
         size += size % HITS_PACKET < 40 || size % HITS_PACKET > HITS_PACKET - 10 ? 1 : 97) {
        clump_recording *const recording = open_sample(&s, size);
        CHECK_INT(read_all(recording), size / HITS_PACKET * HITS_POINTS);
        const clump_recording_losses lost = clump_recording_lost(recording);
        CHECK_INT(lost.lost_bytes, size % HITS_PACKET);
        CHECK_INT(lost.truncated, size % HITS_PACKET != 0);
        CHECK((lost.first[0] != 0) == (size % HITS_PACKET != 0));
        clump_recording_close(recording);
    }
    free(s.bytes);
}

static void damage_is_skipped(void)
{
    sample s = sample_hits(5);
    s.bytes[2 * HITS_PACKET] ^= 1; /* the magic number of the third packet */
    clump_recording *recording = open_sample(&s, s.size);
    CHECK_INT(read_all(recording), 4 * HITS_POINTS);
    CHECK_INT(clump_recording_lost(recording).damaged_chunks, 1);
    CHECK_INT(clump_recording_lost(recording).lost_bytes, HITS_PACKET);
    clump_message why;
    CHECK_INT(clump_recording_seek(recording, INT64_MIN, &why), CLUMP_OK);
    CHECK_INT(read_all(recording), 4 * HITS_POINTS);
    CHECK_INT(clump_recording_lost(recording).damaged_chunks, 1); /* not counted twice */
    clump_recording_close(recording);

    s.bytes[2 * HITS_PACKET] ^= 1;
    memset(s.bytes + 2 * HITS_PACKET + 8, 0xff, 4); /* as many points as there are numbers */
    recording = open_sample(&s, s.size);
    CHECK_INT(read_all(recording), 4 * HITS_POINTS);
    clump_recording_close(recording);
    free(s.bytes);
}

static void flipped_bytes_do_no_harm(void)
{
    sample s = sample_hits(3);
    uint64_t random = 11;
    for (int i = 0; i < 400; i++) {
        const size_t where = check_random(&random) % s.size;
        const unsigned char before = s.bytes[where];
        s.bytes[where] = (unsigned char)check_random(&random);
        clump_recording *recording;
        clump_message why;
        if (clump_recording_parse(s.bytes, s.size, "hits", NULL, &recording, &why) == CLUMP_OK) {
            CHECK(read_all(recording) <= 3 * HITS_POINTS);
            clump_recording_close(recording);
        }
        s.bytes[where] = before;
    }
    free(s.bytes);
}

static void set_time(sample *s, size_t packet, uint64_t microseconds)
{
    memcpy(s->bytes + packet * HITS_PACKET + 12, &microseconds, sizeof microseconds);
}

/* Times that go backwards are counted. Intervals are those between sorted times, and extreme times do not overflow. */
static void times_may_be_anything(void)
{
    sample s = sample_hits(90);
    for (size_t p = 0; p < 90; p++) set_time(&s, p, HITS_TIME - 2000 * p);
    clump_recording *recording = open_sample(&s, s.size);
    const clump_topic *topics;
    size_t count;
    clump_message why;
    CHECK_INT(clump_recording_topics(recording, &topics, &count, &why), CLUMP_OK);
    CHECK_INT(topics[0].frames, 7);
    CHECK_INT(topics[0].last, HITS_TIME * 1000);
    CHECK_INT(topics[0].period, 30000000);
    CHECK_INT(clump_recording_lost(recording).reordered, 89);
    CHECK_MSG(strstr(clump_recording_lost(recording).first, "goes back by 0.002000 s") != NULL, "%s",
              clump_recording_lost(recording).first);
    clump_recording_close(recording);

    static const uint64_t extremes[] = {0, INT64_MAX / 1000, UINT64_MAX, 1, UINT64_C(1) << 63, HITS_TIME};
    for (size_t p = 0; p < 90; p++) set_time(&s, p, extremes[p / 7 % 6]);
    recording = open_sample(&s, s.size);
    CHECK_INT(clump_recording_topics(recording, &topics, &count, &why), CLUMP_OK);
    CHECK(topics[0].period >= 0 && topics[0].first == 0 && topics[0].last == INT64_MAX);
    CHECK_INT(read_all(recording), 90 * HITS_POINTS);
    clump_recording_close(recording);
    free(s.bytes);
}

/* --- velodyne_sync, files, parts ------------------------------------------------------------------------------ */

static char folder[64];

static void write_bytes(const char *name, const void *bytes, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size);
    if (file) fclose(file);
}

static void make_folder(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK(mkdir(path, 0777) == 0);
}

static void check_sync(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    clump_recording *recording;
    clump_message why;
    CHECK_MSG(clump_recording_open(path, NULL, &recording, &why) == CLUMP_OK, "%s", why.text);
    clump_frame frame = {0};
    bool more;
    for (int i = 0; i < 2; i++) {
        CHECK_INT(clump_recording_next(recording, &frame, &more, &why), CLUMP_OK);
        CHECK(more);
        CHECK_INT(frame.stamp, (INT64_C(1326030975726043) + i * 200000) * 1000);
        const clump_points points = clump_cloud_points(frame.cloud);
        CHECK_INT(points.count, HITS_POINTS);
        CHECK(fabs((double)((const float *)points.xyz)[0] - 10) < 0.0026);
        clump_field laser;
        CHECK(clump_cloud_find(frame.cloud, "laser", &laser) && clump_field_value(&laser, 33, 0) == 1);
    }
    CHECK_INT(clump_recording_next(recording, &frame, &more, &why), CLUMP_OK);
    CHECK(!more);
    clump_frame_release(&frame);
    clump_recording_close(recording);
}

static void sync_folders_are_recognised(void)
{
    const sample s = sample_hits(1);
    make_folder("velodyne_sync");
    make_folder("other_name");
    write_bytes("velodyne_sync/1326030975726043.bin", s.bytes + 24, s.size - 24);
    write_bytes("velodyne_sync/1326030975926043.bin", s.bytes + 24, s.size - 24);
    write_bytes("other_name/1326030975726043.bin", s.bytes + 24, s.size - 24);
    write_bytes("other_name/1326030975926043.bin", s.bytes + 24, s.size - 24);
    check_sync("velodyne_sync");
    check_sync("other_name");
    free(s.bytes);
}

static void parts_of_a_recording_are_one(void)
{
    const sample s = sample_hits(45);
    write_bytes("part0.bin", s.bytes, 20 * HITS_PACKET);
    write_bytes("part1.bin", s.bytes + 20 * HITS_PACKET, 20 * HITS_PACKET);
    write_bytes("part2.bin", s.bytes + 40 * HITS_PACKET, 5 * HITS_PACKET);
    char paths[4][128];
    for (int i = 0; i < 4; i++) snprintf(paths[i], sizeof paths[i], "%s/part%d.bin", folder, i);
    const char *const all[] = {paths[0], paths[1], paths[3], paths[2]};
    for (size_t ahead = 0; ahead < 20; ahead += 9) {
        clump_recording_options options = clump_recording_defaults();
        options.read_ahead = ahead;
        clump_recording *recording;
        clump_message why;
        const clump_status status = clump_recording_open_files(all, 4, &options, &recording, &why);
        CHECK_MSG(status == CLUMP_OK, "%s", why.text);
        if (status != CLUMP_OK) break;
        CHECK_INT(read_all(recording), 45 * HITS_POINTS);
        const clump_recording_losses lost = clump_recording_lost(recording);
        CHECK_INT(lost.damaged_chunks, 1);
        CHECK_MSG(strstr(lost.first, "part3.bin: cannot open") != NULL, "%s", lost.first);
        CHECK_INT(clump_recording_seek(recording, (int64_t)(HITS_TIME + 30 * 2000) * 1000, &why), CLUMP_OK);
        CHECK_INT(read_all(recording), 15 * HITS_POINTS);
        const clump_topic *topics;
        size_t count;
        CHECK_INT(clump_recording_topics(recording, &topics, &count, &why), CLUMP_OK);
        CHECK_INT(count, 1);
        CHECK_INT(topics[0].messages, 45);
        CHECK_INT(clump_recording_lost(recording).damaged_chunks, 1); /* reading and surveying meet the same */
        clump_recording_close(recording);
    }
    free(s.bytes);
}

/* Another program cuts a part that is open. The parts behind it are read. */
static void part_that_becomes_shorter_is_counted(void)
{
    const sample s = sample_hits(90);
    char paths[3][128];
    const char *all[3];
    for (int i = 0; i < 3; i++) {
        char name[24];
        snprintf(name, sizeof name, "cut%d.bin", i);
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, name);
        write_bytes(name, s.bytes + i * 30 * HITS_PACKET, 30 * HITS_PACKET);
        all[i] = paths[i];
    }
    clump_recording *recording;
    clump_message why;
    CHECK_MSG(clump_recording_open_files(all, 3, NULL, &recording, &why) == CLUMP_OK, "%s", why.text);
    CHECK(truncate(paths[1], 1000) == 0);
    CHECK_INT(read_all(recording), 60 * HITS_POINTS);
    CHECK_INT(clump_recording_lost(recording).damaged_chunks, 1);
    CHECK_MSG(strstr(clump_recording_lost(recording).first, "cut1.bin: the file became shorter") != NULL, "%s",
              clump_recording_lost(recording).first);
    clump_recording_close(recording);

    /* The only part: a failure, and again. */
    CHECK_MSG(clump_recording_open(paths[0], NULL, &recording, &why) == CLUMP_OK, "%s", why.text);
    CHECK(truncate(paths[0], 1000) == 0);
    clump_frame frame = {0};
    bool more;
    for (int i = 0; i < 2; i++) {
        CHECK_INT(clump_recording_next(recording, &frame, &more, &why), CLUMP_ERR_IO_TRUNCATED);
        CHECK_MSG(strstr(why.text, "cut0.bin: the file became shorter") != NULL, "%s", why.text);
    }
    clump_recording_close(recording);
    free(s.bytes);
}

/* Frames, losses and order are those of reading without a thread, wherever the reader stops or seeks. */
static void reading_ahead_changes_nothing(void)
{
    sample s = sample_hits(90);
    s.bytes[50 * HITS_PACKET] ^= 1;
    for (size_t ahead = 0; ahead < 5; ahead++) {
        clump_recording_options options = clump_recording_defaults();
        options.read_ahead = ahead * ahead * ahead;
        for (size_t stop = 0; stop < 9; stop++) {
            clump_recording *recording;
            clump_message why;
            CHECK_INT(clump_recording_parse(s.bytes, s.size, "hits", &options, &recording, &why), CLUMP_OK);
            clump_frame frame = {0};
            bool more = true;
            for (size_t i = 0; i < stop && more; i++) {
                CHECK_INT(clump_recording_next(recording, &frame, &more, &why), CLUMP_OK);
                if (more) CHECK_INT(frame.index, i);
                if (i == 0) CHECK_INT(clump_recording_lost(recording).damaged_chunks, 0); /* not met yet */
            }
            CHECK_INT(more, stop <= 7);
            if (stop % 2) CHECK_INT(clump_recording_seek(recording, INT64_MIN, &why), CLUMP_OK);
            if (stop % 2) CHECK_INT(read_all(recording), 89 * HITS_POINTS);
            if (stop % 2) CHECK_INT(clump_recording_lost(recording).damaged_chunks, 1);
            clump_frame_release(&frame);
            clump_recording_close(recording);
        }
    }
    free(s.bytes);
}

CHECK_PROGRAM(test_nclt)
{
    snprintf(folder, sizeof folder, "/tmp/clump-nclt-XXXXXX");
    if (!mkdtemp(folder)) exit(1);
    RUN(turns_become_frames);
    RUN(points_have_their_values);
    RUN(topics_are_described);
    RUN(cut_files_are_read_to_the_cut);
    RUN(damage_is_skipped);
    RUN(flipped_bytes_do_no_harm);
    RUN(times_may_be_anything);
    RUN(sync_folders_are_recognised);
    RUN(parts_of_a_recording_are_one);
    RUN(part_that_becomes_shorter_is_counted);
    RUN(reading_ahead_changes_nothing);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) exit(1);
}
