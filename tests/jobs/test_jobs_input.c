/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_jobs_input.c: the input of every job (jobs.h): it is not written, any layout of the points gives the same, and options that
 * were not made by _defaults(), and numbers outside the bounds of their rows, are refused with a sentence; numbers at the bounds are
 * taken.
 */
#include "support/check.h"

#include "jobs/jobs.h"
#include "support/calls.h"

#include <clump/options.h>

#include <math.h>

enum { COUNT = 3000 };

static const char *text_of(const job *j, const job_run *r)
{
    static char text[400];
    return job_text(j, r, text);
}

/* The street, packed or with two more floats per point, NaN, between; with a mask that leaves out none. */
static hostile_case street_of(size_t stride)
{
    hostile_case c = job_street(COUNT);
    if (stride == 0) return c;
    free(c.memory);
    c.memory = malloc(COUNT * stride), c.mask = malloc(COUNT);
    if (!c.memory || !c.mask) abort();
    memset(c.memory, 0xff, COUNT * stride), memset(c.mask, 1, COUNT);
    for (size_t i = 0; i < COUNT; i++) memcpy((char *)c.memory + i * stride, c.packed + 3 * i, 12);
    c.points = (clump_points){.xyz = c.memory, .count = COUNT, .stride = stride};
    return c;
}

static void any_layout_is_the_same_and_not_written(void)
{
    static const size_t strides[] = {0, 12, 16, 20, 32};
    enum { LAYOUTS = sizeof strides / sizeof *strides, ROWS = 200 };
    static uint64_t hash[ROWS];
    clump_context *const ctx = cpu_context(2);
    int runs = 0;
    for (int layout = 0; layout < LAYOUTS; layout++) {
        hostile_case c = street_of(strides[layout]);
        int row = 0;
        FOR_JOBS(j, method)
        {
            job_run r = {.c = &c, .method = method, .turn = JOB_PLAIN};
            CHECK_MSG(job_do(j, ctx, &r) == CLUMP_OK, "%s: %s", text_of(j, &r), clump_context_error(ctx));
            if (layout == 0) hash[row] = r.hash;
            CHECK_MSG(r.hash == hash[row], "%s: other bits", text_of(j, &r));
            CHECK_MSG(hostile_case_intact(&c) && !r.spoiled, "%s: %s was written", text_of(j, &r),
                      r.spoiled ? r.spoiled : "a point");
            row++, runs++;
            if (check_failures > 20) break;
        }
        hostile_case_free(&c);
    }
    printf("%d runs of %d jobs\n", runs, job_count);
    clump_context_destroy(ctx);
}

/* ----- points ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *words[3]; /* one of them */
    bool null, shifted;
    size_t stride;
    int place;
} wrong_points[] = {
    {{"xyz is null"}, .null = true},
    {{"points.xyz is not aligned to 4 bytes"}, .shifted = true},
    {{"a stride of 8 bytes, it must be a multiple of 4 and at least 12"}, .stride = 8},
    {{"a stride of 14 bytes"}, .stride = 14},
    {{"points.place is 2, no such place"}, .place = 2},
    {{"the points lie in device memory and the CPU was asked for", "host memory", "the context was made for the CPU"},
     .place = CLUMP_PLACE_DEVICE},
};

static void spoil_points(clump_points *p, void *user)
{
    const size_t k = *(const size_t *)user;
    if (wrong_points[k].null) p->xyz = NULL;
    if (wrong_points[k].shifted) p->xyz = (const float *)(const void *)((const char *)p->xyz + 1);
    p->stride = wrong_points[k].stride;
    p->place = (clump_place)wrong_points[k].place;
}

static void wrong_points_are_refused(void)
{
    clump_context *const ctx = cpu_context(1);
    hostile_case c = job_street(300);
    int jobs_with_points = 0;
    FOR_JOBS(j, method)
    {
        if (j->device == JOB_HAS_NONE || strcmp(j->call, "clump_group") == 0) continue;
        for (size_t k = 0; k < sizeof wrong_points / sizeof *wrong_points; k++) {
            job_run r = {.c = &c, .method = method, .turn = JOB_PLAIN, .points = spoil_points, .user = &k};
            const clump_status status = job_do(j, ctx, &r);
            const char *words = wrong_points[k].words[0];
            for (int w = 1; w < 3 && wrong_points[k].words[w]; w++)
                if (strstr(clump_context_error(ctx), wrong_points[k].words[w])) words = wrong_points[k].words[w];
            expect_failure(ctx, status, status, words);
            CHECK_MSG(status == CLUMP_ERR_ARGUMENT ||
                          (wrong_points[k].place == CLUMP_PLACE_DEVICE &&
                           (status == CLUMP_ERR_MEMORY_KIND || status == CLUMP_ERR_UNSUPPORTED)),
                      "%s: status %d", text_of(j, &r), (int)status);
        }
        jobs_with_points++;
    }
    CHECK_MSG(jobs_with_points > 50, "%d", jobs_with_points);
    hostile_case_free(&c);
    clump_context_destroy(ctx);
}

/* ----- options ----------------------------------------------------------------------------------------------------- */

typedef struct spoiled {
    bool order; /* else the cookie */
    int which;  /* of the tables that the row has */
    int tables; /* so far */
} spoiled;

static void spoil(const char *table, void *options, void *user)
{
    spoiled *const s = user;
    const bool common = strcmp(table, "clustering") == 0;
    if (strcmp(table, "min_points") == 0) return; /* a number alone */
    if (common != s->order || s->tables++ != s->which) return;
    if (common)
        ((clump_clustering *)options)->order = (clump_order)7;
    else
        memset(options, 0, sizeof(uint32_t)); /* where all options have it */
}

static void wrong_options_are_refused(void)
{
    clump_context *const ctx = cpu_context(1);
    hostile_case c = street_of(0);
    int refused = 0;
    FOR_JOBS(j, method)
    for (int order = 0, which = 0; order < 2; which++) { /* one table at a time */
        spoiled s = {.order = order, .which = which};
        job_run r = {.c = &c, .method = method, .turn = JOB_PLAIN, .change = spoil, .user = &s};
        const clump_status status = job_do(j, ctx, &r);
        if (s.tables <= which) {
            order++, which = -1;
            continue;
        }
        refused++;
        const clump_status wanted = order ? CLUMP_ERR_ARGUMENT : CLUMP_ERR_OPTIONS;
        expect_failure(ctx, status, wanted, order ? "order number 7" : "_defaults()");
        CHECK_MSG(status == wanted, "%s", text_of(j, &r));
    }
    CHECK_MSG(refused > job_count, "%d", refused);
    hostile_case_free(&c);
    clump_context_destroy(ctx);
}

/* ----- numbers ----------------------------------------------------------------------------------------------------- */

/* Tables of options that a row has. */
typedef struct tables {
    const clump_option_table *found[8];
    int count;
} tables;

static void note_table(const char *name, void *options, void *user)
{
    tables *const t = user;
    const clump_option_table *const table = clump_option_table_named(name);
    (void)options;
    if (table && t->count == 8) abort();
    if (table) t->found[t->count++] = table;
}

/* A value for one option of one table. Of a point the coordinate `axis` gets it. */
typedef struct wrong {
    const clump_option_table *table;
    const clump_option *row;
    double value;
    int axis;
} wrong;

static void set_value(const char *table, void *options, void *user)
{
    const wrong *const w = user;
    void *const place = (char *)options + w->row->offset;
    if (strcmp(table, w->table->name) != 0) return;
    switch (w->row->kind) {
    case CLUMP_OPTION_FLOAT:
        *(float *)place = (float)w->value;
        return;
    case CLUMP_OPTION_POINT:
        ((float *)place)[w->axis] = (float)w->value;
        return;
    case CLUMP_OPTION_DOUBLE:
        *(double *)place = w->value;
        return;
    case CLUMP_OPTION_SIZE:
        *(size_t *)place = (size_t)w->value;
        return;
    case CLUMP_OPTION_BOOL: /* all values are allowed */
        return;
    case CLUMP_OPTION_INT:
    case CLUMP_OPTION_CHOICE:
        *(int *)place = (int)w->value;
        return;
    }
}

/* The next number in the kind of the option, away from 0 or towards it. */
static double beside(const clump_option *row, double value, double direction)
{
    if (row->kind == CLUMP_OPTION_INT) return value + (direction > 0 ? 1 : -1);
    if (row->kind == CLUMP_OPTION_FLOAT) return (double)nextafterf((float)value, (float)direction);
    return nextafter(value, direction);
}

static long refused, taken, otherwise;

/* Runs the job with the value, which must be refused by a sentence with these words. */
static void expect_refusal(const job *j, clump_context *ctx, job_run r, wrong w, const char *words)
{
    r.change = set_value, r.user = &w;
    const clump_status status = job_do(j, ctx, &r);
    CHECK_MSG(status == CLUMP_ERR_ARGUMENT || status == CLUMP_ERR_UNSUPPORTED, "%s %s, %s.%s = %a: status %d", j->call,
              j->what, w.table->name, w.row->name, w.value, (int)status);
    expect_failure(ctx, status, status, words);
    const char *const sentence = clump_context_error(ctx);
    CHECK_MSG(strncmp(sentence, j->call, strlen(j->call)) == 0, "%s: \"%s\"", j->call, sentence);
    CHECK_MSG(!r.spoiled, "%s %s, %s.%s = %a: %s was written", j->call, j->what, w.table->name, w.row->name, w.value,
              r.spoiled);
    refused++;
}

/* Runs the job with a value at a bound. It is taken, or it does not go with the other options. */
static void expect_taken(const job *j, clump_context *ctx, job_run r, wrong w)
{
    static const char *const others[] = {"does not fit into a float",
                                         "are more than 1024 x 1024 tiles",
                                         "does not have eps_per_metre",
                                         "eps_per_metre is for",
                                         "has its own radius",
                                         "make a map of",
                                         "the rings of the cloud are not known",
                                         "it must be above min_range"};
    r.change = set_value, r.user = &w;
    const clump_status status = job_do(j, ctx, &r);
    bool known = status == CLUMP_OK;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        known = known || strstr(clump_context_error(ctx), others[k]);
    CHECK_MSG(known, "%s %s, %s.%s = %a: %s", j->call, j->what, w.table->name, w.row->name, w.value,
              clump_context_error(ctx));
    taken += status == CLUMP_OK, otherwise += status != CLUMP_OK;
}

/* Whether no call of the row reads the option: clump_detect has a sensor and an axis of its own, and without growth there is no
 * sensor. */
static bool is_unused(const job *j, const clump_option_table *table, const clump_option *row)
{
    const bool sensor = row->kind == CLUMP_OPTION_POINT, described = strcmp(table->name, "describe") == 0;
    if (strcmp(j->call, "clump_detect") == 0)
        return (sensor && strcmp(table->name, "clustering") != 0) || (described && strcmp(row->name, "up") == 0);
    return sensor && strcmp(table->name, "clustering") == 0 && strcmp(j->what, "growing") != 0 &&
           (strncmp(j->call, "clump_ec", 8) == 0 || strncmp(j->call, "clump_dbscan", 12) == 0);
}

static void check_point(const job *j, clump_context *ctx, job_run r, wrong w)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 9; k++) {
        w.axis = k % 3, w.value = bad[k / 3];
        if (is_unused(j, w.table, w.row))
            expect_taken(j, ctx, r, w);
        else
            expect_refusal(j, ctx, r, w, "sensor");
    }
}

static void check_choice(const job *j, clump_context *ctx, job_run r, wrong w)
{
    int count = 0;
    for (; w.row->choice(count); count++) w.value = count, expect_taken(j, ctx, r, w);
    const int bad[] = {-1, count, INT32_MAX};
    for (int k = 0; k < 3; k++) {
        char words[100];
        snprintf(words, sizeof words, "there is no %s number %d", w.row->noun, bad[k]);
        w.value = bad[k];
        if (is_unused(j, w.table, w.row))
            expect_taken(j, ctx, r, w);
        else
            expect_refusal(j, ctx, r, w, words);
    }
}

/* A number: what is outside of its bounds, however little, and what is at them. */
static void check_number(const job *j, clump_context *ctx, job_run r, wrong w)
{
    const clump_option *const row = w.row;
    const bool whole = row->kind == CLUMP_OPTION_INT, range = row->bounds == CLUMP_BOUNDS_RANGE,
               above = row->bounds == CLUMP_BOUNDS_ABOVE_0, finite = row->bounds == CLUMP_BOUNDS_FINITE;
    double bad[8], good[4] = {row->usual}, most = row->most;
    if (row->kind == CLUMP_OPTION_FLOAT && (double)(float)most > most) most = beside(row, most, 0);
    int bads = 0, goods = 1;
    if (whole) bad[bads++] = INT32_MIN;
    if (!whole) bad[bads++] = NAN, bad[bads++] = -INFINITY;
    if (!whole && (finite || !isinf(most))) bad[bads++] = INFINITY;
    if (above) bad[bads++] = 0, good[goods++] = beside(row, 0, INFINITY);
    if (!finite) bad[bads++] = beside(row, row->least, -INFINITY);
    if (!finite && !above) good[goods++] = row->least;
    if (!finite && !isinf(most)) good[goods++] = most;
    if (range || row->most == 1) bad[bads++] = beside(row, most, INFINITY);
    char words[200];
    snprintf(words, sizeof words, whole ? "it must be %.0f to %.0f" : "it must be %g to %g", row->least, row->most);
    for (int k = 0; k < bads; k++) {
        w.value = bad[k];
        expect_refusal(j, ctx, r, w, row->noun);
        const char *const sentence = clump_context_error(ctx);
        if (range) CHECK_MSG(strstr(sentence, words), "%s: no bounds: %s", row->name, sentence);
    }
    for (int k = 0; k < goods; k++) w.value = good[k], expect_taken(j, ctx, r, w);
}

static void wrong_numbers_are_refused(void)
{
    clump_context *const ctx = cpu_context(1);
    hostile_case c = job_street(300);
    int rows = 0;
    bool met[64] = {false};
    for (const job *j = jobs; j < jobs + job_count; j++) {
        tables t = {.count = 0};
        job_run r = {.c = &c, .turn = JOB_PLAIN, .change = note_table, .user = &t};
        CHECK_INT(job_do(j, ctx, &r), CLUMP_OK);
        for (int k = 0; k < t.count; k++)
            for (size_t i = 0; i < t.found[k]->count; i++, rows++) {
                const wrong w = {.table = t.found[k], .row = &t.found[k]->rows[i]};
                if (w.row->kind == CLUMP_OPTION_POINT) check_point(j, ctx, r, w);
                if (w.row->kind == CLUMP_OPTION_CHOICE) check_choice(j, ctx, r, w);
                if (w.row->bounds != CLUMP_BOUNDS_OTHER) check_number(j, ctx, r, w);
            }
        for (int k = 0; k < t.count; k++)
            for (int i = 0; clump_option_table_at(i); i++) met[i] = met[i] || clump_option_table_at(i) == t.found[k];
    }
    for (int i = 0; clump_option_table_at(i); i++)
        CHECK_MSG(met[i], "no job has the options of the table %s", clump_option_table_at(i)->name);
    CHECK_MSG(refused >= 900 && taken >= 600, "%ld refused, %ld taken", refused, taken);
    printf("%d options of %d jobs: %ld numbers refused, %ld at bounds taken, %ld refused for others\n", rows, job_count,
           refused, taken, otherwise);
    hostile_case_free(&c);
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_jobs_input)
{
    RUN(any_layout_is_the_same_and_not_written);
    RUN(wrong_points_are_refused);
    RUN(wrong_options_are_refused);
    RUN(wrong_numbers_are_refused);
}
