/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Fast Euclidean Cluster Extraction Using GPUs".
 */
#include "papers.h"

const papers_paper papers_ec = {"ec",
                                "Fast Euclidean Cluster Extraction Using GPUs",
                                "Nguyen, Monrroy Cano, Edahiro, Kato; 2020",
                                NULL,
                                0,
                                NULL,
                                NULL,
                                NULL};
