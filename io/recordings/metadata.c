/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metadata.c: finds the JSON texts that describe Ouster sensors, for one topic or many:
 *
 *     1. the file of the options
 *     2. the first message of a std_msgs/String topic of the recording whose name ends with "metadata"
 *     3. a .json file beside the recording: of its name, else of the longest name that it continues, else the only one
 *        that continues its name. drive_1.pcap has drive_1.json, else drive.json, else drive_1_0.json
 */
#include "recordings/recording.h"

#include "common/assert.h"

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

/* Gives the text of a topic to all that wait for it. */
static clump_status hand_out(clump_recording *recording, clump_io_metadata *list, size_t count, uint32_t source,
                             const clump_io_encoded *encoded)
{
    CLUMP_ASSERT(source != CLUMP_IO_NO_TOPIC);
    const clump_io_where where = {recording->name, &recording->why};
    const char *found;
    size_t found_size;
    clump_io_metadata *owner = NULL;
    for (size_t i = 0; i < count; i++) {
        if (list[i].source != source || list[i].text) continue;
        if (!owner) {
            if (!clump_io_string_decode(encoded, &found, &found_size)) return CLUMP_OK;
            CLUMP_IO_TRY(copy_text(&where, found, found_size, &list[i].text, &list[i].size));
            list[i].owned = true;
            owner = &list[i];
        }
        list[i].text = owner->text;
        list[i].size = owner->size;
    }
    return CLUMP_OK;
}

static bool any_waits(const clump_io_metadata *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].source != CLUMP_IO_NO_TOPIC && !list[i].text) return true;
    return false;
}

/* Reads the first message of each topic that is not damaged, in one pass. */
static clump_status read_topics(clump_recording *recording, clump_io_parts *parts, clump_io_metadata *list,
                                size_t count)
{
    const clump_io_where where = {recording->name, &recording->why};
    bool *const wanted = calloc(parts->topics.count + 1, 1);
    if (!wanted) return clump_io_no_memory(&where, parts->topics.count + 1);
    for (size_t i = 0; i < count; i++)
        if (list[i].source != CLUMP_IO_NO_TOPIC) wanted[list[i].source] = true;
    clump_status status = clump_io_parts_want(parts, wanted, parts->topics.count);
    free(wanted);
    for (bool more = true; status == CLUMP_OK && more && any_waits(list, count);) {
        clump_io_message message;
        status = clump_io_parts_next(parts, &message, &more);
        if (status != CLUMP_OK || !more) break;
        CLUMP_ASSERT(message.topic < parts->topics.count);
        const bool cdr = parts->topics.list[message.topic].coding == CLUMP_IO_CODING_CDR;
        const clump_io_encoded encoded = {message.bytes, message.size, cdr};
        status = hand_out(recording, list, count, message.topic, &encoded);
    }
    return status;
}

static clump_status from_recording(clump_recording *recording, clump_io_metadata *list, size_t count)
{
    clump_io_parts parts;
    CLUMP_IO_TRY(clump_io_parts_open(&recording->sources, &recording->why, &parts));
    for (size_t i = 0; i < count; i++)
        if (list[i].needed && list[i].topic->coding != CLUMP_IO_CODING_UDP)
            list[i].source = find_topic(&parts.topics, list[i].topic->name);
    clump_status status = CLUMP_OK;
    if (any_waits(list, count)) status = read_topics(recording, &parts, list, count);
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
        const char *const name = clump_io_base_name(files->list[i]);
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

clump_status clump_io_find_metadata(clump_recording *recording, clump_io_metadata *list, size_t count)
{
    bool any = false, any_in_messages = false;
    for (size_t i = 0; i < count; i++) {
        const clump_io_topic *const topic = list[i].topic;
        list[i] = (clump_io_metadata){.topic = topic, .source = CLUMP_IO_NO_TOPIC};
        list[i].needed = clump_io_topic_maker(topic) == &clump_io_sensor_ouster ||
                         clump_io_message_kind_of(topic->type) == CLUMP_IO_MESSAGE_PACKETS;
        any |= list[i].needed;
        any_in_messages |=
            list[i].needed && topic->coding != CLUMP_IO_CODING_UDP && !clump_io_recording_is_live(recording);
    }
    if (any_in_messages) CLUMP_IO_TRY(from_recording(recording, list, count));
    clump_io_metadata *owner = NULL;
    for (size_t i = 0; any && i < count; i++) {
        if (!list[i].needed || list[i].text) continue;
        if (!owner) {
            CLUMP_IO_TRY(from_beside(recording, &list[i].text, &list[i].size));
            list[i].owned = true;
            owner = &list[i];
        }
        list[i].text = owner->text;
        list[i].size = owner->size;
    }
    return CLUMP_OK;
}

void clump_io_metadata_release(clump_io_metadata *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].owned) free(list[i].text);
}
