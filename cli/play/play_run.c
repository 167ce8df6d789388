/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_run.c: the stages of `clump play` and their threads. See play.h.
 *
 * A frame is decoded before it is due, because its time is not known earlier. It is released at its due time plus the
 * time that decoding took: as if decoding had begun when the frame was complete.
 *
 * Of a live recording, the time that decoding took is what the thread has computed: it waits for packets, too.
 */
#include "play/play.h"

#include "common/assert.h"

#include "base/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAY_FOUND = 2 }; /* frames that may wait for the thread that writes */
enum { PLAY_FIRST_BOXES = 1024 };

/* --- decode ------------------------------------------------------------------------------------------- */

/* The times of a frame go on in each turn of --loop: outputs never go backwards. The sums are unsigned: the times of a
 * damaged recording can be any number. */
static void shift_times(cli_play *play, cli_play_slot *slot)
{
    slot->turn = play->source.turn;
    slot->recorded = slot->frame.stamp;
    if (slot->number == 0) play->first = slot->frame.received;
    if (play->source.rewound)
        play->shift = (uint64_t)play->first + (uint64_t)play->pace.elapsed - (uint64_t)slot->frame.received;
    slot->frame.received = (int64_t)((uint64_t)slot->frame.received + play->shift);
    slot->frame.stamp = (int64_t)((uint64_t)slot->frame.stamp + play->shift);
}

/* Returns when the frame was due. Its decoding began at `begun` and ended now. */
static int64_t find_due(cli_play *play, const cli_play_slot *slot, int64_t begun, int64_t now)
{
    cli_pace *const pace = &play->pace;
    if (play->source.rewound) cli_pace_rewind(pace);
    const int64_t due = cli_pace_due(pace, slot->frame.received, now);
    if (!play->source.live) return play->s->flat_out ? begun : due;
    if (play->wire) return cli_play_wire_due(play, slot, now);
    const int64_t came = now - slot->decode_time, waited = came - begun;
    /* A frame that was waited for comes from a sensor, not from a file: it is due when it comes. */
    const bool sensor = 2.0 * (double)waited * pace->rate > (double)pace->period;
    if (sensor) cli_pace_restart(pace, came);
    return sensor || play->s->flat_out ? came : due;
}

/* Reads the next frame into the slot and waits until it is due. False: there is no more. */
static bool decode_frame(cli_play *play, cli_play_slot *slot)
{
    const int64_t begun = cli_pace_now(), worked = cli_pace_worked();
    if (cli_stop_asked() || !cli_source_next(&play->source, &slot->frame, &play->source_status)) return false;
    if (!cli_play_slot_points(play, slot)) return play->source_status = CLUMP_ERR_OUT_OF_MEMORY, false;
    const int64_t now = cli_pace_now();
    slot->number = play->read++;
    slot->decode_time = play->source.live ? cli_pace_worked() - worked : now - begun;
    slot->due = find_due(play, slot, begun, now);
    shift_times(play, slot);
    return play->s->flat_out || play->wire || cli_pace_wait(slot->due + slot->decode_time, &play->cancelled);
}

static void drop_frame(cli_play *play, cli_play_slot *slot)
{
    atomic_fetch_add(&play->dropped, 1);
    cli_queue_push(&play->unused, slot);
}

static void *decode_all(void *given)
{
    cli_play *const play = given;
    for (cli_play_slot *slot; !atomic_load(&play->cancelled) && (slot = cli_queue_pop(&play->unused));) {
        if (!decode_frame(play, slot)) break;
        if (play->drops) {
            cli_play_slot *const oldest = cli_queue_push_newest(&play->waiting, slot);
            if (oldest) drop_frame(play, oldest);
        } else if (!cli_queue_push(&play->waiting, slot)) {
            break;
        }
    }
    cli_queue_end(&play->waiting);
    return NULL;
}

/* --- cluster ------------------------------------------------------------------------------------------ */

/* Clusters the frame. Makes more room and calls again if there are more boxes than expected. */
static clump_status detect(cli_play *play, cli_play_slot *slot)
{
    CLUMP_ASSERT(slot->points.count == clump_cloud_points(slot->frame.cloud).count &&
                 slot->points.count <= slot->label_room);
    clump_detect_options options = cli_plan_options(&play->plan, clump_cloud_origin(slot->frame.cloud));
    if (play->plan.job.cuts_tree) {
        const clump_status status =
            cli_rings_read(&slot->rings, slot->frame.cloud, options.objects.neighbours, &slot->why);
        if (status != CLUMP_OK) return status;
        options.objects.rings = slot->rings.rings;
        options.objects.columns = slot->rings.columns;
    }
    const cli_cluster *const s = play->plan.settings;
    const clump_classes classes = {
        .of = slot->by_class.of, .rows = slot->by_class.table.rows, .count = slot->by_class.table.count};
    if (s->classes) options.common.classes = &classes;
    for (;;) {
        const int32_t room = slot->boxes.capacity;
        options.objects.found = slot->boxes.found;
        options.objects.found_capacity = slot->boxes.found ? room : 0;
        const clump_status status =
            clump_detect(play->context, slot->points, &options, slot->labels, slot->boxes.clusters, room, &slot->count);
        if (status != CLUMP_OK || slot->count <= room) return status;
        if (!cli_boxes_reserve(&slot->boxes, slot->count + slot->count / 8)) return CLUMP_ERR_OUT_OF_MEMORY;
    }
}

/* Returns how clump_detect describes the clusters of the frame. */
static clump_describe_options describe_options(const cli_play *play, const cli_play_slot *slot)
{
    const clump_detect_options options = cli_plan_options(&play->plan, clump_cloud_origin(slot->frame.cloud));
    clump_describe_options describe = options.describe;
    describe.up = options.ground.up;
    memcpy(describe.sensor, options.common.sensor, sizeof describe.sensor);
    return describe;
}

static clump_status track(cli_play *play, cli_play_slot *slot)
{
    CLUMP_ASSERT(slot->count >= 0 && slot->count <= slot->boxes.capacity);
    slot->has_pose = false;
    if (!play->drive.tracker) return CLUMP_OK;
    cli_drive_frame frame = {.frame = &slot->frame,
                             .recorded = slot->recorded,
                             .turn = slot->turn,
                             .clusters = slot->boxes.clusters,
                             .count = slot->count};
    if (play->drive.memory) {
        frame.points = slot->points;
        frame.labels = slot->labels;
        frame.boxes = &slot->boxes;
        frame.describe = describe_options(play, slot);
    }
    clump_status status = cli_drive_correct(&play->drive, play->context, &frame, &slot->why);
    if (status != CLUMP_OK) return status;
    slot->count = frame.count;
    if (!cli_play_slot_tracks(slot)) return CLUMP_ERR_OUT_OF_MEMORY;
    frame.tracks = slot->tracks;
    frame.wholes = slot->wholes;
    status = cli_drive_track(&play->drive, play->context, &frame);
    if (status != CLUMP_OK) return status;
    slot->has_pose = frame.has_pose;
    memcpy(slot->frame_pose, frame.frame_pose, sizeof slot->frame_pose);
    for (int32_t i = 0; i < slot->count; i++) {
        slot->ids[i] = slot->tracks[i].id;
        for (size_t k = 0; k < 3; k++) slot->velocities[i][k] = slot->tracks[i].velocity[k];
    }
    return CLUMP_OK;
}

static void cluster_frame(cli_play *play, cli_play_slot *slot)
{
    slot->taken = cli_pace_now();
    slot->why.text[0] = '\0';
    slot->status =
        cli_by_class_read(&slot->by_class, play->plan.settings, slot->frame.cloud, slot->frame.path, &slot->why);
    if (slot->status == CLUMP_OK) slot->status = detect(play, slot);
    if (slot->status == CLUMP_OK)
        slot->status = cli_by_class_find(&slot->by_class, play->context, slot->labels, slot->points.count, slot->count);
    slot->stats = clump_context_stats(play->context);
    if (slot->status == CLUMP_OK) slot->status = track(play, slot);
    if (slot->status == CLUMP_OK) {
        cli_boxes_turn(&slot->boxes, slot->count);
    } else if (!slot->why.text[0]) {
        const char *const why = clump_context_error(play->context);
        snprintf(slot->why.text, sizeof slot->why.text, "%s", why[0] ? why : clump_status_text(slot->status));
    }
    slot->ready = cli_pace_now();
}

static void *cluster_all(void *given)
{
    cli_play *const play = given;
    for (cli_play_slot *slot; (slot = cli_queue_pop(&play->waiting)) && !atomic_load(&play->cancelled);) {
        cluster_frame(play, slot);
        if (!cli_queue_push(&play->found, slot)) break;
    }
    cli_queue_end(&play->found);
    return NULL;
}

/* --- write -------------------------------------------------------------------------------------------- */

static void count_clusters(cli_play_result *r, const cli_play_slot *slot, bool has_memory)
{
    CLUMP_ASSERT(slot->status == CLUMP_OK && slot->count >= 0 && slot->count <= slot->boxes.capacity);
    if (r->frames == 0 || slot->count < r->fewest) r->fewest = slot->count;
    if (r->frames == 0 || slot->count > r->most) r->most = slot->count;
    if (r->frames == 0) r->first = slot->frame.received;
    r->last = slot->frame.received;
    r->clusters += (uint64_t)slot->count;
    r->points += slot->points.count;
    cli_oversize_add(&r->oversize, &slot->stats);
    cli_ring_doubts_add(&r->ring_doubts, &slot->stats);
    r->labels_hash = (r->labels_hash ^ clump_labels_hash(slot->labels, slot->points.count)) * UINT64_C(0x100000001b3);
    for (int32_t i = 0; slot->tracks && i < slot->count; i++) {
        if (slot->tracks[i].id > r->tracks) r->tracks = slot->tracks[i].id;
        r->moving += slot->tracks[i].motion == CLUMP_TRACK_MOVING;
        if (!slot->has_pose || !has_memory) continue;
        r->parts += slot->wholes[i].change == CLUMP_MEMORY_SPLIT;
        r->merged += slot->wholes[i].change == CLUMP_MEMORY_MERGED;
    }
}

static void count_times(cli_play *play, const cli_play_slot *slot)
{
    CLUMP_ASSERT(slot->taken <= slot->ready && slot->decode_time >= 0);
    cli_play_result *const r = &play->result;
    cli_play_wire_deadline(play, slot);
    const int64_t total = slot->ready - slot->due, clustering = slot->ready - slot->taken;
    const double ms = 1e-6 * (double)total;
    const bool missed = ms > play->deadline; /* false without a deadline, NaN */
    const uint64_t next = r->frames + r->dropped + r->failed;
    const uint64_t dropped = slot->number > next ? slot->number - next : 0;
    cli_latency_add(&r->latency[CLI_PLAY_WAIT], total - clustering - slot->decode_time);
    cli_latency_add(&r->latency[CLI_PLAY_DECODE], slot->decode_time);
    cli_latency_add(&r->latency[CLI_PLAY_CLUSTER], clustering);
    cli_latency_add(&r->latency[CLI_PLAY_TOTAL], total);
    cli_course_add(&r->course, 1e-9 * (double)(slot->due - r->begun), ms, missed, dropped);
    r->recent[r->frames % CLI_PLAY_RECENT] = ms;
    r->recent_at[r->frames % CLI_PLAY_RECENT] = slot->ready;
    r->missed += missed;
    r->dropped += dropped;
}

/* Counts and writes a frame. Returns the exit status. */
static int write_frame(cli_play *play, cli_play_slot *slot)
{
    cli_play_result *const r = &play->result;
    if (slot->status != CLUMP_OK) {
        if (r->failed++ == 0) {
            cli_play_wipe_status(play);
            cli_warn("%s: frame %llu: %s", play->name, (unsigned long long)slot->number, slot->why.text);
        }
        return CLI_DONE;
    }
    count_clusters(r, slot, play->drive.memory != NULL);
    count_times(play, slot);
    if (play->check_pcl) CLI_TRY(cli_check_pcl_frame(play->check_pcl, slot->frame.cloud, slot->labels));
    const int64_t begun = cli_pace_now();
    CLI_TRY(cli_play_write(play, slot));
    cli_latency_add(&r->latency[CLI_PLAY_WRITE], cli_pace_now() - begun);
    r->frames++;
    cli_play_draw_status(play);
    return CLI_DONE;
}

/* --- threads ------------------------------------------------------------------------------------------ */

/* Gives a slot that was written back, or to the thread that serves. */
static void leave_slot(cli_play *play, cli_play_slot *slot)
{
    if (!cli_play_serve_take(play, slot)) cli_queue_push(&play->unused, slot);
}

/* Everything by the calling thread. */
static int run_alone(cli_play *play)
{
    cli_play_slot *slot = cli_queue_pop(&play->unused);
    while (decode_frame(play, slot)) {
        /* More frames are due than may wait, so this one would have been dropped. */
        const double late = (double)(cli_pace_now() - slot->due - slot->decode_time) * play->s->rate;
        if (play->drops && play->period > 0 && late > (double)play->period * (double)play->s->queue) {
            atomic_fetch_add(&play->dropped, 1);
            continue;
        }
        cluster_frame(play, slot);
        CLI_TRY(write_frame(play, slot));
        if (cli_play_serve_take(play, slot)) slot = cli_queue_pop(&play->unused); /* the other one: it is free */
    }
    return CLI_DONE;
}

/* Decoding by another thread, the rest by the calling one. */
static int run_two(cli_play *play)
{
    for (cli_play_slot *slot; (slot = cli_queue_pop(&play->waiting));) {
        cluster_frame(play, slot);
        CLI_TRY(write_frame(play, slot));
        leave_slot(play, slot);
    }
    return CLI_DONE;
}

static int run_three(cli_play *play)
{
    for (cli_play_slot *slot; (slot = cli_queue_pop(&play->found));) {
        CLI_TRY(write_frame(play, slot));
        leave_slot(play, slot);
    }
    return CLI_DONE;
}

/* Ends the other threads: nothing more is accepted. */
static void cancel(cli_play *play)
{
    atomic_store(&play->cancelled, true);
    cli_queue_end(&play->unused);
    cli_queue_end(&play->waiting);
    cli_queue_end(&play->found);
}

static int run_stages(cli_play *play)
{
    static void *(*const stages[])(void *) = {decode_all, cluster_all};
    static int (*const rest[])(cli_play *) = {run_alone, run_two, run_three};
    CLUMP_ASSERT(play->s->stages >= 1 && play->s->stages <= 3);
    const size_t others = play->s->stages - 1;
    pthread_t threads[2];
    size_t started = 0;
    while (started < others && pthread_create(&threads[started], NULL, stages[started], play) == 0) started++;
    int status = started == others ? rest[others](play) : cli_fail("a thread could not be started");
    if (status != CLI_DONE) cancel(play);
    for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    return status;
}

/* --- begin and end -------------------------------------------------------------------------------------- */

static bool make_slots(cli_play *play)
{
    play->slot_count = play->s->stages == 1 ? 1 : play->s->queue + PLAY_FOUND + 3;
    if (play->serve) play->slot_count++;
    play->slots = calloc(play->slot_count, sizeof *play->slots);
    bool fine = cli_queue_begin(&play->unused, play->slot_count);
    fine = cli_queue_begin(&play->waiting, play->s->queue) && fine;
    fine = cli_queue_begin(&play->found, PLAY_FOUND) && fine && play->slots;
    for (size_t i = 0; fine && i < play->slot_count; i++) {
        play->slots[i].boxes.has_found = play->plan.job.cuts_tree;
        cli_by_class_share(&play->slots[i].by_class, &play->by_class);
        fine = cli_boxes_reserve(&play->slots[i].boxes, PLAY_FIRST_BOXES) &&
               cli_queue_push(&play->unused, &play->slots[i]);
    }
    return fine;
}

static void release_slots(cli_play *play)
{
    for (size_t i = 0; play->slots && i < play->slot_count; i++) cli_play_slot_release(play, &play->slots[i]);
    free(play->slots);
    play->slots = NULL;
    cli_queue_release(&play->unused);
    cli_queue_release(&play->waiting);
    cli_queue_release(&play->found);
}

/* Lets every slot take memory for the first frame, and clusters it once, before the clock begins. Without this, the first
 * frames would be late by the time for memory and for the start of a GPU. What fails here fails again, and is said then. */
static void warm_up(cli_play *play)
{
    CLUMP_ASSERT(play->slots && play->slot_count >= 1);
    for (size_t i = 0; i < play->slot_count; i++) {
        cli_play_slot *const slot = &play->slots[i];
        slot->frame.cloud = play->warm.cloud; /* borrowed */
        if (cli_play_slot_points(play, slot) && i == 0) (void)detect(play, slot);
        slot->frame.cloud = NULL;
    }
    if (!play->source.held) clump_frame_release(&play->warm); /* else it is the first frame */
}

int cli_play_run(cli_play *play)
{
    int status = make_slots(play) ? CLI_DONE : cli_fail("not enough memory for %zu frames", play->slot_count);
    if (status == CLI_DONE) {
        warm_up(play);
        play->pace = cli_pace_begin(play->s->rate);
        play->result.begun = cli_pace_now();
        status = run_stages(play);
        play->result.ended = cli_pace_now();
        play->result.dropped = atomic_load(&play->dropped);
    }
    cli_play_wipe_status(play);
    cli_play_serve_drain(play);
    release_slots(play);
    return status;
}
