/* SPDX-License-Identifier: BSD-3-Clause
 *
 * choice.c: which topics hold clouds, and which of them is read.
 */
#include "recordings/recording.h"

#include <stdio.h>
#include <string.h>

/* The container of captures writes the maker first: "Velodyne packets". */
static const clump_io_sensor *maker_of_capture(const char *type)
{
    const clump_io_sensor *const *maker = clump_io_sensors;
    while (*maker && strncmp(type, (*maker)->maker, strlen((*maker)->maker)) != 0) maker++;
    return *maker;
}

const clump_io_sensor *clump_io_topic_maker(const clump_io_topic *topic)
{
    if (topic->coding == CLUMP_IO_CODING_NCLT) return &clump_io_sensor_nclt;
    if (topic->coding == CLUMP_IO_CODING_UDP) return maker_of_capture(topic->type);
    switch (clump_io_message_kind_of(topic->type)) {
    case CLUMP_IO_MESSAGE_VELODYNE:
        return &clump_io_sensor_velodyne;
    case CLUMP_IO_MESSAGE_HESAI:
        return &clump_io_sensor_hesai;
    case CLUMP_IO_MESSAGE_OUSTER:
        return &clump_io_sensor_ouster;
    default:
        return NULL;
    }
}

bool clump_io_topic_has_packets(const clump_io_topic *topic)
{
    if (topic->coding == CLUMP_IO_CODING_NCLT) return true;
    if (topic->coding == CLUMP_IO_CODING_UDP) return maker_of_capture(topic->type) != NULL;
    if (topic->coding != CLUMP_IO_CODING_ROS1 && topic->coding != CLUMP_IO_CODING_CDR) return false;
    switch (clump_io_message_kind_of(topic->type)) {
    case CLUMP_IO_MESSAGE_VELODYNE:
    case CLUMP_IO_MESSAGE_HESAI:
    case CLUMP_IO_MESSAGE_PACKETS:
        return true;
    /* Ouster's driver has packets of the motion sensor in messages of the same type. Only the name tells them apart. */
    case CLUMP_IO_MESSAGE_OUSTER:
        return strncmp(clump_io_base_name(topic->name), "imu", 3) != 0;
    default:
        return false;
    }
}

bool clump_io_topic_has_clouds(const clump_io_topic *topic)
{
    if (topic->coding == CLUMP_IO_CODING_FILE || clump_io_topic_has_packets(topic)) return true;
    if (topic->coding != CLUMP_IO_CODING_ROS1 && topic->coding != CLUMP_IO_CODING_CDR) return false;
    return clump_io_message_kind_of(topic->type) == CLUMP_IO_MESSAGE_POINTS;
}

/* --- choosing --------------------------------------------------------------------------------------- */

typedef struct choice_names {
    char text[256];
    size_t used, count;
} choice_names;

/* Appends a name as far as there is room. */
static void add_name(choice_names *names, const char *name)
{
    const size_t room = sizeof names->text - names->used;
    if (room > 5) {
        const bool fits = strlen(name) + 2 < room - 4;
        const int written =
            snprintf(names->text + names->used, room, "%s%s", names->count ? ", " : "", fits ? name : "...");
        names->used = fits && written > 0 ? names->used + (size_t)written : sizeof names->text;
    }
    names->count++;
}

static choice_names list_topics(const clump_io_topics *topics, bool clouds_only)
{
    choice_names names = {0};
    for (size_t i = 0; i < topics->count; i++)
        if (!clouds_only || clump_io_topic_has_clouds(&topics->list[i])) add_name(&names, topics->list[i].name);
    return names;
}

static clump_status no_such_topic(const clump_io_where *where, const clump_io_topics *topics, const char *name)
{
    const choice_names clouds = list_topics(topics, true), all = list_topics(topics, false);
    if (clouds.count)
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "there is no topic %s; topics with clouds: %s", name,
                             clouds.text);
    if (all.count)
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "there is no topic %s, and none with clouds; topics: %s", name,
                             all.text);
    return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "there is no topic %s: the recording has no topics", name);
}

static clump_status no_clouds(const clump_io_where *where, const clump_io_topics *topics, const clump_io_topic *topic)
{
    const choice_names clouds = list_topics(topics, true);
    const bool ros = topic->coding != CLUMP_IO_CODING_UDP;
    return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "topic %s has %s%.100s, not clouds; topics with clouds: %s",
                         topic->name, ros ? "messages of type " : "packets of no known sensor, ", topic->type,
                         clouds.count ? clouds.text : "none");
}

static clump_status choose_by_name(const clump_io_where *where, const clump_io_topics *topics, const char *name,
                                   uint32_t *index)
{
    const clump_io_topic *other = NULL;
    for (size_t i = 0; i < topics->count; i++) {
        const clump_io_topic *const topic = &topics->list[i];
        if (strcmp(topic->name, name) != 0) continue;
        other = topic;
        if (!clump_io_topic_has_clouds(topic)) continue;
        *index = (uint32_t)i;
        return CLUMP_OK;
    }
    return other ? no_clouds(where, topics, other) : no_such_topic(where, topics, name);
}

clump_status clump_io_choose_topic(const clump_io_where *where, const clump_io_topics *topics, const char *name,
                                   uint32_t *index)
{
    *index = CLUMP_IO_NO_TOPIC;
    if (name) return choose_by_name(where, topics, name, index);
    const choice_names clouds = list_topics(topics, true), all = list_topics(topics, false);
    if (all.count == 0) return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "the recording has no messages");
    if (clouds.count == 0)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "no topic has clouds; topics: %s", all.text);
    if (clouds.count > 1)
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "%zu topics have clouds; choose one: %s", clouds.count,
                             clouds.text);
    for (size_t i = 0; i < topics->count; i++)
        if (clump_io_topic_has_clouds(&topics->list[i])) *index = (uint32_t)i;
    return CLUMP_OK;
}
