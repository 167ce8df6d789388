/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metadata.c: finds the JSON text that describes an Ouster sensor:
 *
 *     1. the file of the options
 *     2. the first message of a std_msgs/String topic of the recording whose name ends with "metadata"
 *     3. a .json file beside the recording: of its name, else of the longest name that it continues, else the only one
 *        that continues its name. drive_1.pcap has drive_1.json, else drive.json, else drive_1_0.json
 */
#include "recordings/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a topic of the recording ---------------------------------------------------------------------------- */

static size_t common_size(const char *a, const char *b)
{
    size_t size = 0;
    while (a[size] && a[size] == b[size]) size++;
    return size;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text), tail = strlen(end);
    return size >= tail && strcmp(text + size - tail, end) == 0;
}

/* Of several sensors, the topic with the longest common beginning: /os_node0/metadata for /os_node0/lidar_packets. */
static uint32_t find_topic(const clump_io_topics *topics, const char *packets)
{
    uint32_t best = CLUMP_IO_NO_TOPIC;
    for (size_t i = 0; i < topics->count; i++) {
        const clump_io_topic *const topic = &topics->list[i];
        const bool ros = topic->coding == CLUMP_IO_CODING_ROS1 || topic->coding == CLUMP_IO_CODING_CDR;
        if (!ros || !ends_with(topic->name, "metadata")) continue;
        if (clump_io_message_kind_of(topic->type) != CLUMP_IO_MESSAGE_STRING) continue;
        if (best == CLUMP_IO_NO_TOPIC ||
            common_size(topic->name, packets) > common_size(topics->list[best].name, packets))
            best = (uint32_t)i;
    }
    return best;
}

static clump_status copy_text(const clump_io_where *where, const char *from, size_t from_size, char **text,
                              size_t *size)
{
    *text = malloc(from_size + 1);
    if (!*text) return clump_io_no_memory(where, from_size + 1);
    memcpy(*text, from, from_size);
    (*text)[from_size] = 0;
    *size = from_size;
    return CLUMP_OK;
}

/* Reads the first message of the topic that is not damaged. */
static clump_status read_topic(clump_recording *recording, clump_io_parts *parts, uint32_t topic, char **text,
                               size_t *size)
{
    const clump_io_where where = {recording->name, &recording->why};
    const bool cdr = parts->topics.list[topic].coding == CLUMP_IO_CODING_CDR;
    CLUMP_IO_TRY(clump_io_parts_want(parts, topic));
    for (;;) {
        clump_io_message message;
        bool more;
        CLUMP_IO_TRY(clump_io_parts_next(parts, &message, &more));
        if (!more) return CLUMP_OK;
        const clump_io_encoded encoded = {message.bytes, message.size, cdr};
        const char *found;
        size_t found_size;
        if (!clump_io_string_decode(&encoded, &found, &found_size)) continue;
        return copy_text(&where, found, found_size, text, size);
    }
}

static clump_status from_recording(clump_recording *recording, const clump_io_topic *packets, char **text, size_t *size)
{
    if (packets->coding == CLUMP_IO_CODING_UDP) return CLUMP_OK;
    clump_io_parts parts;
    CLUMP_IO_TRY(clump_io_parts_open(&recording->sources, &recording->why, &parts));
    const uint32_t topic = find_topic(&parts.topics, packets->name);
    clump_status status = CLUMP_OK;
    if (topic != CLUMP_IO_NO_TOPIC) status = read_topic(recording, &parts, topic, text, size);
    clump_io_parts_close(&parts);
    return status;
}

/* --- a file beside the recording -------------------------------------------------------------------------- */

static bool is_json_name(const char *name)
{
    char extension[16];
    clump_io_extension(name, extension);
    return strcmp(extension, "json") == 0;
}

static size_t stem_size(const char *name)
{
    const char *const dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - name) : strlen(name);
}

static bool separates(char c)
{
    return c == '_' || c == '-' || c == '.' || c == ' ';
}

/* Returns the index of the file that belongs to the recording; -1: none, or several. */
static ptrdiff_t pick_json(const clump_io_paths *files, const char *recording)
{
    const size_t size = stem_size(recording);
    ptrdiff_t shorter = -1, longer = -1;
    size_t longest = 0, longer_count = 0;
    for (size_t i = 0; i < files->count; i++) {
        const char *const slash = strrchr(files->list[i], '/'), *const name = slash ? slash + 1 : files->list[i];
        const size_t stem = stem_size(name), common = stem < size ? stem : size;
        if (memcmp(name, recording, common) != 0) continue;
        if (stem == size) return (ptrdiff_t)i;
        if (stem < size && stem > longest && separates(recording[stem])) shorter = (ptrdiff_t)i, longest = stem;
        if (stem > size && separates(name[size])) longer = (ptrdiff_t)i, longer_count++;
    }
    if (shorter >= 0) return shorter;
    return longer_count == 1 ? longer : -1;
}

static clump_status from_beside(clump_recording *recording, char **text, size_t *size)
{
    const char *const path = recording->sources.count ? recording->sources.list[0].blob.path : NULL;
    if (!path) return CLUMP_OK;
    const clump_io_where where = {recording->name, &recording->why};
    const char *const slash = strrchr(path, '/');
    clump_io_paths folder = {0}, files = {0};
    clump_status status = slash ? clump_io_paths_add(&where, &folder, NULL, path, (size_t)(slash - path) + 1)
                                : clump_io_paths_add(&where, &folder, NULL, ".", 1);
    if (status == CLUMP_OK) status = clump_io_folder_list(&where, folder.list[0], is_json_name, &files);
    const ptrdiff_t found = status == CLUMP_OK ? pick_json(&files, slash ? slash + 1 : path) : -1;
    if (found >= 0) {
        const clump_io_where here = {files.list[found], &recording->why};
        status = clump_io_read_text(&here, files.list[found], text, size);
    }
    clump_io_paths_release(&folder);
    clump_io_paths_release(&files);
    /* The caller has not named this file: that it cannot be read is no failure. */
    return status == CLUMP_ERR_OUT_OF_MEMORY ? status : CLUMP_OK;
}

clump_status clump_io_find_metadata(clump_recording *recording, const clump_io_topic *topic, char **text, size_t *size)
{
    *text = NULL;
    *size = 0;
    const clump_io_message_kind kind = clump_io_message_kind_of(topic->type);
    if (clump_io_topic_maker(topic) != &clump_io_sensor_ouster && kind != CLUMP_IO_MESSAGE_PACKETS) return CLUMP_OK;
    CLUMP_IO_TRY(from_recording(recording, topic, text, size));
    return *text ? CLUMP_OK : from_beside(recording, text, size);
}
