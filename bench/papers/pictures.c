/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pictures of clusters, drawn by the program (papers.h), and those of two papers: a clustered frame (EC, Fig. 1), and the
 * frame and the clusters of its first 10,000 points (DBSCAN, Figs 1, 2, 3).
 */
#include "papers/papers_dbscan.h"
#include "papers/papers_ec.h"

#include <clump/info.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURE_WORDS = 40 };

/* --- files and drawing --------------------------------------------------------------------------- */

bool picture_write(const char *name, const void *bytes, size_t size, clump_message *why)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", papers.folder, name);
    FILE *const to = fopen(path, "wb");
    bool written = to && fwrite(bytes, 1, size, to) == size;
    if (to) written = fclose(to) == 0 && written;
    if (!written) snprintf(why->text, sizeof why->text, "%.400s cannot be written", path);
    return written;
}

/* Writes the points, with their colours where they have any, as a PLY file. */
static bool write_points(const bench_cloud *cloud, const uint8_t *rgb, clump_message *why)
{
    enum { HEAD = 256, RECORD = 15 };
    unsigned char *const bytes = malloc(HEAD + RECORD * cloud->count);
    if (!bytes) return snprintf(why->text, sizeof why->text, "no memory for %zu points", cloud->count), false;
    size_t length = (size_t)snprintf(
        (char *)bytes, HEAD,
        "ply\nformat binary_little_endian 1.0\nelement vertex %zu\nproperty float x\nproperty float y\n"
        "property float z\n%send_header\n",
        cloud->count, rgb ? "property uchar red\nproperty uchar green\nproperty uchar blue\n" : "");
    for (size_t i = 0; i < cloud->count; i++) {
        memcpy(bytes + length, cloud->xyz + 3 * i, 12), length += 12;
        if (rgb) memcpy(bytes + length, rgb + 3 * i, 3), length += 3;
    }
    const bool written = picture_write("picture.ply", bytes, length, why);
    free(bytes);
    return written;
}

bool picture_draw(const char *file, const bench_cloud *cloud, const int32_t *labels, const uint8_t *rgb,
                  const char *const look[], clump_message *why)
{
    char points[1200], found[1200], to[1200];
    snprintf(points, sizeof points, "%s/picture.ply", papers.folder);
    snprintf(found, sizeof found, "%s/picture.labels", papers.folder);
    snprintf(to, sizeof to, "%s/%s", papers.folder, file);
    const char *words[PICTURE_WORDS] = {"view",    points,  "--png",        to, "-q", "--size", "480x360",
                                        "--theme", "light", "--point-size", "3"};
    size_t count = 11;
    if (labels) words[count++] = "--labels", words[count++] = found;
    for (size_t i = 0; look[i] && count + 1 < PICTURE_WORDS; i++) words[count++] = look[i];
    const bool drawn = program_make_folder(why) && write_points(cloud, rgb, why) &&
                       (!labels || picture_write("picture.labels", labels, 4 * cloud->count, why)) &&
                       program_run(words, NULL, 0, why);
    remove(points), remove(found);
    return drawn;
}

void picture_row(csv *rows, const char *experiment, const char *series, double x, const char *file, size_t points,
                 long clusters)
{
    const papers_row row = {.name = experiment,
                            .experiment = experiment,
                            .series = series,
                            .x = x,
                            .backend = "cpu",
                            .points = points,
                            .runs = 1,
                            .clusters = clusters,
                            .value = (double)NAN,
                            .agree = "",
                            .version = clump_version(),
                            .note = file};
    papers_add(rows, &row);
    printf("  %-24s %zu points, %ld clusters\n", file, points, clusters);
}

/* --- EC, Fig. 1 ---------------------------------------------------------------------------------- */

/* Clusters the cloud, draws it, and adds a row. min_points 0: Euclidean clustering, else DBSCAN. */
static bool draw_clusters(csv *rows, const char *experiment, const char *file, const bench_cloud *cloud, float d,
                          size_t min_points, const char *const look[], clump_message *why)
{
    const clump_points points = {.xyz = cloud->xyz, .count = cloud->count};
    int32_t *const labels = malloc(4 * cloud->count + 1), clusters = 0;
    clump_context *context = NULL;
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    bool done = labels && clump_context_create(&options, &context) == CLUMP_OK;
    if (!done) snprintf(why->text, sizeof why->text, "no memory for the labels of a picture");
    if (done && (min_points ? clump_dbscan(context, points, d, min_points, NULL, labels, &clusters)
                            : clump_ec(context, points, d, NULL, labels, &clusters)) != CLUMP_OK) {
        snprintf(why->text, sizeof why->text, "%s", clump_context_error(context));
        done = false;
    }
    done = done && picture_draw(file, cloud, labels, NULL, look, why);
    if (done) picture_row(rows, experiment, file, (double)d, file, cloud->count, clusters);
    clump_context_destroy(context);
    free(labels);
    return done;
}

bool ec_compute_pictures(csv *rows, contest_totals *totals, clump_message *why)
{
    static const char *const look[] = {"--view", "205,38", "--zoom", "2.2", "--no-boxes", NULL};
    ec_frames frames;
    (void)totals;
    /* The frame of KITTI, or without it a simulated one of the same sensor. */
    if (!ec_frames_make(EC_KITTI, 1, &frames, why) && !ec_frames_make(EC_HDL64E_HIGH, 1, &frames, why)) return false;
    const bool done = draw_clusters(rows, "ec-pictures", "ec-clusters.png", &frames.all, 0.5f, 0, look, why);
    ec_frames_free(&frames);
    return done;
}

/* --- DBSCAN, Figs 1, 2, 3 ------------------------------------------------------------------------- */

bool dbscan_compute_pictures(csv *rows, contest_totals *totals, clump_message *why)
{
    static const char *const home[] = {"--view", "205,38", "--zoom", "1.6", "--colour", "height", NULL};
    static const char *const near[] = {"--view", "205,50", "--zoom", "1.2", "--no-boxes", NULL};
    bench_cloud frame = {NULL, 0}, toy = {NULL, 0};
    bool simulated = false;
    (void)totals;
    bool done = dbscan_set_make(&dbscan_sets[DBSCAN_FRAME], &frame, &simulated, why) &&
                picture_draw("dbscan-frame.png", &frame, NULL, NULL, home, why);
    if (done) picture_row(rows, "dbscan-pictures", "dbscan-frame.png", 0, "dbscan-frame.png", frame.count, 0);
    for (int k = 0; k < 2 && done; k++) {
        const dbscan_set *const set = &dbscan_sets[k ? DBSCAN_TOY3_WIDE : DBSCAN_TOY3_NARROW];
        done = dbscan_set_make(set, &toy, &simulated, why) &&
               draw_clusters(rows, "dbscan-pictures", k ? "dbscan-eps-5.png" : "dbscan-eps-1.png", &toy, set->eps,
                             set->min_points, near, why);
        bench_cloud_free(&toy);
    }
    bench_cloud_free(&frame);
    return done;
}
