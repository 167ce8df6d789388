/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h: the mark of options that clump_big_defaults() made.
 */
#ifndef CLUMP_BIG_OPTIONS_H
#define CLUMP_BIG_OPTIONS_H

#include <clump/big.h>

#define CLUMP_BIG_COOKIE 0x636c6231u /* "clb1" */

#endif
