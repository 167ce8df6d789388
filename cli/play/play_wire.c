/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_wire.c: what `clump play` does differently where a sensor sends: when a frame was due, the deadline, the report. See play.h.
 */
#include "play/play.h"

#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

bool cli_play_writes_packets(const cli_play_settings *s)
{
    const char *const dot = s->output ? strrchr(s->output, '.') : NULL;
    return dot && strcmp(dot, ".pcap") == 0;
}

/* `received` is the time when the kernel got the last packet of the frame, of the clock of the day. */
int64_t cli_play_wire_due(const cli_play *play, const cli_play_slot *slot, int64_t now)
{
    struct timespec clock;
    clock_gettime(CLOCK_REALTIME, &clock);
    const int64_t age = (int64_t)clock.tv_sec * 1000000000 + clock.tv_nsec - slot->frame.received;
    const int64_t due = now - (age > 0 ? age : 0);
    return due > play->result.begun ? due : play->result.begun; /* frames from before are due when the play begins */
}

void cli_play_wire_deadline(cli_play *play, const cli_play_slot *slot)
{
    if (!play->wire || play->s->deadline >= 0 || play->wire_steps == CLI_PLAY_STEPS) return;
    const int64_t step = slot->frame.received - play->wire_last;
    const bool first = play->wire_last == 0;
    play->wire_last = slot->frame.received;
    if (first) return;
    int64_t *const list = play->wire_step;
    size_t i = play->wire_steps++;
    for (; i > 0 && list[i - 1] > step; i--) list[i] = list[i - 1];
    list[i] = step;
    if (play->wire_steps == CLI_PLAY_STEPS) play->deadline = 1e-6 * (double)list[CLI_PLAY_STEPS / 2];
}

void cli_play_wire_report(FILE *to, const cli_play *play)
{
    const clump_wire w = clump_recording_wire(play->source.recording);
    if (w.port == 0) return;
    fprintf(to, "wire      %" PRIu64 " packet%s, %.1f MB; dropped %" PRIu64 " by the kernel, %" PRIu64 " by clump",
            w.packets, w.packets == 1 ? "" : "s", 1e-6 * (double)w.bytes, w.kernel_dropped, w.ring_dropped);
    if (w.left_out) fprintf(to, "; %" PRIu64 " of other senders were left out", w.left_out);
    fputc('\n', to);
}

void cli_play_wire_json(cli_json *j, const cli_play *play)
{
    const clump_wire w = clump_recording_wire(play->source.recording);
    if (w.port == 0) {
        cli_json_null(j, "wire");
        return;
    }
    cli_json_open(j, "wire", '{');
    cli_json_count(j, "packets", w.packets);
    cli_json_count(j, "bytes", w.bytes);
    cli_json_count(j, "kernel_dropped", w.kernel_dropped);
    cli_json_count(j, "ring_dropped", w.ring_dropped);
    cli_json_count(j, "left_out", w.left_out);
    cli_json_count(j, "buffer", w.buffer);
    cli_json_close(j, '}');
}
