/* SPDX-License-Identifier: BSD-3-Clause
 *
 * source_lost.c: what a recording has lost, in words and as JSON. See source.h.
 */
#include "files/source.h"

#include <inttypes.h>

typedef struct lost_kind {
    const char *key, *one, *many;
    uint64_t amount;
} lost_kind;

enum { LOST_KINDS = 6 };

static void list_kinds(lost_kind kinds[LOST_KINDS], const clump_recording_losses *lost)
{
    const lost_kind all[LOST_KINDS] = {
        {"damaged_chunks", "damaged chunk", "damaged chunks", lost->damaged_chunks},
        {"damaged_messages", "damaged message", "damaged messages", lost->damaged_messages},
        {"damaged_packets", "damaged packet", "damaged packets", lost->damaged_packets},
        {"lost_packets", "packet that the sensor sent is missing", "packets that the sensor sent are missing",
         lost->lost_packets},
        {"reordered", "message out of order", "messages out of order", lost->reordered},
        {"lost_bytes", "byte that cannot be read", "bytes that cannot be read", lost->lost_bytes}};
    for (size_t i = 0; i < LOST_KINDS; i++) kinds[i] = all[i];
}

void cli_lost_text(char text[CLI_LOST_SIZE], const clump_recording_losses *lost)
{
    lost_kind kinds[LOST_KINDS];
    list_kinds(kinds, lost);
    size_t used = 0;
    text[0] = '\0';
    if (lost->truncated) used += (size_t)snprintf(text, CLI_LOST_SIZE, "it ends too early");
    for (size_t i = 0; i < LOST_KINDS; i++)
        if (kinds[i].amount > 0 && used < CLI_LOST_SIZE)
            used += (size_t)snprintf(text + used, CLI_LOST_SIZE - used, "%s%" PRIu64 " %s", used ? ", " : "",
                                     kinds[i].amount, kinds[i].amount == 1 ? kinds[i].one : kinds[i].many);
    if (used > 0 && used < CLI_LOST_SIZE && lost->first[0])
        snprintf(text + used, CLI_LOST_SIZE - used, "; the first: %s", lost->first);
}

void cli_partial_text(char text[CLI_PARTIAL_SIZE], const cli_source *source)
{
    const uint64_t left_out = source->partial, taken = source->partial_taken;
    text[0] = '\0';
    if (left_out > 0)
        snprintf(text, CLI_PARTIAL_SIZE,
                 "left out: %" PRIu64
                 " partial turn%s with which the recording begins or ends (--partial-turns keeps %s)",
                 left_out, left_out == 1 ? "" : "s", left_out == 1 ? "it" : "them");
    else if (taken > 0)
        snprintf(text, CLI_PARTIAL_SIZE, "no whole turn: %" PRIu64 " partial turn%s read", taken,
                 taken == 1 ? " is" : "s are");
}

void cli_warn_partial(const cli_source *source)
{
    char text[CLI_PARTIAL_SIZE];
    cli_partial_text(text, source);
    if (text[0]) cli_warn("%s: %s", source->name, text);
}

void cli_put_lost(cli_json *j, const clump_recording_losses *lost, uint64_t bad)
{
    lost_kind kinds[LOST_KINDS];
    list_kinds(kinds, lost);
    cli_json_open(j, "lost", '{');
    cli_json_count(j, "frames", bad);
    for (size_t i = 0; i < LOST_KINDS; i++) cli_json_count(j, kinds[i].key, kinds[i].amount);
    cli_json_bool(j, "truncated", lost->truncated);
    cli_json_text(j, "first", lost->first[0] ? lost->first : NULL);
    cli_json_close(j, '}');
}
