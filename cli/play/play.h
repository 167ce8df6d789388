/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play.h: what the files of `clump play` share. A frame goes through stages, each on a thread of its own:
 *
 *     recording's thread    decode thread          cluster thread        main thread
 *     read, decompress  ->  decode, wait until due  ->  cluster, track  ->  write, report
 *                                              waiting            found
 *
 * A frame travels in a slot. There are as many slots as all stages and queues can hold; a slot that was written goes
 * back to `unused`. So memory does not grow, and a slot's memory is reused. With --stages 2, the main thread also
 * clusters; with --stages 1 it does everything. With --serve, another thread may keep one slot for a while.
 *
 *     commands/cmd_play.c   the command line
 *     play_slot.c           memory of a slot
 *     queue.c               slots between two threads
 *     play_run.c            stages and threads
 *     check_pcl.c           --check-pcl: are the clusters those of PCL?
 *     cluster/drive.c       --track and --poses: identities, and where the sensor was
 *     play_record.c         what outputs have in common: a frame as messages
 *     play_write.c          outputs
 *     play_ros.c            topics of ROS 2, read and published
 *     play_view.c           frames for the viewer: the page of -o, and --serve
 *     play_serve.c          --serve: the frames live in a browser, and in Foxglove
 *     play_wire.c           frames of a sensor that sends: when they were due, the deadline
 *     play_status.c         the line on a terminal
 *     latency.c             distributions of times; latency_chart.c: as a picture
 *     play_report.c         the summary
 *
 * Words of the room: a frame is `due` when it was complete in the recording, at the speed of the replay. Its `latency`
 * is the time from then to its clusters. The `deadline` is the longest latency that counts as in time.
 */
#ifndef CLUMP_CLI_PLAY_H
#define CLUMP_CLI_PLAY_H

#include "base/cli.h"
#include "base/pace.h"
#include "cluster/cluster.h"
#include "cluster/drive.h"
#include "cluster/objects.h"
#include "cluster/plan.h"
#include "files/source.h"
#include "files/view_write.h"
#include "play/latency.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* --- queue.c: a queue of pointers between two threads, with a bound. Memory is allocated once ------- */

typedef struct cli_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void **items; /* a ring */
    size_t capacity, first, count;
    bool ended;
} cli_queue;

/* Makes a queue of at most `capacity` items, at least 1. False: no memory. cli_queue_release() follows in any case. */
bool cli_queue_begin(cli_queue *queue, size_t capacity);
void cli_queue_release(cli_queue *queue);

/* Appends an item. Waits while the queue is full. False: the queue has been ended, and the item was not taken. */
bool cli_queue_push(cli_queue *queue, void *item);

/* Appends an item and never waits. Where the queue is full, takes the oldest item out and returns it; else null. An
 * ended queue returns the item itself. */
void *cli_queue_push_newest(cli_queue *queue, void *item);

/* Takes the oldest item. Waits while the queue is empty. Null: the queue is empty and has been ended. */
void *cli_queue_pop(cli_queue *queue);

/* No item is accepted any more. Those in the queue can still be taken. */
void cli_queue_end(cli_queue *queue);

/* --- check_pcl.c: --check-pcl: are the clusters of a frame those of PCL?
 *
 * PCL is a module that is loaded when it is asked for: the rival of the bench (rivals/pcl_best.cpp), which is built
 * where PCL is installed. The program itself does not depend on PCL. */

typedef struct cli_check_pcl cli_check_pcl;

/* Loads PCL. The options are those of the job: Euclidean clustering in three dimensions, of all points in the region, which
 * is borrowed. Returns CLI_DONE, or prints why not and returns the exit status. */
int cli_check_pcl_open(const cli_command *self, const clump_detect_options *options, const cli_region *region,
                       cli_check_pcl **out);
void cli_check_pcl_close(cli_check_pcl *check); /* check may be null */

/* Clusters the points that take part with PCL, and compares. labels are those of clump. Returns CLI_DONE, also where they
 * differ; without memory, or where PCL fails, prints that and returns CLI_FAILED. */
int cli_check_pcl_frame(cli_check_pcl *check, const clump_cloud *cloud, const int32_t *labels);

/* What was found. */
typedef struct cli_check_pcl_result {
    size_t frames, equal;
    double seconds;       /* that PCL took for the clustering alone */
    const char *version;  /* "PCL 1.13.0" */
    char difference[160]; /* the first: "frame 3: point 17 is in cluster 4, with PCL in cluster 5"; "" without one */
} cli_check_pcl_result;
cli_check_pcl_result cli_check_pcl_sum_up(const cli_check_pcl *check);

/* --- all files -------------------------------------------------------------------------------------- */

/* Options of ROS 2. */
typedef struct cli_play_ros {
    size_t domain;         /* CLI_UNSET: not given */
    const char *ros, *qos; /* null: not given */
    bool local, publish;
} cli_play_ros;

typedef struct cli_play_settings {
    cli_source_settings source;
    double rate;
    bool flat_out;
    const char *drop; /* null: by default, see cmd_play.c */
    size_t queue, stages;
    double deadline; /* milliseconds; negative: the period of the topic */
    const char *output, *to, *chart, *serve;
    size_t max_points; /* of -o PAGE.html; CLI_UNSET: not given */
    cli_drive_settings drive;
    cli_play_ros ros;
    bool overwrite, json, json_lines, quiet, check_pcl;
} cli_play_settings;

/* A frame on its way. Times are nanoseconds of the monotonic clock. */
typedef struct cli_play_slot {
    clump_frame frame;
    uint64_t number;       /* of frames that were read, from 0 */
    size_t turn;           /* of --loop */
    int64_t recorded;      /* stamp of the frame in the recording; that of the frame goes on in each turn */
    double frame_pose[12]; /* of the sensor, with poses: takes coordinates of the frame to the ground */
    bool has_pose;
    int64_t due;         /* when the frame was complete, by the schedule */
    int64_t decode_time; /* duration */
    int64_t released;    /* when it joined the queue */
    int64_t taken;       /* when clustering began, */
    int64_t ready;       /* and when it ended */
    clump_points points; /* of the cloud, or their copy in pinned memory */
    float *pinned;       /* null: not in use */
    size_t pinned_room;  /* points */
    int32_t *labels;
    size_t label_room; /* points */
    cli_boxes boxes;
    cli_rings rings;       /* of clump_objects */
    cli_by_class by_class; /* of --classes; the table is that of the play */
    clump_stats stats;     /* of the clustering */
    int32_t count;         /* of clusters */
    clump_track *tracks;
    clump_memory_box *wholes; /* with a memory: the unions of views */
    uint64_t *ids;            /* of tracks; for the recorder */
    float (*velocities)[3];
    size_t track_room;        /* clusters */
    uint32_t *point_tracks;   /* one per point, 0: none; for --track with -o */
    uint8_t *point_moves;     /* one per point, 1: it moves; with poses */
    size_t point_track_room;  /* points */
    view_trail_place *trails; /* for a page or --serve, and so the next five */
    size_t trail_count, trail_room;
    uint8_t *colours; /* one per cluster, */
    bool has_colours; /* with tracks */
    size_t colour_room;
    clump_status status; /* of the clustering */
    clump_message why;
} cli_play_slot;

enum { CLI_PLAY_WAIT, CLI_PLAY_DECODE, CLI_PLAY_CLUSTER, CLI_PLAY_TOTAL, CLI_PLAY_WRITE, CLI_PLAY_STAGES };
extern const char *const cli_play_stage_names[CLI_PLAY_STAGES];

enum { CLI_PLAY_STEPS = 3 };    /* frames of a sensor whose median step is the deadline */
enum { CLI_PLAY_RECENT = 128 }; /* frames that the status line looks at */

/* What the thread that writes has counted. */
typedef struct cli_play_result {
    uint64_t frames, points, clusters, missed, dropped, failed; /* failed: frames that could not be clustered */
    int32_t fewest, most;                                       /* clusters of a frame */
    uint64_t labels_hash;                                       /* of all frames */
    uint64_t tracks;                                            /* identities that were given */
    uint64_t moving;                                            /* clusters that were judged to move */
    uint64_t parts, merged;                                     /* clusters that the memory has made */
    cli_oversize oversize;                                      /* of --classes */
    cli_ring_doubts ring_doubts;                                /* of objects */
    int64_t begun, ended;                                       /* nanoseconds of the monotonic clock */
    int64_t first, last; /* time when the first and the last frame were received */
    cli_latency latency[CLI_PLAY_STAGES];
    cli_course course;
    double recent[CLI_PLAY_RECENT]; /* latencies of the last frames, a ring */
    int64_t recent_at[CLI_PLAY_RECENT];
} cli_play_result;

typedef struct cli_play_serve cli_play_serve;

/* What the viewer needs of all frames. */
typedef struct cli_play_view {
    bool wanted; /* there is a page or a server */
    char *title, *labelling, *command;
    cli_view_writing out; /* of -o PAGE.html */
    bool ended;
    view_trails trails;
} cli_play_view;

typedef struct cli_play {
    const cli_command *self;
    const cli_command *job_command;
    const cli_play_settings *s;
    const char *name; /* of the first recording */
    cli_plan plan;
    bool drops;      /* the oldest frame that waits is dropped when the queue is full */
    double deadline; /* milliseconds; NaN: none */
    int64_t period;  /* of the topic; 0: not known */
    clump_context_options context_options;
    clump_context *context;        /* of the cluster stage */
    clump_context *memory_context; /* of the decode stage, for pinned memory; null: ordinary memory */
    cli_drive drive;               /* of the cluster stage */
    cli_by_class by_class;         /* the table of --classes */

    bool wire; /* a sensor sends: `received` of a frame is a time of this machine */
    int64_t
        wire_last; /* of the thread that writes: `received` of the last frame, and the steps between frames, sorted */
    int64_t wire_step[CLI_PLAY_STEPS];
    size_t wire_steps;
    clump_frame warm;  /* the first frame, for warm_up() */
    cli_source source; /* of the decode stage */
    cli_pace pace;     /* of the decode stage, and so the next three */
    uint64_t read;     /* frames */
    int64_t first;     /* time when the first frame was received */
    uint64_t shift;    /* of the times of this turn of --loop */
    clump_status source_status;

    cli_play_slot *slots;
    size_t slot_count;
    cli_queue unused, waiting, found;
    atomic_bool cancelled; /* a stage has failed: the others end */
    atomic_uint_fast64_t dropped;

    cli_folder folder; /* -o FOLDER, where path is set */
    clump_recorder *recorder;
    clump_recorder *publisher; /* in ROS 2; null: not asked for */
    char *ros_source;          /* the name of a topic with its settings */
    uint64_t published;        /* frames */
    bool line_drawn;           /* the status line is on the terminal */
    int64_t drawn;             /* when */
    cli_check_pcl *check_pcl;  /* null: not asked for */
    cli_play_view view;        /* of the thread that writes */
    cli_play_serve *serve;     /* null: not asked for */
    cli_play_result result;
} cli_play;

/* --- play_slot.c ------------------------------------------------------------------------------------ */

/* Make room for the points of the frame; labels too. False: no memory. */
bool cli_play_slot_points(cli_play *play, cli_play_slot *slot);
bool cli_play_slot_tracks(cli_play_slot *slot);       /* for the clusters of the frame */
bool cli_play_slot_point_tracks(cli_play_slot *slot); /* and fills them from the labels */
void cli_play_slot_release(cli_play *play, cli_play_slot *slot);

/* --- play_run.c -------------------------------------------------------------------------------------- */

/* Runs all stages to the end, or until a signal. Returns the exit status; a failure has been said. */
int cli_play_run(cli_play *play);

/* --- play_record.c ------------------------------------------------------------------------------------- */

bool cli_play_writes_page(const cli_play_settings *s);    /* whether -o names a page */
void cli_play_put_job(cli_json *j, const cli_play *play); /* keys "job" and "parameters" */
clump_up cli_play_up(const cli_play *play);               /* the axis of the job */
/* Gives the cloud the field "track": the identity of each point's object, 0 for none; with poses the field "moving": 1 or 0. */
clump_status cli_play_set_tracks(const cli_play *play, cli_play_slot *slot, clump_message *message);
/* Gives the frame to a recorder: cloud, markers, detections, and with a pose the transform. The cloud gets the fields of
 * tracks. */
clump_status cli_play_record(const cli_play *play, cli_play_slot *slot, clump_recorder *to, clump_message *message);

/* --- play_write.c ------------------------------------------------------------------------------------ */

int cli_play_write_begin(cli_play *play);
int cli_play_write(cli_play *play, cli_play_slot *slot); /* one frame to all outputs */
int cli_play_write_end(cli_play *play, bool keep);       /* closes them; keep false: they disappear */

/* Prints one frame as a line of JSON. */
void cli_play_put_line(FILE *to, const cli_play *play, const cli_play_slot *slot);

/* --- play_ros.c ---------------------------------------------------------------------------------------- */

/* Checks the options. Where the recording is a topic of ROS 2, or --publish was given, joins: paths[0] gets the settings of the
 * options. The functions return CLI_DONE, or print what is wrong and return the exit status. */
int cli_play_ros_begin(cli_play *play, const char **paths, size_t count);
int cli_play_ros_publish(cli_play *play, cli_play_slot *slot); /* what a recording of the frame would have */
void cli_play_ros_end(cli_play *play);

/* --- play_view.c ------------------------------------------------------------------------------------- */

/* A slot as the viewer shows it. Pointers of the frame are borrowed from the slot. */
typedef struct cli_play_shown {
    view_frame frame;
    char *name, *facts;
} cli_play_shown;

/* Begins the page of -o, and what --serve needs. argv: what comes after "clump play". The functions return CLI_DONE, or print
 * what is wrong and return CLI_FAILED. */
int cli_play_view_begin(cli_play *play, int argc, char **argv);
int cli_play_view_frame(cli_play *play, cli_play_slot *slot); /* the trails of the slot, and a frame of the page */
int cli_play_view_end(cli_play *play, bool keep);             /* completes the page; keep false: it disappears */
void cli_play_view_release(cli_play *play);

/* Fills `shown`. CLI_FAILED: no memory, which has not been said. cli_play_shown_release() follows in both cases. */
int cli_play_view_fill(const cli_play *play, const cli_play_slot *slot, bool live, cli_play_shown *shown);
void cli_play_shown_release(cli_play_shown *shown);

/* --- play_wire.c --------------------------------------------------------------------------------------- */

bool cli_play_writes_packets(const cli_play_settings *s); /* whether -o names a capture */
int64_t cli_play_wire_due(const cli_play *play, const cli_play_slot *slot, int64_t now);
/* Takes a frame into account: where no deadline is given, the step between frames is found. Of the thread that writes. */
void cli_play_wire_deadline(cli_play *play, const cli_play_slot *slot);
void cli_play_wire_report(FILE *to, const cli_play *play); /* nothing where no sensor sends */
void cli_play_wire_json(cli_json *j, const cli_play *play);

/* --- play_status.c, play_report.c ---------------------------------------------------------------------- */

void cli_play_draw_status(cli_play *play); /* at most some times per second */
void cli_play_wipe_status(cli_play *play);

void cli_play_report_text(FILE *to, const cli_play *play, const clump_recording_losses *lost);
void cli_play_report_json(FILE *to, const cli_play *play, const clump_recording_losses *lost);

/* --- play_serve.c: --serve of `clump play`: the frames live in a browser and in Foxglove -------------- */

typedef struct cli_play_address {
    char address[64]; /* numeric */
    uint16_t port;    /* 0: any free one */
} cli_play_address;

/* Reads [ADDR:]PORT. Returns CLI_DONE, or prints what is wrong and returns CLI_USAGE. */
int cli_play_serve_check(const cli_command *self, const char *text, cli_play_address *out);

/* Opens the server and prints its address on standard error. Returns CLI_DONE, or prints what is wrong and returns
 * CLI_FAILED. */
int cli_play_serve_begin(cli_play *play, const cli_play_address *at);

/* Takes a slot that was written, where a client is there and the last frame has been sent; the slot goes back to `unused`
 * by itself. False: the slot stays the caller's. Never waits. */
bool cli_play_serve_take(cli_play *play, cli_play_slot *slot);

void cli_play_serve_drain(cli_play *play);             /* after it no slot is in use; the server goes on */
uint64_t cli_play_serve_shown(const cli_play *play);   /* frames; after cli_play_serve_drain() */
uint64_t cli_play_serve_skipped(const cli_play *play); /* frames that clients of Foxglove were too slow for */

/* Tells the pages that the play has ended, and closes. Without --serve it does nothing. */
void cli_play_serve_end(cli_play *play);

#endif
