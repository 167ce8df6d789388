/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ranks_files.c: surveys in files on ranks that are threads of this process, against one call: formats, frames, options,
 * outputs, and failures that all ranks report alike.
 */
#include "support/check.h"

#include "big/big_case.h"
#include "big/ranks_world.h"
#include "support/clouds.h"
#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { FEW_POINTS = 70000, MOST_POINTS = CLOUD_WATCHED ? FEW_POINTS : 200000 }; /* blocks have 65,536 points */
#define POINTS ((size_t)check_fewer(FEW_POINTS, MOST_POINTS))

static clump_context *alone;
static double xyz[3 * MOST_POINTS];

/* Runs the ranks on files, `most` points per tile. */
static ranks_run run_files(const char *const *inputs, size_t count, const char *output, const clump_joint_settings *s,
                           const clump_big_options *o, uint64_t most, int ranks)
{
    ranks_run run = {.inputs = inputs, .count = count, .output = output, .settings = s, .options = *o, .ranks = ranks};
    run.options.threads = 1;
    run.hooks.most = most;
    run.status = ranks_world_run(&run);
    return run;
}

static void compare(const char *path, const clump_joint_settings *s, const clump_big_options *o, int ranks)
{
    const big_whole whole = big_one_call(alone, path, s, o);
    const ranks_run r = run_files(&path, 1, NULL, s, o, 9000, ranks);
    CHECK_MSG(r.status == CLUMP_OK, "%s: %s", path, r.message.text);
    if (r.status != CLUMP_OK) return;
    CHECK_MSG(r.result.labels_hash == whole.hash, "%s: %d ranks, min_points %zu", path, ranks, s->min_points);
    CHECK_INT(r.result.clusters, whole.clusters);
    CHECK_INT(r.result.noise, whole.noise);
    CHECK_INT(r.result.moved, whole.moved);
    CHECK_INT(r.result.ranks, ranks);
    CHECK(r.result.tiles > 1 && (ranks == 1) == (r.result.bytes_sent == 0));
}

static void compare_all(const char *name, size_t count, const double *origin, clump_file_frame frame, double step)
{
    char path[256];
    snprintf(path, sizeof path, "%s", big_path(name));
    big_fill(xyz, count, 100, 7);
    big_save(path, xyz, count, origin);
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    o.frame = frame;
    o.step = step;
    s.d = 0.5f;
    for (int ranks = check_fewer(3, 1); ranks <= 5; ranks += 2) {
        s.min_points = ranks == 3 ? 6 : 0;
        s.order = ranks == 5 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        compare(path, &s, &o, ranks);
    }
    unlink(path);
}

static void formats_and_frames(void)
{
    static const double far[3] = {637000, 4850000, 100};
    compare_all("a.las", POINTS, far, CLUMP_FILE_FRAME_AUTO, 0);
    compare_all("b.las", POINTS, far, CLUMP_FILE_FRAME_WHOLE, 0);
    compare_all("a.bin", POINTS, NULL, CLUMP_FILE_FRAME_AUTO, 0);
    compare_all("a.pcd", POINTS, far, CLUMP_FILE_FRAME_AUTO, 0);      /* float64 */
    compare_all("a.csv", POINTS / 3, NULL, CLUMP_FILE_FRAME_AUTO, 0); /* one or two blocks */
    compare_all("b.bin", POINTS, NULL, CLUMP_FILE_FRAME_AUTO, 0.05);
    compare_all("b.pcd", POINTS, far, CLUMP_FILE_FRAME_STEPS, 0.05);
    compare_all("b.csv", POINTS / 3, NULL, CLUMP_FILE_FRAME_AUTO, 0.05);
}

/* The box of the header is wrong: points are further away, and negative. */
static void lying_header(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s", big_path("lie.las"));
    big_fill(xyz, POINTS, 100, 5);
    for (size_t i = 0; i < POINTS; i += 3) xyz[3 * i] -= 70000;
    big_save(path, xyz, POINTS, NULL);
    FILE *const file = fopen(path, "r+b");
    const double box[6] = {1, 0, 1, 0, 1, 0};
    fseek(file, 179, SEEK_SET);
    CHECK_INT(fwrite(box, 1, sizeof box, file), sizeof box);
    fclose(file);
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    s.d = 0.5f;
    for (int frame = 0; frame < 2; frame++) {
        o.frame = frame ? CLUMP_FILE_FRAME_WHOLE : CLUMP_FILE_FRAME_STEPS;
        const ranks_run one = run_files(&(const char *){path}, 1, NULL, &s, &o, 9000, 1);
        const ranks_run three = run_files(&(const char *){path}, 1, NULL, &s, &o, 9000, 3);
        CHECK(one.status == CLUMP_OK && three.status == CLUMP_OK);
        CHECK(one.result.labels_hash == three.result.labels_hash && one.result.clusters > 100);
        if (frame) CHECK(one.result.labels_hash == big_one_call(alone, path, &s, &o).hash);
    }
    unlink(path);
}

static void classes_and_crop(void)
{
    char path[256];
    uint8_t drop[256] = {0};
    snprintf(path, sizeof path, "%s", big_path("c.las"));
    big_fill(xyz, POINTS, 100, 9);
    big_save(path, xyz, POINTS, (const double[3]){1000, 2000, 0});
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    const double crop[6] = {1010, 2010, -INFINITY, 1070, 2090, INFINITY};
    s.d = 0.5f;
    s.min_size = 5;
    s.max_size = 400;
    drop[2] = drop[5] = 1;
    o.drop_classes = drop;
    compare(path, &s, &o, 4);
    o.crop = crop;
    compare(path, &s, &o, 3);
    unlink(path);
}

/* Labels in a file, of two inputs; no points; fewer blocks than ranks. */
static void outputs(void)
{
    char a[256], b[256], out[256];
    snprintf(a, sizeof a, "%s", big_path("one.las"));
    snprintf(b, sizeof b, "%s", big_path("two.las"));
    snprintf(out, sizeof out, "%s", big_path("out.labels"));
    big_fill(xyz, POINTS, 100, 2);
    big_save(a, xyz, POINTS / 2 + 11, NULL);
    big_save(b, xyz + 3 * (POINTS / 2 + 11), POINTS - POINTS / 2 - 11, NULL);
    const char *const both[2] = {a, b};
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    s.d = 0.5f;
    uint64_t hash = 0;
    for (int ranks = 1; ranks <= RANKS_MOST; ranks += 7) {
        const ranks_run r = run_files(both, 2, out, &s, &o, 9000, ranks);
        CHECK_MSG(r.status == CLUMP_OK, "%s", r.message.text);
        int32_t *labels = NULL;
        size_t count = 0;
        CHECK_INT(clump_labels_load(out, &labels, &count, &big_why), CLUMP_OK);
        CHECK_INT(count, POINTS);
        CHECK(clump_labels_hash(labels, count) == r.result.labels_hash);
        CHECK(ranks == 1 || hash == r.result.labels_hash);
        hash = r.result.labels_hash;
        clump_labels_free(labels);
        unlink(out);
    }
    big_save(a, xyz, 0, NULL);
    const ranks_run none = run_files(both, 1, out, &s, &o, 0, 3);
    CHECK_MSG(none.status == CLUMP_OK && none.result.points == 0, "%s", none.message.text);
    CHECK(none.result.labels_hash == clump_labels_hash(NULL, 0));
    unlink(out), unlink(a), unlink(b);
}

/* ----- failures ------------------------------------------------------------------------------------------------------- */

/* All ranks say the same of what only one of them sees; nothing is left behind. */
static void failures(void)
{
    char a[256], b[256], out[256];
    snprintf(a, sizeof a, "%s", big_path("one.las"));
    snprintf(b, sizeof b, "%s", big_path("two.las"));
    snprintf(out, sizeof out, "%s", big_path("no/such/out.labels"));
    const char *const input = a, *const other = b;
    big_fill(xyz, 1000, 100, 2);
    big_save(a, xyz, 1000, NULL);
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    s.d = 0.5f;
    ranks_run r = {.inputs = &input, .count = 1, .settings = &s, .options = o, .ranks = 3, .other = &other};
    CHECK_INT(ranks_world_run(&r), CLUMP_ERR_IO_OPEN); /* rank 1 does not see the file */
    CHECK_MSG(strstr(r.message.text, "two.las"), "%s", r.message.text);
    big_save(b, xyz, 900, NULL);
    CHECK_INT(ranks_world_run(&r), CLUMP_ERR_IO_READ);
    CHECK_MSG(strstr(r.message.text, "different files: from 900 to 1000"), "%s", r.message.text);
    big_save(b, xyz, 1000, NULL); /* a copy, with another time */
    const struct timespec later = {.tv_sec = 2000000000};
    CHECK(utimensat(AT_FDCWD, b, (const struct timespec[2]){later, later}, 0) == 0);
    CHECK_MSG(ranks_world_run(&r) == CLUMP_OK, "%s", r.message.text);
    xyz[0] += 1;
    big_save(b, xyz, 1000, NULL);
    CHECK_INT(ranks_world_run(&r), CLUMP_ERR_IO_READ);
    CHECK_MSG(strstr(r.message.text, "different files, of the same sizes"), "%s", r.message.text);
    r = run_files(&input, 1, out, &s, &o, 0, 3);
    CHECK_MSG(r.status != CLUMP_OK && strstr(r.message.text, "out.labels"), "%s", r.message.text);
    unlink(a), unlink(b);
}

static void alter_distance(clump_joint_settings *s, clump_big_options *o)
{
    (void)o;
    s->d = 0.625f;
}

static void alter_method(clump_joint_settings *s, clump_big_options *o)
{
    (void)o;
    s->min_points = 3;
}

static void alter_crop(clump_joint_settings *s, clump_big_options *o)
{
    static const double crop[6] = {0, 0, 0, 5, 5, 5};
    (void)s;
    o->crop = crop;
}

static void alter_sensor(clump_joint_settings *s, clump_big_options *o)
{
    (void)s;
    o->sensor[1] = 2;
}

static void alter_memory(clump_joint_settings *s, clump_big_options *o)
{
    (void)s;
    o->ram = (size_t)64 << 20;
    o->threads = 2;
}

/* Ranks that were started with other parameters are refused, by the first that differs. */
static void other_parameters(void)
{
    static const struct {
        void (*alter)(clump_joint_settings *, clump_big_options *);
        const char *sentence; /* null: the ranks may differ */
    } cases[] = {{alter_distance, "rank 1 was started with d 0.625 instead of 0.5; all ranks need the same"},
                 {alter_method, "rank 1 was started with method dbscan instead of ec;"},
                 {alter_crop, "rank 1 was started with crop 0 0 0 5 5 5 instead of none;"},
                 {alter_sensor, "rank 1 was started with sensor 0 2 0 instead of 0 0 0;"},
                 {alter_memory, NULL}};
    const char *const input = big_path("one.las"), *const folder = big_path("work");
    big_fill(xyz, 1000, 100, 2);
    big_save(input, xyz, 1000, NULL);
    clump_joint_settings s = clump_joint_defaults();
    s.d = 0.5f;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int disk = 0; disk < 2; disk++) {
            ranks_run r = {
                .inputs = &input, .count = 1, .settings = &s, .options = clump_big_defaults(), .alter = cases[k].alter};
            r.ranks = 3;
            r.options.work = disk ? folder : NULL;
            const clump_status status = ranks_world_run(&r);
            CHECK_MSG(status == (cases[k].sentence ? CLUMP_ERR_ARGUMENT : CLUMP_OK), "%s", r.message.text);
            CHECK_MSG(strstr(r.message.text, cases[k].sentence ? cases[k].sentence : ""), "%s", r.message.text);
            CHECK(access(folder, F_OK) != 0);
        }
    unlink(input);
}

static char survey[256], work[256];
static clump_joint_settings settings;
static uint64_t survey_hash;

/* Makes a survey, and a run of three ranks with a work folder. */
static ranks_run start(void)
{
    static const char *input = survey;
    snprintf(survey, sizeof survey, "%s", big_path("w.las"));
    snprintf(work, sizeof work, "%s", big_path("work"));
    big_fill(xyz, POINTS, 100, 4);
    big_save(survey, xyz, POINTS, NULL);
    settings = clump_joint_defaults();
    settings.d = 0.5f;
    settings.min_points = 5;
    ranks_run run = {.inputs = &input, .count = 1, .settings = &settings, .options = clump_big_defaults(), .ranks = 3};
    survey_hash = big_one_call(alone, survey, &settings, &run.options).hash;
    run.options.work = work;
    run.options.threads = 1;
    run.hooks = (clump_big_hooks){.most = 9000, .save_every = 1, .no_sync = true};
    return run;
}

/* Runs to the end; nothing is left then. */
static void go_on(ranks_run *run, const char *after)
{
    const clump_status status = ranks_world_run(run);
    CHECK_MSG(status == CLUMP_OK, "after %s: %s", after, run->message.text);
    CHECK_MSG(run->result.labels_hash == survey_hash, "after %s: other labels", after);
    CHECK_MSG(access(work, F_OK) != 0, "after %s: the folder stays", after);
}

/* A run after a failure finds what was done. */
static void a_second_run_goes_on(void)
{
    char path[300];
    ranks_run run = start();
    go_on(&run, "nothing");
    CHECK_INT(run.result.tasks_skipped, 0);
    const long calls = run.calls;
    run.trap = calls - 4;
    CHECK(ranks_world_run(&run) != CLUMP_OK);
    run.trap = 0;
    clump_work_info info;
    CHECK_MSG(clump_work_describe(work, &info, &big_why) == CLUMP_OK, "%s", big_why.text);
    CHECK_TEXT(info.phase, "output");
    CHECK(strstr(info.command, "ranks 3") && info.blocks_done == info.blocks && info.tiles_done > POINTS / 10000 &&
          !info.running);
    settings.min_points = 6;
    CHECK_INT(ranks_world_run(&run), CLUMP_ERR_ARGUMENT);
    CHECK_MSG(strstr(run.message.text, "min-points 5 instead of 6"), "%s", run.message.text);
    settings.min_points = 5;
    for (run.ranks = 1; run.ranks < 8; run.ranks += run.ranks == 2 ? 3 : 1) {
        CHECK_INT(ranks_world_run(&run), CLUMP_ERR_ARGUMENT);
        CHECK_MSG(strstr(run.message.text, "ranks 3 instead of"), "%s", run.message.text);
    }
    run.ranks = 3;
    run.options.keep_work = true;
    CHECK_INT(ranks_world_run(&run), CLUMP_OK);
    CHECK(run.result.labels_hash == survey_hash && run.result.tasks_skipped >= run.result.tiles);
    CHECK(clump_work_describe(work, &info, &big_why) == CLUMP_OK && strcmp(info.phase, "done") == 0);
    snprintf(path, sizeof path, "%s/clump-rank-1/clump-results", work);
    size_t size;
    unsigned char *const bytes = check_load(path, &size);
    bytes[size / 2] ^= 4; /* a damaged result is made again */
    big_write(path, bytes, size);
    free(bytes);
    run.options.keep_work = false;
    go_on(&run, "damage");
    CHECK(run.result.tasks_skipped > 0 && run.result.tasks_skipped < run.result.tiles + 5);
    unlink(survey);
}

/* Ranks that end at different places agree on the last round that all have noted. */
static void ranks_end_anywhere(void)
{
    ranks_run run = start();
    go_on(&run, "nothing");
    const long calls = run.calls, every = CLOUD_WATCHED ? 40 : check_fewer(28, 4);
    char after[80];
    for (long call = 1; call <= calls; call += every) {
        snprintf(after, sizeof after, "call %ld of %ld", call, calls);
        run.trap = call;
        CHECK(ranks_world_run(&run) != CLUMP_OK);
        run.trap = 0;
        go_on(&run, after);
    }
    unlink(survey);
}

/* Ranks that were killed while they wrote their journals: each has other records. With a ground, whose record has a count of its
 * own. */
static void unequal_journals(void)
{
    static const long records[][2] = {{2, 1}, {1, 2}, {0, 3}, {3, 1}, {2, 4}, {1, 1}, {9, 2}};
    const clump_ground_options g = clump_ground_defaults();
    for (int grounded = 0; grounded < 2; grounded++) {
        ranks_run run = start();
        run.options.ground = grounded ? &g : NULL;
        run.options.keep_work = true;
        CHECK_MSG(ranks_world_run(&run) == CLUMP_OK, "%s", run.message.text);
        const uint64_t hash = run.result.labels_hash;
        CHECK(grounded == (hash != survey_hash));
        for (size_t k = 0; k < sizeof records / sizeof *records; k++) {
            char path[300];
            for (int rank = 0; rank < 2; rank++) {
                snprintf(path, sizeof path, "%s/%sclump-journal", work, rank ? "clump-rank-1/" : "");
                CHECK_INT(truncate(path, records[k][rank] * (long)sizeof(clump_big_record)), 0);
            }
            run.options.keep_work = k + 1 < sizeof records / sizeof *records;
            CHECK_MSG(ranks_world_run(&run) == CLUMP_OK && run.result.labels_hash == hash, "%s", run.message.text);
        }
        CHECK(access(work, F_OK) != 0);
        unlink(survey);
    }
}

/* ----- one rank ------------------------------------------------------------------------------------------------------- */

/* Ends the process, or fails with an errno, at change number `left`. */
typedef struct fault {
    long left;
    int error; /* 0: the process ends */
} fault;

static int change(void *user, clump_big_change what)
{
    fault *const f = user;
    (void)what;
    if (__atomic_sub_fetch(&f->left, 1, __ATOMIC_RELAXED) != 0) return 0;
    if (f->error == 0) _exit(7);
    return f->error;
}

/* The disk of one rank is full, at any change: one sentence that names the file. */
static void one_disk_is_full(void)
{
    ranks_run run = start();
    const long every = CLOUD_WATCHED ? 23 : check_fewer(11, 3);
    char after[80];
    long failed = 0;
    for (int rank = 0; rank < 2; rank++)
        for (long at = 1; at < 2000; at += every) {
            fault f = {.left = at, .error = ENOSPC};
            run.hooks.before = change, run.hooks.user = &f, run.faulty = rank;
            const clump_status status = ranks_world_run(&run);
            if (f.left > 0) break;
            failed += status != CLUMP_OK;
            snprintf(after, sizeof after, "rank %d, change %ld", rank, at);
            if (status != CLUMP_OK)
                CHECK_MSG(strstr(run.message.text, work) && strstr(run.message.text, strerror(ENOSPC)), "%s: %s", after,
                          run.message.text);
            run.hooks.before = NULL;
            go_on(&run, after); /* files that could not be removed are no obstacle */
        }
    CHECK_MSG(failed > (CLOUD_WATCHED ? 3 : check_fewer(3, 10)), "%ld failures", failed);
    unlink(survey);
}

/* The folders of all ranks are on one disk, which has space for those of some. */
static void a_disk_of_all_ranks(void)
{
    ranks_run run = start();
    run.hooks.free_bytes = POINTS * 14;
    CHECK_INT(ranks_world_run(&run), CLUMP_ERR_IO_WRITE);
    CHECK_MSG(strstr(run.message.text,
                     POINTS == FEW_POINTS ? "1.0 MB are needed for temporary" : "2.9 MB are needed for temp"),
              "%s", run.message.text);
    CHECK(access(work, F_OK) != 0);
    run.machines = 3; /* which share the disk */
    CHECK_INT(ranks_world_run(&run), CLUMP_ERR_IO_WRITE);
    run.hooks.free_bytes = POINTS * 15;
    go_on(&run, "more space");
    unlink(survey);
}

/* Machines have disks of their own: rank 0 sees other folders than those of the ranks, or none. */
static void a_disk_per_machine(void)
{
    char path[3][300];
    ranks_run run = start();
    for (int r = 0; r < 3; r++) snprintf(path[r], sizeof path[r], "%s-%d", work, r);
    run.works = (const char *const[]){path[0], path[1], path[2]};
    run.hooks.free_bytes = POINTS * 14;
    CHECK_INT(ranks_world_run(&run), CLUMP_ERR_IO_WRITE);
    run.machines = 3;
    char other[320];
    snprintf(other, sizeof other, "%s/clump-rank-1", path[0]);
    CHECK(mkdir(path[0], 0777) == 0 && mkdir(other, 0777) == 0);
    CHECK_MSG(ranks_world_run(&run) == CLUMP_OK && run.result.labels_hash == survey_hash, "%s", run.message.text);
    CHECK(rmdir(other) == 0 && rmdir(path[0]) == 0);
    for (int r = 1; r < 3; r++) CHECK(access(path[r], F_OK) != 0);
    unlink(survey);
}

/* The process of a rank ends at any change, and the others with it. */
static void one_rank_is_killed(void)
{
    ranks_run run = start();
    const long every = CLOUD_WATCHED ? 17 : 9;
    char after[80];
    long deaths = 0;
    for (long at = 1; at < 2000; at += every) {
        const pid_t child = fork();
        if (child == 0) {
            fault f = {.left = at};
            run.hooks.before = change, run.hooks.user = &f, run.faulty = 1;
            _exit(ranks_world_run(&run) == CLUMP_OK ? 0 : 1);
        }
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
        deaths++;
        snprintf(after, sizeof after, "death at change %ld", at);
        go_on(&run, after);
    }
    CHECK_MSG(deaths > (CLOUD_WATCHED ? 2 : check_fewer(2, 5)), "%ld deaths", deaths);
    unlink(survey);
}

/* Another job works in the folder of a rank. */
static void a_folder_in_use(void)
{
    char path[2][320];
    ranks_run run = start();
    CHECK(mkdir(work, 0777) == 0);
    for (int rank = 0; rank < 3; rank += 2) {
        char name[32] = "";
        if (rank > 0) snprintf(name, sizeof name, "/clump-rank-%d", rank);
        snprintf(path[0], sizeof path[0], "%s%s", work, name);
        snprintf(path[1], sizeof path[1], "%s%s/clump-lock", work, name);
        if (rank > 0) CHECK(mkdir(path[0], 0777) == 0);
        FILE *const lock = fopen(path[1], "w");
        CHECK(lock && flock(fileno(lock), LOCK_EX) == 0);
        CHECK_INT(ranks_world_run(&run), CLUMP_ERR_IO_OPEN);
        CHECK_MSG(strstr(run.message.text, path[0]) && strstr(run.message.text, "in use by another process"), "%s",
                  run.message.text);
        fclose(lock);
        CHECK(unlink(path[1]) == 0);
        if (rank > 0) CHECK(rmdir(path[0]) == 0);
    }
    go_on(&run, "locks");
    unlink(survey);
}

/* One rank has lost its folder: all begin anew. */
static void a_folder_is_lost(void)
{
    char path[300], name[600];
    ranks_run run = start();
    run.options.keep_work = true;
    CHECK_INT(ranks_world_run(&run), CLUMP_OK);
    snprintf(path, sizeof path, "%s/clump-rank-2", work);
    DIR *const folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        unlink(name);
    }
    if (folder) closedir(folder);
    CHECK(rmdir(path) == 0);
    run.options.keep_work = false;
    go_on(&run, "a loss");
    CHECK_INT(run.result.tasks_skipped, 0);
    unlink(survey);
}

/* A share that is larger than the memory goes to the disk. */
static void a_share_larger_than_memory(void)
{
    ranks_run run = start();
    run.hooks = (clump_big_hooks){.no_sync = true};
    run.options.work = NULL;
    run.output = big_path("out.labels");
    run.options.ram = (size_t)16 << 20;
    CHECK_MSG(ranks_world_run(&run) == CLUMP_OK && run.result.labels_hash == survey_hash, "%s", run.message.text);
    const uint64_t moved = run.result.bytes_moved;
    CHECK(unlink(run.output) == 0);
    run.options.ram = (size_t)4 << 20;
    CHECK_MSG(ranks_world_run(&run) == CLUMP_OK && run.result.labels_hash == survey_hash, "%s", run.message.text);
    CHECK(moved > 0 && unlink(run.output) == 0);
    unlink(survey);
}

/* Too many points in one place, by ranks that hold them in memory: the memory that the sentence names is enough. */
static void named_memory_is_enough(void)
{
    if (CLOUD_WATCHED) SKIP(DO_UNWATCHED);
    ranks_run run = start();
    for (size_t i = 0; i < 3 * MOST_POINTS; i++) xyz[i] = (double)(i % 3);
    run.ranks = 1; /* which holds all points */
    big_save(survey, xyz, MOST_POINTS, NULL);
    run.hooks = (clump_big_hooks){.no_sync = true};
    run.options.work = NULL;
    run.options.ram = (size_t)16 << 20;
    CHECK_INT(ranks_world_run(&run), CLUMP_ERR_OUT_OF_MEMORY);
    const char *const use = strstr(run.message.text, "use --ram ");
    CHECK_MSG(use, "%s", run.message.text);
    if (use) run.options.ram = (size_t)strtoul(use + strlen("use --ram "), NULL, 10) << 20;
    CHECK_MSG(ranks_world_run(&run) == CLUMP_OK, "%s", run.message.text);
    CHECK_INT(run.result.clusters, 1);
    unlink(survey);
}

/* Ranks on machines of several sizes agree on rounds and on the size of messages. */
static void ranks_of_other_sizes(void)
{
    ranks_run run = start();
    run.hooks = (clump_big_hooks){.no_sync = true};
    run.options.work = NULL;
    run.output = big_path("out.labels");
    run.uneven = true;
    for (run.ranks = 2; run.ranks <= 4; run.ranks++) {
        CHECK_MSG(ranks_world_run(&run) == CLUMP_OK && run.result.labels_hash == survey_hash, "%s", run.message.text);
        CHECK(unlink(run.output) == 0);
    }
    unlink(survey);
}

/* Inputs, outputs and other files may be in the work folder: they stay. A file with the name of a temporary file that is none
 * is refused by its name. */
static void files_of_the_user(void)
{
    static const char *const names[] = {"tile-000001", "clump-ranks", "clump-rank-9"};
    static const char *const refused[] = {"clump-points", "clump-rank-1/clump-plan", "clump-rank-2/clump-results"};
    char input[300], out[300], path[300];
    ranks_run run = start();
    CHECK(mkdir(work, 0777) == 0);
    snprintf(input, sizeof input, "%s/tile-in.las", work);
    snprintf(out, sizeof out, "%s/tile-out.las", work);
    const char *const in = input;
    CHECK(rename(survey, input) == 0);
    run.inputs = &in, run.output = out;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", work, names[k]);
        big_write(path, "of the user", 11);
    }
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        char folder[300];
        snprintf(path, sizeof path, "%s/%s", work, refused[k]);
        snprintf(folder, sizeof folder, "%s", path);
        *strrchr(folder, '/') = 0;
        CHECK(k == 0 || mkdir(folder, 0777) == 0);
        big_write(path, "of the user", 11);
        CHECK_INT(ranks_world_run(&run), CLUMP_ERR_IO_FORMAT);
        CHECK_MSG(strstr(run.message.text, path), "%s", run.message.text);
        size_t size = 0;
        unsigned char *const bytes = check_load(path, &size);
        CHECK_MSG(bytes && size == 11 && memcmp(bytes, "of the user", 11) == 0, "%s was changed", refused[k]);
        free(bytes);
        CHECK(unlink(path) == 0);
        CHECK(k == 0 || rmdir(folder) == 0);
    }
    CHECK_MSG(ranks_world_run(&run) == CLUMP_OK && run.result.labels_hash == survey_hash, "%s", run.message.text);
    CHECK_MSG(unlink(input) == 0 && unlink(out) == 0, "the input or the output is gone");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", work, names[k]);
        CHECK_MSG(unlink(path) == 0, "%s is gone", names[k]);
    }
    CHECK_MSG(rmdir(work) == 0, "a temporary file was left");
}

CHECK_PROGRAM(test_ranks_files)
{
    alone = cpu_context(1);
    RUN(formats_and_frames);
    RUN(lying_header);
    RUN(classes_and_crop);
    RUN(outputs);
    RUN(failures);
    RUN(other_parameters);
    RUN(a_second_run_goes_on);
    RUN(ranks_end_anywhere);
    RUN(unequal_journals);
    RUN(one_disk_is_full);
    RUN(a_disk_of_all_ranks);
    RUN(a_disk_per_machine);
    RUN(one_rank_is_killed);
    RUN(a_folder_in_use);
    RUN(a_folder_is_lost);
    RUN(a_share_larger_than_memory);
    RUN(named_memory_is_enough);
    RUN(ranks_of_other_sizes);
    RUN(files_of_the_user);
    clump_context_destroy(alone);
}
