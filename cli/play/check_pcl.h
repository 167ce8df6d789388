/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check_pcl.h: --check-pcl: are the clusters of a frame those of PCL?
 *
 * PCL is a module that is loaded when it is asked for: the rival of the bench (rivals/pcl_best.cpp), which is built
 * where PCL is installed. The program itself does not depend on PCL.
 */
#ifndef CLUMP_CLI_CHECK_PCL_H
#define CLUMP_CLI_CHECK_PCL_H

#include "base/cli.h"
#include "cluster/region.h"

typedef struct cli_check_pcl cli_check_pcl;

/* Loads PCL. The options are those of the job: Euclidean clustering in three dimensions, of all points in the region, which
 * is borrowed. Returns CLI_DONE, or prints why not and returns the exit status. */
int cli_check_pcl_open(const cli_command *self, const clump_detect_options *options, const cli_region *region,
                       cli_check_pcl **out);
void cli_check_pcl_close(cli_check_pcl *check); /* check may be null */

/* Clusters the points that take part with PCL, and compares. labels are those of clump. Returns CLI_DONE, also where they
 * differ; without memory, or where PCL fails, prints that and returns CLI_FAILED. */
int cli_check_pcl_frame(cli_check_pcl *check, const clump_cloud *cloud, const int32_t *labels);

/* What was found. */
typedef struct cli_check_pcl_result {
    size_t frames, equal;
    double seconds;       /* that PCL took for the clustering alone */
    const char *version;  /* "PCL 1.13.0" */
    char difference[160]; /* the first: "frame 3: point 17 is in cluster 4, with PCL in cluster 5"; "" without one */
} cli_check_pcl_result;
cli_check_pcl_result cli_check_pcl_sum_up(const cli_check_pcl *check);

#endif
