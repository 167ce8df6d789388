/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recording.c: the functions clump_recording_...: see recording.h for what is behind them.
 */
#include "recordings/recording.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

#define RECORDING_COOKIE 0x72656364u

clump_recording_options clump_recording_defaults(void)
{
    return (clump_recording_options){.cookie = RECORDING_COOKIE};
}

clump_recording_format clump_recording_kind(const clump_recording *recording)
{
    for (size_t i = 0; recording && i < recording->sources.count; i++)
        if (recording->sources.list[i].container) return recording->sources.list[i].container->format;
    return (clump_recording_format)0;
}

bool clump_recording_is_live(const clump_recording *recording)
{
    return recording && clump_io_recording_is_live(recording);
}

clump_wire clump_recording_wire(const clump_recording *recording)
{
    clump_wire wire = {0};
    if (!clump_recording_is_live(recording) || recording->parts.count != 1) return wire;
    const clump_io_part *const part = &recording->parts.list[0];
    if (part->state && part->container->describe) part->container->describe(part->state, &wire);
    return wire;
}

const char *clump_recording_topic(const clump_recording *recording)
{
    return recording && recording->reading ? recording->reader.topic.name : NULL;
}

/* --- opening ----------------------------------------------------------------------------------------------- */

static clump_status copy_option(const clump_io_where *where, const char *text, char **copy)
{
    *copy = text ? strdup(text) : NULL;
    return text && !*copy ? clump_io_no_memory(where, strlen(text) + 1) : CLUMP_OK;
}

static clump_status take_options(clump_recording *recording, const clump_recording_options *options)
{
    const clump_io_where where = {recording->name, &recording->why};
    if (!options) return CLUMP_OK;
    recording->organised = options->organised;
    recording->read_ahead = options->read_ahead;
    CLUMP_IO_TRY(copy_option(&where, options->interface, &recording->interface));
    CLUMP_IO_TRY(copy_option(&where, options->from_host, &recording->from_host));
    CLUMP_IO_TRY(copy_option(&where, options->capture, &recording->capture));
    recording->wire.interface = recording->interface;
    recording->wire.from_host = recording->from_host;
    recording->wire.capture = recording->capture;
    recording->wire.watch = options->watch;
    recording->wire.watch_user = options->watch_user;
    CLUMP_IO_TRY(copy_option(&where, options->topic, &recording->topic_name));
    CLUMP_IO_TRY(copy_option(&where, options->columns, &recording->columns));
    CLUMP_IO_TRY(copy_option(&where, options->calibration, &recording->calibration_name));
    CLUMP_IO_TRY(copy_option(&where, options->metadata, &recording->metadata_name));
    if (options->metadata) {
        const clump_io_where here = {options->metadata, &recording->why};
        CLUMP_IO_TRY(clump_io_read_text(&here, options->metadata, &recording->metadata, &recording->metadata_size));
        recording->metadata_given = true;
    }
    if (!options->calibration) return CLUMP_OK;
    const clump_io_where here = {options->calibration, &recording->why};
    return clump_io_read_text(&here, options->calibration, &recording->calibration, &recording->calibration_size);
}

static void set_up(clump_recording *recording)
{
    recording->setup = (clump_io_sensor_setup){.metadata = recording->metadata,
                                               .metadata_size = recording->metadata_size,
                                               .metadata_name = recording->metadata_name,
                                               .calibration = recording->calibration,
                                               .calibration_size = recording->calibration_size,
                                               .calibration_name = recording->calibration_name,
                                               .organised = recording->organised,
                                               .where = {recording->name, &recording->why}};
}

static clump_status ignore(void *user, uint32_t topic, int64_t received)
{
    (void)user, (void)topic, (void)received;
    return CLUMP_OK;
}

/* Containers without an index may find topics late. Goes through the whole recording for them. */
static clump_status find_late_topics(clump_recording *recording)
{
    const clump_io_where where = {recording->name, &recording->why};
    clump_io_parts parts;
    CLUMP_IO_TRY(clump_io_parts_open(&recording->sources, &recording->why, &parts));
    clump_status status = clump_io_parts_survey(&parts, ignore, NULL);
    for (size_t i = 0; i < parts.topics.count && status == CLUMP_OK; i++) {
        const clump_io_topic *const topic = &parts.topics.list[i];
        uint32_t index;
        status = clump_io_topics_add(&where, &recording->parts.topics, topic->name, strlen(topic->name), topic->type,
                                     strlen(topic->type), topic->coding, &index);
    }
    clump_io_parts_close(&parts);
    return status;
}

static bool any_clouds(const clump_io_topics *topics)
{
    for (size_t i = 0; i < topics->count; i++)
        if (clump_io_topic_has_clouds(&topics->list[i])) return true;
    return false;
}

static clump_status choose_topic(clump_recording *recording)
{
    const clump_io_where where = {recording->name, &recording->why};
    const clump_io_topics *const topics = &recording->parts.topics;
    if (clump_recording_is_live(recording)) {
        CLUMP_IO_TRY(clump_io_look_ahead(&where, &recording->parts, recording->topic_name, &recording->look));
        if (!recording->topic_name && clump_io_look_sensor(&recording->look, topics, &recording->topic))
            return CLUMP_OK;
        return clump_io_choose_topic(&where, topics, recording->topic_name, &recording->topic);
    }
    const clump_status status = clump_io_choose_topic(&where, topics, recording->topic_name, &recording->topic);
    if (status == CLUMP_OK || (!recording->topic_name && any_clouds(topics))) return status;
    CLUMP_IO_TRY(find_late_topics(recording));
    return clump_io_choose_topic(&where, topics, recording->topic_name, &recording->topic);
}

/* Opens the parts of a recording whose sources are known. */
static clump_status open_parts(clump_recording *recording)
{
    CLUMP_IO_TRY(clump_io_parts_open(&recording->sources, &recording->why, &recording->parts));
    return recording->topic_name && !clump_recording_is_live(recording) ? choose_topic(recording) : CLUMP_OK;
}

/* What all ways of opening have in common: `find` fills the sources. */
typedef struct recording_origin {
    const char *path;         /* or null */
    const char *const *paths; /* or null */
    size_t count;
    const void *bytes;
    size_t size;
} recording_origin;

static clump_status find_sources(clump_recording *recording, const recording_origin *origin)
{
    CLUMP_ASSERT(!origin->path || !origin->paths);
    const clump_io_where where = {recording->name, &recording->why};
    if (origin->path) return clump_io_sources_path(&where, origin->path, &recording->sources);
    if (origin->paths) return clump_io_sources_paths(&where, origin->paths, origin->count, &recording->sources);
    return clump_io_sources_memory(&where, origin->bytes, origin->size, &recording->sources);
}

static clump_status open_recording(const char *name, const recording_origin *origin,
                                   const clump_recording_options *options, clump_recording **out,
                                   clump_message *message)
{
    const clump_io_where where = {name, message};
    if (options && options->cookie != RECORDING_COOKIE)
        return clump_io_fail(&where, CLUMP_ERR_OPTIONS, "the options were not made by clump_recording_defaults()");
    clump_recording *const recording = calloc(1, sizeof *recording);
    if (!recording) return clump_io_no_memory(&where, sizeof *recording);
    recording->topic = CLUMP_IO_NO_TOPIC;
    recording->wire.metadata = &recording->metadata;
    recording->wire.metadata_size = &recording->metadata_size;
    recording->sources.wire = &recording->wire;
    clump_status status = copy_option(&where, name, &recording->name);
    if (status == CLUMP_OK) status = take_options(recording, options);
    set_up(recording);
    if (status == CLUMP_OK) status = find_sources(recording, origin);
    if (status == CLUMP_OK) status = open_parts(recording);
    if (status == CLUMP_OK) {
        *out = recording;
        return CLUMP_OK;
    }
    if (message && recording->why.text[0]) *message = recording->why;
    clump_recording_close(recording);
    return status;
}

static void blank(clump_recording **out, clump_message *message)
{
    if (out) *out = NULL;
    if (message) message->text[0] = 0;
}

clump_status clump_recording_open(const char *path, const clump_recording_options *options, clump_recording **out,
                                  clump_message *message)
{
    const clump_io_where where = {NULL, message};
    blank(out, message);
    if (!path || !out) return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_recording_open: path or out is null");
    const recording_origin origin = {.path = path};
    return open_recording(clump_io_is_dash(path) ? "standard input" : path, &origin, options, out, message);
}

clump_status clump_recording_open_files(const char *const *paths, size_t count, const clump_recording_options *options,
                                        clump_recording **out, clump_message *message)
{
    const clump_io_where where = {NULL, message};
    blank(out, message);
    bool complete = paths && count && out;
    for (size_t i = 0; complete && i < count; i++) complete = paths[i] != NULL;
    if (!complete)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_recording_open_files: a path or out is null");
    const recording_origin origin = {.paths = paths, .count = count};
    return open_recording(paths[0], &origin, options, out, message);
}

clump_status clump_recording_parse(const void *bytes, size_t size, const char *name,
                                   const clump_recording_options *options, clump_recording **out,
                                   clump_message *message)
{
    const clump_io_where where = {name, message};
    blank(out, message);
    if (!out || (!bytes && size))
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_recording_parse: bytes or out is null");
    const recording_origin origin = {.bytes = bytes, .size = size};
    return open_recording(name, &origin, options, out, message);
}

void clump_recording_close(clump_recording *recording)
{
    if (!recording) return;
    clump_io_ahead_destroy(recording->ahead);
    clump_io_reader_close(&recording->reader);
    clump_io_look_release(&recording->look);
    clump_io_parts_close(&recording->parts);
    clump_io_sources_release(&recording->sources);
    clump_io_topics_release(&recording->topic_texts);
    free(recording->topics);
    free(recording->metadata);
    free(recording->metadata_name);
    free(recording->calibration);
    free(recording->calibration_name);
    free(recording->columns);
    free(recording->interface);
    free(recording->from_host);
    free(recording->capture);
    free(recording->topic_name);
    free(recording->name);
    free(recording);
}

/* --- reading -------------------------------------------------------------------------------------------------- */

static clump_status pull_ahead(void *user, clump_io_message *message, bool *more)
{
    return clump_io_ahead_next(user, message, more);
}

static clump_status pull_part(void *user, clump_io_message *message, bool *more)
{
    return clump_io_parts_next(user, message, more);
}

static clump_status pull_live(void *user, clump_io_message *message, bool *more)
{
    clump_recording *const recording = user;
    clump_io_look_take(&recording->look, recording->topic, message, more);
    return *more ? CLUMP_OK : clump_io_parts_next(&recording->parts, message, more);
}

static clump_io_pull pull_of(clump_recording *recording, bool ahead)
{
    if (clump_recording_is_live(recording)) return (clump_io_pull){pull_live, recording};
    return ahead ? (clump_io_pull){pull_ahead, recording->ahead} : (clump_io_pull){pull_part, &recording->parts};
}

/* Makes the reader for the topic. */
static clump_status start_reading(clump_recording *recording)
{
    const clump_io_where where = {recording->name, &recording->why};
    if (recording->topic == CLUMP_IO_NO_TOPIC) CLUMP_IO_TRY(choose_topic(recording));
    CLUMP_ASSERT(recording->topic < recording->parts.topics.count);
    const clump_io_topic topic = recording->parts.topics.list[recording->topic];
    if (!recording->metadata) {
        clump_io_metadata found = {.topic = &topic};
        const clump_status status = clump_io_find_metadata(recording, &found, 1);
        recording->metadata = found.text;
        recording->metadata_size = found.size;
        CLUMP_IO_TRY(status);
    }
    set_up(recording); /* a live container may have got it, too */
    /* Paths of files must stay, and there is nothing to read ahead; nor is there in a live recording. */
    const bool ahead =
        recording->read_ahead && topic.coding != CLUMP_IO_CODING_FILE && !clump_recording_is_live(recording);
    if (ahead && !recording->ahead)
        CLUMP_IO_TRY(clump_io_ahead_create(&where, &recording->parts, recording->read_ahead, &recording->ahead));
    CLUMP_IO_TRY(clump_io_parts_want_one(&recording->parts, recording->topic));
    clump_io_reader_close(&recording->reader);
    recording->reader = (clump_io_reader){
        .where = where, .pull = pull_of(recording, ahead), .topic = topic, .columns = recording->columns};
    CLUMP_IO_TRY(clump_io_reader_open(&recording->reader, &recording->setup));
    recording->reading = true;
    return CLUMP_OK;
}

/* Makes the reader if there is none. A failure is kept: the search for a topic may read the whole recording, and callers
 * may go on behind failures. */
static clump_status need_reader(clump_recording *recording)
{
    if (recording->reading) return CLUMP_OK;
    if (recording->start_failed != CLUMP_OK) {
        recording->why = recording->start_why;
        return recording->start_failed;
    }
    const clump_status status = start_reading(recording);
    if (status == CLUMP_OK || status == CLUMP_ERR_OUT_OF_MEMORY) return status;
    recording->start_failed = status;
    recording->start_why = recording->why;
    return status;
}

/* Copies the reason of a failure to the caller. */
static clump_status answer(const clump_recording *recording, clump_status status, clump_message *message)
{
    if (message && status != CLUMP_OK) *message = recording->why;
    return status;
}

clump_status clump_recording_next(clump_recording *recording, clump_frame *frame, bool *more, clump_message *message)
{
    const clump_io_where where = {NULL, message};
    if (message) message->text[0] = 0;
    if (more) *more = false;
    if (!recording || !frame || !more)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_recording_next: an argument is null");
    clump_status status = need_reader(recording);
    if (status == CLUMP_OK) status = clump_io_reader_next(&recording->reader, frame, more);
    return answer(recording, status, message);
}

clump_status clump_io_refuse_live(const clump_recording *recording, clump_message *message)
{
    const clump_io_where where = {recording->name, message};
    if (!clump_recording_is_live(recording)) return CLUMP_OK;
    return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED,
                         "it is read as it comes, and only once: make a file of it first");
}

clump_status clump_recording_seek(clump_recording *recording, int64_t time, clump_message *message)
{
    const clump_io_where where = {NULL, message};
    if (message) message->text[0] = 0;
    if (!recording) return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_recording_seek: recording is null");
    CLUMP_IO_TRY(clump_io_refuse_live(recording, message));
    const clump_status status = need_reader(recording);
    if (status != CLUMP_OK) return answer(recording, status, message);
    CLUMP_ASSERT(recording->reading);
    if (recording->ahead) clump_io_ahead_stop(recording->ahead);
    clump_io_parts_seek(&recording->parts, time);
    clump_io_reader_restart(&recording->reader);
    return CLUMP_OK;
}

/* --- describing ------------------------------------------------------------------------------------------------- */

clump_status clump_recording_topics(clump_recording *recording, const clump_topic **topics, size_t *count,
                                    clump_message *message)
{
    const clump_io_where where = {NULL, message};
    if (message) message->text[0] = 0;
    if (!recording || !topics || !count)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_recording_topics: an argument is null");
    *topics = NULL;
    *count = 0;
    CLUMP_IO_TRY(clump_io_refuse_live(recording, message));
    if (!recording->surveyed) {
        const clump_status status = clump_io_survey(recording);
        if (status != CLUMP_OK) return answer(recording, status, message);
    }
    *topics = recording->topics;
    *count = recording->topic_count;
    return CLUMP_OK;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns the larger count of a survey and of reading, not the sum: both meet the same damage. */
clump_recording_losses clump_recording_lost(const clump_recording *recording)
{
    if (!recording) return (clump_recording_losses){0};
    clump_io_losses losses =
        recording->ahead ? clump_io_ahead_losses(recording->ahead) : clump_io_parts_losses(&recording->parts);
    clump_io_add_losses(&losses, &recording->reader.losses);
    const clump_io_losses *const seen = &recording->survey_losses;
    losses.damaged_chunks = larger(losses.damaged_chunks, seen->damaged_chunks);
    losses.damaged_messages = larger(losses.damaged_messages, seen->damaged_messages);
    losses.damaged_packets = larger(losses.damaged_packets, seen->damaged_packets);
    losses.lost_packets = larger(losses.lost_packets, seen->lost_packets);
    losses.reordered = larger(losses.reordered, seen->reordered);
    losses.lost_bytes = larger(losses.lost_bytes, seen->lost_bytes);
    losses.truncated |= seen->truncated;
    if (!losses.first[0]) memcpy(losses.first, seen->first, sizeof losses.first);
    if (losses.truncated) clump_io_lose(&losses, NULL, 0, "the file ends too early, or was never finished");
    return losses;
}
