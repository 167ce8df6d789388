/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_recording.c: see info.h.
 */
#include "info/info.h"

#include "common/assert.h"
#include "base/json.h"
#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

typedef struct recording_facts {
    const char *path;
    const char *const *paths;
    size_t parts;
    const cli_source_settings *settings;
    const char *format;
    const clump_topic *topics;
    size_t count;
    int64_t first, last; /* of all topics */
    uint64_t messages;
    clump_recording_losses lost;
} recording_facts;

static void sum_topics(recording_facts *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const clump_topic *const t = &f->topics[i];
        if (t->messages == 0) continue;
        if (f->messages == 0 || t->first < f->first) f->first = t->first;
        if (f->messages == 0 || t->last > f->last) f->last = t->last;
        f->messages += t->messages;
    }
}

static double seconds(int64_t nanoseconds)
{
    return 1e-9 * (double)nanoseconds;
}

/* Returns frames or messages per second; NaN where there are fewer than two. */
static double rate_of(const clump_topic *t)
{
    return t->period > 0 ? 1e9 / (double)t->period : NAN;
}

/* --- text ------------------------------------------------------------------------------------------------ */

/* Writes a time as "2015-03-03 16:31:00 UTC". Times of the first days of 1970 are no dates: "5.2 s". */
static void put_time(int64_t time)
{
    const time_t whole = (time_t)(time / 1000000000);
    struct tm parts;
    char text[40];
    if (whole > 86400 * 365 && gmtime_r(&whole, &parts) && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts))
        printf("%s", text);
    else
        printf("%.3f s", seconds(time));
}

/* Writes "1 gap, 3 gaps". */
static void put_amount(uint64_t count, const char *what)
{
    printf(", %" PRIu64 " %s%s", count, what, count == 1 ? "" : "s");
}

/* One line per topic; names and types have the widths of the longest. */
static void put_topic(const clump_topic *t, int name_width, int type_width)
{
    CLUMP_ASSERT(name_width >= 0 && type_width >= 0);
    char gap[CLI_TIME_SIZE];
    printf("topic     %-*s  %-*s  %" PRIu64 " %s%s", name_width, t->name, type_width, t->type[0] ? t->type : "unknown",
           t->messages, "message", t->messages == 1 ? "" : "s");
    if (t->has_clouds) put_amount(t->frames, "frame");
    if (t->partial > 0) printf(" (%" PRIu64 " partial)", t->partial);
    if (t->period > 0) printf(", %.4g per second", rate_of(t));
    if (t->gaps > 0) {
        put_amount(t->gaps, "gap");
        cli_time_text(gap, 1e3 * seconds(t->longest_gap));
        printf(" up to %s", gap);
    }
    putchar('\n');
}

static void put_topics(const recording_facts *f)
{
    int name = 0, type = 0;
    for (size_t i = 0; i < f->count; i++) {
        const int lengths[2] = {(int)strlen(f->topics[i].name), (int)strlen(f->topics[i].type)};
        if (lengths[0] > name) name = lengths[0];
        if (lengths[1] > type) type = lengths[1];
    }
    for (size_t i = 0; i < f->count; i++) put_topic(&f->topics[i], name, type);
}

/* Suggests to play the first topic that has frames. The topic is named where there are several with clouds. Of many
 * parts only the first is played: a line with all of them would fill the screen. */
static void put_suggestion(const recording_facts *f)
{
    const clump_topic *first = NULL;
    size_t with_clouds = 0;
    for (size_t i = 0; i < f->count; i++) {
        with_clouds += f->topics[i].has_clouds;
        if (!first && f->topics[i].frames > 0) first = &f->topics[i];
    }
    if (with_clouds == 0) printf("note      no topic has clouds\n");
    if (!first) return;
    enum { MOST_PARTS = 8 };
    const char *const options[][2] = {{"topic", with_clouds > 1 ? first->name : NULL},
                                      {"metadata", f->settings->metadata},
                                      {"calibration", f->settings->calibration},
                                      {"columns", f->settings->columns}};
    printf("try       clump play");
    for (size_t i = 0; i < (f->parts > MOST_PARTS ? 1 : f->parts); i++) cli_put_word(stdout, f->paths[i]);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (!options[i][1]) continue;
        printf(" --%s", options[i][0]);
        cli_put_word(stdout, options[i][1]);
    }
    printf(" -- detect\n");
}

static void put_text(const recording_facts *f)
{
    char lost[CLI_LOST_SIZE], duration[CLI_TIME_SIZE];
    cli_lost_text(lost, &f->lost);
    cli_time_text(duration, 1e3 * seconds(f->last - f->first));
    printf("recording %s", cli_shown(f->path));
    if (f->parts > 1) printf(" and %zu more", f->parts - 1);
    printf("\nformat    %s\n", f->format);
    if (f->messages > 0) {
        printf("begin     ");
        put_time(f->first);
        printf("\nduration  %s\n", duration);
    }
    if (lost[0]) printf("lost      %s\n", lost);
    put_topics(f);
    if (!lost[0] && f->lost.first[0]) printf("note      %s\n", f->lost.first); /* why a topic has no frames */
    put_suggestion(f);
}

/* --- JSON ------------------------------------------------------------------------------------------------ */

static void put_topic_json(cli_json *j, const clump_topic *t)
{
    cli_json_open(j, NULL, '{');
    cli_json_text(j, "name", t->name);
    cli_json_text(j, "type", t->type);
    cli_json_bool(j, "has_clouds", t->has_clouds);
    cli_json_count(j, "messages", t->messages);
    cli_json_count(j, "frames", t->frames);
    cli_json_count(j, "partial", t->partial);
    cli_json_int(j, "first", t->first);
    cli_json_int(j, "last", t->last);
    cli_json_int(j, "period", t->period);
    cli_json_number(j, "rate", rate_of(t));
    cli_json_count(j, "gaps", t->gaps);
    cli_json_int(j, "longest_gap", t->longest_gap);
    cli_json_close(j, '}');
}

static void put_json(const recording_facts *f)
{
    cli_json j = cli_json_begin(stdout, "info");
    cli_json_text(&j, "input", f->path);
    cli_json_text(&j, "format", f->format);
    cli_json_count(&j, "parts", f->parts);
    cli_json_number(&j, "duration_s", f->messages > 0 ? seconds(f->last - f->first) : NAN);
    cli_json_count(&j, "messages", f->messages);
    cli_json_open(&j, "topics", '[');
    for (size_t i = 0; i < f->count; i++) put_topic_json(&j, &f->topics[i]);
    cli_json_close(&j, ']');
    cli_put_lost(&j, &f->lost, 0);
    cli_json_end(&j);
}

int cli_info_recording(const char *const *paths, size_t count, const cli_source_settings *settings, bool json)
{
    clump_recording *recording = NULL;
    CLI_TRY(cli_recording_open(paths, count, settings, 0, NULL, &recording));
    const char *const format = clump_recording_format_name(clump_recording_kind(recording));
    recording_facts f = {
        .path = paths[0], .paths = paths, .parts = count, .settings = settings, .format = format ? format : "unknown"};
    clump_message message = {0};
    const clump_status status = clump_recording_topics(recording, &f.topics, &f.count, &message);
    f.lost = clump_recording_lost(recording);
    if (status == CLUMP_OK) {
        sum_topics(&f);
        if (json)
            put_json(&f);
        else
            put_text(&f);
    }
    clump_recording_close(recording);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(paths[0], status, &message);
}
