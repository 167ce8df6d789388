/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_big_cancel.c: a run tells how far it is in every phase. A caller that cancels then gets its thread back at once, the
 * output is as it was, and the same call goes on. Times are not measured: what is done after the cancellation is counted.
 */
#include "support/check.h"

#include "big/big_case.h"
#include "big/ranks_world.h"
#include "support/clouds.h"
#include "store/store.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { POINTS = 140000, RANKS = 3 };

static double xyz[3 * POINTS];
static clump_context *alone;
static char input[256], work[256], output[256];
static clump_joint_settings settings;
static big_whole whole;
static const clump_ground_options *ground; /* null: it stays */

/* What a run has told, and when it is cancelled. */
typedef struct watcher {
    long calls, cancel_at;  /* calls so far; the call that cancels, 0: none */
    long late;              /* calls after the cancellation */
    volatile int cancelled; /* atomic */
    long changes;           /* atomic: of the work folder, after the cancellation */
    double done;
    clump_big_progress last;
    char phases[200]; /* names in the order of time */
    long steps;       /* calls in which the share of the phase grew */
} watcher;

static void watch(void *user, const clump_big_progress *now)
{
    watcher *const w = user;
    w->calls++;
    w->late += w->cancelled;
    CHECK_MSG(now->done >= w->done && now->done <= 1, "%s: %g after %g", now->phase, now->done, w->done);
    CHECK(now->phase_done >= 0 && now->phase_done <= 1 && now->points == POINTS);
    const bool same = w->last.phase && strcmp(w->last.phase, now->phase) == 0;
    const size_t used = strlen(w->phases);
    if (!same) snprintf(w->phases + used, sizeof w->phases - used, "%s ", now->phase);
    w->steps += same && now->phase_done > w->last.phase_done;
    w->last = *now;
    w->done = now->done;
    if (w->calls == w->cancel_at) __atomic_store_n(&w->cancelled, 1, __ATOMIC_RELAXED);
}

static int count_change(void *user, clump_big_change change)
{
    watcher *const w = user;
    (void)change;
    if (__atomic_load_n(&w->cancelled, __ATOMIC_RELAXED)) __atomic_add_fetch(&w->changes, 1, __ATOMIC_RELAXED);
    return 0;
}

static clump_status take_clusters(void *user, const clump_cluster *clusters, const uint16_t *classes,
                                  const float *hulls, int64_t first, size_t count, const double origin[3])
{
    (void)user, (void)clusters, (void)classes, (void)hulls, (void)first, (void)count, (void)origin;
    return CLUMP_OK;
}

static void start(void)
{
    snprintf(input, sizeof input, "%s", big_path("cancel.bin"));
    snprintf(work, sizeof work, "%s", big_path("cancel"));
    snprintf(output, sizeof output, "%s", big_path("cancel.labels"));
    big_fill(xyz, POINTS, 90, 5);
    for (size_t i = 0; i < POINTS && !ground; i += 10) /* so that a tile of the plan has too many points */
        for (size_t a = 0; a < 2; a++) xyz[3 * i + a] *= 30000;
    big_save(input, xyz, POINTS, NULL);
    settings = clump_joint_defaults();
    settings.d = 0.5f;
    settings.order = CLUMP_ORDER_SIZE;
    clump_big_options o = clump_big_defaults();
    o.ground = ground;
    whole = big_one_call(alone, input, &settings, &o);
}

static clump_status run(watcher *w, int threads, clump_big_result *r)
{
    clump_big_options o = clump_big_defaults();
    const clump_big_hooks hooks = {.most = POINTS / 9,
                                   .sample = 2,
                                   .save_every = 2,
                                   .window = CLUMP_BLOCK_POINTS,
                                   .entries = 20000,
                                   .describe = 1 << 20,
                                   .no_sync = true,
                                   .before = count_change,
                                   .user = w};
    const char *const path = input;
    o.work = work;
    o.ground = ground;
    o.threads = threads;
    o.ram = (size_t)256 << 20;
    o.clusters = take_clusters;
    o.progress = watch, o.progress_user = w;
    o.cancel = &w->cancelled;
    return clump_big_run_with(&path, 1, output, &settings, &o, &hooks, r, &big_why);
}

static void every_phase_is_told(void)
{
    start();
    watcher w = {0};
    clump_big_result r;
    CHECK_INT(run(&w, 1, &r), CLUMP_OK);
    CHECK(r.labels_hash == whole.hash);
    CHECK_TEXT(w.phases, "plan scatter split tiles merge clusters output ");
    CHECK_MSG(w.done > 0.9, "the last share is %g", w.done);
    CHECK_MSG(w.steps > 30, "%ld steps", w.steps);
    unlink(output);
    unlink(input);
}

/* Cancels at the call number `at`, and goes on to the end. Returns false where the run ended before. */
static bool cancel_and_go_on(long at, int threads)
{
    watcher w = {.cancel_at = at};
    clump_big_result r = {0};
    const clump_status status = run(&w, threads, &r);
    if (w.calls < at) {
        CHECK_MSG(status == CLUMP_OK && r.labels_hash == whole.hash, "%s", big_why.text);
        return false;
    }
    CHECK_MSG(status == CLUMP_ERR_CANCELLED, "call %ld, %s: %s", at, w.last.phase, clump_status_text(status));
    CHECK_TEXT(big_why.text, "cancelled by the caller");
    CHECK_MSG(w.late == 0, "call %ld, %s: %ld calls after the cancellation", at, w.last.phase, w.late);
    /* Threads end the tile that they write: a result and a record each. A folder without a plan is emptied: 10 changes. */
    CHECK_MSG(w.changes <= 10 + 3 * threads, "call %ld, %s: %ld changes", at, w.last.phase, w.changes);
    CHECK_MSG(access(output, F_OK) != 0, "call %ld, %s: there is an output", at, w.last.phase);
    clump_work_info info;
    if (access(work, F_OK) == 0) CHECK(clump_work_describe(work, &info, &big_why) == CLUMP_OK && !info.running);
    watcher rest = {0};
    const clump_status done = run(&rest, threads, &r);
    CHECK_MSG(done == CLUMP_OK && r.labels_hash == whole.hash, "call %ld, %s: %s", at, w.last.phase, big_why.text);
    CHECK(access(work, F_OK) != 0);
    unlink(output);
    return true;
}

static void cancelled_at_every_step(void)
{
    start();
    watcher plain = {0};
    clump_big_result r;
    CHECK_INT(run(&plain, 1, &r), CLUMP_OK);
    unlink(output);
    const long every = 1 + plain.calls / (CLOUD_WATCHED ? 8 : check_fewer(8, 32));
    for (long at = 1; at <= plain.calls; at += every) CHECK(cancel_and_go_on(at, 1));
    for (long at = 2; at <= plain.calls; at += 5 * every) (void)cancel_and_go_on(at, 3);
    unlink(output);
    unlink(input);
}

static void cancelled_while_the_ground_is_found(void)
{
    const clump_ground_options usual = clump_ground_defaults();
    ground = &usual;
    start();
    watcher plain = {0};
    clump_big_result r;
    CHECK_INT(run(&plain, 1, &r), CLUMP_OK);
    CHECK(big_equal(&whole, &r) && r.ground > 0);
    CHECK_MSG(strncmp(plain.phases, "plan ground scatter ", 20) == 0, "%s", plain.phases);
    unlink(output);
    int found = 0;
    for (long at = 1; at < 12; at++) {
        watcher w = {.cancel_at = at};
        const clump_status status = run(&w, 1, &r);
        if (status == CLUMP_OK) break; /* it went on from what the last ones had done */
        CHECK_INT(status, CLUMP_ERR_CANCELLED);
        found += strcmp(w.last.phase, "ground") == 0;
    }
    CHECK(found > 0);
    watcher rest = {0};
    CHECK_INT(run(&rest, 2, &r), CLUMP_OK);
    CHECK(big_equal(&whole, &r));
    unlink(output);
    unlink(input);
    ground = NULL;
}

/* A run that goes on is cancelled while it reads what it has: the folder stays. */
static void cancelled_while_it_goes_on(void)
{
    start();
    clump_big_result r;
    watcher plain = {0}, first = {0}, again = {.cancel_at = 2};
    CHECK_INT(run(&plain, 1, &r), CLUMP_OK);
    unlink(output);
    first.cancel_at = plain.calls - 1; /* in the output: all tiles are there */
    CHECK_INT(run(&first, 1, &r), CLUMP_ERR_CANCELLED);
    CHECK_TEXT(first.last.phase, "output");
    CHECK_INT(run(&again, 1, &r), CLUMP_ERR_CANCELLED);
    CHECK_TEXT(again.last.phase, "plan");
    watcher last = {0};
    CHECK_INT(run(&last, 1, &r), CLUMP_OK);
    CHECK(r.labels_hash == whole.hash && r.tasks_skipped > 5);
    unlink(output);
    unlink(input);
}

/* Writes a box of 1 m into the header, so that the first plan does not hold. */
static void lie(const char *path)
{
    FILE *const file = fopen(path, "r+b");
    const double box[6] = {1, 0, 1, 0, 1, 0};
    fseek(file, 179, SEEK_SET);
    CHECK_INT(fwrite(box, 1, sizeof box, file), sizeof box);
    fclose(file);
}

/* Between two plans there is nothing worth keeping: the folder goes. */
static void cancelled_between_two_plans(void)
{
    start();
    unlink(input);
    snprintf(input, sizeof input, "%s", big_path("lie.las"));
    big_fill(xyz, POINTS, 90, 5);
    for (size_t i = 0; i < POINTS; i += 3) xyz[3 * i] -= 70000;
    big_save(input, xyz, POINTS, NULL);
    lie(input);
    watcher plain = {0};
    clump_big_result r;
    CHECK_INT(run(&plain, 1, &r), CLUMP_OK);
    CHECK_MSG(strncmp(plain.phases, "plan scatter plan scatter ", 26) == 0, "%s", plain.phases);
    unlink(output);
    const uint64_t hash = r.labels_hash;
    int between = 0;
    for (long at = 1; at < plain.calls; at++) {
        watcher w = {.cancel_at = at};
        CHECK_INT(run(&w, 1, &r), CLUMP_ERR_CANCELLED);
        if (strcmp(w.phases, "plan scatter plan scatter ") == 0) break;
        const bool second = strcmp(w.phases, "plan scatter plan ") == 0;
        between += second;
        if (second) CHECK_MSG(access(work, F_OK) != 0, "call %ld: the folder stays without a plan", at);
    }
    CHECK(between > 2);
    watcher rest = {0};
    CHECK_INT(run(&rest, 1, &r), CLUMP_OK);
    CHECK(r.labels_hash == hash);
    unlink(output);
    unlink(input);
}

/* Large transfers are divided; small ones, as those of the journal, are never cancelled. */
static void transfers_are_divided(void)
{
    enum { LARGE = 40 << 20, SMALL = 4096 };
    volatile int cancel = 1;
    clump_big_disk disk = {.path = big_folder, .folder = open(big_folder, O_RDONLY | O_DIRECTORY), .cancel = &cancel};
    clump_big_file file;
    char *const bytes = calloc(LARGE, 1);
    CHECK_INT(clump_big_file_open(&disk, "transfer", &file, &big_why), CLUMP_OK);
    CHECK_INT(clump_big_file_write(&file, 0, bytes, SMALL, &big_why), CLUMP_OK);
    CHECK_INT(clump_big_file_sync(&file, &big_why), CLUMP_OK);
    CHECK_INT(clump_big_file_read(&file, 0, bytes, SMALL, &big_why), CLUMP_OK);
    CHECK_INT(clump_big_file_write(&file, 0, bytes, LARGE, &big_why), CLUMP_ERR_CANCELLED);
    CHECK_MSG(disk.moved < LARGE, "%llu bytes", (unsigned long long)disk.moved);
    cancel = 0;
    CHECK_INT(clump_big_file_write(&file, 0, bytes, LARGE, &big_why), CLUMP_OK);
    cancel = 1;
    CHECK_INT(clump_big_file_sync(&file, &big_why), CLUMP_ERR_CANCELLED);
    CHECK_INT(clump_big_file_read(&file, 0, bytes, LARGE, &big_why), CLUMP_ERR_CANCELLED);
    free(bytes);
    clump_big_file_close(&file);
    CHECK_INT(clump_big_disk_remove(&disk, "transfer", &big_why), CLUMP_OK);
    close(disk.folder);
}

/* ----- ranks ---------------------------------------------------------------------------------------------------------- */

/* Runs the ranks; rank 0 is watched, and its cancellation ends all. */
static clump_status run_ranks(watcher *w)
{
    const char *const path = input;
    ranks_run r = {.inputs = &path, .count = 1, .output = output, .settings = &settings, .ranks = RANKS};
    r.options = clump_big_defaults();
    r.options.threads = 1;
    r.options.ground = ground;
    r.options.progress = watch, r.options.progress_user = w; /* only that of rank 0 is called */
    r.options.cancel = &w->cancelled;
    r.hooks.most = POINTS / 9;
    const clump_status status = ranks_world_run(&r);
    if (status == CLUMP_OK) CHECK(r.result.labels_hash == whole.hash);
    return status;
}

static void ranks_are_told_and_cancelled(void)
{
    start();
    watcher plain = {0};
    CHECK_INT(run_ranks(&plain), CLUMP_OK);
    CHECK_TEXT(plain.phases, "plan scatter tiles merge output ");
    CHECK_MSG(plain.done > 0.999, "the last share is %g", plain.done);
    unlink(output);
    for (long at = 1; at < plain.calls;
         at += 1 + plain.calls / 24) { /* the last call comes when the output is complete */
        watcher w = {.cancel_at = at};
        CHECK_MSG(run_ranks(&w) == CLUMP_ERR_CANCELLED, "call %ld of %ld, %s", at, plain.calls, w.last.phase);
        CHECK_MSG(access(output, F_OK) != 0, "call %ld, %s: there is an output", at, w.last.phase);
        CHECK_MSG(w.late <= 1, "call %ld, %s: %ld calls after the cancellation", at, w.last.phase, w.late);
    }
    unlink(output);
    unlink(input);
}

CHECK_PROGRAM(test_big_cancel)
{
    alone = cpu_context(1);
    RUN(every_phase_is_told);
    RUN(cancelled_at_every_step);
    RUN(cancelled_while_the_ground_is_found);
    RUN(cancelled_while_it_goes_on);
    RUN(cancelled_between_two_plans);
    RUN(transfers_are_divided);
    RUN(ranks_are_told_and_cancelled);
    clump_context_destroy(alone);
}
