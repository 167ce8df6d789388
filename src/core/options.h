/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h: the cookies of the option structs, and a limit. A cookie proves that _defaults() filled the struct. A
 * struct that grows gets a new cookie.
 */
#ifndef CLUMP_CORE_OPTIONS_H
#define CLUMP_CORE_OPTIONS_H

#include <clump/clump.h>

#define CLUMP_CONTEXT_COOKIE                                                                                           \
    0x636c7834u /* "clx4": cancel and message were added, then tasks and worker_..., then device_limit */
#define CLUMP_EC_COOKIE     0x636c6534u /* "cle4": clusters_on_device was added, then eps_per_metre, then matrix_block */
#define CLUMP_DBSCAN_COOKIE 0x636c6433u /* "cld3": eps_per_metre was added, then dclust_... */
#define CLUMP_GROUND_COOKIE 0x636c6733u /* "clg3": heights were added, then step */
#define CLUMP_ERCCL_COOKIE                                                                                             \
    0x636c7234u /* "clr4": the ground options grew, then extent_columns and all_heights were added, then step of the ground */
#define CLUMP_INDEX_COOKIE    0x636c6931u /* "cli1" */
#define CLUMP_DESCRIBE_COOKIE 0x636c7331u /* "cls1" */
#define CLUMP_DETECT_COOKIE   0x636c7434u /* "clt4": its nested options grew, twice; then objects were added */
#define CLUMP_OBJECTS_COOKIE  0x636c6f31u /* "clo1" */
#define CLUMP_ICP_COOKIE      0x636c7031u /* "clp1" */
#define CLUMP_TRACKER_COOKIE  0x636c6b31u /* "clk1" */

#define CLUMP_NN_MAX_PARTITIONS 1000000

#define CLUMP_MATRIX_BLOCK_LEAST 64   /* bounds of matrix_block, which is a power of two */
#define CLUMP_MATRIX_BLOCK_MOST  1024 /* the default, and the most threads that a GPU allows per thread block */

#endif
