/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recording.h: the inside of clump_recording. Each box is one file:
 *
 *     sources.c     path, folder, list  ->  parts: files with their containers
 *     parts.c       parts               ->  messages of one topic, in the order of the parts
 *     read_ahead.c  the same messages, read by a thread of the recording
 *     look.c        the first messages of a live recording, kept until a topic is chosen
 *     reader.c      messages            ->  frames (io/messages, io/sensors)
 *     survey.c      all messages        ->  clump_topic: counts, times, gaps
 *     choice.c      options.topic       ->  topic, or the sentence why not
 *     metadata.c    the JSON text of an Ouster sensor
 *     transforms.c  transforms           ->  the poses of a coordinate frame
 *
 * Surveys and the search for metadata open the containers once more. So the position of clump_recording_next() stays, and
 * so does the thread.
 *
 * Beside these, recording.c has the public functions, topics.c the list of topics. folder.c lists the files of a
 * folder, files.c makes a container of cloud files, file_times.c finds their time stamps.
 *
 * Words of the room: a `part` is one file of a split recording. A `slot` is memory for a message, used again.
 */
#ifndef CLUMP_IO_RECORDINGS_RECORDING_H
#define CLUMP_IO_RECORDINGS_RECORDING_H

#include "messages/messages.h"
#include "containers/container.h"
#include "sensors/sensor.h"

/* --- sources.c: what a path stands for ----------------------------------------------------------------- */

/* A file or memory of the recording, and the container that reads it. */
typedef struct clump_io_source_file {
    clump_io_blob blob;                  /* blob.where.name is for messages; its message is null */
    clump_io_stream stream;              /* owns bytes of standard input or a pipe; else empty */
    clump_io_pipe *pipe;                 /* owned; null: none */
    clump_io_bytes list;                 /* owns the list of a container of cloud files; else empty */
    char *path;                          /* owned, or null */
    const clump_io_container *container; /* null: the file is missing or unknown; status and why say it */
    clump_status status;
    clump_message why;
} clump_io_source_file;

typedef struct clump_io_sources {
    clump_io_source_file *list;
    size_t count, capacity;
    const clump_io_wire *wire; /* for live recordings */
    bool alone;                /* one path, which may be live */
} clump_io_sources;

clump_status clump_io_sources_path(const clump_io_where *where, const char *path, clump_io_sources *sources);
clump_status clump_io_sources_paths(const clump_io_where *where, const char *const *paths, size_t count,
                                    clump_io_sources *sources);
clump_status clump_io_sources_memory(const clump_io_where *where, const void *bytes, size_t size,
                                     clump_io_sources *sources);
void clump_io_sources_release(clump_io_sources *sources);

/* Appends a file that is opened and recognised. A failure is kept in its `why`, and is no failure of the call. */
clump_status clump_io_sources_add_file(const clump_io_where *where, const char *path, clump_io_sources *sources);

/* --- folder.c: folders ---------------------------------------------------------------------------------- */

/* A list of paths. */
typedef struct clump_io_paths {
    char **list;
    size_t count, capacity;
} clump_io_paths;
clump_status clump_io_paths_add(const clump_io_where *where, clump_io_paths *paths, const char *folder,
                                const char *name, size_t name_size);
void clump_io_paths_release(clump_io_paths *paths);

/* Lists the files of a folder whose names `wanted` accepts, in natural order: scan_2 before scan_10. Hidden files are left
 * out. */
clump_status clump_io_folder_list(const clump_io_where *where, const char *folder, bool (*wanted)(const char *name),
                                  clump_io_paths *paths);
int clump_io_natural_order(const char *a, const char *b);

/* Reads relative_file_paths of rosbag2's metadata.yaml. *found is false where there is no such file. */
clump_status clump_io_folder_rosbag2(const clump_io_where *where, const char *folder, clump_io_paths *paths,
                                     bool *found);

/* Reads a small text file. The caller frees *text, which ends with 0. */
clump_status clump_io_read_text(const clump_io_where *where, const char *path, char **text, size_t *size);

/* --- files.c, file_times.c: a sequence of cloud files ------------------------------------------------ */

/* Makes the list that the container `files` reads from its blob: per file a clump_io_file_entry and the path, which ends
 * with 0. type is that of the topic. */
#define CLUMP_IO_FILES_CLOUD "cloud files"
#define CLUMP_IO_FILES_NCLT  "NCLT velodyne_sync"
typedef struct clump_io_file_entry {
    int64_t stamp;
    uint32_t nclt; /* 0 or 1 */
    uint32_t size; /* of the path, with its final 0 */
} clump_io_file_entry;
clump_status clump_io_files_make_list(const clump_io_where *where, const clump_io_paths *paths, const int64_t *stamps,
                                      bool nclt, clump_io_bytes *list);

/* Finds the time stamps of cloud files: from their names, from times.txt, or 10 Hz. */
clump_status clump_io_file_times(const clump_io_where *where, const clump_io_paths *paths, int64_t *stamps);

/* Whether the files are scans of NCLT's velodyne_sync: by the folder's name, or by the first file. */
bool clump_io_is_nclt_sync(const clump_io_paths *paths);
clump_status clump_io_nclt_sync_load(const clump_io_where *where, const char *path, clump_cloud **cloud);

/* --- parts.c: messages of all parts --------------------------------------------------------------------- */

#define CLUMP_IO_NO_TOPIC UINT32_MAX

typedef struct clump_io_part {
    clump_io_blob blob;
    const clump_io_container *container;
    void *state; /* null: not readable */
    clump_io_topics topics;
    uint32_t *global; /* per topic of the part: index in the topics of all parts */
    size_t global_count, global_capacity;
    bool *wanted;
    size_t wanted_count, wanted_capacity;
    bool everything; /* a topic was not known when the part was opened: its messages are picked out here */
    bool surveyed;   /* all its topics are known */
    bool must_seek;  /* before it is read */
    clump_io_losses losses;
    clump_message why;
} clump_io_part;

typedef struct clump_io_parts {
    clump_io_part *list;
    size_t count, at; /* the part that is being read */
    clump_io_topics topics;
    bool *wanted; /* per topic; null: all. Topics beyond wanted_count are not wanted */
    size_t wanted_count;
    int64_t from;         /* of the last seek */
    clump_io_losses past; /* of the parts but the one that is being read */
    clump_message *why;   /* where failures go */
} clump_io_parts;

/* Opens the containers. Fails where no part can be read. The sources must stay. */
clump_status clump_io_parts_open(const clump_io_sources *sources, clump_message *why, clump_io_parts *parts);
void clump_io_parts_close(clump_io_parts *parts);
/* Says which topics next() reads, and goes to the beginning. */
clump_status clump_io_parts_want(clump_io_parts *parts, const bool *wanted, size_t count);
clump_status clump_io_parts_want_one(clump_io_parts *parts, uint32_t topic);
clump_status clump_io_parts_next(clump_io_parts *parts, clump_io_message *message, bool *more);
void clump_io_parts_seek(clump_io_parts *parts, int64_t time);
/* Calls `seen` for all messages, with topics of all parts. The position is undefined after it. */
clump_status clump_io_parts_survey(clump_io_parts *parts, clump_io_seen *seen, void *user);
clump_io_losses clump_io_parts_losses(const clump_io_parts *parts);
void clump_io_add_losses(clump_io_losses *to, const clump_io_losses *more);

/* --- read_ahead.c ------------------------------------------------------------------------------------------ */

typedef struct clump_io_ahead clump_io_ahead;

/* Creates a queue for `depth` messages. No thread runs yet. */
clump_status clump_io_ahead_create(const clump_io_where *where, clump_io_parts *parts, size_t depth,
                                   clump_io_ahead **out);
void clump_io_ahead_destroy(clump_io_ahead *ahead); /* ends the thread */
/* As clump_io_parts_next(). Starts the thread. *losses are those up to this message. */
clump_status clump_io_ahead_next(clump_io_ahead *ahead, clump_io_message *message, bool *more);
void clump_io_ahead_stop(clump_io_ahead *ahead); /* ends the thread and empties the queue, before a seek of the parts */
clump_io_losses clump_io_ahead_losses(const clump_io_ahead *ahead); /* up to the message that next() returned last */

/* --- look.c: the first messages of a live recording ------------------------------------------------------ */

/* A message that was read before the topic was chosen. */
typedef struct clump_io_kept {
    uint32_t topic;
    int64_t received;
    size_t at, size; /* in the bytes of all of them */
} clump_io_kept;

/* A zeroed one is empty. */
typedef struct clump_io_look {
    clump_io_kept *list;
    size_t count, capacity, taken;
    clump_io_bytes bytes;
    size_t *of_topic, topic_capacity; /* messages by topic */
} clump_io_look;

/* Reads messages until a topic with clouds is known, of this name if it is not null, and a tenth of a second longer: so that two
 * sensors are found. Without a name, a few packets of another sender are no sensor. */
clump_status clump_io_look_ahead(const clump_io_where *where, clump_io_parts *parts, const char *name,
                                 clump_io_look *look);
/* Returns whether one topic alone is that of a sensor, and its index. */
bool clump_io_look_sensor(const clump_io_look *look, const clump_io_topics *topics, uint32_t *index);
/* Takes the messages of the topic; *more is false after the last. */
void clump_io_look_take(clump_io_look *look, uint32_t topic, clump_io_message *message, bool *more);
void clump_io_look_release(clump_io_look *look);

/* --- reader.c: messages to frames ---------------------------------------------------------------------------- */

/* Where messages come from. */
typedef struct clump_io_pull {
    clump_status (*next)(void *user, clump_io_message *message, bool *more);
    void *user;
} clump_io_pull;

typedef struct clump_io_reader {
    clump_io_where where; /* message is that of the recording */
    clump_io_pull pull;
    clump_io_topic topic; /* strings of another list */
    clump_io_message_kind kind;
    const char *columns;
    clump_io_frames *frames; /* null: messages are clouds */
    clump_io_packet_list list;
    bool in_message, in_packet, ended;
    clump_frame spare;        /* a damaged message leaves the caller's frame unchanged */
    clump_status failed;      /* the packets cannot be decoded, for example without the sensor's JSON file */
    clump_message failed_why; /* then every call fails with it */
    uint64_t index;
    int64_t latest;
    int64_t reached,
        counted; /* the latest message ever read; losses up to `counted` were counted before the last seek */
    clump_io_losses losses;
    clump_io_losses repeated; /* losses that have been counted before go here */
    bool again;               /* the message has been read before */
    clump_message damage;
} clump_io_reader;

/* setup must stay, and so must the pull and the strings. */
clump_status clump_io_reader_open(clump_io_reader *reader, const clump_io_sensor_setup *setup);
clump_status clump_io_reader_next(clump_io_reader *reader, clump_frame *frame, bool *more);
void clump_io_reader_restart(clump_io_reader *reader); /* after a seek */

/* In place of next(), for a topic of packets whose messages come from elsewhere: gives a message, takes its frames until
 * *ready is false, and at last the frame that no cut has ended. */
clump_status clump_io_reader_give(clump_io_reader *reader, const clump_io_message *message);
clump_status clump_io_reader_take(clump_io_reader *reader, clump_frame *frame, bool *ready);
clump_status clump_io_reader_finish(clump_io_reader *reader, clump_frame *frame, bool *ready);
void clump_io_reader_close(clump_io_reader *reader);

/* --- choice.c, metadata.c, survey.c ----------------------------------------------------------------------------- */

bool clump_io_topic_has_clouds(const clump_io_topic *topic);
bool clump_io_topic_has_packets(const clump_io_topic *topic);
const clump_io_sensor *clump_io_topic_maker(const clump_io_topic *topic); /* null: unknown */

/* Chooses by name, or the only topic with clouds. *index is CLUMP_IO_NO_TOPIC after a failure. */
clump_status clump_io_choose_topic(const clump_io_where *where, const clump_io_topics *topics, const char *name,
                                   uint32_t *index);

struct clump_recording {
    char *name; /* for messages */
    clump_message why;
    char *topic_name, *columns; /* copies of the options, or null */
    bool organised;
    size_t read_ahead;
    clump_io_sources sources;
    clump_io_parts parts;
    uint32_t topic; /* CLUMP_IO_NO_TOPIC: not chosen yet */
    clump_io_ahead *ahead;
    char *interface, *from_host, *capture; /* copies of the options, or null */
    clump_io_wire wire;                    /* of a live recording */
    clump_io_look look;
    clump_io_reader reader;
    bool reading;              /* the reader is open */
    clump_status start_failed; /* no topic can be read: the recording has been searched for one, */
    clump_message start_why;   /* and every call fails with this sentence */
    char *metadata, *metadata_name, *calibration, *calibration_name;
    size_t metadata_size, calibration_size;
    bool metadata_given;
    clump_io_sensor_setup setup;
    clump_topic *topics; /* of the survey, and their memory */
    size_t topic_count;
    clump_io_topics topic_texts;
    clump_io_losses survey_losses;
    bool surveyed;
};

static inline bool clump_io_recording_is_live(const clump_recording *recording)
{
    if (recording->sources.count != 1) return false;
    const clump_io_container *const container = recording->sources.list[0].container;
    return container && container->live;
}

/* The JSON text for a topic that may have packets of an Ouster sensor. Only `topic` is set by the caller. */
typedef struct clump_io_metadata {
    const clump_io_topic *topic;
    char *text; /* null: there is none, or none is needed */
    size_t size;
    bool owned;  /* else another one of the list owns the text */
    bool needed; /* the rest is of metadata.c */
    uint32_t source;
} clump_io_metadata;

/* Finds the texts of all topics of the list: a message of the recording, or a file beside it. The recording is read at
 * most once. The list is released also after a failure. */
clump_status clump_io_find_metadata(clump_recording *recording, clump_io_metadata *list, size_t count);
void clump_io_metadata_release(clump_io_metadata *list, size_t count);

clump_status clump_io_survey(clump_recording *recording);

/* Fails where the recording is live. In recording.c. */
clump_status clump_io_refuse_live(const clump_recording *recording, clump_message *message);

#endif
