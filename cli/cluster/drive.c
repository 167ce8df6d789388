/* SPDX-License-Identifier: BSD-3-Clause
 *
 * drive.c: see drive.h.
 */
#include "cluster/drive.h"

#include "common/assert.h"

#include <inttypes.h>
#include <string.h>

#define DRIVE_MEMORY   UINT64_C(1000000000) /* motion is judged by the places of a second (clump/track.h) */
#define DRIVE_TIME_GAP UINT64_C(20000000)   /* a pose belongs to a frame if it is at most 20 ms away */

int cli_drive_check(const cli_command *self, const cli_drive_settings *s)
{
    if (s->gate >= 0 && !s->track) return cli_usage(self, "--gate is for --track");
    if (s->poses && !s->track) return cli_usage(self, "--poses is for --track");
    if (s->no_memory && !s->track) return cli_usage(self, "--no-memory is for --track");
    return s->gate == 0 ? cli_usage(self, "--gate must be greater than 0") : CLI_DONE;
}

/* --- poses with times --------------------------------------------------------------------------------- */

static uint64_t gap_between(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* Returns the pose of the nearest time, the earlier of two; null: none is near. */
static const double *pose_at(const clump_poses *poses, int64_t time)
{
    size_t first = 0, last = poses->count; /* the first pose that is not before the time */
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (poses->times[middle] < time)
            first = middle + 1;
        else
            last = middle;
    }
    const bool earlier = first == poses->count || (first > 0 && gap_between(poses->times[first - 1], time) <=
                                                                    gap_between(poses->times[first], time));
    const size_t nearest = earlier ? first - 1 : first;
    return gap_between(poses->times[nearest], time) <= DRIVE_TIME_GAP ? poses->matrices[nearest] : NULL;
}

/* --- where poses come from ----------------------------------------------------------------------------- */

/* Reads the transforms of another recording: those of the coordinate frame of the clouds. */
static clump_status load_transforms(cli_drive *drive, const char *path, const clump_frame *first,
                                    clump_message *message)
{
    clump_recording *recording;
    clump_status status = clump_recording_open(path, NULL, &recording, message);
    if (status != CLUMP_OK) return status;
    status = clump_recording_poses(recording, first->frame_id[0] ? first->frame_id : NULL, &drive->poses, message);
    clump_recording_close(recording);
    return status;
}

/* Returns the frames of the topic that is read, if the recording has transforms, too; else 0. */
static uint64_t frames_with_transforms(const cli_source *source)
{
    const clump_recording_format kind = clump_recording_kind(source->recording);
    if (kind != CLUMP_RECORDING_BAG && kind != CLUMP_RECORDING_SQLITE && kind != CLUMP_RECORDING_MCAP) return 0;
    const clump_topic *topics = NULL;
    size_t count = 0;
    if (clump_recording_topics(source->recording, &topics, &count, NULL) != CLUMP_OK) return 0;
    const char *const read = clump_recording_topic(source->recording);
    bool transforms = false;
    uint64_t frames = 0;
    for (size_t i = 0; i < count; i++) {
        if (topics[i].type && strstr(topics[i].type, "/TFMessage") && topics[i].messages > 0) transforms = true;
        if (read && strcmp(topics[i].name, read) == 0) frames = topics[i].frames;
    }
    return transforms ? frames : 0;
}

static bool all_equal(const clump_poses *poses)
{
    for (size_t i = 1; i < poses->count; i++)
        if (memcmp(poses->matrices[i], poses->matrices[0], sizeof poses->matrices[0]) != 0) return false;
    return true;
}

/* Takes the transforms of the recording itself, where they cover its frames: as many as frames or more, one near the first
 * frame. Equal ones say how the sensor is mounted, not where it was. */
static bool take_own_transforms(cli_drive *drive, const cli_source *source, const clump_frame *first)
{
    const uint64_t frames = frames_with_transforms(source);
    if (frames < 2 || !first->frame_id[0]) return false;
    if (clump_recording_poses(source->recording, first->frame_id, &drive->poses, NULL) != CLUMP_OK) return false;
    if (drive->poses.count >= frames && pose_at(&drive->poses, first->stamp) && !all_equal(&drive->poses)) return true;
    clump_poses_free(&drive->poses);
    drive->poses = (clump_poses){0};
    return false;
}

static int begin_odometry(cli_drive *drive, clump_context *context)
{
    drive->from = "odometry";
    const clump_status made = clump_odometry_create(context, NULL, &drive->odometry);
    return made == CLUMP_OK ? CLI_DONE : cli_fail_context(context, made);
}

static int begin_poses(cli_drive *drive, const cli_command *self, clump_context *context, const cli_source *source,
                       const clump_frame *first)
{
    const char *const path = drive->s->poses;
    if (path && strcmp(path, "none") == 0) return CLI_DONE;
    drive->over_ground = true;
    if (!path && take_own_transforms(drive, source, first)) return drive->from = "transforms", CLI_DONE;
    if (!path || strcmp(path, "odometry") == 0) return begin_odometry(drive, context);
    drive->from = path;
    clump_message message = {0};
    const clump_status status = cli_names_recording(path) ? load_transforms(drive, path, first, &message)
                                                          : clump_poses_load(path, &drive->poses, &message);
    if (status != CLUMP_OK) return cli_fail_message(path, status, &message);
    if (!drive->poses.times && source->settings->from > 0)
        return cli_usage(self, "--poses %s has no times: it goes with all frames, not with --from", path);
    return CLI_DONE;
}

int cli_drive_begin(cli_drive *drive, const cli_command *self, const cli_drive_settings *s, clump_context *context,
                    clump_up up, const cli_source *source, const clump_frame *first)
{
    *drive = (cli_drive){.s = s, .last = INT64_MIN};
    if (!s->track) return CLI_DONE;
    CLI_TRY(begin_poses(drive, self, context, source, first));
    clump_tracker_options options = clump_tracker_defaults();
    options.up = up;
    if (s->gate > 0) options.gate = s->gate;
    const clump_status status = clump_tracker_create(context, &options, &drive->tracker);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_context(context, status);
}

/* --- frames -------------------------------------------------------------------------------------------- */

/* Finds the pose by the points of the frame, which are relative to the origin of the cloud. A time that is not later than the one
 * before begins anew, as in the tracker. */
static clump_status find_by_odometry(cli_drive *drive, clump_context *context, cli_drive_frame *f)
{
    clump_odometry_pose found;
    const float *times;
    const clump_cloud *const cloud = f->frame->cloud;
    if (f->frame->stamp <= drive->last) {
        clump_odometry_reset(drive->odometry);
        drive->was_lost = false;
    }
    drive->last = f->frame->stamp;
    clump_status status = cli_point_times_read(&drive->times, cloud, f->recorded, NULL, &times);
    if (status != CLUMP_OK) return status;
    status = clump_odometry_push(context, drive->odometry, f->frame->stamp, clump_cloud_points(cloud), times, &found);
    if (status != CLUMP_OK) return status;
    if (found.why && drive->lost++ == 0) drive->why = found.why;
    if (found.why) drive->was_lost = true, drive->lost_at = f->frame->stamp;
    const double *const origin = clump_cloud_origin(cloud);
    memcpy(f->pose, found.transform, sizeof f->pose); /* the first three rows */
    memcpy(f->frame_pose, f->pose, sizeof f->frame_pose);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) f->frame_pose[4 * i + 3] -= f->pose[4 * i + j] * origin[j];
    f->has_pose = true;
    return CLUMP_OK;
}

static clump_status find_pose(cli_drive *drive, clump_context *context, cli_drive_frame *f, clump_message *why)
{
    f->has_pose = false;
    if (!drive->over_ground) return CLUMP_OK;
    if (drive->odometry) return find_by_odometry(drive, context, f);
    const clump_poses *const poses = &drive->poses;
    CLUMP_ASSERT(poses->count > 0);
    const double *const pose = poses->times                     ? pose_at(poses, f->recorded)
                               : f->frame->index < poses->count ? poses->matrices[f->frame->index]
                                                                : NULL;
    const char *const from = drive->s->poses ? drive->s->poses : "the recording";
    if (!pose && poses->times)
        snprintf(why->text, sizeof why->text, "%s has no pose within 0.02 s of it", from);
    else if (!pose)
        snprintf(why->text, sizeof why->text, "%s has %zu poses", from, poses->count);
    if (!pose) return CLUMP_ERR_ARGUMENT;
    memcpy(f->pose, pose, sizeof f->pose);
    memcpy(f->frame_pose, pose, sizeof f->frame_pose);
    const double *const origin = clump_cloud_origin(f->frame->cloud); /* that clusters are relative to */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) f->pose[4 * i + 3] += pose[4 * i + j] * origin[j];
    f->has_pose = true;
    return CLUMP_OK;
}

clump_status cli_drive_use_memory(cli_drive *drive, clump_context *context, clump_up up)
{
    return drive->over_ground ? clump_memory_create(context, up, &drive->memory) : CLUMP_OK;
}

/* Corrects labels and boxes by earlier frames. */
static clump_status correct_clusters(const cli_drive *drive, clump_context *context, cli_drive_frame *f)
{
    cli_boxes *const b = f->boxes;
    for (;;) {
        int32_t count = f->count;
        const clump_status status =
            clump_memory_correct(context, drive->memory, f->frame->stamp, f->pose, f->points, &f->describe, f->labels,
                                 b->clusters, b->found, b->capacity, &count);
        if (status != CLUMP_OK) return status;
        f->clusters = b->clusters;
        if (count <= b->capacity) return f->count = count, CLUMP_OK;
        if (!cli_boxes_reserve(b, count + count / 8)) return CLUMP_ERR_OUT_OF_MEMORY;
    }
}

clump_status cli_drive_correct(cli_drive *drive, clump_context *context, cli_drive_frame *f, clump_message *why)
{
    CLUMP_ASSERT(drive->tracker && f->count >= 0);
    if (f->turn != drive->turn) {
        clump_tracker_reset(drive->tracker);
        drive->was_lost = false;
        clump_odometry_reset(drive->odometry);
        clump_memory_reset(drive->memory);
    }
    drive->turn = f->turn;
    const clump_status status = find_pose(drive, context, f, why);
    if (status != CLUMP_OK) return status;
    drive->frames++;
    return drive->memory && f->boxes ? correct_clusters(drive, context, f) : CLUMP_OK;
}

/* Forgets what moves in frames whose evidence has a lost pose: the motion of the sensor would be that of all objects. */
static void forget_motion(cli_drive *drive, cli_drive_frame *f)
{
    if (!drive->was_lost || gap_between(f->frame->stamp, drive->lost_at) > DRIVE_MEMORY) return;
    drive->unjudged++;
    for (int32_t i = 0; i < f->count; i++) {
        clump_track *const track = &f->tracks[i];
        track->motion = CLUMP_TRACK_UNKNOWN;
        track->confidence = track->speed = 0;
        memset(track->velocity, 0, sizeof track->velocity);
    }
}

clump_status cli_drive_track(cli_drive *drive, clump_context *context, cli_drive_frame *f)
{
    const clump_status status = clump_tracker_update_at(context, drive->tracker, f->frame->stamp,
                                                        f->has_pose ? f->pose : NULL, f->clusters, f->count, f->tracks);
    if (status != CLUMP_OK) return status;
    forget_motion(drive, f);
    if (!drive->memory || !f->boxes) return CLUMP_OK;
    return clump_memory_remember(context, drive->memory, f->frame->stamp, f->pose, f->clusters, f->boxes->found,
                                 f->tracks, f->count, f->wholes);
}

clump_status cli_drive_next(cli_drive *drive, clump_context *context, cli_drive_frame *f, clump_message *why)
{
    const clump_status status = cli_drive_correct(drive, context, f, why);
    return status == CLUMP_OK ? cli_drive_track(drive, context, f) : status;
}

void cli_drive_report(FILE *to, const cli_drive *drive)
{
    if (!drive->from) return;
    if (!drive->odometry)
        fprintf(to, "poses     %s\n", drive->s->poses ? drive->from : "transforms of the recording");
    else
        fprintf(to, "poses     by odometry; %" PRIu64 " of %" PRIu64 " frame%s lost%s%s\n", drive->lost, drive->frames,
                drive->frames == 1 ? "" : "s", drive->why ? ", the first: " : "", drive->why ? drive->why : "");
    if (drive->unjudged > 0)
        fprintf(to, "motion    not known in %" PRIu64 " frame%s: poses within a second before are lost\n",
                drive->unjudged, drive->unjudged == 1 ? "" : "s");
}

void cli_drive_put(cli_json *j, const cli_drive *drive)
{
    cli_json_text(j, "poses", drive->from);
    if (drive->odometry)
        cli_json_count(j, "lost_poses", drive->lost);
    else
        cli_json_null(j, "lost_poses");
    if (drive->unjudged > 0) cli_json_count(j, "motion_unknown", drive->unjudged);
}

void cli_drive_end(cli_drive *drive)
{
    clump_tracker_destroy(drive->tracker);
    clump_memory_destroy(drive->memory);
    clump_odometry_destroy(drive->odometry);
    clump_poses_free(&drive->poses);
    cli_point_times_release(&drive->times);
    *drive = (cli_drive){0};
}
