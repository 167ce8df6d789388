/* SPDX-License-Identifier: BSD-3-Clause
 *
 * source.c: see source.h.
 */
#include "files/source.h"

#include "base/stop.h"
#include "common/assert.h"
#include "files/output.h"

#include <string.h>
#include <sys/stat.h>

/* Failures in a row after which the recording counts as unreadable: a folder of other files, a disk that fails. */
enum { SOURCE_MOST_FAILURES = 1000 };

static clump_status open_all(const char *const *paths, size_t count, const clump_recording_options *options,
                             clump_recording **out, clump_message *message)
{
    CLUMP_ASSERT(count >= 1);
    if (count == 1) return clump_recording_open(paths[0], options, out, message);
    return clump_recording_open_files(paths, count, options, out, message);
}

/* Called while a live recording waits, and with its sentences. */
static bool watch(void *user, const char *note)
{
    const cli_source *const source = user;
    if (note) cli_warn("%s: %s", source->name, note);
    return !cli_stop_asked() && !(source->cancelled && atomic_load(source->cancelled));
}

int cli_recording_open(const char *const *paths, size_t count, const cli_source_settings *settings, size_t read_ahead,
                       cli_source *live, clump_recording **out)
{
    clump_recording_options options = clump_recording_defaults();
    options.topic = settings->topic;
    options.metadata = settings->metadata;
    options.calibration = settings->calibration;
    options.columns = settings->columns;
    options.organised = settings->organised;
    options.read_ahead = read_ahead;
    options.interface = settings->interface;
    options.from_host = settings->from_host;
    options.capture = settings->capture;
    if (live) options.watch = watch;
    options.watch_user = live;
    clump_message message = {0};
    const clump_status status = open_all(paths, count, &options, out, &message);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(paths[0], status, &message);
}

bool cli_is_url(const char *path)
{
    return strstr(path, "://") != NULL;
}

bool cli_is_live(const char *path)
{
    struct stat there;
    if (cli_is_url(path) || cli_is_dash(path)) return true;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

int cli_check_live_output(const char *input, const char *output, bool overwrite)
{
    struct stat there;
    if (!output || overwrite || cli_is_dash(output) || !cli_is_live(input)) return CLI_DONE;
    if (stat(output, &there) != 0 || !S_ISREG(there.st_mode) || there.st_size == 0) return CLI_DONE;
    return cli_fail("%s: exists, and %s does not come again; --overwrite replaces it", output,
                    cli_is_dash(input) ? "standard input" : input);
}

bool cli_is_recording(const char *path)
{
    struct stat there;
    if (stat(path, &there) != 0) return false;
    if (!S_ISDIR(there.st_mode) && !S_ISREG(there.st_mode)) return false; /* reading a pipe would take its bytes */
    clump_recording *recording = NULL;
    const clump_status status = clump_recording_open(path, NULL, &recording, NULL);
    clump_recording_close(recording);
    return status == CLUMP_OK;
}

/* Reads the next frame, wanted or not. A frame that cannot be read is counted. */
static bool read_frame(cli_source *source, clump_frame *frame, clump_status *status)
{
    if (source->held) {
        const clump_frame first = *source->held;
        *source->held = *frame;
        *frame = first;
        source->held = NULL;
        *status = CLUMP_OK;
        return true;
    }
    for (size_t failures = 0; failures < SOURCE_MOST_FAILURES; failures++) {
        clump_message message = {0};
        bool more = false;
        *status = clump_recording_next(source->recording, frame, &more, &message);
        if (*status == CLUMP_OK) return more;
        if (source->bad++ == 0) source->why = message;
        if (source->live || *status == CLUMP_ERR_ARGUMENT || *status == CLUMP_ERR_OUT_OF_MEMORY)
            return source->why = message, false;
    }
    return false;
}

/* Lets a partial turn wait, until it is known whether a whole one follows. True: another one waited, and *frame is that. */
static bool exchange_waiting(cli_source *source, clump_frame *frame)
{
    const clump_frame other = source->waiting;
    const bool waited = source->waits;
    source->waiting = *frame;
    source->waits = true;
    *frame = other;
    source->partial_taken += waited;
    return waited;
}

/* Takes the partial turn that waits, at the end of the recording. */
static bool take_waiting(cli_source *source, clump_frame *frame)
{
    if (!source->waits) return false;
    const clump_frame last = source->waiting;
    source->waiting = *frame;
    *frame = last;
    source->waits = false;
    source->partial_taken++;
    return true;
}

/* Reads the next frame that is no partial turn. Without a whole turn before them, partial turns are read. */
static bool read_whole(cli_source *source, clump_frame *frame, clump_status *status)
{
    if (source->settings->partial_turns) return read_frame(source, frame, status);
    for (;;) {
        if (!read_frame(source, frame, status)) return *status == CLUMP_OK && take_waiting(source, frame);
        if (frame->partial && !source->whole) {
            if (exchange_waiting(source, frame)) return true;
            continue;
        }
        const uint64_t left_out = frame->partial || source->waits;
        source->partial += left_out;
        source->passed += left_out;
        source->waits = false;
        if (frame->partial) continue;
        source->whole = true;
        frame->index -= frame->index < source->passed ? frame->index : source->passed;
        return true;
    }
}

/* Returns a + seconds, no more than the largest time. */
static int64_t later(int64_t time, double seconds)
{
    CLUMP_ASSERT(seconds >= 0);
    const double sum = (double)time + 1e9 * seconds;
    return sum < 9.2e18 ? time + (int64_t)(1e9 * seconds) : INT64_MAX;
}

static clump_status go_to_begin(cli_source *source, clump_message *message)
{
    source->taken = source->skipped = 0;
    source->passed = 0;
    source->waits = false;
    const double from = source->settings->from;
    /* `first` is the end of the first frame. A seek to that time would leave the frame out. */
    return clump_recording_seek(source->recording, from > 0 ? later(source->first, from) : INT64_MIN, message);
}

/* Says why there is no frame at all, and what was lost. */
static int has_no_frames(const cli_source *source, clump_status status)
{
    const clump_recording_losses losses = clump_recording_lost(source->recording);
    const char *const topic = source->settings->topic;
    char lost[CLI_LOST_SIZE];
    cli_lost_text(lost, &losses);
    if (status != CLUMP_OK && (!lost[0] || !source->why.text[0]))
        return cli_fail_message(source->name, status, &source->why);
    if (status != CLUMP_OK) return cli_fail("%s; %s", source->why.text, lost);
    return cli_fail("%s: has no frames%s%s%s%s", source->name, topic ? " of the topic " : "", topic ? topic : "",
                    lost[0] ? ": " : "", lost);
}

int cli_source_open(cli_source *source, const char *const *paths, size_t count, const cli_source_settings *settings,
                    size_t read_ahead, clump_frame *frame)
{
    *source = (cli_source){.settings = settings, .name = paths[0]};
    CLI_TRY(cli_recording_open(paths, count, settings, read_ahead, source, &source->recording));
    source->live = clump_recording_is_live(source->recording);
    if (source->live && settings->loop > 1) return cli_fail("%s: is read as it comes: --loop needs a file", paths[0]);
    clump_status status;
    if (!read_whole(source, frame, &status)) return has_no_frames(source, status);
    source->first = frame->received;
    source->end = later(source->first, settings->from + settings->length);
    source->begin = settings->from > 0 ? later(source->first, settings->from) : INT64_MIN;
    if (source->live) {
        source->held = frame;
        source->partial_taken = 0; /* a partial turn is read again */
        return CLI_DONE;
    }
    source->bad = source->partial = source->partial_taken = 0; /* they are counted again */
    clump_message message = {0};
    status = go_to_begin(source, &message);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(source->name, status, &message);
}

/* Begins the next turn of --loop. False: there is none. */
static bool begin_turn(cli_source *source, clump_status *status)
{
    if (source->live || source->taken == 0 || source->turn + 1 >= source->settings->loop) return false;
    source->turn++;
    source->rewound = true;
    *status = go_to_begin(source, &source->why);
    return *status == CLUMP_OK;
}

bool cli_source_next(cli_source *source, clump_frame *frame, clump_status *status)
{
    const cli_source_settings *const s = source->settings;
    *status = CLUMP_OK;
    source->rewound = false;
    for (;;) {
        const bool full = s->frames > 0 && source->taken == s->frames;
        const bool more = !full && read_whole(source, frame, status);
        if (*status != CLUMP_OK) return false;
        if (!more || frame->received >= source->end) {
            if (!begin_turn(source, status)) return false;
            continue;
        }
        CLUMP_ASSERT(s->every >= 1 && source->skipped < s->every);
        if (source->live && frame->received < source->begin) continue;
        if (source->taken > 0 && ++source->skipped < s->every) continue;
        source->taken++;
        source->skipped = 0;
        source->any = true;
        return true;
    }
}

size_t cli_source_expect(const cli_source *source)
{
    const cli_source_settings *const s = source->settings;
    const clump_topic *topics = NULL;
    size_t count = 0;
    uint64_t frames = 0;
    if (s->frames > 0 && clump_recording_kind(source->recording) != CLUMP_RECORDING_CLOUDS) return s->frames * s->loop;
    if (clump_recording_topics(source->recording, &topics, &count, NULL) != CLUMP_OK) return 1;
    const char *const read = clump_recording_topic(source->recording);
    for (size_t i = 0; i < count; i++) {
        if (!topics[i].has_clouds || !read || strcmp(topics[i].name, read) != 0) continue;
        frames = topics[i].frames;
        if (!s->partial_turns && topics[i].partial < frames) frames -= topics[i].partial;
        const double most = topics[i].period > 0 ? 1e9 * s->length / (double)topics[i].period + 1 : INFINITY;
        if (most < (double)frames) frames = (uint64_t)most;
    }
    CLUMP_ASSERT(s->every >= 1 && s->loop >= 1);
    frames = (frames + s->every - 1) / s->every;
    if (s->frames > 0 && s->frames < frames) frames = s->frames;
    return frames > 0 ? (size_t)frames * s->loop : 1;
}

int cli_source_check_any(const cli_source *source)
{
    const cli_source_settings *const s = source->settings;
    if (source->any || (s->from <= 0 && !isfinite(s->length))) return CLI_DONE;
    if (!isfinite(s->length)) return cli_fail("%s: has no frames from %g s on", source->name, s->from);
    return cli_fail("%s: has no frames from %g s to %g s", source->name, s->from, s->from + s->length);
}

void cli_source_close(cli_source *source)
{
    clump_frame_release(&source->waiting);
    clump_recording_close(source->recording);
    source->recording = NULL;
}
