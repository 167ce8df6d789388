/* SPDX-License-Identifier: BSD-3-Clause
 *
 * odometry.c: the calls of clump/odometry.h. odometry.h beside this file lists the parts.
 *
 * A push changes the odometry when nothing can fail any more: until then it computes in scratch memory, and makes room for
 * what the map will take.
 *
 * The velocity is not known in the first frame, so its points with times cannot be moved to one moment. They are kept. Once the
 * second frame tells the velocity, the map is made anew from them, and the second frame is registered again.
 */
#include "core/context.h"
#include "core/options.h"
#include "host/odometry.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    ODOMETRY_LEAST_POINTS = 20, /* samples of a frame that can be registered */
    ODOMETRY_MEMORY = 30,       /* deviations that count in the mean, about */
    ODOMETRY_PASSES = 3,        /* over the second frame, where points have times */
    ODOMETRY_SETTLED = 10, /* frames after which the voxels follow the rings: a map of one frame needs all points */
};

#define ODOMETRY_RINGS         0.24f /* of the range: voxels of the map are no smaller than the distance of rings there */
#define ODOMETRY_FLAT          0.2   /* of normals: they are shorter where points do not make a plane */
#define ODOMETRY_LEAST_SIGMA   0.15 /* of options.reach: sigma, however good the expectations were */
#define ODOMETRY_LEAST_FITNESS 0.8  /* share of the samples with a partner, below which a frame is lost */
#define ODOMETRY_LEAST_SHARE                                                                                           \
    0.6 /* mean weight of its pairs by the narrow kernel, likewise: wrong places have 0.45 to 0.58 */
#define ODOMETRY_LEAST_POINT 0.4 /* the same for point to point */

#define ODOMETRY_GAP    50.0 /* times the reach, per square second: an acceleration that no vehicle has */
#define ODOMETRY_WIDEST 4.0  /* of options.reach: where a first motion is searched at most */

static const char few_points[] = "the frame has too few points";

#define ODOMETRY_NO_MOTION "no first motion within four times the reach fits the map"

struct clump_odometry {
    clump_work home; /* holds the memory, as for an index */
    clump_odometry_options options;
    clump_index *index;    /* of the map; null before the second frame */
    clump_thinner thinner; /* of the frame */
    clump_buffer points;   /* of the frame, for its registration or for the map */
    clump_buffer first;    /* samples of the first frame, until the second */
    clump_buffer scratch;  /* of the iterations */
    clump_local_map map;
    size_t indexed;     /* points that the index has room for */
    size_t first_count; /* samples */
    bool begun;         /* there was a frame */
    bool moving;        /* the twist is known */
    int64_t last;       /* time of the last frame */
    int64_t time;       /* of the last frame that was registered */
    double middle;      /* seconds from there to the middle of its turn */
    clump_rigid pose;   /* there */
    clump_twist twist;
    double reach;           /* that of the options, or a larger one that found the first motion */
    double squares, weight; /* of the deviations: their mean gives sigma */
    int lost;               /* frames in a row */
    int registered;         /* frames since the map began, as far as it matters */
    float spacing;          /* of the rings of the sensor, by the first frame */
};

#define ODOMETRY_BYTES ((sizeof(clump_odometry) + 63) / 64 * 64)

const char *clump_odometry_state_name(clump_odometry_state state)
{
    static const char *const names[] = {"first", "ok", "lost", "restarted"};
    return (size_t)state < sizeof names / sizeof *names ? names[state] : NULL;
}

/* ----- life -------------------------------------------------------------------------------------- */

static clump_status check_options(clump_work *work, const clump_odometry_options *o)
{
    if (o->cookie != CLUMP_ODOMETRY_COOKIE)
        return clump_fail(work, CLUMP_ERR_OPTIONS, "%s: the options were not made by clump_odometry_defaults()",
                          work->call);
    if (o->method != CLUMP_ICP_POINT && o->method != CLUMP_ICP_PLANE)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: there is no method number %d", work->call, (int)o->method);
    CLUMP_TRY(clump_option_check(work, &clump_odometry_table, o));
    if (!(o->max_range > o->min_range))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: max_range is %g, it must be above min_range, %g", work->call,
                          (double)o->max_range, (double)o->min_range);
    return CLUMP_OK;
}

clump_status clump_odometry_create(clump_context *ctx, const clump_odometry_options *given, clump_odometry **out)
{
    if (out) *out = NULL;
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_odometry_create"));
    if (!out) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_odometry_create: out is null");
    const clump_odometry_options options = given ? *given : clump_odometry_defaults();
    CLUMP_TRY(check_options(&ctx->work, &options));
    clump_odometry *const odometry = ctx->work.memory.allocate(ODOMETRY_BYTES, 64, ctx->work.memory.user);
    if (!odometry)
        return clump_fail(&ctx->work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated",
                          ODOMETRY_BYTES);
    memset(odometry, 0, sizeof *odometry);
    odometry->home.memory = ctx->work.memory;
    odometry->home.hash_key = ctx->work.hash_key;
    odometry->options = options;
    odometry->map.range = options.max_range;
    clump_odometry_reset(odometry);
    *out = odometry;
    return CLUMP_OK;
}

/* Sets the voxels by the spacing of rings; 0: those of the options. */
static void set_voxels(clump_odometry *odometry, float spacing)
{
    const clump_odometry_options *const o = &odometry->options;
    const float side = fmaxf(o->map_voxel, ODOMETRY_RINGS * o->max_range * spacing);
    odometry->thinner.spacing = spacing;
    odometry->thinner.side = side;
    clump_local_map_set_side(&odometry->home, &odometry->map, side);
}

void clump_odometry_reset(clump_odometry *odometry)
{
    if (!odometry) return;
    clump_local_map_clear(&odometry->map);
    set_voxels(odometry, 0);
    odometry->registered = 0;
    odometry->begun = odometry->moving = false;
    odometry->pose = clump_rigid_none;
    odometry->reach = (double)odometry->options.reach;
    odometry->squares = odometry->reach * odometry->reach;
    odometry->weight = 1;
    odometry->middle = 0;
    odometry->lost = 0;
    odometry->first_count = 0;
}

void clump_odometry_destroy(clump_odometry *odometry)
{
    if (!odometry) return;
    clump_work *const home = &odometry->home;
    clump_buffer *const buffers[] = {&odometry->thinner.table, &odometry->thinner.fine, &odometry->thinner.coarse,
                                     &odometry->points,        &odometry->first,        &odometry->scratch,
                                     &odometry->map.points,    &odometry->map.table};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) clump_buffer_release(home, buffers[i]);
    clump_index_destroy(odometry->index);
    const clump_allocator memory = home->memory;
    memory.release(odometry, ODOMETRY_BYTES, memory.user);
}

void clump_odometry_map(const clump_odometry *odometry, clump_points *points, double origin[3])
{
    const clump_points none = {0};
    if (points) *points = none;
    for (int k = 0; origin && k < 3; k++) origin[k] = odometry ? odometry->map.origin[k] : 0;
    if (!points || !odometry || odometry->map.count == 0) return;
    points->xyz = odometry->map.points.data;
    points->count = odometry->map.count;
}

/* ----- one frame --------------------------------------------------------------------------------- */

/* A push under way. Poses inside are those of the middle of a turn: `middle` seconds after the time of the frame. */
typedef struct frame {
    clump_context *ctx;
    clump_odometry *odometry;
    const clump_opened *on;
    int64_t time;
    double elapsed; /* seconds from the middle of the last registered frame to that of this one; 0 in the first */
    double middle;  /* 0 without times */
    bool timed;     /* the samples have usable times */
    bool deskewed;
    double reach;         /* that of the odometry, or a larger one */
    clump_twist twist;    /* of the frame */
    clump_rigid expected; /* pose */
    clump_match match;
    double query_ms;
    char reason[sizeof((clump_stats *)0)->reason]; /* of the choice of the backend; the queries overwrite it */
} frame;

/* Passes a failure of memory that the odometry holds to the context. */
static clump_status at_home(frame *f, clump_status status)
{
    if (status != CLUMP_OK && f->odometry->home.error[0])
        memcpy(f->ctx->work.error, f->odometry->home.error, sizeof f->ctx->work.error);
    return status;
}

/* Whether the times of the samples can be those of one turn. */
static bool is_timed(const clump_thinner *t, double elapsed)
{
    return t->timed && t->fine_count > 0 && clump_times_are_usable(t->first, t->last, elapsed);
}

/* Finds the middle of the turn, and the time since that of the last frame. Times that would go back are no times. */
static void find_middle(frame *f)
{
    const clump_odometry *const odometry = f->odometry;
    const clump_thinner *const t = &f->odometry->thinner;
    const double since = odometry->begun ? (double)((uint64_t)f->time - (uint64_t)odometry->time) / 1e9 : 0;
    f->timed = is_timed(t, since);
    f->middle = f->timed ? ((double)t->first + (double)t->last) / 2 : 0;
    f->elapsed = since + f->middle - odometry->middle;
    if (!odometry->begun) f->elapsed = 0;
    if (!odometry->begun || f->elapsed > 0) return;
    f->timed = false;
    f->middle = 0;
    f->elapsed = since - odometry->middle > 0 ? since - odometry->middle : since;
}

/* How wrong the expectation may be. */
static double sigma_of(const clump_odometry *odometry)
{
    const double reach = odometry->reach;
    double sigma = sqrt(odometry->squares / odometry->weight);
    for (int i = 0; i < odometry->lost && sigma < reach; i++) sigma *= 2;
    return fmax(sigma, ODOMETRY_LEAST_SIGMA * reach);
}

/* Returns by how much a motion moves points at the largest range, at most. */
static double deviation_of(const clump_odometry *odometry, const clump_rigid *from, const clump_rigid *to)
{
    const clump_rigid back = clump_rigid_inverse(from), between = clump_rigid_after(&back, to);
    return clump_rigid_length(&between) +
           2 * (double)odometry->options.max_range * sin(clump_rigid_angle(&between) / 2);
}

/* Moves the samples to one time and puts them into `points`. */
static void deskew(frame *f, const clump_buffer *samples, size_t count)
{
    clump_samples_deskew(samples->data, count, f->deskewed ? &f->twist : NULL, f->middle, f->odometry->points.data);
}

/* Makes room in the index for a larger map, by an index of more points: the map grows a little in every frame. */
static clump_status widen_index(frame *f, const clump_index_options *how)
{
    clump_odometry *const odometry = f->odometry;
    const clump_local_map *const map = &odometry->map;
    if (map->count <= odometry->indexed) return CLUMP_OK;
    const clump_points more = {.xyz = map->points.data, .count = clump_local_map_pad(map), .stride = 12};
    CLUMP_TRY(clump_index_make(f->ctx, f->on, how, more, &odometry->index));
    odometry->indexed = more.count;
    return CLUMP_OK;
}

/* Registers the frame to the map as it is. */
static clump_status register_frame(frame *f)
{
    clump_odometry *const odometry = f->odometry;
    const clump_index_options how = clump_index_defaults();
    const clump_points target = {.xyz = odometry->map.points.data, .count = odometry->map.count, .stride = 12};
    CLUMP_TRY(widen_index(f, &how));
    CLUMP_TRY(clump_index_make(f->ctx, f->on, &how, target, &odometry->index));
    deskew(f, &odometry->thinner.coarse, odometry->thinner.coarse_count);
    clump_align align = {
        .ctx = f->ctx,
        .on = f->on,
        .index = odometry->index,
        .target = target,
        .source = {.xyz = odometry->points.data, .count = odometry->thinner.coarse_count, .stride = 12}};
    if (odometry->options.method == CLUMP_ICP_PLANE) align.normal_neighbours = odometry->options.normal_neighbours;
    align.normal_flat = ODOMETRY_FLAT;
    align.roomy = true;
    CLUMP_TRY(at_home(f, clump_align_begin(&align, &odometry->home, &odometry->scratch)));
    const clump_status status = clump_match_run(&f->match, &align, &odometry->map);
    f->query_ms += align.query_ms;
    return status;
}

/* Makes the map of the first frame anew, by the velocity of this frame or without one. */
static void remake_map(frame *f, bool moving)
{
    clump_odometry *const odometry = f->odometry;
    const clump_twist *const twist = moving ? &f->twist : NULL;
    odometry->pose = moving ? clump_twist_after(twist, odometry->middle) : clump_rigid_none;
    clump_local_map_clear(&odometry->map);
    clump_samples_deskew(odometry->first.data, odometry->first_count, twist, odometry->middle, odometry->points.data);
    clump_local_map_add(&odometry->home, &odometry->map, &odometry->pose, odometry->points.data, odometry->first_count);
}

/* Finds the velocity from the last frame to this one. */
static void measure_twist(frame *f)
{
    const clump_rigid back = clump_rigid_inverse(&f->odometry->pose);
    const clump_rigid moved = clump_rigid_after(&back, &f->match.pose);
    f->twist = clump_twist_of(&moved, f->elapsed);
}

/* Returns why a frame cannot be trusted; null where it can. */
static const char *find_fault(const frame *f)
{
    const clump_match *const m = &f->match;
    const bool is_plane = f->odometry->options.method == CLUMP_ICP_PLANE;
    if (f->odometry->thinner.coarse_count < ODOMETRY_LEAST_POINTS) return few_points;
    if (m->fitness < ODOMETRY_LEAST_FITNESS) return "too few points have a partner in the map";
    if (!m->converged) return "the iterations did not converge";
    if (m->share < (is_plane ? ODOMETRY_LEAST_SHARE : ODOMETRY_LEAST_POINT)) return "the points do not fit the map";
    return NULL;
}

/* Registers the second frame, where points have times: the velocity that it gives corrects both frames. A frame that does not fit
 * leaves the map as it was. */
static clump_status register_second(frame *f)
{
    const clump_odometry *const odometry = f->odometry;
    f->deskewed = false;
    clump_status status = register_frame(f);
    for (int pass = 1; status == CLUMP_OK && pass < ODOMETRY_PASSES; pass++) {
        measure_twist(f);
        f->deskewed = true;
        remake_map(f, true);
        const clump_rigid moved = clump_twist_after(&f->twist, f->elapsed);
        f->match.expected = clump_rigid_after(&odometry->pose, &moved);
        status = register_frame(f);
    }
    if (status != CLUMP_OK || find_fault(f)) remake_map(f, false);
    return status;
}

/* Puts the frame into the map at its pose. */
static void take_frame(frame *f)
{
    clump_odometry *const odometry = f->odometry;
    deskew(f, &odometry->thinner.fine, odometry->thinner.fine_count);
    clump_local_map_add(&odometry->home, &odometry->map, &odometry->pose, odometry->points.data,
                        odometry->thinner.fine_count);
}

/* Keeps the samples of the first frame, where they have times; swaps buffers. */
static void keep_first(frame *f)
{
    clump_odometry *const odometry = f->odometry;
    odometry->first_count = 0;
    if (!f->timed) return;
    const clump_buffer other = odometry->first;
    odometry->first = odometry->thinner.fine;
    odometry->first_count = odometry->thinner.fine_count;
    odometry->thinner.fine = other;
}

/* ----- what becomes of it ------------------------------------------------------------------------ */

/* The deviation counts in how wrong the next expectation may be. */
static void learn(clump_odometry *odometry, double deviation)
{
    const double counts = fmin(deviation, odometry->reach);
    if (odometry->weight < ODOMETRY_MEMORY)
        odometry->weight += 1;
    else
        odometry->squares -= odometry->squares / ODOMETRY_MEMORY;
    odometry->squares += counts * counts;
}

/* Whether the sensor cannot have moved so: frames are missing, and times do not say so. The velocity before it stays. */
static bool is_gap(const frame *f)
{
    const clump_odometry *const odometry = f->odometry;
    const clump_rigid *const found = &f->match.pose, *const expected = &f->expected;
    double square = 0;
    if (!odometry->moving || !f->timed) return false;
    for (int k = 0; k < 3; k++) square += (found->move[k] - expected->move[k]) * (found->move[k] - expected->move[k]);
    return sqrt(square) > ODOMETRY_GAP * odometry->reach * f->elapsed * f->elapsed;
}

static void finish_ok(frame *f, clump_odometry_pose *out)
{
    clump_odometry *const odometry = f->odometry;
    const clump_match *const m = &f->match;
    out->state = CLUMP_ODOMETRY_OK;
    out->weak = m->weak || m->weak_turn;
    out->turn_certainty = m->turn_certainty;
    memcpy(out->turn_weakest, m->turn_weakest, sizeof out->turn_weakest);
    memcpy(out->information, m->information, sizeof m->information);
    memcpy(out->certainty, m->certainty, sizeof m->certainty);
    memcpy(out->weakest, m->weakest, sizeof m->weakest);
    out->deviation = deviation_of(odometry, &f->expected, &m->pose);
    if (odometry->moving) learn(odometry, out->deviation);
    if (f->reach > odometry->reach) odometry->reach = f->reach, odometry->squares = f->reach * f->reach;
    if (!is_gap(f)) {
        measure_twist(f);
        odometry->twist = f->twist;
    }
    odometry->moving = true;
    odometry->pose = m->pose;
    odometry->lost = 0;
    odometry->first_count = 0;
    take_frame(f);
    if (odometry->registered < ODOMETRY_SETTLED && ++odometry->registered == ODOMETRY_SETTLED)
        set_voxels(odometry, odometry->spacing);
}

static void finish_lost(frame *f, clump_odometry_pose *out, const char *why)
{
    clump_odometry *const odometry = f->odometry;
    const int patience = odometry->options.patience;
    out->state = CLUMP_ODOMETRY_LOST;
    out->why = why;
    if (odometry->lost < INT_MAX) odometry->lost++;
    if (patience == 0 || odometry->lost < patience || odometry->thinner.coarse_count < ODOMETRY_LEAST_POINTS) return;
    clump_odometry_reset(odometry);
    odometry->begun = true;
    odometry->pose = f->expected;
    f->deskewed = false;
    take_frame(f);
    out->state = CLUMP_ODOMETRY_RESTARTED;
}

static void finish_first(frame *f, clump_odometry_pose *out)
{
    clump_odometry *const odometry = f->odometry;
    if (odometry->thinner.coarse_count < ODOMETRY_LEAST_POINTS) {
        out->state = CLUMP_ODOMETRY_LOST;
        out->why = few_points;
        return;
    }
    odometry->begun = true;
    take_frame(f);
    keep_first(f);
    out->state = CLUMP_ODOMETRY_FIRST;
}

/* Changes the odometry and fills the result; nothing can fail. */
static void finish(frame *f, clump_odometry_pose *out)
{
    clump_odometry *const odometry = f->odometry;
    const clump_match *const m = &f->match;
    *out = (clump_odometry_pose){.time = f->time, .fitness = m->fitness, .rmse = m->rmse, .iterations = m->iterations};
    const char *const why = odometry->begun ? find_fault(f) : NULL;
    if (!odometry->begun)
        finish_first(f, out);
    else if (why)
        finish_lost(f, out, odometry->moving || why == few_points ? why : ODOMETRY_NO_MOTION);
    else
        finish_ok(f, out);
    if (odometry->begun) odometry->last = f->time;
    if (out->state != CLUMP_ODOMETRY_LOST) odometry->time = f->time, odometry->middle = f->middle;
    out->deskewed = f->deskewed;
    out->used = odometry->thinner.coarse_count;
    out->reach = odometry->reach;
    out->map_points = odometry->map.count;
    clump_rigid pose = out->state == CLUMP_ODOMETRY_LOST ? f->expected : odometry->pose;
    if (odometry->moving) { /* back to the time of the frame */
        const clump_rigid back = clump_twist_after(&odometry->twist, -f->middle);
        pose = clump_rigid_after(&pose, &back);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) out->transform[4 * i + j] = pose.turn[3 * i + j];
        out->transform[4 * i + 3] = pose.move[i];
    }
    out->transform[15] = 1;
}

/* ----- the call ---------------------------------------------------------------------------------- */

static clump_status check_frame(clump_context *ctx, const clump_odometry *odometry, int64_t time, clump_points *points,
                                const float *times, const clump_odometry_pose *pose)
{
    clump_work *const work = &ctx->work;
    if (!odometry) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: odometry is null", work->call);
    if (!pose) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: pose is null", work->call);
    CLUMP_TRY(clump_check_points(work, work->call, *points, &points->stride));
    if (points->place != CLUMP_PLACE_HOST)
        return clump_fail(work, CLUMP_ERR_MEMORY_KIND, "%s: the points must lie in host memory", work->call);
    const clump_span spans[] = {
        clump_span_points("points.xyz", points->xyz, points->count, points->stride),
        clump_span_in("times", times, times ? points->count : 0, sizeof *times, sizeof *times),
        clump_span_out("pose", pose, 1, sizeof *pose, _Alignof(clump_odometry_pose)),
    };
    CLUMP_TRY(clump_check_spans(work, work->call, spans, sizeof spans / sizeof *spans));
    if (odometry->begun && time <= odometry->last)
        return clump_fail(work, CLUMP_ERR_ARGUMENT,
                          "%s: the frame is of time %lld ns, which is not later than the one before, %lld ns",
                          work->call, (long long)time, (long long)odometry->last);
    return CLUMP_OK;
}

/* Makes room for more than is needed: numbers of points change a little from frame to frame. */
static clump_status prepare(frame *f)
{
    clump_odometry *const odometry = f->odometry;
    const size_t fine = odometry->thinner.fine_count, first = odometry->first_count;
    const size_t bytes = 3 * (fine > first ? fine : first) * sizeof(float);
    if (bytes > odometry->points.bytes)
        CLUMP_TRY(clump_buffer_reserve(&odometry->home, &odometry->points, bytes + bytes / 4));
    return clump_local_map_reserve(&odometry->home, &odometry->map, fine + first);
}

static clump_status register_either(frame *f)
{
    return f->odometry->first_count > 0 && f->timed ? register_second(f) : register_frame(f);
}

/* Searches a first motion that does not fit as a larger reach does, twice and four times. The reach that finds it stays. A frame
 * that still does not fit leaves the match as it was. */
static clump_status search_first(frame *f)
{
    clump_odometry *const odometry = f->odometry;
    const double own = (double)odometry->options.reach;
    const clump_match before = f->match;
    for (double reach = 2 * own; reach <= ODOMETRY_WIDEST * own; reach *= 2) {
        f->match.sigma = reach;
        f->match.least = ODOMETRY_LEAST_SIGMA * reach;
        f->match.expected = f->expected;
        f->deskewed = false;
        CLUMP_TRY(register_frame(f));
        if (find_fault(f)) continue;
        f->match.sigma = before.sigma; /* again from there: partners are as near as in any first frame */
        f->match.expected = f->match.pose;
        CLUMP_TRY(register_either(f));
        if (find_fault(f) || f->match.weak) continue;
        f->reach = reach;
        return CLUMP_OK;
    }
    f->match = before;
    f->deskewed = false;
    return CLUMP_OK;
}

/* Searches a wider region where no surface within reach shows a direction: a frame after a jump looks like one of a tunnel. What
 * is found counts where the frame fits as well from there as any other frame must, and shows all directions. */
static clump_status search_weak(frame *f)
{
    const clump_match before = f->match;
    const bool is_second = f->odometry->first_count > 0 && f->timed;
    if (is_second) remake_map(f, false), f->deskewed = false;
    f->match.sigma = ODOMETRY_WIDEST * f->reach;
    f->match.expected = f->expected;
    CLUMP_TRY(register_frame(f));
    if (!find_fault(f)) {
        f->match.sigma = before.sigma;
        f->match.expected = f->match.pose;
        CLUMP_TRY(register_either(f));
        if (!find_fault(f) && !f->match.weak && f->match.fitness >= before.fitness) return CLUMP_OK;
    }
    f->match = before;
    if (!is_second) return CLUMP_OK;
    remake_map(f, false); /* as it was: the map follows the velocity of the frame */
    f->match.expected = f->expected;
    return register_second(f);
}

/* Finds the expected pose, and registers the frame. */
static clump_status locate(frame *f)
{
    clump_odometry *const odometry = f->odometry;
    f->expected = odometry->pose;
    f->reach = odometry->reach;
    if (odometry->moving) {
        const clump_rigid moved = clump_twist_after(&odometry->twist, f->elapsed);
        f->expected = clump_rigid_after(&odometry->pose, &moved);
    }
    f->match = (clump_match){.options = &odometry->options,
                             .expected = f->expected,
                             .pose = f->expected,
                             .sigma = sigma_of(odometry),
                             .least = ODOMETRY_LEAST_SIGMA * odometry->reach};
    f->twist = odometry->twist;
    f->deskewed = odometry->moving && f->timed;
    if (odometry->thinner.coarse_count < ODOMETRY_LEAST_POINTS) return CLUMP_OK;
    CLUMP_TRY(register_either(f));
    const bool has_fault = find_fault(f) != NULL;
    if (has_fault) return odometry->moving ? CLUMP_OK : search_first(f);
    return f->match.weak ? search_weak(f) : CLUMP_OK;
}

/* For clump_context_stats: those of the registration, where there was one. */
static void keep_figures(frame *f, size_t points)
{
    clump_stats *const stats = &f->ctx->stats;
    if (!f->on) clump_keep_stats(f->ctx, CLUMP_BACKEND_CPU, NULL, &(clump_stats){.threads = 1});
    stats->method = f->odometry->options.method == CLUMP_ICP_PLANE ? "plane" : "point";
    stats->passes = f->match.iterations;
    stats->points = points;
    stats->queries = f->odometry->thinner.coarse_count;
    stats->query_ms = f->query_ms;
    if (f->on) memcpy(stats->reason, f->reason, sizeof stats->reason);
}

clump_status clump_odometry_push(clump_context *ctx, clump_odometry *odometry, int64_t time, clump_points points,
                                 const float *times, clump_odometry_pose *pose)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_odometry_push"));
    CLUMP_TRY(check_frame(ctx, odometry, time, &points, times, pose));
    clump_opened on;
    frame f = {.ctx = ctx, .odometry = odometry, .time = time, .expected = clump_rigid_none};
    odometry->home.error[0] = '\0';
    if (!odometry->begun) CLUMP_TRY(clump_thin_spacing(&ctx->work, &odometry->options, points, &odometry->spacing));
    CLUMP_TRY(at_home(
        &f, clump_thin_frame(&ctx->work, &odometry->home, &odometry->thinner, &odometry->options, points, times)));
    CLUMP_TRY(at_home(&f, prepare(&f)));
    find_middle(&f);
    if (odometry->begun) {
        const clump_method *const method = clump_method_at(&clump_nn_methods, (int)clump_index_defaults().method);
        CLUMP_TRY(clump_context_open(ctx, CLUMP_PLACE_HOST, method, odometry->map.count, &on));
        f.on = &on;
        memcpy(f.reason, ctx->reason, sizeof f.reason);
        clump_status status = locate(&f);
        if (status != CLUMP_OK && clump_context_fall_back(ctx, CLUMP_PLACE_HOST, status, &on)) {
            memcpy(f.reason, ctx->reason, sizeof f.reason);
            status = locate(&f);
        }
        CLUMP_TRY(status);
    }
    finish(&f, pose);
    keep_figures(&f, points.count);
    return CLUMP_OK;
}
