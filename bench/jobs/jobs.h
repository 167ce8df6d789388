/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs.h: the jobs of clump_bench. Each is all of main() for one file of this folder; argv[0] is the name of the job. bench/main.c has
 * their table. pipeline.c (PCL's steps from a scan to boxes) and tiles.c (a cloud in pieces) serve detect.c and pieces.c.
 */
#ifndef CLUMP_BENCH_JOBS_H
#define CLUMP_BENCH_JOBS_H

int bench_batch(int argc, char **argv);
int bench_dbscan(int argc, char **argv);
int bench_detect(int argc, char **argv);
int bench_ec(int argc, char **argv);
int bench_erccl(int argc, char **argv);
int bench_files(int argc, char **argv);
int bench_latency(int argc, char **argv);
int bench_laz(int argc, char **argv);
int bench_nn(int argc, char **argv);
int bench_objects(int argc, char **argv);
int bench_pieces(int argc, char **argv);
int bench_recordings(int argc, char **argv);
int bench_scale(int argc, char **argv);
int bench_scaling(int argc, char **argv);
int bench_tree(int argc, char **argv);

#endif
