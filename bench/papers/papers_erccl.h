/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers_erccl.h: what the experiments of the ER-CCL paper share: its scans, its parameters, its jobs.
 */
#ifndef CLUMP_BENCH_PAPERS_ERCCL_H
#define CLUMP_BENCH_PAPERS_ERCCL_H

#include "papers/papers.h"

/* The six scenes of the paper's Table 1, in its order. */
enum { ERCCL_SCENES = 6 };
extern const clump_lidar_scene erccl_scenes[ERCCL_SCENES];

/* A scan, and for each point what it is of: instance << 16 | class, with the numbers of SemanticKITTI. */
typedef struct erccl_scan {
    bench_cloud cloud;
    uint32_t *truth;
} erccl_scan;

/* Makes a frame of the paper's sensor: an HDL-32E on a car at 30 km/h. At 7.2 turns per second it measures in 96,000
 * directions, the paper's number of points per frame. Returns false with a sentence in why. */
bool erccl_simulate(clump_lidar_scene scene, size_t frame, erccl_scan *out, clump_message *why);

/* Reads a labelled frame of KITTI from the folder of the scans: "00_000000". Returns false with a sentence in why. */
bool erccl_read_kitti(const char *name, erccl_scan *out, clump_message *why);

void erccl_scan_free(erccl_scan *scan);

/* The labelled frames of KITTI, ended by null. The first few are enough for --quick. */
enum { ERCCL_KITTI_QUICK = 5 };
extern const char *const erccl_kitti_names[];

/* Returns the paper's setting: a map of 40 m with cells of 5 cm, and one level of the ground, `peak`. */
clump_erccl_options erccl_setting(clump_erccl_method method, int reach);

/* The experiments, one file each or several. */
extern const contest_job erccl_reach_job, erccl_scenes_job, erccl_frames_job;
bool erccl_compute_drive(csv *rows, contest_totals *totals, clump_message *why);
bool erccl_compute_pictures(csv *rows, contest_totals *totals, clump_message *why);
bool erccl_compute_histogram(csv *rows, contest_totals *totals, clump_message *why);
bool erccl_compute_accuracy(csv *rows, contest_totals *totals, clump_message *why);
bool erccl_compute_quality(csv *rows, contest_totals *totals, clump_message *why);
bool erccl_compute_all_heights(csv *rows, contest_totals *totals, clump_message *why);

#endif
