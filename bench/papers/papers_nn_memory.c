/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn-memory: where the points of nn-table are, on a GPU: in pageable memory, in pinned memory, or in Unified Memory
 * (managed), which the paper had no time to try. All are written by the host before each run, outside the clock, as the
 * points of a new frame are. The distances are read by the host within the clock: pages of Unified Memory move back then.
 */
#include "papers/papers.h"
#include "harness/contestants.h"

#include <clump/cuda.h>
#include <clump/index.h>
#include <clump/info.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_PAGEABLE, MEMORY_PINNED, MEMORY_MANAGED, MEMORY_KINDS };
static const char *const memory_names[MEMORY_KINDS] = {"pageable", "pinned", "managed"};

/* contestant.state: the clouds and the answers of a contestant. */
typedef struct memory_state {
    char name[CONTEST_NAME];
    clump_context *context; /* that of the contestant */
    clump_index *index;
    int kind;
    void *clouds[2], *indices, *distances;
} memory_state;

static bool take(memory_state *s, size_t bytes, void **out)
{
    if (s->kind == MEMORY_PAGEABLE) return (*out = malloc(bytes + 1)) != NULL;
    const clump_cuda_memory kind = s->kind == MEMORY_PINNED ? CLUMP_CUDA_PINNED : CLUMP_CUDA_MANAGED;
    return clump_cuda_allocate(s->context, kind, bytes + 1, out) == CLUMP_OK;
}

static void give(const memory_state *s, void *memory)
{
    if (s->kind == MEMORY_PAGEABLE)
        free(memory);
    else
        clump_cuda_release(s->context, s->kind == MEMORY_PINNED ? CLUMP_CUDA_PINNED : CLUMP_CUDA_MANAGED, memory);
}

static clump_points points_of(const contest *c, const memory_state *s, int which)
{
    return (clump_points){.xyz = s->clouds[which],
                          .count = c->clouds[which].count,
                          .place = s->kind == MEMORY_MANAGED ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST};
}

/* The frames arrive: the host writes them. */
static void write_clouds(const contest *c, const memory_state *s)
{
    for (int k = 0; k < 2; k++) memcpy(s->clouds[k], c->clouds[k].xyz, 12 * c->clouds[k].count);
}

static void leave(contestant *who)
{
    memory_state *const s = who->state;
    clump_index_destroy(s->index);
    give(s, s->clouds[0]), give(s, s->clouds[1]), give(s, s->indices), give(s, s->distances);
    free(s);
}

static void enter_kind(contest *c, clump_nn_method method, int kind)
{
    contestant *const who = contest_ours(c, c->clouds, "", (int)method, CONTEST_GPU);
    memory_state *const s = who ? calloc(1, sizeof *s) : NULL;
    if (!who) return;
    who->name = clump_nn_method_name(method);
    who->state = s, who->failed = who->failed || !s;
    if (who->failed) return;
    clump_index_options options = clump_index_defaults();
    options.method = method;
    s->context = who->context, s->kind = kind;
    snprintf(s->name, sizeof s->name, "%s %s", who->name, memory_names[kind]);
    who->name = s->name;
    who->tolerance = method == CLUMP_NN_AZIMUTH; /* approximate */
    bool done = take(s, 4 * c->answers, &s->indices) && take(s, 4 * c->answers, &s->distances);
    for (int k = 0; k < 2 && done; k++) done = take(s, 12 * c->clouds[k].count, &s->clouds[k]);
    if (done) write_clouds(c, s);
    done = done && clump_index_create(who->context, points_of(c, s, 0), &options, &s->index) == CLUMP_OK;
    who->failed = !done;
    if (!done) snprintf(who->error, sizeof who->error, "%s", clump_context_error(who->context));
}

static bool enter(contest *c, clump_message *why)
{
    bool simulated;
    if (!frames_make(2, c->clouds, &simulated, why)) return false;
    c->answers = c->clouds[1].count;
    for (int kind = 0; kind < MEMORY_KINDS; kind++) enter_kind(c, CLUMP_NN_FAST, kind);
    for (int kind = 0; kind < MEMORY_KINDS; kind++) enter_kind(c, CLUMP_NN_AZIMUTH, kind);
    return true;
}

static bool run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    const memory_state *const s = who->state;
    write_clouds(c, s);
    const double start = machine_seconds();
    bool done = clump_index_rebuild(who->context, s->index, points_of(c, s, 0)) == CLUMP_OK &&
                clump_cuda_wait(who->context) == CLUMP_OK;
    const double built = machine_seconds();
    done = done &&
           clump_index_nearest(who->context, s->index, points_of(c, s, 1), INFINITY, s->indices, s->distances) ==
               CLUMP_OK &&
           clump_cuda_wait(who->context) == CLUMP_OK;
    if (done) memcpy(c->answer, s->distances, 4 * c->answers);
    const double end = machine_seconds();
    seconds[NEIGHBOURS_BUILD] = built - start, seconds[NEIGHBOURS_QUERY] = end - built, seconds[0] = end - start;
    return done;
}

static void note(const contest *c, contestant *who)
{
    (void)c;
    snprintf(who->note, sizeof who->note, "construction %8.3f query %8.3f", who->time[NEIGHBOURS_BUILD].median_ms,
             who->time[NEIGHBOURS_QUERY].median_ms);
}

/* Three rows; the harness ends the last. */
static void row(const contest *c, const contestant *who, csv *rows)
{
    static const int clocks[NN_PARTS] = {NEIGHBOURS_BUILD, NEIGHBOURS_QUERY, 0};
    papers_row r = papers_row_of(c, who);
    r.experiment = "nn-memory";
    r.upload_ms = r.build_ms = r.cluster_ms = r.label_ms = r.download_ms = 0, r.clusters = 0, r.passes = 0;
    if (who->method == CLUMP_NN_AZIMUTH) r.agree = "";
    for (int part = 0; part < NN_PARTS; part++) {
        r.x = part;
        r.median_ms = who->time[clocks[part]].median_ms, r.min_ms = who->time[clocks[part]].min_ms;
        if (part < NN_TOTAL)
            papers_add(rows, &r);
        else
            papers_put(rows, &r);
    }
}

static bool describe(size_t index, char *name, char *text)
{
    (void)index;
    snprintf(name, CONTEST_NAME, "nn-memory");
    snprintf(text, CONTEST_TEXT, "two consecutive frames");
    return !papers.no_gpu;
}

static void begin(void) {}

static void no_figures(contest *c, contest_totals *totals)
{
    (void)c, (void)totals;
}

const contest_job nn_memory_job = {.program = "clump_bench papers",
                                   .csv_header = PAPERS_HEADER,
                                   .seconds = 1,
                                   .least_rounds = NN_TRIALS,
                                   .legend = "Median ms, construction and query; the host writes the points before.",
                                   .case_count = 1,
                                   .begin = begin,
                                   .describe = describe,
                                   .enter = enter,
                                   .run = run,
                                   .note = note,
                                   .leave = leave,
                                   .figures = no_figures,
                                   .row = row};
