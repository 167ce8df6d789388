/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Simulated scans beside real ones".
 */
#include "papers.h"

const papers_paper papers_sim = {"sim", "Simulated scans beside real ones", "ours", NULL, 0, NULL, NULL, NULL};
