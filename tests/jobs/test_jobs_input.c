/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_jobs_input.c: the input of every job (jobs.h): it is not written, any layout of the points gives the same, and options that
 * were not made by _defaults(), or have an order that does not exist, are refused with a sentence.
 */
#include "support/check.h"

#include "jobs/jobs.h"
#include "support/calls.h"

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

/* ----- options ----------------------------------------------------------------------------------------------------- */

typedef struct spoiled {
    bool order; /* else the cookie */
    int tables; /* that the row has */
} spoiled;

static void spoil(const char *table, void *options, void *user)
{
    spoiled *const s = user;
    const bool common = strcmp(table, "clustering") == 0;
    if (common != s->order) return;
    s->tables++;
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
    for (int order = 0; order < 2; order++) {
        spoiled s = {.order = order};
        job_run r = {.c = &c, .method = method, .turn = JOB_PLAIN, .change = spoil, .user = &s};
        const clump_status status = job_do(j, ctx, &r);
        refused += s.tables > 0;
        if (s.tables == 0) continue;
        const clump_status wanted = order ? CLUMP_ERR_ARGUMENT : CLUMP_ERR_OPTIONS;
        expect_failure(ctx, status, wanted, order ? "order number 7" : "_defaults()");
        CHECK_MSG(status == wanted, "%s", text_of(j, &r));
    }
    CHECK_MSG(refused > job_count, "%d", refused);
    hostile_case_free(&c);
    clump_context_destroy(ctx);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(any_layout_is_the_same_and_not_written);
    RUN(wrong_options_are_refused);
    return CHECK_END();
}
