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
 *     play_write.c          outputs
 *     play_serve.c          --serve: the frames live in a browser
 *     play_status.c         the line on a terminal
 *     latency.c             distributions of times; latency_chart.c: as a picture
 *     play_report.c         the summary
 *
 * Words of the room: a frame is `due` when it was complete in the recording, at the speed of the replay. Its `latency`
 * is the time from then to its clusters. The `deadline` is the longest latency that counts as in time.
 */
#ifndef CLUMP_CLI_PLAY_H
#define CLUMP_CLI_PLAY_H

#include "cluster/boxes.h"
#include "play/check_pcl.h"
#include "files/folder.h"
#include "play/latency.h"
#include "base/pace.h"
#include "cluster/plan.h"
#include "play/queue.h"
#include "cluster/rings.h"
#include "files/source.h"

#include <clump/track.h>

#include <pthread.h>
#include <stdatomic.h>

typedef struct cli_play_settings {
    cli_source_settings source;
    double rate;
    bool flat_out;
    const char *drop; /* null: by default, see cmd_play.c */
    size_t queue, stages;
    double deadline; /* milliseconds; negative: the period of the topic */
    const char *output, *to, *chart, *serve;
    bool overwrite, json, json_lines, quiet, track, check_pcl;
    double gate; /* of --track; negative: not given */
} cli_play_settings;

/* A frame on its way. Times are nanoseconds of the monotonic clock. */
typedef struct cli_play_slot {
    clump_frame frame;
    uint64_t number;     /* of frames that were read, from 0 */
    size_t turn;         /* of --loop */
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
    cli_rings rings; /* of clump_objects */
    int32_t count;   /* of clusters */
    clump_track *tracks;
    uint64_t *ids; /* of tracks; for the recorder */
    float (*velocities)[3];
    size_t track_room;       /* clusters */
    uint32_t *point_tracks;  /* one per point, 0: none; for --track with -o */
    size_t point_track_room; /* points */
    clump_status status;     /* of the clustering */
    clump_message why;
} cli_play_slot;

enum { CLI_PLAY_WAIT, CLI_PLAY_DECODE, CLI_PLAY_CLUSTER, CLI_PLAY_TOTAL, CLI_PLAY_WRITE, CLI_PLAY_STAGES };
extern const char *const cli_play_stage_names[CLI_PLAY_STAGES];

enum { CLI_PLAY_RECENT = 128 }; /* frames that the status line looks at */

/* What the thread that writes has counted. */
typedef struct cli_play_result {
    uint64_t frames, points, clusters, missed, dropped, failed; /* failed: frames that could not be clustered */
    int32_t fewest, most;                                       /* clusters of a frame */
    uint64_t labels_hash;                                       /* of all frames */
    uint64_t tracks;                                            /* identities that were given */
    int64_t begun, ended;                                       /* nanoseconds of the monotonic clock */
    int64_t first, last; /* time when the first and the last frame were received */
    cli_latency latency[CLI_PLAY_STAGES];
    cli_course course;
    double recent[CLI_PLAY_RECENT]; /* latencies of the last frames, a ring */
    int64_t recent_at[CLI_PLAY_RECENT];
} cli_play_result;

typedef struct cli_play_serve cli_play_serve;

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
    clump_tracker *tracker;
    size_t tracked_turn; /* of --loop: that of the last frame that was tracked */

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
    bool line_drawn;          /* the status line is on the terminal */
    int64_t drawn;            /* when */
    cli_check_pcl *check_pcl; /* null: not asked for */
    cli_play_serve *serve;    /* null: not asked for */
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

/* --- play_write.c ------------------------------------------------------------------------------------ */

int cli_play_write_begin(cli_play *play);
int cli_play_write(cli_play *play, cli_play_slot *slot); /* one frame to all outputs */
int cli_play_write_end(cli_play *play, bool keep);       /* closes them; keep false: they disappear */

/* Prints one frame as a line of JSON. */
void cli_play_put_line(FILE *to, const cli_play *play, const cli_play_slot *slot);

/* --- play_status.c, play_report.c ---------------------------------------------------------------------- */

void cli_play_draw_status(cli_play *play); /* at most some times per second */
void cli_play_wipe_status(cli_play *play);

void cli_play_put_job(cli_json *j, const cli_play *play); /* keys "job" and "parameters" */
void cli_play_report_text(FILE *to, const cli_play *play, const clump_recording_losses *lost);
void cli_play_report_json(FILE *to, const cli_play *play, const clump_recording_losses *lost);

#endif
