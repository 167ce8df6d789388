/* SPDX-License-Identifier: BSD-3-Clause
 *
 * npy.h: what labels.c needs of npy.c.
 */
#ifndef CLUMP_IO_NPY_H
#define CLUMP_IO_NPY_H

#include "format.h"

/* Reads an array of shape (N,) of int32, or of int64 whose values fit. The caller frees *labels. */
clump_status clump_io_npy_labels(const clump_io_source *source, int32_t **labels, size_t *count);

#endif
