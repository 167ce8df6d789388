/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ICP beside PCL's, on the scans of a case: point to point, pairs within 1 m, until an iteration moves by less than
 * 0.1 mm and turns by less than 0.0001.
 */
#ifndef CLUMP_BENCH_NN_ICP_H
#define CLUMP_BENCH_NN_ICP_H

#include "nn_report.h"
#include "rivals/icp_rival.h"

#include <clump/clump.h>

typedef struct nn_icp_result {
    const nn_case *item;
    size_t points, moved;
    double ours_ms, two_ms, rival_ms; /* medians: one thread, two, the rival; 0: none */
    int iterations;
    double apart, turned; /* from the rival's: metres, degrees */
    const char *rival, *version;
    bool failed;
} nn_icp_result;

/* rival may be null. */
void nn_icp_measure(const nn_case *item, const bench_cloud clouds[2], const clump_icp_rival *rival, const machine *m,
                    long rounds, nn_icp_result *out);
void nn_icp_report(const nn_icp_result *r, nn_totals *totals);

#endif
