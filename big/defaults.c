/* SPDX-License-Identifier: BSD-3-Clause
 *
 * defaults.c: the options of clump_big_run().
 */
#include "job.h"

clump_big_options clump_big_defaults(void)
{
    return (clump_big_options){
        .cookie = CLUMP_BIG_COOKIE, .backend = CLUMP_BACKEND_CPU, .output = clump_label_writer_defaults()};
}
