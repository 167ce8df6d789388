/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ranks_files.c: surveys in files on ranks that are threads of this process, against one call: formats, frames, options,
 * outputs, and failures that all ranks report alike.
 */
#include "support/check.h"

#include "big/big_case.h"
#include "support/clouds.h"
#include "peers/peers.h"

#include <pthread.h>
#include <sys/stat.h>

enum { RANKS = 8, POINTS = CLOUD_WATCHED ? 70000 : 200000 }; /* blocks have 65,536 points */

static clump_context *alone;
static double xyz[3 * POINTS];

typedef struct file_rank {
    const char *const *inputs;
    size_t count;
    const char *output;
    const clump_joint_settings *settings;
    clump_big_options options;
    clump_peers peers;
    clump_big_hooks hooks;
    clump_big_result result;
    clump_message message;
    clump_status status;
    pthread_t thread;
    long calls; /* of the transport */
} file_rank;

static void *run_rank(void *arg)
{
    file_rank *const r = arg;
    r->options.peers = &r->peers;
    r->status = clump_big_run_with(r->inputs, r->count, r->output, r->settings, &r->options, &r->hooks, &r->result,
                                   &r->message);
    return NULL;
}

static long trap; /* the call of rank 0 that fails; 0: none */

/* Runs the ranks. Status, message and result are the same on all; returns those of rank 0. `differ`: rank 1 has other
 * inputs; null: none. */
static file_rank run_files(const char *const *inputs, size_t count, const char *output, const clump_joint_settings *s,
                           const clump_big_options *o, uint64_t most, int ranks, const char *const *differ)
{
    clump_world *const world = clump_world_create(ranks);
    clump_world_trap(world, 0, trap);
    file_rank all[RANKS] = {{0}};
    for (int r = 0; r < ranks; r++) {
        all[r] = (file_rank){.inputs = differ && r == 1 ? differ : inputs, .count = count, .output = output};
        all[r].settings = s;
        all[r].options = *o;
        all[r].options.threads = 1;
        all[r].peers = clump_world_peers(world, r);
        all[r].hooks.most = most;
    }
    for (int r = 1; r < ranks; r++) pthread_create(&all[r].thread, NULL, run_rank, &all[r]);
    run_rank(&all[0]);
    for (int r = 1; r < ranks; r++) pthread_join(all[r].thread, NULL);
    for (int r = 1; r < ranks; r++) {
        CHECK_INT(all[r].status, all[0].status);
        if (!trap) CHECK_TEXT(all[r].message.text, all[0].message.text);
        CHECK(all[r].result.labels_hash == all[0].result.labels_hash);
        CHECK(all[r].result.labels_hash_64 == all[0].result.labels_hash_64);
    }
    all[0].calls = clump_world_calls(world, 0);
    clump_world_destroy(world);
    return all[0];
}

static void compare(const char *path, const clump_joint_settings *s, const clump_big_options *o, int ranks)
{
    const big_whole whole = big_one_call(alone, path, s, o);
    const file_rank r = run_files(&path, 1, NULL, s, o, 9000, ranks, NULL);
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
    for (int ranks = 1; ranks <= 5; ranks += 2) {
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
    compare_all("a.csv", POINTS / 3, NULL, CLUMP_FILE_FRAME_AUTO, 0); /* not parallel; one or two blocks */
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
        const file_rank one = run_files(&(const char *){path}, 1, NULL, &s, &o, 9000, 1, NULL);
        const file_rank three = run_files(&(const char *){path}, 1, NULL, &s, &o, 9000, 3, NULL);
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
    for (int ranks = 1; ranks <= RANKS; ranks += 7) {
        const file_rank r = run_files(both, 2, out, &s, &o, 9000, ranks, NULL);
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
    const file_rank none = run_files(both, 1, out, &s, &o, 0, 3, NULL);
    CHECK_MSG(none.status == CLUMP_OK && none.result.points == 0, "%s", none.message.text);
    CHECK(none.result.labels_hash == clump_labels_hash(NULL, 0));
    unlink(out), unlink(a), unlink(b);
}

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
    file_rank r = run_files(&input, 1, NULL, &s, &o, 0, 3, &other); /* rank 1 does not see the file */
    CHECK_MSG(r.status == CLUMP_ERR_IO_OPEN && strstr(r.message.text, "two.las"), "%s", r.message.text);
    big_save(b, xyz, 900, NULL);
    r = run_files(&input, 1, NULL, &s, &o, 0, 3, &other);
    CHECK_MSG(r.status == CLUMP_ERR_IO_READ && strstr(r.message.text, "different files"), "%s", r.message.text);
    r = run_files(&input, 1, out, &s, &o, 0, 3, NULL);
    CHECK_MSG(r.status != CLUMP_OK && strstr(r.message.text, "out.labels"), "%s", r.message.text);
    o.ram = 4096;
    r = run_files(&input, 1, NULL, &s, &o, 0, 3, NULL);
    CHECK_MSG(r.status == CLUMP_ERR_OUT_OF_MEMORY && strstr(r.message.text, "--ram"), "%s", r.message.text);
    unlink(a), unlink(b);
}

/* With a work folder, a run after a failure finds the tiles that were done, also with another number of ranks. */
static void a_second_run_goes_on(void)
{
    char path[256], work[256], tile[512];
    snprintf(path, sizeof path, "%s", big_path("w.las"));
    snprintf(work, sizeof work, "%s", big_path("work"));
    snprintf(tile, sizeof tile, "%s/clump-tile-000003", work);
    const char *const input = path;
    big_fill(xyz, POINTS, 100, 4);
    big_save(path, xyz, POINTS, NULL);
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    s.d = 0.5f;
    s.min_points = 5;
    o.work = work;
    const file_rank whole = run_files(&input, 1, NULL, &s, &o, 9000, 2, NULL);
    CHECK_MSG(whole.status == CLUMP_OK && whole.result.tasks_skipped == 0, "%s", whole.message.text);
    CHECK(access(work, F_OK) != 0);
    trap = whole.calls - 4;
    CHECK(run_files(&input, 1, NULL, &s, &o, 9000, 2, NULL).status != CLUMP_OK);
    trap = 0;
    CHECK(access(tile, F_OK) == 0);
    s.min_points = 6;
    file_rank r = run_files(&input, 1, NULL, &s, &o, 9000, 2, NULL);
    CHECK_MSG(r.status == CLUMP_ERR_ARGUMENT && strstr(r.message.text, "other input or parameters"), "%s",
              r.message.text);
    s.min_points = 5;
    size_t size;
    unsigned char *const bytes = check_load(tile, &size);
    bytes[size / 2] ^= 4; /* a damaged result is made again */
    big_write(tile, bytes, size);
    free(bytes);
    o.keep_work = true;
    r = run_files(&input, 1, NULL, &s, &o, 9000, 3, NULL);
    CHECK_MSG(r.status == CLUMP_OK, "%s", r.message.text);
    CHECK(r.result.labels_hash == whole.result.labels_hash && r.result.tiles == whole.result.tiles);
    CHECK_INT(r.result.tasks_skipped, r.result.tiles - 1);
    o.keep_work = false;
    r = run_files(&input, 1, NULL, &s, &o, 9000, 1, NULL);
    CHECK(r.status == CLUMP_OK && r.result.labels_hash == whole.result.labels_hash);
    CHECK_INT(r.result.tasks_skipped, r.result.tiles);
    CHECK(access(work, F_OK) != 0);
    unlink(path);
}

/* Inputs, outputs and other files may be in the work folder: they stay. A file with the name of a result that is none is
 * refused by its name, and so is the folder of one process. */
static void files_of_the_user(void)
{
    static const char *const names[] = {"tile-000001.txt", "tile-000001", "ranks", "clump-tile-1",
                                        "clump-tile-000001x"};
    static const char *const refused[] = {"clump-tile-000001", "clump-tile-000001.99", "clump-ranks"};
    char folder[256], input[300], out[300], path[300];
    snprintf(folder, sizeof folder, "%s", big_path("mixed"));
    CHECK(mkdir(folder, 0777) == 0);
    snprintf(input, sizeof input, "%s/tile-in.las", folder);
    snprintf(out, sizeof out, "%s/tile-out.las", folder);
    const char *const in = input;
    big_fill(xyz, POINTS, 100, 4);
    big_save(input, xyz, POINTS, NULL);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        big_write(path, "of the user", 11);
    }
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    s.d = 0.5f;
    o.work = folder;
    file_rank r;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, refused[k]);
        big_write(path, "of the user", 11);
        r = run_files(&in, 1, NULL, &s, &o, 9000, 2, NULL);
        CHECK_MSG(r.status == CLUMP_ERR_IO_FORMAT && strstr(r.message.text, path), "%s", r.message.text);
        size_t size = 0;
        unsigned char *const bytes = check_load(path, &size);
        CHECK_MSG(bytes && size == 11 && memcmp(bytes, "of the user", 11) == 0, "%s was changed", refused[k]);
        free(bytes);
        CHECK(unlink(path) == 0);
    }
    snprintf(path, sizeof path, "%s/clump-plan", folder);
    big_write(path, "clplan01", 8);
    r = run_files(&in, 1, NULL, &s, &o, 9000, 2, NULL);
    CHECK_MSG(r.status == CLUMP_ERR_ARGUMENT && strstr(r.message.text, "without MPI"), "%s", r.message.text);
    CHECK(unlink(path) == 0);
    r = run_files(&in, 1, out, &s, &o, 9000, 2, NULL);
    CHECK_MSG(r.status == CLUMP_OK, "%s", r.message.text);
    CHECK_MSG(unlink(input) == 0 && unlink(out) == 0, "the input or the output is gone");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        CHECK_MSG(unlink(path) == 0, "%s is gone", names[k]);
    }
    CHECK_MSG(rmdir(folder) == 0, "a temporary file was left");
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    alone = cpu_context(1);
    RUN(formats_and_frames);
    RUN(lying_header);
    RUN(classes_and_crop);
    RUN(outputs);
    RUN(failures);
    RUN(a_second_run_goes_on);
    RUN(files_of_the_user);
    clump_context_destroy(alone);
    return CHECK_END();
}
