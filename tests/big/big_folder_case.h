/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big_folder_case.h: one survey, and runs that go through its work folder again and again.
 */
#ifndef CLUMP_TESTS_BIG_FOLDER_CASE_H
#define CLUMP_TESTS_BIG_FOLDER_CASE_H

#include "big/big_case.h"

enum { POINTS = 70000 }; /* two blocks */

static double xyz[3 * POINTS];
static clump_context *alone;
static char input[256], work[256];
static clump_joint_settings settings;
static big_whole whole;
static const clump_classes *by_class; /* null: without classes */
static float thin;
static const clump_ground_options *ground; /* null: it stays */

static inline clump_big_hooks usual(void)
{
    return (clump_big_hooks){.most = POINTS / 5, .save_every = 1, .punch = true, .no_sync = true};
}

static inline clump_status run(const clump_big_hooks *hooks, int threads, clump_big_result *r)
{
    clump_big_options o = clump_big_defaults();
    const char *const path = input;
    o.work = work;
    o.threads = threads;
    o.ram = (size_t)256 << 20;
    o.classes = by_class, o.class_fields = big_class_fields;
    o.thin = thin;
    o.ground = ground;
    return clump_big_run_with(&path, 1, NULL, &settings, &o, hooks, r, &big_why);
}

/* Removes what an unfinished run has left. */
static inline void remove_folder(void)
{
    static const char *const names[] = {"plan",    "plan.new", "journal", "points", "results",
                                        "numbers", "surface",  "marks",   "lock"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[300];
        snprintf(path, sizeof path, "%s/clump-%s", work, names[k]);
        unlink(path);
    }
    rmdir(work);
}

#endif
