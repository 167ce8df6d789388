/* SPDX-License-Identifier: BSD-3-Clause
 *
 * npy.h: what labels.c needs of npy.c.
 */
#ifndef CLUMP_IO_NPY_H
#define CLUMP_IO_NPY_H

#include "format.h"

/* An array of shape (N,), int32, or int64 with values that fit. *labels is freed with free(). */
clump_status clump_io_npy_labels(const clump_io_source *source, int32_t **labels, size_t *count);

#endif
