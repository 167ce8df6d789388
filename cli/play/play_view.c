/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_view.c: frames of `clump play` for the viewer: the page of -o PAGE.html, and the packets of --serve.
 */
#include "play/play.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

int cli_play_view_begin(cli_play *play, int argc, char **argv)
{
    const char *const path = play->s->output, *const summary = play->plan.summary;
    const bool page = cli_play_writes_page(play->s);
    cli_play_view *const view = &play->view;
    if (!page && !play->s->serve) return CLI_DONE;
    view->wanted = true;
    view->title = cli_text("%s: clump play", cli_view_name(play->name));
    view->labelling = cli_text("%s%s%s", play->job_command->name, summary[0] ? ", " : "", summary);
    view->command = cli_typed_text(play->self, argc, argv);
    if (!view->title || !view->labelling || !view->command) return cli_fail("not enough memory for the page");
    if (!page) return CLI_DONE;
    view->out = cli_view_writing_of(CLI_VIEW_PAGE, path, play->s->quiet);
    view->out.owner = "play";
    view->out.options.title = view->title;
    view->out.options.command = view->command;
    view->out.options.plays = true;
    view->out.frames = cli_source_expect(&play->source);
    if (play->s->max_points != CLI_UNSET) view->out.most_points = play->s->max_points;
    return cli_view_begin(&view->out);
}

/* Returns what is known of the frame, for the page. Times of a page would differ from run to run. Null: no memory. */
static char *facts_of(const cli_play *play, const cli_play_slot *slot, bool live)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);
    if (!to) return NULL;
    cli_json j = cli_json_begin(to, "play");
    cli_json_text(&j, "input", play->name);
    cli_play_put_job(&j, play);
    if (live) {
        cli_json_open(&j, "latency_ms", '{');
        cli_json_ms(&j, "decode", 1e-6 * (double)slot->decode_time);
        cli_json_ms(&j, "cluster", 1e-6 * (double)(slot->ready - slot->taken));
        cli_json_ms(&j, "total", 1e-6 * (double)(slot->ready - slot->due));
        cli_json_close(&j, '}');
    }
    cli_json_end(&j);
    text = cli_text_end(to, &text);
    if (text) text[strcspn(text, "\n")] = '\0';
    return text;
}

int cli_play_view_fill(const cli_play *play, const cli_play_slot *slot, bool live, cli_play_shown *shown)
{
    const cli_cluster *const s = play->plan.settings;
    const char *const path = slot->frame.path;
    *shown = (cli_play_shown){.facts = facts_of(play, slot, live)};
    shown->name = path ? cli_text("%s", cli_view_name(path))
                       : cli_text("%s %llu", cli_view_name(play->name), (unsigned long long)slot->number);
    shown->frame = (view_frame){.name = shown->name,
                                .number = slot->number,
                                .stamp = slot->frame.stamp,
                                .clouds = {slot->frame.cloud},
                                .cloud_names = {shown->name},
                                .cloud_count = 1,
                                .labelings = {{.name = play->view.labelling,
                                               .labels = slot->labels,
                                               .clusters = slot->boxes.clusters,
                                               .count = slot->count,
                                               .tracks = play->drive.tracker ? slot->tracks : NULL,
                                               .objects = slot->boxes.found}},
                                .labeling_count = 1,
                                .facts = shown->facts,
                                .up = cli_ground_options(&s->ground, &s->region, (const double[3]){0}).up,
                                .flip = s->ground.options.flip,
                                .trails = slot->trails,
                                .trail_count = slot->trail_count};
    if (slot->has_colours) shown->frame.labelings[0].colours = slot->colours;
    memcpy(shown->frame.sensor, s->region.sensor, sizeof shown->frame.sensor);
    if (slot->has_pose) shown->frame.pose = slot->frame_pose;
    return shown->facts && shown->name ? CLI_DONE : CLI_FAILED;
}

void cli_play_shown_release(cli_play_shown *shown)
{
    free(shown->facts);
    free(shown->name);
    *shown = (cli_play_shown){0};
}

/* Makes room for `bytes`. False: no memory. */
static bool reserve(void **memory, size_t *room, size_t bytes)
{
    if (bytes <= *room && *memory) return true;
    free(*memory);
    *memory = malloc(bytes + bytes / 2 + 64);
    *room = *memory ? bytes + bytes / 2 + 64 : 0;
    return *memory != NULL;
}

/* Copies trails and colours of the frame into the slot, which another thread may show. False: no memory. */
static bool keep_trails(cli_play_view *view, cli_play_slot *slot, view_frame *frame)
{
    if (!view_trails_add(&view->trails, frame)) return false;
    const uint8_t *const colours = frame->labelings[0].colours;
    const size_t trails = frame->trail_count * sizeof *slot->trails, clusters = colours ? (size_t)slot->count : 0;
    void *places = slot->trails, *chosen = slot->colours;
    const bool fine = reserve(&places, &slot->trail_room, trails) && reserve(&chosen, &slot->colour_room, clusters);
    slot->trails = places;
    slot->colours = chosen;
    if (!fine) return false;
    if (trails > 0) memcpy(slot->trails, frame->trails, trails);
    if (clusters > 0) memcpy(slot->colours, colours, clusters);
    slot->trail_count = frame->trail_count;
    slot->has_colours = colours != NULL;
    return true;
}

int cli_play_view_frame(cli_play *play, cli_play_slot *slot)
{
    cli_play_view *const view = &play->view;
    if (!view->wanted) return CLI_DONE;
    cli_play_shown shown;
    slot->trail_count = 0;
    slot->has_colours = false;
    int status = cli_play_view_fill(play, slot, false, &shown);
    if (status == CLI_DONE && !keep_trails(view, slot, &shown.frame)) status = CLI_FAILED;
    if (status != CLI_DONE || view->out.page) cli_play_wipe_status(play);
    if (status != CLI_DONE)
        cli_fail("%s: not enough memory for the page", play->name);
    else if (view->out.page)
        status = cli_view_frame(&view->out, &shown.frame);
    cli_play_shown_release(&shown);
    return status;
}

int cli_play_view_end(cli_play *play, bool keep)
{
    cli_play_view *const view = &play->view;
    if (!view->out.page || view->ended) return CLI_DONE;
    view->ended = true;
    if (keep && view->out.written > 0) return cli_view_end(&view->out);
    cli_view_abandon(&view->out);
    return CLI_DONE;
}

void cli_play_view_release(cli_play *play)
{
    cli_play_view *const view = &play->view;
    cli_play_view_end(play, false);
    view_trails_release(&view->trails);
    free(view->title);
    free(view->labelling);
    free(view->command);
    *view = (cli_play_view){0};
}
