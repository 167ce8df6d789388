/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_recording_parts.c: recordings of several files and of several topics: rosbag2's folders, lists, missing parts, the
 * choice of a topic, standard input, the JSON file of a sensor.
 */
#include "support/recording_samples.h"

#include "recordings/recording.h"

#include <fcntl.h>
#include <sys/stat.h>

static char folder[64];

static const char *at(const char *name)
{
    static char path[8][256];
    static unsigned turn;
    snprintf(path[++turn % 8], 256, "%s/%s", folder, name);
    return path[turn % 8];
}

static void write_text(const char *name, const char *text)
{
    FILE *const file = fopen(at(name), "wb");
    CHECK(file && fwrite(text, 1, strlen(text), file) == strlen(text));
    if (file) fclose(file);
}

static void make_folder(const char *name)
{
    CHECK(mkdir(at(name), 0777) == 0);
}

static clump_recording *open_topic(const char *path, const char *topic, size_t read_ahead)
{
    clump_recording_options options = clump_recording_defaults();
    options.topic = topic;
    options.read_ahead = read_ahead;
    clump_recording *recording;
    clump_message why;
    CHECK_MSG(clump_recording_open(path, &options, &recording, &why) == CLUMP_OK, "%s", why.text);
    return recording;
}

/* Reads all frames, which are frames [from, to) of the sample. */
static void expect_frames(clump_recording *recording, size_t from, size_t to)
{
    clump_frame frame = {0};
    clump_message why;
    for (size_t i = from; i < to; i++) {
        bool more = false;
        CHECK_MSG(clump_recording_next(recording, &frame, &more, &why) == CLUMP_OK && more, "frame %zu: %s", i,
                  why.text);
        if (!more) break;
        CHECK_INT(clump_cloud_points(frame.cloud).count, 5 + i);
        CHECK(clump_cloud_coordinate(frame.cloud, 0, 0) == (double)i);
        CHECK_INT(frame.stamp, SAMPLE_START + (int64_t)i * SAMPLE_PERIOD);
        CHECK_INT(frame.received, frame.stamp + 1000000);
        CHECK_INT(frame.index, i - from);
        CHECK_TEXT(frame.frame_id, "lidar");
        CHECK(frame.path == NULL);
    }
    bool more = true;
    CHECK_MSG(clump_recording_next(recording, &frame, &more, &why) == CLUMP_OK && !more, "%s", why.text);
    clump_frame_release(&frame);
}

/* --- folders of rosbag2 -------------------------------------------------------------------------------------- */

static void split_recording_is_one(void)
{
    make_folder("split");
    for (size_t i = 0; i < 12; i++) {
        char name[32];
        snprintf(name, sizeof name, "split/drive_%zu.mcap", i);
        sample_write(at(name), CLUMP_COMPRESSION_NONE, 1, 5, 2 * i, 2 * i + 2);
    }
    for (size_t ahead = 0; ahead < 4; ahead += 3) {
        clump_recording *const recording = open_topic(at("split"), NULL, ahead);
        CHECK_INT(clump_recording_kind(recording), CLUMP_RECORDING_MCAP);
        expect_frames(recording, 0, 24);
        clump_message why;
        CHECK_INT(clump_recording_seek(recording, SAMPLE_START + 7 * SAMPLE_PERIOD, &why), CLUMP_OK);
        expect_frames(recording, 7, 24);
        CHECK_INT(clump_recording_seek(recording, INT64_MAX, &why), CLUMP_OK);
        expect_frames(recording, 24, 24);
        CHECK(!clump_recording_lost(recording).first[0]);
        const clump_topic *topics;
        size_t count;
        CHECK_INT(clump_recording_topics(recording, &topics, &count, &why), CLUMP_OK);
        CHECK_INT(count, 2); /* /a and /boxes of all parts */
        if (count == 2) {
            CHECK_TEXT(topics[0].name, "/a");
            CHECK_INT(topics[0].messages, 24);
            CHECK_INT(topics[0].frames, 24);
            CHECK_INT(topics[0].period, SAMPLE_PERIOD);
            CHECK_TEXT(topics[1].name, "/boxes");
            CHECK(!topics[1].has_clouds);
            CHECK_INT(topics[1].frames, 0);
        }
        clump_recording_close(recording);
    }
}

static void metadata_lists_the_parts(void)
{
    static const char *const lists[] = {
        "rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths:\n    - drive_0.mcap\n    - "
        "\"drive_1.mcap\"\n"
        "  duration:\n    nanoseconds: 1\n",
        "relative_file_paths: [drive_0.mcap, 'drive_1.mcap']\n",
        "  relative_file_paths:\r\n  # two\r\n  - drive_0.mcap\r\n\r\n  - drive_1.mcap\r\n",
        "relative_file_paths:\n- drive_0.mcap\n- drive_1.mcap", /* no final newline */
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        write_text("split/metadata.yaml", lists[i]);
        clump_recording *const recording = open_topic(at("split"), NULL, 0);
        expect_frames(recording, 0, 4);
        clump_recording_close(recording);
    }
    /* Without a list, the files of the folder are read. */
    static const char *const others[] = {"", "relative_file_paths:", "relative_file_paths:\n  duration:\n", "[[[",
                                         "- :\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        write_text("split/metadata.yaml", others[i]);
        clump_recording *const recording = open_topic(at("split"), NULL, 0);
        expect_frames(recording, 0, 24);
        clump_recording_close(recording);
    }
    /* A part that is missing, and one that is no recording. */
    write_text("split/noise.mcap", "no recording at all");
    write_text("split/metadata.yaml",
               "relative_file_paths:\n- drive_0.mcap\n- gone.mcap\n- noise.mcap\n- drive_1.mcap\n");
    clump_recording *recording = open_topic(at("split"), NULL, 0);
    expect_frames(recording, 0, 4);
    clump_recording_losses lost = clump_recording_lost(recording);
    CHECK_INT(lost.damaged_chunks, 2);
    CHECK_INT(lost.lost_bytes, 19);
    CHECK_MSG(strstr(lost.first, "gone.mcap: cannot open") != NULL, "%s", lost.first);
    clump_recording_close(recording);
    /* All are missing. */
    write_text("split/metadata.yaml", "relative_file_paths: [gone.mcap, lost.mcap]\n");
    clump_message why;
    CHECK_INT(clump_recording_open(at("split"), NULL, &recording, &why), CLUMP_ERR_IO_OPEN);
    CHECK_MSG(strstr(why.text, "gone.mcap: cannot open") != NULL, "%s", why.text);
    unlink(at("split/metadata.yaml"));
    unlink(at("split/noise.mcap"));
}

/* The topics would be two, of ROS 1 and of ROS 2, with one name. */
static void formats_are_not_mixed(void)
{
    make_folder("mixed");
    sample_write(at("mixed/x.mcap"), CLUMP_COMPRESSION_LZ4, 1, 5, 0, 3);
    sample_write(at("mixed/y.bag"), CLUMP_COMPRESSION_NONE, 1, 5, 3, 6);
    const char *const paths[] = {at("mixed/x.mcap"), at("mixed/y.bag")};
    clump_recording *recording;
    clump_message why;
    CHECK_INT(clump_recording_open_files(paths, 2, NULL, &recording, &why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_MSG(strstr(why.text, "of one format") && strstr(why.text, "x.mcap is mcap") &&
                  strstr(why.text, "y.bag is bag"),
              "%s", why.text);
}

/* --- topics ------------------------------------------------------------------------------------------------------ */

static void topic_is_chosen(void)
{
    sample_write(at("topics.mcap"), CLUMP_COMPRESSION_NONE, 3, 5, 0, 3);
    clump_recording *recording = open_topic(at("topics.mcap"), NULL, 0);
    clump_frame frame = {0};
    bool more;
    clump_message why;
    for (int i = 0; i < 2; i++) {
        CHECK_INT(clump_recording_next(recording, &frame, &more, &why), CLUMP_ERR_ARGUMENT);
        CHECK_MSG(strstr(why.text, "topics.mcap: 3 topics have clouds; choose one: /a, /b, /c"), "%s", why.text);
        const clump_topic *topics; /* works without a choice */
        size_t count;
        CHECK_INT(clump_recording_topics(recording, &topics, &count, &why), CLUMP_OK);
        CHECK_INT(count, 4);
    }
    clump_recording_close(recording);
    recording = open_topic(at("topics.mcap"), "/b", 2);
    expect_frames(recording, 0, 3);
    clump_recording_close(recording);

    static const struct {
        const char *topic;
        clump_status status;
        const char *sentence;
    } wrong[] = {
        {"/d", CLUMP_ERR_ARGUMENT, "there is no topic /d; topics with clouds: /a, /b, /c"},
        {"/boxes", CLUMP_ERR_IO_UNSUPPORTED,
         "topic /boxes has messages of type visualization_msgs/msg/MarkerArray, not clouds; topics with clouds: /a, "
         "/b, /c"},
        {"", CLUMP_ERR_ARGUMENT, "there is no topic"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        clump_recording_options options = clump_recording_defaults();
        options.topic = wrong[i].topic;
        CHECK_INT(clump_recording_open(at("topics.mcap"), &options, &recording, &why), wrong[i].status);
        CHECK_MSG(strstr(why.text, wrong[i].sentence) != NULL, "%s", why.text);
    }
}

static void long_lists_of_topics_fit_the_sentence(void)
{
    clump_io_topics topics = {0};
    const clump_io_where nowhere = {NULL, NULL};
    uint32_t index;
    for (int i = 0; i < 300; i++) {
        char name[300];
        const int size = snprintf(name, sizeof name, "/%d/%0*d", i, i % 200 + 1, i);
        static const char type[] = "sensor_msgs/PointCloud2";
        CHECK_INT(clump_io_topics_add(&nowhere, &topics, name, (size_t)size, type, sizeof type - 1,
                                      CLUMP_IO_CODING_ROS1, &index),
                  CLUMP_OK);
        CHECK_INT(index, i);
        clump_message why;
        const clump_io_where where = {"recording", &why};
        CHECK_INT(clump_io_choose_topic(&where, &topics, "nothing", &index), CLUMP_ERR_ARGUMENT);
        CHECK(strlen(why.text) < sizeof why.text);
        CHECK_INT(clump_io_choose_topic(&where, &topics, NULL, &index), i ? CLUMP_ERR_ARGUMENT : CLUMP_OK);
    }
    /* The list is not endless, and every topic is found again. */
    clump_status status = CLUMP_OK;
    for (int i = 0; i < 10000 && status == CLUMP_OK; i++) {
        char name[16];
        const int size = snprintf(name, sizeof name, "t%d", i);
        status = clump_io_topics_add(&nowhere, &topics, name, (size_t)size, "x\n\xff", 3, CLUMP_IO_CODING_CDR, &index);
    }
    CHECK_INT(status, CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_INT(topics.count, 4096);
    CHECK_TEXT(topics.list[4095].type, "x??");
    for (size_t i = 0; i < topics.count; i++) {
        const clump_io_topic *const topic = &topics.list[i];
        CHECK_INT(clump_io_topics_add(&nowhere, &topics, topic->name, strlen(topic->name), topic->type,
                                      strlen(topic->type), topic->coding, &index),
                  CLUMP_OK);
        CHECK_INT(index, i);
    }
    clump_io_topics_release(&topics);
}

/* --- standard input, files beside the recording ---------------------------------------------------------------- */

static void standard_input_is_read(void)
{
    sample_write(at("input.bag"), CLUMP_COMPRESSION_LZ4, 1, 5, 0, 4);
    const int before = dup(STDIN_FILENO), file = open(at("input.bag"), O_RDONLY);
    CHECK(before >= 0 && file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
    clump_recording *recording = open_topic("-", NULL, 0);
    expect_frames(recording, 0, 4);
    clump_recording_close(recording);
    close(file);

    FILE *const pipe = popen("true", "r"); /* an empty pipe */
    CHECK(pipe && dup2(fileno(pipe), STDIN_FILENO) == STDIN_FILENO);
    clump_message why;
    CHECK_INT(clump_recording_open("-", NULL, &recording, &why), CLUMP_ERR_IO_TRUNCATED);
    CHECK_TEXT(why.text, "standard input: the file is empty");
    if (pipe) pclose(pipe);
    dup2(before, STDIN_FILENO);
    close(before);
}

/* Which JSON file of a folder belongs to a recording. */
static void expect_json(const char *recording_path, const char *text)
{
    clump_recording recording = {.name = NULL};
    clump_io_source_file source = {.blob = {.path = recording_path}};
    recording.sources = (clump_io_sources){.list = &source, .count = 1, .capacity = 1};
    char name[] = "udp/7502", type[] = "Ouster packets";
    const clump_io_topic topic = {name, type, CLUMP_IO_CODING_UDP};
    clump_io_metadata found = {.topic = &topic};
    CHECK_INT(clump_io_find_metadata(&recording, &found, 1), CLUMP_OK);
    CHECK_TEXT(found.text ? found.text : "none", text);
    clump_io_metadata_release(&found, 1);
}

static void json_beside_is_found(void)
{
    make_folder("json");
    write_text("json/drive.json", "drive");
    write_text("json/drive_2.json", "drive_2");
    write_text("json/other_0.json", "other_0");
    write_text("json/two.1.json", "1");
    write_text("json/two.2.json", "2");
    expect_json(at("json/drive.pcap"), "drive");
    expect_json(at("json/drive_1.pcap"), "drive");
    expect_json(at("json/drive_2.pcap"), "drive_2");
    expect_json(at("json/drive_2_b.pcap"), "drive_2");
    expect_json(at("json/drives.pcap"), "none");
    expect_json(at("json/other.pcap"), "other_0");
    expect_json(at("json/two.pcap"), "none"); /* two fit */
    expect_json(at("json/two.2.pcap"), "2");
}

/* --- how often a recording is read -------------------------------------------------------------------------------- */

enum { MANY = 300, MANY_TURNS = 3, MANY_PACKETS = 16 * MANY_TURNS }; /* 15 packets are a turn of sample_hits() */

/* A container of many sensors: every packet is in the topic of each. */
static struct many {
    clump_io_coding coding;
    const char *type;
    sample hits;
    int opened, passes, at;
} many;

static clump_status many_open(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses, void **state)
{
    (void)losses;
    *state = &many;
    many.opened++;
    many.at = 0;
    for (int i = 0; i <= MANY; i++) {
        const bool last = i == MANY; /* describes Ouster sensors */
        char name[32];
        const int size = snprintf(name, sizeof name, last ? "/metadata" : "/sensor_%03d", i);
        const char *const type = last ? "std_msgs/String" : many.type;
        uint32_t index;
        CHECK_INT(clump_io_topics_add(&blob->where, topics, name, (size_t)size, type, strlen(type),
                                      last ? CLUMP_IO_CODING_ROS1 : many.coding, &index),
                  CLUMP_OK);
    }
    return CLUMP_OK;
}

static clump_status many_next(void *state, const bool *wanted, size_t count, clump_io_message *message, bool *more)
{
    (void)state;
    for (*more = false; !*more && many.at < MANY * MANY_PACKETS; many.at++) {
        const uint32_t topic = (uint32_t)(many.at % MANY);
        if (wanted && (topic >= count || !wanted[topic])) continue;
        const int packet = many.at / MANY;
        *message = (clump_io_message){.topic = topic,
                                      .received = SAMPLE_START + packet * INT64_C(2000000),
                                      .bytes = many.hits.bytes + (size_t)packet * HITS_PACKET,
                                      .size = HITS_PACKET};
        *more = true;
    }
    return CLUMP_OK;
}

static clump_status many_seek(void *state, int64_t time)
{
    (void)state, (void)time;
    many.at = 0;
    many.passes++;
    return CLUMP_OK;
}

static void many_close(void *state)
{
    (void)state;
}

/* A recording of hundreds of sensors is read twice: for its messages, and for the frames of all topics together. */
static void survey_reads_once_for_all_topics(void)
{
    static const clump_io_container container = {
        .name = "many", .open = many_open, .next = many_next, .seek = many_seek, .close = many_close};
    clump_io_source_file source = {.container = &container};
    const struct {
        clump_io_coding coding;
        const char *type;
        int opened, passes;
    } cases[] = {{CLUMP_IO_CODING_NCLT, "NCLT", 1, 2},
                 {CLUMP_IO_CODING_ROS1, "ouster_ros/PacketMsg", 2, 3}}; /* and once for the JSON text */
    for (size_t i = 0; i < 2; i++) {
        many = (struct many){cases[i].coding, cases[i].type, sample_hits(MANY_PACKETS), 0, 0, 0};
        clump_recording recording = {.name = NULL, .sources = {.list = &source, .count = 1, .capacity = 1}};
        CHECK_INT(clump_io_survey(&recording), CLUMP_OK);
        CHECK_INT(many.opened, cases[i].opened);
        CHECK_INT(many.passes, cases[i].passes);
        CHECK_INT(recording.topic_count, MANY + 1);
        for (size_t t = 1; t <= MANY; t++) {
            CHECK_INT(recording.topics[t].messages, MANY_PACKETS);
            /* Frames of the first 256 sensors are counted; those of Ouster need a JSON text. */
            const bool counted = i == 0 && t <= 256;
            CHECK_INT(recording.topics[t].frames, counted ? MANY_TURNS + 1 : 0);
        }
        CHECK_MSG(strstr(recording.survey_losses.first, i ? "/sensor_" : "/sensor_256: frames are counted"), "%s",
                  recording.survey_losses.first);
        free(recording.topics);
        clump_io_topics_release(&recording.topic_texts);
        free(many.hits.bytes);
    }
}

CHECK_PROGRAM(test_recording_parts)
{
    snprintf(folder, sizeof folder, "/tmp/clump-parts-XXXXXX");
    if (!mkdtemp(folder)) exit(1);
    RUN(split_recording_is_one);
    RUN(metadata_lists_the_parts);
    RUN(formats_are_not_mixed);
    RUN(topic_is_chosen);
    RUN(long_lists_of_topics_fit_the_sentence);
    RUN(standard_input_is_read);
    RUN(json_beside_is_found);
    RUN(survey_reads_once_for_all_topics);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) exit(1);
}
